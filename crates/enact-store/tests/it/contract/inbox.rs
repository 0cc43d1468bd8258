//! Commands to those who play.

use std::time::Duration;

use enact_drama::RunId;
use enact_engine::{
    Store,
    log::{Batch, Claim, CommandId, Error, Status},
    store::{INBOX_CAPACITY, INBOX_PAGE, PostedCommand, Wake},
};
use uuid::Uuid;

use super::{Stage, begin, command, enqueue, new_run, record, records, shown, stored};

pub(crate) async fn commands_come_in_order_and_as_they_were_written(stage: Stage) {
    let (one, other) = (playing(&stage).await, playing(&stage).await);
    let written = [
        (one.run, r#"{"command":"note","to":"alice","text":"Say \"no\", \\ or 'non' — 否 😀"}"#),
        (other.run, r#"{"command":"pause"}"#),
        (one.run, r#"{ "sing" :  "louder", "sing": 1.50e+02, "nul": "\u0000 \ud800" }"#),
        (other.run, "null"),
        (one.run, "[\n\t1,\r\n 2]"),
    ];
    let mut posted = Vec::new();
    for (run, command) in written {
        // Anybody may write.
        let outcome = stage.second.post(run, command.into(), Wake::Claim).await.unwrap();
        assert_eq!(outcome.claim, None, "it was played already");
        posted.push(PostedCommand { id: outcome.id, run, command: command.into() });
    }
    assert!(posted.is_sorted_by(|a, b| a.id < b.id), "{posted:?}");
    assert_eq!(stage.first.inboxes().await.unwrap(), posted);
    assert_eq!(stage.first.inboxes().await.unwrap(), posted, "reading takes nothing");
    for run in [one.run, other.run] {
        let mine: Vec<_> = posted.iter().filter(|posted| posted.run == run).cloned().collect();
        for store in [&stage.first, &stage.second] {
            assert_eq!(store.inbox(run).await.unwrap(), mine, "anybody may look");
        }
    }
    assert_eq!(stage.first.inbox(RunId(Uuid::now_v7())).await.unwrap(), []);
}

pub(crate) async fn commands_are_read_by_whoever_plays(stage: Stage) {
    let run = enqueue(&*stage.first).await;
    let id = stage.first.post(run, command("pause"), Wake::Queue).await.unwrap().id;
    assert!(ids(&*stage.first).await.is_empty(), "nobody plays it yet");
    let [claim] = stage.second.claim_waiting(1).await.unwrap()[..] else { panic!("one waits") };
    assert_eq!(ids(&*stage.second).await, [id]);
    if stage.knows_owners() {
        assert!(ids(&*stage.first).await.is_empty(), "it is another's");
    }
    stage.second.release(claim).await.unwrap();
    assert!(ids(&*stage.second).await.is_empty());
    // It waits for the next owner.
    stage.first.claim(run).await.unwrap();
    assert_eq!(ids(&*stage.first).await, [id]);
}

pub(crate) async fn a_command_is_taken_with_what_follows_from_it(stage: Stage) {
    let claim = playing(&stage).await;
    let first = stage.first.post(claim.run, command("pause"), Wake::Queue).await.unwrap().id;
    let second = stage.first.post(claim.run, command("resume"), Wake::Queue).await.unwrap().id;
    let gap = stage.first.append(&claim, Batch::of(records([7])).taken(first)).await;
    assert!(matches!(gap, Err(Error::Conflict(_))), "{gap:?}");
    assert_eq!(ids(&*stage.first).await, [first, second], "a refused batch leaves the command");
    stage.first.append(&claim, Batch::of(records([1])).taken(first)).await.unwrap();
    assert_eq!(ids(&*stage.first).await, [second]);
    assert_eq!(stored(&*stage.first, claim.run).await, shown(&records(0..2)));

    // Something may be wanted that changes nothing.
    stage.first.append(&claim, Batch::default().taken(second)).await.unwrap();
    assert!(ids(&*stage.first).await.is_empty());
    let third = stage.first.post(claim.run, command("pause"), Wake::Queue).await.unwrap().id;
    assert!(third > second, "ids grow, though the inbox was empty");
}

pub(crate) async fn many_commands_are_taken_at_once(stage: Stage) {
    let mut taking = tokio::task::JoinSet::new();
    let (mut kept, mut claims) = (Vec::new(), Vec::new());
    for _ in 0..40 {
        let claim = playing(&stage).await;
        let id = stage.first.post(claim.run, command("pause"), Wake::Queue).await.unwrap().id;
        kept.push(stage.first.post(claim.run, command("resume"), Wake::Queue).await.unwrap().id);
        claims.push((claim, id));
    }
    for (number, (claim, id)) in claims.into_iter().enumerate() {
        let store = stage.first.clone();
        let offends = number % 10 == 3;
        if offends {
            kept.push(id);
        }
        taking.spawn(async move {
            let seq = if offends { 9 } else { 1 };
            let outcome = store.append(&claim, Batch::of([record(seq)]).taken(id)).await;
            assert_eq!(outcome.is_err(), offends, "{outcome:?}");
        });
    }
    taking.join_all().await;
    kept.sort();
    assert_eq!(ids(&*stage.first).await, kept);
}

pub(crate) async fn a_run_takes_no_command_of_another(stage: Stage) {
    let (one, other) = (playing(&stage).await, playing(&stage).await);
    let id = stage.first.post(other.run, command("pause"), Wake::Queue).await.unwrap().id;
    stage.first.append(&one, Batch::of(records([1])).taken(id)).await.unwrap();
    assert_eq!(ids(&*stage.first).await, [id]);
}

pub(crate) async fn an_old_claim_takes_no_command(stage: Stage) {
    let run = enqueue(&*stage.first).await;
    let [old] = stage.first.claim_waiting(1).await.unwrap()[..] else { panic!("one waits") };
    let id = stage.second.post(run, command("cancel"), Wake::Queue).await.unwrap().id;
    stage.first.release(old).await.unwrap();
    let new = stage.second.claim(run).await.unwrap();
    for late in [Batch::of(records([1])), Batch::default(), Batch::of(records([1])).ended("cancelled")] {
        let outcome = stage.first.append(&old, late.taken(id)).await;
        assert!(matches!(outcome, Err(Error::Conflict(_))), "{outcome:?}");
    }
    assert_eq!(ids(&*stage.second).await, [id]);
    stage.second.append(&new, Batch::of(records([1])).taken(id)).await.unwrap();
    assert!(ids(&*stage.second).await.is_empty());
}

pub(crate) async fn the_end_of_a_run_empties_its_inbox(stage: Stage) {
    let (ending, going_on) = (playing(&stage).await, playing(&stage).await);
    let taken = stage.first.post(ending.run, command("cancel"), Wake::Queue).await.unwrap().id;
    let seen = stage.first.post(ending.run, command("pause"), Wake::Queue).await.unwrap().id;
    let kept = stage.first.post(going_on.run, command("pause"), Wake::Queue).await.unwrap().id;
    let end = Batch::of(records([1])).ended("cancelled").seen(seen).taken(taken);
    stage.first.append(&ending, end).await.unwrap();
    assert_eq!(ids(&*stage.first).await, [kept]);
    for store in [&stage.first, &stage.second] {
        let late = store.post(ending.run, command("pause"), Wake::Queue).await;
        assert!(matches!(late, Err(Error::Ended(run)) if run == ending.run), "{late:?}");
    }
}

pub(crate) async fn a_run_does_not_end_before_all_commands_are_read(stage: Stage) {
    let (claim, other) = (playing(&stage).await, playing(&stage).await);
    let post = async |name| stage.second.post(claim.run, command(name), Wake::Queue).await.unwrap().id;
    let (first, second) = (post("pause").await, post("cancel").await);
    stage.second.post(other.run, command("pause"), Wake::Queue).await.unwrap();
    let end = || Batch::of(records([1])).ended("cancelled");
    for unread in [end(), end().taken(first), end().taken(second), end().seen(first)] {
        let refused = stage.first.append(&claim, unread).await;
        assert!(matches!(refused, Err(Error::Unread(run)) if run == claim.run), "{refused:?}");
    }
    assert_eq!(stored(&*stage.first, claim.run).await, shown(&records([0])), "nothing was stored");
    assert_eq!(stage.second.find(claim.run).await.unwrap().status, Status::Playing);
    // One that does not end need not have read anything.
    stage.first.append(&claim, Batch::of(records([1]))).await.unwrap();
    let end = Batch::of(records([2])).ended("cancelled");
    stage.first.append(&claim, end.seen(first).taken(second)).await.unwrap();
    assert_eq!(stage.second.find(claim.run).await.unwrap().status, Status::Finished);
}

/// Silence for want of an answer must not be stored while the answer lies in the inbox.
pub(crate) async fn what_refuses_commands_is_stored_after_all_are_read(stage: Stage) {
    let claim = playing(&stage).await;
    let post = async |name| stage.second.post(claim.run, command(name), Wake::Queue).await.unwrap().id;
    let (first, second) = (post("answer").await, post("answer").await);
    let silence = || Batch { after_commands: true, ..Batch::of(records([1])) };
    for unread in [silence(), silence().taken(first), silence().seen(first)] {
        let refused = stage.first.append(&claim, unread).await;
        assert!(matches!(refused, Err(Error::Unread(run)) if run == claim.run), "{refused:?}");
    }
    assert_eq!(stored(&*stage.first, claim.run).await, shown(&records([0])), "nothing was stored");
    stage.first.append(&claim, silence().seen(second)).await.unwrap();
    assert_eq!(ids_of(&*stage.first, claim.run).await, [first, second], "it ends nothing");
}

/// Of many who post while a run ends each is either refused or read.
pub(crate) async fn a_command_is_read_or_refused_however_a_run_ends(stage: Stage) {
    for _ in 0..20 {
        let claim = playing(&stage).await;
        let mut posting = tokio::task::JoinSet::new();
        for number in 0..20 {
            let store = if number % 2 == 0 { stage.first.clone() } else { stage.second.clone() };
            posting.spawn(async move {
                match store.post(claim.run, command("note"), Wake::Queue).await {
                    Ok(posted) => Some(posted.id),
                    Err(Error::Ended(_)) => None,
                    Err(other) => panic!("{other}"),
                }
            });
        }
        let mut read = Vec::new();
        loop {
            let end = Batch { seen: read.last().copied(), ..Batch::of(records([1])).ended("goal") };
            match stage.first.append(&claim, end).await {
                Ok(()) => break,
                Err(Error::Unread(_)) => read = ids_of(&*stage.first, claim.run).await,
                Err(other) => panic!("{other}"),
            }
        }
        let mut accepted: Vec<CommandId> = posting.join_all().await.into_iter().flatten().collect();
        accepted.sort();
        assert_eq!(accepted, read, "commands were accepted that were not read");
    }
}

async fn ids_of(store: &dyn Store, run: RunId) -> Vec<CommandId> {
    store.inbox(run).await.unwrap().iter().map(|posted| posted.id).collect()
}

pub(crate) async fn nobody_writes_to_a_run_that_is_not(stage: Stage) {
    let nobody = RunId(Uuid::now_v7());
    let outcome = stage.first.post(nobody, command("pause"), Wake::Queue).await;
    assert!(matches!(outcome, Err(Error::NotFound(run)) if run == nobody), "{outcome:?}");
}

pub(crate) async fn nobody_writes_to_a_run_that_nobody_plays(stage: Stage) {
    let by_hand = playing(&stage).await;
    stage.second.post(by_hand.run, command("pause"), Wake::Queue).await.unwrap();
    stage.first.release(by_hand).await.unwrap();
    let imported = new_run();
    stage.first.import(imported.clone(), records([0]), Vec::new(), None).await.unwrap();
    for run in [by_hand.run, imported.run] {
        for store in [&stage.first, &stage.second] {
            let outcome = store.post(run, command("resume"), Wake::Queue).await;
            assert!(matches!(outcome, Err(Error::Idle(idle)) if idle == run), "{outcome:?}");
            assert_eq!(store.find(run).await.unwrap().status, Status::Interrupted);
        }
    }
    // Earlier messages are read by the node that resumes the run.
    stage.second.claim(by_hand.run).await.unwrap();
    stage.first.post(by_hand.run, command("resume"), Wake::Queue).await.unwrap();
    assert_eq!(ids(&*stage.second).await.len(), 2);
}

pub(crate) async fn an_inbox_takes_only_so_many(stage: Stage) {
    let run = enqueue(&*stage.first).await;
    for _ in 0..INBOX_CAPACITY {
        stage.first.post(run, command("pause"), Wake::Queue).await.unwrap();
    }
    let one_more = stage.second.post(run, command("pause"), Wake::Queue).await;
    assert!(matches!(one_more, Err(Error::Full(full)) if full == run), "{one_more:?}");
    let other = enqueue(&*stage.first).await;
    stage.first.post(other, command("pause"), Wake::Queue).await.unwrap();

    let claim = stage.first.claim(run).await.unwrap();
    let oldest = ids(&*stage.first).await[0];
    stage.first.append(&claim, Batch::default().taken(oldest)).await.unwrap();
    stage.second.post(run, command("pause"), Wake::Queue).await.unwrap();
}

pub(crate) async fn one_full_inbox_is_read_bit_by_bit(stage: Stage) {
    let (busy, other) = (playing(&stage).await, playing(&stage).await);
    let mut posted = Vec::new();
    for _ in 0..INBOX_PAGE + 2 {
        posted.push(stage.first.post(busy.run, command("pause"), Wake::Queue).await.unwrap().id);
    }
    let last = stage.first.post(other.run, command("pause"), Wake::Queue).await.unwrap().id;
    let read = ids(&*stage.first).await;
    assert_eq!(read, [&posted[..INBOX_PAGE], &[last]].concat());
    stage.first.append(&busy, Batch::default().taken(posted[0])).await.unwrap();
    assert_eq!(ids(&*stage.first).await, [&posted[1..=INBOX_PAGE], &[last]].concat());
    let of_one: Vec<_> = stage.second.inbox(busy.run).await.unwrap().iter().map(|posted| posted.id).collect();
    assert_eq!(of_one, posted[1..=INBOX_PAGE]);
}

pub(crate) async fn who_waits_for_news_finds_commands(stage: Stage) {
    let claim = playing(&stage).await;
    let mut news = stage.first.notifications();
    let looking = stage.first.clone();
    let found = tokio::spawn(async move {
        loop {
            if let [posted] = &looking.inboxes().await.unwrap()[..] {
                return posted.id;
            }
            let _ = tokio::time::timeout(Duration::from_millis(200), news.recv()).await;
        }
    });
    let id = stage.second.post(claim.run, command("pause"), Wake::Queue).await.unwrap().id;
    assert_eq!(found.await.unwrap(), id);
}

/// A run with one record, played by the first.
async fn playing(stage: &Stage) -> Claim {
    let claim = begin(&*stage.first).await;
    stage.first.append(&claim, Batch::of(records([0]))).await.unwrap();
    claim
}

async fn ids(store: &dyn Store) -> Vec<CommandId> {
    store.inboxes().await.unwrap().iter().map(|posted| posted.id).collect()
}
