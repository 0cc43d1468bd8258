//! Who calls, and what they may do.

use std::{fmt, str::FromStr, sync::Arc};

use axum::{
    extract::Request,
    middleware::{Next, from_fn},
    response::IntoResponse,
    routing::MethodRouter,
};
use enact_drama::{Problem, did_you_mean};

use super::{guest::Guest, token};
use crate::error::{ApiError, ErrorCode};

/// What a token is good for. Each scope holds the ones before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Looks: runs, transcripts, events, costs, metrics.
    Read,
    /// Spends and steers: starts, forks, pauses, cancels runs.
    Run,
    /// Writes the project's sheets and scenes, where the server lets them be edited.
    Edit,
    /// Does what cannot be undone: deletes runs.
    Admin,
}

impl Scope {
    const ALL: [Scope; 4] = [Scope::Read, Scope::Run, Scope::Edit, Scope::Admin];

    pub fn as_str(self) -> &'static str {
        match self {
            Scope::Read => "read",
            Scope::Run => "run",
            Scope::Edit => "edit",
            Scope::Admin => "admin",
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Scope {
    type Err = Problem;

    fn from_str(text: &str) -> Result<Scope, Problem> {
        let names = Scope::ALL.map(Scope::as_str);
        Scope::ALL.into_iter().find(|scope| scope.as_str() == text).ok_or_else(|| {
            let problem =
                Problem::config(format!("unknown scope '{text}': there are read, run, edit and admin"));
            match did_you_mean(text, names) {
                Some(meant) => problem.hint(format!("did you mean '{meant}'?")),
                None => problem,
            }
        })
    }
}

/// Who makes a request: a token by its name, or `local`. An extension of every request that has passed
/// [`guard`](super::guard).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    name: Arc<str>,
    /// `None` for an anonymous caller, who may use open routes only.
    scope: Option<Scope>,
    guest: Option<Guest>,
}

/// The caller where no token is configured: anyone with an account on this machine.
pub(super) const LOCAL: &str = "local";
pub(super) const ANONYMOUS: &str = "anonymous";
pub(super) const GUEST: &str = "guest";

impl Caller {
    pub(super) fn local() -> Caller {
        Caller { name: LOCAL.into(), scope: Some(Scope::Admin), guest: None }
    }

    pub(super) fn anonymous() -> Caller {
        Caller { name: ANONYMOUS.into(), scope: None, guest: None }
    }

    pub(super) fn named(name: Arc<str>, scope: Scope) -> Caller {
        Caller { name, scope: Some(scope), guest: None }
    }

    /// Only for routes that are for guests: there it may do what a token could.
    pub(super) fn guest(guest: Guest) -> Caller {
        Caller { name: GUEST.into(), scope: Some(Scope::Run), guest: Some(guest) }
    }

    /// Who it is, if it has no token and was let in all the same.
    pub(crate) fn as_guest(&self) -> Option<&Guest> {
        self.guest.as_ref()
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// The account that owns this caller's runs: the name of the token, empty where none is needed; of each
    /// guest another.
    pub(crate) fn account(&self) -> &str {
        match &self.guest {
            Some(guest) => guest.account(),
            None if &*self.name == LOCAL => "",
            None => &self.name,
        }
    }

    pub(super) fn shared_name(&self) -> Arc<str> {
        self.name.clone()
    }

    pub fn may(&self, scope: Scope) -> bool {
        self.scope.is_some_and(|held| held >= scope)
    }

    /// Whether it has sent a token, or needs none.
    pub fn is_known(&self) -> bool {
        self.scope.is_some()
    }
}

/// Lets only callers who hold a scope use a route.
///
/// [`guard`](super::guard) finds out who calls. Without a guard around it, the route is closed to all.
pub fn require_scope(route: MethodRouter, scope: Scope) -> MethodRouter {
    route.layer(from_fn(move |request: Request, next: Next| async move {
        match check(request.extensions().get(), scope) {
            Ok(()) => next.run(request).await,
            Err(error) => error.into_response(),
        }
    }))
}

fn check(caller: Option<&Caller>, scope: Scope) -> Result<(), ApiError> {
    match caller {
        Some(caller) if caller.may(scope) => Ok(()),
        Some(caller) if caller.is_known() => {
            let message = format!("the token '{}' lacks the scope '{scope}'", caller.name());
            Err(ApiError::new(ErrorCode::Forbidden, message).with("scope", scope.as_str()))
        }
        _ => Err(token::missing()),
    }
}
