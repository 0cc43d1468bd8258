//! How a message is understood, for the player of other productions: the rules are those of a chorus.

use super::{
    lines::HELP,
    message::{Care, MessageKind, ReadMessage, topic_of},
};
use crate::content::Texts;

/// What a user has said, as far as rules can tell.
#[derive(Debug, Clone)]
pub(in crate::improviser) struct HeardMessage {
    pub(in crate::improviser) sort: HeardSort,
    /// Something it is about, as one would say it back: "your sister", "the sea".
    pub(in crate::improviser) topic: Option<String>,
    /// A word of it that says something, of whatever kind: only to be quoted.
    pub(in crate::improviser) word: Option<String>,
    /// Who can help, where its writer may be in danger.
    pub(in crate::improviser) help: Option<&'static Texts>,
    /// Whether the danger is to the writer's own life, which is never part of a game.
    pub(in crate::improviser) despairs: bool,
}

/// What sort of message it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::improviser) enum HeardSort {
    Question,
    Statement,
    /// Somebody is sad, or speaks of something grave.
    Sad,
    Greeting,
    Farewell,
    Thanks,
    WhatAreYou,
    Rude,
}

/// Reads what a user said.
pub(in crate::improviser) fn heard(text: &str) -> HeardMessage {
    let read = ReadMessage::read(text);
    let sort = match read.kind {
        MessageKind::Question => HeardSort::Question,
        MessageKind::Crisis
        | MessageKind::Grief
        | MessageKind::Grave
        | MessageKind::Low
        | MessageKind::Relief => HeardSort::Sad,
        MessageKind::Greeting => HeardSort::Greeting,
        MessageKind::Farewell => HeardSort::Farewell,
        MessageKind::Thanks => HeardSort::Thanks,
        MessageKind::WhatAreYou => HeardSort::WhatAreYou,
        MessageKind::Rude => HeardSort::Rude,
        MessageKind::Statement | MessageKind::High | MessageKind::Request | MessageKind::Foreign => {
            HeardSort::Statement
        }
    };
    let in_danger = read.kind == MessageKind::Crisis;
    HeardMessage {
        sort,
        topic: read.topic,
        word: read.word,
        help: in_danger.then(|| HELP.with(read.care)),
        despairs: in_danger && read.care == Care::Despair,
    }
}

/// Something that a sentence is about: "the sea". Whether it is said in danger is not looked at.
pub(in crate::improviser) fn topic_in(sentence: &str) -> Option<String> {
    topic_of(sentence)
}
