//! `[chorus]` and `[[chorus.agents]]`: who may take a slot, and how a chorus is played.

use std::time::Duration;

use enact_drama::{Problem, chorus::AgentId, sheet::is_reserved_name};
use serde::{Deserialize, Deserializer, de::Error};

use super::{
    Config, NONE, Reference,
    fields::{OneOrMore, StrictTable, fields, is_word, seconds, wrong},
    source::TomlSource,
};

/// What `[chorus]` says.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ChorusConfig {
    /// In the order they were written. The usual six if there are none.
    #[serde(deserialize_with = "agents")]
    pub(crate) agents: Vec<AgentEntry>,
    /// The voices that speak: the first that can. Empty if there is to be no speech; without the key, the
    /// embedded voice.
    #[serde(deserialize_with = "voice")]
    pub(crate) voice: Option<Vec<String>>,
    /// Where the templates of its prompts are, as it is written.
    #[serde(deserialize_with = "line")]
    pub(crate) templates: Option<String>,
    #[serde(rename = "answer_timeout_seconds", deserialize_with = "timeout")]
    pub(crate) answer_timeout: Option<Duration>,
    #[serde(rename = "speech_timeout_seconds", deserialize_with = "timeout")]
    pub(crate) speech_timeout: Option<Duration>,
}

/// An agent that may take a slot, as far as the file describes it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AgentEntry {
    pub(crate) id: AgentId,
    #[serde(default, deserialize_with = "line")]
    pub(crate) name: Option<String>,
    #[serde(default, deserialize_with = "line")]
    pub(crate) provider: Option<String>,
    #[serde(default, deserialize_with = "line")]
    pub(crate) description: Option<String>,
    #[serde(default, deserialize_with = "color")]
    pub(crate) color: Option<String>,
    /// The name of the model that answers.
    #[serde(default, deserialize_with = "line")]
    pub(crate) model: Option<String>,
}

/// A page cannot offer more to choose from.
const MOST_AGENTS: usize = 200;

/// Lists show them on one line.
const LONGEST_TEXT_CHARS: usize = 400;

/// More are not tried: each that cannot speak takes its time to say so.
const MOST_VOICES: usize = 8;

fields! {
    /// As a scene's deadline for a beat.
    timeout -> Option<Duration> = seconds(0.1..=3600.0);
}

impl ChorusConfig {
    /// Whether everything it names is there, which can only be said once all models and voices are known.
    pub(super) fn check(&self, config: &Config, source: &TomlSource<'_>) -> Result<(), Problem> {
        for (index, agent) in self.agents.iter().enumerate() {
            let at = |problem| source.at(&["chorus", "agents", &index.to_string(), "id"], problem);
            if self.agents[..index].iter().any(|known| known.id == agent.id) {
                return Err(at(Problem::config(format!("the agent '{}' is there already", agent.id))
                    .hint("ids are what requests choose agents by; each is given once")));
            }
            let called = agent.name.as_deref().unwrap_or(agent.id.as_str());
            if is_reserved_name(called) {
                let told = format!("no agent can be called {called}: the moderator's lines begin with it");
                return Err(at(Problem::config(told).hint("give the agent another 'name'")));
            }
            let Some(model) = &agent.model else { continue };
            let what = format!("chorus.agents: {}", agent.id);
            match config.refer(model).map_err(|problem| at(problem.about(&what)))? {
                Reference::Script(_) | Reference::Recorded(_) | Reference::Demo(_) => {
                    return Err(at(Problem::config(format!("{what}: scripts and recordings are no agents"))
                        .hint("name a model of this file, 'improviser' or 'PROVIDER:MODEL'")));
                }
                Reference::Human => {
                    return Err(at(Problem::config(format!(
                        "{what}: 'human' is for scenes, a chorus asks only models"
                    ))
                    .hint("name a model of this file, 'improviser' or 'PROVIDER:MODEL'")));
                }
                Reference::Improviser | Reference::Language(_) => {}
            }
        }
        for (index, voice) in self.voice.iter().flatten().enumerate() {
            config.voice(voice).map_err(|problem| {
                source.at(&["chorus", "voice", &index.to_string()], problem.about("chorus.voice"))
            })?;
        }
        Ok(())
    }
}

fn agents<'de, D: Deserializer<'de>>(field: D) -> Result<Vec<AgentEntry>, D::Error> {
    let agents: Vec<StrictTable<AgentEntry>> = Vec::deserialize(field)?;
    if agents.is_empty() || agents.len() > MOST_AGENTS {
        return Err(wrong(&format!("a list of 1 to {MOST_AGENTS} agents")));
    }
    Ok(agents.into_iter().map(|StrictTable(agent)| agent).collect())
}

/// A colour as pages write it: `#cc785c`, or `#c75`.
fn color<'de, D: Deserializer<'de>>(field: D) -> Result<Option<String>, D::Error> {
    let color = String::deserialize(field)?;
    let digits = color.strip_prefix('#').unwrap_or_default();
    let fine = matches!(digits.len(), 3 | 6) && digits.chars().all(|c| c.is_ascii_hexdigit());
    if fine { Ok(Some(color.to_ascii_lowercase())) } else { Err(wrong("a colour such as \"#cc785c\"")) }
}

/// One name, several, or "none".
fn voice<'de, D: Deserializer<'de>>(field: D) -> Result<Option<Vec<String>>, D::Error> {
    let OneOrMore(voices) = OneOrMore::deserialize(field)?;
    match voices.as_slice() {
        [] => Err(D::Error::custom("must name a voice\nwrite voice = \"none\" for no speech")),
        [only] if only == NONE => Ok(Some(Vec::new())),
        several if several.iter().any(|voice| voice == NONE) => {
            Err(D::Error::custom("'none' stands alone, or not at all"))
        }
        several if several.len() > MOST_VOICES => Err(wrong(&format!("at most {MOST_VOICES} voices"))),
        _ => Ok(Some(voices)),
    }
}

/// Something to be read, on one line.
fn line<'de, D: Deserializer<'de>>(field: D) -> Result<Option<String>, D::Error> {
    let text = String::deserialize(field)?;
    if is_word(&text) && text.chars().count() <= LONGEST_TEXT_CHARS {
        return Ok(Some(text));
    }
    Err(wrong(&format!("text on one line, of at most {LONGEST_TEXT_CHARS} characters")))
}

#[cfg(test)]
mod tests;
