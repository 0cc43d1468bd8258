//! How signs are found together.

use super::{super::spelling, *};

fn found(text: &str, message: &str) -> bool {
    let groups: Groups = crate::content::read("groups", r#"took = ["took", "ate"]"#);
    let text = text.to_owned();
    let combinations = Combinations::new([(&text, ())].into_iter(), &groups);
    combinations.find(&spelling::meant(message, combinations.words())).is_some()
}

#[test]
fn signs_are_found_in_any_order_and_near_each_other() {
    for (text, message, wanted) in [
        ("<took> & dizzy", "I ate it and I am dizzy", true),
        ("<took> & dizzy", "I am dizzy since I took it", true),
        ("<took> & dizzy", "I am dizzy", false),
        ("burn* & burn*", "burning", false),
        ("burn* & burn*", "burn, baby, burn", true),
        ("left arm & numb & my", "numb, the whole of my left arm", true),
        ("left arm & numb", "the arm that I left is numb", false),
    ] {
        assert_eq!(found(text, message), wanted, "{text}: {message}");
    }
    let far = format!("I took the bus {} and got dizzy", "past one more town ".repeat(8));
    assert!(!found("<took> & dizzy", &far), "{far}");
}
