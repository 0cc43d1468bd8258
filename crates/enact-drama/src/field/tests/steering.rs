//! Commands about who and what is there.

use super::{Played, setup};
use crate::{
    field::{FieldCommand, FieldEvent, FieldRun},
    production::{ClientEvents, Happened, Production},
};

fn remove(entity: &str) -> FieldCommand {
    FieldCommand::Remove { entity: entity.to_owned() }
}

fn watch(entity: &str) -> FieldCommand {
    FieldCommand::Watch { entity: Some(entity.to_owned()) }
}

fn person(name: &str, x: u16, y: u16) -> FieldCommand {
    FieldCommand::Place { thing: None, person: Some(name.to_owned()), x, y }
}

fn thing(name: &str, x: u16, y: u16) -> FieldCommand {
    FieldCommand::Place { thing: Some(name.to_owned()), person: None, x, y }
}

#[test]
fn what_is_not_there_is_refused_with_what_was_probably_meant() {
    let played = Played::begin(setup(0));
    for (command, message, hint) in [
        (remove("Adda"), "nobody and nothing here is called 'Adda'", Some("did you mean 'Ada'?")),
        (watch("Bobb"), "nobody and nothing here is called 'Bobb'", Some("did you mean 'Bob'?")),
        (watch("Zed"), "nobody and nothing here is called 'Zed'", Some("there are: Ada, Bob, Cyd")),
        (watch("table"), "'table' is nobody: people are watched", None),
        (
            person("Ada", 2, 2),
            "there is a 'Ada' already",
            Some("people and things are told apart by their names"),
        ),
        (person("Dot", 4, 1), "(4,1) is taken up", None),
        (thing("table", 1, 1), "somebody stands on (1,1)", None),
    ] {
        assert!(FieldRun::depends_on_state(&command), "{command:?}");
        let problem = played.run.check_now(&command).unwrap_err();
        assert_eq!((problem.message.as_str(), problem.hint.as_deref()), (message, hint));
    }
    for command in
        [remove("ada"), remove("entity_0"), watch("BOB"), person("Dot", 2, 2), thing("bread", 1, 1)]
    {
        assert_eq!(played.run.check_now(&command), Ok(()), "{command:?}");
    }
    assert!(!FieldRun::depends_on_state(&FieldCommand::Watch { entity: None }));
}

#[test]
fn a_command_that_came_too_late_is_told_to_readers() {
    let mut played = Played::begin(setup(0));
    let mut told = played.run.client().unwrap();
    played.command(remove("Ada"));
    let events = played.happen(Happened::Commanded(remove("Ada")));
    assert!(
        matches!(&events[..], [FieldEvent::CommandRefused { error }] if error.contains("'Ada'")),
        "{events:?}"
    );
    let last = played.facts[1..].iter().filter_map(|fact| told.on_fact(fact)).last().unwrap();
    assert_eq!(last.name, "error");
    assert!(last.data["error"].as_str().unwrap().contains("'Ada'"), "{}", last.data);
}
