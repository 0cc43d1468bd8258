//! `[serve]` and `[tokens.<name>]`: how a project is served, and to whom.

use std::{net::SocketAddr, ops::RangeInclusive, path::PathBuf, time::Duration};

use enact_drama::{Place, Problem, budget::Budget, usage::NanoUsd};
use enact_server::access::Scope;
use serde::{Deserialize, Deserializer, de::Error};

use super::{
    Config,
    fields::{fields, number, one_of, seconds, variable, whole},
    model::quoted,
    source::{TableEntry, TomlSource},
};

/// What `[serve]` and `[tokens]` say.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ServeConfig {
    #[serde(deserialize_with = "bind")]
    pub(crate) bind: Option<SocketAddr>,
    pub(crate) allow_origin: Vec<String>,
    pub(crate) allow_host: Vec<String>,
    pub(crate) trust_proxy: Vec<String>,
    #[serde(deserialize_with = "max_runs")]
    pub(crate) max_runs: Option<usize>,
    #[serde(deserialize_with = "max_waiting")]
    pub(crate) max_waiting: Option<usize>,
    #[serde(deserialize_with = "connections")]
    pub(crate) max_readers: Option<usize>,
    #[serde(deserialize_with = "connections")]
    pub(crate) max_connections: Option<usize>,
    #[serde(deserialize_with = "max_body_bytes")]
    pub(crate) max_body_bytes: Option<usize>,
    #[serde(deserialize_with = "requests_per_second")]
    pub(crate) requests_per_second: Option<u32>,
    /// How long a node that is not heard of is taken to be alive.
    #[serde(rename = "lease_seconds", deserialize_with = "lease")]
    pub(crate) lease: Option<Duration>,
    #[serde(rename = "budget", deserialize_with = "budget")]
    budget_usd: Option<f64>,
    #[serde(deserialize_with = "budget_tokens")]
    budget_tokens: Option<u64>,
    /// Where audio is kept, and served from, as it is written.
    #[serde(deserialize_with = "folder")]
    pub(crate) artifacts: Option<PathBuf>,
    /// How long audio is kept.
    #[serde(deserialize_with = "keep_audio")]
    pub(crate) keep_audio: Option<Duration>,
    #[serde(skip)]
    pub(crate) tokens: Vec<TokenEntry>,
    /// Where something is written that opens this machine to others.
    #[serde(skip)]
    opening: Option<Place>,
}

/// A token by its name. The secret itself is in the environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TokenEntry {
    pub(crate) name: String,
    pub(crate) variable: String,
    /// The widest of those it was given: each holds the ones before it.
    pub(crate) scope: Scope,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct TokenKeys {
    #[serde(deserialize_with = "variable")]
    variable: Option<String>,
    scopes: Vec<ScopeName>,
}

#[derive(Debug, Deserialize)]
struct ScopeName(#[serde(deserialize_with = "scope")] Option<Scope>);

/// A hundred thousand runs at once take some 20 GiB of memory: more is a typing error.
pub(crate) const RUNS_AT_ONCE: RangeInclusive<u32> = 1..=100_000;

/// Names of tokens stand in every line of the request log.
const LONGEST_NAME: usize = 64;

/// The keys of `[serve]` that open this machine to others, or to more of them.
const TRUSTED_FILE_KEYS: [&str; 5] = ["bind", "allow_origin", "allow_host", "trust_proxy", "artifacts"];

fields! {
    scope -> Option<Scope> = one_of(&[
        ("read", Scope::Read), ("run", Scope::Run), ("edit", Scope::Edit), ("admin", Scope::Admin),
    ]);
    max_runs -> Option<usize> = whole(RUNS_AT_ONCE);
    /// As many as a database still counts in no time.
    max_waiting -> Option<usize> = whole(1..=1_000_000);
    /// No process may open more.
    connections -> Option<usize> = whole(1..=1_000_000);
    /// A scene needs a few hundred KiB at most.
    max_body_bytes -> Option<usize> = whole(1_024..=64 * 1_024 * 1_024);
    /// More than any machine answers: as good as no limit.
    requests_per_second -> Option<u32> = whole(1..=1_000_000);
    /// Below a second a busy machine is taken for dead; after minutes its runs have waited too long.
    lease -> Option<Duration> = seconds(1.0..=300.0);
    /// As on the command line: a scene that may cost a million dollars has no budget.
    budget -> Option<f64> = number(0.000_001..=1_000_000.0);
    budget_tokens -> Option<u64> = whole(1..=u32::MAX);
}

impl Config {
    /// How the project is served. A file that came with a story must not be what opens this machine to
    /// others, so one that was merely found may only say how much is played and what it may cost.
    pub(crate) fn serving(&self) -> Result<&ServeConfig, Problem> {
        match self.serve.opening {
            Some(Place { line, column }) if !self.trusted => Err(Problem::config(
                "this file says who may reach the server, or what it lets them fetch, and it was only found, not named",
            )
            .at(line, column)
            .in_file(self.file().display())
            .hint(self.name_it())),
            _ => Ok(&self.serve),
        }
    }
}

impl ServeConfig {
    /// Adds what is written beside `[serve]`.
    pub(super) fn complete(&mut self, tokens: Vec<TokenEntry>, source: &TomlSource<'_>) {
        let opening = TRUSTED_FILE_KEYS.iter().find_map(|key| source.place(&["serve", key]));
        let first = || tokens.first().and_then(|token| source.place(&["tokens", &token.name]));
        self.opening = opening.or_else(first);
        self.tokens = tokens;
    }

    /// What each run may use.
    pub(crate) fn budget(&self) -> Budget {
        let cost = self.budget_usd.map(|usd| NanoUsd((usd * 1e9).round() as u64));
        Budget { cost, tokens: self.budget_tokens }
    }
}

impl TokenKeys {
    pub(super) fn check(self, entry: &TableEntry<'_>) -> Result<TokenEntry, Problem> {
        let name = entry.name;
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if name.is_empty() || name.len() > LONGEST_NAME || !name.chars().all(plain) {
            let message = format!("a token cannot be called '{}'", quoted(name));
            return Err(entry.problem(message, "use letters, digits, '-' and '_', at most 64"));
        }
        let variable = self.variable.ok_or_else(|| entry.missing("variable", "\"MY_TOKEN\""))?;
        let scope = self.scopes.into_iter().filter_map(|ScopeName(scope)| scope).max();
        let scope = scope.ok_or_else(|| entry.missing("scopes", "[\"read\", \"run\"]"))?;
        Ok(TokenEntry { name: name.to_owned(), variable, scope })
    }
}

fn bind<'de, D: Deserializer<'de>>(field: D) -> Result<Option<SocketAddr>, D::Error> {
    parse_bind(&String::deserialize(field)?).map(Some).map_err(D::Error::custom)
}

/// An address and a port: `127.0.0.1:8000`, `[::1]:8000`, `localhost:8000`.
pub(crate) fn parse_bind(text: &str) -> Result<SocketAddr, String> {
    let numeric = text.strip_prefix("localhost:").map(|port| format!("127.0.0.1:{port}"));
    let numeric = numeric.as_deref().unwrap_or(text);
    numeric.parse().map_err(|_| "expected an address and a port, such as 127.0.0.1:8000".to_owned())
}

fn keep_audio<'de, D: Deserializer<'de>>(field: D) -> Result<Option<Duration>, D::Error> {
    parse_age(&String::deserialize(field)?).map(Some).map_err(D::Error::custom)
}

/// A second is for trying it out.
const AGES: RangeInclusive<u64> = 1..=100 * 365 * 24 * 60 * 60;

/// A number and a unit: `30d`, `12h`.
pub(crate) fn parse_age(text: &str) -> Result<Duration, String> {
    let units = [('s', 1), ('m', 60), ('h', 60 * 60), ('d', 24 * 60 * 60), ('w', 7 * 24 * 60 * 60)];
    let seconds = units.into_iter().find_map(|(unit, seconds)| {
        let number: u64 = text.strip_suffix(unit)?.parse().ok()?;
        number.checked_mul(seconds).filter(|seconds| AGES.contains(seconds))
    });
    let expected = "expected a number and s, m, h, d or w, such as 30d";
    seconds.map(Duration::from_secs).ok_or_else(|| expected.to_owned())
}

/// An empty name is as good as none.
fn folder<'de, D: Deserializer<'de>>(field: D) -> Result<Option<PathBuf>, D::Error> {
    Ok(Some(PathBuf::deserialize(field)?).filter(|folder| !folder.as_os_str().is_empty()))
}

#[cfg(test)]
mod tests;
