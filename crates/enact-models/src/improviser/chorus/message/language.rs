//! Whether a message is English.

use super::words::{ASKING, CONTRACTION, DOING, GREETING, HIGH, LOW, PLAIN, WANTING};

/// "Dogs chase cats" has no plain word and is English; with more different words than that there is always one.
const CHANCE_WORDS: usize = 4;

/// Mostly other letters; or more plain words of other languages than of English; or none at all, in more words than that could be
/// chance.
pub(super) fn is_foreign(text: &str, words: &[&str]) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic());
    let (ours, others): (Vec<char>, Vec<char>) = letters.partition(|c| is_latin(*c));
    let elsewhere = words.iter().filter(|word| is_elsewhere(word)).count();
    let known = words.iter().filter(|word| is_known(word) && !is_elsewhere(word)).count();
    let mut different = words.to_vec();
    different.sort_unstable();
    different.dedup();
    others.len() > ours.len() || elsewhere > known || known == 0 && different.len() >= CHANCE_WORDS
}

/// With and without accents.
fn is_latin(c: char) -> bool {
    c.is_ascii() || ('\u{c0}'..='\u{24f}').contains(&c)
}

fn is_known(word: &str) -> bool {
    [PLAIN, ASKING, GREETING, LOW, HIGH, DOING, WANTING].iter().any(|list| list.contains(&word))
        || CONTRACTION.iter().any(|end| word.ends_with(end))
}

fn is_elsewhere(word: &str) -> bool {
    let elided =
        ["j'", "l'", "d'", "qu'", "c'", "n'", "dell'", "un'"].iter().any(|start| word.starts_with(start));
    elided || ELSEWHERE.contains(&word)
}

/// Plain words of German, French, Spanish, Italian, Portuguese, Dutch and Swedish. Those that are English words as well ("was",
/// "die", "me", "no") are not among them, nor those that names of places begin with ("los", "las", "san").
#[rustfmt::skip]
const ELSEWHERE: &[&str] = &[
    // German
    "und", "ist", "nicht", "ich", "der", "das", "dem", "ein", "eine", "einen", "einem", "einer", "mein", "meine", "dein", "bedeutet", "bin",
    "bist", "sind", "habe", "hast", "haben", "soll", "kann", "kannst", "möchte", "muss", "wir", "ihr", "sie", "mich", "dich", "mir", "dir",
    "wie", "warum", "wer", "wo", "wann", "auf", "mit", "für", "von", "zu", "zum", "zur", "aber", "auch", "noch", "nur", "sehr", "über",
    "hallo", "guten", "gute", "danke", "bitte", "heute", "klingt", "müde", "nacht", "tag",
    // French
    "est", "les", "une", "que", "pas", "je", "tu", "nous", "vous", "ils", "elle", "elles", "et", "mais", "dans", "pour", "avec", "sans",
    "suis", "sommes", "êtes", "ai", "avons", "très", "mon", "ma", "mes", "ton", "ta", "tes", "ses", "quoi", "qui", "où", "quand",
    "comment", "pourquoi", "bonjour", "bonsoir", "bonne", "merci", "salut", "aujourd'hui", "ça", "cela", "le", "du", "au", "aux",
    // Spanish
    "qué", "cómo", "por", "para", "pero", "yo", "tú", "él", "ella", "nosotros", "ellos", "una", "uno", "unos", "unas", "es", "son",
    "soy", "eres", "estoy", "está", "están", "tengo", "tienes", "tiene", "muy", "mi", "mis", "hola", "gracias", "buenos", "buenas",
    "noches", "días", "dónde", "cuándo", "quién", "porque", "sé", "hacer", "el", "esto", "eso", "quiero", "hay", "y",
    // Italian
    "che", "di", "il", "lo", "gli", "sono", "sei", "siamo", "non", "perché", "dove", "quando", "chi", "cosa", "molto", "anche", "con",
    "mio", "mia", "tuo", "tua", "ciao", "grazie", "buongiorno", "buonanotte", "buona", "notte", "ho", "hai", "abbiamo", "è", "più", "della",
    "del", "nel", "oggi", "stanco", "stanca",
    // Portuguese
    "uma", "não", "você", "eu", "ele", "ela", "nós", "eles", "estou", "está", "são", "sou", "tenho", "tem", "muito", "meu", "minha", "seu",
    "sua", "como", "porquê", "onde", "quem", "olá", "obrigado", "obrigada", "bom", "boa", "noite", "dia", "também", "isso", "com", "em",
    // Dutch
    "het", "een", "niet", "ik", "ben", "bent", "zijn", "heb", "hebt", "heeft", "jij", "wij", "zij", "mijn", "jouw", "wat", "waarom", "wie",
    "waar", "wanneer", "moet", "wil", "kan", "naar", "voor", "maar", "ook", "nog", "erg", "dag", "hallo", "goedemorgen", "dank", "bedankt",
    "moe", "vandaag", "gaat", "klinkt", "en", "van",
    // Swedish
    "och", "jag", "är", "inte", "det", "som", "för", "hej", "tack",
];
