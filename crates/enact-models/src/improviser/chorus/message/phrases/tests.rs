//! How phrases are found.

use super::*;

fn found(phrase: &str, message: &str) -> bool {
    let groups: Groups = crate::content::read("groups", r#"took = ["took", "swallow*", "got into"]"#);
    let phrase = phrase.to_owned();
    let phrases = PhraseList::new([(&phrase, ())].into_iter(), &groups);
    phrases.find(&spelling::meant(message, phrases.words())).is_some()
}

#[test]
fn phrases_are_found_as_lists_have_them() {
    for (phrase, messages, others) in [
        (
            "hurt myself",
            &["I hurt myself", "i really HURT my self!"][..],
            &["hurt by myself", "myself hurt"][..],
        ),
        ("hurt|harm myself", &["harm myself"], &["hurt harm", "warm myself"]),
        ("bleed*", &["it bleeds", "bleeding"], &["blee"]),
        (
            "<took> ... pills",
            &["took pills", "I swallowed all of these old pills", "he got into the pills"],
            &["took the bus and then a boat and a train to the pills", "pills took"],
        ),
        ("(give up|stop) now", &["I give up now", "stop"], &["give"]),
        ("took # pills", &["took 40 pills"], &["took 2 pills", "took some pills"]),
        ("^ help me $", &["Help me!", "please help me"], &["help me with this", "can you help me"]),
        ("in my|the bath", &["in my bath", "in the bath"], &["in his bath"]),
        ("don't want to live", &["I do not want to live", "dont wanna live"], &["want to live"]),
    ] {
        for message in messages {
            assert!(found(phrase, message), "{phrase}: {message}");
        }
        for message in others {
            assert!(!found(phrase, message), "{phrase}: {message}");
        }
    }
}

#[test]
#[should_panic(expected = "no group <them>, named in: <them> all")]
fn a_group_that_is_not_there_is_named() {
    found("<them> all", "");
}

#[test]
#[should_panic(expected = "a phrase without words: ... the")]
fn a_phrase_says_something() {
    found("... the", "");
}

#[test]
fn what_stands_beside_an_idiom_still_counts() {
    let idiom = "killing time".to_owned();
    let idioms = PhraseList::new([(&idiom, ())].into_iter(), &Groups::new());
    let words = spelling::listed("killing time and killing him");
    assert_eq!(
        idioms.taken_out(words),
        (["_", "_", "and", "killing", "him"].map(str::to_owned).to_vec(), true)
    );
}

#[test]
#[should_panic(expected = "begins or ends with a word that is passed over: took my|the")]
fn a_phrase_does_not_end_with_a_word_that_is_passed_over() {
    found("took my|the", "");
}
