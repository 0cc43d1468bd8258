//! Goals that are a single deed: to ask, explain, admit, promise, refuse, thank or say goodbye.

use enact_drama::{
    judge::{Act, Goal},
    scene::Situation,
};

use super::{
    arc::Plan,
    play::Play,
    role::{Temperature, place, wanted},
    topic,
};

/// The first deed the goals ask for, and who is to do it. Goodbyes are no reason to come.
pub(super) fn first(scene: &Situation) -> Option<(Act, Option<usize>)> {
    let deeds = scene.goals.iter().filter(|goal| !goal.negated);
    let mut deeds =
        deeds.filter_map(|goal| Some((goal.act?, goal.doers.iter().find_map(|doer| place(scene, doer)))));
    deeds.find(|(act, _)| *act != Act::Farewell)
}

/// Adds what leads to the deed, and the deed.
pub(super) fn plan(plan: &mut Plan<'_>, goal: &Goal, act: Act) {
    let roles = plan.roles;
    for who in plan.doers(goal, roles.accused) {
        let partner = if who == roles.accuser { roles.accused } else { roles.accuser };
        let to = goal
            .to
            .iter()
            .find_map(|name| place(plan.scene, name))
            .filter(|to| *to != who)
            .unwrap_or(partner);
        let play = match act {
            Act::Admit if plan.owned && who == roles.accused => continue,
            Act::Admit => {
                plan.step(to, Play::Cool, who).optional = true;
                Play::Own
            }
            Act::Explain => {
                plan.step(to, Play::Cool, who).optional = true;
                Play::Explain
            }
            Act::Ask => Play::Ask,
            Act::Promise => Play::Promise,
            Act::Refuse => {
                if wanted(plan.scene, Act::Ask).is_none() {
                    plan.step(to, Play::Request, who);
                }
                Play::Refuse
            }
            Act::Thank => Play::Thank,
            Act::Farewell => Play::Farewell,
            // Planned where the quarrel is.
            Act::Apologise
            | Act::Accept
            | Act::Forgive
            | Act::Agree
            | Act::Confront
            | Act::Mediate
            | Act::Interrupt => {
                continue;
            }
        };
        plan.owned |= play == Play::Own && who == roles.accused;
        let step = plan.deed(who, play, to);
        step.parts[0].about = goal.about.as_deref().and_then(topic::noun_phrase);
        if act == Act::Admit && roles.temperature != Temperature::Heated {
            plan.step(to, Play::Hurt, who).optional = true;
            if wanted(plan.scene, Act::Promise).is_none() {
                plan.step(who, Play::Promise, to).optional = true;
            }
        }
        if act == Act::Ask
            && wanted(plan.scene, Act::Refuse).is_none()
            && wanted(plan.scene, Act::Explain).is_none()
        {
            plan.step(to, Play::Answer, who);
        }
    }
}
