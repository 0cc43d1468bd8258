//! Branches as one page: how each ended, where they part, and the plots of every comparison.

use super::{
    Branch, Branches, PARENT,
    outline::{HEADS, OVER, figures, heading, remark, where_from},
};
use crate::{
    scene::{
        comparison::{
            Played,
            page::{Cover, page_with},
        },
        report::title,
    },
    text::escaped_html,
};

/// The page. It loads nothing, runs no script, and follows the reader's choice of light or dark.
pub fn page(branches: &Branches) -> String {
    let opening = format!(
        "<section class=\"card\">\n{}<p class=\"faint\">{}</p>\n</section>\n<section class=\"card\">\n<h2>Where they \
         part</h2>\n{}</section>\n",
        table(branches),
        escaped_html(&remark(branches)),
        branches.branches.iter().map(|branch| divergences(branches, branch)).collect::<String>(),
    );
    let cover = Cover {
        title: &format!("{}: branches compared", title(&branches.scene)),
        lead: &heading(branches),
        opening: &opening,
    };
    page_with(&cover, &branches.comparison())
}

fn table(branches: &Branches) -> String {
    let heads = HEADS.map(|head| format!("<th scope=\"col\">{head}</th>")).concat();
    let row = |label: &str, run: &Played| {
        let cells = figures(run).map(|figure| format!("<td>{}</td>", escaped_html(&figure))).concat();
        format!("<tr><th scope=\"row\">{}</th>{cells}</tr>\n", escaped_html(label))
    };
    let own = branches.branches.iter().map(|branch| {
        let run = &branch.played;
        row(&branches.title(run.run_id), run)
    });
    format!(
        "<table>\n<caption>How they ended</caption>\n<thead><tr><td></td>{heads}</tr></thead>\n<tbody>\n{}{}</tbody>\n</table>\n",
        row(PARENT, &branches.parent),
        own.collect::<String>(),
    )
}

fn divergences(branches: &Branches, branch: &Branch) -> String {
    let run = branch.played.run_id;
    let title = branches.title(run);
    let mut html = format!("<h3>{} <code>{run}</code></h3>\n", escaped_html(&title));
    for (whom, divergence) in branches.divergences(branch) {
        html.push_str(&format!("<p class=\"faint\">{}</p>\n", escaped_html(&where_from(&whom, divergence))));
        let Some(divergence) = divergence else { continue };
        let said = |who: &str, said: &Option<String>| {
            let said = escaped_html(said.as_deref().unwrap_or(OVER));
            format!("<tr><th scope=\"row\">{}</th><td>{said}</td></tr>\n", escaped_html(who))
        };
        let lines = [said(&whom, &divergence.other), said(&title, &divergence.own)].concat();
        html.push_str(&format!("<table>\n<tbody>\n{lines}</tbody>\n</table>\n"));
    }
    html
}
