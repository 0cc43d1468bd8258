use expect_test::{Expect, expect};

use super::*;

const THREE: [&str; 3] = ["Alice", "Bob", "Charlie"];
const TWO: [&str; 2] = ["Alice", "Bob"];

/// A goal in one line: who, what, to whom, about what.
fn show(goal: &Goal) -> String {
    let act = goal.act.map_or("?".to_owned(), |act| format!("{act:?}"));
    let not = if goal.negated { "not " } else { "" };
    let mut line =
        format!("{} | {} {not}{act}", goal.text, goal.doers.join(if goal.either { "/" } else { "+" }));
    if !goal.to.is_empty() {
        line += &format!(" to {}", goal.to.join("+"));
    }
    if let Some(about) = &goal.about {
        line += &format!(" about <{about}>");
    }
    line
}

fn check(prompt: &str, cast: &[&str], expected: Expect) {
    let goals = goals_of(&[], prompt, cast);
    let shown: Vec<String> = goals.iter().map(|text| show(&Goal::read(text, cast))).collect();
    expected.assert_eq(&shown.join("\n"));
}

#[test]
fn quick_apology() {
    check(
        "Bob apologizes to Alice for being late. Alice accepts.",
        &TWO,
        expect![[r#"
        Bob apologizes to Alice for being late | Bob Apologise to Alice about <being late>
        Alice accepts | Alice Accept"#]],
    );
}

#[test]
fn heated_discussion() {
    check(
        "Alice confronts Bob about project failure. Charlie mediates.",
        &THREE,
        expect![[r#"
        Alice confronts Bob about project failure | Alice Confront to Bob about <project failure>
        Charlie mediates | Charlie Mediate"#]],
    );
}

#[test]
fn office_confrontation() {
    check(
        "Alice confronts Bob about missing the Henderson project deadline.
           Charlie is present as a witness. Scene goal: Bob apologizes sincerely,
           Alice accepts and they agree on next steps.",
        &THREE,
        expect![[r#"
            Bob apologizes sincerely | Bob Apologise
            Alice accepts | Alice Accept
            they agree on next steps | Alice+Bob+Charlie Agree about <next steps>"#]],
    );
}

#[test]
fn the_apology() {
    check(
        "Bob missed an important project deadline, causing the team to lose a client.
           Alice, his manager, confronts him. Charlie is present as a team lead.
           Scene goal: Bob gives sincere apology, Alice accepts, they agree on
           accountability measures.",
        &THREE,
        expect![[r#"
            Bob gives sincere apology | Bob Apologise
            Alice accepts | Alice Accept
            they agree on accountability measures | Alice+Bob+Charlie Agree about <accountability measures>"#]],
    );
}

#[test]
fn the_apology_without_its_label_leaves_out_the_background() {
    check(
        "Bob missed an important project deadline, causing the team to lose a client. Alice, his manager, confronts \
         him. Charlie is present as a team lead.",
        &THREE,
        expect!["Alice, his manager, confronts him | Alice Confront"],
    );
}

#[test]
fn test_apology_scene() {
    check(
        "Bob apologizes to Alice for missing deadline. Alice accepts.",
        &TWO,
        expect![[r#"
        Bob apologizes to Alice for missing deadline | Bob Apologise to Alice about <missing deadline>
        Alice accepts | Alice Accept"#]],
    );
}

#[test]
fn test_interruption() {
    check(
        "Heated argument where Alice interrupts Bob mid-sentence.",
        &TWO,
        expect!["Heated argument where Alice interrupts Bob mid-sentence | Alice Interrupt to Bob"],
    );
}

#[test]
fn the_evaluators_prompt() {
    check(
        "Bob apologizes, Alice accepts",
        &TWO,
        expect![[r#"
        Bob apologizes | Bob Apologise
        Alice accepts | Alice Accept"#]],
    );
}

#[test]
fn the_goal_line_of_a_transcript() {
    check(
        "GOAL: Bob apologizes, Alice accepts, agree on next steps",
        &THREE,
        expect![[r#"
        Bob apologizes | Bob Apologise
        Alice accepts | Alice Accept
        agree on next steps | Alice+Bob+Charlie Agree about <next steps>"#]],
    );
}

#[test]
fn doers_carry_over() {
    check(
        "Bob apologizes and promises to change. He explains why he was late, then thanks Alice.",
        &TWO,
        expect![[r#"
        Bob apologizes | Bob Apologise
        Bob promises to change | Bob Promise about <to change>
        Bob explains why he was late | Bob Explain about <why he was late>
        Bob thanks Alice | Bob Thank to Alice"#]],
    );
}

#[test]
fn bullets_and_headings() {
    check(
        "Two old friends meet.\n\n## Goals\n\n- Alice admits she lied\n- Bob forgives her\n  in the end\n\nIt rains.",
        &TWO,
        expect![[r#"
            Alice admits she lied | Alice Admit about <she lied>
            Bob forgives her in the end | Bob Forgive to Alice"#]],
    );
    check(
        "A cafe.\n**Goals:**\n1. Bob asks Alice for help\n2) Alice refuses\nSetting: a cafe",
        &TWO,
        expect![[r#"
        Bob asks Alice for help | Bob Ask to Alice about <help>
        Alice refuses | Alice Refuse"#]],
    );
}

#[test]
fn who_does_what() {
    let rows = [
        "Alice and Bob agree on a plan",
        "Bob, Alice and Charlie agree on a budget",
        "Alice and Bob both agree to meet weekly",
        "Bob apologizes for being late to Alice",
        "Bob apologizes to Alice and Charlie, Charlie thanks him",
        "Bob does not apologize",
        "Bob never admits that he stole the money",
        "Alice refuses to accept the apology",
        "Bob's manager apologizes",
        "After talking to Charlie, Bob takes responsibility for the loss",
        "Alice accepts responsibility",
        "Everyone says goodbye",
        "Alice finally forgives him",
        "They reach an agreement on the budget",
        "Apologize to Alice and Charlie",
        "Bob says he is sorry, and Alice cuts him off",
        "Bob breaks his promise",
        "The truth comes out",
        "bob apologises to ALICE",
        "Bob must explain himself to Alice",
        "Charlie calms everyone down",
        "Bob wants Alice to apologize",
        "Alice asks Bob to leave",
        "Alice accepts Bob's apology",
        "Alice or Bob apologizes",
        "Bob makes no apology",
        "Bob offers no apology",
        "Alice shows no remorse",
        "Bob is too proud to apologize",
        "Bob commits to the plan",
    ];
    let shown: Vec<String> = rows
        .iter()
        .flat_map(|row| goals_of(&[(*row).to_owned()], "", &THREE))
        .map(|text| show(&Goal::read(&text, &THREE)))
        .collect();
    expect![[r#"
        Alice and Bob agree on a plan | Alice+Bob Agree about <a plan>
        Bob, Alice and Charlie agree on a budget | Bob+Alice+Charlie Agree about <a budget>
        Alice and Bob both agree to meet weekly | Alice+Bob Agree about <to meet weekly>
        Bob apologizes for being late to Alice | Bob Apologise to Alice about <being late>
        Bob apologizes to Alice and Charlie | Bob Apologise to Alice+Charlie
        Charlie thanks him | Charlie Thank
        Bob does not apologize | Bob not Apologise
        Bob never admits that he stole the money | Bob not Admit about <he stole the money>
        Alice refuses to accept the apology | Alice Refuse about <to accept the apology>
        Bob's manager apologizes |  Apologise
        After talking to Charlie, Bob takes responsibility for the loss | Bob Admit about <the loss>
        Alice accepts responsibility | Alice Admit
        Everyone says goodbye | Alice+Bob+Charlie Farewell
        Alice finally forgives him | Alice Forgive
        They reach an agreement on the budget | Alice+Bob+Charlie Agree about <the budget>
        Apologize to Alice and Charlie | Bob Apologise to Alice+Charlie
        Bob says he is sorry | Bob Apologise
        Alice cuts him off | Alice Interrupt
        Bob breaks his promise | Bob ?
        The truth comes out |  ?
        bob apologises to ALICE | Bob Apologise to Alice
        Bob must explain himself to Alice | Bob Explain to Alice about <himself>
        Charlie calms everyone down | Charlie Mediate to Alice+Bob
        Bob wants Alice to apologize | Alice Apologise
        Alice asks Bob to leave | Alice Ask to Bob about <to leave>
        Alice accepts Bob's apology | Alice Accept to Bob about <Bob's apology>
        Alice or Bob apologizes | Alice/Bob Apologise
        Bob makes no apology | Bob not Apologise
        Bob offers no apology | Bob not Apologise
        Alice shows no remorse | Alice not Apologise
        Bob is too proud to apologize | Bob not Apologise
        Bob commits to the plan | Bob Promise about <the plan>"#]]
    .assert_eq(&shown.join("\n"));
}

#[test]
fn what_is_not_plainly_to_be_done_is_not_read() {
    let rows = [
        "Bob almost apologizes",
        "Bob apologizes but not sincerely",
        "Bob struggles to apologize",
        "Bob thinks Alice should apologize",
        "Bob realizes he should apologize",
        "Bob apologizes only if Alice asks",
        "Bob apologizes to his mother",
        "Bob hopes that Alice forgives him",
        "Alice wants to forgive Bob but cannot",
        "Bob apologizes twice",
        "Alice waits for Bob to apologize",
        "Alice demands that Bob apologize",
        "Bob swears at Alice",
        "Bob commits a crime",
        "Alice keeps calm",
        "Bob comes to terms with his loss",
        "Alice turns the volume down",
        "If Bob admits it, Alice forgives him",
    ];
    for row in rows {
        let goals = goals_of(&[row.to_owned()], "", &THREE);
        assert!(goals.iter().all(|goal| !Goal::read(goal, &THREE).is_readable()), "{goals:?}");
    }
    let bobs = ["Bob Smith", "Bob Jones", "Alice"];
    assert!(!Goal::read("Bob apologizes", &bobs).is_readable());
    assert!(!Goal::read("Alice forgives Bob", &bobs).is_readable());
    assert!(Goal::read("Bob Jones apologizes to Alice", &bobs).is_readable());
    assert!(Goal::read("Bob apologizes", &["Bob", "Bob Jones"]).is_readable());
}

#[test]
fn full_names_and_titles() {
    let cast = ["Dr. Alice Chen", "Bob Smith"];
    check(
        "Bob apologizes to Dr. Chen. Alice accepts. Bob Smith thanks Alice Chen.",
        &cast,
        expect![[r#"
            Bob apologizes to Dr. Chen | Bob Smith Apologise to Dr. Alice Chen
            Alice accepts | Dr. Alice Chen Accept
            Bob Smith thanks Alice Chen | Bob Smith Thank to Dr. Alice Chen"#]],
    );
}

#[test]
fn prompts_without_readable_goals_keep_their_sentences() {
    check(
        "Alice and Bob wait for a train. It is late.",
        &TWO,
        expect!["Alice and Bob wait for a train | Alice+Bob ?"],
    );
    check("A quiet evening by the sea.", &TWO, expect!["A quiet evening by the sea |  ?"]);
    check("", &TWO, expect![[""]]);
    check("La pluie tombe. Alice s'excuse.", &TWO, expect!["Alice s'excuse | Alice ?"]);
}

#[test]
fn explicit_goals_come_first() {
    let explicit = ["Bob\n  apologizes".to_owned(), "  ".to_owned()];
    assert_eq!(goals_of(&explicit, "Scene goal: Alice leaves.", &TWO), ["Bob apologizes"]);
    assert_eq!(goals_of(&[" ".to_owned()], "Scene goal: Alice leaves.", &TWO), ["Alice leaves"]);
}

proptest::proptest! {
    #[test]
    fn any_text_gives_goals_that_can_be_read(text in "(Alice|Bob|they|and|, |agrees?|sorry|accepts|\\. |goal:|\n| |\\PC){0,40}") {
        for goal in goals_of(&[], &text, &TWO) {
            let read = Goal::read(&goal, &TWO);
            proptest::prop_assert_eq!(&read.text, &goal);
        }
    }
}

/// Whatever an author lists is a goal, however much of it there is.
#[test]
fn listed_goals_are_never_dropped() {
    let words = |goals: &[String]| -> std::collections::BTreeSet<String> {
        let all = goals.iter().flat_map(|goal| goal.split(|c: char| !c.is_alphanumeric()));
        all.filter(|word| word.starts_with("thing")).map(str::to_owned).collect()
    };
    let many: Vec<String> =
        (0..12).map(|n| format!("Bob admits thing{n}a and Alice forgives thing{n}b")).collect();
    let listed: Vec<String> = (0..20).map(|n| format!("- Bob admits thing{n}")).collect();
    let prompt = format!("They meet.\n\nScene goals:\n{}", listed.join("\n"));
    for (explicit, prompt, expected) in [(&many[..], "They meet.", &many), (&[], &*prompt, &listed)] {
        let goals = goals_of(explicit, prompt, &["Alice", "Bob"]);
        assert_eq!(words(&goals), words(expected), "{goals:?}");
        assert!(goals.len() <= 12, "{goals:?}");
    }
}

#[test]
fn every_goal_says_how_it_is_read_or_why_not() {
    let cast = ["Alice", "Bob"];
    for (goal, told) in [
        ("Bob apologizes to Alice", Ok("apologise, by Bob, to Alice")),
        ("Bob does not apologize", Ok("never apologise, by Bob")),
        ("Alice or Bob says goodbye", Ok("say goodbye, by Alice or Bob")),
        ("Bob gives the letter back to Alice", Ok("give, by Bob, to Alice")),
        ("Bob waters the roses", Ok("as it is written, by Bob")),
        ("The mood brightens", Err("it names nobody of the cast")),
    ] {
        assert_eq!(
            Goal::read(goal, &cast).told(&cast),
            told.map(str::to_owned).map_err(str::to_owned),
            "{goal}"
        );
    }
}
