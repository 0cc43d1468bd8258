//! Who was asked in a beat, by which model, and what came of it. Models share the beat's deadline; a person
//! has one of its own.

use super::{Scene, event::AskedHuman};
use crate::{
    budget::{CallAllowance, Reserve},
    fallback::{left_ms, rank_of, timeout_ms},
    model_card::Context,
    production::{Ask, CallId, Effect},
    request::Request,
};

/// A person whose time is up, or nearly, when a process takes the run over has at least so long: nobody can
/// answer while no process plays.
const LEAST_AFTER_RESUMING_MS: u64 = 30_000;

/// An actor that was asked in the open beat.
#[derive(Debug, Clone)]
pub(super) struct AskedActor {
    pub(super) actor: usize,
    pub(super) call: CallId,
    pub(super) state: ReplyState,
    pub(super) asked_again: bool,
    /// Which of the models that may answer for it is asked.
    pub(super) rank: usize,
    /// What was left of the beat's time by then.
    pub(super) left_ms: u64,
    pub(super) allowance: Option<CallAllowance>,
    /// Where a person was asked.
    pub(super) human: Option<HumanWait>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReplyState {
    Pending,
    /// Spoke, interrupted or reacted.
    Acted,
    Silent,
    Failed,
}

/// How long a person's answer is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct HumanWait {
    /// When it was asked, in UTC milliseconds.
    pub(super) since: i64,
    pub(super) limit: Option<HumanLimit>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct HumanLimit {
    /// The timer that runs for it.
    pub(super) deadline: CallId,
    /// In UTC milliseconds.
    pub(super) until: i64,
    timeout_ms: u64,
    /// What was left when the process that plays now began to wait.
    left_ms: u64,
}

impl HumanWait {
    pub(super) fn begin(asked: &AskedHuman, at: i64) -> HumanWait {
        let limit = asked.timeout_ms.map(|timeout_ms| HumanLimit {
            deadline: asked.deadline,
            until: later(at, timeout_ms),
            timeout_ms,
            left_ms: timeout_ms,
        });
        HumanWait { since: at, limit }
    }

    /// Another process waits from now on, for what is left.
    pub(super) fn resume(&mut self, at: i64) {
        if let Some(limit) = &mut self.limit {
            let least = LEAST_AFTER_RESUMING_MS.min(limit.timeout_ms);
            // A clock that was set back gives no more than the whole time.
            let left = u64::try_from(limit.until.saturating_sub(at)).unwrap_or(0);
            limit.left_ms = left.clamp(least, limit.timeout_ms);
            limit.until = later(at, limit.left_ms);
        }
    }

    pub(super) fn timer(&self) -> Option<Effect> {
        self.limit.map(|limit| Effect::Timer { call: limit.deadline, after_ms: limit.left_ms })
    }
}

fn later(at: i64, ms: u64) -> i64 {
    at.saturating_add(i64::try_from(ms).unwrap_or(i64::MAX))
}

impl AskedActor {
    pub(super) fn is_pending(&self) -> bool {
        self.state == ReplyState::Pending
    }

    /// Whether a model's answer is waited for.
    pub(super) fn awaits_model(&self) -> bool {
        self.is_pending() && self.human.is_none()
    }
}

impl Scene {
    /// An actor is asked. After a call for it has failed in this beat, that was not its failure.
    pub(super) fn fold_asked(
        &mut self,
        at: i64,
        actor: usize,
        call: CallId,
        model: &str,
        allowance: Option<CallAllowance>,
        human: Option<HumanWait>,
    ) {
        let mut asked_again = false;
        if let Some(earlier) = self.beat.asked.iter().find(|asked| asked.actor == actor) {
            let failed = earlier.state == ReplyState::Failed;
            asked_again = earlier.asked_again || !failed;
            let failures = &mut self.actors[actor].failures_in_a_row;
            *failures = failures.saturating_sub(u32::from(failed));
            self.beat.asked.retain(|asked| asked.actor != actor);
        }
        let rank = rank_of(&self.prepared.setup.models, self.prepared.model(actor, 0), model);
        let (state, left_ms) = (ReplyState::Pending, left_ms(self.beat.timeout_ms, self.beat.since, at));
        self.beat.asked.push(AskedActor { actor, call, state, asked_again, rank, left_ms, allowance, human });
    }

    /// What an actor is asked by a call under way.
    pub(super) fn request_of_asked(&self, ask: &Ask) -> Request {
        let (rank, left_ms) =
            self.pending_ask(ask.call).map_or((0, self.beat.timeout_ms), |asked| (asked.rank, asked.left_ms));
        let first = self.prepared.model(ask.place, 0);
        let timeout_ms = timeout_ms(&self.prepared.setup.models, first, rank, left_ms);
        Request { timeout_ms, ..self.actor_request(ask.place, rank) }
    }

    /// How much the model behind an actor is told.
    pub(super) fn context(&self, actor: usize) -> Context {
        self.context_of(actor, 0)
    }

    /// How much the model with this rank is told. What a thread holds is what the first one is told: a
    /// fallback can have less of it, and never more.
    pub(super) fn context_of(&self, actor: usize, rank: usize) -> Context {
        let context = |rank: usize| {
            let card = self.prepared.setup.models.get(&**self.prepared.model(actor, rank));
            card.map_or(Context::Thread, |card| card.context)
        };
        match context(0) {
            Context::Thread if rank > 0 => context(rank),
            own => own,
        }
    }

    pub(super) fn pending_ask(&self, call: CallId) -> Option<&AskedActor> {
        self.beat.asked.iter().find(|asked| asked.call == call && asked.is_pending())
    }

    /// The asks that people have not answered yet.
    pub(super) fn pending_humans(&self) -> impl Iterator<Item = (&AskedActor, HumanWait)> {
        let asked = self.beat.asked.iter().filter(|asked| self.beat.open && asked.is_pending());
        asked.filter_map(|asked| Some((asked, asked.human?)))
    }

    /// What was put aside for each call that has no outcome yet. People use nothing.
    pub(super) fn pending_reserves(&self) -> impl Iterator<Item = Reserve> {
        let asked = self.beat.asked.iter().filter(|asked| asked.awaits_model());
        let hidden = self.hidden_calls.calls.iter().map(|hidden| hidden.allowance);
        asked.map(|asked| asked.allowance).chain(hidden).map(|allowance| self.reserve_of(allowance))
    }

    /// Another run asked those who have not answered yet, and it is that one they answer.
    pub(super) fn forget_asks_of_parent(&mut self) {
        if self.beat.open {
            let waiting = self.beat.asked.extract_if(.., |asked| asked.is_pending());
            self.beat.to_ask_again.extend(waiting.map(|asked| asked.actor));
        }
    }

    fn reserve_of(&self, allowance: Option<CallAllowance>) -> Reserve {
        allowance.map_or(self.beat.share, |allowance| allowance.reserve)
    }
}
