use std::sync::{Arc, Mutex};

use enact_http::redact::REDACTED;
use proptest::prelude::*;

use super::*;
use crate::http::answer::without_thoughts;

const KEY: &str = "sk-aab";

/// What is shown of an answer that comes in these pieces.
fn shown<'a>(pieces: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let live = LiveText::to({
        let heard = heard.clone();
        move |text| heard.lock().unwrap().push(text.to_owned())
    });
    // One secret may come in the midst of another's pieces.
    let secrets = [ApiKey::new("another-0815-secret"), ApiKey::new(KEY)];
    let mut filter = LiveFilter::new(&live, &secrets);
    pieces.into_iter().for_each(|piece| filter.push(piece));
    filter.finish();
    let heard = heard.lock().unwrap();
    heard.clone()
}

#[test]
fn words_are_said_as_they_come() {
    for (pieces, expected) in [
        (vec!["[TONE: ", "calm] \"", "Yes.\""], vec!["[TONE: ", "calm] \"", "Yes.\""]),
        (vec!["<thi", "nk>Hm.", "</th", "ink>\n\n", "[SIL", "ENT]"], vec!["[SIL", "ENT]"]),
        (vec!["<thi", "s>"], vec!["<this>"]),
        (vec![" ", "Well."], vec![" Well."]),
        (vec!["<think>Hm, hm"], vec![]),
        (vec!["ask", "-", "me"], vec!["a", "sk-me"]),
        (vec!["my sk-", "aa", "b!"], vec!["my ", "…!"]),
    ] {
        assert_eq!(shown(pieces.clone()), expected, "{pieces:?}");
    }
}

proptest! {
    #[test]
    fn however_it_comes_it_is_the_text_of_the_answer(
        pieces in prop::collection::vec("(<think>|</think>|<th|ink>|sk-|aa|b|sk-aab|…| |\n|é|word){0,3}", 0..12),
    ) {
        let whole = without_thoughts(&pieces.concat()).replace(KEY, REDACTED);
        prop_assert_eq!(shown(pieces.iter().map(String::as_str)).concat(), whole);
    }
}
