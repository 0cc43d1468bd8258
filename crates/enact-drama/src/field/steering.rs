//! What comes of commands to a field.

use super::{
    command::FieldCommand,
    command_check,
    event::FieldEvent,
    state::{FieldRun, act, entity_named},
    world::{EntityId, NpcAction, Pos, StateName},
};

impl FieldRun {
    pub(super) fn commanded(&self, command: &FieldCommand) -> Vec<FieldEvent> {
        // It was accepted, and the field has changed since.
        if let Err(problem) = command_check::check_now(self, command) {
            return vec![FieldEvent::CommandRefused { error: problem.message }];
        }
        match command {
            FieldCommand::Pause {} if !self.rest.paused => vec![FieldEvent::Paused {}],
            FieldCommand::Resume {} if self.rest.paused => vec![FieldEvent::Continued {}],
            FieldCommand::Pause {} | FieldCommand::Resume {} | FieldCommand::Cancel {} => Vec::new(),
            FieldCommand::Step { ticks } => {
                let paused = (!self.rest.paused).then_some(FieldEvent::Paused {});
                let asked = FieldEvent::StepAsked { ticks: *ticks };
                // While lines are waited for, time would pass them by.
                let passed = if self.waits() { Vec::new() } else { self.advance_by(*ticks) };
                paused.into_iter().chain([asked]).chain(passed).collect()
            }
            FieldCommand::Speed { factor } => vec![FieldEvent::SpeedSet { speed: *factor }],
            FieldCommand::WorldEvent { text } => {
                self.with_notes(FieldEvent::WorldEvent { text: text.clone() }, |world| world.happen(text))
            }
            FieldCommand::Place { thing, person, x, y } => {
                self.place(thing.as_deref(), person.as_deref(), *x, *y)
            }
            FieldCommand::Drive { entity, remote } => {
                let found = entity_named(&self.world, entity).into_iter();
                found.map(|entity| FieldEvent::Driven { entity, remote: *remote }).collect()
            }
            FieldCommand::Act { entity, request, decision, believes } => {
                let found = entity_named(&self.world, entity);
                found.map_or_else(Vec::new, |npc| self.acted(npc, *request, decision, *believes))
            }
            FieldCommand::Watch { entity } => {
                let entity = entity.as_deref().and_then(|name| entity_named(&self.world, name));
                vec![FieldEvent::Watched { entity }]
            }
            FieldCommand::Remove { entity } => {
                let found = entity_named(&self.world, entity);
                found.map_or_else(Vec::new, |entity| {
                    self.with_notes(FieldEvent::EntityRemoved { entity }, |world| world.remove(entity))
                })
            }
        }
    }

    /// A program outside has a character do something. It is told what is wrong with that.
    fn acted(
        &self,
        npc: EntityId,
        request: Option<u32>,
        action: &NpcAction,
        believes: Option<StateName>,
    ) -> Vec<FieldEvent> {
        let mut refused = None;
        let acted = FieldEvent::Acted { npc, request, action: action.clone(), believes };
        let mut events = self.with_notes(acted, |world| {
            refused = act(world, npc, request, action, believes).err();
        });
        events.extend(refused.map(|error| FieldEvent::CommandRefused { error }));
        events
    }

    fn place(&self, thing: Option<&str>, person: Option<&str>, x: u16, y: u16) -> Vec<FieldEvent> {
        let pos = Pos::new(x, y);
        match (thing, person) {
            (Some(thing), _) => {
                let Some(prototype) = self.plan.prototype_named(thing) else { return Vec::new() };
                let placed = FieldEvent::ThingPlaced { thing: thing.to_owned(), x, y };
                self.with_notes(placed, |world| world.place(prototype, pos))
            }
            (None, Some(name)) => {
                let placed = FieldEvent::PersonPlaced { name: name.to_owned(), x, y };
                self.with_notes(placed, |world| world.place_person(name, '@', pos))
            }
            (None, None) => Vec::new(),
        }
    }
}
