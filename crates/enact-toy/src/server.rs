//! The one route that only an echo has. Everything else about its runs is there already.

use axum::{http::Method, response::Response};
use enact_drama::{Name, RunId};
use enact_engine::Model;
use enact_models::Improviser;
use enact_server::{
    Api, Route, ServerProduction,
    access::Scope,
    error::Refusal,
    input::malformed,
    submission::{Submission, begun},
};
use uuid::Uuid;

use crate::{Echo, EchoEvent};

/// Echoes over HTTP.
#[derive(Debug)]
pub struct Echoes;

impl ServerProduction for Echoes {
    fn routes(&self, api: &Api) -> Vec<Route> {
        vec![Route::new(Method::POST, Scope::Run, "/v1/echoes", begin, api)]
    }

    fn document(&self) -> utoipa::openapi::OpenApi {
        utoipa::openapi::OpenApi::default()
    }
}

#[derive(serde::Deserialize)]
struct NewEcho {
    valley: Name,
}

async fn begin(submission: Submission) -> Result<Response, Refusal> {
    if let Some(placed) = submission.made_before().await? {
        return Ok(begun(placed));
    }
    let NewEcho { valley } = serde_json::from_slice(&submission.body).map_err(|error| malformed(&error))?;
    submission.enter_queue().await?;
    let models = [("improviser".to_owned(), Improviser::default().card())].into();
    let first = EchoEvent::EchoBegan { run: RunId(Uuid::now_v7()), valley, models };
    Ok(begun(submission.submit::<Echo>(first).await?))
}
