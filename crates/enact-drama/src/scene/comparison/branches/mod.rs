//! Branches of one run side by side: how each of them ended, and where they part.
//!
//! [`Divergence`] finds the first line that differs. [`outline()`] shows all of it as text, [`page()`] as a
//! page, and serialising [`Branches`] gives it to programs.

mod outline;
mod page;

#[cfg(test)]
mod tests;

use serde::Serialize;

pub use outline::outline;
pub use page::page;

use super::{Comparison, Contender, Played, Summary};
use crate::{
    Name, RunId,
    production::ForkPoint,
    report::CallCosts,
    scene::{
        Line,
        report::{ForkedFrom, SceneReport, line_text},
    },
};

/// A run, and the runs that were forked from it at one beat.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Branches {
    pub scene: Name,
    pub forked_from: ForkedFrom,
    /// What the beats had cost that all of them share. It is in no branch's own figures; nothing where there
    /// is no branch.
    pub inherited: Option<CallCosts>,
    /// The run they were forked from, as far as it was played.
    pub parent: Played,
    /// All branches together.
    pub summary: Summary,
    pub branches: Vec<Branch>,
}

/// One of them. Tokens and costs are its own, from the fork on; beats are those of the whole story.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Branch {
    #[serde(flatten)]
    pub played: Played,
    /// Where it parts from the run it was forked from; nothing if it never does.
    pub parts_from_parent: Option<Divergence>,
    /// The branch before it that it has most in common with.
    pub nearest: Option<Nearest>,
}

/// Another branch, and where the two part; nothing if they never do.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Nearest {
    pub run_id: RunId,
    pub parts: Option<Divergence>,
}

impl Branches {
    /// Compares the branches of a run that were forked at a beat, or at a line of it, in the order given.
    pub fn of(parent: &SceneReport, at: impl Into<ForkPoint>, stories: &[SceneReport]) -> Branches {
        let ForkPoint { beat, line } = at.into();
        let branches = stories.iter().enumerate().map(|(at, story)| Branch {
            played: Played::of(story),
            parts_from_parent: Divergence::of(parent, story),
            nearest: nearest(&stories[..at], story),
        });
        let branches: Vec<Branch> = branches.collect();
        let runs: Vec<Played> = branches.iter().map(|branch| branch.played.clone()).collect();
        let inherited = stories.iter().find_map(|story| story.ledger.inherited);
        Branches {
            scene: parent.setup.name.clone(),
            forked_from: ForkedFrom { run_id: parent.setup.run, beat, line },
            inherited: inherited.map(CallCosts::from),
            parent: Played::of(parent),
            summary: Summary::of(&runs),
            branches,
        }
    }

    /// The branches as one contender beside the run they come from.
    fn comparison(&self) -> Comparison {
        let runs = self.branches.iter().map(|branch| branch.played.clone()).collect();
        let parent = vec![self.parent.clone()];
        Comparison {
            scene: self.scene.clone(),
            contenders: vec![
                Contender { name: PARENT.to_owned(), summary: Summary::of(&parent), runs: parent },
                Contender { name: "branches".to_owned(), summary: self.summary.clone(), runs },
            ],
        }
    }

    /// What a branch is called among people.
    fn title(&self, run: RunId) -> String {
        let place = self.branches.iter().position(|branch| branch.played.run_id == run);
        place.map_or_else(|| PARENT.to_owned(), |place| format!("branch {}", place + 1))
    }

    /// Those who said the same as it for the longest: where it parts from each of them, by what they are
    /// called.
    ///
    /// The run itself is always among them; an earlier branch only if it went along for longer.
    fn divergences<'a>(&'a self, branch: &'a Branch) -> Vec<(String, Option<&'a Divergence>)> {
        let shared = |divergence: Option<&Divergence>| {
            divergence.map_or(usize::MAX, |divergence| divergence.lines_shared)
        };
        let from_parent = branch.parts_from_parent.as_ref();
        let mut divergences = vec![(PARENT.to_owned(), from_parent)];
        if let Some(nearest) = &branch.nearest
            && shared(nearest.parts.as_ref()) > shared(from_parent)
        {
            divergences.push((self.title(nearest.run_id), nearest.parts.as_ref()));
        }
        divergences
    }
}

/// What the run is called that the branches were forked from.
const PARENT: &str = "the run";

/// Ties go to the earlier one, which has been told of before.
fn nearest(earlier: &[SceneReport], story: &SceneReport) -> Option<Nearest> {
    let mut nearest: Option<(usize, Nearest)> = None;
    for other in earlier {
        let parts = Divergence::of(other, story);
        let shared = parts.as_ref().map_or(usize::MAX, |divergence| divergence.lines_shared);
        if nearest.as_ref().is_none_or(|(most, _)| shared > *most) {
            nearest = Some((shared, Nearest { run_id: other.setup.run, parts }));
        }
    }
    nearest.map(|(_, nearest)| nearest)
}

/// The first line that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Divergence {
    /// How many lines both have said by then.
    pub lines_shared: usize,
    /// The beat in which this one goes its own way.
    pub beat: u32,
    /// What the other one says there; nothing if it is over.
    pub other: Option<String>,
    /// What this one says there.
    pub own: Option<String>,
}

impl Divergence {
    /// Where `story` parts from `other`; nothing if both say the same to the end.
    ///
    /// Lines are compared by what was said, not by how much of it was heard: where a line is cut in
    /// only one of them, the line that cuts in is the one that differs.
    fn of(other: &SceneReport, story: &SceneReport) -> Option<Divergence> {
        let pairs = story.lines.iter().zip(other.lines.iter());
        let lines_shared = pairs.take_while(|(own, other)| own.said == other.said).count();
        let (own, other_line) = (story.lines.get(lines_shared), other.lines.get(lines_shared));
        let beat = own.or(other_line)?.beat;
        let quoted =
            |story: &SceneReport, line: Option<&Line>| line.map(|line| line_text(&story.setup, line));
        Some(Divergence { lines_shared, beat, other: quoted(other, other_line), own: quoted(story, own) })
    }
}
