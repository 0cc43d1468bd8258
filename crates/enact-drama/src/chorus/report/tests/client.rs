//! What clients of a chorus hear.

use std::fmt::Write;

use expect_test::{Expect, expect};

use super::facts::{Facts, setup, slot};
use crate::{
    CallId,
    chorus::{
        ChorusEnd, ChorusEvent, Refused, Turn,
        report::{ChorusClientEvents, client::kind_of},
    },
    production::{ClientEvents, FailureKind},
    voice::VoiceProfile,
};

fn check(facts: &Facts, expected: Expect) {
    let mut client = ChorusClientEvents::begin(&facts.facts[0]).unwrap();
    let mut text = String::new();
    for fact in &facts.facts {
        if let Some(event) = client.on_fact(fact) {
            let data = event.data.to_string().replace("00000000-0000-0000-0000-000000000000", "…");
            writeln!(text, "{} {} {data}", fact.seq.0, event.name).unwrap();
        }
    }
    expected.assert_eq(&text);
}

#[test]
fn a_whole_chorus() {
    check(
        &Facts::whole(),
        expect![[r#"
        1 turn.start {"sessionId":"…","turnIndex":1}
        2 slot.start {"sessionId":"…","turnIndex":1,"kind":"response","slotId":1,"agentId":"claude-opus-4-5"}
        3 slot.start {"sessionId":"…","turnIndex":1,"kind":"response","slotId":2,"agentId":"gpt-4o"}
        4 slot.start {"sessionId":"…","turnIndex":1,"kind":"response","slotId":3,"agentId":"gemini-3"}
        5 slot.done {"sessionId":"…","turnIndex":1,"kind":"response","slotId":2,"agentId":"gpt-4o","text":"Rivers carry what towns forget.","voiceProfile":"energetic_upbeat"}
        6 slot.done {"sessionId":"…","turnIndex":1,"kind":"response","slotId":1,"agentId":"claude-opus-4-5","text":"I would rather ask the *sea*.","voiceProfile":"warm_professional"}
        7 slot.error {"sessionId":"…","turnIndex":1,"kind":"response","slotId":3,"agentId":"gemini-3","error":{"type":"server_error","message":"the model is overloaded"}}
        8 turn.done {"sessionId":"…","turnIndex":1,"slotCount":2}
        9 turn.start {"sessionId":"…","turnIndex":2}
        10 slot.start {"sessionId":"…","turnIndex":2,"kind":"comment","slotId":1,"agentId":"claude-opus-4-5"}
        11 slot.start {"sessionId":"…","turnIndex":2,"kind":"comment","slotId":2,"agentId":"gpt-4o"}
        12 slot.audio {"sessionId":"…","turnIndex":1,"kind":"response","slotId":2,"agentId":"gpt-4o","voiceProfile":"energetic_upbeat","audioFormat":"wav","audioPath":"tts/sessions/<run>/turn_1/slot-2_energetic_upbeat.wav"}
        13 slot.done {"sessionId":"…","turnIndex":2,"kind":"comment","slotId":2,"agentId":"gpt-4o","targetSlotId":1,"comment":"Ask it gently, then.","text":"Ask it gently, then.","voiceProfile":"energetic_upbeat"}
        14 slot.error {"sessionId":"…","turnIndex":1,"kind":"response","slotId":1,"agentId":"claude-opus-4-5","error":{"type":"tts_error","message":"the text could not be said aloud"}}
        15 slot.done {"sessionId":"…","turnIndex":2,"kind":"comment","slotId":1,"agentId":"claude-opus-4-5","targetSlotId":2,"comment":"Towns forget on purpose.","text":"Towns forget on purpose.","voiceProfile":"warm_professional"}
        16 turn.done {"sessionId":"…","turnIndex":2,"slotCount":2}
        18 turn.start {"sessionId":"…","turnIndex":3}
        19 slot.start {"sessionId":"…","turnIndex":3,"kind":"reply","slotId":1,"agentId":"claude-opus-4-5"}
        20 slot.done {"sessionId":"…","turnIndex":3,"kind":"reply","slotId":1,"agentId":"claude-opus-4-5","text":"Gently is the only way it answers.","voiceProfile":"warm_professional"}
        21 turn.done {"sessionId":"…","turnIndex":3,"slotCount":1}
        22 slot.audio {"sessionId":"…","turnIndex":2,"kind":"comment","slotId":2,"agentId":"gpt-4o","voiceProfile":"energetic_upbeat","audioFormat":"wav","audioPath":"tts/sessions/<run>/turn_2/slot-2_energetic_upbeat.wav"}
        23 slot.audio {"sessionId":"…","turnIndex":2,"kind":"comment","slotId":1,"agentId":"claude-opus-4-5","voiceProfile":"warm_professional","audioFormat":"wav","audioPath":"tts/sessions/<run>/turn_2/slot-1_warm_professional.wav"}
        24 slot.audio {"sessionId":"…","turnIndex":3,"kind":"reply","slotId":1,"agentId":"claude-opus-4-5","voiceProfile":"warm_professional","audioFormat":"wav","audioPath":"tts/sessions/<run>/turn_3/slot-1_warm_professional.wav"}
        25 done {"completedSlots":2,"sessionId":"…","turns":3}
    "#]],
    );
}

#[test]
fn whoever_is_asked_again_begins_once() {
    let mut facts = Facts::begun().turn(Turn::Comment, &[2]);
    let (first, second) = (CallId(2), facts.call());
    let refused = ChorusEvent::CommentRefused {
        call: first,
        slot: slot(2),
        raw: "{}".to_owned(),
        text: "Me.".to_owned(),
        profile: VoiceProfile::default(),
        why: Refused::NoTarget,
        warnings: Vec::new(),
        usage: None,
        took_ms: 10,
    };
    let model = "improviser".to_owned();
    let again = ChorusEvent::SlotAsked {
        call: second,
        turn: Turn::Comment,
        slot: slot(2),
        model,
        again: true,
        fallback: false,
        reserved: None,
    };
    check(
        &facts.fact(refused).fact(again),
        expect![[r#"
        1 turn.start {"sessionId":"…","turnIndex":2}
        2 slot.start {"sessionId":"…","turnIndex":2,"kind":"comment","slotId":2,"agentId":"gpt-4o"}
    "#]],
    );
}

#[test]
fn what_did_not_end_well_says_why() {
    let failed = Facts::of(setup(&["org/model:free"])).turn(Turn::Respond, &[1]);
    let failed = failed
        .fails(
            Turn::Respond,
            1,
            "cannot be reached at http://10.0.0.3:8880; check STUDIO_KEY",
            FailureKind::Connection,
        )
        .done(Turn::Respond);
    check(
        &failed.ended(ChorusEnd::Failed),
        expect![[r#"
        1 turn.start {"sessionId":"…","turnIndex":1}
        2 slot.start {"sessionId":"…","turnIndex":1,"kind":"response","slotId":1,"agentId":"org/model:free"}
        3 slot.error {"sessionId":"…","turnIndex":1,"kind":"response","slotId":1,"agentId":"org/model:free","error":{"type":"network","message":"the model cannot be reached"}}
        4 turn.done {"sessionId":"…","turnIndex":1,"slotCount":0}
        5 done {"completedSlots":0,"sessionId":"…","turns":1,"reason":"failed"}
    "#]],
    );

    let cancelled = Facts::begun().turn(Turn::Respond, &[1, 2]);
    let cancelled = cancelled.says(Turn::Respond, 1, "Yes.").ended(ChorusEnd::Cancelled);
    check(
        &cancelled,
        expect![[r#"
        1 turn.start {"sessionId":"…","turnIndex":1}
        2 slot.start {"sessionId":"…","turnIndex":1,"kind":"response","slotId":1,"agentId":"claude-opus-4-5"}
        3 slot.start {"sessionId":"…","turnIndex":1,"kind":"response","slotId":2,"agentId":"gpt-4o"}
        4 slot.done {"sessionId":"…","turnIndex":1,"kind":"response","slotId":1,"agentId":"claude-opus-4-5","text":"Yes.","voiceProfile":"warm_professional"}
        5 done {"completedSlots":1,"sessionId":"…","turns":0,"reason":"cancelled"}
    "#]],
    );
}

#[test]
fn failures_have_the_names_clients_know() {
    use FailureKind as Kind;
    for (kind, name) in [
        (Kind::Other, "unknown"),
        (Kind::RateLimited, "rate_limit"),
        (Kind::Timeout, "timeout"),
        (Kind::Overloaded, "server_error"),
        (Kind::Server, "server_error"),
        (Kind::Refused, "unknown"),
        (Kind::ContextTooLong, "unknown"),
        (Kind::Truncated, "unknown"),
        (Kind::Empty, "unknown"),
        (Kind::Connection, "network"),
        (Kind::Auth, "unknown"),
    ] {
        assert_eq!(kind_of(kind), name, "{kind:?}");
    }
}
