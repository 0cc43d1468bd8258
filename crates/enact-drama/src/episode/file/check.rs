//! Whether an episode can be played, and come to its end.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::fields::Places;
use crate::{
    Problem,
    episode::{CompletionMode, EpisodeCondition, EpisodeTemplate, director::can_be_read},
};

/// The evaluations that are built in.
const EVALUATIONS: [&str; 3] = ["flirt_archetype", "episode_summary", "mystery_progress"];

/// What makes an episode unplayable, at the key that is at fault.
pub(super) fn check(template: &EpisodeTemplate, places: &Places) -> Result<(), Problem> {
    if template.character.trim().is_empty() {
        return Err(Problem::config("the episode has no 'character'").at(1, 1).hint(
            "name the sheet of the one who is talked to: 'character: mina' for .claude/agents/mina.md",
        ));
    }
    if template.situation.trim().is_empty() {
        return Err(Problem::config("the episode has no situation")
            .at(1, 1)
            .hint("say below the front matter where the two are and what is going on"));
    }
    check_own_evaluation(template, places)?;
    if template.own_evaluation.is_none() && !EVALUATIONS.contains(&template.evaluation.as_str()) {
        let problem = Problem::config(format!("there is no evaluation '{}'", template.evaluation))
            .hint(format!("there are {}", EVALUATIONS.join(", ")))
            .suggest(&template.evaluation, EVALUATIONS);
        return Err(places.point_at("evaluation", problem));
    }
    check_objective(template, places)?;
    check_ids(template, places)?;
    check_flags(template, places)?;
    check_endings(template, places)
}

/// The types that the keys of an evaluation can have.
const TYPES: [&str; 5] = ["string", "number", "integer", "boolean", "array"];

/// What an author asks a model for has to be something that all providers can keep to.
fn check_own_evaluation(template: &EpisodeTemplate, places: &Places) -> Result<(), Problem> {
    let Some(own) = &template.own_evaluation else { return Ok(()) };
    if EVALUATIONS.contains(&template.evaluation.as_str()) {
        let problem = Problem::config(format!("the evaluation '{}' is built in", template.evaluation));
        return Err(places.point_at("evaluation.type", problem.hint("give your own another 'type'")));
    }
    for (key, schema) in &own.schema {
        let kind = schema["type"].as_str().unwrap_or_default();
        if !TYPES.contains(&kind) {
            let problem = format!("the key '{key}' of the evaluation has the type '{kind}'");
            let problem = Problem::config(problem).hint(format!("types are {}", TYPES.join(", ")));
            return Err(places.point_at("evaluation.schema", problem));
        }
        if kind == "array" && !TYPES[..4].contains(&schema["items"]["type"].as_str().unwrap_or_default()) {
            let problem = format!("the list '{key}' of the evaluation does not say what it holds");
            let problem = Problem::config(problem).hint("add 'items: {type: string}'");
            return Err(places.point_at("evaluation.schema", problem));
        }
    }
    Ok(())
}

/// An objective that nothing can set would never be met.
fn check_objective(template: &EpisodeTemplate, places: &Places) -> Result<(), Problem> {
    if template.completion_mode != CompletionMode::Objective {
        return Ok(());
    }
    let Some(key) = &template.objective_key else {
        let problem = Problem::config("completion_mode is 'objective', and there is no objective_key")
            .hint("name the flag under completion_criteria: 'objective_key: accusation_made'");
        return Err(places.point_at("completion_mode", problem));
    };
    if template.settable_flags().any(|flag| flag == key) {
        return Ok(());
    }
    let problem =
        Problem::config(format!("nothing in the episode can set '{key}', so that it would never end"))
            .hint(format!("add a flag rule: 'flags: [{{flag: {key}, when: \"keyword: I accuse\"}}]'"))
            .suggest(key, template.settable_flags());
    Err(places.point_at("completion_criteria.objective_key", problem))
}

/// Names stand once, and what is required is there.
fn check_ids(template: &EpisodeTemplate, places: &Places) -> Result<(), Problem> {
    let ids: BTreeSet<&str> = template.cues.iter().map(|cue| cue.id.as_str()).collect();
    let mut seen = BTreeSet::new();
    let mut choices = BTreeSet::new();
    for (at, cue) in template.cues.iter().enumerate() {
        if !seen.insert(&cue.id) {
            let problem = Problem::config(format!("two beats are called '{}'", cue.id));
            return Err(places.point_at(&format!("beats[{at}].id"), problem));
        }
        if let Some(missing) = cue.needs_cues.iter().find(|id| !ids.contains(id.as_str())) {
            let problem = format!("the beat '{}' requires a beat '{missing}', which is not there", cue.id);
            let problem = Problem::config(problem).suggest(missing, ids.iter().copied());
            return Err(places.point_at(&format!("beats[{at}].requires_beat"), problem));
        }
        if cue.deadline < cue.turn {
            let (turn, deadline) = (cue.turn, cue.deadline);
            let problem = format!("the beat '{}' is due in turn {turn}, and late after {deadline}", cue.id);
            return Err(places.point_at(&format!("beats[{at}].deadline"), Problem::config(problem)));
        }
        if let Some(choice) = cue.choice.as_ref().filter(|choice| !choices.insert(choice.id.as_str())) {
            let problem = Problem::config(format!("two choices are called '{}'", choice.id));
            return Err(places.point_at(&format!("beats[{at}].choice.id"), problem));
        }
    }
    Ok(())
}

/// Every flag that something waits for is set by something.
fn check_flags(template: &EpisodeTemplate, places: &Places) -> Result<(), Problem> {
    let waited_for = |flag: &str, who: String, path: String| {
        if template.settable_flags().any(|known| known == flag) {
            return Ok(());
        }
        let problem = Problem::config(format!("{who} waits for the flag '{flag}', which nothing sets"))
            .hint("flags are set by 'flags', by 'sets' of a beat, and by 'sets' of a choice")
            .suggest(flag, template.settable_flags());
        Err(places.point_at(&path, problem))
    };
    let in_condition = |condition: &EpisodeCondition, who: String, path: String| match condition {
        EpisodeCondition::Flag(flag) => waited_for(flag, who, path),
        _ => Ok(()),
    };
    for (at, cue) in template.cues.iter().enumerate() {
        let who = || format!("the beat '{}'", cue.id);
        for flag in &cue.needs_flags {
            waited_for(flag, who(), format!("beats[{at}].requires_flag"))?;
        }
        in_condition(&cue.landed, who(), format!("beats[{at}].when"))?;
        if let Some(unless) = &cue.unless {
            in_condition(unless, who(), format!("beats[{at}].unless"))?;
        }
    }
    for (at, rule) in template.flags.iter().enumerate() {
        in_condition(&rule.when, format!("the rule for '{}'", rule.flag), format!("flags[{at}].when"))?;
    }
    for (at, injection) in template.injections.iter().enumerate() {
        waited_for(&injection.if_flag, format!("inject[{at}]"), format!("inject[{at}].if_flag"))?;
    }
    for (at, ending) in template.endings.iter().enumerate() {
        in_condition(&ending.when, format!("the ending '{}'", ending.id), format!("endings[{at}].when"))?;
    }
    Ok(())
}

/// Endings that can be true together need an order.
fn check_endings(template: &EpisodeTemplate, places: &Places) -> Result<(), Problem> {
    for (at, ending) in template.endings.iter().enumerate() {
        let before = &template.endings[..at];
        if before.iter().any(|other| other.id == ending.id) {
            let problem = Problem::config(format!("two endings are called '{}'", ending.id));
            return Err(places.point_at(&format!("endings[{at}].id"), problem));
        }
        if let Some(other) = before.iter().find(|other| other.priority == ending.priority) {
            let (one, two) = (&other.id, &ending.id);
            let problem = Problem::config(format!("the endings '{one}' and '{two}' have the same priority"))
                .hint("both may be true at once: give each its own 'priority', the highest wins");
            return Err(places.point_at(&format!("endings[{at}].priority"), problem));
        }
    }
    Ok(())
}

/// How many turns a kind of content should have.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BudgetRange {
    name: String,
    fewest: u32,
    most: u32,
    /// The evaluation that shows that an episode is of this kind; any other may be, if there is none.
    evaluation: Option<String>,
}

#[derive(Deserialize)]
struct BudgetFile {
    range: Vec<BudgetRange>,
}

/// What may be meant as it stands, and most often is not.
pub fn episode_warnings(template: &EpisodeTemplate) -> Vec<String> {
    let mut warnings = Vec::new();
    warnings.extend(budget_warning(template));
    let limit = template.turn_limit();
    for cue in &template.cues {
        if let Some(limit) = limit.filter(|limit| cue.turn > *limit) {
            let turn = cue.turn;
            warnings.push(format!("the beat '{}' is due in turn {turn}, and there are {limit}", cue.id));
        }
    }
    let bounded = template.completion_mode != CompletionMode::Open;
    if bounded && !template.endings.is_empty() {
        let lowest = template.endings.iter().min_by_key(|ending| ending.priority);
        if lowest.is_some_and(|ending| ending.when != EpisodeCondition::Automatic) {
            warnings
                .push("no ending is left where none comes true: the last could be 'automatic'".to_owned());
        }
    }
    if !bounded && !template.endings.is_empty() {
        warnings.push("an open episode never completes: its endings are never told".to_owned());
    }
    if template.opening_line.trim().is_empty() {
        warnings.push("the character says nothing first: most users wait for that".to_owned());
    }
    warnings
}

/// Conditions that rules cannot read, so that only a model that reads along would find them true. `display` is what
/// the character is called.
pub fn unread_conditions(template: &EpisodeTemplate, display: &str) -> Vec<String> {
    let of_cues = template.cues.iter().flat_map(|cue| {
        let who = format!("the beat '{}'", cue.id);
        [Some(&cue.landed), cue.unless.as_ref()].into_iter().flatten().map(move |when| (who.clone(), when))
    });
    let of_flags = template.flags.iter().map(|rule| (format!("the flag '{}'", rule.flag), &rule.when));
    let of_endings = template.endings.iter().map(|one| (format!("the ending '{}'", one.id), &one.when));
    let unread = of_cues.chain(of_flags).chain(of_endings).filter_map(|(who, when)| match when {
        EpisodeCondition::Semantic(sentence) if !can_be_read(sentence, display) => Some(format!(
            "{who} waits for 'semantic: {sentence}', which rules cannot read: without a model that reads along \
             (--director, or 'judge' in the configuration) it never comes true. Begin with 'the user' or '{display}' and a \
             verb like asks, accuses, apologizes or agrees"
        )),
        _ => None,
    });
    unread.collect()
}

fn budget_warning(template: &EpisodeTemplate) -> Option<String> {
    let budget = template.turn_limit()?;
    let file: BudgetFile = toml::from_str(include_str!("budgets.toml")).expect("budgets.toml can be read");
    let of_kind = |range: &&BudgetRange| range.evaluation.as_ref() == Some(&template.evaluation);
    let own = file.range.iter().find(of_kind);
    let ranges: Vec<&BudgetRange> = own.map_or_else(|| file.range.iter().collect(), |own| vec![own]);
    if ranges.iter().any(|range| (range.fewest..=range.most).contains(&budget)) {
        return None;
    }
    let told = ranges.iter().map(|range| format!("{} {} to {}", range.name, range.fewest, range.most));
    let told: Vec<String> = told.collect();
    Some(format!("turn_budget is {budget}: what people finish has other lengths ({})", told.join(", ")))
}
