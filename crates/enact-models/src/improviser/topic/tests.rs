use enact_drama::judge::{Goal, goals_of};

use super::*;

fn subject(prompt: &str) -> Subject {
    let cast = ["Alice", "Ann", "Anna", "Ben", "Bob", "Boris", "Mia", "Tom"];
    let goals = goals_of(&[], prompt, &cast);
    Subject::of(&Situation {
        prompt: prompt.to_owned(),
        setting: None,
        goals: goals.iter().map(|goal| Goal::read(goal, &cast)).collect(),
        cast: vec![],
        seed: 1,
        max_beats: 50,
    })
}

#[test]
fn prompts_say_what_they_are_about() {
    let cases = [
        (
            "Alice confronts Bob about missing the Henderson project deadline.",
            "the Henderson project deadline",
        ),
        ("Alice confronts Bob about project failure. Charlie mediates.", "the project failure"),
        ("Bob apologizes to Alice for being late. Alice accepts.", "being late"),
        ("Bob apologizes to Alice for missing deadline. Alice accepts.", "the deadline"),
        (
            "Bob missed an important project deadline, causing the team to lose a client.",
            "the project deadline",
        ),
        ("Two sisters argue over their mother's house.", "our mother's house"),
        ("The crew debates whether to turn the ship around.", "whether to turn the ship around"),
        ("Three friends discuss politics.", "politics"),
        ("Mia and Tom talk about Bob's drinking, again.", "Bob's drinking"),
        ("Two strangers meet in a lift that is stuck.", "all this"),
        ("Heated argument where Alice interrupts Bob mid-sentence.", "all this"),
        ("Deux amis se disputent à propos de l'héritage.", "all this"),
        ("二人が駅で話す。", "all this"),
        ("They plan a heist in the old bank.", "the heist"),
        ("Ann explains to Ben why she left.", "all this"),
        ("Anna asks Boris to marry her. Boris refuses.", "all this"),
        ("Bob refuses to apologize; Alice demands an explanation.", "all this"),
        ("Bob proposes a trip. Alice accepts.", "the trip"),
        ("Bob proposes to Alice.", "all this"),
        ("Bob asks her to dance.", "all this"),
        ("Everyone admits they lied.", "all this"),
        ("Bob is about to leave.", "all this"),
        ("Mia asks Tom whether he is coming.", "all this"),
        ("Alice accepts the offer of dinner.", "the offer of dinner"),
        ("Alice accepts Bob's apology.", "all this"),
        ("Alice forgives Bob for forgetting her birthday.", "the birthday"),
        ("Alice confronts Bob about hurting her.", "all this"),
        ("A family dinner.", "the family dinner"),
        ("", "all this"),
    ];
    for (prompt, expected) in cases {
        assert_eq!(subject(prompt).phrase, expected, "{prompt}");
    }
}

#[test]
fn possessives_follow_the_speaker() {
    let phrase = "Bob's drinking";
    assert_eq!(said_by(phrase, "Mia", Some("Bob")), "your drinking");
    assert_eq!(said_by(phrase, "Bob", Some("Mia")), "my drinking");
    assert_eq!(said_by(phrase, "Mia", Some("Tom")), "Bob's drinking");
    assert_eq!(said_by("lying to Mia", "Mia", Some("Tom")), "lying to me");
    assert_eq!(said_by("losing Tom's keys", "Mia", Some("Tom")), "losing your keys");
}
