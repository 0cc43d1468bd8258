//! Connections are used again, however an answer ends.

use std::time::Duration;

use enact_models::{Provider, connect};

use super::{Delivery, raw_server::RawServer, request, settings};

const CALLS: usize = 60;

const PLAIN: [&str; 2] = [r#"{"choices":[{"message":{"content":"Hello."}}"#, "]}"];

const STREAM: [&str; 2] = [
    "data: {\"choices\":[{\"delta\":{\"content\":\"Hello.\"},\"finish_reason\":\"stop\"}]}\n\n",
    "data: [DONE]\n\n",
];

/// The chunk that ends a body.
const END: &str = "0\r\n\r\n";

/// Everything before that.
fn answer(chunks: [&str; 2]) -> String {
    let chunks = chunks.map(|chunk| format!("{:x}\r\n{chunk}\r\n", chunk.len()));
    format!("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n{}", chunks.concat())
}

#[tokio::test]
async fn a_scene_of_sixty_calls_opens_one_connection() {
    for (delivery, chunks) in [(Delivery::Plain, PLAIN), (Delivery::Streamed, STREAM)] {
        let server = RawServer::keeping_alive(answer(chunks) + END, "", Duration::ZERO).await;
        let model = connect(settings(Provider::OpenAiCompatible, server.base_url())).unwrap();
        for _ in 0..CALLS {
            assert_eq!(delivery.ask(&*model, request()).await.unwrap().text, "Hello.");
        }
        assert_eq!((server.seen().len(), server.connections()), (CALLS, 1), "{delivery:?}");
    }
}

/// The end of a body often comes a moment after its last event: the answer does not wait for it, and the
/// connection is not thrown away. Time stands still until all tasks wait.
#[tokio::test(start_paused = true)]
async fn so_it_does_when_the_end_is_late() {
    const LATE: Duration = Duration::from_millis(1);
    let server = RawServer::keeping_alive(answer(STREAM), END, LATE).await;
    let model = connect(settings(Provider::OpenAiCompatible, server.base_url())).unwrap();
    for calls in 1..=CALLS {
        assert_eq!(Delivery::Streamed.ask(&*model, request()).await.unwrap().text, "Hello.");
        server.wait_for_ends(calls).await;
        // The next call comes when everything that goes on by itself has gone on.
        tokio::time::sleep(LATE).await;
    }
    assert_eq!((server.seen().len(), server.connections()), (CALLS, 1));
}
