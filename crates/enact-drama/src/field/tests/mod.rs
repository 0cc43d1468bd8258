//! Fields as runs: played, folded, resumed, branched and told.

mod budgets;
mod fallbacks;
mod files;
mod remembering;
mod remote;
mod steering;

use std::sync::Arc;

use super::{
    FieldCommand, FieldEvent, FieldRole, FieldRun, FieldSetup,
    report::FieldReport,
    sheet_of,
    world::{FieldNote, FieldWorld, RULES_VERSION},
};
use crate::{
    Fact, Name, RunId, Seq,
    budget::Budget,
    model_card::ModelCard,
    production::{Answer, ClientEvents, Effect, Failure, Fork, Happened, Input, Production, Report, fold},
};

const SNUG: &str = "---
title: The Snug
setting: A small room behind the bar
things:
  T: { name: table, solid: true, slots: 4, offers: [cards] }
  S: { name: stool, offers: [sit] }
  B: { name: bread, offers: [consume] }
people:
  a: ada
  b: bob
  c: cyd
---
Rain outside. Three regulars wait for it to stop.

```map
##########
#a..T..b.#
#..S..S..#
#B..c...B#
##########
```
";

fn setup(speed: u32) -> FieldSetup {
    let role = |name: &str| FieldRole {
        name: Name::new(name).unwrap(),
        display: crate::report::title(name),
        sheet: sheet_of(&crate::report::title(name), "Has been here all day."),
        model: "m".to_owned(),
    };
    FieldSetup {
        run: RunId(uuid::Uuid::from_u128(7)),
        name: Name::new("snug").unwrap(),
        file: SNUG.to_owned(),
        rules: RULES_VERSION,
        cast: ["ada", "bob", "cyd"].map(role).into(),
        models: [("m".to_owned(), ModelCard::free_without_memory("a test"))].into(),
        model: "m".to_owned(),
        seed: 4,
        minutes: 4,
        speed,
        check: true,
        minds: None,
        budget: Budget::default(),
        watched: None,
        remembered: Default::default(),
    }
}

/// A run, and everything that was stored of it.
struct Played {
    run: FieldRun,
    facts: Vec<Fact<FieldEvent>>,
}

impl Played {
    fn begin(setup: FieldSetup) -> Played {
        let first = Fact { seq: Seq(0), at: 0, event: FieldEvent::FieldBegan { setup: Arc::new(setup) } };
        Played { run: FieldRun::begin(&first).unwrap(), facts: vec![first] }
    }

    fn happen(&mut self, what: Happened<FieldCommand>) -> Vec<FieldEvent> {
        let events = self.run.decide(&Input { at: 0, what });
        for event in &events {
            let fact = Fact { seq: Seq(self.facts.len() as u64), at: 0, event: event.clone() };
            self.run.apply(&fact);
            self.facts.push(fact);
        }
        events
    }

    fn command(&mut self, command: FieldCommand) -> Vec<FieldEvent> {
        let command = self.run.check(command).unwrap();
        self.happen(Happened::Commanded(command))
    }

    /// Performs the next thing that is pending; models answer by a rule of the test.
    fn step(&mut self, answer: &dyn Fn(&str, u64) -> Result<Answer, Failure>) -> bool {
        let pending = self.run.pending();
        let Some(next) = pending.first() else { return false };
        let what = match next {
            Effect::Ask(ask) => {
                let request = self.run.request(ask);
                let is_line = request.purpose.as_str() == "reply";
                assert_eq!((request.view.is_some(), request.schema.is_some()), (is_line, !is_line));
                assert_eq!(request.system.len(), 2, "what it is about, and the sheet");
                match answer(request.me(), ask.call.0) {
                    Ok(answer) => Happened::Answered { call: ask.call, answer },
                    Err(failure) => Happened::Failed { call: ask.call, failure },
                }
            }
            Effect::Timer { call, .. } => Happened::TimeUp { call: *call },
            Effect::Speak(_) => panic!("nothing is said aloud"),
        };
        self.happen(what);
        true
    }

    fn play(mut self) -> Played {
        while self.step(&plain) {}
        self
    }
}

fn plain(me: &str, call: u64) -> Result<Answer, Failure> {
    match call % 9 {
        0 => Err(Failure::new("no line")),
        1 => Ok("[SILENT]".into()),
        2 => Ok("[INTERRUPT after \"been\", TONE: cross] \"Enough!\"".into()),
        _ => Ok(format!("[TONE: calm] \"I am {me}, and it has been raining for {call} days.\"")
            .as_str()
            .into()),
    }
}

#[test]
fn a_field_plays_to_its_end_and_its_log_folds_to_the_same() {
    let played = Played::begin(setup(0)).play();
    assert_eq!(played.run.ended(), Some("completed"));
    assert_eq!(played.run.world().now(), 2400);
    let lines = played
        .facts
        .iter()
        .filter(|fact| matches!(&fact.event, FieldEvent::Noted { note: FieldNote::LineSaid { .. } }));
    assert!(lines.count() >= 5, "people talk");
    assert!(!played.facts.iter().any(|fact| matches!(fact.event, FieldEvent::Violated { .. })));
    let folded: FieldRun = fold(&played.facts).unwrap();
    assert_eq!((folded.world().hash(), folded.diverged()), (played.run.world().hash(), None));
    let again = Played::begin(setup(0)).play();
    let kinds = |facts: &[Fact<FieldEvent>]| facts.iter().map(|fact| fact.event.clone()).collect::<Vec<_>>();
    assert_eq!(kinds(&again.facts), kinds(&played.facts), "the same seed, the same log");
}

/// A conversation may end in the very tick in which somebody had the floor.
#[test]
fn nobody_is_asked_for_a_line_who_has_left() {
    let mut played = Played::begin(setup(0));
    while played.run.rest.asks.is_empty() {
        assert!(played.step(&plain));
    }
    let wanted = (played.run.rest.asks[0].conversation, played.run.rest.asks[0].who);
    let asked = |world: &FieldWorld| {
        let mut events = Vec::new();
        played.run.ask_all(world, vec![wanted], 50, &mut None, &mut events);
        events.len()
    };
    let mut world = played.run.world().clone();
    assert_eq!(asked(&world), 1);
    let members = world.interactions()[&wanted.0].members.clone();
    for other in members.into_iter().filter(|who| *who != wanted.1) {
        assert!(world.remove(other));
    }
    assert!(world.living(wanted.1).is_some() && !world.interactions().contains_key(&wanted.0));
    assert_eq!(asked(&world), 0, "there is nobody to say it to");
}

#[test]
fn a_run_goes_on_from_a_checkpoint_as_it_would_have() {
    let mut played = Played::begin(setup(0));
    for _ in 0..25 {
        played.step(&plain);
    }
    let written = played.run.checkpoint().unwrap();
    let restored = FieldRun::restore(&played.facts[0], &written).unwrap();
    let mut other = Played { run: restored, facts: played.facts.clone() };
    for _ in 0..200 {
        let went_on = played.step(&plain);
        assert_eq!(other.step(&plain), went_on);
        assert_eq!(other.run.world().hash(), played.run.world().hash());
    }
    assert_eq!(other.facts.len(), played.facts.len());
}

#[test]
fn a_replay_that_comes_to_something_else_names_the_tick() {
    let mut played = Played::begin(setup(0)).play();
    let first = played.facts.iter_mut().find_map(|fact| match &mut fact.event {
        FieldEvent::Advanced { to, hash: Some(hash), .. } => Some((*to, hash)),
        _ => None,
    });
    let (tick, hash) = first.unwrap();
    hash.replace_range(..1, "x");
    let folded: FieldRun = fold(&played.facts).unwrap();
    assert_eq!(folded.diverged(), Some(tick));
    assert!(folded.pending().is_empty(), "it is not played on");
}

#[test]
fn a_log_of_other_rules_is_shown_and_not_simulated() {
    let mut played = Played::begin(setup(0)).play();
    played.facts.retain(|fact| !matches!(fact.event, FieldEvent::Ended { .. }));
    if let FieldEvent::FieldBegan { setup } = &mut played.facts[0].event {
        Arc::make_mut(setup).rules = RULES_VERSION + 1;
    }
    let folded: FieldRun = fold(&played.facts).unwrap();
    assert!(folded.is_foreign() && folded.pending().is_empty() && folded.diverged().is_none());
    assert!(folded.check(FieldCommand::Resume {}).is_err());
    let told = FieldReport::of(&played.facts).unwrap().document();
    assert!(told.blocks.len() > 5, "the lines are facts");
}

#[test]
fn time_waits_for_built_in_actors_and_an_answer_that_never_comes_costs_a_line() {
    let mut played = Played::begin(setup(20));
    while !played.run.pending().iter().any(|effect| matches!(effect, Effect::Ask(_))) {
        assert!(played.step(&plain), "somebody talks");
    }
    let pending = played.run.pending();
    assert_eq!(pending.len(), 2, "an ask and its deadline, no ticks: {pending:?}");
    let Effect::Timer { call, .. } = pending[1] else { panic!("{pending:?}") };
    let events = played.happen(Happened::TimeUp { call });
    assert!(matches!(events[..], [FieldEvent::ReplyFailed { .. }]), "{events:?}");
    let ask = pending[0].call();
    assert!(
        played.happen(Happened::Answered { call: ask, answer: "[TONE: calm] \"Late\"".into() }).is_empty()
    );
    assert!(matches!(played.run.pending()[..], [Effect::Timer { after_ms: 200, .. }]));
}

#[test]
fn a_field_is_paused_stepped_sped_up_and_meddled_with() {
    let mut played = Played::begin(setup(1));
    played.command(FieldCommand::Pause {});
    assert!(played.run.pending().is_empty(), "it rests");
    played.command(FieldCommand::Step { ticks: 5 });
    assert_eq!(played.run.world().now(), 5);
    played.command(FieldCommand::Speed { factor: 10 });
    played.command(FieldCommand::Resume {});
    assert!(matches!(played.run.pending()[..], [Effect::Timer { after_ms: 200, .. }]));
    played.step(&plain);
    assert_eq!(played.run.world().now(), 25);
    played.command(FieldCommand::WorldEvent { text: "The lamp goes out.".to_owned() });
    played.command(FieldCommand::Place { thing: Some("bread".to_owned()), person: None, x: 2, y: 1 });
    played.command(FieldCommand::Place { thing: None, person: Some("Dot".to_owned()), x: 5, y: 2 });
    let dot =
        |run: &FieldRun| run.world().entities().iter().filter(|one| one.alive && &*one.name == "Dot").count();
    assert_eq!(dot(&played.run), 1);
    played.command(FieldCommand::Remove { entity: "Dot".to_owned() });
    assert_eq!(dot(&played.run), 0);
    assert_eq!(played.run.world().violations(), [""; 0]);
    for wrong in [
        FieldCommand::Step { ticks: 0 },
        FieldCommand::Speed { factor: 61 },
        FieldCommand::WorldEvent { text: " ".to_owned() },
        FieldCommand::Place { thing: Some("bred".to_owned()), person: None, x: 2, y: 1 },
        FieldCommand::Place { thing: None, person: None, x: 2, y: 1 },
        FieldCommand::Place { thing: Some("bread".to_owned()), person: None, x: 0, y: 0 },
    ] {
        assert!(played.run.check(wrong.clone()).is_err(), "{wrong:?}");
    }
    let folded: FieldRun = fold(&played.facts).unwrap();
    assert_eq!(folded.world().hash(), played.run.world().hash());
    played.command(FieldCommand::Cancel {});
    assert_eq!(played.run.ended(), Some("cancelled"));
}

#[test]
fn a_fork_shares_what_was_played_and_goes_on_by_other_dice() {
    let played = Played::begin(setup(0)).play();
    let fork = |second: u32| Fork {
        point: second.into(),
        run: RunId(uuid::Uuid::from_u128(8)),
        seed: 99,
        at: 5,
        random: [0; 2],
    };
    let forked = FieldRun::fork(&played.facts, fork(60)).unwrap();
    let run: FieldRun = fold(&forked).unwrap();
    assert_eq!(run.run(), RunId(uuid::Uuid::from_u128(8)));
    assert!(run.world().now() <= 609 && run.diverged().is_none());
    let branch = Played { run, facts: forked }.play();
    assert_eq!(branch.run.ended(), Some("completed"));
    assert_ne!(branch.run.world().hash(), played.run.world().hash());
    assert!(FieldRun::fork(&played.facts, fork(9_999)).is_err());
}

#[test]
fn conversations_are_told_whole_and_one_by_one_and_lines_are_cut() {
    let played = Played::begin(setup(0)).play();
    let report = FieldReport::of(&played.facts).unwrap();
    let metadata = report.metadata();
    let conversations = metadata["conversations"].as_array().unwrap();
    let longest = conversations.iter().max_by_key(|one| one["lines"].as_u64()).unwrap();
    let alone = report.conversation(longest["id"].as_str().unwrap()).unwrap();
    assert!(alone.blocks.len() as u64 > longest["lines"].as_u64().unwrap());
    assert!(alone.blocks.len() < report.document().blocks.len());
    assert!(report.conversation("conv_99999").is_none());
    let text = crate::report::Format::Txt.render(&report.document());
    assert!(text.contains("begin to talk") && text.contains("raining"), "{text}");
    assert!(FieldRun::answers(&played.facts).len() > 5);
}

#[test]
fn what_somebody_heard_of_a_line_that_was_cut_ends_at_the_cut() {
    let mut played = Played::begin(setup(0));
    let cut_line = |run: &FieldRun| {
        let talks = run.world().interactions().values().filter_map(|one| Some((one, one.talk.as_ref()?)));
        let mut lines =
            talks.flat_map(|(one, talk)| talk.lines.iter().map(move |line| (one.members[0], line)));
        lines.find(|(_, line)| line.cut.is_some()).map(|(member, line)| (member, line.id))
    };
    let (member, cut) = loop {
        if let Some(found) = cut_line(&played.run) {
            break found;
        }
        assert!(played.step(&plain), "nobody was interrupted");
    };
    let told = super::report::entity(&played.run, &member.to_string()).unwrap();
    let heard = told["heard"].as_array().unwrap().iter().find(|line| line["line"] == cut).unwrap();
    let text = heard["text"].as_str().unwrap();
    assert!(text.ends_with("it has been\u{2014}") && !text.contains("raining"), "{told}");
}

#[test]
fn clients_get_a_snapshot_and_then_what_changes() {
    let played = Played::begin(setup(0)).play();
    let mut client = super::report::FieldClientEvents::begin(&played.facts[0]).unwrap();
    let events: Vec<_> = played.facts.iter().filter_map(|fact| client.on_fact(fact)).collect();
    assert_eq!(events.first().map(|event| event.name), Some("snapshot"));
    assert_eq!(events.last().map(|event| event.name), Some("done"));
    let deltas = events.iter().filter(|event| event.name == "delta");
    assert!(deltas.clone().count() > 5);
    // Drawing the snapshot and every change gives the map as it stands.
    let mut places = std::collections::BTreeMap::new();
    let lists = events.iter().filter_map(|event| event.data["entities"].as_array());
    for entity in lists.flatten() {
        match entity["gone"].as_bool() {
            Some(true) => places.remove(entity["id"].as_str().unwrap()),
            _ => places.insert(entity["id"].as_str().unwrap(), (entity["x"].clone(), entity["y"].clone())),
        };
    }
    let last = super::report::snapshot(&played.run);
    for entity in last["entities"].as_array().unwrap() {
        let drawn = &places[entity["id"].as_str().unwrap()];
        assert_eq!(*drawn, (entity["x"].clone(), entity["y"].clone()));
    }
}

/// A field in which a model decides for those near Ada.
fn minded(calls_per_minute: u32) -> FieldSetup {
    let minds = super::FieldMinds { model: "m".to_owned(), calls_per_minute, most_calls: 60 };
    FieldSetup { minds: Some(minds), watched: Some("Ada".to_owned()), ..setup(0) }
}

/// A mind that is right, wrong, and not there.
fn fickle(me: &str, call: u64) -> Result<Answer, Failure> {
    match call % 7 {
        0 => Err(Failure::new("gone")),
        1 => Ok("I would rather not say.".into()),
        2 => Ok(r#"{"action": "fly"}"#.into()),
        3 => Ok(r#"{"action": "move_to", "x": 2, "y": 3}"#.into()),
        4 => Ok(r#"{"action": "cancel_interaction"}"#.into()),
        5 => Ok(r#"Sure: {"action": "wander", "x": null}"#.into()),
        _ => plain(me, call),
    }
}

#[test]
fn a_model_decides_for_those_near_somebody_watched_within_its_calls() {
    let mut played = Played::begin(minded(12));
    while played.step(&fickle) {}
    assert_eq!(played.run.ended(), Some("completed"));
    assert_eq!(played.run.world().violations(), [""; 0]);
    let count = |is: &dyn Fn(&FieldEvent) -> bool| played.facts.iter().filter(|fact| is(&fact.event)).count();
    let asked = count(&|event| matches!(event, FieldEvent::MindAsked { .. }));
    assert!((10..=48).contains(&asked), "{asked} calls in four minutes");
    let refused = count(&|event| matches!(event, FieldEvent::MindDeclined { call: None, .. }));
    assert!(refused > 0, "rules decide for the rest");
    let warned = |event: &FieldEvent| matches!(event, FieldEvent::MindAnswered { warning: Some(_), .. });
    assert!(count(&warned) > 0, "what the state does not take is not done");
    let folded: FieldRun = fold(&played.facts).unwrap();
    assert_eq!((folded.world().hash(), folded.diverged()), (played.run.world().hash(), None));
}

#[test]
fn nobody_who_is_not_watched_costs_a_call() {
    let played = Played::begin(FieldSetup { watched: None, ..minded(60) }).play();
    assert!(!played.facts.iter().any(|fact| matches!(fact.event, FieldEvent::MindAsked { .. })));
    let mut played = Played::begin(FieldSetup { watched: None, ..minded(60) });
    played.command(FieldCommand::Watch { entity: Some("bob".to_owned()) });
    while played.step(&plain) {}
    assert!(played.facts.iter().any(|fact| matches!(fact.event, FieldEvent::MindAsked { .. })));
}
