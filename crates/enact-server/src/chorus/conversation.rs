//! Messages of a conversation: each is a run, and knows what was said before it.

use enact_drama::{
    Production, RunId, Seq,
    chorus::{Chorus, ChorusRequest, SlotId, SlotThread},
    production::fold,
    record::read_facts,
};
use enact_engine::{
    Node, log,
    node::Error,
    store::{Conversation, ConversationHead, NextRun},
};

use super::ChorusState;
use crate::{
    error::ApiError,
    routes::ApiState,
    run_request::{MadeRun, RunRequest},
};

/// A message of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Chat {
    pub(super) conversation: Conversation,
    pub(super) message: String,
    /// Who takes which slot, as they were asked for.
    pub(super) seats: Vec<(u8, String)>,
}

/// Resets a conversation, and cancels the message that is still being answered. Says which slots had
/// something to forget.
pub(super) async fn clear(api: &ApiState, conversation: &Conversation) -> Result<Vec<SlotId>, ApiError> {
    let node = api.node();
    let Some(talk) = node.store().clear(conversation).await? else { return Ok(Vec::new()) };
    // It is cleared by now, whether or not its log can still be read. One that was cleared before may still
    // be under way, if it could not be cancelled then.
    let Some(chorus) = chorus(node, talk.run).await.ok().flatten() else { return Ok(Vec::new()) };
    if chorus.ended().is_none()
        && let Err(error) = node.cancel(talk.run).await
    {
        // It may have ended meanwhile. If not, it is played to its end and nothing follows it.
        tracing::debug!(run = %talk.run, %error, "a chorus was not cancelled");
    }
    let threads = if talk.cleared { Vec::new() } else { chorus.threads() };
    let mut slots: Vec<SlotId> = threads.iter().map(|thread| thread.slot).collect();
    slots.sort();
    Ok(slots)
}

/// Puts a message into the queue, unless its conversation is still at an earlier one that was not reset.
pub(super) async fn submit(state: &ChorusState, chat: Chat, request: &RunRequest) -> Result<MadeRun, Error> {
    let Chat { conversation, message, seats } = chat;
    let node = state.api.node();
    let talk = node.store().conversation(&conversation).await?;
    let threads = match talk {
        Some(talk) if !talk.cleared => remembered(node, talk).await?,
        _ => Vec::new(),
    };
    let wanted = ChorusRequest { message, seats, threads, seed: None };
    let setup = state.preparer.assemble(wanted).await.map_err(Box::new)?;
    let next = NextRun { of: conversation, after: talk };
    request.submit::<Chorus>(Chorus::beginning(setup), Some(next)).await
}

/// What slots know from earlier messages, the newest of which has to be over.
async fn remembered(node: &Node, talk: ConversationHead) -> Result<Vec<SlotThread>, Error> {
    match chorus(node, talk.run).await? {
        Some(chorus) if chorus.ended().is_none() => Err(Error::ConversationBusy(talk.run)),
        Some(chorus) => Ok(chorus.threads()),
        None => Ok(Vec::new()),
    }
}

/// The newest run of a conversation, folded; `None` if it is gone.
async fn chorus(node: &Node, run: RunId) -> Result<Option<Chorus>, Error> {
    let records = match node.store().read(run, Seq(0)).await {
        Err(log::Error::NotFound(_)) => return Ok(None),
        records => records?,
    };
    // A run that does not begin as a chorus counts as gone.
    Ok(fold(&read_facts(&records)?))
}
