//! The update that carries a beat to an actor. What stands before it, the same in every request, comes from
//! `templates`.

use std::fmt::Write;

use super::{
    Line, LineIter, Said, Scene, notes,
    prepared::Prepared,
    silences::{self, VisibleSilence},
    state::{Actor, Exchange},
};
use crate::model_card::Context;

/// Longer than most updates, which are written anew for every request.
const USUAL_BYTES: usize = 1024;

impl Scene {
    /// The text of an update that was answered earlier, with what is known by now of what was heard.
    pub(super) fn told(&self, actor: usize, exchange: &Exchange) -> String {
        let lines = self.beat.before.range(exchange.from..exchange.to);
        let silences = silences::between(&self.silences, exchange.since, exchange.beat);
        let update = Update {
            beat: exchange.beat,
            me: actor,
            history: History::New(lines, silences),
            notes: exchange.notes.iter().map(|note| &*note.text).collect(),
        };
        update.render(&self.prepared)
    }

    /// The text of the update that opens this beat for an actor.
    pub(super) fn update(&self, actor: usize) -> String {
        let seen = &self.beat.before;
        let history = match self.context(actor) {
            Context::Window => History::Recent(seen.newest(self.prepared.setup.window)),
            Context::Thread => {
                let Actor { told, told_at, .. } = self.actors[actor];
                let silences = silences::between(&self.silences, told_at, self.beat.number);
                History::New(seen.range(told..seen.len()), silences)
            }
        };
        let notes = notes::told_to(&self.beat.notes, actor).map(|note| &*note.text).collect();
        Update { beat: self.beat.number, me: actor, history, notes }.render(&self.prepared)
    }
}

/// What one update says.
struct Update<'a> {
    beat: u32,
    me: usize,
    history: History<'a>,
    notes: Vec<&'a str>,
}

/// How much of the transcript an update carries.
enum History<'a> {
    /// What is new to a model that remembers the rest: lines, and silences that could be seen.
    New(LineIter<'a>, &'a [VisibleSilence]),
    /// The last lines, for a model that remembers nothing.
    Recent(LineIter<'a>),
}

impl Update<'_> {
    fn render(&self, prepared: &Prepared) -> String {
        let me = &prepared.players[self.me];
        let mut text = String::with_capacity(USUAL_BYTES);
        let _ = writeln!(text, "BEAT: {}", self.beat);
        match &self.history {
            History::New(lines, silences) => {
                text.push_str("\nSINCE YOU LAST HEARD:\n");
                let begins = text.len();
                let mut silences = silences.iter().filter(|silence| silence.actor != self.me).peekable();
                let tell = |text: &mut String, silence: &VisibleSilence| {
                    text.push_str(&silence.text);
                    text.push('\n');
                };
                for line in characters_read(lines) {
                    while let Some(silence) = silences.next_if(|silence| silence.beat < line.beat) {
                        tell(&mut text, silence);
                    }
                    self.tell(&mut text, prepared, line, true);
                }
                silences.for_each(|silence| tell(&mut text, silence));
                if text.len() == begins {
                    text.push_str("(nothing)\n");
                }
            }
            History::Recent(lines) => {
                text.push_str("\nRECENT TRANSCRIPT:\n");
                characters_read(lines).for_each(|line| self.tell(&mut text, prepared, line, false));
                let last = characters_read(lines).next_back().map(|line| line.text(&prepared.setup));
                if last.is_none() {
                    text.push_str("(nothing)\n");
                }
                let _ = write!(text, "\nLAST EVENT: {}\n", last.unwrap_or("(none)"));
            }
        }
        for note in &self.notes {
            let _ = write!(text, "\nDIRECTOR NOTE: {note}\n");
        }
        let _ = write!(text, "\nYou are {}. Respond in the response format.\n", me.display);
        text
    }

    fn tell(&self, text: &mut String, prepared: &Prepared, line: &Line, remembers: bool) {
        if !line.is_by(&prepared.players[self.me].name) {
            text.push_str(line.text(&prepared.setup));
        } else if let Some(told) = tell_own(prepared, line, remembers) {
            text.push_str(&told);
        } else {
            return;
        }
        text.push('\n');
    }
}

/// Without what is said about the performance: that an actor's model failed is nothing a character can know.
fn characters_read<'a>(lines: &LineIter<'a>) -> impl DoubleEndedIterator<Item = &'a Line> {
    lines.clone().filter(|line| !matches!(line.said, Said::System { .. }))
}

/// An actor's own line as it is told of it: in full if it does not remember it, and where it was stopped if
/// it was cut off.
fn tell_own(prepared: &Prepared, line: &Line, remembers: bool) -> Option<String> {
    let stopped = line.cut.as_ref().map(|cut| {
        format!(
            "(You were cut off by {}; the others heard only: \"{}\")",
            prepared.display(&cut.by),
            line.heard()
        )
    });
    if remembers {
        return stopped;
    }
    let whole = Line::new(line.id, line.beat, line.said.clone());
    let whole = whole.text(&prepared.setup);
    Some(stopped.map_or_else(|| whole.to_owned(), |stopped| format!("{whole}\n{stopped}")))
}
