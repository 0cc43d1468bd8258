//! Sentences about the two that have become true, where the judge of scenes has no act for them: the acts of
//! `acts.toml`.

use std::sync::LazyLock;

use serde::Deserialize;

use super::{
    heard_phrase::{HeardPhrase, is_same},
    sentences::{SaidSentence, is_one_of, sentences, words},
};

/// How far from its doer the verb of a condition may stand.
const VERB_REACH: usize = 3;

#[derive(Deserialize)]
struct ActFile {
    act: Vec<DirectorAct>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DirectorAct {
    /// What a condition calls it.
    called: Vec<String>,
    /// What is heard as it.
    heard: Vec<String>,
    /// What looks like it and is something else.
    #[serde(default)]
    except: Vec<String>,
    /// It can be done with a question, or with what is only imagined.
    #[serde(default)]
    asked: bool,
    /// It can be done with a denial.
    #[serde(default)]
    denied: bool,
    /// It answers something: the other has just asked or proposed.
    #[serde(default)]
    answers: bool,
    /// The judge's reading of it does not count.
    #[serde(default)]
    own: bool,
    /// Somebody else whom the condition names has to be named.
    #[serde(default)]
    names: bool,
    /// A plain yes does it, where the other has asked for what the condition names.
    #[serde(default)]
    by_yes: bool,
}

/// An act that conditions can name.
#[derive(Debug)]
struct KnownAct {
    called: Vec<Vec<String>>,
    heard: Vec<HeardPhrase>,
    except: Vec<HeardPhrase>,
    asked: bool,
    denied: bool,
    answers: bool,
    own: bool,
    names: bool,
    by_yes: bool,
}

static ACTS: LazyLock<Vec<KnownAct>> = LazyLock::new(|| {
    let file: ActFile = toml::from_str(include_str!("acts.toml")).expect("acts.toml can be read");
    let phrases = |written: &[String]| written.iter().map(|one| HeardPhrase::new(one)).collect();
    let known = |act: &DirectorAct| KnownAct {
        called: act.called.iter().map(|called| words(called)).collect(),
        heard: phrases(&act.heard),
        except: phrases(&act.except),
        asked: act.asked,
        denied: act.denied,
        answers: act.answers,
        own: act.own,
        names: act.names,
        by_yes: act.by_yes,
    };
    file.act.iter().map(known).collect()
});

/// What is said, and to what.
#[derive(Debug, Clone, Copy)]
pub(super) struct SaidTo<'a> {
    pub(super) said: &'a str,
    /// What the other said before it.
    pub(super) before: &'a str,
    /// The other's name.
    pub(super) other: &'a str,
}

/// The sentence by which what a condition says of its doer becomes true. `deed` is the condition without its
/// doer: "accuses Dr. Vale".
pub(super) fn done(deed: &str, said_to: SaidTo<'_>) -> Option<String> {
    let (deed, other) = (words(deed), words(said_to.other));
    let (act, object) = read(&deed, &other)?;
    if act.answers && !invites_answer(said_to.before) {
        return None;
    }
    let somebody_else: Vec<String> =
        object.iter().filter(|word| !other.iter().any(|own| own == *word)).cloned().collect();
    let said = sentences(said_to.said);
    let shows = |sentence: &&SaidSentence<'_>| act.is_heard_in(sentence, &somebody_else);
    let Some(found) = said.iter().find(shows) else {
        return act.by_yes.then(|| agreed(&somebody_else, said_to)).flatten();
    };
    let is_named =
        |word: &String| said.iter().any(|one| one.words.iter().any(|own| is_same(&own.text, word)));
    let named = !act.names || somebody_else.is_empty() || object.len() > somebody_else.len();
    (named || somebody_else.iter().any(is_named)).then(|| found.text.to_owned())
}

/// The sentence that says yes to a question which names one of these.
fn agreed(object: &[String], said_to: SaidTo<'_>) -> Option<String> {
    let names = |asked: &SaidSentence<'_>| {
        asked.words.iter().any(|word| object.iter().any(|one| is_same(one, &word.text)))
    };
    let asked = sentences(said_to.before).iter().any(|asked| asked.asks && names(asked));
    asked.then(|| done("agrees", said_to)).flatten()
}

/// Whether a deed of one of these two is an act that is known.
pub(super) fn is_known(deed: &str, other: &str) -> bool {
    read(&words(deed), &words(other)).is_some()
}

/// Whether the director alone reads such a deed of one of these two.
pub(super) fn is_own(deed: &str, other: &str) -> bool {
    read(&words(deed), &words(other)).is_some_and(|(act, _)| act.own)
}

/// The act that a deed names, and the words that say with whom or about what. The other's name may stand
/// between the words of an act: "tells Nadia the truth".
fn read(deed: &[String], other: &[String]) -> Option<(&'static KnownAct, Vec<String>)> {
    let unnamed: Vec<String> = deed.iter().filter(|word| !other.contains(word)).cloned().collect();
    let as_written = read_words(deed);
    let named =
        |read: &Option<(&KnownAct, Vec<String>, usize)>| read.as_ref().map_or(0, |(_, _, words)| *words);
    let without = read_words(&unnamed);
    let (act, object, _) = if named(&without) > named(&as_written) { without } else { as_written }?;
    Some((act, object))
}

/// The same of a deed as it stands, with how many words name the act.
fn read_words(deed: &[String]) -> Option<(&'static KnownAct, Vec<String>, usize)> {
    let reach = deed.len().min(VERB_REACH);
    if deed[..reach].iter().any(|word| is_one_of("denials", word)) {
        return None;
    }
    let named = |at: usize| {
        let calls = ACTS.iter().flat_map(|act| act.called.iter().map(move |called| (act, called)));
        let fits = calls.filter(move |(_, called)| deed[at..].starts_with(called));
        fits.max_by_key(|(_, called)| called.len())
            .map(|(act, called)| (act, at + called.len(), called.len()))
    };
    let (act, end, length) = (0..reach).find_map(named)?;
    let object = deed[end..].iter().filter(|word| !is_one_of("small", word)).cloned().collect();
    Some((act, object, length))
}

/// Whether there is something to answer: a question, or a proposal.
fn invites_answer(before: &str) -> bool {
    sentences(before).iter().any(|sentence| sentence.asks)
        || done("proposes something", SaidTo { said: before, before: "", other: "" }).is_some()
}

impl KnownAct {
    fn is_heard_in(&self, sentence: &SaidSentence<'_>, object: &[String]) -> bool {
        if self.except.iter().any(|phrase| phrase.find(sentence, object).is_some()) {
            return false;
        }
        let stands = |at: usize| {
            let before = &sentence.words[sentence.clause_of(at)..at];
            let has = |list: &str| before.iter().any(|word| is_one_of(list, &word.text));
            let real = self.asked || !(has("unreal") || has("reporting"));
            real && (self.denied || !sentence.is_denied(at))
                && (self.asked || !sentence.asks || sentence.is_tagged)
        };
        self.heard.iter().any(|phrase| phrase.find(sentence, object).is_some_and(stands))
    }
}
