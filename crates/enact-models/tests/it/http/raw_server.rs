//! A server that sends prepared bytes, for what was recorded and for what no provider of ours does.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

pub(crate) struct RawServer {
    address: SocketAddr,
    seen: Arc<Mutex<Vec<String>>>,
    task: JoinHandle<()>,
}

impl RawServer {
    /// Gives these answers, one for each connection.
    pub(crate) async fn start(answers: Vec<String>) -> RawServer {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&seen);
        let task = tokio::spawn(async move {
            for answer in answers {
                let (mut socket, _) = listener.accept().await.unwrap();
                let request = read_request(&mut socket).await;
                log.lock().unwrap().push(request);
                socket.write_all(answer.as_bytes()).await.unwrap();
                socket.shutdown().await.unwrap();
            }
        });
        RawServer { address, seen, task }
    }

    pub(crate) fn base_url(&self) -> String {
        format!("http://{}/v1/", self.address)
    }

    /// The requests as they came, heads and bodies.
    pub(crate) fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }

    pub(crate) fn stream(body: &str) -> String {
        Self::answer(200, "text/event-stream", body)
    }

    pub(crate) fn json(status: u16, body: &str) -> String {
        Self::answer(status, "application/json", body)
    }

    fn answer(status: u16, content_type: &str, body: &str) -> String {
        format!("HTTP/1.1 {status} -\r\ncontent-type: {content_type}\r\nconnection: close\r\n\r\n{body}")
    }
}

impl Drop for RawServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn read_request(socket: &mut TcpStream) -> String {
    let mut request = String::new();
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let read = socket.read(&mut buffer).await.unwrap();
        request += &String::from_utf8_lossy(&buffer[..read]);
        let Some((head, body)) = request.split_once("\r\n\r\n") else { continue };
        let length = head
            .lines()
            .find_map(|line| line.to_lowercase().strip_prefix("content-length:")?.trim().parse().ok())
            .unwrap_or(0);
        if read == 0 || body.len() >= length {
            return request;
        }
    }
}
