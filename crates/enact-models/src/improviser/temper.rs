//! What a character sheet says about how somebody talks. English words only; a sheet in another language gives an
//! even temper, which is honest: the improviser cannot read it.

use enact_drama::sheet::Sheet;

/// The traits the lines know about.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Temper {
    pub(super) blunt: bool,
    pub(super) nervous: bool,
    pub(super) warm: bool,
    pub(super) interrupts: bool,
    /// Would not cut anybody off unless the scene asks for it.
    pub(super) patient: bool,
    pub(super) boss: bool,
    pub(super) pressed: bool,
    /// What the sheet says the character does, by mood: "When angry: Speaks faster, …" gives `(angry, speaks faster)`.
    pub(super) habits: Vec<(Mood, String)>,
}

/// What somebody feels, as coarsely as gestures need it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Mood {
    Angry,
    Hurt,
    Nervous,
    Ashamed,
    Thoughtful,
    Calm,
    Pleased,
}

const BLUNT: &[&str] =
    &["blunt", "straight to the point", "direct communicator", "no-nonsense", "outspoken", "sharp-tongued"];
const NERVOUS: &[&str] =
    &["nervous", "anxious", "insecure", "shy", "hesitant", "avoids conflict", "conflict-averse"];
const WARM: &[&str] =
    &["warm", "kind", "gentle", "empathetic", "diplomatic", "caring", "mediator", "peacemaker", "calm"];
const INTERRUPTS: &[&str] =
    &["interrupt", "cuts people off", "talks over", "impatient", "hot-headed", "short-tempered"];
const PATIENT: &[&str] =
    &["patient", "never interrupts", "soft-spoken", "good listener", "lets people finish"];
const BOSS: &[&str] =
    &["manager", "director", "lead", "head of", "chief", "captain", "boss", "supervisor", "principal", "ceo"];
const PRESSED: &[&str] = &["pressure", "upper management", "own boss"];

/// Which words of a sheet stand for which mood. The first that fits counts.
const MOODS: &[(&str, Mood)] = &[
    ("angry", Mood::Angry),
    ("frustrated", Mood::Angry),
    ("furious", Mood::Angry),
    ("disappointed", Mood::Hurt),
    ("hurt", Mood::Hurt),
    ("sad", Mood::Hurt),
    ("nervous", Mood::Nervous),
    ("defensive", Mood::Nervous),
    ("stressed", Mood::Nervous),
    ("uneasy", Mood::Nervous),
    ("uncomfortable", Mood::Nervous),
    ("ashamed", Mood::Ashamed),
    ("guilty", Mood::Ashamed),
    ("thinking", Mood::Thoughtful),
    ("listening", Mood::Thoughtful),
    ("calm", Mood::Calm),
    ("relieved", Mood::Pleased),
    ("pleased", Mood::Pleased),
    ("happy", Mood::Pleased),
];

/// A gesture longer than this is a paragraph, not a gesture.
const LONGEST_HABIT: usize = 48;

impl Temper {
    pub(super) fn read(sheet: &Sheet) -> Temper {
        let body = sheet.body.to_lowercase();
        let title = sheet.title.as_deref().unwrap_or_default().to_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| body.contains(word));
        let patient = says(PATIENT) && !body.contains("impatient");
        Temper {
            blunt: says(BLUNT),
            nervous: says(NERVOUS),
            warm: says(WARM),
            interrupts: !patient && says(INTERRUPTS),
            patient,
            boss: BOSS.iter().any(|word| title.contains(word)),
            pressed: says(PRESSED),
            habits: sheet
                .sections
                .iter()
                .flat_map(|section| &section.points)
                .filter_map(|p| habit(p))
                .collect(),
        }
    }

    /// Whether the sheet says this character has taken that one under its wing.
    pub(super) fn mentored(sheet: &Sheet, other: &str) -> bool {
        let other = other.to_lowercase();
        sheet.sections.iter().flat_map(|section| &section.points).any(|point| {
            let point = point.to_lowercase();
            point.contains("mentor") && point.contains(&other)
        })
    }
}

/// Reads "When angry: Speaks faster, uses clipped sentences" and "Raises voice when frustrated".
fn habit(point: &str) -> Option<(Mood, String)> {
    let lower = point.to_lowercase();
    let (when, act) = match lower.strip_prefix("when ") {
        Some(rest) => rest.split_once(':')?,
        None => lower.split_once(" when ").map(|(act, when)| (when, act))?,
    };
    let mood = MOODS.iter().find(|(word, _)| when.contains(word))?.1;
    let act = act.split([',', ';', '.', '(']).next()?.trim();
    let first = act.split_whitespace().next()?;
    // "Speaks faster" can be done on stage; "Very quiet" and "Prone to shouting" cannot, and "becomes" is no gesture.
    let playable = first.ends_with('s') && !first.ends_with("ss") && !NOT_SEEN.contains(&first);
    let plain = !act.contains(['*', '"', '[', ']']) && act.len() <= LONGEST_HABIT;
    (playable && plain).then(|| (mood, act.to_owned()))
}

/// Verbs that sheets use for what cannot be seen.
const NOT_SEEN: &[&str] =
    &["becomes", "gets", "is", "feels", "tends", "has", "wants", "needs", "always", "uses", "struggles"];

#[cfg(test)]
mod tests {
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
        let temper = Temper::read(&alice);
        assert!(temper.blunt && temper.interrupts && temper.boss && temper.pressed && !temper.patient);
        let habits: Vec<_> = temper.habits.iter().map(|(mood, act)| (*mood, act.as_str())).collect();
        assert_eq!(
            habits,
            [
                (Mood::Angry, "raises voice"),
                (Mood::Angry, "speaks faster"),
                (Mood::Pleased, "relaxes posture")
            ]
        );
        assert!(Temper::mentored(&alice, "Bob") && !Temper::mentored(&alice, "Charlie"));
    }

    #[test]
    fn a_sheet_without_english_gives_an_even_temper() {
        assert_eq!(
            Temper::read(&sheet("店長", &["怒ると早口になる", "Wenn wütend: schreit"])),
            Temper::default()
        );
    }
}
