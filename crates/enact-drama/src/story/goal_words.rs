//! What a goal is about, in the words of its doer: "Tom admits to Mia that he sold the car" is "I sold the car" in Tom's
//! mouth.

use super::{
    clause::{self, Clause, ClauseWord, ToldBy},
    lexicon::{WORDS, is_finite, verb},
    mouth::Saying,
    people::{StoryPeople, owns_or_acts, pronoun},
    sentence::{TokenSentence, WordToken, sentences},
};

/// The same content in the forms in which sentences take it. Nothing, where it cannot be told who is meant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GoalWords {
    /// "the garden", "your apology".
    pub thing: Option<String>,
    /// "losing the key".
    pub doing: Option<String>,
    /// "marry you".
    pub deed: Option<String>,
    /// "I sold the car".
    pub fact: Option<String>,
    /// "did you sell the car", where the content tells what was done.
    pub asked: Option<String>,
    /// "I never sold the car".
    pub denied: Option<String>,
    /// "why you left".
    pub clause: Option<String>,
    /// The goal itself, as its doer would put it: "I burn the letter".
    pub whole: Option<String>,
}

/// Words before what a deed is about.
const LEADS: [&str; 9] = ["for", "about", "of", "over", "with", "on", "from", "against", "to"];
const QUESTIONS: [&str; 9] = ["why", "how", "what", "where", "who", "when", "whether", "if", "which"];
/// Longer ones stop fitting into sentences.
const LONGEST_THING: usize = 8;

impl GoalWords {
    /// `content` is what stands behind the goal's verb, `of` who does what is told there.
    /// `other` is the one beside them.
    pub fn read(
        goal: &str,
        content: &str,
        people: &StoryPeople,
        of: usize,
        other: Option<usize>,
        saying: Saying<'_>,
    ) -> GoalWords {
        let reader = GoalReader { people, of, other: other.filter(|other| *other != of), saying };
        let mut words = GoalWords { whole: reader.whole(goal), ..GoalWords::default() };
        if let Some(sentence) = sentences(content).into_iter().next() {
            reader.sort(reader.without_person(&sentence.tokens), &mut words);
        }
        words
    }
}

struct GoalReader<'a> {
    people: &'a StoryPeople,
    of: usize,
    other: Option<usize>,
    saying: Saying<'a>,
}

impl GoalReader<'_> {
    /// "to Mia that he sold it" without Mia.
    fn without_person<'t>(&self, tokens: &'t [WordToken]) -> &'t [WordToken] {
        let Some(first) = tokens.first().map(WordToken::lower) else { return tokens };
        let from = usize::from(first == "to");
        if let Some(mention) = tokens.get(from).and_then(|_| self.people.mention(tokens, from)) {
            let end = from + mention.len;
            let owns = tokens[end - 1].is_possessive();
            let acts = tokens.get(end).is_some_and(|next| is_finite(&next.lower()));
            if !owns && !acts {
                return &tokens[end..];
            }
        }
        let next = tokens.get(1).map(WordToken::lower).unwrap_or_default();
        let follows = LEADS.contains(&&*next)
            || QUESTIONS.contains(&&*next)
            || matches!(&*next, "that" | "to" | "the" | "a" | "an");
        if matches!(&*first, "him" | "her" | "them") && follows { &tokens[1..] } else { tokens }
    }

    fn sort(&self, tokens: &[WordToken], words: &mut GoalWords) {
        let Some(first) = tokens.first().map(WordToken::lower) else { return };
        let rest = &tokens[1..];
        let clause = matches!(&*first, "he" | "she" | "they")
            || self.people.mention(tokens, 0).is_some_and(|mention| {
                tokens.get(mention.len).is_some_and(|next| is_finite(&next.lower()))
                    && !tokens[mention.len - 1].is_possessive()
            });
        match &*first {
            "that" if rest.len() > 1 => self.state(rest, words),
            "to" => words.deed = self.turned(rest),
            question if QUESTIONS.contains(&question) => words.clause = self.turned(tokens),
            _ if clause || states(tokens) => self.state(tokens, words),
            lead if LEADS.contains(&lead) => self.sort_thing(rest, words),
            _ => self.sort_thing(tokens, words),
        }
    }

    fn sort_thing(&self, tokens: &[WordToken], words: &mut GoalWords) {
        let Some(first) = tokens.first().map(WordToken::lower).filter(|first| !WORDS.prepositions.has(first))
        else {
            return;
        };
        if tokens.len() == 1 && matches!(&*first, "him" | "her" | "them" | "it") || first == "not" {
            return;
        }
        if first.len() > 4 && first.ends_with("ing") && tokens.len() > 1 {
            words.doing = self.turned(tokens);
            // "missing the deadline" is about the deadline.
            let end = tokens[1..].iter().position(|token| WORDS.prepositions.has(&token.lower()));
            let object = &tokens[1..end.map_or(tokens.len(), |end| end + 1)];
            let hers = object.first().is_none_or(|token| owns_or_acts(&token.lower(), object.get(1)));
            if hers
                && object
                    .first()
                    .is_some_and(|token| WORDS.determiners.has(&token.lower()) || token.is_possessive())
            {
                words.thing = self.turned(object);
            }
        } else if let Some(at) = tokens.iter().position(|token| QUESTIONS.contains(&&*token.lower())) {
            words.clause = self.turned(&tokens[at..]);
        } else {
            let end = tokens.iter().position(|token| {
                matches!(
                    &*token.lower(),
                    "and" | "but" | "so" | "to" | "that" | "before" | "after" | "because"
                )
            });
            let tokens = &tokens[..end.unwrap_or(tokens.len()).min(LONGEST_THING)];
            words.thing = self.turned(tokens).map(|thing| with_article(&thing, tokens));
        }
    }

    fn state(&self, tokens: &[WordToken], words: &mut GoalWords) {
        let Some(clause) = self.clause(tokens) else { return };
        words.fact = Some(clause.said(self.saying)).filter(|said| !said.is_empty());
        // Whether it was done is asked and denied without what it was done for.
        const SHORTEST: usize = 4;
        let purpose = |at: &usize| {
            matches!(&*tokens[*at].lower(), "to" | "because" | "so")
                && tokens.get(at + 1).is_some_and(|next| {
                    verb(&next.lower()).is_some_and(|(base, _)| base == next.lower())
                        || tokens[*at].lower() != "to"
                })
        };
        let end = (SHORTEST..tokens.len()).find(purpose).unwrap_or(tokens.len());
        let negated = tokens.iter().any(|token| matches!(&*token.lower(), "not" | "never"));
        if let Some(bare) = self.clause(&tokens[..end]).filter(|_| !negated) {
            words.asked = bare.asked(self.saying);
            words.denied = bare.denied(self.saying);
        }
    }

    fn turned(&self, tokens: &[WordToken]) -> Option<String> {
        self.clause(tokens).map(|clause| clause.said(self.saying)).filter(|said| !said.is_empty())
    }

    fn clause(&self, tokens: &[WordToken]) -> Option<Clause> {
        if tokens.is_empty() || !tokens.iter().all(WordToken::is_plain) {
            return None;
        }
        let mut tokens = tokens.to_vec();
        if self.people.mention(&tokens, 0).is_none()
            && !tokens[0].text.contains('.')
            && WORDS.determiners.has(&tokens[0].lower())
        {
            tokens[0].text = tokens[0].lower();
        }
        let sentence = TokenSentence { tokens, question: false };
        let clause = clause::read_of(&sentence, self.people, ToldBy::Publicly, self.other, Some(self.of))?;
        // A "she" that stayed is somebody whom the listener cannot know.
        let unsure = clause
            .words
            .iter()
            .any(|word| matches!(word, ClauseWord::Plain(token) if pronoun(&token.lower()).is_some()));
        (!unsure).then_some(clause)
    }

    fn whole(&self, goal: &str) -> Option<String> {
        let sentence = sentences(goal)
            .into_iter()
            .next()
            .filter(|sentence| sentence.tokens.iter().all(WordToken::is_plain))?;
        let clause = clause::read(&sentence, self.people, ToldBy::Publicly, None)?;
        (clause.subject == Some(self.saying.speaker) && clause.verb.is_some())
            .then(|| clause.said(self.saying))
    }
}

/// "the wig is on the cat" is no thing, but something that is so.
fn states(tokens: &[WordToken]) -> bool {
    let verb = tokens.iter().skip(1).position(|token| is_finite(&token.lower())).map(|at| at + 1);
    verb.is_some_and(|verb| {
        verb + 1 < tokens.len() + usize::from(verb > 1)
            && !tokens[..verb].iter().any(|token| {
                let lower = token.lower();
                WORDS.prepositions.has(&lower) || WORDS.joints.has(&lower)
            })
    })
}

/// "sincere apology" is "the sincere apology"; "dinner" and "Bob's plan" need none.
fn with_article(thing: &str, tokens: &[WordToken]) -> String {
    let first = thing.split(' ').next().unwrap_or_default().to_lowercase();
    let last = thing.rsplit(' ').next().unwrap_or_default();
    let has = WORDS.determiners.has(&first) || tokens.iter().any(WordToken::is_possessive) || first == "what";
    let named = tokens.first().is_some_and(WordToken::is_capitalised);
    let plural = last.ends_with('s') && !last.ends_with("ss");
    let several = thing.contains(' ') && !thing.contains(" of ");
    if has || named || plural || !several { thing.to_owned() } else { format!("the {thing}") }
}
