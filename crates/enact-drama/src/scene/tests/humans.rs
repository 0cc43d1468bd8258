//! People on stage.

use expect_test::expect;

use super::*;
use crate::{
    CallId, Code,
    budget::Budget,
    open_ask::OpenAsk,
    production::{Fork, Report},
    scene::{HumanSeconds, HumanTimeout, NoTimeout, SceneEnd, fork, report::SceneReport},
    usage::{Price, Usage},
};

const SECOND: i64 = 1_000;

/// A scene in which people play these characters.
fn with_humans(cast: &[&str], opener: Option<&str>, humans: &[&str]) -> SceneSetup {
    let mut setup = setup(config(cast, opener));
    setup.models.insert("human".to_owned(), ModelCard::human());
    for role in setup.cast.iter_mut().filter(|role| humans.contains(&role.name.as_str())) {
        role.model = "human".to_owned();
    }
    setup
}

fn alice_and_a_script() -> Stage {
    Stage::open(with_humans(&ALICE_AND_BOB, None, &["alice"]))
}

fn open_ask(stage: &Stage, who: &str) -> OpenAsk {
    let open = stage.scene.open_asks();
    open.into_iter().find(|ask| ask.actor.as_str() == who).unwrap_or_else(|| panic!("{who} is not asked"))
}

fn answer(stage: &mut Stage, who: &str, text: &str) {
    let ask = open_ask(stage, who).ask;
    stage.steer(Command::Answer { ask, text: text.to_owned() });
}

fn timers(stage: &Stage) -> Vec<(CallId, u64)> {
    let timers = stage.scene.pending().into_iter().filter_map(|effect| match effect {
        Effect::Timer { call, after_ms } => Some((call, after_ms)),
        _ => None,
    });
    timers.collect()
}

/// Something happens at a time of its own.
fn at(stage: &mut Stage, at: i64, what: Happened<Command>) {
    for event in stage.scene.decide(&Input { at, what }) {
        let fact = Fact { seq: stage.scene.next_seq(), at, event };
        stage.scene.apply(&fact);
        stage.facts.push(fact);
    }
}

fn unanswered(stage: &Stage) -> usize {
    let silent =
        |fact: &&Fact<SceneEvent>| matches!(fact.event, SceneEvent::Replied { unanswered: true, .. });
    stage.facts.iter().filter(silent).count()
}

#[test]
fn a_person_is_asked_without_a_call_and_answers_with_a_command() {
    let mut stage = alice_and_a_script();
    assert_eq!(stage.asks().len(), 1, "only bob's model is called");
    let bob = stage.asks()[0].call;
    stage.answer(bob, r#"[TO: Alice, TONE: calm] "Tea?""#);
    assert!(stage.asks().is_empty() && stage.scene.beat.number == 0, "the beat waits for alice");
    answer(&mut stage, "alice", "(smiles) Hello, Bob.");
    let ask = open_ask(&stage, "alice");
    assert_eq!(ask.lines, [r#"Bob [TO: Alice, TONE: calm] "Tea?""#], "what is new, without her own line");
    assert!(ask.told.starts_with("BEAT: 1\n\nSINCE YOU LAST HEARD:\nBob [TO: Alice"), "{}", ask.told);
    assert_eq!((ask.beat, ask.display.as_str(), ask.until), (1, "Alice", Some(ask.since + 120 * SECOND)));
    expect![[r#"
          note to all: The scene begins. Whoever would naturally speak first may do so.
        beat 0: alice bob
          Bob [TO: Alice, TONE: calm] "Tea?"
          Alice [TONE: neutral, *smiles*] "Hello, Bob."
        beat 1: alice bob
    "#]]
    .assert_eq(&stage.story());
}

#[test]
fn plain_words_are_never_malformed() {
    for on_malformed in [crate::scene::OnMalformed::Retry, crate::scene::OnMalformed::Ignore] {
        let mut setup = with_humans(&ALICE_AND_BOB, None, &["alice"]);
        setup.config.on_malformed = on_malformed;
        let mut stage = Stage::open(setup);
        answer(&mut stage, "alice", "Hello");
        assert_eq!(stage.lines(), [r#"Alice [TONE: neutral] "Hello""#], "{on_malformed:?}");
    }
}

#[test]
fn a_person_can_interrupt() {
    let mut stage = alice_and_a_script();
    let bob = stage.asks()[0].call;
    stage.answer(bob, r#"[TONE: calm] "I can explain everything.""#);
    answer(&mut stage, "alice", r#"[INTERRUPT after "I can", TONE: angry] "No!""#);
    assert_eq!(stage.lines()[0], r#"Bob [TONE: calm] "I can—""#);
}

#[test]
fn silence_counts_as_silence() {
    for silence in ["", "…", "timeout"] {
        let mut stage = alice_and_a_script();
        stage.beat(&[("bob", r#"[TONE: calm] "Tea?""#)]);
        assert_eq!(stage.scene.beat.number, 0, "the deadline of models is not alice's");
        let [(timer, 120_000)] = timers(&stage)[..] else { panic!("{:?}", timers(&stage)) };
        match silence {
            "timeout" => stage.happens(Happened::TimeUp { call: timer }),
            typed => answer(&mut stage, "alice", typed),
        }
        assert_eq!(stage.scene.beat.number, 1, "{silence:?}");
        assert_eq!(stage.lines(), [r#"Bob [TONE: calm] "Tea?""#], "no [SYSTEM…] line: {silence:?}");
        assert_eq!(unanswered(&stage), usize::from(silence == "timeout"));
        let story = SceneReport::of(&stage.facts).unwrap();
        assert_eq!((story.counts.silences, story.errors.len()), (1, 0), "{silence:?}");
    }
}

#[test]
fn models_have_their_own_deadline_beside_a_person() {
    let mut stage = alice_and_a_script();
    let [(beat, 30_000), (alice, 120_000)] = timers(&stage)[..] else { panic!("{:?}", timers(&stage)) };
    stage.happens(Happened::TimeUp { call: beat });
    assert_eq!(stage.lines(), ["[SYSTEM: Bob unable to respond]"]);
    assert_eq!(timers(&stage), [(alice, 120_000)]);
    answer(&mut stage, "alice", "Bob?");
    assert_eq!(stage.scene.beat.number, 1);
}

#[test]
fn the_scene_says_how_long_a_person_has() {
    let seconds = |seconds| Some(HumanTimeout::Seconds(HumanSeconds(seconds)));
    for (timeout, expected) in [
        (None, vec![120_000]),
        (seconds(0.5), vec![500]),
        (seconds(2_592_000.0), vec![2_592_000_000]),
        (Some(HumanTimeout::None(NoTimeout::None)), vec![]),
    ] {
        let mut setup = with_humans(&ALICE_AND_BOB, Some("alice"), &["alice"]);
        setup.config.human_timeout_seconds = timeout;
        let mut stage = Stage::open(setup);
        let left: Vec<u64> = timers(&stage).into_iter().map(|(_, left)| left).collect();
        assert_eq!(left, expected, "{timeout:?}");
        assert_eq!(open_ask(&stage, "alice").until.is_some(), timeout.is_none() || !expected.is_empty());
        // With nothing pending the run rests until the answer comes.
        assert_eq!(stage.scene.pending().is_empty(), expected.is_empty());
        answer(&mut stage, "alice", "Here I am.");
        assert_eq!(stage.lines(), [r#"Alice [TONE: neutral] "Here I am.""#]);
    }
}

#[test]
fn answers_that_are_late_or_to_nothing_are_refused() {
    let mut stage = alice_and_a_script();
    let ask = open_ask(&stage, "alice").ask;
    let typed = |ask| Command::Answer { ask, text: "Hello.".to_owned() };
    assert!(stage.scene.check_now(&typed(ask)).is_ok());
    let told = |stage: &Stage, ask| {
        let problem = stage.scene.check_now(&typed(ask)).unwrap_err();
        assert_eq!(problem.code, Code::AskNotOpen);
        format!("{problem} ({})", problem.hint.as_deref().unwrap())
    };
    let bob = stage.asks()[0].call;
    assert_eq!(told(&stage, bob), "ask 3 is not open any more (ask 1 is open now)", "bob is no person");
    assert_eq!(told(&stage, CallId(99)), "ask 99 is not there (ask 1 is open now)");
    stage.steer(typed(ask));
    assert_eq!(told(&stage, ask), "ask 1 is not open any more (no ask is open now)");
    // One that was accepted in the same moment leaves a trace, and nothing is said twice.
    stage.steer(typed(ask));
    assert_eq!(stage.lines().len(), 1);
    let text = "Hello.".to_owned();
    assert_eq!(stage.facts.last().unwrap().event, SceneEvent::AnswerIgnored { ask, text });
    for _ in 0..100 {
        stage.steer(typed(ask));
    }
    let ignored = stage.facts.iter().filter(|fact| matches!(fact.event, SceneEvent::AnswerIgnored { .. }));
    assert_eq!(ignored.count(), 32, "but not without end");
}

#[test]
fn only_scenes_with_people_take_answers() {
    let command = Command::Answer { ask: CallId(1), text: "Hello.".to_owned() };
    let scene = |humans: &[&str]| Stage::open(with_humans(&ALICE_AND_BOB, None, humans)).scene;
    assert!(scene(&["bob"]).check(command.clone()).is_ok());
    let problem = scene(&[]).check(command).unwrap_err();
    assert_eq!(problem.to_string(), "every character of this run is played by a model");
}

#[test]
fn a_huge_answer_is_bounded_and_nothing_acts_on_a_terminal() {
    let mut stage = alice_and_a_script();
    answer(&mut stage, "alice", &format!("\u{1b}[2JHi\u{7} {}", "word ".repeat(20_000)));
    let SceneEvent::Replied { raw, reply, warnings, .. } = &stage
        .facts
        .iter()
        .rev()
        .find(|fact| matches!(fact.event, SceneEvent::Replied { .. }))
        .unwrap()
        .event
    else {
        panic!()
    };
    assert!(raw.as_ref().unwrap().len() <= 32 * 1024 && warnings.len() == 1, "{warnings:?}");
    assert!(reply.content.starts_with("Hi word ") && reply.content.chars().count() <= 4_000);
}

#[test]
fn two_people_are_asked_at_once() {
    let mut stage = Stage::open(with_humans(&ALL_THREE, None, &["alice", "charlie"]));
    let asked: Vec<String> = stage.scene.open_asks().iter().map(|ask| ask.actor.to_string()).collect();
    assert_eq!(asked, ["alice", "charlie"]);
    answer(&mut stage, "charlie", "First!");
    answer(&mut stage, "alice", "Second.");
    let bob = stage.asks()[0].call;
    stage.answer(bob, "[SILENT]");
    assert_eq!(stage.lines(), [r#"Charlie [TONE: neutral] "First!""#, r#"Alice [TONE: neutral] "Second.""#]);
    assert_eq!(stage.scene.open_asks().len(), 2, "and again in the next beat");
}

#[test]
fn people_use_no_budget_and_stand_in_no_account() {
    let mut setup = with_humans(&ALICE_AND_BOB, None, &["alice"]);
    let price = Price { uncached: 1_000, cache_read: 1_000, cache_write: 1_000, output: 1_000 };
    setup.models.get_mut("script").unwrap().price = Some(price);
    setup.budget = Budget { cost: None, tokens: Some(6_000) };
    let mut stage = Stage::open(setup.clone());
    let asked = stage.facts.iter().filter_map(|fact| match &fact.event {
        SceneEvent::Asked { human, reserved, .. } => Some((human.is_some(), reserved.is_some())),
        _ => None,
    });
    assert_eq!(asked.collect::<Vec<_>>(), [(true, false), (false, true)]);
    // A process that is killed costs what bob's model may have used, and nothing for alice.
    let alone = {
        let mut setup = setup;
        setup.cast.remove(0);
        Stage::open(setup)
    };
    let lost = |stage: &Stage| {
        let mut found = Stage::found(stage.facts.clone());
        found.happens(Happened::Resumed);
        found.scene.spent.tokens
    };
    assert!(lost(&stage) > 0 && lost(&stage) <= lost(&alone) + 200, "{} {}", lost(&stage), lost(&alone));
    answer(&mut stage, "alice", "Hello.");
    let bob = stage.asks()[0].call;
    let usage = Some(Usage { uncached: 500, output: 50, ..Usage::NONE });
    stage.happens(Happened::Answered {
        call: bob,
        answer: Answer { text: "[SILENT]".into(), usage, took_ms: 1, first_word_ms: None },
    });
    let story = SceneReport::of(&stage.facts).unwrap();
    assert_eq!(story.ledger.total().made(), 1, "{:?}", story.ledger);
    assert!(!story.ledger.by_actor.contains_key(&name("alice")));
    assert_eq!(stage.scene.spent.tokens, 550);
}

#[test]
fn after_a_kill_a_person_has_the_rest_of_the_time() {
    // Asked at 0 for 120 s: when another process takes over, what is left, and until when.
    for (resumed, left) in [(0, 120), (20, 100), (85, 35), (100, 30), (119, 30), (7_200, 30), (-60, 120)] {
        let mut stage = Stage::open(with_humans(&ALICE_AND_BOB, Some("alice"), &["alice"]));
        let since = open_ask(&stage, "alice").since;
        stage = Stage::found(stage.facts);
        at(&mut stage, since + resumed * SECOND, Happened::Resumed);
        let ask = open_ask(&stage, "alice");
        let timer = timers(&stage)[0];
        assert_eq!((timer.1, ask.since), (left as u64 * 1_000, since), "resumed after {resumed} s");
        assert_eq!(ask.until, Some(since + (resumed + left) * SECOND), "resumed after {resumed} s");
        // It is the same ask: nothing is asked or said twice.
        assert_eq!(
            stage.facts.iter().filter(|fact| matches!(fact.event, SceneEvent::Asked { .. })).count(),
            1
        );
        let again = Stage::found(stage.facts.clone());
        assert_eq!(timers(&again), timers(&stage));
        answer(&mut stage, "alice", "Still here.");
        assert_eq!(stage.lines(), [r#"Alice [TONE: neutral] "Still here.""#]);
    }
}

#[test]
fn a_pause_waits_for_the_person_and_then_holds() {
    let mut stage = alice_and_a_script();
    let bob = stage.asks()[0].call;
    stage.answer(bob, "[SILENT]");
    stage.steer(Command::Pause);
    assert_eq!(stage.scene.open_asks().len(), 1, "the beat under way is played to its end");
    answer(&mut stage, "alice", "Wait.");
    assert!(stage.scene.open_asks().is_empty() && stage.scene.pending().is_empty());
    stage.steer(Command::Resume);
    assert_eq!((stage.scene.beat.number, stage.scene.open_asks().len()), (1, 1));
}

#[test]
fn a_fork_asks_the_person_anew() {
    let mut parent = alice_and_a_script();
    let bob = parent.asks()[0].call;
    parent.answer(bob, "[SILENT]");
    answer(&mut parent, "alice", "One.");
    let forked = Fork {
        point: 0.into(),
        run: RunId(uuid::Uuid::from_u128(1)),
        seed: 2,
        at: 1_000_000,
        random: [0; 2],
    };
    let mut stage = Stage::found(fork(&parent.facts, forked).unwrap());
    assert!(stage.scene.open_asks().is_empty());
    stage.happens(Happened::Resumed);
    assert!(open_ask(&stage, "alice").ask > bob);
    answer(&mut stage, "alice", "Two.");
    assert_eq!(stage.lines(), [r#"Alice [TONE: neutral] "One.""#, r#"Alice [TONE: neutral] "Two.""#]);
}

#[test]
fn a_recording_answers_what_the_person_meant() {
    let mut stage = alice_and_a_script();
    let bob = stage.asks()[0].call;
    stage.answer(bob, "[SILENT]");
    answer(&mut stage, "alice", "Bob: (what is it?)");
    let (timer, _) = timers(&stage).into_iter().next_back().unwrap();
    stage.beat(&[]);
    stage.happens(Happened::TimeUp { call: timer });
    let answers: Vec<String> = Scene::answers(&stage.facts)
        .into_iter()
        .filter(|recorded| recorded.actor == Some(name("alice")))
        .map(|recorded| recorded.outcome.unwrap().text)
        .collect();
    let said = stage.scene.lines().first().unwrap().actor().unwrap().1.clone();
    assert_eq!(answers, [said.written(), "[SILENT]".to_owned()]);
    assert_eq!(crate::reply::parse(&answers[0]).reply, said);
}

#[test]
fn a_person_who_never_says_anything_ends_no_other_way_than_a_silent_model() {
    let mut stage = Stage::open(with_humans(&ALICE_AND_BOB, None, &ALICE_AND_BOB));
    for _ in 0..12 {
        for (call, _) in timers(&stage) {
            stage.happens(Happened::TimeUp { call });
        }
    }
    assert_eq!(stage.ended(), Some(SceneEnd::Stalled));
}
