//! Scenes performed for real: scripted models, paused time, injected faults.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use enact_drama::{
    Fact, RunId, Seq,
    scene::report::SceneResult,
    scene::{SceneConfig, SceneEnd, SceneEvent},
};
use enact_engine::{
    Error, Log, Model, Stage,
    log::MemoryStore,
    model::{Answer, Failure, ModelCard, Problem, Request},
    run_loop::{Observer, Signal},
};
use enact_models::Scripted;
use enact_testkit::FaultyStore;
use futures::FutureExt;
use tokio::sync::{Barrier, mpsc};

fn config(max_beats: i64) -> SceneConfig {
    SceneConfig {
        name: "test".into(),
        prompt: "Nobody can judge this.".into(),
        characters: ["alice", "bob", "charlie"].map(str::to_owned).into(),
        max_beats: Some(max_beats),
        ..SceneConfig::default()
    }
}

fn stage(model: impl Model + 'static) -> Stage {
    Stage::new("model", Arc::new(model))
        .sheet("alice", "# Alice")
        .sheet("bob", "# Bob")
        .sheet("charlie", "# Charlie")
}

fn script(text: &str) -> Scripted {
    Scripted::parse(text).unwrap()
}

/// The lines of a transcript, without what surrounds them.
fn lines(result: &SceneResult) -> Vec<&str> {
    let (_, from) = result.transcript.split_once("[SCENE START]\n").unwrap();
    let (lines, _) = from.split_once("\n---\n").unwrap();
    lines.lines().filter(|line| !line.is_empty()).collect()
}

#[tokio::test(start_paused = true)]
async fn simulated_answers_come_in_the_order_of_their_thinking_then_of_the_cast() {
    let script = script(
        "beat 0\n\
         alice (900ms): [TONE: calm] \"Third, why?\"\n\
         charlie (300ms): [TONE: calm] \"Second, why?\"\n\
         bob (300ms): [TONE: calm] \"First, why?\"\n",
    );
    let result = stage(script).run_scene(config(1)).await.unwrap();
    assert_eq!(
        lines(&result)[..3],
        [
            r#"Bob [TONE: calm] "First, why?""#,
            r#"Charlie [TONE: calm] "Second, why?""#,
            r#"Alice [TONE: calm] "Third, why?""#
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn whoever_hangs_costs_one_reply_and_one_deadline() {
    let script = script("beat 0\nalice: [TONE: calm] \"I am in time, why?\"\nbob: !hang\ncharlie: !hang\n");
    let began = tokio::time::Instant::now();
    let result = stage(script).run_scene(config(2)).await.unwrap();
    assert_eq!(began.elapsed(), Duration::from_secs(30), "both wait for the same deadline");
    assert_eq!(
        lines(&result)[..3],
        [
            r#"Alice [TONE: calm] "I am in time, why?""#,
            "[SYSTEM: Bob unable to respond]",
            "[SYSTEM: Charlie unable to respond]"
        ]
    );
    let errors: Vec<&str> = result.metadata.errors.iter().map(|error| error.error.as_str()).collect();
    assert_eq!(errors, ["Response timeout after 30s"; 2]);
}

#[tokio::test(start_paused = true)]
async fn failing_and_panicking_cost_one_reply_each() {
    let script = script(
        "beat 0\nalice: !panic\nbob: !fail rate limited\ncharlie: [TONE: calm] \"Still here, why?\"\n",
    );
    let result = stage(script).run_scene(config(1)).await.unwrap();
    let errors: Vec<String> = result
        .metadata
        .errors
        .iter()
        .map(|error| format!("{} {} {}", error.beat, error.character, error.error))
        .collect();
    assert!(errors.iter().any(|error| error == "0 bob rate limited"), "{errors:?}");
    assert!(errors.iter().any(|error| error.starts_with("0 alice the model panicked")), "{errors:?}");
    assert!(lines(&result).contains(&r#"Charlie [TONE: calm] "Still here, why?""#));
}

/// Answers in its own time.
#[derive(Debug)]
struct Slow<F>(F);

#[async_trait]
impl<F: Fn(&Request) -> Duration + Send + Sync + std::fmt::Debug> Model for Slow<F> {
    fn card(&self) -> ModelCard {
        ModelCard::free("slow")
    }

    async fn answer(&self, request: Request) -> Result<Answer, Failure> {
        tokio::time::sleep((self.0)(&request)).await;
        Ok(format!(r#"[TONE: calm] "{} here at {}, why?""#, request.me(), request.beat.unwrap_or_default())
            .as_str()
            .into())
    }
}

fn by_name(request: &Request) -> Duration {
    Duration::from_millis(match request.me() {
        "alice" => 300,
        "bob" => 200,
        _ => 100,
    })
}

#[tokio::test(start_paused = true)]
async fn real_answers_come_in_the_order_of_arrival_and_all_are_asked_at_once() {
    let began = tokio::time::Instant::now();
    let result = stage(Slow(by_name as fn(&Request) -> Duration)).run_scene(config(3)).await.unwrap();
    assert_eq!(began.elapsed(), Duration::from_millis(900), "a beat takes as long as its slowest actor");
    let who: Vec<&str> = lines(&result).iter().filter_map(|line| line.split(' ').next()).take(9).collect();
    assert_eq!(who, ["Charlie", "Bob", "Alice"].repeat(3));
}

/// Answers only once everybody has been asked.
#[derive(Debug)]
struct Together(Barrier);

#[async_trait]
impl Model for Together {
    fn card(&self) -> ModelCard {
        ModelCard::free("together")
    }

    async fn answer(&self, _: Request) -> Result<Answer, Failure> {
        self.0.wait().await;
        Ok("[SILENT]".into())
    }
}

#[tokio::test(start_paused = true)]
async fn a_beat_asks_everyone_before_anyone_has_answered() {
    let result = stage(Together(Barrier::new(3))).run_scene(config(3)).await.unwrap();
    assert_eq!(result.metadata.errors, [], "nobody waited in vain");
    assert_eq!(result.metadata.counts.silences, 9);
}

/// Counts the calls that have begun and are not over.
#[derive(Debug, Default, Clone)]
struct Waits(Arc<AtomicUsize>);

struct Waiting(Arc<AtomicUsize>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

#[async_trait]
impl Model for Waits {
    fn card(&self) -> ModelCard {
        ModelCard::free("waits")
    }

    async fn answer(&self, _: Request) -> Result<Answer, Failure> {
        self.0.fetch_add(1, Ordering::SeqCst);
        let _waiting = Waiting(self.0.clone());
        std::future::pending().await
    }
}

#[tokio::test(start_paused = true)]
async fn cancelling_ends_the_scene_and_drops_what_was_asked() {
    let model = Waits::default();
    let stage = stage(model.clone());
    let setup = stage.cast(config(5)).unwrap();
    let (request, mut requests) = mpsc::channel(1);
    let cancel = async {
        while model.0.load(Ordering::SeqCst) < 3 {
            tokio::task::yield_now().await;
        }
        request.send(Signal::Cancel).await.unwrap();
    };
    let mut nobody = ();
    let (result, ()) = tokio::join!(stage.play_scene(setup, &mut nobody, &mut requests), cancel);
    let result = result.unwrap();
    assert_eq!(result.metadata.reason, Some(SceneEnd::Cancelled));
    assert!(result.transcript.contains("[SCENE END - Cancelled]"));
    tokio::task::yield_now().await;
    assert_eq!(model.0.load(Ordering::SeqCst), 0, "nothing goes on after the end");
}

/// Checks that everything shown is already stored, and pauses after it.
#[derive(Debug)]
struct Reader {
    log: Arc<MemoryStore>,
    run: RunId,
    seen: usize,
    pause: Duration,
}

impl Observer<SceneEvent> for Reader {
    fn on_facts(&mut self, facts: &[Fact<SceneEvent>]) -> Duration {
        self.seen += facts.len();
        let stored = self.log.read(self.run, Seq(0)).now_or_never().unwrap().unwrap();
        assert_eq!(stored.len(), self.seen, "stored before it is seen, and nothing unseen is stored");
        self.pause
    }
}

#[tokio::test(start_paused = true)]
async fn facts_are_stored_before_they_are_seen_and_a_slow_reader_costs_nobody_a_reply() {
    let log = Arc::new(MemoryStore::default());
    let stage = stage(Slow(by_name as fn(&Request) -> Duration)).store(log.clone());
    let setup = stage.cast(config(3)).unwrap();
    let mut reader = Reader { log, run: setup.run, seen: 0, pause: Duration::from_secs(20) };
    let (_, mut requests) = mpsc::channel(1);
    let result = stage.play_scene(setup, &mut reader, &mut requests).await.unwrap();
    assert_eq!(result.metadata.errors, [], "whoever answered in time is heard, however late it is read");
    assert_eq!(lines(&result).len(), 10);
}

const LIVELY: &str = r#"
beat 0
bob: [TO: Alice, TONE: defensive] "Look, I can explain what happened, honestly, why not?"
beat 1
alice: [INTERRUPT after "explain", TONE: furious] "No excuses, why would I?"
charlie: !fail rate limited
bob: [SILENT]
beat 2
charlie: [REACT, TONE: nervous, *looks down*]
alice (5ms): plain words without any format, why?
beat 3
bob: [TONE: calm] "Fine, why not."
alice: !hang
"#;

/// An observer that is paced, so that outcomes are taken one at a time, as on a terminal.
struct OneByOne;

impl Observer<SceneEvent> for OneByOne {
    fn on_facts(&mut self, _: &[Fact<SceneEvent>]) -> Duration {
        Duration::ZERO
    }

    fn is_paced(&self) -> bool {
        true
    }
}

#[tokio::test(start_paused = true)]
async fn a_run_killed_after_any_append_resumes_to_the_same_lines() {
    let together = kill_after_every_append(&mut ()).await;
    let one_by_one = kill_after_every_append(&mut OneByOne).await;
    assert!(
        together >= 5 && one_by_one > 2 * together,
        "every append was killed once: {together}, {one_by_one}"
    );
}

/// Returns how many appends there were to be killed after.
async fn kill_after_every_append(observer: &mut dyn Observer<SceneEvent>) -> usize {
    let whole = stage(script(LIVELY)).run_scene(config(6)).await.unwrap();
    for survives in 1.. {
        let log = Arc::new(FaultyStore::failing_after_appends(survives));
        let stage = stage(script(LIVELY)).store(log.clone());
        let setup = stage.cast(SceneConfig { seed: Some(whole.metadata.seed), ..config(6) }).unwrap();
        let run = setup.run;
        let (_, mut requests) = mpsc::channel(1);
        let killed = match stage.play_scene(setup, observer, &mut requests).await {
            Ok(result) => Err(result),
            Err(_) => {
                log.recover();
                tokio::task::yield_now().await;
                Ok(stage.resume_scene(run, observer, &mut requests).await.unwrap())
            }
        };
        let result = killed.as_ref().unwrap_or_else(|whole| whole);
        assert_eq!(lines(result), lines(&whole), "killed after {survives} appends");
        assert_eq!(result.metadata.counts, whole.metadata.counts, "killed after {survives} appends");
        if killed.is_err() {
            return survives;
        }
    }
    unreachable!("a run ends")
}

#[tokio::test(start_paused = true)]
async fn a_log_that_cannot_be_written_stops_the_run() {
    let log = Arc::new(FaultyStore::failing_after_appends(2));
    let seen = Arc::new(Mutex::new(0));
    struct Counting(Arc<Mutex<usize>>);
    impl Observer<SceneEvent> for Counting {
        fn on_facts(&mut self, _: &[Fact<SceneEvent>]) -> Duration {
            *self.0.lock().unwrap() += 1;
            Duration::ZERO
        }
    }
    let stage = stage(script(LIVELY)).store(log.clone());
    let setup = stage.cast(config(6)).unwrap();
    let run = setup.run;
    let (_, mut requests) = mpsc::channel(1);
    let result = stage.play_scene(setup, &mut Counting(seen.clone()), &mut requests).await;
    assert!(matches!(result, Err(Error::Run(_))), "{result:?}");
    assert_eq!(*seen.lock().unwrap(), 2, "what was not stored was not seen");
    tokio::task::yield_now().await;
    assert!(log.claim(run).await.is_ok(), "and whoever stops playing gives the run up");
}

#[tokio::test(start_paused = true)]
async fn a_run_that_is_dropped_is_given_up() {
    let log = Arc::new(MemoryStore::default());
    let stage = stage(Waits::default()).store(log.clone());
    let setup = stage.cast(config(3)).unwrap();
    let run = setup.run;
    let (_, mut requests) = mpsc::channel(1);
    let mut nobody = ();
    let played = stage.play_scene(setup, &mut nobody, &mut requests);
    assert!(tokio::time::timeout(Duration::from_secs(1), played).await.is_err());
    tokio::task::yield_now().await;
    assert!(log.claim(run).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_run_is_not_resumed_without_its_models() {
    let log = Arc::new(FaultyStore::failing_after_appends(2));
    let play = stage(script(LIVELY)).store(log.clone());
    let setup = play.cast(config(6)).unwrap();
    let run = setup.run;
    let (_, mut requests) = mpsc::channel(1);
    assert!(play.play_scene(setup, &mut (), &mut requests).await.is_err());
    log.recover();
    tokio::task::yield_now().await;
    let before = log.read(run, Seq(0)).await.unwrap().len();
    let refused = Stage::empty().store(log.clone()).resume_scene(run, &mut (), &mut requests).await;
    let Err(Error::Problem(problem)) = refused else { panic!("{refused:?}") };
    assert_eq!(problem.message, "it is played by the model 'model', which is missing here");
    assert_eq!(log.read(run, Seq(0)).await.unwrap().len(), before, "nothing was appended");
}

/// Plays nothing: its key is refused.
#[derive(Debug)]
struct LockedOut;

#[async_trait]
impl Model for LockedOut {
    fn card(&self) -> ModelCard {
        ModelCard::free("locked out")
    }

    async fn check(&self) -> Result<(), Problem> {
        Err(Problem::config("the key was refused"))
    }

    async fn answer(&self, _: Request) -> Result<Answer, Failure> {
        Err(Failure::new("the key was refused"))
    }
}

#[tokio::test(start_paused = true)]
async fn a_run_is_not_resumed_with_a_key_that_is_refused() {
    let log = Arc::new(FaultyStore::failing_after_appends(2));
    let play = stage(script(LIVELY)).store(log.clone());
    let setup = play.cast(config(6)).unwrap();
    let run = setup.run;
    let (_, mut requests) = mpsc::channel(1);
    assert!(play.play_scene(setup, &mut (), &mut requests).await.is_err());
    log.recover();
    tokio::task::yield_now().await;
    let before = log.read(run, Seq(0)).await.unwrap().len();
    let locked_out = stage(LockedOut).store(log.clone());
    let refused = locked_out.resume_scene(run, &mut (), &mut requests).await;
    assert!(matches!(&refused, Err(Error::Problem(_))), "{refused:?}");
    assert_eq!(log.read(run, Seq(0)).await.unwrap().len(), before, "nothing was appended");

    tokio::task::yield_now().await;
    play.resume_scene(run, &mut (), &mut requests).await.unwrap();
    assert!(locked_out.resume_scene(run, &mut (), &mut requests).await.is_ok(), "what is over needs no key");
}

#[tokio::test(start_paused = true)]
async fn a_model_that_takes_the_place_of_another_is_checked_anew() {
    let locked_out = stage(LockedOut);
    let refused = locked_out.run_scene(config(3)).await;
    assert!(matches!(&refused, Err(Error::Problem(_))), "{refused:?}");
    let mended = locked_out.clone().model("model", Arc::new(script(LIVELY)));
    assert!(mended.run_scene(config(3)).await.is_ok());
    let broken = mended.model("model", Arc::new(LockedOut)).run_scene(config(3)).await;
    assert!(matches!(&broken, Err(Error::Problem(_))), "{broken:?}");
}

#[tokio::test]
async fn a_finished_run_is_not_played_again() {
    let log = Arc::new(MemoryStore::default());
    let stage = stage(script(LIVELY.split("beat 3").next().unwrap())).store(log.clone());
    let result = stage.run_scene(config(3)).await.unwrap();
    let (_, mut requests) = mpsc::channel(1);
    let again = stage.resume_scene(result.metadata.run_id, &mut (), &mut requests).await.unwrap();
    assert_eq!(again.transcript, result.transcript);
    assert_eq!(log.runs().await.unwrap().len(), 1);
}
