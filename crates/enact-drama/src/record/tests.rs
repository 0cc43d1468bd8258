use super::*;
use crate::scene::{SceneEnd, SceneEvent};

fn ended() -> Record {
    let event = SceneEvent::Ended { reason: SceneEnd::Stalled, needed: None };
    Record::of(&Fact { seq: Seq(7), at: 1_700_000_000_000, event })
}

#[test]
fn a_record_is_seq_time_kind_version_and_body() {
    let text = serde_json::to_string(&ended()).unwrap();
    assert_eq!(text, r#"{"seq":7,"at":1700000000000,"kind":"ended","v":1,"body":{"reason":"stalled"}}"#);
    let back: Record = serde_json::from_str(&text).unwrap();
    assert_eq!(
        back.fact::<SceneEvent>().unwrap().event,
        SceneEvent::Ended { reason: SceneEnd::Stalled, needed: None }
    );
}

#[test]
fn what_a_newer_version_wrote_is_named_not_guessed() {
    let unknown = Record { kind: "sung".into(), ..ended() };
    let newer = Record { v: 2, ..ended() };
    for (record, kind) in [(unknown, "sung"), (newer, "ended")] {
        let unreadable = record.fact::<SceneEvent>().unwrap_err();
        assert_eq!((unreadable.seq, unreadable.kind.as_str()), (Seq(7), kind));
    }
}
