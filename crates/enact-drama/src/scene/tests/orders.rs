//! Whatever the order of arrival and whatever fails: properties of every scene.

use proptest::prelude::*;

use super::*;
use crate::{
    production::{Fork, ForkPoint},
    reply::Action,
};

#[derive(Debug, Clone)]
enum Move {
    Speak(u8),
    Interrupt(u8),
    React,
    Silent,
    Garbage(String),
    Fail,
    Late,
    Resume,
    /// A command arrives; the number says which.
    Steer(u8),
}

fn moves() -> impl Strategy<Value = Vec<(u8, Move)>> {
    let one = prop_oneof![
        4 => any::<u8>().prop_map(Move::Speak),
        3 => any::<u8>().prop_map(Move::Interrupt),
        1 => Just(Move::React),
        2 => Just(Move::Silent),
        1 => ".{0,40}".prop_map(Move::Garbage),
        2 => Just(Move::Fail),
        1 => Just(Move::Late),
        1 => Just(Move::Resume),
        3 => any::<u8>().prop_map(Move::Steer),
    ];
    prop::collection::vec((any::<u8>(), one), 0..120)
}

const WORDS: [&str; 6] = ["river", "stone", "candle", "window", "autumn", "letter"];

fn text(of: &Move) -> Option<String> {
    let word = |n: u8| WORDS[n as usize % WORDS.len()];
    Some(match of {
        Move::Speak(n) => {
            format!(r#"[TONE: calm] "The {} and the {} belong to number {n}.""#, word(*n), word(n / 7))
        }
        Move::Interrupt(n) => {
            format!(r#"[INTERRUPT after "the {}", TONE: angry] "Not that again, {n}!""#, word(*n))
        }
        Move::React => "[REACT, TONE: sad, *looks away*]".to_owned(),
        Move::Silent => "[SILENT]".to_owned(),
        Move::Garbage(text) => text.clone(),
        Move::Fail => "!fail broken".to_owned(),
        Move::Late | Move::Resume | Move::Steer(_) => return None,
    })
}

fn wanted(number: u8) -> Command {
    let text = format!("The {} speaks for number {number}", WORDS[number as usize % WORDS.len()]);
    match number % 16 {
        0 | 1 => Command::Pause,
        2..=4 => Command::Resume,
        5..=8 => Command::Step,
        9 => Command::Note { to: Some(name("alice")), text },
        10 => Command::Note { to: Some(name("nobody")), text },
        11..=13 => Command::Note { to: None, text },
        _ => Command::WorldEvent { text },
    }
}

/// Plays moves on a scene: each picks one of the pending asks, whichever beat that is in.
fn play(moves: &[(u8, Move)]) -> Stage {
    let mut stage =
        Stage::open(setup(SceneConfig { max_beats: Some(15), ..config(&ALL_THREE, Some("bob")) }));
    play_on(&mut stage, moves);
    stage
}

fn play_on(stage: &mut Stage, moves: &[(u8, Move)]) {
    for (pick, what) in moves {
        let asks = stage.asks();
        if let Move::Steer(number) = what {
            stage.steer(wanted(*number));
        } else if asks.is_empty() {
            // Over, or paused: nothing can arrive.
        } else if let Some(answer) = text(what) {
            stage.answer(asks[*pick as usize % asks.len()].call, &answer);
        } else if matches!(what, Move::Late) {
            let deadline = stage.scene.beat.deadline.unwrap();
            stage.happens(Happened::TimeUp { call: deadline });
        } else {
            stage.happens(Happened::Resumed);
        }
    }
}

/// All there is to a scene.
fn state(scene: &Scene) -> String {
    // What a line keeps once it has been worked out is no part of the state.
    for line in scene.lines.iter().chain(scene.beat.before.iter()) {
        line.acts();
        line.text(scene.setup());
    }
    format!("{scene:?}")
}

proptest! {
    #[test]
    fn a_scene_always_waits_for_something_or_is_over(moves in moves()) {
        let stage = play(&moves);
        let held_up = crate::scene::command::is_held(&stage.scene) && !stage.scene.beat.open;
        prop_assert_eq!(stage.asks().is_empty(), stage.ended().is_some() || held_up);
    }

    #[test]
    fn whatever_is_wanted_each_beat_opens_once_and_in_order(moves in moves()) {
        let stage = play(&moves);
        let opened: Vec<u32> = stage.facts.iter().filter_map(|fact| match fact.event {
            SceneEvent::BeatOpened { beat, .. } => Some(beat),
            _ => None,
        }).collect();
        prop_assert_eq!(opened, (0..=stage.scene.beat.number).collect::<Vec<_>>());
    }

    #[test]
    fn the_log_folded_is_the_state(moves in moves()) {
        let stage = play(&moves);
        let again = Stage::found(stage.facts.clone());
        prop_assert!(state(&again.scene) == state(&stage.scene));
    }

    #[test]
    fn a_fork_anywhere_goes_on(moves in moves(), at in any::<prop::sample::Index>(), more in moves()) {
        let parent = play(&moves);
        let run = RunId(uuid::Uuid::from_u128(7));
        let beat = at.index(parent.scene.beat.number as usize + 1) as u32;
        let Ok(facts) = crate::scene::fork(&parent.facts, Fork { point: beat.into(), run, seed: 2, at: 1_000_000, random: [0; 2] }) else {
            let settled = |fact: &Fact<SceneEvent>| matches!(fact.event, SceneEvent::BeatSettled { beat: b } if b == beat);
            prop_assert!(!parent.facts.iter().any(settled));
            return Ok(());
        };
        let mut fork = Stage::found(facts);
        let lines = fork.lines();
        fork.happens(Happened::Resumed);
        prop_assert!(fork.ended().is_some() || !fork.asks().is_empty(), "a fork is not paused");
        play_on(&mut fork, &more);
        prop_assert!(fork.lines().len() >= lines.len());
        let again = Stage::found(fork.facts.clone());
        prop_assert!(state(&again.scene) == state(&fork.scene));
    }

    #[test]
    fn a_fork_at_any_line_goes_on(moves in moves(), at in any::<prop::sample::Index>(), more in moves()) {
        let parent = play(&moves);
        let run = RunId(uuid::Uuid::from_u128(7));
        let places = (0..=parent.scene.beat.number).flat_map(|beat| (1..=20).map(move |line| (beat, line)));
        let branches: Vec<Vec<Fact<SceneEvent>>> = places
            .filter_map(|(beat, line)| {
                let fork = Fork { point: ForkPoint { beat, line: Some(line) }, run, seed: 2, at: 1_000_000, random: [0; 2] };
                crate::scene::fork(&parent.facts, fork).ok()
            })
            .collect();
        if branches.is_empty() {
            return Ok(());
        }
        let facts = branches[at.index(branches.len())].clone();
        let shared = facts.len() - 1;
        prop_assert_eq!(&facts[1..shared], &parent.facts[1..shared]);
        let mut fork = Stage::found(facts);
        prop_assert!(fork.scene.pending().is_empty());
        fork.happens(Happened::Resumed);
        prop_assert!(fork.ended().is_some() || !fork.asks().is_empty(), "a fork is not paused");
        play_on(&mut fork, &more);
        let again = Stage::found(fork.facts.clone());
        prop_assert!(state(&again.scene) == state(&fork.scene));
    }

    #[test]
    fn the_same_inputs_give_the_same_facts(moves in moves()) {
        prop_assert_eq!(play(&moves).facts, play(&moves).facts);
    }

    #[test]
    fn resuming_anywhere_asks_for_exactly_what_was_pending(moves in moves(), at in any::<prop::sample::Index>()) {
        let stage = play(&moves);
        // A run of which only the beginning is stored waits to be opened.
        let upto = 1 + at.index(stage.facts.len() - 1);
        // A batch of facts is stored as one, so a kill leaves whole batches: those with one time.
        let whole = stage.facts.iter().take_while(|fact| fact.at <= stage.facts[upto].at).count();
        let mut again = Stage { scene: Scene::begin(&stage.facts[0]).unwrap(), facts: stage.facts[..whole].to_vec() };
        for fact in &stage.facts[1..whole] {
            again.scene.apply(fact);
        }
        let lines = again.lines();
        let pending = again.scene.pending();
        again.happens(Happened::Resumed);
        prop_assert_eq!(pending, again.scene.pending());
        prop_assert_eq!(lines, again.lines(), "resuming says nothing");
    }

    #[test]
    fn cuts_keep_to_their_line(moves in moves()) {
        let stage = play(&moves);
        for line in stage.scene.lines().iter() {
            let Some(cut) = &line.cut else { continue };
            let whole = line.spoken().unwrap();
            prop_assert!(whole.is_char_boundary(cut.at) && cut.at <= whole.len());
            prop_assert!(line.actor().unwrap().0 != &cut.by, "nobody cuts themselves");
            prop_assert!(whole.starts_with(line.heard().trim_end_matches('—')));
        }
        let ids: Vec<Seq> = stage.scene.lines().iter().map(|line| line.id).collect();
        prop_assert!(ids.is_sorted(), "lines never move");
    }

    #[test]
    fn every_reply_is_accounted_for(moves in moves()) {
        let stage = play(&moves);
        let count = |f: &dyn Fn(&SceneEvent) -> bool| stage.facts.iter().filter(|fact| f(&fact.event)).count();
        let asked = count(&|event| matches!(event, SceneEvent::Asked { .. }));
        let replied = count(&|event| matches!(event, SceneEvent::Replied { .. }));
        let failed = count(&|event| matches!(event, SceneEvent::CallFailed { .. }));
        prop_assert_eq!(asked, replied + failed + stage.asks().len());
        let loud = count(&|event| matches!(event, SceneEvent::Replied { reply, .. } if reply.action != Action::Silent));
        let lines = stage.scene.lines().iter().filter(|line| line.actor().is_some()).count();
        prop_assert_eq!(loud, lines, "every reply but silence is a line");
    }
}
