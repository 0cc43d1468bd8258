//! temporary
use enact_drama::{judge::Act, scene::Line};
pub(super) fn shows(line: &Line, act: Act) -> bool {
    let text = line.heard().to_lowercase();
    let has = |words: &[&str]| words.iter().any(|w| text.contains(w));
    match act {
        Act::Apologise => has(&["sorry", "apolog"]),
        Act::Accept => has(&["accept"]),
        Act::Forgive => has(&["forgive"]),
        _ => true,
    }
}
