//! What an author writes of an episode.

use serde::{Deserialize, Serialize};

/// Turns that are assumed for the narrative beat where an author gives no budget.
const ASSUMED_TURNS: u32 = 12;
/// How long an episode lasts that is limited by its turns and does not say by how many.
const TURNS_WITHOUT_BUDGET: u32 = 10;

/// One episode, as it is written down.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct EpisodeTemplate {
    /// The name of its file.
    pub slug: String,
    pub title: String,
    pub kind: EpisodeKind,
    /// The series it belongs to, by slug, and its place there, counted from 1.
    pub series: Option<String>,
    pub number: Option<u32>,
    /// Who is talked to: the name of a sheet.
    pub character: String,
    pub situation: String,
    /// What the character says before the user has said anything.
    pub opening_line: String,
    pub starter_prompts: Vec<String>,
    pub dramatic_question: Option<String>,
    /// What the character wants of this scene, what stops it, and how it tries.
    pub wants: Option<String>,
    pub obstacle: Option<String>,
    pub tactic: Option<String>,
    /// For the character alone.
    pub notes: Option<String>,
    pub completion_mode: CompletionMode,
    pub turn_budget: Option<u32>,
    pub required_beat: NarrativeBeat,
    pub require_resolution: bool,
    pub objective_key: Option<String>,
    pub beats_visible: bool,
    /// 0 to 100, before the first message.
    pub tension: u8,
    /// The tension that the author wants, in steps of equal length over the budget.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub arc: Vec<u8>,
    pub cues: Vec<EpisodeCue>,
    pub flags: Vec<FlagRule>,
    pub injections: Vec<Injection>,
    pub endings: Vec<WrittenEnding>,
    /// Which evaluation is made at the end: `flirt_archetype`, `episode_summary`, `mystery_progress`.
    pub evaluation: String,
    /// What an author asks for instead of a built-in one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub own_evaluation: Option<WrittenEvaluation>,
    pub themes: Vec<String>,
    /// How long an answer should be at most. It is asked for, never cut.
    pub most_sentences: u32,
    pub most_words: u32,
}

impl Default for EpisodeTemplate {
    fn default() -> EpisodeTemplate {
        EpisodeTemplate {
            slug: String::new(),
            title: String::new(),
            kind: EpisodeKind::Core,
            series: None,
            number: None,
            character: String::new(),
            situation: String::new(),
            opening_line: String::new(),
            starter_prompts: Vec::new(),
            dramatic_question: None,
            wants: None,
            obstacle: None,
            tactic: None,
            notes: None,
            completion_mode: CompletionMode::Open,
            turn_budget: None,
            required_beat: NarrativeBeat::Pivot,
            require_resolution: false,
            objective_key: None,
            beats_visible: false,
            tension: 30,
            arc: Vec::new(),
            cues: Vec::new(),
            flags: Vec::new(),
            injections: Vec::new(),
            endings: Vec::new(),
            evaluation: "episode_summary".to_owned(),
            own_evaluation: None,
            themes: Vec::new(),
            most_sentences: 3,
            most_words: 80,
        }
    }
}

impl EpisodeTemplate {
    /// After how many turns it is over, where turns limit it.
    pub fn turn_limit(&self) -> Option<u32> {
        let limited = self.completion_mode == CompletionMode::TurnLimited;
        limited.then(|| self.turn_budget.unwrap_or(TURNS_WITHOUT_BUDGET))
    }

    /// How many turns are left, where the author gave a number.
    pub fn turns_remaining(&self, turn: u32) -> Option<u32> {
        self.turn_limit().or(self.turn_budget).map(|budget| budget.saturating_sub(turn))
    }

    /// How many turns it takes, as far as anybody can tell.
    pub fn assumed_turns(&self) -> u32 {
        self.turn_limit().or(self.turn_budget).unwrap_or(ASSUMED_TURNS).max(1)
    }

    /// Where the story stands after so many turns, judged by their number alone.
    pub fn beat_at(&self, turn: u32) -> NarrativeBeat {
        let budget = self.assumed_turns();
        match u64::from(turn) * 4 / u64::from(budget) {
            0 => NarrativeBeat::Establishment,
            1 => NarrativeBeat::Complication,
            2 => NarrativeBeat::Escalation,
            _ => NarrativeBeat::Pivot,
        }
    }

    /// The choice with this id, and the cue that offers it.
    pub fn choice(&self, id: &str) -> Option<(&EpisodeCue, &Choice)> {
        self.cues.iter().find_map(|cue| Some((cue, cue.choice.as_ref().filter(|choice| choice.id == id)?)))
    }

    /// Every flag that something in the episode can set.
    pub fn settable_flags(&self) -> impl Iterator<Item = &str> {
        let ruled = self.flags.iter().map(|rule| rule.flag.as_str());
        let cued = self.cues.iter().filter_map(|cue| cue.sets.as_deref());
        let chosen = self.cues.iter().filter_map(|cue| cue.choice.as_ref());
        let chosen = chosen.flat_map(|choice| &choice.options).filter_map(|option| option.sets.as_deref());
        ruled.chain(cued).chain(chosen)
    }
}

/// What an episode is to its series.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EpisodeKind {
    Entry,
    Core,
    Expansion,
    Special,
}

/// When an episode is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CompletionMode {
    /// Never: its user decides.
    Open,
    /// When the required beat is over.
    BeatGated,
    /// When its turns are used up.
    TurnLimited,
    /// When a flag is set.
    Objective,
}

/// Where the story stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NarrativeBeat {
    Establishment,
    Complication,
    Escalation,
    Pivot,
    /// Found in what is said, never counted.
    Resolution,
}

impl NarrativeBeat {
    pub const ALL: [NarrativeBeat; 5] = [
        NarrativeBeat::Establishment,
        NarrativeBeat::Complication,
        NarrativeBeat::Escalation,
        NarrativeBeat::Pivot,
        NarrativeBeat::Resolution,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            NarrativeBeat::Establishment => "establishment",
            NarrativeBeat::Complication => "complication",
            NarrativeBeat::Escalation => "escalation",
            NarrativeBeat::Pivot => "pivot",
            NarrativeBeat::Resolution => "resolution",
        }
    }

    /// Its place among all of them, counted from 0.
    pub fn index(self) -> usize {
        self as usize
    }
}

/// A moment that the author wants to happen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EpisodeCue {
    pub id: String,
    /// What the character is asked to do.
    pub instruction: String,
    /// From which turn on it should happen, and by which it must.
    pub turn: u32,
    pub deadline: u32,
    pub priority: i32,
    pub weight: u32,
    /// What must have happened before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needs_cues: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needs_flags: Vec<String>,
    /// The tension in which it fits, 0 to 100, both included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tension: Option<(u8, u8)>,
    /// By how much it should move the tension.
    #[serde(default, skip_serializing_if = "is_still")]
    pub moves: i32,
    /// It waits for no pace: the story hangs on it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_key: bool,
    /// After which it can no longer happen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unless: Option<EpisodeCondition>,
    /// How it is seen that it has happened.
    pub landed: EpisodeCondition,
    /// The flag that it sets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sets: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choice: Option<Choice>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands it a reference")]
fn is_still(moves: &i32) -> bool {
    *moves == 0
}

/// What the user may choose between, once its cue has happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    pub id: String,
    pub prompt: String,
    pub options: Vec<ChoiceOption>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChoiceOption {
    pub id: String,
    /// It becomes the user's message.
    pub label: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sets: Option<String>,
}

/// A flag, and what sets it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FlagRule {
    pub flag: String,
    pub when: EpisodeCondition,
}

/// What the character is told once a flag is set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Injection {
    pub if_flag: String,
    pub inject: String,
}

/// One of the ways in which an episode can come out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WrittenEnding {
    pub id: String,
    pub when: EpisodeCondition,
    pub priority: i32,
    pub text: String,
}

/// An evaluation that an author has written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenEvaluation {
    /// What the model is asked.
    pub prompt: String,
    /// The keys of the result, each with its JSON Schema, and a `default` for when no model gives it.
    pub schema: serde_json::Map<String, serde_json::Value>,
}

/// Something that is read out of an exchange or follows from the state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EpisodeCondition {
    /// It is so as soon as it was asked for.
    Automatic,
    /// The user says one of these words or phrases.
    Keyword(Vec<String>),
    /// The character says one of these.
    Said(Vec<String>),
    /// So many turns are over.
    Turn(u32),
    Flag(String),
    /// A sentence about the user or the character that has become true: "the user accuses Vale".
    Semantic(String),
}
