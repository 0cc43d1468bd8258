//! What a beat costs the improviser, and the rules with it, early and late in a long scene: 12 actors,
//! 1,000 beats.
//!
//! All twelve improvise an answer in every beat. Half of them give it; the others say something new each time,
//! so that the scene goes on. The bar: a beat around 1,000 costs at most 1.5 times what a beat around 50
//! costs. It is processor time, so that other programs on the machine do not count.

#![expect(clippy::print_stdout, reason = "a benchmark prints what it measured")]

use std::{collections::BTreeMap, ops::Range};

use enact_drama::{
    Effect, Fact, Happened, Input, Name, Production, RunId, Seq,
    model_card::ModelCard,
    production::Answer,
    scene::{Command, Scene, SceneConfig, SceneOptions, SceneSetup},
};
use enact_models::improvise;

const CAST: [&str; 12] =
    ["ada", "bob", "cleo", "dan", "eve", "finn", "gus", "hana", "ivo", "jane", "kim", "lea"];
const EARLY: Range<u32> = 25..75;
const LATE: Range<u32> = 949..999;
const BAR: f64 = 1.5;

/// What a beat took, in microseconds.
#[derive(Clone, Copy)]
struct BeatCost {
    improviser: f64,
    rules: f64,
}

fn main() {
    // `cargo bench -- --test` only wants to see that it works.
    let short = std::env::args().any(|arg| arg == "--test");
    let (early, late) = if short { (0..5, 5..10) } else { (EARLY, LATE) };
    let costs = play(late.end);
    let improviser = |cost: &BeatCost| cost.improviser;
    let rules = |cost: &BeatCost| cost.rules;
    for (name, part) in [("improviser", improviser as fn(&BeatCost) -> f64), ("rules", rules)] {
        // The middle one: what else runs on the machine makes a few beats look far too expensive.
        let usual = |beats: &Range<u32>| {
            let mut of: Vec<f64> = costs[beats.start as usize..beats.end as usize].iter().map(part).collect();
            of.sort_by(f64::total_cmp);
            of[of.len() / 2]
        };
        let (first, last) = (usual(&early), usual(&late));
        println!(
            "{name}: {first:.0} µs a beat in beats {early:?}, {last:.0} µs in beats {late:?}: {:.2} times as much \
             (bar {BAR}), {:.2} s in all",
            last / first,
            costs.iter().map(part).sum::<f64>() / 1e6,
        );
    }
}

/// Plays so many beats and says what each took.
fn play(beats: u32) -> Vec<BeatCost> {
    let first = Fact { seq: Seq(0), at: 0, event: Scene::beginning(setup(beats + 1)) };
    let mut scene = Scene::begin(&first).expect("a scene");
    happens(&mut scene, Happened::Started);
    let mut costs = Vec::new();
    for beat in 0..beats {
        let began = processor_us();
        let asks = scene.pending().into_iter().filter_map(|effect| match effect {
            Effect::Ask(ask) => Some(ask),
            Effect::Speak(_) | Effect::Timer { .. } => None,
        });
        let requests: Vec<_> = asks.map(|ask| (scene.request(&ask), ask)).collect();
        let asked = processor_us();
        let improvised: Vec<_> = requests
            .into_iter()
            .map(|(request, ask)| (improvise(request.view().expect("a scene's view")).0, ask))
            .collect();
        let answered = processor_us();
        for (text, ask) in improvised {
            let text = if ask.place % 2 == 0 { text } else { says(ask.place, beat) };
            let answer = Answer::from(text.as_str());
            happens(&mut scene, Happened::Answered { call: ask.call, answer });
        }
        assert!(scene.ended().is_none(), "the scene is over after beat {beat}: {:?}", scene.ended());
        let rules = asked - began + processor_us() - answered;
        costs.push(BeatCost { improviser: answered - asked, rules });
    }
    costs
}

fn happens(scene: &mut Scene, what: Happened<Command>) {
    for event in scene.decide(&Input { at: 0, what }) {
        let fact = Fact { seq: scene.next_seq(), at: 0, event };
        scene.apply(&fact);
    }
}

/// Never twice the same, and a question every time, so that the scene neither loops nor comes to rest.
fn says(place: usize, beat: u32) -> String {
    let other = CAST[(place + beat as usize) % CAST.len()];
    format!(
        "[TO: {other}, TONE: tense, *turns to page {beat} of book {place}*] \"Round {beat}: have you ever wondered \
         what {}-{place} would say about all of this?\"",
        beat * 7919 % 1009
    )
}

fn setup(beats: u32) -> SceneSetup {
    // Goals that are open for long would end the scene.
    let goals = ["Dan does not thank Hana", "Finn does not apologize", "Ada does not promise anything"];
    let config = SceneConfig {
        name: "growth".into(),
        prompt: "Ada confronts Bob about the rent. They talk about everything and nothing.".into(),
        characters: CAST.map(str::to_owned).to_vec(),
        goals: goals.map(str::to_owned).to_vec(),
        max_beats: Some(i64::from(beats)),
        ..SceneConfig::default()
    };
    let sheets = CAST.map(|who| {
        let sheet = format!("# {}{}\n\n- When angry: Speaks faster\n", who[..1].to_uppercase(), &who[1..]);
        (Name::new(who).expect("a name"), sheet)
    });
    let card = ModelCard::free_without_memory("improviser");
    let options =
        SceneOptions { models: BTreeMap::from([("improviser".to_owned(), card)]), ..SceneOptions::default() };
    let run = RunId(uuid::Uuid::nil());
    SceneSetup::cast(run, config, sheets.to_vec(), options, |_, _| "improviser".to_owned(), 1)
        .expect("a setup")
}

/// The processor time of this thread.
fn processor_us() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e6 + time.tv_nsec as f64 / 1e3
}
