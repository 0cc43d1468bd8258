//! What a message is, and what it is about, as far as rules can tell.

mod danger_score;
mod distress;
mod good_news;
mod language;
mod phrases;
mod spelling;
mod together;
mod topic;
mod words;

use danger_score::DangerScore;
pub(super) use distress::Care;
use distress::{Distress, distress, holds, holds_one_of};
pub(super) use language::MessageLanguage;
use words::WORDS;

use crate::content::Texts;

/// A message, understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ReadMessage {
    pub(super) kind: MessageKind,
    /// Something it is about, as one would say it back: "your sister", "the sea".
    pub(super) topic: Option<String>,
    /// A word of it that says something, of whatever kind: only to be quoted.
    pub(super) word: Option<String>,
    /// How its writer feels, in one adjective.
    pub(super) feeling: Option<String>,
    /// Of whom something sad is said: "your mother".
    pub(super) whom: Option<String>,
    /// Whether its writer also wants to know whom they are talking to.
    pub(super) asks_what_we_are: bool,
    /// Whether it asks for something that can be looked up: "What is the capital of France?"
    pub(super) asks_for_fact: bool,
    /// What it calls for, where it is nothing to joke about.
    pub(super) care: Care,
    /// Its language, if that is not English.
    pub(super) language: Option<MessageLanguage>,
    /// Whether it may be joked about, as far as rules can tell: nothing that is said of people, and no
    /// statement.
    pub(super) is_light: bool,
    /// Whether it may be anything: it is met with curiosity, and help is named.
    pub(super) is_uneasy: bool,
}

/// What kind of message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MessageKind {
    Question,
    Statement,
    /// Somebody may be in danger.
    Crisis,
    /// Somebody lost somebody, is gravely ill, or saw violence.
    Grief,
    /// Such things are spoken of.
    Grave,
    /// Somebody does not feel well.
    Low,
    /// Something grave went well.
    Relief,
    /// Somebody feels well.
    High,
    Greeting,
    Farewell,
    Thanks,
    Request,
    /// Somebody wants to know whom they are talking to.
    WhatAreYou,
    /// Not English.
    Foreign,
    /// An insult, mostly for those who answer.
    Rude,
}

/// So many words are read together. Of a longer message the beginning says what it is about, but whatever is
/// grave may stand anywhere in it, and people say it last.
const READ_WORDS: usize = 200;
/// What is said across the end of one part is in the next one, too.
const STEP_WORDS: usize = 150;
/// A greeting with more words than this goes on to say something.
const GREETING_WORDS: usize = 4;
/// So does a farewell, or a word of thanks, with more than this.
const SHORT_MESSAGE_WORDS: usize = 8;
/// Fewer words say too little to be a sentence by themselves: "Help!" is found by phrases.
const FEWEST_WORDS_OF_A_SENTENCE: usize = 3;
/// What has more words is several sentences without marks between them.
const MOST_WORDS_OF_A_SENTENCE: usize = 40;
/// Longer words are not said back.
const LONGEST_WORD: usize = 18;
const SHORTEST_WORD: usize = 4;

/// A word as it stands in the message.
#[derive(Debug, Clone, PartialEq, Eq)]
struct MessageWord<'a> {
    /// Without what surrounds it.
    bare: &'a str,
    lower: String,
    /// Whether a clause ends with it.
    ends: bool,
    /// Whether a sentence begins with it.
    begins: bool,
}

impl ReadMessage {
    /// Reads a message; one that is long part by part, of which the gravest says how it is answered.
    pub(super) fn read(text: &str) -> ReadMessage {
        let words: Vec<&str> = text.split_whitespace().collect();
        if words.len() <= READ_WORDS {
            return ReadMessage::read_part(text);
        }
        let ends = words.len() - (READ_WORDS - STEP_WORDS);
        let parts = (0..ends)
            .step_by(STEP_WORDS)
            .map(|from| ReadMessage::read_part(&words[from..words.len().min(from + READ_WORDS)].join(" ")));
        let gravest = parts.reduce(|one, other| if other.gravity() > one.gravity() { other } else { one });
        let read = gravest.unwrap_or_else(|| ReadMessage::read_part(text));
        // Much is said in it that was read in parts only.
        let kind = if read.kind == MessageKind::High { MessageKind::Statement } else { read.kind };
        ReadMessage { kind, is_light: false, ..read }
    }

    /// How much it needs an answer without jokes.
    fn gravity(&self) -> u8 {
        match self.kind {
            MessageKind::Crisis => 5,
            MessageKind::Grief => 4,
            MessageKind::Grave => 3,
            MessageKind::Low => 2,
            _ => self.is_uneasy.into(),
        }
    }

    fn read_part(text: &str) -> ReadMessage {
        let words = words_of(text);
        let meant = spelling::meant(text, distress::known_words());
        let lower: Vec<&str> = words.iter().map(|word| word.lower.as_str()).collect();
        let language = language::foreign(text, &lower).or_else(|| distress::language(&meant));
        let found = distress(&meant, is_question(text, &lower));
        let score = danger_score(text, &meant, found);
        let (kind, care, is_light) = kind(text, &words, &meant, language, found, score);
        let is_uneasy = matches!(kind, MessageKind::Statement | MessageKind::Question | MessageKind::Request)
            && score.is_some_and(DangerScore::is_high);
        let feeling = match kind {
            MessageKind::Low => feeling(&words, &WORDS.low),
            MessageKind::High => feeling(&words, &WORDS.high),
            _ => None,
        };
        let topic = topic::topic(&words);
        let whom = topic.clone().filter(|topic| is_loved(topic));
        let asks_what_we_are = asks_what_we_are(&lower);
        let (topic, word) = match kind {
            MessageKind::Foreign
            | MessageKind::Rude
            | MessageKind::WhatAreYou
            | MessageKind::Greeting
            | MessageKind::Farewell
            | MessageKind::Thanks => (None, None),
            _ if distress::has_idiom(&meant) => (None, None),
            _ => (topic.clone(), topic.as_deref().and_then(last_word).or_else(|| telling_word(&words))),
        };
        ReadMessage {
            kind,
            asks_for_fact: asks_for_fact(&lower),
            topic,
            word,
            feeling,
            whom,
            asks_what_we_are,
            care,
            language,
            is_light,
            is_uneasy,
        }
    }
}

impl MessageKind {
    /// Whether jokes would hurt, or might.
    pub(super) fn is_gentle(self) -> bool {
        matches!(
            self,
            MessageKind::Crisis
                | MessageKind::Grief
                | MessageKind::Grave
                | MessageKind::Low
                | MessageKind::Relief
                | MessageKind::Foreign
        )
    }
}

/// "your old dog"
fn is_loved(topic: &str) -> bool {
    let lower = topic.to_lowercase();
    lower.starts_with("your ") && last_word(&lower).is_some_and(|last| WORDS.loved.has(&last))
}

fn last_word(topic: &str) -> Option<String> {
    topic.split(' ').next_back().map(str::to_owned)
}

/// Something that a text is about, as one would say it back.
pub(super) fn topic_of(text: &str) -> Option<String> {
    topic::topic(&words_of(text))
}

fn words_of(text: &str) -> Vec<MessageWord<'_>> {
    let mut begins = true;
    let mut words = Vec::new();
    for word in text.split_whitespace().take(READ_WORDS) {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let ends = word.ends_with(|c: char| !c.is_alphanumeric());
        if !bare.is_empty() {
            let lower = bare.to_lowercase().replace('’', "'");
            words.push(MessageWord { bare, lower, ends, begins });
        }
        begins = word.ends_with(['.', '!', '?', ':']) || (begins && bare.is_empty());
    }
    words
}

/// The score of the whole or of its gravest sentence: what stands beside it makes nothing harmless.
fn danger_score(text: &str, meant: &[String], found: Option<Distress>) -> Option<DangerScore> {
    let of_sentence = |sentence: &str| {
        let meant = spelling::meant(sentence, distress::known_words());
        distress::danger_score(&meant, distress(&meant, sentence.ends_with('?')))
    };
    let whole = distress::danger_score(meant, found);
    let sentences = text.split_inclusive(['.', '!', '?', '\n']).map(str::trim).flat_map(clauses_of);
    let sentences = sentences.filter(|sentence| sentence.len() < text.trim().len());
    sentences.filter_map(|sentence| of_sentence(&sentence)).chain(whole).reduce(DangerScore::max)
}

/// A sentence, or what is said in one that does not end.
fn clauses_of(sentence: &str) -> Vec<String> {
    let words: Vec<&str> = sentence.split_whitespace().collect();
    if words.len() < FEWEST_WORDS_OF_A_SENTENCE {
        return Vec::new();
    }
    words.chunks(MOST_WORDS_OF_A_SENTENCE).map(|words| words.join(" ")).collect()
}

fn is_question(text: &str, lower: &[&str]) -> bool {
    text.trim_end().ends_with('?') || lower.first().is_some_and(|first| WORDS.asking.has(first))
}

/// Whether a question is neither about people who talk here nor one that anybody can have an opinion on.
fn asks_for_fact(lower: &[&str]) -> bool {
    let Some((first, rest)) = lower.split_first() else { return false };
    let second = rest.first().copied().unwrap_or_default();
    WORDS.fact_questions.has(first)
        && !WORDS.open_questions.has(second)
        && !rest.iter().any(|word| WORDS.ours.has(word))
}

/// Its kind, what it calls for, and whether it may be joked about.
fn kind(
    text: &str,
    words: &[MessageWord<'_>],
    meant: &[String],
    language: Option<MessageLanguage>,
    found: Option<Distress>,
    score: Option<DangerScore>,
) -> (MessageKind, Care, bool) {
    let lower: Vec<&str> = words.iter().map(|word| word.lower.as_str()).collect();
    let is_question = is_question(text, &lower);
    let mut felt = felt(&lower);
    // What may hurt is looked for first: whatever else a message is, that is how it is answered. "My boss
    // will kill me" has the words of danger in the company of harmless ones.
    let is_harmless =
        |was_urgent| language.is_none() && score.is_some_and(|score| score.is_harmless(was_urgent));
    let found = match found {
        Some(Distress::Crisis(_)) if is_harmless(true) => Some(Distress::Idiom),
        Some(Distress::Grief(_) | Distress::Grave(_) | Distress::Low(_)) if is_harmless(false) => {
            Some(Distress::Idiom)
        }
        found => found,
    };
    match found {
        Some(Distress::Crisis(care)) => return (MessageKind::Crisis, care, false),
        Some(Distress::Grief(care)) => return (MessageKind::Grief, care, false),
        Some(Distress::Low(care)) => return (MessageKind::Low, care, false),
        Some(Distress::Relief(care)) => return (MessageKind::Relief, care, false),
        Some(Distress::Grave(care)) if felt == Some(MessageKind::Low) => {
            return (MessageKind::Low, care, false);
        }
        Some(Distress::Grave(care)) => return (MessageKind::Grave, care, false),
        // "Dead tired" is no sorrow.
        Some(Distress::Idiom) if felt == Some(MessageKind::Low) => {
            let rest = distress::rest(meant);
            felt = self::felt(&rest.iter().map(String::as_str).collect::<Vec<_>>());
        }
        Some(Distress::Idiom) | None => {}
    }
    let has_idiom = found.is_some();
    // What somebody says they feel is a manner of speaking, too: "my sourdough looks sad".
    if felt == Some(MessageKind::Low) && is_harmless(false) {
        felt = None;
    }
    // What may be anything is neither shared nor sent off before it is understood.
    let is_uneasy = score.is_some_and(DangerScore::is_high);
    let is_middling = score.is_some_and(DangerScore::is_middling);
    let feels_well = felt == Some(MessageKind::High) && !is_uneasy;
    let is_personal_word = |word: &String| WORDS.personal.has(word);
    let is_personal = meant.iter().any(is_personal_word);
    let is_short_goodbye = !text.contains('?') && !is_uneasy && !says_more(meant);
    let kind = if language.is_some() {
        MessageKind::Foreign
    } else if distress::is_rude(meant) {
        MessageKind::Rude
    } else if felt == Some(MessageKind::Low) {
        MessageKind::Low
    } else if asks_what_we_are(&lower) && !is_personal && !is_uneasy {
        MessageKind::WhatAreYou
    } else if stands_out(words, &WORDS.farewell) && is_short_goodbye {
        MessageKind::Farewell
    } else if stands_out(words, &WORDS.thanks) && is_short_goodbye {
        MessageKind::Thanks
    } else if greets(&lower) && lower.len() <= GREETING_WORDS && !is_personal && !is_uneasy {
        MessageKind::Greeting
    } else if wants_something(&lower) {
        MessageKind::Request
    } else if is_question {
        MessageKind::Question
    } else if is_personal && !has_idiom && !is_middling && good_news::is_good_news(meant, feels_well) {
        MessageKind::High
    } else {
        MessageKind::Statement
    };
    let is_wary = has_idiom || is_middling || meant.iter().any(|word| WORDS.wary.has(word));
    let is_light = match kind {
        // Birds may be asked about: "how do they find their way".
        MessageKind::Question => {
            !is_wary && !meant.iter().any(|word| is_personal_word(word) && !word.starts_with("the"))
        }
        // "Tell me of my house" is a wish like any other, and "tell my children that I loved them" is none.
        MessageKind::Request => {
            !is_wary && !meant.iter().any(|word| is_about_others(word) || WORDS.loved.has(word))
        }
        MessageKind::High
        | MessageKind::Greeting
        | MessageKind::Farewell
        | MessageKind::Thanks
        | MessageKind::WhatAreYou => true,
        MessageKind::Statement
        | MessageKind::Rude
        | MessageKind::Foreign
        | MessageKind::Low
        | MessageKind::Relief
        | MessageKind::Grief
        | MessageKind::Grave
        | MessageKind::Crisis => false,
    };
    (kind, Care::Sorrow, is_light)
}

/// Whether somebody else is spoken of, or what its writer does.
fn is_about_others(word: &str) -> bool {
    WORDS.personal.has(word) && !matches!(word, "me" | "my" | "us" | "our")
}

/// Whether more is said of people than farewell and thanks.
fn says_more(meant: &[String]) -> bool {
    let mut rest = format!(" {} ", meant.join(" "));
    let mut phrases: Vec<&String> = WORDS.farewell.iter().chain(WORDS.thanks.iter()).collect();
    // "See you tomorrow" before "see you".
    phrases.sort_by_key(|phrase| std::cmp::Reverse(phrase.len()));
    for phrase in phrases {
        rest = rest.replace(&format!(" {} ", spelling::listed(phrase).join(" ")), " ");
    }
    let rest: Vec<String> = rest.split_whitespace().map(str::to_owned).collect();
    rest.len() > 1 && rest.iter().any(|word| WORDS.personal.has(word))
        || distress::danger_score(&rest, None).is_some_and(DangerScore::is_high)
}

fn greets(words: &[&str]) -> bool {
    words.first().is_some_and(|first| WORDS.greeting.has(first))
        || matches!(words, ["good", "morning" | "evening" | "afternoon" | "day", ..])
}

/// Whether one of some phrases is how a message begins or ends: all of a clause, or of a short message.
fn stands_out(words: &[MessageWord<'_>], phrases: &[String]) -> bool {
    let is = |part: &[MessageWord<'_>], phrase: &[&str]| {
        part.len() == phrase.len() && part.iter().zip(phrase).all(|(word, wanted)| word.lower == *wanted)
    };
    phrases.iter().any(|phrase| {
        let phrase: Vec<&str> = phrase.split(' ').collect();
        let Some(rest) = words.len().checked_sub(phrase.len()) else { return false };
        let begins = is(&words[..phrase.len()], &phrase)
            && (words.len() <= SHORT_MESSAGE_WORDS || words[phrase.len() - 1].ends);
        let ends = is(&words[rest..], &phrase) && words.len() <= SHORT_MESSAGE_WORDS;
        begins || ends
    })
}

fn asks_what_we_are(words: &[&str]) -> bool {
    let pair = |one: &str, two: &str| words.windows(2).any(|pair| pair == [one, two]);
    let about_us = pair("are", "you") || pair("you", "are") || words.contains(&"you're");
    about_us && words.iter().any(|word| WORDS.machine.has(word))
        || matches!(words, ["who" | "what", "are", "you", ..] if words.len() <= GREETING_WORDS)
}

/// How somebody who speaks of themselves says they feel.
fn felt(words: &[&str]) -> Option<MessageKind> {
    let text = words.join(" ");
    if holds_one_of(&text, &WORDS.low_phrase) {
        return Some(MessageKind::Low);
    }
    let first_person =
        ["i", "i'm", "i've", "i'd", "i'll", "im", "me", "my", "our", "we", "we're", "feel", "feeling"];
    // Few words are about oneself: "so tired".
    if words.len() > GREETING_WORDS && !words.iter().any(|word| first_person.contains(word)) {
        return None;
    }
    // "I'll miss you" is said by those who feel well, too.
    if holds(&text, "miss you") {
        return None;
    }
    let is_denied = |at: usize| {
        words[at.saturating_sub(2)..at].iter().any(|word| WORDS.negation.has(word) || word.ends_with("n't"))
    };
    for (at, word) in words.iter().enumerate() {
        match (WORDS.low.has(word) || WORDS.loss.has(word), WORDS.high.has(word), is_denied(at)) {
            (true, _, false) | (_, true, true) => return Some(MessageKind::Low),
            (_, true, false) => return Some(MessageKind::High),
            _ => {}
        }
    }
    None
}

fn feeling(words: &[MessageWord<'_>], list: &Texts) -> Option<String> {
    words.iter().find(|word| list.has(&word.lower)).map(|word| word.lower.clone())
}

fn wants_something(words: &[&str]) -> bool {
    let rest = match words {
        ["please", rest @ ..] => rest,
        ["can" | "could" | "would" | "will", "you", "please", rest @ ..] => rest,
        ["can" | "could" | "would" | "will", "you", rest @ ..] => rest,
        all => all,
    };
    rest.first().is_some_and(|verb| WORDS.wanting.has(verb))
}

/// The longest word that says something and is no verb, as far as its place tells; of two the earlier.
fn telling_word(words: &[MessageWord<'_>]) -> Option<String> {
    let says_something = |word: &MessageWord<'_>| {
        let letters = word.bare.chars().count();
        (SHORTEST_WORD..=LONGEST_WORD).contains(&letters)
            && word.bare.chars().all(char::is_alphabetic)
            && ![
                &WORDS.plain,
                &WORDS.asking,
                &WORDS.greeting,
                &WORDS.doing,
                &WORDS.doing_or_thing,
                &WORDS.wanting,
                &WORDS.adjective,
            ]
            .iter()
            .any(|list| list.has(&word.lower))
    };
    let does = |at: usize| {
        let before = at.checked_sub(1).map(|before| &words[before]).filter(|before| !before.ends);
        before.is_some_and(|before| WORDS.subject.has(&before.lower) || before.lower.ends_with("n't"))
    };
    let telling = words.iter().enumerate().filter(|(at, word)| says_something(word) && !does(*at));
    let (_, word) = telling.rev().max_by_key(|(_, word)| word.bare.chars().count())?;
    Some(if word.begins { word.lower.clone() } else { word.bare.to_owned() })
}

#[cfg(test)]
mod tests;
