//! Everything a field needs to be played, resolved: the first fact of its log.

use std::{collections::BTreeMap, sync::Arc};

use serde::{Deserialize, Serialize};

use super::{file::read_field, plan::FieldPlan, request, world::FieldWorld};
use crate::{
    Name, Problem, RunId,
    budget::{self, Budget},
    model_card::ModelCard,
    production::Player,
    report::Cards,
    scene::Remembered,
    sheet::Sheet,
};

/// A field ready to be played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FieldSetup {
    pub run: RunId,
    /// What its file is called.
    pub name: Name,
    /// The file, verbatim.
    pub file: String,
    /// The [rules](super::world::RULES_VERSION) that it is played by.
    pub rules: u32,
    pub cast: Vec<FieldRole>,
    pub models: Cards,
    /// Who plays those that come later.
    pub model: String,
    pub seed: u64,
    pub minutes: u32,
    /// How many seconds of the field pass in one; 0 for as fast as possible.
    pub speed: u32,
    /// Whether every invariant is checked after every tick.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub check: bool,
    /// The model that decides for characters near a watched one. Rules decide for all others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minds: Option<FieldMinds>,
    /// What it may use. Once that is gone, rules decide and speak.
    #[serde(default, skip_serializing_if = "Budget::is_open")]
    pub budget: Budget,
    /// Who is watched in the beginning, by the name on stage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub watched: Option<String>,
    /// What people bring along from earlier runs, where the field [remembers](FieldPlan::remember).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub remembered: BTreeMap<Name, Remembered>,
}

/// A language model that decides for people, and how often it may be asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FieldMinds {
    pub model: String,
    /// In a minute of the field.
    pub calls_per_minute: u32,
    /// In the whole run.
    pub most_calls: u32,
}

/// A character in the field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FieldRole {
    pub name: Name,
    pub display: String,
    /// The sheet, verbatim.
    pub sheet: String,
    /// Which of the run's models plays it in conversations.
    pub model: String,
}

impl FieldSetup {
    /// The plan of its file, with the names that people have on stage.
    pub fn plan(&self) -> Result<FieldPlan, Problem> {
        let mut plan = read_field(&self.file, self.name.as_str())?;
        for person in &mut plan.people {
            if let Some(role) = self.cast.iter().find(|role| role.name == person.name) {
                person.display.clone_from(&role.display);
            }
        }
        Ok(plan)
    }

    /// Checks that its budget can be kept: one in money needs the price of everything that may be asked.
    pub fn check_budget(&self) -> Result<(), Problem> {
        let asked = self.cast.iter().map(|role| &role.model).chain([&self.model]);
        let asked = asked.chain(self.minds.iter().map(|minds| &minds.model));
        budget::check_prices(&self.budget, asked, &self.models)
    }

    pub fn world(&self) -> Result<FieldWorld, Problem> {
        Ok(FieldWorld::new(Arc::new(self.plan()?), self.seed))
    }

    /// Every model that may be asked, each once.
    pub(super) fn players(&self) -> Vec<Player> {
        let player = |(name, card): (&String, &ModelCard)| {
            let plays = self.cast.iter().filter(|role| role.model == *name).map(|role| role.name.to_string());
            let plays_others = (self.model == *name).then(|| "those who come later".to_owned());
            Player {
                name: name.clone(),
                card: card.clone(),
                plays: plays.chain(plays_others).collect(),
                advises: self
                    .minds
                    .iter()
                    .filter(|minds| minds.model == *name)
                    .map(|_| request::DECISION)
                    .collect(),
                stands_in_for: Vec::new(),
            }
        };
        let mut players: Vec<Player> = self.models.iter().map(player).collect();
        Player::fill_in_fallbacks(&mut players);
        players.retain(Player::is_asked);
        players
    }

    /// Whether time stands still while a model is asked: the same seed then gives the same field.
    pub(super) fn waits_for_actors(&self, speed: u32) -> bool {
        speed == 0 || self.models.values().all(|card| card.provider.is_none())
    }

    /// The role by the name on stage. A character that was added later has a sheet of one line.
    pub(super) fn role_of(&self, display: &str) -> FieldRole {
        let known = self.cast.iter().find(|role| role.display == display).cloned();
        known.unwrap_or_else(|| FieldRole {
            name: name_of(display),
            display: display.to_owned(),
            sheet: sheet_of(display, "A guest whom nobody knows well."),
            model: self.model.clone(),
        })
    }
}

/// The sheet of a character of whom the author says only this. "A nurse on her way home." says who somebody is, and
/// becomes a sentence, which players made of rules can say of themselves.
pub fn sheet_of(display: &str, about: &str) -> String {
    let mut words = about.split_whitespace();
    let begins = words.next().unwrap_or_default();
    let first: Vec<&str> =
        about.split(['.', '!', ';']).next().unwrap_or_default().split_whitespace().collect();
    let has_more =
        first.iter().skip(2).take(3).any(|word| AFTER_A_NOUN.contains(&word.trim_end_matches(',')));
    let says_who = ["A", "An", "The"].contains(&begins) && (has_more || first.len() <= 3);
    match about.split_once(' ').filter(|_| says_who) {
        Some((_, rest)) => format!("# {display}\n\n{display} is {} {rest}\n", begins.to_lowercase()),
        None => format!("# {display}\n\n{about}\n"),
    }
}

/// What comes after a noun rather than after a subject.
const AFTER_A_NOUN: [&str; 14] = [
    "who", "whose", "whom", "with", "without", "of", "on", "from", "in", "at", "for", "to", "between",
    "among",
];

/// Checks that all sheets can be read, and that no two characters share a name: their lines would look alike.
pub fn check_cast(cast: &[FieldRole]) -> Result<(), Problem> {
    for (at, role) in cast.iter().enumerate() {
        Sheet::read(role.name.as_str(), &role.sheet)?;
        if cast[..at].iter().any(|other| other.display == role.display) {
            return Err(Problem::config(format!("two people are called '{}'", role.display))
                .hint("give one of their sheets another 'name:' in its front matter"));
        }
    }
    Ok(())
}

/// A plain name for a character that has none.
fn name_of(display: &str) -> Name {
    let plain: String =
        display.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).take(60).collect();
    let plain = plain.trim_matches('-').to_lowercase();
    Name::new(if plain.is_empty() { "guest".to_owned() } else { plain }).unwrap_or_else(|_| guest())
}

fn guest() -> Name {
    Name::new("guest").expect("a plain name")
}
