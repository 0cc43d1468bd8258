//! Whether a scene can be played at all, as far as its config alone can tell.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{
    DEFAULT_MAX_BEATS, DEFAULT_REPLY_TIMEOUT_MS, DEFAULT_WINDOW, DeckEvent, HumanSeconds, HumanTimeout,
    MAX_CAST, MIN_CAST, RequestedModel, SceneConfig,
};
use crate::{Name, Problem, did_you_mean, name::NotPlain};

/// A thousand beats of twelve actors are a log of some fifty thousand facts. A larger number is a typing
/// error.
pub const MOST_BEATS: i64 = 1_000;

/// An hour for one reply: a larger number was meant as milliseconds.
pub const LONGEST_REPLY_TIMEOUT_SECONDS: f64 = 3_600.0;

/// Thirty days for a person's answer: longer is `none`, or was meant as milliseconds.
pub const LONGEST_HUMAN_TIMEOUT_SECONDS: f64 = 2_592_000.0;

/// A model without a thread is shown the window at every beat, so a large one is paid for again and again.
const WIDEST_WINDOW: i64 = 1_000;

/// The prompt goes to every actor. This is some 60 000 tokens, more than many models can hold.
const LONGEST_PROMPT_BYTES: usize = 256 * 1024;

/// Settings, goals and events are a sentence or a paragraph.
const LONGEST_TEXT_BYTES: usize = 4 * 1024;

/// Goals are judged after every beat; more of them are a story, not a scene.
const MOST_GOALS: usize = 12;

/// One for every tenth beat of the longest scene, and some.
const MOST_EVENTS: usize = 1_000;

/// How much of a wrong name a message shows.
const LONGEST_SHOWN: usize = 80;

/// A config found playable, with its defaults filled in.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    pub name: Name,
    /// In cast order, each once.
    pub characters: Vec<Name>,
    pub opener: Option<Name>,
    /// Who is to be played by which model, as far as the scene says so.
    pub models: BTreeMap<Name, RequestedModel>,
    pub limits: SceneLimits,
}

/// The numbers a scene is played by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SceneLimits {
    pub max_beats: u32,
    pub reply_timeout_ms: u64,
    pub window: usize,
}

/// A complaint about the value of one key.
#[derive(Debug)]
pub(super) struct BadValue {
    pub(super) key: &'static str,
    pub(super) problem: Box<Problem>,
}

impl SceneConfig {
    /// Says what is wrong with a config, before any disk is touched.
    pub fn check(&self) -> Result<Checked, Problem> {
        self.checked().map_err(|mut problem| {
            if let Value::Object(context) = &mut *problem.context {
                context.insert("provided".to_owned(), json!(self));
            }
            problem
        })
    }

    fn checked(&self) -> Result<Checked, Problem> {
        if self.prompt.trim().is_empty() {
            return Err(Problem::config("Scene prompt is required").in_field("prompt"));
        }
        let limits = self.check_values().map_err(|bad| *bad.problem)?;
        let name = check_name(&self.name).map_err(|problem| problem.in_field("name"))?;
        let characters = check_cast(&self.characters).map_err(|problem| problem.in_field("characters"))?;
        let in_cast = |key: &str, name: &str| {
            let checked = check_member(key, name, &characters);
            checked.map_err(|problem| problem.in_field(key.trim_end_matches(':')))
        };
        let opener =
            self.initial_speaker.as_deref().map(|name| in_cast("initialSpeaker", name)).transpose()?;
        let models = self.models.iter().map(|(character, requested)| {
            let at = |problem: Problem| Problem { place: requested.place, ..problem };
            Ok((in_cast("models:", character).map_err(at)?, requested.clone()))
        });
        let models = models.collect::<Result<BTreeMap<_, _>, Problem>>()?;
        Ok(Checked { name, characters, opener, models, limits })
    }

    /// The part of the check that looks at one key at a time, and so can point at it in a file.
    pub(super) fn check_values(&self) -> Result<SceneLimits, BadValue> {
        let bad = |key| move |problem: Problem| BadValue { key, problem: Box::new(problem.in_field(key)) };
        check_size("prompt", &self.prompt, LONGEST_PROMPT_BYTES).map_err(bad("prompt"))?;
        for (key, text) in [("title", &self.title), ("setting", &self.setting), ("language", &self.language)]
        {
            if let Some(text) = text {
                check_size(key, text, LONGEST_TEXT_BYTES).map_err(bad(key))?;
            }
        }
        check_goals(&self.goals).map_err(bad("goals"))?;
        check_events(&self.events).map_err(bad("events"))?;
        check_human_timeout(self.human_timeout_seconds).map_err(bad("humanTimeoutSeconds"))?;
        let max_beats = check_range("maxBeats", self.max_beats, MOST_BEATS).map_err(bad("maxBeats"))?;
        let window = check_range("window", self.window, WIDEST_WINDOW).map_err(bad("window"))?;
        Ok(SceneLimits {
            max_beats: max_beats.unwrap_or(DEFAULT_MAX_BEATS),
            reply_timeout_ms: check_timeout(self.reply_timeout_seconds)
                .map_err(bad("replyTimeoutSeconds"))?,
            window: window.map_or(DEFAULT_WINDOW, |window| window as usize),
        })
    }
}

fn check_name(name: &str) -> Result<Name, Problem> {
    if name.is_empty() {
        return Err(Problem::config("Scene name is required").hint("for example 'the-apology'"));
    }
    plain(name).map_err(|error| Problem::config(format!("scene name {error}")))
}

fn plain(name: &str) -> Result<Name, NotPlain> {
    Name::new(name).map_err(|_| NotPlain(shown(name)))
}

/// A wrong name as a message may hold it: short, and without anything a terminal would obey.
fn shown(name: &str) -> String {
    name.escape_debug().take(LONGEST_SHOWN).collect()
}

fn check_cast(characters: &[String]) -> Result<Vec<Name>, Problem> {
    let count = characters.len();
    if !(MIN_CAST..=MAX_CAST).contains(&count) {
        let given = match count {
            0 => "none was given".to_owned(),
            1 => "1 was given".to_owned(),
            _ => format!("{count} were given"),
        };
        return Err(Problem::config(format!("A scene takes {MIN_CAST} to {MAX_CAST} characters, {given}")));
    }
    let mut cast: Vec<Name> = Vec::with_capacity(count);
    for character in characters {
        let name = plain(character).map_err(|error| Problem::config(format!("character name {error}")))?;
        // Whatever the case: on some disks `Alice.md` and `alice.md` are one file.
        if cast.iter().any(|other| other.as_str().eq_ignore_ascii_case(name.as_str())) {
            return Err(Problem::config(format!("character '{name}' is in the cast twice")));
        }
        cast.push(name);
    }
    Ok(cast)
}

fn check_member(key: &str, wanted: &str, cast: &[Name]) -> Result<Name, Problem> {
    if let Some(name) = cast.iter().find(|name| name.as_str().eq_ignore_ascii_case(wanted)) {
        return Ok(name.clone());
    }
    let names: Vec<&str> = cast.iter().map(Name::as_str).collect();
    let problem =
        Problem::config(format!("{key} '{}' is not in the cast ({})", shown(wanted), names.join(", ")));
    Err(match did_you_mean(wanted, names) {
        Some(name) => problem.hint(format!("did you mean '{name}'?")),
        None => problem,
    })
}

fn check_range(key: &str, number: Option<i64>, most: i64) -> Result<Option<u32>, Problem> {
    match number {
        None => Ok(None),
        Some(number) if number < 1 => {
            Err(Problem::config(format!("{key} must be at least 1, found {number}")))
        }
        Some(number) => match u32::try_from(number) {
            Ok(small) if number <= most => Ok(Some(small)),
            _ => Err(Problem::config(format!("{key} must be at most {most}, found {number}"))),
        },
    }
}

fn check_timeout(seconds: Option<f64>) -> Result<u64, Problem> {
    match seconds {
        None => Ok(DEFAULT_REPLY_TIMEOUT_MS),
        // Written so that not-a-number is refused as well. A millisecond is the least there is.
        Some(seconds) if seconds > 0.0 && seconds <= LONGEST_REPLY_TIMEOUT_SECONDS => {
            Ok((seconds * 1000.0).ceil() as u64)
        }
        Some(seconds) => Err(Problem::config(format!(
            "replyTimeoutSeconds must be more than 0 and at most {LONGEST_REPLY_TIMEOUT_SECONDS}, found {seconds}"
        ))),
    }
}

fn check_human_timeout(timeout: Option<HumanTimeout>) -> Result<(), Problem> {
    match timeout {
        Some(HumanTimeout::Seconds(HumanSeconds(seconds)))
            if !(seconds > 0.0 && seconds <= LONGEST_HUMAN_TIMEOUT_SECONDS) =>
        {
            Err(Problem::config(format!(
                "humanTimeoutSeconds must be more than 0 and at most {LONGEST_HUMAN_TIMEOUT_SECONDS}, found {seconds}"
            ))
            .hint("'none' waits for as long as it takes"))
        }
        _ => Ok(()),
    }
}

fn check_goals(goals: &[String]) -> Result<(), Problem> {
    if goals.len() > MOST_GOALS {
        return Err(Problem::config(format!("at most {MOST_GOALS} goals, found {}", goals.len())));
    }
    goals.iter().enumerate().try_for_each(|(index, goal)| check_text(&format!("goals[{index}]"), goal))
}

fn check_events(events: &[DeckEvent]) -> Result<(), Problem> {
    if events.len() > MOST_EVENTS {
        return Err(Problem::config(format!("at most {MOST_EVENTS} events, found {}", events.len())));
    }
    events.iter().enumerate().try_for_each(|(index, event)| match event {
        DeckEvent::WhenNeeded(text) => check_text(&format!("events[{index}]"), text),
        DeckEvent::AtBeat { text, .. } => check_text(&format!("events[{index}].text"), text),
    })
}

fn check_text(what: &str, text: &str) -> Result<(), Problem> {
    if text.trim().is_empty() {
        return Err(Problem::config(format!("{what} is empty")));
    }
    check_size(what, text, LONGEST_TEXT_BYTES)
}

fn check_size(what: &str, text: &str, most: usize) -> Result<(), Problem> {
    if text.len() > most {
        return Err(Problem::config(format!("{what} must be at most {most} bytes, found {}", text.len())));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
