//! Who plays an agent stands beside its name wherever its answers are shown.

use std::sync::Arc;

use serde_json::Value;

use super::facts::Facts;
use crate::{
    Production,
    chorus::{Chorus, ChorusEvent, Turn, report::ChorusClientEvents, report::said_text},
    production::{ClientEvents, Report},
    report::Format,
};

/// A chorus whose models all have this label.
fn labelled(label: Option<&str>) -> Facts {
    let mut facts = Facts::whole();
    if let ChorusEvent::ChorusBegan { setup } = &mut facts.facts[0].event {
        let cards = Arc::make_mut(setup).models.values_mut();
        cards.for_each(|card| card.label = label.map(str::to_owned));
    }
    facts
}

#[test]
fn every_answer_has_its_label_in_every_export_and_on_the_terminal() {
    let story = labelled(Some("improviser")).story();
    let document = story.document();
    for (format, wanted) in [
        (Format::Txt, "Claude Opus 4.5 (improviser) [TO: GPT-4o, VOICE: warm_professional] \""),
        (Format::Md, "**Claude Opus 4.5 (improviser)** (to GPT-4o): "),
        (Format::Fountain, "CLAUDE OPUS 4.5 (IMPROVISER)\n"),
        (Format::Vtt, "<v Claude Opus 4.5 (improviser)>"),
    ] {
        let text = format.render(&document);
        assert!(text.contains(wanted), "{format:?}: {text}");
        assert_eq!(text.to_lowercase().matches("(improviser)").count(), 5, "{format:?}: {text}");
    }
    for (turn, said) in story.said() {
        assert!(said_text(&story, turn, said).contains(" (improviser) ["), "on a terminal");
    }
}

#[test]
fn programs_find_it_beside_the_agent() {
    let facts = labelled(Some("improviser"));
    let exported: Value = serde_json::from_str(&Format::Json.render(&facts.story().document())).unwrap();
    let lines = exported["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 5);
    assert!(lines.iter().all(|line| line["label"] == "improviser"), "{exported:#}");
    assert_eq!(facts.story().metadata()["slots"][0]["label"], "improviser");

    let mut client = ChorusClientEvents::begin(&facts.facts[0]).unwrap();
    let events: Vec<_> = facts.facts.iter().filter_map(|fact| client.on_fact(fact)).collect();
    for event in events {
        let wanted = if event.name.starts_with("slot.") { Value::from("improviser") } else { Value::Null };
        assert_eq!(event.data["label"], wanted, "{} {}", event.name, event.data);
    }

    let mut chorus = Chorus::begin(&facts.facts[0]).unwrap();
    facts.facts[1..].iter().for_each(|fact| chorus.apply(fact));
    let manifest: Value = serde_json::from_str(&chorus.manifest(&facts.facts).unwrap().text).unwrap();
    for turn in [Turn::Respond, Turn::Comment, Turn::Reply] {
        let entries = manifest["turns"][format!("turn_{}", turn.index())].as_array().unwrap();
        assert!(!entries.is_empty());
        assert!(entries.iter().all(|entry| entry["label"] == "improviser"), "{manifest:#}");
    }
}

#[test]
fn language_models_and_older_logs_have_none() {
    let facts = labelled(None);
    for format in [Format::Txt, Format::Md, Format::Fountain, Format::Vtt, Format::Json] {
        let text = format.render(&facts.story().document());
        assert!(!text.contains("(improviser)") && !text.contains("\"label\""), "{format:?}: {text}");
    }
}
