//! Branches as text: a row for each, and below it where they part.

use super::{Branch, Branches, Divergence, PARENT};
use crate::{
    report::{
        CallCosts,
        figures::{about, counted},
    },
    scene::{
        comparison::{Played, TableLine, Weight, measures, table::wrapped},
        report::{ForkedFrom, title},
    },
    text::shortened,
};

/// Room for `branch 1000`.
const LABEL_COLUMNS: usize = 11;
const GAP: usize = 2;
/// A line is quoted up to here: enough to hear where it is going.
const QUOTED_CHARS: usize = 200;
/// Narrower quotes break most words in two.
const NARROWEST_QUOTE: usize = 30;

/// At most so many columns wide, if that is at all possible.
pub fn outline(branches: &Branches, columns: usize) -> Vec<TableLine> {
    let mut lines: Vec<TableLine> =
        wrapped(&heading(branches), columns).into_iter().map(|text| line(Weight::Heading, text)).collect();
    lines.push(line(Weight::Figure, String::new()));
    lines.extend(rows(branches));
    lines.push(line(Weight::Figure, String::new()));
    let remark = remark(branches);
    lines.extend(wrapped(&remark, columns).into_iter().map(|text| line(Weight::Faint, text)));
    for branch in &branches.branches {
        lines.push(line(Weight::Figure, String::new()));
        lines.extend(divergence(branches, branch, columns));
    }
    lines
}

/// `Late Again: 5 branches after beat 6`
pub(super) fn heading(branches: &Branches) -> String {
    let count = branches.branches.len();
    let what = if count == 1 { "1 branch".to_owned() } else { format!("{count} branches") };
    format!("{}: {what} after {}", title(&branches.scene), branches.forked_from.told())
}

/// What the figures hold, and what not.
pub(super) fn remark(branches: &Branches) -> String {
    let shared = match branches.forked_from {
        ForkedFrom { beat, line: None, .. } => counted(u64::from(beat) + 1, "beat"),
        forked => format!("everything through {}", forked.told()),
    };
    let spent = branches.inherited.as_ref().map_or_else(String::new, spent);
    let run = branches.forked_from.run_id;
    format!("The run is {run}. All share {shared}{spent}; the cost of a branch is its own, from there on.")
}

fn spent(inherited: &CallCosts) -> String {
    match (inherited.total_tokens, inherited.estimated_usd) {
        (Some(0), _) => String::new(),
        (None, _) => ", whose cost is unknown".to_owned(),
        (Some(tokens), None) => format!(", which had used {} tokens", about(tokens)),
        (Some(tokens), Some(usd)) => {
            format!(", which had cost {} ({} tokens)", measures::money(usd), about(tokens))
        }
    }
}

/// What a row says of one run, below these heads.
pub(super) const HEADS: [&str; 5] = ["ends", "goals", "beats", "cost", "seed"];

pub(super) fn figures(run: &Played) -> [String; 5] {
    let end = run.reason.map_or("unfinished", |reason| reason.ending().name).replace('_', " ");
    let cost = run.estimated_usd.map_or_else(|| "unknown".to_owned(), measures::money);
    [end, format!("{} of {}", run.goals_met, run.goals), run.beats.to_string(), cost, run.seed.to_string()]
}

fn rows(branches: &Branches) -> Vec<TableLine> {
    let parent = (PARENT.to_owned(), figures(&branches.parent));
    let own = branches.branches.iter().map(|branch| {
        let run = &branch.played;
        (branches.title(run.run_id), figures(run))
    });
    let rows: Vec<(String, [String; 5])> = std::iter::once(parent).chain(own).collect();
    let mut widths = HEADS.map(str::len);
    for (_, figures) in &rows {
        for (width, figure) in widths.iter_mut().zip(figures) {
            *width = (*width).max(figure.len());
        }
    }
    let row = |label: &str, figures: &[String; 5]| {
        let mut text = format!("{label:<LABEL_COLUMNS$}");
        for (figure, width) in figures.iter().zip(widths) {
            text.push_str(&format!("{:GAP$}{figure:<width$}", ""));
        }
        text.trim_end().to_owned()
    };
    let head = line(Weight::Heading, row("", &HEADS.map(str::to_owned)));
    let rows = rows.iter().map(|(label, figures)| line(Weight::Figure, row(label, figures)));
    std::iter::once(head).chain(rows).collect()
}

fn divergence(branches: &Branches, branch: &Branch, columns: usize) -> Vec<TableLine> {
    let run = branch.played.run_id;
    let title = branches.title(run);
    let mut lines = vec![line(Weight::Heading, format!("{title} · {run}"))];
    for (whom, divergence) in branches.divergences(branch) {
        lines.extend(
            wrapped(&where_from(&whom, divergence), columns)
                .into_iter()
                .map(|text| line(Weight::Faint, text)),
        );
        let Some(Divergence { other, own, .. }) = divergence else { continue };
        for (who, said) in [(whom.as_str(), other), (title.as_str(), own)] {
            lines.extend(quote(who, said.as_deref().unwrap_or(OVER), columns));
        }
    }
    lines
}

fn quote(who: &str, said: &str, columns: usize) -> Vec<TableLine> {
    let room = columns.saturating_sub(LABEL_COLUMNS + GAP).max(NARROWEST_QUOTE);
    let said = wrapped(&shortened(said, QUOTED_CHARS), room);
    let labels = std::iter::once(who).chain(std::iter::repeat(""));
    let lines = labels.zip(said).map(|(who, said)| format!("{who:<LABEL_COLUMNS$}{:GAP$}{said}", ""));
    lines.map(|text| line(Weight::Figure, text)).collect()
}

/// What stands for the line of a story that has no more.
pub(super) const OVER: &str = "(the end)";

/// `parts from the run in beat 7, after 9 lines:`
pub(super) fn where_from(whom: &str, divergence: Option<&Divergence>) -> String {
    match divergence {
        None => format!("says the same as {whom}, to the end"),
        Some(Divergence { beat, lines_shared, .. }) => {
            let lines = counted(*lines_shared as u64, "line");
            format!("parts from {whom} in beat {beat}, after {lines} that both share:")
        }
    }
}

fn line(weight: Weight, text: String) -> TableLine {
    TableLine { weight, text }
}
