//! `POST /v1/scenes`: scenes that begin.

use std::collections::BTreeMap;

use axum::{extract::State, response::Response};
use enact_drama::{
    Name, Problem,
    budget::Budget,
    scene::{Scene, SceneConfig, SceneFormat, SceneSetup, choose_voices::Voices, read_scene},
    sheet::Sheet,
    usage::NanoUsd,
};
use serde::Deserialize;
use serde_json::{Value, value::RawValue};
use utoipa::{
    ToSchema,
    openapi::{
        Object, ObjectBuilder, OpenApi, RefOr, Schema, Type,
        schema::{AdditionalProperties, ArrayItems},
    },
};

use super::{SceneState, carry_into_scene};
use crate::{
    error::{ApiError, ErrorCode, PROVIDED},
    extract::read_body,
    run_request::{RunAccepted, RunRequest},
};

/// What a plain name is, for those who read the document.
const NAME_PATTERN: &str = "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$";
/// The rules count bytes, of which a text has at least as many as characters.
const LONGEST_GOAL: usize = 4096;

/// A scene to be played.
#[derive(Debug, ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes what `RawNewScene` reads, whose parts are still text")]
pub(super) struct NewScene {
    config: SceneConfig,
    /// Characters' sheets by name, in markdown. They come before those of the same name in the server's
    /// project; a character without one here has to have one there.
    #[schema(example = json!({
        "alice": "# Alice - Project Manager\n\n## Personality\n- Calm until deadlines are near\n",
        "bob": "# Bob - Developer\n\n## Personality\n- Proud of his work, sorry when it breaks\n",
    }))]
    sheets: Option<BTreeMap<String, String>>,
    /// How characters sound, by name, instead of what their sheets say: one of `voices` of `/v1/project`, perhaps
    /// with a variant from 0 to 9.
    #[schema(example = json!({ "alice": "calm_soothing", "bob": "deep_authoritative 2" }))]
    voices: Option<BTreeMap<String, String>>,
    budget: Option<RequestedBudget>,
}

/// What a run may use at most; less where the server allows less.
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, expecting = "an object with usd or tokens")]
pub(super) struct RequestedBudget {
    /// In US dollars.
    #[schema(minimum = 0.000001, maximum = 1000000, example = 0.5)]
    usd: Option<f64>,
    #[schema(minimum = 1, example = 50000)]
    tokens: Option<u64>,
}

impl RequestedBudget {
    fn read(self) -> Result<Budget, ApiError> {
        let refused = |message: &str| ApiError::from(Problem::config(message).in_field("budget"));
        if self.usd.is_some_and(|usd| !(0.000_001..=1_000_000.0).contains(&usd)) {
            return Err(refused("budget: usd must be from 0.000001 to 1000000"));
        }
        if self.tokens == Some(0) {
            return Err(refused("budget: tokens must be at least 1"));
        }
        let cost = self.usd.map(|usd| NanoUsd((usd * 1e9).round() as u64));
        Ok(Budget { cost, tokens: self.tokens })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with a config and perhaps sheets")]
struct RawNewScene<'a> {
    #[serde(borrow)]
    config: &'a RawValue,
    sheets: Option<BTreeMap<String, String>>,
    voices: Option<BTreeMap<String, String>>,
    budget: Option<RequestedBudget>,
}

/// Play a scene
///
/// The run waits in the queue until a node plays it, which is at once unless all of them are busy. Follow it
/// at `/v1/runs/{id}/events`.
///
/// With an `Idempotency-Key` the request can be repeated, after a lost connection say: it makes one run, and
/// the answers after the first say `Idempotent-Replayed: true`.
#[utoipa::path(
    post, path = "/v1/scenes", operation_id = "playScene", tag = "runs", request_body = NewScene,
    params(("Idempotency-Key" = Option<String>, Header, min_length = 1, max_length = 255,
            description = "A name of your own for this request, so that it can be repeated.")),
    responses((status = 202, description = "It will be played.", body = RunAccepted,
        headers(("Location" = String, description = "Where the run is."),
                ("Idempotent-Replayed" = Option<String>, description = "`true` if this was asked for before.")))),
)]
pub(super) async fn post_scene(
    State(state): State<SceneState>,
    request: RunRequest,
) -> Result<Response, ApiError> {
    let made = request.once(async {
        // What cannot be read takes no place in the queue.
        read(&request.body)?;
        request.enter_queue().await?;
        let mut setup = cast(&state, &request.body).await?;
        let account = request.submitter().account;
        carry_into_scene(state.api.node().store(), &account, &mut setup).await?;
        Ok(request.submit::<Scene>(Scene::beginning(setup), None).await?)
    });
    Ok(made.await?.accepted())
}

/// A scene as it was asked for.
pub(super) struct ReadScene {
    config: SceneConfig,
    sheets: Vec<(Name, String)>,
    voices: BTreeMap<String, String>,
    budget: Budget,
}

/// Makes a scene of a request, with the voices that it wants.
pub(super) async fn cast(state: &SceneState, body: &[u8]) -> Result<SceneSetup, ApiError> {
    let ReadScene { config, sheets, voices, budget } = read(body)?;
    let cast = state.preparer.cast(config, sheets, budget).await;
    let mut setup = cast.map_err(|problem| with_config(problem.into(), body))?;
    for (name, voice) in voices {
        let refused = |message: String| ApiError::from(Problem::config(message).in_field("voices"));
        let role = setup.cast.iter_mut().find(|role| role.name.as_str() == name);
        let role =
            role.ok_or_else(|| refused(format!("voices: '{}' is not in the cast", name.escape_debug())))?;
        if let Some(note) = Voices::cast([(role.name.clone(), Some(voice.clone()))]).notes.pop() {
            return Err(refused(format!("voices: {note}")));
        }
        let voiced = Sheet::with_voice(role.name.as_str(), &role.sheet, &voice);
        role.sheet = voiced.map_err(|problem| ApiError::from(problem.in_field("voices")))?;
    }
    Ok(setup)
}

pub(super) fn read(body: &[u8]) -> Result<ReadScene, ApiError> {
    let scene: RawNewScene<'_> = read_body(body)?;
    let text = scene.config.get();
    let config = read_scene(text, SceneFormat::Json)
        .map_err(|problem| with_config(offset_into_body(problem, text, body).into(), body))?;
    let sheets = scene.sheets.unwrap_or_default().into_iter().map(|(name, text)| {
        let name = Name::new(name)
            .map_err(|error| ApiError::new(ErrorCode::CharacterLoadError, format!("sheet name {error}")))
            .map_err(|error| error.with("field", "sheets"))?;
        Ok((name, text))
    });
    let sheets = sheets.collect::<Result<_, ApiError>>()?;
    let budget = scene.budget.unwrap_or_default().read()?;
    Ok(ReadScene { config, sheets, voices: scene.voices.unwrap_or_default(), budget })
}

/// Shows a config that makes no scene as it was sent, without what was added to it here.
pub(super) fn with_config(error: ApiError, body: &[u8]) -> ApiError {
    if error.code != ErrorCode::InvalidConfig {
        return error;
    }
    let mut sent: Value = serde_json::from_slice(body).unwrap_or_default();
    match sent.get_mut("config").map(Value::take) {
        Some(config) => error.with(PROVIDED, config),
        None => error,
    }
}

/// The reader of scenes refuses keys that it does not know; serde does not, because logs hold scenes of later
/// versions too. And it knows how long a goal may be, and what a name is.
pub(super) fn describe_config(document: &mut OpenApi) {
    let schemas = document.components.as_mut().map(|components| &mut components.schemas);
    if let Some(RefOr::T(Schema::Object(scene))) = schemas.and_then(|schemas| schemas.get_mut("SceneConfig"))
    {
        scene.additional_properties = Some(Box::new(AdditionalProperties::FreeForm(false)));
        let name = string().pattern(Some(NAME_PATTERN)).build();
        describe_items(scene, "characters", name);
        describe_items(scene, "goals", string().min_length(Some(1)).max_length(Some(LONGEST_GOAL)).build());
    }
}

fn string() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String)
}

fn describe_items(scene: &mut Object, key: &str, item: Object) {
    if let Some(RefOr::T(Schema::Array(list))) = scene.properties.get_mut(key) {
        list.items = ArrayItems::RefOrSchema(Box::new(item.into()));
    }
}

/// Moves the place of a problem in a part of the body to its place in the body.
fn offset_into_body(mut problem: Problem, part: &str, body: &[u8]) -> Problem {
    // The part was borrowed from the body.
    let offset = (part.as_ptr() as usize).saturating_sub(body.as_ptr() as usize);
    if let (Some(place), Some(before)) = (&mut problem.place, body.get(..offset)) {
        let before = String::from_utf8_lossy(before);
        if place.line == 1 {
            place.column += before.rsplit('\n').next().unwrap_or_default().chars().count();
        }
        place.line += before.matches('\n').count();
    }
    problem
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_are_placed_in_the_body() {
        for (body, line, column) in [
            (r#"{"config": {"promt": "x"}}"#, 1, 13),
            ("{\n  \"sheets\": {\"é\": \"\"}, \"config\": {\n    \"promt\": 1}}", 3, 5),
            ("{\"sheets\": {},\n \"config\": {\"promt\": 1}}", 2, 13),
        ] {
            let Err(error) = read(body.as_bytes()) else { panic!("{body}") };
            assert_eq!(error.code, ErrorCode::InvalidConfig, "{body}");
            assert_eq!(
                (&error.context["line"], &error.context["column"]),
                (&line.into(), &column.into()),
                "{body}"
            );
            assert_eq!(error.context["hint"], "did you mean 'prompt'?");
        }
    }
}
