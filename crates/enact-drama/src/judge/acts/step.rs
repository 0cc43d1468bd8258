//! Concrete steps: somebody is going to do something definite.

use std::sync::LazyLock;

use crate::judge::{
    phrase::{Phrases, is_join},
    word_lists::{WordList, word_list},
    words::Word,
};

/// Whether a sentence proposes or takes on a step: words that lead to a deed ("I'll", "let's", "how about"),
/// and a deed or a time that can be checked later. "I'll try" and "let's do that" name neither.
pub(super) fn is_step(words: &[Word<'_>], asks: bool) -> bool {
    (0..words.len()).any(|at| {
        OPENERS.at(words, at).any(|opener| {
            let conditional =
                words[..at].iter().any(|word| matches!(&*word.text, "if" | "not" | "never" | "wish"));
            let rest = &words[opener.to..];
            let stalls = STALLS.at(words, at).next().is_some();
            let deed = (opener.to..words.len())
                .take(DEED_REACH)
                .take_while(|at| !is_join(&words[*at].text))
                .any(|at| is_deed(words, at));
            let denied = rest.first().is_some_and(|word| matches!(&*word.text, "not" | "never"));
            let definite = match opener.means {
                Opener::Offer => deed || rest.iter().any(|word| is_when(&word.text)),
                Opener::Wish => rest.iter().any(|word| is_when(&word.text)),
            };
            definite
                && !stalls
                && !conditional
                && !denied
                && (!asks || opener.means == Opener::Wish || at == 0 || words[at].opens)
        })
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Opener {
    /// A deed is enough: "I'll write it down".
    Offer,
    /// It takes a time or a form: "we need weekly reviews", not "we need a plan".
    Wish,
}

/// "I'll personally and carefully review" is as far as the deed stands from its opener.
const DEED_REACH: usize = 4;

static OPENERS: LazyLock<Phrases<Opener>> = LazyLock::new(|| {
    Phrases::new([
        ("i|we will", Opener::Offer),
        ("i|we am|are going to", Opener::Offer),
        ("let us", Opener::Offer),
        ("let me", Opener::Offer),
        ("we|you should|could|can", Opener::Offer),
        ("why do not we|you", Opener::Offer),
        ("i|we can", Opener::Offer),
        ("i propose|suggest|recommend", Opener::Offer),
        ("i would like to", Opener::Offer),
        ("from now on", Opener::Offer),
        ("starting", Opener::Wish),
        ("what if we|i", Opener::Offer),
        ("how about", Opener::Wish),
        ("what about", Opener::Wish),
        ("we|i need|want", Opener::Wish),
        ("i would like", Opener::Wish),
        ("you will", Opener::Wish),
    ])
});

/// Words that lead to no step after all: they ask to be heard, or threaten.
static STALLS: LazyLock<Phrases<()>> = LazyLock::new(|| {
    Phrases::new([
        ("i|we need|want to ~ talk|discuss|speak|know|understand", ()),
        ("let me ~ finish|explain", ()),
        ("i|we will|can .. report you|him|her|them", ()),
        ("i|we am|are going to .. report you|him|her|them", ()),
        ("i|we will|can .. call|phone|contact the|my ~ police|security|cops|lawyer|lawyers", ()),
        ("i|we am|are going to .. call|phone|contact the|my ~ police|security|cops|lawyer|lawyers", ()),
    ])
});

fn is_deed(words: &[Word<'_>], at: usize) -> bool {
    // "We should have a plan" names a thing, not a deed.
    let is_noun = matches!(&*words[at - 1].text, "a" | "an" | "the" | "my" | "your" | "our");
    !is_noun && DEEDS.contains(&&*words[at].text)
}

/// Deeds that leave something behind: afterwards one can see whether they were done.
static DEEDS: WordList = LazyLock::new(|| word_list("deeds"));

/// Words that make something definite: when, how often, in which form.
fn is_when(word: &str) -> bool {
    WHENS.contains(&word) || word.starts_with("check-in")
}

static WHENS: WordList = LazyLock::new(|| word_list("times and forms"));
