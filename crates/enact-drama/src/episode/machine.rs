//! The episode as a machine: what happened goes in, facts come out.

use super::{
    Choice, Episode, EpisodeCommand, EpisodeEnd, EpisodeEvent, RefusedMessage,
    command::LONGEST_MESSAGE_CHARS,
    event, exchange, fork,
    reading::READING_TIMEOUT_MS,
    recorded_answers,
    report::{EpisodeClientEvents, EpisodeReport},
    request, rows,
};
use crate::{
    CallId, Code, Fact, Problem, RunId,
    production::{Ask, Effect, Fork, Happened, Input, Player, Production},
    recorded_answers::RecordedAnswer,
    request::Request,
    row::RowChange,
};

/// How long the end of an episode waits for a model's evaluation.
pub(super) const EVALUATION_TIMEOUT_MS: u64 = 5_000;

impl Production for Episode {
    type Event = EpisodeEvent;
    type Command = EpisodeCommand;
    type Report = EpisodeReport;
    type Client = EpisodeClientEvents;

    const NAME: &'static str = "episode";
    const BEGINS_WITH: &'static str = "episode_began";
    const PRIVATE: bool = true;
    const REDACTS: bool = true;
    /// A model that cannot be reached costs an answer, which the user can ask for again.
    const REQUIRES_ALL_MODELS: bool = false;

    fn begin(first: &Fact<EpisodeEvent>) -> Option<Episode> {
        Episode::begun(first)
    }

    fn run(&self) -> RunId {
        self.setup.run
    }

    fn title(&self) -> &str {
        &self.setup.template.title
    }

    fn players(&self) -> Vec<Player> {
        self.setup.players()
    }

    fn check(&self, command: EpisodeCommand) -> Result<EpisodeCommand, Problem> {
        let EpisodeCommand::Message { id, text, choice_id } = command else { return Ok(command) };
        let text = text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        if id.trim().is_empty() {
            return Err(Problem::config("the message has no 'id'")
                .hint("any text that names it: sent again with the same id, a message is taken once"));
        }
        if text.is_none() && choice_id.is_none() {
            return Err(Problem::config("the message is empty").hint("give a 'text' or a 'choiceId'"));
        }
        if text.as_ref().is_some_and(|text| text.chars().count() > LONGEST_MESSAGE_CHARS) {
            let problem = format!("a message has at most {LONGEST_MESSAGE_CHARS} characters");
            return Err(Problem::config(problem));
        }
        Ok(EpisodeCommand::Message { id, text, choice_id })
    }

    fn depends_on_state(command: &EpisodeCommand) -> bool {
        matches!(command, EpisodeCommand::Message { .. } | EpisodeCommand::Evaluate {})
    }

    fn check_now(&self, command: &EpisodeCommand) -> Result<(), Problem> {
        let (id, text, choice_id) = match command {
            EpisodeCommand::Message { id, text, choice_id } => (id, text, choice_id),
            EpisodeCommand::Evaluate {} if self.awaits_evaluation() => return Ok(()),
            EpisodeCommand::Evaluate {} => {
                return Err(Problem::config("there is no evaluation to be made again").hint(
                    "that is so where an episode is complete and the rules stand in for a model's evaluation",
                ));
            }
            EpisodeCommand::End {} | EpisodeCommand::Cancel {} => return Ok(()),
        };
        if self.has_message(id) {
            return Ok(());
        }
        match self.refusal(text.as_deref(), choice_id.as_deref()) {
            None => Ok(()),
            Some(RefusedMessage::Busy) => {
                Err(Problem::new(Code::SessionBusy, "another message of this session is being answered")
                    .hint("send the next one after 'done'"))
            }
            Some(RefusedMessage::Complete) => Err(Problem::config("the session is complete")
                .hint("begin another one: the character remembers this one")),
            Some(RefusedMessage::NoSuchChoice) => Err(Problem::config("there is no such choice now")
                .hint("choose one of the options of the last 'choice_prompt'")),
        }
    }

    fn cancel() -> EpisodeCommand {
        EpisodeCommand::Cancel {}
    }

    fn decide(&self, input: &Input<EpisodeCommand>) -> Vec<EpisodeEvent> {
        if self.ended.is_some() {
            return Vec::new();
        }
        let mut draft = EpisodeDraft::of(self, input.at);
        match &input.what {
            Happened::Resumed
                if self.asked.is_some() || self.evaluating.is_some() || self.reading.is_some() =>
            {
                draft.push(EpisodeEvent::Resumed {});
            }
            Happened::Commanded(EpisodeCommand::Message { id, text, choice_id }) => {
                exchange::receive(&mut draft, id, text.as_deref(), choice_id.as_deref());
            }
            Happened::Commanded(EpisodeCommand::Evaluate {}) if self.awaits_evaluation() => {
                exchange::ask_evaluation(&mut draft);
            }
            Happened::Commanded(EpisodeCommand::Evaluate {}) => {}
            Happened::Commanded(EpisodeCommand::End {}) => {
                draft.push(EpisodeEvent::Ended { reason: EpisodeEnd::Left });
            }
            Happened::Commanded(EpisodeCommand::Cancel {}) => {
                draft.push(EpisodeEvent::Ended { reason: EpisodeEnd::Cancelled });
            }
            Happened::Answered { call, answer } => exchange::answered(&mut draft, *call, answer),
            Happened::Failed { call, failure } => exchange::failed(&mut draft, *call, failure),
            Happened::TimeUp { call } => exchange::time_up(&mut draft, *call),
            Happened::Started | Happened::Resumed | Happened::Spoken { .. } => {}
        }
        draft.events
    }

    fn apply(&mut self, fact: &Fact<EpisodeEvent>) {
        self.fold(fact);
    }

    fn pending(&self) -> Vec<Effect> {
        let mut pending = Vec::new();
        if let Some(asked) = &self.asked {
            let model = self.setup.model_at(asked.rank).unwrap_or(&self.setup.model);
            let ask = Ask::new(asked.call, model, &self.setup.character.name, request::REPLY);
            pending.push(Effect::Ask(ask));
            pending.push(Effect::Timer { call: asked.deadline, after_ms: self.setup.answer_timeout_ms });
        }
        if let Some(asked) = &self.reading {
            let model = self.setup.director.as_deref().unwrap_or_default().into();
            let (call, purpose) = (asked.call, request::READING);
            pending.push(Effect::Ask(Ask { call, model, actor: None, purpose, place: 0 }));
            pending.push(Effect::Timer { call: asked.deadline, after_ms: READING_TIMEOUT_MS });
        }
        if let Some(asked) = &self.evaluating {
            let model = self.setup.director.as_deref().unwrap_or_default().into();
            let (call, purpose) = (asked.call, request::EVALUATION);
            pending.push(Effect::Ask(Ask { call, model, actor: None, purpose, place: 0 }));
            pending.push(Effect::Timer { call: asked.deadline, after_ms: EVALUATION_TIMEOUT_MS });
        }
        pending
    }

    fn request(&self, ask: &Ask) -> Request {
        request::request(self, ask)
    }

    fn ended(&self) -> Option<&'static str> {
        self.ended.map(EpisodeEnd::as_str)
    }

    /// Its turns are what it is played in.
    fn beat(&self) -> Option<u32> {
        Some(self.turn_count() + u32::from(self.message.is_some()))
    }

    fn redacted(event: &EpisodeEvent) -> Option<EpisodeEvent> {
        event::redacted(event)
    }

    fn is_said(event: &EpisodeEvent) -> bool {
        matches!(event, EpisodeEvent::Answered { .. })
    }

    fn rows(&self, fact: &Fact<EpisodeEvent>) -> Vec<RowChange> {
        rows::rows(self, fact)
    }

    fn fork(facts: &[Fact<EpisodeEvent>], fork: Fork) -> Result<Vec<Fact<EpisodeEvent>>, Problem> {
        fork::fork(facts, fork)
    }

    fn answers(facts: &[Fact<EpisodeEvent>]) -> Vec<RecordedAnswer> {
        recorded_answers::recorded_answers(facts)
    }
}

impl Episode {
    /// Whether a message with this id was taken before.
    pub fn has_message(&self, id: &str) -> bool {
        let under_way = self.message.as_ref().is_some_and(|message| message.id == id);
        under_way || self.turns.iter().any(|turn| turn.message.id == id)
    }

    /// Why a message cannot be taken as things stand.
    pub(super) fn refusal(&self, text: Option<&str>, choice: Option<&str>) -> Option<RefusedMessage> {
        if self.message.is_some() || self.evaluating.is_some() {
            return Some(RefusedMessage::Busy);
        }
        if self.completed.is_some() {
            return Some(RefusedMessage::Complete);
        }
        let offered = choice.is_none_or(|id| self.option(id).is_some());
        (!offered || (text.is_none() && choice.is_none())).then_some(RefusedMessage::NoSuchChoice)
    }

    /// Whether the rules stand in for a model that can be asked again.
    fn awaits_evaluation(&self) -> bool {
        self.is_complete() && self.evaluating.is_none() && self.setup.director.is_some()
    }

    /// What an option of the choice that is offered says, and which flag it sets.
    pub(super) fn option(&self, id: &str) -> Option<(&str, Option<&str>)> {
        let option = self.choice.as_ref()?.options.iter().find(|option| option.id == id)?;
        Some((option.label.as_str(), option.sets.as_deref()))
    }
}

/// Facts being decided, with the state they lead to: later rules see what earlier ones have just decided.
pub(super) struct EpisodeDraft {
    pub(super) episode: Episode,
    /// A choice to be offered once the turn is complete.
    pub(super) offer: Option<Choice>,
    at: i64,
    events: Vec<EpisodeEvent>,
}

impl EpisodeDraft {
    fn of(episode: &Episode, at: i64) -> EpisodeDraft {
        EpisodeDraft { episode: episode.clone(), offer: None, at, events: Vec::new() }
    }

    pub(super) fn push(&mut self, event: EpisodeEvent) {
        let fact = Fact { seq: self.episode.next_seq, at: self.at, event };
        self.episode.fold(&fact);
        self.events.push(fact.event);
    }

    /// The id of the next call.
    pub(super) fn next_call(&self) -> CallId {
        CallId(self.episode.next_call)
    }
}
