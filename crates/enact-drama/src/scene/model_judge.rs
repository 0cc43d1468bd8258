//! The model judge: what it is asked, and how much of its answer is believed.

use std::sync::{Arc, LazyLock};

use serde::Deserialize;
use serde_json::json;

use super::{
    Fidelity, Line, LineIter, Lines, Opinion, Said, Scene, cut, hidden_calls::HiddenCall, prepared::Prepared,
    thread_trimming::Digest,
};
use crate::{
    Name,
    judge::{GoalStatus, Verdict},
    request::{Message, MessageRole, Request, Schema},
    text::{one_line, shortened},
};

/// Enough for a quote to each of a dozen goals and a word on each of a dozen actors.
const MAX_TOKENS: u32 = 2_048;
/// Some 12 000 tokens. Of a transcript that is longer than two such pages the judge sees the last two.
const PAGE_BYTES: usize = 48 * 1024;
/// A remark goes into an actor's prompt: a sentence or two.
const LONGEST_REMARK_CHARS: usize = 300;
/// Shorter quotes ("I", "so") are in almost any line and show nothing.
const SHORTEST_EVIDENCE_LETTERS: usize = 4;

/// What the judge is asked about the scene through the end of a beat.
///
/// One message a beat and then the question: all but the question is a prefix of what is sent for the next
/// opinion, and caches pay for it.
pub(super) fn request(scene: &Scene, HiddenCall { beat, model, .. }: &HiddenCall) -> Request {
    let beat = *beat;
    Request {
        system: vec![scene.prepared.judge_block()],
        thread: transcript(scene, beat),
        max_tokens: scene.setup().hidden_tokens(model, MAX_TOKENS),
        schema: Some(SCHEMA.clone()),
        purpose: super::HiddenPurpose::Judge.into(),
        beat: Some(beat),
        ..Request::default()
    }
}

/// The transcript through a beat. Of a long one the oldest pages are only summed up.
fn transcript(scene: &Scene, beat: u32) -> Vec<Message> {
    let until = scene.lines.through(beat);
    let pages = scene.reading(&scene.lines, until).pages;
    let mut thread = by_beat(scene, scene.lines.range(pages.first..until));
    if let Some(earlier) = pages.lost.tell(scene, &scene.lines, None) {
        thread.insert(0, Message { role: MessageRole::User, text: earlier.into() });
    }
    let question = format!(
        "This is the transcript through beat {beat}. How does the scene stand now: which goals have been met, and by \
         which words?"
    );
    thread.push(Message { role: MessageRole::User, text: question.into() });
    thread
}

/// Where the last two pages of a transcript begin. That only changes when a page is full, so that what was
/// sent stays a prefix of what is sent next.
#[derive(Debug, Clone, Default)]
pub(super) struct PromptPages {
    first: usize,
    second: usize,
    /// How long the second is.
    bytes: usize,
    /// What lies before the first.
    lost: Arc<Digest>,
}

impl PromptPages {
    /// Adds the next line.
    pub(super) fn add(&mut self, prepared: &Prepared, lines: &Lines, at: usize) {
        let beat_begins = at == 0 || lines[at - 1].beat != lines[at].beat;
        if beat_begins && self.bytes > PAGE_BYTES {
            (self.first, self.second, self.bytes) = (self.second, at, 0);
            Arc::make_mut(&mut self.lost).extend(prepared, lines, self.first);
        }
        self.bytes += lines[at].text(&prepared.setup).len();
    }
}

/// The lines that the judge is shown about the scene through the end of a beat, newest first: what it is
/// asked tells them, or sums them up in their own words. Nothing else can be quoted, so that a quote is looked
/// for in two pages at most, however long the scene is.
fn shown_lines(scene: &Scene, beat: u32) -> Vec<&Line> {
    let lines = &scene.lines;
    let until = lines.through(beat);
    let pages = scene.reading(lines, until).pages;
    let recent = lines.range(pages.first..until).rev();
    recent.chain(pages.lost.quoted().into_iter().rev().map(|at| &lines[at])).collect()
}

/// These lines, a message a beat.
pub(super) fn by_beat(scene: &Scene, lines: LineIter<'_>) -> Vec<Message> {
    let mut beats: Vec<(u32, String)> = Vec::new();
    for line in lines {
        if beats.last().is_none_or(|(beat, _)| *beat != line.beat) {
            beats.push((line.beat, format!("BEAT {}:\n", line.beat)));
        }
        if let Some((_, text)) = beats.last_mut() {
            text.push_str(line.text(scene.setup()));
            text.push('\n');
        }
    }
    if beats.is_empty() {
        beats.push((0, "(Nothing has been said yet.)".to_owned()));
    }
    beats.into_iter().map(|(_, text)| Message { role: MessageRole::User, text: text.into() }).collect()
}

static SCHEMA: LazyLock<Arc<Schema>> = LazyLock::new(|| {
    let text = |about: &str| json!({"type": "string", "description": about});
    let truth = |about: &str| json!({"type": "boolean", "description": about});
    // Without limits: what lies beyond them is clamped when it is read, and a whole opinion is not lost for
    // it.
    let share = |about: &str| json!({"type": "number", "description": format!("{about}, 0 to 1")});
    let object = |properties: serde_json::Value| {
        let required: Vec<&String> = properties.as_object().into_iter().flat_map(|map| map.keys()).collect();
        json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
    };
    let goal = object(json!({
        "goal": {"type": "integer", "description": "The goal's number"},
        "met": truth("Whether it has been met"),
        "evidence": text("The words that show it, quoted exactly; empty if it has not been met"),
    }));
    let character = object(json!({
        "name": text("The character's name"),
        "inCharacter": share("How true they are to their sheet"),
        "why": text("If below 0.5: what is off and what the character would do; else empty"),
    }));
    let json = object(json!({
        "goals": {"type": "array", "items": goal},
        "closure": truth("The talk has come to rest"),
        "positionsExpressed": truth("Everyone has said where they finally stand"),
        "leftToExplore": truth("The scene would lose something if it ended here"),
        "confidence": share("How near the scene is to its end"),
        "characters": {"type": "array", "items": character},
        "note": text("One sentence of direction for the next beat, 'Name: …' if it is for one actor; or empty"),
    }));
    Arc::new(Schema { name: "opinion", json, exact: true })
});

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct JudgeAnswer {
    goals: Vec<JudgedGoal>,
    #[serde(default)]
    closure: bool,
    #[serde(default)]
    positions_expressed: bool,
    #[serde(default)]
    left_to_explore: bool,
    #[serde(default)]
    confidence: f64,
    #[serde(default)]
    characters: Vec<JudgedCharacter>,
    #[serde(default)]
    note: String,
}

#[derive(Deserialize)]
struct JudgedGoal {
    goal: i64,
    met: bool,
    #[serde(default)]
    evidence: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct JudgedCharacter {
    name: String,
    in_character: f64,
    #[serde(default)]
    why: String,
}

/// Reads an opinion. What cannot be checked is left out, with a complaint; what is no opinion at all is an
/// error.
pub(super) fn read(raw: &str, scene: &Scene, beat: u32) -> Result<(Opinion, Vec<String>), String> {
    let given: JudgeAnswer = serde_json::from_str(raw.trim())
        .map_err(|error| format!("the judge's answer cannot be read: {error}"))?;
    let mut complaints = Vec::new();
    let shown = shown_lines(scene, beat);
    let texts = scene.setup().goals.iter().enumerate();
    let goals: Vec<GoalStatus> = texts
        .map(|(at, text)| {
            let blank = GoalStatus::unknown(text);
            match given.goals.iter().find(|goal| goal.goal == at as i64 + 1) {
                Some(goal) => believed(goal, blank, scene, &shown, &mut complaints),
                None => {
                    complaints.push(format!("nothing was said of goal {}", at + 1));
                    GoalStatus { why: Some("the judge said nothing of it".to_owned()), ..blank }
                }
            }
        })
        .collect();
    let all_met = !goals.is_empty() && goals.iter().all(|goal| goal.met == Some(true));
    let verdict = Verdict {
        complete: all_met && (given.closure || !given.left_to_explore),
        confidence: share(given.confidence),
        goals,
        closure: given.closure,
        positions: given.positions_expressed,
    };
    let mut fidelities: Vec<Fidelity> = Vec::new();
    for character in &given.characters {
        let said = fidelity(character, scene, &mut complaints);
        fidelities.extend(said.filter(|said| fidelities.iter().all(|known| known.actor != said.actor)));
    }
    let (note_to, note) = note_for(&given.note, scene);
    let note = Some(remark(note)).filter(|note| !note.is_empty());
    let left_to_explore = given.left_to_explore;
    Ok((Opinion { beat, verdict, fidelity: fidelities, left_to_explore, note, note_to }, complaints))
}

/// A goal counts as met only with words that were really heard, that the judge was shown, and that are from those
/// whom the goal is about.
fn believed(
    goal: &JudgedGoal,
    blank: GoalStatus,
    scene: &Scene,
    shown: &[&Line],
    complaints: &mut Vec<String>,
) -> GoalStatus {
    if !goal.met {
        return GoalStatus { met: Some(false), ..blank };
    }
    let quote = words_of(&goal.evidence);
    let long_enough = quote.chars().filter(|c| c.is_alphanumeric()).count() >= SHORTEST_EVIDENCE_LETTERS;
    // An event shows what happened, never what somebody said or did.
    let about_somebody =
        scene.prepared.players.iter().any(|player| cut::contains(&blank.text, &player.display));
    let subjects = subjects(scene, goal);
    let fits = |line: &&Line| match line.actor() {
        Some((who, _)) => {
            subjects.is_empty() || subjects.iter().any(|name| name == scene.prepared.display(who))
        }
        None => !about_somebody,
    };
    let mut shown = shown.iter().copied().filter(|line| long_enough && shows(line, quote)).peekable();
    let by_others = shown.peek().is_some_and(|line| line.actor().is_some());
    match shown.find(fits) {
        Some(line) => GoalStatus {
            met: Some(true),
            evidence: Some(evidence(line).to_owned()),
            by: line.actor().map(|(who, _)| scene.prepared.display(who).to_owned()),
            ..blank
        },
        None => {
            let not_said = match by_others && !subjects.is_empty() {
                true => format!("was not said by {}", subjects.join(" or ")),
                false => "was never said".to_owned(),
            };
            let (number, quote) = (goal.goal, remark(quote));
            complaints.push(format!("the evidence for goal {number} {not_said}: \"{quote}\""));
            GoalStatus { why: Some(format!("what the judge quotes for it {not_said}")), ..blank }
        }
    }
}

/// The characters whose lines can show that a goal is met; empty if lines of all can. That something was *not*
/// done is also shown by others.
fn subjects<'a>(scene: &'a Scene, judged: &JudgedGoal) -> &'a [String] {
    let index = usize::try_from(judged.goal).ok().and_then(|number| number.checked_sub(1));
    let goal = index.and_then(|index| scene.prepared.situation.goals.get(index));
    goal.filter(|goal| !goal.negated).map_or(&[], |goal| &goal.subjects)
}

/// What is quoted: models give a whole line of the transcript, with its speaker and bracket, as readily as
/// the words.
fn words_of(quote: &str) -> &str {
    let spoken = quote.rsplit_once(']').map_or(quote, |(_, words)| words).trim();
    if spoken.is_empty() { quote.trim() } else { spoken }
}

/// Whether the words were heard, or the gesture seen, or the event happened.
fn shows(line: &Line, quote: &str) -> bool {
    let gesture = || line.actor().and_then(|(_, reply)| reply.nonverbal.as_deref());
    !matches!(line.said, Said::System { .. })
        && (cut::contains(line.heard(), quote)
            || gesture().is_some_and(|gesture| cut::contains(gesture, quote)))
}

/// What a line shows, as far as it was heard.
pub(super) fn evidence(line: &Line) -> &str {
    let gesture = || line.actor().and_then(|(_, reply)| reply.nonverbal.as_deref()).unwrap_or_default();
    Some(line.heard()).filter(|heard| !heard.is_empty()).unwrap_or_else(gesture)
}

fn fidelity(given: &JudgedCharacter, scene: &Scene, complaints: &mut Vec<String>) -> Option<Fidelity> {
    let Some(actor) = in_cast(&given.name, scene) else {
        complaints.push(format!("nobody in the cast is called \"{}\"", remark(given.name.trim())));
        return None;
    };
    Some(Fidelity { actor, score: share(given.in_character), why: remark(&given.why) })
}

/// Whom a note is for, and what it says: `Bob: look up`. A field of its own would cost the whole opinion of a
/// model that forgets it.
fn note_for<'a>(note: &'a str, scene: &Scene) -> (Option<Name>, &'a str) {
    let addressed = note.split_once(':').and_then(|(name, rest)| Some((in_cast(name, scene)?, rest)));
    addressed.map_or((None, note), |(name, rest)| (Some(name), rest))
}

/// The character that is called this.
fn in_cast(name: &str, scene: &Scene) -> Option<Name> {
    let name = name.trim();
    let mut players = scene.prepared.players.iter();
    let player =
        players.find(|p| p.display.eq_ignore_ascii_case(name) || p.name.as_str().eq_ignore_ascii_case(name));
    player.map(|player| player.name.clone())
}

fn share(number: f64) -> f64 {
    if number.is_finite() { number.clamp(0.0, 1.0) } else { 0.0 }
}

/// A model's words as a short part of one line.
pub(super) fn remark(text: &str) -> String {
    shortened(&one_line(text), LONGEST_REMARK_CHARS).into_owned()
}
