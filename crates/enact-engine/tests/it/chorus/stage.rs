//! A chorus on a stage: what runs beside what, and what failing costs.

use std::{sync::Arc, time::Duration};

use enact_drama::{
    Seq,
    chorus::{AgentId, Chorus},
};
use enact_engine::{Error, Log, Stage, log::MemoryStore, run_loop::Signal};
use enact_testkit::{
    FaultyStore,
    test_chorus::{ANOTHER, Agents, MODEL, TestVoice, setup, stage},
};
use tokio::{sync::mpsc, time::Instant};

use super::found::{Found, files};

const SECOND: Duration = Duration::from_secs(1);

#[tokio::test(start_paused = true)]
async fn everything_is_said_and_can_be_heard() {
    for (slots, replies) in [(6, 2), (2, 2), (1, 0)] {
        let folder = tempfile::tempdir().unwrap();
        let log = Arc::new(MemoryStore::default());
        let stage = stage(folder.path(), Agents::default(), TestVoice::default()).store(log.clone());
        let setup = setup(slots);
        let run = setup.run;
        let story = stage.run::<Chorus>(Chorus::beginning(setup)).await.unwrap();
        assert!(story.ended.is_some());
        let found = Found::of(&log.read(run, Seq(0)).await.unwrap());
        match slots {
            1 => assert_eq!((found.said.len(), found.heard.len()), (1, 1), "nobody is there to comment on"),
            _ => assert!(found.is_whole(usize::from(slots), replies), "{found:?}"),
        }
        found.check_files(&folder.path().join("artifacts"), run);
    }
}

#[tokio::test(start_paused = true)]
async fn a_turn_is_thought_about_while_the_one_before_is_spoken() {
    let folder = tempfile::tempdir().unwrap();
    let agents = Agents::taking([SECOND / 2, SECOND]);
    let began = Instant::now();
    stage(folder.path(), agents, TestVoice::after(10 * SECOND))
        .run::<Chorus>(Chorus::beginning(setup(6)))
        .await
        .unwrap();
    // Three of the slowest answers, and the speech of the last.
    assert_eq!(began.elapsed().as_secs_f64().round(), 13.0);
}

#[tokio::test(start_paused = true)]
async fn what_cannot_be_heard_was_still_said() {
    let folder = tempfile::tempdir().unwrap();
    let log = Arc::new(MemoryStore::default());
    let agents = Agents::default().failing([3]);
    let voice = TestVoice::default().refusing("has heard");
    let setup = setup(6);
    let run = setup.run;
    stage(folder.path(), agents, voice)
        .store(log.clone())
        .run::<Chorus>(Chorus::beginning(setup))
        .await
        .unwrap();
    let found = Found::of(&log.read(run, Seq(0)).await.unwrap());
    assert_eq!((found.failed, found.unheard), (1, 5));
    assert_eq!(found.ended.as_deref(), Some("completed"));
    assert_eq!(found.said.keys().filter(|(turn, _)| *turn == 2).count(), 5);
    found.check_files(&folder.path().join("artifacts"), run);
}

#[tokio::test(start_paused = true)]
async fn a_folder_that_cannot_be_written_to_costs_the_audio_and_not_the_run() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("artifacts"), "in the way").unwrap();
    let log = Arc::new(MemoryStore::default());
    let setup = setup(2);
    let run = setup.run;
    stage(folder.path(), Agents::default(), TestVoice::default())
        .store(log.clone())
        .run::<Chorus>(Chorus::beginning(setup))
        .await
        .unwrap();
    let found = Found::of(&log.read(run, Seq(0)).await.unwrap());
    assert_eq!((found.said.len(), found.heard.len(), found.unheard), (6, 0, 6));
}

#[tokio::test(start_paused = true)]
async fn whatever_agents_are_called_their_audio_stays_in_its_folder() {
    let long = "x".repeat(128);
    for ids in [
        ["../../../../etc/passwd", "..", ".", "...", "/", "~root"],
        ["C:\\boot.ini", "CON", "nul.wav", "a\\..\\b", "%2e%2e%2f", "org/model:free"],
        ["-rf", "a b", "é\u{202d}?", "\u{2215}etc", "..;/..", &long],
    ] {
        let folder = tempfile::tempdir().unwrap();
        let log = Arc::new(MemoryStore::default());
        let mut setup = setup(6);
        for (seat, id) in setup.seats.iter_mut().zip(ids) {
            // Some are no ids at all, and never come this far.
            seat.agent.id = AgentId::new(id).unwrap_or_else(|_| seat.agent.id.clone());
        }
        let run = setup.run;
        let stage = stage(folder.path(), Agents::default(), TestVoice::default()).store(log.clone());
        stage.run::<Chorus>(Chorus::beginning(setup)).await.unwrap();
        let found = Found::of(&log.read(run, Seq(0)).await.unwrap());
        assert!(found.is_whole(6, 2), "{found:?}");
        found.check_files(&folder.path().join("artifacts"), run);
        let all = files(folder.path());
        assert_eq!(all.len(), found.heard.len() + 1, "{all:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn cancelling_drops_what_is_being_said() {
    let folder = tempfile::tempdir().unwrap();
    let voice = TestVoice::after(100 * SECOND);
    let stage = stage(folder.path(), Agents::after(SECOND), voice.clone());
    let (request, mut requests) = mpsc::channel(1);
    let cancel = async {
        tokio::time::sleep(5 * SECOND / 2).await;
        request.send(Signal::Cancel).await.unwrap();
    };
    let (began, mut nobody) = (Instant::now(), ());
    let first = Chorus::beginning(setup(6));
    let (ended, ()) = tokio::join!(stage.play::<Chorus>(first, &mut nobody, &mut requests), cancel);
    assert_eq!(ended.unwrap(), Some("cancelled"));
    assert_eq!(began.elapsed().as_secs_f64().round(), 3.0);
    assert_eq!(voice.asked(), 12, "two turns were being spoken");
}

#[tokio::test(start_paused = true)]
async fn nobody_begins_what_nobody_could_hear() {
    let (folder, voice) = (tempfile::tempdir().unwrap(), Arc::new(TestVoice::default()));
    let agents = Arc::new(Agents::default());
    let mute = Stage::new(MODEL, agents.clone()).model(ANOTHER, agents);
    for stage in [mute.clone().write_to(folder.path()), mute.clone().voice(voice)] {
        let log = Arc::new(MemoryStore::default());
        let refused = stage.store(log.clone()).run::<Chorus>(Chorus::beginning(setup(6))).await.unwrap_err();
        let Error::Problem(problem) = refused else { panic!("{refused}") };
        assert!(
            problem.message.starts_with("this run is spoken by hum, and this stage has no voice"),
            "{problem}"
        );
        assert!(log.runs().await.unwrap().is_empty());
    }
    let mut silent = setup(6);
    silent.voice = None;
    let story = mute.run::<Chorus>(Chorus::beginning(silent)).await.unwrap();
    assert_eq!(story.ended.unwrap().as_str(), "completed");
    assert!(story.heard.is_empty());
}

#[tokio::test(start_paused = true)]
async fn who_is_missing_costs_those_it_plays() {
    let here = || Arc::new(Agents::default());
    for (stage, failed, ended) in [
        (Stage::new(MODEL, here()), 1, "completed"),
        (Stage::new(ANOTHER, here()), 5, "completed"),
        (Stage::empty(), 6, "failed"),
    ] {
        let log = Arc::new(MemoryStore::default());
        let mut setup = setup(6);
        setup.voice = None;
        let run = setup.run;
        stage.store(log.clone()).run::<Chorus>(Chorus::beginning(setup)).await.unwrap();
        let found = Found::of(&log.read(run, Seq(0)).await.unwrap());
        assert_eq!((found.failed, found.ended.as_deref()), (failed, Some(ended)));
    }
}

/// What could not be said aloud is stored as missing for good, so a chorus waits for a stage with a voice.
#[tokio::test(start_paused = true)]
async fn a_chorus_that_is_spoken_is_not_resumed_without_a_voice() {
    let folder = tempfile::tempdir().unwrap();
    let log = Arc::new(FaultyStore::failing_after_appends(2));
    let speaking = stage(folder.path(), Agents::default(), TestVoice::default()).store(log.clone());
    let setup = setup(2);
    let run = setup.run;
    assert!(speaking.run::<Chorus>(Chorus::beginning(setup)).await.is_err());
    log.recover();
    tokio::task::yield_now().await;
    let before = log.read(run, Seq(0)).await.unwrap().len();

    let agents = Arc::new(Agents::default());
    let mute = Stage::new(MODEL, agents.clone()).model(ANOTHER, agents).write_to(folder.path());
    let (_, mut signals) = mpsc::channel(1);
    let refused = mute.store(log.clone()).resume::<Chorus>(run, &mut (), &mut signals).await;
    assert!(matches!(&refused, Err(Error::Problem(_))), "{refused:?}");
    assert_eq!(log.read(run, Seq(0)).await.unwrap().len(), before, "nothing was appended");
    tokio::task::yield_now().await;
    assert!(speaking.resume::<Chorus>(run, &mut (), &mut signals).await.unwrap().is_some());
}
