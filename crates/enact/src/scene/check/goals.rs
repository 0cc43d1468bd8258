//! How the goals of a scene are read, and what would be heard as them.

use std::{collections::BTreeMap, sync::LazyLock};

use enact_drama::{judge::Goal, scene::Setup, text::one_line};
use enact_server::scene::ReadGoal;
use serde::Deserialize;

/// What is said of an act.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ToldAct {
    /// What it is called: `apologise`.
    act: String,
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
pub(super) fn lines(setup: &Setup) -> Vec<String> {
    let told = |goal: ReadGoal| {
        let head = [format!("  goal: {}", goal.text), format!("    {}", goal.reading)];
        head.into_iter().chain(goal.heard_as.map(|heard| format!("    {heard}")))
    };
    read(setup).into_iter().flat_map(told).collect()
}

/// How each goal is read. A goal that a model judges need not be understood by the rules.
pub(in crate::scene) fn read(setup: &Setup) -> Vec<ReadGoal> {
    let displays: Vec<&str> = setup.cast.iter().map(|role| role.display.as_str()).collect();
    let goals = setup.goals.iter().map(|text| Goal::read(text, &displays));
    goals.map(|goal| told(&goal, setup.judge.is_some())).collect()
}

fn told(goal: &Goal, judged_by_model: bool) -> ReadGoal {
    let text = one_line(&goal.text);
    if !goal.is_readable() {
        let unread = match judged_by_model {
            true => "read only by the model that judges",
            false => {
                "the rules cannot judge it: say who does what, as in \"Bob apologizes to Alice\", or name a judge"
            }
        };
        return ReadGoal { text, readable: false, reading: unread.to_owned(), heard_as: None };
    }
    let named = goal.act.and_then(|act| ACTS.get(&format!("{act:?}")));
    let act = named.map_or("as it is written", |told| told.act.as_str());
    let who = goal.doers.join(if goal.either { " or " } else { " and " });
    let mut reading = format!("{act}, by {}", one_line(&who));
    if !goal.to.is_empty() {
        reading.push_str(&format!(", to {}", one_line(&goal.to.join(" and "))));
    }
    if let Some(about) = &goal.about {
        reading.push_str(&format!(", about \"{}\"", one_line(about)));
    }
    let heard = match named {
        Some(told) if told.says.is_empty() => told.does.clone(),
        Some(told) => format!("\"{}\"", told.says),
        None => "the same verb and object, said of what was done or is being done".to_owned(),
    };
    let (read_as, heard_as) =
        if goal.negated { ("read as: never", "broken by") } else { ("read as:", "heard as it:") };
    ReadGoal {
        text,
        readable: true,
        reading: format!("{read_as} {reading}"),
        heard_as: Some(format!("{heard_as} {heard}")),
    }
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
            let verb = match told.act.as_str() {
                "say goodbye" => "says goodbye".to_owned(),
                "apologise" => "apologizes".to_owned(),
                "agree" => "and Alice agree".to_owned(),
                "cut in" => continue, // Not done with words.
                act => format!("{act}s"),
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
