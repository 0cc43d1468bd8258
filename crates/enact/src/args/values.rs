//! Numbers and words after flags, each with its bounds.

use std::{convert::Infallible, str::FromStr};

use enact_drama::{production::ForkPoint, usage::NanoUsd};

use crate::config::{NONE, RUNS_AT_ONCE};

/// The voices that `--voice` names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum VoiceFlag {
    /// The flag stands alone: the configured voices, or the embedded one.
    Default,
    None,
    /// The first of these who can.
    Names(Vec<String>),
}

impl FromStr for VoiceFlag {
    type Err = String;

    fn from_str(text: &str) -> Result<VoiceFlag, String> {
        let names: Vec<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
        match names.as_slice() {
            [only] if only.is_empty() => Ok(VoiceFlag::Default),
            [only] if only == NONE => Ok(VoiceFlag::None),
            several if several.iter().any(|name| name.is_empty() || name == NONE) => {
                Err("expected the names of voices, such as elevenlabs,embedded, or 'none' alone".to_owned())
            }
            _ => Ok(VoiceFlag::Names(names)),
        }
    }
}

/// One of several names: people put a blank after a comma.
pub(crate) fn trimmed(name: &str) -> Result<String, Infallible> {
    Ok(name.trim().to_owned())
}

/// Beyond a thousand runs a median no longer moves, and a typing error would be dear.
const MOST_RUNS: usize = 1_000;

pub(crate) fn runs(text: &str) -> Result<usize, String> {
    within(text, MOST_RUNS)
}

/// Providers allow fewer calls at once than so many scenes make.
const MOST_JOBS: usize = 64;

pub(crate) fn jobs(text: &str) -> Result<usize, String> {
    within(text, MOST_JOBS)
}

pub(crate) fn fork_point(text: &str) -> Result<ForkPoint, String> {
    let expected = "expected the number of a beat, such as 6, or of a line in it, such as 6.2";
    text.parse().map_err(|_| expected.to_owned())
}

pub(crate) fn runs_at_once(text: &str) -> Result<usize, String> {
    within(text, *RUNS_AT_ONCE.end() as usize)
}

pub(crate) fn within(text: &str, most: usize) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=most).contains(number));
    number.ok_or_else(|| format!("expected a whole number from 1 to {most}"))
}

/// A pause longer than an hour is a typing error.
const LONGEST_PACE_SECONDS: f64 = 3600.0;

pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    let pace = text.parse::<f64>().map_err(|_| "expected a number of seconds, such as 0.5".to_owned())?;
    if (0.0..=LONGEST_PACE_SECONDS).contains(&pace) {
        Ok(pace)
    } else {
        Err(format!("expected 0 to {LONGEST_PACE_SECONDS} seconds"))
    }
}

/// Slower than a thousandth is never over, and faster than a million times is at once.
const SPEEDS: std::ops::RangeInclusive<f64> = 0.001..=1_000_000.0;

pub(crate) fn speed(text: &str) -> Result<f64, String> {
    let speed = text.parse::<f64>().map_err(|_| "expected a number, such as 2".to_owned())?;
    if SPEEDS.contains(&speed) {
        Ok(speed)
    } else {
        Err(format!("expected {} to {} times as fast", SPEEDS.start(), SPEEDS.end()))
    }
}

/// A run that may cost a million dollars has no budget.
const LARGEST_BUDGET_USD: f64 = 1_000_000.0;

pub(crate) fn usd(text: &str) -> Result<NanoUsd, String> {
    let usd = text.parse::<f64>().map_err(|_| "expected a number of US dollars, such as 0.50".to_owned())?;
    // Written so that not-a-number is refused as well.
    if usd > 0.0 && usd <= LARGEST_BUDGET_USD {
        Ok(NanoUsd((usd * 1e9).round().max(1.0) as u64))
    } else {
        Err(format!("expected more than 0 and at most {LARGEST_BUDGET_USD} US dollars"))
    }
}

pub(crate) fn tokens(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(0) | Err(_) => Err("expected a whole number of at least 1".to_owned()),
        Ok(tokens) => Ok(tokens),
    }
}
