//! The map of a field file, and the text around it.

use super::LegendPerson;
use crate::{
    Problem,
    field::{
        plan::{FieldPlan, MOST_CELLS, PlannedPerson},
        world::Pos,
    },
};

/// Finds the map in a body, places everything on it, and gives back the text without it.
pub(super) fn read(
    plan: &mut FieldPlan,
    body: &str,
    first_line: usize,
    people: &[LegendPerson],
) -> Result<String, Problem> {
    let mut text = String::new();
    let mut rows: Option<Vec<(usize, &str)>> = None;
    let (mut open, mut opened_at) = (false, first_line);
    for (at, line) in body.lines().enumerate() {
        let fence = line.trim_end();
        match open {
            false if fence == "```map" || (fence == "```" && rows.is_none()) => {
                if rows.is_some() {
                    return Err(Problem::config("a field has one map").at(first_line + at, 1));
                }
                (rows, open, opened_at) = (Some(Vec::new()), true, first_line + at);
            }
            true if fence == "```" => open = false,
            true => rows.get_or_insert_default().push((first_line + at, line.trim_end())),
            false => {
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    let rows = rows.filter(|rows| !rows.is_empty()).ok_or_else(|| {
        Problem::config("the field has no map")
            .at(first_line, 1)
            .hint("draw one between a line '```map' and a line '```'")
    })?;
    if open {
        return Err(Problem::config("the map does not end")
            .at(opened_at, 1)
            .hint("close it with a line '```'"));
    }
    place_all(plan, &rows, people)?;
    Ok(text.trim().to_owned())
}

fn place_all(plan: &mut FieldPlan, rows: &[(usize, &str)], people: &[LegendPerson]) -> Result<(), Problem> {
    let width = rows.iter().map(|(_, row)| row.chars().count()).max().unwrap_or(0);
    if width > MOST_CELLS || rows.len() > MOST_CELLS {
        return Err(
            Problem::config(format!("a map has at most {MOST_CELLS} cells to a side")).at(rows[0].0, 1)
        );
    }
    (plan.width, plan.height) = (width as u16, rows.len() as u16);
    plan.walls = vec![false; width * rows.len()];
    let mut placed: Vec<PlannedPerson> = Vec::new();
    for (y, (line, row)) in rows.iter().enumerate() {
        for (x, glyph) in row.chars().enumerate() {
            let pos = Pos::new(x as u16, y as u16);
            if glyph == '#' {
                plan.walls[y * width + x] = true;
            } else if let Some(at) = plan.prototypes.iter().position(|thing| thing.glyph == glyph) {
                plan.things.push((at as u16, pos));
            } else if let Some(LegendPerson { person, .. }) =
                people.iter().find(|legend| legend.person.glyph == glyph)
            {
                if placed.iter().any(|other| other.glyph == glyph) {
                    return Err(Problem::config(format!("'{}' stands on the map twice", person.name))
                        .at(*line, x + 1));
                }
                placed.push(PlannedPerson { pos, ..person.clone() });
            } else if glyph != '.' && glyph != ' ' {
                return Err(Problem::config(format!("nothing says what '{glyph}' on the map is"))
                    .at(*line, x + 1)
                    .hint("name it below 'things' or 'people'; '#' is a wall, '.' and ' ' are floor"));
            }
        }
    }
    let is_missing = |legend: &&LegendPerson| !placed.iter().any(|one| one.glyph == legend.person.glyph);
    if let Some(LegendPerson { person, place }) = people.iter().find(is_missing) {
        return Err(Problem::config(format!("'{}' is not on the map", person.name))
            .at(place.line, place.column)
            .hint(format!("put a '{}' where it stands in the beginning", person.glyph)));
    }
    // In the order of the list, so that ids do not change when a letter moves on the map.
    placed.sort_by_key(|person| people.iter().position(|other| other.person.glyph == person.glyph));
    plan.people = placed;
    Ok(())
}
