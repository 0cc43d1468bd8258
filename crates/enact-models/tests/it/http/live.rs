//! What can be heard of an answer while it is still coming.

use std::sync::{Arc, Mutex};

use enact_drama::{
    production::{Answer, Failure},
    request::Request,
};
use enact_engine::model::LiveText;
use enact_models::{Provider, Settings, connect};
use fake_provider::{Api, FakeProvider, Fault, PlannedResponse, Script, Trouble};
use serde_json::json;

use super::{KEY, PROVIDERS, request, schema, settings};

const LINE: &str =
    "[TO: Bob, TONE: disappointed] \"You had three weeks \u{2013} na\u{ef}ve of me, wasn't it?\"";

/// Plays these acts to one call that may be tried twice, and gives its outcome and what was heard.
async fn listen(
    acts: Vec<PlannedResponse>,
    (provider, api): (Provider, Api),
    request: Request,
) -> (Result<Answer, Failure>, Vec<String>) {
    let server = FakeProvider::builder().play(Script::sequence(acts)).start().await;
    let settings = Settings { retries: 1, ..settings(provider, server.base_url_for(api)) };
    let heard = Arc::new(Mutex::new(Vec::new()));
    let live = LiveText::to({
        let heard = heard.clone();
        move |text| heard.lock().unwrap().push(text.to_owned())
    });
    let outcome = connect(settings).unwrap().answer_live(request, live).await;
    let heard = heard.lock().unwrap().clone();
    (outcome, heard)
}

#[tokio::test]
async fn the_pieces_are_the_answer() {
    for provider in PROVIDERS {
        let (answer, heard) =
            listen(vec![PlannedResponse::text(LINE).in_pieces(20)], provider, request()).await;
        assert_eq!(answer.unwrap().text, LINE);
        assert_eq!(heard.concat(), LINE, "{provider:?}");
        assert!(heard.len() >= 10, "{provider:?}: {heard:?}");
    }
}

#[tokio::test]
async fn thoughts_and_keys_are_not_heard() {
    let text = format!("<think>I should not say {KEY}.</think>\nNever mind {KEY}.");
    for provider in PROVIDERS {
        let (answer, heard) =
            listen(vec![PlannedResponse::text(&text).in_pieces(40)], provider, request()).await;
        assert_eq!(answer.unwrap().text, "Never mind \u{2026}.");
        assert_eq!(heard.concat(), "Never mind \u{2026}.", "{provider:?}");
    }
}

#[tokio::test]
async fn what_has_to_have_a_shape_is_not_for_ears() {
    for provider in PROVIDERS {
        let structured = Request { schema: Some(schema()), ..request() };
        let verdict = PlannedResponse::json(&json!({"met": true, "sure": 0.5}));
        let (answer, heard) = listen(vec![verdict], provider, structured).await;
        assert!(answer.is_ok() && heard.is_empty(), "{provider:?}: {answer:?} {heard:?}");
    }
}

#[tokio::test]
async fn nothing_that_was_heard_is_tried_again() {
    for provider in PROVIDERS {
        for fault in [Fault::CutAfter(2), Fault::EndWithoutStop, Fault::StreamError(Trouble::Overloaded)] {
            let acts =
                vec![PlannedResponse::text(LINE).with_fault(fault.clone()), PlannedResponse::text(LINE)];
            let (outcome, heard) = listen(acts, provider, request()).await;
            assert!(outcome.is_err(), "{fault:?} {provider:?}");
            let heard = heard.concat();
            assert!(!heard.is_empty() && LINE.starts_with(&heard), "{fault:?} {provider:?}: {heard}");
        }
        let acts = vec![PlannedResponse::fault(Fault::Status(500, None)), PlannedResponse::text(LINE)];
        let (answer, heard) = listen(acts, provider, request()).await;
        assert_eq!((answer.unwrap().text, heard.concat()), (LINE.to_owned(), LINE.to_owned()));
    }
}
