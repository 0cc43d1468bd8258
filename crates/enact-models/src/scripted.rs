//! Answers written down beforehand.

mod parse;

#[cfg(test)]
mod tests;

use std::{collections::BTreeMap, fmt, future};

use async_trait::async_trait;
use enact_drama::{
    Problem,
    production::{Answer, Failure},
    request::Request,
    scene::ModelCard,
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
/// An indented line goes on with the reply above it. Replies arrive in the order they are written; a thinking time
/// (`120ms`, `1.2s`) puts one elsewhere. Instead of replying an actor may `!fail` with an error, `!hang` until its
/// time is up, or `!panic`. Who is not mentioned in a beat is silent.
#[derive(Debug, Clone)]
pub struct Scripted {
    title: String,
    cues: BTreeMap<Cue, Part>,
}

/// When a part is due: the beat, and the actor's name in lower case, since authors write `Alice:` as well.
type Cue = (u32, String);

/// What one actor does in one beat.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Part {
    /// Where it stands in the script.
    line: usize,
    took_ms: u64,
    does: Does,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Does {
    Reply(String),
    Fail(String),
    Hang,
    Panic,
}

/// What those answer who have no part.
pub(crate) const SILENT: &str = "[SILENT]";

impl Scripted {
    /// Reads a script.
    pub fn parse(text: &str) -> Result<Scripted, Problem> {
        let cues = parse::cues(text)?;
        Ok(Scripted { title: format!("{} replies", cues.len()), cues })
    }

    /// Says which script this is, in place of how long it is: a file's name, for example.
    pub fn titled(mut self, title: impl fmt::Display) -> Scripted {
        self.title = title.to_string();
        self
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
        let beat = request.scene().map_or(0, |view| view.beat);
        let cue = (beat, request.me().to_lowercase());
        let (text, took_ms) = match self.cues.get(&cue) {
            None => (SILENT, 0),
            Some(part) => match &part.does {
                Does::Reply(text) => (text.as_str(), part.took_ms),
                Does::Fail(error) => {
                    let (error, took_ms) = (error.clone(), part.took_ms);
                    return Err(Failure { usage: Some(Usage::NONE), took_ms, ..Failure::new(error) });
                }
                Does::Hang => future::pending().await,
                Does::Panic => panic!("line {} of the script says so", part.line),
            },
        };
        Ok(Answer { text: text.to_owned(), usage: Some(Usage::NONE), took_ms })
    }
}
