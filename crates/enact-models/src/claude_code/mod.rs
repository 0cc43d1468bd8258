//! Claude Code: each question is put to the `claude` command line in its headless mode.
//!
//! A call is one process that is asked one thing and forgets it: no session, no tools, no servers, no
//! settings, memory or instructions of whatever project the operator works in. All a character has to know is
//! in the call. What it must not see on the command line, where other users of the machine could read it,
//! goes through standard input (the question) and a private file (the system prompt).
//!
//! The contract is the documented one (`claude -p --output-format stream-json`, see `docs/claude-code.md`),
//! and it is read leniently: the command is updated more often than enact. The tests run a stand-in that
//! keeps to that contract, or breaks it; nothing here has been run against the real command.
//!
//! Read in this order: `command` (what is run), `prompt` (what it is asked), `stream` (what it answers),
//! `live_text` (what is passed on at once), `process` (how it runs and ends), `temp_dir` (where it runs).

mod command;
mod live_text;
mod process;
mod prompt;
mod stream;
mod temp_dir;

use std::{
    env,
    path::{Path, PathBuf},
};

use async_trait::async_trait;
use command::PartialMessages;
use enact_drama::{
    Problem,
    model_card::ModelCard,
    production::{Answer, Failure, FailureKind},
    request::Request,
    usage::Usage,
};
use enact_engine::{Model, model::LiveText, process::find};
use enact_http::HumanDuration;
use process::ClaudeProcess;
use stream::ReplyStream;
use temp_dir::CallDir;

use crate::{PromptCache, Provider, Settings, card, prices};

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
        // It would be taken for an option of the command, and some of those lift all limits.
        if model.starts_with('-') {
            let problem = Problem::config(format!("'{model}' is not the name of a model"));
            return Err(problem.hint("name one of haiku, sonnet and opus, or a model in full"));
        }
        Ok(ClaudeCode { settings: settings.clone(), program: command::absolute(program.as_ref()) })
    }

    async fn ask(
        &self,
        request: &Request,
        partial: PartialMessages,
        reply: &mut ReplyStream,
    ) -> Result<Answer, Failure> {
        let question = prompt::question(request)?;
        let dir = CallDir::create(&prompt::system(request))
            .map_err(|error| Failure::new(format!("no temporary folder for Claude Code: {error}")))?;
        let command = command::make(&self.program, &self.settings, request.schema.as_deref(), partial, &dir);
        let mut process = ClaudeProcess::start(command, dir).map_err(|error| self.not_started(&error))?;
        process.run(question, reply).await?;
        process.detach();
        let (text, usage) = reply.answer(request.schema.as_deref())?;
        Ok(Answer { text, usage, took_ms: 0 })
    }

    /// Usage with what it cost. An operator who names a price means it: what a subscription is worth is
    /// theirs to say. Otherwise the command says so, but only with its result: what it used before it broke
    /// off is charged at the prices of the API, as it would have done itself.
    fn charged(&self, usage: Usage, reply: &ReplyStream) -> Usage {
        if self.settings.price.is_some() {
            return Usage { billed: None, ..usage };
        }
        let named = &self.settings.model;
        let model = reply.model().or_else(|| prices::current_claude(named)).unwrap_or(named);
        let price = || prices::published(Provider::Anthropic, model, PromptCache::FiveMinutes);
        Usage { billed: usage.billed.or_else(|| Some(price()?.of(&usage))), ..usage }
    }

    fn not_started(&self, error: &std::io::Error) -> Failure {
        Failure::new(format!("'{}' cannot be run: {error}", self.program.display()))
    }
}

#[async_trait]
impl Model for ClaudeCode {
    fn card(&self) -> ModelCard {
        card(&self.settings)
    }

    /// Whether the command is there. Only a call can tell whether it is logged in.
    async fn check(&self) -> Result<(), Problem> {
        if find(&self.program, env::var_os("PATH").as_deref()).is_some() {
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
        // JSON is not passed on live.
        let partial = if live.is_wanted() && request.schema.is_none() {
            PartialMessages::On
        } else {
            PartialMessages::Off
        };
        let deadline = self.settings.deadline(&request);
        // Kept outside of what is timed: what was used counts even when time runs out.
        let mut reply = ReplyStream::new(live);
        // Dropping the call at its deadline ends its process.
        let outcome = tokio::time::timeout(deadline.effective, self.ask(&request, partial, &mut reply)).await;
        let charged = |usage: Option<Usage>| usage.map(|usage| self.charged(usage, &reply));
        match outcome {
            Ok(Ok(answer)) => Ok(Answer { usage: charged(answer.usage), ..answer }),
            Ok(Err(failure)) => Err(Failure { usage: charged(failure.usage), ..failure }),
            Err(_) => {
                let error = format!("Response timeout after {}", HumanDuration(deadline.nominal));
                let failure = reply.failure(FailureKind::Timeout, error);
                Err(Failure { usage: charged(failure.usage), ..failure })
            }
        }
    }
}
