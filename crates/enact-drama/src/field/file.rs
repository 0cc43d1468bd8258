//! Field files: markdown with front matter, and a map in a fenced block of the body.

mod kinds;
mod map;

use super::{
    kind::{MOST_NEEDS, NeedKind, Prototype},
    plan::{DEFAULT_VISION, FieldPlan, MOST_PEOPLE, PlannedPerson},
};
use crate::{
    Name, Place, Problem, did_you_mean, front_matter,
    located::{Located, LocatedMap},
};

const KEYS: [&str; 10] = [
    "title",
    "setting",
    "topics",
    "minutes",
    "remember",
    "vision",
    "needs",
    "things",
    "people",
    "interactions",
];
const SYNONYMS: [(&str, &str); 6] = [
    ("characters", "people"),
    ("cast", "people"),
    ("items", "things"),
    ("kinds", "interactions"),
    ("name", "title"),
    ("legend", "things"),
];
const THING_KEYS: [&str; 4] = ["name", "offers", "solid", "slots"];
const PERSON_KEYS: [&str; 2] = ["name", "about"];

/// The needs of every field that names none, and what each loses in a minute.
const NEEDS: [(&str, (u32, u32)); 4] =
    [("hunger", (60, 120)), ("hygiene", (60, 120)), ("fun", (60, 120)), ("energy", (60, 120))];
/// The longest a field may be played by its file: a day.
const MOST_MINUTES: i64 = 24 * 60;

/// A character, and where the file names it.
struct LegendPerson {
    person: PlannedPerson,
    place: Place,
}

/// What stands for a thing on the map.
struct LegendThing {
    glyph: char,
    offers: Vec<Located>,
    thing: Prototype,
}

/// Reads a field file. `stem` is what it is called without a title.
pub fn read_field(text: &str, stem: &str) -> Result<FieldPlan, Problem> {
    let document = front_matter::read(text)?;
    let mut plan =
        FieldPlan { title: crate::report::title(stem), vision: DEFAULT_VISION, ..FieldPlan::default() };
    let (mut things, mut people, mut kinds) = (Vec::new(), Vec::new(), None);
    plan.needs = NEEDS.map(|(name, decay)| NeedKind { name: name.to_owned(), decay }).into();
    for (key, value) in document.matter.0 {
        let name = key.text.as_str();
        match name {
            "title" => plan.title = value.text(name)?.unwrap_or(plan.title),
            "setting" => plan.setting = value.text(name)?,
            "topics" => plan.topics = value.texts(name, "what people talk about")?,
            "minutes" => plan.minutes = within(value, name, 1, MOST_MINUTES)?.map(|minutes| minutes as u32),
            "remember" => plan.remember = value.truth(name)?.unwrap_or_default(),
            "vision" => {
                plan.vision = within(value, name, 1, 64)?.map_or(DEFAULT_VISION, |vision| vision as u16);
            }
            "needs" => plan.needs = read_needs(value.group(name)?)?,
            "things" => things = read_things(value.group(name)?)?,
            "people" => people = read_people(value.group(name)?)?,
            "interactions" => kinds = Some(value.group(name)?),
            _ => return Err(key.unknown(&KEYS, &SYNONYMS)),
        }
    }
    for LegendPerson { person, place } in &people {
        if let Some(other) = things.iter().find(|legend: &&LegendThing| legend.glyph == person.glyph) {
            let message = format!("'{}' stands for the {} already", person.glyph, other.thing.name);
            return Err(Problem::config(message)
                .at(place.line, place.column)
                .hint("people and things have letters of their own"));
        }
    }
    let prototypes: Vec<String> =
        things.iter().map(|legend: &LegendThing| legend.thing.name.clone()).collect();
    plan.kinds = kinds::read(kinds.unwrap_or_default(), &plan.needs, &prototypes)?;
    for LegendThing { offers, mut thing, .. } in things {
        for offer in offers {
            let wrong = offer.wrong("offers", "the name of an interaction");
            let name = offer.text("offers")?.ok_or_else(|| wrong.clone())?;
            let known = plan.kinds.iter().map(|kind| kind.name.as_str());
            let kind = plan.kind_named(&name).ok_or_else(|| wrong.suggest(&name, known))?;
            thing.offers.push(kind);
        }
        plan.prototypes.push(thing);
    }
    plan.find_fillable();
    let offset = text.len() - document.body.len();
    let first_line = text[..offset].matches('\n').count() + 1;
    plan.situation = map::read(&mut plan, document.body, first_line, &people)?;
    if plan.situation.is_empty() {
        return Err(Problem::config("the field has no text")
            .at(first_line, 1)
            .hint("below the front matter, say where everyone is and what is going on"));
    }
    Ok(plan)
}

fn read_needs(group: LocatedMap) -> Result<Vec<NeedKind>, Problem> {
    let mut needs = Vec::new();
    for (key, value) in group.0 {
        let name = format!("needs.{}", key.text.escape_debug());
        let place = value.place;
        let decay = value.list(&name, "two numbers: the least and the most lost in a minute")?;
        let mut numbers = Vec::new();
        for number in decay {
            numbers.push(within(number, &name, 0, 1000)?.unwrap_or(1) as u32);
        }
        let [least, most] = numbers[..] else {
            return Err(Problem::config(format!("{name} must be two numbers: [60, 120]"))
                .at(place.line, place.column));
        };
        needs.push(NeedKind { name: key.text, decay: (least, most.max(least)) });
    }
    if needs.len() > MOST_NEEDS {
        return Err(Problem::config(format!(
            "a field has at most {MOST_NEEDS} needs, found {}",
            needs.len()
        )));
    }
    Ok(needs)
}

/// What the letters of the map stand for, where they stand for things.
fn read_things(group: LocatedMap) -> Result<Vec<LegendThing>, Problem> {
    let mut things: Vec<LegendThing> = Vec::new();
    for (key, value) in group.0 {
        let glyph = glyph(&key.text, key.place)?;
        let what = format!("things.{glyph}");
        let place = value.place;
        let mut offers = Vec::new();
        let mut thing = Prototype { name: String::new(), glyph, solid: false, slots: 1, offers: Vec::new() };
        for (key, value) in value.group(&what)?.0 {
            let name = format!("{what}.{}", key.text.escape_debug());
            match key.text.as_str() {
                "name" => thing.name = value.text(&name)?.unwrap_or_default(),
                "solid" => thing.solid = value.truth(&name)?.unwrap_or_default(),
                "slots" => thing.slots = within(value, &name, 1, 50)?.unwrap_or(1) as u8,
                "offers" => offers = value.list(&name, "interactions")?,
                _ => return Err(key.unknown(&THING_KEYS, &[])),
            }
        }
        if thing.name.is_empty() {
            return Err(Problem::config(format!("{what} has no 'name'")).at(place.line, place.column));
        }
        if things.iter().any(|other| other.thing.name == thing.name) {
            return Err(Problem::config(format!("two things are called '{}'", thing.name.escape_debug()))
                .at(place.line, place.column)
                .hint("a letter can stand on the map as often as you like"));
        }
        things.push(LegendThing { glyph, offers, thing });
    }
    things.sort_by_key(|thing| thing.glyph);
    Ok(things)
}

/// What the letters of the map stand for, where they stand for people. Where they stand is not known yet.
fn read_people(group: LocatedMap) -> Result<Vec<LegendPerson>, Problem> {
    let mut people: Vec<LegendPerson> = Vec::new();
    for (key, value) in group.0 {
        let glyph = glyph(&key.text, key.place)?;
        let what = format!("people.{glyph}");
        let place = value.place;
        let (mut name, mut about) = (String::new(), None);
        match value.value {
            crate::located::Value::Group(group) => {
                for (key, value) in group.0 {
                    match key.text.as_str() {
                        "name" => name = value.text(&what)?.unwrap_or_default(),
                        "about" => about = value.text(&what)?,
                        _ => return Err(key.unknown(&PERSON_KEYS, &[])),
                    }
                }
            }
            _ => name = value.text(&what)?.unwrap_or_default(),
        }
        let name = Name::new(name).map_err(|error| {
            Problem::config(format!("{what}: {error}"))
                .at(place.line, place.column)
                .hint("people are called as the files of their sheets, without '.md'")
        })?;
        if people.iter().any(|other| other.person.name == name) {
            return Err(
                Problem::config(format!("'{name}' is among the people twice")).at(place.line, place.column)
            );
        }
        let display = crate::report::title(name.as_str());
        let pos = super::world::Pos::new(0, 0);
        people.push(LegendPerson { person: PlannedPerson { name, display, glyph, pos, about }, place });
    }
    if people.len() > MOST_PEOPLE {
        return Err(Problem::config(format!("a field has at most {MOST_PEOPLE} people")));
    }
    Ok(people)
}

fn glyph(text: &str, place: Place) -> Result<char, Problem> {
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        (Some(glyph), None) if !['#', '.', ' '].contains(&glyph) && !glyph.is_control() => Ok(glyph),
        _ => Err(Problem::config(format!("'{}' must be one letter of the map", text.escape_debug()))
            .at(place.line, place.column)
            .hint("any letter but '#' (a wall), '.' and ' ' (floor)")),
    }
}

/// A whole number between two others, or nothing.
fn within(value: Located, key: &str, least: i64, most: i64) -> Result<Option<i64>, Problem> {
    let wrong = value.wrong(key, &format!("a whole number from {least} to {most}"));
    match value.whole(key)? {
        Some(number) if number < least || number > most => Err(wrong),
        number => Ok(number),
    }
}

/// The known word that was probably meant, as a hint.
fn meant<'a>(word: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> String {
    match did_you_mean(word, known.clone()) {
        Some(near) => format!("did you mean '{near}'?"),
        None => format!("there are: {}", known.into_iter().collect::<Vec<_>>().join(", ")),
    }
}
