//! The model `human` in a terminal: the user answers for its characters.
//!
//! A line that is typed, or piped in, answers the ask that has been open longest. Enter alone is silence. At
//! the end of input everyone who is asked is silent from then on.

use std::{
    io::{self, IsTerminal, Write},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
};

use enact_drama::{
    CallId, Name,
    scene::{Command, Scene},
};
use enact_engine::run_loop::Signal;
use tokio::sync::mpsc;

use crate::{screen::note, stdin_lines::read_line};

/// Wipes the line that a prompt stands on.
const WIPE: &str = "\r\x1b[2K";

/// What people are asked in a terminal.
#[derive(Clone, Default)]
pub(super) struct People(Arc<PromptQueue>);

#[derive(Default)]
struct PromptQueue {
    state: Mutex<PromptState>,
    changed: Condvar,
}

#[derive(Default)]
struct PromptState {
    /// What can be answered, the oldest first. An ask leaves it as soon as a line is taken for it.
    open: Vec<(CallId, Name)>,
    newest: Option<CallId>,
    /// Whose prompt stands on the screen.
    prompted: Option<CallId>,
    is_terminal: bool,
    is_reading: bool,
    is_over: bool,
}

impl People {
    /// What is open now, in order. The first time anything is, standard input is read.
    pub(super) fn set_open(&self, asks: &[(CallId, Name)], signals: &mpsc::Sender<Signal>) {
        let mut state = self.lock();
        state.open.retain(|(call, _)| asks.iter().any(|(asked, _)| asked == call));
        for (call, name) in asks {
            // Asks are numbered as they are made: an older one is there already, or a line was taken for it.
            if state.newest < Some(*call) {
                state.newest = Some(*call);
                state.open.push((*call, name.clone()));
            }
        }
        if !state.open.is_empty() && !state.is_reading {
            (state.is_reading, state.is_terminal) = (true, io::stdin().is_terminal());
            let (people, signals) = (self.clone(), signals.clone());
            // A thread of its own, because reading a terminal cannot be cut short.
            std::thread::spawn(move || people.read(&signals));
        }
        self.0.changed.notify_all();
    }

    /// Makes room for what is to be printed.
    pub(super) fn hide_prompt(&self) {
        let mut state = self.lock();
        if state.prompted.take().is_some() {
            prompt(WIPE);
        }
    }

    /// Shows whom the next line answers for.
    pub(super) fn show_prompt(&self) {
        let mut state = self.lock();
        let next = state.open.first().map(|(call, _)| *call);
        if !state.is_terminal || state.is_over || state.prompted == next {
            return;
        }
        if state.prompted.is_some() {
            prompt(WIPE);
        }
        state.prompted = next;
        if let Some((_, name)) = state.open.first() {
            prompt(&format!("{name}> "));
        }
    }

    /// Reads lines until there are no more, and is silent from then on.
    fn read(&self, signals: &mpsc::Sender<Signal>) {
        let mut input = io::stdin().lock();
        let mut is_over = false;
        loop {
            // A terminal can be read again after Ctrl-D, which was meant for the rest.
            let line = if is_over { None } else { read_line(&mut input).map(|line| line.text()) };
            if line.is_none() && !std::mem::replace(&mut is_over, true) {
                self.end_of_input();
            }
            // Enter is often pressed while there is nothing to answer.
            let is_stray = {
                let state = self.lock();
                state.is_terminal && state.open.is_empty() && line.as_deref().is_some_and(str::is_empty)
            };
            if is_stray {
                continue;
            }
            let text = line.unwrap_or_default();
            let command = Command::Answer { ask: self.take_next(), text };
            if signals.blocking_send(Signal::command::<Scene>(&command)).is_err() {
                return;
            }
            // One line answered one ask; another that is open is prompted for now.
            self.show_prompt();
        }
    }

    fn end_of_input(&self) {
        let mut state = self.lock();
        state.is_over = true;
        if state.prompted.take().is_some() {
            prompt("\n");
        }
        drop(state);
        note("end of input: people are silent from here on");
    }

    /// Takes the ask that the next line answers, once there is one.
    fn take_next(&self) -> CallId {
        let mut state = self.lock();
        loop {
            if !state.open.is_empty() {
                state.prompted = None;
                return state.open.remove(0).0;
            }
            state = self.0.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn lock(&self) -> MutexGuard<'_, PromptState> {
        // What a poisoned lock guards is still whole: nothing panics between two changes of it.
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn prompt(text: &str) {
    let mut out = io::stderr().lock();
    // A terminal that has gone takes no answers either.
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
