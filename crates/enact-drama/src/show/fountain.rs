//! The run as a screenplay in Fountain, the plain-text format that screenwriting programs read.

use super::{
    Shown, Story,
    clean::one_line,
    statistics::statistics,
    time,
    transcript::{end_line, goal_list},
    wording::{display, gesture, title},
};
use crate::{
    Name,
    reply::{Action, Reply},
    scene::{Line, Said, Setup},
};

/// What a scene heading may begin with to be one without being forced.
const HEADINGS: &[&str] = &["INT", "EXT", "EST", "I/E"];

/// What makes a line something other than plain text when it comes first: forced headings, action, transitions,
/// cues, lyrics, synopses, sections and parentheticals.
const LEADING_MARKS: &[char] = &['.', '!', '>', '@', '~', '=', '#', '('];

pub fn fountain(story: &Story) -> String {
    let mut text = title_page(story);
    text.push_str(&format!("\n{}\n", heading(story)));
    for shown in story.shown() {
        text.push_str(&format!("\n{}\n", element(&story.setup, shown)));
    }
    text.push_str(&format!("\n> {} <\n", end_line(story).trim_matches(['[', ']'])));
    text
}

fn title_page(story: &Story) -> String {
    let mut page = format!("Title: {}\n", title(&story.setup.name));
    if let Some(played_by) = statistics(story).into_iter().find(|(label, _)| *label == "Played by") {
        page.push_str(&format!("Credit: played by\nAuthor: {}\n", played_by.1));
    }
    page.push_str(&format!("Draft date: {}\n", time::day(story.started_at)));
    if let Some(goals) = goal_list(story) {
        page.push_str(&format!("Notes: Goal: {}\n", plain(&goals)));
    }
    page
}

/// Where it plays, or what it is called: forced, because people do not write `INT.` before a setting.
fn heading(story: &Story) -> String {
    let setting = story.setup.config.setting.as_deref().map(plain).unwrap_or_default();
    let setting = setting.trim_start_matches(|c: char| !c.is_alphanumeric());
    let place = if setting.is_empty() { title(&story.setup.name) } else { setting.to_owned() };
    // What stands between two `#` would be the scene's number.
    let place = place.replace('#', "").to_uppercase();
    if reads_as_heading(&place) { place } else { format!(".{place}") }
}

fn element(setup: &Setup, shown: Shown<'_>) -> String {
    match shown {
        Shown::Line(line) => match &line.said {
            Said::Actor { who, reply } => match (gesture(reply), line.heard()) {
                (Some(gesture), heard) if reply.action == Action::React || heard.is_empty() => {
                    acted(setup, who, &gesture)
                }
                _ => dialogue(setup, line, who, reply),
            },
            Said::World { text } => action(text),
            // Not part of the play: a note, which programs show beside it.
            Said::System { text } => format!("[[{}]]", plain(text)),
        },
        Shown::Silence(silence) => acted(setup, &silence.who, &silence.gesture),
    }
}

fn acted(setup: &Setup, who: &Name, gesture: &str) -> String {
    action(&format!("{} {gesture}.", display(setup, who)))
}

/// Action is always forced: then nothing in it can be taken for anything else.
fn action(text: &str) -> String {
    format!("!{}", plain(text))
}

/// A cue, a parenthetical and what is said. Nothing said, only a tone, gives a beat of silence, because a cue without a
/// line below it would be read as action.
fn dialogue(setup: &Setup, line: &Line, who: &Name, reply: &Reply) -> String {
    let (cue, words) = (cue(&display(setup, who)), words(&line.heard()));
    format!("{cue}\n({})\n{words}", parenthetical(reply))
}

/// What is said, below a cue.
pub(super) fn words(said: &str) -> String {
    let words = plain(said);
    match words.chars().next() {
        None => "…".to_owned(),
        Some(first) if LEADING_MARKS.contains(&first) => format!("\\{words}"),
        Some(_) => words,
    }
}

fn parenthetical(reply: &Reply) -> String {
    let interrupting = (reply.action == Action::Interrupt).then(|| "interrupting".to_owned());
    let target = reply.target.as_ref().map(|target| format!("to {target}"));
    let parts = [interrupting, target, Some(reply.tone.clone()), gesture(reply)];
    let text = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
    plain(&text.replace(['(', ')'], ""))
}

/// A name in capitals. Names that would not be seen as a cue, or as something else, are forced to be one.
pub(super) fn cue(name: &str) -> String {
    let name = plain(name).to_uppercase().replace('^', "");
    let plain_cue = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || " '-".contains(c))
        && !reads_as_heading(&name);
    if plain_cue { name } else { format!("@{name}") }
}

fn reads_as_heading(text: &str) -> bool {
    HEADINGS.iter().any(|heading| {
        text.strip_prefix(heading).is_some_and(|rest| rest.starts_with(['.', ' ', '/']) || rest.is_empty())
    })
}

/// Text without the marks that mean something anywhere in a line: emphasis, notes and comments.
pub(super) fn plain(text: &str) -> String {
    let text = one_line(text).replace('\\', "\\\\").replace('*', "\\*").replace('_', "\\_");
    text.replace("[[", "[ [").replace("]]", "] ]")
}
