//! What many sessions of an episode came to, in numbers.

use std::collections::BTreeMap;

use enact_drama::episode::{CompletionMode, EpisodeTemplate, NarrativeBeat};
use serde::Serialize;

use super::simulate::Rehearsed;

/// The numbers of one episode.
#[derive(Debug, Serialize)]
pub(super) struct RehearsalNumbers {
    pub(super) episode: String,
    pub(super) title: String,
    pub(super) sessions: usize,
    pub(super) completed: usize,
    /// How often each trigger completed it.
    pub(super) triggers: BTreeMap<String, usize>,
    pub(super) turns: TurnNumbers,
    /// In the order in which the author wrote them.
    pub(super) beats: Vec<ReachedBeat>,
    pub(super) endings: Vec<Reached>,
    pub(super) flags: Vec<Reached>,
    pub(super) narrative_beats: Vec<Reached>,
    /// The median of all sessions, turn by turn.
    pub(super) tension: Vec<u8>,
    pub(super) players: Vec<PlayerNumbers>,
    /// Beats that no session has reached.
    pub(super) dead_beats: Vec<String>,
    pub(super) dead_endings: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct TurnNumbers {
    pub(super) fewest: u32,
    pub(super) median: u32,
    pub(super) most: u32,
}

#[derive(Debug, Serialize)]
pub(super) struct ReachedBeat {
    pub(super) id: String,
    pub(super) reached: usize,
    /// In the median of the sessions that reached it.
    pub(super) turn: Option<u32>,
}

#[derive(Debug, Serialize)]
pub(super) struct Reached {
    pub(super) id: String,
    pub(super) reached: usize,
}

#[derive(Debug, Serialize)]
pub(super) struct PlayerNumbers {
    pub(super) name: String,
    pub(super) about: String,
    pub(super) completed: usize,
    pub(super) turns: u32,
    /// How many of the author's beats a session reaches, in the median.
    pub(super) beats: u32,
    pub(super) tension: Vec<u8>,
}

/// The sessions of one player.
pub(super) struct PlayerSessions {
    pub(super) name: String,
    pub(super) about: String,
    pub(super) sessions: Vec<Rehearsed>,
}

impl RehearsalNumbers {
    pub(super) fn of(template: &EpisodeTemplate, players: &[PlayerSessions]) -> RehearsalNumbers {
        let all: Vec<&Rehearsed> = players.iter().flat_map(|player| &player.sessions).collect();
        let count = |id: &str, has: &dyn Fn(&Rehearsed) -> bool| Reached {
            id: id.to_owned(),
            reached: all.iter().filter(|session| has(session)).count(),
        };
        let beats: Vec<ReachedBeat> = template.cues.iter().map(|cue| reached_beat(&cue.id, &all)).collect();
        let endings = template
            .endings
            .iter()
            .map(|ending| count(&ending.id, &|session| session.ending.as_ref() == Some(&ending.id)));
        let endings: Vec<Reached> = endings.collect();
        let mut flags: Vec<&str> = template.settable_flags().collect();
        flags.sort_unstable();
        flags.dedup();
        let flags =
            flags.into_iter().map(|flag| count(flag, &|session| session.flags.iter().any(|set| set == flag)));
        let narrative = NarrativeBeat::ALL.map(NarrativeBeat::as_str);
        let narrative = narrative.map(|beat| count(beat, &|session| session.reached.contains(&beat)));
        let mut triggers: BTreeMap<String, usize> = BTreeMap::new();
        for trigger in all.iter().filter_map(|session| session.trigger.clone()) {
            *triggers.entry(trigger).or_default() += 1;
        }
        let dead = |reached: usize, id: &String| (reached == 0).then(|| id.clone());
        // An open episode completes never, and so has no endings.
        let is_bounded = template.completion_mode != CompletionMode::Open;
        RehearsalNumbers {
            episode: template.slug.clone(),
            title: template.title.clone(),
            sessions: all.len(),
            completed: triggers.values().sum(),
            triggers,
            turns: turns(&all),
            dead_beats: beats.iter().filter_map(|beat| dead(beat.reached, &beat.id)).collect(),
            dead_endings: endings
                .iter()
                .filter(|_| is_bounded)
                .filter_map(|one| dead(one.reached, &one.id))
                .collect(),
            beats,
            endings,
            flags: flags.collect(),
            narrative_beats: narrative.into_iter().collect(),
            tension: curve(&all),
            players: players.iter().map(PlayerNumbers::of).collect(),
        }
    }

    pub(super) fn has_dead_parts(&self) -> bool {
        !self.dead_beats.is_empty() || !self.dead_endings.is_empty()
    }
}

impl PlayerNumbers {
    fn of(player: &PlayerSessions) -> PlayerNumbers {
        let sessions: Vec<&Rehearsed> = player.sessions.iter().collect();
        PlayerNumbers {
            name: player.name.clone(),
            about: player.about.clone(),
            completed: sessions.iter().filter(|session| session.trigger.is_some()).count(),
            turns: turns(&sessions).median,
            beats: median(sessions.iter().map(|session| session.beats.len() as u32).collect())
                .unwrap_or_default(),
            tension: curve(&sessions),
        }
    }
}

fn reached_beat(id: &str, all: &[&Rehearsed]) -> ReachedBeat {
    let turns: Vec<u32> = all.iter().filter_map(|session| session.beats.get(id).copied()).collect();
    ReachedBeat { id: id.to_owned(), reached: turns.len(), turn: median(turns) }
}

fn turns(sessions: &[&Rehearsed]) -> TurnNumbers {
    let turns: Vec<u32> = sessions.iter().map(|session| session.turns).collect();
    TurnNumbers {
        fewest: turns.iter().copied().min().unwrap_or_default(),
        most: turns.iter().copied().max().unwrap_or_default(),
        median: median(turns).unwrap_or_default(),
    }
}

/// The median after each turn, of the sessions that were still played then.
fn curve(sessions: &[&Rehearsed]) -> Vec<u8> {
    let longest = sessions.iter().map(|session| session.tension.len()).max().unwrap_or_default();
    let after = |turn: usize| {
        median(sessions.iter().filter_map(|session| session.tension.get(turn).copied()).collect())
    };
    (0..longest).filter_map(after).collect()
}

fn median<T: Ord + Copy>(mut values: Vec<T>) -> Option<T> {
    values.sort_unstable();
    values.get(values.len() / 2).copied()
}
