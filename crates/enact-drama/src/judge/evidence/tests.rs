//! What holds for every act.

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
