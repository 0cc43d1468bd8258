//! The improviser in a chorus: six personas, each with lines of its own.
//!
//! Read in this order: [`persona`] (who a slot is), [`message`] (what the message is about), [`recent_mood`]
//! (and after what it comes), [`lines`] (what can be said of it), [`pick_line`] (which of it is said),
//! [`elsewhere`] (what is said in other languages).

mod elsewhere;
mod heard;
mod lines;
mod message;
mod names;
mod persona;
mod pick_line;
mod quotable;
mod recent_mood;

#[cfg(test)]
mod tests;

use enact_drama::{
    chorus::{ChorusView, PeerResponse, Turn},
    dice::Dice,
};
use serde_json::json;

pub(super) use heard::{HeardMessage, HeardSort, heard, topic_in};
use lines::{DECLINES, HELP, PersonaLines};
use message::{MessageKind, ReadMessage};
use persona::Persona;
use pick_line::{CURIOSITY, Fillings, choose, choose_with, has_fresh};
use quotable::quotable;
use recent_mood::TakenMessage;

/// How much longer than the least an answer may take.
const PONDERING_MS: usize = 900;
/// How much likelier a comment is about the peer that a persona likes, or likes to tease.
const PARTIALITY: usize = 3;
/// An answer has an afterthought once in so many times.
const AFTERTHOUGHT_ONE_IN: usize = 2;
/// Where nothing follows.
const NO_LINES: &[String] = &[];

/// What a slot answers that knows this, as JSON of the shape it was asked for, and for how many milliseconds
/// it thought about it.
///
/// A pure function: the same view gives the same answer.
pub fn improvise_chorus(view: &ChorusView) -> (String, u64) {
    answer(view, ReadMessage::read(&view.message))
}

/// The same of a message that has been read.
fn answer(view: &ChorusView, message: ReadMessage) -> (String, u64) {
    let persona = Persona::of(view.slot);
    let mut dice = Dice::new(view.seed, view.me.as_str(), u32::from(view.turn.index()));
    let thought_ms = persona.lines().least_thinking_ms + dice.below(PONDERING_MS) as u64;
    let taken = recent_mood::taken(view, persona, message);
    let voice_profile =
        if taken.message.is_light { persona.lines().voice } else { persona.lines().gentle_voice };
    let answer = match view.turn {
        Turn::Respond => {
            json!({"text": respond(view, persona, taken, &mut dice), "voice_profile": voice_profile})
        }
        Turn::Comment => {
            let (target, comment) = comment(view, persona, &taken, &mut dice);
            json!({"targetSlotId": target, "comment": comment, "voice_profile": voice_profile})
        }
        Turn::Reply => {
            json!({"text": reply(view, persona, &taken, &mut dice), "voice_profile": voice_profile})
        }
    };
    (answer.to_string(), thought_ms)
}

fn respond(view: &ChorusView, persona: Persona, taken: TakenMessage, dice: &mut Dice) -> String {
    if let Some(text) = elsewhere::answer(view, &taken.message, None) {
        return text;
    }
    let TakenMessage { message, lingers, was_crisis } = taken;
    let PersonaLines { light, curious, gentle, .. } = persona.lines();
    let yes_or_no: Vec<String> = light.question.iter().chain(light.yes_or_no.iter()).cloned().collect();
    let (lines, after): (&[String], &[String]) = match message.kind {
        // Six who evade a plain question are tiresome: one says that none of them knows.
        MessageKind::Question if message.is_light && message.asks_for_fact && view.first => {
            (&DECLINES.fact, NO_LINES)
        }
        MessageKind::Question if message.is_light && message.asks_for_fact => (&light.question, NO_LINES),
        MessageKind::Question if message.is_light => (&yes_or_no, &light.after),
        MessageKind::Request if message.is_light => (&light.request, &light.after),
        MessageKind::Question | MessageKind::Request | MessageKind::Statement if message.is_uneasy => {
            (&curious.uneasy, NO_LINES)
        }
        MessageKind::Question | MessageKind::Request => (&curious.asked, &curious.after),
        MessageKind::Statement => (&curious.statement, &curious.after),
        MessageKind::Rude => (&curious.rude, NO_LINES),
        MessageKind::High => (&light.high, &light.after_high),
        MessageKind::Greeting => (&light.greeting, &light.after_hello),
        MessageKind::Farewell => (&light.farewell, &light.after_bye),
        MessageKind::Thanks => (&light.thanks, &light.after_bye),
        MessageKind::WhatAreYou => (&light.honest, NO_LINES),
        MessageKind::Foreign => (&gentle.foreign, &gentle.unsure),
        MessageKind::Low => (&gentle.low, &gentle.care),
        MessageKind::Relief => (&gentle.relief, &gentle.care),
        MessageKind::Grief => (&gentle.grief, &gentle.care),
        MessageKind::Grave => (&gentle.grave, &gentle.care),
        MessageKind::Crisis => (gentle.to_danger(message.care), &gentle.referral),
    };
    let after = match message.kind {
        MessageKind::Crisis => after,
        _ if message.asks_what_we_are && !message.is_light => &gentle.honest,
        _ if message.is_uneasy && !lingers => &gentle.unsure,
        MessageKind::Low if lingers && was_crisis => &gentle.still,
        MessageKind::Low if lingers => NO_LINES,
        _ => after,
    };
    let words = Fillings::default().with("help", help(view, &message));
    let words = words.with("topic", message.topic).with("word", message.word);
    let words = words.with("feeling", message.feeling).with("whom", message.whom);
    let text = match message.kind {
        MessageKind::Statement => choose_with(CURIOSITY, lines, &view.said_before, &words, dice),
        _ => choose(lines, &view.said_before, &words, dice),
    };
    // Who is sad is not left with half a thought, and it tells us with the next message that they were.
    let must_go_on =
        message.kind.is_gentle() || message.is_uneasy || message.asks_what_we_are && !message.is_light;
    // An afterthought that was had before is none.
    let goes_on = must_go_on || dice.one_in(AFTERTHOUGHT_ONE_IN) && has_fresh(after, &view.said_before);
    match choose(after, &view.said_before, &words, dice) {
        afterthought if goes_on && !afterthought.is_empty() => format!("{text} {afterthought}"),
        _ => text,
    }
}

/// Who can help. It goes round, so that six slots do not name the same six times.
fn help(view: &ChorusView, message: &ReadMessage) -> Option<String> {
    let names = match message.language {
        // Nobody knows where they are, and a number is understood in every language.
        Some(_) if message.kind == MessageKind::Crisis => HELP.abroad(),
        Some(_) => HELP.unsure(),
        None if message.is_uneasy => HELP.unsure(),
        None => HELP.with(message.care),
    };
    let turn = u64::from(view.slot.number()) + u64::from(view.turn.index());
    let at = view.seed.wrapping_add(turn) % names.len() as u64;
    names.get(usize::try_from(at).unwrap_or_default()).cloned()
}

/// Whom a slot comments on, and how. A slot without peers is not asked to; zero is no slot.
fn comment(view: &ChorusView, persona: Persona, taken: &TakenMessage, dice: &mut Dice) -> (u8, String) {
    let Some(peer) = chosen(view, persona, dice) else { return (0, String::new()) };
    let theirs = Persona::of(peer.slot_id);
    let teases = theirs == persona.lines().teases || theirs != persona.lines().likes && dice.one_in(2);
    let PersonaLines { light, curious, gentle, .. } = persona.lines();
    let lines = match taken.message.kind {
        MessageKind::Crisis => &gentle.crisis_comment,
        kind if kind.is_gentle() => &gentle.comment,
        _ if taken.message.is_uneasy => &gentle.comment,
        _ if !taken.message.is_light => &curious.comment,
        _ if teases => &light.teasing_comment,
        _ => &light.kind_comment,
    };
    let name = names::spoken(&peer.agent_name, &peer.agent_id, peer.slot_id);
    if let Some(text) = elsewhere::answer(view, &taken.message, Some(name.clone())) {
        return (peer.slot_id.number(), text);
    }
    let words = Fillings::default().with("name", Some(name)).with("quote", quotable(&peer.text, dice));
    let words = words.with("help", help(view, &taken.message));
    (peer.slot_id.number(), choose(lines, &view.said_before, &words, dice))
}

/// One of the peers. The one it likes best and the one it cannot leave alone are likelier than others.
fn chosen<'a>(view: &'a ChorusView, persona: Persona, dice: &mut Dice) -> Option<&'a PeerResponse> {
    let weight = |peer: &PeerResponse| {
        let theirs = Persona::of(peer.slot_id);
        if [persona.lines().likes, persona.lines().teases].contains(&theirs) { PARTIALITY } else { 1 }
    };
    let tickets = view.peers.iter().flat_map(|peer| std::iter::repeat_n(peer, weight(peer)));
    dice.pick(&tickets.collect::<Vec<_>>()).copied()
}

fn reply(view: &ChorusView, persona: Persona, taken: &TakenMessage, dice: &mut Dice) -> String {
    let mut named: Vec<String> = Vec::new();
    for comment in &view.comments {
        let name = names::spoken(&comment.from_agent_name, &comment.from_agent_id, comment.from_slot_id);
        // Two slots of the same agent are called by the same name, once.
        if !named.contains(&name) {
            named.push(name);
        }
    }
    let everybody = if named.is_empty() { "everybody".to_owned() } else { names::listed(&named) };
    if let Some(text) = elsewhere::answer(view, &taken.message, Some(everybody.clone())) {
        return text;
    }
    let words = Fillings::default().with("names", Some(everybody));
    let words = words.with("own", view.own.as_deref().and_then(|own| quotable(own, dice)));
    let words = words.with("help", help(view, &taken.message));
    let PersonaLines { light, curious, gentle, .. } = persona.lines();
    let lines = match taken.message.kind {
        MessageKind::Crisis => &gentle.crisis_reply,
        kind if kind.is_gentle() => &gentle.reply,
        _ if taken.message.is_uneasy => &gentle.reply,
        _ if !taken.message.is_light => &curious.reply,
        _ => &light.reply,
    };
    choose(lines, &view.said_before, &words, dice)
}
