//! Transcripts as text: header, lines, events, end line and statistics, as the requirements lay them out.

use super::{EXAMPLE, Raw, Transcript, lines};
use crate::{
    Problem,
    reply::{self, Action},
};

/// Longer beginnings of a line are prose, not a name.
const LONGEST_NAME_WORDS: usize = 4;

pub(super) fn read(text: &str) -> Result<Transcript, Problem> {
    let mut rows = text.lines().peekable();
    while rows.next_if(|row| row.trim().is_empty()).is_some() {}
    let mut transcript = Transcript::default();
    if rows.peek().is_some_and(|row| header_key(row).is_some()) {
        read_header(rows.by_ref().take_while(|row| !is_rule(row)), &mut transcript);
    }
    let mut reader = RowReader { cast: transcript.characters.clone(), ..RowReader::default() };
    let laid_out = text.contains("[SCENE START]");
    for row in rows {
        if is_rule(row) || row.trim_start().starts_with("[SCENE END") {
            break;
        }
        reader.row(row);
    }
    reader.close();
    // A scene in which nobody spoke has no lines; a text that is no transcript has none either.
    if reader.lines.is_empty() && !laid_out {
        return Err(Problem::config("No lines were found in the transcript").at(1, 1).hint(EXAMPLE));
    }
    transcript.lines = lines(reader.lines);
    Ok(transcript)
}

fn is_rule(row: &str) -> bool {
    let row = row.trim();
    row.len() >= 3 && row.chars().all(|c| c == '-')
}

/// The keys of a header, each at the start of a row.
fn header_key(row: &str) -> Option<(&'static str, &str)> {
    const KEYS: [&str; 4] = ["SCENE:", "CHARACTERS:", "GOAL:", "GENERATED:"];
    KEYS.iter().find_map(|key| row.trim_start().strip_prefix(key).map(|rest| (*key, rest.trim())))
}

fn read_header<'t>(rows: impl Iterator<Item = &'t str>, transcript: &mut Transcript) {
    let mut key = "";
    for row in rows {
        let rest = match header_key(row) {
            Some((found, rest)) => {
                key = found;
                rest
            }
            None => row.trim(),
        };
        match key {
            "CHARACTERS:" => {
                let names = rest.split(',').map(str::trim).filter(|name| !name.is_empty());
                transcript.characters.extend(names.map(str::to_owned));
            }
            "GOAL:" if !rest.is_empty() => {
                let goal = transcript.goal.get_or_insert_default();
                if !goal.is_empty() {
                    goal.push(' ');
                }
                goal.push_str(rest);
            }
            _ => {}
        }
    }
}

/// Puts rows together to lines: long lines are wrapped over several rows.
#[derive(Default)]
struct RowReader {
    /// Those the header names: whatever they are called, rows that begin with it are theirs.
    cast: Vec<String>,
    open: Option<OpenLine>,
    lines: Vec<Raw>,
}

/// A line whose end has not been seen.
struct OpenLine {
    speaker: String,
    /// What follows the name, rows joined by a blank.
    rest: String,
    kind: RowKind,
    /// Whether a quotation is open at its end. Kept row by row: counting it anew would take quadratic time.
    quoting: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum RowKind {
    /// `Alice [TONE: calm] "…"`: what follows the name is a reply, as an actor would send it.
    Reply,
    /// `Alice: …`
    Plain,
    /// `[EVENT: …]`, `[SYSTEM: …]`
    World,
    /// What belongs to the page rather than to the scene: `[SCENE START]`, `[Setting: …]`.
    Page,
}

impl RowReader {
    fn row(&mut self, row: &str) {
        let row = row.trim();
        let quoting = self.open.as_ref().is_some_and(|open| open.quoting && open.kind != RowKind::Page);
        if row.is_empty() {
            if !quoting {
                self.close();
            }
            return;
        }
        match self.begin(row) {
            Some(open) if !quoting || open.kind != RowKind::Plain => {
                self.close();
                self.open = Some(open);
            }
            _ => {
                if let Some(open) = &mut self.open {
                    open.add(row);
                }
            }
        }
    }

    /// The line that begins with a row, if one does.
    fn begin(&self, row: &str) -> Option<OpenLine> {
        let is_name = |name: &str| is_name(name) || self.cast.iter().any(|known| known == name);
        if let Some(inner) = row.strip_prefix('[') {
            let world = ["EVENT:", "SYSTEM:"].iter().find_map(|key| inner.strip_prefix(key));
            let (kind, rest) = world.map_or((RowKind::Page, inner), |rest| (RowKind::World, rest));
            return Some(OpenLine::new(kind, "", rest));
        }
        if let Some((name, attributes)) = row.split_once(" [")
            && is_name(name)
            && is_attributes(attributes)
        {
            return Some(OpenLine::new(RowKind::Reply, name, &format!("[{attributes}")));
        }
        let (name, rest) = row.split_once(':').filter(|(name, _)| is_name(name))?;
        let rest = rest.trim_start_matches(['*', '_']).trim();
        let kind = match rest.strip_prefix('[') {
            Some(attributes) if is_attributes(attributes) => RowKind::Reply,
            _ => RowKind::Plain,
        };
        Some(OpenLine::new(kind, name, rest))
    }

    fn close(&mut self) {
        let Some(open) = self.open.take() else { return };
        match open.kind {
            RowKind::Page => {}
            RowKind::World => {
                let content = open.rest.trim().trim_end_matches(']').trim_end().to_owned();
                self.lines.push(Raw { content, ..Raw::default() });
            }
            RowKind::Plain => {
                let content = unquoted(&open.rest).to_owned();
                self.lines.push(Raw { speaker: open.speaker, content, ..Raw::default() });
            }
            RowKind::Reply => {
                let (head, said) = laid_out(&open.rest).unzip();
                let reply = reply::parse(head.as_deref().unwrap_or(&open.rest)).reply;
                self.lines.push(Raw {
                    speaker: open.speaker,
                    content: said.map_or(reply.content, str::to_owned),
                    tone: Some(reply.tone),
                    action: Some(reply.action),
                    target: reply.target,
                    interrupt_after: reply.interrupt_after.filter(|_| reply.action == Action::Interrupt),
                });
            }
        }
    }
}

impl OpenLine {
    fn new(kind: RowKind, name: &str, rest: &str) -> OpenLine {
        OpenLine { speaker: clean_name(name), rest: rest.to_owned(), kind, quoting: has_odd_quotes(rest) }
    }

    fn add(&mut self, row: &str) {
        self.rest.push(' ');
        self.rest.push_str(row);
        self.quoting ^= has_odd_quotes(row);
    }
}

/// The head and the words of a line as transcripts lay it out, `[TONE: calm] "Yes."`: the words are what
/// stands between the quotes, whatever it looks like. The head comes with a word in quotes, so that it reads
/// as that of something said. Nothing if the quotes do not belong together, as where people write
/// `"No," she said, "not I."`
fn laid_out(line: &str) -> Option<(String, &str)> {
    let (head, said) = line.split_once(']')?;
    let said = said.strip_prefix(" \"")?.strip_suffix('"')?;
    reply::is_nestable(said).then(|| (format!("{head}] \"-\""), said))
}

fn has_odd_quotes(text: &str) -> bool {
    text.matches('"').count() % 2 == 1
}

/// Whether the beginning of a row can be a name: few words, the first of them capital or the only one.
fn is_name(text: &str) -> bool {
    let name = clean_name(text);
    let words = name.split_whitespace().count();
    let first = name.chars().next();
    (1..=LONGEST_NAME_WORDS).contains(&words)
        && !name.contains(['"', '“', '!', '?', ','])
        && first.is_some_and(|c| c.is_alphanumeric() && (words == 1 || !c.is_lowercase()))
}

/// A name without its colon and the marks of bold print.
fn clean_name(text: &str) -> String {
    text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | ':')).to_owned()
}

/// Whether a bracket holds what a reply's bracket does.
fn is_attributes(text: &str) -> bool {
    const KEYS: [&str; 6] = ["TO:", "TONE:", "INTERRUPT", "SILENT", "REACT", "*"];
    let starts = |key: &&str| text.get(..key.len()).is_some_and(|start| start.eq_ignore_ascii_case(key));
    KEYS.iter().any(starts)
}

/// A text without the quotes around all of it.
fn unquoted(text: &str) -> &str {
    let text = text.trim();
    let inner = text.strip_prefix(['"', '“']).and_then(|text| text.strip_suffix(['"', '”']));
    inner.filter(|inner| !inner.contains(['"', '“', '”'])).unwrap_or(text)
}
