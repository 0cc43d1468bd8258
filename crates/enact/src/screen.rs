//! Standard output: a run as it happens, on a terminal or into a pipe. A production only says what its facts
//! look like.

use std::{
    cell::OnceCell,
    fmt::Display,
    io::{self, IsTerminal, Write},
    path::Path,
    time::Duration,
};

use anstyle::{AnsiColor, Style};
use enact_drama::{
    Fact,
    text::{escaped_json, escaped_message},
};
use enact_engine::run_loop::Observer;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::reader::TextForm;

/// The pause after each line on a terminal, where a person reads along.
const READING_PACE_SECONDS: f64 = 0.5;

/// One colour for each who speaks, in order, and round again.
const COLOURS: [AnsiColor; 6] = [
    AnsiColor::Cyan,
    AnsiColor::Yellow,
    AnsiColor::Magenta,
    AnsiColor::Green,
    AnsiColor::Blue,
    AnsiColor::Red,
];
pub(crate) const FAINT: Style = Style::new().dimmed();
pub(crate) const BOLD: Style = Style::new().bold();

/// Room for the spinner, and for the `^C` that a terminal echoes.
const STATUS_MARGIN: usize = 6;

/// What a production shows of its facts.
pub(crate) trait Show {
    type Event;

    /// Takes in one more fact, and prints what there is to see of it. Returns whether that takes time to
    /// read.
    fn show(&mut self, fact: &Fact<Self::Event>, screen: &Screen) -> bool;

    /// Everything that came together was shown.
    fn shown(&mut self) {}

    /// What the run waits for, on one line.
    fn status(&self) -> Option<String> {
        None
    }
}

/// Shows facts once they are stored, and asks for a pause after everything that takes time to read.
pub(crate) struct Terminal<S> {
    pub(crate) shown: S,
    screen: Screen,
    pace: Duration,
}

impl<S: Show> Terminal<S> {
    /// Without a pace in seconds, the usual one where a person reads along. When quiet, nothing is printed; a
    /// pace that was asked for still holds.
    pub(crate) fn new(shown: S, pace: Option<f64>, quiet: bool) -> Terminal<S> {
        let is_terminal = io::stdout().is_terminal();
        let pace = pace.unwrap_or(if is_terminal && !quiet { READING_PACE_SECONDS } else { 0.0 });
        let screen = Screen { quiet, is_terminal, form: TextForm::Wire, status: OnceCell::new() };
        Terminal { shown, screen, pace: Duration::from_secs_f64(pace) }
    }

    /// Shows it in another form than that of transcripts.
    pub(crate) fn in_form(mut self, form: TextForm) -> Terminal<S> {
        self.screen.form = form;
        self
    }
}

impl<S: Show + Send> Observer<S::Event> for Terminal<S> {
    fn on_facts(&mut self, facts: &[Fact<S::Event>]) -> Duration {
        let mut to_read = 0;
        for fact in facts {
            to_read += u32::from(self.shown.show(fact, &self.screen));
        }
        self.shown.shown();
        if self.screen.is_interactive()
            && let Some(status) = self.shown.status()
        {
            self.screen.set_status(&status);
        }
        self.pace * to_read
    }

    fn is_paced(&self) -> bool {
        !self.pace.is_zero()
    }
}

/// Standard output, with a line below on a terminal that is redrawn in place.
pub(crate) struct Screen {
    quiet: bool,
    is_terminal: bool,
    form: TextForm,
    status: OnceCell<ProgressBar>,
}

impl Screen {
    /// Whether a person watches.
    pub(crate) fn is_interactive(&self) -> bool {
        self.is_terminal && !self.quiet
    }

    /// Whether what is said is set for reading.
    pub(crate) fn is_for_reader(&self) -> bool {
        self.form == TextForm::Reader
    }

    pub(crate) fn say(&self, text: &str) {
        if self.quiet {
            return;
        }
        // A pipe gets every line as it is; a person gets words that are not broken in two.
        let wrapped = self.is_terminal.then(|| textwrap::fill(text, textwrap::termwidth()));
        let text = wrapped.as_deref().unwrap_or(text);
        let write = || {
            let mut out = stdout();
            // A reader that has gone is no reason to stop a run: its log and its files are still wanted.
            let _ = writeln!(out, "{text}").and_then(|()| out.flush());
        };
        match self.status.get() {
            Some(status) => status.suspend(write),
            None => write(),
        }
    }

    /// The same, less visible.
    pub(crate) fn whisper(&self, text: &str) {
        self.say(&format!("{FAINT}{text}{FAINT:#}"));
    }

    /// Shows as much as fits: a status line that wraps cannot be wiped away again.
    fn set_status(&self, text: &str) {
        let columns = textwrap::termwidth().saturating_sub(STATUS_MARGIN);
        let mut fitting = String::new();
        for c in text.chars() {
            fitting.push(c);
            if textwrap::core::display_width(&fitting) > columns {
                fitting.pop();
                break;
            }
        }
        self.status.get_or_init(spinner).set_message(fitting);
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        if let Some(status) = self.status.get() {
            status.finish_and_clear();
        }
    }
}

fn spinner() -> ProgressBar {
    let bar = ProgressBar::new_spinner().with_style(style("{spinner:.dim} {msg:.dim}"));
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}

/// A bar that counts to `length`: `what` says what, such as "run {pos} of {len}". It hides itself where
/// standard error is no terminal.
pub(crate) fn progress_bar(length: usize, what: &str) -> ProgressBar {
    ProgressBar::new(length as u64).with_style(style(&format!("{{bar:24.dim}} {what}")))
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// Says something on standard error that a person should know.
pub(crate) fn note(text: impl Display) {
    anstream::eprintln!("note: {}", escaped_message(&text.to_string()));
}

pub(crate) fn notes<N: Display>(texts: impl IntoIterator<Item = N>) {
    texts.into_iter().for_each(note);
}

/// Standard output that takes a closed pipe (`enact export … | head`) for the end of interest, not for an
/// error.
pub(crate) fn stdout() -> impl Write {
    IgnoreBrokenPipe(anstream::stdout())
}

/// The same for bytes that are no text: each as it is, where [`stdout`] leaves out colours that a pipe cannot
/// show.
pub(crate) fn bytes() -> impl Write {
    IgnoreBrokenPipe(io::stdout().lock())
}

/// Prints a document for programs. Nothing in it acts on a terminal that shows it.
pub(crate) fn print_json(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    let json = serde_json::to_string_pretty(value)?;
    writeln!(out, "{}", escaped_json(&json))
}

struct IgnoreBrokenPipe<W>(W);

impl<W: Write> Write for IgnoreBrokenPipe<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        unless_closed(self.0.write(bytes), bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        unless_closed(self.0.flush(), ())
    }
}

fn unless_closed<T>(result: io::Result<T>, otherwise: T) -> io::Result<T> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(otherwise),
        other => other,
    }
}

/// The colour of the speaker at this place.
pub(crate) fn colour(place: usize) -> Style {
    Style::new().fg_color(Some(COLOURS[place % COLOURS.len()].into()))
}

/// All who speak, each in its colour.
pub(crate) fn coloured_names<N: Display>(names: impl Iterator<Item = N>) -> String {
    let coloured = names.enumerate().map(|(place, name)| {
        let colour = colour(place);
        format!("{colour}{name}{colour:#}")
    });
    coloured.collect::<Vec<_>>().join(", ")
}

/// A line of text that begins with its speaker's name: the name in its colour, what stands in brackets behind
/// it faint.
pub(crate) fn coloured_line(text: &str, name: &str, place: usize) -> String {
    let rest = text.strip_prefix(name).unwrap_or(text);
    let (business, words) = rest.split_at(rest.find(']').map_or(0, |end| end + 1));
    let colour = colour(place).bold();
    format!("{colour}{name}{colour:#}{FAINT}{business}{FAINT:#}{words}")
}

/// A path as a word of a shell's command line, so that a printed command can be copied as it is.
pub(crate) fn shell_word(path: &Path) -> String {
    let text = path.display().to_string();
    // What begins with a dash would be read as a flag.
    let text = if text.starts_with('-') { format!("./{text}") } else { text };
    let is_plain = |c: char| c.is_alphanumeric() || "_-./+=:@,".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text;
    }
    format!("'{}'", escaped_message(&text).replace('\'', r"'\''"))
}

/// ", as Alice and Bob": whom a model plays, unless it plays all of them.
pub(crate) fn as_whom<N: AsRef<str>>(parts: &[N], all: usize) -> String {
    match parts.iter().map(N::as_ref).collect::<Vec<_>>() {
        parts if !parts.is_empty() && parts.len() < all => format!(", as {}", parts.join(", ")),
        _ => String::new(),
    }
}
