//! The spans and fields of a run, as a tracing subscriber sees them.

use std::sync::Arc;

use async_trait::async_trait;
use enact_drama::{scene::SceneConfig, usage::Usage};
use enact_engine::{
    CallTelemetry, Model, Stage,
    chorus::Chorus,
    log::MemoryStore,
    model::{Answer, Failure, ModelCard, Request},
    run_loop::Signal,
};
use enact_models::Scripted;
use enact_testkit::{run_in_own_process, test_chorus};
use expect_test::expect;
use tokio::sync::mpsc;
use tracing::subscriber::DefaultGuard;
use tracing_subscriber::layer::SubscriberExt;

use crate::recorder::{self, Recorder};

/// Listens for as long as the guard lives. Tests run on one thread, and so does everything they spawn. Each
/// runs in a process of its own: what a thread without a subscriber has met first is switched off for every
/// thread.
fn listen() -> (Recorder, DefaultGuard) {
    let recorder = Recorder::default();
    let guard = tracing::subscriber::set_default(tracing_subscriber::registry().with(recorder.clone()));
    (recorder, guard)
}

fn config(max_beats: i64) -> SceneConfig {
    SceneConfig {
        name: "late-again".into(),
        prompt: "Nobody can judge this.".into(),
        characters: ["alice", "bob"].map(str::to_owned).into(),
        max_beats: Some(max_beats),
        ..SceneConfig::default()
    }
}

fn stage(model: impl Model + 'static) -> Stage {
    Stage::new("model", Arc::new(model)).sheet("alice", "# Alice").sheet("bob", "# Bob")
}

fn script(text: &str) -> Scripted {
    Scripted::parse(text).unwrap()
}

/// One line for each span: its fields, and those of the span above it.
fn table(recorder: &Recorder, name: &str, fields: &[&str]) -> String {
    let line = |span: &recorder::Closed| {
        let parent = span.parent.as_ref();
        let above = parent.map_or("nothing".to_owned(), |(name, fields)| match fields.get("enact.beat") {
            Some(beat) => format!("{name} {beat}"),
            None => (*name).to_owned(),
        });
        format!("{} (in {above})\n", span.told(fields))
    };
    recorder.spans(name).iter().map(line).collect()
}

const BUMPY: &str = r#"
beat 0
alice (10ms): [TONE: calm] "A secret word, why?"
bob (20ms): [SILENT]
beat 1
alice: !fail the secret word again
bob: [TONE: calm] "Why?"
beat 2
alice: [TONE: calm] "Why not?"
bob: !hang
"#;

#[tokio::test(start_paused = true)]
async fn a_run_its_beats_and_their_calls() {
    if run_in_own_process("telemetry::a_run_its_beats_and_their_calls") {
        return;
    }
    let (recorder, _listening) = listen();
    let result = stage(script(BUMPY)).run_scene(config(3)).await.unwrap();
    // The call that hung is dropped, which closes its span and those above it.
    tokio::task::yield_now().await;

    let runs = recorder.spans("run");
    assert_eq!(runs.len(), 1);
    assert_eq!(runs[0].fields["enact.run.id"], result.metadata.run_id.to_string());
    let fields = ["enact.production", "enact.run.name", "enact.run.end_reason", "error.type"];
    assert_eq!(runs[0].told(&fields), "scene late-again max_beats_exceeded -");

    let fields = ["enact.beat", "enact.asked", "enact.answered", "enact.failed", "enact.settled"];
    expect![[r#"
        0 2 2 0 all_in (in run)
        1 2 1 1 all_in (in run)
        2 2 1 0 deadline (in run)
    "#]]
    .assert_eq(&table(&recorder, "beat", &fields));

    let fields =
        ["enact.beat", "enact.actor", "enact.purpose", "otel.name", "otel.status_code", "error.type"];
    expect![[r#"
        0 alice reply chat model - - (in beat 0)
        0 bob reply chat model - - (in beat 0)
        1 alice reply chat model ERROR _OTHER (in beat 1)
        1 bob reply chat model - - (in beat 1)
        2 alice reply chat model - - (in beat 2)
        2 bob reply chat model ERROR timeout (in beat 2)
    "#]]
    .assert_eq(&table(&recorder, "call", &fields));
}

#[tokio::test(start_paused = true)]
async fn what_is_said_is_not_told() {
    if run_in_own_process("telemetry::what_is_said_is_not_told") {
        return;
    }
    let (recorder, _listening) = listen();
    let result = stage(script(BUMPY)).run_scene(config(3)).await.unwrap();
    tokio::task::yield_now().await;
    assert!(result.transcript.contains("A secret word"), "it was said");
    assert_eq!(recorder.spans("run").len(), 1, "and somebody listened");
    assert!(!recorder.everything().contains("secret word"), "{}", recorder.everything());
    assert!(!recorder.everything().contains("Nobody can judge"), "{}", recorder.everything());
}

/// A language model at a provider, as far as its card goes.
#[derive(Debug)]
struct Billed;

#[async_trait]
impl Model for Billed {
    fn card(&self) -> ModelCard {
        ModelCard {
            provider: Some("gemini".into()),
            model: Some("gemini-flash".into()),
            max_tokens: Some(400),
            ..ModelCard::free("billed")
        }
    }

    async fn answer(&self, request: Request) -> Result<Answer, Failure> {
        CallTelemetry {
            server: Some(("models.example".into(), 443)),
            streamed: Some(true),
            tries: Some(2),
            response_model: Some("gemini-flash-1".into()),
            response_id: Some("msg_1".into()),
            finish_reason: Some("end_turn".into()),
            first_chunk_seconds: Some(0.25),
            reasoning_tokens: Some(7),
        }
        .record();
        let usage = Some(Usage { uncached: 5, cache_read: 70, cache_write: 25, output: 12, ..Usage::NONE });
        match request.me() {
            "alice" => Ok(Answer { usage, ..Answer::from("[SILENT]") }),
            _ => Err(Failure { usage, ..Failure::new("broke off") }),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn calls_follow_the_conventions_for_generative_ai() {
    if run_in_own_process("telemetry::calls_follow_the_conventions_for_generative_ai") {
        return;
    }
    let (recorder, _listening) = listen();
    stage(Billed).run_scene(config(1)).await.unwrap();
    let calls = recorder.spans("call");
    assert_eq!(calls.len(), 2);
    for call in calls {
        assert_eq!(call.fields["gen_ai.agent.name"], call.fields["enact.actor"]);
        assert_eq!(call.fields["gen_ai.conversation.id"], recorder.spans("run")[0].fields["enact.run.id"]);
        let changing = ["gen_ai.agent.name", "gen_ai.conversation.id"];
        let fields =
            call.fields.iter().filter(|(field, _)| !field.starts_with("enact.") && !changing.contains(field));
        let told: String = fields.map(|(field, value)| format!("{field} = {value}\n")).collect();
        let failed = "error.type = _OTHER\n";
        assert_eq!(told.contains(failed), call.fields["enact.actor"] == "bob");
        expect![[r#"
            gen_ai.operation.name = chat
            gen_ai.output.type = text
            gen_ai.provider.name = gcp.gemini
            gen_ai.request.max_tokens = 400
            gen_ai.request.model = gemini-flash
            gen_ai.request.stream = true
            gen_ai.response.finish_reasons = end_turn
            gen_ai.response.id = msg_1
            gen_ai.response.model = gemini-flash-1
            gen_ai.response.time_to_first_chunk = 0.25
            gen_ai.usage.cache_read.input_tokens = 70
            gen_ai.usage.cache_write.input_tokens = 25
            gen_ai.usage.input_tokens = 100
            gen_ai.usage.output_tokens = 12
            gen_ai.usage.reasoning.output_tokens = 7
            otel.kind = client
            otel.name = chat gemini-flash
            server.address = models.example
            server.port = 443
        "#]]
        .assert_eq(&told.replace(failed, "").replace("otel.status_code = ERROR\n", ""));
    }
}

#[tokio::test(start_paused = true)]
async fn cancelling_cuts_a_beat_and_its_calls_short() {
    if run_in_own_process("telemetry::cancelling_cuts_a_beat_and_its_calls_short") {
        return;
    }
    let (recorder, _listening) = listen();
    let stage = stage(script("beat 0\nalice: !hang\nbob: !hang\n"));
    let setup = stage.cast(config(3)).unwrap();
    let (request, mut requests) = mpsc::channel(1);
    let cancel = async {
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        request.send(Signal::Cancel).await.unwrap();
    };
    let mut nobody = ();
    let (played, ()) = tokio::join!(stage.play_scene(setup, &mut nobody, &mut requests), cancel);
    played.unwrap();
    tokio::task::yield_now().await;
    assert_eq!(recorder.spans("run")[0].told(&["enact.run.end_reason"]), "cancelled");
    assert_eq!(recorder.spans("beat")[0].told(&["enact.asked", "enact.settled"]), "2 cut_short");
    let calls = recorder.spans("call");
    assert_eq!(calls.iter().map(|call| call.told(&["error.type"])).collect::<Vec<_>>(), ["cancelled"; 2]);
}

#[tokio::test(start_paused = true)]
async fn a_run_that_has_ended_is_not_seen_again() {
    if run_in_own_process("telemetry::a_run_that_has_ended_is_not_seen_again") {
        return;
    }
    let log = Arc::new(MemoryStore::default());
    let stage = stage(script(BUMPY)).store(log);
    let (earlier, listening) = listen();
    let played = stage.run_scene(config(3)).await.unwrap();
    tokio::task::yield_now().await;
    assert_eq!(earlier.spans("run").len(), 1);
    drop(listening);
    let (recorder, _listening) = listen();
    let (_, mut requests) = mpsc::channel(1);
    stage.resume_scene(played.metadata.run_id, &mut (), &mut requests).await.unwrap();
    assert_eq!(recorder.spans("run").len(), 0);
}

#[tokio::test(start_paused = true)]
async fn speech_is_seen_beside_the_turns_and_not_what_is_said() {
    if run_in_own_process("telemetry::speech_is_seen_beside_the_turns_and_not_what_is_said") {
        return;
    }
    let (recorder, _listening) = listen();
    let folder = tempfile::tempdir().unwrap();
    let voice = test_chorus::TestVoice::default().refusing("BEN has heard");
    test_chorus::stage(folder.path(), test_chorus::Agents::default(), voice)
        .run::<Chorus>(Chorus::beginning(test_chorus::setup(2)))
        .await
        .unwrap();
    tokio::task::yield_now().await;
    let fields = ["enact.beat", "enact.actor", "enact.purpose"];
    let mut calls: Vec<String> = table(&recorder, "call", &fields).lines().map(str::to_owned).collect();
    calls.sort();
    expect![[r#"
        1 slot-1 response (in beat 1)
        1 slot-2 response (in beat 1)
        2 slot-1 comment (in beat 2)
        2 slot-2 comment (in beat 2)
        3 slot-1 reply (in beat 3)
        3 slot-2 reply (in beat 3)"#]]
    .assert_eq(&calls.join("\n"));
    let fields = [
        "otel.name",
        "gen_ai.output.type",
        "enact.voice.spoken_by",
        "enact.voice.passed_over",
        "enact.audio.duration_ms",
        "enact.audio.bytes",
        "error.type",
    ];
    let mut speech: Vec<String> = table(&recorder, "speech", &fields).lines().map(str::to_owned).collect();
    speech.sort();
    expect![[r#"
        speak friendly_casual speech hum 0 100 1644 - (in run)
        speak friendly_casual speech hum 0 155 2524 - (in run)
        speak friendly_casual speech hum 0 75 1244 - (in run)
        speak warm_professional speech - - - - _OTHER (in run)
        speak warm_professional speech hum 0 100 1644 - (in run)
        speak warm_professional speech hum 0 75 1244 - (in run)"#]]
    .assert_eq(&speech.join("\n"));
    for said in ["has heard", "agrees with", "thanks"] {
        assert!(!recorder.everything().contains(said), "{}", recorder.everything());
    }
}

#[tokio::test(start_paused = true)]
async fn speech_that_is_cut_short_says_so() {
    if run_in_own_process("telemetry::speech_that_is_cut_short_says_so") {
        return;
    }
    let (recorder, _listening) = listen();
    let folder = tempfile::tempdir().unwrap();
    let voice = test_chorus::TestVoice::after(std::time::Duration::from_secs(100));
    let stage = test_chorus::stage(folder.path(), test_chorus::Agents::default(), voice);
    let (request, mut requests) = mpsc::channel(1);
    let cancel = async {
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        request.send(Signal::Cancel).await.unwrap();
    };
    let mut nobody = ();
    let (played, ()) = tokio::join!(
        stage.play::<Chorus>(Chorus::beginning(test_chorus::setup(1)), &mut nobody, &mut requests),
        cancel
    );
    played.unwrap();
    tokio::task::yield_now().await;
    let speech = recorder.spans("speech");
    assert_eq!(speech.iter().map(|said| said.told(&["error.type"])).collect::<Vec<_>>(), ["cancelled"]);
}
