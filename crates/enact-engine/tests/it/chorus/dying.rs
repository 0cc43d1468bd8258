//! A process that dies in the middle of a chorus, and another that goes on.

use std::{sync::Arc, time::Duration};

use enact_drama::{Seq, chorus::Chorus};
use enact_engine::Log;
use enact_testkit::{
    FaultyStore,
    test_chorus::{Agents, TestVoice, setup, stage},
};
use proptest::prelude::*;
use tokio::sync::mpsc;

use super::found::{Found, listed};

/// How many times the process of a chorus dies before one lives to its end.
const DEATHS: usize = 3;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn nothing_is_said_or_heard_twice_whenever_it_dies(
        lives in proptest::collection::vec(1_usize..14, DEATHS),
        answers in proptest::collection::vec(0_u64..40, 6),
        speech in 0_u64..60,
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(play(&lives, &answers, speech));
    }
}

async fn play(lives: &[usize], answers: &[u64], speech: u64) {
    let folder = tempfile::tempdir().unwrap();
    let agents = Agents::taking(answers.iter().copied().map(Duration::from_millis));
    let voice = TestVoice::after(Duration::from_millis(speech));
    let log = Arc::new(FaultyStore::failing_after_appends(lives[0]));
    let stage = stage(folder.path(), agents, voice).store(log.clone());
    let setup = setup(6);
    let run = setup.run;
    let (_requests, mut nothing) = mpsc::channel(1);

    let mut died = stage.play::<Chorus>(Chorus::beginning(setup), &mut (), &mut nothing).await.is_err();
    let mut deaths = usize::from(died);
    let artifacts = folder.path().join("artifacts");
    for left in &lives[1..] {
        if !died {
            break;
        }
        released().await;
        // What was not stored was not laid down either.
        let heard = Found::of(&log.read(run, Seq(0)).await.unwrap()).heard;
        assert!(listed(&artifacts, run).iter().all(|file| heard.contains_key(file)), "{heard:?}");
        log.fail_after_appends(*left);
        died = stage.resume::<Chorus>(run, &mut (), &mut nothing).await.is_err();
        deaths += usize::from(died);
    }
    if died {
        released().await;
        log.recover();
        stage.resume::<Chorus>(run, &mut (), &mut nothing).await.unwrap();
    }
    let found = Found::of(&log.read(run, Seq(0)).await.unwrap());
    assert!(found.is_whole(6, 2), "{found:?}");
    assert!(found.resumed <= deaths, "{} {deaths}", found.resumed);
    found.check_files(&artifacts, run);
}

/// The stage that died releases its claim as soon as other tasks run.
async fn released() {
    tokio::task::yield_now().await;
}
