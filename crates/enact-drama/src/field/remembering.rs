//! Fields that remember: what is kept of what people said to each other, for later fields, scenes and episodes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{event::FieldEvent, kind::TICKS_PER_SECOND, state::FieldRun, world::FieldNote};
use crate::{
    Name,
    director::{Memory, Relationship, WatchedLine, memories, relationship_after, signals, watched},
    reply::Action,
    scene::{KeptOfScene, can_come_back},
    text::broken_off,
};

/// How many lines are looked at when the field ends, the newest: what is kept is mostly recent, and the lines stand in
/// every checkpoint.
const MOST_HEARD: usize = 500;

/// A line, who said it and who heard it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct LineInEarshot {
    line: u32,
    tick: u32,
    conversation: u32,
    who: Name,
    /// Those who heard it, without the one who said it.
    by: Vec<Name>,
    /// Whom it was meant for.
    to: Vec<Name>,
    text: String,
    tone: String,
    interrupts: bool,
}

impl FieldRun {
    /// Keeps what is said, where the field remembers.
    pub(super) fn hear(&mut self, note: &FieldNote) {
        if !self.plan.remember {
            return;
        }
        match note {
            FieldNote::LineSaid { tick, id, line, who, reply, whispered_to } => {
                let Some(interaction) = self.world.interactions().get(id) else { return };
                let name = |id| Some(self.setup.role_of(&self.world.living(id)?.name));
                let Some(speaker) = name(*who) else { return };
                let others = interaction.members.iter().filter(|member| *member != who);
                let heard = others.filter(|member| whispered_to.is_none_or(|to| to == **member));
                let heard: Vec<_> = heard.filter_map(|member| name(*member)).collect();
                let is_meant = |display: &str| match &reply.target {
                    Some(target) => target == display,
                    // Between two everything is said to the other.
                    None => heard.len() == 1,
                };
                let said = LineInEarshot {
                    line: *line,
                    tick: *tick,
                    conversation: id.0,
                    who: speaker.name,
                    to: heard
                        .iter()
                        .filter(|role| is_meant(&role.display))
                        .map(|role| role.name.clone())
                        .collect(),
                    by: heard.iter().map(|role| role.name.clone()).collect(),
                    text: reply.content.clone(),
                    tone: reply.tone.clone(),
                    interrupts: reply.action == Action::Interrupt,
                };
                if self.rest.heard.len() >= MOST_HEARD {
                    self.rest.heard.pop_front();
                }
                self.rest.heard.push_back(said);
            }
            FieldNote::LineCut { line, at, .. } => {
                let cut = self.rest.heard.iter_mut().rev().find(|heard| heard.line == *line);
                if let Some(cut) = cut {
                    cut.text = broken_off(cut.text.get(..*at).unwrap_or(&cut.text));
                }
            }
            _ => {}
        }
    }
}

/// What a field that ends has its people keep.
pub(super) fn before_end(run: &FieldRun) -> impl Iterator<Item = FieldEvent> + use<> {
    let kept = kept(run);
    (!kept.is_empty()).then_some(FieldEvent::Remembered { kept }).into_iter()
}

/// As in scenes: what others told of themselves, how everybody felt last, and how they stand with each other.
fn kept(run: &FieldRun) -> Vec<KeptOfScene> {
    let between = relationships(run);
    let lines = &run.rest.heard;
    let of_person = |name: &Name| {
        let heard = lines.iter().filter(|line| line.by.contains(name));
        let told = heard.flat_map(|line| {
            let by =
                run.setup.cast.iter().find(|role| role.name == line.who).map(|role| role.display.clone());
            let told = memories(&line.text).into_iter();
            told.map(move |memory| (line.tick / TICKS_PER_SECOND, Memory { by: by.clone(), ..memory }))
        });
        let own = lines.iter().rev().filter(|line| line.who == *name);
        let with =
            between.iter().filter_map(|((one, other), relationship)| match (one == name, other == name) {
                (true, _) => Some((other.clone(), relationship.clone())),
                (_, true) => Some((one.clone(), relationship.clone())),
                _ => None,
            });
        KeptOfScene {
            character: name.clone(),
            memories: can_come_back(told.collect()),
            mood: own.map(|line| &line.tone).find(|tone| !tone.is_empty()).cloned(),
            relationships: with.collect(),
        }
    };
    // Those who came later have no sheet, and no later run knows them.
    let kept = run.setup.cast.iter().map(|role| of_person(&role.name));
    kept.filter(|kept| !kept.memories.is_empty() || kept.mood.is_some() || !kept.relationships.is_empty())
        .collect()
}

/// How those stand with each other who talked to each other. The tension is that of each conversation.
fn relationships(run: &FieldRun) -> BTreeMap<(Name, Name), Relationship> {
    let in_cast = |name: &Name| run.setup.cast.iter().any(|role| role.name == *name);
    let mut between: BTreeMap<(Name, Name), Relationship> = BTreeMap::new();
    let mut talks: BTreeMap<u32, Vec<&LineInEarshot>> = BTreeMap::new();
    for line in &run.rest.heard {
        talks.entry(line.conversation).or_default().push(line);
    }
    for lines in talks.values() {
        let watched = watched(lines.iter().enumerate().map(|(at, line)| WatchedLine {
            round: at as u32,
            text: &line.text,
            manner: &line.tone,
            interrupts: line.interrupts,
        }));
        for (line, round) in lines.iter().zip(watched) {
            for other in line.to.iter().filter(|other| in_cast(other) && in_cast(&line.who)) {
                let (one, two) = (line.who.clone(), other.clone());
                let pair = if one < two { (one, two) } else { (two, one) };
                let brought = || run.setup.remembered.get(&pair.0)?.relationships.get(&pair.1).cloned();
                let before = between.remove(&pair).or_else(brought);
                between
                    .insert(pair, relationship_after(before.as_ref(), &signals(&line.text), round.tension));
            }
        }
    }
    between
}
