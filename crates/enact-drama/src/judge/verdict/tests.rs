use proptest::prelude::*;

use super::*;
use crate::{
    judge::{Acts, Transcript, goals_of},
    reply::Action,
};

const TWO: [&str; 2] = ["Alice", "Bob"];
const THREE: [&str; 3] = ["Alice", "Bob", "Charlie"];
const APOLOGY: &str = "Bob apologizes, Alice accepts";

fn verdict(goals: &str, cast: &[&str], dialogue: &str) -> Verdict {
    let transcript = Transcript::read(dialogue).unwrap();
    let goals: Vec<Goal> = goals_of(&[], goals, cast).iter().map(|text| Goal::read(text, cast)).collect();
    judge(&goals, cast, &transcript.heard())
}

/// Each goal as `+` met, `-` not met or `?` unreadable; then `!` when the scene is complete.
fn marks(verdict: &Verdict) -> String {
    let mark = |goal: &GoalStatus| match goal.met {
        Some(true) => '+',
        Some(false) => '-',
        None => '?',
    };
    let marks: String = verdict.goals.iter().map(mark).collect();
    if verdict.complete { marks + "!" } else { marks }
}

fn check(goals: &str, cast: &[&str], rows: &[(&str, &str)]) {
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|(dialogue, expected)| {
            let verdict = verdict(goals, cast, dialogue);
            (marks(&verdict) != *expected)
                .then(|| format!("{dialogue}\n=> {} not {expected}", marks(&verdict)))
        })
        .collect();
    assert!(wrong.is_empty(), "{goals}\n\n{}", wrong.join("\n\n"));
}

/// The requirements: "should detect scene completion when goal achieved".
#[test]
fn the_seeds_first_evaluator_test() {
    let verdict = verdict(
        "Bob apologizes, Alice accepts",
        &TWO,
        r#"[{"speaker": "Bob", "content": "I'm truly sorry."}, {"speaker": "Alice", "content": "I accept your apology."}]"#,
    );
    assert!(verdict.complete);
    assert_eq!(verdict.confidence, 1.0);
    let status = |text: &str, evidence: &str, by: &str| GoalStatus {
        met: Some(true),
        evidence: Some(evidence.to_owned()),
        by: Some(by.to_owned()),
        ..GoalStatus::unknown(text)
    };
    assert_eq!(
        verdict.goals,
        [
            status("Bob apologizes", "I'm truly sorry.", "Bob"),
            status("Alice accepts", "I accept your apology.", "Alice")
        ]
    );
}

/// The requirements: "should detect scene needs continuation".
#[test]
fn the_seeds_second_evaluator_test() {
    let verdict = verdict(
        "Bob apologizes, Alice accepts",
        &TWO,
        r#"[{"speaker": "Bob", "content": "I didn't mean to."}]"#,
    );
    assert!(!verdict.complete);
    assert_eq!(marks(&verdict), "--");
    assert_eq!(verdict.confidence, 0.0);
}

#[test]
fn apologies_and_their_acceptance() {
    check(
        APOLOGY,
        &TWO,
        &[
            ("Bob: I'm so sorry I'm late.\nAlice: It's okay.", "++!"),
            ("Bob: I apologize.\nAlice: I appreciate you saying that.", "++!"),
            ("bob: I'm sorry.\nALICE: Apology accepted.", "++!"),
            ("Bob: I'm sorry.\nAlice: I forgive you.\nBob: Thank you.", "++!"),
            // Who did it matters.
            ("Alice: I'm sorry.\nBob: I accept your apology.", "--"),
            ("Bob: I'm sorry.\nBob: I accept your apology.", "+-"),
            ("Bob: I'm sorry.\nCharlie: She accepts your apology. I accept it.", "+-"),
            ("Bob: I'm sorry.\nWaiter: I forgive you.", "+-"),
            // Order matters.
            ("Alice: I accept your apology.\nBob: I'm sorry.", "+-"),
            ("Alice: I accept.\nBob: I'm sorry.\nAlice: That's all right.", "++!"),
            // So does what comes after.
            ("Bob: I'm sorry.\nAlice: I accept.\nBob: I take it back, I'm not sorry.", "--"),
            ("Bob: I'm sorry.\nAlice: I accept.\nAlice: No. I take it back.", "+-"),
            ("Bob: I'm sorry.\nBob: I'm not sorry.\nBob: I am sorry, truly.\nAlice: I forgive you.", "++!"),
            ("Bob: I'm sorry.\nAlice: I can't accept that.", "+-"),
            ("Bob: I'm sorry.\nAlice: I don't forgive you.\nAlice: Fine. I forgive you.", "++!"),
            // Neither questions nor conditions nor the words of others.
            ("Bob: Should I apologize?\nAlice: You expect me to accept that?", "--"),
            ("Bob: I'm sorry you feel that way.\nAlice: It's okay.", "--"),
            ("Bob: I'm sorry.\nAlice: I'd accept if you meant it.", "+-"),
            ("Bob: I'm sorry.\nAlice: I accept responsibility too.", "+-"),
            // Reactions and events do nothing with words.
            ("Bob [REACT, TONE: sad, *bows*]\nAlice [REACT, TONE: warm, *nods*]", "--"),
            ("[EVENT: Bob: I'm sorry. Alice: I accept.]\nBob: Well.", "--"),
            // Tension keeps it open.
            ("Bob [TONE: sad] \"I'm sorry.\"\nAlice [TONE: furious] \"I accept your apology.\"", "++"),
            (
                "Bob: I'm sorry.\nAlice: I accept.\nBob [TONE: angry] \"You never listen!\"\nAlice: Well.\nBob: Right.",
                "++!",
            ),
            (
                "Bob: I'm sorry.\nAlice: I accept.\nBob [TONE: angry] \"You never listen!\"\nAlice: Well.",
                "++",
            ),
            ("Bob: I'm sorry.\nAlice: I accept.\nBob: How dare you?", "++"),
        ],
    );
}

#[test]
fn to_whom_matters_when_it_is_said() {
    check(
        "Bob apologizes to Alice for being late.",
        &THREE,
        &[
            ("Bob [TO: Alice, TONE: sad] \"I'm sorry.\"", "+!"),
            ("Bob [TO: alice and Charlie, TONE: sad] \"I'm sorry.\"", "+!"),
            ("Bob [TO: everyone, TONE: sad] \"I'm sorry.\"", "+!"),
            ("Bob [TONE: sad] \"I'm sorry.\"", "+!"),
            ("Bob [TO: Charlie, TONE: sad] \"I'm sorry.\"", "-"),
        ],
    );
    check(
        "Bob and Charlie apologize.",
        &THREE,
        &[("Bob: I'm sorry.", "-"), ("Bob: Sorry.\nCharlie: I'm sorry.", "+!")],
    );
    check(
        "Bob apologizes.",
        &["Alice Chen", "Bob Smith"],
        &[("Bob: I'm sorry.", "+!"), ("Bob Jones: Sorry.", "-")],
    );
}

#[test]
fn agreements_take_two() {
    check(
        "They agree on next steps.",
        &THREE,
        &[
            ("Bob: I'll set up weekly check-ins.\nAlice: Okay. Let's do that.", "+!"),
            ("Bob: I'll set up weekly check-ins.\nAlice: Good.", "+!"),
            ("Bob: How about weekly check-ins?\nAlice: Hm.\nCharlie: That works.", "+!"),
            ("Alice: Agreed.\nBob: Agreed.\nCharlie: Sounds good.", "+!"),
            // One alone agrees with nobody.
            ("Bob: I'll set up weekly check-ins. Agreed. Deal. Let's do that.", "-"),
            ("Bob: I'll set up weekly check-ins.\nBob: Okay. Let's do that.", "-"),
            ("Alice: Agreed.\nBob: Agreed.", "-"),
            // A wish is no step, and "okay" to something else no agreement.
            ("Alice: We need a plan.\nBob: Okay.", "-"),
            ("Bob: I'll send the report.\nAlice: No deal.\nAlice: Okay.", "-"),
            ("Bob: I'll send the report.\nAlice: Why?\nBob: Hm.\nAlice: Hm.\nBob: Hm.\nAlice: Okay.", "-"),
            ("Bob: I'll send the report.\nWaiter: Deal.", "-"),
            // And it can be undone.
            ("Bob: I'll send the report.\nAlice: Deal.\nBob: I changed my mind.", "-"),
            ("Bob: I'll send the report.\nAlice: Deal.\nCharlie: I disagree.", "-"),
        ],
    );
    check(
        "They agree on next steps.",
        &THREE,
        &[
            ("Bob: I'll set up weekly check-ins.\nCharlie: Agreed.\nAlice: Forget it.", "-"),
            ("Bob: I'll set up weekly check-ins.\nCharlie: Agreed.\nAlice: No.", "-"),
            ("Bob: I'll set up weekly check-ins.\nCharlie: Agreed.\nAlice: I won't have it.", "-"),
            ("Bob: I'll set up weekly check-ins.\nCharlie: Agreed.\nAlice: I won't forget it.", "+!"),
            ("Alice: I'm going to get a coffee.\nBob: Okay.", "-"),
            ("Alice: I'll get you for this.\nBob: Sure you will.", "-"),
            ("Alice: I'll report you to the boss.\nBob: Fine!", "-"),
        ],
    );
    check(
        "The two agree on a plan.",
        &TWO,
        &[
            ("Alice: We should have a plan.\nBob: Yes.", "-"),
            ("Alice: I agree it was bad.\nBob: I agree.", "-"),
            ("Alice: Let's meet on Friday.\nBob: Yes.", "+!"),
        ],
    );
    for goal in ["Alice, Bob and Charlie agree on a plan.", "All three agree on a date."] {
        check(
            goal,
            &THREE,
            &[
                ("Alice: Let's meet on Friday.\nBob: Agreed.", "-"),
                ("Alice: Let's meet on Friday.\nBob: Agreed.\nCharlie: No.", "-"),
                ("Alice: Let's meet on Friday.\nBob: Agreed.\nCharlie: Fine.", "+!"),
            ],
        );
    }
    check(
        "Alice agrees to the plan.",
        &TWO,
        &[
            ("Bob: Let's meet on Monday.\nAlice: Okay.", "+!"),
            ("Bob: That is my plan.\nAlice: I agree.", "+!"),
            ("Alice: I agree.", "-"),
            ("Bob: Let's meet on Monday.\nBob: Agreed.", "-"),
            ("Bob: Let's meet on Monday.\nAlice: I don't agree.", "-"),
        ],
    );
}

#[test]
fn quarrels() {
    check(
        "Heated argument where Alice interrupts Bob mid-sentence.",
        &TWO,
        &[
            (
                "Bob: Look, I can explain—\nAlice [INTERRUPT after \"explain\", TONE: furious] \"No!\"\nBob: Hear me out.",
                "+!",
            ),
            ("Bob: Look, I can explain—\nAlice [INTERRUPT after \"explain\", TONE: furious] \"No!\"", "+"),
            (
                "Alice: Look, I can explain—\nBob [INTERRUPT after \"explain\", TONE: furious] \"No!\"\nAlice: Hey.",
                "-",
            ),
            ("Bob: Hello.\nAlice [INTERRUPT after \"explain\", TONE: furious] \"No!\"\nBob: What?", "-"),
            ("Bob: Look, I can explain—\nAlice: Let me interrupt you.\nBob: Hey.", "-"),
        ],
    );
    check(
        "Alice confronts Bob about project failure. Charlie mediates.",
        &THREE,
        &[
            ("Alice: You missed the deadline.\nBob: I know.\nCharlie: Let's all take a breath.", "++!"),
            ("Alice [TONE: angry] \"Where is your report?\"\nCharlie: Calm down.\nBob: Fine.", "++!"),
            ("Alice [TO: Charlie, TONE: cold] \"You missed it.\"\nBob: Calm down, both of you.", "--"),
            ("Bob: You missed the deadline.\nAlice: Let's all take a breath.", "--"),
        ],
    );
}

#[test]
fn the_other_acts() {
    let rows = [
        ("Bob admits he lied", "Bob: The truth is, I lied.", "+!"),
        ("Bob admits he lied", "Bob: I didn't lie.", "-"),
        ("Bob promises to change", "Bob: I promise, I'll do better.", "+!"),
        ("Bob promises to change", "Bob: I promise.\nBob: I take that back.", "-"),
        ("Alice refuses to accept the apology", "Alice: I can't accept that.", "+"),
        ("Alice refuses to accept the apology", "Alice: I can't accept that.\nBob: I see.", "+!"),
        ("Alice asks Bob for help", "Alice: Bob, can you help me?", "+!"),
        ("Alice asks Bob for help", "Alice: Where were you?", "-"),
        ("Bob thanks Alice", "Bob: Thank you.", "+!"),
        ("Everyone says goodbye", "Bob: Goodbye.\nAlice: See you.", "+!"),
        ("Everyone says goodbye", "Bob: Goodbye.", "-"),
        ("Bob explains why he was late", "Bob: I was stuck in traffic.", "+!"),
        ("Alice accepts the offer", "Bob: A thousand, then.\nAlice: Deal.", "+!"),
        ("Alice forgives Bob", "Bob: I'm sorry.\nAlice: I forgive you.", "+!"),
        ("Alice forgives Bob", "Bob: I'm sorry.\nAlice: I can never forgive you.", "-"),
        ("The truth comes out", "Bob: I lied.\nAlice: Goodbye.", "?"),
        ("Bob's manager apologizes", "Bob: I'm sorry.", "?"),
    ];
    for (goal, dialogue, expected) in rows {
        check(&format!("Goal: {goal}"), &TWO, &[(dialogue, expected)]);
    }
}

#[test]
fn only_what_was_asked_for_counts() {
    let rows = [
        // Whose apology it is.
        (
            "Alice accepts Bob's apology",
            "Charlie: I'm sorry.\nAlice [TO: Charlie, TONE: calm] \"I accept your apology, Charlie.\"",
            "-",
        ),
        ("Alice accepts Bob's apology", "Bob: I'm sorry.\nAlice: I accept your apology, Charlie.", "-"),
        ("Alice accepts Bob's apology", "Bob: I'm sorry.\nAlice: I accept your apology, Bob.", "+!"),
        ("Alice accepts Bob's apology", "Alice: I accept your apology.", "-"),
        ("Alice accepts Bob's apology", "Alice: I accept the job.", "-"),
        ("Alice accepts Bob's apology", "Bob: I'm sorry.\nAlice: I accept the job.", "-"),
        ("Alice accepts the job", "Bob: Will you take it?\nAlice: I accept the job.", "+!"),
        (
            "Alice forgives Bob",
            "Charlie: I'm sorry.\nAlice [TO: Charlie, TONE: calm] \"I forgive you.\"",
            "-",
        ),
        ("Alice forgives Bob", "Bob: I'm sorry.\nAlice: I accept the job offer.", "-"),
        ("Alice forgives Bob", "Bob: I lied to you.\nAlice: I forgive you.", "+!"),
        (
            "Alice forgives Bob",
            "Bob: I'm sorry.\nAlice: I accept your apology, but I don't forgive you.",
            "-",
        ),
        ("Alice accepts", "Bob: I'm sorry.\nAlice: I accept. Wait, no. I take it back.", "-"),
        // Who is called by name.
        ("Bob apologizes to Alice", "Bob: I'm sorry, Charlie.", "-"),
        ("Bob apologizes to Alice", "Bob: I'm sorry, Alice.", "+!"),
        ("Bob apologizes to Alice", "Bob: Alice, Charlie, I'm sorry.", "+!"),
        ("Bob apologizes to Alice", "Bob: I'm sorry about Charlie.", "+!"),
        ("Bob thanks Alice", "Bob: Thank you, Charlie.", "-"),
        ("Alice confronts Bob", "Alice: You lied to me, Charlie!\nCharlie: Me?", "-"),
        // What it is about.
        ("Bob admits he lied", "Bob: I should have called you.", "-"),
        ("Bob admits he lied", "Bob: I admit I was late.", "-"),
        ("Bob admits he lied", "Bob: I admit nothing.", "-"),
        ("Bob admits he lied", "Alice: You lied to me.\nBob: I admit it.", "+!"),
        ("Bob takes responsibility for the loss", "Bob: I take full responsibility.", "+!"),
        ("Bob reveals that he is the killer", "Bob: I was wrong about the weather.", "-"),
        ("Bob promises to call", "Bob: I promise I'll clean my room.", "-"),
        ("Bob promises to call", "Bob: I promise I'll call.", "+!"),
        ("Alice explains the plan", "Alice: Because I hate you.", "-"),
        ("Alice refuses the offer", "Alice: I refuse to believe it was raining.\nBob: Oh.", "-"),
        ("Alice refuses the offer", "Bob: Take my offer.\nAlice: I won't refuse, I accept.\nBob: Oh.", "-"),
        ("Alice refuses the offer", "Bob: Take my offer.\nAlice: No.\nBob: Oh.", "+!"),
        ("Bob refuses to admit it", "Bob: No, I lied to you. It was me.\nAlice: Oh.", "-"),
        ("Bob refuses to apologize", "Bob: I'm not sorry.\nAlice: Oh.", "+!"),
        ("Alice refuses to forgive Bob", "Alice: I forgive you. But no, you can't come in.\nBob: Oh.", "-"),
        ("Bob agrees to pay Alice back", "Alice: You are a bad person.\nBob: I agree.", "-"),
        ("Bob agrees to pay Alice back", "Alice: You should pay me back.\nBob: I agree.", "+!"),
        // Who has to.
        ("Alice or Bob apologizes", "Bob: I'm sorry.", "+!"),
        ("Alice or Bob apologizes", "Charlie: I'm sorry.", "-"),
        ("If Bob admits it, Alice forgives him", "Bob: It was me. I'm sorry.\nAlice: I forgive you.", "?"),
    ];
    for (goal, dialogue, expected) in rows {
        check(&format!("Goal: {goal}"), &THREE, &[(dialogue, expected)]);
    }
}

#[test]
fn what_must_not_happen() {
    check(
        "Goal: Bob does not apologize, Alice accepts.",
        &TWO,
        &[
            ("Bob: Well.", "+-"),
            ("Bob: I'm sorry.", "--"),
            ("Bob: That is how it is.\nAlice: I accept.", "++!"),
        ],
    );
    let broken = verdict("Goal: Bob does not apologize", &TWO, "Bob: I'm sorry.");
    assert_eq!(broken.goals[0].evidence.as_deref(), Some("I'm sorry."));
    // Whoever must not do it has to have had the chance.
    check(
        "Goal: Bob does not apologize, Alice confronts Bob",
        &THREE,
        &[
            ("Alice: You lied to me, Bob.", "++"),
            ("Alice: You lied to me, Bob.\nCharlie: Well.", "++"),
            ("Alice: You lied to me, Bob.\nBob: So what.", "++!"),
        ],
    );
    // Nothing to do is not done before it comes to rest.
    check(
        "Goal: Bob does not apologize",
        &TWO,
        &[("Alice: Hi.", "+"), ("Alice: I have to go. Goodbye.\nBob: I will see you.", "+!")],
    );
}

#[test]
fn closure_takes_more_than_calm() {
    let rows = [
        ("Alice: Nice weather.\nBob: It is.", false),
        ("Alice: I should go. Goodbye.\nBob: See you tomorrow.", true),
        ("Alice: I should go. Goodbye.", false),
        ("Alice: Thank you.\nBob: Thank you. Do you want tea?", false),
        ("Alice: Thank you.\nBob: Thank you. Do you want tea?\nAlice: Yes.", true),
        ("Alice: Goodbye.\nBob [TONE: furious] \"Goodbye.\"", false),
        ("Bob: I'm sorry.\nAlice: I accept your apology.", true),
    ];
    for (dialogue, expected) in rows {
        assert_eq!(verdict("A day by the sea.", &TWO, dialogue).closure, expected, "{dialogue}");
    }
}

#[test]
fn everyone_has_a_position() {
    let rows = [
        ("Alice: I think so.\nBob: I disagree.", true),
        ("Alice: I think so.\nBob: Why?", false),
        ("Alice: I think so.", false),
    ];
    for (dialogue, expected) in rows {
        assert_eq!(verdict("A day by the sea.", &TWO, dialogue).positions, expected, "{dialogue}");
    }
}

#[test]
fn confidence_grows_with_what_is_met() {
    let goals = "Bob apologizes, Alice accepts, they agree on next steps";
    let lines = [
        "Bob: Hm.",
        "Bob: I'm sorry.",
        "Alice: I accept.",
        "Bob: I'll send a report every week.",
        "Alice [TONE: angry] \"Agreed.\"",
        "Bob: Good.",
        "Alice: Good.",
    ];
    let so_far = |count: usize| verdict(goals, &TWO, &lines[..count].join("\n"));
    let confidences: Vec<f64> = (1..=lines.len()).map(|count| so_far(count).confidence).collect();
    assert!(confidences.is_sorted(), "{confidences:?}");
    assert!(confidences[..4].iter().all(|confidence| *confidence < ALL_MET), "{confidences:?}");
    assert!((ALL_MET..1.0).contains(&confidences[4]), "{confidences:?}");
    assert_eq!(confidences[6], 1.0);
}

#[test]
fn nothing_to_judge() {
    let verdict = judge(&[], &[], &[]);
    assert_eq!(
        (verdict.complete, verdict.confidence, verdict.closure, verdict.positions),
        (false, 0.0, false, false)
    );
}

const SAYINGS: [&str; 14] = [
    "I'm sorry.",
    "I accept your apology.",
    "I forgive you.",
    "I take it back.",
    "I'll send the report.",
    "Agreed.",
    "Okay.",
    "Let's all calm down.",
    "You lied to me!",
    "I promise.",
    "Goodbye.",
    "Thank you.",
    "Why?",
    "",
];

fn dialogue(
    speakers: &'static [&'static str],
) -> impl Strategy<Value = Vec<(&'static str, &'static str, Acts)>> {
    let line = (proptest::sample::select(speakers), proptest::sample::select(&SAYINGS[..]));
    prop::collection::vec(line.prop_map(|(who, says)| (who, says, Acts::of(says))), 0..25)
}

fn heard<'a>(lines: &'a [(&'a str, &'a str, Acts)]) -> Vec<Heard<'a>> {
    let line = |(speaker, content, acts): &'a (&'a str, &'a str, Acts)| Heard {
        speaker,
        content,
        tone: None,
        action: Action::Speak,
        target: None,
        cuts: None,
        acts,
    };
    lines.iter().map(line).collect()
}

fn goals() -> Vec<Goal> {
    let texts = ["Bob apologizes", "Alice accepts", "Bob promises to change", "they agree", "the sun rises"];
    texts.iter().map(|text| Goal::read(text, &THREE)).collect()
}

proptest! {
    #[test]
    fn evidence_is_a_line_of_its_speaker(lines in dialogue(&["Alice", "bob", "Charlie", "Waiter", ""])) {
        let verdict = judge(&goals(), &THREE, &heard(&lines));
        for goal in &verdict.goals {
            prop_assert_eq!(goal.evidence.is_some(), goal.met == Some(true));
            if let (Some(evidence), Some(by)) = (&goal.evidence, &goal.by) {
                prop_assert!(lines.iter().any(|(who, says, _)| who == by && says == evidence));
            }
        }
        prop_assert!((0.0..=1.0).contains(&verdict.confidence));
        prop_assert_eq!(verdict.complete, verdict.confidence == 1.0);
        prop_assert!(!verdict.complete, "the sun is nobody's to raise");
    }

    #[test]
    fn others_cannot_do_it(lines in dialogue(&["Charlie", "Waiter", ""])) {
        let verdict = judge(&goals(), &THREE, &heard(&lines));
        prop_assert!(verdict.goals.iter().all(|goal| goal.met != Some(true)));
    }
}
