//! What cannot be reached, and what cannot be read.

use std::{
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use enact_drama::{Record, RunId, Seq, Steering};
use enact_engine::{
    Log, Store,
    log::{Batch, Claim, Error, LetterId, MemoryLog, NewRun, RunSummary},
    node::Limits,
    store::{Conversation, Enqueued, Extract, Letter, Listing, News, Next, Order, Talk},
};
use enact_server::Options;
use serde_json::{Value, json, value::RawValue};
use tokio::sync::broadcast;
use uuid::Uuid;

use super::{
    server::{Server, apology, gated},
    stream::{Events, events},
};

/// A store that can be lost for a while.
#[derive(Debug, Default)]
struct Losable {
    log: Arc<MemoryLog>,
    lost: AtomicBool,
}

impl Losable {
    fn there(&self) -> Result<&MemoryLog, Error> {
        match self.lost.load(Ordering::SeqCst) {
            true => Err(Error::Storage("postgres://user:secret@elsewhere is gone".to_owned())),
            false => Ok(&self.log),
        }
    }
}

#[async_trait]
impl Log for Losable {
    async fn create(&self, run: NewRun) -> Result<Claim, Error> {
        self.there()?.create(run).await
    }

    async fn claim(&self, run: RunId) -> Result<Claim, Error> {
        self.there()?.claim(run).await
    }

    async fn release(&self, claim: Claim) -> Result<(), Error> {
        self.there()?.release(claim).await
    }

    async fn append(&self, claim: &Claim, batch: Batch) -> Result<(), Error> {
        self.there()?.append(claim, batch).await
    }

    async fn read(&self, run: RunId, from: Seq) -> Result<Vec<Record>, Error> {
        self.there()?.read(run, from).await
    }

    async fn runs(&self) -> Result<Vec<RunSummary>, Error> {
        self.there()?.runs().await
    }
}

#[async_trait]
impl Store for Losable {
    async fn enqueue(
        &self,
        run: NewRun,
        records: Vec<Record>,
        order: Option<Order>,
    ) -> Result<Enqueued, Error> {
        self.there()?.enqueue(run, records, order).await
    }

    async fn converse(
        &self,
        next: Next,
        run: NewRun,
        records: Vec<Record>,
        order: Option<Order>,
    ) -> Result<Enqueued, Error> {
        self.there()?.converse(next, run, records, order).await
    }

    async fn conversation(&self, of: &Conversation) -> Result<Option<Talk>, Error> {
        self.there()?.conversation(of).await
    }

    async fn clear(&self, of: &Conversation) -> Result<Option<Talk>, Error> {
        self.there()?.clear(of).await
    }

    async fn import(&self, run: NewRun, records: Vec<Record>, ended: Option<String>) -> Result<(), Error> {
        self.there()?.import(run, records, ended).await
    }

    async fn ordered(&self, order: &Order) -> Result<Option<Enqueued>, Error> {
        self.there()?.ordered(order).await
    }

    async fn waiting(&self, at_most: usize) -> Result<usize, Error> {
        self.there()?.waiting(at_most).await
    }

    async fn claim_waiting(&self, most: usize) -> Result<Vec<Claim>, Error> {
        self.there()?.claim_waiting(most).await
    }

    async fn put_back(&self, claim: Claim, problem: &str, pause: Duration) -> Result<(), Error> {
        self.there()?.put_back(claim, problem, pause).await
    }

    async fn post(&self, run: RunId, wanted: Steering) -> Result<LetterId, Error> {
        self.there()?.post(run, wanted).await
    }

    async fn letters(&self) -> Result<Vec<Letter>, Error> {
        self.there()?.letters().await
    }

    async fn find(&self, run: RunId) -> Result<RunSummary, Error> {
        self.there()?.find(run).await
    }

    async fn list(&self, wanted: &Listing) -> Result<Vec<RunSummary>, Error> {
        self.there()?.list(wanted).await
    }

    async fn read_some(&self, run: RunId, from: Seq, most: usize) -> Result<Vec<Record>, Error> {
        self.there()?.read_some(run, from, most).await
    }

    async fn delete(&self, run: RunId) -> Result<(), Error> {
        self.there()?.delete(run).await
    }

    async fn keep_extract(&self, run: RunId, kind: &str, body: &str) -> Result<(), Error> {
        self.there()?.keep_extract(run, kind, body).await
    }

    async fn extracts(&self, kind: &str, started: Range<i64>) -> Result<Vec<Extract>, Error> {
        self.there()?.extracts(kind, started).await
    }

    async fn without_extract(&self, kind: &str, most: usize) -> Result<Vec<RunId>, Error> {
        self.there()?.without_extract(kind, most).await
    }

    async fn ready(&self) -> Result<(), Error> {
        self.there()?.ready().await
    }

    fn name(&self) -> &'static str {
        "losable"
    }

    fn news(&self) -> broadcast::Receiver<News> {
        self.log.news()
    }
}

#[tokio::test]
async fn a_lost_store_is_said_to_be_lost_until_it_is_back() {
    let store = Arc::new(Losable::default());
    let server = Server::on(store.log.clone(), store.clone(), Limits::default(), Options::default()).await;
    let run = server.play_out(apology()).await;
    store.lost.store(true, Ordering::SeqCst);
    for (method, path) in [
        ("GET", "/v1/runs".to_owned()),
        ("GET", format!("/v1/runs/{run}")),
        ("GET", format!("/v1/runs/{run}/events")),
        ("GET", format!("/v1/runs/{run}/log")),
        ("GET", format!("/v1/runs/{run}/transcript")),
        ("GET", "/v1/costs".to_owned()),
        ("POST", format!("/v1/runs/{run}/cancel")),
        ("DELETE", format!("/v1/runs/{run}")),
    ] {
        let response = server.request(method, &path).send().await.unwrap();
        assert_eq!(response.status(), 503, "{path}");
        assert_eq!(response.headers()["retry-after"], "1");
        let body: Value = response.json().await.unwrap();
        assert_eq!(body["error"]["code"], "STORE_UNAVAILABLE", "{path}");
        assert!(!body.to_string().contains("secret"), "{body}");
    }
    let health = server.get("/v1/health").await;
    assert_eq!(health.status(), 503);
    let health: Value = health.json().await.unwrap();
    assert_eq!(
        (&health["live"], &health["ready"], &health["store"]["ok"]),
        (&json!(true), &json!(false), &json!(false))
    );

    store.lost.store(false, Ordering::SeqCst);
    assert_eq!(server.get("/v1/health").await.status(), 200);
    assert_eq!(server.get(&format!("/v1/runs/{run}")).await.status(), 200);
}

#[tokio::test]
async fn a_reader_whose_run_is_deleted_is_sent_away() {
    let server = Server::with(Limits { runs: 0, ..Limits::default() }, Options::default()).await;
    let run = server.play(gated()).await;
    let path = format!("/v1/runs/{run}");
    let mut stream = Events::of(server.get(&format!("{path}/events")).await);
    stream.until("began").await;
    // It waits, so nobody plays it.
    assert_eq!(server.request("DELETE", &path).send().await.unwrap().status(), 204);
    assert_eq!(stream.until("closing").await.data, json!({ "from": 1 }));
    assert_eq!(stream.next().await, None);
    assert_eq!(server.get(&format!("{path}/events")).await.status(), 404);
}

#[tokio::test]
async fn why_a_run_is_stuck_is_told_without_the_operator_s_paths() {
    let server = Server::with(Limits { runs: 0, ..Limits::default() }, Options::default()).await;
    let run = server.play(apology()).await;
    let [claim] = server.log.claim_waiting(1).await.unwrap()[..] else { panic!("one waits") };
    let problem = "/home/operator/enact.toml:3:1: the key is missing (see http://10.0.0.5:8080/keys)";
    server.log.put_back(claim, problem, Duration::from_secs(600)).await.unwrap();
    let told = "enact.toml:3:1: the key is missing (see its address)";
    assert_eq!(server.json(&format!("/v1/runs/{run}")).await["problem"], told);
    assert_eq!(server.json("/v1/runs").await["runs"][0]["problem"], told);
}

/// A run that a newer version of enact has played: it holds a fact that this one does not know.
async fn from_the_future(server: &Server) -> RunId {
    let run = RunId(Uuid::now_v7());
    let about = NewRun { run, production: "scene", name: "opera".to_owned(), at: 0, parent: None };
    let claim = server.log.create(about).await.unwrap();
    let body = RawValue::from_string(r#"{"aria":true}"#.to_owned()).unwrap();
    let sung = Record { seq: Seq(0), at: 0, kind: "sung".to_owned(), v: 1, body };
    server.log.append(&claim, Batch::of([sung]).ended("applause")).await.unwrap();
    server.log.release(claim).await.unwrap();
    run
}

#[tokio::test]
async fn what_a_newer_version_has_played_can_be_kept_and_followed() {
    let server = Server::start().await;
    let run = from_the_future(&server).await;
    let path = format!("/v1/runs/{run}");
    let details = server.json(&path).await;
    assert_eq!((&details["status"], &details["metadata"]), (&json!("finished"), &Value::Null));
    let followed = events(&server.get(&format!("{path}/events")).await.text().await.unwrap());
    assert_eq!(followed.iter().map(|event| event.name.as_str()).collect::<Vec<_>>(), ["sung", "end"]);
    assert_eq!(server.get(&format!("{path}/log")).await.text().await.unwrap().lines().count(), 1);
    for what in ["transcript", "costs"] {
        let response = server.get(&format!("{path}/{what}")).await;
        assert_eq!(response.status(), 409);
        let body: Value = response.json().await.unwrap();
        assert_eq!(body["error"]["code"], "RUN_UNREADABLE", "{body}");
    }
    // Twice: looked at, and then kept as unreadable.
    for _ in 0..2 {
        let costs = server.json("/v1/costs").await;
        assert_eq!(
            (&costs["runs"], &costs["unreadable"], &costs["complete"]),
            (&json!(1), &json!(1), &json!(true))
        );
    }
}
