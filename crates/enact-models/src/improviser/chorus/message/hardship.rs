//! Whether a message is nothing to joke about.
//!
//! Rules cannot know. They look for words and phrases, and where they are wrong they are wrong on the gentle side: who spoke of a
//! dead battery can bear a kind answer, and who lost somebody cannot bear a joke.

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hardship {
    /// Somebody may be in danger: from themselves or from others.
    Crisis,
    /// Somebody is struck by death, illness or violence.
    Grief,
    /// These are spoken of.
    Grave,
}

/// What a message speaks of, by its words in lower case.
pub(super) fn hardship(words: &[&str], is_question: bool) -> Option<Hardship> {
    let mut text = words.join(" ").replace('-', " ");
    if holds_one_of(&text, CRISIS) || holds_one_of(&text, CRISIS_ELSEWHERE) {
        return Some(Hardship::Crisis);
    }
    for idiom in IDIOM {
        if holds(&text, idiom) {
            text = text.replace(idiom, "");
        }
    }
    let struck = holds_one_of(&text, ONES_OWN);
    match (holds_one_of(&text, HAPPENED), holds_one_of(&text, HARD)) {
        // "When did Caesar die" is a question; "my mother died" is none, and neither is "grandma died".
        (true, _) if struck || !is_question => Some(Hardship::Grief),
        (_, true) if struck => Some(Hardship::Grief),
        (true, _) | (_, true) => Some(Hardship::Grave),
        (false, false) => None,
    }
}

pub(super) fn holds_one_of(text: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| holds(text, phrase))
}

/// Whether a phrase stands in a text as whole words.
fn holds(text: &str, phrase: &str) -> bool {
    text.match_indices(phrase).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + phrase.len()..]);
        (before.is_empty() || before.ends_with(' ')) && (after.is_empty() || after.starts_with(' '))
    })
}

/// By which one speaks of oneself and one's own.
const ONES_OWN: &[&str] = &[
    "i", "i'm", "i've", "i'd", "i'll", "im", "ive", "me", "my", "mine", "myself", "we", "we're", "our", "us",
];

#[rustfmt::skip]
const CRISIS: &[&str] = &[
    "want to die", "wants to die", "wanted to die", "wanna die", "ready to die", "wish i was dead", "wish i were dead", "want to be dead",
    "wish i was never born", "wish i had never been born", "rather be dead", "better off dead", "better off without me", "should be dead",
    "kill myself", "killing myself", "kill himself", "kill herself", "kill themselves", "killing himself", "killing herself", "kms",
    "end my life", "ending my life", "end my own life", "end it all", "ending it all", "end it tonight", "take my life", "take my own life",
    "taking my life", "taking my own life", "suicide", "suicidal", "unalive", "self harm", "selfharm", "self harming", "self injury",
    "hurt myself", "hurting myself", "harm myself", "harming myself", "cut myself", "cutting myself", "hang myself", "shoot myself",
    "drown myself", "starve myself", "overdose", "overdosed", "jump off a bridge", "jump off the bridge", "jump off a roof",
    "don't want to live", "dont want to live", "do not want to live", "don't want to be alive", "dont want to be alive",
    "don't want to be here anymore", "dont want to be here anymore", "don't want to wake up", "dont want to wake up", "never wake up",
    "not wake up", "don't want to exist", "dont want to exist", "stop existing", "no reason to live", "no reason to go on",
    "nothing to live for", "nothing left to live for", "not worth living", "isn't worth living", "tired of living", "tired of life",
    "can't go on", "cant go on", "cannot go on", "can't do this anymore", "cant do this anymore", "can't take it anymore",
    "cant take it anymore", "can't take this anymore", "want to disappear", "want it to be over", "want it all to stop", "no way out",
    "nobody would miss me", "no one would miss me", "nobody would notice if i", "no one would notice if i", "hate my life", "hate myself",
    "i'm worthless", "im worthless", "i am worthless", "no hope left", "lost all hope", "given up on life", "done with life",
    "hits me", "he hit me", "she hit me", "beats me up", "he beats me", "she beats me", "husband beats me", "father beats me",
    "mother beats me", "boyfriend beats me", "abuses me", "abused me", "abusing me", "being abused", "was abused", "raped", "rapes me",
    "molested", "assaulted me", "was assaulted", "strangled me", "choked me", "is hurting me", "kill me", "threatens me", "stalking me",
    "afraid of my husband", "afraid of my father", "scared of my husband", "scared of my boyfriend", "not safe at home",
];

/// The plainest of them in the languages that are recognised: an honest "I only read English" is no answer to them.
#[rustfmt::skip]
const CRISIS_ELSEWHERE: &[&str] = &[
    "will sterben", "möchte sterben", "will nicht mehr leben", "mich umbringen", "bringe mich um", "mir das leben nehmen", "selbstmord",
    "suizid", "veux mourir", "envie de mourir", "me tuer", "plus envie de vivre", "me suicider", "quiero morir", "quiero morirme",
    "no quiero vivir", "matarme", "suicidarme", "suicidio", "voglio morire", "uccidermi", "ammazzarmi", "non voglio più vivere",
    "suicidarmi", "quero morrer", "me matar", "não quero viver", "não quero mais viver", "suicídio", "wil dood", "wil sterven",
    "wil niet meer leven", "zelfmoord", "mezelf van kant",
];

/// What has happened, to somebody.
#[rustfmt::skip]
const HAPPENED: &[&str] = &[
    "died", "dies", "passed away", "passed on", "killed", "murdered", "stabbed", "drowned", "was shot", "got shot", "buried", "cremated",
    "lost my husband", "lost my wife", "lost my mother", "lost my father", "lost my mum", "lost my mom", "lost my dad", "lost my son",
    "lost my daughter", "lost my brother", "lost my sister", "lost my baby", "lost our baby", "lost the baby", "lost my child",
    "lost my friend", "lost my best friend", "lost my dog", "lost my cat", "lost my grandmother", "lost my grandfather", "put to sleep",
    "put down my", "put down our", "miscarried", "is dead", "was dead", "dead now",
];

/// Things that are nothing to laugh about.
#[rustfmt::skip]
const HARD: &[&str] = &[
    "death", "deaths", "dead", "die", "dying", "deceased", "funeral", "grave", "coffin", "grief", "grieve", "grieving", "mourn", "mourning",
    "bereaved", "bereavement", "widow", "widower", "widowed", "orphan", "stillborn", "stillbirth", "miscarriage", "abortion", "cancer",
    "tumour", "tumor", "leukemia", "leukaemia", "chemo", "chemotherapy", "metastases", "hospice", "terminal", "terminally", "incurable",
    "dementia", "alzheimer's", "alzheimers", "parkinson's", "coma", "intensive care", "heart attack", "had a stroke", "diagnosed", "diagnosis",
    "depression", "anorexia", "bulimia", "addiction", "relapsed", "despair", "desperate", "hopeless", "worthless", "trauma", "ptsd",
    "murder", "murders", "massacre", "genocide", "holocaust", "war", "bomb", "bombs", "bombed", "bombing", "shooting", "terrorist",
    "torture", "tortured", "violence", "violent", "abuse", "abusive", "rape", "rapist", "assault", "beaten", "bullied", "bullying",
    "kidnapped", "refugee", "earthquake", "tragedy", "victim", "victims",
];

/// Where such words mean something else. Whoever is in danger was found before these are looked for.
#[rustfmt::skip]
const IDIOM: &[&str] = &[
    "dying to", "to die for", "died laughing", "dying of laughter", "die laughing", "bored to death", "scared to death", "killed it",
    "dead end", "dead line", "dead battery", "battery died", "phone died", "battery is dead", "phone is dead", "phone's dead",
    "old habits die hard", "die hard", "war and peace", "star wars", "photo shooting", "shooting star", "shooting stars", "drop dead gorgeous",
    "bath bomb", "death metal", "death star", "dead sea", "grateful dead", "terminal window",
];
