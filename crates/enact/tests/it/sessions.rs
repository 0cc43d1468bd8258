//! Sessions over HTTP, through the real binary: guests, games, results that are shared, and kills.

use std::time::Duration;

use enact_testkit::waiting::blocking;
use expect_test::expect;
use fake_provider::{Api, FakeProvider, PlannedResponse};
use serde_json::{Value, json};

use crate::{
    episodes::{events, story},
    project::Project,
    server::{
        Server,
        client::{Answer, call},
    },
};

const TOKEN: &str = "a-token-that-is-long-enough";

fn serve(project: &Project, args: &[&str]) -> Server {
    Server::start(project.command(&[&["serve", "--bind", "127.0.0.1:0"], args].concat()))
}

/// A server that needs a token.
fn serve_with_token(project: &Project, args: &[&str]) -> Server {
    let mut command = project.command(&[&["serve", "--bind", "127.0.0.1:0"], args].concat());
    command.env("ENACT_TOKEN", TOKEN);
    Server::start(command)
}

fn ask(server: &Server, method: &str, path: &str, guest: Option<&str>, body: &Value) -> Answer {
    let mut headers = vec![("Content-Type", "application/json")];
    headers.extend(guest.map(|id| ("X-Anonymous-Id", id)));
    let body = if body.is_null() { String::new() } else { body.to_string() };
    call(server.address(), method, path, &headers, &body).unwrap()
}

fn code(answer: &Answer) -> String {
    answer.json()["error"]["code"].as_str().unwrap_or_default().to_owned()
}

/// Plays the episode of the story to its end, and gives its share id.
fn play_to_the_end(server: &Server) -> (String, String) {
    let begun = server.post("/v1/sessions", &json!({"episode": "last-train"})).json();
    let session = begun["sessionId"].as_str().unwrap().to_owned();
    let messages = format!("/v1/sessions/{session}/messages");
    let mut share = String::new();
    for said in ["Is this seat taken?", "I see.", "haha, <b>deal</b> & done"] {
        let (_, last) = events(&server.post(&messages, &json!({"text": said})).body);
        share = last("episode_complete")["share_id"].as_str().unwrap_or_default().to_owned();
    }
    assert!(share.len() >= 32, "{share}");
    (session, share)
}

#[test]
fn guests_play_what_is_theirs_and_no_more() {
    let project = story();
    let server = serve_with_token(&project, &["--guests=2"]);
    let begin = |guest| ask(&server, "POST", "/v1/sessions", guest, &json!({"episode": "last-train"}));
    let begun = begin(None);
    assert_eq!(begun.status, 201, "{}", begun.body);
    let begun = begun.json();
    let guest = begun["anonymousId"].as_str().unwrap();
    assert!(guest.len() >= 32, "{guest}");
    assert_eq!(begun["messagesRemaining"], 2);
    let again = begin(Some(guest)).json();
    assert!(again.get("anonymousId").is_none(), "who has an id keeps it");

    let session = format!("/v1/sessions/{}", begun["sessionId"].as_str().unwrap());
    let say = |guest: Option<&str>, text: &str| {
        ask(&server, "POST", &format!("{session}/messages"), guest, &json!({"text": text}))
    };
    let stranger = "f".repeat(32);
    for other in [None, Some(stranger.as_str())] {
        assert_eq!(say(other, "Hello?").status, 404, "nobody else's");
        assert_eq!(ask(&server, "GET", &session, other, &Value::Null).status, 404);
        assert_eq!(ask(&server, "DELETE", &session, other, &Value::Null).status, 404);
    }
    assert_eq!(say(Some(guest), "Hello?").status, 200);
    assert_eq!(say(Some(guest), "Still there?").status, 200);
    let refused = say(Some(guest), "One more?");
    assert_eq!((refused.status, code(&refused).as_str()), (403, "GUEST_LIMIT"));
    let context = &refused.json()["error"]["context"];
    assert_eq!((&context["messages_sent"], &context["limit"]), (&json!(2), &json!(2)));
    let listed = ask(&server, "GET", "/v1/sessions", Some(guest), &Value::Null).json();
    assert_eq!(listed["sessions"].as_array().unwrap().len(), 2);
    let nobodys = ask(&server, "GET", "/v1/sessions", Some(&stranger), &Value::Null).json();
    assert_eq!(nobodys["sessions"], json!([]));

    // What is not for guests stays closed, and an id that could be guessed is none.
    assert_eq!(ask(&server, "GET", "/v1/runs", Some(guest), &Value::Null).status, 401);
    assert_eq!(ask(&server, "POST", "/v1/scenes", Some(guest), &json!({})).status, 401);
    assert_eq!(code(&begin(Some("me"))), "INVALID_PARAMETER");
    assert_eq!(ask(&server, "DELETE", &session, Some(guest), &Value::Null).status, 204);
    assert_eq!(ask(&server, "GET", &session, Some(guest), &Value::Null).status, 404);

    let closed = serve_with_token(&project, &["--games"]);
    assert_eq!(ask(&closed, "POST", "/v1/sessions", None, &json!({"episode": "last-train"})).status, 401);
    assert_eq!(ask(&closed, "POST", "/games/last-train/start", None, &json!({})).status, 401);
}

#[test]
fn games_are_called_as_their_clients_do() {
    let project = story();
    project.write("series/the-test-f.md", "---\nepisodes: [last-train]\n---\nA test.\n");
    let server = serve_with_token(&project, &["--guests", "--games"]);
    assert_eq!(ask(&server, "POST", "/games/nothing/start", None, &json!({})).status, 404);
    let started = ask(&server, "POST", "/games/the-test/start", None, &json!({"character_choice": "f"}));
    assert_eq!(started.status, 200, "{}", started.body);
    let started = started.json();
    let mut keys: Vec<&String> = started.as_object().unwrap().keys().collect();
    keys.sort();
    assert_eq!(
        keys,
        [
            "anonymous_id",
            "character_avatar_url",
            "character_id",
            "character_name",
            "opening_line",
            "session_id",
            "situation",
            "turn_budget"
        ]
    );
    assert_eq!((&started["turn_budget"], &started["character_id"]), (&json!(3), &json!("mina")));
    let guest = started["anonymous_id"].as_str();
    let game = format!("/games/the-test/{}", started["session_id"].as_str().unwrap());
    assert_eq!(ask(&server, "GET", &format!("{game}/result"), guest, &Value::Null).status, 404);

    let said = ask(&server, "POST", &format!("{game}/message"), guest, &json!({"content": "haha, hello"}));
    let said = said.json();
    assert_eq!((&said["turn_count"], &said["turns_remaining"]), (&json!(1), &json!(2)));
    assert_eq!(said["is_complete"], false);
    assert!(
        said["message_content"].as_str().is_some_and(|text| !text.is_empty()) && said["mood"].is_string()
    );
    for _ in 0..2 {
        let told = ask(&server, "POST", &format!("{game}/message/stream"), guest, &json!({"content": "lol"}));
        assert!(told.body.ends_with("\n\ndata: [DONE]\n\n"), "{}", told.body);
        let (_, last) = events(&told.body.replace("data: [DONE]\n\n", ""));
        let complete = last("message_complete");
        assert_eq!(complete["turn_count"], complete["director"]["turn_count"]);
        assert!(complete["mood"].is_string());
    }
    let result = ask(&server, "GET", &format!("{game}/result"), guest, &Value::Null).json();
    assert_eq!(result["evaluation_type"], "flirt_archetype");
    let share = result["share_id"].as_str().unwrap();
    assert_eq!(result["share_url"], format!("/r/{share}"));
    let shared = || ask(&server, "GET", &format!("/games/r/{share}"), None, &Value::Null).json();
    assert_eq!(shared()["share_count"], 0);
    let view = ask(&server, "POST", &format!("/games/r/{share}/view"), None, &json!({}));
    assert_eq!((view.status, view.json()), (200, json!({"success": true})));
    assert_eq!((&shared()["share_count"], &shared()["character_id"]), (&json!(1), &json!("mina")));

    let without = serve(&project, &[]);
    assert_eq!(without.post("/games/the-test/start", &json!({})).status, 404, "only with --games");
}

#[test]
fn a_game_begins_with_what_was_remembered_of_its_player() {
    let project = story();
    let server = serve_with_token(&project, &["--guests", "--games"]);
    let start = |guest| ask(&server, "POST", "/games/last-train/start", guest, &json!({})).json();
    let first = start(None);
    let guest = first["anonymous_id"].as_str();
    let message = format!("/games/last-train/{}/message", first["session_id"].as_str().unwrap());
    let said = ask(&server, "POST", &message, guest, &json!({"content": "I work at the harbour."}));
    assert_eq!(said.status, 200, "{}", said.body);
    let remembered = |started: &Value| {
        let log = format!("/v1/runs/{}/log", started["session_id"].as_str().unwrap());
        let bearer = format!("Bearer {TOKEN}");
        let log = call(server.address(), "GET", &log, &[("Authorization", &bearer)], "").unwrap();
        assert_eq!(log.status, 200, "{}", log.body);
        let first: Value = serde_json::from_str(log.body.lines().next().unwrap()).unwrap();
        first["body"]["setup"]["memories"][0]["text"].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(remembered(&start(guest)), "I work at the harbour.");
    assert_eq!(remembered(&start(None)), "", "another guest is somebody else");
}

#[test]
fn a_result_is_shared_counted_and_taken_back() {
    let project = story();
    let server = serve(&project, &["--public-url", "https://play.example.org/"]);
    let (session, share) = play_to_the_end(&server);
    let (page, json) = (format!("/r/{share}"), format!("/v1/share/{share}"));
    let shown = server.get(&page);
    assert_eq!(shown.status, 200);
    for text in [
        "<title>The Playful Tease | The Last Train</title>",
        "<meta name=\"robots\" content=\"noindex, nofollow\">",
        &format!("<meta property=\"og:url\" content=\"https://play.example.org/r/{share}\">"),
        #[cfg(feature = "share-images")]
        &format!("<meta property=\"og:image\" content=\"https://play.example.org/r/{share}/card.png\">"),
        "haha, &lt;b&gt;deal&lt;",
    ] {
        assert!(shown.body.contains(text), "{text}\n---\n{}", shown.body);
    }
    assert!(!shown.body.contains("<script") && !shown.body.contains("<b>deal"), "{}", shown.body);
    assert!(!shown.body.contains(&session) && !shown.body.contains("Depends"), "the card alone");
    assert_eq!(shown.header("x-robots-tag"), Some("noindex, nofollow"));
    let policy = shown.header("content-security-policy").unwrap();
    assert!(policy.contains("default-src 'none'") && !policy.contains("script"), "{policy}");
    assert_eq!(server.get("/r/page.css").header("content-type"), Some("text/css; charset=utf-8"));
    server.get(&page);
    assert_eq!(server.get(&json).json()["share_count"], 2);
    #[cfg(feature = "share-images")]
    {
        let image = call_bytes(&server, &format!("{page}/card.png"));
        assert!(image.contains("content-type: image/png") && image.contains("max-age=3600"), "{image}");
    }

    for unknown in ["/r/unknown", "/r/%00", &format!("/r/{}", "a".repeat(300))] {
        let missing = server.get(unknown);
        assert_eq!(missing.status, 404);
        assert!(missing.body.contains("This result couldn’t be found."), "{unknown}: {}", missing.body);
    }
    let share_of = format!("/v1/sessions/{session}/share");
    assert_eq!(ask(&server, "DELETE", &share_of, None, &Value::Null).status, 204);
    for path in [&page, &json, &format!("{page}/card.png")] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
    assert_eq!(server.get(&format!("/v1/sessions/{session}/result")).status, 200, "its owner still has it");
    // Rows are made anew without a word of it being shared again.
    drop(server);
    assert_eq!(project.run(&["reindex"]).code, 0);
    let server = serve(&project, &[]);
    assert_eq!(server.get(&page).status, 404);
    assert_eq!(ask(&server, "POST", &share_of, None, &Value::Null).status, 204);
    let shown = server.get(&page);
    assert!(shown.body.contains(&format!("content=\"/r/{share}\"")), "without an address it is relative");
    assert_eq!(server.get(&json).json()["share_count"], 3);

    assert_eq!(ask(&server, "DELETE", &format!("/v1/sessions/{session}"), None, &Value::Null).status, 204);
    for path in [&page, &json, &format!("/v1/sessions/{session}"), &format!("/v1/runs/{session}")] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
    assert_eq!(server.get("/v1/sessions").json()["sessions"], json!([]));
    let wrong = project.run(&["serve", "--bind", "127.0.0.1:0", "--public-url", "play.example.org"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.stderr.contains("--public-url"), "{}", wrong.stderr);
}

/// The head of an answer whose body is a picture.
#[cfg(feature = "share-images")]
fn call_bytes(server: &Server, path: &str) -> String {
    use std::io::{Read, Write};
    let mut socket = std::net::TcpStream::connect(server.address()).unwrap();
    write!(socket, "GET {path} HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n").unwrap();
    let mut bytes = Vec::new();
    socket.read_to_end(&mut bytes).unwrap();
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    assert_eq!(&bytes[end + 4..end + 8], b"\x89PNG");
    String::from_utf8_lossy(&bytes[..end]).to_lowercase()
}

#[test]
fn who_has_finished_talks_on_in_a_new_session() {
    let project = story();
    let server = serve(&project, &[]);
    let begun = server.post("/v1/sessions", &json!({"episode": "last-train"})).json();
    let resting = begun["sessionId"].as_str().unwrap();
    let resumed = server.post(&format!("/v1/sessions/{resting}/resume"), &json!({}));
    assert_eq!((resumed.status, &resumed.json()["sessionId"]), (200, &json!(resting)));
    let (session, _) = play_to_the_end(&server);
    let late = server.post(&format!("/v1/sessions/{session}/messages"), &json!({"text": "More?"}));
    assert_eq!((late.status, code(&late).as_str()), (409, "SESSION_COMPLETE"));
    let on = server.post(&format!("/v1/sessions/{session}/resume"), &json!({}));
    assert_eq!(on.status, 201, "{}", on.body);
    let on = on.json();
    assert_eq!(on["continues"], json!(session));
    let on = on["sessionId"].as_str().unwrap();
    for _ in 0..5 {
        let (names, _) =
            events(&server.post(&format!("/v1/sessions/{on}/messages"), &json!({"text": "And?"})).body);
        assert_eq!(names.last().map(String::as_str), Some("done"));
        assert!(!names.contains(&"episode_complete".to_owned()), "{names:?}");
    }
    let ended = server.post(&format!("/v1/sessions/{on}/end"), &json!({}));
    assert_eq!(ended.status, 202);
    blocking::until(|| server.get(&format!("/v1/sessions/{on}")).json()["session_state"] == "faded");
}

/// Clients that show only chunks see what the built-in player says too.
#[test]
fn an_answer_that_comes_whole_is_a_chunk_too() {
    let project = story();
    let server = serve(&project, &[]);
    let begun = server.post("/v1/sessions", &json!({"episode": "last-train"})).json();
    let session = begun["sessionId"].as_str().unwrap();
    let told = server.post(&format!("/v1/sessions/{session}/messages"), &json!({"text": "Hello there"}));
    let (_, last) = events(&told.body);
    assert_eq!(last("chunk")["content"], last("message_complete")["content"], "{}", told.body);
    assert!(told.body.find("event: chunk") < told.body.find("event: message_complete"), "{}", told.body);
}

/// What stands on the wire, but for what differs each time.
#[test]
fn a_stream_is_told_word_for_word() {
    let project = story();
    let provider = provider(|_| PlannedResponse::text(ANSWER).in_pieces(6));
    configure(&project, &provider);
    let server = serve(&project, &[]);
    let begun = server.post("/v1/sessions", &json!({"episode": "last-train"})).json();
    let session = begun["sessionId"].as_str().unwrap();
    let told =
        server.post(&format!("/v1/sessions/{session}/messages"), &json!({"id": "m1", "text": "lol, hi"}));
    let chunks: Vec<Value> = told
        .body
        .lines()
        .filter_map(|line| serde_json::from_str(line.strip_prefix("data: ")?).ok())
        .filter(|data: &Value| data["type"] == "chunk")
        .collect();
    let shown: String = chunks.iter().filter_map(|chunk| chunk["content"].as_str()).collect();
    assert_eq!(shown, "*She looks up*\n\"Depends who is asking.\"");
    assert!(chunks.len() > 1, "it streams: {}", told.body);
    // The number of chunks depends on how pieces meet.
    let numbered: String =
        told.body.split_inclusive("\n\n").filter(|event| event.starts_with("id: ")).collect();
    expect![[r#"
        id: N
        event: message_complete
        data: {"content":"*She looks up*\n\"Depends who is asking.\"","structured":{"dialogue":"Depends who is asking.","action":"She looks up","mood":"amused","tension_shift":0.2},"director":{"turn_count":1,"turns_remaining":2,"beat":"complication","completion_eligible":false},"type":"message_complete"}

        id: N+1
        event: choice_prompt
        data: {"id":"phone","prompt":"What do you do?","choices":[{"id":"go","label":"I should go."},{"id":"stay","label":"I'm not leaving."}],"type":"choice_prompt"}

        id: N+2
        event: done
        data: {"session_id":"SESSION","content":"*She looks up*\n\"Depends who is asking.\"","director":{"turn_count":1,"turns_remaining":2,"is_complete":false},"type":"done"}

    "#]]
    .assert_eq(&from_n(&numbered.replace(session, "SESSION")));
    let rest = call(
        server.address(),
        "GET",
        &format!("/v1/sessions/{session}/events?speed=1000"),
        &[("Last-Event-ID", "99")],
        "",
    );
    assert_eq!(code(&rest.unwrap()), "INVALID_CURSOR");
}

/// The same with numbers that are counted from the first: how many facts the director makes of an exchange is its own
/// affair.
fn from_n(events: &str) -> String {
    let number = |line: &str| line.strip_prefix("id: ")?.parse::<u64>().ok();
    let first = events.lines().find_map(number).unwrap();
    let line = |line: &str| match number(line).map(|number| number - first) {
        None => format!("{line}\n"),
        Some(0) => "id: N\n".to_owned(),
        Some(later) => format!("id: N+{later}\n"),
    };
    events.lines().map(line).collect()
}

const ANSWER: &str = r#"{"action": "She looks up", "dialogue": "Depends who is asking.", "mood": "amused", "tension_shift": 0.2, "internal": "Nice coat."}"#;

fn provider(
    script: impl Fn(&fake_provider::Seen) -> PlannedResponse + Send + Sync + 'static,
) -> FakeProvider {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(FakeProvider::builder().script(script).start())
}

fn configure(project: &Project, provider: &FakeProvider) {
    let base = provider.base_url_for(Api::OpenAi);
    let config = format!(
        "default = \"lead\"\n[models.lead]\nprovider = \"openai-compatible\"\nmodel = \"llama\"\nbase_url = \"{base}\"\nretries = 0\n"
    );
    project.write("enact.toml", config);
}

/// A model that takes its time: long enough for everything a test does meanwhile.
const SLOW: Duration = Duration::from_millis(1_500);

#[test]
fn a_busy_session_refuses_another_message_and_joins_the_same() {
    let project = story();
    let provider = provider(|_| PlannedResponse::text(ANSWER).after(SLOW));
    configure(&project, &provider);
    let server = serve(&project, &[]);
    let begun = server.post("/v1/sessions", &json!({"episode": "last-train"})).json();
    let session = begun["sessionId"].as_str().unwrap();
    let messages = format!("/v1/sessions/{session}/messages");
    let say = |id: &str| server.post(&messages, &json!({"id": id, "text": "lol, hi"}));
    std::thread::scope(|scope| {
        let first = scope.spawn(|| say("m1"));
        blocking::until(|| !provider.seen().is_empty());
        let second = say("m2");
        assert_eq!((second.status, code(&second).as_str()), (409, "SESSION_BUSY"));
        let command = json!({"command": "message", "id": "m3", "text": "And?"});
        let third = server.post(&format!("/v1/runs/{session}/commands"), &command);
        assert_eq!((third.status, code(&third).as_str()), (409, "SESSION_BUSY"), "the same by the other way");
        let deleted = ask(&server, "DELETE", &format!("/v1/sessions/{session}"), None, &Value::Null);
        assert_eq!((deleted.status, code(&deleted).as_str()), (409, "RUN_PLAYING"));
        let joined = events(&say("m1").body).0;
        assert_eq!(joined, ["message_complete", "choice_prompt", "done"]);
        assert_eq!(events(&first.join().unwrap().body).0, joined);
    });
    assert_eq!(provider.seen().len(), 1, "asked once");
    assert_eq!(server.get(&format!("/v1/sessions/{session}")).json()["turn_count"], 1);
}

#[test]
fn a_failed_answer_is_told_and_counts_no_turn() {
    let project = story();
    let failed = std::sync::atomic::AtomicBool::new(false);
    let provider = provider(move |_| match failed.swap(true, std::sync::atomic::Ordering::SeqCst) {
        false => PlannedResponse::fault(fake_provider::Fault::Status(503, None)),
        true => PlannedResponse::text(ANSWER),
    });
    configure(&project, &provider);
    let server = serve(&project, &["--games"]);
    let begun = server.post("/v1/sessions", &json!({"episode": "last-train"})).json();
    let session = begun["sessionId"].as_str().unwrap();
    let say = || server.post(&format!("/v1/sessions/{session}/messages"), &json!({"id": "m1", "text": "Hi"}));
    let (names, last) = events(&say().body);
    assert_eq!(names, ["error", "done"]);
    let error = last("error");
    assert!(error["error"]["type"].is_string() && error["error"]["message"].is_string(), "{error}");
    assert_eq!(last("done")["content"], Value::Null);
    assert_eq!(server.get(&format!("/v1/sessions/{session}")).json()["turn_count"], 0);
    let (names, last) = events(&say().body);
    assert_eq!(
        (names[0].as_str(), &last("message_complete")["director"]["turn_count"]),
        ("message_complete", &json!(1))
    );
}

/// The answer and all that the director makes of it are stored together: killed before that, a process has
/// stored neither, and the next one asks again.
#[test]
fn a_kill_between_message_and_answer_loses_and_doubles_nothing() {
    let project = story();
    let provider = provider(|_| PlannedResponse::text(ANSWER).after(SLOW));
    configure(&project, &provider);
    let server = serve(&project, &[]);
    let begun = server.post("/v1/sessions", &json!({"episode": "last-train"})).json();
    let session = begun["sessionId"].as_str().unwrap().to_owned();
    let messages = format!("/v1/sessions/{session}/messages");
    let body = json!({"id": "m1", "text": "lol, hi"}).to_string();
    let address = server.address();
    let cut = std::thread::spawn({
        let messages = messages.clone();
        move || {
            call(address, "POST", &messages, &[("Content-Type", "application/json")], &body)
                .map(|cut| cut.body)
        }
    });
    blocking::until(|| provider.seen().len() == 1);
    server.kill();
    let cut = cut.join().unwrap().unwrap_or_default();
    assert!(!cut.contains("message_complete"), "{cut}");
    let server = serve(&project, &[]);
    let (names, last) = events(&server.post(&messages, &json!({"id": "m1", "text": "lol, hi"})).body);
    assert_eq!(names, ["message_complete", "choice_prompt", "done"]);
    assert_eq!(last("message_complete")["director"]["turn_count"], 1);
    assert_eq!(provider.seen().len(), 2);
    let shown = server.get(&format!("/v1/sessions/{session}")).json();
    assert_eq!(
        (&shown["turn_count"], shown["director_state"]["tension_curve"].as_array().unwrap().len()),
        (&json!(1), 1)
    );
}

/// Completed, and killed before the evaluation came: it is complete once, and gets its evaluation.
#[test]
fn a_kill_between_completion_and_evaluation_completes_once() {
    let project = story();
    let provider = provider(|seen| match seen.prompt().last_message().contains("SIGNALS OBSERVED") {
        true => PlannedResponse::text("{}").after(Duration::from_secs(60)),
        false => PlannedResponse::text(ANSWER),
    });
    configure(&project, &provider);
    let mut command = project.command(&["play", "last-train", "--director", "lead"]);
    use std::{io::Write, process::Stdio};
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    child.stdin.as_mut().unwrap().write_all(b"haha, hi\nlol\nhaha, deal\n").unwrap();
    blocking::until(|| {
        provider.seen().iter().any(|seen| seen.prompt().last_message().contains("SIGNALS OBSERVED"))
    });
    child.kill().unwrap();
    child.wait().unwrap();
    // After five seconds the rules' own evaluation stands in.
    let ran = project.run_with_input(&["play", "--resume", "latest", "--json"], b"");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let metadata = &ran.json()["metadata"];
    assert_eq!((&metadata["turn_count"], &metadata["completion_trigger"]), (&json!(3), &json!("turn_limit")));
    assert_eq!(metadata["evaluation"]["model_used"], "rules");
    assert_eq!(metadata["evaluation"]["archetype"], "playful_tease");
    let log = project.run(&["export", "latest", "--format", "jsonl"]).stdout;
    let count =
        |kind: &str| log.lines().filter(|line| line.contains(&format!("\"kind\":\"{kind}\""))).count();
    assert_eq!((count("completed"), count("evaluated"), count("turn_completed")), (1, 1, 3), "{log}");
}

/// Messages reach whichever node: what one has answered, the other goes on with. What is derived from the log
/// is the same there, is made anew by one command, and is gone with the session.
#[cfg(all(unix, feature = "postgres-tests"))]
#[test]
fn a_session_is_played_on_two_nodes_of_one_postgres() {
    use crate::project::Ran;
    let project = story();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let database = runtime.block_on(crate::nodes::fresh_schema());
    let node = || {
        let mut command = project.command(&["serve", "--bind", "127.0.0.1:0"]);
        command.env("ENACT_DATABASE", &database).env("ENACT_LOG", "warn");
        Server::start(command)
    };
    let nodes = [node(), node()];
    let begun = nodes[0].post("/v1/sessions", &json!({"episode": "last-train"})).json();
    let session = format!("/v1/sessions/{}", begun["sessionId"].as_str().unwrap());
    let mut share = String::new();
    for (turn, said) in ["I live by the sea.", "I see.", "haha, deal"].iter().enumerate() {
        let body = json!({"id": format!("m{turn}"), "text": said});
        let (names, last) = events(&nodes[turn % 2].post(&format!("{session}/messages"), &body).body);
        assert_eq!(last("message_complete")["director"]["turn_count"], turn + 1, "{names:?}");
        // Sent again, to the other: told again, and taken once.
        let again = nodes[(turn + 1) % 2].post(&format!("{session}/messages"), &body);
        assert_eq!(events(&again.body).0, names);
        share = last("episode_complete")["share_id"].as_str().unwrap_or_default().to_owned();
    }
    let listed = || nodes[1].get("/v1/sessions").json()["sessions"].clone();
    let (before, shared) = (listed(), format!("/v1/share/{share}"));
    assert_eq!((&before[0]["turn_count"], &before[0]["session_state"]), (&json!(3), &json!("complete")));
    assert_eq!(nodes[1].get(&shared).json()["evaluation_type"], "flirt_archetype");
    let mut reindex = project.command(&["reindex"]);
    let made: Ran = reindex.env("ENACT_DATABASE", &database).output().unwrap().into();
    assert_eq!(made.code, 0, "{}", made.stderr);
    assert_eq!((listed(), nodes[0].get(&shared).status), (before, 200));
    let memory = |account: &str| -> Ran {
        let mut command = project.command(&["memory", "mina", "--json", "--account", account]);
        command.env("ENACT_DATABASE", &database).output().unwrap().into()
    };
    assert!(memory("").stdout.contains("I live by the sea."), "{}{}", memory("").stdout, memory("").stderr);
    assert_eq!(ask(&nodes[1], "DELETE", &session, None, &Value::Null).status, 204);
    assert_eq!(
        (nodes[0].get(&shared).status, nodes[0].get(&session).status, listed()),
        (404, 404, json!([]))
    );
    assert!(!memory("").stdout.contains("sea"), "what is remembered of it is gone with it");
}
