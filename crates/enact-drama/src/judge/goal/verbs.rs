//! What authors call the acts.

use std::sync::LazyLock;

use super::Act;
use crate::judge::{
    phrase::{Found, Phrases},
    words::Word,
};

/// The first act named in a clause. Only the present and the infinitive count: what happened before the scene
/// ("Bob missed the deadline and apologized") is background.
pub(super) fn find(words: &[Word<'_>]) -> Option<Found<Act>> {
    let mut at = 0;
    while at < words.len() {
        match named_at(words, at) {
            Some(Found { means: Some(means), from, to }) => return Some(Found { from, to, means }),
            Some(idiom) => at = idiom.to,
            None => at += 1,
        }
    }
    None
}

/// The act named at one word.
pub(super) fn at_word(words: &[Word<'_>], at: usize) -> Option<Found<Act>> {
    let Found { from, to, means } = named_at(words, at)?;
    Some(Found { from, to, means: means? })
}

fn named_at(words: &[Word<'_>], at: usize) -> Option<Found<Option<Act>>> {
    // "his promise", "the question" and "an ask" are things, not deeds.
    let is_noun = at.checked_sub(1).is_some_and(|before| DETERMINERS.contains(&&*words[before].text));
    if is_noun { None } else { VERBS.at(words, at).next() }
}

/// Whether a verb's form goes with several doers, or with an order to them: "agree", not "agrees".
pub(super) fn is_plural(verb: &str) -> bool {
    !verb.ends_with('s') || verb.ends_with("ss")
}

pub(super) const DETERMINERS: [&str; 14] =
    ["a", "an", "the", "his", "her", "their", "its", "my", "your", "our", "this", "that", "any", "'s"];

static VERBS: LazyLock<Phrases<Option<Act>>> = LazyLock::new(|| {
    let acts = TABLE.into_iter().map(|(phrase, act)| (phrase, Some(act)));
    Phrases::new(IDIOMS.into_iter().map(|phrase| (phrase, None)).chain(acts))
});

/// What holds the verb of an act and is none.
const IDIOMS: [&str; 4] = [
    "keep|keeps|stay|stays|remain|remains ~ calm",
    "swear|swears at",
    "come|comes to terms with a|the|his|her|their|its|losing|being",
    "turn|turns .. volume|radio|music|sound|heat|light|lights|tv .. down",
];

/// Where two begin with the same word, the earlier one counts.
#[rustfmt::skip]
const TABLE: [(&str, Act); 44] = [
    ("apologise|apologises|apologize|apologizes",                                     Act::Apologise),
    ("give|gives|offer|offers|make|makes|deliver|delivers .. apology|apologies",      Act::Apologise),
    ("say|says .. sorry",                                                             Act::Apologise),
    ("express|expresses|show|shows .. remorse|regret",                                Act::Apologise),
    ("accept|accepts .. responsibility|blame|fault",                                  Act::Admit),
    ("accept|accepts",                                                                Act::Accept),
    ("forgive|forgives|pardon|pardons",                                               Act::Forgive),
    ("agree|agrees",                                                                  Act::Agree),
    ("reach|reaches .. agreement|compromise|deal|consensus|settlement|understanding", Act::Agree),
    ("come|comes to .. agreement|compromise|terms|consensus|understanding",           Act::Agree),
    ("settle|settles on",                                                             Act::Agree),
    ("decide|decides on|together",                                                    Act::Agree),
    ("make|makes .. deal|pact|plan",                                                  Act::Agree),
    ("find|finds .. compromise|solution",                                             Act::Agree),
    ("confront|confronts|accuse|accuses|challenge|challenges|berate|berates|scold|scolds|blame|blames", Act::Confront),
    ("call|calls .. out",                                                             Act::Confront),
    ("demand|demands .. answer|answers|explanation|truth|apology",                    Act::Confront),
    ("mediate|mediates|intervene|intervenes|de-escalate|de-escalates|defuse|defuses", Act::Mediate),
    ("calm|calms|keep|keeps|make|makes .. peace|down",                                Act::Mediate),
    ("calm|calms",                                                                    Act::Mediate),
    ("step|steps in",                                                                 Act::Mediate),
    ("interrupt|interrupts",                                                          Act::Interrupt),
    ("cut|cuts .. off|in",                                                            Act::Interrupt),
    ("admit|admits|confess|confesses|acknowledge|acknowledges|reveal|reveals",        Act::Admit),
    ("own|owns up|to",                                                                Act::Admit),
    ("take|takes .. responsibility|blame",                                            Act::Admit),
    ("come|comes clean",                                                              Act::Admit),
    ("tell|tells .. truth",                                                           Act::Admit),
    ("explain|explains|justify|justifies",                                            Act::Explain),
    ("promise|promises|vow|vows|swear|swears|pledge|pledges",                          Act::Promise),
    ("commit|commits himself|herself|themselves? to",                                 Act::Promise),
    ("give|gives .. word",                                                            Act::Promise),
    ("refuse|refuses|reject|rejects|decline|declines",                                Act::Refuse),
    ("turn|turns .. down",                                                            Act::Refuse),
    ("ask|asks|inquire|inquires|request|requests",                                    Act::Ask),
    ("question|questions",                                                            Act::Ask),
    ("thank|thanks",                                                                  Act::Thank),
    ("say|says .. thanks|thank",                                                      Act::Thank),
    ("express|expresses|show|shows .. gratitude|thanks|appreciation",                 Act::Thank),
    ("say|says|bid|bids|wave|waves .. goodbye|farewell|goodnight",                    Act::Farewell),
    ("say|says .. good bye|night",                                                    Act::Farewell),
    ("part|parts ways|amicably|company",                                              Act::Farewell),
    ("take|takes .. leave",                                                           Act::Farewell),
    ("leave|leaves|depart|departs",                                                   Act::Farewell),
];
