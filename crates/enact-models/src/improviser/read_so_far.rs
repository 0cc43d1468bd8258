//! What the improviser has read of a transcript, kept from one request to the next: a line is read once, not
//! for every request that follows it.
//!
//! What was said and done stays, also in a line that was cut. Only how much of the newest lines was heard may
//! still change, and that is looked up in the lines.

use std::{
    cell::RefCell,
    collections::{HashMap, HashSet, VecDeque},
    sync::Arc,
};

use enact_drama::{
    Name,
    scene::{Line, LineIter, Lines, Said},
    story::{SceneStory, content_words},
};

use super::{
    progress::Followed,
    template::{LineTemplate, sentences, was_said_in},
};

/// A reading of the first lines of a transcript. All actors of a run share one.
#[derive(Debug, Default)]
pub(super) struct ReadSoFar {
    /// How many lines have been read.
    lines: usize,
    first_spoken: Option<usize>,
    newest_spoken: HashMap<Name, usize>,
    sentences: HashSet<String>,
    gestures: HashSet<String>,
    /// Templates that were looked for, by their text.
    templates: RefCell<HashMap<&'static str, TemplateSearch>>,
    pub(super) followed: Followed,
    /// What each actor knows of the story.
    stories: HashMap<Name, Arc<SceneStory>>,
    /// In which sentences the words were said that sentences are about, the newest last.
    told: HashMap<String, VecDeque<usize>>,
    /// How many sentences were read.
    told_sentences: usize,
}

/// So many sentences are kept for a word. What was told before so many others may be told again.
const KEPT_SENTENCES: usize = 48;
/// A fact has been told by a sentence with so much of what it is about.
const TOLD_SHARE: f64 = 0.7;

/// How far a transcript was searched for a template.
#[derive(Debug, Clone, Copy, Default)]
struct TemplateSearch {
    lines: usize,
    found: bool,
}

impl ReadSoFar {
    /// Whether more was read than these lines: then another actor has been asked later.
    pub(super) fn is_ahead_of(&self, lines: &Lines) -> bool {
        self.lines > lines.len()
    }

    /// Reads the lines that are new.
    pub(super) fn read_on(&mut self, lines: &Lines) {
        for (at, line) in (self.lines..).zip(counted(lines.range(self.lines..lines.len()))) {
            let Said::Actor { who, reply } = &line.said else { continue };
            if let Some(gesture) = &reply.nonverbal {
                self.gestures.insert(gesture.clone());
            }
            let Some(spoken) = line.spoken() else { continue };
            self.first_spoken.get_or_insert(at);
            self.newest_spoken.insert(who.clone(), at);
            for sentence in sentences(spoken) {
                self.remember_words(&sentence);
                self.sentences.insert(sentence);
            }
        }
        self.lines = self.lines.max(lines.len());
    }

    /// The first line in which words were spoken.
    pub(super) fn first_spoken<'a>(&self, lines: &'a Lines) -> Option<&'a Line> {
        lines.get(self.first_spoken?)
    }

    /// What an actor said last.
    pub(super) fn newest_spoken<'a>(&self, lines: &'a Lines, who: &Name) -> Option<&'a Line> {
        lines.get(*self.newest_spoken.get(who)?)
    }

    fn remember_words(&mut self, sentence: &str) {
        self.told_sentences += 1;
        for word in content_words(sentence) {
            let told = self.told.entry(word).or_default();
            told.push_back(self.told_sentences);
            if told.len() > KEPT_SENTENCES {
                told.pop_front();
            }
        }
    }

    /// Whether somebody has said something about all this, in whatever words.
    pub(super) fn was_told(&self, about: &[String]) -> bool {
        let mut counts: HashMap<usize, usize> = HashMap::new();
        for sentence in about.iter().filter_map(|word| self.told.get(word)).flatten() {
            *counts.entry(*sentence).or_default() += 1;
        }
        let most = counts.into_values().max().unwrap_or(0);
        most > 0 && most as f64 >= about.len() as f64 * TOLD_SHARE
    }

    /// Whether one of these sentences was said before, by whomever.
    pub(super) fn has_sentence_of(&self, words: &str) -> bool {
        sentences(words).any(|sentence| self.sentences.contains(&sentence))
    }

    /// What an actor knows of the story, read when it is first asked.
    pub(super) fn story(&mut self, who: &Name, read: impl FnOnce() -> SceneStory) -> Arc<SceneStory> {
        self.stories.entry(who.clone()).or_insert_with(|| Arc::new(read())).clone()
    }

    /// Whether a gesture was made before.
    pub(super) fn was_made(&self, gesture: &str) -> bool {
        self.gestures.contains(gesture)
    }

    /// Whether a template, or one of the sentences that it gives, was said before.
    pub(super) fn was_said(&self, lines: &Lines, entry: &'static LineTemplate, words: &str) -> bool {
        self.was_template_said(lines, entry)
            || sentences(words).any(|sentence| self.sentences.contains(&sentence))
    }

    /// There are hundreds of templates, and few are ever looked for: each is, when it is wanted, in the lines
    /// that came since.
    fn was_template_said(&self, lines: &Lines, entry: &'static LineTemplate) -> bool {
        self.was_frame_said(lines, &entry.text)
    }

    /// Whether a line was said with these words around its placeholders.
    pub(super) fn was_frame_said(&self, lines: &Lines, frame: &'static str) -> bool {
        let mut templates = self.templates.borrow_mut();
        let search = templates.entry(frame).or_default();
        if !search.found {
            let mut new = counted(lines.range(search.lines..lines.len())).filter_map(|line| line.spoken());
            search.found = new.any(|spoken| was_said_in(frame, spoken));
            search.lines = lines.len();
        }
        search.found
    }
}

/// The lines since the beat before this one opened.
pub(super) fn newest(lines: &Lines, beat: u32) -> LineIter<'_> {
    let new = counted(lines.iter()).rev().take_while(|line| line.beat + 1 >= beat).count();
    lines.range(lines.len() - new..lines.len())
}

/// Counts, in tests only, the lines that are looked at.
pub(super) fn counted<'a>(
    lines: impl DoubleEndedIterator<Item = &'a Line> + ExactSizeIterator,
) -> impl DoubleEndedIterator<Item = &'a Line> + ExactSizeIterator {
    lines.inspect(|_| {
        #[cfg(test)]
        LOOKED_AT.with(|count| count.set(count.get() + 1));
    })
}

#[cfg(test)]
thread_local! {
    static LOOKED_AT: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// How many lines were looked at so far by this thread.
#[cfg(test)]
pub(super) fn lines_looked_at() -> usize {
    LOOKED_AT.with(std::cell::Cell::get)
}
