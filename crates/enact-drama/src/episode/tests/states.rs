//! The director as a table: what is said goes in, what it keeps comes out. Lines that begin with `>` are the
//! user's, the others are answers.

use expect_test::{Expect, expect};

use super::{Played, template};

fn check(front_matter: &str, script: &str, state: &Expect) {
    let mut played = Played::begin(template(front_matter));
    let mut lines = script.lines().map(str::trim).filter(|line| !line.is_empty());
    while let (Some(user), Some(said)) = (lines.next(), lines.next()) {
        played.exchange(user.trim_start_matches("> "), said);
    }
    let kept = played.episode.director_state();
    let between = played.episode.relationship().map(|one| one.tone.clone()).unwrap_or_default();
    let found: Vec<String> = played
        .episode
        .flags()
        .iter()
        .map(|(flag, finding)| {
            format!("{flag} by {}: {}", finding.rule, finding.quote.as_deref().unwrap_or("-"))
        })
        .collect();
    let text = format!(
        "beat {} after {}\nsignals {}\ntension {} {:?}\nbetween them {between}\n{}{}",
        kept["current_beat"].as_str().unwrap_or_default(),
        kept["beats_completed"],
        kept["user_signals"],
        kept["tension_curve"],
        played.episode.pace(),
        found.iter().map(|one| format!("{one}\n")).collect::<String>(),
        match played.episode.completed.as_ref() {
            Some((trigger, ending)) => format!("complete by {trigger:?}, ending {ending:?}\n"),
            None => String::new(),
        },
    );
    state.assert_eq(&text);
}

#[test]
fn small_talk_moves_little() {
    check(
        "turn_budget: 8",
        "> Nice place you have here, all in all.
         Thank you.
         > What is that on the wall?
         A clock.",
        &expect![[r#"
            beat complication after ["establishment"]
            signals {"curious":1}
            tension [0.3,0.3] Build
            between them polite
        "#]],
    );
}

#[test]
fn a_quarrel_and_its_end() {
    check(
        "turn_budget: 4\ntension: 40\nflags:\n  - {flag: sorry, when: \"semantic: the user apologizes to Mina\"}",
        "> You lied to me! Get out!
         No.
         > I hate you.
         I know.
         > I'm sorry, Mina. I was wrong.
         So was I.
         > Then good night.
         Good night.",
        &expect![[r#"
            beat resolution after ["establishment","complication","escalation","pivot","resolution"]
            signals {"hesitant":1,"hostile":2}
            tension [0.46,0.52,0.51,0.51] Build
            between them at odds
            sorry by semantic: I'm sorry, Mina. I was wrong.
        "#]],
    );
}

#[test]
fn an_accusation_with_its_clues() {
    check(
        r#"completion_mode: objective
completion_criteria: {objective_key: accused}
flags:
  - {flag: clue_letter, when: "keyword: letter"}
  - {flag: accused, when: "semantic: the user accuses Dr. Vale"}
endings:
  - {id: solved, when: "flag: clue_letter", priority: 2, text: Solved.}
  - {id: guessed, when: automatic, priority: 1, text: Guessed.}"#,
        "> I never saw a letter.
         No?
         > But here is the letter, under the rug.
         Oh.
         > Was it Dr. Vale?
         Who knows.
         > It was Dr. Vale. He wrote it.
         God.",
        &expect![[r#"
            beat complication after ["establishment"]
            signals {}
            tension [0.3,0.3,0.3,0.3] Build
            between them polite
            accused by semantic: It was Dr. Vale.
            clue_letter by keyword: But here is the letter, under the rug.
            complete by ObjectiveMet, ending Some("solved")
        "#]],
    );
}

#[test]
fn a_flirt_that_pauses() {
    check(
        "completion_mode: turn_limited\nturn_budget: 3\nevaluation: flirt_archetype",
        "> Not yet... ask me again later.
         Why later?
         > You'll see. Closer...
         Like this?
         > Almost.
         Hm.",
        &expect![[r#"
            beat pivot after ["establishment","complication","escalation","pivot"]
            signals {"teasing_pause":3,"terse":1}
            tension [0.34,0.38,0.42] Build
            between them charged
            complete by TurnLimit, ending None
        "#]],
    );
}
