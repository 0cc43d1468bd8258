//! What `--help` says beside the list of options: examples, and no options that hardly matter.

use clap::{Arg, Command};

/// Every command's examples.
const EXAMPLES: &str = include_str!("help_examples.txt");

/// The option that only people with a database need.
const DATABASE: &str = "database";

/// Commands about many runs, which nodes may share. The others take the option too, and do not list it.
const SHOW_DATABASE: [&str; 5] = ["serve", "runs", "export", "import", "reindex"];

/// Where an explanation begins, unless its command is longer.
const EXPLAINED_AT: usize = 44;

/// The whole command line with its examples.
pub(crate) fn with_examples(mut command: Command) -> Command {
    let names: Vec<String> = command.get_subcommands().map(|each| each.get_name().to_owned()).collect();
    for name in names {
        let Some(examples) = examples_of(&name) else { continue };
        command = command.mut_subcommand(&name, |each| {
            let before = each.get_after_help().map(|help| format!("{help}\n\n")).unwrap_or_default();
            each.after_help(format!("{before}{examples}"))
        });
    }
    command
}

/// The whole command line, in which only some commands list the option about databases.
pub(crate) fn with_fewer_options(command: Command) -> Command {
    let Some(database) = command.get_arguments().find(|arg| arg.get_id() == DATABASE).cloned() else {
        return command;
    };
    let hidden = command.mut_arg(DATABASE, |arg| arg.hide(true));
    SHOW_DATABASE.iter().fold(hidden, |command, name| match command.find_subcommand(name) {
        // An argument of its own takes the place of the one that all commands have.
        Some(_) => command.mut_subcommand(name, |each| each.arg(Arg::clone(&database))),
        None => command,
    })
}

/// `Examples:` and a line for each, or nothing for a command without any.
fn examples_of(command: &str) -> Option<String> {
    let mut lines = EXAMPLES.lines().skip_while(|line| *line != command).skip(1);
    let examples: Vec<String> =
        lines.by_ref().map_while(|line| line.strip_prefix("    ")).map(aligned).collect();
    (!examples.is_empty()).then(|| format!("Examples:\n{}", examples.join("\n")))
}

fn aligned(example: &str) -> String {
    match example.split_once("  ") {
        Some((typed, explained)) => {
            format!("  {typed:<EXPLAINED_AT$}  {}", explained.trim_start())
        }
        None => format!("  {example}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What help tells people to type can be typed.
    #[test]
    fn examples_are_understood() {
        let registry = crate::productions();
        let mut checked = 0;
        let mut under = "";
        for line in EXAMPLES.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let Some(example) = line.strip_prefix("    ") else {
                under = line;
                assert!(examples_of(under).is_some(), "{under}");
                continue;
            };
            let typed = example.split("  ").next().unwrap_or_default();
            let read = crate::args::command(&registry).try_get_matches_from(typed.split(' '));
            assert!(read.is_ok(), "{under}: {typed}: {:?}", read.err());
            assert!(example.contains("  "), "{example} is not explained");
            checked += 1;
        }
        assert!(checked > 20, "{checked}");
        let names: Vec<String> = crate::args::command(&registry)
            .get_subcommands()
            .map(|each| each.get_name().to_owned())
            .collect();
        let known = |name: &&str| names.iter().any(|known| known == name);
        let headings = EXAMPLES.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase()));
        assert!(headings.clone().all(|name| known(&name)), "{names:?}");
        assert!(SHOW_DATABASE.iter().all(known), "{names:?}");
    }
}
