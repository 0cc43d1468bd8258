//! The loop breaker: is the same exchange going round?

use std::sync::Arc;

use super::Line;

/// The longest exchange, in lines, whose repetition counts as going round.
const LONGEST_ROUND: usize = 6;
/// How often an exchange must be heard in a row: once more may be emphasis, twice more is a loop.
const TIMES: usize = 3;
/// How alike two lines must be, as the share of words they have in common.
const ALIKE: f64 = 0.8;

/// Whether the last lines are the same exchange over and over.
pub(super) fn is_looping(lines: &[Arc<Line>]) -> bool {
    let recent: Vec<&Line> = lines
        .iter()
        .rev()
        .filter(|line| line.actor().is_some())
        .take(LONGEST_ROUND * TIMES)
        .map(Arc::as_ref)
        .collect();
    (1..=LONGEST_ROUND).any(|round| {
        let window = &recent[..recent.len().min(round * TIMES)];
        window.len() == round * TIMES && window.iter().zip(&window[round..]).all(|(a, b)| alike(a, b))
    })
}

fn alike(a: &Line, b: &Line) -> bool {
    let (Some((who_a, reply_a)), Some((who_b, reply_b))) = (a.actor(), b.actor()) else { return false };
    if who_a != who_b || reply_a.action != reply_b.action {
        return false;
    }
    let (a, b) = (words(a), words(b));
    let common = a.iter().filter(|word| b.binary_search(word).is_ok()).count();
    let all = a.len() + b.len() - common;
    all == 0 || common as f64 / all as f64 >= ALIKE
}

/// The words of a line or, where nothing was said, of its gesture.
fn words(line: &Line) -> Vec<String> {
    let gesture = line.actor().and_then(|(_, reply)| reply.nonverbal.as_deref()).unwrap_or_default();
    let text = line.spoken().unwrap_or(gesture);
    let mut words: Vec<String> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).map(str::to_lowercase).collect();
    words.sort_unstable();
    words.dedup();
    words
}
