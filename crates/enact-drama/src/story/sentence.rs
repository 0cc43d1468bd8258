//! Text as sentences, and sentences as words with the marks around them.

/// A word, with what is written around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WordToken {
    /// As written, without marks.
    pub(super) text: String,
    /// Marks behind it: ",", ":".
    pub(super) after: String,
}

impl WordToken {
    pub(super) fn new(text: &str) -> WordToken {
        WordToken { text: text.to_owned(), after: String::new() }
    }

    pub(super) fn lower(&self) -> String {
        self.text.to_lowercase().replace('’', "'")
    }

    /// Without what makes it a possessive.
    pub(super) fn bare(&self) -> String {
        let lower = self.lower();
        let bare = lower.strip_suffix("'s").or_else(|| lower.strip_suffix('\'')).unwrap_or(&lower);
        bare.trim_end_matches('.').to_owned()
    }

    /// Whether it can be said aloud: letters, figures, and what stands within words.
    pub(super) fn is_plain(&self) -> bool {
        self.text.chars().all(|c| {
            c.is_alphanumeric() && (c.is_ascii() || c.is_alphabetic())
                || matches!(c, '\'' | '’' | '-' | '.' | '%' | '£' | '$' | '€')
        })
    }

    pub(super) fn is_possessive(&self) -> bool {
        let lower = self.lower();
        lower.ends_with("'s") || lower.ends_with("s'")
    }

    pub(super) fn is_capitalised(&self) -> bool {
        self.text.starts_with(char::is_uppercase)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TokenSentence {
    pub(super) tokens: Vec<WordToken>,
    pub(super) question: bool,
}

/// Words that end with a full stop and do not end a sentence.
const SHORTENED: [&str; 11] = ["mr", "mrs", "ms", "dr", "prof", "st", "sr", "jr", "no", "vs", "etc"];

/// The sentences of a text. What stands in quotes, brackets or behind a semicolon is kept together with the rest of
/// its sentence only where that can be said aloud.
pub(super) fn sentences(text: &str) -> Vec<TokenSentence> {
    let mut found = Vec::new();
    let mut tokens: Vec<WordToken> = Vec::new();
    let mut end = |tokens: &mut Vec<WordToken>, question: bool| {
        if !tokens.is_empty() {
            found.push(TokenSentence { tokens: std::mem::take(tokens), question });
        }
    };
    for paragraph in text.split("\n\n") {
        for word in paragraph.split_whitespace() {
            if word.chars().all(|c| matches!(c, '—' | '–' | '-')) {
                end(&mut tokens, false);
                continue;
            }
            let text = word.trim_end_matches(|c: char| {
                !(c.is_alphanumeric() || c == '%' || c == ')' || c == '"' || c == '”')
            });
            let after = &word[text.len()..];
            let token =
                WordToken { text: text.to_owned(), after: after.replace(['.', ';', '!', '?', '…'], "") };
            let shortened =
                SHORTENED.contains(&text.to_lowercase().as_str()) || (text.len() == 1 && text != "I");
            if token.text.is_empty() {
                continue;
            }
            tokens.push(token);
            if after.contains(['.', '!', '?', ';', '…']) && !(shortened && after == ".") {
                end(&mut tokens, after.contains('?'));
            } else if after == "."
                && let Some(last) = tokens.last_mut()
            {
                last.text.push('.');
            }
        }
        end(&mut tokens, false);
    }
    found
}
