//! A server that sends prepared bytes, for what was recorded and for what no provider of ours does.

use std::{
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::watch,
    task::JoinHandle,
    time::sleep,
};

pub(crate) struct RawServer {
    address: SocketAddr,
    seen: Arc<Mutex<Vec<String>>>,
    connections: Arc<AtomicUsize>,
    /// How many answers were sent to their end.
    ends: watch::Sender<usize>,
    task: JoinHandle<()>,
}

impl RawServer {
    /// Gives these answers, one for each connection.
    pub(crate) async fn start(answers: Vec<impl Into<Vec<u8>>>) -> RawServer {
        let answers = answers.into_iter().map(|answer| vec![answer.into()]).collect();
        Self::in_chunks(answers).await
    }

    /// The same for answers in chunks that are sent one by one.
    pub(crate) async fn in_chunks(answers: Vec<Vec<Vec<u8>>>) -> RawServer {
        Self::serve(async move |listener, log, connections, _| {
            for answer in answers {
                let (mut socket, _) = listener.accept().await.unwrap();
                connections.fetch_add(1, Ordering::SeqCst);
                socket.set_nodelay(true).unwrap();
                let Some(request) = read_request(&mut socket).await else { continue };
                log.lock().unwrap().push(request);
                for chunk in answer {
                    // A client that has read enough hangs up.
                    if socket.write_all(&chunk).await.is_err() {
                        break;
                    }
                }
                let _ = socket.shutdown().await;
            }
        })
        .await
    }

    /// Gives the same answer to every request, on as many connections as are opened. The last part is held
    /// back for so long after the first.
    pub(crate) async fn keeping_alive(first: String, last: &'static str, pause: Duration) -> RawServer {
        Self::serve(async move |listener, log, connections, ends| {
            loop {
                let (mut socket, _) = listener.accept().await.unwrap();
                connections.fetch_add(1, Ordering::SeqCst);
                socket.set_nodelay(true).unwrap();
                let (log, ends, first) = (Arc::clone(&log), ends.clone(), first.clone());
                tokio::spawn(async move {
                    while let Some(request) = read_request(&mut socket).await {
                        log.lock().unwrap().push(request);
                        socket.write_all(first.as_bytes()).await.unwrap();
                        sleep(pause).await;
                        if socket.write_all(last.as_bytes()).await.is_err() {
                            return;
                        }
                        ends.send_modify(|ends| *ends += 1);
                    }
                });
            }
        })
        .await
    }

    /// Gives this answer, and then the same piece again and again, so long after each other, until the client
    /// hangs up.
    pub(crate) async fn never_ending(first: String, again: &'static str, pause: Duration) -> RawServer {
        Self::serve(async move |listener, log, connections, _| {
            let (mut socket, _) = listener.accept().await.unwrap();
            connections.fetch_add(1, Ordering::SeqCst);
            let Some(request) = read_request(&mut socket).await else { return };
            log.lock().unwrap().push(request);
            socket.write_all(first.as_bytes()).await.unwrap();
            while socket.write_all(again.as_bytes()).await.is_ok() {
                sleep(pause).await;
            }
        })
        .await
    }

    async fn serve<F>(
        work: impl FnOnce(TcpListener, Arc<Mutex<Vec<String>>>, Arc<AtomicUsize>, watch::Sender<usize>) -> F,
    ) -> RawServer
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (seen, connections, ends) = (Arc::default(), Arc::default(), watch::Sender::new(0));
        let task = tokio::spawn(work(listener, Arc::clone(&seen), Arc::clone(&connections), ends.clone()));
        RawServer { address, seen, connections, ends, task }
    }

    pub(crate) fn base_url(&self) -> String {
        format!("http://{}/v1/", self.address)
    }

    /// The server without the folder.
    pub(crate) fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The requests as they came, heads and bodies.
    pub(crate) fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }

    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    /// Waits until so many answers were sent to their end.
    pub(crate) async fn wait_for_ends(&self, answers: usize) {
        self.ends.subscribe().wait_for(|ends| *ends >= answers).await.unwrap();
    }

    pub(crate) fn stream(body: &str) -> String {
        Self::answer(200, "text/event-stream", body)
    }

    pub(crate) fn lines(body: &str) -> String {
        Self::answer(200, "application/x-ndjson", body)
    }

    pub(crate) fn json(status: u16, body: &str) -> String {
        Self::answer(status, "application/json", body)
    }

    pub(crate) fn answer(status: u16, content_type: &str, body: &str) -> String {
        format!("HTTP/1.1 {status} -\r\ncontent-type: {content_type}\r\nconnection: close\r\n\r\n{body}")
    }
}

impl Drop for RawServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Nothing if the client has hung up.
async fn read_request(socket: &mut TcpStream) -> Option<String> {
    let mut request = String::new();
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let read = socket.read(&mut buffer).await.ok().filter(|read| *read > 0)?;
        request += &String::from_utf8_lossy(&buffer[..read]);
        let Some((head, body)) = request.split_once("\r\n\r\n") else { continue };
        let length = head
            .lines()
            .find_map(|line| line.to_lowercase().strip_prefix("content-length:")?.trim().parse().ok())
            .unwrap_or(0);
        if body.len() >= length {
            return Some(request);
        }
    }
}
