//! Who calls.

use std::sync::Arc;

use super::scope::Scope;

/// Who makes a request: a token by its name, or `local`. An extension of every request that has passed
/// [`guard`](super::guard).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    name: Arc<str>,
    /// None: nobody we know, on one of the few routes that are open.
    scope: Option<Scope>,
}

/// The caller where no token is configured: whoever has an account on this machine.
pub(super) const LOCAL: &str = "local";
pub(super) const ANONYMOUS: &str = "anonymous";

impl Caller {
    pub(super) fn local() -> Caller {
        Caller { name: LOCAL.into(), scope: Some(Scope::Admin) }
    }

    pub(super) fn anonymous() -> Caller {
        Caller { name: ANONYMOUS.into(), scope: None }
    }

    pub(super) fn named(name: Arc<str>, scope: Scope) -> Caller {
        Caller { name, scope: Some(scope) }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Under whom things are kept that are nobody else's: the token, or nothing where none is needed.
    pub(crate) fn owner(&self) -> &str {
        if &*self.name == LOCAL { "" } else { &self.name }
    }

    pub(super) fn shared_name(&self) -> Arc<str> {
        self.name.clone()
    }

    pub fn may(&self, scope: Scope) -> bool {
        self.scope.is_some_and(|held| held >= scope)
    }

    /// Whether it has shown a token, or needs none.
    pub fn is_known(&self) -> bool {
        self.scope.is_some()
    }
}
