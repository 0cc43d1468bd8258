//! What is done rather than said.

use enact_drama::dice::Dice;

use super::{
    read_so_far::ReadSoFar,
    traits::{Mood, Traits},
};

/// A gesture for a mood that was not made yet in this scene; often one of the sheet's own habits.
///
/// `place` of `places` keeps those who move in the same beat apart: they cannot see each other.
pub(super) fn gesture(
    mood: Mood,
    traits: &Traits,
    read: &ReadSoFar,
    dice: &mut Dice,
    (place, places): (usize, usize),
) -> Option<String> {
    let fresh = |gesture: &str| !read.was_made(gesture);
    let habits = traits.habits.iter().filter(|(when, _)| *when == mood).map(|(_, act)| act.as_str());
    let habits: Vec<&str> = habits.filter(|act| fresh(act)).collect();
    let (habit, is_habitual) = (dice.pick(&habits).copied(), dice.one_in(2));
    if let Some(habit) = habit.filter(|_| is_habitual) {
        return Some(habit.to_owned());
    }
    let mine = mood.words().gestures.iter().skip(place).step_by(places.max(1));
    let fresh: Vec<&String> = mine.filter(|gesture| fresh(gesture)).collect();
    dice.pick(&fresh).map(|gesture| (*gesture).clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::improviser::traits::MOODS;

    #[test]
    fn no_gesture_belongs_to_two_moods() {
        let mut all: Vec<&String> = MOODS.values().flat_map(|mood| mood.gestures.iter()).collect();
        assert_eq!(MOODS.len(), Mood::Pleased as usize + 1, "every mood has its words");
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
                    gesture(Mood::Calm, &Traits::default(), &ReadSoFar::default(), &mut dice, (place, 3))
                })
                .collect();
            made.sort_unstable();
            made.dedup();
            assert_eq!(made.len(), 3);
        }
    }
}
