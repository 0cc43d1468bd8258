//! How a run came about: one JSON line for each fact that somebody looking for a reason wants to read.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::time;
use crate::{
    Fact, Name, Seq,
    judge::Verdict,
    reply::{Action, Reply, Warning},
    scene::{Cut, EndReason, Lines, Outcome, Said, SceneEvent, Setup},
};

/// How much of a malformed answer is quoted: enough to see what went wrong. The log keeps more of it.
const QUOTED_CHARS: usize = 400;

/// The debug log of a run. Facts that only keep the books (asks, and lines whose reply is told) are left out.
pub fn debug_log<'a>(facts: impl IntoIterator<Item = &'a Fact<SceneEvent>>) -> String {
    let mut teller = Teller::default();
    let mut text = String::new();
    for fact in facts {
        if let Some(entry) = teller.tell(fact) {
            text.push_str(&serde_json::to_string(&entry).expect("entries have only string keys"));
            text.push('\n');
        }
    }
    text
}

#[derive(Serialize)]
struct Entry {
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
struct Told(Level, String, Value);

/// What has to be remembered of earlier facts to tell a later one.
#[derive(Default)]
struct Teller {
    beat: Option<u32>,
    beat_opened_at: i64,
    lines: Lines,
}

impl Teller {
    fn tell(&mut self, fact: &Fact<SceneEvent>) -> Option<Entry> {
        if let SceneEvent::BeatOpened { beat, .. } = fact.event {
            self.beat = Some(beat);
            self.beat_opened_at = fact.at;
        }
        // A cut is told with the words it left, so the line has to be cut first.
        self.lines.apply(fact.seq, &fact.event);
        let Told(level, message, fields) = self.told(fact)?;
        let fields = match fields {
            Value::Object(fields) => fields,
            _ => Map::new(),
        };
        Some(Entry { at: time::for_programs(fact.at), beat: self.beat, level, message, fields })
    }

    fn told(&self, fact: &Fact<SceneEvent>) -> Option<Told> {
        Some(match &fact.event {
            SceneEvent::Began { setup } => began(setup),
            SceneEvent::Resumed {} => warn("another process took over and asks again what was under way"),
            SceneEvent::Noted { to, text, why } => {
                let to_whom = to.as_ref().map_or("everyone", Name::as_str);
                info(format!("note to {to_whom}: {text}"), json!({"why": why, "to": to}))
            }
            SceneEvent::BeatOpened { beat, to, timeout_ms, .. } => {
                info(format!("beat {beat} opened for {}", names(to)), json!({"timeoutMs": timeout_ms}))
            }
            SceneEvent::Replied { actor, raw, reply, warnings, outcome, took_ms, .. } => {
                replied(actor, raw, reply, warnings, *outcome, *took_ms)
            }
            SceneEvent::CallFailed { actor, error, usage, .. } => Told(
                Level::Error,
                format!("{actor} failed: {error}"),
                json!({"actor": actor, "error": error, "usage": usage}),
            ),
            SceneEvent::LineAdded { said } => match said {
                Said::World { text } => info(format!("event: {text}"), json!({"line": fact.seq})),
                Said::System { text } => {
                    Told(Level::Warn, format!("system: {text}"), json!({"line": fact.seq}))
                }
                Said::Actor { .. } => return None,
            },
            SceneEvent::LineCut { line, cut } => return self.cut(*line, cut),
            SceneEvent::CutMissed { by, phrase } => Told(
                Level::Warn,
                format!(
                    "{by} cut in after \"{phrase}\", which nobody had just said: it stands as an interjection"
                ),
                json!({"actor": by, "phrase": phrase}),
            ),
            SceneEvent::Benched { actor } => {
                Told(Level::Warn, format!("{actor} failed too often and is benched"), json!({"actor": actor}))
            }
            SceneEvent::Returned { actor } => info(format!("{actor} answers again"), json!({"actor": actor})),
            SceneEvent::BeatSettled { beat } => {
                let took_ms = fact.at.saturating_sub(self.beat_opened_at);
                info(format!("beat {beat} settled in {took_ms} ms"), json!({"tookMs": took_ms}))
            }
            SceneEvent::Judged { verdict } => judged(verdict),
            SceneEvent::Ended { reason } => ended(*reason),
            SceneEvent::Asked { .. }
            | SceneEvent::Consulted { .. }
            | SceneEvent::Advised { .. }
            | SceneEvent::AdviceFailed { .. }
            | SceneEvent::Drifted { .. }
            | SceneEvent::ThreadTrimmed { .. } => return None,
        })
    }

    /// Told with what was heard; the cut of a line that is not there is not worth telling.
    fn cut(&self, line: Seq, cut: &Cut) -> Option<Told> {
        let line = &self.lines[self.lines.index(line)?];
        let (whose, _) = line.actor()?;
        Some(info(
            format!("{} cut {whose}'s line: {}", cut.by, line.heard()),
            json!({"actor": cut.by, "line": line.id, "heardBytes": cut.at}),
        ))
    }
}

fn began(setup: &Setup) -> Told {
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
) -> Told {
    let message = format!("{actor} replied in {took_ms} ms: {}", manner(reply));
    if warnings.is_empty() {
        return info(message, json!({"actor": actor}));
    }
    let became = match outcome {
        Outcome::Taken => "read as well as possible",
        Outcome::AskedAgain => "malformed, asked again",
        Outcome::Dropped => "malformed, dropped",
    };
    Told(
        Level::Warn,
        format!("{message} ({became})"),
        json!({"actor": actor, "warnings": warnings, "raw": quoted(raw)}),
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

fn judged(verdict: &Verdict) -> Told {
    let met = verdict.goals.iter().filter(|goal| goal.met == Some(true)).count();
    let unread = verdict.goals.iter().filter(|goal| goal.met.is_none()).count();
    let unread = if unread == 0 { String::new() } else { format!(", {unread} not readable by rules") };
    let complete = if verdict.complete { "complete" } else { "not complete" };
    info(
        format!(
            "the judge says {complete}: {met} of {} goals met{unread}, confidence {:.2}",
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

fn ended(reason: EndReason) -> Told {
    let ending = reason.ending();
    let level = match (ending.success, ending.goal_achieved || reason == EndReason::NaturalEnd) {
        (false, _) => Level::Error,
        (true, false) => Level::Warn,
        (true, true) => Level::Info,
    };
    Told(level, format!("scene ended: {}", ending.name), json!({"reason": reason}))
}

fn info(message: impl Into<String>, fields: Value) -> Told {
    Told(Level::Info, message.into(), fields)
}

fn warn(message: impl Into<String>) -> Told {
    Told(Level::Warn, message.into(), json!({}))
}

fn names(names: &[Name]) -> String {
    names.iter().map(Name::as_str).collect::<Vec<_>>().join(", ")
}

fn quoted(raw: &str) -> String {
    match raw.char_indices().nth(QUOTED_CHARS) {
        Some((end, _)) => format!("{}…", &raw[..end]),
        None => raw.to_owned(),
    }
}
