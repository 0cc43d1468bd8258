//! How a message is taken after what was said before it: a writer who was sad a moment ago is not joked with
//! now, and one who was in danger is not joked with any more.

use enact_drama::chorus::ChorusView;

use super::{
    elsewhere,
    lines::PERSONAS,
    message::{MessageKind, ReadMessage},
    persona::Persona,
    pick_line::has_one_of,
};

/// As many answers as one message gets from a slot.
const ANSWERS_TO_ONE_MESSAGE: usize = 3;

/// A message as it is answered.
pub(super) struct TakenMessage {
    pub(super) message: ReadMessage,
    /// Whether it would be harmless if nothing had been said before.
    pub(super) lingers: bool,
    /// Whether somebody was in danger earlier in the conversation.
    pub(super) was_crisis: bool,
}

/// A message, or a gentler reading of it. A slot remembers its own answers, and they tell how it took what
/// came before; the others' tell it of what it was not there for.
pub(super) fn taken(view: &ChorusView, persona: Persona, mut message: ReadMessage) -> TakenMessage {
    let gentle = &persona.lines().gentle;
    let said = &view.said_before;
    // A writer who was in danger once may still be.
    let was_crisis = said.iter().chain(&view.others_before).any(|answer| told_of_danger(answer));
    // These lines follow only an answer to a message that was sad itself, not one after a sad message.
    let was_sad = |answer: &String| has_one_of(&gentle.care, answer) || has_one_of(&gentle.honest, answer);
    let was_low = || said.iter().rev().take(ANSWERS_TO_ONE_MESSAGE).any(was_sad);
    let kind = match message.kind {
        MessageKind::Low if was_crisis => MessageKind::Crisis,
        kind if kind.is_gentle() => kind,
        MessageKind::High if !was_crisis => MessageKind::High,
        _ if was_crisis || was_low() => MessageKind::Low,
        kind => kind,
    };
    let lingers = kind != message.kind && kind == MessageKind::Low;
    message.kind = kind;
    message.is_light &= !kind.is_gentle();
    TakenMessage { message, lingers, was_crisis }
}

/// Whether an answer of any persona sent its reader to somebody real.
fn told_of_danger(answer: &str) -> bool {
    elsewhere::told_of_danger(answer)
        || PERSONAS.iter().any(|persona| has_one_of(&persona.gentle.referral, answer))
}
