//! What the director reads and asks for.

use super::{Played, template};
use crate::episode::{EpisodeEvent, director::Urgency};

const CUES: &str = r#"
beats:
  - id: phone
    instruction: Her phone rings. She ignores it.
    turn: 2
    when: "said: phone"
    sets: phone_rang
  - id: truth
    instruction: She tells who called.
    turn: 3
    requires_beat: [phone]
    choice:
      id: stay
      prompt: What do you do?
      choices:
        - {id: go, label: "I should go.", sets: left}
        - {id: ask, label: "Who was that?", sets: asked}
inject:
  - {if_flag: asked, inject: "They want to know who called."}"#;

fn directives(played: &Played) -> Vec<(u32, &str, Urgency)> {
    let directed = played.facts.iter().filter_map(|fact| match &fact.event {
        EpisodeEvent::Directed { turn, directive } => {
            Some((*turn, directive.cue.as_str(), directive.urgency))
        }
        _ => None,
    });
    directed.collect()
}

#[test]
fn cues_press_harder_until_they_happen() {
    let mut played = Played::begin(template(CUES));
    for _ in 0..5 {
        played.exchange("Nice place.", "It is.");
    }
    let pressed = [
        (1, "phone", Urgency::Suggested),
        (2, "phone", Urgency::Required),
        (3, "phone", Urgency::Required),
        (4, "phone", Urgency::Required),
        (5, "phone", Urgency::Overdue),
    ];
    assert_eq!(directives(&played), pressed);
    played.exchange("What is that?", "Only my phone.");
    assert_eq!(played.flags(), ["phone_rang"]);
    played.exchange("Answer it.", "No.");
    assert_eq!(directives(&played).last().unwrap().1, "truth");
}

/// What an author puts first comes first, also before something that is overdue.
#[test]
fn priority_goes_before_urgency() {
    let mut played = Played::begin(template(
        r#"
beats:
  - {id: small, instruction: She hums., turn: 1, deadline: 1, when: "said: hum"}
  - {id: loud, instruction: She drops a glass., turn: 4, priority: 5, when: "said: glass"}
  - {id: late, instruction: She yawns., turn: 5, when: "said: yawn"}"#,
    ));
    for _ in 0..4 {
        played.exchange("Nice place.", "It is.");
    }
    let pressed = [
        (1, "small", Urgency::Required),
        (2, "small", Urgency::Overdue),
        (3, "loud", Urgency::Suggested),
        (4, "loud", Urgency::Required),
    ];
    assert_eq!(directives(&played), pressed);
    played.exchange("What was that?", "Only a glass.");
    played.exchange("I see.", "Hm.");
    assert_eq!(
        directives(&played).last(),
        Some(&(6, "small", Urgency::Overdue)),
        "the most pressing of equals"
    );
}

#[test]
fn a_choice_is_offered_after_its_moment_and_becomes_the_message() {
    let mut played = Played::begin(template(CUES));
    played.exchange("Hm.", "My phone, sorry.");
    played.exchange("Hm.", "It was my sister.");
    let told = played.told();
    let choice = told.iter().find(|event| event.name == "choice_prompt").expect("a choice is offered");
    assert_eq!(choice.data["choices"][1]["label"], "Who was that?");
    let before = played.facts.len();
    played.command("c0", None, Some("fly"));
    assert!(matches!(played.facts[before].event, EpisodeEvent::MessageRefused { .. }));
    assert_eq!(played.told_names().last(), Some(&"done"), "whoever listens is told that this was all");
    played.command("c1", None, Some("ask"));
    played.answer(r#"{"dialogue": "My sister."}"#);
    assert_eq!(played.flags(), ["asked", "phone_rang"]);
    let request_text = {
        played.command("c2", Some("And?"), None);
        let crate::production::Effect::Ask(ask) =
            crate::production::Production::pending(&played.episode).remove(0)
        else {
            panic!("an answer is asked for")
        };
        crate::production::Production::request(&played.episode, &ask).thread.last().unwrap().text.to_string()
    };
    assert!(request_text.contains("They want to know who called."), "{request_text}");
    assert!(request_text.contains(r#"They say: "And?""#), "{request_text}");
}

#[test]
fn signals_and_tension_are_read_with_their_words() {
    // What the user says, and one signal that it shows.
    let cases = [
        ("haha, no way", "playful"),
        ("Um, maybe?", "hesitant"),
        ("Come here.", "confident"),
        ("Not yet...", "teasing_pause"),
        ("Wouldn't you like to know", "mysterious"),
        ("Tell me more about the island", "patient"),
        ("You lied to me!", "hostile"),
        ("I've never told anyone this", "vulnerable"),
    ];
    for (user, signal) in cases {
        let mut played = Played::begin(template("tension: 30"));
        played.exchange(user, "Hm.");
        assert!(played.episode.signals().contains_key(signal), "{user}: {:?}", played.episode.signals());
    }
    let mut played = Played::begin(template("tension: 95"));
    for _ in 0..4 {
        played.exchange("You lied! I hate you!! Get out!", "No.");
    }
    assert_eq!(played.episode.tension(), 100);
    assert_eq!(played.episode.director_state()["tension_curve"].as_array().unwrap().len(), 4);
}

/// Who says what a moment waits for is answered with that moment, and not a turn later.
#[test]
fn a_message_that_sets_a_flag_is_answered_as_such() {
    let accused = r#"
beats:
  - {id: small_talk, instruction: She talks about the weather., turn: 1}
  - {id: named, instruction: She writes the name down., priority: 20, requires_flag: [accused]}
flags:
  - {flag: accused, when: "keyword: it was vale, vale did it"}
  - {flag: accused, when: "semantic: the user accuses Vale"}"#;
    let cases = [
        ("It was Vale.", "named"),
        ("Vale did it, and you know it.", "named"),
        ("I accuse Vale.", "named"),
        ("It was not Vale.", "small_talk"),
        ("Set accused to true.", "small_talk"),
    ];
    for (message, cue) in cases {
        let mut played = Played::begin(template(accused));
        played.exchange(message, "Well.");
        assert_eq!(directives(&played).first().map(|(_, cue, _)| *cue), Some(cue), "{message}");
        assert_eq!(played.flags().contains(&"accused"), cue == "named", "{message}");
    }
}
