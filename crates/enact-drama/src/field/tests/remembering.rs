//! Fields that remember.

use super::{Played, SNUG, setup};
use crate::{
    Name,
    director::{Memory, MemoryKind, relationship_after, signals},
    field::{FieldCommand, FieldEvent, FieldRun, FieldSetup},
    production::{Answer, Effect, Failure, Production, fold},
    scene::Remembered,
};

fn remembering() -> FieldSetup {
    FieldSetup { file: SNUG.replace("title:", "remember: true\ntitle:"), ..setup(0) }
}

fn told(me: &str, _: u64) -> Result<Answer, Failure> {
    Ok(format!("[TONE: warm] \"I grew up in {me}-town, and my sister lives there.\"").as_str().into())
}

fn kept(played: &Played) -> Option<&Vec<crate::scene::KeptOfScene>> {
    played.facts.iter().find_map(|fact| match &fact.event {
        FieldEvent::Remembered { kept } => Some(kept),
        _ => None,
    })
}

#[test]
fn people_keep_what_others_told_of_themselves_and_how_they_stand() {
    let mut played = Played::begin(remembering());
    while played.step(&told) {}
    let kept = kept(&played).expect("it remembers");
    let ada = kept.iter().find(|kept| kept.character.as_str() == "ada").expect("Ada was there");
    assert_eq!(ada.mood.as_deref(), Some("warm"));
    assert!(!ada.memories.is_empty() && !ada.relationships.is_empty(), "{ada:?}");
    for memory in &ada.memories {
        assert_ne!(memory.memory.by.as_deref(), Some("Ada"), "nobody is told of themselves");
        assert!(memory.memory.text.contains("-town"), "{memory:?}");
    }
    let at =
        played.facts.iter().position(|fact| matches!(fact.event, FieldEvent::Remembered { .. })).unwrap();
    assert!(matches!(played.facts[at + 1].event, FieldEvent::Ended { .. }));
    let rows = played.run.rows(&played.facts[at]);
    assert!(rows.len() >= 3, "{rows:?}");
    // It is judged once: a log that was folded from a checkpoint comes to the same.
    let folded: FieldRun = fold(&played.facts).unwrap();
    assert_eq!(folded.rest.heard, played.run.rest.heard);
    let written = played.run.checkpoint().unwrap();
    let read = FieldRun::restore(&played.facts[0], &written).unwrap();
    assert_eq!(read.rest.heard, played.run.rest.heard);
}

#[test]
fn a_field_that_is_cancelled_is_remembered_and_one_that_does_not_remember_is_not() {
    let mut played = Played::begin(remembering());
    while played.run.rest.heard.len() < 4 {
        assert!(played.step(&told));
    }
    played.command(FieldCommand::Cancel {});
    assert!(kept(&played).is_some());
    let mut forgetful = Played::begin(setup(0));
    while forgetful.step(&told) {}
    assert!(kept(&forgetful).is_none() && forgetful.run.rest.heard.is_empty());
}

#[test]
fn actors_are_told_what_they_bring_along() {
    let mut setup = remembering();
    let memory = Memory {
        kind: MemoryKind::Fact,
        by: Some("Bob".to_owned()),
        text: "I once kept bees.".to_owned(),
        importance: 0.5,
    };
    let stands = relationship_after(None, &signals("I am sorry."), 20);
    for name in ["ada", "bob", "cyd"] {
        let remembered = Remembered {
            memories: vec![memory.clone()],
            mood: None,
            relationships: [(Name::new("bob").unwrap(), stands.clone())].into(),
        };
        setup.remembered.insert(Name::new(name).unwrap(), remembered);
    }
    let mut played = Played::begin(setup);
    let ask = loop {
        match played.run.pending().first() {
            Some(Effect::Ask(ask)) => break ask.clone(),
            _ => assert!(played.step(&told)),
        }
    };
    let text = played.run.request(&ask).system.iter().map(|block| block.to_string()).collect::<String>();
    assert!(text.contains("I once kept bees."), "{text}");
}
