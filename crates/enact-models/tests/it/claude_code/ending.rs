//! However a call ends, nothing of it stays behind.

use std::{fs, time::Duration};

use enact_drama::{
    production::FailureKind,
    usage::{Price, Usage},
};
use enact_engine::Model;
use enact_models::{PromptCache, Provider, Settings, prices};
use enact_testkit::until;

use super::stage::{Stage, ask};

/// Whether a process still does anything. One that has ended and waits to be collected by its parent does
/// not.
pub(super) fn is_running(pid: u32) -> bool {
    let Ok(stat) = fs::read_to_string(format!("/proc/{pid}/stat")) else { return false };
    let state = stat.rsplit(')').next().and_then(|rest| rest.trim_start().chars().next());
    !matches!(state, Some('Z' | 'X'))
}

#[tokio::test]
async fn a_dropped_call_ends_the_command_and_all_it_has_started() {
    let stage = Stage::new("hangs");
    let model = stage.model();
    let call = tokio::spawn(async move { model.answer(ask("Well?")).await });
    let (leader, follower) = (stage.process("pid").await, stage.process("grandchild").await);
    let folder = stage.folder();
    assert!(is_running(leader) && is_running(follower) && folder.exists());
    call.abort();
    assert!(call.await.unwrap_err().is_cancelled());
    assert!(!folder.exists(), "it goes with the call");
    until(async || !is_running(leader) && !is_running(follower)).await;
}

#[tokio::test]
async fn a_late_call_fails_and_is_ended() {
    let stage = Stage::new("hangs");
    let model = stage.model_with(|settings| settings.timeout = Some(Duration::from_secs(2)));
    let failure = model.answer(ask("Well?")).await.unwrap_err();
    assert_eq!(failure.error, "Response timeout after 2s");
    assert_eq!(failure.usage, None);
    let leader = stage.process("pid").await;
    until(async || !is_running(leader)).await;
}

/// What the command had told of its usage is kept, at the prices of the API: its own sum comes only with its
/// result.
#[tokio::test]
async fn a_late_call_still_costs_what_it_used() {
    let stage = Stage::new("hangs-midway");
    let late = |settings: &mut Settings| settings.timeout = Some(Duration::from_secs(2));
    let failure = stage.model_with(late).answer(ask("Well?")).await.unwrap_err();
    assert_eq!((failure.error.as_str(), failure.kind), ("Response timeout after 2s", FailureKind::Timeout));
    let told = Usage { uncached: 7, cache_read: 30, output: 1, partial: true, ..Usage::NONE };
    let price =
        prices::published(Provider::Anthropic, "claude-sonnet-4-5", PromptCache::FiveMinutes).unwrap();
    assert_eq!(failure.usage, Some(Usage { billed: Some(price.of(&told)), ..told }));

    let own = Some(Price { output: 1, ..Price::FREE });
    let model = stage.model_with(|settings| {
        late(settings);
        settings.price = own;
    });
    assert_eq!(model.answer(ask("Well?")).await.unwrap_err().usage, Some(told), "the operator's price holds");
}

#[tokio::test]
async fn nobody_waits_longer_than_the_question_allows() {
    let mut request = ask("Well?");
    request.timeout_ms = 50;
    let failure = Stage::new("hangs").model().answer(request).await.unwrap_err();
    assert_eq!(failure.error, "Response timeout after 50ms");
}

#[tokio::test]
async fn an_answer_is_given_at_once_and_a_command_that_lingers_is_ended_later() {
    let stage = Stage::new("lingers");
    let answer = stage.model().answer(ask("Well?")).await.unwrap();
    assert_eq!(answer.text, "Done.");
    let leader = stage.process("pid").await;
    assert!(is_running(leader));
    until(async || !is_running(leader)).await;
}
