//! What a person should know once a chorus is over: how it went, where it can be heard, what it cost.

use std::collections::BTreeMap;

use enact_drama::{
    chorus::report::{ChorusMetadata, ChorusReport, metadata},
    chorus::{ChorusEnd, folder_of},
    report::figures::counted,
    text::one_line,
};

use crate::store::Location;

/// Line by line.
pub(crate) fn summary(story: &ChorusReport, location: &Location) -> Vec<String> {
    let metadata = metadata(story);
    let run = metadata.run_id;
    let mut lines = vec![ended(story, &metadata)];
    if story.setup.voice.is_some() {
        let folder = location.artifacts().root().join(folder_of(run));
        lines.push(format!("Audio: {} ({})", folder.display(), heard(&metadata)));
    }
    lines.extend(passed_over(story));
    lines.extend(unheard(&metadata));
    lines.push(format!("Cost: {}", cost(&metadata)));
    lines.push(match story.ended {
        Some(_) => format!("Again: enact replay {run}{}", location.flag()),
        None => format!("Play on: enact chorus --resume {run}{}", location.flag()),
    });
    lines
}

fn ended(story: &ChorusReport, metadata: &ChorusMetadata) -> String {
    let answered = format!("{} of {} answered", metadata.completed_slots, metadata.slots.len());
    let turns = counted(metadata.turns as u64, "turn");
    let seed = metadata.seed;
    match metadata.reason {
        Some(ChorusEnd::Completed) => format!("Done: {answered}, in {turns}, seed {seed}."),
        // The turn it was in has not been counted: it was not over.
        Some(ChorusEnd::Cancelled) => match story.rounds.last() {
            Some(round) => format!("Cancelled in turn {}: {answered}, seed {seed}.", round.turn.index()),
            None => format!("Cancelled: {answered}, seed {seed}."),
        },
        Some(ChorusEnd::BudgetExceeded) => {
            format!("Budget used up: {answered}, in {turns}, seed {seed}.")
        }
        Some(ChorusEnd::Failed) => {
            let last = metadata.errors.last().map(|error| one_line(&error.error));
            format!("Failed: nobody could answer: {}", last.unwrap_or_default())
        }
        None => format!("Not finished: {answered} so far."),
    }
}

fn heard(metadata: &ChorusMetadata) -> String {
    let (files, duration_ms) = metadata
        .speech
        .values()
        .fold((0, 0), |(files, duration), speech| (files + speech.files, duration + speech.duration));
    if files == 0 {
        return "nothing can be heard".to_owned();
    }
    let by: Vec<String> = metadata.speech.keys().map(|by| one_line(by)).collect();
    let seconds = duration_ms as f64 / 1000.0;
    format!("{}, {seconds:.1} s, spoken by {}", counted(files, "recording"), by.join(" and "))
}

/// Who was to speak and did not, each with its last reason: it is mostly the same for all texts.
fn passed_over(story: &ChorusReport) -> Vec<String> {
    let outcomes = story.said().filter_map(|(_, said)| said.audio.as_ref()?.outcome.as_ref()?.as_ref().ok());
    let passed_over = outcomes.flat_map(|spoken| &spoken.passed_over);
    let last: BTreeMap<&str, &str> = passed_over.map(|by| (by.voice.as_str(), by.error.as_str())).collect();
    last.into_iter().map(|(voice, why)| format!("Passed over: {voice}: {}", one_line(why))).collect()
}

/// Why some of it is missing.
fn unheard(metadata: &ChorusMetadata) -> Option<String> {
    let missing = u64::from(metadata.counts.unvoiced);
    let last = metadata.errors.iter().rfind(|error| error.kind == "tts_error")?;
    Some(format!("Not heard: {}: {}", counted(missing, "text"), one_line(&last.error)))
}

fn cost(metadata: &ChorusMetadata) -> String {
    let costs = &metadata.costs;
    if metadata.models.values().all(|card| card.provider.is_none()) {
        return "nothing: no language model was asked".to_owned();
    }
    let at_least = if costs.unaccounted > 0 { "at least " } else { "" };
    let money = costs.estimated_usd.map_or("unknown".to_owned(), |usd| format!("{at_least}${usd:.4}"));
    match costs.total_tokens {
        Some(tokens) => format!("{money} for {tokens} tokens"),
        None => money,
    }
}
