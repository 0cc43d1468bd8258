//! Every fault in every format, streamed and plain.

use std::time::Duration;

use expect_test::{Expect, expect};
use fake_provider::{Api, FakeProvider, Fault, PlannedResponse, Trouble};
use futures::future::join_all;

use crate::client::{Mode, Told, ask, tell, tell_what_comes};

const TEXT: &str = "[TO: Alice, TONE: calm] \"Yes.\"";

/// One line for each format: status, how the body ended, the text, the stop reason, whether the stream was
/// marked as ended, the error, and what the server thinks of it.
async fn check(mode: Mode, act: PlannedResponse, expected: Expect) {
    let table = join_all(Api::ALL.map(|api| outcome(api, mode, &act))).await;
    expected.assert_eq(&table.concat());
}

async fn outcome(api: Api, mode: Mode, act: &PlannedResponse) -> String {
    let server = {
        let act = act.clone();
        FakeProvider::builder().script(move |_| act.clone()).start().await
    };
    let told = match act.fault {
        Some(Fault::Hang | Fault::HangAfter(_)) => tell_what_comes(ask(&server, api, mode)).await,
        _ => tell(ask(&server, api, mode)).await,
    };
    server.wait_until_idle().await;
    let seen = server.seen();
    assert_eq!(seen.len(), 1);
    let Told { status, end, .. } = told;
    let stop = told.stop().unwrap_or_else(|| "-".to_owned());
    let marked = if mode == Mode::Streamed && told.is_marked_ended(api) { " marked" } else { "" };
    let error = told.error().map_or_else(String::new, |error| format!(" {error}"));
    format!(
        "{api:?}: {status} {end:?} {:?} stop={stop}{marked}{error} -> {:?}, {} out\n",
        told.text(),
        seen[0].outcome,
        seen[0].usage.output
    )
}

fn saying(fault: Fault) -> PlannedResponse {
    PlannedResponse::text(TEXT).with_fault(fault)
}

#[tokio::test]
async fn a_good_answer() {
    check(
        Mode::Streamed,
        PlannedResponse::text(TEXT),
        expect![[r#"
        Anthropic: 200 Clean "[TO: Alice, TONE: calm] \"Yes.\"" stop=end_turn marked -> Answered, 8 out
        OpenAi: 200 Clean "[TO: Alice, TONE: calm] \"Yes.\"" stop=stop marked -> Answered, 8 out
        Gemini: 200 Clean "[TO: Alice, TONE: calm] \"Yes.\"" stop=STOP marked -> Answered, 8 out
        Ollama: 200 Clean "[TO: Alice, TONE: calm] \"Yes.\"" stop=stop marked -> Answered, 8 out
    "#]],
    )
    .await;
    check(
        Mode::Plain,
        PlannedResponse::text(TEXT),
        expect![[r#"
        Anthropic: 200 Clean "[TO: Alice, TONE: calm] \"Yes.\"" stop=end_turn -> Answered, 8 out
        OpenAi: 200 Clean "[TO: Alice, TONE: calm] \"Yes.\"" stop=stop -> Answered, 8 out
        Gemini: 200 Clean "[TO: Alice, TONE: calm] \"Yes.\"" stop=STOP -> Answered, 8 out
        Ollama: 200 Clean "[TO: Alice, TONE: calm] \"Yes.\"" stop=stop -> Answered, 8 out
    "#]],
    )
    .await;
}

#[tokio::test]
async fn statuses() {
    check(Mode::Streamed, PlannedResponse::fault(Fault::Status(401, None)), expect![[r#"
            Anthropic: 401 Clean "" stop=- {"type":"authentication_error","message":"invalid x-api-key"} -> Failed, 0 out
            OpenAi: 401 Clean "" stop=- {"message":"Incorrect API key provided: sk-t****. You can find your API key in your account.","type":"invalid_request_error","param":null,"code":"invalid_api_key"} -> Failed, 0 out
            Gemini: 401 Clean "" stop=- {"code":401,"message":"Request had invalid authentication credentials.","status":"UNAUTHENTICATED"} -> Failed, 0 out
            Ollama: 401 Clean "" stop=- "unauthorized" -> Failed, 0 out
        "#]]).await;
    check(Mode::Streamed, PlannedResponse::fault(Fault::Status(404, None)), expect![[r#"
            Anthropic: 404 Clean "" stop=- {"type":"not_found_error","message":"model: m"} -> Failed, 0 out
            OpenAi: 404 Clean "" stop=- {"message":"The model `m` does not exist or you do not have access to it.","type":"invalid_request_error","param":null,"code":"model_not_found"} -> Failed, 0 out
            Gemini: 404 Clean "" stop=- {"code":404,"message":"models/m is not found for API version v1beta, or is not supported for generateContent.","status":"NOT_FOUND"} -> Failed, 0 out
            Ollama: 404 Clean "" stop=- "model 'm' not found" -> Failed, 0 out
        "#]]).await;
    check(Mode::Plain, PlannedResponse::fault(Fault::Status(429, Some(Duration::from_secs(2)))), expect![[r#"
            Anthropic: 429 Clean "" stop=- {"type":"rate_limit_error","message":"This request would exceed your organization's rate limit. Please try again later."} -> Failed, 0 out
            OpenAi: 429 Clean "" stop=- {"message":"Rate limit reached for requests. Please try again later.","type":"requests","param":null,"code":"rate_limit_exceeded"} -> Failed, 0 out
            Gemini: 429 Clean "" stop=- {"code":429,"message":"You exceeded your current quota. Please retry later.","status":"RESOURCE_EXHAUSTED"} -> Failed, 0 out
            Ollama: 429 Clean "" stop=- "server busy, please try again. maximum pending requests exceeded" -> Failed, 0 out
        "#]]).await;
    check(Mode::Plain, PlannedResponse::fault(Fault::Status(500, None)), expect![[r#"
            Anthropic: 500 Clean "" stop=- {"type":"api_error","message":"Internal server error"} -> Failed, 0 out
            OpenAi: 500 Clean "" stop=- {"message":"The server had an error while processing your request. Sorry about that!","type":"server_error","param":null,"code":null} -> Failed, 0 out
            Gemini: 500 Clean "" stop=- {"code":500,"message":"An internal error has occurred. Please retry.","status":"INTERNAL"} -> Failed, 0 out
            Ollama: 500 Clean "" stop=- "model runner has unexpectedly stopped" -> Failed, 0 out
        "#]]).await;
    check(Mode::Plain, PlannedResponse::fault(Fault::Status(529, None)), expect![[r#"
            Anthropic: 529 Clean "" stop=- {"type":"overloaded_error","message":"Overloaded"} -> Failed, 0 out
            OpenAi: 529 Clean "" stop=- {"message":"The engine is currently overloaded, please try again later.","type":"server_error","param":null,"code":"overloaded"} -> Failed, 0 out
            Gemini: 529 Clean "" stop=- {"code":529,"message":"The model is overloaded. Please try again later.","status":"UNAVAILABLE"} -> Failed, 0 out
            Ollama: 529 Clean "" stop=- "server busy, please try again. maximum pending requests exceeded" -> Failed, 0 out
        "#]]).await;
}

#[tokio::test]
async fn a_key_the_provider_does_not_know() {
    check(Mode::Streamed, PlannedResponse::fault(Fault::WrongKey), expect![[r#"
        Anthropic: 401 Clean "" stop=- {"type":"authentication_error","message":"invalid x-api-key"} -> Failed, 0 out
        OpenAi: 401 Clean "" stop=- {"message":"Incorrect API key provided: sk-t****. You can find your API key in your account.","type":"invalid_request_error","param":null,"code":"invalid_api_key"} -> Failed, 0 out
        Gemini: 400 Clean "" stop=- {"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID","domain":"googleapis.com"}]} -> Failed, 0 out
        Ollama: 401 Clean "" stop=- "unauthorized" -> Failed, 0 out
    "#]]).await;
}

#[tokio::test]
async fn a_prompt_that_is_too_long() {
    check(Mode::Streamed, PlannedResponse::fault(Fault::TooLong), expect![[r#"
        Anthropic: 400 Clean "" stop=- {"type":"invalid_request_error","message":"prompt is too long: 12 tokens > 11 maximum"} -> Failed, 0 out
        OpenAi: 400 Clean "" stop=- {"message":"This model's maximum context length is 11 tokens. However, your messages resulted in 12 tokens. Please reduce the length of the messages.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"} -> Failed, 0 out
        Gemini: 400 Clean "" stop=- {"code":400,"message":"The input token count (12) exceeds the maximum number of tokens allowed (11).","status":"INVALID_ARGUMENT"} -> Failed, 0 out
        Ollama: 400 Clean "" stop=- "input length (12 tokens) exceeds the context length of 11" -> Failed, 0 out
    "#]]).await;
}

#[tokio::test]
async fn silence() {
    check(
        Mode::Streamed,
        saying(Fault::Hang),
        expect![[r#"
        Anthropic: 0 Open "" stop=- -> Dropped, 0 out
        OpenAi: 0 Open "" stop=- -> Dropped, 0 out
        Gemini: 0 Open "" stop=- -> Dropped, 0 out
        Ollama: 0 Open "" stop=- -> Dropped, 0 out
    "#]],
    )
    .await;
    check(
        Mode::Plain,
        saying(Fault::Hang),
        expect![[r#"
        Anthropic: 0 Open "" stop=- -> Dropped, 0 out
        OpenAi: 0 Open "" stop=- -> Dropped, 0 out
        Gemini: 0 Open "" stop=- -> Dropped, 0 out
        Ollama: 0 Open "" stop=- -> Dropped, 0 out
    "#]],
    )
    .await;
}

#[tokio::test]
async fn silence_midway() {
    check(
        Mode::Streamed,
        saying(Fault::HangAfter(2)),
        expect![[r#"
        Anthropic: 200 Open "[TO: Alice, " stop=- -> Dropped, 3 out
        OpenAi: 200 Open "[TO: Alice, " stop=- -> Dropped, 3 out
        Gemini: 200 Open "[TO: Alice, " stop=- -> Dropped, 3 out
        Ollama: 200 Open "[TO: Alice, " stop=- -> Dropped, 3 out
    "#]],
    )
    .await;
    check(
        Mode::Streamed,
        saying(Fault::HangAfter(0)),
        expect![[r#"
        Anthropic: 200 Open "" stop=- -> Dropped, 0 out
        OpenAi: 200 Open "" stop=- -> Dropped, 0 out
        Gemini: 200 Open "" stop=- -> Dropped, 0 out
        Ollama: 200 Open "" stop=- -> Dropped, 0 out
    "#]],
    )
    .await;
    check(
        Mode::Plain,
        saying(Fault::HangAfter(2)),
        expect![[r#"
        Anthropic: 200 Open "" stop=- -> Dropped, 4 out
        OpenAi: 200 Open "" stop=- -> Dropped, 4 out
        Gemini: 200 Open "" stop=- -> Dropped, 4 out
        Ollama: 200 Open "" stop=- -> Dropped, 4 out
    "#]],
    )
    .await;
}

#[tokio::test]
async fn a_connection_that_breaks() {
    check(
        Mode::Streamed,
        saying(Fault::CutAfter(2)),
        expect![[r#"
        Anthropic: 200 Broken "[TO: Alice, " stop=- -> Failed, 3 out
        OpenAi: 200 Broken "[TO: Alice, " stop=- -> Failed, 3 out
        Gemini: 200 Broken "[TO: Alice, " stop=- -> Failed, 3 out
        Ollama: 200 Broken "[TO: Alice, " stop=- -> Failed, 3 out
    "#]],
    )
    .await;
    check(
        Mode::Streamed,
        saying(Fault::CutAfter(0)),
        expect![[r#"
        Anthropic: 200 Broken "" stop=- -> Failed, 0 out
        OpenAi: 200 Broken "" stop=- -> Failed, 0 out
        Gemini: 200 Broken "" stop=- -> Failed, 0 out
        Ollama: 200 Broken "" stop=- -> Failed, 0 out
    "#]],
    )
    .await;
    check(
        Mode::Plain,
        saying(Fault::CutAfter(2)),
        expect![[r#"
        Anthropic: 200 Broken "" stop=- -> Failed, 4 out
        OpenAi: 200 Broken "" stop=- -> Failed, 4 out
        Gemini: 200 Broken "" stop=- -> Failed, 4 out
        Ollama: 200 Broken "" stop=- -> Failed, 4 out
    "#]],
    )
    .await;
}

#[tokio::test]
async fn a_stream_that_ends_without_its_end() {
    check(
        Mode::Streamed,
        saying(Fault::EndWithoutStop),
        expect![[r#"
        Anthropic: 200 Clean "[TO: Alice, TONE: calm] \"Yes.\"" stop=- -> Failed, 8 out
        OpenAi: 200 Clean "[TO: Alice, TONE: calm] \"Yes.\"" stop=- -> Failed, 8 out
        Gemini: 200 Clean "[TO: Alice, TONE: calm] \"Yes.\"" stop=- -> Failed, 8 out
        Ollama: 200 Clean "[TO: Alice, TONE: calm] \"Yes.\"" stop=- -> Failed, 8 out
    "#]],
    )
    .await;
    check(
        Mode::Plain,
        saying(Fault::EndWithoutStop),
        expect![[r#"
        Anthropic: 200 Clean "" stop=- -> Failed, 4 out
        OpenAi: 200 Clean "" stop=- -> Failed, 4 out
        Gemini: 200 Clean "" stop=- -> Failed, 4 out
        Ollama: 200 Clean "" stop=- -> Failed, 4 out
    "#]],
    )
    .await;
}

#[tokio::test]
async fn a_stream_that_ends_before_it_began() {
    let act = PlannedResponse::text("").with_fault(Fault::EndWithoutStop);
    check(
        Mode::Streamed,
        act,
        expect![[r#"
        Anthropic: 200 Clean "" stop=- -> Failed, 0 out
        OpenAi: 200 Clean "" stop=- -> Failed, 0 out
        Gemini: 200 Clean "" stop=- -> Failed, 0 out
        Ollama: 200 Clean "" stop=- -> Failed, 0 out
    "#]],
    )
    .await;
}

#[tokio::test]
async fn an_error_midway() {
    check(Mode::Streamed, saying(Fault::StreamError(Trouble::Overloaded)), expect![[r#"
        Anthropic: 200 Clean "[TO: Alice, TONE: " stop=- {"type":"overloaded_error","message":"Overloaded"} -> Failed, 5 out
        OpenAi: 200 Clean "[TO: Alice, TONE: " stop=- {"message":"The engine is currently overloaded, please try again later.","type":"server_error","param":null,"code":"overloaded"} -> Failed, 5 out
        Gemini: 200 Clean "[TO: Alice, TONE: " stop=- {"code":503,"message":"The model is overloaded. Please try again later.","status":"UNAVAILABLE"} -> Failed, 5 out
        Ollama: 200 Clean "[TO: Alice, TONE: " stop=- "server busy, please try again. maximum pending requests exceeded" -> Failed, 5 out
    "#]]).await;
    check(Mode::Streamed, saying(Fault::StreamError(Trouble::RateLimited)), expect![[r#"
        Anthropic: 200 Clean "[TO: Alice, TONE: " stop=- {"type":"rate_limit_error","message":"This request would exceed your organization's rate limit. Please try again later."} -> Failed, 5 out
        OpenAi: 200 Clean "[TO: Alice, TONE: " stop=- {"message":"Rate limit reached for requests. Please try again later.","type":"requests","param":null,"code":"rate_limit_exceeded"} -> Failed, 5 out
        Gemini: 200 Clean "[TO: Alice, TONE: " stop=- {"code":429,"message":"You exceeded your current quota. Please retry later.","status":"RESOURCE_EXHAUSTED"} -> Failed, 5 out
        Ollama: 200 Clean "[TO: Alice, TONE: " stop=- "server busy, please try again. maximum pending requests exceeded" -> Failed, 5 out
    "#]]).await;
    check(Mode::Streamed, saying(Fault::StreamError(Trouble::Internal)), expect![[r#"
        Anthropic: 200 Clean "[TO: Alice, TONE: " stop=- {"type":"api_error","message":"Internal server error"} -> Failed, 5 out
        OpenAi: 200 Clean "[TO: Alice, TONE: " stop=- {"message":"The server had an error while processing your request. Sorry about that!","type":"server_error","param":null,"code":null} -> Failed, 5 out
        Gemini: 200 Clean "[TO: Alice, TONE: " stop=- {"code":500,"message":"An internal error has occurred. Please retry.","status":"INTERNAL"} -> Failed, 5 out
        Ollama: 200 Clean "[TO: Alice, TONE: " stop=- "model runner has unexpectedly stopped" -> Failed, 5 out
    "#]]).await;
    check(Mode::Plain, saying(Fault::StreamError(Trouble::Overloaded)), expect![[r#"
        Anthropic: 529 Clean "" stop=- {"type":"overloaded_error","message":"Overloaded"} -> Failed, 0 out
        OpenAi: 503 Clean "" stop=- {"message":"The engine is currently overloaded, please try again later.","type":"server_error","param":null,"code":"overloaded"} -> Failed, 0 out
        Gemini: 503 Clean "" stop=- {"code":503,"message":"The model is overloaded. Please try again later.","status":"UNAVAILABLE"} -> Failed, 0 out
        Ollama: 503 Clean "" stop=- "server busy, please try again. maximum pending requests exceeded" -> Failed, 0 out
    "#]]).await;
}

#[tokio::test]
async fn an_answer_without_text() {
    check(
        Mode::Streamed,
        saying(Fault::Empty),
        expect![[r#"
        Anthropic: 200 Clean "" stop=end_turn marked -> Answered, 0 out
        OpenAi: 200 Clean "" stop=stop marked -> Answered, 0 out
        Gemini: 200 Clean "" stop=STOP marked -> Answered, 0 out
        Ollama: 200 Clean "" stop=stop marked -> Answered, 0 out
    "#]],
    )
    .await;
    check(
        Mode::Plain,
        saying(Fault::Empty),
        expect![[r#"
        Anthropic: 200 Clean "" stop=end_turn -> Answered, 0 out
        OpenAi: 200 Clean "" stop=stop -> Answered, 0 out
        Gemini: 200 Clean "" stop=STOP -> Answered, 0 out
        Ollama: 200 Clean "" stop=stop -> Answered, 0 out
    "#]],
    )
    .await;
}

#[tokio::test]
async fn a_model_that_declines() {
    check(
        Mode::Streamed,
        saying(Fault::Refuse),
        expect![[r#"
        Anthropic: 200 Clean "" stop=refusal marked -> Answered, 0 out
        OpenAi: 200 Clean "" stop=content_filter marked -> Answered, 0 out
        Gemini: 200 Clean "" stop=SAFETY marked -> Answered, 0 out
        Ollama: 200 Clean "I can't help with that." stop=stop marked -> Answered, 6 out
    "#]],
    )
    .await;
    check(
        Mode::Plain,
        saying(Fault::Refuse),
        expect![[r#"
        Anthropic: 200 Clean "" stop=refusal -> Answered, 0 out
        OpenAi: 200 Clean "" stop=content_filter -> Answered, 0 out
        Gemini: 200 Clean "" stop=SAFETY -> Answered, 0 out
        Ollama: 200 Clean "I can't help with that." stop=stop -> Answered, 6 out
    "#]],
    )
    .await;
}

#[tokio::test]
async fn text_that_follows_no_format() {
    check(Mode::Streamed, saying(Fault::Malformed), expect![[r#"
        Anthropic: 200 Clean "Of course! In this scene my character would probably say something kind here." stop=end_turn marked -> Answered, 20 out
        OpenAi: 200 Clean "Of course! In this scene my character would probably say something kind here." stop=stop marked -> Answered, 20 out
        Gemini: 200 Clean "Of course! In this scene my character would probably say something kind here." stop=STOP marked -> Answered, 20 out
        Ollama: 200 Clean "Of course! In this scene my character would probably say something kind here." stop=stop marked -> Answered, 20 out
    "#]]).await;
}

#[tokio::test]
async fn something_else_than_json() {
    check(
        Mode::Streamed,
        saying(Fault::NotJson),
        expect![[r#"
        Anthropic: 200 Clean "[TO: A" stop=- -> Failed, 2 out
        OpenAi: 200 Clean "[TO: A" stop=- -> Failed, 2 out
        Gemini: 200 Clean "[TO: A" stop=- -> Failed, 2 out
        Ollama: 200 Clean "[TO: A" stop=- -> Failed, 2 out
    "#]],
    )
    .await;
    check(
        Mode::Plain,
        saying(Fault::NotJson),
        expect![[r#"
        Anthropic: 200 Clean "" stop=- -> Failed, 0 out
        OpenAi: 200 Clean "" stop=- -> Failed, 0 out
        Gemini: 200 Clean "" stop=- -> Failed, 0 out
        Ollama: 200 Clean "" stop=- -> Failed, 0 out
    "#]],
    )
    .await;
}

#[tokio::test]
async fn somewhere_else() {
    let elsewhere = Fault::Redirect("http://127.0.0.1:9/elsewhere".to_owned());
    check(
        Mode::Streamed,
        saying(elsewhere),
        expect![[r#"
        Anthropic: 307 Clean "" stop=- -> Failed, 0 out
        OpenAi: 307 Clean "" stop=- -> Failed, 0 out
        Gemini: 307 Clean "" stop=- -> Failed, 0 out
        Ollama: 307 Clean "" stop=- -> Failed, 0 out
    "#]],
    )
    .await;
}
