//! Acts: what people do to each other with words, as data.
//!
//! Each `*.toml` beside this file holds a few acts, one table each. Judge and improviser read the same
//! tables, so that what is played as an act is heard as that act (a property test holds them to it).
//!
//! | field | what it says |
//! | --- | --- |
//! | `goal` | how a goal names the act, as phrases that begin with the plain form of a verb |
//! | `receiver` | the same where the grammar's subject is the one it is done to: "gets an apology" |
//! | `events` | the same without a person: "the truth comes out" |
//! | `nouns` | nouns for it: "an apology from Jurgis" |
//! | `needs` | acts of others that usually come before it |
//! | `kin` | acts that are often done with the same words, and so do not speak against it |
//! | `said` | how it is said; what the slots stand for is [`TemplateSlot`] |
//! | `sample` | a goal, and what the slots stand for in it, for the round trip |
//!
//! What is heard as an act, and what speaks against it, stands in `heard/*.txt`. How phrases are written is in
//! `english/phrase.rs`. `do` is every deed that has no table of its own.
//!
//! Read in this order: this file, `template` (how an act is said), `reading` (a goal, read), `people` (who is
//! meant), `inflection` (forms of words).

use std::{collections::BTreeMap, fmt, sync::LazyLock};

use serde::Deserialize;

mod content_words;
pub(crate) mod heard;
pub mod inflection;
mod participants;
mod people;
mod reading;
pub(crate) mod related;
mod template;
mod unknown_doer;

#[cfg(test)]
mod tests;

pub(crate) use content_words::is_empty_word;
pub use people::Group;
pub use reading::{GoalReading, read};
pub(crate) use reading::{act_begins, names_act, without_lead};
pub use template::{ActTemplate, TemplateSlot};
pub(crate) use unknown_doer::unknown_doer;

use crate::english::phrase::Phrases;

/// One of the acts of the tables.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ActKind(u8);

/// What the tables say of an act.
#[derive(Debug)]
pub struct ActEntry {
    /// As its table is headed: `apologise`, `change-mind`.
    pub name: &'static str,
    pub needs: Vec<ActKind>,
    pub kin: Vec<ActKind>,
    /// The stems of the verbs that name it alone: "apologise".
    pub(crate) verbs: Vec<String>,
    pub said: Vec<ActTemplate>,
    pub sample: ActSample,
}

/// A goal that names an act, and what the slots of its templates stand for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ActSample {
    pub goal: String,
    pub thing: String,
    pub doing: String,
    pub deed: String,
    pub fact: String,
}

impl ActKind {
    /// Any deed without a table of its own.
    pub fn deed() -> ActKind {
        TABLES.named(DEED).unwrap_or(ActKind(0))
    }

    /// The act with this name.
    pub fn named(name: &str) -> Option<ActKind> {
        TABLES.named(name)
    }

    /// All acts, in the order of their names.
    pub fn all() -> impl Iterator<Item = ActKind> {
        (0..TABLES.entries.len()).map(ActKind::at)
    }

    pub fn entry(self) -> &'static ActEntry {
        &TABLES.entries[self.place()]
    }

    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// How it is said.
    pub fn said(self) -> &'static [ActTemplate] {
        &self.entry().said
    }

    pub(crate) fn place(self) -> usize {
        usize::from(self.0)
    }

    fn at(place: usize) -> ActKind {
        ActKind(u8::try_from(place).unwrap_or(u8::MAX))
    }
}

impl fmt::Debug for ActKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

const DEED: &str = "do";

/// An act as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenAct {
    goal: Vec<String>,
    #[serde(default)]
    receiver: Vec<String>,
    #[serde(default)]
    events: Vec<String>,
    #[serde(default)]
    nouns: Vec<String>,
    needs: Vec<String>,
    kin: Vec<String>,
    said: Vec<String>,
    sample: ActSample,
}

/// How a goal names an act.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Naming {
    pub(crate) act: ActKind,
    pub(crate) by: NamedBy,
}

/// What stands as the subject of a clause that names an act.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NamedBy {
    Doer,
    /// "Hyacinth gets an apology".
    Receiver,
    /// "The truth comes out".
    Nobody,
    /// "An apology from Jurgis": no clause at all.
    Noun,
}

/// The tables, read.
pub(crate) struct ActTables {
    entries: Vec<ActEntry>,
    pub(crate) namings: Phrases<Naming>,
}

impl ActTables {
    fn named(&self, name: &str) -> Option<ActKind> {
        let place = self.entries.binary_search_by(|entry| entry.name.cmp(name)).ok()?;
        Some(ActKind::at(place))
    }
}

pub(crate) static TABLES: LazyLock<ActTables> = LazyLock::new(|| {
    let texts = [
        include_str!("peace.toml"),
        include_str!("truth.toml"),
        include_str!("will.toml"),
        include_str!("conflict.toml"),
        include_str!("dealings.toml"),
    ];
    let mut written: BTreeMap<String, WrittenAct> = BTreeMap::new();
    for text in texts {
        let table: BTreeMap<String, WrittenAct> =
            toml::from_str(text).expect("the tables of acts are tested");
        written.extend(table);
    }
    read_tables(written)
});

fn read_tables(written: BTreeMap<String, WrittenAct>) -> ActTables {
    let names: Vec<&'static str> = written.keys().map(|name| &*name.clone().leak()).collect();
    let kinds = |list: &[String]| -> Vec<ActKind> {
        list.iter()
            .map(|name| {
                let place = names.iter().position(|known| known == name);
                ActKind::at(place.unwrap_or_else(|| panic!("no act is called '{name}'")))
            })
            .collect()
    };
    let (mut namings, mut entries) = (Vec::new(), Vec::new());
    for (place, act) in written.into_values().enumerate() {
        let kind = ActKind::at(place);
        let lists =
            [(&act.goal, NamedBy::Doer), (&act.receiver, NamedBy::Receiver), (&act.events, NamedBy::Nobody)];
        for (list, by) in lists {
            namings.extend(list.iter().map(|phrase| (conjugated(phrase), Naming { act: kind, by })));
        }
        let noun = |noun: &String| (&*noun.clone().leak(), Naming { act: kind, by: NamedBy::Noun });
        namings.extend(act.nouns.iter().map(noun));
        entries.push(ActEntry {
            name: names[place],
            needs: kinds(&act.needs),
            kin: kinds(&act.kin),
            verbs: act
                .goal
                .iter()
                .filter(|phrase| !phrase.contains(' '))
                .map(|verb| inflection::stem(verb))
                .collect(),
            said: act.said.iter().map(|text| ActTemplate::read(text)).collect(),
            sample: act.sample,
        });
    }
    ActTables { entries, namings: Phrases::new(namings) }
}

/// A phrase with all forms of its verb. The tables are read once, so that what is leaked stays bounded.
fn conjugated(phrase: &str) -> &'static str {
    let (verb, rest) = phrase.split_once(' ').unwrap_or((phrase, ""));
    let forms: Vec<String> = match verb {
        // "won't play": no form of it but this one.
        "will" | "would" => vec![verb.to_owned()],
        _ => verb.split('|').flat_map(inflection::forms).collect(),
    };
    format!("{} {rest}", forms.join("|")).trim_end().to_owned().leak()
}
