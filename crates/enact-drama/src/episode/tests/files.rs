//! Episode and series files, good and bad.

use crate::episode::{CompletionMode, episode_warnings, read_episode, read_series, unread_conditions};

#[test]
fn ten_lines_are_an_episode() {
    let text = "---\ntitle: Last Train\ncharacter: mina\ncompletion_mode: turn_limited\nturn_budget: 7\n---\n\
                A platform at night.\n\n## Opening\nYou missed it too?\n";
    let template = read_episode(text, "last-train").unwrap();
    assert_eq!(template.completion_mode, CompletionMode::TurnLimited);
    assert_eq!(template.situation, "A platform at night.");
    assert_eq!(template.opening_line, "You missed it too?");
    assert_eq!(template.turn_limit(), Some(7));
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    // The front matter, and what the problem says.
    let cases = [
        ("title: x", "the episode has no 'character'"),
        ("character: mina\nturns: 7", "unknown key 'turns'"),
        ("character: mina\ncompletion_mode: objective", "there is no objective_key"),
        (
            "character: mina\ncompletion_mode: objective\ncompletion_criteria: {objective_key: done}",
            "nothing in the episode can set 'done'",
        ),
        ("character: mina\nturn_budget: 0", "turn_budget"),
        ("character: mina\ntension: 200", "tension"),
        ("character: mina\nevaluation: flirt_archetyp", "there is no evaluation 'flirt_archetyp'"),
        ("character: mina\nbeats: [{id: a}]", "beats[0] has no 'instruction'"),
        ("character: mina\nflags: [{flag: a, when: \"sometimes\"}]", "flags[0].when"),
        (
            "character: mina\nendings: [{id: a, when: automatic}, {id: b, when: automatic}]",
            "the endings 'a' and 'b' have the same priority",
        ),
    ];
    for (front_matter, message) in cases {
        let text = format!("---\n{front_matter}\n---\nA bar.\n");
        let problem = read_episode(&text, "test").expect_err(front_matter);
        assert!(problem.message.contains(message), "{front_matter}: {}", problem.message);
    }
}

#[test]
fn a_series_lists_its_episodes() {
    let series =
        read_series("---\ntype: serial\nepisodes: [one, two]\n---\nA murder.\n", "the-house").unwrap();
    assert_eq!(series.title, "The House");
    assert_eq!(series.episodes, ["one", "two"]);
    assert!(read_series("---\nepisode: [one]\n---\n", "x").is_err());
}

/// Whatever is wrong points at the line in which it stands, and at what was probably meant.
#[test]
fn what_is_found_out_at_the_end_has_its_place_too() {
    // Lines of the front matter below the character, the line that is at fault, and what is said of it.
    let cases: [(&[&str], usize, &str, Option<&str>); 9] = [
        (
            &["evaluation: flirt_archetyp"],
            3,
            "there is no evaluation",
            Some("did you mean 'flirt_archetype'?"),
        ),
        (
            &[
                "completion_mode: objective",
                "completion_criteria:",
                "  objective_key: acused",
                "flags:",
                "  - {flag: accused, when: \"keyword: i accuse\"}",
            ],
            5,
            "nothing in the episode can set 'acused'",
            Some("did you mean 'accused'?"),
        ),
        (
            &["beats:", "  - id: a", "    instruction: x", "    requires_beat: [b]"],
            6,
            "the beat 'a' requires a beat 'b', which is not there",
            None,
        ),
        (
            &["beats:", "  - {id: a, instruction: x}", "  - {id: a, instruction: y}"],
            5,
            "two beats are called 'a'",
            None,
        ),
        (
            &["beats:", "  - id: phone", "    instruction: x", "    requires_flag: [rang]", "    sets: rung"],
            6,
            "the beat 'phone' waits for the flag 'rang', which nothing sets",
            Some("did you mean 'rung'?"),
        ),
        (&["inject:", "  - {if_flag: a, inject: b}"], 4, "inject[0] waits for the flag 'a'", None),
        (&["beats:", "  - {id: a, instruction: x, turn: 5, deadline: 3}"], 4, "is due in turn 5", None),
        (
            &["flags:", "  - flag: a", "    when: \"keywrd: b\""],
            5,
            "flags[0].when must be",
            Some("did you mean 'keyword'?"),
        ),
        (
            &["endings:", "  - {id: a}", "  - {id: b}"],
            5,
            "the endings 'a' and 'b' have the same priority",
            None,
        ),
    ];
    for (lines, line, message, hint) in cases {
        let text = format!("---\ncharacter: mina\n{}\n---\nA bar.\n", lines.join("\n"));
        let problem = read_episode(&text, "test").expect_err(&text);
        assert!(problem.message.contains(message), "{text}: {}", problem.message);
        assert_eq!(problem.place.map(|place| place.line), Some(line), "{text}: {problem}");
        if let Some(hint) = hint {
            assert_eq!(problem.hint.as_deref(), Some(hint), "{text}");
        }
    }
}

#[test]
fn budgets_beyond_what_people_finish_are_warned_of() {
    let warnings = |front_matter: &str| {
        let text = format!("---\ncharacter: mina\nopening_line: Hi.\n{front_matter}\n---\nA bar.\n");
        episode_warnings(&read_episode(&text, "test").unwrap())
    };
    let limited = |turns: u32| format!("completion_mode: turn_limited\nturn_budget: {turns}");
    for (turns, fits) in
        [(3, false), (4, true), (5, true), (7, true), (9, false), (10, true), (12, true), (13, false)]
    {
        assert_eq!(warnings(&limited(turns)).is_empty(), fits, "{turns}");
        let flirt = warnings(&format!("{}\nevaluation: flirt_archetype", limited(turns)));
        assert_eq!(flirt.is_empty(), (6..=8).contains(&turns), "a flirt test of {turns}");
    }
    assert!(warnings("").is_empty(), "an open episode has no budget");
    let late = warnings(&format!("{}\nbeats: [{{id: a, instruction: x, turn: 9}}]", limited(7)));
    assert_eq!(late, ["the beat 'a' is due in turn 9, and there are 7"]);
    let open = warnings("endings: [{id: a}]");
    assert!(open[0].contains("never completes"), "{open:?}");
}

#[test]
fn a_sentence_that_rules_cannot_read_is_named() {
    let unread = |when: &str| {
        let text = format!(
            "---\ncharacter: jonas\nflags:\n  - {{flag: done, when: \"semantic: {when}\"}}\n---\nA house.\n"
        );
        unread_conditions(&read_episode(&text, "test").unwrap(), "Jonas")
    };
    for sentence in
        ["somebody flarbs", "the user flarbs Jonas", "it gets dark", "Jonas blinkers", "the mood changes"]
    {
        let warnings = unread(sentence);
        assert_eq!(warnings.len(), 1, "{sentence}");
        assert!(warnings[0].contains(sentence) && warnings[0].contains("the flag 'done'"), "{warnings:?}");
    }
    for sentence in
        ["the user apologizes to Jonas", "the user accuses Jonas", "Jonas admits it", "the visitor agrees"]
    {
        assert!(unread(sentence).is_empty(), "{sentence}");
    }
}
