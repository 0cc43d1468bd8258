//! How often a chorus says the same in other words.

use std::collections::HashSet;

use super::{super::pick_line::own_words, play};
use crate::improviser::chorus::lines::tests::all_lines;

/// As many as a long evening has: things that are told, and questions.
const TOLD: [&str; 14] = [
    "We moved the piano into the kitchen.",
    "My neighbour paints every door on the street.",
    "I walked to the harbour and back.",
    "The library has a new roof.",
    "My brother collects old maps.",
    "There was fog over the fields this morning.",
    "I repaired the radio with a spoon.",
    "The bakery on the corner sells out by nine.",
    "We planted beans along the fence.",
    "My cousin works on a ferry.",
    "I found a letter behind the mirror.",
    "The orchestra is looking for a flute.",
    "Our street has been renamed.",
    "I learned three words of Welsh.",
];

const ASKED: [&str; 14] = [
    "What does rain sound like?",
    "Why is the sky blue?",
    "How do bees find their way home?",
    "What do rivers remember?",
    "Is time travel possible?",
    "What is the meaning of life?",
    "How do magnets work?",
    "Do fish get thirsty?",
    "What makes a good soup?",
    "Why do cats purr?",
    "How many strings does a harp have?",
    "What is music for?",
    "Where do odd socks go?",
    "Is a hot dog a sandwich?",
];

/// The lines that were said more than once in a conversation, with the message at which they were.
fn repeated<'a>(messages: impl Iterator<Item = &'a str>, seed: u64) -> Vec<String> {
    let (mut threads, mut said, mut repeated) = (Vec::new(), HashSet::new(), Vec::new());
    for (seed, message) in (seed..).zip(messages) {
        let played = play(message, 6, threads, seed);
        for text in played.said().map(|said| said.text) {
            let lines = all_lines().filter(|line| text.contains(own_words(line)));
            repeated
                .extend(lines.filter(|line| !said.insert(*line)).map(|line| format!("{message}: {line}")));
        }
        threads = played.chorus.threads();
    }
    repeated
}

#[test]
fn no_line_is_said_twice_in_a_conversation_of_fourteen_messages() {
    let mixed = || TOLD.into_iter().zip(ASKED).flat_map(|(told, asked)| [told, asked]).take(14);
    for seed in [1, 100, 200] {
        assert_eq!(repeated(mixed(), seed), Vec::<String>::new(), "seed {seed}");
        assert_eq!(repeated(TOLD.into_iter(), seed), Vec::<String>::new(), "seed {seed}, told");
        assert_eq!(repeated(ASKED.into_iter(), seed), Vec::<String>::new(), "seed {seed}, asked");
    }
}
