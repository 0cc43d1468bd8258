use expect_test::{Expect, expect};

use super::*;
use crate::Place;

fn config() -> SceneConfig {
    SceneConfig {
        name: "quick-apology".into(),
        prompt: "Bob apologizes to Alice for being late. Alice accepts.".into(),
        characters: vec!["alice".into(), "bob".into()],
        ..SceneConfig::default()
    }
}

fn names(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("npc{number}")).collect()
}

fn check(change: impl FnOnce(&mut SceneConfig), expected: Expect) {
    let mut config = config();
    change(&mut config);
    let shown = match config.check() {
        Ok(checked) => format!("fine: {checked:?}"),
        Err(problem) => {
            assert_eq!(problem.code.as_str(), "INVALID_CONFIG");
            assert_eq!(problem.context["provided"], serde_json::to_value(&config).unwrap());
            match &problem.hint {
                Some(hint) => format!("{problem} ({hint})"),
                None => problem.to_string(),
            }
        }
    };
    expected.assert_eq(&shown);
}

#[test]
fn defaults_are_filled_in() {
    check(
        |_| {},
        expect![[
            r#"fine: Checked { name: Name("quick-apology"), characters: [Name("alice"), Name("bob")], opener: None, models: {}, limits: SceneLimits { max_beats: 50, reply_timeout_ms: 30000, window: 10 } }"#
        ]],
    );
    check(
        |c| c.initial_speaker = Some("BOB".into()),
        expect![[
            r#"fine: Checked { name: Name("quick-apology"), characters: [Name("alice"), Name("bob")], opener: Some(Name("bob")), models: {}, limits: SceneLimits { max_beats: 50, reply_timeout_ms: 30000, window: 10 } }"#
        ]],
    );
    check(
        |c| {
            c.max_beats = Some(MOST_BEATS);
            c.reply_timeout_seconds = Some(0.0004);
            c.window = Some(1);
            c.characters = names(MAX_CAST);
        },
        expect![[
            r#"fine: Checked { name: Name("quick-apology"), characters: [Name("npc0"), Name("npc1"), Name("npc2"), Name("npc3"), Name("npc4"), Name("npc5"), Name("npc6"), Name("npc7"), Name("npc8"), Name("npc9"), Name("npc10"), Name("npc11")], opener: None, models: {}, limits: SceneLimits { max_beats: 1000, reply_timeout_ms: 1, window: 1 } }"#
        ]],
    );
}

#[test]
fn the_prompt_comes_first() {
    check(|c| *c = SceneConfig::default(), expect!["Scene prompt is required"]);
    check(|c| c.prompt = " \n ".into(), expect!["Scene prompt is required"]);
    check(
        |c| c.prompt = "x".repeat(LONGEST_PROMPT_BYTES + 1),
        expect!["prompt must be at most 262144 bytes, found 262145"],
    );
}

#[test]
fn names_are_plain() {
    for name in ["", "../x", "a/b", "a b"] {
        let scene = SceneConfig { name: name.into(), ..config() }.check();
        let cast = SceneConfig { characters: vec!["bob".into(), name.into()], ..config() }.check();
        assert!(scene.is_err() && cast.is_err(), "{name}");
    }
    check(|c| c.name = "".into(), expect!["Scene name is required (for example 'the-apology')"]);
    check(
        |c| c.name = "../x".into(),
        expect![
            "scene name '../x' is not a plain name: use letters, digits, '-' and '_', starting with a letter or digit, at most 64"
        ],
    );
    check(
        |c| c.name = format!("\u{1b}[31m{}", "x".repeat(100_000)),
        expect![[
            r#"scene name '\u{1b}[31mxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' is not a plain name: use letters, digits, '-' and '_', starting with a letter or digit, at most 64"#
        ]],
    );
    check(
        |c| c.characters[1] = "a/b".into(),
        expect![
            "character name 'a/b' is not a plain name: use letters, digits, '-' and '_', starting with a letter or digit, at most 64"
        ],
    );
}

#[test]
fn casts_have_two_to_twelve_different_members() {
    check(|c| c.characters = names(0), expect!["A scene takes 2 to 12 characters, none was given"]);
    check(|c| c.characters = names(1), expect!["A scene takes 2 to 12 characters, 1 was given"]);
    check(|c| c.characters = names(13), expect!["A scene takes 2 to 12 characters, 13 were given"]);
    check(|c| c.characters.push("Alice".into()), expect!["character 'Alice' is in the cast twice"]);
}

#[test]
fn the_opener_is_in_the_cast() {
    check(
        |c| c.initial_speaker = Some("alicia".into()),
        expect!["initialSpeaker 'alicia' is not in the cast (alice, bob) (did you mean 'alice'?)"],
    );
    check(
        |c| c.initial_speaker = Some("zoe".into()),
        expect!["initialSpeaker 'zoe' is not in the cast (alice, bob)"],
    );
    check(
        |c| c.initial_speaker = Some("".into()),
        expect!["initialSpeaker '' is not in the cast (alice, bob)"],
    );
}

#[test]
fn models_are_for_members_of_the_cast() {
    let requested = |c: &mut SceneConfig, who: &str| {
        c.models = [(
            who.to_owned(),
            RequestedModel { model: "lead".into(), place: Some(Place { line: 4, column: 18 }) },
        )]
        .into();
    };
    check(
        |c| requested(c, "Bob"),
        expect![[
            r#"fine: Checked { name: Name("quick-apology"), characters: [Name("alice"), Name("bob")], opener: None, models: {Name("bob"): RequestedModel { model: "lead", place: Some(Place { line: 4, column: 18 }) }}, limits: SceneLimits { max_beats: 50, reply_timeout_ms: 30000, window: 10 } }"#
        ]],
    );
    check(
        |c| requested(c, "alicia"),
        expect![
            "line 4, column 18: models: 'alicia' is not in the cast (alice, bob) (did you mean 'alice'?)"
        ],
    );
    check(
        |c| requested(c, "zoe"),
        expect!["line 4, column 18: models: 'zoe' is not in the cast (alice, bob)"],
    );
}

#[test]
fn numbers_stay_in_their_bounds() {
    check(|c| c.max_beats = Some(0), expect!["maxBeats must be at least 1, found 0"]);
    check(|c| c.max_beats = Some(-3), expect!["maxBeats must be at least 1, found -3"]);
    check(
        |c| c.max_beats = Some(i64::MAX),
        expect!["maxBeats must be at most 1000, found 9223372036854775807"],
    );
    check(|c| c.window = Some(0), expect!["window must be at least 1, found 0"]);
    check(|c| c.window = Some(1001), expect!["window must be at most 1000, found 1001"]);
    check(
        |c| c.reply_timeout_seconds = Some(0.0),
        expect!["replyTimeoutSeconds must be more than 0 and at most 3600, found 0"],
    );
    check(
        |c| c.reply_timeout_seconds = Some(30_000.0),
        expect!["replyTimeoutSeconds must be more than 0 and at most 3600, found 30000"],
    );
    check(
        |c| c.reply_timeout_seconds = Some(f64::NAN),
        expect!["replyTimeoutSeconds must be more than 0 and at most 3600, found NaN"],
    );
}

#[test]
fn texts_say_something() {
    check(|c| c.goals = vec!["Bob apologizes".into(), " ".into()], expect!["goals[1] is empty"]);
    check(|c| c.goals = names(13), expect!["at most 12 goals, found 13"]);
    check(|c| c.events = vec![DeckEvent::WhenNeeded("".into())], expect!["events[0] is empty"]);
    check(
        |c| c.events = vec![DeckEvent::AtBeat { beat: 1, text: "\n".into() }],
        expect!["events[0].text is empty"],
    );
    check(
        |c| c.events = vec![DeckEvent::WhenNeeded("x".into()); 1001],
        expect!["at most 1000 events, found 1001"],
    );
    check(|c| c.setting = Some("x".repeat(5000)), expect!["setting must be at most 4096 bytes, found 5000"]);
}

#[test]
fn a_problem_names_the_key_it_is_about() {
    for (scene, field) in [
        (SceneConfig { prompt: " ".into(), ..config() }, "prompt"),
        (SceneConfig { name: "a b".into(), ..config() }, "name"),
        (SceneConfig { characters: vec!["alice".into()], ..config() }, "characters"),
        (SceneConfig { initial_speaker: Some("eve".into()), ..config() }, "initialSpeaker"),
        (SceneConfig { max_beats: Some(0), ..config() }, "maxBeats"),
        (SceneConfig { goals: vec![String::new()], ..config() }, "goals"),
        (SceneConfig { models: [("eve".to_owned(), "improviser".into())].into(), ..config() }, "models"),
    ] {
        let problem = scene.check().unwrap_err();
        assert_eq!(problem.context["field"], field, "{problem}");
        assert!(problem.context["provided"].is_object(), "{problem}");
    }
}
