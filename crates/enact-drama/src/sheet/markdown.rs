//! As much of markdown as a sheet needs: headings, bullet points, paragraphs.

use super::Section;

/// A body by its headings.
#[derive(Debug, Default)]
pub(super) struct Outline {
    /// The level and the text of the first heading.
    pub(super) first: Option<(usize, String)>,
    /// How many headings are of the first level.
    pub(super) top_headings: usize,
    pub(super) sections: Vec<Section>,
}

pub(super) fn read(body: &str) -> Outline {
    let mut reader = SheetReader::default();
    for line in body.lines() {
        reader.line(line);
    }
    reader.close_point();
    reader.outline
}

#[derive(Default)]
struct SheetReader {
    outline: Outline,
    /// The point being read, which following lines may continue.
    point: String,
    /// Inside a code fence, where nothing is markdown.
    fenced: bool,
}

impl SheetReader {
    fn line(&mut self, line: &str) {
        let text = line.trim();
        if text.starts_with("```") || text.starts_with("~~~") {
            self.fenced = !self.fenced;
            self.close_point();
        } else if self.fenced {
            self.continue_point(text);
        } else if text.is_empty() || is_rule(text) {
            self.close_point();
        } else if let Some((level, heading)) = heading(text) {
            self.close_point();
            let heading = plain(heading);
            self.outline.top_headings += usize::from(level == 1);
            self.outline.first.get_or_insert_with(|| (level, heading.clone()));
            self.outline.sections.push(Section { heading, points: Vec::new() });
        } else if let Some(point) = bullet(text) {
            self.close_point();
            self.continue_point(point);
        } else {
            self.continue_point(text.trim_start_matches("> ").trim_start_matches('>'));
        }
    }

    fn continue_point(&mut self, text: &str) {
        if !self.point.is_empty() {
            self.point.push(' ');
        }
        self.point.push_str(text.trim());
    }

    fn close_point(&mut self) {
        let point = plain(&std::mem::take(&mut self.point));
        if point.is_empty() {
            return;
        }
        match self.outline.sections.last_mut() {
            Some(section) => section.points.push(point),
            None => self.outline.sections.push(Section { heading: String::new(), points: vec![point] }),
        }
    }
}

/// The level and the text of a heading.
fn heading(text: &str) -> Option<(usize, &str)> {
    let rest = text.trim_start_matches('#');
    let level = text.len() - rest.len();
    let is_heading = (1..=6).contains(&level) && (rest.is_empty() || rest.starts_with([' ', '\t']));
    is_heading.then(|| (level, rest.trim().trim_end_matches('#').trim_end()))
}

/// What follows a bullet or a number.
fn bullet(text: &str) -> Option<&str> {
    let after_mark = match text.strip_prefix(['-', '*', '+', '•']) {
        Some(rest) => rest,
        None => {
            let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
            let is_number = (1..=3).contains(&(text.len() - rest.len()));
            rest.strip_prefix(['.', ')']).filter(|_| is_number)?
        }
    };
    (after_mark.is_empty() || after_mark.starts_with([' ', '\t'])).then(|| after_mark.trim_start())
}

/// A line across the page: three or more of one mark, with which it begins.
fn is_rule(text: &str) -> bool {
    let Some(mark @ ('-' | '*' | '_' | '=')) = text.chars().next() else { return false };
    text.chars().all(|c| c == mark || c.is_whitespace()) && text.chars().filter(|c| *c == mark).count() >= 3
}

/// Text without the marks that make it bold.
fn plain(text: &str) -> String {
    text.replace("**", "").replace("__", "").trim().to_owned()
}
