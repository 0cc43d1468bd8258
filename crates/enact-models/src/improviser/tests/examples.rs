//! The example stories, over many seeds.

use enact_drama::{judge::Act, reply::Action, scene::SceneEnd};

use super::theatre::{Played, config, heated_discussion, play, plays, quick_apology, the_apology};

/// Enough to meet every branch of the arcs.
const SEEDS: u64 = 24;

/// The requirements' Appendix A, point by point.
#[test]
fn the_apology_follows_its_arc() {
    for (seed, played) in plays(SEEDS, || {
        let (config, sheets) = the_apology();
        (config, Some(sheets))
    }) {
        check_the_apology(seed, &played);
        played.assert_clean(seed);
    }
}

/// The same without a word about who they are: the arc comes from the goals, not from the sheets.
#[test]
fn the_apology_needs_no_sheets() {
    for (seed, played) in plays(SEEDS, || (the_apology().0, None)) {
        check_the_apology(seed, &played);
    }
}

#[test]
fn the_office_confrontation_is_resolved() {
    let prompt = "Alice confronts Bob about missing the Henderson project deadline. Charlie is present as a witness. \
                  Scene goal: Bob apologizes sincerely, Alice accepts and they agree on next steps.";
    for (seed, played) in plays(SEEDS, || (config(prompt, &["alice", "bob", "charlie"], Some("alice")), None))
    {
        check_the_apology(seed, &played);
        assert!(played.read().contains("he Henderson project deadline"), "seed {seed}\n{}", played.read());
    }
}

fn check_the_apology(seed: u64, played: &Played) {
    let read = played.read();
    let spoken: Vec<(&str, &enact_drama::scene::Line)> = played.spoken().collect();
    let first = |who: &str, act: Act| spoken.iter().position(|(by, line)| *by == who && line.acts().has(act));
    let place = |who: &str, act: Act| {
        first(who, act).unwrap_or_else(|| panic!("seed {seed}: no {act:?} by {who}\n{read}"))
    };

    assert_eq!(played.reason(), SceneEnd::GoalAchieved, "seed {seed}\n{read}");
    assert!((8..=20).contains(&played.beats()), "seed {seed}\n{read}");
    assert_eq!(place("alice", Act::Confront), 0, "Alice confronts first; seed {seed}\n{read}");

    let cut = spoken.iter().position(|(by, line)| *by == "bob" && line.cut.is_some());
    let cut = cut.unwrap_or_else(|| panic!("seed {seed}: Bob is never cut off\n{read}"));
    let line = spoken[cut].1;
    let at = line.cut.as_ref().unwrap().at as f64 / line.spoken().unwrap().len() as f64;
    assert_eq!(line.cut.as_ref().unwrap().by.as_str(), "alice", "seed {seed}\n{read}");
    assert!((0.3..0.9).contains(&at), "the cut is mid-sentence; seed {seed}\n{read}");

    let sorry = place("bob", Act::Apologise);
    let defence = spoken.iter().position(|(by, _)| *by == "bob").unwrap();
    assert!(defence < cut && cut < sorry, "first an excuse, then an apology; seed {seed}\n{read}");
    let mediation = place("charlie", Act::Mediate);
    assert!(cut < mediation && mediation < sorry, "Charlie comes between; seed {seed}\n{read}");
    let accepted =
        spoken.iter().position(|(by, line)| *by == "alice" && line.heard().contains("I accept your apology"));
    assert!(accepted.is_some_and(|at| at > sorry), "Alice accepts in so many words; seed {seed}\n{read}");

    let step = spoken.iter().position(|(by, line)| *by == "bob" && line.acts().proposes());
    let agreed = |who| spoken.iter().rposition(|(by, line)| *by == who && line.acts().has(Act::Agree));
    assert!(step.is_some() && agreed("alice") > step && agreed("charlie") > step, "seed {seed}\n{read}");

    let tones: Vec<&str> =
        spoken.iter().rev().take(3).map(|(_, line)| line.actor().unwrap().1.tone.as_str()).collect();
    let tense = ["angry", "furious", "frustrated", "bitter", "hurt", "indignant"];
    assert!(
        !tones.iter().any(|tone| tense.iter().any(|t| tone.contains(t))),
        "{tones:?}; seed {seed}\n{read}"
    );
    assert!(played.count(Action::Silent) > 0 && played.count(Action::React) > 0, "seed {seed}\n{read}");
}

#[test]
fn the_quick_apology_is_quick() {
    for (seed, played) in plays(SEEDS, || {
        let (config, sheets) = quick_apology();
        (config, Some(sheets))
    }) {
        let read = played.read();
        assert_eq!(played.reason(), SceneEnd::GoalAchieved, "seed {seed}\n{read}");
        assert!((4..=8).contains(&played.beats()), "seed {seed}\n{read}");
        assert!(
            played.spoken().next().is_some_and(|(by, line)| by == "bob" && line.acts().has(Act::Apologise))
        );
        played.assert_clean(seed);
    }
}

#[test]
fn the_heated_discussion_cools_down() {
    for (seed, played) in plays(SEEDS, || {
        let (config, sheets) = heated_discussion();
        (config, Some(sheets))
    }) {
        let read = played.read();
        assert_eq!(played.reason(), SceneEnd::GoalAchieved, "seed {seed}\n{read}");
        assert!((7..=20).contains(&played.beats()), "seed {seed}\n{read}");
        assert!(
            !played.spoken().last().unwrap().1.heard().ends_with('?'),
            "no open question; seed {seed}\n{read}"
        );
        played.assert_clean(seed);
    }
}

/// A transcript as a reader sees it. Look at it when it changes: would you show it to a writer?
#[test]
fn the_apology_reads_well() {
    let (config, sheets) = the_apology();
    expect_test::expect_file!["the-apology.txt"].assert_eq(&play(config, sheets, 7).read());
}
