//! The figures below a transcript.

use super::{
    ChorusReport, ReportedAudio,
    wording::{speaker, speakers},
};
use crate::{
    report::{
        figures::{cost, counted, grouped, seconds},
        statistics::{cache, players, tokens},
    },
    text::one_line,
};

/// Labels and figures, in the order they are shown.
pub(super) fn statistics(story: &ChorusReport) -> Vec<(&'static str, String)> {
    let setup = &story.setup;
    let mut statistics = vec![
        ("Duration", counted(story.turns_held() as u64, "turn")),
        ("Processing time", seconds(story.played_ms)),
        ("Total tokens", tokens(&story.ledger, &setup.models)),
        ("Estimated cost", cost(story.ledger.total().cost())),
    ];
    statistics.extend(cache(&story.ledger).map(|cache| ("Cache", cache)));
    statistics.extend(story.heard.iter().map(|(by, heard)| {
        let files = counted(heard.files, "recording");
        let spoken = format!("{} for {} characters", seconds(heard.duration_ms), grouped(heard.characters));
        ("Spoken by", format!("{} ({files}, {spoken})", one_line(by)))
    }));
    statistics.extend(unheard(story).map(|unheard| ("Not heard", unheard)));
    statistics.extend(dropped(story).map(|dropped| ("Not passed on", dropped)));
    let cast = setup.seats.iter().map(|seat| (seat.model.as_str(), speaker(story, seat.slot)));
    statistics.extend([
        ("Played by", players(&setup.models, cast)),
        ("Seed", setup.seed.to_string()),
        ("Run", setup.run.to_string()),
    ]);
    statistics
}

/// How much could not be said aloud, and why the last of it could not.
fn unheard(story: &ChorusReport) -> Option<String> {
    let errors = story.said().filter_map(|(_, said)| said.audio.as_ref().and_then(ReportedAudio::error));
    let errors: Vec<&str> = errors.collect();
    let last = errors.last()?;
    Some(format!("{} of {} ({})", errors.len(), story.said().count(), one_line(last)))
}

/// Whose comments there was no room for.
fn dropped(story: &ChorusReport) -> Option<String> {
    let dropped = story.routes.iter().filter(|routed| !routed.dropped.is_empty());
    let parts = dropped.map(|routed| {
        let whose = speakers(story, &routed.dropped);
        format!("{whose} on {}", speaker(story, routed.to))
    });
    let parts: Vec<String> = parts.collect();
    (!parts.is_empty()).then(|| format!("what was said by {} (at most three each)", parts.join("; ")))
}
