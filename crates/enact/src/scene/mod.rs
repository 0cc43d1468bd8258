//! Scenes on the command line: what only they have.
//!
//! `new_project` writes one, `demo` has some; `find_scenes` and `list_scenes` say which there are; `run` plays
//! one, `prepare` and `model_choice` get it ready, `terminal` shows it as it happens and `summary` how it
//! ended; `compare`, `fork` and `seed_table` play several and show them side by side (`comparison`);
//! `check` finds what is wrong before anything is played; `judge_and_parse` show how texts are understood;
//! `serving` is the part of a server.

mod args;
mod check;
mod compare;
mod comparison;
mod demo;
mod find_scenes;
mod fork;
mod judge_and_parse;
mod list_scenes;
mod model_choice;
mod new_project;
mod people;
mod prepare;
mod prompts;
mod recording;
mod run;
mod seed_table;
mod serving;
mod summary;
mod terminal;

use std::{path::Path, process::ExitCode, sync::Arc};

use async_trait::async_trait;
use clap::{ArgMatches, Args as _, FromArgMatches};
use enact_drama::{
    Fact, Problem, Production, Purpose, RunId, Seq,
    production::Report,
    record::readable_facts,
    scene::{HiddenPurpose, Scene, SceneEvent, report::SceneReport},
};
use enact_engine::{Log, Productions, log::RunSummary};
use enact_server::productions::ServerProduction;

use crate::{CliContext, CliProduction, Forking, Invocation, ServedProject, store::Location};

/// Scenes, for the registry.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SceneCommands;

#[async_trait(?Send)]
impl CliProduction for SceneCommands {
    fn name(&self) -> &'static str {
        Scene::NAME
    }

    fn register(&self, productions: Productions) -> Productions {
        productions.with::<Scene>()
    }

    async fn server(&self, project: &Arc<ServedProject>) -> Result<Arc<dyn ServerProduction>, Problem> {
        serving::server(project).await
    }

    fn task(&self, purpose: &Purpose) -> Option<&'static str> {
        let known = HiddenPurpose::ALL.into_iter().find(|known| known.as_str() == purpose.as_str())?;
        Some(match known {
            HiddenPurpose::Judge => "judges",
            HiddenPurpose::WorldEvent => "writes events",
        })
    }

    fn command(&self) -> clap::Command {
        args::RunArgs::augment_args(clap::Command::new("run")).about("Play a scene, live").display_order(0)
    }

    fn tools(&self) -> Vec<clap::Command> {
        vec![
            args::NewArgs::augment_args(clap::Command::new("new"))
                .about("Write a new story project: a scene, three sheets and a configuration")
                .display_order(3),
            args::DemoArgs::augment_args(clap::Command::new("demo"))
                .about("Play a scene that comes with the program, with a written performance")
                .display_order(5),
            args::CheckArgs::augment_args(clap::Command::new("check"))
                .about("Say what is wrong with scenes, episodes, fields, sheets and configuration")
                .display_order(15),
            clap::Command::new("parse")
                .about("Read one raw reply from standard input and print how it is understood, as JSON")
                .display_order(20),
            args::JudgeArgs::augment_args(clap::Command::new("judge"))
                .about("Say whether a run or a transcript reaches its scene's goals, as JSON")
                .display_order(30),
            args::CompareArgs::augment_args(clap::Command::new("compare"))
                .about("Play a scene several times with each of several models, and show them side by side")
                .display_order(90),
        ]
    }

    fn invocation(&self, command: &str, matches: &ArgMatches) -> Invocation {
        // What cannot be read here cannot be carried out either, and is reported then.
        let home = |home: &Path| Some(home.to_owned());
        match command {
            "new" => Invocation { json: false, home: None },
            "demo" => match args::DemoArgs::from_arg_matches(matches) {
                Ok(demo) => Invocation { json: demo.json, home: None },
                Err(_) => Invocation { json: false, home: None },
            },
            "parse" => Invocation { json: true, home: None },
            "judge" => match args::JudgeArgs::from_arg_matches(matches) {
                Ok(judge) => Invocation { json: true, home: home(judge.home()) },
                Err(_) => Invocation { json: true, home: None },
            },
            // Each of its files has a configuration of its own.
            "check" => Invocation { json: false, home: None },
            "compare" => match args::CompareArgs::from_arg_matches(matches) {
                Ok(compare) => Invocation { json: compare.json, home: home(compare.home()) },
                Err(_) => Invocation { json: false, home: None },
            },
            _ => match args::RunArgs::from_arg_matches(matches) {
                Ok(run) => Invocation { json: run.json, home: home(run.home()) },
                Err(_) => Invocation { json: false, home: None },
            },
        }
    }

    async fn run(&self, matches: &ArgMatches, context: &CliContext<'_>) -> anyhow::Result<ExitCode> {
        run::run(args::RunArgs::from_arg_matches(matches)?, context).await
    }

    async fn run_tool(
        &self,
        tool: &str,
        matches: &ArgMatches,
        context: &CliContext<'_>,
    ) -> anyhow::Result<ExitCode> {
        match tool {
            "new" => new_project::new_project(&args::NewArgs::from_arg_matches(matches)?),
            "demo" => demo::demo(args::DemoArgs::from_arg_matches(matches)?, context).await,
            "check" => check::check(&args::CheckArgs::from_arg_matches(matches)?, context).await,
            "parse" => judge_and_parse::parse(),
            "judge" => judge_and_parse::judge(&args::JudgeArgs::from_arg_matches(matches)?, context).await,
            _ => compare::compare(args::CompareArgs::from_arg_matches(matches)?, context).await,
        }
    }

    fn play_hint(&self) -> String {
        "enact run SCENE".to_owned()
    }

    async fn resume(&self, run: RunId, context: &CliContext<'_>) -> anyhow::Result<ExitCode> {
        run::run(args::RunArgs::resuming(run), context).await
    }

    async fn fork(
        &self,
        run: &RunSummary,
        wanted: &Forking,
        context: &CliContext<'_>,
    ) -> anyhow::Result<ExitCode> {
        fork::fork(run.run, wanted, context).await
    }
}

/// The facts of a scene, folded for telling, as far as this version knows them.
async fn story_of(log: &dyn Log, run: RunId) -> anyhow::Result<(Vec<Fact<SceneEvent>>, SceneReport)> {
    let facts: Vec<Fact<SceneEvent>> = readable_facts(&log.read(run, Seq(0)).await?);
    let story =
        SceneReport::of(&facts).ok_or_else(|| Problem::config(format!("run {run} has no beginning")))?;
    Ok((facts, story))
}

/// Makes the folder that scenes leave their files in.
fn make_room_for_files(location: &Location) -> Result<(), Problem> {
    location.make_folder("scenes")
}
