//! Runs made audible, for `enact export --format wav` and for productions that record what they have played.

use std::{path::Path, sync::Arc};

use enact_drama::{Problem, report::recording::Plan, text::one_line};
use enact_engine::{
    Voice,
    recording::{Missed, Recording, record},
};

use crate::{
    args::values::VoiceFlag,
    config::Config,
    screen::{notes, progress_bar},
    voices,
};

/// The voice that is to speak, made and checked; none if the flag says so.
pub(crate) fn speaker(config: &Config, flag: Option<&VoiceFlag>) -> Result<Option<Arc<dyn Voice>>, Problem> {
    voices::wanted(config, flag)?.map(|chain| voices::voice(config, &chain)).transpose()
}

/// Speaks a run into a file, with a bar on a terminal, and says what a person should know.
pub(crate) async fn speak(
    plan: &Plan,
    voice: Arc<dyn Voice>,
    file: &Path,
    shown: bool,
) -> Result<Recording, enact_engine::recording::Error> {
    let bar = progress_bar(plan.cues.len(), "speaking line {pos} of {len}");
    let recorded = record(plan, voice, file, |done| bar.set_position(done as u64)).await;
    bar.finish_and_clear();
    let recording = recorded?;
    if shown {
        notes(missed(&recording.missed));
    }
    Ok(recording)
}

/// The lines that are not heard, one note for each reason.
fn missed(missed: &[Missed]) -> Vec<String> {
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for Missed { who, error, .. } in missed {
        match reasons.iter_mut().find(|(known, _)| known == error) {
            Some((_, whose)) => whose.push(who),
            None => reasons.push((error, vec![who])),
        }
    }
    let note = |(error, whose): (&str, Vec<&str>)| {
        let lines = match whose.as_slice() {
            [who] => format!("a line of {who}"),
            many => format!("{} lines", many.len()),
        };
        format!("{lines} could not be spoken: {}", one_line(error))
    };
    reasons.into_iter().map(note).collect()
}

#[cfg(test)]
mod tests {
    use enact_drama::Seq;

    use super::*;

    #[test]
    fn what_is_not_heard_is_told_once_for_each_reason() {
        let miss =
            |who: &str, error: &str| Missed { line: Seq(1), who: who.to_owned(), error: error.to_owned() };
        let all = [miss("Alice", "busy"), miss("Bob", "no\nwords"), miss("Bob", "busy")];
        assert_eq!(
            missed(&all),
            ["2 lines could not be spoken: busy", "a line of Bob could not be spoken: no words"]
        );
        assert!(missed(&[]).is_empty());
    }
}
