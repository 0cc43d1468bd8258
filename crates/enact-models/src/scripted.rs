//! Answers written down beforehand.

mod parse;

#[cfg(test)]
mod tests;

use std::{collections::BTreeMap, fmt, future};

use async_trait::async_trait;
use enact_drama::{
    Problem,
    model_card::ModelCard,
    production::{Answer, Failure},
    request::Request,
    usage::Usage,
};
use enact_engine::{Model, model::Timing};

/// A model that answers from a script: for tests, and for authors who want a scene played exactly so.
///
/// ```text
/// # Lines that begin with '#' are for people.
/// beat 0
/// alice: [TO: Bob, TONE: angry] "We need to talk."
///
/// beat 1
/// bob: [TONE: defensive] "Look, I can explain
///      what happened."
/// alice (1.2s): [INTERRUPT after "explain", TONE: furious] "I don't want excuses!"
/// charlie: !fail rate limited
/// ```
///
/// An indented line goes on with the reply above it. Replies arrive in the order they are written; a thinking
/// time (`120ms`, `1.2s`) puts one elsewhere. Instead of replying an actor may `!fail` with an error, `!hang`
/// until its time is up, or `!panic`. Who is not mentioned in a beat is silent.
///
/// In a chorus actors are slots, and turns stand in place of beats (`turn 2`, then `slot-1: {"targetSlotId":
/// 3, …}`). Silence is nothing that a slot can answer with: who is not mentioned fails. A slot that stands
/// twice in turn 2 gives the second answer if its first comment is refused; one that stands once gives the
/// same again.
#[derive(Debug, Clone)]
pub struct Scripted {
    title: String,
    replies: BTreeMap<When, ScriptedReply>,
}

/// When a reply is due.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct When {
    /// Or the turn of a chorus.
    beat: u32,
    /// In lower case, since authors write `Alice:` as well.
    actor: String,
    /// Whether a slot is asked for its comment a second time.
    again: bool,
}

/// What one actor does in one beat.
#[derive(Debug, Clone, PartialEq, Eq)]
struct ScriptedReply {
    /// Where it stands in the script.
    line: usize,
    took_ms: u64,
    action: ScriptedAction,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum ScriptedAction {
    Reply(String),
    Fail(String),
    Hang,
    Panic,
}

impl Scripted {
    /// Reads a script.
    pub fn parse(text: &str) -> Result<Scripted, Problem> {
        let replies = parse::replies(text)?;
        Ok(Scripted { title: format!("{} replies", replies.len()), replies })
    }

    /// Says which script this is, in place of how long it is: a file's name, for example.
    pub fn titled(mut self, title: impl fmt::Display) -> Scripted {
        self.title = title.to_string();
        self
    }

    /// Those it has answers for, in lower case, each with the line of its first.
    pub fn actors(&self) -> BTreeMap<&str, usize> {
        let mut actors = BTreeMap::new();
        for (when, reply) in &self.replies {
            let line = actors.entry(when.actor.as_str()).or_insert(reply.line);
            *line = reply.line.min(*line);
        }
        actors
    }
}

#[async_trait]
impl Model for Scripted {
    fn card(&self) -> ModelCard {
        ModelCard::free_without_memory(format!("script ({})", self.title))
    }

    fn timing(&self) -> Timing {
        Timing::Simulated
    }

    async fn answer(&self, request: Request) -> Result<Answer, Failure> {
        let beat = request.beat.unwrap_or_default();
        let when = When { beat, actor: request.me().to_lowercase(), again: request.again };
        let first = || self.replies.get(&When { again: false, ..when.clone() });
        let (text, took_ms) = match (self.replies.get(&when).or_else(first), request.silence) {
            (None, None) => {
                let failure = Failure::new(match request.actor {
                    Some(_) => format!("the script has nothing for {} in turn {beat}", when.actor),
                    None => "a script only plays characters".to_owned(),
                });
                return Err(Failure { usage: Some(Usage::NONE), ..failure });
            }
            (None, Some(silence)) => (silence, 0),
            (Some(reply), _) => match &reply.action {
                ScriptedAction::Reply(text) => (text.as_str(), reply.took_ms),
                ScriptedAction::Fail(error) => {
                    let (error, took_ms) = (error.clone(), reply.took_ms);
                    return Err(Failure { usage: Some(Usage::NONE), took_ms, ..Failure::new(error) });
                }
                ScriptedAction::Hang => future::pending().await,
                ScriptedAction::Panic => panic!("line {} of the script says so", reply.line),
            },
        };
        Ok(Answer { text: text.to_owned(), usage: Some(Usage::NONE), took_ms, first_word_ms: None })
    }
}
