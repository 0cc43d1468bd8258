//! `enact field`: a field in the terminal, with its map; or as fast as possible, without.

use std::{io::Write, process::ExitCode, sync::Arc};

use enact_drama::{
    Fact, Production, Seq,
    budget::Budget,
    field::{
        FieldEvent, FieldRun,
        report::FieldReport,
        world::{EntityId, FieldWorld, Pos},
    },
    production::{Report, fold},
    record::read_facts,
    report::Format,
};
use enact_engine::{Stage, run_loop::Signal};
use enact_server::field::carry_into_field;

use super::{
    args::FieldArgs,
    prepare::{FieldLinks, FieldOptions, PreparedField, find_field, prepare},
};
use crate::{
    CliContext,
    errors::exit_code,
    find_run::find_run_of,
    screen::{BOLD, Screen, Show, Terminal, stdout},
    signals::Signals,
    terminal::Playable,
};

pub(super) async fn play(args: FieldArgs, context: &CliContext<'_>) -> anyhow::Result<ExitCode> {
    if let Some(run) = &args.verify {
        return verify(run, context).await;
    }
    let quiet = args.quiet || args.json;
    let playable = match &args.resume {
        Some(run) => Playable::<FieldRun>::reopen(context, run, quiet, "").await?,
        None => begin(&args, context).await?,
    };
    let (run, signals) = (playable.run, Signals::new(Signal::Cancel));
    let speed = if args.headless { Some(0) } else { args.speed };
    if let (Some(factor), true) = (speed, args.resume.is_some()) {
        let faster = enact_drama::field::FieldCommand::Speed { factor };
        signals.sender.send(Signal::command::<FieldRun>(&faster)).await?;
    }
    // It is taken before anything else that could come: a paused field rests.
    let _ = signals.sender.try_send(Signal::Rest);
    let shown = ShownField { draws: !args.headless, ..ShownField::default() };
    let mut show = Terminal::new(shown, Some(0.0), quiet);
    let played = playable.play(context, &mut show, signals, async |stage: &Stage, reason| {
        Ok((stage.report::<FieldRun>(run).await?, reason))
    });
    let (report, reason) = played.await?;
    let mut out = stdout();
    if args.json {
        write!(out, "{}", Format::Json.render(&report.document()))?;
    } else if !quiet {
        let (document, flag) = (report.document(), context.location.flag());
        if let Some(end) = &document.end {
            writeln!(out, "[{end}]")?;
        }
        for (label, figure) in &document.statistics {
            writeln!(out, "{label}: {figure}")?;
        }
        if reason.is_none() {
            writeln!(out, "Play on: enact field --resume {run}{flag}")?;
        }
        writeln!(out, "Again: enact replay {run}{flag}")?;
    }
    Ok(ExitCode::from(exit_code(reason)))
}

async fn begin(args: &FieldArgs, context: &CliContext<'_>) -> anyhow::Result<Playable<FieldRun>> {
    let file = args.file.clone().unwrap_or_default();
    let found = find_field(&file, None, FieldLinks::Followed)?;
    let home = file.parent().filter(|home| !home.as_os_str().is_empty());
    let config = context.load_config(home.unwrap_or(std::path::Path::new(".")))?;
    let options = FieldOptions {
        config: &config,
        model: args.model.as_deref(),
        seed: args.seed,
        minutes: args.minutes,
        speed: if args.headless { 0 } else { args.speed.unwrap_or(DEFAULT_SPEED) },
        check: args.check,
        minds: args.minds.as_deref().map(|model| (model, args.mind_calls)),
        budget: Budget { cost: args.budget, tokens: args.budget_tokens },
        watched: args.watch.as_deref(),
    };
    let PreparedField { mut setup, models } = prepare(found, options, &context.models(&config)).await?;
    let stage = models.into_iter().fold(Stage::empty(), |stage, (name, model)| stage.model(name, model));
    let store = context.location.open().await?;
    // Who plays in the terminal has no account.
    carry_into_field(&store.store(), "", &mut setup).await?;
    let (run, first) = (setup.run, FieldEvent::FieldBegan { setup: Arc::new(setup) });
    Ok(Playable { run, stage, store, first: Some(first) })
}

/// Default field seconds per second: slow enough to watch people walk and to read what they say.
const DEFAULT_SPEED: u32 = 5;

/// Simulates a run again from its log.
async fn verify(run: &str, context: &CliContext<'_>) -> anyhow::Result<ExitCode> {
    let store = context.location.open_existing().await?.store();
    let found = find_run_of::<FieldRun>(&*store, run, context.registry).await?;
    let facts = read_facts::<FieldEvent>(&store.read(found.run, Seq(0)).await?)?;
    let hashes =
        facts.iter().filter(|fact| matches!(fact.event, FieldEvent::Advanced { hash: Some(_), .. })).count();
    let mut out = stdout();
    let folded: Option<FieldRun> = fold(&facts);
    match folded {
        Some(field) if field.is_foreign() => {
            writeln!(out, "Run {} was played by other rules: it can be shown, not simulated.", found.run)?;
            Ok(ExitCode::FAILURE)
        }
        Some(field) => match field.diverged() {
            None => {
                writeln!(
                    out,
                    "Run {} comes to the same: {} ticks, {hashes} hashes.",
                    found.run,
                    field.world().now()
                )?;
                Ok(ExitCode::SUCCESS)
            }
            Some(tick) => {
                writeln!(out, "Run {} comes to something else by tick {tick}.", found.run)?;
                Ok(ExitCode::FAILURE)
            }
        },
        None => {
            writeln!(out, "Run {} does not begin like a {}.", found.run, FieldRun::NAME)?;
            Ok(ExitCode::FAILURE)
        }
    }
}

/// What is seen of a field: its lines and what people begin together, and on a terminal the map below them.
#[derive(Default)]
struct ShownField {
    report: Option<FieldReport>,
    run: Option<FieldRun>,
    blocks: usize,
    /// Whether the map is drawn, where a person watches.
    draws: bool,
    /// How many lines the map takes up that is on the screen now.
    drawn: usize,
    is_interactive: bool,
}

impl Show for ShownField {
    type Event = FieldEvent;

    fn show(&mut self, fact: &Fact<FieldEvent>, screen: &Screen) -> bool {
        self.is_interactive = screen.is_interactive() && self.draws;
        match (&mut self.report, &mut self.run) {
            (Some(report), run) => {
                report.apply(fact);
                if let Some(run) = run.as_mut().filter(|_| self.is_interactive) {
                    run.apply(fact);
                }
            }
            (None, _) => {
                self.report = FieldReport::begin(fact);
                self.run = FieldRun::begin(fact);
                if let Some(report) = &self.report {
                    screen.say(&format!("{BOLD}{}{BOLD:#}\n", report.document().title));
                }
            }
        }
        let is_told = matches!(fact.event, FieldEvent::Noted { .. } | FieldEvent::WorldEvent { .. });
        if let Some(report) = self.report.as_ref().filter(|_| is_told) {
            let new: Vec<String> =
                report.blocks_from(self.blocks).map(|block| block.content.text()).collect();
            self.blocks += new.len();
            if !new.is_empty() {
                self.wipe();
                new.iter().for_each(|text| screen.say(text));
            }
        }
        false
    }

    fn shown(&mut self) {
        if !self.is_interactive {
            return;
        }
        let Some(run) = &self.run else { return };
        if run.ended().is_some() {
            return self.wipe();
        }
        let map = drawn_map(run.world(), run.speed(), run.is_paused());
        self.wipe();
        let mut out = stdout();
        let _ = write!(out, "{map}").and_then(|()| out.flush());
        self.drawn = map.lines().count();
    }
}

impl ShownField {
    /// Takes the map off the screen, so that lines can be written where it was.
    fn wipe(&mut self) {
        if self.drawn > 0 {
            let mut out = stdout();
            let _ = write!(out, "\x1b[{}A\x1b[J", self.drawn).and_then(|()| out.flush());
            self.drawn = 0;
        }
    }
}

/// The map as it stands, with people on top of things, and below it the time.
fn drawn_map(world: &FieldWorld, speed: u32, paused: bool) -> String {
    let grid = world.grid();
    let mut rows: Vec<Vec<char>> = (0..grid.height())
        .map(|y| (0..grid.width()).map(|x| if grid.is_wall(Pos::new(x, y)) { '#' } else { ' ' }).collect())
        .collect();
    let all = (0..world.entities().len()).filter_map(|at| world.living(EntityId(at as u32)));
    let (people, things): (Vec<_>, Vec<_>) = all.partition(|entity| entity.is_npc());
    for entity in things.into_iter().chain(people) {
        rows[usize::from(entity.pos.y)][usize::from(entity.pos.x)] = entity.glyph;
    }
    let mut text = String::from("\n");
    for row in rows {
        text.extend(row);
        text.push('\n');
    }
    let (seconds, talks) =
        (world.now() / 10, world.interactions().values().filter(|one| one.talk.is_some()).count());
    let pace = if paused { "paused".to_owned() } else { format!("x{speed}") };
    text.push_str(&format!("{}:{:02} {pace}, {talks} conversations\n", seconds / 60, seconds % 60));
    text
}
