use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;

fn shown(read: Result<SceneConfig, Problem>) -> String {
    match read {
        Ok(config) => format!("{:#}\n", serde_json::to_value(&config).unwrap()),
        Err(problem) => match &problem.hint {
            Some(hint) => format!("{problem}\nhint: {hint}\n"),
            None => format!("{problem}\n"),
        },
    }
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&shown(read_scene(text, SceneFormat::Markdown { default_name: "the-folder" })));
}

fn check_json(text: &str, expected: Expect) {
    expected.assert_eq(&shown(read_scene(text, SceneFormat::Json)));
}

/// Each of these as the third line of a file, and what is said about it.
fn check_keys(lines: &[&str], expected: Expect) {
    let outcomes = lines.iter().map(|line| {
        let text = format!("---\nname: x\n{line}\n---\nBody.");
        format!("{line}\n=> {}", shown(read_scene(&text, SceneFormat::Markdown { default_name: "" })))
    });
    expected.assert_eq(&outcomes.collect::<String>());
}

#[test]
fn markdown_with_every_key() {
    check(
        r#"---
name: the-apology
characters: [alice, bob, charlie]
initialSpeaker: alice
maxBeats: 20
setting: Office conference room, afternoon
goals:
  - Bob gives sincere apology
  - Alice accepts
events:
  - Phone rings loudly on Bob's desk
  - beat: 6
    text: Door slams open as janitor enters
replyTimeoutSeconds: 2.5
window: 8
seed: 18446744073709551615
language: French
stageDirections: true
onMalformed: retry
models: {alice: lead, bob: quick}
judge: none
---

Bob missed an important project deadline.

---

Alice confronts him.
"#,
        expect![[r#"
            {
              "name": "the-apology",
              "prompt": "Bob missed an important project deadline.\n\n---\n\nAlice confronts him.",
              "characters": [
                "alice",
                "bob",
                "charlie"
              ],
              "initialSpeaker": "alice",
              "maxBeats": 20,
              "setting": "Office conference room, afternoon",
              "goals": [
                "Bob gives sincere apology",
                "Alice accepts"
              ],
              "events": [
                "Phone rings loudly on Bob's desk",
                {
                  "beat": 6,
                  "text": "Door slams open as janitor enters"
                }
              ],
              "replyTimeoutSeconds": 2.5,
              "window": 8,
              "seed": 18446744073709551615,
              "language": "French",
              "stageDirections": true,
              "onMalformed": "retry",
              "models": {
                "alice": "lead",
                "bob": "quick"
              },
              "judge": "none"
            }
        "#]],
    );
}

#[test]
fn markdown_with_little_or_nothing() {
    check(
        "Bob apologizes, Alice accepts",
        expect![[r#"
        {
          "name": "the-folder",
          "prompt": "Bob apologizes, Alice accepts",
          "characters": []
        }
    "#]],
    );
    check(
        "---\nprompt: |\n  Two\n  lines.\nmaxBeats:\ngoals:\n---\n",
        expect![[r#"
        {
          "name": "the-folder",
          "prompt": "Two\nlines.\n",
          "characters": []
        }
    "#]],
    );
    check(
        "",
        expect![[r#"
        {
          "name": "the-folder",
          "prompt": "",
          "characters": []
        }
    "#]],
    );
    check(
        "\u{feff}---\r\nname: x\r\ncharacters:\r\n- alice\r\n- bob\r\n---\r\nOne.\r\nTwo.\r\n",
        expect![[r#"
            {
              "name": "x",
              "prompt": "One.\nTwo.",
              "characters": [
                "alice",
                "bob"
              ]
            }
        "#]],
    );
}

#[test]
fn the_prompt_is_given_once() {
    check(
        "---\nprompt: One.\n---\nTwo.",
        expect![[r#"
        line 2, column 9: the prompt is given twice, here and below the front matter
        hint: remove one of them
    "#]],
    );
}

#[test]
fn unknown_keys_are_pointed_at() {
    check_keys(
        &[
            "max_beats: 3",
            "initial_speaker: bob",
            "reply_timeout_seconds: 3",
            "MaxBeats: 3",
            "charcters: [a, b]",
            "cast: [a, b]",
            "flavour: sweet",
            "events:\n  - beat: 1\n    txt: x",
            "events:\n  - {beat: 1, text: It rains, and stops.}",
            "name: y",
        ],
        expect![[r#"
            max_beats: 3
            => line 3, column 1: unknown key 'max_beats'
            hint: did you mean 'maxBeats'?
            initial_speaker: bob
            => line 3, column 1: unknown key 'initial_speaker'
            hint: did you mean 'initialSpeaker'?
            reply_timeout_seconds: 3
            => line 3, column 1: unknown key 'reply_timeout_seconds'
            hint: did you mean 'replyTimeoutSeconds'?
            MaxBeats: 3
            => line 3, column 1: unknown key 'MaxBeats'
            hint: did you mean 'maxBeats'?
            charcters: [a, b]
            => line 3, column 1: unknown key 'charcters'
            hint: did you mean 'characters'?
            cast: [a, b]
            => line 3, column 1: unknown key 'cast'
            hint: did you mean 'characters'?
            flavour: sweet
            => line 3, column 1: unknown key 'flavour'
            hint: the keys are: name, title, prompt, characters, initialSpeaker, maxBeats, setting, goals, events, replyTimeoutSeconds, humanTimeoutSeconds, window, seed, language, stageDirections, onMalformed, remember, models, judge
            events:
              - beat: 1
                txt: x
            => line 5, column 5: unknown key 'txt'
            hint: did you mean 'text'?
            events:
              - {beat: 1, text: It rains, and stops.}
            => line 4, column 31: unknown key 'and stops.'
            hint: no key has spaces: a text with a comma or a colon in it stands in quotes, as in text: "It rains, and stops."
            name: y
            => line 3, column 1: 'name' is given twice
        "#]],
    );
    check_json(
        "{\n  \"name\": \"x\",\n  \"max_beats\": 3\n}",
        expect![[r#"
        line 3, column 3: unknown key 'max_beats'
        hint: did you mean 'maxBeats'?
    "#]],
    );
    check_json(
        "{\"name\": \"x\", \"name\": \"y\"}",
        expect![[r#"
        line 1, column 15: 'name' is given twice
    "#]],
    );
}

#[test]
fn wrong_values_are_named() {
    check_keys(
        &[
            "maxBeats: ten",
            "maxBeats: 2.5",
            "maxBeats: 0",
            "maxBeats: -3",
            "maxBeats: 99999999999999999999",
            "seed: -1",
            "replyTimeoutSeconds: soon",
            "replyTimeoutSeconds: .inf",
            "replyTimeoutSeconds: -1",
            "stageDirections: yes",
            "onMalformed: retyr",
            "onMalformed: [retry]",
            "models: lead",
            "models: {alice: 7}",
            "model: {alice: lead}",
            "characters: alice, bob",
            "characters: [alice, 7]",
            "setting: 1984",
            "goals: {a: b}",
            "goals: ['']",
            "events:\n  - [a]",
            "events:\n  - text: x",
            "events:\n  - beat: 3",
            "events:\n  - {beat: -1, text: x}",
            "events:\n  - {beat: 1, text: ''}",
        ],
        expect![[r#"
            maxBeats: ten
            => line 3, column 11: maxBeats must be a whole number, found "ten"
            maxBeats: 2.5
            => line 3, column 11: maxBeats must be a whole number, found 2.5
            maxBeats: 0
            => line 3, column 11: maxBeats must be at least 1, found 0
            maxBeats: -3
            => line 3, column 11: maxBeats must be at least 1, found -3
            maxBeats: 99999999999999999999
            => line 3, column 11: maxBeats must be a whole number, found 1e+20
            seed: -1
            => line 3, column 7: seed must be a whole number of at least 0, found -1
            replyTimeoutSeconds: soon
            => line 3, column 22: replyTimeoutSeconds must be a number, found "soon"
            replyTimeoutSeconds: .inf
            => line 3, column 22: replyTimeoutSeconds must be a number, found ".inf"
            replyTimeoutSeconds: -1
            => line 3, column 22: replyTimeoutSeconds must be more than 0 and at most 3600, found -1
            stageDirections: yes
            => line 3, column 18: stageDirections must be true or false, found "yes"
            onMalformed: retyr
            => line 3, column 14: onMalformed must be salvage, retry or ignore, found "retyr"
            hint: did you mean 'retry'?
            onMalformed: [retry]
            => line 3, column 14: onMalformed must be salvage, retry or ignore, found a list
            models: lead
            => line 3, column 9: models must be keys with values, found "lead"
            models: {alice: 7}
            => line 3, column 17: models.alice must be text, found 7
            hint: put it in quotes to make it text
            model: {alice: lead}
            => line 3, column 1: unknown key 'model'
            hint: did you mean 'models'?
            characters: alice, bob
            => line 3, column 13: characters must be a list of names, found "alice, bob"
            hint: put it in square brackets to make it a list
            characters: [alice, 7]
            => line 3, column 21: characters[1] must be text, found 7
            hint: put it in quotes to make it text
            setting: 1984
            => line 3, column 10: setting must be text, found 1984
            hint: put it in quotes to make it text
            goals: {a: b}
            => line 3, column 8: goals must be a list of sentences, found keys with values
            goals: ['']
            => line 3, column 8: goals[0] is empty
            events:
              - [a]
            => line 4, column 5: events[0] must be a text, or a beat and a text, found a list
            events:
              - text: x
            => line 4, column 5: events[0] has no 'beat'
            hint: an event for whenever it is needed is its text alone, without keys
            events:
              - beat: 3
            => line 4, column 5: events[0] has no 'text'
            events:
              - {beat: -1, text: x}
            => line 4, column 12: events[0].beat must be a whole number of at least 0, found -1
            events:
              - {beat: 1, text: ''}
            => line 4, column 3: events[0].text is empty
        "#]],
    );
    check_json(
        "{\"maxBeats\":\n  \"ten\"}",
        expect![[r#"
        line 2, column 3: maxBeats must be a whole number, found "ten"
    "#]],
    );
    check_json(
        "{\"maxBeats\":\n  0}",
        expect![[r#"
        line 2, column 3: maxBeats must be at least 1, found 0
    "#]],
    );
    check_json(
        "[]",
        expect![[r#"
        line 1, column 1: a scene must be an object with keys, found a list
    "#]],
    );
}

#[test]
fn models_remember_where_they_were_written() {
    let text = "---\nmodels:\n  alice: lead\n  bob:\n---\nBody.";
    let config = read_scene(text, SceneFormat::Markdown { default_name: "x" }).unwrap();
    let lead = RequestedModel { model: "lead".into(), place: Some(Place { line: 3, column: 10 }) };
    assert_eq!(config.models, BTreeMap::from([("alice".to_owned(), lead)]));
}

#[test]
fn broken_files_are_pointed_at() {
    check(
        "---\nname: x\n",
        expect![[r#"
        line 1, column 1: the front matter that begins here does not end
        hint: close it with a line '---' below the last key
    "#]],
    );
    check(
        "---\nname: x\nsetting: Office: afternoon\n---\nBody.",
        expect![[r#"
        line 3, column 16: the front matter is not valid YAML: mapping values are not allowed in this context
        hint: text with a colon and a space in it needs quotes around it
    "#]],
    );
    check_json(
        "{\"name\": \"x\"\n \"prompt\": \"y\"}",
        expect![[r#"
        line 2, column 2: not valid JSON: expected `,` or `}`
    "#]],
    );
    check_json(
        "",
        expect![[r#"
        line 1, column 1: not valid JSON: it ends too early
    "#]],
    );
}

#[test]
fn every_key_is_read_and_listed() {
    let listed: Vec<String> = KEYS.iter().map(|key| format!("\"{key}\": null")).collect();
    assert_eq!(
        read_scene(&format!("{{{}}}", listed.join(", ")), SceneFormat::Json),
        Ok(SceneConfig::default())
    );
}

/// Every config in seeds 000 and 001, as JSON. The last two complete what the seed leaves out with `// ...`.
const SEEDS: [&str; 8] = [
    r#"{ "name": "quick-apology",
  "prompt": "Bob apologizes to Alice for being late. Alice accepts.",
  "characters": ["alice", "bob"],
  "initialSpeaker": "bob" }"#,
    r#"{ "name": "heated-discussion",
  "prompt": "Alice confronts Bob about project failure. Charlie mediates.",
  "characters": ["alice", "bob", "charlie"],
  "initialSpeaker": "alice" }"#,
    r#"{ "name": "office-confrontation",
  "prompt": "Alice confronts Bob about missing the Henderson project deadline.\n           Charlie is present as a witness. Scene goal: Bob apologizes sincerely,\n           Alice accepts and they agree on next steps.",
  "characters": ["alice", "bob", "charlie"],
  "initialSpeaker": "alice" }"#,
    r#"{ "name": "the-apology",
  "prompt": "Bob missed an important project deadline, causing the team to lose a client.\n           Alice, his manager, confronts him. Charlie is present as a team lead.\n           Scene goal: Bob gives sincere apology, Alice accepts, they agree on\n           accountability measures.",
  "characters": ["alice", "bob", "charlie"],
  "initialSpeaker": "alice" }"#,
    r#"{ "name": "test-apology-scene",
  "prompt": "Bob apologizes to Alice for missing deadline. Alice accepts.",
  "characters": ["alice", "bob"],
  "initialSpeaker": "bob" }"#,
    r#"{ "name": "test-interruption",
  "prompt": "Heated argument where Alice interrupts Bob mid-sentence.",
  "characters": ["alice", "bob"],
  "initialSpeaker": "bob" }"#,
    r#"{ "name": "no-opener", "prompt": "Bob apologizes, Alice accepts", "characters": ["alice", "bob"] }"#,
    r#"{ "name": "short", "prompt": "Bob apologizes, Alice accepts", "characters": ["alice", "bob"], "maxBeats": 50 }"#,
];

#[test]
fn the_seeds_configs_are_playable_as_they_are() {
    for json in SEEDS {
        let config = read_scene(json, SceneFormat::Json).unwrap();
        assert_eq!(serde_json::from_str::<SceneConfig>(json).unwrap(), config);
        let checked = config.check().unwrap();
        assert_eq!(checked.limits.max_beats, 50);
        assert_eq!(checked.opener.map(String::from), config.initial_speaker);
    }
}

proptest! {
    #[test]
    fn any_text_reads_or_is_refused(
        text in "(---\n([a-zA-Z]{1,12}: \\PC{0,40}\n|- \\PC{0,10}\n){0,6}---\n)?\\PC{0,80}",
        json in "\\{(\"(name|goals|maxBeats|events)\": ?(\\[|\\]|\\{|\\}|\"x\"|1|,|null){0,5},?){0,4}\\}",
    ) {
        let _ = shown(read_scene(&text, SceneFormat::Markdown { default_name: "x" }));
        let _ = shown(read_scene(&json, SceneFormat::Json));
    }
}
