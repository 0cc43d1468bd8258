//! How the goals of a scene are read, and what would be heard as them.

use std::{collections::BTreeMap, sync::LazyLock};

use enact_drama::{acts::GoalReading, judge::Goal, scene::SceneSetup, text::one_line};
use enact_server::scene::ReadGoal;
use serde::Deserialize;

/// What is said of an act.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ToldAct {
    /// What would be heard as it.
    #[serde(default)]
    says: String,
    /// What would be seen as it, where words alone do not do it.
    #[serde(default)]
    does: String,
    /// What another one has said before, where the words alone do not do it. For the tests, which have the
    /// judge hear it.
    #[serde(default)]
    #[cfg_attr(not(test), expect(dead_code, reason = "only the tests hear it"))]
    after: String,
}

static ACTS: LazyLock<BTreeMap<String, ToldAct>> = LazyLock::new(|| {
    toml::from_str(include_str!("told_acts.toml")).expect("told_acts.toml is checked by a test")
});

/// Two or three lines for each goal.
pub(super) fn lines(setup: &SceneSetup) -> Vec<String> {
    let told = |goal: ReadGoal| {
        let head = [format!("  goal: {}", goal.text), format!("    {}", goal.reading)];
        head.into_iter().chain(goal.heard_as.map(|heard| format!("    {heard}")))
    };
    read(setup).into_iter().flat_map(told).collect()
}

/// How each goal is read. A goal that a model judges need not be understood by the rules.
pub(in crate::scene) fn read(setup: &SceneSetup) -> Vec<ReadGoal> {
    let displays: Vec<&str> = setup.cast.iter().map(|role| role.display.as_str()).collect();
    let goals = setup.goals.iter().map(|text| Goal::read(text, &displays));
    goals.map(|goal| told(&goal, &displays, setup.judge.is_some())).collect()
}

fn told(goal: &Goal, cast: &[&str], judged_by_model: bool) -> ReadGoal {
    let text = one_line(&goal.text);
    let reading = match goal.told(cast) {
        Ok(reading) => reading,
        Err(why) => {
            let reading = match judged_by_model {
                true => format!("the rules cannot read it ({why}); the model that judges does"),
                false => format!(
                    "the rules cannot read it ({why}): say who does what, as in \"Bob apologizes to Alice\", or name \
                     a judge"
                ),
            };
            return ReadGoal { text, readable: false, reading, heard_as: None };
        }
    };
    let named = goal.act.filter(|_| goal.is_readable()).and_then(|act| ACTS.get(&format!("{act:?}")));
    let heard =
        match named {
            Some(told) if told.says.is_empty() => told.does.clone(),
            Some(told) => format!("\"{}\"", told.says),
            None => goal.reading.iter().find_map(said).unwrap_or_else(|| {
                "the same verb and object, said of what was done or is being done".to_owned()
            }),
        };
    let heard_as = if goal.negated { "broken by" } else { "heard as it:" };
    ReadGoal {
        text,
        readable: true,
        reading: format!("read as: {reading}"),
        heard_as: Some(format!("{heard_as} {heard}")),
    }
}

/// A line that the tables of acts have for it, without what it is about.
fn said(reading: &GoalReading) -> Option<String> {
    let bare = reading.act.said().iter().find(|template| template.slots().is_empty())?;
    bare.fill(|_| None).map(|line| format!("\"{line}\""))
}

#[cfg(test)]
mod tests {
    use enact_drama::judge::{Transcript, judge};

    use super::*;

    /// What is told to be heard as an act is heard as it.
    #[test]
    fn what_is_told_is_heard() {
        let cast = ["Alice", "Bob"];
        for (name, told) in ACTS.iter() {
            let verb = match name.as_str() {
                "Farewell" => "says goodbye".to_owned(),
                "Apologise" => "apologizes".to_owned(),
                "Agree" => "and Alice agree".to_owned(),
                "Interrupt" => continue, // Not done with words.
                act => format!("{}s", act.to_lowercase()),
            };
            let goal = Goal::read(&format!("Bob {verb}"), &cast);
            assert_eq!(goal.act.map(|act| format!("{act:?}")).as_deref(), Some(name.as_str()), "{verb}");
            let mut lines = Vec::new();
            if !told.after.is_empty() {
                lines.push(serde_json::json!({"speaker": "Alice", "content": told.after}));
            }
            lines.push(serde_json::json!({"speaker": "Bob", "content": told.says}));
            let transcript = Transcript::read(&serde_json::Value::from(lines).to_string()).unwrap();
            let verdict = judge(&[goal], &cast, &transcript.heard());
            assert_eq!(verdict.goals[0].met, Some(true), "{name}: {}", told.says);
        }
    }
}
