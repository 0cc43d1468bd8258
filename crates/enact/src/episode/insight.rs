//! `enact insight`: why the answers of a session came out as they did, and how tense any run was.

use std::io::Write;
use std::process::ExitCode;

use enact_drama::{
    Problem, Production, Seq,
    director::{WatchedRound, watch},
    episode::{Episode, report::insight},
    record::read_facts,
};
use serde_json::{Value, json};

use super::args::InsightArgs;
use crate::{CliContext, find_run::find_run, screen::stdout};

pub(super) async fn show(args: &InsightArgs, context: &CliContext<'_>) -> anyhow::Result<ExitCode> {
    let opened = context.location.open_existing().await?;
    let store = opened.store();
    let found = find_run(&*store, &args.run).await?;
    let records = store.read(found.run, Seq(0)).await?;
    let mut out = stdout();
    if found.production != Episode::NAME {
        let report = context
            .productions
            .readable_report(&records)
            .map_err(|error| Problem::config(format!("run {} cannot be read: {error}", found.run)))?;
        // A scene says it itself.
        let told = report.metadata()["tension"].take();
        let rounds: Vec<WatchedRound> =
            serde_json::from_value(told).unwrap_or_else(|_| watch(&report.document()));
        if args.json {
            writeln!(out, "{}", json!({ "rounds": rounds }))?;
            return Ok(ExitCode::SUCCESS);
        }
        for round in rounds {
            writeln!(out, "{:>3}  tension {:>3}  {}", round.round, round.tension, round.why.join(", "))?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let mut turns = insight(&read_facts(&records)?);
    if let Some(wanted) = args.turn {
        let played = turns.len();
        turns.retain(|turn| turn["turn"] == wanted);
        if turns.is_empty() {
            return Err(Problem::config(format!("turn {wanted} has not been played"))
                .hint(format!("turns 1 to {played} have"))
                .into());
        }
    }
    if args.json {
        writeln!(out, "{}", json!({ "turns": turns }))?;
        return Ok(ExitCode::SUCCESS);
    }
    for turn in &turns {
        for line in told(turn) {
            writeln!(out, "{line}")?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// A turn in some lines.
fn told(turn: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let list =
        |value: &Value| -> Vec<String> { value.as_array().into_iter().flatten().filter_map(text).collect() };
    let mut lines =
        vec![format!("Turn {}  > {}", turn["turn"], turn["message"].as_str().unwrap_or_default())];
    let mut say = |name: &str, what: Option<String>| {
        if let Some(what) = what.filter(|what| !what.is_empty()) {
            lines.push(format!("  {name:<10} {what}"));
        }
    };
    say("said", text(&turn["answer"]["dialogue"]));
    say("thought", text(&turn["internal"]));
    say("mood", text(&turn["mood"]));
    let tension = &turn["tension"];
    let moved =
        format!("{} to {}  {}", tension["before"], tension["after"], list(&tension["why"]).join(", "));
    say("tension", (!tension["after"].is_null()).then_some(moved));
    say("asked for", text(&turn["director"]["directive"]["instruction"]));
    say("nudged", text(&turn["director"]["nudge"]["instruction"]));
    say("told", Some(list(&turn["director"]["told"]).join(" · ")));
    say("remembers", Some(list(&turn["memories_used"]).join(" · ")));
    say("open", Some(list(&turn["hooks_used"]).join(" · ")));
    for found in turn["found"].as_array().into_iter().flatten() {
        let kind = ["flag", "cue", "missed_cue", "beat", "pace", "failed"]
            .into_iter()
            .find_map(|kind| Some((kind, text(&found[kind])?)));
        let Some((kind, name)) = kind else { continue };
        let rule = text(&found["finding"]["rule"]).or_else(|| text(&found["rule"])).unwrap_or_default();
        let quote =
            text(&found["finding"]["quote"]).map(|quote| format!(": \"{quote}\"")).unwrap_or_default();
        say(kind, Some(format!("{name} by {rule}{quote}")));
    }
    say("model", text(&turn["model"]));
    for section in turn["prompt"].as_array().into_iter().flatten() {
        let size = section["characters"].as_u64().map(|size| format!(" ({size} characters)"));
        let name = section["section"].as_str().unwrap_or_default();
        say("prompt", Some(format!("{name}{}", size.unwrap_or_default())));
    }
    lines
}
