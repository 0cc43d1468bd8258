//! The figures below a transcript, worded so that what is unknown is said to be unknown.

use super::{Cost, Story, Tokens, clean::one_line, wording::display};
use crate::{scene::Setup, usage::NanoUsd};

/// Labels and figures, in the order they are shown.
pub(super) fn statistics(story: &Story) -> Vec<(&'static str, String)> {
    let setup = &story.setup;
    vec![
        ("Duration", counted(u64::from(story.beats), "beat")),
        ("Processing time", seconds(story.duration_ms)),
        ("Total tokens", tokens(story)),
        ("Estimated cost", cost(story.ledger.total().cost())),
        ("Played by", players(setup)),
        ("Seed", setup.seed.to_string()),
        ("Run", setup.run.to_string()),
    ]
}

fn tokens(story: &Story) -> String {
    let silent_calls = counted(story.ledger.total().unaccounted, "call");
    match story.ledger.tokens() {
        Tokens::NoCalls => "none: no model was asked".to_owned(),
        Tokens::NoModel => "none: no language model was used".to_owned(),
        Tokens::Known(count) => about(count),
        Tokens::AtLeast(count) => format!("at least {}, what {silent_calls} used is unknown", about(count)),
        Tokens::Unknown => format!("unknown, {silent_calls} did not tell"),
    }
}

fn cost(cost: Cost) -> String {
    match cost {
        Cost::Known(cost) => usd(cost),
        Cost::AtLeast(cost) => format!("at least {}", usd(cost)),
        Cost::Unknown => "unknown".to_owned(),
    }
}

/// Who played whom, in cast order; just the model where one played everybody.
fn players(setup: &Setup) -> String {
    let mut groups: Vec<(&str, Vec<String>)> = Vec::new();
    for role in &setup.cast {
        let name = display(setup, &role.name);
        match groups.iter_mut().find(|(model, _)| *model == role.model) {
            Some((_, names)) => names.push(name),
            None => groups.push((&role.model, vec![name])),
        }
    }
    let description =
        |model: &str| one_line(setup.models.get(model).map_or(model, |card| card.description.as_str()));
    match groups.as_slice() {
        [(model, _)] => description(model),
        groups => {
            let parts =
                groups.iter().map(|(model, names)| format!("{} ({})", description(model), names.join(", ")));
            parts.collect::<Vec<_>>().join("; ")
        }
    }
}

/// Token counts of a thousand and more are rounded: the digits below say nothing to people, and the metadata has them.
fn about(count: u64) -> String {
    const ROUNDED_FROM: u64 = 1_000;
    const STEP: u64 = 100;
    if count < ROUNDED_FROM {
        count.to_string()
    } else {
        format!("~{}", grouped((count + STEP / 2) / STEP * STEP))
    }
}

/// Money with cents; below one cent with as many digits as keep it from reading like nothing.
fn usd(cost: NanoUsd) -> String {
    const CENT: u64 = 10_000_000;
    const NANO: u64 = 1_000_000_000;
    let nano = cost.0;
    if nano == 0 || nano >= CENT {
        let cents = nano.saturating_add(CENT / 2) / CENT;
        return format!("${}.{:02} USD", grouped(cents / 100), cents % 100);
    }
    let digits = format!("{:09}", nano % NANO);
    format!("$0.{} USD", digits.trim_end_matches('0'))
}

fn seconds(ms: u64) -> String {
    let tenths = ms.saturating_add(50) / 100;
    format!("{}.{}s", tenths / 10, tenths % 10)
}

fn counted(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{} {noun}s", grouped(count)) }
}

/// 15200 as `15,200`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
