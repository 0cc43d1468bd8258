//! Runs that are paused, played on, and forked, for real.

use std::{sync::Arc, time::Duration};

use enact_drama::{
    Fact, RunId, Seq,
    record::read_facts,
    scene::report::SceneResult,
    scene::{Command, Scene, SceneConfig, SceneEnd, SceneEvent},
};
use enact_engine::{
    Error, Log, Productions, Stage, Store,
    log::{MemoryStore, Status},
    run_loop::{Observer, Signal},
};
use enact_models::Scripted;
use tokio::sync::mpsc;

const SCRIPT: &str = "beat 0\nalice: [TONE: calm] \"One, why?\"\nbeat 1\nbob: [TONE: calm] \"Two, why?\"\n\
                      beat 2\nalice: [TONE: calm] \"Three, why?\"\nbeat 3\nbob: [TONE: calm] \"Four, why?\"\n";

fn stage(log: &Arc<MemoryStore>) -> Stage {
    Stage::new("model", Arc::new(Scripted::parse(SCRIPT).unwrap()))
        .sheet("alice", "# Alice")
        .sheet("bob", "# Bob")
        .store(log.clone())
}

fn config() -> SceneConfig {
    SceneConfig {
        name: "test".into(),
        prompt: "Nobody can judge this.".into(),
        characters: ["alice", "bob"].map(str::to_owned).into(),
        max_beats: Some(4),
        ..SceneConfig::default()
    }
}

fn productions() -> Productions {
    Productions::default().with::<Scene>()
}

fn lines(result: &SceneResult) -> Vec<&str> {
    let (_, from) = result.transcript.split_once("[SCENE START]\n").unwrap();
    let (lines, _) = from.split_once("\n---\n").unwrap();
    lines.lines().filter(|line| !line.is_empty()).collect()
}

async fn facts(log: &MemoryStore, run: RunId) -> Vec<Fact<SceneEvent>> {
    read_facts(&log.read(run, Seq(0)).await.unwrap()).unwrap()
}

async fn resume(stage: &Stage, run: RunId) -> SceneResult {
    let (_wants_nothing, mut requests) = mpsc::channel(1);
    stage.resume_scene(run, &mut (), &mut requests).await.unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_fork_says_what_its_parent_said_and_belongs_to_it() {
    let log = Arc::new(MemoryStore::default());
    let whole = stage(&log).run_scene(config()).await.unwrap();
    let parent = whole.metadata.run_id;
    let before = log.runs().await.unwrap();
    for beat in 0..4 {
        let fork = stage(&log).fork(&productions(), parent, beat, None).await.unwrap();
        let summary = log.runs().await.unwrap().into_iter().find(|run| run.run == fork).unwrap();
        assert_eq!((summary.parent, summary.status), (Some(parent), Status::Interrupted));
        assert_eq!(summary.name, "test");
        let played = resume(&stage(&log), fork).await;
        assert_eq!(lines(&played), lines(&whole), "the script says the same, whatever the seed");
        assert_eq!(played.metadata.forked_from.map(|from| (from.run_id, from.beat)), Some((parent, beat)));
        assert_ne!(played.metadata.seed, whole.metadata.seed);
        let facts = facts(&log, fork).await;
        assert!(!facts.iter().any(|fact| matches!(fact.event, SceneEvent::Resumed {})), "nothing was lost");
    }
    let after = log.runs().await.unwrap();
    assert!(before.iter().all(|run| after.contains(run)), "the parent stays as it is");
}

#[tokio::test]
async fn what_cannot_be_forked_leaves_nothing_behind() {
    let log = Arc::new(MemoryStore::default());
    let whole = stage(&log).run_scene(config()).await.unwrap();
    let Err(Error::Problem(problem)) = stage(&log).fork(&productions(), whole.metadata.run_id, 4, None).await
    else {
        panic!("there is no beat 4")
    };
    assert_eq!(problem.hint.as_deref(), Some("any beat from 0 to 3 can be forked"));
    let unknown = RunId(uuid::Uuid::now_v7());
    assert!(matches!(
        stage(&log).fork(&productions(), unknown, 0, None).await,
        Err(Error::Log(enact_engine::log::Error::NotFound(_)))
    ));
    assert_eq!(log.runs().await.unwrap().len(), 1);
}

/// Tells when a beat has settled.
struct Settled(mpsc::UnboundedSender<()>);

impl Observer<SceneEvent> for Settled {
    fn on_facts(&mut self, facts: &[Fact<SceneEvent>]) -> Duration {
        if facts.iter().any(|fact| matches!(fact.event, SceneEvent::BeatSettled { .. })) {
            self.0.send(()).unwrap();
        }
        Duration::ZERO
    }
}

#[tokio::test(start_paused = true)]
async fn whoever_plays_a_paused_run_on_lets_it_go_on() {
    let log = Arc::new(MemoryStore::default());
    let setup = stage(&log).cast(config()).unwrap();
    let run = setup.run;
    let (wants, mut requests) = mpsc::channel(1);
    let (settled, mut has_settled) = mpsc::unbounded_channel();
    wants.send(Signal::command::<Scene>(&Command::Pause)).await.unwrap();
    let player = {
        let stage = stage(&log);
        tokio::spawn(async move {
            stage.play_scene(setup, &mut Settled(settled), &mut requests).await.map(|_| ())
        })
    };
    // It comes to rest once the beat under way has settled; then its process goes away.
    has_settled.recv().await.unwrap();
    wants.send(Signal::Stop).await.unwrap();
    player.await.unwrap().unwrap();
    let paused = facts(&log, run).await;
    let opened = |facts: &[Fact<SceneEvent>]| {
        facts.iter().filter(|fact| matches!(fact.event, SceneEvent::BeatOpened { .. })).count()
    };
    assert_eq!(opened(&paused), 1);
    assert_eq!(log.find(run).await.unwrap().status, Status::Paused, "a node may play it on too");
    let result = resume(&stage(&log), run).await;
    assert_eq!((result.metadata.reason, result.metadata.paused), (Some(SceneEnd::MaxBeatsExceeded), false));
    assert_eq!(opened(&facts(&log, run).await), 4);
}
