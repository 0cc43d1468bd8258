use std::{collections::BTreeMap, fmt::Write};

use expect_test::expect;
use serde_json::value::RawValue;

use super::*;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, expecting = "an object with slots")]
#[expect(dead_code, reason = "only whether it can be read matters")]
struct Ask<'a> {
    slots: Vec<Slot>,
    beat: Option<u32>,
    mood: Option<Mood>,
    sheets: Option<BTreeMap<String, String>>,
    #[serde(borrow)]
    raw: Option<&'a RawValue>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "only whether it can be read matters")]
struct Slot {
    slot_id: u8,
    loud: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Mood {
    Calm,
    Angry,
}

#[test]
fn what_is_wrong_is_said_in_plain_words_with_the_path() {
    let long = format!(r#"{{"slots": [], "mood": "{}"}}"#, "x".repeat(300));
    let deep = format!(r#"{{"slots": {}"#, "[".repeat(1_000));
    let mut told = String::new();
    for text in [
        "",
        " \n",
        "{",
        "{]",
        "{\"slots\": [1 2]}",
        "{\"slots\" 1}",
        "{\"slots\": [],}",
        "{slots: []}",
        "{\"slots\": []} x",
        "{\"slots\": \"\u{1}\"}",
        "{\"slots\": 01}",
        "{\"slots\": [], \"beat\": 1e999}",
        &deep,
        "7",
        "null",
        "[]",
        "{}",
        "{\"slots\": {}}",
        "{\"slots\": [7]}",
        "{\"slots\": [{}]}",
        "{\"slots\": [{\"slotId\": 1}, {\"slotId\": -1}]}",
        "{\"slots\": [{\"slotId\": \"one\"}]}",
        "{\"slots\": [{\"slotId\": 1, \"loud\": 1.5}]}",
        "{\"slots\": [], \"slots\": []}",
        "{\"slots\": [], \"slot\": []}",
        "{\"slots\": [], \"colour\": []}",
        "{\"slots\": [], \"beat\": -1}",
        "{\"slots\": [], \"mood\": \"angri\"}",
        "{\"slots\": [], \"sheets\": {\"alice\": 7}}",
        "{\"slots\": [], \"sheets\": {\"alice\": null}}",
        "{\"slots\": [], \"sheets\": []}",
        &long,
    ] {
        let fault = read::<Ask<'_>>(text.as_bytes()).unwrap_err();
        let kind = if fault.is_json { "" } else { "! " };
        let hint = fault.hint.map_or(String::new(), |hint| format!(" ({hint})"));
        let _ = writeln!(told, "{kind}[{}] {}{hint}", fault.path, fault.message);
    }
    expect![[r#"
        ! [] this is no JSON: it is empty
        ! [] this is no JSON: it is empty
        ! [] this is no JSON: it ends too early
        ! [] this is no JSON: a key must be a text in double quotes
        [slots[0]] slots[0] must be an object, found 1
        ! [] this is no JSON: a colon is missing
        ! [] this is no JSON: there is a comma too many
        ! [] this is no JSON: a key must be a text in double quotes
        ! [] this is no JSON: something follows its end
        ! [] this is no JSON: a text has a line break or another control character, which must be escaped
        ! [] this is no JSON: a number is not written as JSON writes numbers
        ! [] this is no JSON: a number is too large
        [slots[0][0]] slots[0][0] must be a whole number from 0 to 255, found a list
        [] the whole must be an object with slots, found 7
        [] the whole must be an object with slots, found null
        [] the whole must be an object with slots, found a list of 0
        [slots] slots is missing
        [slots] slots must be a list, found an object
        [slots[0]] slots[0] must be an object, found 7
        [slots[0].slotId] slots[0].slotId is missing
        [slots[1].slotId] slots[1].slotId must be a whole number from 0 to 255, found -1
        [slots[0].slotId] slots[0].slotId must be a whole number from 0 to 255, found "one"
        [slots[0].loud] slots[0].loud must be true or false, found 1.5
        [slots] slots is given twice
        [slot] there is no field 'slot' here (did you mean 'slots'?)
        [colour] there is no field 'colour' here (there are: slots, beat, mood, sheets, raw)
        [beat] beat must be a whole number from 0 to 4294967295, found -1
        [mood] mood must be calm or angry, found 'angri' (did you mean 'angry'?)
        [sheets.alice] sheets.alice must be a text, found 7
        [sheets.alice] sheets.alice must be a text, found null
        [sheets] sheets must be an object, found a list
        [mood] mood must be calm or angry, found 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…'
    "#]].assert_eq(&told);
}

#[test]
fn what_is_right_is_read() {
    let text = br#"{"slots": [{"slotId": 3}], "mood": "calm", "raw": {"a":  1}}"#;
    let read: Ask<'_> = read(text).unwrap();
    assert_eq!(read.slots[0].slot_id, 3);
    // What is read later is borrowed from the text, so that its place in it is known.
    let raw = read.raw.unwrap().get();
    assert_eq!(raw, r#"{"a":  1}"#);
    assert!(text.as_ptr_range().contains(&raw.as_ptr()));
}

#[test]
fn every_line_of_the_table_can_be_read() {
    let lines = WORDS.lines().filter(|line| !line.is_empty() && !line.starts_with(['#', '[']));
    for line in lines {
        assert!(
            line.split_once(" => ").is_some_and(|(said, plain)| !said.is_empty() && !plain.is_empty()),
            "{line}"
        );
    }
}
