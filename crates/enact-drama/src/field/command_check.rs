//! Which commands a field takes: what can never be is refused by [`check`], what cannot be as it stands by
//! [`check_now`].

use super::{
    command::{FASTEST, FieldCommand, LONGEST_EVENT_CHARS, LONGEST_STEP_TICKS},
    state::{FieldRun, entity_named},
    world::{EntityId, FieldWorld, Pos},
};
use crate::{Problem, text::one_line};

/// Whether a field could ever take a command, and how it is stored.
pub(super) fn check(run: &FieldRun, command: FieldCommand) -> Result<FieldCommand, Problem> {
    match command {
        FieldCommand::Step { ticks } if !(1..=LONGEST_STEP_TICKS).contains(&ticks) => {
            Err(Problem::config(format!("a step has 1 to {LONGEST_STEP_TICKS} ticks, found {ticks}")))
        }
        FieldCommand::Speed { factor } if factor > FASTEST => {
            Err(Problem::config(format!("the speed is at most {FASTEST}, found {factor}"))
                .hint("0 is as fast as possible"))
        }
        FieldCommand::WorldEvent { text } => {
            let text = one_line(&text);
            if text.is_empty() || text.chars().count() > LONGEST_EVENT_CHARS {
                return Err(Problem::config(format!(
                    "a world event has 1 to {LONGEST_EVENT_CHARS} characters"
                )));
            }
            Ok(FieldCommand::WorldEvent { text })
        }
        FieldCommand::Place { thing, person, x, y } => {
            let grid = run.world.grid();
            if grid.is_wall(Pos::new(x, y)) {
                return Err(Problem::config(format!("({x},{y}) is a wall, or outside the map"))
                    .hint(format!("the map has {} by {} cells", grid.width(), grid.height())));
            }
            match (&thing, person.as_deref().map(one_line)) {
                (Some(thing), None) if run.plan.prototype_named(thing).is_none() => {
                    let known = run.plan.prototypes.iter().map(|thing| thing.name.as_str());
                    Err(Problem::config(format!("there is no thing '{}'", thing.escape_debug()))
                        .suggest(thing, known))
                }
                (Some(_), None) => Ok(FieldCommand::Place { thing, person: None, x, y }),
                (None, Some(person)) if !person.is_empty() && person.chars().count() <= 64 => {
                    Ok(FieldCommand::Place {
                        thing: None,
                        person: Some(crate::text::bracketed(&person)),
                        x,
                        y,
                    })
                }
                _ => Err(Problem::config("a placing has either a 'thing' or a 'person'")),
            }
        }
        command => Ok(command),
    }
}

/// Whether a command is about who and what is there, which changes.
pub(super) fn depends_on_state(command: &FieldCommand) -> bool {
    match command {
        FieldCommand::Watch { entity } => entity.is_some(),
        FieldCommand::Remove { .. }
        | FieldCommand::Place { .. }
        | FieldCommand::Drive { .. }
        | FieldCommand::Act { .. } => true,
        _ => false,
    }
}

/// Whether a field can take a command as it stands.
pub(super) fn check_now(run: &FieldRun, command: &FieldCommand) -> Result<(), Problem> {
    let world = run.world();
    match command {
        FieldCommand::Watch { entity: Some(name) } => person(world, name, "watched").map(drop),
        FieldCommand::Drive { entity, .. } => person(world, entity, "driven").map(drop),
        FieldCommand::Act { entity, .. } => {
            let id = person(world, entity, "driven")?;
            match run.rest.driven.contains(&id) {
                true => Ok(()),
                false => Err(Problem::config(format!("'{}' decides by itself", entity.escape_debug()))
                    .hint("send the command 'drive' first")),
            }
        }
        FieldCommand::Remove { entity } if entity_named(world, entity).is_none() => {
            Err(nobody(world, entity, |_| true))
        }
        FieldCommand::Place { person: Some(name), .. } if entity_named(world, name).is_some() => {
            Err(Problem::config(format!("there is a '{}' already", name.escape_debug()))
                .hint("people and things are told apart by their names"))
        }
        FieldCommand::Place { thing, x, y, .. } => {
            let (grid, pos) = (world.grid(), Pos::new(*x, *y));
            let prototype = thing.as_deref().and_then(|thing| run.plan.prototype_named(thing));
            let is_solid = prototype.is_some_and(|at| run.plan.prototypes[usize::from(at)].solid);
            let is_taken = grid.contains(pos) && !grid.is_free(pos);
            let has_people = grid.contains(pos) && grid.has_people(pos);
            match (thing.is_none() || is_solid, is_taken, has_people && is_solid) {
                (true, true, _) => Err(Problem::config(format!("({x},{y}) is taken up"))),
                (_, _, true) => Err(Problem::config(format!("somebody stands on ({x},{y})"))),
                _ => Ok(()),
            }
        }
        _ => Ok(()),
    }
}

/// A character by name or id; things cannot be what it says.
fn person(world: &FieldWorld, name: &str, what: &str) -> Result<EntityId, Problem> {
    match entity_named(world, name) {
        Some(id) if world.npc(id).is_some() => Ok(id),
        Some(_) => Err(Problem::config(format!("'{}' is nobody: people are {what}", name.escape_debug()))),
        None => Err(nobody(world, name, |is_npc| is_npc)),
    }
}

/// How many names a hint lists.
const MOST_LISTED: usize = 12;

fn nobody(world: &FieldWorld, name: &str, is_meant: fn(bool) -> bool) -> Problem {
    let living = world.entities().iter().filter(|entity| entity.alive && is_meant(entity.is_npc()));
    let mut names: Vec<&str> = living.map(|entity| &*entity.name).collect();
    let problem = Problem::config(format!("nobody and nothing here is called '{}'", name.escape_debug()))
        .suggest(name, names.iter().copied());
    if problem.hint.is_some() {
        return problem;
    }
    names.sort_unstable();
    names.dedup();
    let more = if names.len() > MOST_LISTED { ", …" } else { "" };
    names.truncate(MOST_LISTED);
    problem.hint(format!("there are: {}{more}", names.join(", ")))
}
