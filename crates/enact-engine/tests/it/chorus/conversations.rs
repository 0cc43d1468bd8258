//! Messages that follow each other.

use std::{
    sync::{Arc, atomic::Ordering::SeqCst},
    time::Duration,
};

use enact_drama::{
    Fact, Record, Steering,
    chorus::{ChorusEvent, Setup},
};
use enact_engine::{
    Node,
    log::MemoryLog,
    node::{Chat, Error, Placed},
    store::Order,
};
use enact_testkit::choir::{Agents, Choir, Hum, seats};

use super::node::{chat, message, named, node, played};

struct House {
    node: Node,
    choir: Arc<Choir>,
    _folder: tempfile::TempDir,
}

fn house(agents: Agents) -> House {
    let folder = tempfile::tempdir().unwrap();
    let choir = Choir::new(folder.path(), agents, Hum::default());
    House { node: node(&Arc::new(MemoryLog::default()), &choir), choir, _folder: folder }
}

fn setup(records: &[Record]) -> Arc<Setup> {
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

fn order(key: &str, digest: &str) -> Option<Order> {
    Some(Order { from: "somebody".into(), key: key.into(), digest: digest.into() })
}

#[tokio::test(start_paused = true)]
async fn slots_know_what_was_said_before_until_somebody_has_it_forgotten() {
    let House { node, .. } = &house(Agents::default());
    let mut words = Vec::new();
    for _ in 0..3 {
        let run = chat(node, "").await;
        words.push(first_words(&played(node, run).await));
    }
    let elsewhere = chat(node, "another").await;
    words.push(first_words(&played(node, elsewhere).await));
    assert_eq!(node.clear(&named("")).await.unwrap(), 6);
    assert_eq!(node.clear(&named("")).await.unwrap(), 0, "there is nothing left");
    let anew = chat(node, "").await;
    words.push(first_words(&played(node, anew).await));
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
    let House { node, .. } = &house(Agents::default());
    let first = chat(node, "").await;
    played(node, first).await;
    let two = Chat { seats: seats(2), ..message("") };
    let second = node.chat(two, None).await.unwrap().run;
    assert_eq!(setup(&played(node, second).await).threads.len(), 6);
    let third = chat(node, "").await;
    assert_eq!(setup(&played(node, third).await).threads.len(), 6);
}

#[tokio::test(start_paused = true)]
async fn of_two_messages_at_once_one_is_heard() {
    for _ in 0..20 {
        let House { node, .. } = &house(Agents::after(Duration::from_secs(1)));
        let earlier = chat(node, "").await;
        played(node, earlier).await;
        let say = || node.chat(message(""), None);
        let said = futures::future::join_all([say(), say(), say(), say()]).await;
        let (heard, busy): (Vec<_>, Vec<_>) = said.into_iter().partition(Result::is_ok);
        let [Ok(Placed { run, before: false })] = heard[..] else { panic!("{heard:?}") };
        for refused in busy {
            assert!(matches!(refused, Err(Error::Talking(by)) if by == run), "{refused:?}");
        }
        assert_eq!(setup(&played(node, run).await).threads.len(), 6);
    }
}

#[tokio::test(start_paused = true)]
async fn a_conversation_is_busy_until_the_end_of_its_message() {
    let agents = Agents::after(Duration::from_secs(1));
    let House { node, .. } = &house(agents.clone());
    let run = chat(node, "").await;
    for asked in [6, 12, 14] {
        agents.asked(asked).await;
        let refused = node.chat(message(""), None).await;
        assert!(matches!(refused, Err(Error::Talking(by)) if by == run), "{refused:?}");
    }
    chat(node, "another").await;
    played(node, run).await;
    chat(node, "").await;
}

#[tokio::test(start_paused = true)]
async fn what_is_to_be_forgotten_is_forgotten_even_while_it_is_being_said() {
    let agents = Agents::after(Duration::from_secs(1));
    let House { node, .. } = &house(agents.clone());
    let run = chat(node, "").await;
    agents.asked(12).await;
    node.clear(&named("")).await.unwrap();
    assert!(matches!(node.chat(message(""), None).await, Err(Error::Talking(_))), "it is still busy");
    played(node, run).await;
    let next = chat(node, "").await;
    assert!(setup(&played(node, next).await).threads.is_empty());
}

#[tokio::test(start_paused = true)]
async fn who_cancels_or_deletes_a_message_can_say_another() {
    let agents = Agents::after(Duration::from_secs(1));
    let House { node, .. } = &house(agents.clone());
    let cancelled = chat(node, "").await;
    agents.asked(12).await;
    node.steer(cancelled, Steering::Cancel).await.unwrap();
    played(node, cancelled).await;
    let next = chat(node, "").await;
    assert_eq!(setup(&played(node, next).await).threads.len(), 6, "what was said counts");
    node.delete(next).await.unwrap();
    let anew = chat(node, "").await;
    assert!(setup(&played(node, anew).await).threads.is_empty(), "what is gone does not");
}

#[tokio::test(start_paused = true)]
async fn an_order_makes_one_run_whatever_becomes_of_the_conversation() {
    let House { node, choir, .. } = &house(Agents::after(Duration::from_secs(1)));
    let Placed { run, before } = node.chat(message(""), order("key", "a")).await.unwrap();
    assert!(!before);
    let assembled = choir.assembled.load(SeqCst);
    let again = || node.chat(message(""), order("key", "a"));
    assert_eq!(again().await.unwrap(), Placed { run, before: true }, "although it is busy with it");
    played(node, run).await;
    assert_eq!(again().await.unwrap(), Placed { run, before: true });
    let reused = node.chat(message(""), order("key", "b")).await;
    assert!(matches!(reused, Err(Error::Reused)), "{reused:?}");
    assert_eq!(choir.assembled.load(SeqCst), assembled, "nothing is made ready for it");
    let both = futures::future::join_all([
        node.chat(message(""), order("other", "a")),
        node.chat(message(""), order("other", "a")),
    ]);
    let runs: Vec<_> = both.await.into_iter().map(|placed| placed.unwrap().run).collect();
    assert_eq!(runs[0], runs[1]);
}
