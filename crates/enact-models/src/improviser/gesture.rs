//! What is done rather than said.

use enact_drama::{dice::Dice, scene::Lines};

use super::temper::{Mood, Temper};

/// A gesture for a mood that nobody has made yet in this scene; often one of the sheet's own habits.
///
/// `place` of `places` keeps those who move in the same beat apart: they cannot see each other.
pub(super) fn gesture(
    mood: Mood,
    temper: &Temper,
    lines: &Lines,
    dice: &mut Dice,
    (place, places): (usize, usize),
) -> Option<String> {
    let fresh = |gesture: &str| !made(lines, gesture);
    let habits = temper.habits.iter().filter(|(when, _)| *when == mood).map(|(_, act)| act.as_str());
    let habits: Vec<&str> = habits.filter(|act| fresh(act)).collect();
    let (habit, is_habitual) = (dice.pick(&habits).copied(), dice.one_in(2));
    if let Some(habit) = habit.filter(|_| is_habitual) {
        return Some(habit.to_owned());
    }
    let mine = repertoire(mood).iter().skip(place).step_by(places.max(1)).copied();
    let fresh: Vec<&str> = mine.filter(|gesture| fresh(gesture)).collect();
    dice.pick(&fresh).map(|gesture| (*gesture).to_owned())
}

fn made(lines: &Lines, gesture: &str) -> bool {
    lines.iter().filter_map(|line| line.actor()?.1.nonverbal.as_deref()).any(|seen| seen == gesture)
}

fn repertoire(mood: Mood) -> &'static [&'static str] {
    match mood {
        Mood::Angry => &[
            "leans forward",
            "folds both arms",
            "taps the table once, hard",
            "stands up",
            "shakes a slow head",
            "stares without blinking",
            "pushes a chair back",
            "holds up a hand",
            "lets out a short breath",
            "sets both palms flat",
            "turns to the window and back",
            "lifts an eyebrow",
        ],
        Mood::Hurt => &[
            "looks away",
            "presses lips together",
            "says nothing for a moment",
            "folds a scrap of paper small",
            "blinks twice",
            "studies the floor",
            "pulls a sleeve straight",
            "swallows",
            "turns half aside",
            "rubs one temple",
        ],
        Mood::Nervous => &[
            "shifts from foot to foot",
            "clears throat",
            "rubs the back of the neck",
            "glances at the door",
            "laces fingers together",
            "fiddles with a pen",
            "looks from one face to the other",
            "scratches at a thumbnail",
            "straightens a collar",
            "winces",
            "checks the time, pretends not to",
            "crosses arms, uncrosses them",
        ],
        Mood::Ashamed => &[
            "looks down at both hands",
            "looks up at last",
            "breathes out slowly",
            "sits down",
            "shoulders drop",
            "opens both hands",
            "closes eyes for a second",
            "nods, barely",
            "rubs face with both hands",
            "bites a lip",
        ],
        Mood::Thoughtful => &[
            "tilts head",
            "waits",
            "leans back",
            "taps a finger on the chin",
            "watches closely",
            "turns a cup around by its handle",
            "nods along",
            "looks at the ceiling",
            "folds hands",
            "listens",
            "draws a small circle on the table",
            "lets the silence stand",
        ],
        Mood::Calm => &[
            "speaks softly",
            "raises both hands, palms out",
            "steps closer",
            "pulls up a chair",
            "nods slowly",
            "sits back",
            "unfolds arms",
            "puts the pen down",
            "lowers voice",
            "gestures to the empty chair",
        ],
        Mood::Pleased => &[
            "smiles a little",
            "lets out a long breath",
            "lets both hands rest",
            "loosens up",
            "half laughs",
            "nods twice",
            "shoulders ease",
            "finds a smile",
            "leans back at last",
            "rubs both eyes and laughs",
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Mood; 7] =
        [Mood::Angry, Mood::Hurt, Mood::Nervous, Mood::Ashamed, Mood::Thoughtful, Mood::Calm, Mood::Pleased];

    #[test]
    fn no_gesture_belongs_to_two_moods() {
        let mut all: Vec<&str> = ALL.iter().flat_map(|mood| repertoire(*mood)).copied().collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }

    #[test]
    fn those_who_move_in_the_same_beat_do_not_move_alike() {
        for seed in 0..50 {
            let mut made: Vec<String> = (0..3)
                .filter_map(|place| {
                    let mut dice = Dice::new(seed, "x", place as u32);
                    gesture(Mood::Calm, &Temper::default(), &Lines::default(), &mut dice, (place, 3))
                })
                .collect();
            made.sort_unstable();
            made.dedup();
            assert_eq!(made.len(), 3);
        }
    }
}
