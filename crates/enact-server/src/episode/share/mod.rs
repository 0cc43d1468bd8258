//! Results that their owners pass on: whoever has the id may see the card, and nothing else, until it is
//! taken back.

pub(super) mod page;
#[cfg(feature = "share-images")]
pub(super) mod picture;

use axum::{Json, extract::State, http::StatusCode};
use enact_drama::{RunId, episode::report::ResultCard};
use enact_engine::{log::RunSummary, store::RowQuery};
use serde_json::Value;

pub(super) use self::page::PublicUrl;
#[cfg(feature = "share-images")]
pub(super) use self::picture::Pictures;
use super::{EpisodeState, NO_RESULT, sessions::is_episode};
use crate::{
    error::ApiError,
    extract::{PathParams, Run},
    routes::ApiState,
};

/// The longest id that is looked for.
const LONGEST_ID: usize = 128;

/// How often a result was looked at, and whether its owner has taken it back: counters of the session.
const VIEWS: &str = "share_views";
const REVOKED: &str = "share_revoked";

/// A result that is shared.
pub(super) struct SharedResult {
    pub(super) run: RunId,
    /// The row of it, which holds nothing that others may not see.
    pub(super) told: Value,
    views: i64,
}

impl SharedResult {
    /// The result under an id; nothing if there is none, or it was taken back.
    pub(super) async fn find(api: &ApiState, id: &str) -> Result<Option<SharedResult>, ApiError> {
        // A database cannot even look for some texts.
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        if id.is_empty() || id.len() > LONGEST_ID || !id.bytes().all(plain) {
            return Ok(None);
        }
        let (kind, key) = ("share".to_owned(), Some(id.to_owned()));
        let wanted = RowQuery { kind, key, most: 1, ..RowQuery::default() };
        let Some(row) = api.node().store().rows(&wanted).await?.into_iter().next() else { return Ok(None) };
        let counters = api.node().store().counters(row.run).await?;
        let counter = |name: &str| counters.get(name).copied().unwrap_or_default();
        if counter(REVOKED) > 0 {
            return Ok(None);
        }
        let Ok(told) = serde_json::from_str(&row.row.body) else { return Ok(None) };
        Ok(Some(SharedResult { run: row.run, told, views: counter(VIEWS) }))
    }

    pub(super) async fn existing(api: &ApiState, id: &str) -> Result<SharedResult, ApiError> {
        SharedResult::find(api, id)
            .await?
            .ok_or_else(|| ApiError::new(NO_RESULT, "there is no result under this id, or no longer"))
    }

    /// One more has looked at it.
    pub(super) async fn count(&self, api: &ApiState) -> Result<(), ApiError> {
        api.node().store().add_to_counter(self.run, VIEWS, 1).await?;
        Ok(())
    }

    /// As programs read it.
    pub(super) fn into_json(self) -> Value {
        let mut told = self.told;
        if let Some(told) = told.as_object_mut() {
            told.insert("share_count".to_owned(), self.views.into());
        }
        told
    }

    fn card(&self) -> ResultCard {
        serde_json::from_value(self.told["card"].clone()).unwrap_or_default()
    }
}

/// Show a shared result
///
/// The result of a session alone, by the id under which it is shared: `evaluation_type`, `result`, `card`,
/// `share_count`. Whoever has the id may read it, until its owner takes it back.
#[utoipa::path(
    get, path = "/v1/share/{id}", operation_id = "showSharedResult", tag = "episodes",
    params(("id" = String, Path, description = "The `share_id`.")),
    responses((status = 200, description = "The result.", body = Object)),
)]
pub(super) async fn result(
    State(api): State<ApiState>,
    PathParams(id): PathParams<String>,
) -> Result<Json<Value>, ApiError> {
    Ok(Json(SharedResult::existing(&api, &id).await?.into_json()))
}

/// Take a shared result back
///
/// From now on nobody finds it under its id: not the page, not its picture. `POST` shares it again.
#[utoipa::path(
    delete, path = "/v1/sessions/{id}/share", operation_id = "revokeShare", tag = "episodes",
    params(("id" = String, Path, format = "uuid", description = "The session.")),
    responses((status = 204, description = "It is not shared any more.")),
)]
pub(super) async fn revoke(State(state): State<EpisodeState>, Run(run): Run) -> Result<StatusCode, ApiError> {
    is_episode(&run)?;
    set_revoked(&state, &run, true).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Share a result again
///
/// A result is shared under its `share_id` from the beginning: this is for one that was taken back.
#[utoipa::path(
    post, path = "/v1/sessions/{id}/share", operation_id = "shareAgain", tag = "episodes",
    params(("id" = String, Path, format = "uuid", description = "The session.")),
    responses((status = 204, description = "It is shared.")),
)]
pub(super) async fn restore(
    State(state): State<EpisodeState>,
    Run(run): Run,
) -> Result<StatusCode, ApiError> {
    is_episode(&run)?;
    set_revoked(&state, &run, false).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn set_revoked(state: &EpisodeState, run: &RunSummary, revoked: bool) -> Result<(), ApiError> {
    let store = state.api.node().store();
    let now = store.counters(run.run).await?.get(REVOKED).copied().unwrap_or_default();
    let by = i64::from(revoked) - now;
    if by != 0 {
        store.add_to_counter(run.run, REVOKED, by).await?;
    }
    #[cfg(feature = "share-images")]
    state.pictures.forget(run.run);
    Ok(())
}
