mod company;
mod confession;
mod examples;
mod growth;
mod table_read;
mod theatre;

use std::sync::Arc;

use enact_drama::{
    judge::Act,
    reply::Action,
    request::Request,
    scene::SceneEnd,
    usage::{Price, Usage},
};
use enact_engine::{Model, model::Timing};
use proptest::prelude::*;
use theatre::{bare_sheets, config, play, plays};

use super::Improviser;
use crate::test_requests::request;

#[tokio::test]
async fn it_says_what_it_is_and_costs_nothing() {
    let improviser = Improviser::default();
    let card = improviser.card();
    assert_eq!(card.description, "improviser (built-in rules in English, not a language model)");
    assert_eq!(card.price, Some(Price::FREE));
    assert_eq!(improviser.timing(), Timing::Simulated);
    let answer = improviser.answer(request("nobody", 3)).await.unwrap();
    assert_eq!((answer.text.as_str(), answer.usage, answer.took_ms), ("[SILENT]", Some(Usage::NONE), 200));
}

#[tokio::test]
async fn it_plays_what_it_was_taught_and_says_what_it_cannot() {
    struct Ball;
    let ball = |request: &Request| request.view::<Ball>().map(|_| ("I catch it.".to_owned(), 5));
    let request = Request { view: Some(Arc::new(Ball)), ..request("nobody", 3) };
    let hidden = Request { actor: None, view: None, ..request.clone() };
    let improviser = Improviser::default();
    let error = async |request: &Request| improviser.answer(request.clone()).await.unwrap_err().error;
    assert_eq!(error(&request).await, "the improviser does not know how to play this");
    assert_eq!(error(&hidden).await, "the improviser only plays characters");
    let answer = improviser.with(ball).answer(request).await.unwrap();
    assert_eq!((answer.text.as_str(), answer.usage, answer.took_ms), ("I catch it.", Some(Usage::NONE), 5));
}

/// Goals of every kind are carried out by those they name.
#[test]
fn every_deed_is_done() {
    let scenes: &[(&str, &[&str], &str)] = &[
        ("Bob apologizes to Alice for missing deadline. Alice accepts.", &["alice", "bob"], "bob"),
        ("Bob apologizes to Alice for being late. Alice forgives him.", &["alice", "bob"], "alice"),
        ("Tom admits to Mia that he sold the car. Mia forgives him. Tom thanks Mia.", &["mia", "tom"], "tom"),
        ("Mia asks Tom for help with the garden. Tom refuses.", &["mia", "tom"], "mia"),
        ("Ann explains to Ben why she left. Ben promises to call.", &["ann", "ben"], "ben"),
        ("Ann confronts Ben about the money. Ben admits it. Ben promises to pay.", &["ann", "ben"], "ann"),
        ("Scene goal: Ann and Ben agree on a plan for the wedding. Ann thanks Ben.", &["ann", "ben"], "ben"),
        ("Ann thanks Ben for the party. They say goodbye.", &["ann", "ben"], "ann"),
        ("Ann confronts Ben about the noise. Cal mediates. Ben apologizes.", &["ann", "ben", "cal"], "cal"),
        ("Anna asks Boris to marry her. Boris refuses.", &["anna", "boris", "clara"], "anna"),
        ("Bob refuses to apologize; Alice demands an explanation.", &["alice", "bob"], "alice"),
        ("Alice accepts the offer of dinner.", &["alice", "bob"], "bob"),
        ("Anna accepts the invitation.", &["anna", "boris", "clara"], "anna"),
        ("Alice accepts Bob's proposal. Alice thanks Bob.", &["cal", "alice", "bob"], "cal"),
        ("Alice forgives Bob for forgetting her birthday.", &["alice", "bob"], "alice"),
        ("Alice accepts Bob's apology.", &["alice", "bob"], "bob"),
        ("Bob admits he lied.", &["alice", "bob"], "alice"),
        (
            "Ann apologizes to Ben. Cal apologizes to Dee. Dee accepts. Ben accepts.",
            &["ann", "ben", "cal", "dee"],
            "dee",
        ),
        ("Bob does not apologize. Alice forgives Bob.", &["alice", "bob"], "alice"),
        ("Bob admits he lied. Alice forgives him.", &["alice", "bob", "clara"], "clara"),
        ("Bob promises to call.", &["alice", "bob"], "alice"),
        ("Alice refuses the offer.", &["alice", "bob"], "bob"),
        ("Everyone says goodbye.", &["alice", "bob", "clara"], "clara"),
        ("Mia asks Tom where he was. Tom explains why he left.", &["mia", "tom"], "mia"),
        (
            "Boris and Clara quarrel about the fence. Anna mediates. They agree on a plan.",
            &["anna", "boris", "clara"],
            "anna",
        ),
        (
            "Alice interrupts Bob and Bob interrupts Alice. Charlie mediates.",
            &["alice", "bob", "charlie"],
            "alice",
        ),
    ];
    for (prompt, cast, opener) in scenes {
        for (seed, played) in plays(8, || (config(prompt, cast, Some(opener)), None)) {
            assert_eq!(played.reason(), SceneEnd::GoalAchieved, "seed {seed}: {prompt}\n{}", played.read());
            assert!((3..=20).contains(&played.beats()), "seed {seed}: {prompt}\n{}", played.read());
            played.assert_clean(seed);
        }
    }
}

/// Twelve people are as many as a scene holds, and all of them can be asked to do the same.
#[test]
fn a_deed_is_done_by_everybody() {
    let twelve: Vec<&str> =
        "anna boris clara dan eve fay gus hal ivy jon kim lou".split_whitespace().collect();
    let prompts = [
        "Everyone apologizes to Anna. Anna accepts.",
        "Everyone thanks Anna for the dinner.",
        "Everyone says goodbye.",
        "Everyone promises to call.",
        "Boris and Clara quarrel about the fence. Anna mediates. They agree on a plan.",
    ];
    for prompt in prompts {
        for opener in [Some("anna"), Some("boris"), None] {
            for (seed, played) in plays(4, || (config(prompt, &twelve, opener), None)) {
                let read = played.read();
                assert_eq!(
                    played.reason(),
                    SceneEnd::GoalAchieved,
                    "seed {seed}, {opener:?}: {prompt}\n{read}"
                );
                assert!(played.beats() <= 24, "seed {seed}, {opener:?}: {prompt}\n{read}");
                played.assert_clean(seed);
            }
        }
    }
}

/// What a goal is about is said by whoever does it, and nothing else is.
#[test]
fn a_deed_names_what_it_is_about() {
    let scenes = [
        ("Anna asks Boris to marry her. Boris refuses.", "anna", "marry me"),
        ("Anna asks Boris to marry her. Boris refuses.", "boris", "marry you"),
        ("Boris refuses to help Anna. They say goodbye.", "boris", "help you"),
        ("Anna accepts the offer of dinner. They say goodbye.", "anna", "I accept the offer of dinner"),
        ("Anna accepts the invitation. They say goodbye.", "anna", "I accept the invitation"),
        ("Anna refuses the offer. They say goodbye.", "anna", "the offer"),
        ("Boris admits he lied. They say goodbye.", "boris", "I lied"),
        ("Boris promises to call. They say goodbye.", "boris", "call"),
        ("Anna thanks Boris for the flowers. They say goodbye.", "anna", "the flowers"),
        ("Anna forgives Boris for forgetting her birthday. They say goodbye.", "anna", "birthday"),
        ("Anna asks Boris where he was. They say goodbye.", "anna", "where you were"),
    ];
    for (prompt, who, words) in scenes {
        for (seed, played) in plays(6, || (config(prompt, &["anna", "boris"], Some("boris")), None)) {
            let read = played.read();
            let named = played.spoken().any(|(by, line)| by == who && line.heard().contains(words));
            assert!(named, "seed {seed}: {prompt}\n{read}");
            for never in ["the to ", "about the he", "her birthday", "marry her", "is about all this"] {
                assert!(!read.contains(never), "seed {seed}: {prompt}\n{read}");
            }
            let apologised = played.spoken().any(|(_, line)| line.acts().has(Act::Apologise));
            assert!(apologised || !read.contains("your apology"), "seed {seed}: {prompt}\n{read}");
        }
    }
}

/// Whoever is to mediate does not begin the quarrel.
#[test]
fn a_mediator_who_opens_attacks_nobody() {
    let prompt = "Boris and Clara quarrel about the fence. Anna mediates. They agree on a plan.";
    for (seed, played) in plays(8, || (config(prompt, &["anna", "boris", "clara"], Some("anna")), None)) {
        let angry = played.spoken().any(|(by, line)| by == "anna" && line.actor().unwrap().1.tone == "angry");
        assert!(!angry, "seed {seed}\n{}", played.read());
    }
}

#[test]
fn two_can_cut_each_other_off() {
    let prompt = "Alice interrupts Bob and Bob interrupts Alice. Charlie mediates.";
    for (seed, played) in plays(8, || (config(prompt, &["alice", "bob", "charlie"], None), None)) {
        let cuts: Vec<_> = played.cuts().into_iter().map(|(by, whom, _)| (by, whom)).collect();
        for (by, whom) in [("alice", "bob"), ("bob", "alice")] {
            assert!(cuts.contains(&(by.into(), whom.into())), "seed {seed}\n{}", played.read());
        }
    }
}

#[test]
fn what_is_forbidden_is_not_done() {
    let scene = || {
        (
            config("Bob confronts Alice about the money. Alice does not apologize.", &["alice", "bob"], None),
            None,
        )
    };
    for (seed, played) in plays(8, scene) {
        assert_eq!(played.reason(), SceneEnd::GoalAchieved, "seed {seed}\n{}", played.read());
    }
}

#[test]
fn an_interruption_that_is_the_goal_happens() {
    let prompt = "Heated argument where Alice interrupts Bob mid-sentence.";
    for (seed, played) in plays(8, || (config(prompt, &["alice", "bob"], Some("bob")), None)) {
        assert_eq!(played.reason(), SceneEnd::GoalAchieved, "seed {seed}\n{}", played.read());
        let cuts = played.cuts();
        assert!(
            cuts.iter().any(|(by, whom, _)| by == "alice" && whom == "bob"),
            "seed {seed}\n{}",
            played.read()
        );
        played.assert_clean(seed);
    }
}

/// Scenes whose goals nobody can read still begin, turn and close.
#[test]
fn any_prompt_comes_to_a_natural_end() {
    let twelve = ["ada", "ben", "cleo", "dan", "eve", "fay", "gus", "hal", "ivy", "jon", "kim", "lou"];
    let prompts = [
        "Two strangers meet in a lift that is stuck.",
        "The crew debates whether to turn the ship around.",
        "Two sisters argue over their mother's house.",
        "A family dinner.",
        "Deux amis se disputent à propos de l'héritage.",
        "二人が駅で話す。",
        "!!!",
    ];
    for (number, prompt) in prompts.iter().enumerate() {
        for count in [2, 3, 5, 12] {
            let opener = (number % 2 == 0).then_some(twelve[count - 1]);
            for (seed, played) in plays(3, || (config(prompt, &twelve[..count], opener), None)) {
                let read = played.read();
                let at_rest = [SceneEnd::NaturalEnd, SceneEnd::GoalAchieved].contains(&played.reason());
                assert!(at_rest, "seed {seed}, {count}: {prompt}\n{read}");
                assert!((7..=16).contains(&played.beats()), "seed {seed}, {count}: {prompt}\n{read}");
                played.assert_clean(seed);
            }
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_scene_and_another_seed_another() {
    let play_once = |seed| {
        let config = config("Ann and Ben talk about the lighthouse.", &["ann", "ben"], None);
        let sheets = bare_sheets(&config);
        play(config, sheets, seed).read()
    };
    assert_eq!(play_once(7), play_once(7));
    let mut scenes: Vec<String> = (0..20).map(play_once).collect();
    scenes.sort_unstable();
    scenes.dedup();
    assert_eq!(scenes.len(), 20);
}

#[test]
fn not_everybody_talks_all_the_time() {
    let cast = ["ann", "ben", "cal", "dee"];
    for (seed, played) in
        plays(10, || (config("The tenants argue about the rent.", &cast, Some("ann")), None))
    {
        let (silent, spoken) = (played.count(Action::Silent), played.count(Action::Speak));
        assert!(silent > spoken, "seed {seed}: {silent} silences, {spoken} lines\n{}", played.read());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever authors write, the answers are in the reply format and the scene ends.
    #[test]
    fn whatever_is_written_is_played(
        prompt in "[\\PC\\n]{1,120}",
        sheet in "(# )?[\\PC\\n]{1,200}",
        words in prop::sample::subsequence(vec!["Ann apologizes", "Ben accepts", "about", "lose a", "they agree", "Cal mediates"], 0..6),
        seed: u64,
    ) {
        let mut config = config(&format!("{prompt} {}.", words.join(" ")), &["ann", "ben", "cal"], None);
        config.max_beats = Some(24);
        let mut sheets = bare_sheets(&config);
        sheets[1].1 = format!("---\nname: Ben\n---\n{sheet}");
        if enact_drama::sheet::Sheet::read("ben", &sheets[1].1).is_ok() {
            let played = play(config, sheets, seed);
            prop_assert!(played.warnings().is_empty(), "{:?}", played.warnings());
            prop_assert!(played.repeated().is_empty(), "{:?}\n{}", played.repeated(), played.read());
        }
    }
}
