//! Whatever the order of arrival and whatever fails: properties of every scene.

use proptest::prelude::*;

use super::*;
use crate::reply::Action;

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
        Move::Late | Move::Resume => return None,
    })
}

/// Plays moves on a scene: each picks one of the pending asks, whichever beat that is in.
fn play(moves: &[(u8, Move)]) -> Stage {
    let mut stage =
        Stage::open(setup(SceneConfig { max_beats: Some(15), ..config(&ALL_THREE, Some("bob")) }));
    for (pick, what) in moves {
        let asks = stage.asks();
        if asks.is_empty() {
            break;
        }
        let call = asks[*pick as usize % asks.len()].call;
        match (what, text(what)) {
            (_, Some(answer)) => stage.answer(call, &answer),
            (Move::Late, None) => {
                let deadline = stage.scene.beat.deadline.unwrap();
                stage.happens(Happened::TimeUp { call: deadline });
            }
            (_, None) => stage.happens(Happened::Resumed),
        }
    }
    stage
}

proptest! {
    #[test]
    fn a_scene_always_waits_for_something_or_is_over(moves in moves()) {
        let stage = play(&moves);
        prop_assert_eq!(stage.asks().is_empty(), stage.ended().is_some());
    }

    #[test]
    fn the_same_inputs_give_the_same_facts(moves in moves()) {
        prop_assert_eq!(play(&moves).facts, play(&moves).facts);
    }

    #[test]
    fn resuming_anywhere_asks_for_exactly_what_was_pending(moves in moves(), at in any::<prop::sample::Index>()) {
        let stage = play(&moves);
        let upto = at.index(stage.facts.len());
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
