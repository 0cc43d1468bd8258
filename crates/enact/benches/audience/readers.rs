//! The audience: a process of its own in which each reader follows one run over SSE.

use std::{
    io::{BufRead, Write},
    net::SocketAddr,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use super::commits::now_ns;

/// Says that a process is the audience, and whom to ask.
pub(crate) const ADDRESS: &str = "ENACT_BENCH_AUDIENCE";

/// An event that arrived: which reader, which seq, when.
type Arrival = (u32, u64, u64);

/// Reads ids of runs from standard input, follows all of them, says `ready`, and after the next line of input
/// prints what arrived when.
pub(crate) async fn sit(address: &str) {
    let address: SocketAddr = address.parse().expect("an address");
    let mut input = std::io::stdin().lock();
    let mut line = String::new();
    input.read_line(&mut line).expect("the runs");
    let runs: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    let arrivals: Arc<Mutex<Vec<Arrival>>> = Arc::default();
    let seated = Arc::new(AtomicUsize::new(0));
    for (number, run) in runs.iter().enumerate() {
        let (run, arrivals, seated) = (run.clone(), arrivals.clone(), seated.clone());
        tokio::spawn(async move {
            if let Err(error) = follow(address, &run, number as u32, &arrivals, &seated).await {
                eprintln!("reader {number}: {error}");
            }
        });
        if number % 50 == 49 {
            // Two thousand at the same instant would be a test of the door.
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
    while seated.load(Ordering::SeqCst) < runs.len() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    println!("ready");
    line.clear();
    tokio::task::block_in_place(|| input.read_line(&mut line)).expect("the end");
    let arrivals = std::mem::take(&mut *arrivals.lock().unwrap_or_else(PoisonError::into_inner));
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for (reader, seq, at_ns) in arrivals {
        writeln!(out, "{reader} {seq} {at_ns}").expect("the parent listens");
    }
}

async fn follow(
    address: SocketAddr,
    run: &str,
    number: u32,
    arrivals: &Mutex<Vec<Arrival>>,
    seated: &AtomicUsize,
) -> std::io::Result<()> {
    let mut stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let request =
        format!("GET /v1/runs/{run}/events HTTP/1.1\r\nHost: {address}\r\nAccept: text/event-stream\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut buffer = vec![0; 16 * 1024];
    let mut text = Lines::default();
    let mut greeted = false;
    loop {
        let length = stream.read(&mut buffer).await?;
        if length == 0 {
            return Ok(());
        }
        let at_ns = now_ns();
        if !greeted {
            assert!(buffer.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&buffer[..length]));
            greeted = true;
            seated.fetch_add(1, Ordering::SeqCst);
        }
        let mut seen = Vec::new();
        text.take(&buffer[..length], |seq| seen.push((number, seq, at_ns)));
        arrivals.lock().unwrap_or_else(PoisonError::into_inner).extend(seen);
    }
}

/// Finds the `id:` lines in a stream, however it is cut. Lines that frame chunks pass by unread: a server
/// that writes whole events never splits a line between two chunks.
#[derive(Default)]
struct Lines {
    begun: Vec<u8>,
}

impl Lines {
    /// Longer beginnings than this cannot be an id any more.
    const LONGEST: usize = 32;

    fn take(&mut self, bytes: &[u8], mut id: impl FnMut(u64)) {
        for byte in bytes {
            if *byte == b'\n' {
                let line = std::str::from_utf8(&self.begun).unwrap_or_default();
                if let Some(seq) = line.strip_prefix("id: ").and_then(|id| id.trim_end().parse().ok()) {
                    id(seq);
                }
                self.begun.clear();
            } else if self.begun.len() < Lines::LONGEST {
                self.begun.push(*byte);
            }
        }
    }
}
