//! `enact rehearse`: an episode, played many times by made-up players, so that its author sees which beats and
//! endings nobody ever reaches, and how the tension goes. By rules alone, within seconds.

mod numbers;
mod persona;
mod plot;
mod simulate;

use std::{io::Write, path::Path, process::ExitCode, time::Instant};

use enact_drama::{Problem, sheet::Sheet};

use self::{
    numbers::{PlayerSessions, Reached, RehearsalNumbers},
    persona::{MadeUpPlayer, personas},
    simulate::simulate,
};
use super::{
    args::RehearseArgs,
    files::{FoundEpisode, StoryProject, no_project},
};
use crate::screen::{BOLD, stdout};

/// What scripts may rely on: something in an episode is never reached.
const EXIT_DEAD_PARTS: u8 = 3;

/// How a value from 0 to 100 looks on one line.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

pub(super) fn rehearse(args: &RehearseArgs) -> anyhow::Result<ExitCode> {
    let found = episodes(&args.episodes)?;
    if args.plot.is_some() && found.len() != 1 {
        return Err(Problem::config("--plot draws one episode")
            .hint("name it: enact rehearse EPISODE --plot FILE")
            .into());
    }
    let (players, mut out, mut all) = (personas(), stdout(), Vec::new());
    for found in &found {
        let started = Instant::now();
        let numbers = rehearsed(found, &players, args.seeds)?;
        if !args.json {
            write!(out, "{}", table(&numbers, args.seeds, started.elapsed().as_secs_f64()))?;
        }
        all.push(numbers);
    }
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&all)?)?;
    }
    if let (Some(file), Some(numbers)) = (&args.plot, all.first()) {
        std::fs::write(file, plot::plot(numbers))
            .map_err(|error| Problem::config(format!("--plot: {error}")).in_file(file.display()))?;
    }
    let has_dead_parts = all.iter().any(RehearsalNumbers::has_dead_parts);
    Ok(ExitCode::from(if has_dead_parts { EXIT_DEAD_PARTS } else { 0 }))
}

/// The episodes that are named, or all of the project.
fn episodes(named: &[String]) -> Result<Vec<FoundEpisode>, Problem> {
    if named.is_empty() {
        let project = StoryProject::find(Path::new(".")).ok_or_else(no_project)?;
        return project.slugs().iter().map(|slug| project.load(slug, None)).collect();
    }
    let load = |episode: &String| {
        let (project, slug) = StoryProject::of_episode(episode)?;
        project.load(&slug, None)
    };
    named.iter().map(load).collect()
}

fn rehearsed(
    found: &FoundEpisode,
    players: &[MadeUpPlayer],
    seeds: u64,
) -> Result<RehearsalNumbers, Problem> {
    let display = Sheet::read(found.name.as_str(), &found.sheet)?.display;
    let sessions = |persona: &MadeUpPlayer| PlayerSessions {
        name: persona.name.clone(),
        about: persona.about.clone(),
        sessions: (1..=seeds).map(|seed| simulate(found, &display, persona, seed)).collect(),
    };
    let players: Vec<PlayerSessions> = players.iter().map(sessions).collect();
    Ok(RehearsalNumbers::of(&found.template, &players))
}

fn table(numbers: &RehearsalNumbers, seeds: u64, seconds: f64) -> String {
    let RehearsalNumbers { turns, sessions, players, .. } = numbers;
    let share = |reached: usize| format!("{} %", (reached * 100).div_ceil((*sessions).max(1)));
    let list = |reached: &[Reached]| {
        let told = reached.iter().map(|one| format!("{} {}", one.id, share(one.reached)));
        told.collect::<Vec<_>>().join(", ")
    };
    let triggers: Vec<String> =
        numbers.triggers.iter().map(|(name, count)| format!("{name} {count}")).collect();
    let mut text = format!(
        "{BOLD}{}{BOLD:#}  {sessions} sessions ({} players, {seeds} seeds), {seconds:.1} s\n",
        numbers.episode,
        players.len()
    );
    let mut line = |what: &str, told: &str| {
        if !told.is_empty() {
            text.push_str(&format!("  {what:<10} {told}\n"));
        }
    };
    line("turns", &format!("{} to {}, median {}", turns.fewest, turns.most, turns.median));
    line("complete", &format!("{} {}", numbers.completed, triggers.join(", ")));
    for beat in &numbers.beats {
        let turn = beat.turn.map(|turn| format!(", in turn {turn}")).unwrap_or_default();
        line("beat", &format!("{} {}{turn}", beat.id, share(beat.reached)));
    }
    line("story", &list(&numbers.narrative_beats));
    line("endings", &list(&numbers.endings));
    line("flags", &list(&numbers.flags));
    line("tension", &bars(&numbers.tension));
    let widest = players.iter().map(|player| player.name.len()).max().unwrap_or_default();
    for player in players {
        let (name, turns, beats) = (&player.name, player.turns, player.beats);
        line(
            "player",
            &format!("{name:<widest$}  {turns:>2} turns, {beats} beats  {}", bars(&player.tension)),
        );
    }
    for (what, dead) in [("beat", &numbers.dead_beats), ("ending", &numbers.dead_endings)] {
        for id in dead {
            line("DEAD", &format!("nobody reaches the {what} '{id}'"));
        }
    }
    text.push('\n');
    text
}

/// `▃▄▆ 30 → 62`
fn bars(curve: &[u8]) -> String {
    let bar = |value: &u8| BARS[usize::from(*value) * (BARS.len() - 1) / 100];
    let (Some(from), Some(to)) = (curve.first(), curve.last()) else { return String::new() };
    format!("{} {from} → {to}", curve.iter().map(bar).collect::<String>())
}
