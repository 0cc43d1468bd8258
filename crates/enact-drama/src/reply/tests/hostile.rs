//! A megabyte of anything is read in linear time.

use std::time::{Duration, Instant};

use crate::{reply::parse, test_counter};

const MEGABYTE: usize = 1 << 20;

/// Enough to tell linear from anything else: read quadratically, this would be thousands of looks a byte.
const COUNTED: usize = 1 << 15;

/// How often a byte may be looked at, all scans together.
const LOOKS_PER_BYTE: usize = 16;

/// Pieces that, repeated, make a scan start again and again if it could.
#[rustfmt::skip]
const PIECES: [&str; 66] = [
    "[", "]", "\"", "'", "*", "`", "(", "{", "\\", "\n", "\0", "\u{1b}", "\u{1b}]", "\u{1b}[", "“", "”",
    "「", "【", "«", "[]", "\"[", "[\"", "*[", "[*", "[* ", "* ", "\n*", "\n[", "\n\"", "[TONE:", "[TONE: x]",
    "[TONE: x] \"y", "[TO: ", "[AFTER \"", "AFTER “", "[INTERRUPT after '", "(TONE: ", "[EVENT: ",
    "[EVENT[", "```", "\n```a", "</think>", "Bob: \"", "\nBob: \"", "\nBob [", "\nBob [TONE: ", "TONE: ",
    "'a ", "<", "</", "<|a|>", "</s>", "\\\"", "\n---", "OR\n", "\"\n(Note: ", "A:\n", "\nA (", "A: b\nA: ", "ALICE\n(a)\n",
    ", then \"", ", \"a\"", ", (", "(a)", "TO: “a “b ", "TO: a\n",
];

#[test]
fn every_byte_is_looked_at_a_fixed_number_of_times() {
    for prefix in ["", "[TONE: sad] ", "[TONE: sad] \"", "[INTERRUPT after \"", "[TONE: x, "] {
        for piece in PIECES {
            let raw = format!("{prefix}{}", piece.repeat(COUNTED / piece.len()));
            let looks = test_counter::count(|| {
                parse(&raw);
            });
            assert!(
                looks <= LOOKS_PER_BYTE * raw.len(),
                "{prefix}{piece}…: {} looks a byte",
                looks / raw.len()
            );
            let closed = format!("{raw}]");
            let looks = test_counter::count(|| {
                parse(&closed);
            });
            assert!(
                looks <= LOOKS_PER_BYTE * closed.len(),
                "{prefix}{piece}…]: {} looks a byte",
                looks / raw.len()
            );
        }
    }
}

/// Catches what the counts do not see. Debug builds are slow and machines busy, hence the generous limit; anything
/// quadratic would take minutes.
#[test]
fn hostile_megabytes_end_soon() {
    // Few enough for a debug build; the benchmark has more of them.
    for piece in ["[", "]", "\"[", "*", "\n*", "\n[", "[TONE:", "[AFTER “", "\nBob: \"", "'a "] {
        let raw = piece.repeat(MEGABYTE / piece.len());
        let begun = Instant::now();
        let reading = parse(&raw);
        assert!(begun.elapsed() < Duration::from_secs(5), "{piece:?}: {:?}", begun.elapsed());
        assert!(reading.reply.content.len() < MEGABYTE / 10);
        assert!(!reading.warnings.is_empty());
    }
}
