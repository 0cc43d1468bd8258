//! What a person should know once a scene is over: failures that the scene itself played around.

use std::collections::BTreeMap;

use enact_drama::{
    scene::report::Metadata,
    scene::{EndReason, HiddenPurpose},
    text::one_line,
};

/// As often as gets an actor benched. Whoever failed less was missed for a beat or two, which the transcript shows.
const OFTEN: u32 = 3;

/// Why the scene could not go on: what was said last when nobody could answer, or what the next beat would have needed.
pub(crate) fn cause(metadata: &Metadata) -> Option<String> {
    match metadata.reason? {
        EndReason::Failed => metadata.errors.last().map(|failure| one_line(&failure.error)),
        EndReason::BudgetExceeded => unaffordable(metadata),
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

/// Characters that could often not answer, unless all of that is told as the cause of the end; models that were to
/// advise and never did.
pub(crate) fn notes(metadata: &Metadata) -> Vec<String> {
    let mut failures: BTreeMap<&str, (u32, &str)> = BTreeMap::new();
    let told = metadata.reason == Some(EndReason::Failed);
    for failure in metadata.errors.iter().filter(|_| !told) {
        let (times, last) = failures.entry(failure.character.as_str()).or_default();
        (*times, *last) = (*times + 1, &failure.error);
    }
    let often = failures.into_iter().filter(|(_, (times, _))| *times >= OFTEN);
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
