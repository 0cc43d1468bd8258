//! What each model was sent, read off the log of a run: the rules write every request from the facts before
//! it, so that the same facts give the same words again.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
    sync::Arc,
};

use crate::{
    Ask, CallId, Effect, Fact, Production,
    request::{Message, MessageRole, Request},
    text::{escaped_message, one_line},
};

/// Follows a run and writes out what is sent. What a model was sent before is not written out again.
#[derive(Debug)]
pub struct SentPrompts<P> {
    state: Option<P>,
    seen: BTreeSet<CallId>,
    /// What was sent last, by who was asked and what for.
    last: BTreeMap<String, LastSent>,
}

#[derive(Debug)]
struct LastSent {
    call: CallId,
    system: Vec<Arc<str>>,
    thread: Vec<Message>,
}

impl<P> Default for SentPrompts<P> {
    fn default() -> SentPrompts<P> {
        SentPrompts { state: None, seen: BTreeSet::new(), last: BTreeMap::new() }
    }
}

impl<P: Production> SentPrompts<P> {
    /// Everything that was sent in a run.
    pub fn of(facts: &[Fact<P::Event>]) -> String {
        let mut sent = SentPrompts::<P>::default();
        facts.iter().map(|fact| sent.follow(fact)).collect()
    }

    /// Takes the next fact of the run, and writes out what was sent because of it.
    pub fn follow(&mut self, fact: &Fact<P::Event>) -> String {
        match &mut self.state {
            Some(state) => state.apply(fact),
            None => self.state = P::begin(fact),
        }
        let Some(state) = &self.state else { return String::new() };
        let asks = state.pending().into_iter().filter_map(|effect| match effect {
            Effect::Ask(ask) => Some(ask),
            Effect::Speak(_) | Effect::Timer { .. } => None,
        });
        let new: Vec<(Ask, Request)> = asks
            .filter(|ask| self.seen.insert(ask.call))
            .map(|ask| {
                let request = state.request(&ask);
                (ask, request)
            })
            .collect();
        new.into_iter().map(|(ask, request)| self.write(&ask, request)).collect()
    }

    fn write(&mut self, ask: &Ask, request: Request) -> String {
        let who = ask.actor.as_ref().map_or_else(String::new, |name| format!(" to {name}"));
        let beat = request.beat.map_or_else(String::new, |beat| format!(", beat {beat}"));
        let mut text = format!(
            "=== call {}{beat}: {}{who}, answered by {} (at most {} tokens) ===\n",
            ask.call.0,
            ask.purpose.as_str(),
            one_line(&ask.model),
            request.max_tokens
        );
        let key = format!("{}{who}", ask.purpose.as_str());
        let before = self.last.get(&key);
        match before.filter(|before| before.system == request.system) {
            Some(before) => {
                let _ = writeln!(text, "--- system: as in call {}", before.call.0);
            }
            None => request.system.iter().for_each(|block| write_part(&mut text, "system", block)),
        }
        let same = before.map_or(0, |before| {
            let pairs = before.thread.iter().zip(&request.thread);
            pairs.take_while(|(before, now)| before == now).count()
        });
        if let (Some(before), 1..) = (before, same) {
            let _ = writeln!(text, "--- {same} messages: as in call {}", before.call.0);
        }
        for message in &request.thread[same..] {
            let role = match message.role {
                MessageRole::User => "user",
                MessageRole::Assistant => "assistant",
            };
            write_part(&mut text, role, &message.text);
        }
        if let Some(schema) = &request.schema {
            write_part(&mut text, &format!("schema {}", schema.name), &schema.json.to_string());
        }
        text.push('\n');
        let sent = LastSent { call: ask.call, system: request.system, thread: request.thread };
        self.last.insert(key, sent);
        text
    }
}

fn write_part(text: &mut String, what: &str, part: &str) {
    let _ = writeln!(text, "--- {what}\n{}", escaped_message(part).trim_end());
}
