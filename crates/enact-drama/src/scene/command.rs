//! What may be posted to a scene while it is played, and what follows from it.

use serde::{Deserialize, Serialize};

use super::{
    NoteReason, Said, Scene, SceneEnd, SceneEvent, human,
    machine::{self, SceneDraft},
    moderator,
};
use crate::{CallId, Name, Problem, text};

/// The longest note: a paragraph. Whatever is whispered is paid for with every later request of its thread.
pub const LONGEST_NOTE_CHARS: usize = 2_000;
/// The longest world event: a sentence or two.
pub const LONGEST_EVENT_CHARS: usize = 500;
/// How many notes and world events a scene takes between two beats. All of them go into every actor's next
/// update: more would drown what the others say.
pub(super) const MOST_FROM_OUTSIDE: usize = 32;

/// A command to a scene. It is a request: the rules decide what follows from it, if anything.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case", from = "GivenCommand")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = SceneCommand))]
pub enum Command {
    /// End the run, with everything said so far.
    Cancel,
    /// Whisper to one actor or to all of them; the next update carries it.
    Note {
        to: Option<Name>,
        #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 2000))]
        text: String,
    },
    /// Let something happen, for all to see.
    WorldEvent {
        #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 500))]
        text: String,
    },
    /// Answer for a character that is played by a person (the model `human`).
    Answer {
        /// Which ask it answers: `ask` of `GET /v1/runs/{id}/asks`.
        #[cfg_attr(feature = "schema", schema(value_type = u64, example = 4))]
        ask: CallId,
        /// What is said, in plain words: `(smiles) Hello.`; nothing, or an ellipsis, for silence. The format
        /// that models reply in is understood as well.
        text: String,
    },
    /// Let the beat under way settle, and open no other.
    Pause,
    /// Go on after a pause.
    Resume,
    /// Play one more beat of a paused run. One that is not paused is paused.
    Step,
}

/// A command as it is read. Serde lets unit variants pass with any fields beside their tag, and refuses those
/// of empty structs: `{"command": "pause", "until": "noon"}` must not be taken for a plain pause.
#[derive(Deserialize)]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields)]
enum GivenCommand {
    Cancel {},
    Note { to: Option<Name>, text: String },
    WorldEvent { text: String },
    Answer { ask: CallId, text: String },
    Pause {},
    Resume {},
    Step {},
}

impl From<GivenCommand> for Command {
    fn from(given: GivenCommand) -> Command {
        match given {
            GivenCommand::Cancel {} => Command::Cancel,
            GivenCommand::Note { to, text } => Command::Note { to, text },
            GivenCommand::WorldEvent { text } => Command::WorldEvent { text },
            GivenCommand::Answer { ask, text } => Command::Answer { ask, text },
            GivenCommand::Pause {} => Command::Pause,
            GivenCommand::Resume {} => Command::Resume,
            GivenCommand::Step {} => Command::Step,
        }
    }
}

impl Command {
    /// Whether a run with this cast can take it at all. Texts come back on one line and trimmed: they are
    /// spoken into prompts and transcripts, where a line of their own could pass for something else. An event
    /// that comes in the brackets of a transcript loses them.
    pub fn check<'a>(self, cast: impl Iterator<Item = &'a Name> + Clone) -> Result<Command, Problem> {
        match self {
            Command::Note { to: Some(to), .. } if !cast.clone().any(|name| *name == to) => {
                Err(nobody(&to, cast))
            }
            Command::Note { to, text } => {
                let text = within(text::one_line(&text), "note", LONGEST_NOTE_CHARS)?;
                Ok(Command::Note { to, text })
            }
            Command::WorldEvent { text } => {
                let line = text::one_line(&text);
                let mut bare = line.as_str();
                while let Some(inner) = bare.strip_prefix("[EVENT:").and_then(|bare| bare.strip_suffix(']')) {
                    bare = inner.trim();
                }
                let text = within(bare.to_owned(), "world event", LONGEST_EVENT_CHARS)?;
                Ok(Command::WorldEvent { text })
            }
            answer @ Command::Answer { .. } => Ok(answer),
            plain @ (Command::Cancel | Command::Pause | Command::Resume | Command::Step) => Ok(plain),
        }
    }
}

fn nobody<'a>(to: &Name, cast: impl Iterator<Item = &'a Name> + Clone) -> Problem {
    let problem = Problem::config(format!("nobody called '{to}' plays in this run"));
    match crate::did_you_mean(to.as_str(), cast.clone().map(Name::as_str)) {
        Some(known) => problem.hint(format!("did you mean '{known}'?")),
        None => {
            let cast: Vec<&str> = cast.map(Name::as_str).collect();
            problem.hint(format!("its cast is {}", cast.join(", ")))
        }
    }
}

fn within(line: String, what: &str, most: usize) -> Result<String, Problem> {
    match line.chars().count() {
        0 => Err(Problem::config(format!("a {what} needs a text"))
            .hint("line breaks and control characters do not count as one")),
        length if length > most => {
            Err(Problem::config(format!("a {what} has at most {most} characters; this one has {length}")))
        }
        _ => Ok(line),
    }
}

/// What follows from a command.
pub(super) fn apply(draft: &mut SceneDraft, command: &Command) {
    let prepared = draft.scene.prepared.clone();
    // The client was told what is wrong when it posted the command; here it is only ignored.
    let Ok(command) = command.clone().check(prepared.players.iter().map(|player| &player.name)) else {
        return;
    };
    let pause = draft.scene.pause;
    match command {
        Command::Cancel => draft.end(SceneEnd::Cancelled, None),
        Command::Note { .. } | Command::WorldEvent { .. }
            if draft.scene.outside_inputs >= MOST_FROM_OUTSIDE =>
        {
            ignore(draft);
        }
        Command::Note { to, text } => {
            draft.push(SceneEvent::Noted { to, text, why: NoteReason::Steered });
        }
        Command::Answer { ask, text } => human::answered(draft, ask, &text),
        Command::WorldEvent { text } => draft.push(SceneEvent::LineAdded { said: Said::World { text } }),
        // A pause takes back the steps that were asked for before it.
        Command::Pause if !pause.paused || pause.steps > 0 => draft.push(SceneEvent::Paused {}),
        Command::Step if !pause.paused => draft.push(SceneEvent::Paused {}),
        Command::Step if pause.steps < draft.scene.setup().max_beats => {
            draft.push(SceneEvent::Stepped {});
            go_on(draft);
        }
        Command::Resume if pause.paused => {
            draft.push(SceneEvent::Continued {});
            go_on(draft);
        }
        Command::Pause | Command::Step | Command::Resume => {}
    }
}

/// Whether a beat that has settled is where the scene stops for now.
pub(super) fn is_held(scene: &Scene) -> bool {
    scene.pause.paused && scene.pause.steps == 0
}

/// Says so the first time: a log that takes a line for everything that is too much would be drowned itself.
fn ignore(draft: &mut SceneDraft) {
    if draft.scene.outside_inputs == MOST_FROM_OUTSIDE {
        draft.push(SceneEvent::SteeringIgnored { most: MOST_FROM_OUTSIDE });
    }
}

/// Concludes the beat that was held up; one that is still being played concludes by itself.
fn go_on(draft: &mut SceneDraft) {
    if draft.scene.not_started.is_some() {
        machine::take_up(draft);
    } else if !draft.scene.beat.open {
        moderator::conclude(draft);
    }
}

#[cfg(test)]
mod tests;
