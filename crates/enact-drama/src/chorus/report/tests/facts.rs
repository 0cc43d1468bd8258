//! A log of a chorus, written down fact by fact.

use std::{collections::BTreeMap, sync::Arc};

use crate::{
    CallId, Fact, RunId, Seq,
    budget::Budget,
    chorus::{
        Agent, AgentId, ChorusEnd, ChorusEvent, ChorusSetup, DEFAULT_ANSWER_TIMEOUT_MS,
        DEFAULT_SPEECH_TIMEOUT_MS, NoAnswer, Prompts, Routed, Seat, SlotId, SpeechFile, Turn,
        report::ChorusReport,
    },
    model_card::ModelCard,
    production::{FailureKind, Report},
    usage::Usage,
    voice::{Spoken, VoiceChain, VoiceProfile},
};

/// 2026-01-04 12:00:00
const BEGAN_AT: i64 = 1_767_528_000_000;

pub(super) fn slot(number: u8) -> SlotId {
    SlotId::new(number).unwrap()
}

pub(super) struct Facts {
    pub(super) facts: Vec<Fact<ChorusEvent>>,
    /// What calls use from now on.
    pub(super) usage: Option<Usage>,
    calls: u64,
    at: i64,
}

impl Facts {
    /// A chorus of three, played by improvisers and spoken by the embedded voice.
    pub(super) fn begun() -> Facts {
        Facts::of(setup(&["claude-opus-4-5", "gpt-4o", "gemini-3"]))
    }

    pub(super) fn of(setup: ChorusSetup) -> Facts {
        let facts = Facts { facts: Vec::new(), usage: Some(Usage::NONE), calls: 0, at: BEGAN_AT };
        facts.fact(ChorusEvent::ChorusBegan { setup: Arc::new(setup) })
    }

    /// Adds what happened a tenth of a second later.
    pub(super) fn fact(mut self, event: ChorusEvent) -> Facts {
        let seq = Seq(self.facts.len() as u64);
        self.facts.push(Fact { seq, at: self.at, event });
        self.at += 100;
        self
    }

    /// Nothing happens for a while.
    pub(super) fn wait(&mut self, ms: i64) {
        self.at += ms;
    }

    pub(super) fn turn(mut self, turn: Turn, slots: &[u8]) -> Facts {
        let deadline = self.call();
        let slots: Vec<SlotId> = slots.iter().map(|number| slot(*number)).collect();
        let timeout_ms = DEFAULT_ANSWER_TIMEOUT_MS;
        let mut facts =
            self.fact(ChorusEvent::TurnStarted { turn, slots: slots.clone(), deadline, timeout_ms });
        for slot in slots {
            let (call, model) = (facts.call(), "improviser".to_owned());
            facts = facts.fact(ChorusEvent::SlotAsked {
                call,
                turn,
                slot,
                model,
                again: false,
                fallback: false,
                reserved: None,
            });
        }
        facts
    }

    pub(super) fn says(self, turn: Turn, number: u8, text: &str) -> Facts {
        self.spoke(turn, number, None, text, Vec::new())
    }

    pub(super) fn comments(self, number: u8, on: u8, text: &str) -> Facts {
        self.spoke(Turn::Comment, number, Some(slot(on)), text, Vec::new())
    }

    pub(super) fn spoke(
        mut self,
        turn: Turn,
        number: u8,
        target: Option<SlotId>,
        text: &str,
        warnings: Vec<String>,
    ) -> Facts {
        let (call, usage) = (self.asked(turn, number), self.usage);
        let profile = VoiceProfile::ALL[usize::from(number) % VoiceProfile::ALL.len()];
        let path = format!("tts/sessions/<run>/turn_{}/slot-{number}_{}.wav", turn.index(), profile.as_str());
        let speech = Some(SpeechFile { call: self.call(), path });
        let (slot, raw, text) = (slot(number), text.to_owned(), text.to_owned());
        let took_ms = 120;
        self.fact(ChorusEvent::SlotSpoke {
            call,
            turn,
            slot,
            raw,
            text,
            target,
            profile,
            warnings,
            instead_of: None,
            usage,
            took_ms,
            speech,
        })
    }

    pub(super) fn fails(self, turn: Turn, number: u8, error: &str, failure: FailureKind) -> Facts {
        let (call, usage) = (self.asked(turn, number), self.usage);
        let outcome = NoAnswer { error: error.to_owned(), failure, raw: None };
        let (slot, took_ms) = (slot(number), 120);
        self.fact(ChorusEvent::SlotFailed { call, turn, slot, outcome, usage, took_ms })
    }

    pub(super) fn done(self, turn: Turn) -> Facts {
        let said = self.facts.iter().filter_map(|fact| match &fact.event {
            ChorusEvent::SlotSpoke { turn: when, slot, .. } if *when == turn => Some(*slot),
            _ => None,
        });
        let mut slots: Vec<SlotId> = said.collect();
        slots.sort();
        self.fact(ChorusEvent::TurnDone { turn, slots })
    }

    pub(super) fn routed(self, to: u8, from: &[u8]) -> Facts {
        let from = from.iter().map(|number| slot(*number)).collect();
        let routes = vec![Routed { to: slot(to), from, dropped: Vec::new() }];
        self.fact(ChorusEvent::CommentsRouted { routes })
    }

    pub(super) fn voiced(self, turn: Turn, number: u8) -> Facts {
        let call = self.speaking(turn, number);
        let spoken = Spoken {
            by: "embedded (flite, kal16)".to_owned(),
            duration_ms: 2_500,
            bytes: 80_044,
            passed_over: Vec::new(),
        };
        self.fact(ChorusEvent::Voiced { call, turn, slot: slot(number), spoken })
    }

    pub(super) fn unvoiced(self, turn: Turn, number: u8, error: &str) -> Facts {
        let (call, error) = (self.speaking(turn, number), error.to_owned());
        let (slot, failure) = (slot(number), FailureKind::Server);
        self.fact(ChorusEvent::VoiceFailed { call, turn, slot, error, failure })
    }

    pub(super) fn ended(self, reason: ChorusEnd) -> Facts {
        self.fact(ChorusEvent::Ended { reason })
    }

    pub(super) fn story(&self) -> ChorusReport {
        ChorusReport::of(&self.facts).unwrap()
    }

    /// Three answer, two of them comment on the first, who replies; one answer cannot be heard.
    pub(super) fn whole() -> Facts {
        let facts = Facts::begun().turn(Turn::Respond, &[1, 2, 3]);
        let facts = facts.says(Turn::Respond, 2, "Rivers carry what towns forget.");
        let facts = facts.says(Turn::Respond, 1, "I would rather ask the *sea*.");
        let facts = facts.fails(Turn::Respond, 3, "the model is overloaded", FailureKind::Overloaded);
        let facts = facts.done(Turn::Respond).turn(Turn::Comment, &[1, 2]);
        let facts = facts.voiced(Turn::Respond, 2).comments(2, 1, "Ask it gently, then.");
        let facts = facts.unvoiced(Turn::Respond, 1, "503 from the voice");
        let facts = facts.spoke(
            Turn::Comment,
            1,
            Some(slot(2)),
            "Towns forget on purpose.",
            vec!["the answer was not JSON".to_owned()],
        );
        let facts = facts.done(Turn::Comment).routed(1, &[2]).turn(Turn::Reply, &[1]);
        let facts = facts.says(Turn::Reply, 1, "Gently is the only way it answers.").done(Turn::Reply);
        let facts = facts.voiced(Turn::Comment, 2).voiced(Turn::Comment, 1).voiced(Turn::Reply, 1);
        facts.ended(ChorusEnd::Completed)
    }

    pub(super) fn call(&mut self) -> CallId {
        self.calls += 1;
        CallId(self.calls)
    }

    fn asked(&self, turn: Turn, number: u8) -> CallId {
        let asks = self.facts.iter().rev().find_map(|fact| match &fact.event {
            ChorusEvent::SlotAsked { call, turn: when, slot: who, .. }
                if (*when, *who) == (turn, slot(number)) =>
            {
                Some(*call)
            }
            _ => None,
        });
        asks.expect("the slot was asked")
    }

    fn speaking(&self, turn: Turn, number: u8) -> CallId {
        let speeches = self.facts.iter().find_map(|fact| match &fact.event {
            ChorusEvent::SlotSpoke { turn: when, slot: who, speech, .. }
                if (*when, *who) == (turn, slot(number)) =>
            {
                speech.as_ref().map(|speech| speech.call)
            }
            _ => None,
        });
        speeches.expect("the slot speaks")
    }
}

pub(super) fn setup(agents: &[&str]) -> ChorusSetup {
    let seat = |(index, id): (usize, &&str)| Seat {
        slot: slot(index as u8 + 1),
        agent: Agent {
            id: AgentId::new(*id).unwrap(),
            name: name_of(id).to_owned(),
            provider: "Somebody".to_owned(),
            description: String::new(),
            color: "#888888".to_owned(),
        },
        model: "improviser".to_owned(),
    };
    ChorusSetup {
        run: RunId(uuid::Uuid::nil()),
        message: "What do rivers\nremember?".to_owned(),
        seats: agents.iter().enumerate().map(seat).collect(),
        prompts: Prompts {
            system: String::new(),
            turn1_response: String::new(),
            turn2_comment_select: String::new(),
            turn3_reply: String::new(),
        },
        threads: Vec::new(),
        voice: Some(VoiceChain(vec!["embedded".to_owned()])),
        models: BTreeMap::from([("improviser".to_owned(), ModelCard::free("improviser (rules)"))]),
        seed: 7,
        budget: Budget::default(),
        answer_timeout_ms: DEFAULT_ANSWER_TIMEOUT_MS,
        speech_timeout_ms: DEFAULT_SPEECH_TIMEOUT_MS,
    }
}

fn name_of(id: &str) -> &str {
    match id {
        "claude-opus-4-5" => "Claude Opus 4.5",
        "gpt-4o" => "GPT-4o",
        "gemini-3" => "Gemini 3",
        other => other,
    }
}
