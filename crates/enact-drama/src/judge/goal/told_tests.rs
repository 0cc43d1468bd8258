//! How goals are told to their author.

use super::*;

fn told(goal: &str, cast: &[&str]) -> String {
    Goal::read(goal, cast).told(cast).unwrap_or_else(|why| format!("not read: {why}"))
}

fn check(table: &[(&[&str], &str, &str)]) {
    let found: Vec<String> =
        table.iter().map(|(cast, goal, _)| format!("{goal}: {}", told(goal, cast))).collect();
    let expected: Vec<String> =
        table.iter().map(|(_, goal, expected)| format!("{goal}: {expected}")).collect();
    assert_eq!(found, expected);
}

#[test]
fn names_are_known_without_their_accents_case_and_hyphens() {
    let sisters: &[&str] = &["Marguerite", "Inès"];
    let crew: &[&str] = &["Vesper", "Juno-9", "Old Kell"];
    let north: &[&str] = &["Søren Ægir", "Zoë", "Jean-Luc"];
    check(&[
        (
            sisters,
            "Ines reveals that she wrote the second will",
            "admit, by Inès, about \"she wrote the second will\"",
        ),
        (sisters, "Marguerite forgives Ines", "forgive, by Marguerite, to Inès"),
        (sisters, "Marguerite and Ines agree", "agree, by Marguerite and Inès"),
        (sisters, "INÈS burns the letter", "as it is written, by Inès"),
        (crew, "Juno 9 warns Vesper about the guards", "warn, by Juno-9, to Vesper, about \"the guards\""),
        (crew, "juno-9 apologizes to old-kell", "apologise, by Juno-9, to Old Kell"),
        (north, "Soren thanks Zoe for the tea", "thank, by Søren Ægir, to Zoë, about \"the tea\""),
        (north, "Zoe hires Jean Luc", "hire, by Zoë, to Jean-Luc"),
        (north, "Jean\u{2010}Luc forgives Zoe\u{308}", "forgive, by Jean-Luc, to Zoë"),
    ]);
}

#[test]
fn an_unknown_name_is_not_anybody() {
    let two: &[&str] = &["Elias", "Mara"];
    let no =
        |name: &str, meant: &str| format!("not read: '{name}', who is to do it, is not in the cast{meant}");
    let meant = |name: &str| no(name, "; did you mean Elias?");
    for (goal, expected) in [
        ("Elais apologizes", meant("Elais")),
        ("Elais apologizes to Mara", meant("Elais")),
        ("By the end Ellias has forgiven Mara", meant("Ellias")),
        ("Mara and Elais agree to sell the house", meant("Elais")),
        ("Elais finally burns the letter", meant("Elais")),
        ("Odette warns Mara", no("Odette", "")),
        // Words that are nobody's name stand for whoever it is.
        ("Someone apologizes", "apologise, by Elias or Mara".to_owned()),
        ("Mother apologizes to Mara", "apologise, by anybody, to Mara".to_owned()),
        ("The truth comes out", "reveal, by anybody".to_owned()),
    ] {
        assert_eq!(told(goal, two), expected, "{goal}");
    }
}

#[test]
fn what_a_goal_is_about_leaves_out_whom_it_is_done_to() {
    let crew: &[&str] = &["Vesper", "Juno-9", "Old Kell"];
    let two: &[&str] = &["Ann", "Ben"];
    check(&[
        (two, "Ann and Ben agree to sell the desk", "agree, by Ann and Ben, about \"sell the desk\""),
        (two, "They agree to leave tonight", "agree, by Ann and Ben, about \"leave tonight\""),
        (two, "Ann promises Ben to come home", "promise, by Ann, to Ben, about \"come home\""),
        (two, "Ann and Ben agree on a price", "agree, by Ann and Ben, about \"a price\""),
        (crew, "Vesper demands the key from Old Kell", "ask, by Vesper, to Old Kell, about \"the key\""),
        (crew, "Vesper requests a map from Juno-9", "ask, by Vesper, to Juno-9, about \"a map\""),
        (two, "Ann asks a favour of Ben", "ask, by Ann, to Ben, about \"a favour\""),
        (two, "Ben takes the ring from Ann", "take, by Ben, to Ann, about \"the ring\""),
        (crew, "Old Kell gives Vesper the key", "give, by Old Kell, to Vesper, about \"the key\""),
        (crew, "Old Kell gives the key to Vesper", "give, by Old Kell, to Vesper, about \"the key\""),
        (crew, "Juno-9 warns Vesper about the guards", "warn, by Juno-9, to Vesper, about \"the guards\""),
        (two, "Ann offers Ben her coat", "offer, by Ann, to Ben, about \"her coat\""),
    ]);
}
