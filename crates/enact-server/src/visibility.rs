//! Who may see which runs: all callers see those of public productions; those of private ones are seen by
//! their own account and by administrators.

use std::convert::Infallible;

use axum::{
    extract::{FromRef, FromRequestParts},
    http::request::Parts,
};
use enact_drama::RunId;
use enact_engine::{
    Productions,
    log::{self, RunSummary},
    store::Visible,
};

use crate::{
    access::{Caller, Guest, Scope},
    error::ApiError,
    routes::ApiState,
};

/// A caller, and what they may see. An extractor of every handler that shows or changes runs;
/// [`Run`](crate::extract::Run) asks it.
#[derive(Debug, Clone)]
pub struct Viewer {
    api: ApiState,
    caller: Option<Caller>,
}

impl Viewer {
    /// The account under which this caller's runs are kept; empty where no token is needed.
    pub fn account(&self) -> &str {
        self.caller.as_ref().map_or("", Caller::account)
    }

    pub(crate) fn caller(&self) -> Option<&Caller> {
        self.caller.as_ref()
    }

    /// Who they are, if they have no token.
    pub(crate) fn guest(&self) -> Option<&Guest> {
        self.caller.as_ref()?.as_guest()
    }

    /// Whether they may see every run there is.
    pub fn sees_all(&self) -> bool {
        self.caller.as_ref().is_some_and(|caller| caller.may(Scope::Admin))
    }

    /// Whether they may see the runs of an account.
    pub fn sees(&self, production: &str, account: &str) -> bool {
        let is_own = || self.caller.as_ref().is_some_and(|caller| caller.account() == account);
        let is_public = || is_public(self.api.node.productions(), production) && self.guest().is_none();
        self.sees_all() || is_public() || is_own()
    }

    /// What lists show them; `None` for everything.
    pub fn visible(&self) -> Option<Visible> {
        let productions = self.api.node.productions().public();
        let account = self.caller.as_ref().map(|caller| caller.account().to_owned());
        (!self.sees_all()).then_some(Visible { productions, account })
    }

    /// A run by its id. One that they may not see is not there.
    pub async fn find(&self, run: RunId) -> Result<RunSummary, ApiError> {
        let found = self.api.node.store().find(run).await?;
        if self.sees(&found.production, &found.account) {
            return Ok(found);
        }
        Err(log::Error::NotFound(run).into())
    }
}

/// A production that this server does not know may be private elsewhere.
fn is_public(productions: &Productions, name: &str) -> bool {
    productions.named(name).is_ok_and(|production| !production.is_private())
}

impl<S: Send + Sync> FromRequestParts<S> for Viewer
where
    ApiState: FromRef<S>,
{
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Viewer, Infallible> {
        Ok(Viewer { api: ApiState::from_ref(state), caller: parts.extensions.get().cloned() })
    }
}
