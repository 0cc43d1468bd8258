//! The keys of a group, taken out one by one, so that every reader of a group is a list of its keys.

use serde_json::Value as Json;

use crate::{
    Place, Problem,
    episode::EpisodeCondition,
    located::{Located, LocatedMap, Value},
};

/// A group of keys that is being read.
pub(super) struct Fields<'a> {
    /// What the group is called in messages; empty for the whole file.
    what: String,
    place: Place,
    map: LocatedMap,
    places: &'a mut Places,
}

/// Where each key of a file stands, by its path (`beats[1].sets`): for what is found out only when all of it
/// was read.
#[derive(Debug, Default)]
pub(super) struct Places(Vec<(String, Place)>);

impl Places {
    /// The same problem, at the key that it is about, or at the nearest around it.
    pub(super) fn point_at(&self, path: &str, problem: Problem) -> Problem {
        let mut path = path;
        loop {
            if let Some((_, place)) = self.0.iter().find(|(known, _)| known == path) {
                return problem.at(place.line, place.column);
            }
            let Some(end) = path.rfind(['.', '[']) else { return problem };
            path = &path[..end];
        }
    }
}

impl<'a> Fields<'a> {
    /// Opens a group that has no other keys than these. `synonyms` are words people try for some of them.
    pub(super) fn open(
        map: LocatedMap,
        what: &str,
        place: Place,
        known: &[&'static str],
        synonyms: &[(&str, &'static str)],
        places: &'a mut Places,
    ) -> Result<Fields<'a>, Problem> {
        if let Some((key, _)) = map.0.iter().find(|(key, _)| !known.contains(&key.text.as_str())) {
            return Err(key.unknown(known, synonyms));
        }
        let fields = Fields { what: what.to_owned(), place, map, places };
        for (key, _) in &fields.map.0 {
            let path = fields.path(&key.text);
            fields.places.0.push((path, key.place));
        }
        Ok(fields)
    }

    /// The name of a key in messages.
    pub(super) fn path(&self, key: &str) -> String {
        if self.what.is_empty() { key.to_owned() } else { format!("{}.{key}", self.what) }
    }

    /// The value of a key, if it stands there.
    pub(super) fn take(&mut self, key: &str) -> Option<Located> {
        let at = self.map.0.iter().position(|(known, _)| known.text == key)?;
        Some(self.map.0.swap_remove(at).1)
    }

    /// A value, read by `read`; nothing where the key does not stand, or nothing stands after it.
    fn read<T>(
        &mut self,
        key: &str,
        read: impl FnOnce(Located, &str) -> Result<Option<T>, Problem>,
    ) -> Result<Option<T>, Problem> {
        let path = self.path(key);
        self.take(key).map_or(Ok(None), |value| read(value, &path))
    }

    pub(super) fn text(&mut self, key: &str) -> Result<Option<String>, Problem> {
        self.read(key, Located::text)
    }

    /// Text that has to be there; `hint` says what to write.
    pub(super) fn required(&mut self, key: &str, hint: &str) -> Result<String, Problem> {
        let text = self.text(key)?.filter(|text| !text.trim().is_empty());
        text.ok_or_else(|| self.problem(format!("{} has no '{key}'", self.what)).hint(hint))
    }

    pub(super) fn truth(&mut self, key: &str) -> Result<bool, Problem> {
        Ok(self.read(key, Located::truth)?.unwrap_or_default())
    }

    pub(super) fn texts(&mut self, key: &str, of: &str) -> Result<Vec<String>, Problem> {
        Ok(self.read(key, |value, path| value.texts(path, of).map(Some))?.unwrap_or_default())
    }

    pub(super) fn one_of<T: Copy>(&mut self, key: &str, words: &[(&str, T)]) -> Result<Option<T>, Problem> {
        self.read(key, |value, path| value.one_of(path, words))
    }

    /// A whole number of at least 1.
    pub(super) fn count(&mut self, key: &str) -> Result<Option<u32>, Problem> {
        self.whole(key, 1..=u32::MAX, "a whole number of at least 1")
    }

    /// 0 to 100.
    pub(super) fn per_cent(&mut self, key: &str) -> Result<Option<u8>, Problem> {
        self.whole(key, 0..=100, "a whole number from 0 to 100")
    }

    /// A list of numbers from 0 to 100.
    pub(super) fn per_cents(&mut self, key: &str) -> Result<Vec<u8>, Problem> {
        const EXPECTED: &str = "a whole number from 0 to 100";
        let numbers = self.read(key, |value, path| {
            let read = |(at, item): (usize, Located)| {
                let path = format!("{path}[{at}]");
                in_range(item, &path, 0..=100, EXPECTED).transpose().unwrap_or_else(|| {
                    Err(Problem::config(format!("{path} is empty: it should be {EXPECTED}")))
                })
            };
            value.list(path, "numbers")?.into_iter().enumerate().map(read).collect::<Result<_, _>>().map(Some)
        });
        Ok(numbers?.unwrap_or_default())
    }

    /// By how much something moves the tension.
    pub(super) fn tension_step(&mut self, key: &str) -> Result<i32, Problem> {
        Ok(self.whole(key, -100..=100, "a whole number from -100 to 100")?.unwrap_or_default())
    }

    /// Whether a group of keys stands here, where a text might.
    pub(super) fn is_group(&self, key: &str) -> bool {
        let value = self.map.0.iter().find(|(known, _)| known.text == key);
        value.is_some_and(|(_, value)| matches!(value.value, Value::Group(_)))
    }

    /// Keys of a result, each with its schema; they have to be there, and `hint` says what to write.
    pub(super) fn schema(&mut self, key: &str, hint: &str) -> Result<serde_json::Map<String, Json>, Problem> {
        let schema = self.read(key, |value, path| {
            let wrong = value.wrong(path, "keys, each with a 'type'");
            if let Json::Object(schema) = value.into_json() { Ok(Some(schema)) } else { Err(wrong) }
        })?;
        let schema = schema.filter(|schema| !schema.is_empty());
        schema.ok_or_else(|| self.problem(format!("{} has no '{key}'", self.what)).hint(hint))
    }

    pub(super) fn priority(&mut self, key: &str) -> Result<i32, Problem> {
        let priority = self.whole(key, i32::MIN..=i32::MAX, "a whole number")?;
        Ok(priority.unwrap_or_default())
    }

    fn whole<T: TryFrom<i64> + PartialOrd>(
        &mut self,
        key: &str,
        range: std::ops::RangeInclusive<T>,
        expected: &str,
    ) -> Result<Option<T>, Problem> {
        self.read(key, |value, path| in_range(value, path, range, expected))
    }

    pub(super) fn condition(&mut self, key: &str) -> Result<Option<EpisodeCondition>, Problem> {
        self.read(key, |value, path| condition(value, path).map(Some))
    }

    /// A group inside this one.
    pub(super) fn group<T>(
        &mut self,
        key: &str,
        known: &[&'static str],
        synonyms: &[(&str, &'static str)],
        read: impl FnOnce(&mut Fields<'_>) -> Result<T, Problem>,
    ) -> Result<Option<T>, Problem> {
        let path = self.path(key);
        let Some(value) = self.take(key) else { return Ok(None) };
        let place = value.place;
        read(&mut Fields::open(value.group(&path)?, &path, place, known, synonyms, self.places)?).map(Some)
    }

    /// A list of groups, each named by its place.
    pub(super) fn groups<T>(
        &mut self,
        key: &str,
        known: &[&'static str],
        synonyms: &[(&str, &'static str)],
        read: impl Fn(&mut Fields<'_>) -> Result<T, Problem>,
    ) -> Result<Vec<T>, Problem> {
        let path = self.path(key);
        let Some(value) = self.take(key) else { return Ok(Vec::new()) };
        let mut groups = Vec::new();
        for (index, item) in value.list(&path, "groups of keys")?.into_iter().enumerate() {
            let (path, place) = (format!("{path}[{index}]"), item.place);
            self.places.0.push((path.clone(), place));
            let group = item.group(&path)?;
            groups.push(read(&mut Fields::open(group, &path, place, known, synonyms, self.places)?)?);
        }
        Ok(groups)
    }

    /// Something that is wrong with the group as a whole.
    pub(super) fn problem(&self, message: String) -> Problem {
        Problem::config(message).at(self.place.line, self.place.column)
    }

    pub(super) fn what(&self) -> &str {
        &self.what
    }
}

fn in_range<T: TryFrom<i64> + PartialOrd>(
    value: Located,
    path: &str,
    range: std::ops::RangeInclusive<T>,
    expected: &str,
) -> Result<Option<T>, Problem> {
    let wrong = value.wrong(path, expected);
    let Some(number) = value.whole(path)? else { return Ok(None) };
    T::try_from(number).ok().filter(|number| range.contains(number)).map(Some).ok_or(wrong)
}

/// `keyword: a, b` · `said: a, b` · `turn: 3` · `flag: name` · `semantic: a sentence` · `automatic`
fn condition(value: Located, what: &str) -> Result<EpisodeCondition, Problem> {
    const EXPECTED: &str =
        "'automatic', or 'keyword:', 'said:', 'turn:', 'flag:' or 'semantic:' and what it looks for";
    const KINDS: [&str; 6] = ["automatic", "keyword", "said", "turn", "flag", "semantic"];
    let wrong = value.wrong(what, EXPECTED);
    let Some(text) = value.text(what)? else { return Err(wrong) };
    let (kind, rest) = text.split_once(':').unwrap_or((text.as_str(), ""));
    let (kind, rest) = (kind.trim(), rest.trim());
    let phrases = || -> Vec<String> {
        let phrases = rest.split(',').map(|phrase| phrase.trim().to_lowercase());
        phrases.filter(|phrase| !phrase.is_empty()).collect()
    };
    match kind {
        "automatic" if rest.is_empty() => Ok(EpisodeCondition::Automatic),
        "keyword" if !rest.is_empty() => Ok(EpisodeCondition::Keyword(phrases())),
        "said" if !rest.is_empty() => Ok(EpisodeCondition::Said(phrases())),
        "turn" => rest.parse().map(EpisodeCondition::Turn).map_err(|_| wrong),
        "flag" if !rest.is_empty() => Ok(EpisodeCondition::Flag(rest.to_owned())),
        "semantic" if !rest.is_empty() => Ok(EpisodeCondition::Semantic(rest.to_owned())),
        _ => Err(wrong.suggest(kind, KINDS)),
    }
}
