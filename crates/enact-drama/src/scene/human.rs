//! People on stage. A person is asked like any actor, and the ask is a fact; no model is called. The answer
//! comes with a command, and silence counts as silence.

use serde_json::json;

use super::{
    Scene, SceneEvent,
    asked::{AskedActor, HumanWait},
    command::{LONGEST_NOTE_CHARS, MOST_FROM_OUTSIDE},
    machine::{self, SceneDraft},
    prompt::UpdateWriter,
};
use crate::{
    CallId, Code, Name, Problem,
    open_ask::OpenAsk,
    reply::{self, Action, NEUTRAL, ParsedReply, Reply},
    text::{one_line, shortened},
    usage::Usage,
};

impl Scene {
    /// Whether a character is played by a person.
    pub(super) fn is_human(&self, place: usize) -> bool {
        self.prepared.players[place].human
    }

    /// Whether a person plays in this run at all.
    pub(super) fn check_has_people(&self) -> Result<(), Problem> {
        match self.prepared.players.iter().any(|player| player.human) {
            true => Ok(()),
            false => Err(Problem::config("every character of this run is played by a model")
                .hint("a person plays a character whose model is 'human'")),
        }
    }

    /// What people have been asked and not answered, in cast order.
    pub(super) fn open_human_asks(&self) -> Vec<OpenAsk> {
        let writer = UpdateWriter::new(&self.prepared);
        let mut open: Vec<(usize, OpenAsk)> = self
            .pending_humans()
            .map(|(asked, wait)| {
                let player = &self.prepared.players[asked.actor];
                let ask = OpenAsk {
                    ask: asked.call,
                    actor: player.name.clone(),
                    display: player.display.clone(),
                    beat: self.beat.number,
                    since: wait.since,
                    until: wait.limit.map(|limit| limit.until),
                    told: self.update(asked.actor, self.context(asked.actor), &writer),
                    lines: self.news_for(asked.actor),
                };
                (asked.actor, ask)
            })
            .collect();
        open.sort_by_key(|(place, _)| *place);
        open.into_iter().map(|(_, ask)| ask).collect()
    }

    /// Whether a person's answer can be taken now.
    pub(super) fn check_answer(&self, ask: CallId) -> Result<(), Problem> {
        if self.pending_humans().any(|(asked, _)| asked.call == ask) {
            return Ok(());
        }
        let open: Vec<u64> = self.pending_humans().map(|(asked, _)| asked.call.0).collect();
        let what = if ask < self.next_call { "is not open any more" } else { "is not there" };
        let problem = Problem::new(Code::AskNotOpen, format!("ask {} {what}", ask.0));
        let problem = match open.as_slice() {
            [] => problem.hint("no ask is open now"),
            [only] => problem.hint(format!("ask {only} is open now")),
            several => {
                let several: Vec<String> = several.iter().map(u64::to_string).collect();
                problem.hint(format!("the asks {} are open now", several.join(", ")))
            }
        };
        Err(problem.context(json!({ "ask": ask, "open": open })))
    }
}

/// A person answers: plain words, or the reply format.
pub(super) fn answered(draft: &mut SceneDraft, ask: CallId, text: &str) {
    let Some(asked) = human_ask(draft, ask) else { return ignore(draft, ask, text) };
    let (raw, too_long) = machine::bounded(text);
    let mut reading = reply::parse_typed(raw);
    if too_long {
        reading.warnings.push(machine::too_long());
    }
    let written = reading.reply.written();
    let raw = (raw != written).then(|| raw.to_owned());
    take(draft, &asked, Given { raw, reading, unanswered: false });
}

/// Whether the timer was that of a person, who is silent then.
pub(super) fn time_up(draft: &mut SceneDraft, timer: CallId) -> bool {
    let is_late = |wait: HumanWait| wait.limit.is_some_and(|limit| limit.deadline == timer);
    let late = draft.scene.pending_humans().find(|(_, wait)| is_late(*wait));
    let Some(asked) = late.map(|(asked, _)| asked.clone()) else { return false };
    let (target, interrupt_after, nonverbal) = (None, None, None);
    let (action, tone, content) = (Action::Silent, NEUTRAL.to_owned(), String::new());
    let reply = Reply { action, target, tone, content, interrupt_after, nonverbal };
    take(draft, &asked, Given { raw: None, reading: ParsedReply::plain(reply), unanswered: true });
    true
}

fn human_ask(draft: &SceneDraft, ask: CallId) -> Option<AskedActor> {
    draft.scene.pending_humans().find(|(asked, _)| asked.call == ask).map(|(asked, _)| asked.clone())
}

/// What a person gave.
struct Given {
    raw: Option<String>,
    reading: ParsedReply,
    unanswered: bool,
}

fn take(draft: &mut SceneDraft, asked: &AskedActor, given: Given) {
    let actor: Name = draft.scene.prepared.players[asked.actor].name.clone();
    let since = asked.human.map_or(draft.at, |wait| wait.since);
    let Given { raw, reading, unanswered } = given;
    draft.push(SceneEvent::Replied {
        call: asked.call,
        actor: actor.clone(),
        raw,
        reply: reading.reply.clone(),
        warnings: reading.warnings,
        outcome: Default::default(),
        usage: Some(Usage::NONE),
        took_ms: u64::try_from(draft.at.saturating_sub(since)).unwrap_or(0),
        unanswered,
        first_word_ms: None,
    });
    machine::act(draft, actor, reading.reply);
    machine::settle_if_all_in(draft);
}

/// The answer was accepted, but another answer or the timeout came first. It is logged, up to a limit.
fn ignore(draft: &mut SceneDraft, ask: CallId, text: &str) {
    if draft.scene.outside_inputs < MOST_FROM_OUTSIDE {
        let text = shortened(&one_line(machine::bounded(text).0), LONGEST_NOTE_CHARS).into_owned();
        draft.push(SceneEvent::AnswerIgnored { ask, text });
    }
}
