//! Who is meant by a pronoun, and in which case it stands.

use super::{ClauseReader, ClauseWord, PronounCase, Referent, ToldBy};
use crate::story::{
    lexicon::{VerbForm, WORDS, is_finite, verb},
    people::Pronoun,
    sentence::WordToken,
};

pub(super) enum Resolved {
    To(Referent),
    /// Somebody who is not in the scene.
    Outside,
    Unsure,
}

impl ClauseReader<'_> {
    /// By its role in the sentence; what is unsure stays unsure.
    pub(super) fn resolve(&self, gender: Pronoun, case: PronounCase) -> Resolved {
        let is_you = |who: usize| self.addressed && self.told == ToldBy::OfOwner(who);
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
        let may_be_subject = case != PronounCase::Object;
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
        if let ToldBy::OfOwner(owner) = self.told
            && fits(owner)
            && (may_be_subject || self.subject != Some(Referent::One(owner)))
        {
            return Resolved::To(Referent::One(owner));
        }
        // Of two people the other one is meant.
        let others: Vec<usize> =
            (0..self.people.len()).filter(|who| sure(*who) && !self.seen.contains(who)).collect();
        match (others[..].as_ref(), self.told) {
            ([who], ToldBy::Publicly) if self.people.len() == 2 || !self.seen.is_empty() => {
                Resolved::To(Referent::One(*who))
            }
            ([who], ToldBy::OfOwner(owner)) if self.people.len() == 2 && *who != owner => {
                Resolved::To(Referent::One(*who))
            }
            _ => Resolved::Unsure,
        }
    }

    /// "relieves Tom of his post", "takes Tom from his bed": it is Tom's, whom it is done to.
    pub(super) fn relieved(&self, gender: Pronoun, case: PronounCase) -> Option<usize> {
        let mut last = self.words.iter().rev();
        let (
            Some(ClauseWord::Plain(of)),
            Some(ClauseWord::Person { who: Referent::One(who), case: object, .. }),
        ) = (last.next(), last.next())
        else {
            return None;
        };
        let taken = matches!(&*of.lower(), "of" | "from")
            && (case, *object) == (PronounCase::Possessive, PronounCase::Object);
        let fits = self.people.get(*who).pronoun.is_none_or(|known| known == gender);
        (taken && fits).then_some(*who)
    }

    pub(super) fn second_person(&self, tokens: &[WordToken], at: usize) -> Option<PronounCase> {
        match &*tokens[at].lower() {
            "your" => Some(PronounCase::Possessive),
            "yourself" => Some(PronounCase::Reflexive),
            "you" => {
                let before = at.checked_sub(1).map(|before| &tokens[before]);
                let starts = before
                    .is_none_or(|token| WORDS.joints.has(&token.lower()) || token.after.contains([',', ':']));
                let next = tokens.get(at + 1).map(WordToken::lower);
                let governed = before.is_some_and(|token| {
                    let lower = token.lower();
                    WORDS.prepositions.has(&lower) && !WORDS.joints.has(&lower)
                        || matches!(&*lower, "let" | "lets" | "make" | "makes" | "help" | "helps" | "made")
                });
                let verb_next = next.is_some_and(|next| {
                    WORDS.auxiliaries.has(&next) || verb(&next).is_some() || WORDS.is_adverb(&next)
                });
                Some(if tokens[at].after.is_empty() && (starts || verb_next && !governed) {
                    PronounCase::Subject
                } else {
                    PronounCase::Object
                })
            }
            _ => None,
        }
    }
}

/// "he's" is "he is" or "he has", and so on.
pub(super) fn spread(tokens: &[WordToken]) -> Vec<WordToken> {
    let mut spread = Vec::with_capacity(tokens.len());
    for (at, token) in tokens.iter().enumerate() {
        let lower = token.lower();
        let next = tokens[at + 1..].iter().map(WordToken::lower).find(|word| !WORDS.is_adverb(word));
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
                spread.push(WordToken { text: token.text[..who.len()].to_owned(), after: String::new() });
                spread.push(WordToken { text: rest.to_owned(), after: token.after.clone() });
            }
            _ => spread.push(token.clone()),
        }
    }
    spread
}

pub(super) fn case_of(
    lower: &str,
    token: &WordToken,
    rest: &[WordToken],
    before: Option<&str>,
) -> PronounCase {
    let next = rest.first();
    // "gave her tea" and "called her brave" are done to her; "lent her boat to Tom" is not.
    let goes_to = rest.windows(2).skip(1).any(|pair| {
        pair[0].lower() == "to" && (WORDS.determiners.has(&pair[1].lower()) || pair[1].is_capitalised())
    });
    // "give her husband an alibi" is not, either.
    let kin = next.is_some_and(|next| WORDS.is_kin(&next.lower()));
    let given = !goes_to
        && !kin
        && before.and_then(verb).is_some_and(|(base, _)| {
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
        "he" | "she" => PronounCase::Subject,
        "him" => PronounCase::Object,
        "himself" | "herself" => PronounCase::Reflexive,
        "her" => {
            let follows = next.map(WordToken::lower).filter(|_| token.after.is_empty());
            let owned = follows.is_some_and(|next| {
                !(WORDS.prepositions.has(&next)
                    || WORDS.determiners.has(&next)
                    || WORDS.joints.has(&next)
                    || WORDS.is_adverb(&next)
                    || WORDS.auxiliaries.has(&next))
            });
            if owned && !given { PronounCase::Possessive } else { PronounCase::Object }
        }
        "hers" => PronounCase::Alone,
        _ => {
            let follows = next.map(WordToken::lower).filter(|_| token.after.is_empty());
            let owned =
                follows.is_some_and(|next| !(WORDS.prepositions.has(&next) || WORDS.joints.has(&next)));
            if owned { PronounCase::Possessive } else { PronounCase::Alone }
        }
    }
}

pub(super) fn plural(lower: &str) -> Option<PronounCase> {
    match lower {
        "they" => Some(PronounCase::Subject),
        "them" => Some(PronounCase::Object),
        "their" => Some(PronounCase::Possessive),
        "theirs" => Some(PronounCase::Alone),
        "themselves" => Some(PronounCase::Reflexive),
        _ => None,
    }
}

/// Whether some words speak of more than one, so that "they" can mean those.
pub(super) fn names_several(tokens: &[WordToken]) -> bool {
    tokens.iter().any(|token| {
        let lower = token.lower();
        matches!(
            &*lower,
            "and" | "both" | "all" | "people" | "children" | "men" | "women" | "everybody" | "everyone"
        ) || lower.ends_with('s')
            && lower.len() > 3
            && !lower.ends_with("ss")
            && !is_finite(&lower)
            && !lower.ends_with("'s")
    })
}
