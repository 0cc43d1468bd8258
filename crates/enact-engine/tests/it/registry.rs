//! The registry: logs are told, commanded and replayed by the production they are of, and by no other.

use enact_drama::{
    CallId, Fact, Name, Record, Seq,
    chorus::{Chorus, ChorusEnd, ChorusEvent, SlotId, Turn, report},
    production::Fork,
    scene::{Scene, SceneEvent},
    voice::VoiceProfile,
};
use enact_engine::{
    Productions,
    productions::{ReportError, RunHeader},
};
use enact_testkit::test_chorus;
use expect_test::expect;

use crate::{
    node::house,
    submitting::{AT, first, productions},
};

fn record(seq: u64, event: ChorusEvent) -> Record {
    Record::of(&Fact { seq: Seq(seq), at: AT, event })
}

/// The log of a chorus of two, one of whom has answered.
fn chorus() -> Vec<Record> {
    let setup = test_chorus::setup(2);
    let slot = SlotId::new(1).unwrap();
    let (turn, model, text) = (Turn::Respond, test_chorus::MODEL.to_owned(), "Yes.".to_owned());
    let (call, deadline) = (CallId(2), CallId(1));
    vec![
        record(0, Chorus::beginning(setup)),
        record(1, ChorusEvent::TurnStarted { turn, slots: vec![slot], deadline, timeout_ms: 60_000 }),
        record(
            2,
            ChorusEvent::SlotAsked { call, turn, slot, model, again: false, fallback: false, reserved: None },
        ),
        record(
            3,
            ChorusEvent::SlotSpoke {
                call,
                turn,
                slot,
                raw: text.clone(),
                text,
                target: None,
                profile: VoiceProfile::default(),
                warnings: Vec::new(),
                instead_of: None,
                usage: None,
                took_ms: 120,
                speech: None,
            },
        ),
        record(4, ChorusEvent::TurnDone { turn, slots: vec![slot] }),
        record(5, ChorusEvent::Ended { reason: ChorusEnd::Completed }),
    ]
}

fn scene_began() -> Record {
    first::<Scene>(Scene::beginning(house::scene(2)))
}

#[test]
fn clients_are_told_again_what_they_were_told_or_read_the_log() {
    let productions = productions();
    let told = productions.client_events(&chorus()).unwrap().unwrap();
    let names: Vec<&str> = told.iter().map(|(_, event)| event.name).collect();
    assert_eq!(names, ["turn.start", "slot.start", "slot.done", "turn.done", "done"]);
    assert!(told.iter().all(|(at, _)| *at == AT));
    assert!(productions.client_events(&[scene_began()]).unwrap().is_none(), "of a scene the log is read");
    assert!(matches!(productions.client_events(&[]), Err(ReportError::Empty)));
}

#[test]
fn a_log_is_told_for_what_it_is() {
    let productions = productions();
    let mut records = chorus();
    let of = productions.of(&records[0]).unwrap();
    let header = of.header(&records[0]).unwrap().unwrap();
    assert_eq!((of.name(), of.begins_with(), header.title.as_str()), ("chorus", "chorus_began", "chorus"));
    assert_eq!(of.ended(&records).unwrap(), Some("completed"));
    let told = productions.report(&records).unwrap();
    assert!(told.as_any().is::<report::ChorusReport>());
    assert_eq!(told.document().production, "chorus");
    assert_eq!(told.metadata()["costs"], serde_json::to_value(told.costs()).unwrap());
    assert_eq!(told.ledger().total().made(), 1);

    // What a newer version wrote is an error to programs, and left out for people.
    records[4].kind = "turn_sung".to_owned();
    let Err(ReportError::Unreadable(unreadable)) = productions.report(&records) else {
        panic!("it cannot be read in full")
    };
    assert_eq!((unreadable.kind.as_str(), unreadable.seq), ("turn_sung", Seq(4)));
    assert_eq!(of.answers(&records).unwrap_err().kind, "turn_sung");
    let readable = productions.readable_report(&records).unwrap();
    let story: &report::ChorusReport = readable.as_any().downcast_ref().unwrap();
    assert_eq!(story.completed_slots(), 1);
}

#[test]
fn what_no_production_begins_with_is_an_error_and_no_scene() {
    let productions = productions();
    let resumed = Record::of(&Fact { event: SceneEvent::Resumed {}, seq: Seq(0), at: 0 });
    for told in [productions.report(std::slice::from_ref(&resumed)), productions.readable_report(&[resumed])]
    {
        let error = told.err().expect("it is nobody's").to_string();
        expect!["a log that begins with 'resumed' is not known to this enact, which plays: scene, chorus"]
            .assert_eq(&error);
    }
    let mut levitated = scene_began();
    levitated.kind = "levitated".to_owned();
    assert!(matches!(productions.report(&[levitated]), Err(ReportError::Unknown(_))));
    assert!(matches!(productions.report(&[]), Err(ReportError::Empty)));
    assert!(matches!(productions.readable_report(&[]), Err(ReportError::Empty)));
    let named = productions.named("opera").unwrap_err();
    assert_eq!(
        named.to_string(),
        "the production 'opera' is not known to this enact, which plays: scene, chorus"
    );
    let only_scenes = Productions::default().with::<Scene>();
    assert!(only_scenes.of(&chorus()[0]).is_err(), "what is not registered is not known");
}

#[test]
fn a_first_record_that_cannot_be_read_says_so() {
    let productions = productions();
    let newer = Record { v: 99, ..scene_began() };
    let of = productions.of(&newer).unwrap();
    assert_eq!(of.header(&newer).unwrap_err().v, 99);
    assert!(matches!(productions.report(std::slice::from_ref(&newer)), Err(ReportError::Unreadable(_))));
    assert!(matches!(productions.readable_report(&[newer]), Err(ReportError::Empty)));
}

#[test]
fn each_production_reads_its_own_commands() {
    let productions = productions();
    let (scene, chorus) = (scene_began(), chorus().remove(0));
    let check = |first: &Record, command: &str| {
        let checked = productions.of(first).unwrap().check_command(first, command);
        checked.map_err(|problem| format!("{problem} ({})", problem.hint.as_deref().unwrap_or_default()))
    };
    let note = r#"{"command": "note", "text": " Be\nkind. "}"#;
    assert_eq!(check(&scene, note).unwrap(), r#"{"command":"note","to":null,"text":"Be kind."}"#);
    assert_eq!(check(&chorus, r#"{"command":"cancel"}"#).unwrap(), r#"{"command":"cancel"}"#);
    for first in [&scene, &chorus] {
        let cancel = productions.of(first).unwrap().cancel();
        assert_eq!(check(first, &cancel).unwrap(), cancel, "what cancels a run can be posted to it");
    }
    let refused = [
        check(&chorus, note),
        check(&scene, r#"{"command":"sing"}"#),
        check(&scene, r#"{"command":"pause","until":"noon"}"#),
        check(&scene, r#"{"command":"note","to":"alicia","text":"Hush."}"#),
        check(&scene, "pause"),
    ];
    let refused: Vec<String> = refused.into_iter().map(|checked| checked.unwrap_err()).collect();
    expect![[r#"
        this is no command of a chorus: command must be cancel, found 'note' (a command is an object with its name as 'command')
        this is no command of a scene: command must be cancel, note, world_event, answer, pause, resume or step, found 'sing' (a command is an object with its name as 'command')
        this is no command of a scene: there is no field 'until' here (there are none here)
        nobody called 'alicia' plays in this run (did you mean 'alice'?)
        this is no command of a scene: it is no object (a command is an object with its name as 'command')"#]]
    .assert_eq(&refused.join("\n"));
}

#[test]
fn a_header_says_what_stores_and_folders_need() {
    let productions = productions();
    let (scene, chorus) = (scene_began(), chorus().remove(0));
    let header = |first: &Record| productions.of(first).unwrap().header(first).unwrap().unwrap();
    let RunHeader { run, title, artifact_folder } = header(&chorus);
    assert_eq!((title.as_str(), artifact_folder), ("chorus", Some(enact_drama::chorus::folder_of(run))));
    let RunHeader { title, artifact_folder, .. } = header(&scene);
    assert_eq!((title.as_str(), artifact_folder), ("test", None));
    assert_eq!(productions.public(), ["scene", "chorus"]);
}

#[test]
fn answers_and_rows_and_forks_come_from_the_production() {
    let productions = productions();
    let records = chorus();
    let of = productions.of(&records[0]).unwrap();
    let answers = of.answers(&records).unwrap();
    let given: Vec<_> =
        answers.iter().map(|given| (given.beat, given.actor.as_ref().map(Name::as_str))).collect();
    assert_eq!(given, [(1, Some("slot-1"))]);
    assert_eq!(of.rows(&records).unwrap(), []);
    let fork = Fork { point: 0.into(), run: house::scene(1).run, seed: 1, at: AT, random: [0; 2] };
    assert_eq!(of.fork(&records, fork).unwrap_err().to_string(), "a chorus has no beats to fork at");
    let begun = scene_began();
    let problem = productions.of(&begun).unwrap().fork(&[begun], fork).unwrap_err();
    assert_eq!(problem.to_string(), "no beat has been played to its end yet");
}

#[test]
#[should_panic(expected = "there is a production like 'scene' already")]
fn no_production_is_registered_twice() {
    let _ = productions().with::<Scene>();
}
