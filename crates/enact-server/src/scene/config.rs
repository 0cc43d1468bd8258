//! What a scene may be told to be, for those who write clients.

use std::collections::BTreeMap;

use utoipa::ToSchema;

/// A scene: who is in it, what it is about, and when it is over.
///
/// `name`, `prompt` and `characters` are needed, everything else has a default.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "describes enact-drama's type of the same name, which knows nothing of HTTP")]
pub(super) struct SceneConfig {
    /// What the scene is called: letters, digits, `-` and `_`.
    #[schema(example = "the-apology", pattern = "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$")]
    name: String,
    /// The situation, in your own words: where everyone is, what has just happened, what is at stake. Every character is
    /// told it. A part that begins with `Scene goal:` says what should come of it.
    #[schema(
        example = "Alice and Bob meet at the office on Monday. Bob broke the release on Friday.\n\nScene goal: Bob apologizes and Alice accepts.",
        min_length = 1
    )]
    prompt: String,
    /// Who plays, by the names of their sheets: 2 to 12 characters.
    #[schema(example = json!(["alice", "bob"]), min_items = 2, max_items = 12)]
    characters: Vec<String>,
    /// Who opens the scene, alone. With nobody named, the first beat goes to all.
    #[schema(example = "bob")]
    initial_speaker: Option<String>,
    /// After how many beats the scene is over at the latest: 1 to 1,000, 50 if nothing is said. A beat is one round, in which
    /// everyone may answer.
    #[schema(minimum = 1, maximum = 1000, default = 50, example = 12)]
    max_beats: Option<i64>,
    /// Where and when it takes place.
    #[schema(example = "A meeting room, early in the morning")]
    setting: Option<String>,
    /// What has to happen for the scene to have reached its goal, a sentence each; at most 12. Without them the goals are
    /// read from the prompt.
    #[schema(example = json!(["Bob apologizes", "Alice accepts the apology"]), max_items = 12)]
    goals: Option<Vec<String>>,
    /// What you would like to happen: a text alone when the scene needs stirring, or a beat and a text for after that beat,
    /// whatever happens.
    #[schema(example = json!(["The phone rings.", { "beat": 3, "text": "The fire alarm goes off." }]), max_items = 1000)]
    events: Option<Vec<DeckEvent>>,
    /// How long everyone has for an answer, in seconds: up to 3,600, 30 if nothing is said.
    #[schema(exclusive_minimum = 0, maximum = 3600, default = 30.0, example = 30.0)]
    reply_timeout_seconds: Option<f64>,
    /// How many lines a model is shown that does not remember what it was told: 1 to 1,000, 10 if nothing is said.
    #[schema(minimum = 1, maximum = 1000, default = 10, example = 10)]
    window: Option<i64>,
    /// What chance is made of. The same seed gives the same scene as far as the models play along; the built-in
    /// improviser always does. Another one each time, if nothing is said.
    #[schema(example = 7)]
    seed: Option<u64>,
    /// The language the characters speak, in words. Theirs, if nothing is said.
    #[schema(example = "French")]
    language: Option<String>,
    /// Whether the transcript shows what those do who say nothing.
    #[schema(default = false)]
    stage_directions: Option<bool>,
    /// What becomes of an answer that does not follow the format: take the best reading (`salvage`, if nothing is said), ask
    /// once more (`retry`) or drop it (`ignore`).
    #[schema(inline, default = "salvage")]
    on_malformed: Option<OnMalformed>,
    /// Who is played by which of the server's models, whatever their sheets say.
    #[schema(example = json!({ "alice": "improviser" }))]
    models: Option<BTreeMap<String, String>>,
}

/// Something that may happen: a text, or a beat and a text.
#[derive(Debug, ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "describes enact-drama's type of the same name")]
pub(super) enum DeckEvent {
    /// When the scene stalls or loses its way.
    WhenNeeded(String),
    /// After this beat, whatever happens.
    AtBeat { beat: u32, text: String },
}

#[derive(Debug, ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "describes enact-drama's type of the same name")]
pub(super) enum OnMalformed {
    Salvage,
    Retry,
    Ignore,
}
