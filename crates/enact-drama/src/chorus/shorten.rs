//! The last resort against answers that are too long: cut at the end of a sentence, else of a word.

use super::Turn;

/// How much may be said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LengthLimit {
    pub(super) sentences: usize,
    pub(super) chars: usize,
}

impl LengthLimit {
    /// As the requirements have it; the built-in prompts say the same.
    pub(super) fn of(turn: Turn) -> LengthLimit {
        match turn {
            Turn::Respond => LengthLimit { sentences: 3, chars: 400 },
            Turn::Comment => LengthLimit { sentences: 1, chars: 200 },
            Turn::Reply => LengthLimit { sentences: 2, chars: 400 },
        }
    }
}

/// A text that had to be shortened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shorter {
    pub(super) text: String,
    /// For the log.
    pub(super) why: String,
}

/// A whole sentence is worth less than a broken one of which more than so many times as much can be heard:
/// "Oh." says nothing.
const LEAST_PART: usize = 4;

/// What is left of a text on one line that is too long; nothing if it is not.
pub(super) fn shorten(text: &str, measure: LengthLimit) -> Option<Shorter> {
    let LengthLimit { sentences, chars } = measure;
    let ends = sentence_ends(text);
    let length = text.chars().count();
    let why = match (length > chars, ends.len() > sentences) {
        (false, false) => return None,
        (true, _) => format!("{length} characters instead of {chars}: shortened"),
        (false, true) => format!("{} sentences instead of {sentences}: shortened", ends.len()),
    };
    let allowed = &ends[..ends.len().min(sentences)];
    let whole = allowed.last().map_or(text, |end| &text[..*end]);
    Some(Shorter { text: fitting(whole, allowed, chars), why })
}

/// As much of a text as there is room for; all of it, if that much is.
fn fitting(whole: &str, ends: &[usize], most_chars: usize) -> String {
    let chars = |end: usize| whole[..end].chars().count();
    match ends.iter().rev().find(|end| chars(**end) <= most_chars) {
        Some(end) if *end == whole.len() || chars(*end) >= most_chars / LEAST_PART => {
            whole[..*end].to_owned()
        }
        _ => at_a_word(whole, most_chars),
    }
}

/// Abbreviations that names follow: after them a capital letter begins no sentence.
const ABBREVIATIONS: [&str; 17] = [
    "dr", "mr", "mrs", "ms", "mx", "prof", "st", "mt", "vs", "sr", "jr", "gen", "capt", "lt", "col", "etc",
    "approx",
];
/// Those that are words as well: only a number makes them short for something.
const BEFORE_NUMBERS: [&str; 3] = ["no", "fig", "vol"];

/// Fewer words before a full stop are only the beginning of a sentence: "Oh." "Mt."
const FEWEST_WORDS: usize = 3;
/// Before any other stop, since exclamations have a few more: "Oh my god!" "Is that so?"
const FEWEST_WORDS_EXCLAIMED: usize = 4;

/// Where the sentences of a text end, the last of them at its end.
///
/// Where it is not sure that one ends, it does not: what is said too much can be borne, what is cut off is
/// lost. Exclamations belong to the sentence they stand before; the last one, to the sentence it follows.
fn sentence_ends(text: &str) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut begins = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if !is_stop(c) {
            continue;
        }
        // More stops, and the quotes and brackets they stand in, belong to the same sentence.
        while chars.next_if(|(_, c)| is_stop(*c) || closes(*c)).is_some() {}
        let end = chars.peek().map_or(text.len(), |(end, _)| *end);
        let stop = Stop { before: &text[begins..at], run: &text[at..end], after: &text[end..] };
        if stop.ends_sentence() {
            ends.push(end);
            begins = end;
        }
    }
    match ends.last_mut() {
        Some(last) if words(&text[*last..]) < FEWEST_WORDS => *last = text.len(),
        _ => ends.push(text.len()),
    }
    ends
}

/// A stop, with the sentence so far and all that follows.
struct Stop<'a> {
    before: &'a str,
    /// The stop, and what belongs to it: `?!`, `.)`.
    run: &'a str,
    after: &'a str,
}

impl Stop<'_> {
    fn ends_sentence(&self) -> bool {
        let first = self.run.chars().next().unwrap_or_default();
        let full = is_wide_stop(first) || matches!(self.run.trim_end_matches(closes), "." | "।");
        let fewest = if full { FEWEST_WORDS } else { FEWEST_WORDS_EXCLAIMED };
        words(self.before) >= fewest && !self.is_quoted() && self.goes_on_anew(first)
    }

    /// Whether what follows can be the beginning of a sentence.
    fn goes_on_anew(&self, stop: char) -> bool {
        let Some(next) = self.after.trim_start().chars().next() else { return true };
        let spaced = self.after.starts_with(char::is_whitespace);
        if is_wide_stop(stop) {
            // 「雨だ。」と goes on; 「雨だ。」「そう。」 does not.
            return spaced || !self.run.ends_with(closes) || opens(next);
        }
        // `3.5`, `enact.toml`, and what goes on in small letters: "Really?" she said.
        if !spaced || next.is_lowercase() {
            return false;
        }
        self.run != "." || !self.is_abbreviated(next)
    }

    fn is_abbreviated(&self, next: char) -> bool {
        let word = self.before.rsplit(|c: char| c.is_whitespace() || opens(c)).next().unwrap_or_default();
        let letter = |part: &str| part.chars().count() == 1 && part.chars().all(char::is_alphabetic);
        // `J`, `J.R.R`, `U.S`, `p.m`; "So do I" ends.
        let initials = word.split('.').all(letter)
            && word != "I"
            && !(letter(word) && word.chars().all(char::is_lowercase));
        let plain = word.to_lowercase();
        let plain = plain.as_str();
        initials || ABBREVIATIONS.contains(&plain) || (BEFORE_NUMBERS.contains(&plain) && next.is_numeric())
    }

    /// Whether a quotation is still open: its sentences are another speaker's.
    fn is_quoted(&self) -> bool {
        let count = |c: char| self.before.matches(c).count() + self.run.matches(c).count();
        let open = |opening: char, closing: char| count(opening) > count(closing);
        // „ is closed by what opens elsewhere.
        let curly = count('„') == 0 && open('“', '”');
        count('"') % 2 == 1 || curly || open('「', '」') || open('『', '』')
    }
}

/// How many words there are; in scripts without spaces, characters.
fn words(text: &str) -> usize {
    let spoken = |word: &&str| word.contains(char::is_alphanumeric);
    let wide = |c: &char| {
        matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
            && c.is_alphanumeric()
    };
    text.split_whitespace().filter(spoken).count().max(text.chars().filter(wide).count())
}

fn is_stop(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…' | '؟' | '।') || is_wide_stop(c)
}

/// Those of scripts that put no space after them.
fn is_wide_stop(c: char) -> bool {
    matches!(c, '。' | '！' | '？' | '｡')
}

fn closes(c: char) -> bool {
    matches!(c, '"' | '\'' | ')' | ']' | '”' | '’' | '»' | '」' | '』' | '）')
}

fn opens(c: char) -> bool {
    matches!(c, '"' | '\'' | '(' | '[' | '“' | '‘' | '«' | '「' | '『' | '（')
}

/// Cuts at the end of a word, with an ellipsis. A word that is longer than all there is room for is cut
/// itself.
fn at_a_word(text: &str, most_chars: usize) -> String {
    let room = most_chars.saturating_sub(1);
    let mut end = text.char_indices().nth(room).map_or(text.len(), |(end, _)| end);
    // A character and the marks that belong to it stay together.
    while text[end..].starts_with(belongs_to_the_one_before) || text[..end].ends_with(JOINER) {
        let Some((before, _)) = text[..end].char_indices().next_back() else { break };
        end = before;
    }
    let inside_a_word = !text[end..].starts_with(char::is_whitespace);
    // Scripts without spaces have only the few around foreign words: so far back nothing would be left.
    let near = |space: &usize| inside_a_word && *space > end / 2;
    let end = text[..end].rfind(char::is_whitespace).filter(near).unwrap_or(end);
    let dangling = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '-' | '–' | '—');
    format!("{}…", text[..end].trim_end_matches(dangling))
}

/// Makes one emoji of two.
const JOINER: char = '\u{200d}';

/// Combining marks, variation selectors, skin tones and joiners.
fn belongs_to_the_one_before(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{20d0}'..='\u{20ff}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{1f3fb}'..='\u{1f3ff}' | '\u{e0100}'..='\u{e01ef}' | '\u{5b0}'..='\u{5c7}' | '\u{64b}'..='\u{65f}'
        | '\u{900}'..='\u{903}' | '\u{93a}'..='\u{94f}')
}

#[cfg(test)]
mod tests;
