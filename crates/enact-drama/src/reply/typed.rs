//! What people type. They write plain words and mean them: nothing in them is taken for a name, a thought or
//! a note about the scene. The reply format is understood where a line begins with its bracket.

use std::borrow::Cow;

use super::{Complaints, ParsedReply, PartialReply, Reply, body::SpokenBody, defaults, parse};
use crate::text::one_line;

/// Marks that stand for words which are not said.
const NOTHING_SAID: [char; 4] = ['.', '…', '-', '—'];

/// Losing one mark may bring another to the surface, but not often.
const MOST_PASSES: usize = 4;

/// Reads what a person typed: `Hello.`, `(smiles) Hello.`, `*waves*`. An empty line or an ellipsis is silence,
/// as is anything else that says nothing.
pub fn parse_typed(raw: &str) -> ParsedReply {
    let line = one_line(raw);
    if line.starts_with('[') {
        let reading = parse(&line);
        if !reading.malformed() {
            return reading;
        }
    }
    let (gesture, words) = split_gesture(&line);
    let words = if words.trim_matches(NOTHING_SAID).trim().is_empty() { "" } else { words };
    let nonverbal: Vec<&str> = gesture.into_iter().collect();
    let spoken = SpokenBody { text: Cow::Borrowed(words), nonverbal, ..SpokenBody::default() };
    let draft = PartialReply { spoken, bare: true, ..PartialReply::default() };
    let reading = defaults::fill_in(draft, Complaints::default());
    ParsedReply::plain(as_written(reading.reply))
}

/// The reply as it reads when it is written out: a recording gives it that way, and must say the same. A mark
/// that stands alone, such as a quote that is never closed, may be lost by it.
fn as_written(mut reply: Reply) -> Reply {
    for _ in 0..MOST_PASSES {
        let read = parse(&reply.written()).reply;
        if read == reply {
            break;
        }
        reply = read;
    }
    reply
}

/// What is done, in parentheses or between asterisks before what is said.
fn split_gesture(line: &str) -> (Option<&str>, &str) {
    let closed = |open: char, close: char| {
        let (gesture, words) = line.strip_prefix(open)?.split_once(close)?;
        (!gesture.trim().is_empty()).then_some((gesture, words.trim_start()))
    };
    match closed('(', ')').or_else(|| closed('*', '*')) {
        Some((gesture, words)) => (Some(gesture), words),
        None => (None, line),
    }
}
