//! Runs made audible, for `enact export --format wav` and for productions that record what they have played.

use std::{path::Path, sync::Arc};

use enact_drama::{Problem, report::recording::Plan, text::one_line};
use enact_engine::{
    Voice,
    recording::{Missed, Recording, record},
};
use indicatif::{ProgressBar, ProgressStyle};

use crate::{args::values::VoiceFlag, config::Config, voices};

/// Who is to speak, made and checked; nobody if that is what the flag says.
pub(crate) fn speaker(config: &Config, flag: Option<&VoiceFlag>) -> Result<Option<Arc<dyn Voice>>, Problem> {
    voices::wanted(config, flag)?.map(|chain| voices::voice(config, &chain)).transpose()
}

/// Speaks a run into a file, with a bar on a terminal, and says what a person should know.
pub(crate) async fn speak(
    plan: &Plan,
    voice: Arc<dyn Voice>,
    file: &Path,
    notes: bool,
) -> Result<Recording, enact_engine::recording::Error> {
    let bar = bar(plan.cues.len());
    let recorded = record(plan, voice, file, |done| bar.set_position(done as u64)).await;
    bar.finish_and_clear();
    let recording = recorded?;
    if notes {
        for note in missed(&recording.missed) {
            anstream::eprintln!("note: {note}");
        }
    }
    Ok(recording)
}

/// A bar over all lines. It hides itself where standard error is no terminal.
fn bar(lines: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:24.dim} speaking line {pos} of {len}");
    let bar = ProgressBar::new(lines as u64);
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
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
