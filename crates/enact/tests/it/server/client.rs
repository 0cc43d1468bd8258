//! HTTP/1.0 over a bare socket: an answer ends when its connection does, and nothing is hidden.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    time::Duration,
};

use enact_testkit::PATIENCE;
use serde_json::Value;

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// Names in small letters.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

pub(crate) fn call(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> io::Result<Answer> {
    call_within(PATIENCE, address, method, path, headers, body)
}

/// Like [`call`], with its own timeout.
pub(crate) fn call_within(
    timeout: Duration,
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> io::Result<Answer> {
    let (status, headers, mut reader) = send(timeout, address, method, path, headers, body)?;
    let mut body = String::new();
    reader.read_to_string(&mut body)?;
    Ok(Answer { status, headers, body })
}

type Opened = (u16, Vec<(String, String)>, BufReader<TcpStream>);

fn send(
    timeout: Duration,
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> io::Result<Opened> {
    let mut socket = TcpStream::connect_timeout(&address, timeout)?;
    socket.set_read_timeout(Some(timeout))?;
    let mut request =
        format!("{method} {path} HTTP/1.0\r\nHost: {address}\r\nContent-Length: {}\r\n", body.len());
    for (name, value) in headers {
        request.push_str(&format!("{name}: {value}\r\n"));
    }
    request.push_str("\r\n");
    request.push_str(body);
    socket.write_all(request.as_bytes())?;
    let mut reader = BufReader::new(socket);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let status = line.split(' ').nth(1).and_then(|status| status.parse().ok());
    let status = status.ok_or_else(|| io::Error::other(format!("no answer: {line:?}")))?;
    let mut headers = Vec::new();
    loop {
        line.clear();
        reader.read_line(&mut line)?;
        match line.trim_end().split_once(": ") {
            Some((name, value)) => headers.push((name.to_ascii_lowercase(), value.to_owned())),
            None => return Ok((status, headers, reader)),
        }
    }
}

/// A server-sent event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Event {
    /// Events of the log have one.
    pub(crate) id: Option<u64>,
    pub(crate) kind: String,
    pub(crate) data: String,
}

/// The events of a run as they come; the end of the connection is the end of them.
#[derive(Debug)]
pub(crate) struct Events {
    reader: BufReader<TcpStream>,
}

impl Events {
    pub(crate) fn open(address: SocketAddr, run: &str, after: Option<u64>) -> io::Result<Events> {
        Events::open_within(PATIENCE, address, run, after)
    }

    /// Like [`open`](Events::open), giving up on who says nothing for so long.
    pub(crate) fn open_within(
        timeout: Duration,
        address: SocketAddr,
        run: &str,
        after: Option<u64>,
    ) -> io::Result<Events> {
        let path = format!("/v1/runs/{run}/events");
        let last = after.map(|seq| seq.to_string());
        let headers: Vec<(&str, &str)> = last.iter().map(|last| ("Last-Event-ID", last.as_str())).collect();
        let (status, _, mut reader) = send(timeout, address, "GET", &path, &headers, "")?;
        if status != 200 {
            let mut body = String::new();
            reader.read_to_string(&mut body)?;
            return Err(io::Error::other(format!("{status}: {body}")));
        }
        Ok(Events { reader })
    }

    fn read(&mut self) -> io::Result<Option<Event>> {
        let mut event = Event { id: None, kind: String::new(), data: String::new() };
        let mut line = String::new();
        loop {
            line.clear();
            // What was cut off in the middle of an event is none.
            if self.reader.read_line(&mut line)? == 0 {
                return Ok(None);
            }
            match line.trim_end_matches('\n').split_once(':') {
                None if line == "\n" && !event.kind.is_empty() => return Ok(Some(event)),
                Some(("id", value)) => event.id = Some(value.trim().parse().unwrap()),
                Some(("event", value)) => event.kind = value.trim().to_owned(),
                Some(("data", value)) => event.data = value.trim().to_owned(),
                // Comments, pauses between attempts, and the ends of both.
                _ => {}
            }
        }
    }
}

impl Iterator for Events {
    type Item = io::Result<Event>;

    fn next(&mut self) -> Option<io::Result<Event>> {
        self.read().transpose()
    }
}

/// Follows a run over several connections, and notices events that are missing or come twice.
#[derive(Debug, Default)]
pub(crate) struct Following {
    pub(crate) events: Vec<Event>,
    /// The run is over and all of it was seen.
    pub(crate) ended: bool,
}

impl Following {
    pub(crate) fn last(&self) -> Option<u64> {
        self.events.last().and_then(|event| event.id)
    }

    /// Reads a connection to its end, from wherever that comes.
    pub(crate) fn read(&mut self, events: Events) -> io::Result<()> {
        for event in events {
            self.see(event?);
        }
        Ok(())
    }

    pub(crate) fn see(&mut self, event: Event) {
        assert!(!self.ended, "after the end: {event:?}");
        match event.id {
            Some(id) => {
                assert_eq!(id, self.events.len() as u64, "events are seen once each, in order");
                self.events.push(event);
            }
            None => self.ended |= event.kind == "end",
        }
    }
}
