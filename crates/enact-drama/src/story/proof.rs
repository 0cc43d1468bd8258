//! A last look at a sentence before it is said: what went wrong on its way into somebody's mouth is not said at all.
//!
//! Sentences of authors are read by rules that do not know all English. A wrong reading mostly shows as grammar that
//! nobody writes: "I and have told nobody", "your brother me", "you has".

use super::lexicon::{VerbForm, WORDS, verb};

/// Whether a sentence that was put into somebody's mouth came out whole.
pub fn reads_well(sentence: &str) -> bool {
    let spaced = sentence.replace('’', "'");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let pairs = words.windows(2).all(|pair| {
        let (first, second) = (pair[0], pair[1].trim_end_matches(is_mark));
        first.ends_with(is_mark) || stand_together(first, second)
    });
    pairs && (0..words.len()).all(|at| agrees(&words, at))
}

fn is_mark(c: char) -> bool {
    !(c.is_alphanumeric() || matches!(c, '\'' | '%'))
}

/// Two words without a mark between them.
fn stand_together(first: &str, second: &str) -> bool {
    let (lower, next) = (first.to_lowercase(), second.to_lowercase());
    let next_person = person(&next);
    let twice = person(&lower).is_some() && person(&lower) == next_person;
    let kin_then_person = WORDS.is_kin(&lower) && matches!(&*next, "i" | "me" | "us" | "we");
    let name = first.starts_with(char::is_uppercase)
        && lower != "i"
        && !WORDS.is_ordinary(&lower)
        && !WORDS.is_calendar(&lower);
    let name_then_person = name && matches!(&*next, "i" | "me");
    let owned = matches!(&*lower, "my" | "your" | "our" | "their")
        && (next_person.is_some() || matches!(&*next, "the" | "a" | "an" | "my" | "your" | "his" | "and"));
    let again = lower == next && matches!(&*lower, "the" | "a" | "an" | "to" | "of" | "and" | "is" | "has");
    !(twice || kin_then_person || name_then_person || owned || again)
}

/// Whether a subject goes with the verb behind it.
fn agrees(words: &[&str], at: usize) -> bool {
    let subject = words[at].to_lowercase();
    let singular = match &*subject {
        "i" | "you" | "we" | "they" => false,
        "he" | "she" => true,
        _ => return true,
    };
    // "between you and him is" and "the letter to you was lost" have other subjects.
    let governed = at.checked_sub(1).is_some_and(|before| {
        let before = words[before].to_lowercase();
        WORDS.prepositions.has(&before) || matches!(&*before, "and" | "but") || verb(&before).is_some()
    });
    let mut rest = words[at + 1..].iter().map(|word| word.trim_end_matches(is_mark).to_lowercase());
    let Some(next) = rest.find(|word| !WORDS.is_adverb(word)) else { return true };
    let joined =
        at == 0 && matches!(&*next, "and" | "or") && rest.next().is_some_and(|word| is_finite(&word));
    let plural = matches!(&*next, "have" | "are" | "were" | "do" | "haven't" | "aren't" | "don't");
    let third = matches!(&*next, "has" | "is" | "does" | "hasn't" | "isn't" | "doesn't")
        || (subject != "i" && matches!(&*next, "was" | "wasn't"))
        || verb(&next).is_some_and(|(_, form)| form == VerbForm::Third) && next != "am" && !plural;
    let wrong = if singular { plural && next != "were" } else { third };
    governed || !(wrong || joined)
}

fn is_finite(word: &str) -> bool {
    super::lexicon::is_finite(word) || word == "have"
}

/// Which person a word stands for, where it stands for one.
fn person(lower: &str) -> Option<u8> {
    match lower.split('\'').next().unwrap_or(lower) {
        "i" | "me" => Some(1),
        "you" => Some(2),
        "he" | "him" | "she" => Some(3),
        "we" | "us" => Some(4),
        "they" | "them" => Some(5),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::reads_well;

    #[test]
    fn what_came_out_broken_is_known() {
        for broken in [
            "in June you lent her rowing boat to your brother me",
            "I has lent you things",
            "you was at the desk",
            "they knows it",
            "we still has the key",
            "she have left",
            "I and have told nobody what it says",
            "the ship's voice, which everybody calls you you're asked",
            "everybody calls I I'm asked",
            "Inspector I have come down from the city",
            "you took my the book",
            "I went to to the mill",
        ] {
            assert!(!reads_well(broken), "{broken}");
        }
    }

    #[test]
    fn what_people_say_is_let_through() {
        for whole in [
            "tell me you're sorry",
            "I told you I was ill",
            "you and I have known each other for years",
            "I know that you were there",
            "the letter to you was lost",
            "between you and me is a wall",
            "both of us have paid",
            "if I were you, I would go",
            "In June I lent my boat to you",
            "what I know is that he was asleep",
            "those who trust you are fools",
            "the man who raised you lies",
            "I want you to say it",
            "my brother says that you have the key",
            "nobody but you has the key",
            "I love you, and you know it",
        ] {
            assert!(reads_well(whole), "{whole}");
        }
    }
}
