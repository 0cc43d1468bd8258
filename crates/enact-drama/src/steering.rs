//! What people outside want of a run while it is played.

use serde::{Deserialize, Serialize};

use crate::{Name, Problem};

/// The longest note: a paragraph. Whatever is whispered is paid for with every later request of its thread.
pub const LONGEST_NOTE_CHARS: usize = 2_000;
/// The longest world event: a sentence or two.
pub const LONGEST_EVENT_CHARS: usize = 500;

/// Something that is wanted of a run. It is a request: the rules decide what follows from it, if anything.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "want", rename_all = "snake_case")]
pub enum Steering {
    /// End the run, with everything said so far.
    Cancel,
    /// Whisper to one actor or to all of them; the next update carries it.
    Note { to: Option<Name>, text: String },
    /// Let something happen, for all to see.
    WorldEvent { text: String },
    /// Let the beat under way settle, and open no other.
    Pause,
    /// Go on after a pause.
    Resume,
    /// Play one more beat of a paused run. One that is not paused is paused.
    Step,
}

impl Steering {
    /// Whether a run with this cast can take it at all. Texts come back on one line and trimmed: they are spoken into
    /// prompts and transcripts, where a line of their own could pass for something else.
    pub fn check<'a>(self, cast: impl Iterator<Item = &'a Name> + Clone) -> Result<Steering, Problem> {
        match self {
            Steering::Note { to, text } => {
                if let Some(to) = to.as_ref().filter(|to| !cast.clone().any(|name| name == *to)) {
                    let problem = Problem::config(format!("nobody called '{to}' plays in this run"));
                    let known = crate::did_you_mean(to.as_str(), cast.clone().map(Name::as_str));
                    return Err(match known {
                        Some(known) => problem.hint(format!("did you mean '{known}'?")),
                        None => problem.hint(format!(
                            "its cast is {}",
                            cast.map(Name::as_str).collect::<Vec<_>>().join(", ")
                        )),
                    });
                }
                Ok(Steering::Note { to, text: one_line(&text, "note", LONGEST_NOTE_CHARS)? })
            }
            Steering::WorldEvent { text } => {
                Ok(Steering::WorldEvent { text: one_line(&text, "world event", LONGEST_EVENT_CHARS)? })
            }
            plain => Ok(plain),
        }
    }
}

fn one_line(text: &str, what: &str, most: usize) -> Result<String, Problem> {
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()).collect();
    let line = words.join(" ");
    match line.chars().count() {
        0 => Err(Problem::config(format!("a {what} needs a text"))),
        length if length > most => {
            Err(Problem::config(format!("a {what} has at most {most} characters; this one has {length}")))
        }
        _ => Ok(line),
    }
}
