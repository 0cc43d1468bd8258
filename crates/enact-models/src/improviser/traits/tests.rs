use super::*;
use enact_drama::sheet::Section;

fn sheet(title: &str, points: &[&str]) -> Sheet {
    Sheet {
        title: Some(title.to_owned()),
        body: points.join("\n"),
        sections: vec![Section {
            heading: "Behavioral Traits".to_owned(),
            points: points.iter().map(|p| (*p).to_owned()).collect(),
        }],
        ..Sheet::default()
    }
}

#[test]
fn the_seeds_alice_is_read() {
    let alice = sheet(
        "Senior Project Manager",
        &[
            "Direct communicator, sometimes too blunt",
            "Raises voice when frustrated",
            "Prone to interrupting when passionate about topic",
            "Has mentored Bob since he joined",
            "Recently dealing with stress from upper management pressure",
            "When angry: Speaks faster, uses clipped sentences",
            "When disappointed: Becomes very quiet, measured words",
            "When pleased: Relaxes posture, uses more humor",
        ],
    );
    let traits = Traits::read(&alice);
    assert!(traits.blunt && traits.interrupts && !traits.patient);
    let habits: Vec<_> = traits.habits.iter().map(|(mood, act)| (*mood, act.as_str())).collect();
    assert_eq!(
        habits,
        [(Mood::Angry, "raises voice"), (Mood::Angry, "speaks faster"), (Mood::Pleased, "relaxes posture")]
    );
}

#[test]
fn a_sheet_without_english_gives_an_even_temper() {
    assert_eq!(
        Traits::read(&sheet("店長", &["怒ると早口になる", "Wenn wütend: schreit"])),
        Traits::default()
    );
}
