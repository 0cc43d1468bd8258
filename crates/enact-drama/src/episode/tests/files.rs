//! Episode and series files, good and bad.

use crate::episode::{CompletionMode, read_episode, read_series};

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
