//! Numbers as people read them: the same in transcripts and comparisons.

use super::Cost;
use crate::usage::NanoUsd;

/// Token counts of a thousand and more are rounded: the digits below say nothing to people, and the metadata
/// has them.
pub fn about(count: u64) -> String {
    const ROUNDED_FROM: u64 = 1_000;
    const STEP: u64 = 100;
    if count < ROUNDED_FROM {
        count.to_string()
    } else {
        format!("~{}", grouped((count + STEP / 2) / STEP * STEP))
    }
}

pub fn cost(cost: Cost) -> String {
    match cost {
        Cost::Known(cost) => usd(cost),
        Cost::AtLeast(cost) => format!("at least {}", usd(cost)),
        Cost::Unknown => "unknown".to_owned(),
    }
}

/// `$0.08 USD`
fn usd(cost: NanoUsd) -> String {
    format!("{} USD", dollars(cost))
}

/// Money with cents; below one cent with two digits that say something, so that it does not read like
/// nothing.
pub fn dollars(cost: NanoUsd) -> String {
    const CENT: u64 = 10_000_000;
    let nano = if cost.0 < CENT { leading(cost.0, 2) } else { cost.0 };
    if nano == 0 || nano >= CENT {
        let cents = nano.saturating_add(CENT / 2) / CENT;
        return format!("${}.{:02}", grouped(cents / 100), cents % 100);
    }
    let digits = format!("{nano:09}");
    format!("$0.{}", digits.trim_end_matches('0'))
}

/// Money to be compared: below a dollar with three digits that say something, because cents would make
/// different costs look the same.
pub(crate) fn precise_dollars(cost: NanoUsd) -> String {
    const DOLLAR: u64 = 1_000_000_000;
    const DIGITS: u32 = 3;
    const CENTS: usize = 2;
    let nano = leading(cost.0, DIGITS);
    if nano >= DOLLAR {
        return dollars(cost);
    }
    let digits = format!("{nano:09}");
    let told = digits.trim_end_matches('0').len().max(CENTS);
    format!("$0.{}", &digits[..told])
}

/// 0.874 as `87%`. What is not quite all does not read like all, and what is not quite nothing not like
/// nothing.
pub fn percent(share: f64) -> String {
    let rounded = (share * 100.0).round();
    if rounded >= 100.0 && share < 1.0 {
        ">99%".to_owned()
    } else if rounded <= 0.0 && share > 0.0 {
        "<1%".to_owned()
    } else {
        format!("{rounded:.0}%")
    }
}

/// 47300 as `47.3s`.
pub fn seconds(ms: u64) -> String {
    let tenths = ms.saturating_add(50) / 100;
    format!("{}.{}s", tenths / 10, tenths % 10)
}

/// `1 beat`, `12 beats`
pub fn counted(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{} {noun}s", grouped(count)) }
}

/// 15200 as `15,200`.
pub fn grouped(number: u64) -> String {
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

/// Rounded so that only the first few digits are left.
fn leading(number: u64, digits: u32) -> u64 {
    let step = 10_u64.pow((number.checked_ilog10().unwrap_or(0) + 1).saturating_sub(digits));
    number.saturating_add(step / 2) / step * step
}

#[cfg(test)]
mod tests;
