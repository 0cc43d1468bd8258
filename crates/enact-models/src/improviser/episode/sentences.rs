//! Sentences: cut, counted, and never said twice.

use std::collections::HashSet;

use enact_drama::episode::EpisodeView;

/// The words of a text, without marks and case.
pub(super) fn words(text: &str) -> Vec<String> {
    let plain = text.to_lowercase().replace(['\'', '’'], "");
    let words = plain.split(|next: char| !next.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

/// The sentences of a text.
pub(super) fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut from = 0;
    let mut letters = text.char_indices().peekable();
    while let Some((at, next)) = letters.next() {
        let ends = matches!(next, '.' | '!' | '?' | '…' | '\n');
        let followed = letters.peek().is_none_or(|(_, after)| after.is_whitespace());
        if ends && followed {
            let to = at + next.len_utf8();
            found.push(text[from..to].trim());
            from = to;
        }
    }
    found.push(text[from..].trim());
    found.retain(|sentence| sentence.chars().any(char::is_alphanumeric));
    found
}

/// What an answer says so far, and everything that was said before it.
#[derive(Debug)]
pub(super) struct SaidSoFar {
    said: HashSet<String>,
    parts: Vec<String>,
    sentences_left: usize,
    words_left: usize,
}

impl SaidSoFar {
    /// Nothing is said yet in this turn.
    pub(super) fn before(view: &EpisodeView) -> SaidSoFar {
        let template = &view.setup.template;
        let before = view.before.iter().map(|(_, said)| said.as_str());
        let texts = before.chain([template.opening_line.as_str()]);
        let said = texts.flat_map(sentences).map(key).collect();
        SaidSoFar {
            said,
            parts: Vec::new(),
            sentences_left: template.most_sentences as usize,
            words_left: template.most_words as usize,
        }
    }

    /// Whether a text is new in all its sentences and short enough.
    pub(super) fn takes(&self, text: &str) -> bool {
        let sentences = sentences(text);
        sentences.len() <= self.sentences_left
            && text.split_whitespace().count() <= self.words_left
            && !sentences.into_iter().any(|sentence| self.said.contains(&key(sentence)))
    }

    /// Says it, if it can be said.
    pub(super) fn say(&mut self, text: &str) -> bool {
        let takes = self.takes(text);
        if takes {
            self.say_as_it_stands(text);
        }
        takes
    }

    /// Says it, however long it is: an author wrote it.
    pub(super) fn say_as_it_stands(&mut self, text: &str) {
        let sentences = sentences(text);
        self.sentences_left = self.sentences_left.saturating_sub(sentences.len());
        self.words_left = self.words_left.saturating_sub(text.split_whitespace().count());
        self.said.extend(sentences.into_iter().map(key));
        self.parts.push(text.to_owned());
    }

    /// Whether these sentences leave room for another.
    pub(super) fn has_room(&self) -> bool {
        self.sentences_left > 0
    }

    /// Whether so many sentences could follow.
    pub(super) fn has_room_for(&self, text: &str) -> bool {
        self.sentences_left > sentences(text).len()
    }

    pub(super) fn has_said(&self, text: &str) -> bool {
        let sentences = sentences(text);
        !sentences.is_empty() && sentences.into_iter().all(|sentence| self.said.contains(&key(sentence)))
    }

    pub(super) fn ends_with_question(&self) -> bool {
        self.parts.last().is_some_and(|part| part.ends_with('?'))
    }

    pub(super) fn dialogue(&self) -> String {
        self.parts.join(" ")
    }
}

/// Sentences that differ in marks and case alone are the same.
fn key(sentence: &str) -> String {
    words(sentence).join(" ")
}
