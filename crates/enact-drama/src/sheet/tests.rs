use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;

/// The requirements' example, verbatim.
const ALICE: &str = "\
# Alice - Senior Project Manager

## Personality
- Highly organized and detail-oriented
- Direct communicator, sometimes too blunt
- Passionate about quality and meeting commitments
- Struggles with work-life balance
- Deep sense of responsibility for team success

## Communication Style
- Gets straight to the point
- Uses precise language
- Raises voice when frustrated
- Maintains eye contact to assert authority
- Prone to interrupting when passionate about topic

## Background
- 8 years at the company
- Promoted to senior PM 2 years ago
- Has mentored Bob since he joined
- Recently dealing with stress from upper management pressure

## Behavioral Traits
- When angry: Speaks faster, uses clipped sentences
- When disappointed: Becomes very quiet, measured words
- When pleased: Relaxes posture, uses more humor
- Default state: Professional but warm

## Scene-Specific Instructions
- You value Bob's potential but feel let down by this mistake
- You're under pressure from your own boss about the Henderson loss
- You want resolution but also accountability
- You're open to reconciliation if Bob shows genuine understanding
";

fn check(text: &str, expected: Expect) {
    let shown = match Sheet::read("alice", text) {
        Ok(sheet) => {
            let mut out = format!("{} | {}\n", sheet.display, sheet.title.as_deref().unwrap_or("-"));
            for (key, value) in [
                ("description", &sheet.description),
                ("model", &sheet.model),
                ("voice", &sheet.voice),
                ("language", &sheet.language),
            ] {
                if let Some(value) = value {
                    out.push_str(&format!("{key}: {value}\n"));
                }
            }
            if let Some(tools) = &sheet.tools {
                out.push_str(&format!("tools: {tools}\n"));
            }
            for (key, value) in &sheet.other {
                out.push_str(&format!("other {key}: {value}\n"));
            }
            for section in &sheet.sections {
                out.push_str(&format!("# {}\n", section.heading));
                for point in &section.points {
                    out.push_str(&format!("  {point}\n"));
                }
            }
            out
        }
        Err(problem) => format!("{problem}\nhint: {}\n", problem.hint.as_deref().unwrap_or("-")),
    };
    expected.assert_eq(&shown);
}

#[test]
fn the_seed_s_alice() {
    check(
        ALICE,
        expect![[r#"
        Alice | Senior Project Manager
        # Alice - Senior Project Manager
        # Personality
          Highly organized and detail-oriented
          Direct communicator, sometimes too blunt
          Passionate about quality and meeting commitments
          Struggles with work-life balance
          Deep sense of responsibility for team success
        # Communication Style
          Gets straight to the point
          Uses precise language
          Raises voice when frustrated
          Maintains eye contact to assert authority
          Prone to interrupting when passionate about topic
        # Background
          8 years at the company
          Promoted to senior PM 2 years ago
          Has mentored Bob since he joined
          Recently dealing with stress from upper management pressure
        # Behavioral Traits
          When angry: Speaks faster, uses clipped sentences
          When disappointed: Becomes very quiet, measured words
          When pleased: Relaxes posture, uses more humor
          Default state: Professional but warm
        # Scene-Specific Instructions
          You value Bob's potential but feel let down by this mistake
          You're under pressure from your own boss about the Henderson loss
          You want resolution but also accountability
          You're open to reconciliation if Bob shows genuine understanding
    "#]],
    );
    let sheet = Sheet::read("alice", ALICE).unwrap();
    assert_eq!(sheet.body, ALICE);
    assert_eq!(sheet.section("communication style")[1], "Uses precise language");
    assert!(sheet.section("Hobbies").is_empty());
}

#[test]
fn an_agent_of_another_program() {
    check(
        "---\nname: alice\ndescription: \"Use when: Alice speaks\"\nmodel: sonnet\ntools: Read, Grep\ncolor: red\nlimits: {turns: 3}\n---\n\nYou are Alice, a **very** strict\nproject manager.\n\nYou never lie.\n",
        expect![[r#"
            Alice | -
            description: Use when: Alice speaks
            model: sonnet
            tools: "Read, Grep"
            other color: "red"
            other limits: {"turns":3}
            # 
              You are Alice, a very strict project manager.
              You never lie.
        "#]],
    );
}

#[test]
fn the_model_s_place_is_kept() {
    let sheet = Sheet::read("alice", "---\nname: Alice\nmodel: lead\n---\nx").unwrap();
    assert_eq!(
        (sheet.model.as_deref(), sheet.model_place),
        (Some("lead"), Some(Place { line: 3, column: 8 }))
    );
}

#[test]
fn front_matter_names_the_character() {
    check(
        "---\nname: Alicia Keys\nvoice: warm_professional\nlanguage: French\ntools: [Read]\nmodel:\n---\n# Alice - PM\nx\n",
        expect![[r#"
            Alicia Keys | PM
            voice: warm_professional
            language: French
            tools: ["Read"]
            # Alice - PM
              x
        "#]],
    );
    check(
        "---\r\nname: Alicia\r\n---\r\n# A\r\n- one\r\n  two\r\n",
        expect![[r#"
        Alicia | -
        # A
          one two
    "#]],
    );
}

#[test]
fn markdown_as_people_write_it() {
    check(
        "\u{feff}Intro line\ngoes on.\n\n# Personality\n* **Bold:** strokes\n  go on here\n+ plus\n  - nested\n1. first\n2) second\n\n> quoted\n> twice\n\n***\nA paragraph\nof two lines.\n- right after\n\n### Sub ###\n#hashtag is no heading\n```\n# not a heading\n```\n2024 was a good year.\n##\n- \n",
        expect![[r#"
            Personality | -
            # 
              Intro line goes on.
            # Personality
              Bold: strokes go on here
              plus
              nested
              first
              second
              quoted twice
              A paragraph of two lines.
              right after
            # Sub
              #hashtag is no heading
              # not a heading
              2024 was a good year.
            # 
        "#]],
    );
}

#[test]
fn a_first_heading_that_is_not_about_who_this_is() {
    check(
        "## Personality\n- calm\n",
        expect![[r#"
        Alice | -
        # Personality
          calm
    "#]],
    );
    check(
        "# Personality\n- calm\n# Background\n- a girl\n",
        expect![[r#"
        Alice | -
        # Personality
          calm
        # Background
          a girl
    "#]],
    );
    check(
        "## Alice Liddell: a girl\n- calm\n",
        expect![[r#"
        Alice Liddell | a girl
        # Alice Liddell: a girl
          calm
    "#]],
    );
}

#[test]
fn sheets_that_cannot_be_cast() {
    check(
        "",
        expect![[r#"
        Failed to load character 'alice': alice.md is empty
        hint: describe the character in it: personality, way of speaking, background
    "#]],
    );
    check(
        " \n\t\n",
        expect![[r#"
        Failed to load character 'alice': alice.md is empty
        hint: describe the character in it: personality, way of speaking, background
    "#]],
    );
    check(
        "---\nname: Alice\n---\n\n",
        expect![[r#"
        Failed to load character 'alice': alice.md is empty
        hint: describe the character in it: personality, way of speaking, background
    "#]],
    );
    check(
        "---\nname: Alice\n",
        expect![[r#"
        line 1, column 1: Failed to load character 'alice': the front matter that begins here does not end
        hint: close it with a line '---' below the last key
    "#]],
    );
    check(
        "---\ndescription: Use when: always\n---\nx",
        expect![[r#"
        line 2, column 22: Failed to load character 'alice': the front matter is not valid YAML: mapping values are not allowed in this context
        hint: text with a colon and a space in it needs quotes around it
    "#]],
    );
    check(
        "---\nname: [a]\n---\nx",
        expect![[r#"
        line 2, column 7: Failed to load character 'alice': name must be text, found a list
        hint: -
    "#]],
    );
    check(
        "---\nvoice: 7\n---\nx",
        expect![[r#"
        line 2, column 8: Failed to load character 'alice': voice must be text, found 7
        hint: put it in quotes to make it text
    "#]],
    );
    check(
        &"x".repeat(LARGEST_SHEET_BYTES + 1),
        expect![[r#"
        Failed to load character 'alice': alice.md is larger than 256 KiB
        hint: -
    "#]],
    );
    let problem = Sheet::read("alice", "---\nname: Alice\n").unwrap_err();
    assert_eq!(problem.context["character"], "alice");
}

#[test]
fn names_of_the_moderator_are_refused() {
    let mut told = String::new();
    for (file, text) in [
        ("bob", "---\nname: SYSTEM\n---\n# Bob\n"),
        ("bob", "---\nname: '[Event]'\n---\n# Bob\n"),
        ("bob", "# ＥＶＥＮＴ - a stranger\n"),
        ("system", "Keeps the ship running.\n"),
        ("system", "# The Ship's Computer\n\n- Keeps the ship running.\n"),
    ] {
        told += &match Sheet::read(file, text) {
            Ok(sheet) => format!("{}\n", sheet.display),
            Err(problem) => format!("{problem} [{}]\n", problem.hint.as_deref().unwrap_or("-")),
        };
    }
    expect![[r#"
        Failed to load character 'bob': nobody can be called SYSTEM on stage: the moderator's lines begin with it [give the character another 'name:' in the front matter of its sheet]
        Failed to load character 'bob': nobody can be called Event on stage: the moderator's lines begin with it [give the character another 'name:' in the front matter of its sheet]
        Failed to load character 'bob': nobody can be called ＥＶＥＮＴ on stage: the moderator's lines begin with it [give the character another 'name:' in the front matter of its sheet]
        Failed to load character 'system': nobody can be called System on stage: the moderator's lines begin with it [give the character another 'name:' in the front matter of its sheet]
        The Ship's Computer
    "#]]
    .assert_eq(&told);
}

proptest! {
    #[test]
    fn any_text_reads_or_is_refused(text in "(---\n(name: \\PC{0,60}\n)?---\n)?(#{0,3} ?\\PC{0,60}\n|\\PC{0,30})*") {
        if let Ok(sheet) = Sheet::read("alice", &text) {
            let display = &sheet.display;
            prop_assert!(!display.trim().is_empty() && display.chars().count() <= 40);
            prop_assert!(!display.contains(|c: char| c.is_control() || "[]\":\n".contains(c)), "{:?}", display);
        }
    }
}

#[test]
fn a_sheet_takes_another_voice_and_stays_what_it_is() {
    for text in [
        "# Alice - Pilot\n\n## Wants\n- Peace\n",
        "---\nname: Alice\nvoice: warm_professional\nmodel: sonnet\n---\n# Alice - Pilot\n\n## Wants\n- Peace\n",
        "---\r\nlanguage: French\r\nvoice: warm_professional\r\n---\r\n# Alice\r\n",
        "--- \nlanguage: French\nother: 1\n---\t\n# Alice\n",
        "---\n\"voice\": warm_professional\nlanguage: French\n---\n# Alice\n",
        "---\nname: Alice\n'voice': >\n  warm_professional\n  2\n---\n# Alice\n",
        "---\n---\n# Alice\n",
        "\u{feff}---\nlanguage: French\n---\n# Alice\n",
    ] {
        let (before, voiced) = (
            Sheet::read("alice", text).unwrap(),
            Sheet::with_voice("alice", text, " calm_soothing\n2").unwrap(),
        );
        let after = Sheet::read("alice", &voiced).unwrap();
        assert_eq!(after.voice.as_deref(), Some("calm_soothing 2"), "{voiced}");
        let but_voice = |sheet: Sheet| Sheet { voice: None, model_place: None, ..sheet };
        assert_eq!(but_voice(after), but_voice(before), "{voiced}");
    }
}

#[test]
fn a_sheet_that_another_voice_would_break_is_refused() {
    for text in [
        "---\n{voice: warm_professional, language: French}\n---\n# Alice\n",
        "---\nlanguage: French\n# Alice\n",
    ] {
        assert!(Sheet::with_voice("alice", text, "calm_soothing").is_err(), "{text}");
    }
}
