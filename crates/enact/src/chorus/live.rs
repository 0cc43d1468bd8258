//! A chorus as it happens, on a terminal or into a pipe.

use std::{io::Write, time::Duration};

use anstyle::{AnsiColor, Style};
use enact_drama::{
    Fact,
    chorus::report::{Said, Story, failed_text, said_text, speaker, turn_title},
    chorus::{ChorusEvent, Routed, SlotId, Turn},
    production::Report,
    text::one_line,
};
use enact_engine::run_loop::Observer;
use indicatif::ProgressBar;

use crate::{
    output::stdout,
    screen::{BOLD, FAINT, STATUS_MARGIN, colour, fitting, spinner},
};

const WARNING: Style = Style::new().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Yellow)));

/// Shows facts once they are stored, and asks for a pause after everything that is said.
pub(crate) struct Live {
    pace: Duration,
    seen: bool,
    story: Option<Story>,
    /// Who has been asked and has not answered.
    thinking: Vec<SlotId>,
    /// Whether the reason why nobody is heard was told: it is mostly the same for all.
    told_unheard: bool,
    /// Who is thinking and speaking, redrawn in place; only on a terminal.
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
        Live { pace, seen: false, story: None, thinking: Vec::new(), told_unheard: false, status: None }
    }

    fn say(&self, text: &str) {
        // A pipe gets every line as it is; a person gets words that are not broken in two.
        let wrapped = self.status.is_some().then(|| textwrap::fill(text, textwrap::termwidth()));
        let text = wrapped.as_deref().unwrap_or(text);
        let write = || {
            let mut out = stdout();
            // Nobody reading any more is no reason to stop: the recordings are still wanted.
            let _ = writeln!(out, "{text}").and_then(|()| out.flush());
        };
        match &self.status {
            Some(status) => status.suspend(write),
            None => write(),
        }
    }

    /// Shows one more fact; the story has it already.
    fn show(&mut self, event: &ChorusEvent) {
        let Some(story) = &self.story else { return };
        match event {
            ChorusEvent::ChorusBegan { .. } => self.opening(story),
            ChorusEvent::Resumed {} => self.say(&format!("{FAINT}(resumed){FAINT:#}\n")),
            ChorusEvent::TurnStarted { turn, .. } => {
                self.say(&format!("{BOLD}[{}]{BOLD:#}\n", turn_title(*turn)));
            }
            ChorusEvent::SlotSpoke { turn, slot, .. } => {
                if let Some(said) = story.said().filter(|(_, said)| said.slot == *slot).last() {
                    self.say(&format!("{}\n", coloured(story, *turn, said.1)));
                }
            }
            ChorusEvent::SlotFailed { turn, slot, .. } => {
                let round = story.rounds.iter().find(|round| round.turn == *turn);
                let failed = round.and_then(|round| round.failed.iter().find(|failed| failed.slot == *slot));
                if let Some(failed) = failed {
                    self.say(&format!("{WARNING}{}{WARNING:#}\n", failed_text(story, failed)));
                }
            }
            ChorusEvent::CommentsRouted { routes } => {
                for routed in routes.iter().filter(|routed| !routed.dropped.is_empty()) {
                    self.say(&format!("{FAINT}({}){FAINT:#}\n", not_passed_on(story, routed)));
                }
            }
            ChorusEvent::VoiceFailed { slot, error, .. } if !self.told_unheard => {
                let (who, why) = (speaker(story, *slot), one_line(error));
                self.say(&format!("{WARNING}({who} is not heard: {why}){WARNING:#}\n"));
                self.told_unheard = true;
            }
            _ => {}
        }
    }

    fn opening(&self, story: &Story) {
        let setup = &story.setup;
        let names = setup.seats.iter().enumerate().map(|(place, seat)| {
            let colour = colour(place);
            format!("{colour}{}{colour:#}", speaker(story, seat.slot))
        });
        let names = names.collect::<Vec<_>>().join(", ");
        self.say(&format!("{BOLD}\"{}\"{BOLD:#} to {names}", one_line(&setup.message)));
        for (name, card) in &setup.models {
            let plays = setup.seats.iter().filter(|seat| seat.model == *name);
            let plays: Vec<String> = plays.map(|seat| speaker(story, seat.slot)).collect();
            // Whoever plays everyone plays nobody in particular.
            let whom = if plays.len() < setup.seats.len() {
                format!(", as {}", plays.join(", "))
            } else {
                String::new()
            };
            self.say(&format!("{FAINT}  played by: {}{whom}{FAINT:#}", one_line(&card.description)));
        }
        if let Some(voices) = &setup.voice {
            self.say(&format!("{FAINT}  spoken by: {}{FAINT:#}", voices.0.join(", else ")));
        }
        self.say("");
    }

    fn follow(&mut self, event: &ChorusEvent) {
        match event {
            ChorusEvent::SlotAsked { slot, again: false, .. } => self.thinking.push(*slot),
            ChorusEvent::SlotSpoke { slot, .. } | ChorusEvent::SlotFailed { slot, .. } => {
                self.thinking.retain(|thinking| thinking != slot);
            }
            ChorusEvent::TurnDone { .. } => self.thinking.clear(),
            _ => {}
        }
    }

    fn update_status(&self) {
        let (Some(status), Some(story)) = (&self.status, &self.story) else { return };
        let thinking: Vec<String> = self.thinking.iter().map(|slot| speaker(story, *slot)).collect();
        let speaking = story.said().filter(|(_, said)| is_being_said(said)).count();
        let turn = story.rounds.last().map_or(1, |round| round.turn.index());
        let mut message = format!("turn {turn} of 3");
        // Before the names, of which there may be more than a line holds.
        if speaking > 0 {
            message.push_str(&format!(" · {speaking} being spoken"));
        }
        if !thinking.is_empty() {
            message.push_str(&format!(" · thinking: {}", thinking.join(", ")));
        }
        status.set_message(fitting(&message, textwrap::termwidth().saturating_sub(STATUS_MARGIN)));
    }
}

impl Observer<ChorusEvent> for Live {
    fn on_facts(&mut self, facts: &[Fact<ChorusEvent>]) -> Duration {
        let mut said = 0;
        for fact in facts {
            match &mut self.story {
                Some(story) => story.apply(fact),
                None => self.story = Story::begin(fact),
            }
            self.follow(&fact.event);
            if self.seen {
                self.show(&fact.event);
            }
            said += u32::from(matches!(fact.event, ChorusEvent::SlotSpoke { .. }));
        }
        self.update_status();
        self.pace * said
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

/// What was said, with its speaker's name in colour and what stands in brackets faint.
fn coloured(story: &Story, turn: Turn, said: &Said) -> String {
    let text = said_text(story, turn, said);
    let name = speaker(story, said.slot);
    let place = story.setup.seats.iter().position(|seat| seat.slot == said.slot).unwrap_or(0);
    let rest = text.strip_prefix(name.as_str()).unwrap_or(&text);
    let (business, words) = rest.split_at(rest.find(']').map_or(0, |end| end + 1));
    let colour = colour(place).bold();
    format!("{colour}{name}{colour:#}{FAINT}{business}{FAINT:#}{words}")
}

fn is_being_said(said: &Said) -> bool {
    said.audio.as_ref().is_some_and(|audio| audio.outcome.is_none())
}

fn not_passed_on(story: &Story, routed: &Routed) -> String {
    let whose: Vec<String> = routed.dropped.iter().map(|slot| speaker(story, *slot)).collect();
    format!(
        "{} hears {} of {} comments; not passed on: what {} said",
        speaker(story, routed.to),
        routed.from.len(),
        routed.from.len() + routed.dropped.len(),
        whose.join(" and ")
    )
}
