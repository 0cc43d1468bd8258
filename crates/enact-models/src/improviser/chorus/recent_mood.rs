//! How a message is taken after what was said before it: a writer who was sad a moment ago is not joked with
//! now.

use enact_drama::chorus::View;

use super::{
    message::{MessageKind, ReadMessage},
    persona::Persona,
    pick_line::has_one_of,
};

/// As many answers as one message gets from a slot.
const ANSWERS_TO_ONE_MESSAGE: usize = 3;

/// The kind of a message, or a gentler one. A slot remembers its own answers, and they tell how it took what
/// came before.
pub(super) fn taken_as(view: &View, persona: Persona) -> MessageKind {
    let kind = ReadMessage::read(&view.message).kind;
    let gentle = &persona.lines().gentle;
    let said = &view.said_before;
    // A writer who was in danger once may still be.
    let was_crisis = said.iter().any(|answer| has_one_of(&gentle.referral, answer));
    // These lines follow only an answer to a message that was sad itself, not one after a sad message.
    let was_sad = |answer: &String| has_one_of(&gentle.after, answer) || has_one_of(&gentle.honest, answer);
    let was_low = || said.iter().rev().take(ANSWERS_TO_ONE_MESSAGE).any(was_sad);
    match kind {
        MessageKind::Low if was_crisis => MessageKind::Crisis,
        kind if kind.is_gentle() => kind,
        MessageKind::High if !was_crisis => MessageKind::High,
        _ if was_crisis || was_low() => MessageKind::Low,
        kind => kind,
    }
}
