//! How something that the director asks for becomes words and deeds. What stands between quotation marks is
//! said as it stands; the rest is done, in the third person.

use std::{collections::HashMap, sync::LazyLock};

use enact_drama::episode::EpisodeView;
use serde::Deserialize;

use super::{lines::capitalised, sentences::sentences};
use crate::content::{Texts, content};

/// Words by which an instruction is understood.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DirectiveWords {
    /// Verbs that go before something said: "says", "ask".
    saying: Texts,
    /// Verbs that tell without quoting, and verbs that ask.
    telling: Texts,
    asking: Texts,
    /// What an instruction may begin with that is written as a command: "lean".
    commands: Texts,
    /// Commands whose third person is irregular.
    irregular: HashMap<String, String>,
    /// How the user is called, and what they are called to their face.
    user: HashMap<String, String>,
}

static WORDS: LazyLock<DirectiveWords> = LazyLock::new(|| content!("directive.toml"));

/// What is done and said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Performance {
    pub(super) action: Option<String>,
    pub(super) speech: Option<String>,
    pub(super) act: SpeechAct,
}

/// What is done with words that are not given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SpeechAct {
    None,
    Tells,
    Asks,
}

impl Performance {
    /// How the directive of this turn is carried out.
    pub(super) fn of(view: &EpisodeView) -> Option<Performance> {
        let directive = view.directive.as_ref()?;
        let texts = [view.setup.character.sheet.as_str(), &view.setup.template.situation];
        Some(Performance::read(&directive.instruction, whose(&texts)))
    }

    /// Reads an instruction. `whose` is what belongs to the character: "her".
    pub(super) fn read(instruction: &str, whose: &str) -> Performance {
        let mut deeds = Vec::new();
        let mut speech: Vec<String> = Vec::new();
        let parts: Vec<&str> = instruction.split(['"', '“', '”']).collect();
        for (index, part) in parts.iter().enumerate() {
            match index % 2 {
                0 => deeds.extend(deeds_of(part, index + 1 < parts.len(), whose)),
                _ => {
                    // "Closed," she says, "at last." is one sentence.
                    let goes_on =
                        parts.get(index + 1).is_some_and(|between| !between.contains(['.', '!', '?']))
                            && index + 2 < parts.len();
                    let part = part.trim();
                    speech.push(if goes_on { part.to_owned() } else { finished(part) });
                }
            }
        }
        speech.retain(|part| !part.is_empty());
        let act = match speech.is_empty() {
            true => speech_act(instruction),
            false => SpeechAct::None,
        };
        let action = deeds.join(". ");
        Performance {
            action: (!action.is_empty()).then_some(action),
            speech: (!speech.is_empty()).then(|| speech.join(" ")),
            act,
        }
    }
}

/// What a text outside of quotation marks says to do. Before a quotation, "and says:" only announces it.
fn deeds_of(text: &str, before_quote: bool, whose: &str) -> Vec<String> {
    let sentences = sentences(text);
    let last = sentences.len().saturating_sub(1);
    let deeds = sentences.into_iter().enumerate().filter_map(|(index, sentence)| {
        let bare = sentence.trim_matches(|next: char| !next.is_alphanumeric() && next != '\'' && next != '’');
        let bare = if before_quote && index == last { without_announcement(bare)? } else { bare.to_owned() };
        let bare = bare.strip_prefix("and ").unwrap_or(&bare);
        Some(to_their_face(&in_third_person(bare, whose)))
    });
    deeds.filter(|deed| !deed.is_empty()).collect()
}

/// "She lowers her voice and says" is "She lowers her voice"; "She says" is nothing.
fn without_announcement(text: &str) -> Option<String> {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    if words.last().is_some_and(|last| WORDS.saying.has(&last.to_lowercase())) {
        words.pop();
        while words.last().is_some_and(|last| matches!(*last, "and" | "then")) {
            words.pop();
        }
    }
    let rest = words.join(" ");
    (words.len() > 1).then(|| rest.trim_end_matches(',').to_owned())
}

/// "Lean in and lower your voice" is "leans in and lowers her voice".
fn in_third_person(text: &str, whose: &str) -> String {
    let begins_with_command = text.split_whitespace().next().is_some_and(is_command);
    if !begins_with_command {
        return text.to_owned();
    }
    let mut may_be_verb = true;
    let words = text.split(' ').map(|word| {
        let lower = word.to_lowercase();
        let turned = match lower.as_str() {
            "your" => whose.to_owned(),
            _ if may_be_verb && is_command(lower.trim_end_matches(',')) => third_person(&lower),
            _ => word.to_owned(),
        };
        may_be_verb = matches!(lower.as_str(), "and" | "then") || lower.ends_with(',');
        turned
    });
    words.collect::<Vec<_>>().join(" ")
}

fn is_command(word: &str) -> bool {
    WORDS.commands.has(&word.to_lowercase())
}

fn third_person(verb: &str) -> String {
    let (verb, comma) = verb.strip_suffix(',').map_or((verb, ""), |bare| (bare, ","));
    let turned = match WORDS.irregular.get(verb) {
        Some(turned) => turned.clone(),
        None if verb.ends_with(['s', 'x', 'z', 'o']) || verb.ends_with("sh") || verb.ends_with("ch") => {
            format!("{verb}es")
        }
        None => match verb.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'o', 'u'])) {
            Some(stem) => format!("{stem}ies"),
            None => format!("{verb}s"),
        },
    };
    format!("{turned}{comma}")
}

/// "looks at the user" is "looks at you".
fn to_their_face(text: &str) -> String {
    let mut turned = text.to_owned();
    // The longer first: "the user's" before "the user".
    let mut called: Vec<(&String, &String)> = WORDS.user.iter().collect();
    called.sort_by_key(|(called, _)| std::cmp::Reverse(called.len()));
    for (called, face) in called {
        turned = turned.replace(called.as_str(), face);
        turned = turned.replace(&capitalised(called), &capitalised(face));
    }
    turned
}

fn speech_act(instruction: &str) -> SpeechAct {
    let words = super::sentences::words(instruction);
    let holds = |verbs: &Texts| words.iter().any(|word| verbs.has(word));
    match () {
        () if holds(&WORDS.telling) => SpeechAct::Tells,
        () if holds(&WORDS.asking) => SpeechAct::Asks,
        () => SpeechAct::None,
    }
}

/// What belongs to the character, by the pronoun that is used of it most.
fn whose(texts: &[&str]) -> &'static str {
    let words: Vec<String> = texts.iter().flat_map(|text| super::sentences::words(text)).collect();
    let count = |pronouns: &[&str]| words.iter().filter(|word| pronouns.contains(&word.as_str())).count();
    let (she, he) = (count(&["she", "her", "hers"]), count(&["he", "him", "his"]));
    match she.cmp(&he) {
        std::cmp::Ordering::Greater => "her",
        std::cmp::Ordering::Less => "his",
        std::cmp::Ordering::Equal => "their",
    }
}

/// With a mark at its end.
fn finished(text: &str) -> String {
    match text.chars().last() {
        Some(last) if last.is_alphanumeric() => format!("{text}."),
        Some(',') => format!("{}.", text.trim_end_matches(',')),
        _ => text.to_owned(),
    }
}
