//! What a run used and cost, as programs read it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{CallTotals, Ledger};
use crate::{Name, call::Purpose, usage::Usage};

/// What a run used and cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Costs {
    /// The tokens that are known of; nothing when no call told.
    #[cfg_attr(feature = "schema", schema(required))]
    pub total_tokens: Option<u64>,
    /// What they cost; nothing when a price is unknown.
    #[serde(rename = "estimatedUSD")]
    #[cfg_attr(feature = "schema", schema(required))]
    pub estimated_usd: Option<f64>,
    /// How much of all input was read from a cache, 0 to 1; nothing when no input is known of.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(required, minimum = 0, maximum = 1))]
    pub cache_hit_rate: Option<f64>,
    /// Everyone of the cast, in a chorus every slot (`slot-1`). Hidden calls belong to no actor.
    pub by_character: BTreeMap<Name, CallCosts>,
    /// What calls were for, in the words of the production.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(required))]
    pub by_purpose: BTreeMap<Purpose, CallCosts>,
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(required))]
    pub by_model: BTreeMap<String, CallCosts>,
    /// Calls whose usage is unknown: no figure of tokens or money holds them.
    pub unaccounted: u64,
    /// By the beat in which the call left, in a chorus by the turn.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(required, value_type = BTreeMap<String, CallCosts>))]
    pub by_beat: BTreeMap<u32, CallCosts>,
    /// What the beats had cost that a fork shares with the run it was forked from. No other figure holds it:
    /// that run has paid for them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inherited: Option<CallCosts>,
}

/// What some calls came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CallCosts {
    /// All calls; `unaccounted` of them did not tell, or not wholly, what they used.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(required))]
    pub calls: u64,
    /// Null when no call told.
    #[cfg_attr(feature = "schema", schema(required))]
    pub total_tokens: Option<u64>,
    /// Null when a price is unknown.
    #[serde(rename = "estimatedUSD")]
    #[cfg_attr(feature = "schema", schema(required))]
    pub estimated_usd: Option<f64>,
    pub usage: Usage,
    pub unaccounted: u64,
}

impl Costs {
    /// `cast` are those who are named even without a call.
    pub fn of<'a>(ledger: &Ledger, cast: impl IntoIterator<Item = &'a Name>) -> Costs {
        let total = ledger.total();
        let by_actor = |name: &Name| ledger.by_actor.get(name).copied().unwrap_or_default();
        Costs {
            total_tokens: ledger.tokens().count(),
            estimated_usd: total.cost().usd(),
            cache_hit_rate: total.cache_hit_rate(),
            by_character: cast.into_iter().map(|name| (name.clone(), by_actor(name).into())).collect(),
            by_purpose: costs_by(&ledger.by_purpose),
            by_model: costs_by(&ledger.by_model),
            unaccounted: total.unaccounted,
            by_beat: costs_by(&ledger.by_beat),
            inherited: ledger.inherited.map(CallCosts::from),
        }
    }
}

impl From<CallTotals> for CallCosts {
    fn from(totals: CallTotals) -> CallCosts {
        CallCosts {
            calls: totals.made(),
            total_tokens: totals.tokens().count(),
            estimated_usd: totals.cost().usd(),
            usage: totals.usage,
            unaccounted: totals.unaccounted,
        }
    }
}

fn costs_by<K: Clone + Ord>(totals: &BTreeMap<K, CallTotals>) -> BTreeMap<K, CallCosts> {
    totals.iter().map(|(key, totals)| (key.clone(), (*totals).into())).collect()
}
