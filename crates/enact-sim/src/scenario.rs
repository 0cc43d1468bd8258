//! What a seed decides before a run begins: what is played, how bad the weather is, and what happens when.

mod episode;
mod field;
mod mind;

use std::{
    collections::BTreeMap,
    fmt,
    str::FromStr,
    sync::{Arc, LazyLock},
};

use enact_drama::{
    Fact, Name, Production, Record, RunId, Seq,
    budget::Budget,
    chorus::{Agent, AgentId, Chorus, ChorusOptions, ChorusRequest},
    dice::Dice,
    episode::{Episode, EpisodeEvent},
    field::{FieldEvent, FieldRun},
    mind::{Mind, MindEvent},
    model_card::{Context, ModelCard},
    production::ForkPoint,
    scene::{
        AdviserChoice, DeckEvent, HumanSeconds, HumanTimeout, NoTimeout, OnMalformed, Scene, SceneConfig,
        SceneOptions, SceneSetup,
    },
    usage::Price,
    voice::VoiceChain,
};
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use crate::echo::{Echo, EchoEvent};

/// 2023-11-14, when every simulated run is made.
pub(crate) const STARTED_AT: i64 = 1_700_000_000_000;
/// Simulated runs have ids that sort by their seed.
const FIRST_RUN: u128 = 0x0199_0000_0000_7000_8000_0000_0000_0000;
/// Until when something is done to a run, in virtual milliseconds: most are over by then.
const LAST_ACTION_MS: usize = 4_000;

/// Which productions can be simulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SimulatedProduction {
    Scene,
    Chorus,
    Episode,
    Mind,
    Field,
    Toy,
}

impl SimulatedProduction {
    pub const ALL: [SimulatedProduction; 6] = [
        SimulatedProduction::Scene,
        SimulatedProduction::Chorus,
        SimulatedProduction::Episode,
        SimulatedProduction::Mind,
        SimulatedProduction::Field,
        SimulatedProduction::Toy,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            SimulatedProduction::Scene => "scene",
            SimulatedProduction::Chorus => "chorus",
            SimulatedProduction::Episode => "episode",
            SimulatedProduction::Mind => "mind",
            SimulatedProduction::Field => "field",
            SimulatedProduction::Toy => "toy",
        }
    }
}

impl fmt::Display for SimulatedProduction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for SimulatedProduction {
    type Err = String;

    fn from_str(text: &str) -> Result<SimulatedProduction, String> {
        let found = SimulatedProduction::ALL.into_iter().find(|production| production.as_str() == text);
        found.ok_or_else(|| {
            format!("'{text}' is not simulated; scene, chorus, episode, field, mind and toy are")
        })
    }
}

/// What could be wrong with the program that is simulated, so that tests see whether it would be noticed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mutant {
    #[default]
    None,
    /// Now and then the store says that it has appended, and has not.
    ForgetfulStore,
}

/// How often something goes wrong: once in so many calls, or never.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct FaultRates {
    pub(crate) models: usize,
    pub(crate) voices: usize,
    pub(crate) store: usize,
    /// Models that cannot be made, or say that they could not answer.
    pub(crate) checks: usize,
}

/// Something that is done to a run, or to the processes that play it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Intervention {
    /// A command as JSON, with the text by which it is known in the log, if it has one.
    Post {
        command: String,
        text: Option<String>,
    },
    Fork {
        at: ForkPoint,
    },
    /// The process dies, and is found to be dead after a while. Another one starts.
    Kill {
        expires_ms: u64,
        restarts_ms: u64,
    },
    /// The process stands still, long enough to be taken for dead or not.
    Freeze {
        for_ms: u64,
        expires_ms: u64,
    },
    /// The process is told to stop.
    Stop,
    /// The store cannot be reached by any process.
    Outage {
        for_ms: u64,
    },
    ClockJump {
        by_ms: i64,
    },
}

/// Everything that a seed decides.
#[derive(Debug, Clone)]
pub struct Scenario {
    pub seed: u64,
    pub production: SimulatedProduction,
    pub(crate) mutant: Mutant,
    /// Whether it is written down what happens when, for people.
    pub(crate) has_timeline: bool,
    pub(crate) run: RunId,
    pub(crate) first: Record,
    pub(crate) budget: Budget,
    pub(crate) weather: FaultRates,
    /// How many nodes share the store at first. Some hear no news of each other.
    pub(crate) nodes: u32,
    pub(crate) observers: usize,
    /// By virtual milliseconds, in order.
    pub(crate) actions: Vec<(u64, Intervention)>,
    /// Whether a run that rests in the end is woken once more.
    pub(crate) wakes: bool,
    pub(crate) speaks: bool,
    /// Whether a person plays in it, and types now and then.
    pub(crate) people: bool,
}

impl Scenario {
    pub fn new(seed: u64, production: SimulatedProduction) -> Scenario {
        let dice = &mut Dice::new(seed, "scenario", 0);
        let run = RunId(Uuid::from_u128(FIRST_RUN | u128::from(seed)));
        let budget = budget(dice);
        let speaks = production == SimulatedProduction::Chorus && dice.one_in(8);
        // Dice of their own, so that the scenarios of models stay as they are.
        let people = production == SimulatedProduction::Scene && Dice::new(seed, "people", 0).one_in(3);
        let first = match production {
            SimulatedProduction::Scene => {
                record::<Scene>(Scene::beginning(scene((run, seed), budget, people, dice)))
            }
            SimulatedProduction::Chorus => {
                record::<Chorus>(Chorus::beginning(chorus((run, seed), budget, speaks, dice)))
            }
            SimulatedProduction::Episode => {
                let setup = Arc::new(episode::setup((run, seed), dice));
                record::<Episode>(EpisodeEvent::EpisodeBegan { setup })
            }
            SimulatedProduction::Mind => {
                let setup = Arc::new(mind::setup((run, seed), budget, dice));
                record::<Mind>(MindEvent::MindBegan { setup })
            }
            SimulatedProduction::Field => {
                let setup = Arc::new(field::setup((run, seed), budget, dice));
                record::<FieldRun>(FieldEvent::FieldBegan { setup })
            }
            SimulatedProduction::Toy => {
                let valley = Name::new("valley").expect("a name");
                record::<Echo>(EchoEvent::EchoBegan { run, valley, models: models(seed, dice) })
            }
        };
        let has_budget = !matches!(production, SimulatedProduction::Episode | SimulatedProduction::Toy);
        let weather = FaultRates {
            models: *dice.pick(&[0, 3, 4, 8, 20]).unwrap_or(&0),
            voices: *dice.pick(&[0, 2, 3]).unwrap_or(&0),
            store: *dice.pick(&[0, 0, 6, 15, 40]).unwrap_or(&0),
            checks: *dice.pick(&[0, 0, 0, 4]).unwrap_or(&0),
        };
        Scenario {
            seed,
            production,
            mutant: Mutant::None,
            has_timeline: false,
            run,
            first,
            budget: if has_budget { budget } else { Budget::default() },
            weather,
            nodes: 1 + u32::from(dice.one_in(4)),
            observers: usize::from(dice.one_in(2)),
            actions: actions(production, dice),
            wakes: dice.one_in(2),
            speaks,
            people,
        }
    }

    /// The same with something wrong in the program.
    pub fn with(self, mutant: Mutant) -> Scenario {
        Scenario { mutant, ..self }
    }

    /// The same, with a timeline if one is wanted.
    pub fn with_timeline(self, has_timeline: bool) -> Scenario {
        Scenario { has_timeline, ..self }
    }
}

fn record<P: Production>(event: P::Event) -> Record {
    Record::of(&Fact { seq: Seq(0), at: STARTED_AT, event })
}

/// Most runs may use what they like.
fn budget(dice: &mut Dice) -> Budget {
    match dice.one_in(4) {
        true => Budget { tokens: Some(2_000 + dice.below(30_000) as u64), cost: None },
        false => Budget::default(),
    }
}

/// One model that remembers and one that does not. In some runs they have fallbacks.
fn models(seed: u64, dice: &mut Dice) -> BTreeMap<String, ModelCard> {
    let price = match dice.below(3) {
        0 => None,
        1 => Some(Price::FREE),
        _ => Some(Price { uncached: 3, cache_read: 1, cache_write: 4, output: 15 }),
    };
    let card = |context| ModelCard { context, price, ..ModelCard::free("simulated") };
    // Not rolled: seeds that once found something still play the same.
    let (remembers, forgets): (&[&str], &[&str]) = match seed % 4 {
        0 => (&["forgets"], &["spare"]),
        2 => (&["spare", "forgets"], &[]),
        _ => (&[], &[]),
    };
    let card = |context, fallback: &[&str]| ModelCard {
        fallback: fallback.iter().map(|name| (*name).to_owned()).collect(),
        ..card(context)
    };
    BTreeMap::from([
        ("remembers".to_owned(), card(Context::Thread, remembers)),
        ("forgets".to_owned(), card(Context::Window, forgets)),
        ("spare".to_owned(), card(Context::Thread, &[])),
    ])
}

#[derive(Debug, Deserialize)]
struct CastFile {
    character: Vec<CharacterSketch>,
    scene: Vec<SceneSketch>,
}

#[derive(Debug, Deserialize)]
struct CharacterSketch {
    name: String,
    sheet: String,
}

#[derive(Debug, Deserialize)]
struct SceneSketch {
    prompt: String,
    goals: Vec<String>,
    events: Vec<String>,
}

static CAST: LazyLock<CastFile> =
    LazyLock::new(|| toml::from_str(include_str!("../content/cast.toml")).expect("cast.toml is well-formed"));

/// A scene, whose first character a person may play.
fn scene((run, seed): (RunId, u64), budget: Budget, people: bool, dice: &mut Dice) -> SceneSetup {
    let most = if dice.one_in(4) { CAST.character.len() } else { 2 };
    let cast: Vec<&CharacterSketch> = CAST.character.iter().take(2.max(most)).collect();
    let about = &CAST.scene[dice.below(CAST.scene.len())];
    let timeouts = [0.3, 2.0, 10.0].map(|seconds| HumanTimeout::Seconds(HumanSeconds(seconds)));
    let timeouts = [timeouts.as_slice(), &[HumanTimeout::None(NoTimeout::None)]].concat();
    let config = SceneConfig {
        name: "simulated".to_owned(),
        prompt: about.prompt.clone(),
        characters: cast.iter().map(|character| character.name.clone()).collect(),
        goals: about.goals.clone(),
        events: about.events.iter().cloned().map(DeckEvent::WhenNeeded).collect(),
        initial_speaker: dice.one_in(3).then(|| cast[0].name.clone()),
        max_beats: Some(1 + dice.below(4) as i64),
        reply_timeout_seconds: Some([0.4, 1.0, 3.0][dice.below(3)]),
        on_malformed: [OnMalformed::Salvage, OnMalformed::Retry, OnMalformed::Ignore][dice.below(3)],
        human_timeout_seconds: if people {
            Dice::new(seed, "timeout", 0).pick(&timeouts).copied()
        } else {
            None
        },
        ..SceneConfig::default()
    };
    let sheets = cast.iter().map(|character| (name(&character.name), character.sheet.clone()));
    let mut models = models(seed, dice);
    if people {
        models.insert("human".to_owned(), ModelCard::human());
    }
    let options = SceneOptions {
        models,
        judge: one_or_none(dice.one_in(4), "remembers"),
        event_writer: one_or_none(dice.one_in(8), "forgets"),
        budget,
        ..SceneOptions::default()
    };
    let forgetful = dice.below(3);
    let played_by = |name: &Name, _: &_| {
        if people && name.as_str() == cast[0].name {
            return "human".to_owned();
        }
        let forgets = forgetful == 0 || forgetful == 1 && name.as_str() == "bob";
        if forgets { "forgets".to_owned() } else { "remembers".to_owned() }
    };
    let seed = dice.below(1_000) as u64;
    SceneSetup::cast(run, config, sheets.collect(), options, played_by, seed)
        .expect("a scene that can be cast")
}

fn chorus(
    (run, seed): (RunId, u64),
    budget: Budget,
    speaks: bool,
    dice: &mut Dice,
) -> enact_drama::chorus::ChorusSetup {
    let agent = |character: &CharacterSketch| Agent {
        id: AgentId::new(&*character.name).expect("an id"),
        name: character.name.to_uppercase(),
        provider: "simulated".to_owned(),
        description: character.sheet.clone(),
        color: "#cc785c".to_owned(),
    };
    let models = models(seed, dice);
    let plays = |at: usize| models.keys().nth(at % 2).cloned().unwrap_or_default();
    let slots = 1 + dice.below(CAST.character.len());
    let characters = CAST.character.iter().take(slots).enumerate();
    let options = ChorusOptions {
        agents: characters.clone().map(|(at, character)| (agent(character), plays(at))).collect(),
        models: models.clone(),
        voice: speaks.then(|| VoiceChain(vec!["simulated".to_owned()])),
        budget,
        answer_timeout_ms: [400, 1_000, 3_000][dice.below(3)],
        speech_timeout_ms: [500, 3_000][dice.below(2)],
        ..ChorusOptions::default()
    };
    let wanted = ChorusRequest {
        message: "What is a story?".to_owned(),
        seats: characters.map(|(at, character)| (at as u8 + 1, character.name.clone())).collect(),
        threads: Vec::new(),
        seed: Some(dice.below(1_000) as u64),
    };
    options.assemble(run, wanted).expect("a chorus that can be assembled")
}

fn name(text: &str) -> Name {
    Name::new(text).expect("a character's name")
}

/// What is done, in order of time.
fn actions(production: SimulatedProduction, dice: &mut Dice) -> Vec<(u64, Intervention)> {
    let mut actions = Vec::new();
    for number in 0..dice.below(4) {
        actions.push((moment(dice), post(production, number, dice)));
    }
    if production == SimulatedProduction::Toy {
        // Without calls an echo rests from its beginning to its end.
        for number in 10..11 + dice.below(4) {
            actions.push((moment(dice), call(number)));
        }
    }
    if production == SimulatedProduction::Episode {
        // Enough for a short episode to be completed.
        for number in 10..12 + dice.below(8) {
            actions.push((moment(dice), episode::message(number, dice)));
        }
    }
    if production == SimulatedProduction::Mind {
        for number in 10..14 + dice.below(8) {
            actions.push((moment(dice), mind::calls(number, dice)));
        }
    }
    if dice.one_in(2) {
        for _ in 0..1 + dice.below(3) {
            actions.push((moment(dice), trouble(dice)));
        }
    }
    if dice.one_in(8) {
        let (at, beat) = (moment(dice), dice.below(4) as u32);
        // By the time, and not by dice, so that other scenarios stay as they are.
        let line =
            (production == SimulatedProduction::Scene && at % 2 == 0).then_some(1 + (at / 2 % 3) as u32);
        actions.push((at, Intervention::Fork { at: ForkPoint { beat, line } }));
    }
    actions.sort_by_key(|(at, _)| *at);
    actions
}

/// Early more often than late: many runs are over after a second.
fn moment(dice: &mut Dice) -> u64 {
    let latest = [LAST_ACTION_MS / 10, LAST_ACTION_MS / 4, LAST_ACTION_MS][dice.below(3)];
    dice.below(latest) as u64
}

fn trouble(dice: &mut Dice) -> Intervention {
    let time = |dice: &mut Dice| dice.below(5_000) as u64;
    match dice.below(8) {
        0..3 => Intervention::Kill { expires_ms: time(dice), restarts_ms: time(dice) },
        3..5 => Intervention::Freeze { for_ms: time(dice), expires_ms: time(dice) },
        5 => Intervention::Stop,
        6 => Intervention::Outage { for_ms: time(dice) },
        _ => Intervention::ClockJump { by_ms: dice.below(200_000) as i64 - 100_000 },
    }
}

fn post(production: SimulatedProduction, number: usize, dice: &mut Dice) -> Intervention {
    let plain =
        |command: &str| Intervention::Post { command: json!({ "command": command }).to_string(), text: None };
    let with_text = |command: serde_json::Value, text: String| Intervention::Post {
        command: command.to_string(),
        text: Some(text),
    };
    match production {
        SimulatedProduction::Scene => {
            let text = format!("posted-{number}-words");
            match dice.below(10) {
                0..3 => with_text(json!({ "command": "note", "to": null, "text": text }), text),
                3 => with_text(json!({ "command": "note", "to": "bob", "text": text }), text),
                4..6 => with_text(json!({ "command": "world_event", "text": text }), text),
                6 => plain("pause"),
                7 => plain("resume"),
                8 => plain("step"),
                _ => plain("cancel"),
            }
        }
        SimulatedProduction::Chorus => plain("cancel"),
        SimulatedProduction::Episode if dice.one_in(12) => plain("cancel"),
        SimulatedProduction::Episode if dice.one_in(12) => plain("end"),
        SimulatedProduction::Episode => episode::message(number, dice),
        SimulatedProduction::Mind => mind::command(number, dice),
        SimulatedProduction::Field => field::command(number, dice),
        SimulatedProduction::Toy if dice.one_in(6) => plain("cancel"),
        SimulatedProduction::Toy => call(number),
    }
}

fn one_or_none(chosen: bool, model: &str) -> AdviserChoice {
    if chosen { AdviserChoice::from(model) } else { AdviserChoice::None }
}

fn call(number: usize) -> Intervention {
    let text = format!("posted-{number}-words");
    Intervention::Post { command: json!({ "command": "call", "text": text }).to_string(), text: Some(text) }
}
