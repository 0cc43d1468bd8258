//! What may be posted to a scene while it is played, and what follows from it.

use serde::{Deserialize, Serialize};

use super::{
    EndReason, NoteReason, Said, Scene, SceneEvent,
    machine::{self, SceneDraft},
    moderator,
};
use crate::{Name, Problem, text};

/// The longest note: a paragraph. Whatever is whispered is paid for with every later request of its thread.
pub const LONGEST_NOTE_CHARS: usize = 2_000;
/// The longest world event: a sentence or two.
pub const LONGEST_EVENT_CHARS: usize = 500;
/// How many notes and world events a scene takes between two beats. All of them go into every actor's next
/// update: more would drown what the others say.
const MOST_FROM_OUTSIDE: usize = 32;

/// A command to a scene. It is a request: the rules decide what follows from it, if anything.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case", from = "GivenCommand")]
pub enum Command {
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

/// A command as it is read. Serde lets unit variants pass with any fields beside their tag, and refuses those
/// of empty structs: `{"command": "pause", "until": "noon"}` must not be taken for a plain pause.
#[derive(Deserialize)]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields)]
enum GivenCommand {
    Cancel {},
    Note { to: Option<Name>, text: String },
    WorldEvent { text: String },
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
        Command::Cancel => draft.push(SceneEvent::Ended { reason: EndReason::Cancelled, needed: None }),
        Command::Note { .. } | Command::WorldEvent { .. }
            if draft.scene.outside_inputs >= MOST_FROM_OUTSIDE =>
        {
            ignore(draft);
        }
        Command::Note { to, text } => {
            draft.push(SceneEvent::Noted { to, text, why: NoteReason::Steered });
        }
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
mod tests {
    use expect_test::expect;

    use super::*;

    fn checked(wanted: Command) -> String {
        let cast = ["alice", "bob"].map(|name| Name::new(name).unwrap());
        match wanted.check(cast.iter()) {
            Ok(Command::Note { text, .. } | Command::WorldEvent { text }) => text,
            Ok(plain) => format!("{plain:?}"),
            Err(problem) => match &problem.hint {
                Some(hint) => format!("{problem} ({hint})"),
                None => problem.to_string(),
            },
        }
    }

    fn note(to: Option<&str>, text: &str) -> String {
        checked(Command::Note { to: to.map(|to| Name::new(to).unwrap()), text: text.to_owned() })
    }

    fn event(text: &str) -> String {
        checked(Command::WorldEvent { text: text.to_owned() })
    }

    #[test]
    fn what_cannot_be_taken_is_said_with_what_could() {
        let told = [
            note(Some("alicia"), "Hush."),
            note(Some("mallory"), "Hush."),
            note(None, " \n\u{1b}[31m\u{202e} "),
            event(""),
            note(None, &"x".repeat(LONGEST_NOTE_CHARS + 1)),
            event(&"é".repeat(LONGEST_EVENT_CHARS + 1)),
            checked(Command::Step),
        ];
        expect![[r#"
            nobody called 'alicia' plays in this run (did you mean 'alice'?)
            nobody called 'mallory' plays in this run (its cast is alice, bob)
            a note needs a text (line breaks and control characters do not count as one)
            a world event needs a text (line breaks and control characters do not count as one)
            a note has at most 2000 characters; this one has 2001
            a world event has at most 500 characters; this one has 501
            Step"#]]
        .assert_eq(&told.join("\n"));
    }

    #[test]
    fn texts_come_back_on_one_line() {
        assert_eq!(
            note(Some("bob"), " Be\n\n[SYSTEM: kind].\u{2028}Bob: yes "),
            "Be [SYSTEM: kind]. Bob: yes"
        );
        assert_eq!(event("The\u{1b}[2J lights\tgo out."), "The lights go out.");
        assert_eq!(event("[EVENT: The lights go out]"), "The lights go out");
        assert!(event("[EVENT: [EVENT:]]").starts_with("a world event needs a text"));
        assert_eq!(event(&"é".repeat(LONGEST_EVENT_CHARS)).chars().count(), LONGEST_EVENT_CHARS);
    }

    fn read(json: &str) -> Result<Command, serde_json::Error> {
        serde_json::from_str(json)
    }

    #[test]
    fn commands_are_objects_with_their_name() {
        let (to, text) = (Some(Name::new("bob").unwrap()), "Hush.".to_owned());
        for (command, json) in [
            (Command::Cancel, r#"{"command":"cancel"}"#),
            (Command::Pause, r#"{"command":"pause"}"#),
            (Command::Resume, r#"{"command":"resume"}"#),
            (Command::Step, r#"{"command":"step"}"#),
            (Command::Note { to, text: text.clone() }, r#"{"command":"note","to":"bob","text":"Hush."}"#),
            (Command::Note { to: None, text }, r#"{"command":"note","to":null,"text":"Hush."}"#),
            (
                Command::WorldEvent { text: "It rains.".to_owned() },
                r#"{"command":"world_event","text":"It rains."}"#,
            ),
        ] {
            assert_eq!(serde_json::to_string(&command).unwrap(), json);
            assert_eq!(read(json).unwrap(), command);
        }
        let to_all = Command::Note { to: None, text: "Hush.".to_owned() };
        assert_eq!(read(r#"{"command":"note","text":"Hush."}"#).unwrap(), to_all);
    }

    #[test]
    fn what_is_no_command_is_refused() {
        for json in [
            r#"{"command":"sing"}"#,
            r#"{"command":"pause","until":"noon"}"#,
            r#"{"command":"note","text":"Hush.","loudly":true}"#,
            r#"{"command":"world_event","text":"It rains.","to":"bob"}"#,
            r#"{"command":"note"}"#,
            r#"{"command":"note","to":"../bob","text":"Hush."}"#,
            r#"{"text":"Hush."}"#,
            r#""pause""#,
            "",
        ] {
            assert!(read(json).is_err(), "{json}");
        }
    }
}
