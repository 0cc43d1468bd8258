//! The update that carries a beat to an actor, by a template (`templates/update.j2`). What stands before
//! it, the same in every request, comes from `templates`.

use std::borrow::Cow;

use super::{
    Line, LineIter, Lines, Said, Scene, SceneTemplate, notes,
    prepared::Prepared,
    silences::{self, VisibleSilence},
    state::{Actor, Exchange},
    templates::update_values,
};
use crate::{
    model_card::Context,
    prompt_template::{ReadyTemplate, Value},
};

/// Longer than most updates, which are written anew for every request.
const USUAL_BYTES: usize = 1024;

impl Scene {
    /// The text of an update that was answered earlier, with what is known by now of what was heard.
    pub(super) fn told(&self, actor: usize, exchange: &Exchange, writer: &UpdateWriter<'_>) -> String {
        let lines = self.beat.before.range(exchange.from..exchange.to);
        let silences = silences::between(&self.silences, exchange.since, exchange.beat);
        let update = Update {
            beat: exchange.beat,
            me: actor,
            history: History::New(lines, silences),
            notes: exchange.notes.iter().map(|note| &*note.text).collect(),
        };
        writer.write(&update, &self.prepared)
    }

    /// The text of the update that opens this beat for an actor whose model is told so much.
    pub(super) fn update(&self, actor: usize, context: Context, writer: &UpdateWriter<'_>) -> String {
        let seen = &self.beat.before;
        let history = match context {
            Context::Window => History::Recent(seen.newest(self.prepared.setup.window)),
            Context::Thread => {
                let Actor { told, told_at, .. } = self.actors[actor];
                let silences = silences::between(&self.silences, told_at, self.beat.number);
                History::New(seen.range(told..seen.len()), silences)
            }
        };
        let notes = notes::told_to(&self.beat.notes, actor).map(|note| &*note.text).collect();
        writer.write(&Update { beat: self.beat.number, me: actor, history, notes }, &self.prepared)
    }
}

/// Writes the updates of a request: by the project's own template, which is read once for all of them, or
/// by the built-in one. That one is written out in Rust, since every update of a thread is written again
/// for every request; a test holds the two together.
pub(super) struct UpdateWriter<'a>(Option<ReadyTemplate<'a>>);

impl<'a> UpdateWriter<'a> {
    pub(super) fn new(prepared: &'a Prepared) -> UpdateWriter<'a> {
        let file = SceneTemplate::Update.file();
        // Templates are checked before they come here; one that fails all the same must not cost a scene.
        UpdateWriter(prepared.own_update().and_then(|source| ReadyTemplate::read(file, source).ok()))
    }

    fn write(&self, update: &Update<'_>, prepared: &Prepared) -> String {
        let filled = self.0.as_ref().and_then(|template| template.fill(update.values(prepared)).ok());
        match filled {
            Some(text) => format!("{}\n", text.trim_end()),
            None => update.render(prepared),
        }
    }
}

impl Scene {
    /// What is new to an actor, a line each, for a person to read.
    pub(super) fn news_for(&self, actor: usize) -> Vec<String> {
        let (seen, prepared) = (&self.beat.before, &self.prepared);
        let new = seen.range(self.actors[actor].told..seen.len());
        let told = characters_read(&new).filter_map(|line| match line.is_by(&prepared.players[actor].name) {
            true => tell_own(prepared, line, true),
            false => Some(line.text(&prepared.setup).to_owned()),
        });
        told.collect()
    }
}

/// The update with the last lines, for a character in a conversation without beats.
pub(super) fn recent_update(
    prepared: &Prepared,
    me: usize,
    beat: u32,
    lines: &Lines,
    notes: &[&str],
) -> String {
    let history = History::Recent(lines.newest(prepared.setup.window));
    UpdateWriter::new(prepared).write(&Update { beat, me, history, notes: notes.to_vec() }, prepared)
}

/// What one update says.
struct Update<'a> {
    beat: u32,
    me: usize,
    history: History<'a>,
    notes: Vec<&'a str>,
}

/// How much of the transcript an update carries.
enum History<'a> {
    /// What is new to a model that remembers the rest: lines, and silences that could be seen.
    New(LineIter<'a>, &'a [VisibleSilence]),
    /// The last lines, for a model that remembers nothing.
    Recent(LineIter<'a>),
}

impl Update<'_> {
    /// The same for a template.
    fn values(&self, prepared: &Prepared) -> Value {
        let mut lines = Vec::new();
        let (remembers, last_event) = match &self.history {
            History::New(new, silences) => {
                self.tell_new(new, silences, prepared, |line| lines.push(line.to_owned()));
                (true, None)
            }
            History::Recent(recent) => {
                let told = |line: &Line| self.told(prepared, line, false).map(Cow::into_owned);
                lines.extend(characters_read(recent).filter_map(told));
                (false, characters_read(recent).next_back().map(|line| line.text(&prepared.setup)))
            }
        };
        let name = &prepared.players[self.me].display;
        update_values(self.beat, name, remembers, lines, last_event, &self.notes)
    }

    fn render(&self, prepared: &Prepared) -> String {
        let me = &prepared.players[self.me];
        let mut text = String::with_capacity(USUAL_BYTES);
        text.extend(["BEAT: ", &self.beat.to_string(), "\n"]);
        match &self.history {
            History::New(lines, silences) => {
                text.push_str("\nSINCE YOU LAST HEARD:\n");
                let begins = text.len();
                self.tell_new(lines, silences, prepared, |line| {
                    text.push_str(line);
                    text.push('\n');
                });
                if text.len() == begins {
                    text.push_str("(nothing)\n");
                }
            }
            History::Recent(lines) => {
                text.push_str("\nRECENT TRANSCRIPT:\n");
                for line in characters_read(lines).filter_map(|line| self.told(prepared, line, false)) {
                    text.push_str(&line);
                    text.push('\n');
                }
                let last = characters_read(lines).next_back().map(|line| line.text(&prepared.setup));
                if last.is_none() {
                    text.push_str("(nothing)\n");
                }
                text.extend(["\nLAST EVENT: ", last.unwrap_or("(none)"), "\n"]);
            }
        }
        for note in &self.notes {
            text.extend(["\nDIRECTOR NOTE: ", note, "\n"]);
        }
        text.extend(["\nYou are ", &me.display, ". Respond in the response format.\n"]);
        text
    }

    /// Tells what is new, each silence before the lines of later beats.
    fn tell_new(
        &self,
        lines: &LineIter<'_>,
        silences: &[VisibleSilence],
        prepared: &Prepared,
        mut tell: impl FnMut(&str),
    ) {
        let mut silences = silences.iter().filter(|silence| silence.actor != self.me).peekable();
        for line in characters_read(lines) {
            while let Some(silence) = silences.next_if(|silence| silence.beat < line.beat) {
                tell(&silence.text);
            }
            if let Some(line) = self.told(prepared, line, true) {
                tell(&line);
            }
        }
        silences.for_each(|silence| tell(&silence.text));
    }

    fn told<'l>(&self, prepared: &Prepared, line: &'l Line, remembers: bool) -> Option<Cow<'l, str>> {
        match line.is_by(&prepared.players[self.me].name) {
            false => Some(line.text(&prepared.setup).into()),
            true => tell_own(prepared, line, remembers).map(Cow::Owned),
        }
    }
}

/// Without what is said about the performance: that an actor's model failed is nothing a character can know.
fn characters_read<'a>(lines: &LineIter<'a>) -> impl DoubleEndedIterator<Item = &'a Line> {
    lines.clone().filter(|line| !matches!(line.said, Said::System { .. }))
}

/// An actor's own line as it is told of it: in full if it does not remember it, and where it was stopped if
/// it was cut off.
fn tell_own(prepared: &Prepared, line: &Line, remembers: bool) -> Option<String> {
    let stopped = line.cut.as_ref().map(|cut| {
        format!(
            "(You were cut off by {}; the others heard only: \"{}\")",
            prepared.display(&cut.by),
            line.heard()
        )
    });
    if remembers {
        return stopped;
    }
    let whole = Line::new(line.id, line.beat, line.said.clone());
    let whole = whole.text(&prepared.setup);
    Some(stopped.map_or_else(|| whole.to_owned(), |stopped| format!("{whole}\n{stopped}")))
}
