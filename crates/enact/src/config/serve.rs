//! `[serve]` and `[tokens.<name>]`: how a project is served, and to whom.

use std::{net::SocketAddr, ops::RangeInclusive, path::PathBuf, time::Duration};

use enact_drama::{
    Place, Problem,
    budget::Budget,
    located::{Group, Key, Located, Value},
    usage::NanoUsd,
};

use enact_server::access::Scope;

use super::{Config, model};

/// What `[serve]` and `[tokens]` say.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Serve {
    pub(crate) bind: Option<SocketAddr>,
    pub(crate) allow_origin: Vec<String>,
    pub(crate) allow_host: Vec<String>,
    pub(crate) trust_proxy: Vec<String>,
    pub(crate) max_runs: Option<usize>,
    pub(crate) max_waiting: Option<usize>,
    pub(crate) max_readers: Option<usize>,
    pub(crate) max_connections: Option<usize>,
    pub(crate) max_body_bytes: Option<usize>,
    pub(crate) requests_per_second: Option<u32>,
    /// How long a node that is not heard of is taken to be alive.
    pub(crate) lease: Option<Duration>,
    /// What each run may use.
    pub(crate) budget: Budget,
    /// Where audio is kept, and served from, as it is written.
    pub(crate) artifacts: Option<PathBuf>,
    pub(crate) tokens: Vec<Token>,
    /// Where something is written that lets anybody in.
    opening: Option<Place>,
}

/// A token by its name. The secret itself is in the environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) name: String,
    pub(crate) variable: String,
    /// The widest of those it was given: each holds the ones before it.
    pub(crate) scope: Scope,
    pub(crate) place: Place,
}

const KEYS: [&str; 14] = [
    "bind",
    "allow_origin",
    "allow_host",
    "trust_proxy",
    "max_runs",
    "max_waiting",
    "max_readers",
    "max_connections",
    "max_body_bytes",
    "requests_per_second",
    "lease_seconds",
    "budget",
    "budget_tokens",
    "artifacts",
];

/// Words people try that are no misspelling of the key they mean.
const SYNONYMS: [(&str, &str); 10] = [
    ("artifacts", "artifacts"),
    ("address", "bind"),
    ("host", "bind"),
    ("listen", "bind"),
    ("port", "bind"),
    ("allow_origins", "allow_origin"),
    ("cors", "allow_origin"),
    ("hosts", "allow_host"),
    ("runs", "max_runs"),
    ("rate", "requests_per_second"),
];

const TOKEN_KEYS: [&str; 2] = ["variable", "scopes"];
const TOKEN_SYNONYMS: [(&str, &str); 3] =
    [("env", "variable"), ("token_env", "variable"), ("scope", "scopes")];

const SCOPES: [(&str, Scope); 3] = [("read", Scope::Read), ("run", Scope::Run), ("admin", Scope::Admin)];

/// A hundred thousand runs at once take some 20 GiB of memory: more is a typing error.
pub(crate) const RUNS_AT_ONCE: RangeInclusive<i64> = 1..=100_000;

/// As many as a database still counts in no time.
const WAITING: RangeInclusive<i64> = 1..=1_000_000;

/// No process may open more.
const CONNECTIONS: RangeInclusive<i64> = 1..=1_000_000;

/// A scene needs a few hundred KiB at most; beyond this it is somebody's film.
const BODY_BYTES: RangeInclusive<i64> = 1_024..=64 * 1_024 * 1_024;

/// More than any machine answers: as good as no limit.
const RATES: RangeInclusive<i64> = 1..=1_000_000;

/// Below a second a busy machine is taken for dead; beyond minutes nobody waits for its runs.
const LEASES_SECONDS: RangeInclusive<f64> = 1.0..=300.0;

/// Names of tokens stand in every line of the request log.
const LONGEST_NAME: usize = 64;

/// As on the command line: a scene that may cost a million dollars has no budget.
const BUDGETS_USD: RangeInclusive<f64> = 0.000_001..=1_000_000.0;

impl Config {
    /// How the project is served. A file that came with a story must not be what opens this machine to others, so
    /// one that was merely found may only say how much is played and what it may cost.
    pub(crate) fn serving(&self) -> Result<&Serve, Problem> {
        match self.serve.opening {
            Some(place) if !self.trusted => Err(Problem::config(
                "this file says who may reach the server, or what it lets them fetch, and it was only found, not named",
            )
            .at(place.line, place.column)
            .in_file(self.file().display())
            .hint(self.name_it())),
            _ => Ok(&self.serve),
        }
    }
}

impl Serve {
    /// Reads `[serve]`.
    pub(super) fn read(&mut self, group: Group) -> Result<(), Problem> {
        for (key, value) in group.0 {
            let opening = Some(key.place);
            match key.text.as_str() {
                "bind" => (self.bind, self.opening) = (read_bind(value)?, opening),
                "allow_origin" => {
                    (self.allow_origin, self.opening) = (value.texts("allow_origin", "origins")?, opening);
                }
                "allow_host" => {
                    (self.allow_host, self.opening) = (value.texts("allow_host", "host names")?, opening);
                }
                "trust_proxy" => {
                    (self.trust_proxy, self.opening) = (value.texts("trust_proxy", "addresses")?, opening);
                }
                "max_runs" => self.max_runs = size(value, "max_runs", RUNS_AT_ONCE)?,
                "max_waiting" => self.max_waiting = size(value, "max_waiting", WAITING)?,
                "max_readers" => self.max_readers = size(value, "max_readers", CONNECTIONS)?,
                "max_connections" => self.max_connections = size(value, "max_connections", CONNECTIONS)?,
                "max_body_bytes" => self.max_body_bytes = size(value, "max_body_bytes", BODY_BYTES)?,
                "requests_per_second" => {
                    self.requests_per_second = model::count(value, "requests_per_second", RATES)?;
                }
                "lease_seconds" => {
                    let seconds = model::within(value, "lease_seconds", LEASES_SECONDS)?;
                    self.lease = seconds.map(Duration::from_secs_f64);
                }
                "budget" => {
                    let usd = model::within(value, "budget", BUDGETS_USD)?;
                    self.budget.cost = usd.map(|usd| NanoUsd((usd * 1e9).round() as u64));
                }
                "budget_tokens" => {
                    let tokens = model::count(value, "budget_tokens", 1..=i64::from(u32::MAX))?;
                    self.budget.tokens = tokens.map(u64::from);
                }
                // Whatever lies there can be fetched.
                "artifacts" => {
                    (self.artifacts, self.opening) = (
                        value.text("artifacts")?.filter(|folder| !folder.is_empty()).map(PathBuf::from),
                        opening,
                    );
                }
                "database" => return Err(no_database(&key)),
                _ => return Err(key.unknown(&KEYS, &SYNONYMS)),
            }
        }
        Ok(())
    }

    /// Reads `[tokens]`, a table for each.
    pub(super) fn read_tokens(&mut self, group: Group) -> Result<(), Problem> {
        for (key, value) in group.0 {
            self.opening = Some(key.place);
            let Value::Group(group) = value.value else {
                // Not quoted back: it may be the token itself.
                return Err(Problem::config(format!("tokens.{} must be keys with values", key.text))
                    .at(value.place.line, value.place.column)
                    .hint("variable = \"MY_TOKEN\" names the environment variable that holds it, and scopes what it allows"));
            };
            self.tokens.push(read_token(key, group)?);
        }
        Ok(())
    }
}

fn size(value: Located, key: &str, range: RangeInclusive<i64>) -> Result<Option<usize>, Problem> {
    Ok(model::count(value, key, range)?.map(|number| number as usize))
}

fn read_bind(value: Located) -> Result<Option<SocketAddr>, Problem> {
    let place = value.place;
    let Some(text) = value.text("bind")? else { return Ok(None) };
    let wrong = |why: String| Problem::config(format!("bind: {why}")).at(place.line, place.column);
    parse_bind(&text).map(Some).map_err(wrong)
}

/// An address and a port: `127.0.0.1:8000`, `[::1]:8000`, `localhost:8000`.
pub(crate) fn parse_bind(text: &str) -> Result<SocketAddr, String> {
    let numeric = text.strip_prefix("localhost:").map(|port| format!("127.0.0.1:{port}"));
    let numeric = numeric.as_deref().unwrap_or(text);
    numeric.parse().map_err(|_| "expected an address and a port, such as 127.0.0.1:8000".to_owned())
}

fn read_token(name: Key, group: Group) -> Result<Token, Problem> {
    let at = |problem: Problem| problem.at(name.place.line, name.place.column);
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if name.text.is_empty() || name.text.len() > LONGEST_NAME || !name.text.chars().all(plain) {
        let shown: String = name.text.escape_debug().take(LONGEST_NAME).collect();
        return Err(at(Problem::config(format!("a token cannot be called '{shown}'"))
            .hint("use letters, digits, '-' and '_', at most 64")));
    }
    let (mut variable, mut scopes) = (None, Vec::<Scope>::new());
    for (key, value) in group.0 {
        match key.text.as_str() {
            "variable" => variable = model::read_variable(value, "variable")?,
            "scopes" => {
                let words = value.list("scopes", "scopes")?.into_iter();
                let read = words.map(|word| word.one_of("scopes", &SCOPES));
                scopes = read.filter_map(Result::transpose).collect::<Result<_, _>>()?;
            }
            secret if model::SECRETS.contains(&secret.to_ascii_lowercase().as_str()) => {
                return Err(Problem::config(format!("'{secret}': tokens are never written into this file"))
                    .at(key.place.line, key.place.column)
                    .hint("put it into an environment variable and name that: variable = \"MY_TOKEN\""));
            }
            _ => return Err(key.unknown(&TOKEN_KEYS, &TOKEN_SYNONYMS)),
        }
    }
    let missing = |key: &str, example: &str| {
        at(Problem::config(format!("tokens.{} has no '{key}'", name.text)))
            .hint(format!("for example: {key} = {example}"))
    };
    let variable = variable.ok_or_else(|| missing("variable", "\"MY_TOKEN\""))?;
    let scope = scopes.into_iter().max().ok_or_else(|| missing("scopes", "[\"read\", \"run\"]"))?;
    Ok(Token { place: name.place, variable, scope, name: name.text })
}

fn no_database(key: &Key) -> Problem {
    Problem::config("a database may need a password, which is never written into this file")
        .at(key.place.line, key.place.column)
        .hint("name it with --database, or in the environment variable ENACT_DATABASE")
}

#[cfg(test)]
mod tests;
