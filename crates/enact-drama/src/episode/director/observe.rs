//! What the director reads in an exchange.

use super::{EpisodeExchange, Finding, conditions, holds, memory, signals, tension};
use crate::episode::{
    EpisodeCondition, EpisodeEvent, NarrativeBeat, StructuredAnswer, machine::EpisodeDraft,
};

/// Reads the exchange that the last answer completed, and decides what follows from it.
pub(in crate::episode) fn observe(draft: &mut EpisodeDraft, message: &str, answer: &StructuredAnswer) {
    let turn = draft.episode.turn_count() + 1;
    let exchange = EpisodeExchange { turn, user: message, said: &answer.dialogue };
    let read = signals::signals(message);
    let (from, (to, why)) =
        (draft.episode.tension(), tension::moved(draft.episode.tension(), &read, answer.tension_shift));
    if !read.is_empty() {
        draft.push(EpisodeEvent::SignalsRead { turn, signals: read });
    }
    draft.push(EpisodeEvent::TensionMoved { turn, from, to, why });
    set_flags(draft, &exchange);
    land_cues(draft, &exchange);
    reach_beats(draft, &exchange);
    let memories = memory::memories(message);
    if !memories.is_empty() {
        draft.push(EpisodeEvent::Remembered { turn, memories });
    }
}

fn set_flags(draft: &mut EpisodeDraft, exchange: &EpisodeExchange<'_>) {
    let setup = draft.episode.setup().clone();
    for rule in &setup.template.flags {
        if draft.episode.flags().contains_key(&rule.flag) {
            continue;
        }
        if let Some(finding) = holds(&rule.when, &draft.episode, exchange) {
            let (turn, flag) = (exchange.turn, rule.flag.clone());
            draft.push(EpisodeEvent::FlagSet { turn, flag, finding });
        }
    }
}

/// Only a cue that the character was asked for can happen by itself; others are heard whenever they are said.
fn land_cues(draft: &mut EpisodeDraft, exchange: &EpisodeExchange<'_>) {
    let setup = draft.episode.setup().clone();
    let asked = draft.episode.directive().map(|directive| directive.cue.clone());
    let mut offers_choice = true;
    for cue in &setup.template.cues {
        if !draft.episode.is_open(&cue.id) {
            continue;
        }
        let is_asked = asked.as_ref() == Some(&cue.id);
        if cue.landed == EpisodeCondition::Automatic && !is_asked {
            continue;
        }
        let turn = exchange.turn;
        let found = holds(&cue.landed, &draft.episode, exchange);
        match found {
            Some(finding) => {
                let id = cue.id.clone();
                draft.push(EpisodeEvent::CueLanded { turn, cue: id.clone(), finding });
                if let Some(flag) = cue.sets.clone().filter(|flag| !draft.episode.flags().contains_key(flag))
                {
                    let finding = Finding::quoting("beat", &id);
                    draft.push(EpisodeEvent::FlagSet { turn, flag, finding });
                }
                if let Some(choice) = cue.choice.clone().filter(|_| offers_choice) {
                    offers_choice = false;
                    draft.offer = Some(choice);
                }
            }
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

/// Beats move forward with the turns; a resolution is only ever found in what is said.
fn reach_beats(draft: &mut EpisodeDraft, exchange: &EpisodeExchange<'_>) {
    let turn = exchange.turn;
    let counted = draft.episode.setup().template.beat_at(turn);
    if counted > draft.episode.beat() {
        draft.push(EpisodeEvent::BeatReached { turn, beat: counted, finding: Finding::by("turn count") });
    }
    let settled =
        draft.episode.beat() >= NarrativeBeat::Pivot && draft.episode.beat() < NarrativeBeat::Resolution;
    if let Some(quote) = conditions::resolution(exchange).filter(|_| settled) {
        let finding = Finding::quoting("resolution", &quote);
        draft.push(EpisodeEvent::BeatReached { turn, beat: NarrativeBeat::Resolution, finding });
    }
}
