//! Scene files: markdown with front matter, or the JSON `SceneConfig`.

use std::collections::BTreeMap;

use super::{
    DeckEvent, HumanSeconds, HumanTimeout, NoJudge, NoTimeout, OnMalformed, RequestedModel, SceneConfig,
};
use crate::{
    Place, Problem, front_matter,
    located::{Located, LocatedKey, LocatedMap, Value, read_json},
};

/// How a scene is written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SceneFormat<'a> {
    /// Front matter with the keys of [`SceneConfig`]; the body is the prompt. A file that does not name its
    /// scene takes the name of where it lies, which only the caller knows.
    Markdown { default_name: &'a str },
    /// The keys of [`SceneConfig`] in one object.
    Json,
}

const KEYS: [&str; 19] = [
    "name",
    "title",
    "prompt",
    "characters",
    "initialSpeaker",
    "maxBeats",
    "setting",
    "goals",
    "events",
    "replyTimeoutSeconds",
    "humanTimeoutSeconds",
    "window",
    "seed",
    "language",
    "stageDirections",
    "onMalformed",
    "remember",
    "models",
    "judge",
];

/// Words people try that are no misspelling of the key they mean.
const SYNONYMS: [(&str, &str); 8] = [
    ("actors", "characters"),
    ("beats", "maxBeats"),
    ("cast", "characters"),
    ("first", "initialSpeaker"),
    ("model", "models"),
    ("opener", "initialSpeaker"),
    ("scene", "prompt"),
    ("timeout", "replyTimeoutSeconds"),
];

const EVENT_KEYS: [&str; 2] = ["beat", "text"];

/// Reads a scene file. What it says may still not make a scene: that is for [`SceneConfig::check`], after
/// the caller has added what it knows better.
pub fn read_scene(text: &str, format: SceneFormat<'_>) -> Result<SceneConfig, Problem> {
    match format {
        SceneFormat::Markdown { default_name } => read_markdown(text, default_name),
        SceneFormat::Json => {
            let root = read_json(text.strip_prefix('\u{feff}').unwrap_or(text))?;
            match root.value {
                Value::Group(group) => Ok(read_keys(group)?.config),
                _ => Err(root.wrong("a scene", "an object with keys")),
            }
        }
    }
}

/// Where the value of a key stands in a scene file, if it is there.
pub fn place_of_key(text: &str, format: SceneFormat<'_>, key: &str) -> Option<Place> {
    let keys = match format {
        SceneFormat::Markdown { .. } => front_matter::read(text).ok()?.matter,
        SceneFormat::Json => match read_json(text.strip_prefix('\u{feff}').unwrap_or(text)).ok()?.value {
            Value::Group(group) => group,
            _ => return None,
        },
    };
    keys.0.iter().find(|(known, _)| known.text == key).map(|(_, value)| value.place)
}

fn read_markdown(text: &str, default_name: &str) -> Result<SceneConfig, Problem> {
    let document = front_matter::read(text)?;
    let Read { mut config, prompt_at } = read_keys(document.matter)?;
    let body = document.body.trim();
    if !body.is_empty() {
        if let Some(place) = prompt_at {
            return Err(Problem::config("the prompt is given twice, here and below the front matter")
                .at(place.line, place.column)
                .hint("remove one of them"));
        }
        // Models and transcripts see the prompt; carriage returns belong to the file only.
        config.prompt = body.replace("\r\n", "\n");
    }
    if config.name.is_empty() {
        default_name.clone_into(&mut config.name);
    }
    Ok(config)
}

struct Read {
    config: SceneConfig,
    /// Where a prompt is given as a key.
    prompt_at: Option<Place>,
}

fn read_keys(group: LocatedMap) -> Result<Read, Problem> {
    let mut config = SceneConfig::default();
    let mut places = Vec::with_capacity(group.0.len());
    for (key, value) in group.0 {
        places.push((key.text.clone(), value.place));
        let name = key.text.clone();
        read_key(&mut config, &key, value).map_err(|problem| problem.in_field(&name))?;
    }
    let place_of = |key: &str| places.iter().find(|(text, _)| text == key).map(|(_, place)| *place);
    config.check_values().map_err(|bad| match place_of(bad.key) {
        Some(place) => bad.problem.at(place.line, place.column),
        None => *bad.problem,
    })?;
    let prompt_at = place_of("prompt").filter(|_| !config.prompt.trim().is_empty());
    Ok(Read { config, prompt_at })
}

fn read_key(config: &mut SceneConfig, key: &LocatedKey, value: Located) -> Result<(), Problem> {
    match key.text.as_str() {
        "name" => config.name = value.text("name")?.unwrap_or_default(),
        "title" => config.title = value.text("title")?,
        "prompt" => config.prompt = value.text("prompt")?.unwrap_or_default(),
        "characters" => config.characters = value.texts("characters", "names")?,
        "initialSpeaker" => config.initial_speaker = value.text("initialSpeaker")?,
        "maxBeats" => config.max_beats = value.whole("maxBeats")?,
        "setting" => config.setting = value.text("setting")?,
        "goals" => config.goals = value.texts("goals", "sentences")?,
        "events" => config.events = read_events(value)?,
        "replyTimeoutSeconds" => config.reply_timeout_seconds = value.number("replyTimeoutSeconds")?,
        "humanTimeoutSeconds" => config.human_timeout_seconds = read_human_timeout(value)?,
        "window" => config.window = value.whole("window")?,
        "seed" => config.seed = value.unsigned("seed")?,
        "language" => config.language = value.text("language")?,
        "stageDirections" => {
            config.stage_directions = value.truth("stageDirections")?.unwrap_or_default();
        }
        "onMalformed" => config.on_malformed = read_on_malformed(value)?,
        "remember" => config.remember = value.truth("remember")?.unwrap_or_default(),
        "models" => config.models = read_models(value)?,
        "judge" => config.judge = read_judge(value)?,
        _ => return Err(key.unknown(&KEYS, &SYNONYMS)),
    }
    Ok(())
}

fn read_events(events: Located) -> Result<Vec<DeckEvent>, Problem> {
    let items = events.list("events", "texts, each alone or with the beat it follows")?;
    items.into_iter().enumerate().map(|(index, item)| read_event(item, &format!("events[{index}]"))).collect()
}

fn read_event(item: Located, what: &str) -> Result<DeckEvent, Problem> {
    let place = item.place;
    let group = match item.value {
        Value::Text(text) => return Ok(DeckEvent::WhenNeeded(text)),
        Value::Group(group) => group,
        _ => return Err(item.wrong(what, "a text, or a beat and a text")),
    };
    let (mut beat, mut text) = (None, None);
    for (key, value) in group.0 {
        match key.text.as_str() {
            "beat" => beat = Some(read_beat(value, &format!("{what}.beat"))?),
            "text" => text = value.text(&format!("{what}.text"))?,
            _ => return Err(key.unknown(&EVENT_KEYS, &[])),
        }
    }
    let missing = |key| Problem::config(format!("{what} has no '{key}'")).at(place.line, place.column);
    let text = text.ok_or_else(|| missing("text"))?;
    let beat = beat.ok_or_else(|| {
        missing("beat").hint("an event for whenever it is needed is its text alone, without keys")
    })?;
    Ok(DeckEvent::AtBeat { beat, text })
}

fn read_beat(value: Located, what: &str) -> Result<u32, Problem> {
    let wrong = value.wrong(what, "a whole number of at least 0");
    value.whole(what).ok().flatten().and_then(|beat| u32::try_from(beat).ok()).ok_or(wrong)
}

fn read_human_timeout(value: Located) -> Result<Option<HumanTimeout>, Problem> {
    const KEY: &str = "humanTimeoutSeconds";
    match &value.value {
        Value::Text(word) if word == "none" => Ok(Some(HumanTimeout::None(NoTimeout::None))),
        Value::Text(_) => Err(value.wrong(KEY, "a number of seconds, or none")),
        _ => Ok(value.number(KEY)?.map(|seconds| HumanTimeout::Seconds(HumanSeconds(seconds)))),
    }
}

/// Only that there is none: which model judges is up to those who pay for it.
fn read_judge(value: Located) -> Result<Option<NoJudge>, Problem> {
    let read = value.one_of("judge", &[("none", NoJudge::None)]);
    read.map_err(|problem| problem.hint("a judge is named on the command line (--judge) or in enact.toml"))
}

fn read_on_malformed(value: Located) -> Result<OnMalformed, Problem> {
    const WAYS: [(&str, OnMalformed); 3] =
        [("salvage", OnMalformed::Salvage), ("retry", OnMalformed::Retry), ("ignore", OnMalformed::Ignore)];
    Ok(value.one_of("onMalformed", &WAYS)?.unwrap_or_default())
}

/// Which characters are to be played by which models. Whether there is such a model is checked by casting,
/// which knows the models.
fn read_models(value: Located) -> Result<BTreeMap<String, RequestedModel>, Problem> {
    let mut models = BTreeMap::new();
    for (key, value) in value.group("models")?.0 {
        let place = Some(value.place);
        if let Some(model) = value.text(&format!("models.{}", key.text.escape_debug()))? {
            models.insert(key.text, RequestedModel { model, place });
        }
    }
    Ok(models)
}

#[cfg(test)]
mod tests;
