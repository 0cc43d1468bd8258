//! Captions follow each other at the pace of speech.

use proptest::prelude::*;

use super::facts::{Facts, speak};
use crate::{production::Report, report::Format, scene::report::SceneReport};

fn webvtt(story: &SceneReport) -> String {
    Format::Vtt.render(&story.document())
}

/// The start and end of each caption in milliseconds.
fn times(vtt: &str) -> Vec<(u64, u64)> {
    let ms = |stamp: &str| -> u64 {
        let numbers: Vec<u64> = stamp.split([':', '.']).map(|n| n.parse().expect("a number")).collect();
        ((numbers[0] * 60 + numbers[1]) * 60 + numbers[2]) * 1_000 + numbers[3]
    };
    let timings = vtt.lines().filter_map(|line| line.split_once(" --> "));
    timings.map(|(start, end)| (ms(start), ms(end))).collect()
}

proptest! {
    #[test]
    fn captions_follow_each_other(texts in prop::collection::vec("\\PC{0,80}", 1..20)) {
        let facts = texts.iter().fold(Facts::of("quick").beat(), |facts, text| {
            facts.reply("alice", speak("calm", text)).event(text)
        });
        let times = times(&webvtt(&facts.story()));
        prop_assert!(times.len() >= texts.len());
        prop_assert!(times.iter().all(|(start, end)| start < end));
        prop_assert!(times.windows(2).all(|pair| pair[0].1 <= pair[1].0));
    }

    #[test]
    fn longer_texts_take_longer(words in 1_usize..200) {
        let length = |words: usize| {
            let story = Facts::of("quick").beat().reply("bob", speak("calm", &"word ".repeat(words))).story();
            times(&webvtt(&story))[0].1
        };
        prop_assert!(length(words + 3) > length(words));
    }
}

#[test]
fn people_speak_about_160_words_a_minute_in_any_script() {
    let length = |text: &str| {
        times(&webvtt(&Facts::of("quick").beat().reply("bob", speak("calm", text)).story()))[0].1
    };
    assert_eq!(length(&"word ".repeat(160)) / 1_000, 59);
    assert_eq!(length(&"话".repeat(320)) / 1_000, 59);
}
