//! What the director reads in an exchange.

use super::{
    EpisodeExchange, Finding, Reading, holds, hooks, memories, pacing, relationship_after, resolution,
    signals, tension,
};
use crate::episode::{
    EpisodeCondition, EpisodeCue, EpisodeEvent, NarrativeBeat, StructuredAnswer, machine::EpisodeDraft,
};

/// Reads the exchange that the last answer completed, and decides what follows from it. What a model has found
/// in earlier exchanges, and nothing else has, counts now.
pub(in crate::episode) fn observe(draft: &mut EpisodeDraft, message: &str, answer: &StructuredAnswer) {
    let turn = draft.episode.turn_count() + 1;
    let exchange = EpisodeExchange { turn, user: message, said: &answer.dialogue };
    let opinions = draft.episode.opinions.clone();
    let read = signals(message);
    let from = draft.episode.tension();
    let by_model = opinions.iter().map(|reading| reading.tension).sum();
    let (to, why) = tension::moved(from, &read, answer.tension_shift, by_model);
    if !read.is_empty() {
        draft.push(EpisodeEvent::SignalsRead { turn, signals: read.clone() });
    }
    draft.push(EpisodeEvent::TensionMoved { turn, from, to, why });
    let (pace, lasted) = (draft.episode.pace(), draft.episode.pace_lasted() + 1);
    if let Some((next, rule)) = pacing::moved(pace, lasted, to) {
        let rule = rule.to_owned();
        draft.push(EpisodeEvent::PaceMoved { turn, from: pace, to: next, tension: to, rule });
    }
    set_flags(draft, &exchange, &opinions);
    land_cues(draft, &exchange, &opinions);
    reach_beats(draft, &exchange, &opinions);
    remember(draft, &exchange, &opinions);
    let mut hooks = hooks::hooks(&draft.episode, message, &read);
    hooks.extend(opinions.iter().flat_map(|reading| reading.hooks.iter().cloned()));
    hooks.retain(|hook| !draft.episode.hooks.iter().any(|known| known.text == hook.text));
    if !hooks.is_empty() {
        draft.push(EpisodeEvent::HooksFound { turn, hooks });
    }
    let before = draft.episode.relationship().cloned();
    let after = relationship_after(before.as_ref(), &read, to);
    if before.as_ref() != Some(&after) {
        draft.push(EpisodeEvent::RelationshipMoved { turn, before, after });
    }
}

fn set_flags(draft: &mut EpisodeDraft, exchange: &EpisodeExchange<'_>, opinions: &[Reading]) {
    let setup = draft.episode.setup().clone();
    for rule in &setup.template.flags {
        if draft.episode.flags().contains_key(&rule.flag) {
            continue;
        }
        let by_model =
            || opinions.iter().flat_map(|reading| &reading.flags).find(|one| one.name == rule.flag);
        let found = holds(&rule.when, &draft.episode, exchange).or_else(|| Some(by_model()?.finding()));
        if let Some(finding) = found {
            let (turn, flag) = (exchange.turn, rule.flag.clone());
            draft.push(EpisodeEvent::FlagSet { turn, flag, finding });
        }
    }
}

/// Only a cue that the character was asked for can happen by itself; others are heard whenever they are said.
fn land_cues(draft: &mut EpisodeDraft, exchange: &EpisodeExchange<'_>, opinions: &[Reading]) {
    let setup = draft.episode.setup().clone();
    let asked = draft.episode.directive().map(|directive| directive.cue.clone());
    let turn = exchange.turn;
    for cue in setup.template.cues.iter() {
        let is_asked = asked.as_ref() == Some(&cue.id);
        if !draft.episode.is_open(&cue.id) || cue.landed == EpisodeCondition::Automatic && !is_asked {
            continue;
        }
        let by_model = || opinions.iter().flat_map(|reading| &reading.cues).find(|one| one.name == cue.id);
        match holds(&cue.landed, &draft.episode, exchange).or_else(|| Some(by_model()?.finding())) {
            Some(finding) => land(draft, cue, turn, finding),
            None => {
                let failed = cue.unless.as_ref().and_then(|unless| holds(unless, &draft.episode, exchange));
                if let Some(finding) = failed {
                    let (cue, rule) = (cue.id.clone(), finding.rule);
                    draft.push(EpisodeEvent::CueMissed { turn, cue, rule });
                }
            }
        }
    }
}

fn land(draft: &mut EpisodeDraft, cue: &EpisodeCue, turn: u32, finding: Finding) {
    let id = cue.id.clone();
    draft.push(EpisodeEvent::CueLanded { turn, cue: id.clone(), finding });
    if let Some(flag) = cue.sets.clone().filter(|flag| !draft.episode.flags().contains_key(flag)) {
        let finding = Finding::quoting("beat", &id);
        draft.push(EpisodeEvent::FlagSet { turn, flag, finding });
    }
    // One choice a turn: the first.
    if draft.offer.is_none() {
        draft.offer.clone_from(&cue.choice);
    }
}

/// Beats move forward with the turns; a resolution is only ever found in what is said.
fn reach_beats(draft: &mut EpisodeDraft, exchange: &EpisodeExchange<'_>, opinions: &[Reading]) {
    let turn = exchange.turn;
    let counted = draft.episode.setup().template.beat_at(turn);
    if counted > draft.episode.beat() {
        draft.push(EpisodeEvent::BeatReached { turn, beat: counted, finding: Finding::by("turn count") });
    }
    for (beat, quote) in opinions.iter().filter_map(|reading| reading.beat.as_ref()) {
        if *beat > draft.episode.beat() {
            let finding = Finding::quoting("model", quote);
            draft.push(EpisodeEvent::BeatReached { turn, beat: *beat, finding });
        }
    }
    let beat = draft.episode.beat();
    let found = resolution::resolution(beat, exchange).filter(|_| beat < NarrativeBeat::Resolution);
    if let Some(quote) = found {
        let finding = Finding::quoting("resolution", &quote);
        draft.push(EpisodeEvent::BeatReached { turn, beat: NarrativeBeat::Resolution, finding });
    }
}

fn remember(draft: &mut EpisodeDraft, exchange: &EpisodeExchange<'_>, opinions: &[Reading]) {
    let mut memories = memories(exchange.user);
    memories.extend(opinions.iter().flat_map(|reading| reading.memories.iter().cloned()));
    let known = |text: &str| {
        let earlier = draft.episode.setup().memories.iter();
        draft.episode.memories.iter().map(|(_, memory)| memory).chain(earlier).any(|one| one.text == text)
    };
    memories.retain(|memory| !known(&memory.text));
    if !memories.is_empty() {
        draft.push(EpisodeEvent::Remembered { turn: exchange.turn, memories });
    }
}
