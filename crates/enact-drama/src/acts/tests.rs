//! The tables of acts, and how goals are read by them.

use super::*;

#[test]
fn there_are_enough_acts_and_each_is_complete() {
    assert!(ActKind::all().count() >= 36, "{}", ActKind::all().count());
    for act in ActKind::all() {
        let entry = act.entry();
        assert!(entry.said.len() >= 2, "{} can hardly be said", entry.name);
        let fill = |slot| Some(filling(act, slot).to_owned());
        for template in act.said() {
            let said = template.fill(fill).unwrap();
            assert!(!said.contains('{') && said.starts_with(char::is_uppercase), "{said}");
        }
    }
    assert_eq!(ActKind::deed().name(), "do");
    assert_eq!(ActKind::named("forgive").map(ActKind::name), Some("forgive"));
    assert_eq!(ActKind::named("yodel"), None);
}

fn filling(act: ActKind, slot: TemplateSlot) -> &'static str {
    let sample = &act.entry().sample;
    match slot {
        TemplateSlot::To => "Alice",
        TemplateSlot::Thing => &sample.thing,
        TemplateSlot::Doing => &sample.doing,
        TemplateSlot::Deed => &sample.deed,
        TemplateSlot::Fact => &sample.fact,
    }
}

/// Every sample goal is read as its own act, done by Bob.
#[test]
fn samples_are_read_as_their_acts() {
    let cast = ["Alice", "Bob", "Charlie"];
    for act in ActKind::all() {
        let reading = read(&act.entry().sample.goal, &cast).unwrap();
        let persuaded = act.name() == "persuade";
        if persuaded {
            // The one who is persuaded is the one who acts.
            assert_eq!((reading.subject, reading.brought_to), (vec![0], true));
            continue;
        }
        assert_eq!((reading.act, reading.subject), (act, vec![1]), "{}", act.entry().sample.goal);
    }
}

fn told(goal: &str, cast: &[&str]) -> String {
    match read(goal, cast) {
        Err(reason) => reason.to_owned(),
        Ok(reading) => {
            let names = |who: &[usize]| who.iter().map(|one| cast[*one]).collect::<Vec<_>>().join("+");
            let any = if reading.group == Group::Any { "any of " } else { "" };
            let not = if reading.negated { "not " } else { "" };
            let brought = if reading.brought_to { "brought to " } else { "" };
            let deed = reading.deed.map(|deed| format!(" {deed}")).unwrap_or_default();
            format!(
                "{any}{}: {not}{brought}{:?}{deed} > {} | {}",
                names(&reading.subject),
                reading.act,
                names(&reading.addressee),
                reading.content_stems.join(" "),
            )
        }
    }
}

#[test]
fn goals_are_read() {
    let table: &[(&str, &[&str], &str)] = &[
        ("Ann apologises to Ben for the noise.", &["Ann", "Ben"], "Ann: apologise > Ben | nois"),
        (
            "Goal: the captain offers the cook a raise.",
            &["Captain Roe", "Lin"],
            "Captain Roe: offer > Lin | cook rais",
        ),
        ("By the end Ann has forgiven her brother.", &["Ann", "Ben"], "Ann: forgive > Ben | brother"),
        ("The scene ends when they part.", &["Ann", "Ben"], "Ann+Ben: part >  | "),
        (
            "Get the vizier to open the gate.",
            &["Dunya", "The Vizier"],
            "The Vizier: brought to do open >  | gat",
        ),
        ("Perla gets Anton to stay.", &["Perla", "Anton"], "Anton: brought to stay >  | "),
        ("The bribe is refused by the officer.", &["Officer Ito", "Max"], "Officer Ito: refuse >  | brib"),
        ("Max is greeted by the lady.", &["Lady Orr", "Max"], "Lady Orr: greet > Max | "),
        ("Ann gets an apology from Ben.", &["Ann", "Ben"], "Ben: apologise > Ann | "),
        ("An apology from Ben to Ann.", &["Ann", "Ben"], "Ben: apologise > Ann | "),
        ("Ann burns the letter.", &["Ann", "Ben"], "Ann: do burn >  | letter"),
        ("Bob does not apologize.", &["Ann", "Bob"], "Bob: not apologise >  | "),
        ("The landlord gives Ann the key.", &["Ann", "Mr Pappas"], "any of Mr Pappas: give > Ann | kei"),
        ("Someone accuses Ann of cheating.", &["Ann", "Ben", "Cy"], "any of Ben+Cy: accuse > Ann | cheat"),
        (
            "By the end Malik has admitted to Denise that he fell asleep at the desk",
            &["Denise", "Malik"],
            "Malik: confess > Denise | fall asleep desk",
        ),
        (
            "Make Ben swear he will never run brandy again.",
            &["Ann", "Ben"],
            "Ben: brought to promise >  | run brandi",
        ),
    ];
    let read = |(goal, cast, _): &(&str, &[&str], &str)| format!("{goal} {}", told(goal, cast));
    let expected = table.iter().map(|(goal, _, expected)| format!("{goal} {expected}"));
    assert_eq!(table.iter().map(read).collect::<Vec<_>>(), expected.collect::<Vec<_>>());
}

#[test]
fn a_question_stays_whole_in_what_is_told() {
    for (goal, content) in [
        ("Anton tells Ilves where the money is.", "where the money is"),
        ("Ann tells Ben what the message from Earth says.", "what the message from Earth says"),
        ("Ann tells Ben that the bank is closing.", "the bank is closing"),
    ] {
        assert_eq!(read(goal, &["Ann", "Anton", "Ben", "Ilves"]).unwrap().content, content, "{goal}");
    }
}

/// Whatever an author writes is read without a panic, and people are always of the cast.
#[test]
fn odd_goals_do_no_harm() {
    for goal in [
        "",
        ".",
        "To",
        "For",
        "get",
        "Get Ann",
        "by the end",
        "Goal:",
        "'s",
        "Ann's",
        "Peace!",
        "🙂",
        "Ann: Ben:",
    ] {
        if let Ok(reading) = read(goal, &["Ann", "Ben"]) {
            assert!(reading.subject.iter().chain(&reading.addressee).all(|one| *one < 2));
        }
    }
}
