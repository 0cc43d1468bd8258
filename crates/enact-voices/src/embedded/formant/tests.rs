use super::*;

fn tone(hz: f32) -> Vec<f32> {
    (0..16_000).map(|at| (2.0 * std::f32::consts::PI * hz * at as f32 / 16_000.0).sin()).collect()
}

fn crossings(samples: &[f32]) -> usize {
    samples.windows(2).filter(|pair| pair[0] < 0.0 && pair[1] >= 0.0).count()
}

#[test]
fn sound_becomes_higher_and_shorter_and_stays_as_loud() {
    for throat in [0.85, 0.93, 1.1, 1.25] {
        let sound = shift(tone(400.0), throat);
        assert!((sound.len() as f32 - 16_000.0 / throat).abs() <= 1.0);
        assert!(crossings(&sound).abs_diff(400) <= 1, "{throat}");
        let power = sound.iter().map(|sample| sample * sample).sum::<f32>() / sound.len() as f32;
        assert!((power - 0.5).abs() < 0.01, "{throat}: {power}");
    }
}

#[test]
fn what_becomes_too_high_is_not_folded_back() {
    let sound = shift(tone(7_800.0), 1.25);
    assert!(sound[100..10_000].iter().all(|sample| sample.abs() < 0.1));
}

#[test]
fn the_own_throat_changes_nothing() {
    assert_eq!(shift(tone(300.0), 1.0), tone(300.0));
    assert!(shift(vec![], 1.2).is_empty());
}
