//! What is run: the program, its arguments and its environment.

#[cfg(test)]
mod tests;

use std::{
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
    process::Stdio,
};

use enact_drama::request::Schema;
use enact_engine::process::is_bare;
use tokio::process::Command;

use super::temp_dir::CallDir;
use crate::Settings;

/// The command, unless the operator names another.
pub(super) const NAME: &str = "claude";

/// An answer in words is one turn.
const TURNS: &str = "1";

/// A structured answer is handed in like the result of a tool: a turn for that, one to finish, and two for
/// another try if the first did not fit the schema.
const STRUCTURED_TURNS: &str = "4";

/// What keeps everything but the question out of the conversation. Variables, where there are both variables
/// and flags for it: versions that do not know a variable yet ignore it, while an unknown flag makes them
/// refuse to start.
const ISOLATION: [(&str, &str); 6] = [
    // Hooks, plugins, skills, output styles.
    ("CLAUDE_CODE_SAFE_MODE", "1"),
    ("CLAUDE_CODE_DISABLE_CLAUDE_MDS", "1"),
    ("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1"),
    // Otherwise a line that mentions `@some/file` would bring in that file, and with it anything on this
    // machine.
    ("CLAUDE_CODE_DISABLE_ATTACHMENTS", "1"),
    // Updates, titles and the like, some of which cost tokens.
    ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
    ("NO_COLOR", "1"),
];

/// Set inside Claude Code, where the command refuses to be started again.
const INSIDE: &str = "CLAUDECODE";

/// The longest line the operator wants.
const MAX_TOKENS: &str = "CLAUDE_CODE_MAX_OUTPUT_TOKENS";

/// Whether the command sends partial messages, or only complete ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PartialMessages {
    On,
    Off,
}

/// The program to run: what the operator's variable says, unless it says nothing.
pub(super) fn named(variable: Option<OsString>) -> PathBuf {
    variable.filter(|name| !name.is_empty()).map_or_else(|| PathBuf::from(NAME), PathBuf::from)
}

/// The program as an absolute path: calls run in directories of their own.
pub(super) fn absolute(program: &Path) -> PathBuf {
    if is_bare(program) {
        return program.to_owned();
    }
    std::path::absolute(program).unwrap_or_else(|_| program.to_owned())
}

/// The whole command for one question, ready to be started.
pub(super) fn make(
    program: &Path,
    settings: &Settings,
    schema: Option<&Schema>,
    partial: PartialMessages,
    dir: &CallDir,
) -> Command {
    let mut command = Command::new(program);
    command
        .args(arguments(&settings.model, schema, partial, &dir.system()))
        .envs(ISOLATION)
        .env_remove(INSIDE)
        .current_dir(dir.empty())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    // Not for JSON: half of it would be paid for and worth nothing.
    if let (Some(max_tokens), None) = (settings.max_tokens, schema) {
        command.env(MAX_TOKENS, max_tokens.to_string());
    }
    command
}

fn arguments(model: &str, schema: Option<&Schema>, partial: PartialMessages, system: &Path) -> Vec<OsString> {
    let turns = if schema.is_some() { STRUCTURED_TURNS } else { TURNS };
    // Streams want to be verbose: without it the command refuses them.
    let mut arguments: Vec<OsString> =
        ["-p", "--output-format", "stream-json", "--verbose"].map(Into::into).into();
    let mut option = |name: &str, value: &OsStr| {
        arguments.push(name.into());
        arguments.push(value.to_owned());
    };
    // Without a name it uses the model that the operator has chosen for the command.
    if !model.is_empty() {
        option("--model", model.as_ref());
    }
    option("--system-prompt-file", system.as_ref());
    option("--max-turns", turns.as_ref());
    if let Some(schema) = schema {
        option("--json-schema", schema.json.to_string().as_ref());
    }
    // Logins and gateways may be in the user's own settings; a project has no say.
    option("--setting-sources", "user".as_ref());
    option("--tools", "".as_ref());
    // Servers bring tools that the empty list above does not take away.
    arguments.push("--strict-mcp-config".into());
    arguments.push("--disable-slash-commands".into());
    arguments.push("--no-session-persistence".into());
    if partial == PartialMessages::On {
        arguments.push("--include-partial-messages".into());
    }
    arguments
}
