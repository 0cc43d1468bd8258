use super::*;
use crate::{record::Seq, reply::Reply, scene::Said};

fn line(number: u64, who: &str, words: &str) -> Line {
    let reply = Reply { content: words.to_owned(), ..crate::reply::parse("[TONE: calm] \"x\"").reply };
    Line::new(Seq(number), 0, Said::Actor { who: Name::new(who).unwrap(), reply })
}

fn lines(said: &[(&str, &str)]) -> Vec<Line> {
    (1..).zip(said).map(|(number, (who, words))| line(number, who, words)).collect()
}

#[test]
fn sentences_that_come_again_are_counted() {
    let said = lines(&[
        ("a", "I never saw the boat. No. No."),
        ("b", "You never saw the boat? I never saw the boat!"),
        ("a", "No. i NEVER saw, the boat…"),
    ]);
    assert_eq!(repeats(&said.iter().collect::<Vec<_>>()), 2);
}

#[test]
fn who_says_the_same_words_is_not_distinct() {
    let apart = |said: &[(&str, &str)]| distinctness(&lines(said).iter().collect::<Vec<_>>());
    assert_eq!(apart(&[]), None);
    assert_eq!(apart(&[("a", "alone with my words")]), None);
    let same = apart(&[("a", "the very same words"), ("b", "words, the very same")]).unwrap();
    assert!(same.abs() < 1e-9, "{same}");
    assert_eq!(apart(&[("a", "salt wind"), ("b", "flour oven")]), Some(1.0));
    let half = apart(&[("a", "salt wind"), ("b", "salt oven")]).unwrap();
    assert!((half - 0.5).abs() < 1e-9, "{half}");
}

#[test]
fn words_are_known_again_in_other_forms() {
    for (one, other) in [("boats", "boat"), ("boat's", "boat"), ("mended", "mending"), ("letters", "letter")]
    {
        assert_eq!(stem(one), stem(other), "{one}");
    }
    assert_ne!(stem("lamp"), stem("lamb"));
}
