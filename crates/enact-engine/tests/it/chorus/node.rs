//! Choruses on nodes: followed, steered, handed on, deleted.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use enact_drama::{
    Record, RunId, Seq,
    chorus::{Chorus, ChorusCommand, ChorusEvent, folder_of, manifest_of},
    scene,
};
use enact_engine::{
    Node, Store,
    log::{MemoryStore, Status},
    node::{Error, FollowEvent, Follower, NodeLimits, Submitter},
};
use enact_testkit::{
    in_time,
    test_chorus::{ANOTHER, Agents, TestChorus, TestVoice},
    until,
};
use expect_test::expect;
use tokio::time::Instant;

use super::{
    conversations::chat,
    found::{Found, files},
};
use crate::submitting::{post, productions};

const SECOND: Duration = Duration::from_secs(1);

pub(crate) fn node(store: &Arc<MemoryStore>, test_chorus: &Arc<TestChorus>) -> Node {
    Node::start(store.clone(), test_chorus.clone(), productions(), NodeLimits::default())
}

/// All of a run, once it has ended: without gaps, and each record once.
pub(crate) async fn played(node: &Node, run: RunId) -> Vec<Record> {
    let mut follower = node.follow(run, Seq(0)).await.unwrap();
    in_time(to_end(&mut follower)).await
}

pub(crate) async fn to_end(follower: &mut Follower) -> Vec<Record> {
    let mut all = Vec::new();
    loop {
        match follower.next().await.unwrap() {
            Some(FollowEvent::Records(records)) => {
                all.extend(records.iter().map(|record| Record::clone(record)))
            }
            Some(FollowEvent::Delta(_)) => {}
            Some(FollowEvent::Closed) => panic!("the node has stopped"),
            None => return all,
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_chorus_is_played_on_whether_or_not_anybody_looks() {
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(MemoryStore::default());
    let test_chorus = TestChorus::new(folder.path(), Agents::after(SECOND), TestVoice::after(SECOND));
    let node = node(&store, &test_chorus);
    let run = chat(&node, &test_chorus, "").await;
    let mut follower = node.follow(run, Seq(0)).await.unwrap();
    assert!(matches!(follower.next().await.unwrap(), Some(FollowEvent::Records(_))));
    drop(follower);
    until(async || store.find(run).await.unwrap().status == Status::Finished).await;
    let records = played(&node, run).await;
    let found = Found::of(&records);
    assert!(found.is_whole(6, 2), "{found:?}");
    assert_eq!(found.resumed, 0);
    found.check_files(&folder.path().join("artifacts"), run);
    // A follower that resumes at any seq gets exactly the rest.
    for from in 0..=records.len() {
        let mut follower = node.follow(run, Seq(from as u64)).await.unwrap();
        let rest: Vec<Seq> = to_end(&mut follower).await.iter().map(|record| record.seq).collect();
        assert_eq!(rest, (from as u64..records.len() as u64).map(Seq).collect::<Vec<_>>());
    }
}

#[tokio::test(start_paused = true)]
async fn another_node_goes_on_with_what_was_being_said() {
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(MemoryStore::default());
    let (agents, slow) = (Agents::after(SECOND), TestVoice::after(100 * SECOND));
    let test_chorus = TestChorus::new(folder.path(), agents.clone(), slow.clone());
    let first = node(&store, &test_chorus);
    let run = chat(&first, &test_chorus, "").await;
    // All have answered and are being spoken, and are asked for a comment.
    agents.asked(12).await;
    first.stop().await;
    assert_eq!(slow.asked(), 6);

    let quick = TestVoice::default();
    let second = node(&store, &TestChorus::new(folder.path(), Agents::default(), quick.clone()));
    let found = Found::of(&played(&second, run).await);
    assert!(found.is_whole(6, 2), "{found:?}");
    assert_eq!(found.resumed, 1);
    assert_eq!(quick.asked(), 14, "what was being said is said again, and what was heard is not");
    found.check_files(&folder.path().join("artifacts"), run);
}

#[tokio::test(start_paused = true)]
async fn a_chorus_can_only_be_cancelled() {
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(MemoryStore::default());
    let agents = Agents::after(10 * SECOND);
    let test_chorus = TestChorus::new(folder.path(), agents.clone(), TestVoice::default());
    let node = node(&store, &test_chorus);
    let run = chat(&node, &test_chorus, "").await;
    agents.asked(6).await;
    let note = scene::Command::Note { to: None, text: "Be kind.".into() };
    let event = scene::Command::WorldEvent { text: "It rains.".into() };
    let (pause, resume, step) = (scene::Command::Pause, scene::Command::Resume, scene::Command::Step);
    let mut told = Vec::new();
    for wanted in [note, event, pause, resume, step] {
        let refused = post::<scene::Scene>(&node, run, &wanted).await;
        let Err(Error::Problem(problem)) = refused else { panic!("it is refused") };
        told.push(format!("{problem} ({})", problem.hint.as_deref().unwrap_or_default()));
    }
    expect![[r#"
        this is no command of a chorus: command must be cancel, found 'note' (a command is an object with its name as 'command')
        this is no command of a chorus: command must be cancel, found 'world_event' (a command is an object with its name as 'command')
        this is no command of a chorus: command must be cancel, found 'pause' (a command is an object with its name as 'command')
        this is no command of a chorus: command must be cancel, found 'resume' (a command is an object with its name as 'command')
        this is no command of a chorus: command must be cancel, found 'step' (a command is an object with its name as 'command')"#]]
    .assert_eq(&told.join("\n"));
    let forked = node.fork(run, 0, None, Submitter::default()).await;
    let Err(Error::Problem(problem)) = forked else { panic!("it is refused") };
    assert_eq!(problem.to_string(), "a chorus has no beats to fork at");
    assert_eq!(store.inbox(run).await.unwrap(), [], "nothing of it was posted");

    post::<Chorus>(&node, run, &ChorusCommand::Cancel).await.unwrap();
    let found = Found::of(&played(&node, run).await);
    assert_eq!((found.ended.as_deref(), found.said.len()), (Some("cancelled"), 0));
}

#[tokio::test(start_paused = true)]
async fn what_was_said_goes_with_its_run() {
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(MemoryStore::default());
    let test_chorus = TestChorus::new(folder.path(), Agents::default(), TestVoice::default());
    let node = node(&store, &test_chorus);
    let (gone, stays) = (chat(&node, &test_chorus, "one").await, chat(&node, &test_chorus, "two").await);
    for run in [gone, stays] {
        played(&node, run).await;
    }
    let before = files(folder.path()).len();
    node.delete(gone).await.unwrap();
    let left = files(folder.path());
    assert_eq!(left.len() * 2, before);
    assert!(left.iter().all(|file| file.contains(&folder_of(stays))), "{left:?}");
    assert!(node.delete(gone).await.is_err(), "it is gone");
}

#[tokio::test(start_paused = true)]
async fn what_is_being_played_is_not_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(MemoryStore::default());
    let agents = Agents::after(SECOND);
    let test_chorus = TestChorus::new(folder.path(), agents.clone(), TestVoice::default());
    let node = node(&store, &test_chorus);
    let run = chat(&node, &test_chorus, "").await;
    agents.asked(12).await;
    assert!(node.delete(run).await.is_err());
    let found = Found::of(&played(&node, run).await);
    assert!(found.is_whole(6, 2), "{found:?}");
    found.check_files(&folder.path().join("artifacts"), run);
}

#[tokio::test(start_paused = true)]
async fn without_a_voice_everything_is_said_and_the_log_tells_why_nobody_hears_it() {
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(MemoryStore::default());
    let mut test_chorus = TestChorus::new(folder.path(), Agents::default(), TestVoice::default());
    Arc::get_mut(&mut test_chorus).unwrap().voice = None;
    let node = node(&store, &test_chorus);
    let run = chat(&node, &test_chorus, "").await;
    let records = played(&node, run).await;
    let found = Found::of(&records);
    assert_eq!((found.said.len(), found.unheard, found.ended.as_deref()), (14, 14, Some("completed")));
    assert!(errors(&records).iter().all(|error| error == "nobody has a voice today"), "{records:?}");
    found.check_files(&folder.path().join("artifacts"), run);
}

#[tokio::test(start_paused = true)]
async fn a_model_that_is_missing_costs_its_slot_and_the_conversation_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(MemoryStore::default());
    let mut test_chorus = TestChorus::new(folder.path(), Agents::default(), TestVoice::default());
    Arc::get_mut(&mut test_chorus).unwrap().lacks = Some(ANOTHER);
    let node = node(&store, &test_chorus);
    // The second message shows that the first is over.
    for _ in 0..2 {
        let run = chat(&node, &test_chorus, "").await;
        let records = played(&node, run).await;
        let found = Found::of(&records);
        assert_eq!((found.failed, found.ended.as_deref()), (1, Some("completed")), "{found:?}");
        assert_eq!(found.said.keys().filter(|(turn, _)| *turn == 1).count(), 5);
        assert_eq!(errors(&records), ["its key is gone"]);
        found.check_files(&folder.path().join("artifacts"), run);
    }
}

/// What a log says went wrong.
fn errors(records: &[Record]) -> Vec<String> {
    let said = records.iter().filter_map(|record| record.fact().ok()).map(|fact| fact.event);
    said.filter_map(|event| match event {
        ChorusEvent::SlotFailed { outcome, .. } => Some(outcome.error),
        ChorusEvent::VoiceFailed { error, .. } => Some(error),
        _ => None,
    })
    .collect()
}

/// With a pace, each spoken text stays for its reading time, and the next one waits no longer than that.
#[tokio::test(start_paused = true)]
async fn people_can_read_along() {
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(MemoryStore::default());
    let test_chorus = TestChorus::new(folder.path(), Agents::default(), TestVoice::default());
    let node = Node::start(
        store,
        test_chorus.clone(),
        productions(),
        NodeLimits { pace: SECOND, ..NodeLimits::default() },
    );
    let began = Instant::now();
    let run = chat(&node, &test_chorus, "").await;
    let found = Found::of(&played(&node, run).await);
    assert!(found.is_whole(6, 2), "{found:?}");
    // The end is not delayed: the last text stays on screen anyway.
    assert_eq!(began.elapsed().as_secs(), 13, "a second for each thing said");
}

/// A pause is for reading: what can be heard meanwhile is told as soon as it can.
#[tokio::test(start_paused = true)]
async fn reading_holds_up_no_speech() {
    let folder = tempfile::tempdir().unwrap();
    let voice = TestVoice::after(SECOND / 10).refusing("thanks");
    let test_chorus = TestChorus::new(folder.path(), Agents::default(), voice);
    let limits = NodeLimits { pace: SECOND, ..NodeLimits::default() };
    let node = Node::start(Arc::new(MemoryStore::default()), test_chorus.clone(), productions(), limits);
    let run = chat(&node, &test_chorus, "").await;
    let mut follower = node.follow(run, Seq(0)).await.unwrap();
    let (mut said, mut waited) = (BTreeMap::new(), Vec::new());
    while let Some(FollowEvent::Records(records)) = follower.next().await.unwrap() {
        let facts = records.iter().filter_map(|record| record.fact::<ChorusEvent>().ok());
        for fact in facts {
            match fact.event {
                ChorusEvent::SlotSpoke { turn, slot, .. } => {
                    said.insert((turn, slot), Instant::now());
                }
                ChorusEvent::Voiced { turn, slot, .. } | ChorusEvent::VoiceFailed { turn, slot, .. } => {
                    waited.push(said[&(turn, slot)].elapsed());
                }
                _ => {}
            }
        }
    }
    assert_eq!(waited.len(), 14);
    assert!(waited.iter().all(|waited| *waited < SECOND / 5), "{waited:?}");
}

/// The manifest of a chorus that was never started says that no audio will come.
#[tokio::test(start_paused = true)]
async fn what_is_cancelled_in_the_queue_leaves_a_list_that_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(MemoryStore::default());
    let test_chorus = TestChorus::new(folder.path(), Agents::default(), TestVoice::default());
    let closed = node(&store, &test_chorus);
    closed.stop().await;
    let run = chat(&closed, &test_chorus, "").await;
    closed.cancel(run).await.unwrap();
    let found = Found::of(&played(&node(&store, &test_chorus), run).await);
    assert_eq!((found.ended.as_deref(), found.said.len()), (Some("cancelled"), 0));
    let list = folder.path().join("artifacts").join(manifest_of(run));
    assert!(std::fs::read_to_string(list).unwrap().contains(r#""ended": "cancelled""#));
}
