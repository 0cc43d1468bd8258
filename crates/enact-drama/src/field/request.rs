//! The request to a model that plays a character in a conversation: as in a scene, with what it has heard.

use super::{
    mind_request,
    state::FieldRun,
    world::{EntityId, Interaction, TalkLine},
};
use crate::{
    budget::CallAllowance,
    dice::Dice,
    fallback,
    production::{Ask, Purpose},
    request::Request,
    scene::{Cut, Role, Said, TalkScene},
};

pub(super) const LINE: Purpose = Purpose::named("reply");
pub(super) const DECISION: Purpose = Purpose::named("decision");

pub(super) fn request(run: &FieldRun, ask: &Ask) -> Request {
    let mut request = unlimited(run, ask);
    let lines = run.rest.asks.iter().map(|asked| (asked.call, asked.allowance));
    let minds = run.rest.mind_asks.iter().map(|asked| (asked.call, asked.allowance));
    let allowance =
        lines.chain(minds).find(|(call, _)| *call == ask.call).and_then(|(_, allowance)| allowance);
    CallAllowance::limit(allowance, &mut request);
    request
}

fn unlimited(run: &FieldRun, ask: &Ask) -> Request {
    let base = Request { beat: Some(run.world.now() / 10), ..Request::to(ask) };
    if let Some(asked) = run.rest.mind_asks.iter().find(|asked| asked.call == ask.call) {
        let name = run.world.living(asked.npc).map_or("", |entity| &entity.name);
        let role = run.setup.role_of(name);
        let first = run.setup.minds.as_ref().map_or("", |minds| &minds.model);
        let timeout_ms = share_of_timeout_ms(run, first, &asked.model, asked.timeout_ms);
        return mind_request::request(&run.world, asked.npc, &role, &asked.events, base, timeout_ms);
    }
    let Some(asked) = run.rest.asks.iter().find(|asked| asked.call == ask.call) else { return base };
    let Some(interaction) = run.world.interactions().get(&asked.conversation) else { return base };
    let (name, matter) = (run.setup.name.clone(), matter(run, interaction));
    let situation = situation(run, &matter, asked.who);
    let mut cast: Vec<Role> = interaction.members.iter().map(|who| role(run, *who)).collect();
    let mut timeout_ms = asked.timeout_ms;
    if let Some(me) = cast.iter_mut().find(|role| role.name == asked.actor) {
        timeout_ms = share_of_timeout_ms(run, &me.model, &asked.model, timeout_ms);
        me.model.clone_from(&asked.model);
    }
    let talk = TalkScene {
        run: run.setup.run,
        name,
        situation,
        matter,
        setting: run.plan.setting.clone(),
        cast,
        models: run.setup.models.clone(),
        seed: run.setup.seed ^ u64::from(asked.conversation.0),
        heard: heard(run, interaction, asked.who),
        notes: Vec::new(),
        remembered: run.setup.remembered.clone(),
    };
    talk.request(&asked.actor, base, timeout_ms)
}

/// How long a model may take that is asked itself, or for the first.
fn share_of_timeout_ms(run: &FieldRun, first: &str, asked: &str, timeout_ms: u64) -> u64 {
    let models = &run.setup.models;
    fallback::timeout_ms(models, first, fallback::rank_of(models, first, asked), timeout_ms)
}

fn role(run: &FieldRun, who: EntityId) -> Role {
    let display = &run.world.entities()[who.0 as usize].name;
    let role = run.setup.role_of(display);
    Role { name: role.name, display: role.display, sheet: role.sheet, model: role.model }
}

/// What is talked about.
fn matter(run: &FieldRun, interaction: &Interaction) -> String {
    let names: Vec<&str> =
        interaction.members.iter().map(|who| &*run.world.entities()[who.0 as usize].name).collect();
    let topic = Dice::new(run.setup.seed, "topic", interaction.id.0).pick(&run.plan.topics);
    let names = names.join(" and ");
    match topic {
        Some(topic) => format!("{names} talk about {topic}."),
        None => format!("{names} talk with each other."),
    }
}

/// Where everyone is, what they talk about, and what this one needs.
fn situation(run: &FieldRun, matter: &str, me: EntityId) -> String {
    let mut text = format!("{}\n\n{matter}", run.plan.situation);
    if let Some(npc) = run.world.npc(me) {
        let low = run.plan.needs.iter().enumerate().filter(|(at, _)| npc.needs[*at] < 30_000);
        let low: Vec<&str> = low.map(|(_, need)| need.name.as_str()).collect();
        if !low.is_empty() {
            text.push_str(&format!(" You are low on {}.", low.join(", ")));
        }
    }
    text
}

/// What a character has heard, in order. Of a whisper between others it knows only that there was one.
fn heard(run: &FieldRun, interaction: &Interaction, me: EntityId) -> Vec<(Said, Option<Cut>)> {
    let lines = interaction.talk.iter().flat_map(|talk| &talk.lines);
    lines.map(|line| if line.is_heard_by(me) { spoken(run, line) } else { whisper(run, line) }).collect()
}

fn spoken(run: &FieldRun, line: &TalkLine) -> (Said, Option<Cut>) {
    let who = role(run, line.who).name;
    // The next speaker is the one who broke in; only the one who was cut is told.
    let cut = line.cut.map(|at| Cut { at, by: who.clone() });
    (Said::Actor { who, reply: line.reply.clone() }, cut)
}

fn whisper(run: &FieldRun, line: &TalkLine) -> (Said, Option<Cut>) {
    let name = &run.world.entities()[line.who.0 as usize].name;
    (Said::World { text: format!("{name} whispers something") }, None)
}
