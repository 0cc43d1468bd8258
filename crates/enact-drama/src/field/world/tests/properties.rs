//! Random worlds with minds that are slow, silent, lie, and answer late and twice.

use proptest::prelude::*;

use crate::field::world::fuzz::TroubledField;

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn whatever_minds_do_the_invariants_hold_and_nobody_is_stuck(seed in any::<u64>()) {
        let mut trouble = TroubledField::new(seed);
        for _ in 0..1_200 {
            let wrong = trouble.tick();
            prop_assert!(wrong.is_empty(), "seed {seed}, tick {}: {wrong:?}", trouble.world().now());
        }
    }
}
