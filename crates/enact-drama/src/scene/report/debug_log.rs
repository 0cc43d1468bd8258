//! How a run came about: one JSON line for each fact that explains a decision.

use std::{collections::BTreeMap, sync::Arc};

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::{
    CallId, Fact, Name, Seq,
    fallback::rank_of,
    judge::Verdict,
    reply::{Action, Reply, Warning},
    report::for_programs,
    scene::{
        Advice, Cut, HiddenPurpose, Lines, Opinion, Outcome, Said, SceneEnd, SceneEvent, SceneSetup,
        raw_answer,
    },
    text::{escaped_json, shortened},
    usage::Usage,
};

/// How much of a malformed answer is quoted: enough to see what went wrong. The log keeps more of it.
const QUOTED_CHARS: usize = 400;

/// The debug log of a run. Facts that only keep the books (asks, and lines whose reply is told) are left out;
/// what a call used and cost stands with its outcome.
pub fn debug_log<'a>(facts: impl IntoIterator<Item = &'a Fact<SceneEvent>>) -> String {
    let mut teller = Teller::default();
    let mut text = String::new();
    for fact in facts {
        if let Some(entry) = teller.tell(fact) {
            text.push_str(&escaped_json(
                &serde_json::to_string(&entry).expect("entries have only string keys"),
            ));
            text.push('\n');
        }
    }
    text
}

#[derive(Serialize)]
struct DebugEntry {
    at: String,
    beat: Option<u32>,
    level: Level,
    message: String,
    #[serde(flatten)]
    fields: Map<String, Value>,
}

#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
enum Level {
    Info,
    Warn,
    Error,
}

/// What one fact says, before it is stamped with time and beat.
struct DebugMessage(Level, String, Value);

/// What has to be remembered of earlier facts to tell a later one.
#[derive(Default)]
struct Teller {
    beat: Option<u32>,
    beat_opened_at: i64,
    lines: Lines,
    setup: Option<Arc<SceneSetup>>,
    /// What is known of the calls under way.
    calls: BTreeMap<CallId, Call>,
}

/// A call that has left.
#[derive(Clone)]
struct Call {
    purpose: Option<HiddenPurpose>,
    model: String,
}

impl Teller {
    fn tell(&mut self, fact: &Fact<SceneEvent>) -> Option<DebugEntry> {
        self.remember(fact);
        let DebugMessage(level, message, fields) = self.told(fact)?;
        let mut fields = match fields {
            Value::Object(fields) => fields,
            _ => Map::new(),
        };
        fields.extend(self.settle(&fact.event));
        Some(DebugEntry { at: for_programs(fact.at), beat: self.beat, level, message, fields })
    }

    fn remember(&mut self, fact: &Fact<SceneEvent>) {
        // A cut is told with the words it left, so the line has to be cut first.
        self.lines.apply(fact.seq, &fact.event);
        match &fact.event {
            SceneEvent::Began { setup } => self.setup = Some(Arc::clone(setup)),
            SceneEvent::BeatOpened { beat, .. } => {
                self.beat = Some(*beat);
                self.beat_opened_at = fact.at;
            }
            SceneEvent::Asked { call, model, .. } => {
                self.calls.insert(*call, Call { purpose: None, model: model.clone() });
            }
            SceneEvent::Consulted { call, purpose, model, .. } => {
                self.calls.insert(*call, Call { purpose: Some(*purpose), model: model.clone() });
            }
            _ => {}
        }
    }

    /// What the outcome of a call says of its tokens and their price. Players made of rules use none, and
    /// nothing is told of them.
    fn settle(&mut self, event: &SceneEvent) -> Map<String, Value> {
        let (call, usage) = match event {
            SceneEvent::Replied { call, usage, .. }
            | SceneEvent::CallFailed { call, usage, .. }
            | SceneEvent::Advised { call, usage, .. }
            | SceneEvent::AdviceFailed { call, usage, .. } => (call, usage),
            _ => return Map::new(),
        };
        let model = self.calls.remove(call).map(|call| call.model);
        let Some(usage) = usage.filter(|usage| *usage != Usage::NONE && !usage.tells_nothing()) else {
            return Map::new();
        };
        let card = self.setup.as_ref().zip(model).and_then(|(setup, model)| setup.models.get(&model));
        let usd = usage.cost(card.and_then(|card| card.price)).map(|cost| cost.usd());
        Map::from_iter([("usage".to_owned(), json!(usage)), ("usd".to_owned(), json!(usd))])
    }

    /// Whose hidden call has come to its end.
    fn adviser(&self, call: CallId) -> &'static str {
        self.calls.get(&call).map_or("a hidden call", |call| adviser(call.purpose))
    }

    fn told(&self, fact: &Fact<SceneEvent>) -> Option<DebugMessage> {
        Some(match &fact.event {
            SceneEvent::Began { setup } => began(setup),
            SceneEvent::Resumed {} => warn("another process took over and asks again what was under way"),
            SceneEvent::Noted { to, text, why } => {
                let to_whom = to.as_ref().map_or("everyone", Name::as_str);
                info(format!("note to {to_whom}: {text}"), json!({"why": why, "to": to}))
            }
            SceneEvent::BeatOpened { beat, to, timeout_ms, reserved, .. } => {
                let mut fields = json!({"timeoutMs": timeout_ms});
                if let Some(reserved) = reserved {
                    let usd = reserved.cost.map(|cost| cost.usd());
                    fields["reserved"] = json!({"tokens": reserved.tokens, "usd": usd});
                }
                info(format!("beat {beat} opened for {}", names(to)), fields)
            }
            SceneEvent::Replied { actor, unanswered: true, took_ms, .. } => info(
                format!("{actor} is played by a person, who said nothing in time: silent"),
                json!({"actor": actor, "tookMs": took_ms}),
            ),
            SceneEvent::Replied { actor, raw, reply, warnings, outcome, took_ms, .. } => {
                replied(actor, &raw_answer(raw, reply), reply, warnings, *outcome, *took_ms)
            }
            SceneEvent::CallFailed { actor, error, .. } => DebugMessage(
                Level::Error,
                format!("{actor} failed: {error}"),
                json!({"actor": actor, "error": error}),
            ),
            SceneEvent::LineAdded { said } => match said {
                Said::World { text } => info(format!("event: {text}"), json!({"line": fact.seq})),
                Said::System { text } => {
                    DebugMessage(Level::Warn, format!("system: {text}"), json!({"line": fact.seq}))
                }
                Said::Actor { .. } => return None,
            },
            SceneEvent::LineCut { line, cut } => return self.cut(*line, cut),
            SceneEvent::CutMissed { by, phrase } => DebugMessage(
                Level::Warn,
                format!(
                    "{by} cut in after \"{phrase}\", which nobody had just said: it stands as an interjection"
                ),
                json!({"actor": by, "phrase": phrase}),
            ),
            SceneEvent::Benched { actor } => DebugMessage(
                Level::Warn,
                format!("{actor} failed too often and is benched"),
                json!({"actor": actor}),
            ),
            SceneEvent::Returned { actor } => info(format!("{actor} answers again"), json!({"actor": actor})),
            SceneEvent::BeatSettled { beat } => {
                let took_ms = fact.at.saturating_sub(self.beat_opened_at);
                info(format!("beat {beat} settled in {took_ms} ms"), json!({"tookMs": took_ms}))
            }
            SceneEvent::Judged { verdict } => self.judged(verdict),
            SceneEvent::Remembered { kept } => {
                let memories: usize = kept.iter().map(|kept| kept.memories.len()).sum();
                info(format!("{memories} memories are kept for later scenes"), json!({"kept": kept}))
            }
            SceneEvent::Ended { reason, .. } => ended(*reason),
            SceneEvent::Consulted { purpose, model, beat, .. } => info(
                match beat {
                    None => format!("{} is asked, played by {model}", adviser(Some(*purpose))),
                    Some(_) => {
                        format!("{} is asked again, played by the fallback {model}", adviser(Some(*purpose)))
                    }
                },
                json!({"purpose": purpose, "model": model}),
            ),
            SceneEvent::Advised { call, advice, complaints, took_ms, .. } => {
                advised(self.adviser(*call), advice, complaints, *took_ms)
            }
            SceneEvent::AdviceFailed { call, error, .. } => DebugMessage(
                Level::Warn,
                format!("{} gave nothing of use, the rules go on alone: {error}", self.adviser(*call)),
                json!({"error": error}),
            ),
            SceneEvent::Drifted { actor, score, why } => DebugMessage(
                Level::Warn,
                format!("{actor} has fallen out of character ({score:.2}): {why}"),
                json!({"actor": actor, "score": score, "why": why}),
            ),
            SceneEvent::ThreadTrimmed { actor, through } => info(
                format!("{actor}'s thread is summed up through beat {through}"),
                json!({"actor": actor, "through": through}),
            ),
            SceneEvent::Paused {} => info("paused by a command: no further beat opens", json!({})),
            SceneEvent::Continued {} => info("resumed by a command", json!({})),
            SceneEvent::Stepped {} => info("one more beat by a command", json!({})),
            SceneEvent::SteeringIgnored { most } => DebugMessage(
                Level::Warn,
                format!(
                    "more than {most} notes and world events came from outside: the others are left out until the \
                     next beat opens"
                ),
                json!({"most": most}),
            ),
            SceneEvent::Forked { run, beat, line: None } => info(
                format!("forked: run {run} played everything before, through the end of beat {beat}"),
                json!({"run": run, "beat": beat}),
            ),
            SceneEvent::Forked { run, beat, line: Some(line) } => info(
                format!("forked: run {run} played everything before, through line {line} of beat {beat}"),
                json!({"run": run, "beat": beat, "line": line}),
            ),
            SceneEvent::AnswerIgnored { ask, text } => DebugMessage(
                Level::Warn,
                format!(
                    "a person's answer came when ask {} was not open any more: it is left out: {text}",
                    ask.0
                ),
                json!({"ask": ask, "text": text}),
            ),
            SceneEvent::Asked { actor, human: Some(human), call, .. } => info(
                format!("{actor} is played by a person, who is asked"),
                json!({"actor": actor, "ask": call, "timeoutMs": human.timeout_ms}),
            ),
            SceneEvent::Asked { actor, model, .. } => {
                let setup = self.setup.as_ref()?;
                let first = &setup.cast.iter().find(|role| role.name == *actor)?.model;
                if rank_of(&setup.models, first, model) == 0 {
                    return None;
                }
                DebugMessage(
                    Level::Warn,
                    format!("the fallback {model} is asked to answer for {actor}"),
                    json!({"actor": actor, "model": model}),
                )
            }
        })
    }

    fn judged(&self, verdict: &Verdict) -> DebugMessage {
        let met = verdict.goals.iter().filter(|goal| goal.met == Some(true)).count();
        let open = verdict.goals.iter().filter(|goal| goal.met.is_none()).count();
        // A verdict that a model adds to leaves open what neither the rules nor the model could say anything
        // of.
        let merged = self.setup.as_ref().is_some_and(|setup| setup.judge.is_some());
        let why = if merged { "still open" } else { "not readable by rules" };
        let open = if open == 0 { String::new() } else { format!(", {open} {why}") };
        let complete = if verdict.complete { "complete" } else { "not complete" };
        info(
            format!(
                "the judge says {complete}: {met} of {} goals met{open}, confidence {:.2}",
                verdict.goals.len(),
                verdict.confidence
            ),
            json!({
                "confidence": verdict.confidence,
                "closure": verdict.closure,
                "positions": verdict.positions,
                "goals": verdict.goals,
            }),
        )
    }

    /// The message with what was heard; the cut of a line that is not there is left out.
    fn cut(&self, line: Seq, cut: &Cut) -> Option<DebugMessage> {
        let line = &self.lines[self.lines.index(line)?];
        let (whose, _) = line.actor()?;
        Some(info(
            format!("{} cut {whose}'s line: {}", cut.by, line.heard()),
            json!({"actor": cut.by, "line": line.id, "heardBytes": cut.at}),
        ))
    }
}

fn began(setup: &SceneSetup) -> DebugMessage {
    let cast: Vec<Name> = setup.cast.iter().map(|role| role.name.clone()).collect();
    info(
        format!("scene '{}' began with {}", setup.name, names(&cast)),
        json!({
            "run": setup.run,
            "goals": setup.goals,
            "maxBeats": setup.max_beats,
            "seed": setup.seed,
            "models": setup.models.iter().map(|(name, card)| (name.clone(), json!(card.description)))
                .collect::<Map<String, Value>>(),
        }),
    )
}

fn replied(
    actor: &Name,
    raw: &str,
    reply: &Reply,
    warnings: &[Warning],
    outcome: Outcome,
    took_ms: u64,
) -> DebugMessage {
    let message = format!("{actor} replied in {took_ms} ms: {}", manner(reply));
    if warnings.is_empty() {
        return info(message, json!({"actor": actor}));
    }
    let became = match outcome {
        Outcome::Taken => "read as well as possible",
        Outcome::AskedAgain => "malformed, asked again",
        Outcome::Dropped => "malformed, dropped",
    };
    DebugMessage(
        Level::Warn,
        format!("{message} ({became})"),
        json!({"actor": actor, "warnings": warnings, "raw": shortened(raw, QUOTED_CHARS)}),
    )
}

/// "speaks to Alice, tone remorseful"
fn manner(reply: &Reply) -> String {
    let mut text = match (reply.action, &reply.interrupt_after) {
        (Action::Speak, _) => "speaks".to_owned(),
        (Action::Interrupt, Some(phrase)) => format!("interrupts after \"{phrase}\""),
        (Action::Interrupt, None) => "interrupts".to_owned(),
        (Action::Silent, _) => "stays silent".to_owned(),
        (Action::React, _) => "reacts".to_owned(),
    };
    if let Some(target) = &reply.target {
        let preposition = if reply.action == Action::Interrupt { ", speaking to" } else { " to" };
        text.push_str(&format!("{preposition} {target}"));
    }
    if reply.action != Action::Silent {
        text.push_str(&format!(", tone {}", reply.tone));
    }
    text
}

/// What a hidden call is called among people.
fn adviser(purpose: Option<HiddenPurpose>) -> &'static str {
    match purpose {
        Some(HiddenPurpose::Judge) => "the model judge",
        Some(HiddenPurpose::WorldEvent) => "the event writer",
        None => "an actor",
    }
}

fn advised(who: &str, advice: &Advice, complaints: &[String], took_ms: u64) -> DebugMessage {
    let (says, mut fields) = match advice {
        Advice::Opinion(opinion) => (thinks(opinion), json!({"opinion": opinion})),
        Advice::WorldEvent(text) => (format!("suggests: {text}"), json!({"event": text})),
    };
    let message = format!("{who} answered in {took_ms} ms: {says}");
    if complaints.is_empty() {
        return info(message, fields);
    }
    fields["complaints"] = json!(complaints);
    DebugMessage(Level::Warn, format!("{message} (left out: {})", complaints.join("; ")), fields)
}

fn thinks(opinion: &Opinion) -> String {
    let verdict = &opinion.verdict;
    let met = verdict.goals.iter().filter(|goal| goal.met == Some(true)).count();
    let complete = if verdict.complete { "complete" } else { "not complete" };
    format!(
        "after beat {} it thinks the scene {complete}, {met} of {} goals met, confidence {:.2}",
        opinion.beat,
        verdict.goals.len(),
        verdict.confidence
    )
}

fn ended(reason: SceneEnd) -> DebugMessage {
    let ending = reason.ending();
    let level = match (ending.success, ending.goal_achieved || reason == SceneEnd::NaturalEnd) {
        (false, _) => Level::Error,
        (true, false) => Level::Warn,
        (true, true) => Level::Info,
    };
    DebugMessage(level, format!("scene ended: {}", ending.name), json!({"reason": reason}))
}

fn info(message: impl Into<String>, fields: Value) -> DebugMessage {
    DebugMessage(Level::Info, message.into(), fields)
}

fn warn(message: impl Into<String>) -> DebugMessage {
    DebugMessage(Level::Warn, message.into(), json!({}))
}

fn names(names: &[Name]) -> String {
    names.iter().map(Name::as_str).collect::<Vec<_>>().join(", ")
}
