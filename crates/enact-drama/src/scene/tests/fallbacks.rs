//! Fallbacks: where a model has failed for good, the next one is asked for the same line in the same beat.

use expect_test::expect;
use proptest::prelude::*;

use super::*;
use crate::{
    CallId,
    budget::Budget,
    production::{FailureKind, Report},
    recorded_answers::RecordedAnswer,
    scene::{OnMalformed, SceneEnd, report::SceneReport},
    sent_prompts::SentPrompts,
    usage::{NanoUsd, Price, Usage},
};

const HELLO: &str = r#"[TONE: calm] "Hello.""#;
const PRICE: Price = Price { uncached: 3_000, cache_read: 300, cache_write: 3_750, output: 15_000 };

/// `script` is followed by `second` and `third`; the second remembers nothing by itself.
fn with_fallbacks() -> SceneSetup {
    let mut setup = setup(config(&ALICE_AND_BOB, None));
    let card = |context| ModelCard { context, ..ModelCard::free("another") };
    setup.models.get_mut("script").unwrap().fallback = vec!["second".into(), "third".into()];
    setup.models.insert("second".into(), card(Context::Window));
    setup.models.insert("third".into(), card(Context::Thread));
    setup
}

fn asked(stage: &Stage, who: &str) -> Option<Ask> {
    stage.asks().into_iter().find(|ask| ask.actor == Some(name(who)))
}

fn fail(stage: &mut Stage, who: &str, kind: FailureKind) {
    let call = asked(stage, who).unwrap().call;
    stage.happens(Happened::Failed { call, failure: Failure { kind, ..Failure::new(kind.as_str()) } });
}

fn say(stage: &mut Stage, who: &str, answer: &str) {
    let call = asked(stage, who).unwrap().call;
    stage.answer(call, answer);
}

fn assert_folds(stage: &Stage) {
    let again = Stage::found(stage.facts.clone());
    assert_eq!(state(&again), state(stage), "the log folded is the state");
}

/// All that is not only remembered for speed.
fn state(stage: &Stage) -> String {
    let Scene { actors, beat, hidden_calls, spent, next_call, .. } = &stage.scene;
    let asks = stage.asks();
    let requests: Vec<_> = asks
        .iter()
        .map(|ask| stage.scene.request(ask))
        .map(|request| (request.thread, request.max_tokens, request.paid_tries, request.timeout_ms))
        .collect();
    format!("{actors:?} {:?} {hidden_calls:?} {spent:?} {next_call:?} {asks:?} {requests:?}", beat.asked)
}

#[test]
fn each_model_is_asked_in_turn_and_a_fallback_speaks_in_the_same_beat() {
    let mut stage = Stage::open(with_fallbacks());
    fail(&mut stage, "alice", FailureKind::Overloaded);
    assert_eq!(&*asked(&stage, "alice").unwrap().model, "second");
    fail(&mut stage, "alice", FailureKind::Auth);
    assert_eq!(&*asked(&stage, "alice").unwrap().model, "third");
    assert_eq!(&*asked(&stage, "bob").unwrap().model, "script");
    say(&mut stage, "alice", HELLO);
    say(&mut stage, "bob", "[SILENT]");
    // The next beat begins with the first model again.
    assert_eq!(&*asked(&stage, "alice").unwrap().model, "script");
    assert_folds(&stage);
    expect![[r#"
          note to all: The scene begins. Whoever would naturally speak first may do so.
        beat 0: alice bob
          Alice [TONE: calm] "Hello."
        beat 1: alice bob
    "#]]
    .assert_eq(&stage.story());
    let story = SceneReport::of(&stage.facts).unwrap();
    let calls: Vec<(&str, u64)> =
        story.ledger.by_model.iter().map(|(model, account)| (model.as_str(), account.made())).collect();
    assert_eq!(calls, [("script", 2), ("second", 1), ("third", 1)]);
    let errors: Vec<_> = story.errors.iter().map(|error| error.fallback.as_deref()).collect();
    assert_eq!(errors, [Some("second"), Some("third")]);
    assert_eq!(story.fallbacks[&name("alice")]["third"], 1);
    let document = crate::report::Format::Json.render(&story.document());
    assert!(document.contains(r#""model": "third""#), "{document}");
    let debug = SceneReport::debug_log(&stage.facts).unwrap();
    assert!(debug.contains("the fallback second is asked to answer for alice"), "{debug}");
}

#[test]
fn only_after_the_last_model_has_failed_is_a_line_lost() {
    let mut stage = Stage::open(with_fallbacks());
    for beat in 0..3 {
        for _ in 0..3 {
            fail(&mut stage, "alice", FailureKind::Server);
        }
        say(&mut stage, "bob", &format!(r#"[TONE: calm] "Again, for the {beat}th time?""#));
    }
    // Nine calls have failed, and three answers.
    let told: Vec<String> = stage.lines().into_iter().filter(|line| line.contains("SYSTEM")).collect();
    expect![[r#"
        [
            "[SYSTEM: Alice unable to respond]",
            "[SYSTEM: Alice unable to respond]",
            "[SYSTEM: Alice unable to respond]",
            "[SYSTEM: Alice sits out after 3 failures in a row]",
        ]
    "#]]
    .assert_debug_eq(&told);
    assert_folds(&stage);
}

#[test]
fn a_refusal_is_not_taken_to_another_model_and_time_that_is_up_is_up() {
    let mut stage = Stage::open(with_fallbacks());
    fail(&mut stage, "alice", FailureKind::Refused);
    assert!(asked(&stage, "alice").is_none());
    fail(&mut stage, "bob", FailureKind::Timeout);
    let deadline = stage.scene.beat.deadline.unwrap();
    stage.happens(Happened::TimeUp { call: deadline });
    assert_eq!(stage.scene.beat.number, 1);
    assert_eq!(&*asked(&stage, "bob").unwrap().model, "script");
}

#[test]
fn a_model_leaves_time_for_its_fallbacks_and_they_have_what_is_left() {
    let mut stage = Stage::open(with_fallbacks());
    assert_eq!(stage.request("alice").timeout_ms, 20_000);
    // Stages count a tenth of a second for every fact.
    fail(&mut stage, "alice", FailureKind::Connection);
    let left = stage.request("alice").timeout_ms;
    assert!((19_000..20_000).contains(&left), "{left}");
    // Another process gives them all of it again.
    stage.happens(Happened::Resumed);
    assert_eq!(stage.request("alice").timeout_ms, 20_000);
    assert_folds(&stage);
    let late = |at: i64| {
        let call = asked(&stage, "bob").unwrap().call;
        let what = Happened::Failed { call, failure: Failure::new("hangs") };
        let decided = stage.scene.decide(&Input { at, what });
        decided.iter().any(|event| matches!(event, SceneEvent::Asked { .. }))
    };
    let resumed_at = stage.facts.last().unwrap().at;
    assert!(late(resumed_at + 27_000) && !late(resumed_at + 27_001) && !late(i64::MAX));
}

#[test]
fn a_fallback_is_told_what_it_needs_and_the_thread_goes_on() {
    let mut stage = Stage::open(with_fallbacks());
    stage.beat(&[("alice", r#"[TONE: calm] "It rains.""#)]);
    fail(&mut stage, "bob", FailureKind::Connection);
    let window = stage.request("bob");
    assert_eq!(window.thread.len(), 1);
    assert!(window.thread[0].text.contains("RECENT TRANSCRIPT"), "{}", window.thread[0].text);
    say(&mut stage, "bob", r#"[TONE: calm] "It pours.""#);
    say(&mut stage, "alice", "[SILENT]");
    let thread = stage.request("bob").thread;
    assert_eq!(thread.len(), 5);
    assert!(thread[2].text.contains("SINCE YOU LAST HEARD"), "{}", thread[2].text);
    assert_eq!(&*thread[3].text, r#"[TONE: calm] "It pours.""#);
}

#[test]
fn what_did_not_fit_is_trimmed_and_the_fallback_is_asked_with_the_rest() {
    let mut stage = Stage::open(with_fallbacks());
    for beat in 0..4 {
        stage.beat(&[("alice", &format!(r#"[TONE: calm] "Let us talk of number {beat}, shall we?""#))]);
    }
    let before = stage.request("alice").thread.len();
    fail(&mut stage, "alice", FailureKind::ContextTooLong);
    fail(&mut stage, "alice", FailureKind::Connection);
    assert_eq!(&*asked(&stage, "alice").unwrap().model, "third");
    let sent = stage.request("alice");
    assert!(sent.thread.len() < before && sent.thread[0].text.contains("EARLIER"), "{:?}", sent.thread);
    let told = SentPrompts::<Scene>::of(&stage.facts);
    assert!(told.contains("answered by third") && told.contains("EARLIER"), "{told}");
}

#[test]
fn a_malformed_answer_is_asked_again_of_the_same_model_once() {
    let mut setup = with_fallbacks();
    setup.config.on_malformed = OnMalformed::Retry;
    let mut stage = Stage::open(setup);
    fail(&mut stage, "alice", FailureKind::Connection);
    say(&mut stage, "alice", "I just talk.");
    assert_eq!(&*asked(&stage, "alice").unwrap().model, "second");
    fail(&mut stage, "alice", FailureKind::Connection);
    assert_eq!(&*asked(&stage, "alice").unwrap().model, "third");
    say(&mut stage, "alice", "I just talk.");
    assert!(asked(&stage, "alice").is_none(), "the second malformed answer is salvaged");
    assert_folds(&stage);
}

#[test]
fn the_judge_and_the_event_writer_have_fallbacks_too() {
    let mut setup = with_fallbacks();
    (setup.judge, setup.event_writer) = (Some("script".into()), Some("script".into()));
    let mut stage = Stage::open(setup);
    stage.steer(Command::WorldEvent { text: "The lights go out".into() });
    stage.beat(&[]).beat(&[]).beat(&[]);
    let talk = |stage: &mut Stage| {
        let line = format!(r#"[TONE: calm] "Number {} of many, is it not?""#, stage.scene.beat.number);
        stage.beat(&[("alice", &line)]);
    };
    for purpose in [HiddenPurpose::Judge, HiddenPurpose::WorldEvent] {
        let first = stage.hidden(purpose).unwrap();
        let question = stage.scene.request(&first);
        talk(&mut stage);
        let failure = Failure { kind: FailureKind::Server, ..Failure::new("down") };
        stage.happens(Happened::Failed { call: first.call, failure });
        let second = stage.hidden(purpose).unwrap();
        assert_eq!(&*second.model, "second");
        let asked_again = stage.scene.request(&second);
        assert_eq!(asked_again.thread, question.thread, "the same question, though a beat has passed");
        assert!(asked_again.timeout_ms < question.timeout_ms);
    }
    let events = |stage: &Stage| stage.story().matches("[EVENT:").count();
    let before = events(&stage);
    talk(&mut stage);
    assert_eq!(events(&stage), before, "the written event is still to come");
    stage.advise(HiddenPurpose::WorldEvent, r#"{"event": "A door slams"}"#);
    talk(&mut stage);
    assert!(stage.story().contains("[EVENT: A door slams]"), "{}", stage.story());
    assert_folds(&stage);
    // Where the last one fails too, the rules go on alone.
    let judge = stage.hidden(HiddenPurpose::Judge).unwrap();
    stage.answer(judge.call, "!fail down");
    let judge = stage.hidden(HiddenPurpose::Judge).unwrap();
    assert_eq!(&*judge.model, "third");
    stage.answer(judge.call, "!fail down");
    assert!(stage.hidden(HiddenPurpose::Judge).is_none());
}

#[test]
fn a_recording_gives_what_came_in_the_end() {
    let mut stage = Stage::open(with_fallbacks());
    fail(&mut stage, "alice", FailureKind::Server);
    say(&mut stage, "alice", HELLO);
    fail(&mut stage, "bob", FailureKind::Refused);
    let answers = Scene::answers(&stage.facts);
    let told: Vec<(String, bool)> = answers
        .iter()
        .map(|RecordedAnswer { actor, outcome, .. }| (actor.as_ref().unwrap().to_string(), outcome.is_ok()))
        .collect();
    assert_eq!(told, [("alice".to_owned(), true), ("bob".to_owned(), false)]);
}

#[test]
fn a_fallback_must_be_a_model_with_a_price_where_money_counts() {
    let cast = |fallback: &str, price: Option<Price>, cost: Option<NanoUsd>| {
        let config = config(&ALICE_AND_BOB, None);
        let mut models = with_fallbacks().models;
        models.get_mut("script").unwrap().fallback = vec![fallback.to_owned()];
        models.get_mut("second").unwrap().price = price;
        let budget = Budget { cost, tokens: None };
        let options = crate::scene::SceneOptions { models, budget, ..Default::default() };
        let sheets = ALICE_AND_BOB.map(|who| (name(who), format!("# {who}"))).to_vec();
        SceneSetup::cast(RunId(uuid::Uuid::nil()), config, sheets, options, |_, _| "script".to_owned(), 1)
    };
    assert!(cast("second", None, None).is_ok());
    let missing = cast("secnd", None, None).unwrap_err();
    assert_eq!(missing.hint.as_deref(), Some("did you mean 'second'?"));
    assert!(
        cast("second", None, Some(NanoUsd(1))).unwrap_err().message.contains("price of the model 'second'")
    );
    let setup = cast("second", Some(PRICE), Some(NanoUsd(1))).unwrap();
    let players: Vec<_> =
        setup.players().into_iter().map(|player| (player.name, player.stands_in_for)).collect();
    assert_eq!(
        players,
        [("script".to_owned(), Vec::new()), ("second".to_owned(), vec!["script".to_owned()])]
    );
}

proptest! {
    /// Whatever fails, each call is paid by the price of the model that took it, and a budget holds.
    #[test]
    fn budgets_hold_at_the_prices_of_those_who_answered(
        outcomes in prop::collection::vec(0..5_u8, 1..120),
        most in 1_000_000..200_000_000_u64,
    ) {
        let mut setup = with_fallbacks();
        setup.budget = Budget { cost: Some(NanoUsd(most)), tokens: None };
        setup.models.get_mut("script").unwrap().price = Some(PRICE);
        setup.models.get_mut("third").unwrap().price = Some(Price { output: 75_000, ..PRICE });
        let mut stage = Stage::open(setup);
        let mut paid = 0;
        for (at, outcome) in outcomes.into_iter().enumerate() {
            let Some(ask) = stage.asks().into_iter().next() else { break };
            let request = stage.scene.request(&ask);
            let reserved = reserved(&stage, ask.call);
            prop_assert!(request.paid_tries.is_some());
            let price = stage.scene.price(&ask.model).unwrap();
            let used = Usage { uncached: 500, output: u64::from(request.max_tokens), ..Usage::NONE };
            let failure = |usage| Failure { kind: FailureKind::Server, usage, ..Failure::new("down") };
            let (what, cost) = match outcome {
                0 => (Happened::Failed { call: ask.call, failure: failure(Some(Usage::NONE)) }, 0),
                1 => (Happened::Failed { call: ask.call, failure: failure(Some(used)) }, price.of(&used).0),
                // Unknown usage may be all that was put aside.
                2 => (Happened::Failed { call: ask.call, failure: failure(None) }, reserved),
                _ => {
                    let text = format!(r#"[TONE: calm] "Word {at} of many."#);
                    let answer = Answer { text, usage: Some(used), took_ms: 1, first_word_ms: None };
                    (Happened::Answered { call: ask.call, answer }, price.of(&used).0)
                }
            };
            paid += cost;
            stage.happens(what);
        }
        prop_assert!(paid <= most, "{paid} of {most}");
        prop_assert!(stage.scene.spent.cost.0 <= most);
        prop_assert_eq!(state(&Stage::found(stage.facts.clone())), state(&stage));
        if stage.ended() == Some(SceneEnd::BudgetExceeded) {
            prop_assert!(stage.asks().is_empty());
        }
    }
}

/// What was put aside for a call, in nano-USD.
fn reserved(stage: &Stage, asked: CallId) -> u64 {
    let reserved = stage.facts.iter().find_map(|fact| match &fact.event {
        SceneEvent::Asked { call, reserved, .. } if *call == asked => *reserved,
        _ => None,
    });
    reserved.unwrap().reserve.cost.unwrap().0
}
