//! The loop breaker: is the same exchange going round?

use super::{Line, Lines};

/// The longest exchange, in lines, whose repetition counts as going round.
const LONGEST_ROUND: usize = 6;
/// How often an exchange must be heard in a row: once more may be emphasis, twice more is a loop.
const TIMES: usize = 3;
/// How alike two lines must be, as the share of words they have in common.
const ALIKE: f64 = 0.8;

/// The beat since which the same exchange has been going round, if it is.
pub(super) fn looping_since(lines: &Lines) -> Option<u32> {
    let newest_first = || lines.iter().rev().filter(|line| line.actor().is_some());
    (1..=LONGEST_ROUND).find_map(|round| {
        let pairs = newest_first().zip(newest_first().skip(round));
        let repeated: Vec<u32> =
            pairs.take_while(|(new, old)| alike(new, old)).map(|(_, old)| old.beat).collect();
        (repeated.len() >= round * (TIMES - 1)).then(|| repeated.last().copied()).flatten()
    })
}

fn alike(a: &Line, b: &Line) -> bool {
    let (Some((who_a, reply_a)), Some((who_b, reply_b))) = (a.actor(), b.actor()) else { return false };
    if who_a != who_b || reply_a.action != reply_b.action {
        return false;
    }
    let (text_a, text_b) = (text(a).to_lowercase(), text(b).to_lowercase());
    let (words_a, words_b) = (words(&text_a), words(&text_b));
    let common = words_a.iter().filter(|word| words_b.binary_search(word).is_ok()).count();
    let all = words_a.len() + words_b.len() - common;
    if all == 0 {
        // Only signs, such as emoji.
        return reply_a == reply_b;
    }
    // Rising bids and a count-down say the same words and yet move on.
    common as f64 / all as f64 >= ALIKE && numbers(&words_a).eq(numbers(&words_b))
}

fn numbers<'a>(words: &[&'a str]) -> impl Iterator<Item = &'a str> {
    words.iter().copied().filter(|word| word.chars().all(char::is_numeric))
}

/// What is said in a line or, where nothing was said, its gesture.
fn text(line: &Line) -> &str {
    let gesture = line.actor().and_then(|(_, reply)| reply.nonverbal.as_deref()).unwrap_or_default();
    line.spoken().unwrap_or(gesture)
}

/// Each word once, in the order of the alphabet.
fn words(text: &str) -> Vec<&str> {
    let mut words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
    words.sort_unstable();
    words.dedup();
    words
}
