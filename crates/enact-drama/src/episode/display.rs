//! A structured answer as people see it, while its JSON is still arriving.

/// Reads the text values of JSON objects, character by character: what has come so far is given at once, and
/// nothing waits for the end. It forgives what models do: fences, words around the object, line breaks inside
/// a text, an object that ends too early.
#[derive(Debug, Clone, Default)]
pub(super) struct FieldScanner {
    place: ScanPlace,
    key: String,
}

/// What a character of an answer meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scanned {
    /// One more character of the text of the current key.
    Text(char),
    /// The text of the current key is complete.
    End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum ScanPlace {
    /// Before the first brace.
    #[default]
    Outside,
    BeforeKey,
    InKey(Escape),
    BeforeColon,
    BeforeValue,
    InText(Escape),
    /// In a number, a word or a list: nothing that is shown.
    InOther,
}

/// Where in an escape sequence of a JSON text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Escape {
    #[default]
    None,
    Begun {
        high: Option<u16>,
    },
    Unicode {
        digits: u8,
        value: u16,
        high: Option<u16>,
    },
    /// Half of a character has come; the other half must follow.
    Half(u16),
}

impl FieldScanner {
    pub(super) fn key(&self) -> &str {
        &self.key
    }

    /// Whether an object has begun.
    pub(super) fn in_object(&self) -> bool {
        self.place != ScanPlace::Outside
    }

    pub(super) fn push(&mut self, next: char) -> Option<Scanned> {
        match self.place {
            ScanPlace::Outside if next == '{' => self.place = ScanPlace::BeforeKey,
            ScanPlace::BeforeKey if next == '"' => {
                self.key.clear();
                self.place = ScanPlace::InKey(Escape::None);
            }
            ScanPlace::InKey(Escape::None) if next == '"' => self.place = ScanPlace::BeforeColon,
            ScanPlace::InKey(escape) => {
                let (escape, text) = escape.push(next);
                self.key.extend(text);
                self.place = ScanPlace::InKey(escape);
            }
            ScanPlace::BeforeColon if next == ':' => self.place = ScanPlace::BeforeValue,
            ScanPlace::BeforeValue => match next {
                '"' => self.place = ScanPlace::InText(Escape::None),
                '{' => self.place = ScanPlace::BeforeKey,
                next if next.is_whitespace() => {}
                _ => self.place = ScanPlace::InOther,
            },
            ScanPlace::InText(Escape::None) if next == '"' => {
                self.place = ScanPlace::BeforeKey;
                return Some(Scanned::End);
            }
            ScanPlace::InText(escape) => {
                let (escape, text) = escape.push(next);
                self.place = ScanPlace::InText(escape);
                return text.map(Scanned::Text);
            }
            ScanPlace::InOther if matches!(next, ',' | '}' | ']') => self.place = ScanPlace::BeforeKey,
            ScanPlace::Outside | ScanPlace::BeforeKey | ScanPlace::BeforeColon | ScanPlace::InOther => {}
        }
        None
    }
}

impl Escape {
    /// One more character between two quotation marks; gives the character that it completes.
    fn push(self, next: char) -> (Escape, Option<char>) {
        match self {
            Escape::None | Escape::Half(_) if next == '\\' => {
                let high = if let Escape::Half(high) = self { Some(high) } else { None };
                (Escape::Begun { high }, None)
            }
            Escape::None | Escape::Half(_) => (Escape::None, Some(next)),
            Escape::Begun { high } => match next {
                'u' => (Escape::Unicode { digits: 0, value: 0, high }, None),
                'n' => (Escape::None, Some('\n')),
                't' => (Escape::None, Some('\t')),
                'r' | 'b' | 'f' => (Escape::None, None),
                other => (Escape::None, Some(other)),
            },
            Escape::Unicode { digits, value, high } => {
                let Some(digit) = next.to_digit(16) else {
                    return (Escape::None, Some(char::REPLACEMENT_CHARACTER));
                };
                let (digits, value) = (digits + 1, value << 4 | digit as u16);
                if digits < 4 {
                    return (Escape::Unicode { digits, value, high }, None);
                }
                let pair: Vec<u16> = high.into_iter().chain([value]).collect();
                match char::decode_utf16(pair).next() {
                    Some(Ok(whole)) => (Escape::None, Some(whole)),
                    _ if (0xD800..0xDC00).contains(&value) && high.is_none() => (Escape::Half(value), None),
                    _ => (Escape::None, Some(char::REPLACEMENT_CHARACTER)),
                }
            }
        }
    }
}

/// Makes display text of a structured answer as it arrives: the action between asterisks, what is said in
/// quotation marks, each as soon as its first character is there. What is not JSON is shown as it comes.
#[derive(Debug, Clone, Default)]
pub struct DisplayDecoder {
    scanner: FieldScanner,
    /// The key whose text is being shown.
    shown: Option<&'static str>,
    has_shown: bool,
    /// Whether what comes is words: no object has begun yet.
    plain: bool,
    /// What came before it was clear whether an object follows.
    undecided: String,
}

/// So much may stand before an object: a fence and a few words.
const LONGEST_PREAMBLE: usize = 64;

impl DisplayDecoder {
    /// The next piece of an answer; gives what is to be shown of it, which may be nothing.
    pub fn push(&mut self, piece: &str) -> String {
        let mut shown = String::new();
        for next in piece.chars() {
            if self.plain {
                self.show_plain(next, &mut shown);
                continue;
            }
            let scanned = self.scanner.push(next);
            if !self.scanner.in_object() {
                self.undecided.push(next);
                if !may_precede_object(&self.undecided) {
                    self.plain = true;
                    let words = std::mem::take(&mut self.undecided);
                    words.trim_start().chars().for_each(|next| self.show_plain(next, &mut shown));
                }
                continue;
            }
            match scanned {
                Some(Scanned::Text(next)) => self.show(next, &mut shown),
                Some(Scanned::End) => self.close(&mut shown),
                None => {}
            }
        }
        shown
    }

    /// Words before an object, or without one. An object may follow any of them, and what is thought stands in
    /// it: a brace waits until it is clear what it begins.
    fn show_plain(&mut self, next: char, shown: &mut String) {
        let held = !self.undecided.is_empty();
        if next == '{' || held {
            let again = held && next == '{';
            let before = if again { std::mem::take(&mut self.undecided) } else { String::new() };
            self.undecided.push(next);
            self.has_shown |= !before.is_empty();
            shown.push_str(&before);
            match begins_object(&self.undecided[1..]) {
                None => return,
                Some(true) => {
                    let object = std::mem::take(&mut self.undecided);
                    (self.plain, self.scanner) = (false, FieldScanner::default());
                    for next in object.chars() {
                        self.scanner.push(next);
                    }
                    return;
                }
                Some(false) => {}
            }
        } else {
            self.undecided.push(next);
        }
        let words = std::mem::take(&mut self.undecided);
        self.has_shown = true;
        shown.extend(words.chars().filter(|next| is_shown(*next)));
    }

    fn show(&mut self, next: char, shown: &mut String) {
        let Some((key, mark)) = mark_of(self.scanner.key()) else { return };
        if !is_shown(next) {
            return;
        }
        if self.shown != Some(key) {
            if next.is_whitespace() {
                return;
            }
            if self.has_shown {
                shown.push('\n');
            }
            shown.push(mark);
            (self.shown, self.has_shown) = (Some(key), true);
        }
        shown.push(next);
    }

    fn close(&mut self, shown: &mut String) {
        if let Some((_, mark)) = self.shown.take().and_then(mark_of) {
            shown.push(mark);
        }
    }
}

/// Whether a character may reach a screen: line breaks and tabs are all there is of those that control it.
pub(super) fn is_shown(next: char) -> bool {
    !next.is_control() || matches!(next, '\n' | '\t')
}

/// The keys that are shown, and what stands around their text.
fn mark_of(key: &str) -> Option<(&'static str, char)> {
    match key {
        "action" => Some(("action", '*')),
        "dialogue" => Some(("dialogue", '"')),
        _ => None,
    }
}

/// Whether what follows a brace makes it the beginning of an answer; nothing while that is open.
fn begins_object(inside: &str) -> Option<bool> {
    const KEYS: [&str; 5] = ["dialogue", "action", "internal", "mood", "tension_shift"];
    let inside = inside.trim_start();
    match inside {
        "" => None,
        inside if inside.starts_with(['"', '\'']) || KEYS.iter().any(|key| inside.starts_with(key)) => {
            Some(true)
        }
        inside if KEYS.iter().any(|key| key.starts_with(inside)) => None,
        _ => Some(false),
    }
}

/// Whether an object may still follow these characters: a fence, or the word `json`.
fn may_precede_object(text: &str) -> bool {
    let text = text.trim_start();
    text.len() <= LONGEST_PREAMBLE && (text.is_empty() || "```json".starts_with(text.trim_end()))
}
