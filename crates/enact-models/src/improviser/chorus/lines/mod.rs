//! What the six personas of a chorus can say: a file for each, with its lines among friends, to people it
//! does not know anything about, and where somebody is sad or in danger. `help.toml` says who can help, `declines.toml`
//! how one of them says that it does not know.
//!
//! A sentence stands in these files only once, and each persona has its own: that is what keeps six who
//! speak side by side from saying the same. Every list has lines that need no word of the message.
//!
//! `{topic}` is never the subject of a verb that would have to agree with it, since it may be one thing or
//! many. No line begins with a quote: lines are shown between quotation marks, and two of them in a row
//! read badly.

use std::sync::LazyLock;

use enact_drama::voice::VoiceProfile;
use serde::Deserialize;

use super::{message::Care, persona::Persona};
use crate::content::{Texts, content};

/// What one of them says to a question that could be looked up: that it cannot.
pub(super) static DECLINES: LazyLock<Declines> = LazyLock::new(|| content!("declines.toml"));

/// Who can help.
pub(super) static HELP: LazyLock<HelpPhrases> = LazyLock::new(|| content!("help.toml"));

/// The personas in the order of [`Persona`].
pub(super) static PERSONAS: [LazyLock<PersonaLines>; 6] = [
    LazyLock::new(|| content!("dreamer.toml")),
    LazyLock::new(|| content!("builder.toml")),
    LazyLock::new(|| content!("wit.toml")),
    LazyLock::new(|| content!("doubter.toml")),
    LazyLock::new(|| content!("enthusiast.toml")),
    LazyLock::new(|| content!("friend.toml")),
];

/// A persona as its file has it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PersonaLines {
    pub(super) voice: VoiceProfile,
    /// Where nothing is to be laughed about: neither upbeat nor playful.
    pub(super) gentle_voice: VoiceProfile,
    pub(super) likes: Persona,
    pub(super) teases: Persona,
    pub(super) least_thinking_ms: u64,
    pub(super) light: LightLines,
    pub(super) curious: CuriousLines,
    pub(super) gentle: GentleLines,
}

/// How a question is declined.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Declines {
    pub(super) fact: Texts,
}

/// Who can help, by what a message calls for: what `{help}` stands for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HelpPhrases {
    emergency: Texts,
    violence: Texts,
    threat: Texts,
    despair: Texts,
    illness: Texts,
    sorrow: Texts,
    unsure: Texts,
    abroad: Texts,
}

impl HelpPhrases {
    /// To what may be anything.
    pub(super) fn unsure(&self) -> &Texts {
        &self.unsure
    }

    /// To danger in a language that is answered in English.
    pub(super) fn abroad(&self) -> &Texts {
        &self.abroad
    }

    pub(super) fn with(&self, care: Care) -> &Texts {
        match care {
            Care::Emergency => &self.emergency,
            Care::Violence => &self.violence,
            Care::Threat => &self.threat,
            Care::Despair => &self.despair,
            Care::Illness => &self.illness,
            Care::Sorrow => &self.sorrow,
        }
    }
}

/// What is said among friends who feel well enough. All of it counts as joking, and none of it is ever said
/// to somebody who is sad.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LightLines {
    pub(super) question: Texts,
    /// The same, to what can be answered with yes or no.
    pub(super) yes_or_no: Texts,
    /// To somebody who has good news, or feels well.
    pub(super) high: Texts,
    pub(super) greeting: Texts,
    pub(super) farewell: Texts,
    pub(super) thanks: Texts,
    pub(super) request: Texts,
    /// To those who want to know what they are talking to.
    pub(super) honest: Texts,
    /// What may follow an answer to a question or a request: one short sentence.
    pub(super) after: Texts,
    pub(super) after_high: Texts,
    pub(super) after_hello: Texts,
    /// After farewells and thanks.
    pub(super) after_bye: Texts,
    /// On the answer of somebody one likes. One sentence.
    pub(super) kind_comment: Texts,
    /// On the answer of somebody one likes to tease. One sentence.
    pub(super) teasing_comment: Texts,
    pub(super) reply: Texts,
}

/// What is said to what was not understood: to every statement that is no good news, and to questions about
/// people. Rules cannot know whether it was said with joy or in tears, and so these lines ask. No
/// exclamation marks, no jokes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CuriousLines {
    pub(super) statement: Texts,
    /// To questions and requests.
    pub(super) asked: Texts,
    /// To what may be harmless, and may be danger: whether everybody is safe. Help is named after it.
    pub(super) uneasy: Texts,
    /// To insults: calm, and nothing of them is said back.
    pub(super) rude: Texts,
    /// What may follow: one short sentence.
    pub(super) after: Texts,
    /// On the answer of another. One sentence.
    pub(super) comment: Texts,
    pub(super) reply: Texts,
}

/// What is said where nothing is to be laughed about: plain and kind, without exclamation marks and quotes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GentleLines {
    /// To somebody who does not feel well.
    pub(super) low: Texts,
    /// To somebody for whom something grave went well.
    pub(super) relief: Texts,
    /// To somebody who lost somebody, is gravely ill, or saw violence.
    pub(super) grief: Texts,
    /// To somebody who speaks of such things without being struck by them, as far as rules can tell.
    pub(super) grave: Texts,
    /// To somebody who may hurt themselves. A [`referral`](GentleLines::referral) always follows, here and
    /// where there is other danger.
    pub(super) crisis: Texts,
    /// Where help has to come at once.
    pub(super) emergency: Texts,
    /// To somebody who is hurt or threatened.
    pub(super) violence: Texts,
    /// To somebody who may hurt others.
    pub(super) threat: Texts,
    /// That these voices are rules, and that a real person should be called: one sentence. Every persona says
    /// it, since none knows who else takes part.
    pub(super) referral: Texts,
    /// To what is not English: a message that was not understood is not joked about.
    pub(super) foreign: Texts,
    /// What follows an answer to somebody who is sad: one sentence that names help.
    pub(super) care: Texts,
    /// What follows an answer to what came after a danger: one sentence that names help.
    pub(super) still: Texts,
    /// What follows an answer to what may be anything, not being English or not understood: one sentence that
    /// names help.
    pub(super) unsure: Texts,
    /// What follows where somebody who is sad also asked what we are: one sentence that names help.
    pub(super) honest: Texts,
    /// On the answer of another. One sentence that names help, as all that follow do.
    pub(super) comment: Texts,
    /// The same where somebody may be in danger.
    pub(super) crisis_comment: Texts,
    pub(super) reply: Texts,
    /// Replies where somebody may be in danger.
    pub(super) crisis_reply: Texts,
}

impl GentleLines {
    /// Where somebody may be in danger.
    pub(super) fn to_danger(&self, care: Care) -> &Texts {
        match care {
            Care::Emergency => &self.emergency,
            Care::Violence => &self.violence,
            Care::Threat => &self.threat,
            Care::Despair | Care::Illness | Care::Sorrow => &self.crisis,
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
