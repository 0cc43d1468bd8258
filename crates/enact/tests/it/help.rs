//! What the program says of itself.

use expect_test::expect;

use crate::project::Project;

#[test]
fn commands_of_productions_stand_among_the_others() {
    let help = Project::empty().run(&["--help"]);
    assert_eq!((help.code, help.stderr.as_str()), (0, ""));
    let (commands, _) = help.stdout.split_once("\nOptions:\n").unwrap();
    let commands = &commands[commands.find("Commands:\n").unwrap()..];
    expect![[r#"
        Commands:
          run          Play a scene, live
          new          Write a new story project: a scene, three sheets and a configuration
          demo         Play a scene that comes with the program, with a written performance
          models       List the models that can play, and where their keys come from
          check        Say what is wrong with scenes, episodes, fields, sheets and configuration
          parse        Read one raw reply from standard input and print how it is understood, as JSON
          judge        Say whether a run or a transcript reaches its scene's goals, as JSON
          runs         List the runs that are kept
          replay       Show a run again, as it was, without asking any model
          export       Print a run's transcript in another format, or its whole log
          import       Keep a run that was exported elsewhere as jsonl
          backup       Copy everything that is kept to a file, also while runs are played
          reindex      Derive anew what lists and searches are answered from, for every run that is kept
          compare      Play a scene several times with each of several models, and show them side by side
          fork         Let a run take other turns from a beat on, several times, and show where they part
                       and how they end
          play         Play an episode: talk with a character, while a director whom you never see keeps
                       track
          insight      Say why the answers of a session came out as they did, or how tense a run was
          memory       Show what a character remembers, and have it forget or correct some of it
          rehearse     Have ten made-up players play an episode many times, and say what they never reach
          field        Play a field: people on a map who walk up to each other, talk, eat and sit
          mcp          Decide for the NPCs of other people's games, over MCP
          chorus       Say something to up to six voices: each answers, comments on another, and replies;
                       all of it aloud
          serve        Serve this project over HTTP: scenes are started, followed live, steered and forked
                       from anywhere
          completions  Print a script that lets a shell complete commands and flags
          man          Print the manual page, or write those of all commands into a folder
          help         Print this message or the help of the given subcommand(s)
    "#]]
    .assert_eq(commands);
}

#[test]
fn examples_stand_below_the_options_and_databases_where_they_matter() {
    let project = Project::empty();
    let help = |command: &str| project.run(&[command, "--help"]).stdout;
    for command in ["run", "new", "demo", "check", "replay", "export", "fork", "judge", "compare", "models"] {
        let told = help(command);
        let (_, examples) = told.split_once("\nExamples:\n").unwrap_or_else(|| panic!("{told}"));
        assert!(examples.contains(&format!("  enact {command}")), "{told}");
    }
    for (command, shown) in [
        ("serve", true),
        ("runs", true),
        ("export", true),
        ("run", false),
        ("new", false),
        ("demo", false),
        ("check", false),
        ("chorus", false),
        ("--help", false),
    ] {
        assert_eq!(help(command).contains("--database"), shown, "{command}");
    }
    assert!(help("serve").contains("ENACT_TOKEN"), "what stood below stays");
    // It is taken everywhere all the same, before and behind a command.
    for args in [["--database", "nonsense", "runs"], ["replay", "--database=nonsense", "latest"]] {
        let said = project.run(&args);
        assert_eq!(said.code, 2);
        assert!(said.stderr.contains("database"), "{}", said.stderr);
        assert!(!said.stderr.contains("unexpected argument"), "{}", said.stderr);
    }
}

#[test]
fn shells_and_man_are_told_of_every_command() {
    let project = Project::empty();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = project.run(&["completions", shell]);
        assert_eq!((script.code, script.stderr.as_str()), (0, ""), "{shell}");
        for word in ["replay", "completions", "chorus", "max-beats"] {
            assert!(script.stdout.contains(word), "{shell}: {word}");
        }
    }
    let near = project.run(&["completions", "bsh"]);
    assert_eq!(near.code, 2);
    assert!(near.stderr.contains("bash"), "{}", near.stderr);
    let page = project.run(&["man"]);
    assert_eq!((page.code, page.stderr.as_str()), (0, ""));
    assert!(page.stdout.starts_with(".ie") || page.stdout.contains(".TH enact 1"), "{}", page.stdout);
    let written = project.run(&["man", "pages/man1"]);
    assert_eq!((written.code, written.stderr.as_str()), (0, ""));
    let files = project.files();
    for name in ["enact.1", "enact-run.1", "enact-chorus.1", "enact-serve.1"] {
        assert!(files.contains(&format!("pages/man1/{name}")), "{files:?}");
    }
    assert!(project.read("pages/man1/enact-run.1").contains(".TH enact-run 1"));
    project.write("file", "");
    assert_eq!(project.run(&["man", "file/below"]).code, 1);
}
