//! The events that a follower of a chorus received, and when.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::{Duration, Instant},
};

use enact_drama::{
    CallId, Fact, Seq,
    chorus::{ChorusEnd, ChorusEvent},
};
use enact_engine::node::{FollowEvent, Follower};

pub(crate) struct Events(Vec<(Instant, Fact<ChorusEvent>)>);

impl Events {
    /// Everything there is, to the end.
    pub(crate) async fn of(follower: &mut Follower) -> Events {
        let mut events = Vec::new();
        loop {
            match follower.next().await.expect("the log") {
                Some(FollowEvent::Records(records)) => {
                    let at = Instant::now();
                    events.extend(records.iter().map(|record| (at, record.fact().expect("a fact"))));
                }
                Some(FollowEvent::Delta(_)) => {}
                Some(FollowEvent::Closed) => panic!("the node has stopped"),
                None => return Events(events),
            }
        }
    }

    pub(crate) fn seqs(&self) -> Vec<Seq> {
        self.0.iter().map(|(_, fact)| fact.seq).collect()
    }

    /// Nothing is missing, repeated or failed: so many answers, as many comments, so many replies, all of them heard.
    pub(crate) fn check(&self, slots: usize, replies: usize) {
        let expected: Vec<Seq> = (0..self.0.len() as u64).map(Seq).collect();
        assert_eq!(self.seqs(), expected, "without gaps");
        let (mut said, mut heard) = (BTreeSet::new(), BTreeSet::new());
        for (_, fact) in &self.0 {
            match &fact.event {
                ChorusEvent::SlotSpoke { turn, slot, .. } => assert!(said.insert((*turn, *slot))),
                ChorusEvent::Voiced { turn, slot, .. } => assert!(heard.insert((*turn, *slot))),
                ChorusEvent::SlotFailed { outcome, .. } => panic!("{}", outcome.error),
                ChorusEvent::VoiceFailed { error, .. } => panic!("{error}"),
                _ => {}
            }
        }
        assert_eq!(said.len(), 2 * slots + replies);
        assert_eq!(said, heard);
        let end = self.0.last().map(|(_, fact)| &fact.event);
        assert_eq!(end, Some(&ChorusEvent::Ended { reason: ChorusEnd::Completed }));
    }

    /// How long after its text each thing could be heard, in the order in which they could.
    pub(crate) fn until_heard(&self) -> Vec<Duration> {
        let mut said: BTreeMap<CallId, Instant> = BTreeMap::new();
        let mut delays = Vec::new();
        for (at, fact) in &self.0 {
            match &fact.event {
                ChorusEvent::SlotSpoke { speech: Some(speech), .. } => {
                    said.insert(speech.call, *at);
                }
                ChorusEvent::Voiced { call, .. } => delays.push(*at - said[call]),
                _ => {}
            }
        }
        delays
    }
}
