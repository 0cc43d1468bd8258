//! What everything shares that is shown on a terminal as it happens.

use std::time::Duration;

use anstyle::{AnsiColor, Style};
use indicatif::{ProgressBar, ProgressStyle};

/// On a terminal somebody reads along.
pub(crate) const READING_PACE_SECONDS: f64 = 0.5;

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
pub(crate) const STATUS_MARGIN: usize = 6;

/// The colour of whoever has this place.
pub(crate) fn colour(place: usize) -> Style {
    Style::new().fg_color(Some(COLOURS[place % COLOURS.len()].into()))
}

/// A line that is redrawn in place.
pub(crate) fn spinner() -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner:.dim} {msg:.dim}");
    let bar = ProgressBar::new_spinner();
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}

/// As much of a text as fits into so many columns: a status line that wraps cannot be wiped away again.
pub(crate) fn fitting(text: &str, columns: usize) -> String {
    let mut fitting = String::new();
    for c in text.chars() {
        fitting.push(c);
        if textwrap::core::display_width(&fitting) > columns {
            fitting.pop();
            break;
        }
    }
    fitting
}
