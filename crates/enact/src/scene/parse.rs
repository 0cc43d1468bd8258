//! `enact parse`: how a raw reply is understood.

use std::{
    io::{Read, Write},
    process::ExitCode,
};

use enact_drama::reply;

use crate::output::stdout;

pub(crate) fn parse() -> anyhow::Result<ExitCode> {
    let mut raw = Vec::new();
    std::io::stdin().lock().read_to_end(&mut raw)?;
    // Models send what they send: bytes that are not UTF-8 are shown as replacement characters.
    let reading = reply::parse(&String::from_utf8_lossy(&raw));
    writeln!(stdout(), "{}", serde_json::to_string_pretty(&reading)?)?;
    Ok(ExitCode::SUCCESS)
}
