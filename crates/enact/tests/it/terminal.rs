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
    assert!(screen.contains("Alice [TO: Bob"), "{screen}");
}
