//! The map of a field file, and the text around it.

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
    people: &[PlannedPerson],
) -> Result<String, Problem> {
    let mut text = String::new();
    let mut rows: Option<Vec<(usize, &str)>> = None;
    let mut open = false;
    for (at, line) in body.lines().enumerate() {
        let fence = line.trim_end();
        match open {
            false if fence == "```map" || (fence == "```" && rows.is_none()) => {
                if rows.is_some() {
                    return Err(Problem::config("a field has one map").at(first_line + at, 1));
                }
                (rows, open) = (Some(Vec::new()), true);
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
        Problem::config("the field has no map").hint("draw one between a line '```map' and a line '```'")
    })?;
    if open {
        return Err(Problem::config("the map does not end").hint("close it with a line '```'"));
    }
    place_all(plan, &rows, people)?;
    Ok(text.trim().to_owned())
}

fn place_all(plan: &mut FieldPlan, rows: &[(usize, &str)], people: &[PlannedPerson]) -> Result<(), Problem> {
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
            } else if let Some(person) = people.iter().find(|person| person.glyph == glyph) {
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
    if let Some(missing) =
        people.iter().find(|person| !placed.iter().any(|other| other.glyph == person.glyph))
    {
        return Err(Problem::config(format!("'{}' is not on the map", missing.name))
            .hint(format!("put a '{}' where it stands in the beginning", missing.glyph)));
    }
    // In the order of the list, so that ids do not change when a letter moves on the map.
    placed.sort_by_key(|person| people.iter().position(|other| other.glyph == person.glyph));
    plan.people = placed;
    Ok(())
}
