use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;

fn name(text: &str) -> Name {
    Name::new(text).unwrap()
}

fn shown(Timbre { profile, variant }: Timbre) -> String {
    match variant {
        0 => profile.as_str().to_owned(),
        variant => format!("{} {variant}", profile.as_str()),
    }
}

/// A cast, one a line: `alice`, or `alice: calm_soothing`.
fn cast(sheets: &str) -> Voices {
    Voices::cast(sheets.lines().map(|line| match line.split_once(": ") {
        Some((who, voice)) => (name(who), Some(voice.to_owned())),
        None => (name(line), None),
    }))
}

fn check(sheets: &str, expected: Expect) {
    let voices = cast(sheets);
    let mut text = String::new();
    for (who, timbre) in &voices.cast {
        text.push_str(&format!("{who}: {}\n", shown(*timbre)));
    }
    text.push_str(&format!("narrator: {}\n", shown(voices.narrator)));
    for note in &voices.notes {
        text.push_str(&format!("note: {note}\n"));
    }
    expected.assert_eq(&text);
}

#[test]
fn sheets_are_given_what_they_ask_for() {
    check(
        "alice: calm_soothing\nbob: Playful-Expressive 2",
        expect![[r#"
        alice: calm_soothing
        bob: playful_expressive 2
        narrator: calm_soothing 1
    "#]],
    );
    // Two who want the same profile are told apart; who names a variant has it.
    check(
        "alice: calm_soothing\nbob: calm_soothing\ncharlie: calm_soothing 0",
        expect![[r#"
        alice: calm_soothing 1
        bob: calm_soothing 2
        charlie: calm_soothing
        narrator: calm_soothing 3
    "#]],
    );
    check(
        "alice: warm_professional 3\nbob: warm_professional 3",
        expect![[r#"
        alice: warm_professional 3
        bob: warm_professional 3
        narrator: calm_soothing
    "#]],
    );
}

#[test]
fn others_are_chosen_by_their_names() {
    check(
        "alice\nbob\ncharlie",
        expect![[r#"
        alice: playful_expressive
        bob: friendly_casual
        charlie: warm_professional
        narrator: calm_soothing
    "#]],
    );
    check(
        "charlie\nalice",
        expect![[r#"
        alice: playful_expressive
        charlie: warm_professional
        narrator: calm_soothing
    "#]],
    );
    check(
        "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl",
        expect![[r#"
        a: friendly_casual
        b: energetic_upbeat
        c: warm_professional
        d: playful_expressive
        e: energetic_upbeat 1
        f: playful_expressive 1
        g: friendly_casual 1
        h: warm_professional 1
        i: confident_charming
        j: confident_charming 1
        k: calm_soothing 1
        l: playful_expressive 2
        narrator: calm_soothing
    "#]],
    );
}

#[test]
fn voices_that_do_not_exist_are_noted_and_chosen_by_name() {
    check(
        "alice: calm_smoothing\nbob: bass\ncharlie: calm_soothing 12",
        expect![[r#"
        alice: playful_expressive
        bob: friendly_casual
        charlie: warm_professional
        narrator: calm_soothing
        note: alice.md: there is no voice 'calm_smoothing': did you mean 'calm_soothing'?
        note: bob.md: there is no voice 'bass': there are friendly_casual, warm_professional, energetic_upbeat, calm_soothing, confident_charming, playful_expressive
        note: charlie.md: 'calm_soothing' has no variant 12: there are 0, the profile as it is, to 9
    "#]],
    );
}

proptest! {
    #[test]
    fn no_two_sound_alike_whatever_the_cast_and_its_order(
        names in prop::collection::btree_set("[a-z]{1,6}", 2..=12),
        turned in 0_usize..12,
    ) {
        let names: Vec<Name> = names.iter().map(|text| name(text)).collect();
        let voices = Voices::cast(names.iter().map(|name| (name.clone(), None)));
        let mut all: BTreeSet<Timbre> = names.iter().map(|name| voices.timbre(name)).collect();
        all.insert(voices.narrator());
        prop_assert_eq!(all.len(), names.len() + 1);
        // No two share a profile while one is free.
        let profiles: BTreeSet<VoiceProfile> = all.iter().map(|timbre| timbre.profile).collect();
        prop_assert_eq!(profiles.len(), all.len().min(VoiceProfile::ALL.len()));

        let mut other = names;
        let at = turned % other.len();
        other.rotate_left(at);
        prop_assert_eq!(Voices::cast(other.into_iter().map(|name| (name, None))), voices);
    }

    #[test]
    fn any_wish_is_read_or_noted(wish in "\\PC{0,30}") {
        let voices = Voices::cast([(name("alice"), Some(wish))]);
        prop_assert!(voices.cast.len() == 1 && voices.notes.len() <= 1);
    }
}
