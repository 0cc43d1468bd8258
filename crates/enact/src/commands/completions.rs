//! `enact completions` and `enact man`: what the program says of itself, for shells and for `man`.

use std::{fs, io::Write, path::Path, process::ExitCode};

use anyhow::Context as _;

use crate::{
    CliContext,
    args::{self, CompletionsArgs, ManArgs},
    screen::{bytes, stdout},
};

const PROGRAM: &str = "enact";

/// Prints a script with which a shell completes the commands and flags of this program.
pub(crate) fn completions(args: &CompletionsArgs, context: &CliContext<'_>) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut args::command(context.registry), PROGRAM, &mut script);
    bytes().write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the page of the program, or writes the pages of all commands into a folder.
pub(crate) fn man(args: &ManArgs, context: &CliContext<'_>) -> anyhow::Result<ExitCode> {
    let mut command = args::command(context.registry);
    command.build();
    let Some(folder) = &args.folder else {
        bytes().write_all(&page(&command)?)?;
        return Ok(ExitCode::SUCCESS);
    };
    fs::create_dir_all(folder).with_context(|| format!("could not make {}", folder.display()))?;
    write_page(folder, PROGRAM, &command)?;
    for each in command.get_subcommands().filter(|each| each.get_name() != "help") {
        write_page(folder, &format!("{PROGRAM}-{}", each.get_name()), each)?;
    }
    writeln!(stdout(), "Read one: man -l {}", folder.join(format!("{PROGRAM}.1")).display())?;
    Ok(ExitCode::SUCCESS)
}

fn write_page(folder: &Path, name: &str, command: &clap::Command) -> anyhow::Result<()> {
    let file = folder.join(format!("{name}.1"));
    fs::write(&file, page(command)?).with_context(|| format!("could not write {}", file.display()))
}

fn page(command: &clap::Command) -> anyhow::Result<Vec<u8>> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    Ok(page)
}
