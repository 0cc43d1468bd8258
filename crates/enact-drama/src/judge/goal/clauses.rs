//! Finding the goals in what an author wrote.

use std::collections::VecDeque;

use super::{Act, Goal, reading, verbs};
use crate::{
    acts,
    judge::{
        names,
        words::{Text, Word},
    },
};

/// More goals than this in one prompt are a story, not a scene.
const MOST_GOALS: usize = 12;

/// The goals of a scene, each a clause that can be read on its own: from `goals:`, else from a "Scene goal:"
/// part of the prompt, else from the prompt's sentences that say who does what.
///
/// A goal keeps the author's words. Only where a clause leaves its doer to an earlier one ("Bob apologizes
/// and promises to change", "He explains") the name is put in front.
pub fn goals_of(explicit: &[String], prompt: &str, cast: &[&str]) -> Vec<String> {
    let mut clauses = Clauses { cast, last: None, found: Vec::new() };
    let labelled = if explicit.is_empty() { labelled(prompt) } else { Vec::new() };
    let given: Vec<&str> = explicit.iter().map(String::as_str).chain(labelled).collect();
    given.iter().for_each(|goal| clauses.split(goal));
    // Goals that their author has listed are not dropped: too many clauses stay together as they were written.
    if clauses.found.len() > MOST_GOALS {
        clauses.found = together(&given);
    }
    if clauses.found.is_empty() {
        clauses.split(prompt);
        let goals = clauses.found.iter().map(|text| Goal::read(text, cast)).collect::<Vec<_>>();
        let best = |is_good: fn(&Goal) -> bool| goals.iter().any(is_good).then_some(is_good);
        // What can be judged leaves out the background; failing that, what at least names somebody.
        let keep =
            best(Goal::is_readable).or_else(|| best(|goal| !goal.doers.is_empty())).unwrap_or(|_| true);
        clauses.found = goals.into_iter().filter(keep).map(|goal| goal.text).collect();
    }
    clauses.found.truncate(MOST_GOALS);
    clauses.found
}

/// Goals as they were written, those beyond the last that there is room for in one with it.
fn together(given: &[&str]) -> Vec<String> {
    let plain = |goal: &&str| goal.split_whitespace().collect::<Vec<_>>().join(" ");
    let written: Vec<String> = given.iter().map(plain).filter(|goal| !goal.is_empty()).collect();
    let (first, rest) = written.split_at(written.len().min(MOST_GOALS - 1));
    first.iter().cloned().chain((!rest.is_empty()).then(|| rest.join("; "))).collect()
}

/// The parts of a prompt that say of themselves that they are goals, without their label.
fn labelled(prompt: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut lines: VecDeque<&str> = prompt.split_inclusive('\n').collect();
    let mut start = 0;
    while let Some(line) = lines.pop_front() {
        let Some(label_end) = label_end(line) else {
            start += line.len();
            continue;
        };
        let from = start + label_end;
        start += line.len();
        let mut blank = line[label_end..].trim().is_empty();
        let mut listed = false;
        while let Some(next) = lines.front() {
            let text = next.trim();
            let bullet = bullet_len(next).is_some();
            // A list may stand apart from its label; everything else ends with the paragraph.
            if text.is_empty() && (listed || !blank)
                || is_label(text)
                || listed && !bullet && !is_indented(next)
            {
                break;
            }
            blank &= text.is_empty();
            listed |= bullet;
            start += next.len();
            lines.pop_front();
        }
        let part = &prompt[from..start];
        found.extend(items(part));
    }
    found
}

/// The items of a list, each with the lines it runs on over; a part without bullets is one item.
fn items(part: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut from, mut at) = (0, 0);
    for line in part.split_inclusive('\n') {
        if let Some(marker) = bullet_len(line) {
            found.push(&part[from..at]);
            from = at + marker;
        }
        at += line.len();
    }
    found.push(&part[from..]);
    found
}

/// Where the text after "Scene goal:", "Goals:" or a heading of that name begins, if a line holds one.
fn label_end(line: &str) -> Option<usize> {
    let heading = line.trim().trim_start_matches('#').trim().trim_end_matches(':');
    if line.trim_start().starts_with('#')
        && matches!(&*heading.to_lowercase(), "goal" | "goals" | "scene goal" | "scene goals")
    {
        return Some(line.len());
    }
    if let Some(end) = lead_end(line) {
        return Some(end);
    }
    line.match_indices(':').find_map(|(colon, _)| {
        let before = line[..colon].trim_end_matches(['*', '_', ' ']);
        let word = before.rsplit(|c: char| !c.is_alphanumeric()).next()?;
        let names_goal = ["goal", "goals"].iter().any(|name| word.eq_ignore_ascii_case(name));
        let after = &line[colon + 1..];
        names_goal.then(|| line.len() - after.trim_start_matches(['*', '_']).len())
    })
}

/// How authors begin a sentence that says what is to come of a scene.
const LEADS: [&str; 11] = [
    "what must happen:",
    "what has to happen:",
    "the scene ends when ",
    "the scene ends once ",
    "the scene is over when ",
    "the scene is over once ",
    "by the end of the scene, ",
    "by the end of the scene ",
    "by the end, ",
    "by the end ",
    "in the end, ",
];

/// Where the text after such a lead begins, if a sentence of the line has one.
fn lead_end(line: &str) -> Option<usize> {
    let starts = line.match_indices(". ").map(|(stop, _)| stop + 2);
    let indent = line.len() - line.trim_start_matches([' ', '\t', '*', '_']).len();
    std::iter::once(indent).chain(starts).find_map(|start| {
        let sentence = line.get(start..)?;
        let begins =
            |lead: &&&str| sentence.get(..lead.len()).is_some_and(|it| it.eq_ignore_ascii_case(lead));
        LEADS.iter().find(begins).map(|lead| start + lead.len())
    })
}

/// Whether a line begins another part: "Setting: …" or a heading.
fn is_label(line: &str) -> bool {
    let label = line.split_once(':').map_or("", |(label, _)| label);
    let short = !label.is_empty() && label.split_whitespace().count() <= 2 && bullet_len(line).is_none();
    line.starts_with('#') || short && label.starts_with(char::is_uppercase)
}

fn is_indented(line: &str) -> bool {
    line.starts_with([' ', '\t'])
}

/// How long the marker of a list item is, with what stands before it.
fn bullet_len(line: &str) -> Option<usize> {
    let text = line.trim_start();
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let marker = match digits {
        0 => text.strip_prefix(['-', '*', '•', '+'])?,
        _ => text[digits..].strip_prefix(['.', ')'])?,
    };
    marker.starts_with(' ').then(|| line.len() - marker.len())
}

struct Clauses<'c> {
    cast: &'c [&'c str],
    /// Who did the last thing, for clauses that do not say it again.
    last: Option<usize>,
    found: Vec<String>,
}

impl Clauses<'_> {
    fn split(&mut self, text: &str) {
        let read = Text::read(text);
        for sentence in &read.sentences {
            let words = &read.words[sentence.words.clone()];
            let (mut from, mut at) = (0, 1);
            while at < words.len() {
                match self.boundary(&words[from..], at - from) {
                    Some(next) => {
                        self.add(text, &words[from..at]);
                        from += next;
                        at = from + 1;
                    }
                    None => at += 1,
                }
            }
            self.add(text, &words[from..]);
        }
    }

    /// Whether a new clause with a doer or a deed of its own begins at a word, and where, past what joins it
    /// on.
    fn boundary(&self, words: &[Word<'_>], at: usize) -> Option<usize> {
        if !(words[at].opens || joins(&words[at].text)) {
            return None;
        }
        let start = at + words[at..].iter().take_while(|word| joins(&word.text)).count();
        let first = words.get(start)?;
        // "After talking to Charlie, Bob …" only says when.
        let deed_before = verbs::find(&words[..at]).is_some() || acts::names_act(&words[..at]);
        // "If Bob admits it, Alice forgives him" is one thing, and not two to be done.
        let conditional = matches!(&*words[0].text, "if" | "unless");
        if conditional || SUBORDINATORS.contains(&&*words[0].text) && !deed_before {
            return None;
        }
        if self.begins_with_doer(words, start) {
            let says_something = words[..at]
                .iter()
                .enumerate()
                .any(|(at, word)| !joins(&word.text) && reading::people(words, at, self.cast).is_none());
            return (deed_before || says_something).then_some(start);
        }
        let deed = verbs::at_word(words, start).is_some() || acts::act_begins(words, start);
        // "refuses to apologize and explain" goes on with the infinitive; only finite verbs begin something
        // new.
        let finite = !verbs::is_plural(&first.text) || words[..at].iter().all(|word| word.text != "to");
        (deed && deed_before && finite).then_some(start)
    }

    /// A name or pronoun with a verb soon after it: "they agree", not the "Charlie" of "to Alice and
    /// Charlie".
    fn begins_with_doer(&self, words: &[Word<'_>], start: usize) -> bool {
        let mut at = start;
        // "…and Charlie, Bob leaves" is no list of doers: a list has its "and" before the last.
        let mut loose = false;
        while at < words.len() {
            let is_pronoun = matches!(&*words[at].text, "he" | "she");
            loose |= at > start && words[at].opens;
            match reading::people(words, at, self.cast) {
                Some((_, len)) => at += len,
                None if is_pronoun => at += 1,
                None if at > start && reading::is_and(&words[at].text) => {
                    loose = false;
                    at += 1;
                }
                None => break,
            }
        }
        if loose {
            return false;
        }
        let verb =
            words[at.min(words.len())..].iter().take(LONGEST_LEAD).position(|word| is_finite(&word.text));
        at > start && (verb.is_some() || at < words.len() && verbs::at_word(words, at).is_some())
    }

    fn add(&mut self, text: &str, words: &[Word<'_>]) {
        let lead = words.iter().take_while(|word| joins(&word.text)).count();
        let words = &words[lead..];
        let (Some(first), Some(last)) = (words.first(), words.last()) else { return };
        let pronoun = matches!(&*first.text, "he" | "she");
        let own = text[first.start..last.end].split_whitespace().collect::<Vec<_>>().join(" ");
        let deed = verbs::find(words);
        let subjects = reading::subjects(&words[..deed.map_or(words.len(), |deed| deed.from)], self.cast);
        let singular = deed.is_some_and(|deed| deed.from == 0 && !verbs::is_plural(&first.text));
        let doer = self.last.map(|doer| match pronoun && deed.is_some_and(|deed| answers(deed.means)) {
            true => self.answerer(doer),
            false => doer,
        });
        let goal = match doer {
            Some(doer) if pronoun && words.len() > 1 => {
                format!("{} {}", self.cast[doer], own[first.text.len()..].trim_start())
            }
            Some(doer) if singular && subjects.is_empty() => format!("{} {own}", self.cast[doer]),
            _ => own,
        };
        if let [one] = subjects[..] {
            self.last = Some(one);
        }
        self.found.push(goal);
    }

    /// Who "and she forgives him" is about: the one the clause before it names beside its doer, or the only other
    /// one there is.
    fn answerer(&self, doer: usize) -> usize {
        let before = self.found.last().map(|clause| Text::read(clause).words).unwrap_or_default();
        let named = (0..before.len()).filter_map(|at| names::mention(&before, at, self.cast));
        let others: Vec<usize> = named.map(|(who, _)| who).filter(|who| *who != doer).collect();
        match (&others[..], self.cast.len()) {
            ([one, rest @ ..], _) if rest.iter().all(|other| other == one) => *one,
            ([], 2) => 1 - doer.min(1),
            _ => doer,
        }
    }
}

/// Whether an act is done to somebody who did another before: "Bob apologizes and she accepts".
fn answers(act: Act) -> bool {
    matches!(act, Act::Accept | Act::Forgive | Act::Refuse | Act::Admit | Act::Thank)
}

/// "finally and sincerely apologizes" is as much as stands between a doer and a deed.
const LONGEST_LEAD: usize = 4;

const SUBORDINATORS: [&str; 10] =
    ["after", "before", "when", "once", "if", "since", "until", "because", "as", "although"];

/// Words that begin a clause without belonging to it.
fn joins(word: &str) -> bool {
    matches!(
        word,
        "and" | "then" | "but" | "while" | "also" | "finally" | "eventually" | "so" | "plus" | "whereupon"
    )
}

/// Whether a word looks like the verb of a doer: "accepts", "must".
fn is_finite(word: &str) -> bool {
    const MODALS: [&str; 9] = ["must", "should", "will", "can", "is", "are", "has", "have", "does"];
    MODALS.contains(&word) || word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") && word != "'s"
}
