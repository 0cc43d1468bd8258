//! The chorus as a machine: what happened goes in, facts come out.

use super::{
    Chorus, ChorusCommand, ChorusEnd, ChorusEvent, Turn, budget, folder_of, manifest, outcomes,
    recorded_answers,
    report::{ChorusClientEvents, ChorusReport},
    state::AskedSeat,
    turns,
};
use crate::{
    CallId, Fact, Problem, RunId, Seq, fallback,
    production::{Ask, Effect, Failure, Happened, Input, Manifest, Player, Production, Speak},
    recorded_answers::RecordedAnswer,
    request::Request,
    voice::{Spoken, VoiceChain},
};

impl Chorus {
    /// The seq of the next fact.
    pub fn next_seq(&self) -> Seq {
        self.next_seq
    }

    /// The model that has answered for a seat, if that is a fallback.
    pub(super) fn fallback_of(&self, seat: usize, rank: usize) -> Option<&str> {
        let first = &self.setup.seats[seat].model;
        fallback::model_at(&self.setup.models, first, rank).filter(|_| rank > 0)
    }

    fn model_asked(&self, asked: &AskedSeat) -> &str {
        let first = &self.setup.seats[asked.seat].model;
        fallback::model_at(&self.setup.models, first, asked.rank).unwrap_or(first)
    }
}

impl Production for Chorus {
    type Event = ChorusEvent;
    type Command = ChorusCommand;
    type Report = ChorusReport;
    type Client = ChorusClientEvents;

    const NAME: &'static str = "chorus";
    const BEGINS_WITH: &'static str = "chorus_began";

    /// A model that refuses its key costs its slots, so the models are not checked before the run begins.
    const REQUIRES_ALL_MODELS: bool = false;

    fn begin(first: &Fact<ChorusEvent>) -> Option<Chorus> {
        Chorus::begun(first)
    }

    fn run(&self) -> RunId {
        self.setup.run
    }

    fn players(&self) -> Vec<Player> {
        self.setup.players()
    }

    fn voice(&self) -> Option<&VoiceChain> {
        self.setup.voice.as_ref()
    }

    fn check(&self, command: ChorusCommand) -> Result<ChorusCommand, Problem> {
        Ok(command)
    }

    fn cancel() -> ChorusCommand {
        ChorusCommand::Cancel
    }

    fn decide(&self, input: &Input<ChorusCommand>) -> Vec<ChorusEvent> {
        if self.ended.is_some() {
            return Vec::new();
        }
        let mut draft = ChorusDraft { chorus: self.clone(), at: input.at, events: Vec::new() };
        match &input.what {
            Happened::Started => turns::open(&mut draft, Turn::Respond),
            // Nothing was under way in a run that only waited to be played.
            Happened::Resumed if !self.touched => turns::open(&mut draft, Turn::Respond),
            Happened::Resumed => {
                draft.push(ChorusEvent::Resumed {});
                if let Err(needed) = budget::check_asking_again(&draft.chorus) {
                    outcomes::unaffordable(&mut draft, needed);
                }
                // Nothing follows here, unless a log was edited: no process stops there.
                turns::settle(&mut draft);
                turns::finish(&mut draft);
            }
            Happened::Answered { call, answer } => outcomes::answered(&mut draft, *call, answer),
            Happened::Failed { call, failure } => {
                outcomes::failed(&mut draft, *call, failure);
                voice_failed(&mut draft, *call, failure);
            }
            Happened::Spoken { call, spoken } => voiced(&mut draft, *call, spoken),
            Happened::TimeUp { call } => outcomes::time_up(&mut draft, *call),
            Happened::Commanded(ChorusCommand::Cancel) => {
                draft.push(ChorusEvent::Ended { reason: ChorusEnd::Cancelled });
            }
        }
        draft.events
    }

    fn apply(&mut self, fact: &Fact<ChorusEvent>) {
        self.fold(fact);
    }

    fn pending(&self) -> Vec<Effect> {
        let mut pending = Vec::new();
        if let Some(round) = &self.round {
            pending.extend(round.asked.iter().map(|asked| {
                let seat = &self.setup.seats[asked.seat];
                Effect::Ask(Ask {
                    call: asked.call,
                    model: self.model_asked(asked).into(),
                    actor: Some(seat.slot.name()),
                    purpose: round.turn.purpose(),
                    place: asked.seat,
                })
            }));
            pending.push(Effect::Timer { call: round.deadline, after_ms: round.timeout_ms });
        }
        pending.extend(self.speaking.iter().map(|speaking| {
            Effect::Speak(Speak {
                call: speaking.call,
                utterance: speaking.utterance.clone(),
                path: speaking.path.clone(),
                timeout_ms: self.setup.speech_timeout_ms,
            })
        }));
        pending
    }

    fn request(&self, ask: &Ask) -> Request {
        self.request_of(ask.call)
    }

    fn ended(&self) -> Option<&'static str> {
        self.ended.map(ChorusEnd::as_str)
    }

    /// Its turns are what it is played in.
    fn beat(&self) -> Option<u32> {
        self.round.as_ref().map(|round| u32::from(round.turn.index()))
    }

    fn artifact_folder(&self) -> Option<String> {
        Some(folder_of(self.setup.run))
    }

    fn manifest(&self, since: &[Fact<ChorusEvent>]) -> Option<Manifest> {
        manifest::manifest(self, since)
    }

    fn answers(facts: &[Fact<ChorusEvent>]) -> Vec<RecordedAnswer> {
        recorded_answers::recorded_answers(facts)
    }

    fn is_said(event: &ChorusEvent) -> bool {
        matches!(event, ChorusEvent::SlotSpoke { .. })
    }
}

/// Facts being decided, with the state they lead to: later rules see what earlier ones have just decided.
pub(super) struct ChorusDraft {
    pub(super) chorus: Chorus,
    pub(super) at: i64,
    events: Vec<ChorusEvent>,
}

impl ChorusDraft {
    pub(super) fn push(&mut self, event: ChorusEvent) {
        let fact = Fact { seq: self.chorus.next_seq, at: self.at, event };
        self.chorus.fold(&fact);
        self.events.push(fact.event);
    }
}

fn voiced(draft: &mut ChorusDraft, call: CallId, spoken: &Spoken) {
    let Some((turn, seat)) = speaking(draft, call) else { return };
    let slot = draft.chorus.slot(seat);
    draft.push(ChorusEvent::Voiced { call, turn, slot, spoken: spoken.clone() });
    turns::finish(draft);
}

fn voice_failed(draft: &mut ChorusDraft, call: CallId, failure: &Failure) {
    let Some((turn, seat)) = speaking(draft, call) else { return };
    let slot = draft.chorus.slot(seat);
    let (error, failure) = (failure.error.clone(), failure.kind);
    draft.push(ChorusEvent::VoiceFailed { call, turn, slot, error, failure });
    turns::finish(draft);
}

fn speaking(draft: &ChorusDraft, call: CallId) -> Option<(Turn, usize)> {
    let speaking = draft.chorus.speaking.iter().find(|speaking| speaking.call == call)?;
    Some((speaking.turn, speaking.seat))
}
