//! Claude Code: each question is put to the `claude` command line in its headless mode.
//!
//! A call is one process that is asked one thing and forgets it: no session, no tools, no servers, no
//! settings, memory or instructions of whatever project the operator works in. All a character has to know is
//! in the call. What it must not see on the command line, where other users of the machine could read it,
//! goes through standard input (the question) and a private file (the system prompt).
//!
//! The contract is the documented one (`claude -p --output-format stream-json`, see `docs/claude-code.md`),
//! and it is read leniently: the command is updated more often than enact. The tests run a stand-in that
//! plays what the real command has written, keeps to that contract, or breaks it.
//!
//! A call is one message of the model at most. The command would ask for more of its own accord; it is told
//! not to, and ended where it does so all the same (`stream`).
//!
//! Read in this order: `command` (what is run), `prompt` (what it is asked), `stream` (what it answers),
//! `usage` (what that used), `failure` (what its errors mean), `live_text` (what is passed on at once),
//! `process` (how it runs and ends), `temp_dir` (where it runs).

mod command;
mod failure;
mod live_text;
mod process;
mod prompt;
mod stream;
mod temp_dir;
mod usage;

use std::{
    env,
    path::{Path, PathBuf},
    sync::Arc,
};

use async_trait::async_trait;
use enact_drama::{
    Problem,
    model_card::ModelCard,
    production::{Answer, Failure, FailureKind},
    request::Request,
    usage::Usage,
};
use enact_engine::{CallTelemetry, Model, model::LiveText, process::find};
use enact_http::{HumanDuration, redact::explanation_without_keys};
use process::ClaudeProcess;
use stream::{AnswerForm, CallLimits, ReplyStream};
use temp_dir::CallDir;
use tokio::time::{Instant, timeout_at};

use crate::{
    PromptCache, Provider, Settings,
    call_queue::{CallPermit, CallQueue, QueueTooLong},
    card, prices,
};

/// Names another command to run in place of `claude`.
pub const COMMAND_VARIABLE: &str = "ENACT_CLAUDE";

/// How many processes of a model run at once, unless the operator says otherwise. Each takes some 200 MB and
/// most of a core until it has started.
pub const DEFAULT_MAX_PARALLEL: usize = 4;

/// A model that is asked through the `claude` command line.
#[derive(Debug)]
pub struct ClaudeCode {
    settings: Settings,
    program: PathBuf,
    /// Who may run a process, and when.
    queue: Arc<CallQueue>,
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
        let program = command::absolute(program.as_ref());
        let queue = CallQueue::shared(settings, Some(&program.to_string_lossy()), Some(DEFAULT_MAX_PARALLEL));
        Ok(ClaudeCode { settings: settings.clone(), program, queue })
    }

    async fn ask(
        &self,
        request: &Request,
        permit: CallPermit,
        reply: &mut ReplyStream,
    ) -> Result<Answer, Failure> {
        let question = prompt::question(request).map_err(not_asked)?;
        let dir = CallDir::create(&prompt::system(request)).map_err(|error| {
            not_asked(Failure::new(format!("no temporary folder for Claude Code: {error}")))
        })?;
        let command = command::make(&self.program, &self.settings, request, &dir);
        let mut process = ClaudeProcess::start(command, dir).map_err(|error| self.not_started(&error))?;
        process.run(question, reply).await?;
        // Without a result it would go on, and cost more: dropping it ends it.
        if reply.has_result() {
            process.detach(permit);
        } else {
            drop(process);
        }
        let (text, usage) = reply.answer(request.schema.as_deref())?;
        Ok(Answer { text, usage, ..Answer::default() })
    }

    /// Usage with what it cost. An operator who names a price means it: what a subscription is worth is
    /// theirs to say. Otherwise the command says so, but only with its result: what it used before it broke
    /// off is charged at the prices of the API, as it would have done itself.
    fn charged(&self, usage: Usage, reply: &ReplyStream) -> Usage {
        if self.settings.price.is_some() {
            return Usage { billed: None, ..usage };
        }
        // Nothing was used, or it is unknown what.
        if usage.total() == 0 && usage.billed.is_none() {
            return usage;
        }
        let named = &self.settings.model;
        let model = reply.model().or_else(|| prices::current_claude(named)).unwrap_or(named);
        let price = self
            .settings
            .published
            .or_else(|| prices::published(Provider::Anthropic, model, PromptCache::FiveMinutes));
        let at_price = price.map(|price| price.of(&usage));
        let billed = match usage.billed {
            // The sum leaves out what broke off.
            billed if usage.partial => billed.max(at_price),
            billed => billed.or(at_price),
        };
        Usage { billed, ..usage }
    }

    fn not_started(&self, error: &std::io::Error) -> Failure {
        not_asked(Failure::new(format!("'{}' cannot be run: {error}", self.program.display())))
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
        let (form, live) = match request.schema {
            Some(_) => (AnswerForm::Json, LiveText::none()),
            None => (AnswerForm::Words, live),
        };
        let retries = self.settings.retries_within(&request);
        let max_tokens = self.settings.longest_answer(&request);
        let deadline = self.settings.deadline(&request);
        // Kept outside of what is timed: what was used counts even when time runs out.
        let mut reply = ReplyStream::new(live, CallLimits { retries, max_tokens, form });
        let last_moment = Instant::now() + self.settings.queue_deadline(&request).effective;
        let permit = self.queue.enter(last_moment).await.map_err(kept_waiting)?;
        self.queue.wait_to_send(last_moment).await.map_err(kept_waiting)?;
        let began = Instant::now();
        let until = last_moment.min(began + deadline.effective);
        // Dropping the call at its deadline ends its process.
        let outcome = timeout_at(until, self.ask(&request, permit, &mut reply)).await;
        // The command always streams. Whom it calls is its own to know.
        let (streamed, tries) = (Some(true), Some(reply.tries()));
        CallTelemetry { streamed, tries, ..reply.details().telemetry(began, explanation_without_keys) }
            .record();
        let charged = |usage: Option<Usage>| usage.map(|usage| self.charged(usage, &reply));
        match outcome {
            Ok(Ok(answer)) => {
                let first_word_ms = reply.details().first_word_at.map(|at| (at - began).as_millis() as u64);
                Ok(Answer { usage: charged(answer.usage), first_word_ms, ..answer })
            }
            Ok(Err(failure)) => Err(Failure { usage: charged(failure.usage), ..failure }),
            Err(_) => {
                let mut error = format!("Response timeout after {}", HumanDuration(deadline.nominal));
                if let Some(busy) = reply.was_retrying() {
                    error = format!("{error}: {busy}");
                }
                let failure = reply.failure(FailureKind::Timeout, error);
                Err(Failure { usage: charged(failure.usage), ..failure })
            }
        }
    }
}

/// A failure before anything was asked, which costs nothing.
fn not_asked(failure: Failure) -> Failure {
    Failure { usage: Some(Usage::NONE), ..failure }
}

/// A call that never began.
fn kept_waiting(too_long: QueueTooLong) -> Failure {
    not_asked(Failure { kind: FailureKind::RateLimited, ..Failure::new(too_long.to_string()) })
}
