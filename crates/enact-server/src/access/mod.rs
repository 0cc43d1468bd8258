//! Access checks: who may call, from where, how much and how often.
//!
//! [`Access`] is what an operator decides, [`guard`] puts it in front of all routes, [`require_scope`] says
//! at each route what a caller must hold. `middleware` has the order of checks. It asks `host`, `origin`,
//! `client_ip`, `token`, `guest`, `auth_throttle`, `rate` and `concurrency`; `request_log` counts a request and writes
//! its line in the log, `headers` has what every answer says.

mod auth_throttle;
mod caller;
mod client_ip;
mod concurrency;
mod guest;
mod headers;
mod host;
mod middleware;
mod origin;
mod rate;
mod request_log;
#[cfg(test)]
mod tests;
mod token;

use std::net::SocketAddr;

use axum::Router;
use enact_drama::Problem;

use crate::{limits::Limits, metrics::Metrics};

pub use self::{
    caller::{Caller, Scope, require_scope},
    headers::RequestId,
    middleware::{FlagsByRoute, RouteFlags},
    token::Token,
};
use self::{
    client_ip::TrustedProxies, host::Hosts, middleware::AccessControl, origin::Origins, token::TokenSet,
};
pub(crate) use self::{client_ip::rate_limit_prefix, guest::Guest, middleware::ClientPrefix};
pub(crate) use self::{concurrency::CountByKey, concurrency::KeyPermit};

/// The policy of a server. The default is for one machine and its user: no token, loopback only, no page but
/// its own.
#[derive(Debug, Clone, Default)]
pub struct Access {
    tokens: TokenSet,
    hosts: Hosts,
    origins: Origins,
    proxies: TrustedProxies,
    limits: Limits,
    metrics: Metrics,
    guests: bool,
}

impl Access {
    /// From the first token on, every caller needs one.
    pub fn token(mut self, token: Token) -> Result<Access, Problem> {
        self.tokens.add(token)?;
        Ok(self)
    }

    /// A name the server is called by, beside this machine's own: `enact.example.com`, with a port or
    /// without.
    pub fn allow_host(mut self, host: &str) -> Result<Access, Problem> {
        self.hosts.add(host)?;
        Ok(self)
    }

    /// A site whose pages may call it: `https://game.example.com`.
    pub fn allow_origin(mut self, origin: &str) -> Result<Access, Problem> {
        self.origins.add(origin)?;
        Ok(self)
    }

    /// A proxy in front of it, or a network of them (`172.16.0.0/12`), whose `X-Forwarded-For` is trusted.
    pub fn trust_proxy(mut self, address: &str) -> Result<Access, Problem> {
        self.proxies.add(address)?;
        Ok(self)
    }

    /// Lets callers without a token use the routes that are [for guests](crate::Route::guests).
    pub fn admit_guests(mut self) -> Access {
        self.guests = true;
        self
    }

    pub fn limits(mut self, limits: Limits) -> Access {
        self.limits = limits;
        self
    }

    /// Where requests are counted, those that are refused among them.
    pub(crate) fn counting(mut self, metrics: Metrics) -> Access {
        self.metrics = metrics;
        self
    }

    /// Whether it is safe to listen here. Others can reach anything but loopback, and then a token must keep
    /// them out.
    pub fn check_bind(&self, address: SocketAddr) -> Result<(), Problem> {
        if address.ip().to_canonical().is_loopback() || !self.tokens.is_empty() {
            return Ok(());
        }
        let message = format!(
            "refusing to listen on {address} without a token: anyone there could play scenes at your cost"
        );
        Err(Problem::config(message)
            .hint("set ENACT_TOKEN (make one with: openssl rand -hex 32), or listen on 127.0.0.1"))
    }
}

/// Puts the access checks in front of the routes. Routes that are added to the result are not guarded.
pub fn guard(router: Router, flags: FlagsByRoute, access: Access) -> Router {
    AccessControl::new(flags, access).wrap(router)
}
