//! What agents are told: templates, filled in. What people and models have said is printed as JSON strings.

use std::collections::BTreeMap;

use super::{ChorusView, Prompts, Turn};
use crate::{
    Problem,
    prompt_template::{self, Error, Value, map, plain},
    voice::VoiceProfile,
};

mod samples;
#[cfg(test)]
mod tests;

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

    /// Fills every template in, with values made up for it: few and many, short and long. What is wrong is
    /// said with the file it is in, and the line.
    pub fn check(&self) -> Result<(), Problem> {
        Template::ALL.into_iter().try_for_each(|template| {
            let samples = samples::samples(template);
            let samples = samples.iter().map(|sample| values(sample.as_ref()));
            prompt_template::check(template.file(), template.variables(), self.of(template), samples)
        })
    }

    /// What stands before everything else: the same for every slot and message.
    pub(super) fn system(&self) -> String {
        self.filled(Template::System, None)
    }

    /// What a slot is told in a turn.
    pub(super) fn turn(&self, view: &ChorusView) -> String {
        self.filled(Template::Turn(view.turn), Some(view))
    }

    /// Whether a slot is told what the built-in template says, since its own fails.
    pub(super) fn falls_back(&self, view: &ChorusView) -> bool {
        let template = Template::Turn(view.turn);
        let source = self.of(template);
        source != template.built_in() && fill(template, source, Some(view)).is_err()
    }

    /// Templates are checked before they come here; one that fails all the same must not cost a slot its
    /// turn.
    fn filled(&self, template: Template, view: Option<&ChorusView>) -> String {
        fill(template, self.of(template), view)
            .or_else(|_| fill(template, template.built_in(), view))
            .expect("the built-in templates take whatever was said")
    }
}

fn fill(template: Template, source: &str, view: Option<&ChorusView>) -> Result<String, Error> {
    prompt_template::fill(template.file(), source, values(view))
}

fn values(view: Option<&ChorusView>) -> Value {
    let table = ("voice_profiles_table", plain(&voice_profiles_table()));
    let Some(view) = view else { return map([table]) };
    let mut values = BTreeMap::from([
        table,
        ("slot_id", Value::from(view.slot.number())),
        ("agent_id", plain(view.agent.id.as_str())),
        ("agent_name", plain(&crate::text::one_line(&view.agent.name))),
        ("agent_description", plain(&crate::text::one_line(&view.agent.description))),
        ("user_message", Value::from(view.message.as_str())),
    ]);
    if view.turn != Turn::Respond {
        values.insert("own_response", Value::from(view.own.as_deref().unwrap_or_default()));
    }
    if view.turn == Turn::Comment {
        let peers = view.peers.iter().map(|peer| {
            map([
                ("slotId", Value::from(peer.slot_id.number())),
                ("agentId", plain(peer.agent_id.as_str())),
                ("agentName", plain(&peer.agent_name)),
                ("text", Value::from(peer.text.as_str())),
            ])
        });
        values.insert("peer_responses", peers.collect());
    }
    if view.turn == Turn::Reply {
        let comments = view.comments.iter().map(|comment| {
            map([
                ("fromSlotId", Value::from(comment.from_slot_id.number())),
                ("fromAgentId", plain(comment.from_agent_id.as_str())),
                ("fromAgentName", plain(&comment.from_agent_name)),
                ("comment", Value::from(comment.comment.as_str())),
            ])
        });
        values.insert("received_comments", comments.collect());
    }
    map(values)
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
