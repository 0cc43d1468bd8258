//! How a message is taken, after what was said before it: who was sad a moment ago is not joked with now.

use enact_drama::chorus::View;

use super::{
    choice::has_one_of,
    message::{Message, Mood},
    temper::Temper,
};

/// As many answers as one message gets from a slot.
const ANSWERS_TO_ONE_MESSAGE: usize = 3;

/// The mood of a message, or a gentler one. What a slot remembers is its own answers, and they tell how it took what came before.
pub(super) fn mood(view: &View, temper: Temper) -> Mood {
    let mood = Message::read(&view.message).mood;
    let gentle = &temper.lines().gentle;
    let said = &view.said_before;
    // Who was in danger once may still be.
    let was_crisis = said.iter().any(|answer| has_one_of(&gentle.referral, answer));
    // Only where somebody was sad does something of this follow an answer; not where they had been a message before.
    let was_sad = |answer: &String| has_one_of(&gentle.after, answer) || has_one_of(&gentle.honest, answer);
    let was_low = || said.iter().rev().take(ANSWERS_TO_ONE_MESSAGE).any(was_sad);
    match mood {
        Mood::Low if was_crisis => Mood::Crisis,
        mood if mood.is_gentle() => mood,
        Mood::High if !was_crisis => Mood::High,
        _ if was_crisis || was_low() => Mood::Low,
        mood => mood,
    }
}
