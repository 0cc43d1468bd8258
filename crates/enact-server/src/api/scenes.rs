//! Runs that begin: a scene, or a branch of one.

use std::collections::BTreeMap;

use axum::{
    Extension, Json as Answer,
    extract::State,
    http::{HeaderMap, StatusCode, Uri, header::LOCATION},
    response::{IntoResponse, Response},
};
use enact_drama::{
    Name, Problem, RunId,
    scene::{SceneConfig, SceneFormat, read_scene},
};
use enact_engine::node::Placed;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::{
    access::Caller,
    error::{Code, Refusal},
    input::{JsonText, Run, malformed},
    openapi::scene::SceneConfig as SceneConfigSchema,
    orders::{order, placed_before, tell_repeated},
    routes::Api,
};

/// A scene to be played.
#[derive(Debug, ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes what `Wanted` reads, whose parts are still text")]
pub(crate) struct NewScene {
    config: SceneConfigSchema,
    /// Characters' sheets by name, in markdown. They come before those of the same name in the server's project; whoever has
    /// none here has to have one there.
    #[schema(example = json!({
        "alice": "# Alice - Project Manager\n\n## Personality\n- Calm until deadlines are near\n",
        "bob": "# Bob - Developer\n\n## Personality\n- Proud of his work, sorry when it breaks\n",
    }))]
    sheets: Option<BTreeMap<String, String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with a config and perhaps sheets")]
struct Wanted<'a> {
    #[serde(borrow)]
    config: &'a RawValue,
    sheets: Option<BTreeMap<String, String>>,
}

/// Where a run branches off.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, expecting = "an object with a beat and perhaps a seed")]
#[schema(as = NewFork)]
pub(crate) struct Branch {
    /// The last beat that both runs share. It has to have been played to its end.
    #[schema(example = 6)]
    beat: u32,
    /// What chance is made of from there on. Another one each time, if nothing is said.
    seed: Option<u64>,
}

/// A run that waits to be played.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = RunBegun)]
pub(crate) struct Begun {
    #[schema(value_type = String, format = "uuid", example = "0199f2a4-6a3e-7cc1-8a55-0f4c9b1d2e3f")]
    run_id: RunId,
}

/// Play a scene
///
/// The run waits in the queue until a node plays it, which is at once unless all of them are busy. Follow it at
/// `/v1/runs/{id}/events`.
///
/// With an `Idempotency-Key` the request can be repeated, after a lost connection say: it makes one run, and the answers
/// after the first say `Idempotent-Replayed: true`.
#[utoipa::path(
    post, path = "/v1/scenes", operation_id = "playScene", tag = "runs", request_body = NewScene,
    params(("Idempotency-Key" = Option<String>, Header, max_length = 255,
            description = "A name of your own for this request, so that it can be repeated.")),
    responses((status = 202, description = "It will be played.", body = Begun,
        headers(("Location" = String, description = "Where the run is."),
                ("Idempotent-Replayed" = Option<String>, description = "`true` if this was asked for before.")))),
)]
pub(crate) async fn play(
    State(api): State<Api>,
    uri: Uri,
    caller: Option<Extension<Caller>>,
    headers: HeaderMap,
    JsonText(body): JsonText,
) -> Result<Response, Refusal> {
    let order = order(uri.path(), caller.as_ref().map(|caller| &caller.0), &headers, &body)?;
    if let Some(placed) = placed_before(&api, order.as_ref()).await? {
        return Ok(begun(placed));
    }
    let (config, sheets) = read(&body)?;
    api.queue.enter(&**api.node.store()).await?;
    let setup = api.node.project().cast(config, sheets).await?;
    Ok(begun(api.node.submit(setup, order).await?))
}

/// Branch a run
///
/// A new run that shares everything through the end of a beat with this one, and goes on from there with a seed of its own.
/// What the shared beats had cost is listed apart.
///
/// With an `Idempotency-Key` the request can be repeated, as one to play a scene can.
#[utoipa::path(
    post, path = "/v1/runs/{id}/fork", operation_id = "forkRun", tag = "runs", request_body = Branch,
    params(("id" = String, Path, format = "uuid", description = "The run."),
           ("Idempotency-Key" = Option<String>, Header, max_length = 255,
            description = "A name of your own for this request, so that it can be repeated.")),
    responses((status = 202, description = "It will be played.", body = Begun,
        headers(("Location" = String, description = "Where the new run is."),
                ("Idempotent-Replayed" = Option<String>, description = "`true` if this was asked for before.")))),
)]
pub(crate) async fn fork(
    State(api): State<Api>,
    Run(run): Run,
    uri: Uri,
    caller: Option<Extension<Caller>>,
    headers: HeaderMap,
    JsonText(body): JsonText,
) -> Result<Response, Refusal> {
    let order = order(uri.path(), caller.as_ref().map(|caller| &caller.0), &headers, &body)?;
    if let Some(placed) = placed_before(&api, order.as_ref()).await? {
        return Ok(begun(placed));
    }
    let branch: Branch = serde_json::from_slice(&body).map_err(|error| malformed(&error))?;
    api.queue.enter(&**api.node.store()).await?;
    let forked = api.node.fork(run, branch.beat, branch.seed, order).await.map_err(Refusal::unwanted)?;
    Ok(begun(forked))
}

fn begun(placed: Placed) -> Response {
    let run_id = placed.run;
    let location = [(LOCATION, format!("/v1/runs/{run_id}"))];
    let mut response = (StatusCode::ACCEPTED, location, Answer(Begun { run_id })).into_response();
    tell_repeated(&mut response, placed);
    response
}

fn read(body: &[u8]) -> Result<(SceneConfig, Vec<(Name, String)>), Refusal> {
    let wanted: Wanted<'_> = serde_json::from_slice(body).map_err(|error| malformed(&error))?;
    let text = wanted.config.get();
    let config = read_scene(text, SceneFormat::Json).map_err(|problem| in_body(problem, text, body))?;
    let sheets = wanted.sheets.unwrap_or_default().into_iter().map(|(name, text)| {
        let name = Name::new(name)
            .map_err(|error| Refusal::new(Code::CharacterLoadError, format!("sheet name {error}")))?;
        Ok((name, text))
    });
    Ok((config, sheets.collect::<Result<_, Refusal>>()?))
}

/// Says where in the body a problem is that was found in a part of it.
fn in_body(mut problem: Problem, part: &str, body: &[u8]) -> Problem {
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
            let refusal = read(body.as_bytes()).unwrap_err();
            assert_eq!(refusal.code, Code::InvalidConfig, "{body}");
            assert_eq!(
                (&refusal.context["line"], &refusal.context["column"]),
                (&line.into(), &column.into()),
                "{body}"
            );
            assert_eq!(refusal.context["hint"], "did you mean 'prompt'?");
        }
    }
}
