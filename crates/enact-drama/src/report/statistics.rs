//! What all productions say about what a run took, worded so that what is unknown is said to be unknown.

use super::{
    Cards, Ledger, Tokens,
    figures::{about, counted, percent},
};
use crate::text::one_line;

pub fn tokens(ledger: &Ledger, models: &Cards) -> String {
    let silent_calls = counted(ledger.total().unaccounted, "call");
    match ledger.tokens() {
        Tokens::NoCalls => "none: no model was asked".to_owned(),
        // Improvisers use no tokens; language models that used none never got to answer.
        Tokens::NoModel if models.values().any(|card| card.provider.is_some()) => {
            "none: no language model answered".to_owned()
        }
        Tokens::NoModel => "none: no language model was used".to_owned(),
        Tokens::Known(count) => about(count),
        Tokens::AtLeast(count) => format!("at least {}, what {silent_calls} used is unknown", about(count)),
        Tokens::Unknown => format!("unknown, {silent_calls} did not tell"),
    }
}

/// How much came out of a cache, where anything did.
pub fn cache(ledger: &Ledger) -> Option<String> {
    let total = ledger.total();
    let rate = total.cache_hit_rate().filter(|_| total.usage.cache_read > 0)?;
    Some(format!("{} of input read from cache", percent(rate)))
}

/// Who played whom, in the order given; just the model where one played everybody.
pub fn players<'a>(models: &Cards, cast: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let mut groups: Vec<(&str, Vec<String>)> = Vec::new();
    for (model, name) in cast {
        match groups.iter_mut().find(|(known, _)| *known == model) {
            Some((_, names)) => names.push(name),
            None => groups.push((model, vec![name])),
        }
    }
    let description =
        |model: &str| one_line(models.get(model).map_or(model, |card| card.description.as_str()));
    match groups.as_slice() {
        [(model, _)] => description(model),
        groups => {
            let parts =
                groups.iter().map(|(model, names)| format!("{} ({})", description(model), names.join(", ")));
            parts.collect::<Vec<_>>().join("; ")
        }
    }
}
