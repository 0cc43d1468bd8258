use expect_test::expect;

use super::*;
use crate::{
    chorus::{
        AgentId,
        tests::{options, wanted},
    },
    request::MessageRole,
};

fn assemble(wanted: ChorusRequest) -> Result<ChorusSetup, Problem> {
    options().assemble(RunId(uuid::Uuid::from_u128(7)), wanted)
}

fn seats(of: &[(u8, &str)]) -> ChorusRequest {
    let seats = of.iter().map(|(slot, agent)| (*slot, (*agent).to_owned()));
    ChorusRequest { seats: seats.collect(), ..wanted(0) }
}

fn saying(message: &str) -> ChorusRequest {
    ChorusRequest { message: message.to_owned(), ..wanted(2) }
}

fn refused(wanted: ChorusRequest) -> String {
    let problem = assemble(wanted).unwrap_err();
    let hint = problem.hint.as_ref().map_or_else(String::new, |hint| format!(" ({hint})"));
    format!("{problem}{hint}")
}

#[test]
fn what_cannot_be_played_is_said_with_what_could() {
    let seven: Vec<(u8, &str)> = (1..=7).map(|slot| (slot, "gpt-4o")).collect();
    let told = [
        refused(saying("")),
        refused(saying(" \n\t\u{7} ")),
        refused(saying(&"é".repeat(LONGEST_MESSAGE_CHARS + 1))),
        refused(seats(&[])),
        refused(seats(&seven)),
        refused(seats(&[(0, "gpt-4o")])),
        refused(seats(&[(7, "gpt-4o")])),
        refused(seats(&[(2, "gpt-4o"), (2, "gemini-3")])),
        refused(seats(&[(1, "gpt-4")])),
        refused(seats(&[(1, "somebody\nelse")])),
    ];
    expect![[r#"
        a chorus needs a message (for example "What does rain sound like?")
        a chorus needs a message (for example "What does rain sound like?")
        a message has at most 16000 characters; this one has 16001
        a chorus takes 1 to 6 slots; none was given
        a chorus takes 1 to 6 slots; 7 were given
        slots are numbered 1 to 6; this one is 0
        slots are numbered 1 to 6; this one is 7
        slot 2 is taken twice
        there is no agent 'gpt-4' (did you mean 'gpt-4o'?)
        there is no agent 'somebody else' (there are claude-sonnet-4-5, claude-opus-4-5, gpt-5.2, gpt-5.1, gpt-4o, gemini-3)"#]].assert_eq(&told.join("\n"));
    let unmanned = ChorusOptions { models: BTreeMap::new(), ..options() };
    expect!["agent 'claude-sonnet-4-5' is played by 'script', and there is no such model"]
        .assert_eq(&unmanned.assemble(RunId(uuid::Uuid::nil()), wanted(1)).unwrap_err().to_string());
}

#[test]
fn seats_stand_in_the_order_of_slots_and_one_agent_may_take_several() {
    let setup = assemble(seats(&[(5, "gpt-4o"), (1, "gemini-3"), (3, "gpt-4o")])).unwrap();
    let told: Vec<String> =
        setup.seats.iter().map(|seat| format!("{} {}", seat.slot, seat.agent.id)).collect();
    assert_eq!(told, ["1 gemini-3", "3 gpt-4o", "5 gpt-4o"]);
    assert_eq!(setup.models.len(), 1);
}

#[test]
fn messages_keep_their_lines_and_lose_what_nobody_sees() {
    let setup = assemble(saying("  One\n\ttwo\u{1b}[31m\0 three\r\n")).unwrap();
    assert_eq!(setup.message, "One\n\ttwo[31m three");
    assert_eq!(assemble(saying("\u{7} a\rb\r\nc\u{85}d")).unwrap().message, "a b\nc d");
    assert!(assemble(saying("\u{200b}\u{ad}")).is_err());
    assert_eq!(
        assemble(saying(&"é".repeat(LONGEST_MESSAGE_CHARS))).unwrap().message.len(),
        2 * LONGEST_MESSAGE_CHARS
    );
}

#[test]
fn the_seed_is_the_wanted_one_or_the_run_s() {
    assert_eq!(assemble(wanted(1)).unwrap().seed, 1);
    assert_eq!(assemble(ChorusRequest { seed: None, ..wanted(1) }).unwrap().seed, 7);
}

#[test]
fn threads_stay_with_their_agent() {
    let thread = |slot: u8, agent: &str| SlotThread {
        slot: SlotId::new(slot).unwrap(),
        agent: AgentId::new(agent).unwrap(),
        answered: 1,
        begins: vec![0],
        messages: vec![(MessageRole::User, "Hi.".into()), (MessageRole::Assistant, "Hello.".into())],
    };
    let threads = vec![thread(1, "claude-sonnet-4-5"), thread(2, "gpt-4o"), thread(6, "retired")];
    let setup = assemble(ChorusRequest { threads, ..wanted(2) }).unwrap();
    let kept: Vec<u8> = setup.threads.iter().map(|thread| thread.slot.number()).collect();
    assert_eq!(kept, [1, 6], "slot 2 has another agent now, slot 6 is only silent");
}
