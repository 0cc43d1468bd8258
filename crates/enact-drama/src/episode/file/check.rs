//! Whether an episode can be played, and come to its end.

use std::collections::BTreeSet;

use crate::{
    Problem, did_you_mean,
    episode::{CompletionMode, EpisodeCondition, EpisodeTemplate},
};

/// The evaluations that are built in.
const EVALUATIONS: [&str; 3] = ["flirt_archetype", "episode_summary", "mystery_progress"];

pub(super) fn check(template: &EpisodeTemplate) -> Result<(), Problem> {
    if template.character.trim().is_empty() {
        return Err(Problem::config("the episode has no 'character'").hint(
            "name the sheet of the one who is talked to: 'character: mina' for .claude/agents/mina.md",
        ));
    }
    if template.situation.trim().is_empty() {
        return Err(Problem::config("the episode has no situation")
            .hint("say below the front matter where the two are and what is going on"));
    }
    check_own_evaluation(template)?;
    if template.own_evaluation.is_none() && !EVALUATIONS.contains(&template.evaluation.as_str()) {
        let problem = Problem::config(format!("there is no evaluation '{}'", template.evaluation));
        let known = format!("there are {}", EVALUATIONS.join(", "));
        let hint = did_you_mean(&template.evaluation, EVALUATIONS.iter().copied());
        return Err(problem.hint(hint.map_or(known, |one| format!("did you mean '{one}'?"))));
    }
    check_objective(template)?;
    check_ids(template)?;
    check_endings(template)
}

/// The types that the keys of an evaluation can have.
const TYPES: [&str; 5] = ["string", "number", "integer", "boolean", "array"];

/// What an author asks a model for has to be something that all providers can keep to.
fn check_own_evaluation(template: &EpisodeTemplate) -> Result<(), Problem> {
    let Some(own) = &template.own_evaluation else { return Ok(()) };
    if EVALUATIONS.contains(&template.evaluation.as_str()) {
        let problem = format!("the evaluation '{}' is built in", template.evaluation);
        return Err(Problem::config(problem).hint("give your own another 'type'"));
    }
    for (key, schema) in &own.schema {
        let kind = schema["type"].as_str().unwrap_or_default();
        if !TYPES.contains(&kind) {
            let problem = format!("the key '{key}' of the evaluation has the type '{kind}'");
            return Err(Problem::config(problem).hint(format!("types are {}", TYPES.join(", "))));
        }
        if kind == "array" && !TYPES[..4].contains(&schema["items"]["type"].as_str().unwrap_or_default()) {
            let problem = format!("the list '{key}' of the evaluation does not say what it holds");
            return Err(Problem::config(problem).hint("add 'items: {type: string}'"));
        }
    }
    Ok(())
}

/// An objective that nothing can set would never be met.
fn check_objective(template: &EpisodeTemplate) -> Result<(), Problem> {
    if template.completion_mode != CompletionMode::Objective {
        return Ok(());
    }
    let Some(key) = &template.objective_key else {
        return Err(Problem::config("completion_mode is 'objective', and there is no objective_key")
            .hint("name the flag under completion_criteria: 'objective_key: accusation_made'"));
    };
    if template.settable_flags().any(|flag| flag == key) {
        return Ok(());
    }
    Err(Problem::config(format!("nothing in the episode can set '{key}', so that it would never end"))
        .hint(format!("add a flag rule: 'flags: [{{flag: {key}, when: \"keyword: I accuse\"}}]'")))
}

fn check_ids(template: &EpisodeTemplate) -> Result<(), Problem> {
    let mut seen = BTreeSet::new();
    if let Some(twice) = template.cues.iter().find(|cue| !seen.insert(&cue.id)) {
        return Err(Problem::config(format!("two beats are called '{}'", twice.id)));
    }
    for cue in &template.cues {
        if let Some(missing) = cue.needs_cues.iter().find(|id| !seen.contains(id)) {
            let problem = format!("the beat '{}' requires a beat '{missing}', which is not there", cue.id);
            return Err(Problem::config(problem));
        }
        let settable = |flag: &&String| template.settable_flags().any(|known| known == flag.as_str());
        if let Some(missing) = cue.needs_flags.iter().find(|flag| !settable(flag)) {
            let problem = format!("the beat '{}' requires the flag '{missing}', which nothing sets", cue.id);
            return Err(Problem::config(problem));
        }
    }
    Ok(())
}

/// Endings that can be true together need an order.
fn check_endings(template: &EpisodeTemplate) -> Result<(), Problem> {
    for (index, ending) in template.endings.iter().enumerate() {
        let tie = template.endings[..index].iter().find(|other| other.priority == ending.priority);
        if let Some(other) = tie {
            let (one, two) = (&other.id, &ending.id);
            return Err(Problem::config(format!("the endings '{one}' and '{two}' have the same priority"))
                .hint("both may be true at once: give each its own 'priority', the highest wins"));
        }
        if let EpisodeCondition::Flag(flag) = &ending.when
            && !template.settable_flags().any(|known| known == flag)
        {
            let problem =
                format!("the ending '{}' waits for the flag '{flag}', which nothing sets", ending.id);
            return Err(Problem::config(problem));
        }
    }
    Ok(())
}
