//! Which reply an answer holds: the first head that says or does something, or, without any head, all of it.

use super::{
    Action, Complaints, PartialReply,
    body::{self, SpokenBody},
    bracket::{self, Bracket},
    head::Head,
    keyword, piece, speaker,
};

const NO_BRACKETS: &str = "no square brackets around the keywords";

/// Who opens this many brackets and says nothing in any of them says nothing.
const MAX_HEADS: usize = 16;

/// Reads an answer that is text.
pub(super) fn read<'a>(text: &'a str, complaints: &mut Complaints) -> PartialReply<'a> {
    if text.trim_matches(|c: char| !c.is_alphanumeric()) == "SILENT" && !text.contains(bracket::is_bracket) {
        complaints.say(NO_BRACKETS);
        let head = Head { action: Some(Action::Silent), ..Head::default() };
        return PartialReply { head, ..PartialReply::default() };
    }
    let Some(first) = candidate(text, 0, complaints) else { return bare(text, complaints) };
    let before = first.start;
    let mut end = first.draft.spoken.end;
    let mut draft = first.draft;
    for _ in 1..MAX_HEADS {
        if is_usable(&draft) {
            break;
        }
        let mut later = Complaints::default();
        let Some(next) = candidate(text, end, &mut later) else { break };
        let gives_way = draft.head.action != Some(Action::Silent) || !next.named;
        if !gives_way {
            break;
        }
        end = next.draft.spoken.end;
        let nothing = !is_usable(&next.draft) && draft.head.action.is_some();
        if !nothing {
            complaints.say("a bracket without a reply: left out");
            draft = next.draft;
            later.0.into_iter().for_each(|warning| complaints.say(&warning.0));
        }
    }
    if next_head(text, end).is_some() {
        complaints.say(piece::MORE_THAN_ONE);
    }
    take_what_stands_before(text, before, &mut draft, complaints);
    draft
}

/// A head with its body.
struct Candidate<'a> {
    start: usize,
    /// Whether it begins its line behind a name.
    named: bool,
    draft: PartialReply<'a>,
}

fn candidate<'a>(text: &'a str, from: usize, complaints: &mut Complaints) -> Option<Candidate<'a>> {
    let (mut bracket, mut head) = next_head(text, from)?;
    let start = bracket.start;
    let named = piece::name_before(text, start).is_some();
    let mut inside_from = bracket.inner_start;
    while let Some((next, more)) = adjacent_head(text, &bracket) {
        if !head.merge(&more) {
            break;
        }
        bracket = next;
        inside_from = bracket.inner_start;
    }
    if !text[start..].starts_with(bracket::is_bracket) {
        complaints.say(NO_BRACKETS);
    } else if !bracket.closed {
        complaints.say("closing bracket missing");
    }
    if head.twice {
        complaints.say("an attribute given twice: the first one is read");
    }
    let spoken = match &head.inside {
        // An unclosed bracket goes over into what is said.
        Some(inside) if !bracket.closed && inside.end == bracket.inner.len() => {
            body::read(text, inside_from + inside.start, complaints)
        }
        Some(inside) => {
            complaints.say("words inside the bracket: read as spoken");
            let within =
                body::read(&text[..inside_from + inside.end], inside_from + inside.start, complaints);
            join(within, body::read(text, bracket.end, complaints))
        }
        None => body::read(text, bracket.end, complaints),
    };
    Some(Candidate { start, named, draft: PartialReply { head, spoken, bare: false } })
}

fn join<'a>(first: SpokenBody<'a>, second: SpokenBody<'a>) -> SpokenBody<'a> {
    let text = match (first.text.is_empty(), second.text.trim().is_empty()) {
        (true, _) => second.text,
        (_, true) => first.text,
        _ => format!("{} {}", first.text.trim(), second.text.trim()).into(),
    };
    let nonverbal = [first.nonverbal, second.nonverbal].concat();
    SpokenBody {
        text,
        quoted: first.quoted || second.quoted,
        nonverbal,
        tone: first.tone.or(second.tone),
        end: second.end,
    }
}

fn next_head(text: &str, from: usize) -> Option<(Bracket<'_>, Head<'_>)> {
    if from == 0 && begins_bare_head(text) {
        return bare_head(text);
    }
    let mut from = from;
    while let Some(bracket) = bracket::find(text, from) {
        let head = Head::read(bracket.inner, bracket.closed);
        if let Some(head) = head.filter(|_| !bracket::is_forged(bracket.inner)) {
            return Some((bracket, head));
        }
        from = bracket.end.max(bracket.inner_start);
    }
    None
}

/// A head that lost its brackets is one or more lines that begin with a keyword in capitals.
fn bare_head(text: &str) -> Option<(Bracket<'_>, Head<'_>)> {
    let start = text.len() - undecorated(text).len();
    let mut end = start;
    loop {
        end = text[end..].find(['\n', '[']).map_or(text.len(), |length| end + length);
        if !text[end..].starts_with('\n') || !begins_bare_head(&text[end..]) {
            break;
        }
        end = text.len() - undecorated(&text[end..]).len();
    }
    let inner = &text[start..end];
    let head = Head::read(inner, false)?;
    Some((Bracket { start, inner_start: start, inner, end, closed: false }, head))
}

fn begins_bare_head(text: &str) -> bool {
    keyword::begins_in_capitals(undecorated(text).as_bytes())
}

/// Without the asterisks of a bold keyword.
fn undecorated(text: &str) -> &str {
    text.trim_start().trim_start_matches('*')
}

/// The head that follows a bracket with nothing in between.
fn adjacent_head<'a>(text: &'a str, bracket: &Bracket<'_>) -> Option<(Bracket<'a>, Head<'a>)> {
    let rest = &text[bracket.end..];
    let start = text.len() - rest.trim_start().len();
    if start >= text.len() || !bracket.closed {
        return None;
    }
    let next = bracket::at(text, start)?;
    let head = Head::read(next.inner, next.closed)?;
    (!bracket::is_forged(next.inner)).then_some((next, head))
}

fn is_usable(draft: &PartialReply<'_>) -> bool {
    let acts = !draft.head.nonverbal.is_empty() || !draft.spoken.nonverbal.is_empty();
    let says = !draft.spoken.text.trim().is_empty();
    match draft.head.action {
        Some(Action::React) => true,
        Some(Action::Silent) => acts,
        Some(Action::Speak | Action::Interrupt) | None => acts || says,
    }
}

/// In front of the head stand names and announcements, which go; actions, which count; and sometimes what is
/// said.
fn take_what_stands_before<'a>(
    text: &'a str,
    head: usize,
    draft: &mut PartialReply<'a>,
    complaints: &mut Complaints,
) {
    let before = text[..head]
        .trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '*' | '"' | '“' | '«' | '「'));
    if !before.contains(char::is_alphanumeric) {
        return;
    }
    // `*Sighs* [TONE: sad]` is no name, `**Alice** [TONE: sad]` is one.
    let acts = before.starts_with('*') && !before.starts_with("**");
    let words = before.trim_matches(['*', '_']);
    let whole = text[..head].trim_start();
    let is_prefix = speaker::prefix(whole).is_some_and(|prefix| prefix.length == whole.len());
    if (speaker::is_name(words) && !acts) || is_prefix {
        complaints.say("a name before the bracket: left out");
        return;
    }
    // Further up stands what the model thought of the task, if anything: with bullets, which are no actions.
    let line = text[..head].trim_end().rfind('\n').map_or(0, |at| at + 1);
    let mut unsaid = Complaints::default();
    let found = body::read(&text[..head], line, &mut unsaid);
    let mut nonverbal = found.nonverbal;
    let acted = !nonverbal.is_empty();
    if acted {
        complaints.say("action outside the bracket: read as nonverbal");
        nonverbal.append(&mut draft.spoken.nonverbal);
        draft.spoken.nonverbal = nonverbal;
    }
    let speaks = !matches!(draft.head.action, Some(Action::Silent | Action::React));
    if speaks && found.quoted && draft.spoken.text.trim().is_empty() {
        complaints.say("words before the bracket: read as spoken");
        draft.spoken.text = found.text;
        draft.spoken.quoted = true;
    } else if line > 0 || !acted || !found.text.trim().is_empty() {
        complaints.say("text before the bracket: left out");
    }
}

/// An answer without any head.
fn bare<'a>(text: &'a str, complaints: &mut Complaints) -> PartialReply<'a> {
    let lead = text.len() - text.trim_start().len();
    let start = match speaker::announcement(&text[lead..]) {
        Some(length) => {
            complaints.say("text before the reply: left out");
            lead + length
        }
        None => lead,
    };
    let spoken = body::read(text, start, complaints);
    PartialReply { head: Head::default(), spoken, bare: true }
}
