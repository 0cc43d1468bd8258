//! What somebody is to own up to or to tell, and which facts touch on it: the teller keeps them until pressed, and a
//! witness keeps its own for when they turn the scene.

use enact_drama::{
    scene::Situation,
    story::{FactKind, SceneStory, StoryFact, content_words},
};

use super::{
    arc::ArcStep,
    deeds::{self, is_wrong},
    moves::SceneMove,
    progress::Progress,
    words::WORDS,
};

/// A matter that one of the cast has to come out with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Guilt {
    pub(super) who: usize,
    pub(super) goal: usize,
    /// Whether it is something that was done wrong.
    pub(super) wrong: bool,
    /// Whether it has not come out yet.
    pub(super) open: bool,
    words: Vec<String>,
    /// Who is still to testify.
    witnesses: Vec<usize>,
}

impl Guilt {
    /// The first matter of the scene's goals that has not come out yet, or else the last that has.
    pub(super) fn of(
        scene: &Situation,
        story: &SceneStory,
        arc: &[ArcStep],
        progress: &Progress,
    ) -> Option<Guilt> {
        let ahead = || arc.iter().skip(progress.step).flat_map(|step| &step.parts);
        let matters = scene.goals.iter().enumerate().filter_map(|(at, goal)| {
            let (who, reading) = deeds::matter(goal).filter(|_| !goal.negated)?;
            let open = ahead().any(|part| part.goal == Some(at) && reading.subject.contains(&part.who));
            Some((at, who, open, reading))
        });
        let (mut matters, mut out): (Vec<_>, Vec<_>) = matters.partition(|(_, _, open, _)| *open);
        let (goal, who, open, reading) = if matters.is_empty() { out.pop()? } else { matters.swap_remove(0) };
        let names: Vec<String> = scene.cast.iter().flat_map(|(_, display)| content_words(display)).collect();
        let mut words = content_words(&reading.content);
        words.retain(|word| !names.contains(word));
        let told = words.clone();
        let wrong = is_wrong(&reading);
        // "Jonas wrote the dose" is part of it, and so is the ink where the will is what was forged.
        let touching = story.public.iter().filter(|fact| {
            touches(fact, &told) > 0
                || wrong && fact.who == Some(who) && fact.kind == FactKind::Did
                // "Lenny owns up" does not say to what; what nobody is named for is what is asked about.
                || wrong && told.is_empty() && fact.who.is_none()
        });
        words.extend(touching.flat_map(|fact| fact.about.clone()));
        let witnesses = ahead().filter(|part| part.scene_move == SceneMove::Testify).map(|part| part.who);
        Some(Guilt { who, goal, wrong, open, words, witnesses: witnesses.collect() })
    }

    /// Whether the one who is to come out with it keeps this fact until pressed.
    pub(super) fn is_crack(&self, fact: &StoryFact, me: usize) -> bool {
        let known_deed = self.wrong && fact.known_to.is_none() && fact.kind == FactKind::Did;
        let kept = fact.kind == FactKind::Hides
            || touches(fact, &self.words) > 0
            || known_deed && fact.who == Some(me);
        let mine = fact.known_to.is_some() || fact.who == Some(me);
        me == self.who && self.open && mine && kept
    }

    /// Whether this speaks against me, so that others may say it and I do not.
    pub(super) fn is_against(&self, fact: &StoryFact, me: usize) -> bool {
        me == self.who && self.open && self.wrong && touches(fact, &self.words) > 0
    }

    /// Whether all who have seen it have said so.
    pub(super) fn is_witnessed(&self) -> bool {
        self.witnesses.is_empty()
    }

    /// Whether this is what I have seen of it.
    pub(super) fn is_proof(&self, fact: &StoryFact, me: usize) -> bool {
        let mine = fact.known_to == Some(me) || fact.who == Some(me);
        let seen = fact.verb().is_some_and(|verb| WORDS.witnessing.has(verb));
        mine && me != self.who
            && self.wrong
            && (fact.names(self.who) || seen && touches(fact, &self.words) > 0)
    }

    /// Whether I am still to say what I have seen.
    pub(super) fn is_to_testify(&self, me: usize) -> bool {
        self.witnesses.contains(&me)
    }

    /// Whether this is for somebody else to say, who has seen it.
    pub(super) fn is_for_witness(&self, fact: &StoryFact, me: usize) -> bool {
        fact.who.is_some_and(|who| who != me && self.witnesses.contains(&who) && self.is_proof(fact, who))
    }
}

fn touches(fact: &StoryFact, words: &[String]) -> usize {
    fact.about.iter().filter(|word| words.contains(word)).count()
}
