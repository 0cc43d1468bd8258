//! A run as one HTML file, for those who export it: its log, or what its clients were told, as the page shows it without
//! a server.

use enact_drama::{Record, production::ClientEvent, report::Format};
use enact_engine::{
    Productions, log::RunSummary, outputs::json_line, productions::ReportError, recording::SpokenLines,
};
use enact_page::offline::{self, OfflineRun};
use serde_json::json;

/// The file. `sounds` are the recordings that were made while it was played, `spoken` those of its lines.
pub fn offline_file(
    productions: &Productions,
    run: &RunSummary,
    records: Vec<Record>,
    mut sounds: Vec<(String, Vec<u8>)>,
    spoken: SpokenLines,
) -> Result<String, ReportError> {
    let report = productions.report(&records)?;
    let (transcript, metadata) = (Format::Txt.render(&report.document()), report.metadata().to_string());
    let (log, events) = match productions.client_events(&records)? {
        Some(told) => {
            let line = |(at, told): (i64, ClientEvent)| {
                let line = json!({"at": at, "event": told.name, "data": told.data});
                format!("{line}\n")
            };
            (String::new(), told.into_iter().map(line).collect())
        }
        None => (shown(productions, records).iter().map(json_line).collect(), String::new()),
    };
    sounds.extend(spoken.lines.into_iter().map(|(seq, sound)| (offline::line_sound(seq.0), sound)));
    Ok(offline::document(&OfflineRun {
        name: run.name.clone(),
        production: run.production.clone(),
        log,
        events,
        transcript,
        metadata,
        sounds,
        lines_without_sound: spoken.missing,
    }))
}

/// Records without what only insight may show.
fn shown(productions: &Productions, records: Vec<Record>) -> Vec<Record> {
    match records.first().cloned() {
        Some(first) => productions.shown(&first, records),
        None => records,
    }
}
