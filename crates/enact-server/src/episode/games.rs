//! `/games`: bounded episodes as clients of an earlier product call them. Thin aliases: a game is a session
//! of the first episode of a series.

use axum::{Json as JsonResponse, extract::State, response::Response};
use enact_drama::production::ClientEvent;
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::{
    EpisodeState, NO_ANSWER, NO_GAME,
    guests::ClientAddress,
    messages::{NewMessage, say},
    sessions::{evaluation, setup_of, submit},
    share::SharedResult,
};
use crate::{
    access::Guest,
    error::ApiError,
    extract::{Json, PathParams, Run, read_body},
    run_request::RunRequest,
    visibility::Viewer,
};

/// How many turns clients assume where the author gave no number.
const ASSUMED_TURNS: u32 = 7;

/// Which version of a game is wanted.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub(super) struct NewGame {
    /// `m` or `f`: the series is called `<slug>-m` or `<slug>-f`, and else `<slug>`.
    #[schema(example = "f")]
    character_choice: Option<String>,
}

/// What a player says.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(expecting = "an object with a content")]
pub(super) struct GameMessage {
    #[schema(example = "Is this seat taken?", max_length = 4_000)]
    content: String,
}

impl From<GameMessage> for NewMessage {
    fn from(message: GameMessage) -> NewMessage {
        NewMessage { text: Some(message.content), ..NewMessage::default() }
    }
}

/// Start a game
///
/// `{session_id, anonymous_id, character_id, character_name, character_avatar_url, opening_line, turn_budget,
/// situation}`. `anonymous_id` is for guests who have none yet, and else null.
#[utoipa::path(
    post, path = "/games/{slug}/start", operation_id = "startGame", tag = "games", request_body = NewGame,
    params(("slug" = String, Path, description = "A series, or an episode.")),
    responses((status = 200, description = "It has begun.", body = Object)),
)]
pub(super) async fn start(
    State(state): State<EpisodeState>,
    PathParams(slug): PathParams<String>,
    viewer: Viewer,
    client: ClientAddress,
    request: RunRequest,
) -> Result<JsonResponse<Value>, ApiError> {
    let made = request.once(async {
        let NewGame { character_choice } = read_body(&request.body)?;
        state.guests.check_begin(&viewer, client)?;
        request.enter_queue().await?;
        let choice = character_choice.as_deref().unwrap_or("f");
        let names = [format!("{slug}-{choice}"), slug.clone()];
        let episode = state.preparer.entry_episode(&names).await;
        let missing = || ApiError::new(NO_GAME, format!("there is no game '{}'", slug.escape_debug()));
        submit(&state, &request, &episode.ok_or_else(missing)?).await
    });
    let setup = setup_of(&state.api, made.await?.run).await?;
    let template = &setup.template;
    Ok(JsonResponse(json!({
        "session_id": setup.run,
        "anonymous_id": viewer.guest().and_then(Guest::issued),
        "character_id": setup.character.name,
        "character_name": setup.character.display,
        "character_avatar_url": null,
        "opening_line": template.opening_line,
        "turn_budget": template.turn_limit().or(template.turn_budget).unwrap_or(ASSUMED_TURNS),
        "situation": template.situation,
    })))
}

/// Say something in a game
///
/// The whole answer at once: `{message_content, turn_count, turns_remaining, is_complete, mood}`.
#[utoipa::path(
    post, path = "/games/{slug}/{session}/message", operation_id = "playGame", tag = "games",
    request_body = GameMessage,
    params(("slug" = String, Path, description = "The game."),
           ("session" = String, Path, format = "uuid", description = "The session.")),
    responses((status = 200, description = "The answer.", body = Object)),
)]
pub(super) async fn message(
    State(state): State<EpisodeState>,
    viewer: Viewer,
    Run(run): Run,
    Json(message): Json<GameMessage>,
) -> Result<JsonResponse<Value>, ApiError> {
    let events = say(&state, &viewer, &run, message.into()).await?.collect().await?;
    let event = |name: &str| events.iter().find(|event| event.name == name).map(|event| &event.data);
    let Some(answer) = event("message_complete") else {
        let told = event("error").map_or(Value::Null, |error| error["error"].clone());
        return Err(ApiError::new(NO_ANSWER, "no answer came: send the message again").with("error", told));
    };
    Ok(JsonResponse(json!({
        "message_content": answer["content"],
        "turn_count": answer["director"]["turn_count"],
        "turns_remaining": answer["director"]["turns_remaining"],
        "is_complete": event("episode_complete").is_some(),
        "mood": answer["structured"]["mood"],
    })))
}

/// Say something in a game, and follow what comes of it
///
/// The events of `POST /v1/sessions/{id}/messages`, with `turn_count`, `turns_remaining` and `mood` also
/// beside the content, and `data: [DONE]` at the end.
#[utoipa::path(
    post, path = "/games/{slug}/{session}/message/stream", operation_id = "streamGame", tag = "games",
    request_body = GameMessage,
    params(("slug" = String, Path, description = "The game."),
           ("session" = String, Path, format = "uuid", description = "The session.")),
    responses((status = 200, description = "What happens, as it happens.", body = String,
               content_type = "text/event-stream")),
)]
pub(super) async fn stream(
    State(state): State<EpisodeState>,
    viewer: Viewer,
    Run(run): Run,
    Json(message): Json<GameMessage>,
) -> Result<Response, ApiError> {
    let events = say(&state, &viewer, &run, message.into()).await?;
    Ok(events.retold(flattened, "data: [DONE]\n\n").answer(&state.api))
}

/// Copies the director's fields to the top level, where these clients look for them.
fn flattened(event: &mut ClientEvent) {
    if event.name == "message_complete" {
        let (director, mood) = (event.data["director"].clone(), event.data["structured"]["mood"].clone());
        event.data["turn_count"] = director["turn_count"].clone();
        event.data["turns_remaining"] = director["turns_remaining"].clone();
        event.data["mood"] = mood;
    }
}

/// Show what a game came to
///
/// `{evaluation_type, result, share_id, share_url, character_id, character_name, series_id}`; 404 until it is
/// complete.
#[utoipa::path(
    get, path = "/games/{slug}/{session}/result", operation_id = "showGameResult", tag = "games",
    params(("slug" = String, Path, description = "The game."),
           ("session" = String, Path, format = "uuid", description = "The session.")),
    responses((status = 200, description = "The result.", body = Object)),
)]
pub(super) async fn result(
    State(state): State<EpisodeState>,
    Run(run): Run,
) -> Result<JsonResponse<Value>, ApiError> {
    let told = evaluation(&state.api, &run).await?;
    let setup = setup_of(&state.api, run.run).await?;
    Ok(JsonResponse(json!({
        "evaluation_type": told["evaluation_type"],
        "result": told["result"],
        "share_id": told["share_id"],
        "share_url": told["share_url"],
        "character_id": setup.character.name,
        "character_name": setup.character.display,
        "series_id": setup.template.series,
    })))
}

/// Show a shared result of a game
///
/// The same as `GET /v1/share/{id}`.
#[utoipa::path(
    get, path = "/games/r/{share}", operation_id = "showSharedGame", tag = "games",
    params(("share" = String, Path, description = "The `share_id`.")),
    responses((status = 200, description = "The result.", body = Object)),
)]
pub(super) async fn shared(
    State(state): State<EpisodeState>,
    PathParams(share): PathParams<String>,
) -> Result<JsonResponse<Value>, ApiError> {
    Ok(JsonResponse(SharedResult::existing(&state.api, &share).await?.into_json()))
}

/// Count a view of a shared result
///
/// `{success: true}`, and `share_count` is one more.
#[utoipa::path(
    post, path = "/games/r/{share}/view", operation_id = "countSharedGame", tag = "games",
    params(("share" = String, Path, description = "The `share_id`.")),
    responses((status = 200, description = "It is counted.", body = Object)),
)]
pub(super) async fn view(
    State(state): State<EpisodeState>,
    PathParams(share): PathParams<String>,
) -> Result<JsonResponse<Value>, ApiError> {
    SharedResult::existing(&state.api, &share).await?.count(&state.api).await?;
    Ok(JsonResponse(json!({ "success": true })))
}
