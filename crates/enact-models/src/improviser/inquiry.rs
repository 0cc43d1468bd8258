//! How something comes out: it is asked for, denied, blamed on something else, witnessed, and cracks before it is said;
//! and how somebody comes to do what hurts another.

use enact_drama::judge::{Act, Goal};

use super::{
    arc::ArcPlan,
    deeds::{is_confession, telling},
    moves::SceneMove,
    role::wanted,
};

/// So many may testify: a trial is not a scene.
const WITNESSES: usize = 2;

impl ArcPlan<'_> {
    /// What leads up to a confession, or to something that was kept back.
    pub(super) fn inquiry(&mut self, goal: &Goal, who: usize, to: usize) {
        let Some(reading) = telling(goal).filter(|_| who != to) else { return };
        let wrong = is_confession(&reading);
        if !wrong {
            // Nobody says two things in a row.
            if !self.has_begun_with(who) {
                self.step(who, SceneMove::Deflect, to).optional = true;
            }
            self.step(to, SceneMove::Challenge, who);
            self.step(who, SceneMove::Crack, to);
            return;
        }
        // Who was accused denies it at once; others are asked first.
        let accused = wanted(self.scene, Act::Confront).is_some() && self.has_begun_with(to);
        if !accused {
            if self.has_begun_with(to) {
                self.step(who, SceneMove::Answer, to).optional = true;
            }
            self.step(to, SceneMove::Press, who);
        }
        self.step(who, SceneMove::Deny, to).reacts = self.roles.mediator();
        self.step(to, SceneMove::Press, who);
        self.step(who, SceneMove::Deflect, to).optional = true;
        let others: Vec<usize> = self.roles.others.iter().copied().filter(|other| *other != to).collect();
        for witness in others.into_iter().filter(|other| *other != who).take(WITNESSES) {
            self.step(witness, SceneMove::Testify, who).reacts = Some(who);
        }
        self.step(to, SceneMove::Hurt, who);
        self.step(who, SceneMove::Crack, to);
        if self.dice.one_in(2) {
            self.step(to, SceneMove::Press, who).optional = true;
            self.step(who, SceneMove::Crack, to).optional = true;
        }
    }

    /// What leads up to a deed that nobody asks for whom it is done to: the doer weighs it, and the other
    /// pleads; or denies it, if it is a charge.
    pub(super) fn weighing(&mut self, who: usize, victim: usize, charge: bool) {
        if charge {
            self.step(who, SceneMove::Press, victim);
            self.step(victim, SceneMove::Deny, who);
            return;
        }
        let third = (0..self.scene.cast.len()).find(|other| *other != who && *other != victim);
        if !self.has_begun_with(who) {
            self.step(who, SceneMove::Ponder, victim).reacts = Some(victim);
        }
        match third.filter(|_| self.dice.one_in(2)) {
            Some(third) => self.step(third, SceneMove::Urge, who).optional = true,
            None => self.step(victim, SceneMove::Plead, who).optional = true,
        }
    }
}
