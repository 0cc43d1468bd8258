//! What actors are told: the stable blocks that open every request, and the update that carries a beat.
//!
//! Stable first, changing last, each once: that is what lets a provider's prompt cache pay for almost all of it.

use std::fmt::Write;

use super::{Line, LineIter, Role, Setup, company::Company};

/// The rules of the game and the scene: the same bytes for every actor of a run.
pub(super) fn shared_block(setup: &Setup) -> String {
    let cast: Vec<&str> = setup.cast.iter().map(|role| role.display.as_str()).collect();
    let mut text = format!(
        "You play one character in a scene with others. Each of them is played by somebody else; a moderator tells \
         all of you at once what has happened, beat by beat, and you decide for yourself what your character does.\n\
         \n\
         SCENE CONTEXT: {}\n\
         \n\
         Cast: {}\n",
        setup.config.prompt.trim(),
        cast.join(", "),
    );
    if let Some(setting) = &setup.config.setting {
        let _ = writeln!(text, "Setting: {setting}");
    }
    if !setup.goals.is_empty() {
        text.push_str("The scene is over when:\n");
        for goal in &setup.goals {
            let _ = writeln!(text, "- {goal}");
        }
    }
    if let Some(language) = &setup.config.language {
        let _ = writeln!(text, "Everyone speaks {language}; the words in capitals below stay as they are.");
    }
    text.push_str(
        "\nRESPONSE FORMAT, one of:\n\
         - Speak to somebody: [TO: <name>, TONE: <emotion>] \"your words\"\n\
         - Speak to everyone: [TONE: <emotion>] \"your words\"\n\
         - Cut somebody off: [INTERRUPT after \"<their last words you let pass>\", TONE: <emotion>] \"your words\"\n\
         - React without words: [REACT, TONE: <emotion>, *what you do*]\n\
         - Stay silent: [SILENT] or [SILENT, *what you do*]\n\
         A gesture may stand inside any bracket in *asterisks*.\n\
         \n\
         Answer with one reply and nothing else. Speak only for your own character. Only respond if your character \
         would naturally speak or react in this moment: it is perfectly acceptable to remain silent.\n",
    );
    text
}

/// Who this actor is.
pub(super) fn own_block(role: &Role) -> String {
    format!("You are {}. This is your character sheet:\n\n{}\n", role.display, role.sheet.trim())
}

/// What one update says.
pub(super) struct Update<'a> {
    pub(super) beat: u32,
    pub(super) me: usize,
    pub(super) history: History<'a>,
    /// The newest line there is, however long ago it was told.
    pub(super) last: Option<&'a Line>,
    pub(super) notes: Vec<&'a str>,
}

/// How much of the transcript an update carries.
pub(super) enum History<'a> {
    /// What is new to a model that remembers the rest.
    New(LineIter<'a>),
    /// The last lines, for a model that remembers nothing.
    Recent(LineIter<'a>),
}

impl Update<'_> {
    pub(super) fn render(&self, company: &Company) -> String {
        let me = &company.players[self.me];
        let mut text = format!("BEAT: {}\n", self.beat);
        let lines = match &self.history {
            History::New(lines) => {
                text.push_str("\nSINCE YOU LAST HEARD:\n");
                lines
            }
            History::Recent(lines) => {
                text.push_str("\nRECENT TRANSCRIPT:\n");
                lines
            }
        };
        let has_thread = matches!(self.history, History::New(_));
        let mut nothing = true;
        for line in lines.clone() {
            if !line.is_by(&me.name) {
                text.push_str(line.text(&company.setup));
            } else if let Some(told) = tell_own(company, line, has_thread) {
                text.push_str(&told);
            } else {
                continue;
            }
            text.push('\n');
            nothing = false;
        }
        if nothing {
            text.push_str("(nothing)\n");
        }
        // In a thread it would repeat the line above it, which every later request would carry along.
        if nothing || !has_thread {
            let last = self.last.map_or("(none)", |line| line.text(&company.setup));
            let _ = write!(text, "\nLAST EVENT: {last}\n");
        }
        for note in &self.notes {
            let _ = write!(text, "\nDIRECTOR NOTE: {note}\n");
        }
        let _ = write!(text, "\nYou are {}. Respond in the response format.\n", me.display);
        text
    }
}

/// An actor's own line as it is told of it: in full if it does not remember it, and where it was stopped if it was cut
/// off.
fn tell_own(company: &Company, line: &Line, remembers: bool) -> Option<String> {
    let stopped = line.cut.as_ref().map(|cut| {
        format!(
            "(You were cut off by {}; the others heard only: \"{}\")",
            company.display(&cut.by),
            line.heard()
        )
    });
    if remembers {
        return stopped;
    }
    let whole = Line::new(line.id, line.beat, line.said.clone());
    let whole = whole.text(&company.setup);
    Some(stopped.map_or_else(|| whole.to_owned(), |stopped| format!("{whole}\n{stopped}")))
}
