//! One `[voices.<name>]` of the configuration.

use std::{
    collections::BTreeMap,
    ops::RangeInclusive,
    path::{Path, PathBuf},
    time::Duration,
};

use enact_drama::{
    Place, Problem, did_you_mean,
    located::{Group, Key, Located, Value},
    voice::VoiceProfile,
};
use enact_engine::process;
use enact_voices::{ElevenLabsSettings, OpenAiSettings};

use super::{
    NONE,
    model::{self, SECRETS, count, read_url, read_variable, within},
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
    /// Where it is written; nothing for voices that need no writing.
    pub(crate) place: Option<Place>,
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
    /// It can be asked without that key: at an address of the operator's own there may be nobody who wants one.
    pub(crate) key_optional: bool,
    pub(crate) model: Option<String>,
    /// What the service calls the voices that speak a profile, where they are others than the usual ones: the first speaks the
    /// profile as it is, the others its further variants.
    pub(crate) voices: BTreeMap<VoiceProfile, Vec<String>>,
}

/// Another program: text on its standard input, WAV on its standard output.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Program {
    pub(crate) command: String,
    pub(crate) args: Vec<String>,
}

/// What nobody needs to configure: the voice that is built in, and the two services with their usual keys.
pub(crate) const EMBEDDED: &str = "embedded";
const ELEVENLABS: &str = "elevenlabs";
const OPENAI: &str = "openai";
const COMMAND: &str = "command";

const KEYS: [&str; 9] =
    ["kind", "key_env", "base_url", "model", "voices", "at_once", "timeout_seconds", "command", "args"];

/// Words people try that are no misspelling of the key they mean.
const SYNONYMS: [(&str, &str); 9] = [
    ("api_key_env", "key_env"),
    ("concurrency", "at_once"),
    ("endpoint", "base_url"),
    ("max_concurrent", "at_once"),
    ("model_id", "model"),
    ("program", "command"),
    ("provider", "kind"),
    ("timeout", "timeout_seconds"),
    ("voice", "voices"),
];

/// What a base URL looks like: that of a server on this machine.
const BASE_URL: &str = "http://127.0.0.1:8880";

/// No plan of any service allows more, and each is a connection.
const AT_ONCE: RangeInclusive<i64> = 1..=256;

/// A sentence takes a second or two; nobody waits an hour for one.
const TIMEOUTS_SECONDS: RangeInclusive<f64> = 0.1..=3600.0;

/// A command line has a handful; more than this is a script that wants a file of its own.
const MOST_ARGUMENTS: usize = 64;

impl VoiceEntry {
    /// The voice that is built in.
    pub(crate) fn embedded() -> VoiceEntry {
        VoiceEntry {
            name: EMBEDDED.to_owned(),
            kind: VoiceKind::Embedded,
            at_once: None,
            timeout: None,
            place: None,
        }
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
    pub(super) fn usual_key_variable(&self) -> Option<&'static str> {
        match &self.kind {
            VoiceKind::ElevenLabs(_) => Some(ElevenLabsSettings::KEY_VARIABLE),
            VoiceKind::OpenAi(_) => Some(OpenAiSettings::KEY_VARIABLE),
            VoiceKind::Embedded | VoiceKind::Command(_) => None,
        }
    }
}

impl super::Config {
    /// Where a program is that a voice is: beside this file, as its folders are, unless it is looked for along the search path.
    /// Beside whoever calls there may be another one, of somebody else's.
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
            let problem = Problem::config(format!("unknown voice '{}'", model::quoted(name)));
            let configured = self.voices.iter().map(|entry| entry.name.as_str());
            let mut known: Vec<&str> = configured.collect();
            let usual = [EMBEDDED, ELEVENLABS, OPENAI].into_iter();
            known.extend(usual.filter(|usual| !self.voices.iter().any(|entry| entry.name == *usual)));
            problem.hint(match did_you_mean(name, known.iter().copied()) {
                Some(near) => format!("did you mean '{near}'?"),
                None => format!("there are: {}; or add [voices.NAME] to enact.toml", known.join(", ")),
            })
        })
    }
}

pub(super) fn read(name: Key, group: Group) -> Result<VoiceEntry, Problem> {
    check_name(&name)?;
    let place = name.place;
    let at = |problem: Problem| problem.at(place.line, place.column);
    let whole = Whole::collect(group)?;
    let kind = whole.kind.ok_or_else(|| {
        at(Problem::config(format!("voices.{} has no 'kind'", name.text)))
            .hint("for example: kind = \"elevenlabs\"; there are embedded, elevenlabs, openai and command")
    })?;
    whole.check_fits(kind)?;
    let service = |variable: &str| {
        let key_optional = whole.base_url.is_some() && whole.key_env.is_none();
        Remote {
            base_url: whole.base_url.clone(),
            key_variable: Some(whole.key_env.clone().unwrap_or_else(|| variable.to_owned())),
            key_optional,
            model: whole.model.clone(),
            voices: whole.voices.clone(),
        }
    };
    let kind = match kind {
        ELEVENLABS => VoiceKind::ElevenLabs(service(ElevenLabsSettings::KEY_VARIABLE)),
        OPENAI => VoiceKind::OpenAi(service(OpenAiSettings::KEY_VARIABLE)),
        COMMAND => VoiceKind::Command(Program {
            command: whole.command.ok_or_else(|| {
                at(Problem::config(format!("voices.{} has no 'command'", name.text)))
                    .hint("for example: command = \"espeak-ng\", args = [\"--stdout\"]")
            })?,
            args: whole.args,
        }),
        _ => VoiceKind::Embedded,
    };
    if name.text == EMBEDDED && kind != VoiceKind::Embedded {
        return Err(at(Problem::config("the voice 'embedded' is the built-in one"))
            .hint("give this one another name"));
    }
    Ok(VoiceEntry {
        name: name.text,
        kind,
        at_once: whole.at_once,
        timeout: whole.timeout,
        place: Some(place),
    })
}

fn check_name(key: &Key) -> Result<(), Problem> {
    let at = |problem: Problem| problem.at(key.place.line, key.place.column);
    if !model::is_plain_name(&key.text) {
        return Err(at(Problem::config(format!("a voice cannot be called '{}'", model::quoted(&key.text)))
            .hint(model::PLAIN_NAMES)));
    }
    if key.text == NONE {
        return Err(at(Problem::config("a voice cannot be called 'none'")
            .hint("that name means that nobody speaks; choose another one")));
    }
    Ok(())
}

/// Everything that may be said of a voice, as far as it is.
#[derive(Default)]
struct Whole {
    kind: Option<&'static str>,
    key_env: Option<String>,
    base_url: Option<String>,
    model: Option<String>,
    voices: BTreeMap<VoiceProfile, Vec<String>>,
    at_once: Option<usize>,
    timeout: Option<Duration>,
    command: Option<String>,
    args: Vec<String>,
    /// Where each key is written.
    places: Vec<(&'static str, Place)>,
}

impl Whole {
    fn collect(group: Group) -> Result<Whole, Problem> {
        const KINDS: [(&str, &str); 4] =
            [(EMBEDDED, EMBEDDED), (ELEVENLABS, ELEVENLABS), (OPENAI, OPENAI), (COMMAND, COMMAND)];
        let mut whole = Whole::default();
        for (key, value) in group.0 {
            if let Some(known) = KEYS.into_iter().find(|known| *known == key.text) {
                whole.places.push((known, key.place));
            }
            match key.text.as_str() {
                "kind" => whole.kind = value.one_of("kind", &KINDS)?,
                "key_env" => whole.key_env = read_variable(value, "key_env")?,
                "base_url" => whole.base_url = read_url(value, "base_url", BASE_URL)?,
                "model" => whole.model = word(value, "model", "what the service calls the model")?,
                "voices" => whole.voices = read_voices(value)?,
                "at_once" => whole.at_once = count(value, "at_once", AT_ONCE)?.map(|most| most as usize),
                "timeout_seconds" => {
                    let seconds = within(value, "timeout_seconds", TIMEOUTS_SECONDS)?;
                    whole.timeout = seconds.map(Duration::from_secs_f64);
                }
                "command" => whole.command = read_command(value)?,
                "args" => whole.args = read_args(value)?,
                secret if SECRETS.contains(&secret.to_ascii_lowercase().as_str()) => {
                    return Err(model::no_secrets(&key));
                }
                _ => return Err(key.unknown(&KEYS, &SYNONYMS)),
            }
        }
        Ok(whole)
    }

    /// Whether everything that is said means something to this kind: a key for a program would never be used, and whoever
    /// wrote it thinks otherwise.
    fn check_fits(&self, kind: &str) -> Result<(), Problem> {
        let meant: &[&str] = match kind {
            ELEVENLABS | OPENAI => &["key_env", "base_url", "model", "voices"],
            COMMAND => &["command", "args"],
            _ => &[],
        };
        let always = ["kind", "at_once", "timeout_seconds"];
        match self.places.iter().find(|(key, _)| !always.contains(key) && !meant.contains(key)) {
            Some((key, place)) => Err(Problem::config(format!("{key} means nothing to kind = \"{kind}\""))
                .at(place.line, place.column)
                .hint(match meant {
                    [] => "the embedded voice has only at_once and timeout_seconds; remove it".to_owned(),
                    meant => format!("besides at_once and timeout_seconds it has: {}", meant.join(", ")),
                })),
            None => Ok(()),
        }
    }
}

fn word(value: Located, key: &str, what: &str) -> Result<Option<String>, Problem> {
    let wrong = value.wrong(key, what);
    match value.text(key)? {
        Some(text) if text.trim().is_empty() || text.contains(char::is_control) => Err(wrong),
        text => Ok(text),
    }
}

/// Voices of the service for each profile, or one for all of them.
fn read_voices(value: Located) -> Result<BTreeMap<VoiceProfile, Vec<String>>, Problem> {
    if let Value::Text(_) = value.value {
        let one = read_variants(value, "voices")?;
        return Ok(VoiceProfile::ALL.into_iter().map(|profile| (profile, one.clone())).collect());
    }
    let mut voices = BTreeMap::new();
    for (key, value) in value.group("voices")?.0 {
        let Some(profile) = VoiceProfile::ALL.into_iter().find(|profile| profile.as_str() == key.text) else {
            return Err(key.unknown(&VoiceProfile::ALL.map(VoiceProfile::as_str), &[]));
        };
        voices.insert(profile, read_variants(value, &format!("voices.{}", key.text))?);
    }
    Ok(voices)
}

/// One voice, or several: a scene may have more characters than there are profiles.
fn read_variants(value: Located, key: &str) -> Result<Vec<String>, Problem> {
    const WHAT: &str = "what the service calls a voice";
    let wrong = value.wrong(key, WHAT);
    let items = match value.value {
        Value::List(items) => items,
        _ => vec![value],
    };
    let names = items.into_iter().map(|item| word(item, key, WHAT)).filter_map(Result::transpose);
    match names.collect::<Result<Vec<_>, _>>()? {
        names if names.is_empty() => Err(wrong),
        names => Ok(names),
    }
}

/// One program, without a shell: what it is given stands in `args`.
fn read_command(value: Located) -> Result<Option<String>, Problem> {
    let place = value.place;
    let command = word(value, "command", "the program that speaks")?;
    match &command {
        Some(line) if line.contains(' ') && !line.contains(['/', '\\']) => {
            Err(Problem::config("command must be one program, without its arguments")
                .at(place.line, place.column)
                .hint("put each of them into args = [\"…\"]; there is no shell that would part them"))
        }
        _ => Ok(command),
    }
}

fn read_args(value: Located) -> Result<Vec<String>, Problem> {
    let place = value.place;
    let args = value.texts("args", "arguments")?;
    let wrong = |message: String| Err(Problem::config(message).at(place.line, place.column));
    if args.len() > MOST_ARGUMENTS {
        return wrong(format!("args must be at most {MOST_ARGUMENTS} arguments, found {}", args.len()));
    }
    if args.iter().any(|arg| arg.contains('\0')) {
        return wrong("args must not hold a NUL character".to_owned());
    }
    Ok(args)
}

#[cfg(test)]
mod tests;
