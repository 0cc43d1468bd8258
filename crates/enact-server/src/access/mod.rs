//! The door of the server: who may call, from where, how much and how often.
//!
//! [`Access`] is what an operator decides, [`guard`] puts it in front of all routes, [`needs`] says at each route what a caller
//! must hold. A request passes `door` (its order of checks), which asks `host`, `origin`, `peer`, `token`, `failures`,
//! `rate` and `places`; `route_flags` says which routes it treats differently, `visit` counts it and writes its line in the log, `headers` what every answer says.

mod caller;
mod door;
mod failures;
mod headers;
mod host;
mod origin;
mod peer;
mod places;
mod rate;
mod request_id;
mod route_flags;
mod scope;
#[cfg(test)]
mod tests;
mod token;
mod visit;

use std::net::SocketAddr;

use axum::Router;
use enact_drama::Problem;

use crate::{limits::Limits, metrics::Metrics};

pub(crate) use self::peer::household;
pub use self::{
    caller::Caller,
    request_id::RequestId,
    route_flags::{FlagsByRoute, RouteFlags},
    scope::{Needing, Needs, Scope, needs},
    token::Token,
};
use self::{door::Door, host::Hosts, origin::Origins, peer::Proxies, token::Tokens};

/// The policy of a server. The default is for one machine and its user: no token, loopback only, no page but its own.
#[derive(Debug, Clone, Default)]
pub struct Access {
    tokens: Tokens,
    hosts: Hosts,
    origins: Origins,
    proxies: Proxies,
    limits: Limits,
    metrics: Metrics,
}

impl Access {
    /// From the first token on, nobody calls without one.
    pub fn token(mut self, token: Token) -> Result<Access, Problem> {
        self.tokens.add(token)?;
        Ok(self)
    }

    /// A name the server is called by, beside this machine's own: `enact.example.com`, with a port or without.
    pub fn allow_host(mut self, host: &str) -> Result<Access, Problem> {
        self.hosts.add(host)?;
        Ok(self)
    }

    /// A site whose pages may call it: `https://game.example.com`.
    pub fn allow_origin(mut self, origin: &str) -> Result<Access, Problem> {
        self.origins.add(origin)?;
        Ok(self)
    }

    /// A proxy in front of it, or a network of them (`172.16.0.0/12`), whose `X-Forwarded-For` is believed.
    pub fn trust_proxy(mut self, address: &str) -> Result<Access, Problem> {
        self.proxies.add(address)?;
        Ok(self)
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

    /// Whether it is safe to listen here. Others can reach anything but loopback, and then a token must keep them out.
    pub fn check_bind(&self, address: SocketAddr) -> Result<(), Problem> {
        if address.ip().to_canonical().is_loopback() || !self.tokens.is_empty() {
            return Ok(());
        }
        let message = format!(
            "refusing to listen on {address} without a token: anybody there could play scenes at your cost"
        );
        Err(Problem::config(message)
            .hint("set ENACT_TOKEN (make one with: openssl rand -hex 32), or listen on 127.0.0.1"))
    }
}

/// Puts the door in front of the routes. Add nothing behind it that should be guarded.
pub fn guard(router: Router, flags: FlagsByRoute, access: Access) -> Router {
    Door::new(flags, access).close(router)
}
