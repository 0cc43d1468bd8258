//! What a beat costs the rules early and late in a long scene: 12 actors, 1,000 beats, goals that are not
//! met.
//!
//! The bar: a beat around 1,000 costs at most 1.5 times what a beat around 50 costs. It is processor time, so
//! that other programs on the machine do not count.

#![expect(clippy::print_stdout, reason = "a benchmark prints what it measured")]

use std::{collections::BTreeMap, ops::Range};

use enact_drama::{
    Effect, Fact, Happened, Input, Name, Production, Record, RunId, Seq,
    budget::Budget,
    call::Answer,
    model_card::{Context, ModelCard},
    record::read_facts,
    scene::{Command, Role, Scene, SceneConfig, SceneEvent, SceneSetup},
};

const CAST: [&str; 12] =
    ["ada", "bob", "cleo", "dan", "eve", "finn", "gus", "hana", "ivo", "jane", "kim", "lea"];
const EARLY: Range<u32> = 25..75;
const LATE: Range<u32> = 950..1000;
const BAR: f64 = 1.5;

fn main() {
    // `cargo bench -- --test` only wants to see that it works.
    let short = std::env::args().any(|arg| arg == "--test");
    let (early, late) = if short { (0..5, 5..10) } else { (EARLY, LATE) };
    for context in [Context::Thread, Context::Window] {
        let (costs, facts) = play(context, late.end);
        // The middle one: what else runs on the machine makes a few beats look far too expensive.
        let usual = |beats: &Range<u32>| {
            let mut of = costs[beats.start as usize..beats.end as usize].to_vec();
            of.sort_by(f64::total_cmp);
            of[of.len() / 2]
        };
        let (first, last) = (usual(&early), usual(&late));
        println!(
            "{context:?}: {first:.0} µs a beat in beats {early:?}, {last:.0} µs in beats {late:?}: {:.2} times as much \
             (bar {BAR}), {:.2} s in all",
            last / first,
            costs.iter().sum::<f64>() / 1e6,
        );
        records(&facts);
    }
}

/// What it costs to write facts down as records, and to read them back.
fn records(facts: &[Fact<SceneEvent>]) {
    let began = processor_us();
    let records: Vec<Record> = facts.iter().map(Record::of).collect();
    let written = processor_us();
    let read: Vec<Fact<SceneEvent>> = read_facts(&records).expect("what was written can be read");
    let end = processor_us();
    assert_eq!(read.len(), facts.len());
    let each = |us: f64| us * 1000.0 / facts.len() as f64;
    println!(
        "  {} records: {:.0} ns to write one, {:.0} ns to read it",
        facts.len(),
        each(written - began),
        each(end - written)
    );
}

/// Plays so many beats. Says how many microseconds each took, and what happened.
fn play(context: Context, beats: u32) -> (Vec<f64>, Vec<Fact<SceneEvent>>) {
    let first = Fact { seq: Seq(0), at: 0, event: Scene::beginning(setup(context, beats + 1)) };
    let mut scene = Scene::begin(&first).expect("a scene");
    let mut facts = vec![first];
    happens(&mut scene, &mut facts, Happened::Started);
    let costs = (0..beats)
        .map(|beat| {
            let began = processor_us();
            let asks = scene.pending().into_iter().filter_map(|effect| match effect {
                Effect::Ask(ask) => Some(ask),
                Effect::Speak(_) | Effect::Timer { .. } => None,
            });
            let asks: Vec<_> = asks.collect();
            let requests: Vec<_> = asks.iter().map(|ask| scene.request(ask)).collect();
            drop(requests);
            for (place, ask) in asks.into_iter().enumerate() {
                let answer = Answer::from(says(place, beat).as_str());
                happens(&mut scene, &mut facts, Happened::Answered { call: ask.call, answer });
            }
            assert!(scene.ended().is_none(), "the scene is over after beat {beat}: {:?}", scene.ended());
            processor_us() - began
        })
        .collect();
    (costs, facts)
}

fn happens(scene: &mut Scene, facts: &mut Vec<Fact<SceneEvent>>, what: Happened<Command>) {
    for event in scene.decide(&Input { at: 0, what }) {
        let fact = Fact { seq: scene.next_seq(), at: 0, event };
        scene.apply(&fact);
        facts.push(fact);
    }
}

/// Never twice the same, and a question every time, so that the scene neither loops nor comes to rest.
fn says(place: usize, beat: u32) -> String {
    let other = CAST[(place + beat as usize) % CAST.len()];
    match (place as u32 + beat) % 7 {
        0 => format!("[REACT, TONE: tense, *turns page {beat} of the {place}th book*]"),
        1 => format!(
            "[INTERRUPT after \"wondered\", TONE: angry] \"No, {other}! What would {} have done?\"",
            beat * 31 + 7
        ),
        2 => format!(
            "[TO: {other}, TONE: nervous] \"I think item {beat} is yours. What will you do about {}-{place}?\"",
            beat * 17
        ),
        _ => format!(
            "[TO: {other}, TONE: tense, *leans forward*] \"Round {beat}: have you ever wondered what {}-{place} would \
             say about all of this?\"",
            beat * 7919 % 1009
        ),
    }
}

fn setup(context: Context, beats: u32) -> SceneSetup {
    let name = |text: &str| Name::new(text).expect("a name");
    let display = |text: &str| text[..1].to_uppercase() + &text[1..];
    let cast = CAST.map(|who| Role {
        name: name(who),
        display: display(who),
        sheet: format!("# {}\n\n## Personality\n- Curious\n- Talks a lot\n", display(who)),
        model: "script".to_owned(),
    });
    let goals = [
        "Ada does not apologize to Bob",
        "Bob does not accept the apology",
        "Cleo does not agree with Dan",
        "Finn does not admit being late",
        "Gus does not thank Hana",
    ];
    let config = SceneConfig {
        name: "growth".into(),
        prompt: "They talk about everything and nothing.".into(),
        characters: CAST.map(str::to_owned).to_vec(),
        ..SceneConfig::default()
    };
    SceneSetup {
        run: RunId(uuid::Uuid::nil()),
        name: name("growth"),
        cast: cast.to_vec(),
        opener: None,
        goals: goals.map(str::to_owned).to_vec(),
        max_beats: beats,
        reply_timeout_ms: 30_000,
        window: 10,
        seed: 1,
        models: BTreeMap::from([("script".to_owned(), ModelCard { context, ..ModelCard::free("script") })]),
        judge: None,
        event_writer: None,
        budget: Budget::default(),
        prompts: Default::default(),
        remembered: Default::default(),
        config,
    }
}

/// The processor time of this thread.
fn processor_us() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e6 + time.tv_nsec as f64 / 1e3
}
