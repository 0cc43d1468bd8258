//! A run of any production, folded for telling.

use serde_json::Value;

use super::{Costs, Document, Format, Ledger, Story, chorus};
use crate::{Fact, Production, Record, chorus::Chorus, production::Kind, record::Unreadable, scene::Scene};

/// What happened in a run, whatever it is.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "there is one of them at a time")]
pub enum Told {
    Scene(Story),
    Chorus(chorus::Story),
}

impl Told {
    /// Folds a whole log. Gives nothing if it is empty, or begins like no production known.
    pub fn of(records: &[Record]) -> Result<Option<Told>, Unreadable> {
        Ok(match records.first().and_then(Kind::of) {
            Some(Kind::Scene) => Story::of(&facts::<Scene>(records)?).map(Told::Scene),
            Some(Kind::Chorus) => chorus::Story::of(&facts::<Chorus>(records)?).map(Told::Chorus),
            None => None,
        })
    }

    /// The same as far as this version of enact can read the log: what it does not know is passed over.
    pub fn as_far_as_known(records: &[Record]) -> Option<Told> {
        match records.first().and_then(Kind::of)? {
            Kind::Scene => Story::of(&known::<Scene>(records)).map(Told::Scene),
            Kind::Chorus => chorus::Story::of(&known::<Chorus>(records)).map(Told::Chorus),
        }
    }

    /// What the run is called in lists: a scene's name, `chorus`.
    pub fn name(&self) -> &str {
        match self {
            Told::Scene(story) => story.setup.name.as_str(),
            Told::Chorus(_) => Chorus::NAME,
        }
    }

    /// `scene`, `chorus`.
    pub fn production(&self) -> &'static str {
        match self {
            Told::Scene(_) => Scene::NAME,
            Told::Chorus(_) => Chorus::NAME,
        }
    }

    pub fn ledger(&self) -> &Ledger {
        match self {
            Told::Scene(story) => &story.ledger,
            Told::Chorus(story) => &story.ledger,
        }
    }

    pub fn costs(&self) -> Costs {
        match self {
            Told::Scene(story) => super::metadata(story).costs,
            Told::Chorus(story) => chorus::costs(story),
        }
    }

    /// Why it is over, once it is.
    pub fn ended_reason(&self) -> Option<&'static str> {
        match self {
            Told::Scene(story) => story.ended.map(|reason| reason.ending().name),
            Told::Chorus(story) => story.ended.map(crate::chorus::EndReason::as_str),
        }
    }

    /// The run as it is told to people.
    pub fn document(&self) -> Document {
        match self {
            Told::Scene(story) => story.document(),
            Told::Chorus(story) => story.document(),
        }
    }

    /// The whole run in one of the formats.
    pub fn render(&self, format: Format) -> String {
        format.render(&self.document())
    }

    /// What programs want to know about it; each production has its own shape of it.
    pub fn metadata(&self) -> Value {
        let value = match self {
            Told::Scene(story) => serde_json::to_value(super::metadata(story)),
            Told::Chorus(story) => serde_json::to_value(chorus::metadata(story)),
        };
        value.expect("metadata has only string keys")
    }
}

fn facts<P: Production>(records: &[Record]) -> Result<Vec<Fact<P::Event>>, Unreadable> {
    records.iter().map(Record::fact).collect()
}

fn known<P: Production>(records: &[Record]) -> Vec<Fact<P::Event>> {
    records.iter().filter_map(|record| record.fact().ok()).collect()
}
