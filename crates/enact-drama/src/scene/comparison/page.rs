//! The comparison as one page that needs nothing beside it: plots, the table, and the runs it was made of.

use super::{
    Comparison, Contender, Played, Spread,
    measures::{EXPLAINED, MEASURES, NOTHING, duration, ends, money, number, range},
    plot::{Marks, Plot, PlotRow},
    table::extent,
};
use crate::{report::figures::percent, scene::report::title, text::escaped_html};

const STYLE: &str = include_str!("page.css");

/// The page. It loads nothing, runs no script, and follows the reader's choice of light or dark.
pub fn page(comparison: &Comparison) -> String {
    let title = format!("{}: contenders compared", title(&comparison.scene));
    page_with(&Cover { title: &title, lead: &extent(comparison), opening: "" }, comparison)
}

/// What stands before the plots.
pub(super) struct Cover<'a> {
    pub(super) title: &'a str,
    pub(super) lead: &'a str,
    /// HTML.
    pub(super) opening: &'a str,
}

pub(super) fn page_with(cover: &Cover<'_>, comparison: &Comparison) -> String {
    let plots: String = plots(comparison).iter().map(figure).collect();
    let explained: String =
        EXPLAINED.iter().map(|remark| format!("<p class=\"faint\">{}</p>\n", escaped_html(remark))).collect();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n\
         <p>{lead}</p>\n{opening}<div class=\"plots\">\n{plots}{replies}</div>\n\
         <section class=\"card\">\n{table}{explained}</section>\n<section class=\"card\">\n{runs}</section>\n\
         </main>\n</body>\n</html>\n",
        title = escaped_html(cover.title),
        lead = escaped_html(cover.lead),
        opening = cover.opening,
        replies = replies(comparison),
        table = table(comparison),
        runs = runs(comparison),
    )
}

/// A figure of which every run has one: what is drawn of a contender, and what of each of its runs.
struct Drawn {
    id: &'static str,
    title: &'static str,
    word: fn(f64) -> String,
    of: fn(&Contender) -> Option<Spread>,
    of_run: fn(&Played) -> Option<f64>,
}

const DRAWN: [Drawn; 6] = [
    Drawn {
        id: "time",
        title: "Time per beat",
        word: duration,
        of: |c| c.summary.beat_ms,
        of_run: Played::typical_beat_ms,
    },
    Drawn {
        id: "cost",
        title: "Cost of a run",
        word: money,
        of: |c| c.summary.estimated_usd,
        of_run: |run| run.estimated_usd,
    },
    Drawn {
        id: "cache",
        title: "Input read from cache",
        word: percent,
        of: |c| c.summary.cache_hit_rate,
        of_run: |run| run.cache_hit_rate,
    },
    Drawn {
        id: "bill",
        title: "Input bill, of the same requests billed uncached",
        word: percent,
        of: |c| c.summary.input_bill_ratio,
        of_run: |run| run.input_bill_ratio,
    },
    Drawn {
        id: "beats",
        title: "Beats until the end",
        word: number,
        of: |c| c.summary.beats,
        of_run: |run| Some(f64::from(run.beats)),
    },
    Drawn {
        id: "met",
        title: "Goals met",
        word: number,
        of: |c| c.summary.goals_met,
        of_run: |run| Some(run.goals_met as f64),
    },
];

fn plots(comparison: &Comparison) -> Vec<Plot> {
    let spreads = DRAWN.iter().map(|drawn| spread_plot(comparison, drawn));
    spreads.chain([goals(comparison)]).collect()
}

fn spread_plot(comparison: &Comparison, drawn: &Drawn) -> Plot {
    let Drawn { id, title, word, of, of_run } = *drawn;
    let row = |contender: &Contender| {
        let (figure, marks) = match of(contender) {
            None => (NOTHING.to_owned(), Marks::None),
            Some(spread) => {
                let Spread { median, min, max, .. } = spread;
                let range = range(&spread, word).map(|range| format!(" ({range})")).unwrap_or_default();
                let runs = contender.runs.iter().filter_map(of_run).collect();
                (format!("{}{range}", word(median)), Marks::Spread { median, min, max, runs })
            }
        };
        PlotRow { name: contender.name.clone(), figure, marks }
    };
    // Shares are drawn against the whole, so that a rate of a tenth looks like a tenth, and goals against all
    // goals.
    let end = match id {
        "cache" | "bill" => Some(1.0),
        "met" => {
            comparison.contenders.iter().map(|contender| contender.summary.goals as f64).reduce(f64::max)
        }
        _ => None,
    };
    let counts = matches!(id, "beats" | "met");
    Plot { id, title, word, end, counts, rows: comparison.contenders.iter().map(row).collect() }
}

fn goals(comparison: &Comparison) -> Plot {
    let row = |contender: &Contender| {
        let (reached, runs) = (contender.summary.goal_achieved, contender.runs.len());
        let marks = match runs {
            0 => Marks::None,
            runs => Marks::Parts(vec![("parsed", "reached", reached as f64 / runs as f64)]),
        };
        PlotRow { name: contender.name.clone(), figure: format!("{reached} of {runs}"), marks }
    };
    let rows = comparison.contenders.iter().map(row).collect();
    Plot {
        id: "goals",
        title: "Runs that reached the goal",
        word: percent,
        end: Some(1.0),
        counts: false,
        rows,
    }
}

fn replies(comparison: &Comparison) -> String {
    let row = |contender: &Contender| {
        let replies = contender.summary.replies;
        let share = |count: u32| f64::from(count) / f64::from(replies.total().max(1));
        let parts = [("parsed", replies.parsed), ("salvaged", replies.salvaged), ("failed", replies.failed)];
        let figure = parts.map(|(what, count)| format!("{count} {what}")).join(", ");
        let marks = Marks::Parts(parts.iter().map(|(what, count)| (*what, *what, share(*count))).collect());
        PlotRow { name: contender.name.clone(), figure, marks }
    };
    let rows = comparison.contenders.iter().map(row).collect();
    let plot = Plot { id: "replies", title: "Replies", word: percent, end: Some(1.0), counts: false, rows };
    let key =
        ["parsed", "salvaged", "failed"].map(|what| format!("<span class=\"key {what}\"></span>{what}"));
    captioned(&plot, &key.concat())
}

fn figure(plot: &Plot) -> String {
    let spread = plot.rows.iter().any(|row| matches!(row.marks, Marks::Spread { .. }));
    captioned(plot, if spread { "Bar: median. Dots: runs. Line: smallest to largest." } else { "" })
}

fn captioned(plot: &Plot, caption: &str) -> String {
    let caption =
        if caption.is_empty() { String::new() } else { format!("<figcaption>{caption}</figcaption>\n") };
    format!("<figure>\n<h2>{}</h2>\n{}{caption}</figure>\n", escaped_html(plot.title), plot.svg())
}

fn table(comparison: &Comparison) -> String {
    let contenders = &comparison.contenders;
    let heads: String =
        contenders.iter().map(|c| format!("<th scope=\"col\">{}</th>", escaped_html(&c.name))).collect();
    let mut html = format!(
        "<table>\n<caption>All figures</caption>\n<thead><tr><td></td>{heads}</tr></thead>\n<tbody>\n"
    );
    for measure in &MEASURES {
        let cell = |contender: &Contender| {
            let cell = (measure.cell)(contender);
            let beside = cell.beside.iter().map(|text| format!("<small>{}</small>", escaped_html(text)));
            format!("<td>{}{}</td>", escaped_html(&cell.figure), beside.collect::<String>())
        };
        html.push_str(&row(measure.label, contenders.iter().map(cell)));
    }
    let ends = |contender: &Contender| {
        let ends: Vec<String> = ends(contender).iter().map(|end| escaped_html(end)).collect();
        format!("<td>{}</td>", ends.join("<br>"))
    };
    html.push_str(&row("ends", contenders.iter().map(ends)));
    let count = |count: u64| format!("<td>{count}</td>");
    html.push_str(&row("drifts", contenders.iter().map(|c| count(u64::from(c.summary.drifts)))));
    html.push_str(&row("unaccounted calls", contenders.iter().map(|c| count(c.summary.unaccounted))));
    html.push_str("</tbody>\n</table>\n");
    html
}

fn row(label: &str, cells: impl Iterator<Item = String>) -> String {
    format!("<tr><th scope=\"row\">{label}</th>{}</tr>\n", cells.collect::<String>())
}

fn runs(comparison: &Comparison) -> String {
    let heads: String = ["contender", "run", "seed", "end", "beats", "time", "cost"]
        .map(|head| format!("<th scope=\"col\">{head}</th>"))
        .concat();
    let mut html =
        format!("<table>\n<caption>The runs</caption>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n");
    for contender in &comparison.contenders {
        for run in &contender.runs {
            let end = run.reason.map_or("unfinished", |reason| reason.ending().name).replace('_', " ");
            html.push_str(&format!(
                "<tr><td>{}</td><td><code>{}</code></td><td>{}</td><td>{end}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                escaped_html(&contender.name),
                run.run_id,
                run.seed,
                run.beats,
                duration(run.duration as f64),
                run.estimated_usd.map_or_else(|| "unknown".to_owned(), money),
            ));
        }
    }
    html.push_str("</tbody>\n</table>\n");
    html
}
