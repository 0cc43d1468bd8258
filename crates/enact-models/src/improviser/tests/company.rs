//! Improvisers in company: with others who do as they please, fail, or cut in.

use enact_drama::{
    request::Request,
    scene::{SceneEnd, View},
};

use super::theatre::{Played, bare_sheets, config, play_with};
use crate::improviser::{improvise, moves::SceneMove};

/// Plays a scene in which one character is somebody else's.
fn play_beside(
    prompt: &str,
    cast: &[&str],
    other: &str,
    answer: impl Fn(&Request) -> Option<String>,
) -> Played {
    let config = config(prompt, cast, Some(cast[0]));
    let sheets = bare_sheets(&config);
    play_with(config, sheets, 3, |request| {
        if request.me() == other {
            answer(request).map(|text| (text, 1000))
        } else {
            Some(improvise(request.view().unwrap()))
        }
    })
}

const APOLOGY: &str = "Alice confronts Bob about the deadline. Scene goal: Bob apologizes, Alice accepts.";

#[test]
fn somebody_who_never_answers_is_called_on_and_then_left_alone() {
    let silent = play_beside(APOLOGY, &["alice", "bob"], "bob", |_| Some("[SILENT]".to_owned()));
    assert!(silent.reason() != SceneEnd::GoalAchieved, "{}", silent.read());
    assert!(silent.spoken().filter(|(by, _)| *by == "alice").count() > 3, "{}", silent.read());
    silent.assert_clean(3);

    let failing = play_beside(APOLOGY, &["alice", "bob", "charlie"], "bob", |_| None);
    failing.assert_clean(3);
}

#[test]
fn whoever_is_ahead_of_the_plan_is_followed() {
    let played = play_beside(APOLOGY, &["alice", "bob"], "bob", |request| {
        let first = request.beat.unwrap() == 1;
        Some(
            if first { "[TO: Alice, TONE: sad] \"I'm so sorry. It was my fault.\"" } else { "[SILENT]" }
                .to_owned(),
        )
    });
    assert_eq!(played.reason(), SceneEnd::GoalAchieved, "{}", played.read());
    assert!(played.cuts().is_empty(), "nothing is left to cut off\n{}", played.read());
    assert!(played.beats() <= 10, "{}", played.read());
}

#[test]
fn questions_are_answered() {
    let asks = "[TO: Ann, TONE: curious] \"And what do you say to that, Ann?\"";
    let played = play_beside("A lighthouse.", &["ben", "ann", "cal"], "cal", |request| {
        (request.beat.unwrap() == 1).then(|| asks.to_owned()).or(Some("[SILENT]".to_owned()))
    });
    let answered = played.spoken().any(|(by, line)| by == "ann" && line.beat == 2);
    assert!(answered, "{}", played.read());
}

#[test]
fn being_cut_off_is_minded() {
    let minded = (0..10).filter(|seed| {
        let config = config("Ann and Ben talk about the lighthouse.", &["ann", "ben"], Some("ann"));
        let sheets = bare_sheets(&config);
        let played = play_with(config, sheets, *seed, |request| {
            let view: &View = request.view().unwrap();
            let first = view.lines.first().and_then(|line| line.spoken()).unwrap_or_default();
            match (view.me.as_str(), view.beat) {
                ("ben", 1) => {
                    let phrase: Vec<&str> = first.split_whitespace().take(2).collect();
                    Some((
                        format!("[INTERRUPT after \"{}\", TONE: angry] \"Enough!\"", phrase.join(" ")),
                        500,
                    ))
                }
                ("ben", _) => Some(("[SILENT]".to_owned(), 500)),
                _ => Some(improvise(view)),
            }
        });
        let bristles = |text: &str| {
            let stock = SceneMove::Bristle.lines().lines.iter().any(|entry| entry.was_said_in(text));
            stock || text.contains("finished") || text.contains("if you'd let me")
        };
        played.spoken().any(|(by, line)| by == "ann" && bristles(line.heard()))
    });
    assert!(minded.count() > 0, "somebody who is cut off says so, now and then");
}

#[test]
fn the_world_is_noticed() {
    let mut config = config("Ann and Ben talk about the lighthouse.", &["ann", "ben"], Some("ann"));
    config.events = vec![enact_drama::scene::DeckEvent::AtBeat { beat: 1, text: "A phone rings".to_owned() }];
    let sheets = bare_sheets(&config);
    let played = play_with(config, sheets, 1, |request| Some(improvise(request.view().unwrap())));
    let reply = played.spoken().find(|(_, line)| line.beat == 2).map(|(_, line)| line.heard().to_owned());
    assert!(
        reply.is_some_and(|reply| reply.contains("ring") || reply.contains("phone")),
        "{}",
        played.read()
    );
}
