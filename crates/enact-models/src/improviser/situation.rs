//! Everything an actor makes of its view before it decides what to do.

use std::sync::Arc;

use enact_drama::{
    Name,
    dice::Dice,
    reply::Action,
    scene::{Line, Said, View},
    story::SceneStory,
};

use super::{
    arc::{self, ArcStep, StepPart},
    guilt::Guilt,
    instructions::Instructions,
    progress::{Followed, Progress},
    read_so_far::{ReadSoFar, newest},
    role::Roles,
    template::Cause,
    topic::Subject,
    traits::Traits,
    voice::VoiceManner,
};

/// A view, understood: who is who, what should happen, and how much of it has.
#[derive(Debug)]
pub(super) struct ActorSituation<'a> {
    pub(super) view: &'a View,
    pub(super) read: &'a ReadSoFar,
    /// My place in the cast.
    pub(super) me: usize,
    pub(super) traits: Traits,
    pub(super) voice: VoiceManner,
    pub(super) instructions: Instructions,
    /// What is to come out, or has.
    pub(super) guilt: Option<Guilt>,
    pub(super) story: Arc<SceneStory>,
    pub(super) subject: Subject,
    pub(super) roles: Roles,
    pub(super) cause: Cause,
    pub(super) arc: Vec<ArcStep>,
    pub(super) progress: Progress,
}

impl<'a> ActorSituation<'a> {
    pub(super) fn of(view: &'a View, read: &'a mut ReadSoFar) -> Option<ActorSituation<'a>> {
        let scene = &*view.scene;
        let me = scene.cast.iter().position(|(name, _)| *name == view.me)?;
        read.read_on(&view.lines);
        let story = read.story(&view.me, || story_of(view, me));
        let first_spoken = read.first_spoken(&view.lines);
        let roles = Roles::of(view, first_spoken);
        let arc = arc::arc(view, &roles);
        // Who speaks first decides who is who. From then on the arc stays, and what was followed along it counts.
        let followed = match first_spoken {
            Some(_) => &mut read.followed,
            None => &mut Followed::through(view.lines.len()),
        };
        let mut progress = Progress::follow(&arc, scene, &view.lines, view.beat, followed);
        let asked = |part: &&StepPart| asker(view, part.who).is_some();
        if view.notes.iter().any(|note| wants_an_end(note)) && !progress.due(&arc).iter().any(asked) {
            progress.hurry(&arc);
        }
        let cause = Cause::ALL[arc::scene_dice(scene, "cause", 0).below(Cause::ALL.len())];
        Some(ActorSituation {
            view,
            read,
            me,
            traits: Traits::read(&view.sheet),
            voice: VoiceManner::read(&view.sheet),
            instructions: Instructions::read(&view.sheet),
            guilt: Guilt::of(scene, &story, &arc, &progress),
            story,
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

    /// What somebody is called to the face.
    pub(super) fn call(&self, place: usize) -> Option<String> {
        self.story.people.get(place).called()
    }

    /// Whether the author gave this character anything of its own to say.
    pub(super) fn has_material(&self) -> bool {
        !self.story.own.facts.is_empty()
    }

    pub(super) fn cast_size(&self) -> usize {
        self.view.scene.cast.len()
    }

    /// The lines that are new since this actor was last asked.
    pub(super) fn latest(&self) -> impl Iterator<Item = &'a Line> {
        let beat = self.view.beat;
        newest(&self.view.lines, beat).filter(move |line| line.beat + 1 == beat)
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
        let cut = self.read.newest_spoken(&self.view.lines, &self.view.me)?.cut.as_ref()?;
        let just = self.latest().any(|line| line.is_by(&cut.by));
        self.view.scene.cast.iter().position(|(name, _)| *name == cut.by).filter(|_| just)
    }

    /// Dice of mine for this beat.
    pub(super) fn dice(&self) -> Dice {
        arc::scene_dice(&self.view.scene, self.view.me.as_str(), self.view.beat)
    }
}

fn story_of(view: &View, me: usize) -> SceneStory {
    let scene = &*view.scene;
    let displays: Vec<&str> = scene.cast.iter().map(|(_, display)| display.as_str()).collect();
    let goals: Vec<&str> = scene.goals.iter().map(|goal| goal.text.as_str()).collect();
    SceneStory::read(&displays, &scene.prompt, scene.setting.as_deref(), &goals, me, &view.sheet)
}

/// Who has just asked somebody something and waits for an answer.
pub(super) fn asker(view: &View, asked: usize) -> Option<usize> {
    let cast = &view.scene.cast;
    let (name, display) = &cast[asked];
    newest(&view.lines, view.beat).rev().filter(|line| !line.is_by(name)).find_map(|line| {
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
