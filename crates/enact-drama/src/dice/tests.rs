use super::*;

#[test]
fn the_same_key_rolls_the_same_for_ever() {
    let roll = |seed, who, beat| {
        let mut dice = Dice::new(seed, who, beat);
        [dice.below(1000), dice.below(1000), dice.below(1000)]
    };
    expect_test::expect!["[317, 864, 880]"].assert_eq(&format!("{:?}", roll(7, "alice", 3)));
    assert_ne!(roll(7, "alice", 3), roll(7, "bob", 3));
    assert_ne!(roll(7, "alice", 3), roll(7, "alice", 4));
    assert_ne!(roll(7, "alice", 3), roll(8, "alice", 3));
}

#[test]
fn rolls_stay_in_range() {
    let mut dice = Dice::new(1, "x", 0);
    assert_eq!(dice.below(0), 0);
    assert!((0..1000).all(|_| dice.below(6) < 6));
    assert_eq!(dice.pick::<u8>(&[]), None);
}
