//! Goals that are a single deed: to ask, explain, admit, promise, refuse, thank or say goodbye.

use enact_drama::{
    acts::Group,
    judge::{Act, Goal},
    scene::Situation,
};

use super::{
    arc::{ArcPlan, StepPart, VOICES_PER_BEAT},
    deeds,
    goal_object::Person,
    moves::SceneMove,
    role::{Roles, Temperature, place, wanted},
};

/// With so many goals there is no time to refuse any of them twice.
const MANY_GOALS: usize = 4;

/// The first deed the goals ask for, and who is to do it. Goodbyes are no reason to come.
pub(super) fn first(scene: &Situation) -> Option<(Act, Option<usize>)> {
    let deeds = scene.goals.iter().filter(|goal| !goal.negated);
    let mut deeds =
        deeds.filter_map(|goal| Some((goal.act?, goal.doers.iter().find_map(|doer| place(scene, doer)))));
    deeds.find(|(act, _)| *act != Act::Farewell)
}

/// Adds what leads to the deed, and the deed: one after the other or, where many do it, all together.
pub(super) fn plan(plan: &mut ArcPlan<'_>, goal: &Goal, act: Act) {
    let doers = plan.doers(goal, plan.roles.accused);
    // Who has parted has ended the scene: goodbyes are said together.
    let together = if doers.len() > VOICES_PER_BEAT || act == Act::Farewell { doers.len() } else { 1 };
    for few in doers.chunks(together) {
        single_deed(plan, goal, act, few);
    }
}

fn single_deed(plan: &mut ArcPlan<'_>, goal: &Goal, act: Act, doers: &[usize]) {
    let roles = plan.roles;
    let partner = |who| if who == roles.accuser { roles.accused } else { roles.accuser };
    let asker = deeds::asker_of(&plan.scene.goals, doers[0]).filter(|_| act == Act::Refuse);
    let to_whom = |plan: &ArcPlan<'_>, who| plan.addressee(goal, who).or(asker).unwrap_or(partner(who));
    let who = doers[0];
    let to = to_whom(plan, who);
    let scene_move = match act {
        Act::Admit if plan.owned && who == roles.accused => return,
        Act::Admit => {
            match roles.temperature {
                Temperature::Even => plan.inquiry(goal, who, to),
                _ => plan.step(to, SceneMove::Cool, who).optional = true,
            }
            SceneMove::Own
        }
        Act::Explain => {
            plan.step(to, SceneMove::Cool, who).optional = true;
            SceneMove::Explain
        }
        Act::Ask => SceneMove::Ask,
        Act::Promise => SceneMove::Promise,
        Act::Refuse => {
            let asked = [Act::Ask, Act::Apologise].into_iter().any(|act| wanted(plan.scene, act).is_some());
            if !asked && asker.is_none() {
                let about = plan.goal_object(goal, to, who, Person::Listener);
                plan.step(to, SceneMove::Request, who).parts[0].about = about;
            }
            SceneMove::Refuse
        }
        Act::Thank => SceneMove::Thank,
        Act::Farewell => SceneMove::Farewell,
        // Planned where the quarrel is.
        Act::Apologise
        | Act::Accept
        | Act::Forgive
        | Act::Agree
        | Act::Confront
        | Act::Mediate
        | Act::Interrupt => return,
    };
    plan.owned |= scene_move == SceneMove::Own && doers.contains(&roles.accused);
    // "Anna asks Boris to marry her. Boris refuses." says only once what it is about.
    let asked = wanted(plan.scene, Act::Ask).filter(|_| act == Act::Refuse && goal.about.is_none());
    // The one who is asked or thanked is the one who does or did it.
    let of = if matches!(act, Act::Ask | Act::Thank) { Person::Listener } else { Person::Speaker };
    let at = plan.scene.goals.iter().position(|other| std::ptr::eq(other, goal));
    let part = |who: &usize| {
        let to = to_whom(plan, *who);
        let asked = asked.and_then(|asked| plan.goal_object(asked, *who, to, of));
        let about =
            plan.goal_object(goal, *who, to, of).or(asked.filter(|asked| asked.fills("deed").is_some()));
        StepPart { about, goal: at, ..StepPart::deed(*who, scene_move, to) }
    };
    let parts = doers.iter().map(part).collect();
    if act == Act::Farewell {
        plan.parts(parts);
    } else {
        plan.round(parts);
    }
    if act == Act::Admit && roles.temperature != Temperature::Heated {
        plan.step(to, SceneMove::Hurt, who).optional = true;
    }
    let answers = [Act::Refuse, Act::Explain, Act::Accept];
    if act == Act::Ask && answers.into_iter().all(|act| wanted(plan.scene, act).is_none()) {
        plan.step(to, SceneMove::Answer, who);
    }
}

impl ArcPlan<'_> {
    /// Whom a goal that tells something names in it: "reveals that he has followed Ada" is for Ada. What is somebody's
    /// ("the witch's son") is told to the others: the judge does not know it again as "your son".
    fn told_of(&self, goal: &Goal, who: usize) -> Option<usize> {
        deeds::telling(goal)?;
        let text = goal.text.to_lowercase();
        let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
        let place = |other: &usize| {
            let display = self.scene.cast[*other].1.to_lowercase();
            let named = |at: &usize, name: &str| words[*at] == name && words.get(at + 1) != Some(&"s");
            let mut names = display.split_whitespace().filter(|name| *name != "the");
            names.find_map(|name| (0..words.len()).find(|at| named(at, name)))
        };
        let others = (0..self.scene.cast.len()).filter(|other| *other != who);
        others.filter_map(|other| Some((place(&other)?, other))).min().map(|(_, other)| other)
    }

    /// A goal whose act only the tables know: it is asked for, refused once where it costs something, and done.
    pub(super) fn tabled(&mut self, goal: &Goal) {
        let Some(reading) = deeds::reading(goal) else { return };
        let at = self.place_of(goal);
        let mut doers = reading.subject.clone();
        if reading.group == Group::Any {
            doers.truncate(1);
        }
        for who in doers.into_iter().take(VOICES_PER_BEAT) {
            let Roles { accuser, accused, opener, .. } = *self.roles;
            let named = reading.addressee.iter().copied().find(|to| *to != who);
            let to = self.told_of(goal, who).or(named).unwrap_or_else(|| {
                [accuser, accused, opener].into_iter().find(|to| *to != who).unwrap_or(who)
            });
            if to != who && deeds::telling(goal).is_some() {
                self.inquiry(goal, who, to);
            } else if to != who && deeds::is_harsh(&reading) {
                self.weighing(who, to, deeds::is_charge(&reading));
            } else if deeds::is_resisted(&reading) && to != who {
                let rounds = 1 + usize::from(self.dice.one_in(3) && self.scene.goals.len() < MANY_GOALS);
                for round in 0..rounds {
                    if round > 0 || !self.has_begun_with(to) {
                        let step = self.step(to, SceneMove::Demand, who);
                        step.parts[0].goal = at;
                        step.optional = round > 0;
                    }
                    self.step(who, SceneMove::Ponder, to).optional = true;
                }
            }
            self.step(who, SceneMove::Deed, to).parts[0].goal = at;
            if deeds::telling(goal).is_some() && to != who {
                self.step(to, SceneMove::Hurt, who).optional = true;
            } else if deeds::is_charge(&reading) && to != who {
                self.step(to, SceneMove::Crack, who).optional = true;
            }
        }
    }
}
