//! The improviser in a chorus: six tempers, each with lines of its own.
//!
//! Read in this order: [`temper`] (who somebody is), [`message`] (what the message is about), [`atmosphere`] (and after what it
//! comes), [`lines`] (what can be said of it), [`choice`] (which of it is).

mod atmosphere;
mod choice;
mod fragment;
mod lines;
mod message;
mod names;
mod temper;

#[cfg(test)]
mod tests;

use enact_drama::{
    chorus::{PeerResponse, Turn, View},
    dice::Dice,
};
use serde_json::json;

use crate::content::Texts;
use choice::{Words, choose};
use fragment::fragment;
use message::{Message, Mood};
use temper::Temper;

/// How much longer than the least an answer may take.
const PONDERING_MS: usize = 900;
/// Likes and dislikes are said so much more often than anything else.
const PARTIALITY: usize = 3;
/// An answer has an afterthought once in so many times.
const AFTERTHOUGHT_ONE_IN: usize = 2;
/// Where nothing follows.
const NO_LINES: &[String] = &[];

/// What a slot answers that knows this, as JSON of the shape it was asked for, and how many milliseconds it thought about it.
///
/// A pure function: the same view gives the same answer.
pub fn improvise_chorus(view: &View) -> (String, u64) {
    let temper = Temper::of(view.slot);
    let mut dice = Dice::new(view.seed, view.me.as_str(), u32::from(view.turn.index()));
    let thought_ms = temper.lines().least_thinking_ms + dice.below(PONDERING_MS) as u64;
    let is_gentle = atmosphere::mood(view, temper).is_gentle();
    let voice_profile = if is_gentle { temper.lines().gentle_voice } else { temper.lines().voice };
    let answer = match view.turn {
        Turn::Respond => json!({"text": respond(view, temper, &mut dice), "voice_profile": voice_profile}),
        Turn::Comment => {
            let (target, comment) = comment(view, temper, &mut dice);
            json!({"targetSlotId": target, "comment": comment, "voice_profile": voice_profile})
        }
        Turn::Reply => json!({"text": reply(view, temper, &mut dice), "voice_profile": voice_profile}),
    };
    (answer.to_string(), thought_ms)
}

fn respond(view: &View, temper: Temper, dice: &mut Dice) -> String {
    let message = Message::read(&view.message);
    let (light, gentle) = (&temper.lines().light, &temper.lines().gentle);
    let mood = atmosphere::mood(view, temper);
    let (lines, after): (&Texts, &[String]) = match mood {
        Mood::Question => (&light.question, &light.after),
        Mood::Statement => (&light.statement, &light.after),
        Mood::High => (&light.high, &light.after_high),
        Mood::Greeting => (&light.greeting, &light.after_hello),
        Mood::Farewell => (&light.farewell, &light.after_bye),
        Mood::Thanks => (&light.thanks, &light.after_bye),
        Mood::Request => (&light.request, &light.after),
        Mood::WhatAreYou => (&light.honest, NO_LINES),
        Mood::Foreign => (&gentle.foreign, NO_LINES),
        Mood::Low => (&gentle.low, &gentle.after),
        Mood::Grief => (&gentle.grief, &gentle.after),
        Mood::Grave => (&gentle.grave, &gentle.after),
        Mood::Crisis => (&gentle.crisis, &gentle.referral),
    };
    let lingers = mood != message.mood;
    let after = match mood {
        Mood::Low | Mood::Grief | Mood::Grave if message.asks_what_we_are => &gentle.honest,
        Mood::Low if lingers => NO_LINES,
        _ => after,
    };
    let words = Words::default().with("topic", message.topic).with("word", message.word);
    let words = words.with("feeling", message.feeling).with("whom", message.whom);
    let text = choose(lines, &view.said_before, &words, dice);
    // Who is sad is not left with half a thought, and it tells us with the next message that they were.
    let goes_on = mood.is_gentle() || dice.one_in(AFTERTHOUGHT_ONE_IN);
    match choose(after, &view.said_before, &words, dice) {
        afterthought if goes_on && !afterthought.is_empty() => format!("{text} {afterthought}"),
        _ => text,
    }
}

/// Whom a slot comments on, and how. Who has no peers is not asked; a zero then names nobody.
fn comment(view: &View, temper: Temper, dice: &mut Dice) -> (u8, String) {
    let Some(peer) = chosen(view, temper, dice) else { return (0, String::new()) };
    let theirs = Temper::of(peer.slot_id);
    let teases = theirs == temper.lines().teases || theirs != temper.lines().likes && dice.one_in(2);
    let (light, gentle) = (&temper.lines().light, &temper.lines().gentle);
    let lines = match atmosphere::mood(view, temper) {
        Mood::Crisis => &gentle.crisis_comment,
        mood if mood.is_gentle() => &gentle.comment,
        _ if teases => &light.teasing_comment,
        _ => &light.kind_comment,
    };
    let name = names::spoken(&peer.agent_name, &peer.agent_id, peer.slot_id);
    let words = Words::default().with("name", Some(name)).with("quote", fragment(&peer.text, dice));
    (peer.slot_id.number(), choose(lines, &view.said_before, &words, dice))
}

/// One of the peers. The one it likes best and the one it cannot leave alone are likelier than others.
fn chosen<'a>(view: &'a View, temper: Temper, dice: &mut Dice) -> Option<&'a PeerResponse> {
    let weight = |peer: &PeerResponse| {
        let theirs = Temper::of(peer.slot_id);
        if [temper.lines().likes, temper.lines().teases].contains(&theirs) { PARTIALITY } else { 1 }
    };
    let tickets = view.peers.iter().flat_map(|peer| std::iter::repeat_n(peer, weight(peer)));
    dice.pick(&tickets.collect::<Vec<_>>()).copied()
}

fn reply(view: &View, temper: Temper, dice: &mut Dice) -> String {
    let mut named: Vec<String> = Vec::new();
    for comment in &view.comments {
        let name = names::spoken(&comment.from_agent_name, &comment.from_agent_id, comment.from_slot_id);
        // Two slots of the same agent are called by the same name, once.
        if !named.contains(&name) {
            named.push(name);
        }
    }
    let everybody = if named.is_empty() { "everybody".to_owned() } else { names::listed(&named) };
    let words = Words::default().with("names", Some(everybody));
    let words = words.with("own", view.own.as_deref().and_then(|own| fragment(own, dice)));
    let (light, gentle) = (&temper.lines().light, &temper.lines().gentle);
    let lines = match atmosphere::mood(view, temper) {
        Mood::Crisis => &gentle.crisis_reply,
        mood if mood.is_gentle() => &gentle.reply,
        _ => &light.reply,
    };
    choose(lines, &view.said_before, &words, dice)
}
