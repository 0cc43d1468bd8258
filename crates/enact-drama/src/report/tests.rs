//! A production that says no more than it has to can be told in every format.

use std::{fs, path::Path};

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::{recording::Plan, *};
use crate::{Record, Seq};

/// Two who play with a ball: about as much as a production has to write.
fn toy() -> Document {
    let said = Speech::new("Ann", "Catch *this*!").attribute("TO", "Ben").manner("to Ben").doing("throws");
    Document::new("toy", "red-ball", 1_759_501_938_000)
        .field("Players", "Ann, Ben")
        .block(Block::speech(Seq(1), 0, said).at_ms(40))
        .block(Block::speech(Seq(2), 0, Speech::gesture("Ben", "ducks")).at_ms(90))
        .block(Block::event(Seq(3), 1, "A window breaks [loudly]").at_ms(100))
        .block(Block::speech(Seq(4), 1, Speech::new("Ben", "Oh.")).at_ms(2_000))
        .block(Block::system(Seq(5), 1, "Ann unable to respond").at_ms(2_100))
        .ended("TOY END - The ball is lost")
        .statistic("Duration", "2 throws")
}

fn check(format: Format, expected: Expect) {
    expected.assert_eq(&format.render(&toy()));
}

#[test]
fn txt() {
    check(
        Format::Txt,
        expect![[r#"
        TOY: Red Ball
        PLAYERS: Ann, Ben
        GENERATED: 2025-10-03 14:32:18

        ---

        [TOY START]

        Ann [TO: Ben, *throws*] "Catch *this*!"

        Ben [*ducks*]

        [EVENT: A window breaks (loudly)]

        Ben "Oh."

        [SYSTEM: Ann unable to respond]

        [TOY END - The ball is lost]

        ---

        STATISTICS:
        - Duration: 2 throws
    "#]],
    );
}

#[test]
fn md() {
    check(
        Format::Md,
        expect![[r#"
        # Red Ball

        - **Players:** Ann, Ben
        - **Generated:** 2025-10-03 14:32:18 UTC

        ---

        **Ann** (to Ben) *throws*: Catch \*this\*!

        **Ben** *ducks*

        > **Event:** A window breaks \[loudly\]

        **Ben**: Oh.

        > **System:** Ann unable to respond

        ---

        *TOY END - The ball is lost*

        ## Statistics

        - Duration: 2 throws
    "#]],
    );
}

#[test]
fn screenplay() {
    check(
        Format::Fountain,
        expect![[r#"
        Title: Red Ball
        Draft date: 2025-10-03

        .RED BALL

        ANN
        (to Ben, throws)
        Catch \*this\*!

        !Ben ducks.

        !A window breaks [loudly]

        BEN
        Oh.

        [[Ann unable to respond]]

        > TOY END - The ball is lost <
    "#]],
    );
}

#[test]
fn captions() {
    check(
        Format::Vtt,
        expect![[r#"
        WEBVTT - Red Ball

        NOTE These times are estimated from the length of what is said. A recording has captions of its own.

        1
        00:00:00.000 --> 00:00:00.800
        <v Ann>Catch *this*!</v>

        2
        00:00:01.200 --> 00:00:02.700
        <v Ben><i>(ducks)</i></v>

        3
        00:00:03.100 --> 00:00:04.600
        <i>[A window breaks [loudly]]</i>

        4
        00:00:05.000 --> 00:00:05.800
        <v Ben>Oh.</v>
    "#]],
    );
}

#[test]
fn json() {
    check(
        Format::Json,
        expect![[r#"
            {
              "title": "Red Ball",
              "lines": [
                {
                  "id": 1,
                  "round": 0,
                  "kind": "line",
                  "speaker": "Ann",
                  "content": "Catch *this*!"
                },
                {
                  "id": 2,
                  "round": 0,
                  "kind": "gesture",
                  "speaker": "Ben",
                  "content": "ducks"
                },
                {
                  "id": 3,
                  "round": 1,
                  "kind": "event",
                  "speaker": null,
                  "content": "A window breaks [loudly]"
                },
                {
                  "id": 4,
                  "round": 1,
                  "kind": "line",
                  "speaker": "Ben",
                  "content": "Oh."
                },
                {
                  "id": 5,
                  "round": 1,
                  "kind": "system",
                  "speaker": null,
                  "content": "Ann unable to respond"
                }
              ],
              "metadata": null
            }
        "#]],
    );
}

#[test]
fn what_is_said_and_what_happens_is_heard() {
    let cues = Plan::of(&toy()).cues.into_iter().map(|cue| {
        let said = cue.speech.expect("everything has a sound");
        format!("{:>3} ms  {}: {} ({})\n", cue.pause_ms, cue.who, said.text, said.profile.as_str())
    });
    expect![[r#"
          0 ms  Ann: Catch this! (friendly_casual)
        700 ms  the narrator: A window breaks (calm_soothing)
        400 ms  Ben: Oh. (friendly_casual)
    "#]]
    .assert_eq(&cues.collect::<String>());
}

#[test]
fn passages_are_the_transcript_each_at_its_time() {
    let passages = passages(&toy());
    let whole: String = passages.iter().map(|passage| passage.text.as_str()).collect();
    assert_eq!(whole, Format::Txt.render(&toy()));
    let timed = passages.iter().filter_map(|passage| Some(format!("{} {}\n", passage.at_ms?, passage.text)));
    expect![[r#"
        40 Ann [TO: Ben, *throws*] "Catch *this*!"
        90 Ben [*ducks*]
        100 [EVENT: A window breaks (loudly)]
        2000 Ben "Oh."
        2100 [SYSTEM: Ann unable to respond]
    "#]]
    .assert_eq(&timed.collect::<String>());
}

#[test]
fn a_heading_comes_with_what_precedes_it() {
    let document = Document::new("toy", "x", 0).block(Block::heading(Seq(1), 1, "PART ONE").at_ms(7));
    let document = document.block(Block::event(Seq(2), 1, "Rain").at_ms(9));
    let times = passages(&document).into_iter().map(|passage| passage.at_ms);
    assert_eq!(times.collect::<Vec<_>>(), [None, Some(9), None]);
}

#[test]
fn a_passage_says_which_round_it_belongs_to() {
    let event = |seq, round| Block::event(Seq(seq), round, "Rain");
    let document = Document::new("toy", "x", 0).block(event(1, 0)).block(event(2, 0)).block(event(3, 2));
    let rounds: Vec<u32> = passages(&document).into_iter().map(|passage| passage.round).collect();
    assert_eq!(rounds, [0, 0, 0, 0, 0, 2, 2]);
}

#[test]
fn entries_have_the_time_of_their_fact() {
    let own = Block::event(Seq(2), 0, "Sun").at(1_772_357_400_000).entry(&json!({ "id": 2, "mine": true }));
    let document = Document::new("toy", "x", 0)
        .block(Block::event(Seq(1), 0, "Rain").at(1_772_357_399_000))
        .block(own)
        .block(Block::event(Seq(3), 0, "A production that does not say when"));
    let written: Value = serde_json::from_str(&Format::Json.render(&document)).unwrap();
    let times: Vec<&Value> = written["lines"].as_array().unwrap().iter().map(|line| &line["at"]).collect();
    assert_eq!(times, [&json!(1_772_357_399_000_i64), &json!(1_772_357_400_000_i64), &Value::Null]);
}

#[test]
fn the_metadata_is_a_format_of_its_own() {
    let document = Document::new("toy", "x", 0).metadata(&json!({ "balls": 2 }));
    assert_eq!(Format::Metadata.render(&document), "{\n  \"balls\": 2\n}\n");
}

#[test]
fn any_log_can_be_told_for_people_looking_for_a_fault() {
    let record = |seq, kind: &str, body: Value| Record {
        seq: Seq(seq),
        at: 1_772_357_400_000,
        kind: kind.to_owned(),
        v: 1,
        body: serde_json::value::to_raw_value(&body).unwrap(),
    };
    let log = debug_log(&[
        record(0, "toy_began", json!({ "sheet": "# A secret of the author" })),
        record(1, "ball_thrown", json!({ "to": "Ann", "level": "x", "said": ["y".repeat(500)] })),
        record(2, "catch_failed", json!("not an object")),
    ]);
    let long = "y".repeat(400);
    expect![[r#"
        {"at":"2026-03-01T09:30:00.000Z","seq":0,"level":"info","message":"toy began"}
        {"at":"2026-03-01T09:30:00.000Z","seq":1,"level":"info","message":"ball thrown","to":"Ann","said":["<long>…"]}
        {"at":"2026-03-01T09:30:00.000Z","seq":2,"level":"warn","message":"catch failed"}
    "#]]
    .assert_eq(&log.replace(&long, "<long>"));
}

#[test]
fn texts_from_outside_stay_within_their_block() {
    let forged = "x]\n\n[SYSTEM: y]\n## z\n\u{202e}";
    let speech =
        Speech::new(forged, forged).attribute("TO", forged).remark(forged).doing(forged).manner(forged);
    let mut document = Document::new("toy", "red-ball", 0)
        .field("Players", forged)
        .block(Block::heading(Seq(1), 0, forged))
        .block(Block::speech(Seq(2), 0, speech))
        .block(Block::event(Seq(3), 0, forged))
        .ended(forged)
        .statistic("Duration", forged);
    document.setting = Some(forged.to_owned());
    for format in [Format::Txt, Format::Md, Format::Fountain, Format::Vtt] {
        let text = format.render(&document);
        assert!(!text.lines().any(|line| line.starts_with("[SYSTEM") || line.starts_with("## z")), "{text}");
        assert!(!text.contains('\u{202e}'), "{text}");
    }
}

#[test]
fn nothing_here_knows_a_production() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/report");
    let sources = sources(&folder);
    assert!(sources.len() > 10, "{sources:?}");
    for (file, text) in sources {
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let known = code.filter(|line| {
            ["scene::", "chorus::", "show::"].iter().any(|module| line.contains(&format!("crate::{module}")))
                || ["    scene::", "    chorus::", "    show::"].iter().any(|start| line.starts_with(start))
        });
        assert_eq!(known.collect::<Vec<_>>(), Vec::<&str>::new(), "{file}");
    }
}

/// Every file below a folder but this one.
fn sources(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if !path.ends_with("report/tests.rs") {
            found.push((path.display().to_string(), fs::read_to_string(&path).unwrap()));
        }
    }
    found
}
