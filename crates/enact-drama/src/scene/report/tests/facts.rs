//! A small builder of logs.

use std::{collections::BTreeMap, sync::Arc};

use crate::{
    CallId, Fact, Name, RunId, Seq,
    budget::Budget,
    model_card::ModelCard,
    production::Report,
    reply::{Action, Reply, Warning},
    scene::{
        Advice, Cut, HiddenPurpose, Outcome, Role, Said, SceneConfig, SceneEnd, SceneEvent, SceneSetup,
        report::SceneReport,
    },
    usage::Usage,
};

/// 2025-10-03 14:32:18 UTC, when the requirements' transcript was made.
pub(in crate::scene) const START: i64 = 1_759_501_938_000;

pub(in crate::scene) struct Facts {
    pub(in crate::scene) setup: SceneSetup,
    /// What every call from now on says it used.
    pub(in crate::scene) usage: Option<Usage>,
    facts: Vec<(i64, SceneEvent)>,
    now: i64,
    beats: u32,
    calls: u64,
}

pub(in crate::scene) fn name(text: &str) -> Name {
    Name::new(text).expect("a plain name")
}

pub(in crate::scene) fn speak(tone: &str, content: &str) -> Reply {
    Reply {
        action: Action::Speak,
        target: None,
        tone: tone.to_owned(),
        content: content.to_owned(),
        interrupt_after: None,
        nonverbal: None,
    }
}

pub(in crate::scene) fn interrupt(after: &str, tone: &str, content: &str) -> Reply {
    Reply { action: Action::Interrupt, interrupt_after: Some(after.to_owned()), ..speak(tone, content) }
}

pub(in crate::scene) fn react(tone: &str, gesture: &str) -> Reply {
    Reply { action: Action::React, ..speak(tone, "").doing(gesture) }
}

pub(in crate::scene) fn silent() -> Reply {
    Reply { action: Action::Silent, ..speak("neutral", "") }
}

impl Reply {
    pub(in crate::scene) fn to(self, target: &str) -> Reply {
        Reply { target: Some(target.to_owned()), ..self }
    }

    pub(in crate::scene) fn doing(self, gesture: &str) -> Reply {
        Reply { nonverbal: Some(gesture.to_owned()), ..self }
    }
}

impl Facts {
    /// A scene of the built-in improviser with Alice, Bob and Charlie.
    pub(in crate::scene) fn of(scene: &str) -> Facts {
        let role = |name: &str, display: &str| Role {
            name: self::name(name),
            display: display.to_owned(),
            sheet: format!("# {display}"),
            model: "improviser".to_owned(),
        };
        let card = ModelCard::free_without_memory("improviser (built-in rules, not a language model)");
        let setup = SceneSetup {
            run: RunId(uuid::Uuid::from_u128(0x0199_aa51_7b90_7000_8000_0000_0000_0001)),
            name: name(scene),
            config: SceneConfig::default(),
            cast: vec![role("alice", "Alice"), role("bob", "Bob"), role("charlie", "Charlie")],
            opener: Some(name("alice")),
            goals: vec!["Bob apologizes".to_owned(), "Alice accepts".to_owned()],
            max_beats: 50,
            reply_timeout_ms: 30_000,
            window: 10,
            seed: 7,
            models: BTreeMap::from([("improviser".to_owned(), card)]),
            judge: None,
            event_writer: None,
            budget: Budget::default(),
            prompts: Default::default(),
            remembered: Default::default(),
        };
        Facts { setup, usage: Some(Usage::NONE), facts: Vec::new(), now: START, beats: 0, calls: 0 }
    }

    pub(in crate::scene) fn later(mut self, ms: i64) -> Facts {
        self.now += ms;
        self
    }

    pub(in crate::scene) fn fact(mut self, event: SceneEvent) -> Facts {
        self.facts.push((self.now, event));
        self
    }

    pub(in crate::scene) fn beat(mut self) -> Facts {
        let beat = self.beats;
        self.beats += 1;
        let to = self.setup.cast.iter().map(|role| role.name.clone()).collect();
        let deadline = self.call();
        self.fact(SceneEvent::BeatOpened { beat, to, deadline, timeout_ms: 30_000, reserved: None })
    }

    pub(in crate::scene) fn asked(mut self, who: &str) -> Facts {
        let call = self.call();
        let role = self.setup.cast.iter().find(|role| role.name.as_str() == who);
        let model = role.expect("somebody of the cast").model.clone();
        self.fact(SceneEvent::Asked { call, actor: name(who), model, reserved: None, human: None })
    }

    /// The last call is answered.
    pub(in crate::scene) fn answered(
        self,
        who: &str,
        reply: Reply,
        warnings: &[&str],
        outcome: Outcome,
    ) -> Facts {
        let (call, usage) = (CallId(self.calls), self.usage);
        let warnings = warnings.iter().map(|text| Warning((*text).to_owned())).collect();
        self.fact(SceneEvent::Replied {
            call,
            actor: name(who),
            raw: Some("as it was sent".to_owned()),
            reply,
            warnings,
            outcome,
            usage,
            took_ms: 120,
            unanswered: false,
            first_word_ms: None,
        })
    }

    /// An actor is asked, answers, and is heard unless silent.
    pub(in crate::scene) fn reply(self, who: &str, reply: Reply) -> Facts {
        let facts = self.asked(who).answered(who, reply.clone(), &[], Outcome::Taken);
        if reply.action == Action::Silent {
            return facts;
        }
        facts.line(Said::Actor { who: name(who), reply })
    }

    pub(in crate::scene) fn fails(self, who: &str, error: &str) -> Facts {
        let facts = self.asked(who);
        let (call, usage) = (CallId(facts.calls), facts.usage);
        facts.fact(SceneEvent::CallFailed { call, actor: name(who), error: error.to_owned(), usage })
    }

    /// A hidden call leaves.
    pub(in crate::scene) fn consulted(mut self, purpose: HiddenPurpose, model: &str) -> Facts {
        let (call, deadline) = (self.call(), self.call());
        let model = model.to_owned();
        self.fact(SceneEvent::Consulted {
            call,
            purpose,
            model,
            deadline,
            timeout_ms: 30_000,
            beat: None,
            reserved: None,
        })
    }

    /// The last hidden call brings advice.
    pub(in crate::scene) fn advised(self, advice: Advice, complaints: &[&str]) -> Facts {
        let (call, usage) = (self.hidden_call(), self.usage);
        let complaints = complaints.iter().map(|text| (*text).to_owned()).collect();
        let raw = "as it was sent".to_owned();
        self.fact(SceneEvent::Advised { call, raw, advice, complaints, usage, took_ms: 340 })
    }

    /// The last hidden call brings nothing.
    pub(in crate::scene) fn advice_fails(self, error: &str) -> Facts {
        let (call, usage) = (self.hidden_call(), self.usage);
        self.fact(SceneEvent::AdviceFailed { call, error: error.to_owned(), usage })
    }

    pub(in crate::scene) fn drifted(self, who: &str) -> Facts {
        let why = "Too mild by half.".to_owned();
        self.fact(SceneEvent::Drifted { actor: name(who), score: 0.3, why })
    }

    pub(in crate::scene) fn line(self, said: Said) -> Facts {
        self.fact(SceneEvent::LineAdded { said })
    }

    pub(in crate::scene) fn event(self, text: &str) -> Facts {
        self.line(Said::World { text: text.to_owned() })
    }

    pub(in crate::scene) fn system(self, text: &str) -> Facts {
        self.line(Said::System { text: text.to_owned() })
    }

    /// The newest line with the phrase is cut after it.
    pub(in crate::scene) fn cut(self, phrase: &str, by: &str) -> Facts {
        let found = self.facts.iter().enumerate().rev().find_map(|(index, (_, event))| match event {
            SceneEvent::LineAdded { said: Said::Actor { reply, .. } } => {
                reply.content.find(phrase).map(|at| (Seq(index as u64 + 1), at + phrase.len()))
            }
            _ => None,
        });
        let (line, at) = found.expect("a line with the phrase");
        self.fact(SceneEvent::LineCut { line, cut: Cut { at, by: name(by) } })
    }

    pub(in crate::scene) fn ended(self, reason: SceneEnd) -> Facts {
        self.fact(SceneEvent::Ended { reason, needed: None })
    }

    /// The log, with its first fact.
    pub(in crate::scene) fn log(self) -> Vec<Fact<SceneEvent>> {
        let began = (START, SceneEvent::Began { setup: Arc::new(self.setup) });
        let facts = std::iter::once(began).chain(self.facts);
        facts.zip(0..).map(|((at, event), seq)| Fact { seq: Seq(seq), at, event }).collect()
    }

    pub(in crate::scene) fn story(self) -> SceneReport {
        SceneReport::of(&self.log()).expect("a scene")
    }

    /// The last hidden call, which may have left a beat ago; one that never left if there was none.
    fn hidden_call(&self) -> CallId {
        let hidden = self.facts.iter().rev().find_map(|(_, event)| match event {
            SceneEvent::Consulted { call, .. } => Some(*call),
            _ => None,
        });
        hidden.unwrap_or(CallId(self.calls + 1_000))
    }

    fn call(&mut self) -> CallId {
        self.calls += 1;
        CallId(self.calls)
    }
}
