//! The commands of the documents work where these stand, and print what is shown below them.

use std::{
    env, fs,
    path::Path,
    process::{Command, Stdio},
};

use super::root;
use crate::{
    project::{Project, Ran},
    server::Server,
};

/// A fenced block of a page: its language and what stands in it.
type Block<'a> = (&'a str, &'a str);

fn blocks(page: &str) -> Vec<Block<'_>> {
    let fenced = page.split("\n```").skip(1).step_by(2);
    fenced.map(|block| block.split_once('\n').expect("a fenced block has lines")).collect()
}

/// A folder with all that the commands of the documents name.
fn clone() -> Project {
    let project = Project::empty();
    std::os::unix::fs::symlink(root().join("examples"), project.path().join("examples")).unwrap();
    project
}

/// Has a shell carry out a command in which `enact` is the binary that is tested.
fn shell(project: &Project, command: &str) -> Ran {
    let enact = project.command(&[]);
    let programs = Path::new(env!("CARGO_BIN_EXE_enact")).parent().unwrap();
    let usual = env::var_os("PATH").unwrap();
    let path = [programs.to_owned()].into_iter().chain(env::split_paths(&usual));
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(project.path()).stdin(Stdio::null());
    for (variable, value) in enact.get_envs() {
        match value {
            Some(value) => shell.env(variable, value),
            None => shell.env_remove(variable),
        };
    }
    shell.env("PATH", env::join_paths(path).unwrap()).output().unwrap().into()
}

/// The commands of a block that need neither a key nor a server: one to a line, unless a line ends with a backslash.
fn playable(block: &str) -> Vec<String> {
    let joined = block.replace("\\\n", " ");
    let commands = joined.lines().filter(|line| line.starts_with("enact "));
    let elsewhere = ["enact serve", "ollama:"];
    commands.filter(|line| !elsewhere.iter().any(|word| line.contains(word))).map(str::to_owned).collect()
}

/// Documents break lines where they like.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn check_page(page: &str, played: usize, shown: usize) {
    let text = fs::read_to_string(root().join(page)).unwrap();
    let (project, mut counts) = (clone(), (0, 0));
    let blocks = blocks(&text);
    for (at, (language, block)) in blocks.iter().enumerate() {
        let commands = if *language == "sh" { playable(block) } else { Vec::new() };
        let mut printed = String::new();
        for command in commands {
            let ran = shell(&project, &command);
            assert_eq!(ran.code, 0, "{page}: {command}\n{}", ran.stderr);
            printed += &ran.stdout;
            counts.0 += 1;
        }
        if let Some(("text", expected)) = blocks.get(at + 1).filter(|_| !printed.is_empty()) {
            assert!(words(&printed).contains(&words(expected)), "{page} does not show this:\n{printed}");
            counts.1 += 1;
        }
    }
    assert_eq!(counts, (played, shown), "{page}: commands played, and outputs compared");
}

#[test]
fn the_readme_shows_what_its_commands_print() {
    check_page("README.md", 3, 1);
}

#[test]
fn the_page_on_choruses_shows_what_its_commands_print() {
    check_page("docs/chorus.md", 1, 1);
}

#[test]
fn the_page_on_writing_shows_what_its_commands_print() {
    check_page("docs/writing.md", 7, 1);
}

/// The server that the README starts casts the scene that the README asks for.
#[test]
fn the_readme_serves_a_scene() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let line = readme.lines().find(|line| line.starts_with("enact serve ")).expect("a server");
    let mut args: Vec<&str> = line.split_whitespace().skip(1).collect();
    args.extend(["--bind", "127.0.0.1:0"]);
    let project = clone();
    let server = Server::start(project.command(&args));
    let (_, request) = readme.split_once("/v1/scenes --json '").expect("a scene");
    let body: serde_json::Value = serde_json::from_str(request.split('\'').next().unwrap()).unwrap();
    let run = server.begin(&body["config"]);
    assert!(["waiting", "playing"].contains(&server.status(&run).as_str()), "{run}");
}
