//! The made-up players: what each says, as its file in `personas/` describes it.

use enact_drama::{
    dice::Dice,
    episode::{Choice, Episode, EpisodeCondition, EpisodeTemplate},
};
use serde::Deserialize;

/// Somebody who plays.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MadeUpPlayer {
    pub(super) name: String,
    /// For those who read the file or the numbers.
    pub(super) about: String,
    choices: ChoiceHabit,
    starters: bool,
    listens_for: usize,
    lines: Vec<String>,
}

/// Which option of a choice is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ChoiceHabit {
    First,
    Last,
    Any,
    /// None: they talk past it.
    Ignore,
}

/// What a player does in a turn.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum PlayerMove {
    Says(String),
    /// The id of an option.
    Chooses(String),
}

macro_rules! personas {
    ($($name:literal),* $(,)?) => {
        [$(include_str!(concat!("../../../personas/", $name, ".toml"))),*]
    };
}

const FILES: [&str; 10] = personas!(
    "shy",
    "contrary",
    "ok",
    "rusher",
    "flirt",
    "curious",
    "warm",
    "rambler",
    "trickster",
    "attentive",
);

/// All of them.
pub(super) fn personas() -> Vec<MadeUpPlayer> {
    let read = |text: &&str| toml::from_str(text).expect("the files of personas can be read");
    FILES.iter().map(read).collect()
}

impl MadeUpPlayer {
    /// What they do next in a session. The same seed gives the same.
    pub(super) fn acts(&self, episode: &Episode, seed: u64) -> PlayerMove {
        let template = &episode.setup().template;
        let turn = episode.turn_count() + 1;
        let mut dice = Dice::new(seed, &self.name, turn);
        if let Some(option) = episode.offered_choice().and_then(|choice| self.chosen(choice, &mut dice)) {
            return PlayerMove::Chooses(option);
        }
        if turn == 1
            && self.starters
            && let Some(starter) = dice.pick(&template.starter_prompts)
        {
            return PlayerMove::Says(starter.clone());
        }
        if dice.below(100) < self.listens_for
            && let Some(phrase) = dice.pick(&listened_for(template, episode))
        {
            return PlayerMove::Says(phrase.clone());
        }
        PlayerMove::Says(dice.pick(&self.lines).cloned().unwrap_or_default())
    }

    fn chosen(&self, choice: &Choice, dice: &mut Dice) -> Option<String> {
        let option = match self.choices {
            ChoiceHabit::First => choice.options.first(),
            ChoiceHabit::Last => choice.options.last(),
            ChoiceHabit::Any => dice.pick(&choice.options),
            ChoiceHabit::Ignore => None,
        };
        option.map(|option| option.id.clone())
    }
}

/// Phrases that would set a flag, or show that a beat has happened, which has not been so far.
fn listened_for(template: &EpisodeTemplate, episode: &Episode) -> Vec<String> {
    let unset = template.flags.iter().filter(|rule| !episode.flags().contains_key(&rule.flag));
    let conditions = unset.map(|rule| &rule.when).chain(template.cues.iter().map(|cue| &cue.landed));
    let phrases = conditions.filter_map(|condition| match condition {
        EpisodeCondition::Keyword(phrases) => Some(phrases),
        _ => None,
    });
    phrases.flatten().map(|phrase| format!("{phrase}.")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_ten_and_each_has_something_to_say() {
        let all = personas();
        let names: std::collections::BTreeSet<&str> = all.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names.len(), 10);
        for one in &all {
            assert!(one.lines.len() >= 4 && !one.about.is_empty() && one.listens_for <= 100, "{}", one.name);
        }
    }
}
