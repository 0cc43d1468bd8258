//! Scenes that remember: what their characters bring along from earlier ones, and what they keep of this one.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Line, Scene};
use crate::{
    Name,
    director::{
        CharacterRows, LONGEST_MEMORY_CHARS, Memory, MemoryKind, Relationship, brought_back, memories,
        relationship_after, signals, watched,
    },
    judge::{GoalStatus, names::names},
    row::RowChange,
    text::shortened,
};

/// What met a goal of the scene is what the scene was about.
const IMPORTANCE_OF_GOALS: f64 = 0.9;

/// What one character keeps of a scene.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KeptOfScene {
    pub character: Name,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memories: Vec<SceneMemory>,
    /// How it felt in the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mood: Option<String>,
    /// How it stands with those it talked to.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub relationships: BTreeMap<Name, Relationship>,
}

/// Something worth remembering, and the beat in which it was said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SceneMemory {
    pub beat: u32,
    #[serde(flatten)]
    pub memory: Memory,
}

/// What is kept of a scene that ends now, for later ones: who said what in front of whom, how everybody felt in
/// the end, and how they stand with each other. It is judged once and stands in the log, so that better rules
/// change nothing of what was remembered, and corrections keep meaning the same.
pub(super) fn kept(scene: &Scene) -> Vec<KeptOfScene> {
    let (between, goals) = (relationships(scene), goals_met(scene));
    let of_character = |role: &super::Role| {
        let heard = spoken(scene).filter(|(_, who, _)| *who != &role.name);
        let told = heard.flat_map(|said| told_in(scene, said)).chain(goals.iter().cloned());
        let mut tones =
            scene.lines.iter().rev().filter(|line| line.is_by(&role.name)).filter_map(Line::actor);
        let with = |((one, other), relationship): (&(&Name, &Name), &Relationship)| {
            Some((other_of(&role.name, [one, other])?.clone(), relationship.clone()))
        };
        KeptOfScene {
            character: role.name.clone(),
            memories: can_come_back(told.collect()),
            mood: tones.find(|(_, reply)| !reply.tone.is_empty()).map(|(_, reply)| reply.tone.clone()),
            relationships: between.iter().filter_map(with).collect(),
        }
    };
    let kept = scene.setup().cast.iter().map(of_character);
    kept.filter(|kept| !kept.memories.is_empty() || kept.mood.is_some() || !kept.relationships.is_empty())
        .collect()
}

/// Of all that was heard only what can be [brought back](brought_back), in the order in which it was said:
/// a long scene with many characters must not bury what they know from elsewhere.
pub(crate) fn can_come_back(heard: Vec<(u32, Memory)>) -> Vec<SceneMemory> {
    let back = brought_back(heard.iter().map(|(beat, memory)| (i64::from(*beat), memory.clone())).collect());
    let mut kept: Vec<SceneMemory> = Vec::new();
    for (beat, memory) in heard {
        if back.contains(&memory) && !kept.iter().any(|known| known.memory == memory) {
            kept.push(SceneMemory { beat, memory });
        }
    }
    kept
}

/// The rows of what characters keep of a scene, or of another run that others may read, by its name.
pub(crate) fn kept_rows(scene: &Name, kept: &[KeptOfScene], at: i64) -> Vec<RowChange> {
    let of_character = |kept: &KeptOfScene| {
        let character = &kept.character;
        let keeps = CharacterRows { character, scene: Some(scene), at };
        let memory = |(number, SceneMemory { beat, memory }): (usize, &SceneMemory)| {
            keeps.put("memory", format!("{beat:06}.{number}/{character}"), memory)
        };
        let mut rows: Vec<RowChange> = kept.memories.iter().enumerate().map(memory).collect();
        rows.extend(kept.mood.as_ref().map(|mood| keeps.put("mood", character.to_string(), mood)));
        rows.extend(kept.relationships.iter().map(|(with, relationship)| {
            keeps.put_with("relationship", format!("{character}/{with}"), relationship, Some(with))
        }));
        rows
    };
    kept.iter().flat_map(of_character).collect()
}

/// What was heard of what was spoken: in which beat, and by whom.
fn spoken(scene: &Scene) -> impl Iterator<Item = (u32, &Name, &Line)> {
    let lines = scene.lines.iter().filter(|line| line.spoken().is_some());
    lines.filter_map(|line| Some((line.beat, line.actor()?.0, line)))
}

/// What the speaker of a line tells of themselves.
fn told_in<'a>(
    scene: &'a Scene,
    (beat, who, line): (u32, &'a Name, &'a Line),
) -> impl Iterator<Item = (u32, Memory)> + 'a {
    let by = scene.prepared.display(who);
    memories(line.heard()).into_iter().map(move |told| (beat, Memory { by: Some(by.to_owned()), ..told }))
}

/// The lines that met goals: everybody was there.
fn goals_met(scene: &Scene) -> Vec<(u32, Memory)> {
    let met = scene.verdict.iter().flat_map(|verdict| &verdict.goals).filter(|goal| goal.met == Some(true));
    let memory = |GoalStatus { evidence, by, .. }: &GoalStatus| {
        let text = shortened(evidence.as_deref()?, LONGEST_MEMORY_CHARS).into_owned();
        let (kind, importance) = (MemoryKind::Event, IMPORTANCE_OF_GOALS);
        Some((scene.beat.number, Memory { kind, by: by.clone(), text, importance }))
    };
    met.filter_map(memory).collect()
}

/// How those stand with each other who talked to each other.
fn relationships(scene: &Scene) -> BTreeMap<(&Name, &Name), Relationship> {
    let setup = scene.setup();
    let tensions = watched(scene.lines.iter().filter_map(Line::watched));
    let mut between = BTreeMap::new();
    for (beat, who, line) in spoken(scene) {
        let target = line.actor().and_then(|(_, reply)| reply.target.as_deref());
        let is_meant = |display: &str| match target {
            Some(target) => names(target, display),
            // Among two everything is said to the other.
            None => setup.cast.len() == 2,
        };
        let tension = tensions.iter().find(|round| round.round == beat).map_or(0, |round| round.tension);
        for role in setup.cast.iter().filter(|role| role.name != *who && is_meant(&role.display)) {
            let pair = if *who < role.name { (who, &role.name) } else { (&role.name, who) };
            let before = between.remove(&pair).or_else(|| brought(scene, pair));
            between.insert(pair, relationship_after(before.as_ref(), &signals(line.heard()), tension));
        }
    }
    between
}

/// How two stood with each other when the scene began.
fn brought(scene: &Scene, (one, other): (&Name, &Name)) -> Option<Relationship> {
    scene.setup().remembered.get(one)?.relationships.get(other).cloned()
}

fn other_of<'a>(name: &Name, [one, other]: [&'a Name; 2]) -> Option<&'a Name> {
    match (one == name, other == name) {
        (true, _) => Some(other),
        (_, true) => Some(one),
        _ => None,
    }
}
