use super::*;
use crate::model_card::ModelCard;

fn cards() -> Cards {
    let fallback = vec!["second".to_owned(), "third".to_owned()];
    let first = ModelCard { fallback, ..ModelCard::free("first") };
    Cards::from([("first".to_owned(), first), ("second".to_owned(), ModelCard::free("second"))])
}

#[test]
fn ranks_are_the_order_in_which_models_are_asked() {
    let cards = cards();
    let ranks: Vec<Option<&str>> = (0..4).map(|rank| model_at(&cards, "first", rank)).collect();
    assert_eq!(ranks, [Some("first"), Some("second"), Some("third"), None]);
    for (rank, model) in ["first", "second", "third"].into_iter().enumerate() {
        assert_eq!(rank_of(&cards, "first", model), rank);
    }
    assert_eq!(rank_of(&cards, "first", "of another log"), 0);
    assert_eq!(model_at(&cards, "unknown", 1), None);
}

#[test]
fn a_model_leaves_time_to_those_after_it() {
    let cards = cards();
    assert_eq!(timeout_ms(&cards, "first", 0, 30_000), 20_000);
    assert_eq!(timeout_ms(&cards, "first", 2, 10_000), 10_000);
    assert_eq!(timeout_ms(&cards, "second", 0, 30_000), 30_000);
}

#[test]
fn a_clock_that_jumps_gives_no_time() {
    assert_eq!(left_ms(30_000, 1_000, 11_000), 20_000);
    assert_eq!(left_ms(30_000, 1_000, i64::MAX), 0);
    assert_eq!(left_ms(30_000, 1_000, -5), 30_000);
    assert!(is_enough(3_000, 30_000) && !is_enough(2_999, 30_000) && !is_enough(0, 5));
}
