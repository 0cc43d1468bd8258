//! Choruses played from scripts: who answers what, in which order, and the facts that must follow.

mod answers;
mod budget;
mod comments;
mod conversation;
mod fallbacks;
mod forgery;
mod properties;
mod speech;
mod telling;
mod turns;

use std::{collections::BTreeMap, fmt::Write};

use super::{
    Agent, AgentId, Chorus, ChorusCommand, ChorusEvent, ChorusOptions, ChorusRequest, ChorusSetup, SlotId,
    Turn, routing,
};
use crate::{
    Ask, Effect, Fact, Happened, Input, Production, Record, RunId, Seq,
    model_card::ModelCard,
    production::{Answer, Failure, FailureKind, Speak},
    request::Request,
    voice::{Spoken, VoiceChain},
};

pub(super) const AGENTS: [&str; 6] =
    ["claude-sonnet-4-5", "claude-opus-4-5", "gpt-5.2", "gpt-5.1", "gpt-4o", "gemini-3"];

pub(super) fn agent(id: &str) -> Agent {
    Agent {
        id: AgentId::new(id).unwrap(),
        name: id.to_uppercase(),
        provider: "Test".into(),
        description: String::new(),
        color: "#808080".into(),
    }
}

/// Six agents and a voice.
pub(super) fn options() -> ChorusOptions {
    ChorusOptions {
        agents: AGENTS.map(|id| (agent(id), "script".to_owned())).to_vec(),
        models: BTreeMap::from([("script".to_owned(), ModelCard::free("script"))]),
        voice: Some(VoiceChain(vec!["embedded".into()])),
        ..ChorusOptions::default()
    }
}

/// A message to so many slots.
pub(super) fn wanted(slots: u8) -> ChorusRequest {
    let seats = (1..=slots).map(|slot| (slot, AGENTS[usize::from(slot) - 1].to_owned()));
    ChorusRequest {
        message: "What does rain sound like?".into(),
        seats: seats.collect(),
        threads: Vec::new(),
        seed: Some(1),
    }
}

pub(super) fn setup(slots: u8) -> ChorusSetup {
    options().assemble(RunId(uuid::Uuid::nil()), wanted(slots)).unwrap()
}

/// A chorus under test, with all its facts so far.
#[derive(Clone)]
pub(super) struct Stage {
    pub(super) chorus: Chorus,
    pub(super) facts: Vec<Fact<ChorusEvent>>,
}

impl Stage {
    /// A chorus that waits to be played.
    pub(super) fn waiting(setup: ChorusSetup) -> Stage {
        let first = Fact { seq: Seq(0), at: 0, event: Chorus::beginning(setup) };
        Stage { chorus: Chorus::begin(&first).unwrap(), facts: vec![first] }
    }

    pub(super) fn open(setup: ChorusSetup) -> Stage {
        let mut stage = Stage::waiting(setup);
        stage.happens(Happened::Started);
        stage
    }

    /// The chorus as another process finds it: its log, folded.
    pub(super) fn found(facts: &[Fact<ChorusEvent>]) -> Stage {
        let stored = facts.iter().map(|fact| Record::of(fact).fact().unwrap());
        let facts: Vec<Fact<ChorusEvent>> = stored.collect();
        let mut chorus = Chorus::begin(&facts[0]).unwrap();
        facts[1..].iter().for_each(|fact| chorus.apply(fact));
        Stage { chorus, facts }
    }

    pub(super) fn happens(&mut self, what: Happened<ChorusCommand>) {
        let at = self.facts.len() as i64 * 100;
        for event in self.chorus.decide(&Input { at, what }) {
            let fact = Fact { seq: self.chorus.next_seq(), at, event };
            self.chorus.apply(&fact);
            self.facts.push(fact);
        }
    }

    pub(super) fn asks(&self) -> Vec<Ask> {
        let asks = self.chorus.pending().into_iter().filter_map(|effect| match effect {
            Effect::Ask(ask) => Some(ask),
            Effect::Speak(_) | Effect::Timer { .. } => None,
        });
        asks.collect()
    }

    pub(super) fn speaking(&self) -> Vec<Speak> {
        let speaking = self.chorus.pending().into_iter().filter_map(|effect| match effect {
            Effect::Speak(speak) => Some(speak),
            Effect::Ask(_) | Effect::Timer { .. } => None,
        });
        speaking.collect()
    }

    pub(super) fn ask(&self, slot: &str) -> Ask {
        let asks = self.asks();
        let name = format!("slot-{slot}");
        let ask = asks.iter().find(|ask| ask.actor.as_ref().is_some_and(|actor| actor.as_str() == name));
        ask.unwrap_or_else(|| panic!("slot {slot} is not asked: {asks:?}")).clone()
    }

    pub(super) fn request(&self, slot: &str) -> Request {
        self.chorus.request(&self.ask(slot))
    }

    pub(super) fn answer(&mut self, slot: &str, text: &str) {
        let call = self.ask(slot).call;
        self.happens(Happened::Answered { call, answer: Answer::from(text) });
    }

    pub(super) fn fail(&mut self, slot: &str, kind: FailureKind, error: &str) {
        let call = self.ask(slot).call;
        self.happens(Happened::Failed { call, failure: Failure { kind, ..Failure::new(error) } });
    }

    pub(super) fn time_up(&mut self) {
        let timer = self.chorus.pending().into_iter().find(|effect| matches!(effect, Effect::Timer { .. }));
        self.happens(Happened::TimeUp { call: timer.unwrap().call() });
    }

    pub(super) fn speak(&mut self, speak: &Speak) {
        let spoken = Spoken {
            by: "embedded".into(),
            duration_ms: 10 * speak.utterance.text.len() as u64,
            bytes: 100,
            passed_over: vec![],
        };
        self.happens(Happened::Spoken { call: speak.call, spoken });
    }

    /// Plays a script. Each line is something that happens:
    /// ```text
    /// 1: It sounds like rain.        slot 1 answers
    /// 2 -> 1: So it does.            slot 2 comments on slot 1
    /// 3 raw: anything                slot 3 answers with this
    /// 4 fails: overloaded            its call fails
    /// time is up | spoken | mute | resumed | cancelled
    /// ```
    pub(super) fn play(&mut self, script: &str) -> &mut Stage {
        for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
            match line {
                "time is up" => self.time_up(),
                "spoken" => self.speaking().iter().for_each(|speak| self.speak(speak)),
                "mute" => {
                    let call = self.speaking()[0].call;
                    self.happens(Happened::Failed { call, failure: Failure::new("no breath") });
                }
                "resumed" => self.happens(Happened::Resumed),
                "cancelled" => self.happens(Happened::Commanded(ChorusCommand::Cancel)),
                line => self.slot_line(line),
            }
        }
        self
    }

    fn slot_line(&mut self, line: &str) {
        let (head, text) = line.split_once(':').unwrap_or((line, ""));
        let (slot, how) = head.split_once(' ').unwrap_or((head, ""));
        let text = text.trim();
        match how.split_once(' ').unwrap_or((how, "")) {
            ("raw", _) => self.answer(slot, text),
            ("fails", _) => self.fail(slot, FailureKind::Overloaded, text),
            ("->", target) => {
                let target: i64 = target.parse().unwrap();
                let answer = serde_json::json!({"targetSlotId": target, "comment": text, "voice_profile": "playful_expressive"});
                self.answer(slot, &answer.to_string());
            }
            _ => {
                let answer = serde_json::json!({"text": text, "voice_profile": "calm_soothing"});
                self.answer(slot, &answer.to_string());
            }
        }
    }

    /// The facts for people.
    pub(super) fn story(&self) -> String {
        let mut story = String::new();
        for fact in &self.facts[1..] {
            tell(&fact.event, &mut story);
        }
        story
    }
}

fn tell(event: &ChorusEvent, story: &mut String) {
    let list = |slots: &[SlotId]| match slots {
        [] => "nobody".to_owned(),
        slots => slots.iter().map(SlotId::to_string).collect::<Vec<_>>().join(" "),
    };
    let _ = match event {
        ChorusEvent::ChorusBegan { .. } => Ok(()),
        ChorusEvent::Resumed {} => writeln!(story, "resumed"),
        ChorusEvent::TurnStarted { turn, slots, .. } => {
            writeln!(story, "turn {}: {}", turn.index(), list(slots))
        }
        ChorusEvent::SlotAsked { slot, again: true, .. } => writeln!(story, "  {slot} asked again"),
        ChorusEvent::SlotAsked { slot, model, fallback: true, .. } => {
            writeln!(story, "  {slot} asked of {model}")
        }
        ChorusEvent::SlotAsked { .. } => Ok(()),
        ChorusEvent::ModelFailed { slot, outcome, .. } => {
            writeln!(story, "  {slot} passed over: {} ({})", outcome.error, outcome.failure.as_str())
        }
        ChorusEvent::CommentRefused { slot, why, .. } => writeln!(story, "  {slot} refused: {why:?}"),
        ChorusEvent::SlotSpoke { slot, text, target, warnings, .. } => {
            let to = target.map_or_else(String::new, |target| format!(" -> {target}"));
            let _ = writeln!(story, "  {slot}{to}: {text}");
            warnings.iter().try_for_each(|warning| writeln!(story, "      ! {warning}"))
        }
        ChorusEvent::SlotFailed { slot, outcome, .. } => {
            writeln!(story, "  {slot} failed: {} ({})", outcome.error, outcome.failure.as_str())
        }
        ChorusEvent::TurnDone { turn, slots } => {
            writeln!(story, "turn {} done: {}", turn.index(), list(slots))
        }
        ChorusEvent::CommentsRouted { routes } => routes.iter().try_for_each(|routed| {
            let dropped = match &routed.dropped[..] {
                [] => String::new(),
                dropped => format!(", not from {}", list(dropped)),
            };
            writeln!(story, "  {} hears from {}{dropped}", routed.to, list(&routed.from))
        }),
        ChorusEvent::Voiced { slot, turn, .. } => writeln!(story, "  {slot} heard ({})", turn.kind()),
        ChorusEvent::VoiceFailed { slot, turn, error, .. } => {
            writeln!(story, "  {slot} not heard ({}): {error}", turn.kind())
        }
        ChorusEvent::BudgetUsedUp { turn, needed } => {
            writeln!(story, "no room for turn {}, which could need {} tokens", turn.index(), needed.tokens)
        }
        ChorusEvent::Ended { reason } => writeln!(story, "ended: {}", reason.as_str()),
    };
}

/// Plays a script with so many slots, in silence, and compares the story.
pub(super) fn check(slots: u8, script: &str, expected: expect_test::Expect) {
    let mut stage = Stage::open(ChorusSetup { voice: None, ..setup(slots) });
    stage.play(script);
    expected.assert_eq(&stage.story());
    let again = Stage::found(&stage.facts);
    assert_eq!(format!("{:?}", again.chorus), format!("{:?}", stage.chorus), "the log folded is the state");
}
