mod arcs;
mod company;
mod examples;
mod theatre;

use enact_drama::{
    reply::Action,
    scene::EndReason,
    usage::{Price, Usage},
};
use enact_engine::{Model, model::Timing};
use proptest::prelude::*;
use theatre::{bare_sheets, config, play, plays};

use super::Improviser;

#[tokio::test]
async fn it_says_what_it_is_and_costs_nothing() {
    let card = Improviser.card();
    assert_eq!(card.description, "improviser (built-in rules, not a language model)");
    assert_eq!(card.price, Some(Price::FREE));
    assert_eq!(Improviser.timing(), Timing::Simulated);
    let answer = Improviser.answer(crate::rehearsal::request("nobody", 3)).await.unwrap();
    assert_eq!((answer.text.as_str(), answer.usage, answer.took_ms), ("[SILENT]", Some(Usage::NONE), 200));
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
    ];
    for (prompt, cast, opener) in scenes {
        for (seed, played) in plays(8, || (config(prompt, cast, Some(opener)), None)) {
            assert_eq!(played.reason(), EndReason::GoalAchieved, "seed {seed}: {prompt}\n{}", played.read());
            assert!((3..=20).contains(&played.beats()), "seed {seed}: {prompt}\n{}", played.read());
            played.assert_clean(seed);
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
        assert_eq!(played.reason(), EndReason::GoalAchieved, "seed {seed}\n{}", played.read());
    }
}

#[test]
fn an_interruption_that_is_the_goal_happens() {
    let prompt = "Heated argument where Alice interrupts Bob mid-sentence.";
    for (seed, played) in plays(8, || (config(prompt, &["alice", "bob"], Some("bob")), None)) {
        assert_eq!(played.reason(), EndReason::GoalAchieved, "seed {seed}\n{}", played.read());
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
                assert_eq!(played.reason(), EndReason::NaturalEnd, "seed {seed}, {count}: {prompt}\n{read}");
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
