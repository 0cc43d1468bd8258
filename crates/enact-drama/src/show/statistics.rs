//! The figures below a transcript, worded so that what is unknown is said to be unknown.

use super::{
    Adviser, Ledger, Story, Tokens,
    clean::one_line,
    figures::{about, cost, counted, percent, seconds},
    ledger::Cards,
    wording::display,
};
use crate::{production::Purpose, scene::Setup};

/// Labels and figures, in the order they are shown.
pub(super) fn statistics(story: &Story) -> Vec<(&'static str, String)> {
    let setup = &story.setup;
    let mut statistics = vec![
        ("Duration", counted(u64::from(story.beats), "beat")),
        ("Processing time", seconds(story.time.total_ms())),
        ("Total tokens", tokens(&story.ledger, &setup.models)),
        ("Estimated cost", cost(story.ledger.total().cost())),
    ];
    statistics.extend(forked(story).map(|forked| ("Forked from", forked)));
    statistics.extend(hidden(story));
    statistics.extend(cache(&story.ledger).map(|cache| ("Cache", cache)));
    statistics.extend([
        ("Played by", players(&setup.models, cast(setup))),
        ("Seed", setup.seed.to_string()),
        ("Run", setup.run.to_string()),
    ]);
    statistics
}

pub(super) fn tokens(ledger: &Ledger, models: &Cards) -> String {
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

/// Whose beginning it shares, and what that had cost: the figures above do not hold it.
fn forked(story: &Story) -> Option<String> {
    let from = story.forked_from?;
    let account = story.ledger.inherited.unwrap_or_default();
    let spent = match account.tokens() {
        Tokens::NoCalls | Tokens::NoModel | Tokens::Known(0) => String::new(),
        Tokens::Unknown => " (what was used until then is unknown)".to_owned(),
        Tokens::AtLeast(count) => {
            format!(" (until then at least {} tokens, {})", about(count), cost(account.cost()))
        }
        Tokens::Known(count) => format!(" (until then {} tokens, {})", about(count), cost(account.cost())),
    };
    Some(format!("run {}, after beat {}{spent}", from.run_id, from.beat))
}

/// How much came out of a cache, where anything did.
pub(super) fn cache(ledger: &Ledger) -> Option<String> {
    let total = ledger.total();
    let rate = total.cache_hit_rate().filter(|_| total.usage.cache_read > 0)?;
    Some(format!("{} of input read from cache", percent(rate)))
}

/// What the hidden calls have of the figures above.
fn hidden(story: &Story) -> impl Iterator<Item = (&'static str, String)> {
    let labels = [(Purpose::Judge, "Of these, judge"), (Purpose::WorldEvent, "Of these, world events")];
    labels.into_iter().filter_map(|(purpose, label)| {
        let account = story.ledger.by_purpose.get(&purpose)?;
        let calls = counted(account.made(), "call");
        let spent = match account.tokens() {
            Tokens::Unknown => "what they used is unknown".to_owned(),
            Tokens::AtLeast(count) => format!("at least {} tokens, {}", about(count), cost(account.cost())),
            tokens => format!("{} tokens, {}", about(tokens.count().unwrap_or(0)), cost(account.cost())),
        };
        Some((label, format!("{calls}{}, {spent}", failures(story, purpose))))
    })
}

/// How many of the hidden calls failed, and why the last of them did. Nothing else in a transcript shows it.
fn failures(story: &Story, purpose: Purpose) -> String {
    match story.advisers.get(&purpose) {
        Some(Adviser { failed, last_error: Some(error), .. }) => {
            format!(" ({failed} failed: {})", one_line(error))
        }
        _ => String::new(),
    }
}

/// Who played whom, in the order given; just the model where one played everybody.
pub(super) fn players<'a>(models: &Cards, cast: impl IntoIterator<Item = (&'a str, String)>) -> String {
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

/// Everyone's model and name.
fn cast(setup: &Setup) -> impl Iterator<Item = (&str, String)> {
    setup.cast.iter().map(|role| (role.model.as_str(), display(setup, &role.name)))
}
