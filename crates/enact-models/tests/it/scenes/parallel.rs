//! All actors of a beat are asked together, each exactly once.

use std::{collections::BTreeMap, time::Duration};

use enact_models::connect;
use enact_testkit::pass;
use fake_provider::Seen;

use super::office::{CAST, answers, asked, calls, config, lively, sonnet, stage};

#[tokio::test]
async fn everybody_is_asked_once_a_beat_and_all_at_once() {
    let server = answers(|seen| lively(seen).after(Duration::from_millis(60))).start().await;
    stage(sonnet(&server)).run_scene(config(6)).await.unwrap();
    let mut beats: BTreeMap<u32, Vec<Seen>> = BTreeMap::new();
    for seen in calls(&server) {
        beats.entry(asked(&seen).1).or_default().push(seen);
    }
    assert_eq!(beats.len(), 6);
    for (beat, calls) in beats {
        let mut who: Vec<String> = calls.iter().map(|seen| asked(seen).0).collect();
        who.sort();
        let everyone: Vec<&str> = if beat == 0 { vec!["alice"] } else { CAST.to_vec() };
        assert_eq!(who, everyone, "beat {beat}");
        assert!(
            calls.iter().all(|seen| seen.in_flight == everyone.len()),
            "beat {beat} was not asked at once"
        );
    }
}

#[tokio::test]
async fn nothing_is_asked_after_a_run_was_dropped() {
    let server = answers(|seen| lively(seen).after(Duration::from_secs(60))).start().await;
    let stage = stage(sonnet(&server));
    {
        let playing = stage.run_scene(config(6));
        tokio::pin!(playing);
        tokio::select! {
            _ = &mut playing => panic!("nobody has answered"),
            () = server.wait_for_arrivals(2) => {}
        }
    }
    server.wait_until_idle().await;
    let arrived = server.arrivals();
    assert!(calls(&server).iter().all(|seen| seen.outcome == fake_provider::Outcome::Dropped));
    // Every deadline of the run has passed by then, and whatever else were asked would come before this
    // question.
    pass(Duration::from_secs(3600)).await;
    connect(sonnet(&server)).unwrap().check().await.unwrap();
    assert_eq!(server.arrivals(), arrived + 1);
}
