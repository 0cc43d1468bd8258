//! Field files: what is wrong with one is said where it is.

use crate::field::read_field;

fn with(matter: &str, map: &str) -> String {
    format!("---\n{matter}\n---\nA place.\n\n```map\n{map}\n```\n")
}

#[test]
fn what_is_wrong_is_named_with_its_place_and_the_next_step() {
    let small = "###\n#a#\n###";
    for (text, message, hint) in [
        (with("people: { a: ada }\nthingz: {}", small), "unknown key 'thingz'", "things"),
        (with("people: { a: ada }", "###\n#ab\n###"), "nothing says what 'b' on the map is", "things"),
        (with("people: { a: ada, b: bob }", small), "'bob' is not on the map", "put a 'b'"),
        (with("people: { a: ada }", "####\n#aa#\n####"), "'ada' stands on the map twice", ""),
        (with("people: { a: ../x }", small), "is not a plain name", "sheets"),
        (with("people: { ab: ada }", small), "must be one letter", "any letter"),
        (
            with("things: { T: { name: t, offers: [sitt] } }", "#T#"),
            "offers must be the name of an interaction",
            "sit",
        ),
        (with("interactions: { x: { gives: { hungr: 1 } } }", "#.#"), "there is no need 'hungr'", "hunger"),
        (
            with("interactions: { x: { people: [3, 2] } }", "#.#"),
            "two numbers",
            "the smaller number first: [2, 3]",
        ),
        (
            with("things: { a: { name: axe } }\npeople: { a: ada }", small),
            "stands for the axe already",
            "letters",
        ),
        (with("interactions: { x: { between: people, people: [1, 2] } }", "#.#"), "two people or more", ""),
        (with("interactions: { x: { between: people, begins: proximity } }", "#.#"), "has no end", "seconds"),
        (with("interactions: { x: { steps: [{ at: stove }] } }", "#.#"), "the name of a thing", ""),
        (with("minutes: 0", "#.#"), "a whole number from 1", ""),
        ("---\ntitle: X\n---\nNo map here.\n".to_owned(), "has no map", "```map"),
        ("---\ntitle: X\n---\n```map\n#.#\n```\n".to_owned(), "has no text", "below the front matter"),
        ("---\ntitle: X\n---\nA place.\n```map\n#.#\n".to_owned(), "does not end", ""),
    ] {
        let problem = read_field(&text, "x").expect_err(&text);
        assert!(problem.to_string().contains(message), "{problem} for\n{text}");
        let given = problem.hint.clone().unwrap_or_default();
        assert!(given.contains(hint), "{given} for\n{text}");
        assert!(problem.place.is_some(), "{problem} has no line");
    }
}

#[test]
fn a_file_is_read_with_its_map_and_its_own_kinds() {
    let text = with(
        "title: Yard\nneeds: { thirst: [60, 180] }\nthings:\n  W: { name: well, solid: true, slots: 2, offers: [drink] }\npeople:\n  a: ada\n  b: { name: bob, about: A carter }\ninteractions:\n  drink: { gives: { thirst: 20 }, seconds: 2 }",
        "#####\n#a.W#\n#..b#\n#####",
    );
    let plan = read_field(&text, "yard").unwrap();
    assert_eq!((plan.width, plan.height, plan.title.as_str()), (5, 4, "Yard"));
    assert_eq!(
        plan.people.iter().map(|one| (one.name.as_str(), one.pos.x, one.pos.y)).collect::<Vec<_>>(),
        [("ada", 1, 1), ("bob", 3, 2)]
    );
    assert_eq!(plan.people[1].about.as_deref(), Some("A carter"));
    let drink = &plan.kinds[usize::from(plan.kind_named("drink").unwrap())];
    assert_eq!((drink.ticks, &drink.rates), (Some(20), &vec![(0, 20)]));
    assert!(plan.kind_named("conversation").is_some(), "every field knows it");
}

#[test]
fn what_is_said_of_somebody_becomes_a_sentence() {
    for (about, sheet) in [
        ("A nurse on her way home. Tired.", "Carl is a nurse on her way home. Tired."),
        ("The keeper. She counts the beam.", "Carl is the keeper. She counts the beam."),
        ("An old driver who knows every line.", "Carl is an old driver who knows every line."),
        ("A storm frightens her.", "A storm frightens her."),
        ("Sells apples and opinions.", "Sells apples and opinions."),
        ("A carter", "Carl is a carter"),
        ("A", "A"),
        ("", ""),
    ] {
        assert_eq!(crate::field::sheet_of("Carl", about), format!("# Carl\n\n{sheet}\n"));
    }
}
