//! Plots as inline SVG: a bar for the middle, a dot for every run, a line from the smallest to the largest.

use std::fmt::Write;

use crate::text::escaped_html;

/// One plot: a row for every contender, all on one axis that begins at nothing.
pub(super) struct Plot {
    /// Names it within the page.
    pub(super) id: &'static str,
    pub(super) title: &'static str,
    /// How a value is worded.
    pub(super) word: fn(f64) -> String,
    /// Where the axis ends; at the largest value if nothing is said.
    pub(super) end: Option<f64>,
    /// Nothing lies between one and two.
    pub(super) counts: bool,
    pub(super) rows: Vec<PlotRow>,
}

/// What a plot shows of one contender.
pub(super) struct PlotRow {
    pub(super) name: String,
    /// In words, so that nothing has to be read off a bar.
    pub(super) figure: String,
    pub(super) marks: Marks,
}

pub(super) enum Marks {
    /// Nothing is known.
    None,
    Spread {
        median: f64,
        min: f64,
        max: f64,
        runs: Vec<f64>,
    },
    /// Parts of a whole, with their CSS class and what they are.
    Parts(Vec<(&'static str, &'static str, f64)>),
}

/// In the plot's own units; the page scales it.
const WIDTH: f64 = 480.0;
/// Keeps dots at the ends of the axis, and half of their labels, within the picture.
const MARGIN: f64 = 8.0;
const ROW_HEIGHT: f64 = 48.0;
const NAME_BASELINE: f64 = 15.0;
const BAR_TOP: f64 = 23.0;
const BAR_HEIGHT: f64 = 14.0;
const DOT_RADIUS: f64 = 4.0;
const AXIS_HEIGHT: f64 = 24.0;
/// More would run into each other on a telephone.
const MOST_TICKS: f64 = 5.0;

impl Plot {
    pub(super) fn svg(&self) -> String {
        let (id, title) = (self.id, escaped_html(self.title));
        let bottom = ROW_HEIGHT * self.rows.len() as f64;
        let height = bottom + AXIS_HEIGHT;
        let end = self.axis_end();
        let mut svg = format!(
            "<svg role=\"img\" aria-labelledby=\"{id}-title {id}-desc\" viewBox=\"0 0 {WIDTH} {height}\">\n\
             <title id=\"{id}-title\">{title}</title>\n<desc id=\"{id}-desc\">{}</desc>\n",
            escaped_html(&self.described())
        );
        for tick in ticks(end, self.counts) {
            let x = place(tick, end);
            let anchor = if tick == 0.0 { "start" } else { "middle" };
            let label = escaped_html(&(self.word)(tick));
            let _ = writeln!(
                svg,
                "<line class=\"grid\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{BAR_TOP}\" y2=\"{bottom:.1}\"/>\
                 <text class=\"tick\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{label}</text>",
                bottom + 14.0
            );
        }
        for (index, row) in self.rows.iter().enumerate() {
            self.row(&mut svg, row, ROW_HEIGHT * index as f64, end);
        }
        svg.push_str("</svg>\n");
        svg
    }

    fn row(&self, svg: &mut String, row: &PlotRow, top: f64, end: f64) {
        let (baseline, bar, middle) = (top + NAME_BASELINE, top + BAR_TOP, top + BAR_TOP + BAR_HEIGHT / 2.0);
        let _ = writeln!(
            svg,
            "<text class=\"name\" x=\"{MARGIN}\" y=\"{baseline}\">{}</text>\
             <text class=\"figure\" x=\"{}\" y=\"{baseline}\" text-anchor=\"end\">{}</text>",
            escaped_html(&row.name),
            WIDTH - MARGIN,
            escaped_html(&row.figure)
        );
        let mut rect = |class: &str, from: f64, to: f64, what: &str| {
            let (x, width) = (place(from, end), (place(to, end) - place(from, end)).max(0.0));
            let _ = writeln!(
                svg,
                "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{bar}\" width=\"{width:.1}\" height=\"{BAR_HEIGHT}\">\
                 <title>{}</title></rect>",
                escaped_html(what)
            );
        };
        rect("track", 0.0, end, &row.figure);
        match &row.marks {
            Marks::None => {}
            Marks::Parts(parts) => {
                let mut from = 0.0;
                for (class, what, size) in parts {
                    rect(class, from, from + size, what);
                    from += size;
                }
            }
            Marks::Spread { median, min, max, runs } => {
                rect("bar", 0.0, *median, &format!("median {}", (self.word)(*median)));
                let (x1, x2) = (place(*min, end), place(*max, end));
                let _ = writeln!(
                    svg,
                    "<line class=\"range\" x1=\"{x1:.1}\" x2=\"{x2:.1}\" y1=\"{middle}\" y2=\"{middle}\"/>"
                );
                for run in runs {
                    let _ = writeln!(
                        svg,
                        "<circle class=\"run\" cx=\"{:.1}\" cy=\"{middle}\" r=\"{DOT_RADIUS}\"><title>one run: {}</title></circle>",
                        place(*run, end),
                        escaped_html(&(self.word)(*run))
                    );
                }
            }
        }
    }

    /// For those who do not see it.
    fn described(&self) -> String {
        let rows: Vec<String> = self.rows.iter().map(|row| format!("{}: {}", row.name, row.figure)).collect();
        rows.join("; ")
    }

    fn axis_end(&self) -> f64 {
        let largest = self.rows.iter().map(|row| match &row.marks {
            Marks::None => 0.0,
            Marks::Parts(parts) => parts.iter().map(|(_, _, size)| size).sum(),
            Marks::Spread { max, .. } => *max,
        });
        let largest = largest.fold(0.0, f64::max).max(self.end.unwrap_or(0.0));
        // Nothing at all still needs an axis.
        if largest > 0.0 { largest } else { 1.0 }
    }
}

fn place(value: f64, end: f64) -> f64 {
    MARGIN + (WIDTH - 2.0 * MARGIN) * (value / end).clamp(0.0, 1.0)
}

/// Round values from nothing to the end of the axis.
fn ticks(end: f64, counts: bool) -> Vec<f64> {
    let rough = (end / MOST_TICKS).max(if counts { 1.0 } else { 0.0 });
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 2.5, 5.0, 10.0].into_iter().map(|n| n * power).find(|step| *step >= rough);
    let step = step.unwrap_or(10.0 * power);
    // A little more than the end, since 3 × 0.1 is a little more than 0.3.
    let count = (end * (1.0 + f64::EPSILON * 4.0) / step).floor() as u32;
    (0..=count).map(|n| f64::from(n) * step).collect()
}
