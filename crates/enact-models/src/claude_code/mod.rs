//! Claude Code: each question is put to the `claude` command line in its headless mode.
//!
//! A call is one process that is asked one thing and forgets it: no session, no tools, no servers, no settings, memory
//! or instructions of whatever project the operator works in. All a character has to know is in the call. What it
//! must not see on the command line, where other users of the machine could read it, goes through standard input
//! (the question) and a private file (the system prompt).
//!
//! The contract is the documented one (`claude -p --output-format stream-json`, see `docs/claude-code.md`), and it is
//! read leniently: the command is updated more often than enact. The tests run a stand-in that keeps to that contract,
//! or breaks it; nothing here has been run against the real command.
//!
//! Read in this order: `command` (what is run), `prompt` (what is said), `stream` (what is heard), `aloud` (what is passed
//! on at once), `call` (the process and its end), `folder` (where it lives meanwhile).

mod aloud;
mod call;
mod command;
mod folder;
mod prompt;
mod stream;

use std::{
    env,
    path::{Path, PathBuf},
};

use async_trait::async_trait;
use call::Call;
use command::Partly;
use enact_drama::{
    Problem,
    model_card::ModelCard,
    production::{Answer, Failure, FailureKind},
    request::Request,
    usage::Usage,
};
use enact_engine::{Model, model::LiveText, process};
use enact_http::HumanDuration;
use folder::Folder;
use stream::Reading;

use crate::{Cache, Provider, Settings, connect, prices};

/// Names another command to run in place of `claude`.
pub const COMMAND_VARIABLE: &str = "ENACT_CLAUDE";

/// A model that is asked through the `claude` command line.
#[derive(Debug)]
pub struct ClaudeCode {
    settings: Settings,
    program: PathBuf,
}

impl ClaudeCode {
    /// With the command that [`COMMAND_VARIABLE`] names, or else `claude` as it is found along `PATH`.
    pub fn new(settings: &Settings) -> Result<ClaudeCode, Problem> {
        ClaudeCode::at(settings, command::named(env::var_os(COMMAND_VARIABLE)))
    }

    /// With a command of one's own that keeps to the same contract.
    pub fn at(settings: &Settings, program: impl AsRef<Path>) -> Result<ClaudeCode, Problem> {
        let model = &settings.model;
        if settings.temperature.is_some() {
            let problem = Problem::config(format!("model '{model}': Claude Code takes no temperature"));
            return Err(problem.hint("leave it out, or use provider \"anthropic\""));
        }
        if settings.base_url.is_some() {
            let problem = Problem::config(format!("model '{model}': Claude Code takes no base URL"));
            return Err(problem.hint("set ANTHROPIC_BASE_URL for the command itself"));
        }
        // It would be taken for an option of the command, and some of those give it free rein.
        if model.starts_with('-') {
            let problem = Problem::config(format!("'{model}' is not the name of a model"));
            return Err(problem.hint("name one of haiku, sonnet and opus, or a model in full"));
        }
        Ok(ClaudeCode { settings: settings.clone(), program: command::absolute(program.as_ref()) })
    }

    async fn ask(&self, request: &Request, partly: Partly, reading: &mut Reading) -> Result<Answer, Failure> {
        let question = prompt::question(request)?;
        let folder = Folder::create(&prompt::system(request))
            .map_err(|error| Failure::new(format!("no temporary folder for Claude Code: {error}")))?;
        let command =
            command::make(&self.program, &self.settings, request.schema.as_deref(), partly, &folder);
        let mut call = Call::start(command, folder).map_err(|error| self.not_started(&error))?;
        call.converse(question, reading).await?;
        call.leave();
        let (text, usage) = reading.answer(request.schema.as_deref())?;
        Ok(Answer { text, usage, took_ms: 0 })
    }

    /// Usage with what it cost. An operator who names a price means it: what a subscription is worth is theirs to say.
    /// Otherwise the command says so, but only with its result: what it used before it broke off is charged at the
    /// prices of the API, as it would have done itself.
    fn charged(&self, usage: Usage, reading: &Reading) -> Usage {
        if self.settings.price.is_some() {
            return Usage { billed: None, ..usage };
        }
        let named = &self.settings.model;
        let model = reading.model().or_else(|| prices::current_claude(named)).unwrap_or(named);
        let price = || prices::published(Provider::Anthropic, model, Cache::FiveMinutes);
        Usage { billed: usage.billed.or_else(|| Some(price()?.of(&usage))), ..usage }
    }

    fn not_started(&self, error: &std::io::Error) -> Failure {
        Failure::new(format!("'{}' cannot be run: {error}", self.program.display()))
    }
}

#[async_trait]
impl Model for ClaudeCode {
    fn card(&self) -> ModelCard {
        connect::card(&self.settings)
    }

    /// Whether the command is there. Whether it is logged in only it can tell, and only when it is asked.
    async fn check(&self) -> Result<(), Problem> {
        if process::find(&self.program, env::var_os("PATH").as_deref()).is_some() {
            return Ok(());
        }
        let problem = if self.program == Path::new(command::NAME) {
            Problem::config(format!("the command '{}' of Claude Code is not on PATH", command::NAME))
        } else {
            Problem::config(format!("there is no command '{}' that could be run", self.program.display()))
        };
        Err(problem.hint(format!(
            "install it (npm install -g @anthropic-ai/claude-code) and log in, set {COMMAND_VARIABLE} to where it is, \
             or use another provider"
        )))
    }

    async fn answer(&self, request: Request) -> Result<Answer, Failure> {
        self.answer_live(request, LiveText::none()).await
    }

    async fn answer_live(&self, request: Request, live: LiveText) -> Result<Answer, Failure> {
        // What has a certain shape is not for ears.
        let partly = if live.is_wanted() && request.schema.is_none() { Partly::Told } else { Partly::Untold };
        let deadline = self.settings.deadline(&request);
        // Kept outside of what is timed: what was used counts even when time runs out.
        let mut reading = Reading::aloud(live);
        // Whatever is dropped at the end of its time takes its process with it.
        let outcome =
            tokio::time::timeout(deadline.effective, self.ask(&request, partly, &mut reading)).await;
        let charged = |usage: Option<Usage>| usage.map(|usage| self.charged(usage, &reading));
        match outcome {
            Ok(Ok(answer)) => Ok(Answer { usage: charged(answer.usage), ..answer }),
            Ok(Err(failure)) => Err(Failure { usage: charged(failure.usage), ..failure }),
            Err(_) => {
                let error = format!("Response timeout after {}", HumanDuration(deadline.nominal));
                let failure = reading.failure(FailureKind::Timeout, error);
                Err(Failure { usage: charged(failure.usage), ..failure })
            }
        }
    }
}
