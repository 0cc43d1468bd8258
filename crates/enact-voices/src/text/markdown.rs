//! Markdown as models write it, read aloud: a line at a time, so that half-open markup costs no more than its line.

use super::has_words;

/// Labels of links are a few words. Bounded, so that a line of brackets is read once and not once for each.
const LONGEST_LABEL: usize = 300;

/// Longer addresses are taken by no browser.
const LONGEST_ADDRESS: usize = 2_000;

/// Tags with their attributes.
const LONGEST_TAG: usize = 200;

/// What is said of a text: without markup, addresses, pictures and whatever else has no sound, on one line.
pub(crate) fn spoken(text: &str) -> String {
    let mut said = String::with_capacity(text.len());
    for line in text.split(['\n', '\r', '\u{2028}', '\u{2029}', '\u{85}']) {
        let Some(line) = MarkdownLine::of(line) else { continue };
        let words = inline(line.text);
        for word in words.split_whitespace() {
            if !said.is_empty() {
                said.push(' ');
            }
            said.push_str(word);
        }
        if line.is_sentence && has_words(&words) {
            end_sentence(&mut said);
        }
    }
    said
}

/// A line of a text as it is laid out.
struct MarkdownLine<'a> {
    text: &'a str,
    /// Headings, rows of tables and entries of lists end where their line does, though they rarely have a full stop.
    is_sentence: bool,
}

impl MarkdownLine<'_> {
    /// Nothing for rulers and fences.
    fn of(line: &str) -> Option<MarkdownLine<'_>> {
        let mut text = line.trim();
        while let Some(quoted) = text.strip_prefix('>') {
            text = quoted.trim_start();
        }
        if text.starts_with("```") || text.starts_with("~~~") {
            return None;
        }
        if !text.is_empty() && text.chars().all(|c| "-=*_|:+ ".contains(c)) {
            return None;
        }
        let heading = text.trim_start_matches('#');
        if heading.len() < text.len() && heading.starts_with(' ') {
            return Some(MarkdownLine { text: heading.trim().trim_end_matches('#'), is_sentence: true });
        }
        let entry = ["- ", "* ", "+ ", "• "].iter().find_map(|bullet| text.strip_prefix(bullet));
        if let Some(entry) = entry {
            let boxes = ["[ ] ", "[x] ", "[X] "];
            let entry = boxes.iter().find_map(|ticked| entry.strip_prefix(ticked)).unwrap_or(entry);
            return Some(MarkdownLine { text: entry, is_sentence: true });
        }
        Some(MarkdownLine { text, is_sentence: text.starts_with('|') })
    }
}

fn end_sentence(said: &mut String) {
    let open = said.trim_end_matches([',', ';', ' ']).len();
    said.truncate(open);
    if !said.ends_with(['.', '!', '?', ':', '…', '。', '！', '？']) {
        said.push('.');
    }
}

/// What is said of the text of a line.
fn inline(line: &str) -> String {
    let mut said = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let taken = construct(rest, &mut said);
        if taken > 0 {
            rest = &rest[taken..];
            continue;
        }
        let after = &rest[c.len_utf8()..];
        match replacement(c, said.chars().next_back(), after.chars().next()) {
            Some(other) => said.push_str(other),
            None => said.push(c),
        }
        rest = after;
    }
    said
}

/// Reads a link, an address, a tag or a strike-through at the beginning of `rest`, and gives its length; 0 if there is none.
fn construct(rest: &str, said: &mut String) -> usize {
    if let Some((label, taken)) = link(rest) {
        // A label has no brackets in it, so this goes one level deep.
        said.push_str(&inline(label));
        return taken;
    }
    if let Some((host, taken)) = address(rest) {
        said.push_str(&host.replace('.', " dot "));
        return taken;
    }
    if let Some(taken) = tag(rest) {
        said.push(' ');
        return taken;
    }
    if rest.starts_with("~~") { 2 } else { 0 }
}

/// `[label](address)`, or the same for a picture.
fn link(rest: &str) -> Option<(&str, usize)> {
    let picture = usize::from(rest.starts_with('!'));
    let inner = rest[picture..].strip_prefix('[')?;
    let label = &inner[..end_within(inner, LONGEST_LABEL, |c| matches!(c, ']' | '['))?];
    let target = inner[label.len()..].strip_prefix("](")?;
    let address = end_within(target, LONGEST_ADDRESS, |c| matches!(c, ')' | '('))?;
    target[address..].starts_with(')').then_some((label, picture + 1 + label.len() + 2 + address + 1))
}

/// An address in the text: its host is all that is said of it.
fn address(rest: &str) -> Option<(&str, usize)> {
    let opened = usize::from(rest.starts_with('<'));
    let inner = &rest[opened..];
    let begins = |with: &&str| inner.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with));
    let scheme = ["https://", "http://", "www."].into_iter().find(begins)?.len();
    let whole = &inner[scheme..];
    let end = whole.find(|c: char| c.is_whitespace() || "<>\"'`)]}|*".contains(c)).unwrap_or(whole.len());
    let whole = whole[..end].trim_end_matches(['.', ',', ';', ':', '!', '?']);
    let host = whole.split(['/', '?', '#', ':']).next().unwrap_or_default();
    let host = host.strip_prefix("www.").unwrap_or(host);
    let end = opened + scheme + whole.len();
    let closed = usize::from(opened > 0 && rest[end..].starts_with('>'));
    (!host.is_empty()).then_some((host, end + closed))
}

/// The length of `<b>`, `</b>` or `<br/>`. A plain "less than" is none.
fn tag(rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix('<')?;
    inner.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '!').then_some(())?;
    let end = end_within(inner, LONGEST_TAG, |c| matches!(c, '<' | '>'))?;
    inner[end..].starts_with('>').then_some(end + 2)
}

fn end_within(text: &str, longest: usize, ends: impl Fn(char) -> bool) -> Option<usize> {
    text[..text.floor_char_boundary(longest)].find(ends)
}

/// What is said in place of a character that has no sound of its own between its neighbours.
fn replacement(c: char, before: Option<char>, after: Option<char>) -> Option<&'static str> {
    let within = |kind: fn(char) -> bool| before.is_some_and(kind) && after.is_some_and(kind);
    match c {
        '*' if within(|c| c.is_ascii_digit()) => Some(" times "),
        '_' if within(char::is_alphanumeric) => Some(" "),
        '*' | '_' | '`' => Some(""),
        '\\' if after.is_some_and(|c| c.is_ascii_punctuation()) => Some(""),
        '|' => Some(", "),
        _ if c.is_control() || c.is_whitespace() => Some(" "),
        _ if is_invisible(c) => Some(""),
        _ if is_picture(c) => Some(" "),
        _ => None,
    }
}

/// Soft hyphens, joiners, marks of direction, and what chooses how a picture looks.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}' | '\u{20e3}' | '\u{e0000}'..='\u{e0fff}')
}

/// Emoji, arrows, stars, boxes, and private characters.
fn is_picture(c: char) -> bool {
    matches!(c,
        '\u{2190}'..='\u{21ff}' | '\u{2300}'..='\u{23ff}' | '\u{2500}'..='\u{27bf}' | '\u{2900}'..='\u{297f}'
        | '\u{2b00}'..='\u{2bff}' | '\u{e000}'..='\u{f8ff}' | '\u{fff0}'..='\u{ffff}' | '\u{1f000}'..='\u{1faff}'
        | '\u{f0000}'..='\u{10ffff}')
}
