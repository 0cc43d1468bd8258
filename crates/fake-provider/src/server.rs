//! The server itself: a thread with a listener, gone when its handle is dropped.

use std::{
    io,
    net::{Ipv4Addr, SocketAddr, TcpListener},
    sync::Arc,
    thread::{self, JoinHandle},
    time::Duration,
};

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::{rt::TokioIo, service::TowerToHyperService};
use tokio::{runtime, sync::oneshot};

use crate::{
    act::Script,
    alarm::AlarmClock,
    book::Book,
    cache::DEFAULT_MINIMUM_TOKENS,
    routes::{Provider, router},
    seen::{Api, Seen, Usage},
};

/// A running server. Dropping it closes its port and every connection before `drop` returns.
#[derive(Debug)]
pub struct FakeProvider {
    address: SocketAddr,
    book: Arc<Book>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl FakeProvider {
    /// A server that gives good replies at once.
    ///
    /// # Panics
    ///
    /// If the machine has no port left on the loopback address.
    pub async fn start() -> Self {
        Self::builder().start().await
    }

    #[must_use]
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// Where Anthropic's and OpenAI's clients look: `http://127.0.0.1:<port>/v1/`.
    #[must_use]
    pub fn base_url(&self) -> String {
        self.base_url_for(Api::OpenAi)
    }

    /// Each client puts something else into its base address.
    #[must_use]
    pub fn base_url_for(&self, api: Api) -> String {
        let folder = match api {
            Api::Anthropic | Api::OpenAi => "v1/",
            Api::Gemini => "v1beta/",
            Api::Ollama => "",
        };
        format!("http://{}/{folder}", self.address)
    }

    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Every request so far, in order of arrival; none if they are not recorded.
    #[must_use]
    pub fn seen(&self) -> Vec<Seen> {
        self.book.seen()
    }

    /// How many requests have arrived, recorded or not.
    #[must_use]
    pub fn arrivals(&self) -> u64 {
        self.book.counts().arrivals
    }

    /// How many are being answered now.
    #[must_use]
    pub fn in_flight(&self) -> usize {
        self.book.counts().in_flight
    }

    /// Waits until so many requests have arrived, counted from the start. There is no time limit: tests have their own.
    pub async fn wait_for_arrivals(&self, count: u64) {
        self.book.wait_for(|counts| counts.arrivals >= count).await;
    }

    /// Waits until so many requests are being answered at one moment.
    pub async fn wait_for_in_flight(&self, count: usize) {
        self.book.wait_for(|counts| counts.in_flight >= count).await;
    }

    /// Waits until nothing is being answered: the outcome of every request so far is known then.
    pub async fn wait_until_idle(&self) {
        self.book.wait_for(|counts| counts.in_flight == 0).await;
    }

    /// What all answers together have been billed.
    #[must_use]
    pub fn usage(&self) -> Usage {
        self.book.usage()
    }

    /// Makes everything in the prompt caches older, as if so much time had passed.
    pub fn let_caches_age(&self, by: Duration) {
        self.book.let_caches_age(by);
    }
}

impl Drop for FakeProvider {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has said so, and there is nothing left to stop.
            let _ = thread.join();
        }
    }
}

/// A server to be.
#[derive(Debug)]
pub struct Builder {
    script: Script,
    key: Option<String>,
    models: Option<Vec<String>>,
    context: Option<u64>,
    cache_minimum_tokens: u64,
    records: bool,
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            script: Script::default(),
            key: None,
            models: None,
            context: None,
            cache_minimum_tokens: DEFAULT_MINIMUM_TOKENS,
            records: true,
        }
    }
}

impl Builder {
    /// What is done with each request that the provider accepts.
    #[must_use]
    pub fn script(self, script: impl Fn(&Seen) -> crate::Act + Send + Sync + 'static) -> Self {
        self.play(Script::new(script))
    }

    /// The same for a script that exists already.
    #[must_use]
    pub fn play(self, script: Script) -> Self {
        Self { script, ..self }
    }

    /// Demands this key in the header that each format uses for it; without it every route answers 401.
    #[must_use]
    pub fn key(self, key: impl Into<String>) -> Self {
        Self { key: Some(key.into()), ..self }
    }

    /// The only models there are: others are answered 404. Without this there are all, and none is listed.
    #[must_use]
    pub fn models<S: Into<String>>(self, models: impl IntoIterator<Item = S>) -> Self {
        Self { models: Some(models.into_iter().map(Into::into).collect()), ..self }
    }

    /// Longer prompts are refused.
    #[must_use]
    pub fn context_tokens(self, tokens: u64) -> Self {
        Self { context: Some(tokens), ..self }
    }

    /// The shortest prefix that is cached.
    #[must_use]
    pub fn cache_minimum_tokens(self, tokens: u64) -> Self {
        Self { cache_minimum_tokens: tokens, ..self }
    }

    /// Keeps no request, for benchmarks: usage and counts are still there.
    #[must_use]
    pub fn without_record(self) -> Self {
        Self { records: false, ..self }
    }

    /// # Panics
    ///
    /// If the machine has no port left on the loopback address.
    pub async fn start(self) -> FakeProvider {
        let listener = listen().expect("a free port on the loopback address");
        let address = listener.local_addr().expect("a listener that is bound has an address");
        let book = Arc::new(Book::new(self.records, self.cache_minimum_tokens));
        let provider = Provider {
            book: Arc::clone(&book),
            clock: Arc::new(AlarmClock::start()),
            script: self.script,
            key: self.key,
            models: self.models,
            context: self.context,
        };
        let (stop, stopped) = oneshot::channel();
        let thread = thread::Builder::new()
            .name("fake-provider".to_owned())
            .spawn(move || serve(listener, router(Arc::new(provider)), stopped))
            .expect("a thread for the server");
        FakeProvider { address, book, stop: Some(stop), thread: Some(thread) }
    }
}

pub(crate) fn listen() -> io::Result<TcpListener> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

/// Runs until told to stop. One thread is enough for thousands of answers a second, and leaves the other processors to
/// what is being measured.
pub(crate) fn serve(listener: TcpListener, router: Router, stopped: oneshot::Receiver<()>) {
    let runtime =
        runtime::Builder::new_current_thread().enable_all().build().expect("a runtime for the server");
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener).expect("a listener that does not block");
        tokio::select! {
            () = accept(&listener, &router) => {}
            _ = stopped => {}
        }
    });
    // Dropping the runtime here drops every connection with it.
}

async fn accept(listener: &tokio::net::TcpListener, router: &Router) {
    loop {
        let Ok((socket, _)) = listener.accept().await else {
            // Out of descriptors, most likely: those in use must end before the next can be had.
            tokio::time::sleep(Duration::from_millis(10)).await;
            continue;
        };
        // Streamed pieces are small and must leave when they are written.
        let _ = socket.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone());
        // What goes wrong on a connection is the client's to notice: mostly we broke it on purpose.
        tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(socket), service));
    }
}
