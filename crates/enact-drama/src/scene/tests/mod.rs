//! Scenes played from scripts: who answers what, in which order, and the facts that must follow.

mod budget;
mod cuts;
mod endings;
mod event_writer;
mod failures;
mod fallbacks;
mod forgery;
mod fork_lines;
mod forks;
mod growth;
mod hidden_calls;
mod humans;
mod moderation;
mod orders;
mod prompts;
mod recorded_answers;
mod remembering;
mod steering;
mod threads;

use std::{collections::BTreeMap, sync::Arc};

use super::{
    Command, HiddenPurpose, Role, Scene, SceneConfig, SceneEvent, ScenePrompts, SceneSetup, report::line_text,
};
use crate::{
    Ask, Effect, Fact, Happened, Input, Name, Production, RunId, Seq,
    budget::Budget,
    model_card::{Context, ModelCard},
    production::{Answer, Failure},
};

pub(super) const ALICE_AND_BOB: [&str; 2] = ["alice", "bob"];
pub(super) const ALL_THREE: [&str; 3] = ["alice", "bob", "charlie"];

pub(super) fn name(text: &str) -> Name {
    Name::new(text).unwrap()
}

pub(super) fn config(cast: &[&str], opener: Option<&str>) -> SceneConfig {
    SceneConfig {
        name: "test".into(),
        prompt: "Something nobody can judge.".into(),
        characters: cast.iter().map(|name| (*name).to_owned()).collect(),
        initial_speaker: opener.map(str::to_owned),
        max_beats: Some(12),
        ..SceneConfig::default()
    }
}

pub(super) fn setup(config: SceneConfig) -> SceneSetup {
    setup_with(config, Context::Thread)
}

pub(super) fn setup_with(config: SceneConfig, context: Context) -> SceneSetup {
    let capital = |name: &str| name[..1].to_uppercase() + &name[1..];
    let cast = config.characters.iter().map(|character| Role {
        name: name(character),
        display: capital(character),
        sheet: format!("# {}\n\n- Test character\n", capital(character)),
        model: "script".into(),
    });
    let card = ModelCard { context, ..ModelCard::free("script") };
    SceneSetup {
        run: RunId(uuid::Uuid::nil()),
        name: name(&config.name),
        cast: cast.collect(),
        opener: config.initial_speaker.as_deref().map(name),
        goals: config.goals.clone(),
        max_beats: config.max_beats.map_or(super::DEFAULT_MAX_BEATS, |n| n as u32),
        reply_timeout_ms: super::DEFAULT_REPLY_TIMEOUT_MS,
        window: config.window.map_or(super::DEFAULT_WINDOW, |n| n as usize),
        seed: 1,
        models: BTreeMap::from([("script".to_owned(), card)]),
        judge: None,
        event_writer: None,
        budget: Budget::default(),
        prompts: ScenePrompts::current(),
        remembered: Default::default(),
        config,
    }
}

/// A scene under test, with all its facts so far.
#[derive(Clone)]
pub(super) struct Stage {
    pub(super) scene: Scene,
    pub(super) facts: Vec<Fact<SceneEvent>>,
}

impl Stage {
    pub(super) fn open(setup: SceneSetup) -> Stage {
        let first = Fact { seq: Seq(0), at: 0, event: Scene::beginning(setup) };
        let mut stage = Stage { scene: Scene::begin(&first).unwrap(), facts: vec![first] };
        stage.happens(Happened::Started);
        stage
    }

    /// The scene as another process finds it: its log, folded.
    pub(super) fn found(facts: Vec<Fact<SceneEvent>>) -> Stage {
        let mut scene = Scene::begin(&facts[0]).unwrap();
        facts[1..].iter().for_each(|fact| scene.apply(fact));
        Stage { scene, facts }
    }

    /// A command arrives.
    pub(super) fn steer(&mut self, wanted: Command) -> &mut Stage {
        self.happens(Happened::Commanded(wanted));
        self
    }

    /// A note to an actor, or to all, arrives.
    pub(super) fn whisper(&mut self, to: Option<&str>, text: &str) -> &mut Stage {
        self.steer(Command::Note { to: to.map(name), text: text.to_owned() })
    }

    pub(super) fn happens(&mut self, what: Happened<Command>) {
        let at = self.facts.len() as i64 * 100;
        for event in self.scene.decide(&Input { at, what }) {
            let fact = Fact { seq: self.scene.next_seq(), at, event };
            self.scene.apply(&fact);
            self.facts.push(fact);
        }
    }

    pub(super) fn asks(&self) -> Vec<Ask> {
        let asks = self.scene.pending().into_iter().filter_map(|effect| match effect {
            Effect::Ask(ask) => Some(ask),
            Effect::Speak(_) | Effect::Timer { .. } => None,
        });
        asks.collect()
    }

    /// What is asked behind the scenes.
    pub(super) fn hidden(&self, purpose: HiddenPurpose) -> Option<Ask> {
        self.asks().into_iter().find(|ask| ask.purpose == purpose.into())
    }

    /// A hidden call comes back.
    pub(super) fn advise(&mut self, purpose: HiddenPurpose, answer: &str) -> &mut Stage {
        let call = self.hidden(purpose).unwrap_or_else(|| panic!("nobody asked for {purpose:?}")).call;
        self.answer(call, answer);
        self
    }

    /// One beat: these answers in this order of arrival; whoever is not mentioned stays silent. `!fail why`
    /// is a call that failed, `!late` one that never came back.
    pub(super) fn beat(&mut self, answers: &[(&str, &str)]) -> &mut Stage {
        let asks: Vec<Ask> = self.asks().into_iter().filter(|ask| ask.actor.is_some()).collect();
        let number = self.scene.beat.number;
        let call_of = |who: &str| {
            let found = asks.iter().find(|ask| ask.actor.as_ref().is_some_and(|actor| actor.as_str() == who));
            found.unwrap_or_else(|| panic!("{who} was not asked in beat {number}")).call
        };
        for (who, answer) in answers {
            if *answer != "!late" {
                self.answer(call_of(who), answer);
            }
        }
        for ask in asks.iter().filter(|ask| !answers.iter().any(|(who, _)| ask.actor == Some(name(who)))) {
            self.answer(ask.call, "[SILENT]");
        }
        if self.scene.beat.open && self.scene.beat.number == number {
            let deadline = self.scene.beat.deadline.unwrap();
            self.happens(Happened::TimeUp { call: deadline });
        }
        self
    }

    pub(super) fn answer(&mut self, call: crate::CallId, answer: &str) {
        let what = match answer.strip_prefix("!fail ") {
            Some(error) => Happened::Failed { call, failure: Failure::new(error) },
            None => {
                let answer = Answer { text: answer.into(), took_ms: 100, ..Answer::default() };
                Happened::Answered { call, answer }
            }
        };
        self.happens(what);
    }

    /// What an actor would be asked now, as text.
    pub(super) fn prompt(&self, who: &str) -> String {
        let request = self.request(who);
        request.thread.last().unwrap().text.to_string()
    }

    pub(super) fn request(&self, who: &str) -> crate::request::Request {
        let ask = self.asks().into_iter().find(|ask| ask.actor == Some(name(who))).unwrap();
        self.scene.request(&ask)
    }

    /// What happened, one fact a line, without the bookkeeping.
    pub(super) fn story(&self) -> String {
        let mut text = String::new();
        for fact in &self.facts {
            let told = match &fact.event {
                SceneEvent::BeatOpened { beat, to, .. } => {
                    let to: Vec<&str> = to.iter().map(Name::as_str).collect();
                    format!("beat {beat}: {}", to.join(" "))
                }
                SceneEvent::Noted { to, text, .. } => {
                    format!("  note to {}: {text}", to.as_ref().map_or("all", Name::as_str))
                }
                SceneEvent::LineAdded { .. } => {
                    let line = &self.scene.lines()[self.scene.lines().index(fact.seq).unwrap()];
                    format!("  {}", line_text(self.scene.setup(), line))
                }
                SceneEvent::CutMissed { by, phrase } => format!("  ({by} cut nothing after \"{phrase}\")"),
                SceneEvent::Consulted { purpose, .. } => format!("  ? {}", purpose.as_str()),
                SceneEvent::Advised { complaints, .. } if complaints.is_empty() => "  ! advised".to_owned(),
                SceneEvent::Advised { complaints, .. } => {
                    format!("  ! advised, but {}", complaints.join("; "))
                }
                SceneEvent::AdviceFailed { error, .. } => format!("  ! no advice: {error}"),
                SceneEvent::Drifted { actor, score, .. } => format!("  {actor} drifts ({score})"),
                SceneEvent::ThreadTrimmed { actor, through } => {
                    format!("  {actor}: trimmed through {through}")
                }
                SceneEvent::Paused {} => "(paused)".to_owned(),
                SceneEvent::Continued {} => "(goes on)".to_owned(),
                SceneEvent::Stepped {} => "(one more beat)".to_owned(),
                SceneEvent::SteeringIgnored { most } => format!("(no more than {most})"),
                SceneEvent::Forked { beat, line: Some(line), .. } => {
                    format!("(forked after line {line} of beat {beat})")
                }
                SceneEvent::Forked { beat, .. } => format!("(forked after beat {beat})"),
                SceneEvent::Ended { reason, .. } => format!("{reason:?}"),
                _ => continue,
            };
            text.push_str(&told);
            text.push('\n');
        }
        text
    }

    pub(super) fn lines(&self) -> Vec<String> {
        self.scene.lines().iter().map(|line| line_text(self.scene.setup(), line)).collect()
    }

    pub(super) fn ended(&self) -> Option<super::SceneEnd> {
        self.scene.end_reason()
    }
}

#[test]
fn a_scene_opens_with_the_opener_alone_and_goes_on_with_everyone() {
    let mut stage = Stage::open(setup(config(&ALL_THREE, Some("bob"))));
    stage.beat(&[("bob", r#"[TO: Alice, TONE: nervous] "I am late.""#)]);
    stage.beat(&[("charlie", r#"[TONE: amused] "You are.""#), ("alice", "[REACT, TONE: annoyed, *sighs*]")]);
    expect_test::expect![[r#"
          note to bob: You are Bob. Begin the scene.
        beat 0: bob
          Bob [TO: Alice, TONE: nervous] "I am late."
        beat 1: alice bob charlie
          Charlie [TONE: amused] "You are."
          Alice [REACT, TONE: annoyed, *sighs*]
        beat 2: alice bob charlie
    "#]]
    .assert_eq(&stage.story());
}

#[test]
fn folding_the_log_again_gives_the_same_scene() {
    let mut stage = Stage::open(setup(config(&ALL_THREE, None)));
    stage.beat(&[("bob", r#"[TONE: calm] "I can explain everything.""#), ("charlie", "!fail no network")]);
    stage.beat(&[("alice", r#"[INTERRUPT after "explain", TONE: angry] "No.""#), ("bob", "!late")]);
    let mut again = Scene::begin(&stage.facts[0]).unwrap();
    for fact in &stage.facts[1..] {
        let stored = crate::Record::of(fact).fact().unwrap();
        assert_eq!(stored, *fact);
        again.apply(&stored);
    }
    assert_eq!(format!("{:?}", again.pending()), format!("{:?}", stage.scene.pending()));
    let told = |scene: &Scene| {
        let ask = stage.asks().into_iter().next().unwrap();
        let thread = scene.request(&ask).thread;
        thread.iter().map(|message| message.text.clone()).collect::<Vec<Arc<str>>>()
    };
    assert_eq!(told(&again), told(&stage.scene));
}
