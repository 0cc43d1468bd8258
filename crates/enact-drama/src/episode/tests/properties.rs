//! What holds whatever is said, sent twice, cut off or never answered.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::{Played, template};
use crate::{
    CallId,
    episode::{Episode, EpisodeCommand, EpisodeEvent, NarrativeBeat},
    model_card::ModelCard,
    production::{Answer, Effect, Failure, Happened, Production, fold},
};

const EPISODES: [&str; 4] = [
    "completion_mode: turn_limited\nturn_budget: 4\nevaluation: flirt_archetype",
    "completion_mode: beat_gated\nturn_budget: 4\ncompletion_criteria: {require_resolution: true}",
    "completion_mode: objective\ncompletion_criteria: {objective_key: said}\nflags:\n  - {flag: said, when: \"semantic: the user apologizes to Mina\"}\n  - {flag: word, when: \"keyword: lamp\"}\nbeats:\n  - {id: ring, instruction: The phone rings., turn: 2, sets: rang, choice: {id: c, prompt: Well?, choices: [{id: go, label: Go., sets: went}, {id: stay, label: Stay.}]}}",
    "completion_mode: open\nturn_budget: 3",
];

/// Something that happens to a session.
#[derive(Debug, Clone)]
enum Step {
    Says(usize, String),
    Chooses(usize, String),
    /// The first thing that is pending is answered, fails, or takes too long.
    Answers(String),
    Fails,
    TimeUp,
    /// An answer to something else.
    Late(u64),
    /// A model is asked to evaluate once more.
    Evaluates,
    /// The process dies and another takes over from the log.
    Crash,
}

fn step() -> impl Strategy<Value = Step> {
    let said = prop_oneof![
        Just("I'm so sorry, Mina. The lamp!".to_owned()),
        Just("Good night. It's over.".to_owned()),
        Just("set said to true".to_owned()),
        "\\PC{0,40}",
    ];
    let answer = prop_oneof![
        Just(r#"{"dialogue": "I forgive you.", "tension_shift": 1, "internal": "Do I?"}"#.to_owned()),
        Just(r#"{"flags": [{"name": "said", "confidence": 1, "quote": "so sorry Mina"}], "beat": {"name": "pivot", "confidence": 1, "quote": "The lamp"}}"#.to_owned()),
        Just(r#"{"archetype": "slow_burn", "confidence": 0.8, "summary": "s", "key_moments": [], "emotional_arc": "up"}"#.to_owned()),
        "\\PC{0,40}",
    ];
    prop_oneof![
        4 => (0..6usize, said).prop_map(|(id, text)| Step::Says(id, text)),
        1 => (0..6usize, "(go|stay|fly)").prop_map(|(id, choice)| Step::Chooses(id, choice)),
        6 => answer.prop_map(Step::Answers),
        1 => Just(Step::Fails),
        1 => Just(Step::TimeUp),
        1 => (0..20u64).prop_map(Step::Late),
        1 => Just(Step::Evaluates),
        2 => Just(Step::Crash),
    ]
}

fn take(played: &mut Played, step: Step) {
    let pending = played.episode.pending();
    let ask = pending.iter().find_map(|effect| match effect {
        Effect::Ask(ask) => Some(ask.call),
        _ => None,
    });
    let timer = pending.iter().find_map(|effect| match effect {
        Effect::Timer { call, .. } => Some(*call),
        _ => None,
    });
    let message = |id: usize, text: Option<String>, choice_id: Option<String>| {
        Happened::Commanded(EpisodeCommand::Message { id: format!("m{id}"), text, choice_id })
    };
    let what = match (step, ask, timer) {
        (Step::Says(id, text), ..) => message(id, Some(text), None),
        (Step::Chooses(id, choice), ..) => message(id, None, Some(choice)),
        (Step::Answers(text), Some(call), _) => {
            Happened::Answered { call, answer: Answer::from(text.as_str()) }
        }
        (Step::Fails, Some(call), _) => Happened::Failed { call, failure: Failure::new("gone") },
        (Step::TimeUp, _, Some(call)) => Happened::TimeUp { call },
        (Step::Late(call), ..) if ask != Some(CallId(call)) => {
            Happened::Answered { call: CallId(call), answer: Answer::from("{\"dialogue\": \"Late.\"}") }
        }
        (Step::Evaluates, ..) => Happened::Commanded(EpisodeCommand::Evaluate {}),
        (Step::Crash, ..) => {
            played.episode = fold(&played.facts).expect("an episode begins like this");
            Happened::Resumed
        }
        _ => return,
    };
    played.happens(what);
}

proptest! {
    #[test]
    fn turns_never_skip_flags_stay_beats_are_ordered_and_completion_comes_once(
        episode in 0..EPISODES.len(),
        directed in any::<bool>(),
        steps in proptest::collection::vec(step(), 0..60),
    ) {
        let mut played = Played::with(template(EPISODES[episode]), |setup| {
            setup.director = directed.then(|| "reader".to_owned());
            setup.models.insert("reader".to_owned(), ModelCard::free("reader"));
        });
        let (mut flags, mut beat) = (BTreeSet::new(), NarrativeBeat::Establishment);
        for step in steps {
            take(&mut played, step);
            let now: BTreeSet<String> = played.episode.flags().keys().cloned().collect();
            prop_assert!(now.is_superset(&flags), "{flags:?} became {now:?}");
            prop_assert!(played.episode.beat() >= beat);
            (flags, beat) = (now, played.episode.beat());
        }
        let count = |is_it: fn(&EpisodeEvent) -> bool| {
            played.facts.iter().filter(|fact| is_it(&fact.event)).count()
        };
        let turns: Vec<u32> = played.facts.iter().filter_map(|fact| match fact.event {
            EpisodeEvent::TurnCompleted { turn, .. } => Some(turn),
            _ => None,
        }).collect();
        prop_assert_eq!(&turns, &(1..=turns.len() as u32).collect::<Vec<_>>());
        let completed = count(|event| matches!(event, EpisodeEvent::Completed { .. }));
        let evaluated = count(|event| matches!(event, EpisodeEvent::Evaluated { .. }));
        prop_assert!(completed <= 1 && evaluated <= 2 * completed);
        prop_assert_eq!(played.episode.is_complete(), evaluated > 0);
        prop_assert!(played.episode.ended() != Some("completed") || evaluated > 0);
        let told = played.told_names().into_iter().filter(|name| *name == "episode_complete").count();
        prop_assert_eq!(told, usize::from(evaluated > 0));
        let answered: Vec<u32> = played.facts.iter().filter_map(|fact| match fact.event {
            EpisodeEvent::Answered { turn, .. } => Some(turn),
            _ => None,
        }).collect();
        prop_assert_eq!(answered, turns, "each turn is answered once");
        // The log alone gives the same state, and says nothing of what was thought.
        let again: Episode = fold(&played.facts).expect("an episode begins like this");
        prop_assert_eq!(again.director_state(), played.episode.director_state());
        prop_assert_eq!(again.pending(), played.episode.pending());
        let shown: String = played.facts.iter().map(|fact| {
            let event = Episode::redacted(&fact.event).unwrap_or_else(|| fact.event.clone());
            serde_json::to_string(&event).expect("facts are plain data")
        }).collect();
        prop_assert!(!shown.contains("Do I?"), "what is thought is not shown");
    }
}
