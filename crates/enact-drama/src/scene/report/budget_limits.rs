//! What a run was allowed to use, as programs read it.

use serde::{Deserialize, Serialize};

use crate::{
    budget::{Budget, Reserve},
    usage::NanoUsd,
};

/// What a run was allowed to use.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BudgetLimits {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usd: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// What the beat that no longer fitted could have needed at most.
    #[serde(rename = "nextBeatUSD", default, skip_serializing_if = "Option::is_none")]
    pub next_beat_usd: Option<f64>,
    #[serde(rename = "nextBeatTokens", default, skip_serializing_if = "Option::is_none")]
    pub next_beat_tokens: Option<u64>,
}

impl BudgetLimits {
    /// Nothing where there is no limit.
    pub(super) fn of(budget: &Budget, needed: Option<Reserve>) -> Option<BudgetLimits> {
        (!budget.is_open()).then(|| BudgetLimits {
            usd: budget.cost.map(NanoUsd::usd),
            tokens: budget.tokens,
            next_beat_usd: needed.and_then(|needed| needed.cost).map(NanoUsd::usd),
            next_beat_tokens: needed.map(|needed| needed.tokens),
        })
    }
}
