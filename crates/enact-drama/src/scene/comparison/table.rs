//! The comparison as text, contenders side by side.

use super::{
    Comparison, Contender,
    measures::{EXPLAINED, MEASURES, ends},
};
use crate::{report::figures::counted, scene::report::title, text::one_line};

/// One line of the table, and how it wants to be seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableLine {
    pub weight: Weight,
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    Heading,
    Figure,
    /// What only goes with a figure: its range, a remark.
    Faint,
}

/// Room for the longest label.
const LABEL_COLUMNS: usize = 16;
/// A column narrower than this breaks most figures in two; contenders that do not fit stand below.
const NARROWEST: usize = 18;
/// A column wider than this leaves the eye to find its row.
const WIDEST: usize = 28;
const GAP: usize = 2;

/// The table, at most so many columns wide if that is at all possible.
pub fn table(comparison: &Comparison, columns: usize) -> Vec<TableLine> {
    let room = columns.saturating_sub(LABEL_COLUMNS);
    let abreast = (room / (NARROWEST + GAP)).max(1);
    let heading = format!("{}: {}", title(&comparison.scene), extent(comparison));
    let heading = wrapped(&heading, columns).into_iter();
    let mut lines: Vec<TableLine> = heading.map(|text| line(Weight::Heading, text)).collect();
    for contenders in comparison.contenders.chunks(abreast) {
        // The last column needs no gap, but columns that are all alike are easier to reckon with.
        let width = (room / contenders.len().max(1)).saturating_sub(GAP).clamp(NARROWEST, WIDEST);
        lines.push(line(Weight::Figure, String::new()));
        lines.extend(block(contenders, width));
    }
    lines.push(line(Weight::Figure, String::new()));
    let remarks = EXPLAINED.iter().flat_map(|remark| wrapped(remark, columns));
    lines.extend(remarks.map(|remark| line(Weight::Faint, remark)));
    lines
}

/// `3 contenders, 5 runs each`
pub(super) fn extent(comparison: &Comparison) -> String {
    let count = |contender: &Contender| contender.runs.len() as u64;
    let most = comparison.contenders.iter().map(count).max().unwrap_or(0);
    let runs = match comparison.contenders.iter().all(|contender| count(contender) == most) {
        true => format!("{} each", counted(most, "run")),
        false => format!("up to {} each", counted(most, "run")),
    };
    let contenders = counted(comparison.contenders.len() as u64, "contender");
    format!("{contenders}, {runs}")
}

fn block(contenders: &[Contender], width: usize) -> Vec<TableLine> {
    let names = contenders.iter().map(|contender| wrapped(&one_line(&contender.name), width)).collect();
    let mut lines: Vec<TableLine> =
        rows("", names, width).into_iter().map(|text| line(Weight::Heading, text)).collect();
    for measure in &MEASURES {
        let cells: Vec<_> = contenders.iter().map(measure.cell).collect();
        let figures = cells.iter().map(|cell| wrapped(&cell.figure, width)).collect();
        lines.extend(rows(measure.label, figures, width).into_iter().map(|text| line(Weight::Figure, text)));
        let beside =
            cells.iter().map(|cell| cell.beside.iter().flat_map(|text| wrapped(text, width)).collect());
        lines.extend(rows("", beside.collect(), width).into_iter().map(|text| line(Weight::Faint, text)));
    }
    let ends = |contender: &Contender| ends(contender).iter().flat_map(|end| wrapped(end, width)).collect();
    let ends = rows("ends", contenders.iter().map(ends).collect(), width);
    lines.extend(ends.into_iter().map(|text| line(Weight::Figure, text)));
    lines.extend(rare(contenders, width));
    lines
}

/// What is only worth a row where it happened.
fn rare(contenders: &[Contender], width: usize) -> Vec<TableLine> {
    let drifts = ("drifts", contenders.iter().map(|c| u64::from(c.summary.drifts)).collect::<Vec<_>>());
    let unaccounted = ("unaccounted", contenders.iter().map(|c| c.summary.unaccounted).collect());
    let mut lines = Vec::new();
    for (label, counts) in [drifts, unaccounted] {
        if counts.iter().any(|count| *count > 0) {
            let noun = if label == "drifts" { "time" } else { "call" };
            let cells = counts.iter().map(|count| vec![counted(*count, noun)]).collect();
            lines.extend(rows(label, cells, width).into_iter().map(|text| line(Weight::Figure, text)));
        }
    }
    lines
}

/// Cells of several lines side by side, the label before the first of them.
fn rows(label: &str, cells: Vec<Vec<String>>, width: usize) -> Vec<String> {
    let height = cells.iter().map(Vec::len).max().unwrap_or(0);
    (0..height)
        .map(|index| {
            let label = if index == 0 { label } else { "" };
            let mut text = format!("{label:<LABEL_COLUMNS$}");
            for cell in &cells {
                let part = cell.get(index).map_or("", String::as_str);
                text.push_str(&format!("{part:<width$}{:GAP$}", ""));
            }
            text.trim_end().to_owned()
        })
        .collect()
}

/// Broken between words, and within those that are too long on their own.
pub(super) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split(' ') {
        let mut letters: Vec<char> = word.chars().collect();
        if used > 0 && used + 1 + letters.len() > width {
            lines.push(String::new());
            used = 0;
        }
        while letters.len() > width {
            let rest = letters.split_off(width);
            push(&mut lines, &letters);
            lines.push(String::new());
            letters = rest;
        }
        if used > 0 {
            push(&mut lines, &[' ']);
            used += 1;
        }
        used += letters.len();
        push(&mut lines, &letters);
    }
    lines
}

fn push(lines: &mut [String], letters: &[char]) {
    if let Some(last) = lines.last_mut() {
        last.extend(letters);
    }
}

fn line(weight: Weight, text: String) -> TableLine {
    TableLine { weight, text }
}
