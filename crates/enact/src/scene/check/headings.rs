//! Which headings a sheet has, and which of them are known.

use enact_drama::{did_you_mean, sheet::Sheet, text::one_line};

/// Headings that mean the same in every sheet, one on each line.
const KNOWN: &str = include_str!("sheet_headings.txt");

fn known() -> impl Iterator<Item = &'static str> {
    KNOWN.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// What stands in a sheet, and what may be meant otherwise. All of it is told to language models.
pub(super) fn lines(sheet: &Sheet) -> Vec<String> {
    let mut used = Vec::new();
    let mut remarks = Vec::new();
    for section in &sheet.sections {
        let (heading, points) = (one_line(&section.heading), section.points.len());
        let is_known = known().any(|known| known.eq_ignore_ascii_case(&heading));
        // The heading with the character's name opens the sheet, and most often stands alone.
        let is_title = heading.starts_with(sheet.display.as_str());
        match (heading.is_empty() || is_title, points) {
            (true, 0) => continue,
            (true, _) => used.push(format!("what stands above them ({points})")),
            (false, 0) => remarks.push(format!("    nothing stands below '{heading}'")),
            (false, _) => used.push(format!("{heading} ({points})")),
        }
        if !is_known
            && !is_title
            && let Some(near) = did_you_mean(&heading, known())
        {
            remarks.push(format!("    heading '{heading}': did you mean '{near}'?"));
        }
    }
    let listed = match used.is_empty() {
        true => "    no headings with anything below them".to_owned(),
        false => format!("    headings: {}", used.join(", ")),
    };
    std::iter::once(listed).chain(remarks).collect()
}
