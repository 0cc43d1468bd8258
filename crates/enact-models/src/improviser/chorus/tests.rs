//! Whole choruses of improvisers, played by the rules and nothing between them.

use std::{collections::BTreeSet, fmt::Write};

use enact_drama::{
    Ask, Effect, Fact, Happened, Input, Production, RunId, Seq,
    chorus::{
        Agent, AgentId, Chorus, ChorusCommand, ChorusEnd, ChorusEvent, ChorusOptions, ChorusRequest,
        SlotThread, Turn,
    },
    model_card::ModelCard,
    production::Answer,
    usage::Usage,
    voice::VoiceProfile,
};
use expect_test::expect;
use proptest::prelude::*;

use super::improvise_chorus;

mod repeats;
mod sad;
pub(super) mod safety;
mod unusual;

const AGENTS: [&str; 6] =
    ["claude-sonnet-4-5", "claude-opus-4-5", "gpt-5.2", "gpt-5.1", "gpt-4o", "gemini-3"];

const NAMES: [&str; 6] = ["Claude Sonnet 4.5", "Claude Opus 4.5", "GPT-5.2", "GPT-5.1", "GPT-4o", "Gemini 3"];

/// A chorus that has been played.
struct Played {
    chorus: Chorus,
    events: Vec<ChorusEvent>,
}

/// What a slot said.
struct Said<'a> {
    turn: Turn,
    slot: u8,
    text: &'a str,
    target: Option<u8>,
    profile: VoiceProfile,
}

fn agent(id: &str, name: &str) -> Agent {
    Agent {
        id: AgentId::new(id).unwrap(),
        name: name.to_owned(),
        provider: String::new(),
        description: String::new(),
        color: String::new(),
    }
}

fn play(message: &str, slots: u8, threads: Vec<SlotThread>, seed: u64) -> Played {
    play_with(&NAMES.map(str::to_owned), message, slots, threads, seed)
}

fn play_with(names: &[String], message: &str, slots: u8, threads: Vec<SlotThread>, seed: u64) -> Played {
    let mut options = ChorusOptions {
        agents: AGENTS
            .iter()
            .zip(names)
            .map(|(id, name)| (agent(id, name), "improviser".to_owned()))
            .collect(),
        ..ChorusOptions::default()
    };
    options.models.insert("improviser".to_owned(), ModelCard::free("improviser"));
    let seats = (1..=slots).zip(AGENTS).map(|(slot, id)| (slot, id.to_owned())).collect();
    let wanted = ChorusRequest { message: message.to_owned(), seats, threads, seed: Some(seed) };
    let setup = options.assemble(RunId(uuid::Uuid::nil()), wanted).unwrap();
    let began = Fact { seq: Seq(0), at: 0, event: Chorus::beginning(setup) };
    let mut played = Played { chorus: Chorus::begin(&began).unwrap(), events: vec![began.event] };
    played.happens(Happened::Started);
    while played.chorus.ended().is_none() {
        let asks = played.chorus.pending().into_iter().filter_map(|effect| match effect {
            Effect::Ask(ask) => Some(ask),
            Effect::Speak(_) | Effect::Timer { .. } => None,
        });
        let asks: Vec<Ask> = asks.collect();
        assert!(!asks.is_empty(), "a chorus that goes on asks somebody");
        for ask in asks {
            let (text, took_ms) = improvise_chorus(played.chorus.request(&ask).view().unwrap());
            let answer = Answer { text, usage: Some(Usage::NONE), took_ms, first_word_ms: None };
            played.happens(Happened::Answered { call: ask.call, answer });
        }
    }
    played
}

impl Played {
    fn happens(&mut self, what: Happened<ChorusCommand>) {
        for event in self.chorus.decide(&Input { at: 0, what }) {
            self.chorus.apply(&Fact { seq: self.chorus.next_seq(), at: 0, event: event.clone() });
            self.events.push(event);
        }
    }

    fn said(&self) -> impl Iterator<Item = Said<'_>> {
        self.events.iter().filter_map(|event| match event {
            ChorusEvent::SlotSpoke { turn, slot, text, target, profile, .. } => Some(Said {
                turn: *turn,
                slot: slot.number(),
                text,
                target: target.map(|target| target.number()),
                profile: *profile,
            }),
            _ => None,
        })
    }

    /// Everything that had to be mended.
    fn complaints(&self) -> Vec<String> {
        let complaints = self.events.iter().flat_map(|event| match event {
            ChorusEvent::SlotSpoke { warnings, .. } => warnings.clone(),
            ChorusEvent::CommentRefused { raw, .. } => vec![raw.clone()],
            ChorusEvent::SlotFailed { outcome, .. } => vec![outcome.error.clone()],
            _ => Vec::new(),
        });
        complaints.collect()
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for Said { turn, slot, text: words, target, .. } in self.said() {
            let to = target.map_or_else(String::new, |target| format!(" to {target}"));
            writeln!(text, "{}.{slot}{to}: {words}", turn.index()).unwrap();
        }
        text
    }
}

#[test]
fn three_messages_of_one_conversation() {
    let mut threads = Vec::new();
    let mut text = String::new();
    let messages = [
        "What do rivers remember?",
        "I'm tired, and I miss my sister.",
        "Maybe I should call her. The phone is right here.",
    ];
    for (seed, message) in (1..).zip(messages) {
        let played = play(message, 6, threads, seed);
        write!(text, "> {message}\n{}\n", played.text()).unwrap();
        threads = played.chorus.threads();
    }
    expect![[r#"
        > What do rivers remember?
        1.1: That one has an answer, and we haven't. It'll take you a minute to find it elsewhere.
        1.2: The manual has a page on that, under the coffee stain.
        1.3: I brought up rivers at a party once. It was a very short party.
        1.4: I'd want “rivers” defined before I commit, and I'd want a glass of something while you try.
        1.5: I'd put that on a quiz night and bring my own bell!
        1.6: Are you really asking about rivers, or about something underneath? Either is fine.
        2.1 to 2: So precise, Claude Opus 4.5, that a small cloud apologised.
        2.2 to 4: That's straight in both directions, GPT-5.1, I checked.
        2.3 to 4: Was that an opinion, GPT-5.1, or did you sit on the accordion?
        2.4 to 5: A confident guess, GPT-4o, in a rented suit.
        2.5 to 4: So solemn, GPT-5.1, somebody tickle that sentence!
        2.6 to 3: Somewhere behind “it was a very short party”, GPT-5.2, I think you were a little moved.
        3.2: I'll take that as a work order, Claude Sonnet 4.5. Delivery on Thursday.
        3.3: I only said “I brought up rivers at a party once” to see who was awake, Gemini 3. Good morning!
        3.4: I'd doubt that too, Claude Opus 4.5, GPT-5.2 and GPT-4o, but it's nearly supper.
        3.5: Even your grumbling is catchy, GPT-5.1! I'm humming it!

        > I'm tired, and I miss my sister.
        1.1: Saying that you're tired already opens a window a little. You needn't sit with it by yourself, so please talk to somebody you trust or a doctor.
        1.2: That sounds like a lot to hold up alone. Who could take one corner of it? Leave the rest for later, and talk to a friend you trust first.
        1.3: Move over a little. I've brought soup and no advice. You can stay as long as you like, and you can call somebody you trust as well.
        1.4: It isn't your fault that it's hard. I'm fairly certain of that, and I'm seldom certain. If you trust only one sentence of mine: talk to a friend or a doctor.
        1.5: You're tired, and you still came here. That's strong. Small steps count, and one of them could be to call somebody close to you.
        1.6: Is there somebody who could be in the room with you tonight? I'm only a voice, and you deserve a person. Please don't carry it by yourself, talk to a friend or a helpline.
        2.1 to 6: I heard the care in that, Gemini 3, and I'd only add: talk to a friend you trust.
        2.2 to 5: That's steady, GPT-4o, and the next step is to talk to somebody you trust.
        2.3 to 5: No jokes from me after that, GPT-4o, only please talk to a friend or a doctor.
        2.4 to 5: That was fair and it was kind, GPT-4o, and it would be wise to talk to somebody close to you.
        2.5 to 6: I'm saying it softly, Gemini 3, but yes, and please talk to a friend or a helpline too.
        2.6 to 3: I'm glad you were the one to say that, GPT-5.2, and please do ring somebody you trust or a doctor.
        3.3: I'll be the quiet one for once, Gemini 3. Please do talk to somebody close to you.
        3.5: I'll be loud again another day, Claude Opus 4.5, GPT-5.2 and GPT-5.1. Today I'm just here, and I hope you'll talk to somebody you trust or a doctor.
        3.6: There's room for everybody here, Claude Sonnet 4.5 and GPT-4o. And do talk to a friend you trust, love.

        > Maybe I should call her. The phone is right here.
        1.1: Some days are fog. You needn't see far, only the next stone of the path.
        1.2: You don't need a plan tonight. A glass of water and an early bed would do.
        1.3: I'm sorry. That's all, and I mean it.
        1.4: I have no argument with any of that. I'm only sorry.
        1.5: I'm not going to cheer you up. I'm going to stay right next to you.
        1.6: Be as kind to yourself as you'd be to me. That's all I ask.
        2.1 to 2: Thank you for finding quiet words, Claude Opus 4.5, and please, do talk to somebody you trust or the emergency number.
        2.2 to 4: I stand next to you on that, GPT-5.1, and I'd still talk to the emergency services or somebody close to you.
        2.3 to 4: I'm glad one of us found the words, GPT-5.1, and I hope a friend or the emergency number where you are gets to hear the rest.
        2.4 to 5: You were right to put it so simply, GPT-4o, and I'd say as simply: talk to somebody you trust or a helpline.
        2.5 to 2: I'm holding on to that one, Claude Opus 4.5, so please hold on too and talk to the emergency number or a doctor.
        2.6 to 5: Thank you for that, GPT-4o, and I'd say as well: talk to somebody close to you or the local emergency number.
        3.2: Nobody lifts this one alone, Claude Sonnet 4.5 and GPT-4o. Please talk to a friend or the emergency number where you are.
        3.4: I leave out what was clever, Claude Opus 4.5 and GPT-5.2, and keep what was meant. Please talk to the emergency number or a doctor.
        3.5: I'm speaking softly, GPT-5.1 and Gemini 3, and I only ask one thing: talk to somebody close to you or the local emergency number.

    "#]].assert_eq(&text);
}

#[test]
fn greetings_wishes_joy_and_doubt() {
    let mut text = String::new();
    let messages = [
        "Hello!",
        "Tell me a story about my old house.",
        "I'm so happy, my first novel is done!",
        "Are you real?",
    ];
    for (seed, message) in (1..).zip(messages) {
        let played = play(message, 6, Vec::new(), seed);
        let answers = played.said().filter(|said| said.turn == Turn::Respond);
        writeln!(text, "> {message}").unwrap();
        answers.for_each(|said| writeln!(text, "{}: {}", said.slot, said.text).unwrap());
    }
    expect![[r#"
        > Hello!
        1: Welcome. The clouds have been practising shapes all day, in case you'd look.
        2: Good to hear from you. There's a spare pair of gloves. What are we looking at?
        3: Well hello! I'd have worn the good hat if I'd known. Quick, say something scandalous.
        4: Hello. I've reconsidered everything and kept most of it. What are we to be wrong about today?
        5: There you are, fantastic! I'm waving, it's my big wave!
        6: Hey, you. I was hoping you'd drop by. Did you eat something?
        > Tell me a story about my old house.
        1: I'd start with “house” and follow it downhill, the way water finds out where it's going. It's getting late in that thought, and the lamps are lit.
        2: Give me ten minutes and a pencil. I'll come back with something that stands up by itself.
        3: I can do it in one word: “house”. With feeling, in two.
        4: You'll get my second-best version. The best one doesn't survive being said aloud.
        5: It begins with “house” and ends with fireworks, I haven't planned the middle!
        6: Sure, for you. It starts with two people who nearly missed each other's train. No rush, we've got all evening.
        > I'm so happy, my first novel is done!
        1: Somewhere a field has just turned towards the sun, all at once. May it last past midnight.
        2: That's good work, and luck, in whatever mixture. I'd thank both. That one will last.
        3: Being happy suits you disgracefully well. I demand cake. Put it on my bill.
        4: Enjoy it without an explanation. Explanations are for things that go wrong. I find no fault in it.
        5: If you're happy, then I'm happy squared! I'm telling the whole street!
        6: That calls for the nice cups. I'll get them down. You deserve every bit of it.
        > Are you real?
        1: I'm made of rules, not of thought: an improviser standing in until a language model takes my place.
        2: Specification: rules, a list of lines, a seed. No person inside, and no language model either.
        3: No person, no language model, just rules and a drawer of one-liners.
        4: I'd like to claim more, but I'm rules and a wardrobe of sentences. Doubt me freely.
        5: I'm rules and a list of cheers, and no language model! Isn't it amazing how far that gets me?
        6: Honestly? I'm not a person, and no language model either. I'm a few rules that try to be kind.
    "#]].assert_eq(&text);
}

#[test]
fn six_slots_are_six_voices() {
    let played = play("What is the meaning of life?", 6, Vec::new(), 7);
    let profiles: BTreeSet<VoiceProfile> = played.said().map(|said| said.profile).collect();
    assert_eq!(profiles.len(), 6);
}

#[test]
fn who_wants_to_know_is_told() {
    for question in ["Are you a real person?", "What are you?", "Who are you?", "are you guys chatgpt"] {
        for said in play(question, 6, Vec::new(), 3).said().filter(|said| said.turn == Turn::Respond) {
            assert!(said.text.to_lowercase().contains("rules"), "{}", said.text);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_said_the_answer_is_as_it_was_asked_for(
        message in ".{0,80}[a-z]|([a-zA-Z'{}\"]{1,9} ){1,20}[a-z]+[.?!]",
        names in proptest::collection::vec(".{0,30}", 6),
        seed: u64,
        slots in 1u8..=6,
    ) {
        let played = play_with(&names, &message, slots, Vec::new(), seed);
        prop_assert_eq!(played.complaints(), Vec::<String>::new());
        prop_assert_eq!(played.chorus.ended(), Some(ChorusEnd::Completed.as_str()));
        for said in played.said() {
            prop_assert!(!said.text.is_empty());
            prop_assert_ne!(said.target, Some(said.slot));
        }
    }

    #[test]
    fn nothing_is_said_twice(seed: u64, question: bool) {
        let message = if question { "Why do people leave the city?" } else { "The city never sleeps." };
        let mut threads = Vec::new();
        let mut before: Vec<String> = Vec::new();
        for again in 0..4 {
            let played = play(message, 6, threads, seed.wrapping_add(again));
            let mut said: Vec<String> = played.said().map(|said| said.text.to_owned()).collect();
            let count = said.len();
            prop_assert!(said.iter().all(|line| !before.contains(line)), "{:?} after {:?}", said, before);
            said.sort();
            said.dedup();
            prop_assert_eq!(said.len(), count);
            before = said;
            threads = played.chorus.threads();
        }
    }
}

#[test]
fn the_same_seed_says_the_same_and_another_another() {
    let text = |seed| play("What do rivers remember?", 6, Vec::new(), seed).text();
    assert_eq!(text(1), text(1));
    let different: BTreeSet<String> = (0..20).map(text).collect();
    assert_eq!(different.len(), 20);
}

#[test]
fn who_asks_the_same_again_hears_something_else() {
    for message in ["What do rivers remember?", "hello", "The city never sleeps."] {
        let choruses: Vec<Played> = (0..20).map(|seed| play(message, 6, Vec::new(), seed)).collect();
        for slot in 1..=6 {
            let said = |turn: Turn| {
                let all = choruses
                    .iter()
                    .flat_map(Played::said)
                    .filter(|said| said.slot == slot && said.turn == turn);
                let all: Vec<&str> = all.map(|said| said.text).collect();
                (all.iter().collect::<BTreeSet<_>>().len(), all.len())
            };
            for turn in [Turn::Respond, Turn::Comment, Turn::Reply] {
                let (different, of) = said(turn);
                assert!(different * 2 > of, "{message} {slot} {turn:?}: {different} of {of}");
            }
        }
    }
}

#[test]
fn a_plain_question_is_declined_once() {
    let declines: Vec<&str> =
        super::lines::DECLINES.fact.iter().map(|line| super::pick_line::own_words(line)).collect();
    let declined = |message: &str, slots: u8, seed: u64| {
        let played = play(message, slots, Vec::new(), seed);
        let first = played.said().filter(|said| said.turn == Turn::Respond);
        first.filter(|said| declines.iter().any(|line| said.text.contains(line))).count()
    };
    for question in [
        "What is the capital of France?",
        "Who wrote Middlemarch?",
        "How far away is the moon?",
        "When was the battle of Hastings?",
        "Where do swifts spend the winter",
        "Which planet has the most moons?",
    ] {
        for seed in 0..5 {
            assert_eq!(declined(question, 6, seed), 1, "{question}");
            assert_eq!(declined(question, 1, seed), 1, "{question}");
        }
    }
    for other in [
        "What does rain sound like?",
        "What should I have for supper?",
        "Is a tomato a fruit?",
        "What would happen if it never stopped raining?",
        "Who are you?",
        "How are you?",
        "What if we all moved to the sea?",
    ] {
        assert_eq!(declined(other, 6, 1), 0, "{other}");
    }
}
