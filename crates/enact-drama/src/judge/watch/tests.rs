//! What holds for every act, and for the goals of several.

use crate::{
    acts::{ActKind, TemplateSlot},
    judge::{Goal, Transcript, judge},
};

/// What is said as an act is heard as that act: by the words of the tables, for every act and template.
#[test]
fn what_is_said_is_heard() {
    let mut missed = Vec::new();
    for act in ActKind::all().filter(|act| !matches!(act.name(), "persuade" | "interrupt")) {
        let sample = &act.entry().sample;
        let cast = ["Alice", "Bob", "Charlie"];
        let goals = [Goal::read(&sample.goal, &cast)];
        for template in act.said() {
            let fill = |slot| {
                Some(match slot {
                    TemplateSlot::To => "Alice".to_owned(),
                    TemplateSlot::Thing => sample.thing.clone(),
                    TemplateSlot::Doing => sample.doing.clone(),
                    TemplateSlot::Deed => sample.deed.clone(),
                    TemplateSlot::Fact => sample.fact.clone(),
                })
            };
            let said = template.fill(fill).unwrap();
            let before = "Well? What do you say?";
            let text = format!("Alice: {before}\nBob: {said}\nAlice: I see.");
            let transcript = Transcript::read(&text).unwrap();
            let verdict = judge(&goals, &cast, &transcript.heard());
            if verdict.goals[0].met != Some(true) {
                missed.push(format!("{}: {said}", act.name()));
            }
        }
    }
    assert!(missed.is_empty(), "{} are not heard:\n{}", missed.len(), missed.join("\n"));
}

/// Whether the goal is met after the lines.
fn is_met(goal: &str, lines: &str) -> bool {
    let cast = ["Alice", "Bob", "Charlie"];
    let transcript = Transcript::read(lines).unwrap();
    judge(&[Goal::read(goal, &cast)], &cast, &transcript.heard()).goals[0].met == Some(true)
}

#[test]
fn acts_are_heard_in_other_words_than_their_own() {
    for (goal, lines) in [
        (
            "Bob refuses to sell the boat",
            "Alice: Sell me the boat.\nBob: The answer's no, whatever you pay for the boat.",
        ),
        ("Bob gives Alice the watch", "Alice: You kept my watch.\nBob: (puts the watch in her hand) There."),
        ("Bob confesses that he broke the vase", "Alice: Who broke the vase?\nBob: I broke it."),
        (
            "Bob agrees to wait until Friday",
            "Alice: Wait until Friday, please.\nBob: Okay. I'll wait until Friday.",
        ),
        ("Bob stays with Alice", "Alice: The boat is leaving.\nBob: Let it. I'm not leaving you."),
        (
            "Bob burns the letter",
            "Alice: What will you do with the letter?\nBob: (throws the letter into the fire)\nAlice: You burned it.",
        ),
        ("Bob puts down the gun", "Alice: Bob, the gun.\nBob: (puts the rifle on the table)"),
    ] {
        assert!(is_met(goal, lines), "{goal}\n{lines}");
    }
}

#[test]
fn words_that_only_sound_like_an_act_do_not_do_it() {
    for (goal, lines) in [
        // Asked, imagined, bound to a condition, in another's mouth.
        (
            "Bob agrees to sell the boat",
            "Alice: Sell the boat.\nBob: If you paid double, I'd agree tomorrow.",
        ),
        (
            "Bob confesses that he broke the vase",
            "Alice: The vase!\nBob: Suppose I broke the vase. What then?",
        ),
        ("Bob promises to come", "Alice: Come.\nBob: Charlie said, 'I promise to come.'"),
        // To somebody else, or by somebody else.
        ("Bob forgives Alice", "Alice: Bob?\nBob: I forgive you, Charlie."),
        ("Bob forgives Alice", "Alice: Bob?\nCharlie: I forgive you, Alice."),
        // Cut off, taken back, ironic.
        ("Bob reveals who the traitor is", "Alice: Who is the traitor?\nBob: The traitor is—\nAlice: Bob!"),
        ("Bob thanks Alice", "Bob: Thanks a million, Alice.\nAlice: Any time.\nBob: I was being sarcastic!"),
        ("Bob stays with Alice", "Alice: Go.\nBob: I'm staying.\nBob: No, I have to go. I'm leaving."),
        ("Bob apologises to Alice", "Alice: Well?\nBob: Sorry, could you pass the salt?"),
        ("Bob takes the cup", "Alice: Take the cup.\nBob: (pulls the blanket over his head)"),
    ] {
        assert!(!is_met(goal, lines), "{goal}\n{lines}");
    }
}

#[test]
fn what_one_refuses_does_not_undo_what_another_did() {
    let lines = "Bob: I'm so sorry, Charlie.\nAlice: I won't apologise to anybody.\nCharlie: Alice, please.\n\
                 Alice: All right. I'm sorry, Charlie.";
    assert!(is_met("Alice and Bob apologize to Charlie", lines));
}

#[test]
fn what_one_takes_back_does_not_undo_what_another_did() {
    let warned = "Bob: The ice won't hold, Charlie. I'm warning you, keep off the ice.\n";
    let both = "Alice and Bob warn Charlie about the ice";
    let later = "Alice: I'm warning you too, Charlie: keep off the ice, it won't hold.";
    let taken_back = "I take it back. Forget what I said.";
    assert!(is_met(both, &format!("{warned}Alice: {taken_back}\nCharlie: So?\n{later}")));
    assert!(!is_met(both, &format!("{warned}Charlie: So?\nBob: {taken_back}\n{later}")));
}

/// Met is the act with the goal's content: in its words, in related ones, or as a pronoun for what was spoken of.
#[test]
fn an_act_has_the_goals_content() {
    let cake = "Bob admits that he ate the cake";
    assert!(is_met(cake, "Alice: Who ate the cake?\nBob: All right, I ate the last of it."));
    assert!(is_met("Bob promises to come", "Alice: Will you come?\nBob: I promise."));
    assert!(is_met("Bob burns the letter", "Alice: Where is the letter?\nBob: I burned it this morning."));
    assert!(is_met(
        "Bob tells Alice that the mill is sold",
        "Alice: And the mill?\nBob: I sold the mill on Monday."
    ));
    assert!(is_met(
        "Alice gets Bob to see a doctor",
        "Alice: See a doctor, please.\nBob: All right. I'll call one."
    ));
    for (goal, lines) in [
        ("Bob promises to pay the rent", "Alice: The rent, Bob.\nBob: I promise I'll feed the cat."),
        ("Bob promises to pay the rent", "Alice: The rent, Bob.\nBob: I swear I have no idea where it went."),
        ("Bob thanks Alice for the loan", "Alice: Your coat.\nBob: Thank you for the coat."),
        (cake, "Alice: The cake is gone.\nBob: I admit I broke the window."),
        (cake, "Alice: The cake is gone.\nBob: Charlie says I ate the cake."),
        ("Bob agrees to sell the boat", "Alice: You are a bad person.\nBob: I agree."),
        ("Bob stays with Alice", "Alice: Stay.\nBob: I'd like to stay with you, but I can't."),
        ("Bob promises to come", "Alice: Will you come?\nBob: I promise you that I'll—\nAlice: What?"),
        (
            "Bob agrees to leave tonight",
            "Alice: We leave tonight.\nCharlie: We can't, the pass is closed.\nBob: I agree with Charlie.",
        ),
    ] {
        assert!(!is_met(goal, lines), "{goal}\n{lines}");
    }
}
