//! The people of a scene: how they are named, what they are called, and by which pronoun.

use super::{
    lexicon::{WORDS, is_finite},
    sentence::{TokenSentence, WordToken, sentences},
};

/// "he" or "she", where that can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pronoun {
    He,
    She,
}

/// One of the cast.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoryPerson {
    /// The whole name on stage.
    pub display: String,
    /// What others call this one to the face; nothing for "The Stranger".
    pub short: Option<String>,
    pub pronoun: Option<Pronoun>,
    names: Vec<Vec<String>>,
    /// "landlord", "nurse": said with an article or a possessive before it.
    roles: Vec<String>,
}

/// The cast, by place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoryPeople(Vec<StoryPerson>);

/// A place in a sentence where somebody is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NameMention {
    pub(super) who: usize,
    pub(super) len: usize,
}

impl StoryPeople {
    /// The cast by its names on stage, and what is told about it in texts that all of them know.
    pub fn read(displays: &[&str], texts: &[&str]) -> StoryPeople {
        let mut people = StoryPeople(displays.iter().map(|display| StoryPerson::named(display)).collect());
        let told: Vec<TokenSentence> = texts.iter().flat_map(|text| sentences(text)).collect();
        for sentence in &told {
            people.learn_roles(sentence);
        }
        for sentence in &told {
            people.learn_pronouns(sentence);
        }
        people
    }

    pub fn get(&self, place: usize) -> &StoryPerson {
        &self.0[place]
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether somebody of the cast is called this: "the stranger" is nothing to speak of, but somebody.
    pub(super) fn is_role(&self, word: &str) -> bool {
        self.0.iter().any(|person| person.roles.iter().any(|role| role == word))
    }

    pub(super) fn learn(&mut self, place: usize, pronoun: Option<Pronoun>, title: Option<&str>) {
        let person = &mut self.0[place];
        person.pronoun = pronoun.or(person.pronoun);
        if let Some(role) = title.and_then(|title| title.split([',', '(']).next()?.split_whitespace().last())
        {
            person.roles.push(role.to_lowercase());
        }
    }

    /// Who is named at a token, by name or as "the nurse". A role that two have names nobody.
    pub(super) fn mention(&self, tokens: &[WordToken], at: usize) -> Option<NameMention> {
        let mut best: Option<NameMention> = None;
        for (who, person) in self.0.iter().enumerate() {
            for name in &person.names {
                let fits = name.len() <= tokens.len() - at
                    && name.iter().zip(&tokens[at..]).all(|(part, token)| *part == token.bare());
                if fits && tokens[at].is_capitalised() && best.is_none_or(|best| name.len() > best.len) {
                    best = Some(NameMention { who, len: name.len() });
                }
            }
        }
        best.or_else(|| self.role(tokens, at))
    }

    fn role(&self, tokens: &[WordToken], at: usize) -> Option<NameMention> {
        // "Dex is the driver" says what he is, not who.
        let told = at.checked_sub(1).is_some_and(|before| {
            matches!(&*tokens[before].lower(), "is" | "was" | "are" | "were" | "be" | "as")
        });
        if tokens[at].lower() != "the" || at + 1 >= tokens.len() {
            return None;
        }
        // "He is the witch's son" names her.
        if told && !tokens[at + 1].is_possessive() {
            return None;
        }
        let word = tokens[at + 1].bare();
        let mut with = (0..self.0.len()).filter(|who| self.0[*who].roles.contains(&word));
        let (one, other) = (with.next(), with.next());
        one.filter(|_| other.is_none()).map(|who| NameMention { who, len: 2 })
    }

    /// "Alice, his manager, confronts him" and "Tom is the landlord" say what somebody is.
    fn learn_roles(&mut self, sentence: &TokenSentence) {
        let tokens = &sentence.tokens;
        for at in 0..tokens.len() {
            let Some(NameMention { who, len }) = self.mention(tokens, at) else { continue };
            self.learn_role_before(tokens, at, who);
            let mut next = at + len;
            let apposed = tokens[next - 1].after.starts_with(',');
            if !apposed && tokens.get(next).is_none_or(|token| token.lower() != "is") {
                continue;
            }
            next += usize::from(!apposed);
            if !tokens.get(next).is_some_and(|token| WORDS.determiners.has(&token.lower())) {
                continue;
            }
            let phrase = tokens[next + 1..].iter().take(4);
            let mut head = None;
            for token in phrase {
                if WORDS.prepositions.has(&token.lower()) || is_finite(&token.lower()) {
                    break;
                }
                head = Some(token.bare());
                if !token.after.is_empty() {
                    break;
                }
            }
            if let Some(head) = head.filter(|head| head.len() > 2) {
                self.0[who].roles.push(head);
            }
        }
    }

    /// "the mate, Tobias Crane, …" says the same.
    fn learn_role_before(&mut self, tokens: &[WordToken], at: usize, who: usize) {
        let before = at.checked_sub(2).map(|from| (tokens[from].lower(), &tokens[from + 1]));
        if let Some((article, noun)) = before
            && (article == "the" || pronoun(&article).is_some())
            && noun.after == ","
            && !noun.is_capitalised()
            && tokens[at].is_capitalised()
        {
            self.0[who].roles.push(noun.bare());
        }
    }

    /// "her brother Tom" is a man; a sentence that names one person and says "she" means that one.
    fn learn_pronouns(&mut self, sentence: &TokenSentence) {
        let tokens = &sentence.tokens;
        let named: Vec<(usize, usize)> =
            (0..tokens.len()).filter_map(|at| Some((at, self.mention(tokens, at)?.who))).collect();
        let owns =
            |at: usize| self.mention(tokens, at).is_some_and(|one| tokens[at + one.len - 1].is_possessive());
        // "The fox reveals that he is the witch's son" is about the fox.
        let acting: Vec<(usize, usize)> = named.iter().copied().filter(|(at, _)| !owns(*at)).collect();
        for (at, who) in &named {
            let kin = at.checked_sub(1).map(|before| &tokens[before]).filter(|token| token.after.is_empty());
            let told = kin.and_then(|token| kin_pronoun(&token.lower()));
            self.0[*who].pronoun = self.0[*who].pronoun.or(told);
        }
        let [(from, who)] = acting[..] else { return };
        let own = |at: usize| owns_or_acts(&tokens[at].lower(), tokens.get(at + 1));
        let told = (from..tokens.len()).filter(|at| own(*at)).find_map(|at| pronoun(&tokens[at].lower()));
        // A name that everybody knows for a woman's is not made a man's by one "he".
        self.0[who].pronoun = self.0[who].pronoun.or(told);
    }
}

impl StoryPerson {
    /// What others call this one to the face: "Bob", "Dr Osei", "stranger".
    pub fn called(&self) -> Option<String> {
        self.short.clone().or_else(|| self.roles.first().cloned())
    }

    fn named(display: &str) -> StoryPerson {
        let words: Vec<&str> = display.split_whitespace().collect();
        let plain: Vec<String> = words
            .iter()
            .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase())
            .collect();
        let titled = plain.iter().take_while(|word| WORDS.is_title(word)).count();
        let own = &plain[titled.min(plain.len())..];
        let mut names = vec![plain.clone()];
        if let (Some(first), Some(last)) = (own.first(), own.last()) {
            names.push(vec![first.clone()]);
            names.push(vec![last.clone()]);
            names.push(own.to_vec());
            if titled > 0 {
                names.push(vec![plain[titled - 1].clone(), last.clone()]);
            }
        }
        names.retain(|name| !name.is_empty() && name.iter().all(|word| !word.is_empty()));
        let title = |list: &super::lexicon::WordSet| plain[..titled].iter().any(|word| list.has(word));
        let pronoun = match own.first() {
            _ if title(&WORDS.he_titles) => Some(Pronoun::He),
            _ if title(&WORDS.she_titles) => Some(Pronoun::She),
            Some(first) if WORDS.he_names.has(first) => Some(Pronoun::He),
            Some(first) if WORDS.she_names.has(first) => Some(Pronoun::She),
            _ => None,
        };
        let role = (plain.first().is_some_and(|word| word == "the")).then(|| own.last().cloned()).flatten();
        let short = match titled {
            0 => words.first().map(|word| (*word).to_owned()),
            _ if role.is_some() => None,
            _ => Some(display.to_owned()),
        };
        // "the queen" is Queen Ysolde; "the mister" is nobody.
        const NO_ROLES: [&str; 8] = ["the", "old", "mr", "mrs", "ms", "miss", "sir", "dr"];
        let ranks = plain[..titled].iter().filter(|title| !NO_ROLES.contains(&title.as_str())).cloned();
        let roles = role.into_iter().chain(ranks).collect();
        StoryPerson { display: display.to_owned(), short, pronoun, names, roles }
    }
}

/// Whether a pronoun may be that of the sentence's subject: "him" never is.
pub(super) fn owns_or_acts(word: &str, next: Option<&WordToken>) -> bool {
    match word {
        "him" => false,
        "her" => next.is_some_and(|next| {
            let next = next.lower();
            !(WORDS.prepositions.has(&next)
                || WORDS.joints.has(&next)
                || WORDS.determiners.has(&next)
                || WORDS.is_adverb(&next))
        }),
        _ => true,
    }
}

/// "brother" says that somebody is a man.
pub(super) fn kin_pronoun(word: &str) -> Option<Pronoun> {
    match () {
        () if WORDS.he_kin.has(word) => Some(Pronoun::He),
        () if WORDS.she_kin.has(word) => Some(Pronoun::She),
        () => None,
    }
}

pub(super) fn pronoun(word: &str) -> Option<Pronoun> {
    match word {
        "he" | "him" | "his" | "himself" | "he's" | "he'd" | "he'll" => Some(Pronoun::He),
        "she" | "her" | "hers" | "herself" | "she's" | "she'd" | "she'll" => Some(Pronoun::She),
        _ => None,
    }
}
