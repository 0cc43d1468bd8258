//! One tiny call to each model, to see whether it answers.

use std::{sync::Arc, time::Instant};

use enact_drama::{
    Problem,
    request::{Message, MessageRole, Request},
    usage::NanoUsd,
};
use enact_engine::Model;
use tokio::task::JoinSet;

use super::listing::{CheckedModel, ModelListing};
use crate::models::ModelFactory;

/// Room for "OK", and for those who think before they say it.
const MAX_TOKENS: u32 = 256;

/// A model that says OK later than this is of no use on a stage.
const CALL_TIMEOUT_MS: u64 = 30_000;

/// Calls all language models of a listing at once.
pub(super) async fn check(listing: &mut ModelListing, models: &ModelFactory<'_>) {
    let mut calls = JoinSet::new();
    for (index, listed) in listing.models.iter_mut().enumerate().filter(|(_, listed)| !listed.built_in) {
        match models.make(&listed.name, "is to be checked").await {
            Ok((_, model)) => {
                calls.spawn(async move { (index, call(&*model).await) });
            }
            Err(error) => listed.check = Some(refused(&error)),
        }
    }
    for (index, checked) in calls.join_all().await {
        listing.models[index].check = Some(checked);
    }
}

async fn call(model: &dyn Model) -> CheckedModel {
    // A provider that refuses the key says so here, with a better hint than a failed call has.
    match model.check().await {
        Ok(()) => ask(model).await,
        Err(problem) => refused(&problem.into()),
    }
}

async fn ask(model: &dyn Model) -> CheckedModel {
    let words: Arc<str> = "Reply with OK.".into();
    let request = Request {
        system: vec![words.clone()],
        thread: vec![Message { role: MessageRole::User, text: words }],
        max_tokens: MAX_TOKENS,
        timeout_ms: CALL_TIMEOUT_MS,
        ..Request::default()
    };
    let began = Instant::now();
    let answer = model.answer(request).await;
    let ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    match answer {
        Ok(answer) => {
            let price = model.card().price;
            let usd = answer.usage.and_then(|usage| usage.cost(price)).map(NanoUsd::usd);
            CheckedModel { ok: true, ms, usd, ..CheckedModel::default() }
        }
        Err(failure) => CheckedModel { ms, error: Some(failure.error), ..CheckedModel::default() },
    }
}

fn refused(error: &anyhow::Error) -> CheckedModel {
    let hint = error.downcast_ref::<Problem>().and_then(|problem| problem.hint.clone());
    CheckedModel { error: Some(error.to_string()), hint, ..CheckedModel::default() }
}
