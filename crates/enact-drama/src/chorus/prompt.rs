//! What agents are told: templates, filled in.
//!
//! What people and models have said is data. It is printed as JSON strings, so that it cannot pass for
//! instructions; and it is never read as a template itself. A template cannot have it otherwise: what would
//! switch that off is refused.

use std::{collections::BTreeMap, io};

use minijinja::{
    AutoEscape, Environment, Error, ErrorKind, Output, State, UndefinedBehavior, Value, escape_formatter,
};

use self::language::keeps_to_it;
use super::{Prompts, Turn, View};
use crate::{text::escaped_json, voice::VoiceProfile};

mod check;
mod filters;
mod language;
#[cfg(test)]
mod tests;

/// A template has a handful of loops over a handful of things. This ends those that do not end by themselves.
const FUEL: u64 = 100_000;
/// Several times the longest message with all that is said of it.
const LONGEST_PROMPT_BYTES: usize = 512 * 1024;

/// One of the templates, by the name of its file in a project's `templates` folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Template {
    System,
    Turn(Turn),
}

impl Template {
    pub const ALL: [Template; 4] = [
        Template::System,
        Template::Turn(Turn::Respond),
        Template::Turn(Turn::Comment),
        Template::Turn(Turn::Reply),
    ];

    /// `turn1_response.j2`
    pub fn file(self) -> &'static str {
        match self {
            Template::System => "system.j2",
            Template::Turn(Turn::Respond) => "turn1_response.j2",
            Template::Turn(Turn::Comment) => "turn2_comment_select.j2",
            Template::Turn(Turn::Reply) => "turn3_reply.j2",
        }
    }

    /// What it may print.
    pub fn variables(self) -> &'static [&'static str] {
        match self {
            // Nothing of any slot: the same text for all of them is paid for once.
            Template::System => &["voice_profiles_table"],
            Template::Turn(Turn::Respond) => &[
                "slot_id",
                "agent_id",
                "agent_name",
                "agent_description",
                "user_message",
                "voice_profiles_table",
            ],
            Template::Turn(Turn::Comment) => &[
                "slot_id",
                "agent_id",
                "agent_name",
                "agent_description",
                "user_message",
                "own_response",
                "peer_responses",
                "voice_profiles_table",
            ],
            Template::Turn(Turn::Reply) => &[
                "slot_id",
                "agent_id",
                "agent_name",
                "agent_description",
                "user_message",
                "own_response",
                "received_comments",
                "voice_profiles_table",
            ],
        }
    }

    fn built_in(self) -> &'static str {
        match self {
            Template::System => include_str!("templates/system.j2"),
            Template::Turn(Turn::Respond) => include_str!("templates/turn1_response.j2"),
            Template::Turn(Turn::Comment) => include_str!("templates/turn2_comment_select.j2"),
            Template::Turn(Turn::Reply) => include_str!("templates/turn3_reply.j2"),
        }
    }
}

impl Prompts {
    pub fn built_in() -> Prompts {
        let text = |template: Template| template.built_in().to_owned();
        Prompts {
            system: text(Template::System),
            turn1_response: text(Template::Turn(Turn::Respond)),
            turn2_comment_select: text(Template::Turn(Turn::Comment)),
            turn3_reply: text(Template::Turn(Turn::Reply)),
        }
    }

    pub fn of(&self, template: Template) -> &str {
        match template {
            Template::System => &self.system,
            Template::Turn(Turn::Respond) => &self.turn1_response,
            Template::Turn(Turn::Comment) => &self.turn2_comment_select,
            Template::Turn(Turn::Reply) => &self.turn3_reply,
        }
    }

    /// Replaces one of them.
    pub fn set(&mut self, template: Template, source: String) {
        *match template {
            Template::System => &mut self.system,
            Template::Turn(Turn::Respond) => &mut self.turn1_response,
            Template::Turn(Turn::Comment) => &mut self.turn2_comment_select,
            Template::Turn(Turn::Reply) => &mut self.turn3_reply,
        } = source;
    }

    /// What stands before everything else: the same for every slot and message.
    pub(super) fn system(&self) -> String {
        self.filled(Template::System, None)
    }

    /// What a slot is told in a turn.
    pub(super) fn turn(&self, view: &View) -> String {
        self.filled(Template::Turn(view.turn), Some(view))
    }

    /// Whether a slot is told what the built-in template says, since its own fails.
    pub(super) fn falls_back(&self, view: &View) -> bool {
        let template = Template::Turn(view.turn);
        let source = self.of(template);
        source != template.built_in() && fill(template, source, Some(view)).is_err()
    }

    /// Templates are checked before they come here; one that fails all the same must not cost a slot its
    /// turn.
    fn filled(&self, template: Template, view: Option<&View>) -> String {
        fill(template, self.of(template), view)
            .or_else(|_| fill(template, template.built_in(), view))
            .expect("the built-in templates take whatever was said")
    }
}

fn fill(template: Template, source: &str, view: Option<&View>) -> Result<String, Error> {
    keeps_to_it(source).map_err(|refused| Error::new(ErrorKind::SyntaxError, refused.why))?;
    let environment = environment();
    let ready = environment.template_from_named_str(template.file(), source)?;
    let mut page = Page::default();
    ready.render_captured_to(values(view), &mut page)?;
    String::from_utf8(page.0).map_err(|_| Error::new(ErrorKind::InvalidOperation, "the text is not UTF-8"))
}

fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::Json);
    environment.set_formatter(print);
    environment.set_fuel(Some(FUEL));
    environment.set_debug(true);
    filters::add_to(&mut environment);
    environment
}

/// Prints what was said as JSON in which nothing reads as a line break or acts unseen; JSON itself lets U+2028 and
/// marks of direction stand as they are.
fn print(out: &mut Output, state: &mut State, value: &Value) -> Result<(), Error> {
    if value.is_safe() || value.is_undefined() {
        return escape_formatter(out, state, value);
    }
    let json = serde_json::to_string(value).map_err(|error| {
        Error::new(ErrorKind::BadSerialization, "this cannot be printed as JSON").with_source(error)
    })?;
    out.write_str(&escaped_json(&json)).map_err(Error::from)
}

/// Where a prompt is written. It has an end.
#[derive(Default)]
struct Page(Vec<u8>);

impl io::Write for Page {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > LONGEST_PROMPT_BYTES {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn values(view: Option<&View>) -> Value {
    let table = ("voice_profiles_table", ours(&voice_profiles_table()));
    let Some(view) = view else { return map([table]) };
    let mut values = BTreeMap::from([
        table,
        ("slot_id", Value::from(view.slot.number())),
        ("agent_id", ours(view.agent.id.as_str())),
        ("agent_name", ours(&crate::text::one_line(&view.agent.name))),
        ("agent_description", ours(&crate::text::one_line(&view.agent.description))),
        ("user_message", Value::from(view.message.as_str())),
    ]);
    if view.turn != Turn::Respond {
        values.insert("own_response", Value::from(view.own.as_deref().unwrap_or_default()));
    }
    if view.turn == Turn::Comment {
        let peers = view.peers.iter().map(|peer| {
            map([
                ("slotId", Value::from(peer.slot_id.number())),
                ("agentId", ours(peer.agent_id.as_str())),
                ("agentName", ours(&peer.agent_name)),
                ("text", Value::from(peer.text.as_str())),
            ])
        });
        values.insert("peer_responses", peers.collect());
    }
    if view.turn == Turn::Reply {
        let comments = view.comments.iter().map(|comment| {
            map([
                ("fromSlotId", Value::from(comment.from_slot_id.number())),
                ("fromAgentId", ours(comment.from_agent_id.as_str())),
                ("fromAgentName", ours(&comment.from_agent_name)),
                ("comment", Value::from(comment.comment.as_str())),
            ])
        });
        values.insert("received_comments", comments.collect());
    }
    map(values)
}

fn map(entries: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    Value::from(entries.into_iter().collect::<BTreeMap<_, _>>())
}

/// The operator's words, which stand as they are.
fn ours(text: &str) -> Value {
    Value::from_safe_string(text.to_owned())
}

fn voice_profiles_table() -> String {
    let row = |profile: VoiceProfile| {
        let mood = match profile {
            VoiceProfile::FriendlyCasual => "easy and near, as over a kitchen table",
            VoiceProfile::WarmProfessional => "kind and composed, for what should be understood",
            VoiceProfile::EnergeticUpbeat => "bright and quick, for delight and encouragement",
            VoiceProfile::CalmSoothing => "slow and quiet, for comfort and for what is sad",
            VoiceProfile::ConfidentCharming => "sure and smiling, for a strong opinion",
            VoiceProfile::PlayfulExpressive => "teasing and lively, for jokes and surprises",
        };
        format!("- {}: {mood}", profile.as_str())
    };
    VoiceProfile::ALL.map(row).join("\n")
}
