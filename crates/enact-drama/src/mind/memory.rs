//! What a mind keeps between two calls. It is folded from facts, so none of this judges.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{
    action::MindAction,
    event::{MindDecision, MindErrand},
    observation::{MindNews, MindObservation, TalkMessage},
    setup::MindConfig,
};
use crate::field::need_rules::{self, MOST_REFUSALS};

/// As the server of the existing game keeps: events of the last hour of the game.
const EVENT_MINUTES: i64 = 60;
const MOST_EVENTS: usize = 15;
const MOST_BIDS: usize = 8;
const MOST_TALKS: usize = 4;
const MOST_MESSAGES: usize = 40;
const MOST_DAILY: usize = 200;
const MOST_LONG_TERM: usize = 1_000;
const AVOID_MS: i64 = need_rules::AVOID_SECONDS as i64 * 1_000;
const MOST_AVOIDED: usize = 8;
const REFUSED_PAUSE_MS: i64 = need_rules::REFUSED_PAUSE_SECONDS as i64 * 1_000;
const TALK_PAUSE_MS: i64 = need_rules::TALK_PAUSE_SECONDS as i64 * 1_000;
/// How many answers are kept for calls that are repeated.
const MOST_ANSWERS: usize = 16;

/// What is remembered.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct MindMemory {
    /// What it was told at first, and what else it keeps in mind.
    pub working: Map<String, Value>,
    pub long_term: VecDeque<String>,
    pub daily: VecDeque<DailyMemory>,
    pub bids: Vec<PendingBid>,
    pub talks: Vec<RememberedTalk>,
    /// With the minute of the game that each was told in.
    events: VecDeque<(Option<i64>, String)>,
    pub errand: Option<MindErrand>,
    pub searching: bool,
    /// What could not be had, and until when it is left alone.
    avoid: Vec<(String, i64)>,
    /// Until then nobody is invited.
    pub quiet_until: i64,
    refusals: u8,
    /// Whether an invitation of its own has no answer yet.
    invited: bool,
    pub last_said: Option<(String, i64)>,
    pub said_farewell: bool,
    /// What it does and why, as it was last decided.
    plan: Option<(String, String)>,
    /// The newest answers, by the call; of calls that were passed it is `continue`.
    answers: VecDeque<MindDecision>,
    /// As it was before the newest decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    before: Option<Box<BeforeDecision>>,
}

/// What a decision changes, as it was before: one that never reached the game is taken back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct BeforeDecision {
    request: String,
    /// The bid that it answers.
    bid: Option<PendingBid>,
    errand: Option<MindErrand>,
    searching: bool,
    avoid: Vec<(String, i64)>,
    invited: bool,
    last_said: Option<(String, i64)>,
    said_farewell: bool,
    plan: Option<(String, String)>,
}

/// Something of the day that may be kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DailyMemory {
    pub content: String,
    /// From 1 to 10.
    pub importance: u8,
}

/// An invitation that waits for an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingBid {
    pub bid_id: String,
    pub bidder: String,
    pub interaction: String,
}

/// A conversation that goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RememberedTalk {
    /// Empty where the game gives none: then there is only one.
    pub id: String,
    pub interaction: String,
    pub messages: Vec<TalkMessage>,
}

impl MindMemory {
    pub(super) fn new(config: &MindConfig) -> MindMemory {
        MindMemory {
            working: config.working_memory.clone(),
            long_term: config.memories.iter().cloned().collect(),
            ..MindMemory::default()
        }
    }

    /// Takes in what the game told.
    pub(super) fn observe(&mut self, told: &MindObservation, at: i64) {
        for news in &told.events {
            self.hear(news, told.time, at);
        }
        self.avoid.retain(|(_, until)| *until > at);
        if let Some(now) = told.time {
            self.events.retain(|(then, _)| then.is_none_or(|then| now.saturating_sub(then) <= EVENT_MINUTES));
        }
    }

    fn hear(&mut self, news: &MindNews, time: Option<i64>, at: i64) {
        let noted = match news {
            MindNews::BidReceived { bid_id, bidder, interaction, .. } => {
                self.bids.retain(|bid| bid.bid_id != *bid_id);
                if self.bids.len() == MOST_BIDS {
                    self.bids.remove(0);
                }
                let (bid_id, bidder) = (bid_id.clone(), bidder.clone());
                let noted = format!("{bidder} asks for {interaction}");
                self.bids.push(PendingBid { bid_id, bidder, interaction: interaction.clone() });
                noted
            }
            MindNews::BidCanceled { bid_id } => {
                self.bids.retain(|bid| bid.bid_id != *bid_id);
                return;
            }
            MindNews::BidRejected { interaction, reason } => {
                self.refused(at);
                format!("{interaction} was refused: {reason}")
            }
            MindNews::Started { interaction, .. } => {
                self.errand = None;
                (self.invited, self.refusals, self.said_farewell) = (false, 0, false);
                self.last_said = None;
                format!("{interaction} began")
            }
            MindNews::Canceled { interaction, id } | MindNews::Finished { interaction, id } => {
                self.finish(interaction, id, at);
                format!("{interaction} is over")
            }
            MindNews::Talk { id, interaction, messages, .. } => {
                self.listen(id, interaction, messages);
                return;
            }
            MindNews::Moved { status } if status == "ARRIVED" => return,
            MindNews::Moved { .. } => "could not get there".to_owned(),
            MindNews::Error { message } => {
                // Over texts nobody can accept, so that invitations only time out.
                if self.invited {
                    self.refused(at);
                } else {
                    self.give_up(at);
                }
                message.clone()
            }
            MindNews::BidPending { .. } | MindNews::Other { .. } => return,
        };
        self.events.push_back((time, noted));
        if self.events.len() > MOST_EVENTS {
            self.events.pop_front();
        }
    }

    fn refused(&mut self, at: i64) {
        if std::mem::take(&mut self.invited) {
            self.refusals = self.refusals.saturating_add(1).min(MOST_REFUSALS);
            self.quiet_until = at + REFUSED_PAUSE_MS * i64::from(self.refusals);
        }
        self.give_up(at);
    }

    fn give_up(&mut self, at: i64) {
        if let Some(errand) = self.errand.take() {
            self.leave_alone(errand.target, at);
        }
    }

    fn leave_alone(&mut self, what: String, at: i64) {
        self.avoid.retain(|(known, _)| *known != what);
        self.avoid.push((what, at + AVOID_MS));
        let too_many = self.avoid.len().saturating_sub(MOST_AVOIDED);
        self.avoid.drain(..too_many);
    }

    pub(super) fn avoids(&self, target: &str, at: i64) -> bool {
        self.avoid.iter().any(|(known, until)| known == target && *until > at)
    }

    fn finish(&mut self, interaction: &str, id: &str, at: i64) {
        let Some(place) = self.talks.iter().position(|talk| talk.id == id && talk.interaction == interaction)
        else {
            return self.remember(format!("{interaction}: done."), 2);
        };
        let talk = self.talks.remove(place);
        self.quiet_until = self.quiet_until.max(at + TALK_PAUSE_MS);
        self.last_said = None;
        if let Some(last) = talk.messages.last() {
            let content =
                format!("Talked ({} lines). {} said last: {}", talk.messages.len(), last.speaker, last.text);
            self.remember(content, 4);
        }
    }

    fn remember(&mut self, content: String, importance: u8) {
        self.daily.push_back(DailyMemory { content, importance });
        if self.daily.len() > MOST_DAILY {
            self.daily.pop_front();
        }
    }

    /// Merges a window of a conversation with what was heard of it. The same message comes again and again.
    fn listen(&mut self, id: &str, interaction: &str, window: &[TalkMessage]) {
        let place = self.talks.iter().position(|talk| talk.id == id).unwrap_or_else(|| {
            if self.talks.len() == MOST_TALKS {
                self.talks.remove(0);
            }
            let (id, interaction) = (id.to_owned(), interaction.to_owned());
            self.talks.push(RememberedTalk { id, interaction, messages: Vec::new() });
            self.talks.len() - 1
        });
        let heard = &mut self.talks[place].messages;
        if window.iter().all(|message| message.at.is_some()) {
            window.iter().for_each(|message| merge(heard, message));
        } else {
            // The longest end of what was heard that the window begins with.
            let is_same = |length: &usize| {
                let end = &heard[heard.len() - length..];
                end.iter().zip(window).all(|(known, message)| known.is_same(message))
            };
            let shared = (0..=heard.len().min(window.len())).rev().find(is_same);
            heard.extend_from_slice(&window[shared.unwrap_or(0)..]);
        }
        let too_many = heard.len().saturating_sub(MOST_MESSAGES);
        heard.drain(..too_many);
    }

    /// Takes in what was decided.
    pub(super) fn decide(&mut self, decision: &MindDecision, at: i64) {
        let answered = decision.action.parameters.get("bid_id").and_then(Value::as_str);
        let bid = self.bids.iter().position(|pending| Some(pending.bid_id.as_str()) == answered);
        self.before = Some(Box::new(BeforeDecision {
            request: decision.request.clone(),
            bid: bid.map(|place| self.bids.remove(place)),
            errand: self.errand.clone(),
            searching: self.searching,
            avoid: self.avoid.clone(),
            invited: self.invited,
            last_said: self.last_said.clone(),
            said_farewell: self.said_farewell,
            plan: self.plan.clone(),
        }));
        self.errand.clone_from(&decision.errand);
        self.searching = decision.searching;
        self.invited |= decision.invited;
        if let Some(what) = &decision.avoid {
            self.leave_alone(what.clone(), at);
        }
        if let Some(said) = &decision.said {
            self.last_said = Some((said.clone(), at));
            self.said_farewell = decision.farewell;
        }
        self.plan = Some((decision.action.action.clone(), decision.why.clone()));
        self.keep_answer(decision.clone());
    }

    /// A call was answered with `continue`, because a newer one had come.
    pub(super) fn pass(&mut self, request: &str) {
        if self.answer(request).is_none() {
            let passed = MindDecision::new(MindAction::go_on(), "a newer call had come");
            self.keep_answer(MindDecision { request: request.to_owned(), ..passed });
        }
    }

    fn keep_answer(&mut self, decision: MindDecision) {
        self.answers.push_back(decision);
        if self.answers.len() > MOST_ANSWERS {
            self.answers.pop_front();
        }
    }

    /// What was decided last never reached the game: it is as it was before.
    pub(super) fn withhold(&mut self, request: &str) {
        let Some(before) = self.before.take_if(|before| before.request == request) else { return };
        self.bids.splice(..0, before.bid);
        self.errand = before.errand;
        self.searching = before.searching;
        self.avoid = before.avoid;
        self.invited = before.invited;
        self.last_said = before.last_said;
        self.said_farewell = before.said_farewell;
        self.plan = before.plan;
        self.answers.retain(|decision| decision.request != request);
        self.pass(request);
    }

    /// The answer that a call got before, if it is repeated.
    pub fn answer(&self, request: &str) -> Option<&MindDecision> {
        self.answers.iter().find(|decision| decision.request == request)
    }

    /// Keeps the day for good.
    pub(super) fn consolidate(&mut self) {
        self.long_term.extend(self.daily.drain(..).map(|memory| memory.content));
        let too_many = self.long_term.len().saturating_sub(MOST_LONG_TERM);
        self.long_term.drain(..too_many);
    }

    /// What it has in mind, in the shape that games read.
    pub fn working_memory(&self, told: Option<&MindObservation>) -> Value {
        let mut working = self.working.clone();
        let initial = working.get("situation_assessment").and_then(Value::as_str).unwrap_or_default();
        let situation = told.and_then(situation).unwrap_or_else(|| initial.to_owned());
        let goals: Vec<String> = told.map(goals).unwrap_or_default();
        let events: Vec<&String> = self.events.iter().map(|(_, text)| text).collect();
        let plan: Vec<String> = self.plan.iter().map(|(action, why)| format!("{action}: {why}")).collect();
        let mood = told.and_then(|told| told.mood.clone()).unwrap_or_else(|| "calm".to_owned());
        for (key, value) in [
            ("situation_assessment", json!(situation)),
            ("active_goals", json!(goals)),
            ("recent_events", json!(events)),
            ("current_plan", json!(plan)),
            ("emotional_state", json!(mood)),
        ] {
            let is_known = working.get(key).is_some_and(|known| !known.is_null());
            let is_empty = value.as_array().is_some_and(Vec::is_empty);
            if !(is_known && is_empty) {
                working.insert(key.to_owned(), value);
            }
        }
        Value::Object(working)
    }

    /// The same in one text, for games that read no object.
    pub fn working_text(&self, told: Option<&MindObservation>) -> String {
        let working = self.working_memory(told);
        let mut lines = vec![working["situation_assessment"].as_str().unwrap_or_default().to_owned()];
        let plan = working["current_plan"].as_array().into_iter().flatten().filter_map(Value::as_str);
        lines.extend(plan.map(str::to_owned));
        lines.retain(|line| !line.is_empty());
        lines.join("\n")
    }
}

/// Takes in a message by the time at which it was said: a window comes again and again, and something may have
/// been added to a message since.
fn merge(heard: &mut Vec<TalkMessage>, message: &TalkMessage) {
    match heard.iter_mut().find(|known| known.is_same(message)) {
        Some(known) => known.farewell |= message.farewell,
        None => {
            let place = heard.iter().rposition(|known| known.at <= message.at).map_or(0, |last| last + 1);
            heard.insert(place, message.clone());
        }
    }
}

/// Where it is and what it does, in a sentence.
fn situation(told: &MindObservation) -> Option<String> {
    let state = told.state?.as_str().to_lowercase();
    let place = told.position.map(|cell| format!(" at ({},{})", cell.0, cell.1)).unwrap_or_default();
    let with = told.current.as_ref().map(|current| format!(" in {}", current.name)).unwrap_or_default();
    let lowest = told.needs.iter().min_by_key(|(_, value)| **value);
    let need = lowest.map(|(name, value)| format!("; lowest need: {name}, {value}%")).unwrap_or_default();
    Some(format!("{state}{place}{with}{need}"))
}

fn goals(told: &MindObservation) -> Vec<String> {
    let needs = told.needs.iter().filter(|(_, value)| **value < super::rules::SEARCH);
    told.goal.iter().cloned().chain(needs.map(|(name, _)| format!("fill {name}"))).collect()
}
