//! What is planned for which scene.

use std::{fmt::Write, sync::Arc};

use enact_drama::{
    Name,
    judge::{Goal, goals_of},
    scene::{Lines, Situation, View, ViewCache},
    sheet::Sheet,
};
use expect_test::{Expect, expect};

use crate::improviser::{arc, role::Roles};

/// Writes an arc down: one step a line, `?` instead of `-` for colour, `!` for deeds the judge must see, `~`
/// for who reacts.
fn check(prompt: &str, cast: &[&str], expected: Expect) {
    let goals = goals_of(&[], prompt, cast);
    let name = |display: &&str| (Name::new(display.to_lowercase()).unwrap(), (*display).to_owned());
    let scene = Situation {
        prompt: prompt.to_owned(),
        setting: None,
        goals: goals.iter().map(|text| Goal::read(text, cast)).collect(),
        cast: cast.iter().map(name).collect(),
        seed: 5,
        max_beats: 50,
    };
    let view = View {
        me: scene.cast[0].0.clone(),
        sheet: Arc::new(Sheet::default()),
        scene: Arc::new(scene),
        beat: 0,
        opening: true,
        lines: Lines::default(),
        notes: Vec::new(),
        cache: ViewCache::default(),
    };
    let mut text = String::new();
    for step in arc::arc(&view, &Roles::of(&view, None)) {
        text.push(if step.optional { '?' } else { '-' });
        for part in &step.parts {
            let _ = write!(
                text,
                " {} {:?}{}",
                cast[part.who],
                part.scene_move,
                if part.needs.is_some() { "!" } else { "" }
            );
        }
        if let Some(reacts) = step.reacts {
            let _ = write!(text, " ~{}", cast[reacts]);
        }
        text.push('\n');
    }
    expected.assert_eq(&text);
}

#[test]
fn a_grievance_with_an_apology_for_its_goal() {
    check(
        "Alice confronts Bob. Scene goal: Bob apologizes, Alice accepts, they agree on measures.",
        &["Alice", "Bob", "Charlie"],
        expect![[r#"
            - Alice OpenConfront
            - Bob Deflect
            - Alice Press
            - Bob Excuse
            - Alice CutExcuse ~Charlie
            - Charlie Mediate
            - Alice Cool
            - Bob Own
            - Bob Apologise! ~Alice
            ? Charlie Vouch
            - Alice Accept!
            - Bob Propose
            - Alice Agree! Charlie Agree!
            - Bob Affirm!
            - Bob Thank Charlie Calm
            - Alice Farewell Bob Farewell Charlie Farewell
        "#]],
    );
}

#[test]
fn an_apology_that_comes_of_itself() {
    check(
        "Bob apologizes to Alice for being late. Alice accepts.",
        &["Bob", "Alice"],
        expect![[r#"
            - Bob OpenSorry!
            - Alice Hurt
            - Bob Own ~Alice
            - Alice Accept!
            - Bob Thank
            - Alice Farewell Bob Farewell
        "#]],
    );
}

#[test]
fn an_interruption() {
    check(
        "Heated argument where Alice interrupts Bob mid-sentence.",
        &["Bob", "Alice"],
        expect![[r#"
            - Bob OpenConfront
            - Alice Deflect
            - Bob Tirade
            - Alice CutTirade
            - Bob Bristle
            - Alice Yield ~Bob
            - Bob Relent
            - Alice Propose
            - Bob Agree
            - Alice Thank
            - Bob Farewell Alice Farewell
        "#]],
    );
}

#[test]
fn a_talk_without_a_goal() {
    check(
        "Four friends talk about the moon.",
        &["Ann", "Ben", "Cal", "Dee"],
        expect![[r#"
            - Ann OpenTopic
            - Ben Position Cal Position Dee Position
            - Ann Challenge ~Dee
            - Ben Answer
            ? Dee Support
            - Ann Suggest ~Ben
            - Ben Agree Cal Agree Dee Agree
            - Ben Calm
            - Ann Farewell Ben Farewell
            - Cal Farewell Dee Farewell
        "#]],
    );
}

#[test]
fn a_confession() {
    check(
        "Tom admits to Mia that he sold the car. Mia forgives him.",
        &["Tom", "Mia"],
        expect![[r#"
            - Tom OpenTopic
            ? Mia Cool
            - Tom Own!
            ? Mia Hurt
            ? Tom Promise
            - Mia Forgive!
            - Mia Calm
            - Tom Farewell Mia Farewell
        "#]],
    );
}

#[test]
fn a_refusal() {
    check(
        "Mia asks Tom for help with the garden. Tom refuses.",
        &["Mia", "Tom"],
        expect![[r#"
            - Mia OpenTopic
            - Tom Position
            - Mia Challenge
            - Tom Answer
            - Mia Ask!
            - Tom Refuse!
            - Tom Calm
            - Mia Farewell Tom Farewell
        "#]],
    );
}
