//! Forms of English verbs, and the stem by which two forms of a word are the same.

use std::{borrow::Cow, collections::HashMap, sync::LazyLock};

/// One irregular verb.
struct Irregular {
    past: Vec<&'static str>,
    participle: Vec<&'static str>,
}

static IRREGULAR: LazyLock<HashMap<&'static str, Irregular>> = LazyLock::new(|| {
    let lines = include_str!("irregular_verbs.txt").lines();
    lines
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| {
            let mut columns = line.split(' ');
            let (plain, past) = (columns.next()?, columns.next()?);
            let forms = |column: &'static str| column.split('|').collect::<Vec<_>>();
            let participle = forms(columns.next().unwrap_or(past));
            Some((plain, Irregular { past: forms(past), participle }))
        })
        .collect()
});

/// The plain form that each irregular form belongs to.
static PLAIN: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let mut plain = HashMap::new();
    let mut verbs: Vec<_> = IRREGULAR.iter().collect();
    // "lay" and "found" are verbs of their own and forms of others: the order decides, so it has to be fixed.
    verbs.sort_unstable_by_key(|(verb, _)| **verb);
    for (verb, forms) in verbs {
        for form in forms.past.iter().chain(&forms.participle) {
            plain.entry(*form).or_insert(*verb);
        }
    }
    plain
});

/// Every form of a verb: "give", "gives", "gave", "given", "giving".
pub fn forms(verb: &str) -> Vec<String> {
    let mut forms = vec![verb.to_owned(), third_person(verb), ing(verb)];
    match IRREGULAR.get(verb) {
        Some(irregular) => {
            forms.extend(irregular.past.iter().chain(&irregular.participle).map(|form| (*form).to_owned()));
        }
        None => forms.push(past(verb)),
    }
    forms.sort_unstable();
    forms.dedup();
    forms
}

/// Whether a word can be the participle of a passive or a perfect: "given", "burnt", "released".
pub fn is_participle(word: &str) -> bool {
    let irregular = PLAIN.get(word).and_then(|verb| IRREGULAR.get(verb));
    word.ends_with("ed") || irregular.is_some_and(|forms| forms.participle.contains(&word))
}

/// "gives", "watches", "carries".
pub fn third_person(verb: &str) -> String {
    match verb {
        "be" => "is".to_owned(),
        "have" => "has".to_owned(),
        "do" | "go" => format!("{verb}es"),
        _ if ["s", "sh", "ch", "x", "z"].iter().any(|end| verb.ends_with(end)) => format!("{verb}es"),
        _ if ends_in_consonant_y(verb) => format!("{}ies", &verb[..verb.len() - 1]),
        _ => format!("{verb}s"),
    }
}

fn past(verb: &str) -> String {
    match () {
        () if verb.ends_with('e') => format!("{verb}d"),
        () if ends_in_consonant_y(verb) => format!("{}ied", &verb[..verb.len() - 1]),
        () => format!("{}ed", doubled(verb)),
    }
}

fn ing(verb: &str) -> String {
    match () {
        () if verb.ends_with("ie") => format!("{}ying", &verb[..verb.len() - 2]),
        () if verb.len() > 2 && verb.ends_with('e') && !verb.ends_with("ee") => {
            format!("{}ing", &verb[..verb.len() - 1])
        }
        () => format!("{}ing", doubled(verb)),
    }
}

fn ends_in_consonant_y(verb: &str) -> bool {
    verb.ends_with('y') && !["ay", "ey", "oy", "uy"].iter().any(|end| verb.ends_with(end))
}

/// Endings of verbs that are stressed on them, and double their last letter although they have two syllables: "admitted".
const STRESSED: [&str; 12] =
    ["mit", "fer", "pel", "cur", "gret", "deter", "trol", "equip", "acquit", "rebel", "allot", "abet"];

/// "stop" becomes "stopp-": one syllable, or a stressed one, that ends in a single vowel and a consonant.
fn doubled(verb: &str) -> Cow<'_, str> {
    let letters: Vec<char> = verb.chars().collect();
    let vowels = letters.iter().filter(|c| is_vowel(**c)).count();
    let closed = matches!(letters[..], [.., before, vowel, last]
        if !is_vowel(before) && is_vowel(vowel) && !is_vowel(last) && !matches!(last, 'w' | 'x' | 'y'));
    match letters.last() {
        Some(last) if closed && (vowels == 1 || is_stressed(verb)) => Cow::Owned(format!("{verb}{last}")),
        _ => Cow::Borrowed(verb),
    }
}

/// "regret", but not "offer" and not "limit".
fn is_stressed(verb: &str) -> bool {
    const LIGHT: [&str; 6] = ["offer", "suffer", "differ", "pilfer", "limit", "vomit"];
    STRESSED.iter().any(|end| verb.ends_with(end)) && !LIGHT.contains(&verb)
}

fn is_vowel(c: char) -> bool {
    matches!(c, 'a' | 'e' | 'i' | 'o' | 'u')
}

/// What the forms of a word have in common, for comparing only: "stole" and "stealing" both give "steal",
/// "keys" and "key" both "key".
pub fn stem(word: &str) -> String {
    let word = PLAIN.get(word).copied().unwrap_or(word);
    let cut = |end: &str, least: usize| word.strip_suffix(end).filter(|rest| rest.chars().count() >= least);
    if let Some(rest) = cut("ies", 2).or_else(|| cut("ied", 2)) {
        return format!("{rest}i");
    }
    if let Some(rest) = cut("sses", 1) {
        return format!("{rest}ss");
    }
    let hisses = |rest: &&str| ["sh", "ch", "x", "z", "s"].iter().any(|end| rest.ends_with(end));
    let stem =
        if let Some(rest) = word.strip_suffix('d').filter(|rest| rest.len() > 3 && rest.ends_with("ee")) {
            rest
        } else if let Some(rest) = cut("ing", 3).or_else(|| cut("ed", 3)) {
            undoubled(rest)
        } else if let Some(rest) = cut("es", 3).filter(hisses) {
            rest
        } else if word.ends_with("ss") || word.ends_with("us") {
            word
        } else {
            cut("s", 3).unwrap_or(word)
        };
    let stem = stem.strip_suffix('e').filter(|rest| rest.chars().count() >= 3).unwrap_or(stem);
    match stem.strip_suffix('y').filter(|rest| rest.chars().count() >= 2) {
        Some(rest) => format!("{rest}i"),
        None => stem.to_owned(),
    }
}

fn undoubled(stem: &str) -> &str {
    let mut letters = stem.chars().rev();
    match (letters.next(), letters.next()) {
        (Some(last), Some(before)) if last == before && !matches!(last, 'e' | 'l' | 's' | 'z') => {
            &stem[..stem.len() - last.len_utf8()]
        }
        _ => stem,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_share_a_stem() {
        let verbs = ["burn", "steal", "stop", "carry", "watch", "take", "apologise", "give", "beg", "agree"];
        for verb in verbs {
            for form in forms(verb) {
                assert_eq!(stem(&form), stem(verb), "{form}");
            }
        }
        for (one, other) in [("keys", "key"), ("dishes", "dish"), ("studies", "study"), ("glasses", "glass")]
        {
            assert_eq!(stem(one), stem(other));
        }
        assert_ne!(stem("bus"), stem("bu"));
        assert_ne!(stem("feed"), stem("fee"));
    }

    #[test]
    fn verbs_have_their_forms() {
        assert_eq!(forms("beg"), ["beg", "begged", "begging", "begs"]);
        assert_eq!(forms("give"), ["gave", "give", "given", "gives", "giving"]);
        assert_eq!(forms("deny"), ["denied", "denies", "deny", "denying"]);
    }
}
