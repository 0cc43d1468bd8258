//! Three branches of a short run, as they might really part.

use expect_test::expect;

use super::*;
use crate::{
    Seq,
    judge::{GoalStatus, Verdict},
    model_card::ModelCard,
    scene::{
        SceneEnd, SceneEvent,
        report::tests::facts::{Facts, interrupt, speak},
    },
    usage::{Price, Usage},
};

const PRICE: Price = Price { uncached: 3_000, cache_read: 300, cache_write: 3_750, output: 15_000 };

fn run(n: u128) -> RunId {
    RunId(uuid::Uuid::from_u128(0x0199_aa51_7b90_7000_8000_0000_0000_0000 + n))
}

/// What all of them share: one beat.
fn beginning(n: u128) -> Facts {
    let mut facts = Facts::of("late-again");
    facts.setup.run = run(n);
    facts.setup.seed = 7 + n as u64;
    let card = ModelCard { price: Some(PRICE), ..ModelCard::free("a model") };
    facts.setup.models.insert("improviser".to_owned(), card);
    facts.usage = Some(Usage { uncached: 1_000, output: 50, ..Usage::NONE });
    facts
        .beat()
        .reply("bob", speak("nervous", "I can explain everything, if you let me."))
        .fact(SceneEvent::BeatSettled { beat: 0 })
}

fn branch(n: u128) -> Facts {
    beginning(n).fact(SceneEvent::Forked { run: run(0), beat: 0, line: None })
}

fn ended(facts: Facts, met: bool) -> SceneReport {
    let goal = GoalStatus { met: Some(met), ..GoalStatus::unknown("g") };
    let goals = vec![goal.clone(), GoalStatus { met: Some(true), ..goal }];
    let verdict = Verdict { complete: met, confidence: 0.9, goals, closure: met, positions: true };
    let reason = if met { SceneEnd::GoalAchieved } else { SceneEnd::MaxBeatsExceeded };
    facts.fact(SceneEvent::Judged { verdict }).ended(reason).story()
}

fn branches() -> Branches {
    let stop = |facts: Facts| {
        facts.beat().reply("alice", interrupt("explain", "angry", "No.")).cut("explain", "alice")
    };
    let parent = ended(stop(beginning(0)).beat().reply("bob", speak("meek", "Sorry.")), true);
    let same = ended(stop(branch(1)).beat().reply("bob", speak("meek", "Sorry.")), true);
    let other = ended(branch(2).beat().reply("alice", speak("warm", "Go on, then.")), false);
    let like_it = branch(3).beat().reply("alice", speak("warm", "Go on, then."));
    let long = "I was on the bus, and the bus was late, and then there was the matter of the goat.";
    let like_it = ended(like_it.beat().reply("bob", speak("eager", long)), true);
    Branches::of(&parent, 0, &[same, other, like_it])
}

#[test]
fn each_branch_says_how_it_ended_and_where_it_parts() {
    let lines = outline(&branches(), 80);
    assert!(lines.iter().all(|line| line.text.chars().count() <= 80));
    let text: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    expect![[r#"
        Late Again: 3 branches after beat 0

                     ends                goals   beats  cost      seed
        the run      goal achieved       2 of 2  3      $0.0113   7
        branch 1     goal achieved       2 of 2  3      $0.0075   8
        branch 2     max beats exceeded  1 of 2  2      $0.00375  9
        branch 3     goal achieved       2 of 2  3      $0.0075   10

        The run is 0199aa51-7b90-7000-8000-000000000000. All share 1 beat, which had
        cost $0.00375 (~1,100 tokens); the cost of a branch is its own, from there on.

        branch 1 · 0199aa51-7b90-7000-8000-000000000001
        says the same as the run, to the end

        branch 2 · 0199aa51-7b90-7000-8000-000000000002
        parts from the run in beat 1, after 1 line that both share:
        the run      Alice [INTERRUPT after "explain", TONE: angry] "No."
        branch 2     Alice [TONE: warm] "Go on, then."

        branch 3 · 0199aa51-7b90-7000-8000-000000000003
        parts from the run in beat 1, after 1 line that both share:
        the run      Alice [INTERRUPT after "explain", TONE: angry] "No."
        branch 3     Alice [TONE: warm] "Go on, then."
        parts from branch 2 in beat 2, after 2 lines that both share:
        branch 2     (the end)
        branch 3     Bob [TONE: eager] "I was on the bus, and the bus was late, and then
                     there was the matter of the goat.""#]]
    .assert_eq(&text.join("\n"));
}

#[test]
fn programs_get_the_same() {
    let json = serde_json::to_value(branches()).expect("JSON");
    assert_eq!(json["inherited"]["totalTokens"], 1_050);
    assert_eq!(json["branches"][0]["partsFromParent"], serde_json::Value::Null);
    expect![[r#"
        {
          "runId": "0199aa51-7b90-7000-8000-000000000002",
          "parts": {
            "linesShared": 2,
            "beat": 2,
            "other": null,
            "own": "Bob [TONE: eager] \"I was on the bus, and the bus was late, and then there was the matter of the goat.\""
          }
        }"#]].assert_eq(&format!("{:#}", json["branches"][2]["nearest"]));
    assert_eq!(json["branches"][2]["partsFromParent"]["linesShared"], 1);
    assert_eq!(json["branches"][2]["runId"], run(3).to_string());
}

#[test]
fn a_cut_is_no_parting_before_the_line_that_cuts() {
    let branches = branches();
    let divergence = branches.branches[1].parts_from_parent.as_ref().expect("they part");
    assert_eq!((divergence.lines_shared, divergence.beat), (1, 1));
    assert!(divergence.other.as_ref().expect("a line").contains("INTERRUPT"));
}

#[test]
fn no_branch_is_no_mistake() {
    let parent = ended(beginning(0), false);
    let none = Branches::of(&parent, 0, &[]);
    assert_eq!(none.inherited, None);
    let text: Vec<String> = outline(&none, 80).into_iter().map(|line| line.text).collect();
    assert!(text[0].starts_with("Late Again: 0 branches"), "{text:?}");
    assert_eq!(parent.lines[0].id, Seq(4));
}

#[test]
fn the_page_holds_no_markup_of_others() {
    let forged =
        |n| ended(branch(n).beat().reply("alice", speak("warm", "<script>alert(1)</script>")), false);
    let parent = ended(beginning(0), true);
    let page = page(&Branches::of(&parent, 0, &[forged(1), forged(2)]));
    assert!(page.contains("Late Again: branches compared"));
    assert!(page.contains("&lt;script&gt;") && !page.contains("<script"), "{page}");
    assert!(page.contains("says the same as branch 1, to the end"), "{page}");
}

#[test]
fn a_line_that_all_share_is_told() {
    let parent = beginning(0).story();
    let at: ForkPoint = "0.1".parse().unwrap();
    let branches = Branches::of(&parent, at, &[]);
    let text: Vec<String> = outline(&branches, 80).into_iter().map(|line| line.text).collect();
    assert!(text[0].ends_with("0 branches after line 1 of beat 0"), "{text:?}");
    assert!(text.join(" ").contains("All share everything through line 1 of beat 0"), "{text:?}");
    assert_eq!(serde_json::to_value(&branches).unwrap()["forkedFrom"]["line"], 1);
    assert!("0.".parse::<ForkPoint>().is_err() && "1.2.3".parse::<ForkPoint>().is_err());
    assert_eq!("7".parse(), Ok(ForkPoint { beat: 7, line: None }));
}
