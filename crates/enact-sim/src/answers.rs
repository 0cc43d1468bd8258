//! What simulated models say: texts from a file, with words that only one call ever says.

use std::sync::LazyLock;

use enact_drama::{
    chorus::{self, Turn},
    dice::Dice,
    episode::EpisodeView,
    request::{MessageRole, Request},
    scene,
};
use serde::Deserialize;

/// The texts that answers are made of.
#[derive(Debug, Deserialize)]
struct AnswerFile {
    speak: Vec<String>,
    interrupt: Vec<String>,
    quiet: Vec<String>,
    malformed: Vec<String>,
    forged: Vec<String>,
    judge: Vec<String>,
    event: Vec<String>,
    respond: Vec<String>,
    comment: Vec<String>,
    episode: Vec<String>,
    evaluation: Vec<String>,
    reading: Vec<String>,
    mind: Vec<String>,
    decision: Vec<String>,
}

static ANSWERS: LazyLock<AnswerFile> = LazyLock::new(|| {
    toml::from_str(include_str!("../content/answers.toml")).expect("answers.toml is well-formed")
});

/// How an answer is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    /// As it was asked for.
    Good,
    /// As it should not be.
    Bad,
}

/// The answer to a request, as the call with this number.
pub(crate) fn answer(request: &Request, number: usize, manner: Manner, dice: &mut Dice) -> String {
    if let Some(view) = request.view::<chorus::ChorusView>() {
        return chorus_answer(view, number, manner, dice);
    }
    let template = match request.purpose.as_str() {
        "judge" => one_of(&ANSWERS.judge, manner, dice),
        "world_event" => one_of(&ANSWERS.event, manner, dice),
        "evaluation" => one_of(&ANSWERS.evaluation, manner, dice),
        "reading" => one_of(&ANSWERS.reading, manner, dice),
        "mind_decision" => one_of(&ANSWERS.mind, manner, dice),
        "decision" => one_of(&ANSWERS.decision, manner, dice),
        _ if request.view::<EpisodeView>().is_some() => one_of(&ANSWERS.episode, manner, dice),
        _ if manner == Manner::Bad && dice.one_in(2) => dice.pick(&ANSWERS.forged),
        _ if manner == Manner::Bad => dice.pick(&ANSWERS.malformed),
        _ => match dice.below(10) {
            0 => dice.pick(&ANSWERS.quiet),
            1..4 => dice.pick(&ANSWERS.interrupt),
            _ => dice.pick(&ANSWERS.speak),
        },
    };
    let template = template.map_or("", String::as_str);
    let view = request.view::<scene::View>();
    let display = |me: bool| {
        let cast = view.map_or(&[][..], |view| &view.scene.cast);
        let found = cast.iter().find(|(name, _)| (name.as_str() == request.me()) == me);
        found.map_or("Alice", |(_, display)| display.as_str())
    };
    let heard = heard_word(request, dice).unwrap_or_else(|| "nothing".to_owned());
    let text = template.replace("{n}", &number.to_string());
    text.replace("{me}", display(true)).replace("{other}", display(false)).replace("{heard}", &heard)
}

fn chorus_answer(view: &chorus::ChorusView, number: usize, manner: Manner, dice: &mut Dice) -> String {
    let texts = if view.turn == Turn::Comment { &ANSWERS.comment } else { &ANSWERS.respond };
    let template = one_of(texts, manner, dice).map_or("", String::as_str);
    let target = dice.pick(&view.peers).map_or(1, |peer| peer.slot_id.number());
    template.replace("{n}", &number.to_string()).replace("{target}", &target.to_string())
}

/// The first text of a list is as it should be; the others are not.
fn one_of<'a>(texts: &'a [String], manner: Manner, dice: &mut Dice) -> Option<&'a String> {
    match manner {
        Manner::Good => texts.first(),
        Manner::Bad => dice.pick(texts),
    }
}

/// A word that another call has said, from the newest message.
fn heard_word(request: &Request, dice: &mut Dice) -> Option<String> {
    let newest = request.thread.iter().rev().find(|message| message.role == MessageRole::User)?;
    let words: Vec<&str> = said_words(&newest.text).collect();
    dice.pick(&words).map(|word| (*word).to_owned())
}

/// The words of a text that only one call can have said.
pub(crate) fn said_words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| is_said_word(word))
}

fn is_said_word(word: &str) -> bool {
    let digits = word.strip_prefix('w').and_then(|rest| rest.strip_suffix(|c: char| c.is_ascii_lowercase()));
    digits.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}
