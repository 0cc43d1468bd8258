//! Threads only grow at their end, until they are trimmed.

use expect_test::expect;

use super::*;
use crate::production::FailureKind;

fn long_scene(thread_tokens: u32) -> Stage {
    let mut setup = setup(SceneConfig { max_beats: Some(60), ..config(&ALICE_AND_BOB, Some("bob")) });
    setup.models.get_mut("script").unwrap().thread_tokens = Some(thread_tokens);
    Stage::open(setup)
}

/// Nothing is ever said twice, or the scene would end as going round in circles.
fn line(who: &str, n: u32) -> String {
    let tone = if n < 4 { "stern" } else { "calm" };
    let things: Vec<String> = (0..8).map(|k| format!("thing{}", n * 8 + k)).collect();
    format!(r#"[TONE: {tone}] "{who} has {}?""#, things.join(" "))
}

fn play(stage: &mut Stage, beats: u32) -> Vec<Vec<crate::request::Message>> {
    let mut sent = Vec::new();
    for n in 0..beats {
        sent.push(stage.request("bob").thread);
        let both = [("alice", line("Alice", n)), ("bob", line("Bob", n))];
        let asked: Vec<_> = stage.asks().iter().filter_map(|ask| ask.actor.clone()).collect();
        let answers: Vec<(&str, &str)> = both
            .iter()
            .filter(|(who, _)| asked.contains(&name(who)))
            .map(|(who, text)| (*who, text.as_str()))
            .collect();
        stage.beat(&answers);
    }
    sent
}

/// Gestures without words are part of what the others are told, and so of how long their threads are.
#[test]
fn silences_that_can_be_seen_count_for_the_length_of_a_thread() {
    let mut stage = long_scene(600);
    stage.beat(&[("bob", r#"[TONE: calm] "Well?""#)]);
    let gesture =
        |n: u32| format!("[SILENT, *{}*]", format!("turns the {n}th page of the ledger ").repeat(12));
    for n in 0..30 {
        stage.beat(&[("alice", &line("Alice", n)), ("bob", &gesture(n))]);
        let told: usize = stage.request("alice").thread.iter().map(|message| message.text.len()).sum();
        assert!(told < 600 * 4 + 1_200, "beat {n}: {told} bytes");
    }
}

/// An actor whose lines were summed up while its model failed is not told every gesture of those beats.
#[test]
fn silences_of_beats_that_were_summed_up_are_not_told() {
    let mut stage = long_scene(600);
    stage.beat(&[("bob", r#"[TONE: calm] "Well?""#)]);
    let gesture =
        |n: u32| format!("[SILENT, *{}*]", format!("turns the {n}th page of the ledger ").repeat(12));
    for n in 0..24 {
        let answer = if n % 2 == 0 { gesture(n) } else { line("Alice", n) };
        let asked = |who: &str| stage.asks().iter().any(|ask| ask.actor == Some(name(who)));
        let failing = asked("bob").then_some(("bob", "!fail no network"));
        let answers: Vec<(&str, &str)> = [("alice", &*answer)].into_iter().chain(failing).collect();
        stage.beat(&answers);
    }
    while !stage.asks().iter().any(|ask| ask.actor == Some(name("bob"))) {
        stage.beat(&[]);
    }
    let told: usize = stage.request("bob").thread.iter().map(|message| message.text.len()).sum();
    assert!(told < 2 * 600 * 4, "{told} bytes");
}

#[test]
fn what_was_sent_stays_as_it_was_but_once_a_trim() {
    let mut stage = long_scene(600);
    let sent = play(&mut stage, 30);
    let breaks = sent.windows(2).filter(|pair| !pair[1].starts_with(&pair[0])).count();
    let trims = stage.story().matches("bob: trimmed").count();
    assert_eq!(breaks, trims, "{}", stage.story());
    assert!((2..10).contains(&trims), "seldom and thoroughly, not {trims} times in 30 beats");
    for thread in &sent {
        let bytes: usize = thread.iter().map(|message| message.text.len()).sum();
        assert!(bytes < 600 * 4 + 1_000, "{bytes} bytes");
        assert!(thread.len() % 2 == 1, "updates and answers take turns");
    }
}

#[test]
fn what_was_dropped_is_summed_up() {
    let mut stage = long_scene(300);
    play(&mut stage, 9);
    let thread = stage.request("bob").thread;
    let (earlier, _) = thread[0].text.split_once("\nBEAT").unwrap();
    expect![[r#"
        EARLIER IN THIS SCENE, SUMMED UP (through beat 6):
        - Alice spoke or reacted 6 times, at first stern, at last calm; the last words were: "Alice has thing48 thing49 thing50 thing51 thing52 thing53 thing54 thing55?"
        - You spoke or reacted 7 times, at first stern, at last calm; the last words were: "Bob has thing48 thing49 thing50 thing51 thing52 thing53 thing54 thing55?"
    "#]]
    .assert_eq(earlier);
}

#[test]
fn whoever_could_not_be_asked_for_long_is_told_the_gist() {
    let mut stage = long_scene(600);
    for n in 0..30 {
        let asked = stage.asks().iter().any(|ask| ask.actor == Some(name("bob")));
        let bob = if n == 0 { line("Bob", 0) } else { "!fail no network".to_owned() };
        let mut answers = vec![];
        if asked {
            answers.push(("bob", bob.as_str()));
        }
        let alice = line("Alice", n);
        if n > 0 {
            answers.push(("alice", alice.as_str()));
        }
        stage.beat(&answers);
        let Some(ask) = stage.asks().into_iter().find(|ask| ask.actor == Some(name("bob"))) else { continue };
        let bytes: usize = stage.scene.request(&ask).thread.iter().map(|message| message.text.len()).sum();
        assert!(bytes < 600 * 4 + 1_000, "{bytes} bytes in beat {n}");
    }
    assert!(stage.story().contains("bob: trimmed"), "{}", stage.story());
}

#[test]
fn a_thread_its_model_cannot_hold_is_halved() {
    let mut stage = long_scene(24_000);
    play(&mut stage, 12);
    let bytes = |stage: &Stage| stage.request("bob").thread.iter().map(|m| m.text.len()).sum::<usize>();
    let before = bytes(&stage);
    let call = stage.asks().iter().find(|ask| ask.actor == Some(name("bob"))).unwrap().call;
    let failure = Failure { kind: FailureKind::ContextTooLong, ..Failure::new("the prompt is too long") };
    stage.happens(Happened::Failed { call, failure });
    stage.beat(&[("alice", &line("Alice", 12))]);
    assert!(bytes(&stage) < before * 3 / 4, "{} of {before}", bytes(&stage));
}

#[test]
fn a_short_scene_is_never_trimmed() {
    let mut stage = Stage::open(setup(SceneConfig { max_beats: Some(60), ..config(&ALICE_AND_BOB, None) }));
    play(&mut stage, 50);
    assert!(!stage.story().contains("trimmed"));
}

#[test]
fn a_trimmed_scene_folds_to_the_same_requests() {
    let mut stage = long_scene(300);
    play(&mut stage, 12);
    let mut again = Scene::begin(&stage.facts[0]).unwrap();
    stage.facts[1..].iter().for_each(|fact| again.apply(&crate::Record::of(fact).fact().unwrap()));
    for ask in stage.asks() {
        assert_eq!(again.request(&ask).thread, stage.scene.request(&ask).thread);
    }
}
