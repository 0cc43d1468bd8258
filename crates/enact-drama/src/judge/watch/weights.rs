//! How much each piece of evidence weighs: `weights.toml`.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::acts::ActKind;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EvidenceScale {
    pub(super) met: f32,
    pub(super) unsure: f32,
    pub(super) by_anybody: f32,
    pub(super) joins_in: f32,
    pub(super) doubt: f32,
    pub(super) weights: Weights,
    acts: ActSets,
}

/// What each stands for is said in the file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Weights {
    pub(super) does: f32,
    pub(super) does_twice: f32,
    pub(super) shown: f32,
    pub(super) hints: f32,
    pub(super) hints_twice: f32,
    pub(super) hints_with_matter: f32,
    pub(super) hints_near_matter: f32,
    pub(super) with_matter: f32,
    pub(super) near_matter: f32,
    pub(super) without_matter: f32,
    pub(super) bare: f32,
    pub(super) of_other_matter: f32,
    pub(super) of_nothing: f32,
    pub(super) matter_alone: f32,
    pub(super) states: f32,
    pub(super) states_all: f32,
    pub(super) yes_does: f32,
    pub(super) yes_undoes: f32,
    pub(super) no_does: f32,
    pub(super) no_undoes: f32,
    pub(super) against: f32,
    pub(super) not_meant: f32,
    pub(super) condition: f32,
    pub(super) acts_with_condition: f32,
    pub(super) to_contrary: f32,
    pub(super) asks: f32,
    pub(super) ironic: f32,
    pub(super) cut_off: f32,
    pub(super) to_addressee: f32,
    pub(super) to_another: f32,
    pub(super) deed_told: f32,
    pub(super) deed_shown: f32,
    pub(super) thing_shown: f32,
    pub(super) deed_not_done: f32,
    pub(super) answered: f32,
    pub(super) told_by_others: f32,
    pub(super) refuted: f32,
    pub(super) later_against: f32,
    pub(super) retracted: f32,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ActSets {
    by_yes: Vec<String>,
    by_no: Vec<String>,
    about_matter: Vec<String>,
    with_thing: Vec<String>,
    by_statement: Vec<String>,
    of_self: Vec<String>,
    to_others: Vec<String>,
    by_condition: Vec<String>,
    contradicted: Vec<String>,
    answers: Vec<String>,
    to_do: Vec<String>,
}

/// What kind of act it is, as far as evidence goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ActTraits {
    pub(super) by_yes: bool,
    pub(super) by_no: bool,
    pub(super) about_matter: bool,
    pub(super) with_thing: bool,
    pub(super) by_statement: bool,
    pub(super) of_self: bool,
    pub(super) to_others: bool,
    pub(super) by_condition: bool,
    pub(super) contradicted: bool,
    pub(super) answers: bool,
    pub(super) to_do: bool,
}

impl ActTraits {
    pub(super) fn of(act: ActKind) -> ActTraits {
        let sets = &SCALE.acts;
        let is_in = |set: &[String]| set.iter().any(|name| name == act.name());
        ActTraits {
            by_yes: is_in(&sets.by_yes),
            by_no: is_in(&sets.by_no),
            about_matter: is_in(&sets.about_matter),
            with_thing: is_in(&sets.with_thing),
            by_statement: is_in(&sets.by_statement),
            of_self: is_in(&sets.of_self),
            to_others: is_in(&sets.to_others),
            by_condition: is_in(&sets.by_condition),
            contradicted: is_in(&sets.contradicted),
            answers: is_in(&sets.answers),
            to_do: is_in(&sets.to_do),
        }
    }
}

pub(super) static SCALE: LazyLock<EvidenceScale> =
    LazyLock::new(|| toml::from_str(include_str!("weights.toml")).expect("the weights are tested"));
