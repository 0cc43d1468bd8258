//! What is said in a conversation: one holds the floor, and what is not wanted any more is not kept.

use std::{borrow::Cow, collections::VecDeque};

use serde::{Deserialize, Serialize};

use super::{
    EntityId, FieldNote, FieldWorld, action::NpcEvent, entity::push_bounded, interaction::InteractionId,
};
use crate::{
    reply::{Action, Reply},
    scene::end_of_phrase,
    text::broken_off,
};

/// How many lines are kept.
pub const KEPT_LINES: usize = 10;
/// How long a speaker waits before speaking again: 3 s.
pub const SPEAKER_PAUSE_TICKS: u32 = 30;
/// Timeout of the floor: a speaker that says nothing for a minute loses it to the next.
const FLOOR_TICKS: u32 = 600;
/// How many letters are said in a tick: about 15 a second.
const LETTERS_PER_TICK: usize = 2;
/// The shortest line takes a second, the longest twenty.
const LINE_TICKS: (u32, u32) = (10, 200);

/// A conversation within an interaction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Talk {
    pub lines: VecDeque<TalkLine>,
    /// Who speaks, or is about to. Never two.
    pub floor: Option<Floor>,
    /// When the next one may begin.
    pub free_at: u32,
    /// How many lines and silences there were in all.
    pub turns: u32,
    /// When each member last had the floor; they are asked in this order.
    pub had_floor: Vec<(EntityId, u32)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Floor {
    pub who: EntityId,
    pub until: u32,
}

/// One thing that was said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TalkLine {
    /// Counted from 1 within the world.
    pub id: u32,
    pub tick: u32,
    pub who: EntityId,
    pub reply: Reply,
    /// How many bytes were heard, if the line was cut.
    pub cut: Option<usize>,
    /// Whom alone it was whispered to.
    pub whispered_to: Option<EntityId>,
}

impl TalkLine {
    /// What was heard of it: everything, or up to the cut with an em dash.
    pub fn heard(&self) -> Cow<'_, str> {
        let whole = &self.reply.content;
        match self.cut {
            None => Cow::Borrowed(whole),
            Some(at) => Cow::Owned(broken_off(whole.get(..at).unwrap_or(whole))),
        }
    }

    /// Whether a member heard the words; the others know only that there was a whisper.
    pub fn is_heard_by(&self, who: EntityId) -> bool {
        self.whispered_to.is_none_or(|to| to == who) || self.who == who
    }
}

/// Why something was not said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NotSaid {
    /// The conversation is over, or the speaker has left it.
    NotThere,
    /// Another member has the floor.
    FloorTaken,
    /// Nothing was said at all.
    Empty,
    /// The same one has just spoken.
    TooSoon,
}

impl Talk {
    pub(super) fn new(tick: u32) -> Talk {
        Talk {
            lines: VecDeque::new(),
            floor: None,
            free_at: tick + LINE_TICKS.0,
            turns: 0,
            had_floor: Vec::new(),
        }
    }

    /// Whether the floor is free, or has been held for too long.
    pub(super) fn is_due(&self, tick: u32) -> bool {
        self.floor.map_or(self.free_at, |floor| floor.until) <= tick
    }

    pub(super) fn joined(&mut self, who: EntityId) {
        self.had_floor.push((who, 0));
    }

    /// A member that leaves gives up the floor.
    pub(super) fn left(&mut self, who: EntityId) {
        self.had_floor.retain(|(member, _)| *member != who);
        if self.floor.is_some_and(|floor| floor.who == who) {
            self.floor = None;
        }
    }

    /// Who speaks next: whoever was spoken to last, else the one who has been silent longest. Ties go to those
    /// who came first: random ties made replays diverge.
    fn next_speaker(&self, addressed: Option<EntityId>) -> Option<EntityId> {
        let last = self.lines.back().map(|line| line.who);
        let addressed = addressed.filter(|who| Some(*who) != last);
        let is_member = |who: &EntityId| self.had_floor.iter().any(|(member, _)| member == who);
        addressed.filter(is_member).or_else(|| {
            let others = self.had_floor.iter().filter(|(who, _)| Some(*who) != last);
            others.min_by_key(|(_, at)| *at).map(|(who, _)| *who)
        })
    }
}

impl FieldWorld {
    /// Gives the floor to the next one once it is free.
    pub(super) fn run_talk(&mut self, id: InteractionId) {
        let tick = self.tick;
        let addressed = self.addressed(id);
        let Some(talk) = self.interactions.get_mut(&id).and_then(|found| found.talk.as_mut()) else { return };
        if talk.floor.is_some_and(|floor| floor.until <= tick) {
            talk.floor = None;
            talk.turns += 1;
            talk.free_at = tick;
        }
        if talk.floor.is_some() || talk.free_at > tick {
            return;
        }
        let Some(who) = talk.next_speaker(addressed) else { return };
        let last = talk.lines.iter().rev().find(|line| line.who == who).map(|line| line.tick);
        if last.is_some_and(|last| tick < last + SPEAKER_PAUSE_TICKS) {
            return;
        }
        talk.floor = Some(Floor { who, until: tick + FLOOR_TICKS });
        for (member, at) in &mut talk.had_floor {
            if *member == who {
                *at = tick;
            }
        }
        self.wanted_lines.push((id, who));
    }

    /// Whom the last line was meant for, by name.
    fn addressed(&self, id: InteractionId) -> Option<EntityId> {
        let interaction = self.interactions.get(&id)?;
        let line = interaction.talk.as_ref()?.lines.back()?;
        let target = line.reply.target.as_deref()?;
        interaction.members.iter().copied().find(|who| *self.entities[who.0 as usize].name == *target)
    }

    /// A member speaks or passes. Checks that it still has the floor before anything is kept.
    pub fn say(
        &mut self,
        id: InteractionId,
        who: EntityId,
        reply: Reply,
        whispered_to: Option<EntityId>,
    ) -> Result<u32, NotSaid> {
        let tick = self.tick;
        let line_id = self.next_line;
        let interaction = self.interactions.get_mut(&id).ok_or(NotSaid::NotThere)?;
        let is_member = interaction.members.contains(&who);
        let talk = interaction.talk.as_mut().filter(|_| is_member).ok_or(NotSaid::NotThere)?;
        let interrupts = reply.action == Action::Interrupt;
        if talk.floor.is_some_and(|floor| floor.who != who) && !interrupts {
            return Err(NotSaid::FloorTaken);
        }
        let last = talk.lines.iter().rev().find(|line| line.who == who).map(|line| line.tick);
        if last.is_some_and(|last| tick < last + SPEAKER_PAUSE_TICKS) {
            return Err(NotSaid::TooSoon);
        }
        let silent = reply.action == Action::Silent;
        if !silent && reply.content.trim().is_empty() && reply.nonverbal.is_none() {
            return Err(NotSaid::Empty);
        }
        talk.floor = None;
        talk.turns += 1;
        for (member, at) in &mut talk.had_floor {
            if *member == who {
                *at = tick;
            }
        }
        if silent {
            talk.free_at = tick + LINE_TICKS.0;
            return Ok(0);
        }
        let mut cut = None;
        if let Some(phrase) = reply.interrupt_after.as_deref().filter(|_| interrupts) {
            let hit = talk.lines.iter_mut().rev().find(|line| line.who != who && line.cut.is_none());
            if let Some(line) = hit
                && let Some(at) = end_of_phrase(phrase, &line.reply.content)
            {
                line.cut = Some(at);
                cut = Some((line.id, at));
            }
        }
        let letters = reply.content.chars().count() / LETTERS_PER_TICK;
        let takes = u32::try_from(letters).unwrap_or(LINE_TICKS.1).clamp(LINE_TICKS.0, LINE_TICKS.1);
        talk.free_at = tick + takes;
        let line = TalkLine { id: line_id, tick, who, reply: reply.clone(), cut: None, whispered_to };
        push_bounded(&mut talk.lines, line, KEPT_LINES);
        let members = interaction.members.clone();
        self.next_line += 1;
        if let Some((line, at)) = cut {
            self.note(FieldNote::LineCut { tick, line, at, by: who });
        }
        self.note(FieldNote::LineSaid { tick, id, line: line_id, who, reply, whispered_to });
        for member in members {
            if member != who {
                self.tell_at_once(
                    member,
                    NpcEvent::InteractionObservation { interaction_id: id, line: line_id },
                );
            }
        }
        Ok(line_id)
    }

    /// The one who had the floor says nothing: the model failed, or was not asked.
    pub fn pass_floor(&mut self, id: InteractionId, who: EntityId) {
        let tick = self.tick;
        let talk = self.interactions.get_mut(&id).and_then(|found| found.talk.as_mut());
        if let Some(talk) = talk.filter(|talk| talk.floor.is_some_and(|floor| floor.who == who)) {
            talk.floor = None;
            talk.turns += 1;
            talk.free_at = tick + LINE_TICKS.0;
        }
    }
}
