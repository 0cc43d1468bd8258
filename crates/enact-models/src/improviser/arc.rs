//! The arc of a scene: who does what, in which order, so that it opens, clashes, turns, mends and closes.
//!
//! Every actor works the arc out for itself from what all of them know, and gets the same one. An arc is a
//! plan, not a script: [`progress`](super::progress) reads off the transcript how much of it has happened,
//! and who did it.

use enact_drama::{
    dice::Dice,
    judge::{Act, Goal},
    scene::{Situation, View},
};

use super::{
    deeds,
    goal_object::{GoalObject, Person, Speakers},
    moves::SceneMove,
    role::{Roles, Temperature, place, wanted},
    simple_goals,
};

/// What belongs into one beat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ArcStep {
    /// Who speaks. The first leads; the step is over when all have.
    pub(super) parts: Vec<StepPart>,
    /// Who shows what they think of it without a word.
    pub(super) reacts: Option<usize>,
    /// Colour that may fall away when time is short.
    pub(super) optional: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StepPart {
    pub(super) who: usize,
    pub(super) to: Option<usize>,
    pub(super) scene_move: SceneMove,
    /// What is said in the same breath.
    pub(super) then: Option<SceneMove>,
    /// The step is over only when the judge sees this in the line.
    pub(super) needs: Option<Act>,
    /// What this is about, where it is not the scene's topic.
    pub(super) about: Option<GoalObject>,
    /// The goal that it is done for, by its place.
    pub(super) goal: Option<usize>,
}

/// How many speak in one beat when everybody is to say something: more cannot be followed.
pub(super) const VOICES_PER_BEAT: usize = 3;
/// A crowd takes so many beats for it all the same: a round that goes on and on is not a scene.
const BEATS_PER_ROUND: usize = 2;
/// Who rolls for the shape of the arc.
const DICE: &str = "arc";

/// The arc of this scene.
pub(super) fn arc(view: &View, roles: &Roles) -> Vec<ArcStep> {
    let mut plan = ArcPlan {
        scene: &view.scene,
        roles,
        dice: scene_dice(&view.scene, DICE, 0),
        steps: Vec::new(),
        proposed: false,
        agreed: Vec::new(),
        owned: false,
    };
    match roles.temperature {
        Temperature::Heated => plan.clash(),
        Temperature::Contrite => plan.contrition(),
        Temperature::Even => plan.talk(),
    }
    plan.goals();
    plan.close();
    shorten(plan.steps, view.scene.max_beats as usize)
}

/// Dice that fall differently in every scene, for one of its purposes.
pub(super) fn scene_dice(scene: &Situation, who: &str, beat: u32) -> Dice {
    let names = scene.cast.iter().fold(scene.prompt.clone(), |all, (name, _)| all + name.as_str());
    Dice::new(scene.seed, &format!("{who} {names}"), beat)
}

/// Colour goes when there is no time for it.
fn shorten(mut steps: Vec<ArcStep>, beats: usize) -> Vec<ArcStep> {
    while steps.len() > beats
        && let Some(at) = steps.iter().rposition(|step| step.optional)
    {
        steps.remove(at);
    }
    steps
}

impl StepPart {
    /// A part that is not over before the judge sees the deed in it.
    pub(super) fn deed(who: usize, scene_move: SceneMove, to: usize) -> StepPart {
        StepPart {
            needs: scene_move.act(),
            ..StepPart::new(who, scene_move, Some(to).filter(|to| *to != who))
        }
    }

    fn new(who: usize, scene_move: SceneMove, to: Option<usize>) -> StepPart {
        StepPart { who, to, scene_move, then: None, needs: None, about: None, goal: None }
    }
}

pub(super) struct ArcPlan<'a> {
    pub(super) scene: &'a Situation,
    pub(super) roles: &'a Roles,
    pub(super) dice: Dice,
    steps: Vec<ArcStep>,
    /// A next step has been named.
    pub(super) proposed: bool,
    /// Who has agreed to it.
    agreed: Vec<usize>,
    /// The accused has owned up.
    pub(super) owned: bool,
}

impl ArcPlan<'_> {
    pub(super) fn step(&mut self, who: usize, scene_move: SceneMove, to: usize) -> &mut ArcStep {
        self.parts(vec![StepPart::new(who, scene_move, Some(to).filter(|to| *to != who))])
    }

    /// A step that is not over before the judge sees the deed in it.
    pub(super) fn deed(&mut self, who: usize, scene_move: SceneMove, to: usize) -> &mut ArcStep {
        self.parts(vec![StepPart::deed(who, scene_move, to)])
    }

    /// A step that is a deed only where the goals ask for it.
    fn deed_if_wanted(&mut self, who: usize, scene_move: SceneMove, to: usize) -> &mut ArcStep {
        let is_goal = scene_move.act().is_some_and(|act| wanted(self.scene, act).is_some());
        if is_goal { self.deed(who, scene_move, to) } else { self.step(who, scene_move, to) }
    }

    /// One move by many.
    pub(super) fn everyone(&mut self, whos: &[usize], scene_move: SceneMove, needs: Option<Act>) {
        // Of two, each speaks to the other.
        let to = |who: usize| (self.scene.cast.len() == 2).then_some(1 - who.min(1));
        let part = |who: &usize| StepPart { needs, ..StepPart::new(*who, scene_move, to(*who)) };
        self.round(whos.iter().map(part).collect());
    }

    /// What many do, a few each beat.
    pub(super) fn round(&mut self, parts: Vec<StepPart>) {
        let beats = parts.len().div_ceil(VOICES_PER_BEAT).clamp(1, BEATS_PER_ROUND);
        for few in parts.chunks(parts.len().div_ceil(beats).max(1)) {
            self.parts(few.to_vec());
        }
    }

    pub(super) fn parts(&mut self, parts: Vec<StepPart>) -> &mut ArcStep {
        self.steps.push(ArcStep { parts, reacts: None, optional: false });
        self.steps.last_mut().expect("a step was just pushed")
    }

    /// A grievance comes up, is denied, pressed and cut short, until somebody steps in.
    fn clash(&mut self) {
        let Roles { opener, accuser, accused, .. } = *self.roles;
        let (cutter, cut) = self.roles.cuts[0];
        let mediator = self.roles.mediator();
        if opener == accused {
            self.step(accused, SceneMove::OpenWary, accuser);
        } else if opener != accuser {
            self.step(opener, SceneMove::OpenTopic, accuser);
        }
        self.confront(accuser, accused);
        let watches = mediator.filter(|_| self.dice.one_in(2));
        self.step(accused, SceneMove::Deflect, accuser).reacts = watches;
        if cut == accuser {
            self.step(accuser, SceneMove::Tirade, accused);
        } else {
            self.step(accuser, SceneMove::Press, accused);
            self.step(cut, SceneMove::Excuse, accuser);
        }
        self.cut_in(cutter, cut);
        for (cutter, cut) in self.roles.cuts.iter().copied().skip(1) {
            let at_length = if cut == accuser { SceneMove::Tirade } else { SceneMove::Excuse };
            self.step(cut, at_length, cutter);
            self.cut_in(cutter, cut);
        }
        let crowded = self.roles.others.len() > VOICES_PER_BEAT;
        if mediator.is_none() || (self.dice.one_in(2) && !crowded) {
            self.step(cut, SceneMove::Bristle, cutter).optional = mediator.is_some();
        }
        self.bystanders();
        // A character who has just complained of being cut off does not ask in earnest in the same breath.
        if cut != accuser || mediator.is_some() {
            self.step(accuser, SceneMove::Cool, accused);
        }
    }

    /// Whether the last to speak so far is this one: then the other is due to answer.
    pub(super) fn has_begun_with(&self, who: usize) -> bool {
        self.steps.last().is_some_and(|step| step.parts.iter().any(|part| part.who == who))
    }

    pub(super) fn confront(&mut self, accuser: usize, accused: usize) {
        let goal = wanted(self.scene, Act::Confront).and_then(|goal| self.place_of(goal));
        self.deed_if_wanted(accuser, SceneMove::OpenConfront, accused).parts[0].goal = goal;
    }

    fn cut_in(&mut self, cutter: usize, cut: usize) {
        let scene_move = if cut == self.roles.accuser { SceneMove::CutTirade } else { SceneMove::CutExcuse };
        let watches = self.roles.mediator().filter(|who| *who != cutter && *who != cut);
        self.step(cutter, scene_move, cut).reacts = watches;
    }

    /// The others say what they think of it, and one of them steps in.
    fn bystanders(&mut self) {
        let mediates = wanted(self.scene, Act::Mediate).and(self.roles.mediator());
        // Who is to apologise as well is no bystander.
        let sorry = wanted(self.scene, Act::Apologise).map_or(vec![], |goal| self.named(goal));
        let mut bystanders = self.roles.others.clone();
        bystanders.retain(|who| Some(*who) == mediates || !sorry.contains(who));
        if let Some((mediator, rest)) = bystanders.split_first() {
            self.everyone(rest, SceneMove::Witness, None);
            self.deed_if_wanted(*mediator, SceneMove::Mediate, self.roles.accuser);
        }
    }

    /// Somebody comes to make something good: the apology is the opening.
    fn contrition(&mut self) {
        let Roles { accuser, accused, .. } = *self.roles;
        let goal = wanted(self.scene, Act::Apologise).and_then(|goal| self.place_of(goal));
        self.deed(accused, SceneMove::OpenSorry, accuser).parts[0].goal = goal;
        self.step(accuser, SceneMove::Hurt, accused);
        self.bystanders();
        self.step(accused, SceneMove::Own, accuser).reacts = Some(accuser);
        self.owned = true;
        if wanted(self.scene, Act::Promise).is_none() && self.dice.one_in(2) {
            self.step(accuser, SceneMove::Weigh, accused).optional = true;
            self.step(accused, SceneMove::Promise, accuser).optional = true;
        }
    }

    /// What the goals ask for and the clash has not brought, in the author's order.
    fn goals(&mut self) {
        let goals = self.scene.goals.iter().filter(|goal| !goal.negated);
        for goal in goals {
            let known = goal.is_readable().then_some(goal.act).flatten();
            match known {
                Some(Act::Apologise) => self.apologies(goal),
                Some(act @ (Act::Accept | Act::Forgive)) => self.acceptance(goal, act),
                Some(Act::Agree) if goal.doers.len() == 1 => self.tabled(goal),
                Some(Act::Agree) => self.agreement(goal),
                // What is kept back without having been done wrong is told, not owned up to.
                Some(Act::Admit) if deeds::telling(goal).is_some_and(|told| !deeds::is_confession(&told)) => {
                    self.tabled(goal)
                }
                // The clash is made of these.
                Some(Act::Confront | Act::Interrupt | Act::Mediate) => {}
                None => self.tabled(goal),
                Some(act) => simple_goals::plan(self, goal, act),
            }
        }
        let tabled =
            self.scene.goals.iter().any(|goal| !goal.is_readable() && deeds::reading(goal).is_some());
        if self.roles.temperature == Temperature::Heated
            && wanted(self.scene, Act::Apologise).is_none()
            && !tabled
        {
            self.truce();
        }
    }

    pub(super) fn place_of(&self, goal: &Goal) -> Option<usize> {
        self.scene.goals.iter().position(|other| std::ptr::eq(other, goal))
    }

    fn apologies(&mut self, goal: &Goal) {
        let Roles { accuser, accused, temperature, .. } = *self.roles;
        let mut doers = self.doers(goal, accused);
        if temperature == Temperature::Contrite {
            doers.retain(|who| *who != accused);
        }
        if doers.is_empty() {
            return;
        }
        let partner = |who| if who == accuser { accused } else { accuser };
        if doers.contains(&accused) && !self.owned {
            self.step(accused, SceneMove::Own, partner(accused));
            self.owned = true;
        }
        let to = |who: usize| self.addressee(goal, who).unwrap_or(partner(who));
        let at = self.place_of(goal);
        let part =
            |who: &usize| StepPart { goal: at, ..StepPart::deed(*who, SceneMove::Apologise, to(*who)) };
        let parts: Vec<StepPart> = doers.iter().map(part).collect();
        match parts.as_slice() {
            [alone] => {
                let to = alone.to;
                self.parts(parts).reacts = to;
            }
            _ => self.round(parts),
        }
        if let Some(mediator) = self.roles.mediator()
            && self.dice.one_in(2)
        {
            self.step(mediator, SceneMove::Vouch, accuser).optional = true;
        }
    }

    fn acceptance(&mut self, goal: &Goal, act: Act) {
        let Roles { accuser, accused, temperature, .. } = *self.roles;
        let accepts = self.doers(goal, accuser);
        let mends = wanted(self.scene, Act::Apologise).is_some();
        let of_apology = goal.about.as_deref().map_or(mends, |about| about.contains("apolog"));
        let scene_move = match act {
            Act::Forgive => SceneMove::Forgive,
            _ if of_apology => SceneMove::Accept,
            _ => SceneMove::Take,
        };
        if temperature == Temperature::Heated && mends {
            let plan_follows = wanted(self.scene, Act::Agree).is_some();
            if !plan_follows {
                self.step(accuser, SceneMove::Weigh, accused);
                self.step(accused, SceneMove::Promise, accuser);
            } else if self.dice.one_in(2) {
                self.step(accuser, SceneMove::Weigh, accused);
                self.step(accused, SceneMove::Propose, accuser);
                self.proposed = true;
            }
        }
        for who in accepts {
            let sorry = self.apologising_to(who);
            let named = self.addressee(goal, who);
            if scene_move == SceneMove::Accept && named.is_none() && sorry.len() > 1 {
                self.everyone(&[who], SceneMove::AcceptAll, SceneMove::AcceptAll.act());
                continue;
            }
            let partner = if who == accused { accuser } else { accused };
            let to = named.or(sorry.first().copied()).unwrap_or(partner);
            // Something has to be there that can be accepted or forgiven.
            match scene_move {
                SceneMove::Take if wanted(self.scene, Act::Ask).is_none() && !self.has_told(to) => {
                    let offer = self.goal_object(goal, to, who, Person::Speaker);
                    self.step(to, SceneMove::Request, who).parts[0].about = offer;
                }
                SceneMove::Accept if !mends => self.deed(to, SceneMove::Apologise, who).reacts = Some(who),
                SceneMove::Forgive if !mends && !self.owned => {
                    self.step(to, SceneMove::Own, who).reacts = Some(who);
                    self.owned = to == accused;
                }
                _ => {}
            }
            let of = if scene_move == SceneMove::Forgive { Person::Listener } else { Person::Speaker };
            let about = self.goal_object(goal, who, to, of);
            let at = self.place_of(goal).filter(|_| scene_move != SceneMove::Accept);
            let part = &mut self.deed(who, scene_move, to).parts[0];
            part.about = about;
            part.goal = at;
        }
        if self.proposed && temperature == Temperature::Heated {
            self.agree_along();
        }
    }

    /// Whether somebody is to tell something: then that is there to be taken.
    fn has_told(&self, who: usize) -> bool {
        self.scene.goals.iter().filter_map(deeds::telling).any(|told| told.subject.contains(&who))
    }

    /// Those whose apology is for somebody.
    fn apologising_to(&self, whom: usize) -> Vec<usize> {
        let goals = self.scene.goals.iter().filter(|goal| goal.act == Some(Act::Apologise) && !goal.negated);
        let display = &self.scene.cast[whom].1;
        let goals = goals.filter(|goal| goal.to.is_empty() || goal.to.contains(display));
        goals.flat_map(|goal| self.named(goal)).filter(|who| *who != whom).collect()
    }

    /// What was proposed before the apology was accepted is agreed to with it, and by everybody: an
    /// acceptance alone would leave the others out.
    fn agree_along(&mut self) {
        let Some(goal) = wanted(self.scene, Act::Agree) else { return };
        let doers = self.agreeing(goal);
        let Some(step) = self.steps.last_mut() else { return };
        let accepts = step.parts[0].who;
        step.parts[0].then = Some(SceneMove::Agree);
        let others = doers.into_iter().filter(|who| *who != accepts && *who != self.roles.accused);
        let needs = SceneMove::Agree.act();
        step.parts.extend(others.map(|who| StepPart { needs, ..StepPart::new(who, SceneMove::Agree, None) }));
        self.agreed = step.parts.iter().map(|part| part.who).collect();
    }

    /// Those a plan needs the agreement of.
    fn agreeing(&self, goal: &Goal) -> Vec<usize> {
        let named = self.named(goal);
        if named.is_empty() { (0..self.scene.cast.len()).collect() } else { named }
    }

    fn agreement(&mut self, goal: &Goal) {
        let doers = self.agreeing(goal);
        let proposer = match self.roles.temperature {
            Temperature::Even => self.roles.opener,
            _ => self.roles.accused,
        };
        let mut partners = doers.iter().copied().filter(|who| *who != proposer);
        let accuser = partners.clone().find(|who| *who == self.roles.accuser);
        let partner = accuser.or_else(|| partners.next()).unwrap_or(self.roles.accuser);
        if !self.proposed {
            self.step(proposer, SceneMove::Propose, partner);
            self.proposed = true;
        }
        let agreed = |who: &usize| *who == proposer || self.agreed.contains(who);
        let others: Vec<usize> = doers.iter().copied().filter(|who| !agreed(who)).collect();
        self.everyone(&others, SceneMove::Agree, SceneMove::Agree.act());
        if doers.contains(&proposer) {
            self.deed(proposer, SceneMove::Affirm, partner);
        }
    }

    /// How a quarrel nobody has to apologise for is laid to rest.
    fn truce(&mut self) {
        let Roles { accuser, accused, .. } = *self.roles;
        if !self.owned {
            self.step(accused, SceneMove::Yield, accuser).reacts = Some(accuser);
        }
        self.step(accuser, SceneMove::Relent, accused);
        if !self.proposed {
            self.step(accused, SceneMove::Propose, accuser);
            self.step(accuser, SceneMove::Agree, accused);
        }
    }

    /// The last words. A scene whose goals are met ends before all of them are said.
    fn close(&mut self) {
        let Roles { accuser, accused, opener, .. } = *self.roles;
        if self.roles.temperature == Temperature::Even {
            let count = self.scene.cast.len();
            self.step((opener + 1) % count, SceneMove::Calm, opener);
            let all: Vec<usize> = (0..count).map(|n| (opener + n) % count).collect();
            self.everyone(&all, SceneMove::Farewell, None);
            return;
        }
        let relieved = self.roles.mediator().map(|who| StepPart::new(who, SceneMove::Calm, Some(accuser)));
        self.step(accused, SceneMove::Thank, accuser).parts.extend(relieved);
        let mut leaving = vec![accuser, accused];
        leaving.extend(&self.roles.others);
        self.everyone(&leaving, SceneMove::Farewell, None);
    }

    /// Whom a goal names as the other side: "apologizes to Anna", "accepts Anna's offer".
    pub(super) fn addressee(&self, goal: &Goal, who: usize) -> Option<usize> {
        let about = goal.about.as_deref().unwrap_or_default();
        let owner = about.split_whitespace().next().and_then(|word| word.strip_suffix("'s"));
        let named = goal.to.iter().map(String::as_str).chain(owner);
        named.filter_map(|name| place(self.scene, name)).find(|to| *to != who)
    }

    /// What a goal is about, as one of the cast says it to another.
    pub(super) fn goal_object(
        &self,
        goal: &Goal,
        speaker: usize,
        listener: usize,
        of: Person,
    ) -> Option<GoalObject> {
        let (speaker, listener) = (&self.scene.cast[speaker].1, &self.scene.cast[listener].1);
        GoalObject::of(goal.about.as_deref()?, Speakers { speaker, listener, of })
    }

    /// Those a goal names, or else the one it falls to.
    pub(super) fn doers(&self, goal: &Goal, otherwise: usize) -> Vec<usize> {
        let named = self.named(goal);
        if named.is_empty() { vec![otherwise] } else { named }
    }

    fn named(&self, goal: &Goal) -> Vec<usize> {
        goal.doers.iter().filter_map(|doer| place(self.scene, doer)).collect()
    }
}
