//! What goes wrong, for people and for programs, and the code that this program exits with.

use std::process::ExitCode;

use anstream::{eprintln, println};
use anstyle::{AnsiColor, Style};
use enact_drama::{
    Problem,
    text::{escaped_json, escaped_message},
};
use serde_json::json;

/// Something failed while playing, storing or writing.
const FAILED: u8 = 1;
/// What was given cannot be used; nothing was written.
const BAD_INPUT: u8 = 2;
/// What shells expect of a program that Ctrl-C ended.
pub(crate) const INTERRUPTED: u8 = 130;

/// Exit codes by end reason; other reasons exit with 0. Productions share these names.
const BY_REASON: [(&str, u8); 2] = [("cancelled", INTERRUPTED), ("failed", FAILED)];

/// The code for a run that ended for this reason, or has not ended.
pub(crate) fn exit_code(reason: Option<&str>) -> u8 {
    let code = BY_REASON.iter().find(|(named, _)| Some(*named) == reason);
    code.map_or(0, |(_, code)| *code)
}

/// Prints an error and gives the code to exit with.
pub(crate) fn print(error: &anyhow::Error, json: bool) -> ExitCode {
    let problem = problem_in(error);
    if json {
        let value = problem.map_or_else(
            || json!({"success": false, "error": {"code": "FAILED", "message": format!("{error:#}"), "context": {}}}),
            Problem::to_json,
        );
        println!("{}", escaped_json(&format!("{value:#}")));
    } else {
        let (red, bold) = (Style::new().bold().fg_color(Some(AnsiColor::Red.into())), Style::new().bold());
        match problem {
            Some(problem) => {
                let (code, told) = (problem.code.as_str(), problem.to_string());
                eprintln!("{red}error[{code}]{red:#}{bold}:{bold:#} {}", escaped_message(&told));
                if let Some(hint) = &problem.hint {
                    eprintln!("  {bold}hint:{bold:#} {}", escaped_message(hint));
                }
            }
            None => eprintln!("{red}error{red:#}{bold}:{bold:#} {}", escaped_message(&format!("{error:#}"))),
        }
    }
    ExitCode::from(if problem.is_some() { BAD_INPUT } else { FAILED })
}

/// Says what is wrong with the arguments; help and version come this way too.
pub(crate) fn print_usage_error(mistake: &clap::Error) -> ExitCode {
    if mistake.use_stderr() && std::env::args().any(|arg| arg == "--json") {
        let text = mistake.to_string();
        let message = text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned();
        println!("{:#}", Problem::config(message).to_json());
    } else {
        // If this cannot be printed, nothing else can.
        let _ = mistake.print();
    }
    ExitCode::from(if mistake.use_stderr() { BAD_INPUT } else { 0 })
}

fn problem_in(error: &anyhow::Error) -> Option<&Problem> {
    error.chain().find_map(|cause| {
        cause
            .downcast_ref::<Problem>()
            .or_else(|| cause.downcast_ref::<Box<Problem>>().map(Box::as_ref))
            .or_else(|| match cause.downcast_ref::<enact_engine::Error>() {
                Some(enact_engine::Error::Problem(problem)) => Some(&**problem),
                _ => None,
            })
    })
}
