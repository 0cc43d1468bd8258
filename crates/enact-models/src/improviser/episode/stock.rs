//! Our own lines, known again where another improviser says them to us: they are nobody's cry for help.

use std::sync::LazyLock;

use super::sentences::{sentences, words};

/// The files whose lines are ours: those of episodes, and those of scenes.
const FILES: [&str; 11] = [
    include_str!("lines/plain.toml"),
    include_str!("lines/flirt.toml"),
    include_str!("lines/mystery.toml"),
    include_str!("../lines/close.toml"),
    include_str!("../lines/repair.toml"),
    include_str!("../lines/events.toml"),
    include_str!("../lines/story.toml"),
    include_str!("../lines/settle.toml"),
    include_str!("../lines/open.toml"),
    include_str!("../lines/turning_point.toml"),
    include_str!("../lines/clash.toml"),
];

/// A sentence of a line with fewer words of its own could be anybody's.
const FEWEST_OWN_WORDS: usize = 3;

/// A sentence of ours: what stands before its first placeholder and after its last one.
#[derive(Debug)]
struct StockSentence {
    before: Vec<String>,
    after: Vec<String>,
    has_hole: bool,
    /// What fills it is ours as well: who can help.
    is_filled_by_us: bool,
}

static STOCK: LazyLock<Vec<StockSentence>> = LazyLock::new(|| {
    let mut lines = Vec::new();
    for file in FILES {
        let table: toml::Table = crate::content::read("the lines", file);
        texts(&toml::Value::Table(table), &mut lines);
    }
    let sentences = lines.iter().flat_map(|line| sentences(line)).map(StockSentence::new);
    sentences.filter(|one| one.before.len() + one.after.len() >= FEWEST_OWN_WORDS).collect()
});

/// All texts of a file, however deep they stand.
fn texts(value: &toml::Value, found: &mut Vec<String>) {
    match value {
        toml::Value::String(text) => found.push(text.clone()),
        toml::Value::Array(all) => all.iter().for_each(|one| texts(one, found)),
        toml::Value::Table(table) => table.values().for_each(|one| texts(one, found)),
        _ => {}
    }
}

impl StockSentence {
    fn new(sentence: &str) -> StockSentence {
        let before = sentence.split('{').next().unwrap_or_default();
        let after = sentence.rsplit_once('}').map_or("", |(_, after)| after);
        let has_hole = sentence.contains('{');
        let is_filled_by_us = sentence.contains("{help}");
        StockSentence { before: words(before), after: words(after), has_hole, is_filled_by_us }
    }

    /// What somebody else put into it, where it is this sentence.
    fn filled_with<'a>(&self, said: &'a [String]) -> Option<&'a [String]> {
        let rest = said.strip_prefix(self.before.as_slice())?.strip_suffix(self.after.as_slice())?;
        match rest {
            [] => Some(rest),
            _ if self.is_filled_by_us => Some(&[]),
            _ => self.has_hole.then_some(rest),
        }
    }
}

/// The sentences of a message that are not ours, if any of it is; what was put into ours is left as well.
pub(super) fn without_ours(message: &str) -> Option<Vec<String>> {
    let mut is_ours = false;
    let left = sentences(message).into_iter().map(|sentence| {
        let said = words(sentence);
        let filled = STOCK.iter().filter_map(|stock| stock.filled_with(&said)).min_by_key(|rest| rest.len());
        is_ours |= filled.is_some();
        filled.map_or_else(|| sentence.to_owned(), |rest| rest.join(" "))
    });
    let left = left.filter(|part| !part.is_empty()).collect();
    is_ours.then_some(left)
}
