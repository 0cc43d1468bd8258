//! A long scene costs a beat no more than a short one, and is judged the same.

use std::ops::Range;

use proptest::prelude::*;

use super::{hidden_calls::opinion, *};
use crate::{
    judge::{self, Heard, LineSource},
    scene::{moderator, settled_lines::HeardLines},
    test_counter,
};

const EARLY: Range<u32> = 40..60;
const LATE: Range<u32> = 180..200;

/// A scene that goes on: always something new, a question every time, and goals that forbid something: with
/// an open one it would be given up as looping.
fn endless(context: Context) -> Stage {
    let config = SceneConfig {
        max_beats: Some(i64::from(LATE.end) + 1),
        goals: [
            "Alice does not apologize to Bob",
            "Bob does not accept the apology",
            "Alice does not agree",
            "Bob does not thank Alice",
        ]
        .map(str::to_owned)
        .to_vec(),
        ..config(&ALL_THREE, None)
    };
    let mut setup = setup_with(config, context);
    setup.models.get_mut("script").unwrap().thread_tokens = Some(500);
    Stage::open(setup)
}

/// How many lines the rules look at in a beat: for all requests, and for what follows from the answers.
fn looked_at_in(stage: &mut Stage, beat: u32) -> usize {
    test_counter::count(|| {
        let request = |who: &&str| stage.request(who).thread.len();
        assert!(ALL_THREE.iter().map(request).sum::<usize>() >= ALL_THREE.len());
        let says = |who: &str| match (beat + who.len() as u32) % 4 {
            0 => format!("[INTERRUPT after \"wonder\", TONE: angry] \"What of {} and {who}?\"", beat * 31),
            1 => format!("[REACT, TONE: tense, *turns page {beat} for {who}*]"),
            _ => {
                format!("[TO: Bob, TONE: calm] \"{who} does wonder what round {beat} brings: {}?\"", beat * 7)
            }
        };
        let answers = ALL_THREE.map(|who| (who, says(who)));
        stage.beat(&answers.each_ref().map(|(who, text)| (*who, text.as_str())));
    })
}

#[test]
fn a_beat_costs_the_same_however_long_the_scene_is() {
    for context in [Context::Thread, Context::Window] {
        let mut stage = endless(context);
        let looked_at: Vec<usize> = (0..LATE.end).map(|beat| looked_at_in(&mut stage, beat)).collect();
        assert_eq!(stage.ended(), None, "{}", stage.story());
        let sum =
            |beats: Range<u32>| looked_at[beats.start as usize..beats.end as usize].iter().sum::<usize>();
        let (early, late) = (sum(EARLY), sum(LATE));
        assert!(early > 0 && late * 10 <= early * 12, "{context:?}: {early} lines early, {late} late");
    }
}

/// Lines are long, so that the judge is shown as much early as late. Only beats without them are counted:
/// reading replies counts bytes, which would hide the lines.
#[test]
fn a_model_judge_costs_the_same_however_long_the_scene_is() {
    let goals = ["The truth comes out", "The mood brightens", "The rain stops"].map(str::to_owned).to_vec();
    let config = SceneConfig { max_beats: Some(i64::from(LATE.end) + 1), goals, ..config(&ALL_THREE, None) };
    let mut setup = setup_with(config, Context::Window);
    setup.judge = Some("script".to_owned());
    let mut stage = Stage::open(setup);
    let says = |round: u32, who: &str| {
        let words: Vec<String> = (0..200).map(|word| format!("word{round}{who}{word}")).collect();
        format!(r#"[TONE: calm] "{}?""#, words.join(" "))
    };
    let mut looked_at = Vec::new();
    for round in 0..LATE.end / 2 {
        let answers = ALL_THREE.map(|who| (who, says(round, who)));
        stage.beat(&answers.each_ref().map(|(who, text)| (*who, text.as_str())));
        let said = format!("word{round}alice0 word{round}alice1");
        let quotes = [Some("which nobody ever said"), Some(said.as_str()), Some("nor this, ever")];
        let open = serde_json::json!({"closure": false, "leftToExplore": true, "confidence": 0.1});
        looked_at.push(test_counter::count(|| {
            if let Some(ask) = stage.hidden(HiddenPurpose::Judge) {
                assert!(!stage.scene.request(&ask).thread.is_empty());
                stage.advise(HiddenPurpose::Judge, &opinion(&quotes, open));
            }
            stage.beat(&[]);
        }));
    }
    assert_eq!(stage.ended(), None, "{}", stage.story());
    assert!(stage.story().contains("! advised, but the evidence for goal 1 was never said"));
    let sum = |rounds: Range<usize>| looked_at[rounds].iter().sum::<usize>();
    let (early, late) = (sum(20..40), sum(80..100));
    // Between one page and two are shown, so that two spans never cost quite the same.
    assert!(early > 0 && late * 10 <= early * 13, "{early} lines early, {late} late");
}

const SAID: [&str; 14] = [
    "I am so sorry, Bob.",
    "I am not sorry at all.",
    "I take it back.",
    "I accept your apology.",
    "I forgive you, Alice.",
    "I do not forgive you.",
    "Let's meet every Monday, then.",
    "Agreed.",
    "Okay.",
    "I don't agree.",
    "Thank you, Alice.",
    "What do you think?",
    "You liar! How could you?",
    "I think we are done here. Goodbye.",
];

/// For each beat what each of the three answers: a sentence, and whether it is said, cut in with, or nothing.
fn beats() -> impl Strategy<Value = Vec<[(usize, u8); 3]>> {
    let answer = || (0..SAID.len(), 0..6u8);
    prop::collection::vec([answer(), answer(), answer()], 0..14)
}

fn answer((said, how): (usize, u8), beat: usize) -> String {
    // The words that most lines hold, so that most interruptions cut one.
    let words = ["sorry", "I", "you", "agree"][beat % 4];
    match how {
        0 => "[SILENT]".to_owned(),
        1 | 2 => format!("[INTERRUPT after \"{words}\", TONE: angry] \"{}\"", SAID[said]),
        _ => format!("[TONE: calm] \"{} And so on, {beat}.\"", SAID[said]),
    }
}

proptest! {
    /// What older lines come to is kept from one verdict to the next; cuts change the newest ones in between.
    #[test]
    fn a_verdict_that_goes_on_is_one_from_the_beginning(beats in beats()) {
        let goals = ["Alice apologizes to Bob", "Bob accepts her apology", "Bob interrupts Alice", "Everyone agrees on a plan"];
        let config = SceneConfig { goals: goals.map(str::to_owned).to_vec(), ..config(&ALL_THREE, None) };
        let mut stage = Stage::open(setup(config));
        for (number, answers) in beats.iter().enumerate() {
            if stage.ended().is_some() {
                break;
            }
            let answers = [0, 1, 2].map(|who| (ALL_THREE[who], answer(answers[who], number)));
            stage.beat(&answers.each_ref().map(|(who, text)| (*who, text.as_str())));
            let scene = &stage.scene;
            for lines in [&scene.lines, &scene.beat.before] {
                let source = HeardLines { prepared: &scene.prepared, lines };
                let all: Vec<Heard<'_>> = (0..lines.len()).filter_map(|line| source.heard(line)).collect();
                let cast = ["Alice", "Bob", "Charlie"];
                let from_the_beginning = judge::judge(&scene.prepared.situation.goals, &cast, &all);
                prop_assert_eq!(moderator::verdict_on(scene, lines), from_the_beginning);
            }
        }
    }
}
