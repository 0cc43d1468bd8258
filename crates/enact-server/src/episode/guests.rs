//! How much guests may do: callers without a token play at the operator's cost.

use std::{convert::Infallible, num::NonZeroU32, sync::Arc};

use axum::{extract::FromRequestParts, http::request::Parts};
use enact_drama::{Fact, episode::EpisodeEvent};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter, clock::Clock};

use super::GUEST_LIMIT;
use crate::{
    access::ClientPrefix,
    error::{ApiError, ErrorCode},
    visibility::Viewer,
};

/// How many sessions may begin in an hour at one address, whoever the guests there say they are.
const SESSIONS_PER_HOUR: NonZeroU32 = NonZeroU32::new(20).expect("not zero");
/// How many addresses are counted before those that have not begun any for long are forgotten.
const MOST_ADDRESSES: usize = 10_000;

/// What guests may do.
#[derive(Debug, Clone)]
pub(super) struct GuestLimits {
    /// In one session.
    messages: u32,
    begun: Arc<DefaultKeyedRateLimiter<std::net::IpAddr>>,
}

impl GuestLimits {
    pub(super) fn new(messages: u32) -> GuestLimits {
        GuestLimits { messages, begun: Arc::new(RateLimiter::keyed(Quota::per_hour(SESSIONS_PER_HOUR))) }
    }

    pub(super) fn messages(&self) -> u32 {
        self.messages
    }

    /// Whether a guest may begin one more session.
    pub(super) fn check_begin(
        &self,
        viewer: &Viewer,
        ClientAddress(client): ClientAddress,
    ) -> Result<(), ApiError> {
        let (Some(_), Some(ClientPrefix(address))) = (viewer.guest(), client) else { return Ok(()) };
        if self.begun.len() > MOST_ADDRESSES {
            self.begun.retain_recent();
        }
        self.begun.check_key(&address).map_err(|not_until| {
            let wait = not_until.wait_time_from(governor::clock::DefaultClock::default().now());
            ApiError::new(ErrorCode::RateLimited, "too many sessions of guests began at this address")
                .retry_after(wait)
        })
    }

    /// Whether a guest may say one more thing in a session that has come to this.
    pub(super) fn check_message(
        &self,
        viewer: &Viewer,
        facts: &[Fact<EpisodeEvent>],
    ) -> Result<(), ApiError> {
        let received =
            |fact: &&Fact<EpisodeEvent>| matches!(fact.event, EpisodeEvent::MessageReceived { .. });
        let sent = facts.iter().filter(received).count();
        if viewer.guest().is_none() || sent < self.messages as usize {
            return Ok(());
        }
        Err(ApiError::new(GUEST_LIMIT, format!("a guest may send {} messages in a session", self.messages))
            .with("messages_sent", sent)
            .with("limit", self.messages))
    }
}

/// Where a request comes from.
#[derive(Debug, Clone, Copy)]
pub(super) struct ClientAddress(Option<ClientPrefix>);

impl<S: Send + Sync> FromRequestParts<S> for ClientAddress {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<ClientAddress, Infallible> {
        Ok(ClientAddress(parts.extensions.get().copied()))
    }
}
