//! Runs of private productions: whose they are, and who sees them.

use enact_drama::RunId;
use enact_server::access::{Access, Scope, Token};
use reqwest::{RequestBuilder, Response};
use serde_json::{Value, json};

use super::{
    server::{Server, apology, run_id, session},
    stream::Events,
};

const ANN: &str = "ann-0123456789abcdef";
const BEN: &str = "ben-0123456789abcdef";
const EYES: &str = "eyes-0123456789abcdef";
const ROOT: &str = "root-0123456789abcdef";

async fn house() -> Server {
    let access = [("ann", ANN, Scope::Run), ("ben", BEN, Scope::Run), ("eyes", EYES, Scope::Read)]
        .into_iter()
        .chain([("root", ROOT, Scope::Admin)])
        .try_fold(Access::default(), |access, (name, secret, scope)| {
            access.token(Token::new(name, secret, scope)?)
        });
    Server::guarded(access.unwrap()).await
}

impl Server {
    fn by(&self, token: &str, method: &str, path: &str) -> RequestBuilder {
        self.request(method, path).bearer_auth(token)
    }

    async fn seen_by(&self, token: &str, path: &str) -> Value {
        let response = self.by(token, "GET", path).send().await.unwrap();
        assert_eq!(response.status(), 200, "{path}");
        response.json().await.unwrap()
    }

    /// A new diary, with a page that was answered.
    async fn diary_of(&self, token: &str) -> RunId {
        let opened = self.by(token, "POST", "/v1/diaries").json(&json!({})).send().await.unwrap();
        let run = session(&opened);
        let mut events = Events::of(opened);
        let body = json!({ "command": "write", "text": "Dear diary" });
        let path = format!("/v1/runs/{run}/commands");
        let written = self.by(token, "POST", &path).json(&body).send().await.unwrap();
        assert_eq!(written.status(), 202);
        events.until("entry").await;
        self.let_answer(1);
        self.resting(token, run).await;
        run
    }

    async fn resting(&self, token: &str, run: RunId) {
        let path = format!("/v1/runs/{run}");
        enact_testkit::until(async || self.seen_by(token, &path).await["status"] == "resting").await;
    }
}

async fn code(response: Response) -> (u16, String) {
    let status = response.status().as_u16();
    let body: Value = response.json().await.unwrap_or_default();
    (status, body["error"]["code"].as_str().unwrap_or_default().to_owned())
}

fn names(page: &Value) -> Vec<&str> {
    page["runs"].as_array().unwrap().iter().map(|run| run["runId"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_private_run_is_there_for_its_account_and_for_administrators() {
    let server = house().await;
    let run = server.diary_of(ANN).await;
    let path = format!("/v1/runs/{run}");
    let write = json!({ "command": "write", "text": "It was me." });
    let audio = format!("tts/sessions/{run}/turn_1/page.wav");
    server.test_chorus.artifacts.write(&audio, b"RIFF", |_| Ok(())).unwrap();
    let reading = ["", "/log", "/transcript", "/costs"].map(|what| format!("{path}{what}"));
    for token in [ANN, ROOT] {
        for path in &reading {
            assert_eq!(server.by(token, "GET", path).send().await.unwrap().status(), 200, "{path}");
        }
        let heard = server.by(token, "GET", &format!("/v1/audio/{audio}")).send().await.unwrap();
        assert_eq!(heard.bytes().await.unwrap(), &b"RIFF"[..]);
        assert_eq!(names(&server.seen_by(token, "/v1/runs").await), [run.to_string()]);
        assert_eq!(server.seen_by(token, "/v1/costs").await["groups"][0]["key"], run.to_string());
    }
    let gone = (404, "RUN_NOT_FOUND".to_owned());
    for token in [BEN, EYES] {
        let streams = [format!("{path}/events"), format!("/v1/diaries/{run}/events")];
        for path in reading.iter().chain(&streams) {
            assert_eq!(code(server.by(token, "GET", path).send().await.unwrap()).await, gone, "{path}");
        }
        // What is said does not tell it from a run that was never there.
        let said = server.by(token, "GET", &path).send().await.unwrap().text().await.unwrap();
        let other = "0199f2a4-6a3e-7cc1-8a55-0f4c9b1d2e3f";
        let never = server.by(token, "GET", &format!("/v1/runs/{other}")).send().await.unwrap();
        assert_eq!(said.replace(&run.to_string(), other), never.text().await.unwrap());
        let heard = server.by(token, "GET", &format!("/v1/audio/{audio}")).send().await.unwrap();
        assert_eq!(code(heard).await, (404, "AUDIO_NOT_FOUND".to_owned()));
        for query in ["", "?production=diary", "?status=resting", "?limit=1"] {
            let page = server.seen_by(token, &format!("/v1/runs{query}")).await;
            assert_eq!(page, json!({ "runs": [], "next": null }), "{query}");
        }
        let costs = server.seen_by(token, "/v1/costs").await;
        assert_eq!((&costs["runs"], &costs["total"]["calls"]), (&json!(0), &json!(0)), "{costs}");
    }
    for (what, body) in [
        ("cancel", Value::Null),
        ("commands", write.clone()),
        ("fork", json!({ "beat": 0 })),
        ("pause", Value::Null),
        ("notes", json!({ "text": "x" })),
    ] {
        let posted = server.by(BEN, "POST", &format!("{path}/{what}")).json(&body).send().await.unwrap();
        assert_eq!(code(posted).await, gone, "{what}");
    }
    // Nothing of that has reached the run.
    assert_eq!(server.seen_by(ANN, &path).await["status"], "resting");
    assert_eq!(server.by(ROOT, "DELETE", &path).send().await.unwrap().status(), 204);
    assert_eq!(code(server.by(ANN, "GET", &path).send().await.unwrap()).await, gone);
}

#[tokio::test]
async fn finished_runs_and_those_of_others_are_counted_for_those_who_see_them() {
    let server = house().await;
    let scene = server.by(BEN, "POST", "/v1/scenes").json(&json!({ "config": apology() })).send().await;
    let scene = run_id(&scene.unwrap().json().await.unwrap());
    let played = server.by(EYES, "GET", &format!("/v1/runs/{scene}/events")).send().await.unwrap();
    assert!(played.text().await.unwrap().contains("\nevent: end\n"));
    let (ann, ben) = (server.diary_of(ANN).await, server.diary_of(BEN).await);
    let path = format!("/v1/runs/{ann}");
    assert_eq!(server.by(ANN, "POST", &format!("{path}/cancel")).send().await.unwrap().status(), 202);
    enact_testkit::until(async || server.seen_by(ANN, &path).await["status"] == "finished").await;
    let (ann, ben, scene) = (ann.to_string(), ben.to_string(), scene.to_string());
    // Twice: derived, and then kept.
    for _ in 0..2 {
        for (token, expected) in [
            (ANN, vec![&ann, &scene]),
            (BEN, vec![&ben, &scene]),
            (EYES, vec![&scene]),
            (ROOT, vec![&ben, &ann, &scene]),
        ] {
            let costs = server.seen_by(token, "/v1/costs?by=run").await;
            let groups = costs["groups"].as_array().unwrap();
            let keys: Vec<&str> = groups.iter().map(|group| group["key"].as_str().unwrap()).collect();
            assert_eq!(keys, expected, "{token}");
            assert_eq!(costs["runs"], expected.len(), "{token}");
            assert_eq!(names(&server.seen_by(token, "/v1/runs").await), expected, "{token}");
        }
    }
}

#[tokio::test]
async fn a_fork_belongs_to_the_account_that_forks() {
    let server = house().await;
    let parent = server.diary_of(ANN).await;
    let fork = async |token: &str, key: &str| {
        let request = server.by(token, "POST", &format!("/v1/runs/{parent}/fork"));
        request.header("Idempotency-Key", key).json(&json!({ "beat": 0 })).send().await.unwrap()
    };
    let of_ann = run_id(&fork(ANN, "one").await.json().await.unwrap());
    let of_root = run_id(&fork(ROOT, "one").await.json().await.unwrap());
    let page = async |token: &str| server.seen_by(token, &format!("/v1/runs?parent={parent}")).await;
    assert_eq!(names(&page(ANN).await), [of_ann.to_string()]);
    assert_eq!(names(&page(ROOT).await).len(), 2);
    assert_eq!(names(&page(BEN).await), [""; 0]);
    let seen = server.by(ANN, "GET", &format!("/v1/runs/{of_root}")).send().await.unwrap();
    assert_eq!(code(seen).await, (404, "RUN_NOT_FOUND".to_owned()));
    // A request that is repeated is answered even if the run it forked is gone.
    let path = format!("/v1/runs/{parent}");
    server.resting(ANN, parent).await;
    assert_eq!(server.by(ROOT, "DELETE", &path).send().await.unwrap().status(), 204);
    assert_eq!(run_id(&fork(ANN, "one").await.json().await.unwrap()), of_ann);
    assert_eq!(code(fork(ANN, "two").await).await, (404, "RUN_NOT_FOUND".to_owned()));
}

#[tokio::test]
async fn public_runs_are_seen_by_all_callers() {
    let server = house().await;
    let body = json!({ "config": apology() });
    let played = server.by(ANN, "POST", "/v1/scenes").json(&body).send().await.unwrap();
    let run = run_id(&played.json().await.unwrap());
    assert_eq!(server.node.store().find(run).await.unwrap().account, "ann");
    let events = server.by(EYES, "GET", &format!("/v1/runs/{run}/events")).send().await.unwrap();
    assert!(events.text().await.unwrap().contains("\nevent: end\n"));
    assert_eq!(names(&server.seen_by(EYES, "/v1/runs").await), [run.to_string()]);
    let forked = server.by(BEN, "POST", &format!("/v1/runs/{run}/fork")).json(&json!({ "beat": 0 }));
    let fork = run_id(&forked.send().await.unwrap().json().await.unwrap());
    assert_eq!(server.node.store().find(fork).await.unwrap().account, "ben");
}

#[tokio::test]
async fn audio_of_public_runs_is_there_for_everybody_and_that_of_no_run_is_not() {
    let server = house().await;
    server.test_chorus.let_speak(super::server::ENOUGH);
    let body = super::server::chat("Hello?", &[(1, "ada")]);
    let said = server.by(ANN, "POST", "/v1/chat").json(&body).send().await.unwrap();
    let text = said.text().await.unwrap();
    let events = super::stream::events(&text);
    let audio = events.iter().find(|event| event.name == "slot.audio").unwrap();
    let path = format!("/v1/audio/{}", audio.data["audioPath"].as_str().unwrap());
    for token in [ANN, BEN, EYES, ROOT] {
        assert_eq!(server.by(token, "GET", &path).send().await.unwrap().status(), 200);
    }
    server.test_chorus.artifacts.write("tts/sessions/hum/hum.wav", b"RIFF", |_| Ok(())).unwrap();
    for (token, status) in [(EYES, 404), (ROOT, 200)] {
        let response = server.by(token, "GET", "/v1/audio/tts/sessions/hum/hum.wav").send().await.unwrap();
        assert_eq!(response.status(), status);
    }
}

/// A run of a production that this server does not know.
async fn imported(server: &Server, production: &'static str, account: &str) -> RunId {
    let run = RunId(uuid::Uuid::now_v7());
    let (name, account) = ("aria".to_owned(), account.to_owned());
    let about = enact_engine::log::NewRun { run, production, name, at: 0, parent: None, account };
    let body = serde_json::value::RawValue::NULL.to_owned();
    let sung = enact_drama::Record { seq: enact_drama::Seq(0), at: 0, kind: "sung".to_owned(), v: 1, body };
    server.node.store().import(about, vec![sung], Vec::new(), Some("applause".to_owned())).await.unwrap();
    run
}

#[tokio::test]
async fn runs_of_a_production_that_is_not_registered_may_be_private() {
    let server = house().await;
    let run = imported(&server, "opera", "ann").await;
    let path = format!("/v1/runs/{run}");
    for (token, status, listed) in [(ANN, 200, 1), (ROOT, 200, 1), (BEN, 404, 0)] {
        assert_eq!(server.by(token, "GET", &path).send().await.unwrap().status(), status);
        assert_eq!(names(&server.seen_by(token, "/v1/runs").await).len(), listed);
        assert_eq!(server.seen_by(token, "/v1/costs").await["runs"], listed);
    }
}

#[tokio::test]
async fn pages_are_full_and_name_no_run_that_the_caller_may_not_see() {
    let server = house().await;
    let mut of_ben = Vec::new();
    for _ in 0..3 {
        for (production, account) in [("opera", "ann"), ("scene", "ann"), ("opera", "ben"), ("diary", "ann")]
        {
            let run = imported(&server, production, account).await;
            if production == "scene" || account == "ben" {
                of_ben.insert(0, run.to_string());
            }
        }
    }
    for limit in 1..=of_ben.len() {
        let mut path = format!("/v1/runs?limit={limit}");
        for (number, expected) in of_ben.chunks(limit).enumerate() {
            let page = server.seen_by(BEN, &path).await;
            assert_eq!(names(&page), expected, "page {number} of {limit}");
            let is_last = (number + 1) * limit >= of_ben.len();
            assert_eq!(page["next"].as_str(), expected.last().map(String::as_str).filter(|_| !is_last));
            path = format!("/v1/runs?limit={limit}&before={}", expected[expected.len() - 1]);
        }
    }
    let operas = server.seen_by(BEN, "/v1/runs?production=opera&limit=3").await;
    assert_eq!((names(&operas).len(), &operas["next"]), (3, &Value::Null));
}
