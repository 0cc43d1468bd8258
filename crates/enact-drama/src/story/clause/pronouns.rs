//! Who is meant by a pronoun, and in which case it stands.

use super::{Case, Reader, Referent, Told};
use crate::story::{
    lexicon::{VerbForm, WORDS, verb},
    people::Pronoun,
    sentence::Token,
};

pub(super) enum Resolved {
    To(Referent),
    /// Somebody who is not in the scene.
    Outside,
    Unsure,
}

impl Reader<'_> {
    /// By its role in the sentence; what is unsure stays unsure.
    pub(super) fn resolve(&self, gender: Pronoun, case: Case) -> Resolved {
        let is_you = |who: usize| self.addressed && self.told == Told::OfOwner(who);
        let fits =
            |who: usize| self.people.get(who).pronoun.is_none_or(|known| known == gender) && !is_you(who);
        let sure = |who: usize| self.people.get(who).pronoun == Some(gender) && !is_you(who);
        let subject = match self.subject {
            Some(Referent::One(who)) => Some(who),
            _ => None,
        };
        if self.rivals.contains(&gender) {
            return Resolved::Unsure;
        }
        let may_be_subject = case != Case::Object;
        let here: Vec<usize> = self
            .seen
            .iter()
            .copied()
            .filter(|who| fits(*who) && (may_be_subject || subject != Some(*who)))
            .collect();
        if let Some(who) =
            subject.filter(|who| may_be_subject && here.contains(who) && (sure(*who) || here.len() == 1))
        {
            return Resolved::To(Referent::One(who));
        }
        let sure_here: Vec<usize> = here.iter().copied().filter(|who| sure(*who)).collect();
        match (&here[..], &sure_here[..]) {
            ([who], _) | (_, [who]) if !self.outsiders || sure(*who) => {
                return Resolved::To(Referent::One(*who));
            }
            ([], _) => {}
            _ => return Resolved::Unsure,
        }
        if self.outsiders {
            return Resolved::Outside;
        }
        if let Some(who) = self.before.filter(|who| fits(*who) && !self.seen.contains(who)) {
            return Resolved::To(Referent::One(who));
        }
        if let Told::OfOwner(owner) = self.told
            && fits(owner)
            && (may_be_subject || self.subject != Some(Referent::One(owner)))
        {
            return Resolved::To(Referent::One(owner));
        }
        // Of two people the other one is meant.
        let others: Vec<usize> =
            (0..self.people.len()).filter(|who| sure(*who) && !self.seen.contains(who)).collect();
        match (others[..].as_ref(), self.told) {
            ([who], Told::Publicly) if self.people.len() == 2 || !self.seen.is_empty() => {
                Resolved::To(Referent::One(*who))
            }
            ([who], Told::OfOwner(owner)) if self.people.len() == 2 && *who != owner => {
                Resolved::To(Referent::One(*who))
            }
            _ => Resolved::Unsure,
        }
    }
}

/// "he's" is "he is" or "he has", and so on.
pub(super) fn spread(tokens: &[Token]) -> Vec<Token> {
    let mut spread = Vec::with_capacity(tokens.len());
    for (at, token) in tokens.iter().enumerate() {
        let lower = token.lower();
        let next = tokens[at + 1..].iter().map(Token::lower).find(|word| !WORDS.is_adverb(word));
        let participle = next.is_some_and(|next| {
            next == "been"
                || verb(&next).is_some_and(|(_, form)| matches!(form, VerbForm::Past | VerbForm::Participle))
        });
        let pair = lower.split_once('\'').filter(|(who, _)| matches!(*who, "he" | "she" | "you" | "they"));
        let rest = pair.and_then(|(who, end)| match end {
            "s" if participle && who != "they" => Some("has"),
            "s" => Some("is"),
            "re" => Some("are"),
            "ve" => Some("have"),
            "d" if participle => Some("had"),
            "d" => Some("would"),
            "ll" => Some("will"),
            _ => None,
        });
        match (pair, rest) {
            (Some((who, _)), Some(rest)) => {
                spread.push(Token { text: token.text[..who.len()].to_owned(), after: String::new() });
                spread.push(Token { text: rest.to_owned(), after: token.after.clone() });
            }
            _ => spread.push(token.clone()),
        }
    }
    spread
}

/// People by whom a pronoun may be meant although they have no name.
pub(super) const KIN: [&str; 24] = [
    "mother",
    "father",
    "brother",
    "sister",
    "son",
    "daughter",
    "wife",
    "husband",
    "uncle",
    "aunt",
    "boss",
    "friend",
    "man",
    "woman",
    "boy",
    "girl",
    "king",
    "queen",
    "doctor",
    "grandmother",
    "grandfather",
    "child",
    "baby",
    "cousin",
];

pub(super) fn kin_pronoun(word: &str) -> Option<Pronoun> {
    match word {
        "father" | "brother" | "son" | "husband" | "uncle" | "man" | "boy" | "king" | "grandfather" => {
            Some(Pronoun::He)
        }
        "mother" | "sister" | "daughter" | "wife" | "aunt" | "woman" | "girl" | "queen" | "grandmother" => {
            Some(Pronoun::She)
        }
        _ => None,
    }
}

pub(super) fn case_of(lower: &str, token: &Token, next: Option<&Token>, before: Option<&str>) -> Case {
    // "gave her tea" and "called her brave" are done to her.
    let given = before.and_then(verb).is_some_and(|(base, _)| {
        matches!(
            &*base,
            "give"
                | "call"
                | "tell"
                | "show"
                | "ask"
                | "bring"
                | "buy"
                | "offer"
                | "lend"
                | "make"
                | "promise"
                | "cost"
                | "teach"
                | "owe"
                | "send"
                | "pay"
        )
    });
    match lower {
        "he" | "she" => Case::Subject,
        "him" => Case::Object,
        "himself" | "herself" => Case::Reflexive,
        "her" => {
            let follows = next.map(Token::lower).filter(|_| token.after.is_empty());
            let owned = follows.is_some_and(|next| {
                !(WORDS.prepositions.has(&next)
                    || WORDS.determiners.has(&next)
                    || WORDS.joints.has(&next)
                    || WORDS.is_adverb(&next)
                    || WORDS.auxiliaries.has(&next))
            });
            if owned && !given { Case::Possessive } else { Case::Object }
        }
        "hers" => Case::Alone,
        _ => {
            let follows = next.map(Token::lower).filter(|_| token.after.is_empty());
            let owned =
                follows.is_some_and(|next| !(WORDS.prepositions.has(&next) || WORDS.joints.has(&next)));
            if owned { Case::Possessive } else { Case::Alone }
        }
    }
}

pub(super) fn plural(lower: &str) -> Option<Case> {
    match lower {
        "they" => Some(Case::Subject),
        "them" => Some(Case::Object),
        "their" => Some(Case::Possessive),
        "themselves" => Some(Case::Reflexive),
        _ => None,
    }
}
