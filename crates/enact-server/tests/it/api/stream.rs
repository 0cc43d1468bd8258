//! Server-sent events, as a client reads them.

use enact_testkit::in_time;
use futures::StreamExt;
use reqwest::Response;
use serde_json::Value;

/// One event of a stream.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Event {
    pub(crate) id: Option<u64>,
    pub(crate) name: String,
    pub(crate) data: Value,
}

/// Reads a stream piece by piece.
pub(crate) struct Events {
    response: std::pin::Pin<Box<dyn futures::Stream<Item = reqwest::Result<bytes::Bytes>> + Send>>,
    text: String,
    /// Everything that was taken so far, as it came.
    pub(crate) taken: String,
}

impl Events {
    pub(crate) fn of(response: Response) -> Events {
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        let response = Box::pin(response.bytes_stream());
        Events { response, text: String::new(), taken: String::new() }
    }

    /// The next event; nothing once the stream has ended.
    pub(crate) async fn next(&mut self) -> Option<Event> {
        in_time(async {
            loop {
                if let Some(end) = self.text.find("\n\n") {
                    let block: String = self.text.drain(..end + 2).collect();
                    self.taken += &block;
                    match event(&block) {
                        Some(event) => return Some(event),
                        None => continue,
                    }
                }
                let piece = self.response.next().await?.unwrap();
                self.text.push_str(std::str::from_utf8(&piece).unwrap());
            }
        })
        .await
    }

    /// Reads on up to the next event of a name.
    pub(crate) async fn until(&mut self, name: &str) -> Event {
        loop {
            let event = self.next().await.expect("the stream ended");
            if event.name == name {
                return event;
            }
        }
    }
}

/// Reads a whole stream at once.
pub(crate) fn events(text: &str) -> Vec<Event> {
    text.split_inclusive("\n\n").filter_map(event).collect()
}

/// Nothing for comments.
fn event(block: &str) -> Option<Event> {
    let field = |name: &str| {
        let prefix = format!("{name}: ");
        let mut found = block.lines().filter_map(|line| line.strip_prefix(prefix.as_str()));
        let value = found.next();
        assert!(found.next().is_none(), "{name} twice in {block}");
        value
    };
    Some(Event {
        id: field("id").map(|id| id.parse().unwrap()),
        name: field("event")?.to_owned(),
        data: serde_json::from_str(field("data").unwrap()).unwrap(),
    })
}
