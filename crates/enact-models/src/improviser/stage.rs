//! Everything an actor makes of its view before it decides what to do.

use enact_drama::{
    Name,
    dice::Dice,
    reply::Action,
    scene::{Line, Said, View},
};

use super::{
    arc::{self, Part, Step},
    progress::Progress,
    role::Roles,
    say::Cause,
    temper::Temper,
    topic::Subject,
};

/// A view, understood.
#[derive(Debug)]
pub(super) struct Stage<'a> {
    pub(super) view: &'a View,
    /// My place in the cast.
    pub(super) me: usize,
    pub(super) temper: Temper,
    pub(super) subject: Subject,
    pub(super) roles: Roles,
    pub(super) cause: Cause,
    pub(super) arc: Vec<Step>,
    pub(super) progress: Progress,
}

impl<'a> Stage<'a> {
    pub(super) fn of(view: &'a View) -> Option<Stage<'a>> {
        let scene = &*view.scene;
        let me = scene.cast.iter().position(|(name, _)| *name == view.me)?;
        let roles = Roles::of(view);
        let arc = arc::arc(view, &roles);
        let mut progress = Progress::follow(&arc, scene, &view.lines, view.beat);
        let asked = |part: &&Part| asker(view, part.who).is_some();
        if view.notes.iter().any(|note| wants_an_end(note)) && !progress.due(&arc).iter().any(asked) {
            progress.hurry(&arc);
        }
        let cause = Cause::ALL[Dice::new(scene.seed, "cause", 0).below(Cause::ALL.len())];
        Some(Stage {
            view,
            me,
            temper: Temper::read(&view.sheet),
            subject: Subject::of(scene),
            roles,
            cause,
            arc,
            progress,
        })
    }

    pub(super) fn name(&self, place: usize) -> &'a Name {
        &self.view.scene.cast[place].0
    }

    pub(super) fn display(&self, place: usize) -> &'a str {
        &self.view.scene.cast[place].1
    }

    pub(super) fn cast_size(&self) -> usize {
        self.view.scene.cast.len()
    }

    /// The lines that are new since this actor was last asked.
    pub(super) fn latest(&self) -> impl Iterator<Item = &'a Line> {
        let beat = self.view.beat;
        self.view.lines.iter().filter(move |line| line.beat + 1 == beat)
    }

    /// What has just happened in the world.
    pub(super) fn event(&self) -> Option<&'a str> {
        self.latest().find_map(|line| match &line.said {
            Said::World { text } => Some(text.as_str()),
            _ => None,
        })
    }

    /// Who has just cut off what I last said.
    pub(super) fn just_cut_off_by(&self) -> Option<usize> {
        let mine = |line: &&Line| line.is_by(&self.view.me) && line.spoken().is_some();
        let cut = self.view.lines.iter().rev().find(mine)?.cut.as_ref()?;
        let just = self.latest().any(|line| line.is_by(&cut.by));
        self.view.scene.cast.iter().position(|(name, _)| *name == cut.by).filter(|_| just)
    }

    /// Dice of mine for this beat.
    pub(super) fn dice(&self) -> Dice {
        Dice::new(self.view.scene.seed, self.view.me.as_str(), self.view.beat)
    }
}

/// Who has just asked somebody something and waits for an answer.
pub(super) fn asker(view: &View, asked: usize) -> Option<usize> {
    let cast = &view.scene.cast;
    let (name, display) = &cast[asked];
    let latest = view.lines.iter().rev().take_while(|line| line.beat + 1 >= view.beat);
    latest.filter(|line| !line.is_by(name)).find_map(|line| {
        let (who, reply) = line.actor()?;
        let asks = reply.action == Action::Speak && line.heard().trim_end().ends_with('?');
        let to = reply.target.as_deref().is_some_and(|target| target.eq_ignore_ascii_case(display));
        if asks && to { cast.iter().position(|(other, _)| other == who) } else { None }
    })
}

fn wants_an_end(note: &str) -> bool {
    let note = note.to_lowercase();
    ["wrapping up", "wrap up", "close the scene", "conclusion"].iter().any(|sign| note.contains(sign))
}
