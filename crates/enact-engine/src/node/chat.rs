//! Messages to a chorus: each is a run, and knows what was said before it.

use enact_drama::{
    Fact, Production, Record, Seq,
    chorus::{Chorus, ChorusEvent, SlotThread},
};

use super::{Error, NewChorus, Node, Placed};
use crate::{
    log::{self, NewRun},
    perform,
    store::{Conversation, Next, Order, Talk},
};

/// A message of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chat {
    pub conversation: Conversation,
    pub message: String,
    /// Who takes which slot, as they were asked for.
    pub seats: Vec<(u8, String)>,
}

impl Node {
    /// Puts a message into the queue, unless its conversation is still at an earlier one.
    pub async fn chat(&self, chat: Chat, order: Option<Order>) -> Result<Placed, Error> {
        let store = &self.inner.store;
        let talk = store.conversation(&chat.conversation).await?;
        let threads = match talk {
            Some(talk) if !talk.cleared => self.threads(talk).await?,
            _ => Vec::new(),
        };
        let Chat { conversation, message, seats } = chat;
        let setup =
            self.inner.project.assemble(NewChorus { message, seats, threads }).await.map_err(Box::new)?;
        let (run, at) = (setup.run, self.inner.clock.now_ms());
        let about = NewRun { run, production: Chorus::NAME, name: Chorus::NAME.to_owned(), at, parent: None };
        let began = Fact { seq: Seq(0), at, event: Chorus::beginning(setup) };
        let next = Next { of: conversation, after: talk.map(|talk| talk.run) };
        let enqueued = store.converse(next, about, vec![Record::of(&began)], order).await?;
        self.placed(run, enqueued)
    }

    /// Has a conversation begin anew. Says how many slots had something to forget.
    pub async fn clear(&self, conversation: &Conversation) -> Result<usize, Error> {
        match self.inner.store.clear(conversation).await? {
            Some(talk) if !talk.cleared => Ok(self.threads(talk).await?.len()),
            _ => Ok(0),
        }
    }

    /// What slots were told and said up to the end of a run. One that is gone has left nothing.
    async fn threads(&self, talk: Talk) -> Result<Vec<SlotThread>, Error> {
        let records = match self.inner.store.read(talk.run, Seq(0)).await {
            Err(log::Error::NotFound(_)) => return Ok(Vec::new()),
            records => records?,
        };
        let facts: Vec<Fact<ChorusEvent>> = perform::read_facts(&records)?;
        let begun = facts.split_first().and_then(|(first, rest)| Some((Chorus::begin(first)?, rest)));
        let Some((mut chorus, rest)) = begun else { return Ok(Vec::new()) };
        rest.iter().for_each(|fact| chorus.apply(fact));
        Ok(chorus.threads())
    }
}
