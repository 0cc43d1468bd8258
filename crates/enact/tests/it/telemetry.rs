//! What a collector gets to see of a run, and what it costs when there is none.

use std::{
    io::Read,
    net::TcpListener,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use enact_testkit::waiting::blocking;
use expect_test::expect;
use fake_provider::{Api, FakeProvider, Fault, PlannedResponse};
use opentelemetry_proto::tonic::trace::v1::{Span, span::SpanKind};

use crate::{
    collector::{Collector, Manners, attributes, types},
    project::{Project, Ran},
};

/// Looks like a key, and must not be found anywhere.
const KEY: &str = "sk-ant-telemetry-must-not-see-this";
/// What a collector wants to know before it takes anything. It is for the head of requests only.
const PASS: &str = "collector-pass";

/// The flush is given two seconds, and a busy machine some more.
const BOUND: Duration = Duration::from_secs(10);

/// Spans and metrics share the two seconds: once for each would be four.
const FLUSH_BOUND: Duration = Duration::from_millis(3_500);

fn project() -> Project {
    let project = Project::new();
    project.write(
        "scene.md",
        "---\nname: late-again\ncharacters: [alice, bob]\ninitialSpeaker: bob\n---\n\
         Bob apologizes to Alice for being late. Alice accepts.\n",
    );
    project.write(
        "script.txt",
        "beat 0\nbob (20ms): [TO: Alice, TONE: breathless] \"The bus broke down, a velvet one.\"\n\
         beat 1\nalice: !fail velvet ropes\nbob (5ms): [TO: Alice, TONE: remorseful] \"I'm truly sorry I was late.\"\n\
         beat 2\nalice: [TO: Bob, TONE: warm] \"I accept your apology.\"\nbob: [SILENT]\n",
    );
    project
}

fn play(project: &Project, address: &str) -> Command {
    let mut command = project.command(&["run", "scene.md", "--model", "script:script.txt", "--json"]);
    command
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", format!("http://{address}"))
        .env("OTEL_EXPORTER_OTLP_HEADERS", format!("authorization=Bearer {PASS}"))
        .env("ANTHROPIC_API_KEY", KEY)
        .env("OPENAI_API_KEY", KEY);
    command
}

fn ran(command: &mut Command) -> Ran {
    command.output().unwrap().into()
}

/// A span as its name, what is above it, and these of its attributes.
fn told(spans: &[Span], span: &Span, wanted: &[&str]) -> String {
    let parent = spans.iter().find(|other| other.span_id == span.parent_span_id);
    let parent = parent.map_or("nothing".to_owned(), |parent| {
        let beat = attributes(&parent.attributes).get("enact.beat").map(|beat| format!(" {beat}"));
        format!("{}{}", parent.name, beat.unwrap_or_default())
    });
    let attributes = attributes(&span.attributes);
    let attributes: Vec<&str> =
        wanted.iter().map(|name| attributes.get(*name).map_or("-", String::as_str)).collect();
    format!("{} in {parent}: {}\n", span.name, attributes.join(" "))
}

fn named<'a>(spans: &'a [Span], name: &str) -> Vec<&'a Span> {
    spans.iter().filter(|span| span.name == name).collect()
}

#[test]
fn a_collector_sees_a_run_its_beats_and_its_calls() {
    let collector = Collector::start(Manners::Takes);
    let played = ran(&mut play(&project(), &collector.address));
    assert_eq!((played.code, played.stderr.as_str()), (0, ""));
    let spans = collector.spans();

    let runs = named(&spans, "run");
    assert_eq!(runs.len(), 1);
    let run = attributes(&runs[0].attributes);
    assert_eq!(run["enact.run.id"], played.json()["metadata"]["runId"]);
    expect!["run in nothing: scene late-again goal_achieved\n"].assert_eq(&told(
        &spans,
        runs[0],
        &["enact.production", "enact.run.name", "enact.run.end_reason"],
    ));

    let wanted = ["enact.beat", "enact.asked", "enact.answered", "enact.failed", "enact.settled"];
    let beats: String = named(&spans, "beat").into_iter().map(|span| told(&spans, span, &wanted)).collect();
    expect![[r#"
        beat in run: 0 1 1 0 all_in
        beat in run: 1 2 1 1 all_in
        beat in run: 2 2 2 0 all_in
    "#]]
    .assert_eq(&beats);

    let wanted =
        ["enact.actor", "enact.purpose", "gen_ai.operation.name", "gen_ai.request.model", "error.type"];
    let mut calls: Vec<String> =
        named(&spans, "chat script:script.txt").into_iter().map(|span| told(&spans, span, &wanted)).collect();
    calls.sort();
    expect![[r#"
        chat script:script.txt in beat 0: bob reply chat script:script.txt -
        chat script:script.txt in beat 1: alice reply chat script:script.txt _OTHER
        chat script:script.txt in beat 1: bob reply chat script:script.txt -
        chat script:script.txt in beat 2: alice reply chat script:script.txt -
        chat script:script.txt in beat 2: bob reply chat script:script.txt -
    "#]]
    .assert_eq(&calls.concat());
    for span in &spans {
        let call = span.name.starts_with("chat");
        assert_eq!(span.kind(), SpanKind::Internal, "a script answers within the process: {}", span.name);
        let failed = attributes(&span.attributes).contains_key("error.type");
        assert_eq!(span.status.as_ref().is_some_and(|status| status.code == 2), call && failed);
        assert_eq!(span.trace_id, runs[0].trace_id, "one run is one trace");
        assert!(span.end_time_unix_nano >= span.start_time_unix_nano);
    }

    let resource = collector.resource();
    assert_eq!(resource["service.name"], "enact");
    assert_eq!(resource["service.version"], env!("CARGO_PKG_VERSION"));
}

#[test]
fn neither_keys_nor_headers_nor_what_was_said_are_sent() {
    let collector = Collector::start(Manners::Takes);
    let project = project();
    let played = ran(play(&project, &collector.address).env("ENACT_LOG", "trace"));
    assert_eq!(played.code, 0, "{}", played.stderr);
    assert!(played.stdout.contains("velvet"), "it was said");
    let received = collector.received();
    assert!(!received.is_empty());
    for received in &received {
        let body = String::from_utf8_lossy(&received.body);
        let posted = |path: &str| received.head.starts_with(&format!("POST {path} "));
        assert!(posted("/v1/traces") || posted("/v1/metrics"), "{}", received.head);
        assert!(
            received.head.contains(&format!("Bearer {PASS}")),
            "the collector's own header: {}",
            received.head
        );
        assert!(!received.head.contains(KEY));
        for secret in [KEY, PASS, "velvet", "apologizes", "authorization"] {
            assert!(!body.contains(secret), "{secret} in {body}");
        }
    }
    assert!(played.stderr.contains("close"), "events are printed: {}", played.stderr);
    for secret in [KEY, PASS, "authorization", "apologizes"] {
        assert!(!played.stderr.contains(secret), "{secret} in {}", played.stderr);
    }
    for file in project.files() {
        let bytes = std::fs::read(project.path().join(&file)).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains(KEY) && !text.contains(PASS), "a secret in {file}");
    }
}

/// The collector of the configuration, and a language model that wants a key and says what it used.
#[test]
fn calls_to_a_provider_are_told_as_such_and_without_its_key() {
    let collector = Collector::start(Manners::Takes);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let provider = FakeProvider::builder().script(|_| PlannedResponse::text("[SILENT, *velvet*]")).key(KEY);
    let provider = runtime.block_on(provider.start());
    let project = project();
    let config = format!(
        "default = \"lead\"\n[models.lead]\nprovider = \"anthropic\"\nmodel = \"claude-of-the-day\"\n\
         base_url = \"{}\"\nmax_tokens = 300\n[telemetry]\notlp = \"http://{}\"\n",
        provider.base_url_for(Api::Anthropic),
        collector.address
    );
    project.write("enact.toml", config);
    let mut command = project.command(&["run", "scene.md", "--max-beats", "2", "--json"]);
    let played = ran(command.env("ANTHROPIC_API_KEY", KEY).env("ENACT_LOG", "trace"));
    assert_eq!(played.code, 0, "{}", played.stderr);

    let spans = collector.spans();
    let calls = named(&spans, "chat claude-of-the-day");
    assert_eq!(calls.len(), 3);
    for call in calls {
        assert_eq!(call.kind(), SpanKind::Client);
        let told = attributes(&call.attributes);
        assert_eq!(told["gen_ai.provider.name"], "anthropic");
        assert_eq!(told["gen_ai.request.max_tokens"], "300");
        let tokens = |name: &str| told[name].parse::<u64>().unwrap();
        let cached =
            tokens("gen_ai.usage.cache_read.input_tokens") + tokens("gen_ai.usage.cache_write.input_tokens");
        assert!(tokens("gen_ai.usage.input_tokens") > 0 && tokens("gen_ai.usage.input_tokens") >= cached);
        assert!(tokens("gen_ai.usage.output_tokens") > 0);
        assert_eq!(told["server.address"], "127.0.0.1");
        assert_eq!(told["gen_ai.conversation.id"], played.json()["metadata"]["runId"]);
        assert_eq!(told["gen_ai.agent.name"], told["enact.actor"]);
        let types = types(&call.attributes);
        for (name, expected) in [
            ("gen_ai.request.max_tokens", "int"),
            ("gen_ai.usage.input_tokens", "int"),
            ("gen_ai.usage.output_tokens", "int"),
            ("gen_ai.usage.cache_read.input_tokens", "int"),
            ("gen_ai.usage.cache_write.input_tokens", "int"),
            ("gen_ai.request.stream", "bool"),
            ("gen_ai.conversation.id", "string"),
            ("gen_ai.agent.name", "string"),
            ("server.address", "string"),
            ("server.port", "int"),
            ("enact.tries", "int"),
            ("enact.beat", "int"),
        ] {
            assert_eq!(types.get(name), Some(&expected), "{name} of {told:?}");
        }
    }
    for beat in named(&spans, "beat") {
        let types = types(&beat.attributes);
        for name in ["enact.beat", "enact.asked", "enact.answered", "enact.failed"] {
            assert_eq!(types[name], "int", "{name}");
        }
    }
    // The metrics say the same as the spans.
    let seconds = collector.histogram("gen_ai.client.operation.duration");
    assert_eq!(seconds.iter().map(|point| point.count).max(), Some(3));
    let about = attributes(&seconds[0].attributes);
    assert_eq!(about["gen_ai.request.model"], "claude-of-the-day");
    assert_eq!(about["gen_ai.operation.name"], "chat");
    assert!(!about.contains_key("enact.actor"));
    for (kind, name) in [("input", "gen_ai.usage.input_tokens"), ("output", "gen_ai.usage.output_tokens")] {
        let spent = named(&spans, "chat claude-of-the-day");
        let spent: f64 =
            spent.iter().map(|span| attributes(&span.attributes)[name].parse::<f64>().unwrap()).sum();
        let points = collector.histogram("gen_ai.client.token.usage");
        let of_kind = |attributes: &std::collections::BTreeMap<String, String>| {
            attributes.get("gen_ai.token.type").is_some_and(|is| is == kind)
        };
        let point = points.iter().rfind(|point| of_kind(&attributes(&point.attributes))).unwrap();
        assert_eq!((point.count, point.sum), (3, Some(spent)), "{kind}");
    }
    let sent: Vec<u8> = collector.received().into_iter().flat_map(|received| received.body).collect();
    for text in [&*String::from_utf8_lossy(&sent), &played.stderr, &played.stdout] {
        assert!(!text.contains(KEY), "the key was told: {text}");
    }
    assert!(!String::from_utf8_lossy(&sent).contains("velvet"));
}

/// What each provider tells about an answer, in one piece and as a stream, with its types.
#[test]
fn answers_are_told_by_every_wire() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let table = [
        ("anthropic", Api::Anthropic, "end_turn"),
        ("openai", Api::OpenAi, "stop"),
        ("gemini", Api::Gemini, "STOP"),
        ("ollama", Api::Ollama, "stop"),
    ];
    for ((provider, api, finish_reason), streamed) in
        table.into_iter().flat_map(|row| [(row, false), (row, true)])
    {
        let collector = Collector::start(Manners::Takes);
        // A run that is not followed asks for no stream; this server sends one all the same.
        let response = PlannedResponse::text("[SILENT]").after(Duration::from_millis(5));
        let response = if streamed { response.with_fault(Fault::OtherDelivery) } else { response };
        let server = FakeProvider::builder().models(["of-the-day"]).script(move |_| response.clone());
        let server = runtime.block_on(server.start());
        let project = project();
        project.write(
            "enact.toml",
            format!(
                "default = \"lead\"\n[models.lead]\nprovider = \"{provider}\"\nmodel = \"of-the-day\"\n\
                 base_url = \"{}\"\n[telemetry]\notlp = \"http://{}\"\n",
                server.base_url_for(api),
                collector.address
            ),
        );
        let played = ran(&mut project.command(&["run", "scene.md", "--max-beats", "1", "--json"]));
        assert_eq!(played.code, 0, "{}", played.stderr);
        // The log holds what speed is derived from: what is exported later says the same.
        let speed = &played.json()["metadata"]["speed"];
        assert_eq!(
            speed["lead"]["firstWordMs"].is_u64(),
            streamed && provider != "openai",
            "{provider}: {speed}"
        );
        let exported = project.run(&["export", "latest", "--format", "metadata"]).json();
        assert_eq!(&exported["speed"], speed, "{provider}");
        let spans = collector.spans();
        let calls = named(&spans, "chat of-the-day");
        assert!(!calls.is_empty());
        for call in calls {
            let (told, types) = (attributes(&call.attributes), types(&call.attributes));
            let about = format!("{provider} streamed {streamed}: {told:?}");
            assert_eq!(told["gen_ai.response.model"], "of-the-day", "{about}");
            assert!(
                told["gen_ai.response.finish_reasons"].contains(&format!("{finish_reason:?}")),
                "{about}"
            );
            for (name, kind) in [
                ("gen_ai.response.model", Some("string")),
                ("gen_ai.response.finish_reasons", Some("array")),
                // Ollama gives its answers no ids.
                ("gen_ai.response.id", (provider != "ollama").then_some("string")),
                ("gen_ai.response.time_to_first_chunk", streamed.then_some("double")),
                // Without being asked for it OpenAI tells no usage of a stream.
                (
                    "gen_ai.usage.reasoning.output_tokens",
                    (provider == "openai" && !streamed).then_some("int"),
                ),
            ] {
                assert_eq!(types.get(name).copied(), kind, "{name} of {about}");
            }
        }
    }
}

#[test]
fn the_environment_names_the_service() {
    let collector = Collector::start(Manners::Takes);
    let played = ran(play(&project(), &collector.address)
        .env("OTEL_SERVICE_NAME", "theatre")
        .env("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment=test"));
    assert_eq!(played.code, 0);
    assert_eq!(collector.resource()["service.name"], "theatre");
    assert_eq!(collector.resource()["deployment.environment"], "test");
}

/// An address that refuses connections.
fn unreachable() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().to_string()
}

#[test]
fn a_dead_collector_costs_a_moment_and_a_note() {
    let address = unreachable();
    let began = Instant::now();
    let played = ran(&mut play(&project(), &address));
    assert!(began.elapsed() < BOUND, "{:?}", began.elapsed());
    assert_eq!(played.code, 0);
    assert_eq!(played.json()["metadata"]["goalAchieved"], true);
    assert!(
        played.stderr.starts_with(&format!("note: telemetry did not reach the collector at {address}: ")),
        "{}",
        played.stderr
    );
    assert_eq!(played.stderr.lines().count(), 1, "said once: {}", played.stderr);
    assert!(!played.stderr.contains(PASS));
}

#[test]
fn a_collector_that_hangs_costs_no_more_than_the_flush() {
    let collector = Collector::start(Manners::Hangs);
    let project = project();
    let mut child =
        play(&project, &collector.address).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The scene is over when its result is printed.
    child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
    let began = Instant::now();
    let played = Ran::from(child.wait_with_output().unwrap());
    assert!(began.elapsed() < FLUSH_BOUND, "{:?}", began.elapsed());
    assert_eq!(played.code, 0);
    assert!(played.stderr.ends_with("no answer in time\n"), "{}", played.stderr);
}

#[test]
fn metrics_that_are_refused_are_told_once() {
    for (manners, told) in [
        (Manners::RefusesMetrics, "refused metrics: it answered 404 Not Found"),
        (Manners::TakesPart, "took only a part of the metrics: 3 rejected: full"),
    ] {
        let collector = Collector::start(manners);
        let played = ran(&mut play(&project(), &collector.address));
        assert_eq!(played.code, 0);
        let note = format!("note: the collector at {} {told}\n", collector.address);
        assert_eq!(played.stderr, note);
    }
}

#[test]
fn redirects_are_not_followed() {
    let collector = Collector::start(Manners::Redirects);
    let played = ran(&mut play(&project(), &collector.address));
    assert_eq!(played.code, 0);
    assert!(played.stderr.contains("it answered 307"), "{}", played.stderr);
    assert!(collector.received().iter().all(|received| received.head.starts_with("POST /v1/")));
}

#[test]
fn errors_do_not_lose_what_was_seen_before() {
    let collector = Collector::start(Manners::Takes);
    let project = project();
    project.write(
        "broken.txt",
        (0..4).map(|beat| format!("beat {beat}\nbob: !fail x\nalice: !fail x\n")).collect::<String>(),
    );
    let mut command = project.command(&["run", "scene.md", "--model", "script:broken.txt", "--quiet"]);
    let played = ran(command.env("OTEL_EXPORTER_OTLP_ENDPOINT", format!("http://{}", collector.address)));
    assert_eq!(played.code, 1);
    let spans = collector.spans();
    let run = named(&spans, "run")[0];
    assert_eq!(attributes(&run.attributes)["enact.run.end_reason"], "failed");
}

#[cfg(unix)]
#[test]
fn ctrl_c_does_not_lose_what_was_seen_before() {
    let collector = Collector::start(Manners::Takes);
    let project = project();
    project
        .write("script.txt", "beat 0\nbob: [TONE: calm] \"One moment.\"\nbeat 1\nalice: !hang\nbob: !hang\n");
    let mut child = play(&project, &collector.address)
        .env("OTEL_BSP_SCHEDULE_DELAY", "50")
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    // Once the first beat has been exported, the second one hangs.
    blocking::until(|| !named(&collector.spans(), "beat").is_empty());
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupted.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let spans = collector.spans();
    let run = named(&spans, "run")[0];
    assert_eq!(attributes(&run.attributes)["enact.run.end_reason"], "cancelled");
    let cut = named(&spans, "beat")[1];
    assert_eq!(attributes(&cut.attributes)["enact.settled"], "cut_short");
    let dropped: Vec<_> = spans.iter().filter(|span| span.parent_span_id == cut.span_id).collect();
    assert_eq!(dropped.len(), 2);
    assert!(dropped.iter().all(|call| attributes(&call.attributes)["error.type"] == "cancelled"));
}

#[test]
fn what_cannot_be_used_is_said_and_the_scene_is_played() {
    let project = project();
    let mut command = project.command(&["run", "scene.md", "--quiet"]);
    let played = ran(command.env("OTEL_EXPORTER_OTLP_ENDPOINT", "nonsense").env("ENACT_LOG", "loud"));
    assert_eq!(played.code, 0);
    expect![[r#"
        note: ENACT_LOG is 'loud' where error, warn, info, debug, trace or off was expected
        note: telemetry is off: OTEL_EXPORTER_OTLP_ENDPOINT is not an address: relative URL without a base; write it like "https://example.com/v1"
    "#]]
    .assert_eq(&played.stderr);
}

#[test]
fn it_is_off_unless_configured() {
    let project = project();
    let played = ran(project
        .command(&["run", "scene.md", "--quiet"])
        .env_remove("OTEL_EXPORTER_OTLP_ENDPOINT")
        .env_remove("ENACT_LOG"));
    assert_eq!((played.code, played.stdout.as_str(), played.stderr.as_str()), (0, "", ""));
}
