//! A scene as it happens, on a terminal or into a pipe.

use std::{io::Write, sync::Arc, time::Duration};

use anstyle::{AnsiColor, Color, Style};
use enact_drama::{
    Fact, Name,
    judge::Goal,
    model_card::ModelCard,
    reply::{Action, Reply},
    scene::report::{line_text, silence_text, title},
    scene::{Line, Lines, SceneEvent, Setup},
    text::one_line,
};
use enact_engine::run_loop::Observer;
use indicatif::ProgressBar;

use crate::{
    output::stdout,
    screen::{BOLD, FAINT, STATUS_MARGIN, colour, fitting, spinner},
};

const MET: Style = Style::new().fg_color(Some(Color::Ansi(AnsiColor::Green)));

/// Shows facts once they are stored, and asks for a pause after every line.
pub(crate) struct Live {
    pace: Duration,
    seen: bool,
    setup: Option<Arc<Setup>>,
    lines: Lines,
    beat: u32,
    thinking: Vec<Name>,
    goals_met: Vec<bool>,
    /// Who is thinking, redrawn in place; only on a terminal.
    status: Option<ProgressBar>,
}

impl Live {
    pub(crate) fn on_stdout(pace: Duration, terminal: bool) -> Live {
        let mut live = Live::unseen(pace);
        live.seen = true;
        live.status = terminal.then(spinner);
        live
    }

    /// Nothing is shown; the pace still holds.
    pub(crate) fn unseen(pace: Duration) -> Live {
        Live {
            pace,
            seen: false,
            setup: None,
            lines: Lines::default(),
            beat: 0,
            thinking: Vec::new(),
            goals_met: Vec::new(),
            status: None,
        }
    }

    fn say(&self, text: &str) {
        // A pipe gets every line as it is; a person gets words that are not broken in two.
        let wrapped = self.status.is_some().then(|| textwrap::fill(text, textwrap::termwidth()));
        let text = wrapped.as_deref().unwrap_or(text);
        let write = || {
            let mut out = stdout();
            // Nobody reading any more is no reason to stop a scene: its transcript is still wanted.
            let _ = writeln!(out, "{text}").and_then(|()| out.flush());
        };
        match &self.status {
            Some(status) => status.suspend(write),
            None => write(),
        }
    }

    fn show(&mut self, fact: &Fact<SceneEvent>) {
        match &fact.event {
            SceneEvent::Began { setup } => self.opening(setup),
            SceneEvent::Resumed {} => self.say(&format!("{FAINT}(resumed){FAINT:#}\n")),
            SceneEvent::BeatOpened { beat, .. } => {
                self.beat = *beat;
                self.thinking.clear();
            }
            SceneEvent::Asked { actor, .. } => self.thinking.push(actor.clone()),
            SceneEvent::Replied { actor, reply, .. } => {
                self.thinking.retain(|name| name != actor);
                self.stage_direction(actor, reply);
            }
            SceneEvent::CallFailed { actor, .. } => self.thinking.retain(|name| name != actor),
            SceneEvent::LineAdded { .. } => {
                if let (Some(setup), Some(line)) = (&self.setup, self.lines.last()) {
                    self.say(&format!("{}\n", coloured(setup, line)));
                }
            }
            SceneEvent::LineCut { line, .. } => {
                if let (Some(setup), Some(index)) = (&self.setup, self.lines.index(*line))
                    && let Some((who, _)) = self.lines[index].actor()
                {
                    let name = display(setup, who);
                    let heard = last_words(&self.lines[index].heard());
                    self.say(&format!("{FAINT}({name} is cut off: \"{heard}\"){FAINT:#}\n"));
                }
            }
            SceneEvent::Judged { verdict } if self.status.is_some() => {
                let before = std::mem::take(&mut self.goals_met);
                for (index, goal) in verdict.goals.iter().enumerate() {
                    let (met, was) = (goal.met == Some(true), before.get(index) == Some(&true));
                    if met && !was {
                        self.say(&format!("{MET}  ✓ {}{MET:#}\n", one_line(&goal.text)));
                    } else if was && !met {
                        self.say(&format!("{FAINT}  ✗ no longer: {}{FAINT:#}\n", one_line(&goal.text)));
                    }
                    self.goals_met.push(met);
                }
            }
            SceneEvent::Ended { reason, .. } => self.say(reason.ending().line),
            _ => {}
        }
    }

    fn opening(&mut self, setup: &Arc<Setup>) {
        self.setup = Some(setup.clone());
        let cast: Vec<String> = setup
            .cast
            .iter()
            .enumerate()
            .map(|(place, role)| {
                let colour = colour(place);
                format!("{colour}{}{colour:#}", role.display)
            })
            .collect();
        self.say(&format!("{BOLD}{}{BOLD:#} with {}", title(&setup.name), cast.join(", ")));
        if let Some(setting) = &setup.config.setting {
            self.say(&format!("{FAINT}  setting: {}{FAINT:#}", one_line(setting)));
        }
        let displays: Vec<&str> = setup.cast.iter().map(|role| role.display.as_str()).collect();
        for goal in &setup.goals {
            let judged = setup.judge.is_some() || Goal::read(goal, &displays).is_readable();
            let unread = if judged { "" } else { " (cannot be judged)" };
            self.say(&format!("{FAINT}  goal{unread}: {}{FAINT:#}", one_line(goal)));
        }
        for line in company(setup) {
            self.say(&format!("{FAINT}  {line}{FAINT:#}"));
        }
        self.say("");
    }

    /// A silence that can be seen, where the scene wants such things told.
    fn stage_direction(&self, actor: &Name, reply: &Reply) {
        if let (Some(setup), Action::Silent, Some(gesture)) = (&self.setup, reply.action, &reply.nonverbal)
            && setup.config.stage_directions
        {
            self.say(&format!("{FAINT}{}{FAINT:#}\n", silence_text(setup, actor, gesture)));
        }
    }

    fn update_status(&self) {
        let (Some(status), Some(setup)) = (&self.status, &self.setup) else { return };
        let names: Vec<&str> = self.thinking.iter().map(|name| display(setup, name)).collect();
        let thinking =
            if names.is_empty() { String::new() } else { format!(" · thinking: {}", names.join(", ")) };
        let (met, goals) = (self.goals_met.iter().filter(|met| **met).count(), setup.goals.len());
        let goals = if goals == 0 { String::new() } else { format!(" · goals {met}/{goals}") };
        let message = format!("beat {} of at most {}{goals}{thinking}", self.beat + 1, setup.max_beats);
        status.set_message(fitting(&message, textwrap::termwidth().saturating_sub(STATUS_MARGIN)));
    }
}

impl Observer<SceneEvent> for Live {
    fn on_facts(&mut self, facts: &[Fact<SceneEvent>]) -> Duration {
        let mut lines = 0;
        for fact in facts {
            self.lines.apply(fact.seq, &fact.event);
            if self.seen {
                self.show(fact);
            }
            lines += u32::from(matches!(fact.event, SceneEvent::LineAdded { .. }));
        }
        self.update_status();
        self.pace * lines
    }

    fn is_paced(&self) -> bool {
        !self.pace.is_zero()
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        if let Some(status) = &self.status {
            status.finish_and_clear();
        }
    }
}

/// Who does what: "played by: one model, as Alice", "judged and events written by: another".
fn company(setup: &Setup) -> Vec<String> {
    let plays = |model: &String| -> Vec<&str> {
        setup.cast.iter().filter(|role| role.model == *model).map(|role| role.display.as_str()).collect()
    };
    let line = |(model, card): (&String, &ModelCard)| {
        let parts = plays(model);
        let tasks = [
            (!parts.is_empty(), "played"),
            (setup.judge.as_ref() == Some(model), "judged"),
            (setup.event_writer.as_ref() == Some(model), "events written"),
        ];
        let tasks: Vec<&str> = tasks.iter().filter(|(has, _)| *has).map(|(_, task)| *task).collect();
        let tasks = match tasks.as_slice() {
            [] => return None,
            [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
            tasks => tasks.concat(),
        };
        // Whoever plays everyone plays nobody in particular.
        let some = !parts.is_empty() && parts.len() < setup.cast.len();
        let whom = if some { format!(", as {}", parts.join(", ")) } else { String::new() };
        Some(format!("{tasks} by: {}{whom}", one_line(&card.description)))
    };
    setup.models.iter().filter_map(line).collect()
}

/// A line with its speaker's name in colour and its stage business faint.
pub(crate) fn coloured(setup: &Setup, line: &Line) -> String {
    let text = line_text(setup, line);
    let place = line.actor().and_then(|(who, _)| setup.cast.iter().position(|role| role.name == *who));
    let Some(place) = place else { return format!("{FAINT}{text}{FAINT:#}") };
    let name = &setup.cast[place].display;
    let rest = text.strip_prefix(name.as_str()).unwrap_or(&text);
    let (business, words) = rest.split_at(rest.find(']').map_or(0, |end| end + 1));
    let colour = colour(place).bold();
    format!("{colour}{name}{colour:#}{FAINT}{business}{FAINT:#}{words}")
}

/// The end of a line that was just shown, enough to find the place again.
fn last_words(heard: &str) -> String {
    const WORDS: usize = 5;
    let words: Vec<&str> = heard.split_whitespace().collect();
    match words.len().checked_sub(WORDS) {
        None | Some(0) => heard.to_owned(),
        Some(skipped) => format!("…{}", words[skipped..].join(" ")),
    }
}

fn display<'a>(setup: &'a Setup, name: &'a Name) -> &'a str {
    setup.cast.iter().find(|role| role.name == *name).map_or(name.as_str(), |role| &role.display)
}
