//! Who may call, from where, and how much: the door of the server.

mod caller;
mod refusal;
mod scope;
mod token;

use std::{net::SocketAddr, sync::Arc};

use axum::{
    Router,
    extract::{Request, State},
    middleware::{Next, from_fn_with_state},
    response::Response,
};
use enact_drama::Problem;

use crate::limits::Limits;

use self::token::{Shown, Tokens, shown};
pub use self::{
    caller::Caller,
    refusal::{refusal, refusal_about},
    scope::{Needing, Needs, Scope, needs},
    token::Token,
};

/// What may be read without a token: whether the server is alive. Orchestrators ask this, and carry no secrets.
const OPEN: [&str; 1] = ["/v1/health"];

/// The policy of a server. The default is for one machine and its user: no token, loopback only.
#[derive(Debug, Clone, Default)]
pub struct Access {
    tokens: Tokens,
    limits: Limits,
}

impl Access {
    pub fn token(mut self, token: Token) -> Result<Access, Problem> {
        self.tokens.add(token)?;
        Ok(self)
    }

    pub fn limits(mut self, limits: Limits) -> Access {
        self.limits = limits;
        self
    }

    /// Whether it is safe to listen here. Anything but loopback can be reached by others, and then a token must keep them out.
    pub fn check_bind(&self, address: SocketAddr) -> Result<(), Problem> {
        if address.ip().to_canonical().is_loopback() || !self.tokens.is_empty() {
            return Ok(());
        }
        Err(Problem::config(format!(
            "refusing to listen on {address} without a token: anybody could play scenes at your cost"
        ))
        .hint("set ENACT_TOKEN (make one with: openssl rand -hex 32), or listen on 127.0.0.1"))
    }
}

/// Puts the door in front of the routes.
pub fn guard(router: Router, access: Access) -> Router {
    router.layer(from_fn_with_state(Arc::new(access), admit))
}

async fn admit(State(access): State<Arc<Access>>, mut request: Request, next: Next) -> Response {
    let caller = if access.tokens.is_empty() {
        Caller::local()
    } else {
        match shown(&access.tokens, request.headers()) {
            Shown::Right(caller) => caller,
            Shown::Wrong => return token::wrong(),
            Shown::Nothing if OPEN.contains(&request.uri().path()) => Caller::anonymous(),
            Shown::Nothing => return token::missing(),
        }
    };
    request.extensions_mut().insert(caller);
    next.run(request).await
}
