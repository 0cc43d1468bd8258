//! What somebody could tell at a moment of the scene, weighed and sorted by what it is good for.

use enact_drama::{
    dice::Dice,
    scene::Line,
    story::{FactKind, Saying, StoryFact, capitalised, content_words, reads_well},
};

use super::{
    arc::scene_dice,
    deeds::charge,
    from_story::{VOLITION, definite, is_reserved, topic, touches_goal},
    moves::SceneMove,
    pick_line::{LineQuery, third},
    situation::ActorSituation,
    template::pieces,
};

/// What the speaker could tell, the best first.
pub(super) struct Material<'a> {
    situation: &'a ActorSituation<'a>,
    saying: Saying<'a>,
    third: Option<usize>,
    to: Option<usize>,
    facts: Vec<(usize, &'a StoryFact)>,
    wants: Vec<(usize, &'a StoryFact)>,
    secrets: Vec<(usize, &'a StoryFact)>,
    deeds: Vec<(usize, &'a StoryFact)>,
    mine: Vec<(usize, &'a StoryFact)>,
    cracks: Vec<(usize, &'a StoryFact)>,
    proofs: Vec<(usize, &'a StoryFact)>,
    matters: Vec<(usize, &'a StoryFact)>,
    charge: Option<String>,
    denial: Option<String>,
    topic: Option<String>,
    echo: Option<String>,
    things: Vec<String>,
    used: Vec<&'a StoryFact>,
    /// What it weighs to say what {you} did: a confrontation begins with it.
    charged: usize,
    pub(super) weight: usize,
}

impl<'a> Material<'a> {
    pub(super) fn of(
        situation: &'a ActorSituation<'a>,
        query: LineQuery<'_>,
        dice: &mut Dice,
    ) -> Material<'a> {
        let story = &*situation.story;
        let saying = Saying { people: &story.people, speaker: situation.me, listener: query.to };
        let just_said: Vec<String> = situation
            .latest()
            .filter(|line| !line.is_by(&situation.view.me))
            .flat_map(|line| content_words(line.heard()))
            .collect();
        let noted: Vec<String> = situation.view.notes.iter().flat_map(|note| content_words(note)).collect();
        // Those who speak in the same beat cannot hear each other: what all know is shared out among them.
        let mine = |place: usize| query.share.of <= 1 || place % query.share.of == query.share.place;
        let public = story.public.iter().enumerate().filter(|(place, _)| mine(*place)).map(|(_, fact)| fact);
        let told = |fact: &StoryFact| {
            let brief = content_words(&fact.said_briefly(saying));
            !brief.is_empty() && situation.read.was_told(&brief) || situation.read.was_told(&fact.about)
        };
        let new = |fact: &&StoryFact| {
            !fact.about.is_empty()
                && !told(fact)
                && !is_reserved(situation, fact)
                && reads_well(&fact.said(saying))
        };
        let instructions = &situation.instructions;
        let evades =
            instructions.evades && matches!(query.scene_move, SceneMove::Deflect | SceneMove::Answer);
        let mut all: Vec<(usize, &StoryFact)> = story
            .own
            .facts
            .iter()
            .chain(public)
            .filter(new)
            .map(|fact| {
                let touches =
                    |words: &[String]| fact.about.iter().filter(|word| words.contains(word)).count();
                let to_you = usize::from(fact.who.is_some() && fact.who == query.to);
                let drawn = VOLITION.topical * touches(&just_said).min(VOLITION.most_topical);
                // Who changes the subject speaks of what has nothing to do with it.
                let drawn = if evades { VOLITION.topical.saturating_sub(drawn) } else { drawn };
                let drawn = drawn + VOLITION.noted * touches(&noted);
                let weight = drawn + VOLITION.to_you * to_you + dice.below(VOLITION.luck);
                (weight, fact)
            })
            .collect();
        all.sort_by_key(|(weight, _)| std::cmp::Reverse(*weight));
        let me = situation.me;
        let guilt = situation.guilt.as_ref();
        let is_crack = |fact: &StoryFact| guilt.is_some_and(|guilt| guilt.is_crack(fact, me));
        let is_proof = |fact: &StoryFact| guilt.is_some_and(|guilt| guilt.is_proof(fact, me));
        let testifies = guilt.is_some_and(|guilt| guilt.is_to_testify(me));
        let opens = matches!(query.scene_move, SceneMove::OpenTopic | SceneMove::OpenWary);
        let is_kept = |fact: &StoryFact| {
            is_crack(fact)
                || !opens && guilt.is_some_and(|guilt| guilt.is_against(fact, me))
                || is_proof(fact) && (testifies || guilt.is_some_and(|guilt| !guilt.open))
                || guilt.is_some_and(|guilt| guilt.is_for_witness(fact, me))
        };
        let only = |keep: &dyn Fn(&StoryFact) -> bool| {
            all.iter().copied().filter(|(_, fact)| keep(fact)).collect::<Vec<_>>()
        };
        let (cracks, proofs) = (only(&is_crack), only(&is_proof));
        let weighed = if instructions.falters(&just_said) && !cracks.is_empty() {
            cracks.clone()
        } else {
            only(&|fact| !is_kept(fact))
        };
        // What all know and is about neither of us opens a matter, as its author tells it.
        let neutral = |fact: &StoryFact| {
            fact.known_to.is_none() && fact.who != Some(me) && (fact.who.is_none() || fact.who != query.to)
        };
        let place = |fact: &StoryFact| story.public.iter().position(|other| std::ptr::eq(other, fact));
        let mut matters = only(&|fact| neutral(fact) && !is_kept(fact) && place(fact).is_some());
        matters.sort_by_key(|(_, fact)| (!touches_goal(situation, fact), place(fact)));
        for (weight, _) in &mut matters {
            *weight += VOLITION.matter;
        }
        let accused = guilt
            .filter(|guilt| guilt.wrong && guilt.open && (query.to == Some(guilt.who) || me == guilt.who));
        let (charge, denial) = accused.map_or((None, None), |guilt| charge(situation, guilt.goal, query.to));
        let of_all = |kind: FactKind| all.iter().copied().filter(move |(_, fact)| fact.kind == kind);
        let of =
            |kind: fn(FactKind) -> bool| weighed.iter().copied().filter(move |(_, fact)| kind(fact.kind));
        let about_you = |fact: &StoryFact| query.to.is_some() && fact.who == query.to;
        let pressed = situation.view.beat >= VOLITION.secrets_from
            && scene_dice(&situation.view.scene, situation.view.me.as_str(), u32::MAX)
                .one_in(VOLITION.secrets_one_in);
        let by_you = |line: &&Line| match query.to {
            Some(to) => line.is_by(situation.name(to)),
            None => !line.is_by(&situation.view.me),
        };
        let echo = situation.latest().filter(by_you).filter(|line| line.spoken().is_some()).last();
        // Who cuts in has heard only the beginning.
        let heard =
            echo.map(|line| if query.scene_move.cuts_in() { first_half(line.heard()) } else { line.heard() });
        let echo = heard.and_then(|heard| story.things_in(heard).pop()).map(|thing| definite(&thing));
        let things = story.things.iter().filter(|thing| !situation.read.was_told(&content_words(thing)));
        Material {
            situation,
            saying,
            third: query.to.and_then(|to| third(situation, to)),
            to: query.to,
            facts: of(|kind| matches!(kind, FactKind::Did | FactKind::Is | FactKind::Wants))
                .chain(of(|kind| kind == FactKind::Hides).filter(|_| pressed))
                .filter(|(_, fact)| !about_you(fact) || fact.known_to.is_some())
                .collect(),
            wants: of(|kind| kind == FactKind::Wants)
                .filter(|(_, fact)| fact.who == Some(situation.me))
                .collect(),
            secrets: of_all(FactKind::Hides).collect(),
            deeds: of(|_| true).filter(|(_, fact)| about_you(fact)).collect(),
            // What everybody knows of me, or what the scene is to come to: not everything I ever did.
            mine: of_all(FactKind::Did)
                .filter(|(_, fact)| {
                    fact.who == Some(situation.me)
                        && (fact.known_to.is_none() || touches_goal(situation, fact))
                })
                .collect(),
            cracks,
            proofs,
            matters,
            // Nobody asks the same again before there is something new.
            charge: charge.filter(|charge| {
                guilt.is_some_and(|guilt| {
                    guilt.who != me
                        && (guilt.is_witnessed() || !situation.read.was_told(&content_words(charge)))
                })
            }),
            denial: denial.filter(|_| guilt.is_some_and(|guilt| guilt.who == me)),
            topic: topic(situation),
            echo,
            things: things.map(|thing| definite(thing)).collect(),
            used: Vec::new(),
            charged: VOLITION.matter * 2 * usize::from(query.scene_move == SceneMove::OpenConfront),
            weight: 0,
        }
    }

    pub(super) fn begin(&mut self) {
        self.used.clear();
        self.weight = 0;
    }

    pub(super) fn fill(&mut self, frame: &str) -> Option<String> {
        let mut filled = String::new();
        for (piece, slot) in pieces(frame) {
            filled.push_str(piece);
            let Some(slot) = slot else { continue };
            let words = self.slot(&slot.to_lowercase())?;
            let begins = slot.starts_with(char::is_uppercase);
            filled.push_str(&if begins { capitalised(&words) } else { words });
        }
        // "The fire? A fire destroyed the plant." says nothing.
        let lower = frame.to_lowercase();
        let all = content_words(&filled);
        let named = [("{echo}", &self.echo), ("{topic}", &self.topic)];
        let stale = named.into_iter().any(|(slot, words)| {
            let times = lower.matches(slot).count();
            let again = |word: &String| all.iter().filter(|other| *other == word).count() > times;
            times > 0 && words.as_ref().is_some_and(|words| content_words(words).iter().any(again))
        });
        (!stale).then_some(filled)
    }

    fn slot(&mut self, slot: &str) -> Option<String> {
        let people = &self.situation.story.people;
        let call = |who: usize| people.get(who).called();
        match slot {
            "you" => call(self.to?),
            "third" => call(self.third?),
            "echo" => self.echo.clone(),
            "thing" => self.things.first().cloned(),
            "topic" => self.topic.clone(),
            "mine" => self.tell(self.mine.clone()),
            "why" => {
                let deeds = self.deeds.clone();
                self.weight += self.charged;
                let (weight, fact) = deeds
                    .into_iter()
                    .find(|(_, fact)| !self.used.contains(fact) && fact.asked(self.saying).is_some())?;
                self.used.push(fact);
                self.weight += weight;
                fact.asked(self.saying)
            }
            "charge" => self.fixed(self.charge.clone()),
            "denial" => self.fixed(self.denial.clone()),
            "blame" => self.fixed(self.situation.instructions.blames.clone()),
            "crack" => self.tell(self.cracks.clone()),
            "proof" => {
                self.weight += VOLITION.matter;
                self.tell(self.proofs.clone())
            }
            "matter" => self.tell(self.matters.clone()),
            "fact" => self.tell(self.facts.clone()),
            "own" => {
                self.tell(self.facts.iter().copied().filter(|(_, fact)| fact.known_to.is_some()).collect())
            }
            "want" => self.tell(self.wants.clone()),
            "secret" => self.tell(self.secrets.clone()),
            "deed" => {
                self.weight += self.charged;
                self.tell(self.deeds.clone())
            }
            _ => None,
        }
    }

    /// What weighs as much as what the scene is about.
    fn fixed(&mut self, words: Option<String>) -> Option<String> {
        self.weight += VOLITION.matter;
        words
    }

    fn tell(&mut self, facts: Vec<(usize, &'a StoryFact)>) -> Option<String> {
        let (weight, fact) = facts.into_iter().find(|(_, fact)| !self.used.contains(fact))?;
        self.used.push(fact);
        self.weight += weight;
        let briefly = self.situation.voice.brief;
        Some(if briefly { fact.said_briefly(self.saying) } else { fact.said(self.saying) })
    }
}

fn first_half(text: &str) -> &str {
    let end =
        text.char_indices().map(|(at, _)| at).take_while(|at| *at <= text.len() / 3).last().unwrap_or(0);
    &text[..end]
}
