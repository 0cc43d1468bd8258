//! What a person should know once a scene is over: how it ended, and the failures that it played around.

use std::{collections::BTreeMap, io::Write, path::Path};

use enact_drama::{
    RunId,
    judge::GoalStatus,
    production::ForkPoint,
    scene::report::{Adviser, Metadata, SceneResult},
    scene::{HiddenPurpose, SceneEnd},
    text::one_line,
};

use crate::{
    screen::{print_json, stdout},
    store::Location,
};

/// As often as gets an actor benched. An actor that failed less was missed for a beat or two, which the
/// transcript shows.
const MANY_FAILURES: u32 = 3;

pub(super) fn print(
    result: &SceneResult,
    json: bool,
    quiet: bool,
    location: &Location,
) -> anyhow::Result<()> {
    let mut out = stdout();
    if json {
        print_json(&mut out, result)?;
    } else if !quiet {
        let metadata = &result.metadata;
        let beats = if metadata.total_beats == 1 { "beat" } else { "beats" };
        let why = cause(metadata).map_or(".".to_owned(), |cause| format!(": {cause}"));
        let (how, seed) = (ended(metadata.reason), metadata.seed);
        writeln!(out, "\n{how} after {} {beats}, seed {seed}{why}", metadata.total_beats)?;
        for line in goals(metadata).into_iter().chain(advice(metadata)) {
            writeln!(out, "{line}")?;
        }
        writeln!(out, "Transcript: {}", Path::new(&result.output_path).join("transcript.txt").display())?;
        writeln!(out, "Again: enact replay {}{}", metadata.run_id, location.flag())?;
    }
    Ok(())
}

/// A scene that was ended with Ctrl-C is over, and cannot be resumed: a fork at its end goes on with it.
pub(super) fn print_how_to_go_on(
    run: RunId,
    at: Option<ForkPoint>,
    location: &Location,
) -> anyhow::Result<()> {
    if let Some(at) = at {
        writeln!(stdout(), "Go on: enact fork {run} --beat {at}{}", location.flag())?;
    }
    Ok(())
}

fn ended(reason: Option<SceneEnd>) -> &'static str {
    match reason {
        Some(SceneEnd::GoalAchieved) => "Goal achieved",
        Some(SceneEnd::NaturalEnd) => "Came to a natural end",
        Some(SceneEnd::Stalled) => "Stalled: nobody had anything more to say",
        Some(SceneEnd::Looping) => "Ended because the same exchange kept going round",
        Some(SceneEnd::MaxBeatsExceeded) => "Reached its maximum length",
        Some(SceneEnd::BudgetExceeded) => "Stopped to keep to its budget",
        Some(SceneEnd::Cancelled) => "Cancelled",
        Some(SceneEnd::Failed) => "Failed: nobody could answer",
        None => "Not finished",
    }
}

/// A line for each goal: whether it was met, and by which words; or why that is not known.
fn goals(metadata: &Metadata) -> Vec<String> {
    let told = |goal: &GoalStatus| {
        let (standing, shown) = match (goal.met, &goal.evidence, &goal.by, &goal.why) {
            (Some(true), Some(words), Some(by), _) => ("met", format!(" ({by}: \"{}\")", one_line(words))),
            (Some(true), ..) => ("met", String::new()),
            (Some(false), Some(words), Some(by), _) => {
                ("broken", format!(" ({by}: \"{}\")", one_line(words)))
            }
            (Some(false), ..) => ("open", String::new()),
            (None, .., why) => ("not known", why.as_ref().map(|why| format!(" ({why})")).unwrap_or_default()),
        };
        format!("  {standing}: {}{shown}", one_line(&goal.text))
    };
    metadata.goals.iter().map(told).collect()
}

/// What the models beside the actors took.
fn advice(metadata: &Metadata) -> Vec<String> {
    let told = |(purpose, adviser): (&HiddenPurpose, &Adviser)| {
        let costs = metadata.costs.by_purpose.get(&(*purpose).into())?;
        let did = match purpose {
            HiddenPurpose::Judge => "Judged",
            HiddenPurpose::WorldEvent => "Events written",
        };
        let calls = if costs.calls == 1 { "call" } else { "calls" };
        let tokens = costs.total_tokens.map(|tokens| format!(", {tokens} tokens")).unwrap_or_default();
        let usd = costs.estimated_usd.map(|usd| format!(", ${usd:.4}")).unwrap_or_default();
        Some(format!("{did} by {}: {} {calls}{tokens}{usd}", one_line(&adviser.model), costs.calls))
    };
    metadata.advice.iter().filter_map(told).collect()
}

/// Why the scene could not go on: what was said last when nobody could answer, or what the next beat would
/// have needed.
pub(crate) fn cause(metadata: &Metadata) -> Option<String> {
    match metadata.reason? {
        SceneEnd::Failed => metadata.errors.last().map(|failure| one_line(&failure.error)),
        SceneEnd::BudgetExceeded => unaffordable(metadata),
        _ => None,
    }
}

fn unaffordable(metadata: &Metadata) -> Option<String> {
    let budget = metadata.budget?;
    let needed = match (budget.usd, budget.next_beat_usd, budget.next_beat_tokens) {
        (Some(_), Some(usd), _) => format!("cost up to ${usd:.4}"),
        (_, _, Some(tokens)) => format!("used up to {tokens} tokens"),
        _ => return None,
    };
    Some(format!("another beat could have {needed} (raise the budget, or lower the models' max_tokens)"))
}

/// Characters that could often not answer, unless all of that is told as the cause of the end; models that
/// were to advise and never did.
pub(crate) fn notes(metadata: &Metadata) -> Vec<String> {
    let mut failures: BTreeMap<&str, (u32, &str)> = BTreeMap::new();
    let told = metadata.reason == Some(SceneEnd::Failed);
    for failure in metadata.errors.iter().filter(|_| !told) {
        let (times, last) = failures.entry(failure.character.as_str()).or_default();
        (*times, *last) = (*times + 1, &failure.error);
    }
    let often = failures.into_iter().filter(|(_, (times, _))| *times >= MANY_FAILURES);
    let absent =
        often.map(|(who, (times, last))| format!("{who} could not answer {times} times: {}", one_line(last)));
    let useless = metadata.advice.iter().filter_map(|(purpose, adviser)| {
        let (who, instead) = match purpose {
            HiddenPurpose::WorldEvent => ("event writer", "the rules chose the events"),
            HiddenPurpose::Judge => ("judge", "the rules judged alone"),
        };
        let why = one_line(adviser.useless()?);
        Some(format!("the {who} '{}' never answered: {why}; {instead}", adviser.model))
    });
    absent.chain(useless).collect()
}
