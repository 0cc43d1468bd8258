//! Where somebody is cut off within a sentence: pace and melody are those of all of it, and the rest has no sound.

use flite_rs::{
    Utterance,
    ffeature::{ItemPath, path_to_item},
    phoneset::SILENCE,
};

/// The words of a sentence as they are said: numbers and abbreviations in full.
pub(super) fn words(sentence: &Utterance) -> Vec<String> {
    sentence.iter_relation("Word").map(|word| sentence.name(word).to_owned()).collect()
}

/// Takes every sound after so many words out of a sentence, and says when the last of them ends, in seconds. Nothing if none of
/// them has a sound.
///
/// It is not enough to stop then: who is about to say an "s" is heard to be before they do.
pub(super) fn after(sentence: &mut Utterance, words: usize) -> Option<f32> {
    let last_sound = ItemPath::parse("R:SylStructure.daughtern.daughtern.R:Segment");
    let heard = sentence.iter_relation("Word").take(words);
    let last = heard.filter_map(|word| path_to_item(sentence, word, &last_sound)).last()?;
    let mut rest = sentence.next(last);
    while let Some(sound) = rest {
        sentence.set_str(sound, "name", SILENCE);
        rest = sentence.next(sound);
    }
    Some(sentence.feature_f32(last, "end"))
}
