//! Concrete steps: somebody is going to do something definite.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::judge::{
    phrase::{Phrases, is_join},
    word_lists::phrases,
    words::{Word, WordKind},
};

/// Whether a sentence proposes or takes on a step: words that lead to a deed ("I'll", "let's", "how about"),
/// and a deed or a time that can be checked later. "I'll try" and "let's do that" name neither.
pub(super) fn is_step(words: &[Word<'_>], asks: bool) -> bool {
    let leads = LEADS.find(words, &[0]);
    leads.iter().any(|lead| {
        let at = lead.from;
        let conditional =
            words[..at].iter().any(|word| matches!(&*word.text, "if" | "not" | "never" | "wish"));
        let rest = &words[lead.to..];
        let stalls = leads.iter().any(|other| other.from == at && other.means == Lead::Stall);
        let deed = (lead.to..words.len())
            .take(DEED_REACH)
            .take_while(|at| !is_join(&words[*at].text))
            .any(|at| is_deed(words, at));
        let denied = rest.first().is_some_and(|word| matches!(&*word.text, "not" | "never"));
        let definite = match lead.means {
            Lead::Offer => deed || rest.iter().any(is_when),
            Lead::Wish => rest.iter().any(is_when),
            Lead::Stall => false,
        };
        definite
            && !stalls
            && !conditional
            && !denied
            && (!asks || lead.means == Lead::Wish || at == 0 || words[at].opens)
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
enum Lead {
    /// A deed is enough: "I'll write it down".
    Offer,
    /// It takes a time or a form: "we need weekly reviews", not "we need a plan".
    Wish,
    /// No step after all.
    Stall,
}

/// "I'll personally and carefully review" is as far as the deed stands from its opener.
const DEED_REACH: usize = 4;

/// The words that lead to a step, and those that only seem to.
static LEADS: LazyLock<Phrases<Lead>> = LazyLock::new(|| phrases(include_str!("steps.txt")));

fn is_deed(words: &[Word<'_>], at: usize) -> bool {
    // "We should have a plan" names a thing, not a deed.
    let is_noun = matches!(&*words[at - 1].text, "a" | "an" | "the" | "my" | "your" | "our");
    !is_noun && words[at].is(WordKind::Deed)
}

fn is_when(word: &Word<'_>) -> bool {
    word.is(WordKind::When) || word.text.starts_with("check-in")
}
