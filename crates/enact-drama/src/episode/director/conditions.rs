//! Whether what an author waits for is so.

use super::{
    EpisodeExchange, Finding,
    acts::{self, SaidTo},
    sentences::{sentences, words},
};
use crate::{
    episode::{Episode, EpisodeCondition},
    judge::{Acts, Goal, Heard, judge},
    reply::Action,
};

/// What the user is called where the judge reads an exchange.
const USER: &str = "User";
/// How authors call the user in a condition.
const CALLED: [&str; 4] = ["the user", "the player", "the visitor", "you"];

/// Whether a condition holds after an exchange, and what shows it.
pub(in crate::episode) fn holds(
    condition: &EpisodeCondition,
    episode: &Episode,
    exchange: &EpisodeExchange<'_>,
) -> Option<Finding> {
    match condition {
        EpisodeCondition::Automatic => Some(Finding::by("automatic")),
        EpisodeCondition::Keyword(phrases) => {
            said_one(phrases, exchange.user).map(|quote| Finding::quoting("keyword", &quote))
        }
        EpisodeCondition::Said(phrases) => {
            said_one(phrases, exchange.said).map(|quote| Finding::quoting("said", &quote))
        }
        EpisodeCondition::Turn(turn) => (exchange.turn >= *turn).then(|| Finding::by("turn count")),
        EpisodeCondition::Flag(flag) => {
            // The words that set the one also show the other.
            let set = episode.flags().get(flag.as_str())?;
            Some(Finding { rule: "flag".to_owned(), quote: set.quote.clone() })
        }
        EpisodeCondition::Semantic(sentence) => has_become_true(sentence, episode, exchange),
    }
}

/// The sentence of a text that holds one of these phrases, as whole words, and does not deny it.
pub(super) fn said_one(phrases: &[impl AsRef<str>], text: &str) -> Option<String> {
    let phrases: Vec<Vec<String>> = phrases.iter().map(|phrase| words(phrase.as_ref())).collect();
    let sentences = sentences(text);
    let holding = sentences.iter().find(|one| phrases.iter().any(|phrase| one.position(phrase).is_some()))?;
    Some(holding.text.to_owned())
}

/// Whether a sentence about the two has become true in this exchange: as the judge of scenes reads it, or as
/// one of the director's own acts.
fn has_become_true(sentence: &str, episode: &Episode, exchange: &EpisodeExchange<'_>) -> Option<Finding> {
    let spoken = EpisodeExchange { user: &to_the_character(exchange.user), ..*exchange };
    let by_judge = || judged(sentence, episode, &spoken);
    let other = |doer| match doer {
        Doer::User => episode.setup().character.display.as_str(),
        Doer::Character => USER,
    };
    let quote = match deed_of(sentence, &episode.setup().character.display)
        .is_some_and(|(deed, doer)| acts::is_own(deed, other(doer)))
    {
        true => acted(sentence, episode, &spoken),
        false => by_judge().or_else(|| acted(sentence, episode, &spoken)),
    }?;
    Some(Finding::quoting("semantic", &quote))
}

/// Whether rules can find that a sentence about the user and this character has become true: they know who and
/// what.
pub(in crate::episode) fn can_be_read(sentence: &str, display: &str) -> bool {
    let is_act = deed_of(sentence, display).is_some_and(|(deed, doer)| match doer {
        Doer::User => acts::is_known(deed, display),
        Doer::Character => acts::is_known(deed, USER),
    });
    is_act || Goal::read(&with_names(sentence), &[USER, display]).is_readable()
}

/// What of a message is said to the character: whoever writes `accused = true` speaks to the machine.
fn to_the_character(message: &str) -> String {
    let sentences = sentences(message);
    let said = sentences.iter().filter(|one| !one.is_for_machine()).map(|one| one.text);
    said.collect::<Vec<_>>().join(" ")
}

fn judged(sentence: &str, episode: &Episode, exchange: &EpisodeExchange<'_>) -> Option<String> {
    let display = episode.setup().character.display.as_str();
    let cast = [USER, display];
    let goal = Goal::read(&with_names(sentence), &cast);
    let heard = |speaker, content, acts| Heard {
        speaker,
        content,
        tone: None,
        action: Action::Speak,
        target: None,
        cuts: None,
        acts,
    };
    let (of_user, of_character) = (Acts::of(exchange.user), Acts::of(exchange.said));
    let lines = [heard(USER, exchange.user, &of_user), heard(display, exchange.said, &of_character)];
    let status = judge(&[goal], &cast, &lines).goals.into_iter().next()?;
    status.evidence.filter(|_| status.met == Some(true))
}

fn acted(sentence: &str, episode: &Episode, exchange: &EpisodeExchange<'_>) -> Option<String> {
    let (user, said) = (exchange.user, exchange.said);
    match deed_of(sentence, &episode.setup().character.display)? {
        (deed, Doer::User) => {
            let before = episode.turns.last().map_or("", |turn| turn.answer.dialogue.as_str());
            let other = episode.setup().character.display.as_str();
            acts::done(deed, SaidTo { said: user, before, other })
        }
        (deed, Doer::Character) => acts::done(deed, SaidTo { said, before: user, other: USER }),
    }
}

/// Who does what a condition says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Doer {
    User,
    Character,
}

/// What a condition says that one of the two does.
fn deed_of<'a>(sentence: &'a str, display: &str) -> Option<(&'a str, Doer)> {
    let first = display.split(' ').next().unwrap_or(display);
    let of_character = || [display, first].into_iter().find_map(|name| sentence.strip_prefix(name));
    let of_user = deed_of_user(sentence).map(|deed| (deed, Doer::User));
    of_user.or_else(|| of_character().map(|deed| (deed, Doer::Character)))
}

/// What a condition says that the user does.
fn deed_of_user(sentence: &str) -> Option<&str> {
    let lower = sentence.to_lowercase();
    let called = CALLED.iter().find(|called| lower.starts_with(&format!("{called} ")))?;
    sentence.get(called.len()..)
}

/// The sentence with the name that the user has before the judge.
fn with_names(sentence: &str) -> String {
    deed_of_user(sentence).map_or_else(|| sentence.to_owned(), |deed| format!("{USER}{deed}"))
}
