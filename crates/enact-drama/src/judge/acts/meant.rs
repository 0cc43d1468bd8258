//! When words do not do what they say.

use super::Sign;
use crate::judge::{
    phrase::is_join,
    words::{Word, WordKind},
};

/// Whether what the words from `from` to `to` say of their speaker is meant.
pub(super) fn stands(sign: Sign, words: &[Word<'_>], asks: bool, from: usize, to: usize) -> bool {
    if is_open(sign) {
        // "Calm down? Never!" only says again what somebody else said.
        let echoes = matches!(sign, Sign::Mediation | Sign::NoAgreement);
        return !(echoes && asks && from == 0 && to == words.len());
    }
    let clause = clause_start(words, from);
    let before = &words[clause..from];
    let unreal = before.iter().any(|word| word.is(WordKind::Unreal));
    let inverted = words[from].text == "i" && before.last().is_some_and(|word| word.is(WordKind::Auxiliary));
    let asked = asks && is_asked(sign, words, clause, to);
    let withheld = sign == Sign::Apology && is_withheld(&words[to..]);
    !(unreal || inverted || asked || withheld || is_reported(before) || is_bound(sign, words, to))
}

/// Signs that are what they are even in a question or a denial: "How could you?" accuses.
fn is_open(sign: Sign) -> bool {
    matches!(
        sign,
        Sign::NoApology
            | Sign::NoAcceptance
            | Sign::NoForgiveness
            | Sign::NoAgreement
            | Sign::NoPromise
            | Sign::Confrontation
            | Sign::Mediation
            | Sign::Opinion
            | Sign::Hostility
    )
}

/// Where the clause of a word begins.
pub(in crate::judge) fn clause_start(words: &[Word<'_>], from: usize) -> usize {
    let mut start = from;
    while start > 0 && !words[start].opens && !is_join(&words[start - 1].text) {
        start -= 1;
    }
    start
}

/// Whether the words are in somebody else's mouth: "Bob said I'm sorry", "you want me to say I accept".
pub(in crate::judge) fn is_reported(before: &[Word<'_>]) -> bool {
    let Some(says) = before.iter().rposition(|word| word.is(WordKind::Saying)) else { return false };
    let subject = &before[..says];
    let has = |name: &str| subject.iter().any(|word| word.text == name);
    let own = has("i") || has("let") && has("me");
    !own || ["you", "he", "she", "they", "we", "who"].into_iter().any(has)
}

/// In a question only a clause before the last is said rather than asked: "I'm sorry, can we start over?"
fn is_asked(sign: Sign, words: &[Word<'_>], clause: usize, to: usize) -> bool {
    let is_last = !words[to..].iter().any(|word| word.opens);
    let leads = words[clause].is(WordKind::Auxiliary);
    // "Sorry, what did you say?" asks to hear it again, and "I'm sorry, did I ask you?" is not sorry at all.
    let pardon = sign == Sign::Apology && words.get(to).is_some_and(|word| word.is(WordKind::Pardon));
    is_last || leads || pardon
}

/// Whether what follows "I'm sorry" takes it back: "…, Alice, but I had a good reason".
fn is_withheld(rest: &[Word<'_>]) -> bool {
    /// A name, with a title or without.
    const LONGEST_NAME: usize = 2;
    let next = rest.iter().skip(1).take(LONGEST_NAME).find(|word| word.opens);
    rest.first().is_some_and(|word| word.opens) && next.is_some_and(|word| word.text == "but")
}

/// Whether a condition hangs on it: "I accept your apology if you promise".
fn is_bound(sign: Sign, words: &[Word<'_>], to: usize) -> bool {
    /// "your apology, but only if" is about as long as it takes to get to the condition.
    const REACH: usize = 6;
    let can_be_bound = matches!(
        sign,
        Sign::Acceptance | Sign::SoftAcceptance | Sign::Forgiveness | Sign::Assent | Sign::WeakAssent
    );
    can_be_bound
        && words[to..]
            .iter()
            .take(REACH)
            .take_while(|word| word.text != "and")
            .any(|word| matches!(&*word.text, "if" | "unless" | "provided" | "once" | "when"))
}

/// Whether a sentence says what would be: "if you stay, …".
pub(in crate::judge) fn is_conditional(words: &[Word<'_>]) -> bool {
    words.iter().enumerate().any(|(at, word)| {
        word.is(WordKind::Condition) && (word.opens || at > 0 && is_join(&words[at - 1].text))
    })
}
