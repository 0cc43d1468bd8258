//! Scenes that are no quarrel: what they are about is opened between those whom the goals name, and without goals the
//! talk itself is the scene.

use enact_drama::judge::Act;

use super::{
    arc::{ArcPlan, VOICES_PER_BEAT},
    deeds,
    moves::SceneMove,
    role::{Roles, wanted},
    simple_goals,
};

impl ArcPlan<'_> {
    /// People say where they stand. What the goals ask for follows; without any, the talk itself is the
    /// scene.
    pub(super) fn talk(&mut self) {
        let Roles { opener, accuser, accused, .. } = *self.roles;
        let count = self.scene.cast.len();
        let around: Vec<usize> = (1..count).map(|n| (opener + n) % count).collect();
        let tabled =
            self.scene.goals.iter().any(|goal| !goal.is_readable() && deeds::reading(goal).is_some());
        if simple_goals::first(self.scene).is_some() || tabled {
            // What the goals are about is opened between those they are about.
            let first = self.scene.goals.iter().find_map(deeds::reading);
            let named = first.iter().flat_map(|first| first.subject.iter().chain(&first.addressee));
            let partner = named.copied().find(|who| *who != opener && first.is_some());
            let partner = partner.unwrap_or(if opener == accused { accuser } else { accused });
            let confronts = wanted(self.scene, Act::Confront).is_some();
            if !confronts || opener != accuser {
                self.step(opener, SceneMove::OpenTopic, partner);
                let told = self.scene.goals.iter().any(|goal| deeds::telling(goal).is_some());
                let refuses = first.as_ref().is_some_and(|first| first.act.name() == "refuse");
                if !told && !refuses {
                    self.step(partner, SceneMove::Answer, opener).optional = true;
                    // Nobody says two things in a row.
                    if first.as_ref().is_some_and(|first| first.subject.contains(&partner)) {
                        self.step(opener, SceneMove::Challenge, partner).optional = true;
                    }
                }
                if !first.as_ref().is_some_and(deeds::is_confession) {
                    let rest: Vec<usize> = around.into_iter().filter(|who| *who != partner).collect();
                    for other in rest.into_iter().take(VOICES_PER_BEAT) {
                        self.step(other, SceneMove::Position, opener).optional = true;
                    }
                }
            }
            if confronts {
                self.confront(accuser, accused);
            }
            return;
        }
        let second = around.first().copied().unwrap_or(opener);
        self.step(opener, SceneMove::OpenTopic, second);
        self.everyone(&around, SceneMove::Position, None);
        let last = around.last().copied().unwrap_or(opener);
        self.step(opener, SceneMove::Challenge, second).reacts = Some(last).filter(|_| count > 2);
        self.step(second, SceneMove::Answer, opener);
        if count == 2 {
            self.step(opener, SceneMove::Position, second);
            self.step(second, SceneMove::Challenge, opener);
            self.step(opener, SceneMove::Answer, second);
        } else {
            self.step(last, SceneMove::Support, opener).optional = true;
        }
        let (suggests, to) = if count == 2 { (second, opener) } else { (opener, last) };
        self.step(suggests, SceneMove::Suggest, to).reacts = Some(second).filter(|who| *who != suggests);
        self.proposed = true;
        if count == 2 {
            self.step(opener, SceneMove::Agree, second);
            return;
        }
        let mut rest = around;
        rest.truncate(VOICES_PER_BEAT);
        self.everyone(&rest, SceneMove::Agree, None);
    }
}
