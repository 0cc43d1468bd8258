use proptest::prelude::*;

use super::*;
use crate::chorus::{agent::tests::ids, tests::setup};

proptest! {
    #[test]
    fn whoever_speaks_the_file_is_a_plain_one(id in ids(), turn in 1u8..=3, target in 1u8..=6) {
        let mut setup = setup(1);
        setup.seats[0].agent.id = id;
        let turn = Turn::try_from(turn).unwrap();
        let path = of_speech(&setup, 0, turn, SlotId::new(target), VoiceProfile::CalmSoothing);
        prop_assert!(path.starts_with(&folder_of(setup.run)) && path.len() < 200, "{}", path);
        for part in path.split('/') {
            prop_assert!(part.starts_with(|c: char| c.is_ascii_alphanumeric()), "{}", path);
            prop_assert!(part.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_')), "{}", path);
        }
        prop_assert_eq!(path.split('/').count(), 5);
    }
}
