//! What is asked and told is taken up: with a word of the message, or with something that the character knows.

use super::{super::sentences::words, PlayedEpisode, shipped};
use crate::content::content;

#[derive(serde::Deserialize)]
struct Replies {
    reply: Vec<ReplyCase>,
}

/// Messages to the characters of shipped episodes.
#[derive(serde::Deserialize)]
struct ReplyCase {
    /// Episodes, none for all.
    #[serde(default)]
    episodes: Vec<String>,
    says: Vec<String>,
    /// The answer has one of these words, which may be the beginning of one.
    takes_up: Vec<String>,
    /// And none of these phrases.
    #[serde(default)]
    never: Vec<String>,
}

const SEEDS: u64 = 6;
/// A message is said first, or after so many others, so that directed moments are met as well.
const BEFORE: usize = 3;

#[test]
fn a_message_is_taken_up() {
    let replies: Replies = content!("replies.toml");
    let mut failed = Vec::new();
    for (episode, sheet) in shipped::shipped() {
        for case in &replies.reply {
            if !case.episodes.is_empty() && !case.episodes.contains(&episode.slug) {
                continue;
            }
            for (message, seed) in case.says.iter().flat_map(|says| (0..SEEDS).map(move |seed| (says, seed)))
            {
                let display = shipped::display(&sheet);
                let mut played = PlayedEpisode::begin(episode.clone(), &sheet, &display, seed);
                for _ in 0..seed as usize % BEFORE {
                    played.exchange(Some("I came in out of the rain."), None);
                }
                played.exchange(Some(message), None);
                let (answer, _) = played.answers().last().expect("there is an answer");
                let line = words(&answer.dialogue).join(" ");
                let taken_up = line
                    .split(' ')
                    .any(|word| case.takes_up.iter().any(|wanted| word.starts_with(wanted.as_str())));
                let wrong = case.never.iter().any(|phrase| line.contains(phrase.as_str()));
                if !taken_up || wrong {
                    failed.push(format!("{}, seed {seed}: {message}\n   {}", episode.slug, answer.dialogue));
                }
            }
        }
    }
    assert!(failed.is_empty(), "{} of them:\n{}", failed.len(), failed.join("\n"));
}
