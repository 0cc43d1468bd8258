//! A server with routes of every kind, and a client that sends whatever bytes a test wants.

use std::{convert::Infallible, net::SocketAddr, sync::Arc};

use axum::{
    Extension, Json, Router,
    body::{Body, Bytes},
    http::{Method, StatusCode, header::CONTENT_TYPE},
    response::IntoResponse,
    routing::{any, delete, get, post},
};
use enact_server::{
    Limits,
    access::{Access, Caller, FlagsByRoute, RequestId, RouteFlags, Scope, guard, require_scope},
    serve::{Stopped, serve},
};
use enact_testkit::in_time;
use futures::{StreamExt, stream};
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::{Notify, oneshot},
    task::JoinHandle,
};

pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    /// Lets `/held` answer, and ends `/events`.
    pub(crate) release: Arc<Notify>,
    /// Someone has come to `/held`.
    pub(crate) arrived: Arc<Notify>,
    stop: Option<oneshot::Sender<()>>,
    serving: JoinHandle<Stopped>,
}

impl Server {
    /// One that anybody on this machine may use.
    pub(crate) async fn start(limits: Limits) -> Server {
        Server::guarded(Access::default(), limits).await
    }

    pub(crate) async fn guarded(access: Access, limits: Limits) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (release, arrived) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let quiet = RouteFlags { quiet: true, ..RouteFlags::default() };
        let flags = FlagsByRoute::default()
            .with(Method::GET, "/v1/health", RouteFlags { open: true, ..quiet })
            .with(Method::GET, "/metrics", quiet);
        let routes = routes(release.clone(), arrived.clone());
        let router = guard(routes, flags, access.limits(limits.clone()));
        let (stop, stopped) = oneshot::channel();
        let serving = tokio::spawn(serve(listener, router, limits, async {
            let _ = stopped.await;
        }));
        Server { address, release, arrived, stop: Some(stop), serving }
    }

    /// Asks it to stop, without waiting for it.
    pub(crate) fn ask_to_stop(&mut self) {
        let _ = self.stop.take().unwrap().send(());
    }

    pub(crate) async fn stopped(self) -> Stopped {
        in_time(self.serving).await.unwrap()
    }

    pub(crate) async fn connect(&self) -> Client {
        Client(TcpStream::connect(self.address).await.unwrap())
    }

    /// Sends these bytes on a connection of their own, and reads until the server closes it.
    pub(crate) async fn raw(&self, bytes: impl AsRef<[u8]>) -> String {
        let mut client = self.connect().await;
        client.send(bytes).await;
        client.rest().await
    }

    /// A request with these lines after its first one, and nothing kept alive.
    pub(crate) async fn ask(&self, line: &str, headers: &[&str], body: &str) -> Answer {
        let length =
            if body.is_empty() { String::new() } else { format!("content-length: {}\r\n", body.len()) };
        let names_host = headers
            .iter()
            .any(|header| header.starts_with("host:") || header.starts_with("x-forwarded-host:"));
        let host = if names_host { "" } else { "host: localhost\r\n" };
        let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
        let head = format!("{line} HTTP/1.1\r\n{host}connection: close\r\n{length}{headers}\r\n");
        Answer::read(&self.raw(head + body).await)
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.ask(&format!("GET {path}"), &[], "").await
    }
}

pub(crate) struct Client(pub(crate) TcpStream);

impl Client {
    /// What cannot be sent because the server has closed is fine: it has answered then.
    pub(crate) async fn send(&mut self, bytes: impl AsRef<[u8]>) -> bool {
        self.0.write_all(bytes.as_ref()).await.is_ok()
    }

    /// Everything until the server closes. A reset after an answer does not take the answer back.
    pub(crate) async fn rest(&mut self) -> String {
        let mut bytes = Vec::new();
        let _ = in_time(self.0.read_to_end(&mut bytes)).await;
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Reads until this text has come.
    pub(crate) async fn until(&mut self, text: &str) -> String {
        let mut seen = Vec::new();
        let mut buffer = [0; 4096];
        while !String::from_utf8_lossy(&seen).contains(text) {
            let count = in_time(self.0.read(&mut buffer)).await.unwrap();
            assert_ne!(count, 0, "closed before {text:?}: {}", String::from_utf8_lossy(&seen));
            seen.extend_from_slice(&buffer[..count]);
        }
        String::from_utf8_lossy(&seen).into_owned()
    }
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn read(text: &str) -> Answer {
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default();
        Answer { status, head: head.to_owned(), body: body.to_owned() }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().skip(1).find_map(|line| {
            let (key, value) = line.split_once(": ")?;
            key.eq_ignore_ascii_case(name).then_some(value)
        })
    }

    /// The code of an error, which must have the shape of all errors.
    pub(crate) fn code(&self) -> String {
        let body: Value = serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {self:?}"));
        let error = &body["error"];
        assert!(error["message"].is_string() && error["context"].is_object(), "{self:?}");
        error["code"].as_str().unwrap().to_owned()
    }
}

fn routes(release: Arc<Notify>, arrived: Arc<Notify>) -> Router {
    let whoami =
        async |Extension(caller): Extension<Caller>| format!("{} {}", caller.name(), caller.is_known());
    let held = {
        let release = release.clone();
        async move || {
            arrived.notify_one();
            release.notified().await;
            "at last"
        }
    };
    Router::new()
        .route("/v1/health", get(whoami))
        .route("/look", require_scope(get(whoami), Scope::Read))
        .route("/play", require_scope(post(whoami), Scope::Run))
        .route("/gone", require_scope(delete(whoami), Scope::Admin))
        .route("/forgotten", get(async || "nobody said what this needs"))
        .route("/runs/{id}", get(async |Extension(id): Extension<RequestId>| id.as_str().to_owned()))
        .route("/echo", post(async |body: Bytes| body))
        .route("/json", post(async |Json(value): Json<Value>| value.to_string()))
        .route("/held", any(held))
        .route("/hang", any(async || std::future::pending::<()>().await))
        .route("/panic", any(async || -> StatusCode { panic!("on purpose") }))
        .route(
            "/endless",
            get(async || Body::from_stream(stream::repeat(Ok::<_, Infallible>("x".repeat(4096))))),
        )
        .route("/events", get(async move || events(release)))
}

/// One event at once, and another when it is released, which is the end.
fn events(release: Arc<Notify>) -> impl IntoResponse {
    let last = stream::once(async move {
        release.notified().await;
        "data: last\n\n"
    });
    let events = stream::iter(["data: first\n\n"]).chain(last).map(Ok::<_, Infallible>);
    ([(CONTENT_TYPE, "text/event-stream")], Body::from_stream(events))
}
