//! The kinds of interaction of a field file, on top of those that every field knows.

use super::{meant, within};
use crate::{
    Problem,
    field::kind::{BeginsBy, Between, InteractionKind, NeedKind, StepKind, TICKS_PER_SECOND},
    located::{Located, LocatedMap, Value, read_yaml},
};

const KEYS: [&str; 14] = [
    "description",
    "between",
    "begins",
    "people",
    "range",
    "gives",
    "seconds",
    "uses",
    "talk",
    "open",
    "steps",
    "makes",
    "then",
    "pause",
];
const STEP_KEYS: [&str; 3] = ["name", "at", "seconds"];
const BETWEEN: [(&str, Between); 3] =
    [("item", Between::Item), ("people", Between::People), ("group", Between::Group)];
const BEGINS: [(&str, BeginsBy); 2] = [("bid", BeginsBy::Bid), ("proximity", BeginsBy::Proximity)];

/// The longest that an interaction, or a step of one, takes: an hour.
const MOST_SECONDS: i64 = 3600;

/// Those of every field, in their own words.
const BUILT_IN: &str = include_str!("../kinds.yaml");

/// Reads the kinds of a file. `things` are the names of its things.
pub(super) fn read(
    written: LocatedMap,
    needs: &[NeedKind],
    things: &[String],
) -> Result<Vec<InteractionKind>, Problem> {
    let Value::Group(built_in) = read_yaml(BUILT_IN, 1)?.value else {
        return Err(Problem::config("the built-in interactions cannot be read"));
    };
    let is_replaced = |name: &str| written.0.iter().any(|(key, _)| key.text == name);
    let kept: Vec<_> = built_in.0.into_iter().filter(|(key, _)| !is_replaced(&key.text)).collect();
    let own = kept.len();
    let all: Vec<_> = kept.into_iter().chain(written.0).collect();
    let names: Vec<String> = all.iter().map(|(key, _)| key.text.clone()).collect();
    let mut kinds = Vec::new();
    for (at, (key, value)) in all.into_iter().enumerate() {
        // What a built-in one gives to needs that this field does not have is left out.
        let reader = KindReader { needs, things, names: &names, lenient: at < own };
        kinds.push(reader.read(&key.text, value)?);
    }
    Ok(kinds)
}

struct KindReader<'a> {
    needs: &'a [NeedKind],
    things: &'a [String],
    names: &'a [String],
    lenient: bool,
}

impl KindReader<'_> {
    fn read(&self, name: &str, value: Located) -> Result<InteractionKind, Problem> {
        let what = format!("interactions.{}", name.escape_debug());
        let place = value.place;
        let mut kind = InteractionKind::named(name);
        let (mut people, mut range) = (None, None);
        for (key, value) in value.group(&what)?.0 {
            let name = format!("{what}.{}", key.text.escape_debug());
            match key.text.as_str() {
                "description" => kind.description = value.text(&name)?.unwrap_or_default(),
                "between" => kind.between = value.one_of(&name, &BETWEEN)?.unwrap_or(Between::Item),
                "begins" => kind.begins_by = value.one_of(&name, &BEGINS)?.unwrap_or(BeginsBy::Bid),
                "people" => people = Some(self.people(value, &name)?),
                "range" => range = within(value, &name, 1, 64)?,
                "gives" => kind.rates = self.rates(value, &name)?,
                "seconds" => kind.ticks = seconds(value, &name)?,
                "uses" => kind.uses = within(value, &name, 0, 100)?.unwrap_or(0) as u8,
                "talk" => kind.talk = value.truth(&name)?.unwrap_or_default(),
                "open" => kind.open = value.truth(&name)?.unwrap_or_default(),
                "steps" => kind.steps = self.steps(value, &name)?,
                "makes" => kind.makes = self.one_of(value, &name, self.things, "a thing")?,
                "then" => kind.then = self.one_of(value, &name, self.names, "an interaction")?,
                "pause" => kind.pause_ticks = seconds(value, &name)?.unwrap_or(0),
                _ => return Err(key.unknown(&KEYS, &[("needs", "gives"), ("duration", "seconds")])),
            }
        }
        let default = if kind.between == Between::Item { (1, 1) } else { (2, 10) };
        (kind.min, kind.max) = people.unwrap_or(default);
        kind.range = range.unwrap_or(if kind.between == Between::Item { 1 } else { 5 }) as u16;
        let wrong = |problem: &str| Problem::config(format!("{what} {problem}")).at(place.line, place.column);
        match kind.between {
            Between::Item if kind.max != 1 => {
                Err(wrong("is between one person and a thing").hint("several gather with 'between: group'"))
            }
            Between::Item if kind.talk || kind.begins_by == BeginsBy::Proximity => {
                Err(wrong("has nobody to talk with").hint("write 'between: people'"))
            }
            Between::Group if kind.begins_by == BeginsBy::Proximity => {
                Err(wrong("begins by a bid").hint("only 'between: people' can begin by proximity"))
            }
            Between::People | Between::Group if kind.min < 2 => {
                Err(wrong("needs two people or more").hint("people: [2, 4]"))
            }
            // Those drawn in without being asked could otherwise never leave.
            Between::People if kind.begins_by == BeginsBy::Proximity && kind.ticks.is_none() => {
                Err(wrong("begins by proximity and has no end").hint("say how many 'seconds' it takes"))
            }
            _ => Ok(kind),
        }
    }

    fn people(&self, value: Located, name: &str) -> Result<(u8, u8), Problem> {
        let wrong = value.wrong(name, "two numbers: [2, 4]");
        let mut numbers = Vec::new();
        for number in value.list(name, "two numbers")? {
            numbers.push(within(number, name, 1, 50)?.unwrap_or(1) as u8);
        }
        match numbers[..] {
            [least, most] if least <= most => Ok((least, most)),
            [least, most] => Err(wrong.hint(format!("the smaller number first: [{most}, {least}]"))),
            _ => Err(wrong),
        }
    }

    fn rates(&self, value: Located, name: &str) -> Result<Vec<(u8, i32)>, Problem> {
        let mut rates = Vec::new();
        for (key, value) in value.group(name)?.0 {
            let need = self.needs.iter().position(|need| need.name == key.text);
            let rate = within(value, &format!("{name}.{}", key.text.escape_debug()), -100, 100)?.unwrap_or(0);
            match need {
                Some(need) => rates.push((need as u8, rate as i32)),
                None if self.lenient => {}
                None => {
                    let known: Vec<&str> = self.needs.iter().map(|need| need.name.as_str()).collect();
                    return Err(Problem::config(format!("there is no need '{}'", key.text.escape_debug()))
                        .at(key.place.line, key.place.column)
                        .hint(meant(&key.text, known)));
                }
            }
        }
        Ok(rates)
    }

    fn steps(&self, value: Located, name: &str) -> Result<Vec<StepKind>, Problem> {
        let mut steps = Vec::new();
        for (at, value) in value.list(name, "steps")?.into_iter().enumerate() {
            let what = format!("{name}[{at}]");
            let mut step = StepKind { name: String::new(), at: None, ticks: TICKS_PER_SECOND };
            for (key, value) in value.group(&what)?.0 {
                let name = format!("{what}.{}", key.text.escape_debug());
                match key.text.as_str() {
                    "name" => step.name = value.text(&name)?.unwrap_or_default(),
                    "at" => {
                        let at = self.one_of(value, &name, self.things, "a thing")?;
                        step.at = at.map(|at| self.things[usize::from(at)].clone());
                    }
                    "seconds" => step.ticks = seconds(value, &name)?.unwrap_or(TICKS_PER_SECOND),
                    _ => return Err(key.unknown(&STEP_KEYS, &[])),
                }
            }
            steps.push(step);
        }
        Ok(steps)
    }

    fn one_of(
        &self,
        value: Located,
        name: &str,
        known: &[String],
        what: &str,
    ) -> Result<Option<u16>, Problem> {
        let wrong = value.wrong(name, &format!("the name of {what}"));
        let Some(text) = value.text(name)? else { return Ok(None) };
        let found = known.iter().position(|known| *known == text);
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        found.map(|at| Some(at as u16)).ok_or_else(|| wrong.hint(meant(&text, known)))
    }
}

fn seconds(value: Located, name: &str) -> Result<Option<u32>, Problem> {
    Ok(within(value, name, 1, MOST_SECONDS)?.map(|seconds| seconds as u32 * TICKS_PER_SECOND))
}
