//! What a person should know once a scene is over: failures that the scene itself played around.

use std::collections::BTreeMap;

use enact_drama::{
    production::Purpose,
    scene::EndReason,
    show::{Metadata, one_line},
};

/// As often as gets an actor benched. Whoever failed less was missed for a beat or two, which the transcript shows.
const OFTEN: u32 = 3;

/// Why nobody could answer, where that is how the scene ended: what was said last.
pub(crate) fn cause(metadata: &Metadata) -> Option<String> {
    let failed = metadata.reason == Some(EndReason::Failed);
    metadata.errors.last().filter(|_| failed).map(|failure| one_line(&failure.error))
}

/// Characters that could often not answer, unless all of that is told as the cause of the end; models that were to
/// advise and never did.
pub(crate) fn notes(metadata: &Metadata) -> Vec<String> {
    let mut failures: BTreeMap<&str, (u32, &str)> = BTreeMap::new();
    for failure in metadata.errors.iter().filter(|_| cause(metadata).is_none()) {
        let (times, last) = failures.entry(failure.character.as_str()).or_default();
        (*times, *last) = (*times + 1, &failure.error);
    }
    let often = failures.into_iter().filter(|(_, (times, _))| *times >= OFTEN);
    let absent =
        often.map(|(who, (times, last))| format!("{who} could not answer {times} times: {}", one_line(last)));
    let useless = metadata.advice.iter().filter_map(|(purpose, adviser)| {
        let (who, instead) = match purpose {
            Purpose::WorldEvent => ("event writer", "the rules chose the events"),
            Purpose::Judge | Purpose::Reply => ("judge", "the rules judged alone"),
        };
        let why = one_line(adviser.useless()?);
        Some(format!("the {who} '{}' never answered: {why}; {instead}", adviser.model))
    });
    absent.chain(useless).collect()
}
