//! People who play in a terminal, or through a pipe.

use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{Command, Stdio},
};

use crate::project::Project;

const SCENE: &str = "---
name: tea
characters: [alice, bob]
initialSpeaker: alice
maxBeats: 3
seed: 3
---
Alice and Bob have tea. Nothing has to happen.
";

fn project() -> Project {
    let project = Project::new();
    project.write("scene.md", SCENE);
    project
}

fn alices(transcript: &str) -> Vec<String> {
    transcript.lines().filter(|line| line.starts_with("Alice [")).map(str::to_owned).collect()
}

#[test]
fn lines_of_a_pipe_are_answers_in_order() {
    let ran = project().run_with_input(
        &["run", "scene.md", "--model", "alice=human"],
        b"Hello, Bob.\n(pours) Tea?\n\nnever read\n",
    );
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(
        alices(&ran.stdout),
        [r#"Alice [TONE: neutral] "Hello, Bob.""#, r#"Alice [TONE: neutral, *pours*] "Tea?""#],
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("played by: human (a person, who answers with commands), as Alice"));
    assert!(!ran.stderr.contains("end of input"), "{}", ran.stderr);
}

#[test]
fn at_the_end_of_input_people_are_silent_for_the_rest() {
    for input in ["", "Hello, Bob.\n", "Hello, Bob."] {
        let ran = project().run_with_input(&["run", "scene.md", "--model", "alice=human"], input.as_bytes());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert_eq!(alices(&ran.stdout).len(), usize::from(!input.is_empty()), "{}", ran.stdout);
        assert_eq!(
            ran.stderr.matches("end of input: people are silent from here on").count(),
            1,
            "{}",
            ran.stderr
        );
        assert!(!ran.stdout.contains("SYSTEM"), "{}", ran.stdout);
    }
}

#[test]
fn two_people_are_asked_one_after_the_other() {
    let ran = project()
        .run_with_input(&["run", "scene.md", "--model", "human", "--max-beats", "2"], b"One\nTwo\nThree\n");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let lines: Vec<&str> = ran.stdout.lines().filter(|line| line.contains("[TONE: neutral]")).collect();
    assert_eq!(
        lines,
        [
            r#"Alice [TONE: neutral] "One""#,
            r#"Alice [TONE: neutral] "Two""#,
            r#"Bob [TONE: neutral] "Three""#
        ]
    );
}

/// Killed while a person is asked, a run asks again when it is resumed, and says nothing twice.
#[test]
fn a_killed_run_asks_again() {
    let project = project();
    let mut child = project
        .command(&["run", "scene.md", "--model", "alice=human"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"Hello, Bob.\n").unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    assert!(lines.any(|line| line.starts_with("Alice [")), "the run ended too early");
    child.kill().unwrap();
    child.wait().unwrap();
    let ran = project.run_with_input(&["run", "--resume", "latest"], b"Where was I?\n");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(
        alices(&ran.stdout),
        [r#"Alice [TONE: neutral] "Hello, Bob.""#, r#"Alice [TONE: neutral] "Where was I?""#],
        "{}",
        ran.stdout
    );
    // The whole of it is played again without anybody.
    let first =
        ran.stdout.lines().filter(|line| line.contains("] \"")).map(str::to_owned).collect::<Vec<_>>();
    let again = project.run(&["run", "scene.md", "--model", "recorded:latest"]);
    assert_eq!(again.code, 0, "{}", again.stderr);
    let replayed: Vec<String> =
        again.stdout.lines().filter(|line| line.contains("] \"")).map(str::to_owned).collect();
    assert_eq!(replayed, first);
    // A fork is created, and waits to be resumed.
    let forked = project.run(&["fork", "latest", "--beat", "0"]);
    assert_eq!(forked.code, 0, "{}", forked.stderr);
}

#[test]
fn people_fork_by_hand() {
    let project = project();
    let args = ["run", "scene.md", "--model", "alice=human"];
    assert_eq!(project.run_with_input(&args, b"One.\nTwo.\n").code, 0);
    let forked = project.run(&["fork", "latest", "--beat", "0"]);
    assert_eq!(forked.code, 0, "{}", forked.stderr);
    let resume = forked.stdout.trim().strip_prefix("Play on: enact run --resume ").unwrap_or_else(|| {
        panic!("{}", forked.stdout);
    });
    let ran = project.run_with_input(&["run", "--resume", resume], b"Another.\n");
    assert_eq!(
        alices(&ran.stdout)[..2],
        [r#"Alice [TONE: neutral] "One.""#, r#"Alice [TONE: neutral] "Another.""#],
        "{}",
        ran.stdout
    );
}

#[test]
fn people_play_characters_in_scenes_and_nothing_else() {
    let project = project();
    for (args, told) in [
        (
            &["run", "scene.md", "--judge", "human"][..],
            "--judge must be a language model, found a person ('human')",
        ),
        (&["run", "scene.md", "--events", "human"], "--events must be a language model"),
        (
            &["compare", "scene.md", "--with", "human", "--with", "improviser"],
            "'alice' is played by a person, and no person is asked in a comparison",
        ),
    ] {
        let ran = project.run(args);
        assert!(ran.code != 0 && ran.stderr.contains(told), "{args:?}: {}", ran.stderr);
    }
    project.write("enact.toml", "[[chorus.agents]]\nid = \"me\"\nmodel = \"human\"\n");
    let ran = project.run(&["chorus", "Hello"]);
    assert!(ran.code != 0 && ran.stderr.contains("'human' is for scenes"), "{}", ran.stderr);
    project.write("enact.toml", "default = \"human\"\n");
    let ran = project.run(&["chorus", "Hello"]);
    assert!(ran.code != 0 && ran.stderr.contains("'human' is for scenes"), "{}", ran.stderr);
    project.write("enact.toml", "");
    let models = project.run(&["models"]);
    assert!(models.stdout.contains("human"), "{}", models.stdout);
    // Sheets may wish for a person.
    project.write(".claude/agents/alice.md", "---\nmodel: human\n---\n# Alice\n");
    let ran = project.run_with_input(&["run", "scene.md"], b"It is me.\n");
    assert_eq!(alices(&ran.stdout), [r#"Alice [TONE: neutral] "It is me.""#], "{}", ran.stdout);
}

/// On a real terminal there is a prompt, and Ctrl-D means silence.
#[test]
fn a_terminal_prompts_by_name() {
    let project = project();
    let command = format!("{} run scene.md --model alice=human --pace 0", env!("CARGO_BIN_EXE_enact"));
    let mut child = Command::new("script")
        .args(["-qec", &command, "/dev/null"])
        .current_dir(project.path())
        .env("TERM", "xterm-256color")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("script is part of every Debian");
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut screen = String::new();
    let mut until = |screen: &mut String, text: &str| {
        let mut byte = [0; 1];
        while !screen.ends_with(text) {
            assert_eq!(stdout.read(&mut byte).unwrap(), 1, "{text:?} never came: {screen}");
            screen.push(char::from(byte[0]));
        }
    };
    until(&mut screen, "alice> ");
    stdin.write_all(b"Hello there\n").unwrap();
    // How it was said stands above what was said.
    until(&mut screen, "(neutral)");
    until(&mut screen, "alice> ");
    stdin.write_all(b"\x04").unwrap();
    until(&mut screen, "end of input: people are silent from here on");
    stdout.read_to_string(&mut screen).ok();
    assert!(child.wait().unwrap().success(), "{screen}");
    assert_eq!(screen.matches("alice> ").count(), 2, "nobody is prompted after that: {screen}");
}
