//! What a chorus looks like on a terminal.

use anstyle::{AnsiColor, Style};
use enact_drama::{
    Fact,
    chorus::report::{ChorusReport, ReportedStatement, failed_text, said_text, speaker, turn_title},
    chorus::{ChorusEvent, Routed, SlotId, Turn},
    production::Report,
    text::one_line,
};

use crate::screen::{BOLD, Screen, Show, as_whom, coloured_line, coloured_names};

const WARNING: Style = Style::new().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Yellow)));

/// A chorus as far as it has been shown.
#[derive(Default)]
pub(crate) struct ShownChorus {
    story: Option<ChorusReport>,
    /// The slots that have been asked and have not answered.
    thinking: Vec<SlotId>,
    /// Whether the reason why there is no speech was told: it is mostly the same for all.
    told_unheard: bool,
}

impl Show for ShownChorus {
    type Event = ChorusEvent;

    fn show(&mut self, fact: &Fact<ChorusEvent>, screen: &Screen) -> bool {
        match &mut self.story {
            Some(story) => story.apply(fact),
            None => self.story = ChorusReport::begin(fact),
        }
        self.follow(&fact.event);
        self.print(&fact.event, screen);
        matches!(fact.event, ChorusEvent::SlotSpoke { .. })
    }

    fn status(&self) -> Option<String> {
        let story = self.story.as_ref()?;
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
        Some(message)
    }
}

impl ShownChorus {
    /// Prints what there is to see of an event that the story has already.
    fn print(&mut self, event: &ChorusEvent, screen: &Screen) {
        let Some(story) = &self.story else { return };
        match event {
            ChorusEvent::ChorusBegan { .. } => opening(story, screen),
            ChorusEvent::Resumed {} => screen.whisper("(resumed)\n"),
            ChorusEvent::TurnStarted { turn, .. } => {
                screen.say(&format!("{BOLD}[{}]{BOLD:#}\n", turn_title(*turn)));
            }
            ChorusEvent::SlotSpoke { turn, slot, .. } => {
                if let Some(said) = story.said().filter(|(_, said)| said.slot == *slot).last() {
                    screen.say(&format!("{}\n", coloured(story, *turn, said.1)));
                }
            }
            ChorusEvent::SlotFailed { turn, slot, .. } => {
                let round = story.rounds.iter().find(|round| round.turn == *turn);
                let failed = round.and_then(|round| round.failed.iter().find(|failed| failed.slot == *slot));
                if let Some(failed) = failed {
                    screen.say(&format!("{WARNING}{}{WARNING:#}\n", failed_text(story, failed)));
                }
            }
            ChorusEvent::CommentsRouted { routes } => {
                for routed in routes.iter().filter(|routed| !routed.dropped.is_empty()) {
                    screen.whisper(&format!("({})\n", not_passed_on(story, routed)));
                }
            }
            ChorusEvent::VoiceFailed { slot, error, .. } if !self.told_unheard => {
                let (who, why) = (speaker(story, *slot), one_line(error));
                screen.say(&format!("{WARNING}({who} is not heard: {why}){WARNING:#}\n"));
                self.told_unheard = true;
            }
            _ => {}
        }
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
}

fn opening(story: &ChorusReport, screen: &Screen) {
    let setup = &story.setup;
    let names = coloured_names(setup.seats.iter().map(|seat| speaker(story, seat.slot)));
    screen.say(&format!("{BOLD}\"{}\"{BOLD:#} to {names}", one_line(&setup.message)));
    for (name, card) in &setup.models {
        let plays = setup.seats.iter().filter(|seat| seat.model == *name);
        let plays: Vec<String> = plays.map(|seat| speaker(story, seat.slot)).collect();
        let whom = as_whom(&plays, setup.seats.len());
        screen.whisper(&format!("  played by: {}{whom}", one_line(&card.description)));
    }
    if let Some(voices) = &setup.voice {
        screen.whisper(&format!("  spoken by: {}", voices.0.join(", else ")));
    }
    screen.say("");
}

/// What was said, with its speaker's name in colour and what stands in brackets faint.
fn coloured(story: &ChorusReport, turn: Turn, said: &ReportedStatement) -> String {
    let text = said_text(story, turn, said);
    let name = speaker(story, said.slot);
    let place = story.setup.seats.iter().position(|seat| seat.slot == said.slot).unwrap_or(0);
    coloured_line(&text, &name, place)
}

fn is_being_said(said: &ReportedStatement) -> bool {
    said.audio.as_ref().is_some_and(|audio| audio.outcome.is_none())
}

fn not_passed_on(story: &ChorusReport, routed: &Routed) -> String {
    let whose: Vec<String> = routed.dropped.iter().map(|slot| speaker(story, *slot)).collect();
    format!(
        "{} hears {} of {} comments; not passed on: what {} said",
        speaker(story, routed.to),
        routed.from.len(),
        routed.from.len() + routed.dropped.len(),
        whose.join(" and ")
    )
}
