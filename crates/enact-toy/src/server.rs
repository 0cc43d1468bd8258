//! The one route that only an echo has. Everything else about its runs is there already.

use axum::response::Response;
use enact_drama::{Name, Production};
use enact_engine::{Model, node::new_run};
use enact_models::Improviser;
use enact_server::{
    ApiState, Route, ServerProduction,
    error::ApiError,
    extract::read_body,
    route,
    run_request::{RunAccepted, RunRequest},
};
use utoipa::ToSchema;

use crate::{Echo, EchoEvent};

/// Echoes over HTTP.
#[derive(Debug)]
pub struct Echoes;

impl ServerProduction for Echoes {
    fn name(&self) -> &'static str {
        Echo::NAME
    }
    fn routes(&self, api: &ApiState) -> Vec<Route> {
        vec![route!(POST "/v1/echoes", Run, begin, api)]
    }
}

/// Where to call.
#[derive(serde::Deserialize, ToSchema)]
struct NewEcho {
    #[schema(value_type = String, example = "eibsee")]
    valley: Name,
}

/// Call into a valley
#[utoipa::path(
    post, path = "/v1/echoes", operation_id = "beginEcho", tag = "runs", request_body = NewEcho,
    responses((status = 202, description = "It will be played.", body = RunAccepted)),
)]
async fn begin(request: RunRequest) -> Result<Response, ApiError> {
    let made = request.once(async {
        let NewEcho { valley } = read_body(&request.body)?;
        request.enter_queue().await?;
        let models = [("improviser".to_owned(), Improviser::default().card())].into();
        let first = EchoEvent::EchoBegan { run: new_run(), valley, models };
        Ok(request.submit::<Echo>(first, None).await?)
    });
    Ok(made.await?.accepted())
}
