//! Markup within a line: links, addresses, tags, emphasis.

use super::marks::{Sound, sound};

/// Labels of links are a few words. Bounded, so that a line of brackets is read once and not once for each.
const LONGEST_LABEL: usize = 300;

/// Addresses that are longer than browsers take are none.
const LONGEST_ADDRESS: usize = 2_000;

/// Tags with their attributes.
const LONGEST_TAG: usize = 200;

/// What is said of a line.
pub(super) fn spoken(line: &str) -> String {
    let mut said = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let taken = construct(rest, &mut said);
        if taken > 0 {
            rest = &rest[taken..];
            continue;
        }
        let after = &rest[c.len_utf8()..];
        match sound(c, said.chars().next_back(), after.chars().next()) {
            Sound::Itself => said.push(c),
            Sound::None => {}
            Sound::Like(other) => said.push_str(other),
        }
        rest = after;
    }
    said
}

/// Reads a link, an address, a tag or the like at the beginning of `rest`, and says how long it was: nothing if there is none.
fn construct(rest: &str, said: &mut String) -> usize {
    if let Some((label, taken)) = link(rest) {
        // A label has no brackets in it, so this goes one level deep.
        said.push_str(&spoken(label));
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
    // Struck out, which sounds the same.
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

/// An address that stands in the text as it is: its host, which is all that anybody wants to hear of it.
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

/// `<b>`, `</b>`, `<br/>`: how long it is. What is less than something else is none.
fn tag(rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix('<')?;
    inner.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '!').then_some(())?;
    let end = end_within(inner, LONGEST_TAG, |c| matches!(c, '<' | '>'))?;
    inner[end..].starts_with('>').then_some(end + 2)
}

fn end_within(text: &str, longest: usize, ends: impl Fn(char) -> bool) -> Option<usize> {
    let near = &text[..text.floor_char_boundary(longest)];
    near.find(ends)
}
