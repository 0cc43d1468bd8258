//! On a real terminal: colours, who is thinking, goals ticking off.

use std::process::Command;

use crate::project::Project;

/// Runs the binary under `script`, which gives it a terminal, and returns all that reached the screen.
fn on_a_terminal(project: &Project, args: &str, env: &[(&str, &str)]) -> String {
    let command = format!("{} {args}", env!("CARGO_BIN_EXE_enact"));
    let output = Command::new("script")
        .args(["-qec", &command, "/dev/null"])
        .current_dir(project.path())
        .env("TERM", "xterm-256color")
        .env_remove("NO_COLOR")
        .envs(env.iter().copied())
        .output()
        .expect("script is part of every Debian");
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

fn project() -> Project {
    let project = Project::new();
    project.write("scene.md", "---\nname: late\ncharacters: [alice, bob]\ninitialSpeaker: bob\n---\nBob apologizes. Alice accepts.\n");
    project
}

#[test]
fn names_are_coloured_goals_tick_off_and_somebody_is_thinking() {
    let screen = on_a_terminal(&project(), "run scene.md --pace 0.15 --seed 3", &[]);
    assert!(screen.contains("\u{1b}[36mAlice\u{1b}[0m"), "{screen}");
    assert!(screen.contains("✓ Bob apologizes") && screen.contains("✓ Alice accepts"), "{screen}");
    assert!(screen.contains("thinking: Alice, Bob"), "{screen}");
    assert!(screen.contains("goals 1/2"), "{screen}");
    assert!(screen.contains("beat 2 of at most 50"), "{screen}");
}

#[test]
fn no_color_means_no_colour() {
    let screen = on_a_terminal(&project(), "run scene.md --pace 0 --seed 3", &[("NO_COLOR", "1")]);
    let colours = screen.matches("\u{1b}[3").count();
    assert_eq!(colours, 0, "{screen}");
    assert!(screen.contains("Alice (to Bob, "), "{screen}");
}

const SCRIPT: &str = r#"
beat 0
bob: [TO: Alice, TONE: breathless] "Look, I can explain, it's the bus that broke down, and I'd have called you, but the telephone at the stop was out of order."
beat 1
alice: [INTERRUPT after "I can explain", TONE: cold] "You call that 'explaining'?"
bob: [SILENT, *looks at his shoes*]
beat 2
bob: [TO: Alice, TONE: remorseful] "You're right. I'm sorry."
alice: [REACT, TONE: softer, *sighs*]
beat 3
alice: [TO: Bob, TONE: warm, *smiles*] "I accept your apology."
"#;

fn scripted() -> Project {
    let project = Project::new();
    project.write(
        "scene.md",
        "---\nname: late\ncharacters: [alice, bob]\ninitialSpeaker: bob\nsetting: A café\nstageDirections: true\n\
         events: [{beat: 1, text: A tram rattles by.}]\n---\nBob apologizes. Alice accepts.\n",
    );
    project.write("script.txt", SCRIPT);
    project
}

/// What stays on the screen: without colours, carriage returns and the line that is redrawn.
fn plain(screen: &str) -> String {
    let mut text = String::new();
    let mut chars = screen.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' if chars.next_if_eq(&'[').is_some() => {
                while chars.next_if(|c| !c.is_ascii_alphabetic()).is_some() {}
                // The line that is redrawn is wiped away before another takes its place.
                if chars.next() == Some('K') {
                    text.truncate(text.rfind('\n').map_or(0, |end| end + 1));
                }
            }
            '\r' => {}
            c => text.push(c),
        }
    }
    text
}

#[test]
fn a_reader_is_shown_prose_and_a_pipe_what_stands_in_transcripts() {
    let project = scripted();
    let play = "run scene.md --model script:script.txt --seed 7 --pace 0";
    let screen = on_a_terminal(&project, play, &[("COLUMNS", "80")]);
    let shown = plain(&screen);
    for part in [
        "Late with Alice, Bob\n",
        "Bob (to Alice, breathless)\n  “Look, I can explain, it’s the bus",
        "(Bob is cut off: “Look, I can explain—”)\n",
        "Alice (interrupting, cold)\n  “You call that ‘explaining’?”\n",
        "Bob (looks at his shoes)\n",
        "  · A tram rattles by.\n",
        "Alice (softer; sighs)\n",
        "Alice (to Bob, warm; smiles)\n  “I accept your apology.”\n",
        "Goal achieved after 4 beats, seed 7.\n",
    ] {
        assert!(shown.contains(part), "{part}\n{shown}");
    }
    assert!(!shown.contains("[SCENE END") && !shown.contains("TONE:"), "{shown}");
    assert!(shown.lines().all(|line| line.chars().count() <= 88), "{shown}");

    let replayed = plain(&on_a_terminal(&project, "replay latest", &[]));
    expect_test::expect![[r#"
        Late
        A café

        Bob (to Alice, breathless)
          “Look, I can explain—”

        Alice (interrupting, cold)
          “You call that ‘explaining’?”

        Bob (looks at his shoes)

          · A tram rattles by.

        Bob (to Alice, remorseful)
          “You’re right. I’m sorry.”

        Alice (softer; sighs)

        Alice (to Bob, warm; smiles)
          “I accept your apology.”

        Goal: Achieved
    "#]]
    .assert_eq(&replayed);
    let wire = plain(&on_a_terminal(&project, "replay latest --format wire", &[]));
    assert_eq!(wire, project.read("data/scenes/late/transcript.txt"));
    assert_eq!(project.run(&["replay", "latest"]).stdout, wire, "a pipe gets the transcript");
    assert_eq!(plain(&on_a_terminal(&project, "export latest --format txt", &[])), wire);
    let asked = project.run(&["replay", "latest", "--format", "reader"]).stdout;
    assert_eq!(asked, replayed, "also where no person reads along");

    let wire = plain(&on_a_terminal(&project, &format!("{play} --format wire"), &[]));
    assert!(wire.contains("Alice [INTERRUPT after") && wire.contains("[SCENE END"), "{wire}");
    let bad = project.run(&["run", "scene.md", "--format", "prose"]);
    assert_eq!(bad.code, 2);
    assert!(bad.stderr.contains("use 'reader' or 'wire'"), "{}", bad.stderr);
}
