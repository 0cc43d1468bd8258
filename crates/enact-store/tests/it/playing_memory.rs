//! What a scene holds in memory while it is played, its log in SQLite: by a library, and by a node where it is
//! followed. Each alone in its process, because that is where it is measured.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use async_trait::async_trait;
use enact_drama::{
    Fact, Problem, Record, Seq,
    production::Player,
    scene::{Scene, SceneConfig, View},
};
use enact_engine::{
    Models, Node, Productions, Stage,
    model::{Answer, Failure, Model, ModelCard, Request},
    node::{FollowEvent, NodeLimits, ResourceProvider, Submitter},
};
use enact_store::SqliteStore;
use enact_testkit::{memory_kib, run_in_own_process, until};

/// Played before memory is measured, so that what all scenes share is there.
const FIRST: usize = 50;
const MEASURED: usize = 120;
/// All of them wait in this beat: the last one, in which a scene is largest.
const WAIT_AT: u32 = 19;
const CAST: [&str; 3] = ["alice", "bob", "charlie"];
const MOST_KIB_EACH: usize = 100;
/// With a node that plays it and a reader who follows it live, which hold their own part of it.
const MOST_KIB_FOLLOWED: usize = 110;

/// Asks something new every time, until it waits for ever.
#[derive(Debug, Default)]
struct Waits {
    waiting: AtomicUsize,
}

#[async_trait]
impl Model for Waits {
    fn card(&self) -> ModelCard {
        ModelCard::free("waits")
    }

    async fn answer(&self, request: Request) -> Result<Answer, Failure> {
        let view = request.view::<View>().unwrap();
        let (me, beat) = (view.me.clone(), view.beat);
        // An adapter has sent the request by the time it waits, and keeps none of it.
        drop(request);
        if beat == WAIT_AT {
            self.waiting.fetch_add(1, Ordering::SeqCst);
            std::future::pending::<()>().await;
        }
        let words =
            format!("Round {beat}: have you ever wondered what {me}-{} would say?", beat * 7919 % 1009);
        Ok(format!("[TO: Alice, TONE: tense, *leans forward*] \"{words}\"").as_str().into())
    }
}

impl Waits {
    async fn all_of(&self, scenes: usize) {
        until(async || self.waiting.load(Ordering::SeqCst) == scenes * CAST.len()).await;
    }
}

#[derive(Debug)]
struct OneModel(Models);

#[async_trait]
impl ResourceProvider for OneModel {
    async fn models(&self, _: &[Player]) -> Result<Models, Problem> {
        Ok(self.0.clone())
    }
}

fn stage(model: &Arc<Waits>) -> Stage {
    let sheet = |name: &str| format!("# {name}\n\n## Personality\n- Curious\n- Talks a lot\n");
    CAST.iter().fold(Stage::new("waits", model.clone()), |stage, name| stage.sheet(*name, sheet(name)))
}

fn config() -> SceneConfig {
    SceneConfig {
        name: "memory".into(),
        prompt: "They talk about everything and nothing.".into(),
        characters: CAST.map(str::to_owned).to_vec(),
        max_beats: Some(i64::from(WAIT_AT) + 1),
        ..SceneConfig::default()
    }
}

/// What each of the later scenes holds while it waits for its actors. `play` sets one going, and the next comes
/// when that one waits: what many need at once for a moment, while they ask, is another number, which the
/// benchmark `crowd` measures.
async fn kib_each(model: &Waits, mut play: impl AsyncFnMut()) -> usize {
    let mut before = 0;
    for scene in 0..FIRST + MEASURED {
        if scene == FIRST {
            before = memory_kib("self", "RssAnon").unwrap();
        }
        play().await;
        model.all_of(scene + 1).await;
    }
    memory_kib("self", "RssAnon").unwrap().saturating_sub(before) / MEASURED
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_scene_in_a_library_takes_little_memory() {
    if run_in_own_process("playing_memory::a_scene_in_a_library_takes_little_memory") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let model = Arc::new(Waits::default());
    let store = Arc::new(SqliteStore::open(folder.path()).await.unwrap());
    let stage = Arc::new(stage(&model).store(store));
    let each = kib_each(&model, async || {
        let stage = stage.clone();
        tokio::spawn(async move { stage.run_scene(config()).await });
    });
    let each = each.await;
    assert!((1..=MOST_KIB_EACH).contains(&each), "{each} KiB");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_scene_that_a_node_plays_and_another_follows_takes_little_memory() {
    if run_in_own_process("playing_memory::a_scene_that_a_node_plays_and_another_follows_takes_little_memory")
    {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let model = Arc::new(Waits::default());
    let store = Arc::new(SqliteStore::open(folder.path()).await.unwrap());
    let project = OneModel(Models::from([("waits".to_owned(), model.clone() as _)]));
    let productions = Productions::default().with::<Scene>();
    let limits = NodeLimits { runs: FIRST + MEASURED, ..NodeLimits::default() };
    let node = Node::start(store, Arc::new(project), productions, limits);
    let stage = stage(&model);
    let each = kib_each(&model, async || {
        let setup = stage.cast(config()).unwrap();
        let first = Record::of(&Fact { seq: Seq(0), at: 0, event: Scene::beginning(setup) });
        let run = node.submit(first, Submitter::default()).await.unwrap().run;
        let mut follower = node.follow(run, Seq(0)).await.unwrap();
        tokio::spawn(async move {
            while let Ok(Some(FollowEvent::Records(_) | FollowEvent::Delta(_))) = follower.next().await {}
        });
    });
    let each = each.await;
    assert!((1..=MOST_KIB_FOLLOWED).contains(&each), "{each} KiB");
}
