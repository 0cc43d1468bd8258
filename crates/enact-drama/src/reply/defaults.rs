//! The rules about what is missing in a reply, or too much.

use super::{
    Action, Complaints, NEUTRAL, ParsedReply, PartialReply, Reply,
    field::{self, MAX_PHRASE_CHARS, MAX_TARGET_CHARS, MAX_TONE_CHARS},
    tone,
};

/// Makes a reading of what was found.
pub(super) fn fill_in(draft: PartialReply<'_>, mut complaints: Complaints) -> ParsedReply {
    let PartialReply { head, spoken, bare } = draft;
    let nothing = spoken.text.trim().is_empty() && spoken.nonverbal.is_empty() && head.action.is_none();
    if bare {
        complaints.say(if nothing {
            "nothing in the answer: read as silent"
        } else {
            "no keyword in brackets: read as plain speech"
        });
    }
    let content = field::content(&spoken.text, &mut complaints);
    let target = head.target.and_then(|target| field::single_value(target, MAX_TARGET_CHARS));
    let phrase = head.after.and_then(|phrase| field::value(phrase, MAX_PHRASE_CHARS));
    let mut gestures = head.nonverbal;
    gestures.extend(&spoken.nonverbal);

    let mut action = head.action.unwrap_or(Action::Speak);
    if phrase.is_some() && head.action.is_none_or(|action| action == Action::Speak) {
        complaints.say("AFTER without INTERRUPT: read as an interruption");
        action = Action::Interrupt;
    }
    let mut content = content;
    match action {
        Action::Silent if !content.is_empty() => {
            complaints.say("words after SILENT: left out");
            content.clear();
        }
        Action::React if !content.is_empty() && spoken.quoted => {
            complaints.say("REACT with words in quotes: read as speech");
            action = Action::Speak;
        }
        Action::React if !content.is_empty() => {
            complaints.say("text after REACT: read as nonverbal");
            gestures.push(&spoken.text);
        }
        Action::Speak | Action::Interrupt if !content.is_empty() && !spoken.quoted && !bare => {
            complaints.say("no quotes around what is said");
        }
        _ => {}
    }
    let nonverbal = field::gestures(&gestures, &mut complaints);
    match action {
        Action::Speak | Action::Interrupt if content.is_empty() => {
            action = if nonverbal.is_some() { Action::React } else { Action::Silent };
            if !(bare && nothing) {
                complaints.say(match action {
                    Action::React => "nothing is said: read as a reaction",
                    _ => "nothing is said: read as silent",
                });
            }
        }
        Action::React if nonverbal.is_none() => complaints.say("REACT without an action"),
        Action::Interrupt if phrase.is_none() => {
            complaints.say("INTERRUPT without a phrase: where it cuts in is unknown")
        }
        _ => {}
    }
    if matches!(action, Action::React | Action::Silent) {
        content.clear();
    }
    let tone = match head.tone.or(spoken.tone).and_then(|tone| field::single_value(tone, MAX_TONE_CHARS)) {
        Some(tone) => tone,
        None if action == Action::Silent => NEUTRAL.to_owned(),
        None => missing_tone(bare, &content, nonverbal.as_deref(), &mut complaints).to_owned(),
    };
    let interrupt_after = phrase.filter(|_| action == Action::Interrupt);
    let reply = Reply { action, target, tone, content, interrupt_after, nonverbal };
    ParsedReply { reply, warnings: complaints.0, malformed: bare }
}

fn missing_tone(
    bare: bool,
    content: &str,
    nonverbal: Option<&str>,
    complaints: &mut Complaints,
) -> &'static str {
    let guess = || nonverbal.and_then(tone::guess).or_else(|| tone::guess(content));
    match bare.then(guess).flatten() {
        Some(tone) => {
            complaints.say("no TONE given: guessed from the words");
            tone
        }
        None => {
            complaints.say("no TONE given: read as neutral");
            NEUTRAL
        }
    }
}
