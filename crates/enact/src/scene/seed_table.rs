//! `enact run` with several scenes or seeds: every run is played, and one table shows what came of each.

use std::{collections::BTreeSet, io::Write, path::Path, process::ExitCode, str::FromStr};

use enact_drama::{
    Problem,
    report::figures::percent,
    scene::run_figures::RunFigures,
    scene::{SceneConfig, SceneEnd},
};

use super::{
    args::{RunArgs, folder_of},
    comparison::{self, Ready, Rounds},
    make_room_for_files,
    prepare::{PreparedScene, ScenePlan},
    run::{GOAL_NOT_REACHED, described_scene},
};
use crate::{
    CliContext,
    errors::INTERRUPTED,
    screen::{BOLD, FAINT, notes, print_json, stdout},
};

/// More runs than this say nothing new, and a typing error would be dear.
const MOST_SEEDS: u64 = 1_000;

/// `1..20`: the seeds of as many runs, the last one included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SeedRange {
    first: u64,
    last: u64,
}

impl FromStr for SeedRange {
    type Err = String;

    fn from_str(text: &str) -> Result<SeedRange, String> {
        let (first, last) = text.split_once("..").unwrap_or((text, text));
        let number = |text: &str| text.trim_start_matches('=').trim().parse::<u64>();
        let range = number(first).and_then(|first| Ok(SeedRange { first, last: number(last)? }));
        match range {
            Ok(SeedRange { first, last }) if first <= last && last - first < MOST_SEEDS => {
                Ok(SeedRange { first, last })
            }
            Ok(SeedRange { first, last }) if first <= last => {
                Err(format!("expected at most {MOST_SEEDS} seeds"))
            }
            _ => Err("expected the first and the last seed, such as 1..20".to_owned()),
        }
    }
}

/// Plays each scene with each seed.
pub(super) async fn seed_table(args: &RunArgs, context: &CliContext<'_>) -> anyhow::Result<ExitCode> {
    refuse_what_is_for_one_run(args)?;
    let files: Vec<&Path> = args.scene.iter().chain(&args.more).map(AsRef::as_ref).collect();
    let seeds: Vec<Option<u64>> = match args.seeds {
        Some(SeedRange { first, last }) => (first..=last).map(Some).collect(),
        None => vec![args.seed],
    };
    // Everything that can be found wrong is found wrong before the first run.
    let mut known = BTreeSet::new();
    for file in &files {
        known.extend(prepare(args, file, None, context).await?.notes);
    }
    if !args.is_quiet() && !args.csv {
        notes(&known);
    }
    let location = context.location;
    let kept = location.open().await?;
    make_room_for_files(location)?;
    let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    let (log, data_dir) = (kept.store(), &*location.data_dir);
    let rounds = Rounds { entrants: &names, runs: seeds.len(), jobs: args.jobs.unwrap_or(1), log, data_dir };
    let played = rounds
        .play(comparison::ctrl_c(), async |place, round| {
            Ok(Ready::from(prepare(args, files[place], seeds[round], context).await?))
        })
        .await;
    drop(rounds);
    kept.close().await;
    let figures: Vec<(&str, Vec<RunFigures>)> = (names.iter().map(String::as_str))
        .zip(played.stories.iter().map(|stories| stories.iter().map(RunFigures::of).collect()))
        .collect();
    if played.error.is_none() || !args.json {
        print(args, &figures)?;
    }
    if let Some(error) = played.error {
        return Err(error);
    }
    if played.cancelled {
        anstream::eprintln!("Cancelled: runs that were not finished are not in the table.");
        return Ok(ExitCode::from(INTERRUPTED));
    }
    let all = || figures.iter().flat_map(|(_, runs)| runs);
    if all().all(|run| run.reason == Some(SceneEnd::Failed)) {
        anstream::eprintln!(
            "Every run failed: nobody could answer. `enact replay latest` shows the last one."
        );
        return Ok(ExitCode::FAILURE);
    }
    let reached = all().all(|run| run.reason == Some(SceneEnd::GoalAchieved));
    Ok(ExitCode::from(if args.require_goal && !reached { GOAL_NOT_REACHED } else { 0 }))
}

/// Flags about one run that is followed as it happens mean nothing for a table.
fn refuse_what_is_for_one_run(args: &RunArgs) -> Result<(), Problem> {
    let flags = [
        (args.scene.is_none(), "--seeds needs scene files"),
        (args.seed.is_some() && args.seeds.is_some(), "--seed and --seeds say two things"),
        (args.voice.is_some(), "--voice records one run"),
        (args.show_prompts, "--show-prompts shows one run"),
        (args.format.is_some(), "--format is for one run"),
        (args.pace.is_some(), "--pace is for one run"),
        (args.name.is_some() && !args.more.is_empty(), "--name is for one scene"),
    ];
    match flags.into_iter().find(|(given, _)| *given) {
        Some((_, wrong)) => Err(Problem::config(format!("{wrong}; several scenes or seeds give a table"))
            .hint("enact run SCENE --seeds 1..20, with --json or --csv")),
        None => Ok(()),
    }
}

/// Models are made anew for every run: a script or a recording serves one.
async fn prepare(
    args: &RunArgs,
    file: &Path,
    seed: Option<u64>,
    context: &CliContext<'_>,
) -> anyhow::Result<PreparedScene> {
    let config = context.load_config(folder_of(file))?;
    // Runs that are compared begin alike, and leave nothing behind.
    let scene = SceneConfig { remember: false, ..described_scene(args, Some(file))? };
    let plan = ScenePlan {
        scene: SceneConfig { seed: seed.or(scene.seed), ..scene },
        file: Some(file),
        home: folder_of(file),
        cast_dir: args.cast_dir.as_deref(),
        config: &config,
        models: &args.models,
        options: &args.options,
        stream: false,
    };
    let prepared = plan.prepare(context).await?;
    if let Some(role) = prepared.setup.cast.iter().find(|role| prepared.setup.is_human(&role.name)) {
        let told = format!("'{}' is played by a person, and no person is asked for a table", role.name);
        return Err(Problem::config(told).hint("name one scene and no --seeds").into());
    }
    Ok(prepared)
}

fn print(args: &RunArgs, figures: &[(&str, Vec<RunFigures>)]) -> anyhow::Result<()> {
    let mut out = stdout();
    if args.json {
        print_json(&mut out, &figures.iter().flat_map(|(_, runs)| runs).collect::<Vec<_>>())?;
    } else if args.csv {
        write!(out, "{}", csv(figures))?;
    } else if !args.quiet {
        write!(out, "{}", table(figures))?;
    }
    Ok(())
}

/// The name of an end as logs have it.
fn end(run: &RunFigures) -> &'static str {
    run.reason.map_or("unfinished", |reason| reason.ending().name)
}

const COLUMNS: [&str; 11] =
    ["file", "scene", "seed", "run", "end", "goals_met", "goals", "beats", "lines", "repeats", "own_words"];

fn csv(figures: &[(&str, Vec<RunFigures>)]) -> String {
    let mut text = format!("{},distinctness\n", COLUMNS.join(","));
    for (file, run) in figures.iter().flat_map(|(file, runs)| runs.iter().map(move |run| (file, run))) {
        let distinctness = run.distinctness.map(|share| format!("{share:.3}")).unwrap_or_default();
        text.push_str(&format!(
            "{},{},{},{},{},{},{},{},{},{},{:.3},{distinctness}\n",
            csv_field(file),
            run.scene,
            run.seed,
            run.run_id,
            end(run),
            run.goals_met,
            run.goals,
            run.beats,
            run.lines,
            run.repeats,
            run.own_words,
        ));
    }
    text
}

fn csv_field(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

fn table(figures: &[(&str, Vec<RunFigures>)]) -> String {
    let all = || figures.iter().flat_map(|(_, runs)| runs);
    let name = all().map(|run| run.scene.as_str().len()).max().unwrap_or(0).max("SCENE".len());
    let means = figures.iter().filter(|(_, runs)| runs.len() > 1).map(|(_, runs)| reached(runs).len());
    let ends = all().map(|run| end(run).len()).chain(means).max().unwrap_or(0).max("END".len());
    let seeds = all().map(|run| run.seed.to_string().len()).max().unwrap_or(0).max("SEED".len());
    let mut text = format!(
        "{BOLD}{:<name$}  {:>seeds$}  {:<ends$}  GOALS  BEATS  REPEATS  OWN WORDS  DISTINCT{BOLD:#}\n",
        "SCENE", "SEED", "END"
    );
    let share = |share: Option<f64>| share.map_or_else(|| "–".to_owned(), percent);
    for (_, runs) in figures {
        for run in runs {
            text.push_str(&format!(
                "{:<name$}  {:>seeds$}  {:<ends$}  {:>5}  {:>5}  {:>7}  {:>9}  {:>8}\n",
                run.scene.as_str(),
                run.seed,
                end(run),
                format!("{}/{}", run.goals_met, run.goals),
                run.beats,
                run.repeats,
                percent(run.own_words),
                share(run.distinctness),
            ));
        }
        if runs.len() > 1 {
            text.push_str(&mean_row(runs, name, seeds, ends));
        }
    }
    text.push_str(&format!(
        "\n{FAINT}Repeats: sentences that were said before in the same run. Own words: lines with a word of the\n\
         scene's situation, setting or goals. Distinct: how little the words of two speakers have in common.{FAINT:#}\n"
    ));
    text
}

/// How many runs have reached their goal.
fn reached(runs: &[RunFigures]) -> String {
    let reached = runs.iter().filter(|run| run.reason == Some(SceneEnd::GoalAchieved)).count();
    format!("{reached} of {} reached", runs.len())
}

/// What the runs of one scene come to in the middle.
fn mean_row(runs: &[RunFigures], name: usize, seeds: usize, ends: usize) -> String {
    let mean = |figure: fn(&RunFigures) -> f64| runs.iter().map(figure).sum::<f64>() / runs.len() as f64;
    let known: Vec<f64> = runs.iter().filter_map(|run| run.distinctness).collect();
    let distinct = known.iter().sum::<f64>() / known.len().max(1) as f64;
    format!(
        "{FAINT}{:<name$}  {:>seeds$}  {:<ends$}  {:>5.1}  {:>5.1}  {:>7.1}  {:>9}  {:>8}{FAINT:#}\n",
        "",
        "mean",
        reached(runs),
        mean(|run| run.goals_met as f64),
        mean(|run| f64::from(run.beats)),
        mean(|run| run.repeats as f64),
        percent(mean(|run| run.own_words)),
        if known.is_empty() { "–".to_owned() } else { percent(distinct) },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_read_with_their_last_one() {
        for (text, expected) in [
            ("1..20", Some((1, 20))),
            ("7", Some((7, 7))),
            ("1..=3", Some((1, 3))),
            ("0..999", Some((0, 999))),
            ("0..1000", None),
            ("3..1", None),
            ("..", None),
            ("a..b", None),
            ("-1..4", None),
            ("1..", None),
            ("0..18446744073709551615", None),
        ] {
            let read = text.parse::<SeedRange>().ok().map(|range| (range.first, range.last));
            assert_eq!(read, expected, "{text}");
        }
    }

    #[test]
    fn fields_of_csv_are_quoted_where_they_must_be() {
        for (text, field) in [("a/b.md", "a/b.md"), ("a, b", "\"a, b\""), ("\"a\"", "\"\"\"a\"\"\"")] {
            assert_eq!(csv_field(text), field);
        }
    }
}
