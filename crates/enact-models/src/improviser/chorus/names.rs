//! What agents call each other, aloud.

use enact_drama::chorus::{AgentId, SlotId};

use crate::improviser::template::capitalised;

/// Longer names are not said, they are recited.
const LONGEST_NAME: usize = 24;

/// What an agent is called in the middle of a sentence. Names and ids are any text: where neither gives a
/// name, the slot is called by its number.
pub(super) fn spoken(name: &str, agent: &AgentId, slot: SlotId) -> String {
    let fits = |name: &String| name.contains(char::is_alphanumeric) && name.chars().count() <= LONGEST_NAME;
    let from_id = || Some(of_id(agent)).filter(fits);
    Some(within_a_sentence(name)).filter(fits).or_else(from_id).unwrap_or_else(|| format!("Speaker {slot}"))
}

/// "The Baker" is called Baker; and what would end the sentence is left out: "Dr. No" is Dr No.
fn within_a_sentence(name: &str) -> String {
    let name = ["The ", "the "].iter().find_map(|article| name.strip_prefix(article)).unwrap_or(name);
    let letters: Vec<char> = name.chars().collect();
    let is_inside = |at: usize| {
        let beside =
            |at: Option<usize>| at.and_then(|at| letters.get(at)).is_some_and(|c| c.is_alphanumeric());
        beside(at.checked_sub(1)) && beside(at.checked_add(1))
    };
    let stays = |(at, c): &(usize, &char)| match c {
        '.' | '\'' | '’' => is_inside(*at),
        c => c.is_alphanumeric() || matches!(c, ' ' | '-' | '&' | '+'),
    };
    let kept: String = letters.iter().enumerate().filter(stays).map(|(_, c)| c).collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A name made of an id: `claude-opus-4-5` is "Claude Opus", `gpt-5.2` is "GPT 5.2".
fn of_id(agent: &AgentId) -> String {
    // `org/model:free` is a model of an organisation.
    let id = agent.as_str().rsplit('/').next().unwrap_or_default();
    let id = id.split(':').next().unwrap_or_default();
    let parts = id.split(|c: char| !c.is_ascii_alphanumeric() && c != '.').map(|part| part.trim_matches('.'));
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    let words = parts.iter().take_while(|part| part.chars().all(|c| c.is_ascii_alphabetic()));
    let mut words: Vec<String> = words.map(|word| written(word)).collect();
    // One word alone does not tell the members of a family apart.
    if let ([_], Some(version)) = (words.as_slice(), parts.get(1)) {
        words.push((*version).to_owned());
    }
    words.join(" ")
}

/// "A", "A and B", "A, B and C".
pub(super) fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

/// Words without vowels are abbreviations.
fn written(word: &str) -> String {
    let is_vowel = |c: char| "aeiouyAEIOUY".contains(c);
    if word.contains(is_vowel) { capitalised(word) } else { word.to_uppercase() }
}

#[cfg(test)]
mod tests;
