//! `[chorus]` and `[[chorus.agents]]`: who may take a slot, and how a chorus is played.

use std::{ops::RangeInclusive, path::PathBuf, time::Duration};

use enact_drama::{
    Place, Problem,
    chorus::AgentId,
    located::{Group, Located, Value},
};

use super::{
    Config, NONE, Reference,
    model::{self, within},
    read::blamed,
};

/// What `[chorus]` says.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Chorus {
    /// In the order they were written. The usual six if there are none.
    pub(crate) agents: Vec<AgentEntry>,
    /// Who speaks: the first who can. Nobody if that is what is written; the embedded voice if nothing is.
    pub(crate) voice: Option<Vec<Spoken>>,
    pub(crate) answer_timeout: Option<Duration>,
    pub(crate) speech_timeout: Option<Duration>,
    /// Where the templates of its prompts are, as it is written.
    pub(crate) templates: Option<(PathBuf, Place)>,
}

/// The name of a voice, and where it is written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Spoken {
    pub(crate) voice: String,
    pub(crate) place: Place,
}

/// Somebody who may take a slot, as far as it is said.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AgentEntry {
    pub(crate) id: AgentId,
    pub(crate) name: Option<String>,
    pub(crate) provider: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) color: Option<String>,
    /// Who answers: a model's name.
    pub(crate) model: Option<String>,
    pub(crate) place: Place,
}

const KEYS: [&str; 5] = ["agents", "voice", "templates", "answer_timeout_seconds", "speech_timeout_seconds"];

/// Words people try that are no misspelling of the key they mean.
const SYNONYMS: [(&str, &str); 8] = [
    ("agent", "agents"),
    ("voices", "voice"),
    ("tts", "voice"),
    ("template", "templates"),
    ("prompts", "templates"),
    ("timeout", "answer_timeout_seconds"),
    ("answer_timeout", "answer_timeout_seconds"),
    ("speech_timeout", "speech_timeout_seconds"),
];

const AGENT_KEYS: [&str; 6] = ["id", "name", "provider", "description", "color", "model"];
const AGENT_SYNONYMS: [(&str, &str); 3] = [("colour", "color"), ("agentId", "id"), ("title", "name")];

/// Nobody chooses among more.
const MOST_AGENTS: usize = 200;

/// Lists show them on one line.
const LONGEST_TEXT_CHARS: usize = 400;

/// More are not tried: each that cannot speak takes its time to say so.
const MOST_VOICES: usize = 8;

/// As a scene's deadline for a beat.
const TIMEOUTS_SECONDS: RangeInclusive<f64> = 0.1..=3600.0;

impl Chorus {
    /// Whether names are those of models and voices can only be said once all are known: see [`check`](Self::check).
    pub(super) fn read(group: Group) -> Result<Chorus, Problem> {
        let mut chorus = Chorus::default();
        for (key, value) in group.0 {
            match key.text.as_str() {
                "agents" => chorus.agents = read_agents(value)?,
                "voice" => chorus.voice = Some(read_voice(value)?),
                "templates" => {
                    let place = value.place;
                    let folder = text(value, "templates")?;
                    chorus.templates = folder.map(|folder| (PathBuf::from(folder), place));
                }
                "answer_timeout_seconds" => chorus.answer_timeout = timeout(value, &key.text)?,
                "speech_timeout_seconds" => chorus.speech_timeout = timeout(value, &key.text)?,
                _ => return Err(key.unknown(&KEYS, &SYNONYMS)),
            }
        }
        Ok(chorus)
    }

    /// Whether everything it names is there.
    pub(super) fn check(&self, config: &Config) -> Result<(), Problem> {
        for agent in &self.agents {
            let at = |problem: Problem| problem.at(agent.place.line, agent.place.column);
            let Some(model) = &agent.model else { continue };
            let what = format!("chorus.agents: {}", agent.id);
            match config.refer(model).map_err(|problem| at(blamed(&what, problem)))? {
                Reference::Script(_) | Reference::Recorded(_) => {
                    return Err(at(Problem::config(format!("{what}: scripts and recordings are no agents"))
                        .hint("name a model of this file, 'improviser' or 'PROVIDER:MODEL'")));
                }
                Reference::Improviser | Reference::Language(_) => {}
            }
        }
        for Spoken { voice, place } in self.voice.iter().flatten() {
            config
                .voice(voice)
                .map_err(|problem| blamed("chorus.voice", problem).at(place.line, place.column))?;
        }
        Ok(())
    }
}

fn read_agents(value: Located) -> Result<Vec<AgentEntry>, Problem> {
    let place = value.place;
    const EXAMPLE: &str = "each begins with [[chorus.agents]] and has an id";
    let at = |problem: Problem| problem.at(place.line, place.column).hint(EXAMPLE);
    if matches!(value.value, Value::Group(_)) {
        return Err(at(Problem::config("chorus.agents must be a list of agents")));
    }
    let items = value.list("chorus.agents", "agents")?;
    if items.is_empty() {
        return Err(at(Problem::config("chorus.agents names nobody")));
    }
    if items.len() > MOST_AGENTS {
        return Err(at(Problem::config(format!("chorus.agents must be at most {MOST_AGENTS} agents"))));
    }
    let mut agents: Vec<AgentEntry> = Vec::with_capacity(items.len());
    for item in items {
        let agent = read_agent(item)?;
        if agents.iter().any(|known| known.id == agent.id) {
            return Err(Problem::config(format!("the agent '{}' is there already", agent.id))
                .at(agent.place.line, agent.place.column)
                .hint("ids are what requests choose agents by; each is given once"));
        }
        agents.push(agent);
    }
    Ok(agents)
}

fn read_agent(item: Located) -> Result<AgentEntry, Problem> {
    let place = item.place;
    let (mut id, mut name, mut provider, mut description, mut color, mut model) =
        (None, None, None, None, None, None);
    for (key, value) in item.group("chorus.agents")?.0 {
        match key.text.as_str() {
            "id" => id = Some(read_id(value)?),
            "name" => name = text(value, "name")?,
            "provider" => provider = text(value, "provider")?,
            "description" => description = text(value, "description")?,
            "color" => color = read_color(value)?,
            "model" => model = text(value, "model")?,
            secret if model::SECRETS.contains(&secret.to_ascii_lowercase().as_str()) => {
                return Err(model::no_secrets(&key));
            }
            _ => return Err(key.unknown(&AGENT_KEYS, &AGENT_SYNONYMS)),
        }
    }
    let id = id.ok_or_else(|| {
        Problem::config("this agent has no 'id'")
            .at(place.line, place.column)
            .hint("requests choose agents by it, for example: id = \"claude-sonnet-4-5\"")
    })?;
    Ok(AgentEntry { id: id.0, name, provider, description, color, model, place: id.1 })
}

fn read_id(value: Located) -> Result<(AgentId, Place), Problem> {
    let place = value.place;
    let id = AgentId::new(value.text("id")?.unwrap_or_default())
        .map_err(|wrong| Problem::config(format!("id: {wrong}")).at(place.line, place.column))?;
    Ok((id, place))
}

/// A colour as pages write it: `#cc785c`, or `#c75`.
fn read_color(value: Located) -> Result<Option<String>, Problem> {
    let wrong = value.wrong("color", "a colour such as \"#cc785c\"");
    let Some(color) = value.text("color")? else { return Ok(None) };
    let digits = color.strip_prefix('#').unwrap_or_default();
    let fine = matches!(digits.len(), 3 | 6) && digits.chars().all(|c| c.is_ascii_hexdigit());
    if fine { Ok(Some(color.to_ascii_lowercase())) } else { Err(wrong) }
}

/// One name, several, or "none".
fn read_voice(value: Located) -> Result<Vec<Spoken>, Problem> {
    let place = value.place;
    let at = |problem: Problem| problem.at(place.line, place.column);
    let items = match value.value {
        Value::Text(_) => vec![value],
        _ => value.list("voice", "voices")?,
    };
    let mut voices = Vec::with_capacity(items.len());
    for item in items {
        let place = item.place;
        voices.extend(item.text("voice")?.map(|voice| Spoken { voice, place }));
    }
    if voices.is_empty() {
        return Err(at(Problem::config("voice names nobody").hint("write voice = \"none\" for no speech")));
    }
    if voices.len() > MOST_VOICES {
        return Err(at(Problem::config(format!("voice must be at most {MOST_VOICES} voices"))));
    }
    match voices.as_slice() {
        [only] if only.voice == NONE => Ok(Vec::new()),
        several => match several.iter().find(|spoken| spoken.voice == NONE) {
            Some(_) => Err(at(Problem::config("voice: 'none' stands alone, or not at all"))),
            None => Ok(voices),
        },
    }
}

fn timeout(value: Located, key: &str) -> Result<Option<Duration>, Problem> {
    Ok(within(value, key, TIMEOUTS_SECONDS)?.map(Duration::from_secs_f64))
}

/// Something to be read, on one line.
fn text(value: Located, key: &str) -> Result<Option<String>, Problem> {
    let wrong = value.wrong(key, &format!("text on one line, of at most {LONGEST_TEXT_CHARS} characters"));
    match value.text(key)? {
        Some(text)
            if text.trim().is_empty()
                || text.contains(char::is_control)
                || text.chars().count() > LONGEST_TEXT_CHARS =>
        {
            Err(wrong)
        }
        text => Ok(text),
    }
}

#[cfg(test)]
mod tests;
