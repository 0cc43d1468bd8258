//! Words that speak of the same matter: "rifle" and "gun", "pay" and "debt".

use std::{collections::HashMap, sync::LazyLock};

use super::inflection::stem;

/// The lines of `related_words.txt` that a stem stands in.
static GROUPS: LazyLock<HashMap<String, Vec<usize>>> = LazyLock::new(|| {
    let mut groups: HashMap<String, Vec<usize>> = HashMap::new();
    let lines = include_str!("related_words.txt").lines().enumerate();
    for (group, line) in lines.filter(|(_, line)| !line.starts_with('#')) {
        for word in line.split(' ') {
            groups.entry(stem(word)).or_default().push(group);
        }
    }
    groups
});

/// Whether two stems are of one word: the same, or one the beginning of the other ("thank", "thankful").
pub(crate) fn is_same(one: &str, other: &str) -> bool {
    /// "cat" begins "catch" and has nothing to do with it.
    const SHORTEST: usize = 4;
    one == other
        || one.len() >= SHORTEST
            && other.len() >= SHORTEST
            && (one.starts_with(other) || other.starts_with(one))
}

/// Whether two stems speak of the same matter in other words.
pub(crate) fn are_related(one: &str, other: &str) -> bool {
    match (GROUPS.get(one), GROUPS.get(other)) {
        (Some(one), Some(other)) => one.iter().any(|group| other.contains(group)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_one_matter_are_related() {
        assert!(are_related(&stem("rifle"), &stem("guns")));
        assert!(are_related(&stem("paid"), &stem("owed")));
        assert!(!are_related(&stem("rifle"), &stem("soup")));
        assert!(is_same(&stem("thank"), &stem("thankful")));
        assert!(!is_same("cat", "catch"));
    }
}
