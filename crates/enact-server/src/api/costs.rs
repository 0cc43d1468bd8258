//! `GET /v1/costs` and `/v1/runs/{id}/costs`: what runs cost.

use std::collections::BTreeMap;

use axum::{Json, extract::State};
use enact_drama::{RunId, report::Costs, usage::Usage};
use enact_engine::log::Status;
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::runs::to_rfc3339;
use crate::{
    cost_index::{CostEntry, CostReport, CostSum},
    error::ApiError,
    extract::{Query, Run},
    reports::report,
    routes::ApiState,
    visibility::Viewer,
};

/// How many groups an answer holds; the total counts all of them.
const MOST_GROUPS: usize = 1_000;

/// Which runs are added up, and by what.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub(crate) struct CostsQuery {
    /// What calls are grouped by: `run` (the default), `character` (in other productions: who is
    /// asked), `model`, `purpose` (what a call was for, in the words of its production) or `day` (on which
    /// the run was started, in UTC).
    #[param(inline, example = "model")]
    by: CostsBy,
    /// Only runs that were started at this moment or later: a day (`2026-03-01`, from its first moment in
    /// UTC) or a time (`2026-03-01T12:00:00Z`).
    #[param(example = "2026-03-01")]
    from: Option<String>,
    /// Only runs that were started before this moment.
    #[param(example = "2026-04-01")]
    to: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum CostsBy {
    #[default]
    Run,
    Character,
    Model,
    Purpose,
    Day,
}

/// What one run cost.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RunCosts {
    run_id: RunId,
    /// What it costs may still grow until it is `finished`.
    #[schema(example = "finished")]
    status: Status,
    costs: Costs,
}

/// What many runs cost.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AllCosts {
    by: CostsBy,
    /// At most 1,000 of them; of runs and days the newest.
    groups: Vec<CostGroup>,
    /// All calls of all runs, those beyond the last group among them.
    total: CostAccount,
    /// How many runs were added up: all that have come further than their beginning.
    runs: usize,
    /// How many of them could not be read by this version of enact. What they cost is unknown.
    unreadable: usize,
    /// False if there was too much to add up at once: ask again, and more of it will be there.
    complete: bool,
}

/// The calls that belong together.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CostGroup {
    /// The run, character, model, purpose or day. Null for hidden calls, which are no character's.
    #[schema(required, example = "improviser")]
    key: Option<String>,
    /// What is played, where the group is one run: its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(flatten)]
    account: CostAccount,
}

/// What some calls came to.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CostAccount {
    /// All calls.
    calls: u64,
    /// The tokens that are known of; null when no call told.
    #[schema(required)]
    total_tokens: Option<u64>,
    /// What all of it cost; null when a price is unknown.
    #[serde(rename = "estimatedUSD")]
    #[schema(required)]
    estimated_usd: Option<f64>,
    /// What is known of it.
    #[serde(rename = "knownUSD")]
    known_usd: f64,
    /// Calls that did not tell, or not wholly, what they used: no figure holds them.
    unaccounted: u64,
    usage: Usage,
}

/// What a run cost
///
/// So far, if it goes on.
#[utoipa::path(
    get, path = "/v1/runs/{id}/costs", operation_id = "getRunCosts", tag = "costs",
    params(("id" = String, Path, format = "uuid", description = "The run.")),
    responses((status = 200, description = "What it cost.", body = RunCosts)),
)]
pub(crate) async fn of_run(State(api): State<ApiState>, Run(run): Run) -> Result<Json<RunCosts>, ApiError> {
    let costs = report(&api.node, run.run, |report| report.costs()).await?;
    Ok(Json(RunCosts { run_id: run.run, status: run.status, costs }))
}

/// What all runs cost
///
/// Added up by run, character, model, purpose or day, as far as the caller may see the runs. What a fork
/// shares with the run it was forked from is counted once.
#[utoipa::path(
    get, path = "/v1/costs", operation_id = "getCosts", tag = "costs", params(CostsQuery),
    responses((status = 200, description = "What they cost.", body = AllCosts)),
)]
pub(crate) async fn of_all(
    State(api): State<ApiState>,
    viewer: Viewer,
    Query(query): Query<CostsQuery>,
) -> Result<Json<AllCosts>, ApiError> {
    let from = query.from.as_deref().map_or(Ok(i64::MIN), |text| timestamp("from", text))?;
    let to = query.to.as_deref().map_or(Ok(i64::MAX), |text| timestamp("to", text))?;
    let added =
        api.cost_index.totals(&api.node, &viewer, from..to, move |report| all_costs(report, query.by));
    Ok(Json(added.await?))
}

fn all_costs(report: &CostReport, by: CostsBy) -> AllCosts {
    let mut total = CostSum::default();
    let mut groups: BTreeMap<Option<String>, (Option<String>, CostSum)> = BTreeMap::new();
    for entry in &report.entries {
        let Some(costs) = &entry.costs else { continue };
        total = total.plus(&costs.total());
        for (key, sum) in parts(entry, by) {
            let name = (by == CostsBy::Run).then(|| entry.name.clone());
            let (_, group) = groups.entry(key).or_insert_with(|| (name, CostSum::default()));
            *group = group.plus(&sum);
        }
    }
    let groups = groups.into_iter().map(|(key, (name, sum))| CostGroup { key, name, account: sum.into() });
    // Ids of runs and days grow with time.
    let groups = match by {
        CostsBy::Run | CostsBy::Day => groups.rev().take(MOST_GROUPS).collect(),
        CostsBy::Character | CostsBy::Model | CostsBy::Purpose => groups.take(MOST_GROUPS).collect(),
    };
    AllCosts {
        by,
        groups,
        total: total.into(),
        runs: report.entries.len(),
        unreadable: report.entries.iter().filter(|entry| entry.costs.is_none()).count(),
        complete: report.complete,
    }
}

/// The groups that a run belongs to, with its part of their costs.
fn parts(entry: &CostEntry, by: CostsBy) -> Vec<(Option<String>, CostSum)> {
    let Some(costs) = &entry.costs else { return Vec::new() };
    let each = |sums: &BTreeMap<String, CostSum>| {
        sums.iter().map(|(key, sum)| (Some(key.clone()), *sum)).collect::<Vec<_>>()
    };
    match by {
        CostsBy::Run => vec![(Some(entry.run.to_string()), costs.total())],
        CostsBy::Day => vec![(Some(to_rfc3339(entry.started_at)[..DATE_LENGTH].to_owned()), costs.total())],
        CostsBy::Model => each(&costs.by_model),
        CostsBy::Purpose => each(&costs.by_purpose),
        CostsBy::Character => {
            let mut parts = each(&costs.by_character);
            parts.extend((costs.hidden.calls > 0).then_some((None, costs.hidden)));
            parts
        }
    }
}

/// The length of `2026-03-01`, with which a timestamp begins.
const DATE_LENGTH: usize = 10;

/// UTC milliseconds of a parameter that is a day or a time.
fn timestamp(what: &str, text: &str) -> Result<i64, ApiError> {
    let day = || text.parse::<Date>().ok()?.to_zoned(TimeZone::UTC).ok().map(|day| day.timestamp());
    let moment = text.parse::<Timestamp>().ok().or_else(day);
    moment.map(Timestamp::as_millisecond).ok_or_else(|| {
        let message = format!("{what} must be a day (2026-03-01) or a time (2026-03-01T12:00:00Z)");
        ApiError::parameter(what, text, message)
    })
}

impl From<CostSum> for CostAccount {
    fn from(sum: CostSum) -> CostAccount {
        let known_usd = sum.nano_usd as f64 / 1e9;
        CostAccount {
            calls: sum.calls,
            total_tokens: if sum.calls == 0 { Some(0) } else { sum.tokens },
            estimated_usd: (sum.unknown == 0).then_some(known_usd),
            known_usd,
            unaccounted: sum.unaccounted,
            usage: sum.usage,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_days_or_times() {
        for (text, expected) in [
            ("1970-01-02", Some(86_400_000)),
            ("1970-01-01T00:00:01Z", Some(1_000)),
            ("1970-01-01T01:00:00+01:00", Some(0)),
            ("yesterday", None),
            ("", None),
            ("2026-13-01", None),
            ("-009999-01-01", None),
        ] {
            assert_eq!(timestamp("from", text).ok(), expected, "{text}");
        }
    }

    #[test]
    fn what_is_unknown_is_never_taken_for_zero() {
        let known = CostSum { calls: 2, tokens: Some(10), nano_usd: 500, ..CostSum::default() };
        let unpriced = CostSum { calls: 1, tokens: Some(7), unknown: 1, ..CostSum::default() };
        let silent = CostSum { calls: 1, tokens: None, unknown: 1, unaccounted: 1, ..CostSum::default() };
        let account = CostAccount::from(known.plus(&unpriced).plus(&silent));
        assert_eq!((account.calls, account.total_tokens, account.unaccounted), (4, Some(17), 1));
        assert_eq!((account.estimated_usd, account.known_usd), (None, 5e-7));
        assert_eq!(CostAccount::from(silent).total_tokens, None);
        assert_eq!(CostAccount::from(CostSum::default()).total_tokens, Some(0));
        assert_eq!(CostAccount::from(known).estimated_usd, Some(5e-7));
    }
}
