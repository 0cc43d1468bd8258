//! A chorus as its clients hear it: every event once, in order, however many listen and however often they come
//! back.

use std::fmt::Write;

use enact_drama::{RunId, chorus::Turn};
use enact_testkit::test_chorus::SIX;
use expect_test::expect;
use serde_json::{Value, json};

use super::{
    server::{ENOUGH, Server, session},
    stream::{Event, Events, events},
};

/// What clients hear of a chorus, from an event on.
async fn told(server: &Server, run: RunId, query: &str) -> Vec<Event> {
    let response = server.get(&format!("/v1/chat/{run}/events{query}")).await;
    assert_eq!(response.status(), 200);
    events(&response.text().await.unwrap())
}

fn names(events: &[Event]) -> Vec<&str> {
    events.iter().map(|event| event.name.as_str()).collect()
}

/// Speech is let out piece by piece after the last word, or its order would be chance.
#[tokio::test]
async fn a_chorus_stands_on_the_wire() {
    let server = Server::start().await;
    let response = server.chat("Hello?", &[(4, "hoarse"), (1, "ada"), (2, "ben"), (6, "offline")]).await;
    let run = session(&response).to_string();
    let mut stream = Events::of(response);
    while stream.until("turn.done").await.data["turnIndex"] != 3 {}
    loop {
        server.test_chorus.let_speak(1);
        if stream.next().await.unwrap().data["slotId"] == 4 && stream.taken.matches("tts_error").count() == 3
        {
            break;
        }
    }
    stream.until("done").await;
    assert_eq!(stream.next().await, None, "nothing comes after done");
    expect![[r#"
        id: 1
        event: turn.start
        data: {"sessionId":"SESSION","turnIndex":1}

        id: 2
        event: slot.start
        data: {"sessionId":"SESSION","turnIndex":1,"kind":"response","slotId":1,"agentId":"ada"}

        id: 3
        event: slot.start
        data: {"sessionId":"SESSION","turnIndex":1,"kind":"response","slotId":2,"agentId":"ben"}

        id: 4
        event: slot.start
        data: {"sessionId":"SESSION","turnIndex":1,"kind":"response","slotId":4,"agentId":"hoarse"}

        id: 5
        event: slot.start
        data: {"sessionId":"SESSION","turnIndex":1,"kind":"response","slotId":6,"agentId":"offline"}

        id: 6
        event: slot.done
        data: {"sessionId":"SESSION","turnIndex":1,"kind":"response","slotId":1,"agentId":"ada","text":"ADA has heard: Hello?","voiceProfile":"friendly_casual"}

        id: 7
        event: slot.done
        data: {"sessionId":"SESSION","turnIndex":1,"kind":"response","slotId":2,"agentId":"ben","text":"BEN has heard: Hello?","voiceProfile":"warm_professional"}

        id: 8
        event: slot.done
        data: {"sessionId":"SESSION","turnIndex":1,"kind":"response","slotId":4,"agentId":"hoarse","text":"HOARSE has heard: Hello?","voiceProfile":"calm_soothing"}

        id: 9
        event: slot.error
        data: {"sessionId":"SESSION","turnIndex":1,"kind":"response","slotId":6,"agentId":"offline","error":{"type":"network","message":"the model cannot be reached"}}

        id: 10
        event: turn.done
        data: {"sessionId":"SESSION","turnIndex":1,"slotCount":3}

        id: 11
        event: turn.start
        data: {"sessionId":"SESSION","turnIndex":2}

        id: 12
        event: slot.start
        data: {"sessionId":"SESSION","turnIndex":2,"kind":"comment","slotId":1,"agentId":"ada"}

        id: 13
        event: slot.start
        data: {"sessionId":"SESSION","turnIndex":2,"kind":"comment","slotId":2,"agentId":"ben"}

        id: 14
        event: slot.start
        data: {"sessionId":"SESSION","turnIndex":2,"kind":"comment","slotId":4,"agentId":"hoarse"}

        id: 15
        event: slot.done
        data: {"sessionId":"SESSION","turnIndex":2,"kind":"comment","slotId":1,"agentId":"ada","targetSlotId":2,"comment":"ADA agrees with ben.","text":"ADA agrees with ben.","voiceProfile":"friendly_casual"}

        id: 16
        event: slot.done
        data: {"sessionId":"SESSION","turnIndex":2,"kind":"comment","slotId":2,"agentId":"ben","targetSlotId":4,"comment":"BEN agrees with hoarse.","text":"BEN agrees with hoarse.","voiceProfile":"warm_professional"}

        id: 17
        event: slot.done
        data: {"sessionId":"SESSION","turnIndex":2,"kind":"comment","slotId":4,"agentId":"hoarse","targetSlotId":1,"comment":"HOARSE agrees with ada.","text":"HOARSE agrees with ada.","voiceProfile":"calm_soothing"}

        id: 18
        event: turn.done
        data: {"sessionId":"SESSION","turnIndex":2,"slotCount":3}

        id: 20
        event: turn.start
        data: {"sessionId":"SESSION","turnIndex":3}

        id: 21
        event: slot.start
        data: {"sessionId":"SESSION","turnIndex":3,"kind":"reply","slotId":1,"agentId":"ada"}

        id: 22
        event: slot.start
        data: {"sessionId":"SESSION","turnIndex":3,"kind":"reply","slotId":2,"agentId":"ben"}

        id: 23
        event: slot.start
        data: {"sessionId":"SESSION","turnIndex":3,"kind":"reply","slotId":4,"agentId":"hoarse"}

        id: 24
        event: slot.done
        data: {"sessionId":"SESSION","turnIndex":3,"kind":"reply","slotId":1,"agentId":"ada","text":"ADA thanks hoarse.","voiceProfile":"friendly_casual"}

        id: 25
        event: slot.done
        data: {"sessionId":"SESSION","turnIndex":3,"kind":"reply","slotId":2,"agentId":"ben","text":"BEN thanks ada.","voiceProfile":"warm_professional"}

        id: 26
        event: slot.done
        data: {"sessionId":"SESSION","turnIndex":3,"kind":"reply","slotId":4,"agentId":"hoarse","text":"HOARSE thanks ben.","voiceProfile":"calm_soothing"}

        id: 27
        event: turn.done
        data: {"sessionId":"SESSION","turnIndex":3,"slotCount":3}

        id: 28
        event: slot.audio
        data: {"sessionId":"SESSION","turnIndex":1,"kind":"response","slotId":1,"agentId":"ada","voiceProfile":"friendly_casual","audioFormat":"wav","audioPath":"tts/sessions/SESSION/turn_1/slot-1_ada_friendly_casual.wav"}

        id: 29
        event: slot.audio
        data: {"sessionId":"SESSION","turnIndex":1,"kind":"response","slotId":2,"agentId":"ben","voiceProfile":"warm_professional","audioFormat":"wav","audioPath":"tts/sessions/SESSION/turn_1/slot-2_ben_warm_professional.wav"}

        id: 30
        event: slot.error
        data: {"sessionId":"SESSION","turnIndex":1,"kind":"response","slotId":4,"agentId":"hoarse","error":{"type":"tts_error","message":"the text could not be said aloud"}}

        id: 31
        event: slot.audio
        data: {"sessionId":"SESSION","turnIndex":2,"kind":"comment","slotId":1,"agentId":"ada","voiceProfile":"friendly_casual","audioFormat":"wav","audioPath":"tts/sessions/SESSION/turn_2/slot-1_comment_to_slot-2_ada_friendly_casual.wav"}

        id: 32
        event: slot.audio
        data: {"sessionId":"SESSION","turnIndex":2,"kind":"comment","slotId":2,"agentId":"ben","voiceProfile":"warm_professional","audioFormat":"wav","audioPath":"tts/sessions/SESSION/turn_2/slot-2_comment_to_slot-4_ben_warm_professional.wav"}

        id: 33
        event: slot.error
        data: {"sessionId":"SESSION","turnIndex":2,"kind":"comment","slotId":4,"agentId":"hoarse","error":{"type":"tts_error","message":"the text could not be said aloud"}}

        id: 34
        event: slot.audio
        data: {"sessionId":"SESSION","turnIndex":3,"kind":"reply","slotId":1,"agentId":"ada","voiceProfile":"friendly_casual","audioFormat":"wav","audioPath":"tts/sessions/SESSION/turn_3/slot-1_reply_ada_friendly_casual.wav"}

        id: 35
        event: slot.audio
        data: {"sessionId":"SESSION","turnIndex":3,"kind":"reply","slotId":2,"agentId":"ben","voiceProfile":"warm_professional","audioFormat":"wav","audioPath":"tts/sessions/SESSION/turn_3/slot-2_reply_ben_warm_professional.wav"}

        id: 36
        event: slot.error
        data: {"sessionId":"SESSION","turnIndex":3,"kind":"reply","slotId":4,"agentId":"hoarse","error":{"type":"tts_error","message":"the text could not be said aloud"}}

        id: 37
        event: done
        data: {"completedSlots":3,"sessionId":"SESSION","turns":3}

    "#]].assert_eq(&stream.taken.replace(&run, "SESSION"));
}

#[tokio::test]
async fn one_alone_only_answers() {
    let server = Server::start().await;
    let run = server.chat_out("Anybody?", &[(3, "cleo")]).await;
    let told = told(&server, run, "").await;
    assert_eq!(names(&told), ["turn.start", "slot.start", "slot.done", "turn.done", "slot.audio", "done"]);
    let done = &told.last().unwrap().data;
    assert_eq!(*done, json!({ "completedSlots": 1, "sessionId": run.to_string(), "turns": 1 }));
}

#[tokio::test]
async fn failures_have_the_names_that_clients_know() {
    let server = Server::start().await;
    let slots = [(1, "ada"), (2, "offline"), (3, "late"), (4, "limited"), (5, "overloaded"), (6, "shy")];
    let run = server.chat_out("Hello?", &slots).await;
    let told = told(&server, run, "").await;
    let mut errors = String::new();
    for event in told.iter().filter(|event| event.name == "slot.error") {
        let _ = writeln!(errors, "{} {}", event.data["agentId"], event.data["error"]);
    }
    expect![[r#"
        "offline" {"type":"network","message":"the model cannot be reached"}
        "late" {"type":"timeout","message":"the answer did not come in time"}
        "limited" {"type":"rate_limit","message":"the model gets more questions than it takes"}
        "overloaded" {"type":"server_error","message":"the model is overloaded"}
        "shy" {"type":"unknown","message":"the model would not answer"}
    "#]]
    .assert_eq(&errors);
    let done = &told.last().unwrap().data;
    assert_eq!(
        (&done["completedSlots"], &done["turns"]),
        (&1.into(), &1.into()),
        "nobody was left to comment on"
    );
}

#[tokio::test]
async fn a_chorus_in_which_nobody_answers_ends_all_the_same() {
    let server = Server::start().await;
    let run = server.chat_out("Hello?", &[(1, "shy"), (2, "offline")]).await;
    let told = told(&server, run, "").await;
    let done = told.last().unwrap();
    assert_eq!((done.name.as_str(), &done.data["reason"]), ("done", &"failed".into()));
    assert_eq!(done.data["completedSlots"], 0);
}

#[tokio::test]
async fn resuming_anywhere_gives_exactly_the_rest() {
    let server = Server::start().await;
    let run = server.chat_out("What is a day?", &SIX).await;
    let all = told(&server, run, "").await;
    let count = server.events_of(run).await;
    assert!(all.iter().all(|event| event.id.is_some()));
    assert!(all.is_sorted_by_key(|event| event.id) && all.len() > 50, "{}", all.len());
    for from in 0..=count {
        let rest: Vec<Event> = all.iter().filter(|event| event.id >= Some(from)).cloned().collect();
        assert_eq!(told(&server, run, &format!("?from={from}")).await, rest, "from {from}");
        let Some(seen) = from.checked_sub(1) else { continue };
        let request = server.request("GET", &format!("/v1/chat/{run}/events?from=2"));
        let response = request.header("Last-Event-ID", seen.to_string()).send().await.unwrap();
        assert_eq!(events(&response.text().await.unwrap()), rest, "after {seen}: the header wins");
    }
    assert_eq!(told(&server, run, "?speed=1000").await, all);
}

#[tokio::test]
async fn a_client_that_hangs_up_changes_nothing() {
    let server = Server::start().await;
    let response = server.chat("Hello?", &[(1, "patient"), (2, "ben")]).await;
    let run = session(&response);
    let mut stream = Events::of(response);
    let first = stream.until("slot.start").await;
    drop(stream);
    server.let_answer(ENOUGH);
    server.test_chorus.let_speak(ENOUGH);
    let rest = told(&server, run, &format!("?from={}", first.id.unwrap() + 1)).await;
    assert_eq!(rest.last().unwrap().name, "done");
    let audio: Vec<&Event> = rest.iter().filter(|event| event.name == "slot.audio").collect();
    assert_eq!(audio.len(), 6, "two answers, two comments, two replies");
    for event in audio {
        let path = event.data["audioPath"].as_str().unwrap();
        assert_eq!(server.get(&format!("/v1/audio/{path}")).await.status(), 200, "{path}");
    }
}

#[tokio::test]
async fn a_reader_that_comes_and_goes_hears_everything_once() {
    let server = Server::start().await;
    let response = server.chat("Hello?", &[(1, "patient"), (2, "patient"), (3, "ada")]).await;
    let run = session(&response);
    drop(response);
    server.test_chorus.let_speak(ENOUGH);
    let mut heard: Vec<Event> = Vec::new();
    while heard.last().is_none_or(|event| event.name != "done") {
        // Each connection brings an event or two and breaks off.
        server.let_answer(1);
        let mut request = server.request("GET", &format!("/v1/chat/{run}/events"));
        if let Some(last) = heard.last() {
            request = request.header("Last-Event-ID", last.id.unwrap().to_string());
        }
        let mut stream = Events::of(request.send().await.unwrap());
        heard.extend(stream.next().await);
    }
    assert_eq!(heard, told(&server, run, "").await);
}

#[tokio::test]
async fn a_server_that_stops_says_so() {
    let server = Server::start().await;
    let mut stream = Events::of(server.chat("Hello?", &[(1, "patient")]).await);
    let started = stream.until("slot.start").await;
    server.stop().await;
    let closing = stream.until("closing").await;
    assert_eq!(closing.id, None);
    assert!(closing.data["from"].as_u64().unwrap() > started.id.unwrap());
    assert_eq!(stream.next().await, None);
}

#[tokio::test]
async fn a_chorus_can_be_cancelled_and_nothing_else() {
    let server = Server::start().await;
    let response = server.chat("Hello?", &[(1, "patient"), (2, "ada")]).await;
    let run = session(&response);
    let mut stream = Events::of(response);
    stream.until("slot.start").await;
    let mut answers = String::new();
    for (what, body) in [
        ("pause", Value::Null),
        ("resume", Value::Null),
        ("step", Value::Null),
        ("notes", json!({ "text": "Louder." })),
        ("world-events", json!({ "text": "It rains." })),
        ("fork", json!({ "beat": 0 })),
        ("cancel", Value::Null),
    ] {
        let response = server.post(&format!("/v1/runs/{run}/{what}"), body).await;
        let status = response.status().as_u16();
        let answer: Value = response.json().await.unwrap();
        let error = &answer["error"];
        let said = format!("{} {} {}", error["code"], error["message"], error["context"]["hint"]);
        let said = if status == 202 { "accepted".to_owned() } else { said.replace(&run.to_string(), "RUN") };
        let _ = writeln!(answers, "{what} {status} {said}");
    }
    expect![[r#"
        pause 422 "INVALID_REQUEST" "this is no command of a chorus: command must be cancel, found 'pause'" "a command is an object with its name as 'command'"
        resume 422 "INVALID_REQUEST" "this is no command of a chorus: command must be cancel, found 'resume'" "a command is an object with its name as 'command'"
        step 422 "INVALID_REQUEST" "this is no command of a chorus: command must be cancel, found 'step'" "a command is an object with its name as 'command'"
        notes 422 "INVALID_REQUEST" "this is no command of a chorus: command must be cancel, found 'note'" "a command is an object with its name as 'command'"
        world-events 422 "INVALID_REQUEST" "this is no command of a chorus: command must be cancel, found 'world_event'" "a command is an object with its name as 'command'"
        fork 422 "INVALID_REQUEST" "a chorus has no beats to fork at" null
        cancel 202 accepted
    "#]].assert_eq(&answers);
    let done = stream.until("done").await;
    assert_eq!(done.data["reason"], "cancelled");
    assert_eq!(stream.next().await, None);
}

#[tokio::test]
async fn a_chorus_is_a_run_like_any_other() {
    let server = Server::start().await;
    let run = server.chat_out("What is a day?", &SIX).await;
    let details = server.json(&format!("/v1/runs/{run}")).await;
    assert_eq!((&details["production"], &details["status"]), (&"chorus".into(), &"finished".into()));
    assert_eq!(details["reason"], "completed");
    assert!(details["metadata"].is_object());
    let listed = server.json("/v1/runs?production=chorus").await;
    assert_eq!(listed["runs"][0]["runId"], run.to_string());
    let facts = server.get(&format!("/v1/runs/{run}/events")).await.text().await.unwrap();
    let facts = events(&facts);
    assert_eq!((facts[0].name.as_str(), facts.last().unwrap().name.as_str()), ("chorus_began", "end"));
    let transcript = server.get(&format!("/v1/runs/{run}/transcript")).await;
    assert_eq!(transcript.status(), 200);
    assert!(transcript.text().await.unwrap().contains("ADA has heard: What is a day?"));
    let costs = server.json(&format!("/v1/runs/{run}/costs")).await;
    assert_eq!(costs["costs"]["byPurpose"]["comment"]["calls"], 6, "{costs}");
}

#[tokio::test]
async fn a_scene_is_no_chorus() {
    let server = Server::start().await;
    let run = server.play_out(super::server::apology()).await;
    let response = server.get(&format!("/v1/chat/{run}/events")).await;
    assert_eq!(response.status(), 409);
    let answer: Value = response.json().await.unwrap();
    assert_eq!(answer["error"]["code"], "NOT_A_CHORUS");
    assert_eq!(answer["error"]["context"]["hint"], format!("follow it at /v1/runs/{run}/events"));
}

#[tokio::test]
async fn everyone_hears_the_message_and_the_others() {
    let server = Server::start().await;
    server.chat_out("What is a day?", &[(1, "ada"), (2, "ben")]).await;
    assert!(server.test_chorus.agents.told("slot-1", Turn::Respond).contains("What is a day?"));
    assert!(
        server.test_chorus.agents.told("slot-1", Turn::Comment).contains("BEN has heard: What is a day?")
    );
    assert!(server.test_chorus.agents.told("slot-1", Turn::Reply).contains("BEN agrees with ada."));
}
