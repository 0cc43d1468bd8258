//! Reads the English text that games of the older kind send. Any text has a reading: lines that mean nothing
//! here are kept as prose.
//!
//! The text is Markdown by sections, with each event's own lines between them. Two things of it are not facts:
//! a position without a state, which the game makes up, and whose bid a "requesting" line tells of.

use super::observation::{
    CurrentInteraction, GameCell, Generation, MindNews, MindObservation, Offer, SeenEntity, TalkMessage,
    state_named,
};
use crate::field::world::StateName;

/// What the lines that follow are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TextSection {
    None,
    Position,
    Current,
    State,
    Needs,
    Visible,
    Talk,
}

impl MindObservation {
    /// Reads what a game of the older kind sends.
    pub fn read_text(text: &str) -> MindObservation {
        let mut reader =
            TextReader { section: TextSection::None, cell: None, read: MindObservation::default() };
        reader.read.generation = Generation::V1;
        text.lines().for_each(|line| reader.line(line.trim_end()));
        let TextReader { cell, mut read, .. } = reader;
        // A conversation message that is sent alone claims to come from (0,0).
        read.position = cell.filter(|_| read.state.is_some());
        if read.state != Some(StateName::Interacting) {
            read.current = None;
        }
        let speakers: Vec<String> = read.visible.iter().map(|entity| entity.name.clone()).collect();
        for event in &mut read.events {
            if let MindNews::Talk { messages, .. } = event {
                messages.iter_mut().for_each(|message| split_speaker(message, &speakers));
            }
        }
        read.bounded()
    }
}

struct TextReader {
    section: TextSection,
    cell: Option<GameCell>,
    read: MindObservation,
}

impl TextReader {
    fn line(&mut self, line: &str) {
        if line.is_empty() || self.heading(line) || self.event(line) || self.in_section(line) {
            return;
        }
        self.read.prose.push(line.to_owned());
    }

    fn heading(&mut self, line: &str) -> bool {
        self.section = match line {
            "# Current Status" | "# Environment" => TextSection::None,
            "## Position" => TextSection::Position,
            "## Current Interaction" => TextSection::Current,
            "## Controller State" => TextSection::State,
            "## Needs" => TextSection::Needs,
            "## Visible Items" => TextSection::Visible,
            _ => return false,
        };
        true
    }

    fn event(&mut self, line: &str) -> bool {
        let news = if line == "[Conversation Update]" {
            let (id, interaction) = (String::new(), "conversation".to_owned());
            MindNews::Talk { id, interaction, participants: Vec::new(), messages: Vec::new() }
        } else if let Some(message) = line.strip_prefix("[ERROR]") {
            MindNews::Error { message: message.trim().to_owned() }
        } else if let Some(name) = line.strip_prefix("Requesting to start interaction: ") {
            MindNews::BidPending { interaction: name.to_owned() }
        } else if let Some(name) = line.strip_prefix("Interaction request rejected: ") {
            MindNews::BidRejected { interaction: name.to_owned(), reason: String::new() }
        } else if let Some(name) = line.strip_prefix("Interaction started: ") {
            MindNews::Started { interaction: name.to_owned(), id: String::new() }
        } else if let Some(name) = line.strip_prefix("Interaction canceled: ") {
            MindNews::Canceled { interaction: name.to_owned(), id: String::new() }
        } else if let Some(name) = line.strip_prefix("Interaction finished: ") {
            MindNews::Finished { interaction: name.to_owned(), id: String::new() }
        } else if let (Some(text), Some(MindNews::BidRejected { reason, .. })) =
            (line.strip_prefix("Reason: "), self.read.events.last_mut())
            && reason.is_empty()
        {
            text.clone_into(reason);
            return true;
        } else {
            return false;
        };
        self.section =
            if matches!(news, MindNews::Talk { .. }) { TextSection::Talk } else { TextSection::None };
        self.read.events.push(news);
        true
    }

    fn in_section(&mut self, line: &str) -> bool {
        match self.section {
            TextSection::None => false,
            TextSection::Position => {
                let cell = line
                    .strip_prefix("You are at position ")
                    .and_then(|rest| read_cell(rest.strip_suffix('.').unwrap_or(rest)));
                self.cell = cell.or(self.cell);
                cell.is_some()
            }
            TextSection::Current => {
                let Some(name) = line.strip_prefix("You are currently ") else { return false };
                let name = name.strip_suffix('.').unwrap_or(name).to_owned();
                self.read.current = Some(CurrentInteraction { name, ..CurrentInteraction::default() });
                true
            }
            TextSection::State => self.state(line),
            TextSection::Needs => {
                let need = line.strip_prefix("- ").and_then(|rest| rest.rsplit_once(": "));
                let percent = need.and_then(|(_, value)| value.strip_suffix('%')?.trim().parse::<f64>().ok());
                let Some(((name, _), percent)) = need.zip(percent.filter(|percent| percent.is_finite()))
                else {
                    return false;
                };
                self.read.needs.insert(need_named(name), percent.clamp(0.0, 100.0) as i32);
                true
            }
            TextSection::Visible => self.visible(line),
            TextSection::Talk => self.talk(line),
        }
    }

    fn state(&mut self, line: &str) -> bool {
        let Some((key, value)) = line.strip_prefix("- ").and_then(|rest| rest.split_once(": ")) else {
            return false;
        };
        match key {
            "State" => self.read.state = state_named(value).or(self.read.state),
            "Interaction Name" if self.read.state == Some(StateName::Interacting) => {
                let current = self.read.current.get_or_insert_default();
                if current.name.is_empty() {
                    value.clone_into(&mut current.name);
                }
            }
            // How a walk or a wait goes is the game's own business.
            _ => {}
        }
        true
    }

    fn visible(&mut self, line: &str) -> bool {
        if let Some(entity) = line.strip_prefix("### ").and_then(read_entity_line) {
            self.read.visible.push(entity);
            return true;
        }
        if line == "Interactions:" && !self.read.visible.is_empty() {
            return true;
        }
        let offer = line.strip_prefix("- **").and_then(read_offer_line);
        match (offer, self.read.visible.last_mut()) {
            (Some(offer), Some(entity)) => {
                entity.offers.push(offer);
                true
            }
            _ => false,
        }
    }

    fn talk(&mut self, line: &str) -> bool {
        let Some(MindNews::Talk { participants, messages, .. }) = self.read.events.last_mut() else {
            return false;
        };
        if let Some(ids) = line.strip_prefix("Participants: ")
            && messages.is_empty()
        {
            *participants = ids.split(", ").map(str::to_owned).collect();
        } else if line == "No messages yet." || line == "Recent messages:" {
        } else if let Some(said) = line.strip_prefix("  ")
            && said.contains(": ")
        {
            // The speaker is split off at the end, when the names of those in sight are known.
            messages.push(TalkMessage { text: said.to_owned(), ..TalkMessage::default() });
        } else if let Some(last) = messages.last_mut() {
            last.text.push('\n');
            last.text.push_str(line);
        } else {
            return false;
        }
        true
    }
}

/// `<name>: <text>`: names may hold colons, so the names of those in sight are tried first.
fn split_speaker(message: &mut TalkMessage, known: &[String]) {
    let after = |name: &String| message.text.strip_prefix(name.as_str())?.strip_prefix(": ");
    let longest = known.iter().filter(|name| after(name).is_some()).max_by_key(|name| name.len());
    let split = match longest {
        Some(name) => after(name).map(|text| (name.clone(), text.to_owned())),
        None => message.text.split_once(": ").map(|(name, text)| (name.to_owned(), text.to_owned())),
    };
    if let Some((speaker, text)) = split {
        (message.speaker, message.text) = (speaker, text);
    }
}

/// `<name> (at position (X,Y))`: the name may hold parentheses too.
fn read_entity_line(line: &str) -> Option<SeenEntity> {
    let (name, position) = line.strip_suffix(')')?.rsplit_once(" (at position ")?;
    Some(SeenEntity { name: name.to_owned(), position: Some(read_cell(position)?), ..SeenEntity::default() })
}

/// `<name>**: <description>[ Effects: Energy (+), Hunger (-)]`
fn read_offer_line(line: &str) -> Option<Offer> {
    let (name, rest) = line.split_once("**:")?;
    let mut offer = Offer { name: name.to_owned(), ..Offer::default() };
    let rest = rest.trim();
    let effects = match rest.strip_prefix("Effects: ") {
        Some(effects) => Some(("", effects)),
        None => rest.rsplit_once(" Effects: "),
    };
    let read = effects.and_then(|(description, effects)| Some((description, read_effects(effects)?)));
    let description = match read {
        Some((description, (fills, drains))) => {
            (offer.fills, offer.drains) = (fills, drains);
            description
        }
        None => rest,
    };
    description.clone_into(&mut offer.description);
    Some(offer)
}

fn read_effects(text: &str) -> Option<(Vec<String>, Vec<String>)> {
    let (mut fills, mut drains) = (Vec::new(), Vec::new());
    for effect in text.split(", ") {
        match (effect.strip_suffix(" (+)"), effect.strip_suffix(" (-)")) {
            (Some(need), _) => fills.push(need_named(need)),
            (_, Some(need)) => drains.push(need_named(need)),
            _ => return None,
        }
    }
    Some((fills, drains))
}

/// The game writes names of needs like titles.
fn need_named(title: &str) -> String {
    title.to_lowercase()
}

/// `(X,Y)`
fn read_cell(text: &str) -> Option<GameCell> {
    let (x, y) = text.strip_prefix('(')?.strip_suffix(')')?.split_once(',')?;
    let whole = |text: &str| text.trim().parse::<i64>().ok();
    Some(GameCell(whole(x)?, whole(y)?))
}
