//! Lines: what enters the transcript, and how much of it was heard.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::{SceneSetup, report::line_text};
use crate::{
    Name,
    director::WatchedLine,
    judge::{self, Acts},
    record::Seq,
    reply::{Action, Reply},
    text::broken_off,
};

/// One exchange of the transcript.
#[derive(Debug, Clone)]
pub struct Line {
    /// The seq of the fact that added it.
    pub id: Seq,
    pub beat: u32,
    pub said: Said,
    /// Boxed, because few lines have one.
    pub cut: Option<Box<Cut>>,
    /// What was heard of a line that was cut: the words up to there, with an em dash.
    broken_off: Option<Box<str>>,
    /// What the judge sees in the line, worked out once: it reads the whole transcript after every beat.
    acts: OnceLock<Acts>,
    /// How the line reads, written once: every actor is told of it at every beat.
    text: OnceLock<Box<str>>,
}

/// Who or what a line comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "lowercase")]
pub enum Said {
    /// A character speaks, interrupts or reacts.
    Actor { who: Name, reply: Reply },
    /// Something happens in the world.
    World { text: String },
    /// The moderator has to say something about the performance itself.
    System { text: String },
}

/// Where a line was interrupted: what follows was not heard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cut {
    /// How many bytes of the content were heard.
    pub at: usize,
    pub by: Name,
}

impl Line {
    pub fn new(id: Seq, beat: u32, said: Said) -> Line {
        Line { id, beat, said, cut: None, broken_off: None, acts: OnceLock::new(), text: OnceLock::new() }
    }

    /// The same line, interrupted.
    pub fn cut(&self, cut: Cut) -> Line {
        let whole = self.whole();
        let broken_off = broken_off(whole.get(..cut.at).unwrap_or(whole)).into();
        Line {
            cut: Some(Box::new(cut)),
            broken_off: Some(broken_off),
            ..Line::new(self.id, self.beat, self.said.clone())
        }
    }

    pub fn actor(&self) -> Option<(&Name, &Reply)> {
        match &self.said {
            Said::Actor { who, reply } => Some((who, reply)),
            Said::World { .. } | Said::System { .. } => None,
        }
    }

    pub fn is_by(&self, name: &Name) -> bool {
        self.actor().is_some_and(|(who, _)| who == name)
    }

    /// What an actor spoke aloud here, all of it, heard or not. Reactions and events are not speech.
    pub fn spoken(&self) -> Option<&str> {
        let (_, reply) = self.actor()?;
        (reply.action != Action::React && !reply.content.is_empty()).then_some(reply.content.as_str())
    }

    /// What the director makes of a line that was spoken.
    pub(crate) fn watched(&self) -> Option<WatchedLine<'_>> {
        self.spoken()?;
        let (_, reply) = self.actor()?;
        let interrupts = reply.action == Action::Interrupt;
        Some(WatchedLine { round: self.beat, text: self.heard(), manner: &reply.tone, interrupts })
    }

    /// What the others heard: everything, or up to the cut with an em dash.
    pub fn heard(&self) -> &str {
        self.broken_off.as_deref().unwrap_or(self.whole())
    }

    fn whole(&self) -> &str {
        match &self.said {
            Said::Actor { reply, .. } => &reply.content,
            Said::World { text } | Said::System { text } => text,
        }
    }

    /// How the line reads in its scene.
    pub(super) fn text(&self, setup: &SceneSetup) -> &str {
        self.text.get_or_init(|| line_text(setup, self).into())
    }

    /// What is done with these words, as the judge reads what was heard of them.
    pub fn acts(&self) -> &Acts {
        self.acts.get_or_init(|| Acts::of(self.heard()))
    }

    /// Whether it is said in anger, by its tone or its words.
    pub(super) fn is_heated(&self) -> bool {
        let tone = self.actor().map(|(_, reply)| reply.tone.as_str());
        judge::is_heated(self.acts(), tone)
    }
}

impl PartialEq for Line {
    fn eq(&self, other: &Line) -> bool {
        (self.id, self.beat, &self.said, &self.cut) == (other.id, other.beat, &other.said, &other.cut)
    }
}
