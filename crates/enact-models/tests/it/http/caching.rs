//! Cache breakpoints as they arrive, and caching as it is billed.

use enact_drama::request::{Message, MessageRole, Request};
use enact_models::{PromptCache, Provider, Settings, connect};
use expect_test::{Expect, expect};
use fake_provider::{FakeProvider, PlannedResponse};
use serde_json::Value;

use super::{request, settings};

/// Where the breakpoints of a request are, and of which kind.
fn breakpoints(body: &Value) -> String {
    let mut found = String::new();
    let mut look = |place: &str, block: &Value| {
        if let Some(control) = block.get("cache_control") {
            found += &format!("{place}: {control}\n");
        }
    };
    for (place, block) in body["system"].as_array().into_iter().flatten().enumerate() {
        look(&format!("system {place}"), block);
    }
    for (place, message) in body["messages"].as_array().into_iter().flatten().enumerate() {
        for block in message["content"].as_array().into_iter().flatten() {
            look(&format!("message {place}"), block);
        }
    }
    found
}

async fn check(provider: Provider, cache: PromptCache, request: Request, expected: Expect) {
    let server = FakeProvider::start().await;
    let settings = Settings { cache, ..settings(provider, server.base_url()) };
    connect(settings).unwrap().answer(request).await.unwrap();
    expected.assert_eq(&breakpoints(&server.seen()[0].body));
}

#[tokio::test]
async fn breakpoints_stand_after_what_is_shared_the_sheet_and_the_last_message() {
    check(
        Provider::Anthropic,
        PromptCache::FiveMinutes,
        request(),
        expect![[r#"
            system 0: {"type":"ephemeral"}
            system 1: {"type":"ephemeral"}
            message 2: {"type":"ephemeral"}
        "#]],
    )
    .await;
    check(
        Provider::Anthropic,
        PromptCache::OneHour,
        request(),
        expect![[r#"
            system 0: {"type":"ephemeral","ttl":"1h"}
            system 1: {"type":"ephemeral","ttl":"1h"}
            message 2: {"type":"ephemeral","ttl":"1h"}
        "#]],
    )
    .await;
    check(Provider::Anthropic, PromptCache::Off, request(), expect![""]).await;
    check(Provider::OpenAi, PromptCache::OneHour, request(), expect![""]).await;
}

#[tokio::test]
async fn more_blocks_make_no_more_breakpoints_and_empty_ones_are_left_out() {
    let mut many = request();
    many.system.insert(1, " ".into());
    many.system.push("Something else.".into());
    many.system.push("And more.".into());
    check(
        Provider::Anthropic,
        PromptCache::FiveMinutes,
        many,
        expect![[r#"
            system 0: {"type":"ephemeral"}
            system 1: {"type":"ephemeral"}
            message 2: {"type":"ephemeral"}
        "#]],
    )
    .await;
}

#[tokio::test]
async fn openai_is_told_who_shares_a_beginning() {
    let server = FakeProvider::start().await;
    let key_of = async |provider, cache, request| {
        let settings = Settings { cache, ..settings(provider, server.base_url()) };
        connect(settings).unwrap().answer(request).await.unwrap();
        server.seen().pop().unwrap().body["prompt_cache_key"].as_str().map(str::to_owned)
    };
    let mut later = request();
    later.thread.truncate(1);
    let mut other = request();
    other.system[1] = "You are Bob.".into();
    let key = key_of(Provider::OpenAi, PromptCache::FiveMinutes, request()).await;
    assert!(key.as_ref().is_some_and(|key| key.starts_with("enact-")), "{key:?}");
    assert_eq!(key, key_of(Provider::OpenAi, PromptCache::FiveMinutes, later).await);
    assert_ne!(key, key_of(Provider::OpenAi, PromptCache::FiveMinutes, other).await);
    assert_eq!(None, key_of(Provider::OpenAi, PromptCache::Off, request()).await);
    assert_eq!(None, key_of(Provider::OpenAiCompatible, PromptCache::FiveMinutes, request()).await);
}

/// A thread that grows at its end: what was sent is read, what is new is written, and both are told apart.
#[tokio::test]
async fn what_was_sent_is_not_paid_again() {
    let server =
        FakeProvider::builder().script(|_| PlannedResponse::text("[TONE: calm] \"Hm.\"")).start().await;
    let model = connect(settings(Provider::Anthropic, server.base_url())).unwrap();
    let mut talk = request();
    talk.system[0] = "rules ".repeat(1_000).into();
    let first = model.answer(talk.clone()).await.unwrap().usage.unwrap();
    let prefix = first.cache_write;
    assert!(prefix > 1_400 && first.cache_read == 0, "{first:?}");
    talk.thread.push(Message { role: MessageRole::Assistant, text: "[TONE: calm] \"Hm.\"".into() });
    talk.thread.push(Message { role: MessageRole::User, text: "Beat 2. Bob sighs.".into() });
    let second = model.answer(talk).await.unwrap().usage.unwrap();
    assert_eq!(second.cache_read, prefix);
    assert!(second.cache_write > 0 && second.cache_write < 50 && second.uncached < 10, "{second:?}");
    let billed = server.usage();
    assert_eq!(
        (first.cache_write + second.cache_write, second.cache_read, first.output + second.output),
        (billed.cache_write, billed.cache_read, billed.output)
    );
}

#[tokio::test]
async fn a_question_after_what_is_told_is_left_out_of_what_is_cached() {
    let told = |text: &str| Message { role: MessageRole::User, text: text.into() };
    let asked = Request { thread: vec![told("BEAT 0"), told("BEAT 1"), told("And now?")], ..request() };
    let server = FakeProvider::start().await;
    connect(settings(Provider::Anthropic, server.base_url())).unwrap().answer(asked).await.unwrap();
    let blocks = server.seen()[0].body["messages"][0]["content"].clone();
    let cached = blocks.as_array().unwrap().iter().map(|block| block.get("cache_control").is_some());
    assert_eq!(cached.collect::<Vec<_>>(), [false, true, false], "{blocks}");
}
