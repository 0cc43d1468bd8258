//! Messages to a chorus: each is a run, and knows what was said before it.

use enact_drama::{
    Fact, Production, Record, RunId, Seq,
    chorus::{Chorus, SlotThread},
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
    /// Puts a message into the queue, unless its conversation is still at an earlier one. With an order that was given before,
    /// nothing is made, whatever has become of the conversation since.
    pub async fn chat(&self, chat: Chat, order: Option<Order>) -> Result<Placed, Error> {
        if let Some(before) = self.made_before(order.as_ref()).await? {
            return Ok(before);
        }
        match self.say(chat, order.clone()).await {
            // The same order, given at the same time, may be what keeps it busy.
            Err(Error::Talking(run)) => self.made_before(order.as_ref()).await?.ok_or(Error::Talking(run)),
            said => said,
        }
    }

    /// Has a conversation begin anew. Says how many slots had something to forget.
    pub async fn clear(&self, conversation: &Conversation) -> Result<usize, Error> {
        match self.inner.store.clear(conversation).await? {
            // It is cleared by now, whether or not its log can still be read.
            Some(talk) if !talk.cleared => {
                let chorus = self.chorus(talk.run).await.ok().flatten();
                Ok(chorus.map_or(0, |chorus| chorus.threads().len()))
            }
            _ => Ok(0),
        }
    }

    async fn made_before(&self, order: Option<&Order>) -> Result<Option<Placed>, Error> {
        match order {
            Some(order) => self.ordered(order).await,
            None => Ok(None),
        }
    }

    async fn say(&self, chat: Chat, order: Option<Order>) -> Result<Placed, Error> {
        let Chat { conversation, message, seats } = chat;
        let talk = self.inner.store.conversation(&conversation).await?;
        let threads = match talk {
            Some(talk) if !talk.cleared => self.remembered(talk).await?,
            _ => Vec::new(),
        };
        let setup =
            self.inner.project.assemble(NewChorus { message, seats, threads }).await.map_err(Box::new)?;
        let (run, at) = (setup.run, self.inner.clock.now_ms());
        let about = NewRun { run, production: Chorus::NAME, name: Chorus::NAME.to_owned(), at, parent: None };
        let began = Fact { seq: Seq(0), at, event: Chorus::beginning(setup) };
        let next = Next { of: conversation, after: talk };
        let enqueued = self.inner.store.converse(next, about, vec![Record::of(&began)], order).await?;
        self.placed(run, enqueued)
    }

    /// What slots know from earlier messages, the newest of which has to be over.
    async fn remembered(&self, talk: Talk) -> Result<Vec<SlotThread>, Error> {
        match self.chorus(talk.run).await? {
            Some(chorus) if chorus.ended().is_none() => Err(Error::Talking(talk.run)),
            Some(chorus) => Ok(chorus.threads()),
            None => Ok(Vec::new()),
        }
    }

    /// A run of a conversation as it stands. One that is gone has left nothing.
    async fn chorus(&self, run: RunId) -> Result<Option<Chorus>, Error> {
        let records = match self.inner.store.read(run, Seq(0)).await {
            Err(log::Error::NotFound(_)) => return Ok(None),
            records => records?,
        };
        // What does not begin as a chorus does has left nothing either.
        Ok(perform::folded(&perform::read_facts(&records)?).ok())
    }
}
