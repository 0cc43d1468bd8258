//! What is compared, and how its figures are worded: the same in the table and on the page.

use super::{Contender, Spread};
use crate::{
    report::figures::{counted, grouped, percent, precise_dollars},
    usage::NanoUsd,
};

/// One row of a comparison.
pub(super) struct Measure {
    pub(super) label: &'static str,
    pub(super) cell: fn(&Contender) -> Cell,
}

/// What a measure says of one contender.
pub(super) struct Cell {
    pub(super) figure: String,
    /// How far the runs lie apart, where they do, or what else belongs to the figure.
    pub(super) beside: Vec<String>,
}

/// What stands where there is nothing to say: free models have no bill, and unpriced ones no cost.
pub(super) const NOTHING: &str = "–";

pub(super) const MEASURES: [Measure; 14] = [
    Measure { label: "time per beat", cell: |c| spread(c, c.summary.beat_ms, duration) },
    Measure { label: "first word", cell: |c| spread(c, c.summary.first_word_ms, duration) },
    Measure { label: "tokens/second", cell: |c| spread(c, c.summary.tokens_per_second, number) },
    Measure { label: "beats", cell: |c| spread(c, c.summary.beats, number) },
    Measure { label: "tokens in", cell: |c| spread(c, c.summary.input_tokens, number) },
    Measure { label: "tokens out", cell: |c| spread(c, c.summary.output_tokens, number) },
    Measure { label: "cost", cell: |c| spread(c, c.summary.estimated_usd, money) },
    Measure { label: "input bill", cell: |c| spread(c, c.summary.input_bill_ratio, percent) },
    Measure { label: "cache hits", cell: |c| spread(c, c.summary.cache_hit_rate, percent) },
    Measure { label: "replies parsed", cell: |c| replies(c, c.summary.replies.parsed) },
    Measure { label: "salvaged", cell: |c| replies(c, c.summary.replies.salvaged) },
    Measure { label: "failed", cell: |c| replies(c, c.summary.replies.failed) },
    Measure { label: "goal reached", cell: goal_reached },
    Measure { label: "goals met", cell: goals_met },
];

/// How the runs ended, the most frequent end first.
pub(super) fn ends(contender: &Contender) -> Vec<String> {
    let mut ends: Vec<(&str, usize)> =
        contender.summary.ends.iter().map(|(name, count)| (*name, *count)).collect();
    ends.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    ends.into_iter().map(|(name, count)| format!("{count}× {}", name.replace('_', " "))).collect()
}

/// What the figures mean, a sentence each.
pub(super) const EXPLAINED: [&str; 6] = [
    "Figures are the median over runs, with the smallest and the largest below; time per beat is over all beats of \
     all runs, replies are all of them together.",
    "Tokens and cost are those of the whole run, the judge's and the event writer's calls included.",
    "First word: from a question to the first word of its answer, where answers came as streams. Tokens/second: what \
     actors' models put out, thoughts included, for the time that was waited.",
    "Input bill: what the input cost, of the same requests billed without a cache.",
    "Cache hits: how much of the input was read from a cache.",
    "Salvaged replies did not keep to the format and were read as well as possible; failed ones gave nothing.",
];

/// 850 as `850 ms`, 2100 as `2.1 s`.
pub(super) fn duration(ms: f64) -> String {
    const FROM_SECONDS: f64 = 999.5;
    if ms < FROM_SECONDS { format!("{ms:.0} ms") } else { format!("{:.1} s", ms / 1_000.0) }
}

pub(super) fn money(usd: f64) -> String {
    precise_dollars(NanoUsd((usd * 1e9).round() as u64))
}

/// Whole numbers as such, the median of an even number of them perhaps with a half.
pub(super) fn number(value: f64) -> String {
    const HALVES_UP_TO: f64 = 100.0;
    if value.fract() == 0.0 || value >= HALVES_UP_TO {
        grouped(value.round() as u64)
    } else {
        format!("{value:.1}")
    }
}

/// `0.8 s–9.4 s`, where there is anything between the two.
pub(super) fn range(spread: &Spread, word: fn(f64) -> String) -> Option<String> {
    let (min, max) = (word(spread.min), word(spread.max));
    (min != max).then(|| format!("{min}–{max}"))
}

fn spread(contender: &Contender, spread: Option<Spread>, word: fn(f64) -> String) -> Cell {
    let Some(spread) = spread else { return Cell { figure: NOTHING.to_owned(), beside: Vec::new() } };
    let mut beside: Vec<String> = range(&spread, word).into_iter().collect();
    if spread.of < contender.runs.len() {
        beside.push(format!("known of {}", counted(spread.of as u64, "run")));
    }
    Cell { figure: word(spread.median), beside }
}

fn replies(contender: &Contender, count: u32) -> Cell {
    let total = contender.summary.replies.total();
    let share = (total > 0).then(|| format!(" ({})", percent(f64::from(count) / f64::from(total))));
    Cell { figure: format!("{}{}", grouped(u64::from(count)), share.unwrap_or_default()), beside: Vec::new() }
}

fn goal_reached(contender: &Contender) -> Cell {
    let runs = counted(contender.runs.len() as u64, "run");
    Cell { figure: format!("{} of {runs}", contender.summary.goal_achieved), beside: Vec::new() }
}

fn goals_met(contender: &Contender) -> Cell {
    let mut cell = spread(contender, contender.summary.goals_met, number);
    if contender.summary.goals > 0 {
        cell.figure.push_str(&format!(" of {}", contender.summary.goals));
    }
    cell
}
