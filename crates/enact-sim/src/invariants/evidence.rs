//! What was played, read once for all invariants.

use enact_drama::{
    Fact, Name, Record,
    episode::EpisodeEvent,
    field::FieldEvent,
    mind::MindEvent,
    production::Event,
    record::{Unreadable, read_facts},
    scene::SceneEvent,
};
use enact_engine::AnyReport;

use crate::{
    cluster::productions,
    scenario::{Scenario, SimulatedProduction},
    simulate::{PlayedRun, PlayedScenario},
    world::{Journal, StoredAppend},
};

/// What was played, with what can be read in it.
pub(super) struct Evidence<'a> {
    pub(super) scenario: &'a Scenario,
    pub(super) journal: &'a Journal,
    pub(super) stuck: Option<&'a str>,
    pub(super) runs: Vec<ReadRun<'a>>,
    pub(super) folder: &'a std::path::Path,
}

/// A run, read.
pub(super) struct ReadRun<'a> {
    pub(super) played: &'a PlayedRun,
    /// Of scenes only.
    pub(super) facts: Vec<Fact<SceneEvent>>,
    /// Of episodes only.
    pub(super) episode: Vec<Fact<EpisodeEvent>>,
    /// Of minds only.
    pub(super) mind: Vec<Fact<MindEvent>>,
    /// Of fields only.
    pub(super) field: Vec<Fact<FieldEvent>>,
    pub(super) report: Option<Box<dyn AnyReport>>,
    pub(super) unreadable: Option<Unreadable>,
}

impl<'a> Evidence<'a> {
    pub(super) fn of(played: &'a PlayedScenario) -> Evidence<'a> {
        Evidence {
            scenario: &played.scenario,
            journal: &played.journal,
            stuck: played.stuck.as_deref(),
            runs: played.runs.iter().map(|run| ReadRun::of(run, played.scenario.production)).collect(),
            folder: &played.folder,
        }
    }

    /// The run, where no other was forked from it: models cannot tell which run asks them.
    pub(super) fn only_run(&self) -> Option<&ReadRun<'a>> {
        self.runs.first().filter(|_| self.runs.len() == 1)
    }

    /// What was appended to a run, in order.
    pub(super) fn appends(&self, run: &ReadRun<'_>) -> impl Iterator<Item = &StoredAppend> {
        let id = run.played.summary.run;
        self.journal.appends.iter().filter(move |append| append.claim.run == id)
    }
}

impl<'a> ReadRun<'a> {
    fn of(played: &'a PlayedRun, production: SimulatedProduction) -> ReadRun<'a> {
        let (report, mut unreadable) = match report(&played.records) {
            Ok(report) => (report, None),
            Err(error) => (None, Some(error)),
        };
        let facts = facts_if(production == SimulatedProduction::Scene, played, &mut unreadable);
        let episode = facts_if(production == SimulatedProduction::Episode, played, &mut unreadable);
        let mind = facts_if(production == SimulatedProduction::Mind, played, &mut unreadable);
        let field = facts_if(production == SimulatedProduction::Field, played, &mut unreadable);
        ReadRun { played, facts, episode, mind, field, report, unreadable }
    }

    /// Whether a character is played by a person.
    pub(super) fn is_human(&self, actor: &Name) -> bool {
        let setup = self.facts.first().and_then(|fact| match &fact.event {
            SceneEvent::Began { setup } => Some(setup),
            _ => None,
        });
        setup.is_some_and(|setup| setup.is_human(actor))
    }

    /// For people: which run of the scenario it is.
    pub(super) fn name(&self) -> &'static str {
        if self.played.summary.parent.is_some() { "the fork" } else { "the run" }
    }
}

/// The facts of a log, if it is one of theirs.
fn facts_if<E: Event>(
    is_theirs: bool,
    played: &PlayedRun,
    unreadable: &mut Option<Unreadable>,
) -> Vec<Fact<E>> {
    let facts = if is_theirs { read_facts(&played.records) } else { Ok(Vec::new()) };
    facts.unwrap_or_else(|error| {
        unreadable.get_or_insert(error);
        Vec::new()
    })
}

/// A log as it is told to people.
pub(super) fn report(records: &[Record]) -> Result<Option<Box<dyn AnyReport>>, Unreadable> {
    let productions = productions();
    let production = records.first().and_then(|first| productions.of(first).ok());
    production.map_or(Ok(None), |production| production.report(records))
}
