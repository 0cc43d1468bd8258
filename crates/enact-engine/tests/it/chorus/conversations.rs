//! Messages that follow each other: the next run of a conversation is made only where the newest is over and known.

use std::{
    sync::{Arc, atomic::Ordering::SeqCst},
    time::Duration,
};

use enact_drama::{
    Fact, Production, Record, RunId, Seq,
    chorus::{Chorus, ChorusEvent, ChorusSetup, SlotThread},
    production::fold,
    record::read_facts,
};
use enact_engine::{
    Node,
    log::{self, MemoryStore},
    node::{Error, Submitted, Submitter},
    store::{Conversation, ConversationHead, IdempotencyKey, NextRun},
};
use enact_testkit::test_chorus::{Agents, TestChorus, TestVoice, seats};

use super::node::{node, played};
use crate::submitting::first;

pub(super) fn named(name: &str) -> Conversation {
    Conversation { owner: "somebody".into(), name: name.into() }
}

/// A message to so many slots that knows what was said before, as servers make them.
async fn say(
    node: &Node,
    test_chorus: &TestChorus,
    conversation: &str,
    slots: u8,
    order: Option<IdempotencyKey>,
) -> Result<Submitted, Error> {
    if let Some(order) = &order
        && let Some(before) = node.find_submitted(order).await?
    {
        return Ok(before);
    }
    let of = named(conversation);
    let after = node.store().conversation(&of).await?;
    let threads = match after {
        Some(talk) if !talk.cleared => remembered(node, talk).await?,
        _ => Vec::new(),
    };
    let setup = test_chorus.assemble("What is a story?".to_owned(), seats(slots), threads).await;
    let began = first::<Chorus>(Chorus::beginning(setup.map_err(Box::new)?));
    let (next, account) = (Some(NextRun { of, after }), "somebody".to_owned());
    node.submit(began, Submitter { account, idempotency_key: order, next }).await
}

/// What slots know from earlier messages.
async fn remembered(node: &Node, talk: ConversationHead) -> Result<Vec<SlotThread>, Error> {
    let records = match node.store().read(talk.run, Seq(0)).await {
        Err(log::Error::NotFound(_)) => return Ok(Vec::new()),
        records => records?,
    };
    let chorus: Chorus = fold(&read_facts(&records)?).expect("it begins with its setup");
    match chorus.ended() {
        None => Err(Error::ConversationBusy(talk.run)),
        Some(_) => Ok(chorus.threads()),
    }
}

/// A message to six slots that is not the first, or is.
pub(super) async fn chat(node: &Node, test_chorus: &TestChorus, conversation: &str) -> RunId {
    let Submitted { run, repeated } = say(node, test_chorus, conversation, 6, None).await.unwrap();
    assert!(!repeated);
    run
}

struct House {
    node: Node,
    test_chorus: Arc<TestChorus>,
    _folder: tempfile::TempDir,
}

impl House {
    async fn chat(&self, conversation: &str) -> RunId {
        chat(&self.node, &self.test_chorus, conversation).await
    }

    async fn say(&self, order: Option<IdempotencyKey>) -> Result<Submitted, Error> {
        say(&self.node, &self.test_chorus, "", 6, order).await
    }

    async fn played(&self, run: RunId) -> Vec<Record> {
        played(&self.node, run).await
    }

    /// Whether it was cleared before.
    async fn clear(&self, conversation: &str) -> bool {
        self.node.store().clear(&named(conversation)).await.unwrap().expect("it has a run").cleared
    }
}

fn house(agents: Agents) -> House {
    let folder = tempfile::tempdir().unwrap();
    let test_chorus = TestChorus::new(folder.path(), agents, TestVoice::default());
    House { node: node(&Arc::new(MemoryStore::default()), &test_chorus), test_chorus, _folder: folder }
}

fn setup(records: &[Record]) -> Arc<ChorusSetup> {
    let first: Fact<ChorusEvent> = records[0].fact().unwrap();
    let ChorusEvent::ChorusBegan { setup } = first.event else { panic!("it begins with its setup") };
    setup
}

/// What is said to the first slot before it answers.
fn first_words(records: &[Record]) -> String {
    let spoke = records.iter().map(|record| record.fact::<ChorusEvent>().unwrap().event);
    let texts = spoke.filter_map(|event| match event {
        ChorusEvent::SlotSpoke { slot, text, .. } if slot.number() == 1 => Some(text),
        _ => None,
    });
    texts.into_iter().next().unwrap_or_default()
}

fn order(key: &str, digest: &str) -> Option<IdempotencyKey> {
    Some(IdempotencyKey { from: "somebody".into(), key: key.into(), digest: digest.into() })
}

#[tokio::test(start_paused = true)]
async fn slots_know_what_was_said_before_until_somebody_has_it_forgotten() {
    let house = house(Agents::default());
    let mut words = Vec::new();
    for _ in 0..3 {
        let run = house.chat("").await;
        words.push(first_words(&house.played(run).await));
    }
    let elsewhere = house.chat("another").await;
    words.push(first_words(&house.played(elsewhere).await));
    assert!(!house.clear("").await);
    assert!(house.clear("").await, "there is nothing left");
    let anew = house.chat("").await;
    words.push(first_words(&house.played(anew).await));
    assert_eq!(
        words,
        [
            "ADA has heard: What is a story?",
            "ADA has heard: What is a story? (message 2)",
            "ADA has heard: What is a story? (message 3)",
            "ADA has heard: What is a story?",
            "ADA has heard: What is a story?"
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn who_is_silent_for_once_keeps_what_was_said() {
    let house = house(Agents::default());
    let first = house.chat("").await;
    house.played(first).await;
    let second = say(&house.node, &house.test_chorus, "", 2, None).await.unwrap().run;
    assert_eq!(setup(&house.played(second).await).threads.len(), 6);
    let third = house.chat("").await;
    assert_eq!(setup(&house.played(third).await).threads.len(), 6);
}

#[tokio::test(start_paused = true)]
async fn of_two_messages_at_once_one_is_heard() {
    for _ in 0..20 {
        let house = house(Agents::after(Duration::from_secs(1)));
        let earlier = house.chat("").await;
        house.played(earlier).await;
        let say = || house.say(None);
        let said = futures::future::join_all([say(), say(), say(), say()]).await;
        let (heard, busy): (Vec<_>, Vec<_>) = said.into_iter().partition(Result::is_ok);
        let [Ok(Submitted { run, repeated: false })] = heard[..] else { panic!("{heard:?}") };
        for refused in busy {
            assert!(matches!(refused, Err(Error::ConversationBusy(by)) if by == run), "{refused:?}");
        }
        assert_eq!(setup(&house.played(run).await).threads.len(), 6);
    }
}

#[tokio::test(start_paused = true)]
async fn a_conversation_is_busy_until_the_end_of_its_message() {
    let agents = Agents::after(Duration::from_secs(1));
    let house = house(agents.clone());
    let run = house.chat("").await;
    for asked in [6, 12, 14] {
        agents.asked(asked).await;
        let refused = house.say(None).await;
        assert!(matches!(refused, Err(Error::ConversationBusy(by)) if by == run), "{refused:?}");
    }
    house.chat("another").await;
    house.played(run).await;
    house.chat("").await;
}

#[tokio::test(start_paused = true)]
async fn what_is_to_be_forgotten_is_forgotten_even_while_it_is_being_said() {
    let agents = Agents::after(Duration::from_secs(1));
    let house = house(agents.clone());
    let run = house.chat("").await;
    agents.asked(12).await;
    assert!(!house.clear("").await);
    // A message that begins anew has nothing to wait for.
    let next = house.chat("").await;
    assert!(setup(&house.played(next).await).threads.is_empty());
    house.played(run).await;
}

#[tokio::test(start_paused = true)]
async fn who_cancels_or_deletes_a_message_can_say_another() {
    let agents = Agents::after(Duration::from_secs(1));
    let house = house(agents.clone());
    let cancelled = house.chat("").await;
    agents.asked(12).await;
    house.node.cancel(cancelled).await.unwrap();
    house.played(cancelled).await;
    let next = house.chat("").await;
    assert_eq!(setup(&house.played(next).await).threads.len(), 6, "what was said counts");
    house.node.delete(next).await.unwrap();
    let anew = house.chat("").await;
    assert!(setup(&house.played(anew).await).threads.is_empty(), "what is gone does not");
}

#[tokio::test(start_paused = true)]
async fn an_order_makes_one_run_whatever_becomes_of_the_conversation() {
    let house = house(Agents::after(Duration::from_secs(1)));
    let Submitted { run, repeated } = house.say(order("key", "a")).await.unwrap();
    assert!(!repeated);
    let assembled = house.test_chorus.assembled.load(SeqCst);
    let again = || house.say(order("key", "a"));
    assert_eq!(again().await.unwrap(), Submitted { run, repeated: true }, "although it is busy with it");
    house.played(run).await;
    assert_eq!(again().await.unwrap(), Submitted { run, repeated: true });
    let reused = house.say(order("key", "b")).await;
    assert!(matches!(reused, Err(Error::KeyReused)), "{reused:?}");
    assert_eq!(house.test_chorus.assembled.load(SeqCst), assembled, "nothing is made ready for it");
    let both = futures::future::join_all([house.say(order("other", "a")), house.say(order("other", "a"))]);
    let runs: Vec<_> = both.await.into_iter().map(|placed| placed.unwrap().run).collect();
    assert_eq!(runs[0], runs[1]);
}
