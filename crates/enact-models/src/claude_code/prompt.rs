//! What the command is asked: the stable blocks as the system prompt, everything else as one question.

#[cfg(test)]
mod tests;

use enact_drama::{
    production::Failure,
    request::{Message, MessageRole, Request},
};

/// What the command takes through standard input, at most.
const LONGEST_QUESTION: usize = 10_000_000;

/// In place of a system prompt where there is none: without one the command would take itself for a
/// programmer.
const NO_SYSTEM: &str = "Answer what you are asked, and nothing else.";

/// Everything that is the same in every request of an actor.
pub(super) fn system(request: &Request) -> String {
    let blocks: Vec<&str> =
        request.system.iter().map(|block| block.trim()).filter(|block| !block.is_empty()).collect();
    if blocks.is_empty() { NO_SYSTEM.to_owned() } else { blocks.join("\n\n") }
}

/// The message to be answered; what was said before stands above it, since nothing is remembered from call to
/// call.
pub(super) fn question(request: &Request) -> Result<String, Failure> {
    let question = match request.thread.as_slice() {
        [] => String::new(),
        [only] => only.text.to_string(),
        [earlier @ .., last] => conversation(earlier, last),
    };
    if question.trim().is_empty() {
        return Err(Failure::new("there is nothing to ask Claude Code"));
    }
    if question.len() > LONGEST_QUESTION {
        let megabytes = LONGEST_QUESTION / 1_000_000;
        return Err(Failure::new(format!(
            "the request is longer than the {megabytes} MB that Claude Code takes"
        )));
    }
    Ok(question)
}

fn conversation(earlier: &[Message], last: &Message) -> String {
    let mut text = "The conversation so far; what was said stands indented below who said it.\n".to_owned();
    for message in earlier {
        say(&mut text, label(message.role), &message.text);
    }
    say(&mut text, "Now answer this:", &last.text);
    text
}

fn label(role: MessageRole) -> &'static str {
    match role {
        MessageRole::User => "You were told:",
        MessageRole::Assistant => "You answered:",
    }
}

/// Every line of a message is indented, so that none can pass for a label: what models say is data.
fn say(text: &mut String, label: &str, message: &str) {
    text.push('\n');
    text.push_str(label);
    text.push('\n');
    for line in message.split(['\n', '\r', '\u{2028}', '\u{2029}']) {
        text.push_str("    ");
        text.push_str(line);
        text.push('\n');
    }
}
