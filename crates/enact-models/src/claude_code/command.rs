//! What is run: the program, its arguments and its environment.

#[cfg(test)]
mod tests;

use std::{
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
    process::Stdio,
};

use enact_drama::request::{Request, Schema};
use enact_engine::process::is_bare;
use tokio::process::Command;

use super::temp_dir::CallDir;
use crate::{Effort, Settings, Thinking};

/// The command, unless the operator names another.
pub(super) const NAME: &str = "claude";

/// An answer in words is one turn.
const TURNS: &str = "1";

/// A structured answer is handed in like the result of a tool: a turn for that, and one to finish.
const STRUCTURED_TURNS: &str = "2";

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

/// What keeps the command from asking more than once for what may have been paid for already: after a
/// refusal, after a stream that broke off, for JSON that does not fit. Versions that do not know one of them
/// ask again and are stopped then.
const ONE_MESSAGE: [(&str, &str); 4] = [
    ("CLAUDE_CODE_DISABLE_REFUSAL_RETRY", "1"),
    ("CLAUDE_CODE_DISABLE_REFUSAL_FALLBACK", "1"),
    ("CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK", "1"),
    // The number of attempts, in spite of its name.
    ("MAX_STRUCTURED_OUTPUT_RETRIES", "1"),
];

/// Set inside Claude Code, where the command refuses to be started again.
const NESTED_VARIABLE: &str = "CLAUDECODE";

/// The longest answer. Without it the command asks for as much as the model can write, and no budget could
/// hold.
const MAX_TOKENS: &str = "CLAUDE_CODE_MAX_OUTPUT_TOKENS";

/// How often the command tries again by itself: ten times unless it is told otherwise, with pauses that soon
/// are longer than a beat.
const MAX_RETRIES: &str = "CLAUDE_CODE_MAX_RETRIES";

/// How many tokens a model may think. Left alone, the command gives models that take such a budget all but
/// one of the tokens allowed, or more than all of them, which the provider refuses. So they are told not to
/// think unless the operator says otherwise. Newer ones decide by themselves and ignore this.
const THINKING_BUDGET: &str = "MAX_THINKING_TOKENS";

/// The smallest budget that the provider takes, which has to be less than the tokens allowed.
const SMALLEST_BUDGET: u32 = 1_024;

/// How much the model deliberates.
const EFFORT: &str = "CLAUDE_CODE_EFFORT_LEVEL";

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
pub(super) fn make(program: &Path, settings: &Settings, request: &Request, dir: &CallDir) -> Command {
    let mut command = Command::new(program);
    command
        .args(arguments(&settings.model, request.schema.as_deref(), &dir.system()))
        .envs(ISOLATION)
        .envs(ONE_MESSAGE)
        .env(THINKING_BUDGET, thinking_budget(settings, request).to_string())
        .env(MAX_TOKENS, settings.longest_answer(request).to_string())
        .env(MAX_RETRIES, settings.retries_within(request).to_string())
        .env_remove(NESTED_VARIABLE)
        .current_dir(dir.empty())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    if let Some(effort) = settings.effort_for(request) {
        // Its lowest word is the next one.
        command.env(EFFORT, effort.max(Effort::Low).as_str());
    }
    command
}

/// How many of the tokens allowed may be thought: half of them at most, so that something can be said.
fn thinking_budget(settings: &Settings, request: &Request) -> u32 {
    let half = settings.longest_answer(request) / 2;
    let wanted = match settings.thinking {
        None | Some(Thinking::Off) => 0,
        Some(Thinking::On) => half,
        // The operator's number: the answer was given room beside it.
        Some(Thinking::Budget(tokens)) => tokens.min(settings.longest_answer(request).saturating_sub(1)),
    };
    if wanted < SMALLEST_BUDGET { 0 } else { wanted }
}

fn arguments(model: &str, schema: Option<&Schema>, system: &Path) -> Vec<OsString> {
    let turns = if schema.is_some() { STRUCTURED_TURNS } else { TURNS };
    // Streams want to be verbose: without it the command refuses them. Partial messages say how a message has
    // ended before the command asks for the next one, and what it used.
    let mut arguments: Vec<OsString> =
        ["-p", "--output-format", "stream-json", "--verbose", "--include-partial-messages"]
            .map(Into::into)
            .into();
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
    arguments
}
