//! One `[voices.<name>]` of the configuration.

use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
    time::Duration,
};

use enact_drama::{Problem, voice::VoiceProfile};
use enact_engine::process;
use enact_voices::{ElevenLabsSettings, OpenAiSettings};
use serde::{
    Deserialize, Deserializer,
    de::{Error, MapAccess, Visitor, value::MapAccessDeserializer},
};

use super::{
    NONE,
    fields::{OneOrMore, fields, is_word, one_of, seconds, url, variable, whole, word, wrong},
    model::{PLAIN_NAMES, is_plain_name, quoted},
    source::TableEntry,
};

/// What speaks, as a name of its own.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct VoiceEntry {
    pub(crate) name: String,
    pub(crate) kind: VoiceKind,
    /// How many may speak at once; the others wait.
    pub(crate) at_once: Option<usize>,
    /// The longest that one thing to be said may take.
    pub(crate) timeout: Option<Duration>,
}

/// What stands behind a voice.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum VoiceKind {
    /// Built in: no key, no network, no download.
    Embedded,
    ElevenLabs(Remote),
    /// Any service that speaks OpenAI's `/v1/audio/speech`.
    OpenAi(Remote),
    Command(Program),
}

/// A service over HTTP.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Remote {
    pub(crate) base_url: Option<String>,
    /// The environment variable that holds the key.
    pub(crate) key_variable: Option<String>,
    /// It can be asked without that key: a server at an address of the operator's own may want none.
    pub(crate) key_optional: bool,
    pub(crate) model: Option<String>,
    /// What the service calls the voices that speak a profile, where they are others than the usual ones: the
    /// first speaks the profile as it is, the others its further variants.
    pub(crate) voices: BTreeMap<VoiceProfile, Vec<String>>,
}

/// Another program: text on its standard input, WAV on its standard output.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Program {
    pub(crate) command: String,
    pub(crate) args: Vec<String>,
}

/// Voices that need no configuration: the one that is built in, and the two services with their usual keys.
pub(crate) const EMBEDDED: &str = "embedded";
const ELEVENLABS: &str = "elevenlabs";
const OPENAI: &str = "openai";
const COMMAND: &str = "command";

/// What a base URL looks like: that of a server on this machine.
const BASE_URL: &str = "http://127.0.0.1:8880";

/// A command line has a handful; more than this is a script that wants a file of its own.
const MOST_ARGUMENTS: usize = 64;

impl VoiceEntry {
    /// The voice that is built in.
    pub(crate) fn embedded() -> VoiceEntry {
        VoiceEntry { name: EMBEDDED.to_owned(), kind: VoiceKind::Embedded, at_once: None, timeout: None }
    }

    /// A voice that needs no configuration.
    pub(super) fn on_the_spot(name: &str) -> Option<VoiceEntry> {
        let service =
            |variable: &str| Remote { key_variable: Some(variable.to_owned()), ..Remote::default() };
        let kind = match name {
            EMBEDDED => VoiceKind::Embedded,
            ELEVENLABS => VoiceKind::ElevenLabs(service(ElevenLabsSettings::KEY_VARIABLE)),
            OPENAI => VoiceKind::OpenAi(service(OpenAiSettings::KEY_VARIABLE)),
            _ => return None,
        };
        Some(VoiceEntry { name: name.to_owned(), kind, ..VoiceEntry::embedded() })
    }

    /// The service behind it, where there is one.
    pub(crate) fn remote(&self) -> Option<&Remote> {
        match &self.kind {
            VoiceKind::ElevenLabs(remote) | VoiceKind::OpenAi(remote) => Some(remote),
            VoiceKind::Embedded | VoiceKind::Command(_) => None,
        }
    }

    /// Where the key of its service usually is, where it has one.
    pub(super) fn default_key_variable(&self) -> Option<&'static str> {
        match &self.kind {
            VoiceKind::ElevenLabs(_) => Some(ElevenLabsSettings::KEY_VARIABLE),
            VoiceKind::OpenAi(_) => Some(OpenAiSettings::KEY_VARIABLE),
            VoiceKind::Embedded | VoiceKind::Command(_) => None,
        }
    }
}

impl super::Config {
    /// The path of a voice's program: beside this file, like its folders, unless it is a bare name for the
    /// search path. In the working folder there may be another program of that name, which the operator did
    /// not choose.
    pub(crate) fn program(&self, program: &Program) -> PathBuf {
        let named = Path::new(&program.command);
        match self.file.as_deref().and_then(Path::parent) {
            Some(home) if !process::is_bare(named) => home.join(named),
            _ => named.to_owned(),
        }
    }

    /// The voice of this name: a configured one, or one that needs no configuration.
    pub(crate) fn voice(&self, name: &str) -> Result<VoiceEntry, Problem> {
        let configured = self.voices.iter().find(|entry| entry.name == name).cloned();
        configured.or_else(|| VoiceEntry::on_the_spot(name)).ok_or_else(|| {
            let configured = self.voices.iter().map(|entry| entry.name.as_str());
            let mut known: Vec<&str> = configured.collect();
            let usual = [EMBEDDED, ELEVENLABS, OPENAI].into_iter();
            known.extend(usual.filter(|usual| !self.voices.iter().any(|entry| entry.name == *usual)));
            Problem::config(format!("unknown voice '{}'", quoted(name)))
                .hint(format!("there are: {}; or add [voices.NAME] to enact.toml", known.join(", ")))
                .suggest(name, known)
        })
    }
}

/// One of the four names of kinds. As an alias, because serde would take a reference for borrowed text.
type KindName = &'static str;

/// Everything that may be said of a voice, of whichever kind.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct VoiceKeys {
    #[serde(deserialize_with = "kind")]
    kind: Option<KindName>,
    #[serde(deserialize_with = "variable")]
    key_env: Option<String>,
    #[serde(deserialize_with = "base_url")]
    base_url: Option<String>,
    #[serde(deserialize_with = "model")]
    model: Option<String>,
    #[serde(deserialize_with = "voices")]
    voices: Option<BTreeMap<VoiceProfile, Vec<String>>>,
    #[serde(deserialize_with = "at_once")]
    at_once: Option<usize>,
    #[serde(deserialize_with = "timeout")]
    timeout_seconds: Option<Duration>,
    #[serde(deserialize_with = "command")]
    command: Option<String>,
    #[serde(deserialize_with = "args")]
    args: Option<Vec<String>>,
}

fields! {
    kind -> Option<KindName> = one_of(&[EMBEDDED, ELEVENLABS, OPENAI, COMMAND].map(|kind| (kind, kind)));
    base_url -> Option<String> = url(BASE_URL);
    model -> Option<String> = word("what the service calls the model");
    /// No plan of any service allows more, and each is a connection.
    at_once -> Option<usize> = whole(1..=256);
    /// A sentence takes a second or two; an hour is long for one.
    timeout -> Option<Duration> = seconds(0.1..=3600.0);
}

impl VoiceKeys {
    pub(super) fn check(self, entry: &TableEntry<'_>) -> Result<VoiceEntry, Problem> {
        let name = entry.name;
        if !is_plain_name(name) {
            return Err(entry.problem(format!("a voice cannot be called '{}'", quoted(name)), PLAIN_NAMES));
        }
        if name == NONE {
            let hint = "that name means that there is no speech; choose another one";
            return Err(entry.problem("a voice cannot be called 'none'", hint));
        }
        const KINDS: &str = "\"elevenlabs\"; there are embedded, elevenlabs, openai and command";
        let kind = self.kind.ok_or_else(|| entry.missing("kind", KINDS))?;
        if name == EMBEDDED && kind != EMBEDDED {
            return Err(
                entry.problem("the voice 'embedded' is the built-in one", "give this one another name")
            );
        }
        check_fits(kind, entry)?;
        let VoiceKeys { key_env, base_url, model, voices, command, args, .. } = self;
        let key_optional = base_url.is_some() && key_env.is_none();
        let service = |variable: &str| Remote {
            key_variable: Some(key_env.unwrap_or_else(|| variable.to_owned())),
            base_url,
            key_optional,
            model,
            voices: voices.unwrap_or_default(),
        };
        let kind = match kind {
            ELEVENLABS => VoiceKind::ElevenLabs(service(ElevenLabsSettings::KEY_VARIABLE)),
            OPENAI => VoiceKind::OpenAi(service(OpenAiSettings::KEY_VARIABLE)),
            COMMAND => VoiceKind::Command(Program {
                command: command
                    .ok_or_else(|| entry.missing("command", "\"espeak-ng\", args = [\"--stdout\"]"))?,
                args: args.unwrap_or_default(),
            }),
            _ => VoiceKind::Embedded,
        };
        Ok(VoiceEntry { kind, at_once: self.at_once, timeout: self.timeout_seconds, name: name.to_owned() })
    }
}

/// Whether every key means something to this kind: one that is never used would mislead its author.
fn check_fits(kind: &str, entry: &TableEntry<'_>) -> Result<(), Problem> {
    const SERVICE: &[&str] = &["key_env", "base_url", "model", "voices"];
    const PROGRAM: &[&str] = &["command", "args"];
    let meant = match kind {
        ELEVENLABS | OPENAI => SERVICE,
        COMMAND => PROGRAM,
        _ => &[],
    };
    let mut special = SERVICE.iter().chain(PROGRAM);
    let Some(key) = special.find(|key| entry.has(key) && !meant.contains(key)) else { return Ok(()) };
    let hint = match meant {
        [] => "the embedded voice has only at_once and timeout_seconds; remove it".to_owned(),
        meant => format!("besides at_once and timeout_seconds it has: {}", meant.join(", ")),
    };
    Err(entry.problem_with(key, format!("{key} means nothing to kind = \"{kind}\""), hint))
}

/// What the service calls a voice: one for all profiles, or one or several for each. A scene may have more
/// characters than there are profiles.
fn voices<'de, D: Deserializer<'de>>(
    field: D,
) -> Result<Option<BTreeMap<VoiceProfile, Vec<String>>>, D::Error> {
    let voices = field.deserialize_any(ProfileVoices)?;
    let named = |names: &Vec<String>| !names.is_empty() && names.iter().all(|name| is_word(name));
    if voices.values().all(named) {
        Ok(Some(voices))
    } else {
        Err(wrong("what the service calls its voices"))
    }
}

struct ProfileVoices;

impl<'de> Visitor<'de> for ProfileVoices {
    type Value = BTreeMap<VoiceProfile, Vec<String>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a voice for all profiles, or one for each")
    }

    fn visit_str<E: Error>(self, one: &str) -> Result<Self::Value, E> {
        Ok(VoiceProfile::ALL.into_iter().map(|profile| (profile, vec![one.to_owned()])).collect())
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        let voices: BTreeMap<_, OneOrMore> = BTreeMap::deserialize(MapAccessDeserializer::new(map))?;
        Ok(voices.into_iter().map(|(profile, OneOrMore(names))| (profile, names)).collect())
    }
}

/// One program, without a shell: what it is given stands in `args`.
fn command<'de, D: Deserializer<'de>>(field: D) -> Result<Option<String>, D::Error> {
    let command = word(field, "the program that speaks")?;
    match &command {
        Some(line) if line.contains(' ') && !line.contains(['/', '\\']) => Err(D::Error::custom(
            "must be one program, without its arguments\nput each of them into args = [\"…\"]; there is no shell that would part them",
        )),
        _ => Ok(command),
    }
}

fn args<'de, D: Deserializer<'de>>(field: D) -> Result<Option<Vec<String>>, D::Error> {
    let args: Vec<String> = Vec::deserialize(field)?;
    if args.len() > MOST_ARGUMENTS {
        let message = format!("must be at most {MOST_ARGUMENTS} arguments, found {}", args.len());
        return Err(D::Error::custom(message));
    }
    if args.iter().any(|arg| arg.contains('\0')) {
        return Err(D::Error::custom("must not hold a NUL character"));
    }
    Ok(Some(args))
}

#[cfg(test)]
mod tests;
