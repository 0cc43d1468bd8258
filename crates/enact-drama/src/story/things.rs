//! The things a text speaks of, as noun phrases that can be said back: "the Henderson file", "an old mill".

use super::{
    lexicon::{VerbForm, WORDS, is_finite, verb},
    people::StoryPeople,
    sentence::{WordToken, sentences},
};

/// Longer phrases are whole stories.
const LONGEST: usize = 4;

/// The noun phrases of a text that everybody knows, in its order.
pub(super) fn things(text: &str, people: &StoryPeople) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for sentence in sentences(text) {
        let tokens = &sentence.tokens;
        for at in 0..tokens.len() {
            if let Some(thing) = thing_at(tokens, at, people)
                && !found.contains(&thing)
            {
                found.push(thing);
            }
        }
    }
    found
}

/// A noun phrase with its article, if one begins here that needs nobody to be known.
fn thing_at(tokens: &[WordToken], at: usize, people: &StoryPeople) -> Option<String> {
    let article = tokens[at].lower();
    if !matches!(&*article, "the" | "a" | "an")
        || people.mention(tokens, at).is_some()
        || !tokens[at].after.is_empty()
    {
        return None;
    }
    // "is the driver", "as a witness", "Wat, a miller": what somebody is, and nothing to speak of.
    let before = at.checked_sub(1).map(|before| &tokens[before]);
    let names_role = before.is_some_and(|token| {
        matches!(&*token.lower(), "is" | "was" | "are" | "were" | "as" | "be" | "became")
            || token.after == "," && token.is_capitalised()
    });
    if names_role {
        return None;
    }
    let mut words = vec![article];
    for (place, token) in tokens.iter().enumerate().skip(at + 1) {
        let lower = token.lower();
        let stops = WORDS.prepositions.has(&lower)
            || WORDS.joints.has(&lower)
            || WORDS.determiners.has(&lower)
            || WORDS.auxiliaries.has(&lower)
            || WORDS.is_empty(&lower)
            || people.mention(tokens, place).is_some()
            || token.is_possessive()
            || !token.is_plain();
        // "the lights flicker": behind a plural the plain form is its verb.
        let plural_verb = words.len() > 1
            && words.last().is_some_and(|noun| noun.ends_with('s'))
            && verb(&lower).is_some_and(|(_, form)| form == VerbForm::Base);
        if stops || plural_verb || (words.len() > 1 && (is_finite(&lower) || lower.ends_with("ing"))) {
            break;
        }
        words.push(token.text.clone());
        if !token.after.is_empty() {
            break;
        }
    }
    let last = words.last()?.to_lowercase();
    let noun = words.len() > 1
        && words.len() <= LONGEST
        && !WORDS.is_adverb(&last)
        && last.len() > 2
        && !last.ends_with("est")
        && !WORDS.no_things.has(&last)
        && !people.is_role(&last);
    noun.then(|| words.join(" "))
}
