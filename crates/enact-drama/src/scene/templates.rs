//! The templates of what models are told in a scene, by the names of their files in a project's
//! `templates/scene` folder.

use std::{collections::BTreeMap, sync::LazyLock};

use serde::{Deserialize, Serialize};

use super::{Remembered, Role, SceneSetup};
use crate::{
    Name, Problem,
    dice::fnv1a,
    director::{Memory, MemoryKind, Relationship},
    prompt_template::{self, ReadyTemplate, Value, map, plain},
    sheet::Sheet,
    text::{one_line, shortened},
};

/// What is said of a character in the cast: a line, not a sheet.
const LONGEST_ABOUT_CHARS: usize = 120;

/// One of the templates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SceneTemplate {
    /// The rules of the game and the scene: the same for every actor.
    Rules,
    /// Who an actor is.
    Character,
    /// What an actor is told in every beat.
    Update,
    Judge,
    EventWriter,
}

impl SceneTemplate {
    pub const ALL: [SceneTemplate; 5] = [
        SceneTemplate::Rules,
        SceneTemplate::Character,
        SceneTemplate::Update,
        SceneTemplate::Judge,
        SceneTemplate::EventWriter,
    ];

    /// `rules.j2`
    pub fn file(self) -> &'static str {
        match self {
            SceneTemplate::Rules => "rules.j2",
            SceneTemplate::Character => "character.j2",
            SceneTemplate::Update => "update.j2",
            SceneTemplate::Judge => "judge.j2",
            SceneTemplate::EventWriter => "event_writer.j2",
        }
    }

    /// What it may print.
    pub fn variables(self) -> &'static [&'static str] {
        match self {
            SceneTemplate::Character => &["name", "sheet", "language", "memories", "mood", "relationships"],
            SceneTemplate::Update => &["beat", "name", "remembers", "lines", "last_event", "notes"],
            SceneTemplate::Rules | SceneTemplate::Judge | SceneTemplate::EventWriter => {
                &["scene_context", "setting", "language", "goals", "cast"]
            }
        }
    }

    fn built_in(self) -> &'static str {
        match self {
            SceneTemplate::Rules => include_str!("templates/rules.j2"),
            SceneTemplate::Character => include_str!("templates/character.j2"),
            SceneTemplate::Update => include_str!("templates/update.j2"),
            SceneTemplate::Judge => include_str!("templates/judge.j2"),
            SceneTemplate::EventWriter => include_str!("templates/event_writer.j2"),
        }
    }

    /// What it was before, oldest first: runs that began with it go on with it, and are shown with it.
    fn earlier(self) -> &'static [&'static str] {
        match self {
            SceneTemplate::Judge => &[include_str!("templates/earlier/judge.1.j2")],
            SceneTemplate::Character => &[include_str!("templates/earlier/character.1.j2")],
            _ => &[],
        }
    }

    /// The built-in template as it was when this was its fingerprint. Runs that do not say are older than
    /// any that does.
    fn as_of(self, fingerprint: Option<&String>) -> &'static str {
        let versions = || self.earlier().iter().copied().chain([self.built_in()]);
        let found = match fingerprint {
            Some(fingerprint) => versions().find(|text| fingerprint_of(text) == *fingerprint),
            None => versions().next(),
        };
        found.unwrap_or(self.built_in())
    }
}

/// Tells texts apart, in a log: it is never computed otherwise.
fn fingerprint_of(text: &str) -> String {
    format!("{:016x}", fnv1a(text.as_bytes()))
}

/// The fingerprints of the built-in templates of this version, by their files.
static BUILT_IN: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    let fingerprint =
        |template: SceneTemplate| (template.file().to_owned(), fingerprint_of(template.built_in()));
    SceneTemplate::ALL.into_iter().map(fingerprint).collect()
});

/// The built-in templates of this version, each read once for all scenes, in the order of
/// [`SceneTemplate::ALL`].
static READY: LazyLock<[ReadyTemplate<'static>; 5]> = LazyLock::new(|| {
    SceneTemplate::ALL.map(|template| {
        let ready = ReadyTemplate::read(template.file(), template.built_in());
        ready.expect("the built-in templates can be read")
    })
});

/// A project's own templates, verbatim, in place of the built-in ones, and which built-in ones those are.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ScenePrompts {
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    character: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    update: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    judge: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    event_writer: Option<String>,
    /// The fingerprints of the built-in templates that a run began with, by their files: a few words
    /// instead of pages in every log. Later versions keep the texts.
    #[serde(rename = "builtIn", skip_serializing_if = "BTreeMap::is_empty")]
    built_in: BTreeMap<String, String>,
}

impl ScenePrompts {
    /// The built-in templates of this version.
    pub fn current() -> ScenePrompts {
        ScenePrompts::default().of_this_version()
    }

    /// Keeps which built-in templates a run begins with.
    pub(super) fn of_this_version(mut self) -> ScenePrompts {
        let own = self.own();
        self.built_in.clone_from(&BUILT_IN);
        self.built_in.retain(|file, _| !own.contains(&file.as_str()));
        self
    }

    /// Whether nothing is said of any template.
    pub fn is_default(&self) -> bool {
        *self == ScenePrompts::default()
    }

    /// Replaces a built-in template.
    pub fn set(&mut self, template: SceneTemplate, source: String) {
        *match template {
            SceneTemplate::Rules => &mut self.rules,
            SceneTemplate::Character => &mut self.character,
            SceneTemplate::Update => &mut self.update,
            SceneTemplate::Judge => &mut self.judge,
            SceneTemplate::EventWriter => &mut self.event_writer,
        } = Some(source);
    }

    /// The files of those that are not the built-in ones.
    pub fn own(&self) -> Vec<&'static str> {
        let own = SceneTemplate::ALL.into_iter().filter(|template| self.replaced(*template).is_some());
        own.map(SceneTemplate::file).collect()
    }

    fn replaced(&self, template: SceneTemplate) -> Option<&str> {
        match template {
            SceneTemplate::Rules => self.rules.as_deref(),
            SceneTemplate::Character => self.character.as_deref(),
            SceneTemplate::Update => self.update.as_deref(),
            SceneTemplate::Judge => self.judge.as_deref(),
            SceneTemplate::EventWriter => self.event_writer.as_deref(),
        }
    }

    fn of(&self, template: SceneTemplate) -> &str {
        self.replaced(template).unwrap_or_else(|| template.as_of(self.built_in.get(template.file())))
    }

    /// The template of updates, unless it is the built-in one of this version, which is written without it.
    pub(super) fn own_update(&self) -> Option<&str> {
        Some(self.of(SceneTemplate::Update)).filter(|source| *source != SceneTemplate::Update.built_in())
    }

    /// Fills every template in, with values made up for it. What is wrong is said with the file it is in, and
    /// the line.
    pub fn check(&self) -> Result<(), Problem> {
        SceneTemplate::ALL.into_iter().try_for_each(|template| {
            prompt_template::check(
                template.file(),
                template.variables(),
                self.of(template),
                samples(template),
            )
        })
    }

    /// Fills the project's own templates in with this scene: one that only fails here would fail in the
    /// middle of it.
    pub(super) fn check_scene(&self, setup: &SceneSetup) -> Result<(), Problem> {
        if self.own().is_empty() {
            return Ok(());
        }
        let sheets: Vec<Sheet> = setup
            .cast
            .iter()
            .map(|role| Sheet::read(role.name.as_str(), &role.sheet))
            .collect::<Result<_, _>>()?;
        let known: Vec<&Sheet> = sheets.iter().collect();
        SceneTemplate::ALL.into_iter().try_for_each(|template| {
            let Some(source) = self.replaced(template) else { return Ok(()) };
            let values = match template {
                SceneTemplate::Rules => vec![rules_values(setup, &known)],
                SceneTemplate::Update => samples(template).to_vec(),
                SceneTemplate::Judge => vec![judge_values(setup)],
                SceneTemplate::EventWriter => vec![event_writer_values(setup, &known)],
                SceneTemplate::Character => {
                    let of = |(role, sheet)| character_values(setup, role, sheet);
                    setup.cast.iter().zip(&sheets).map(of).collect()
                }
            };
            prompt_template::check(template.file(), template.variables(), source, values)
        })
    }

    /// The rules and the scene, which every actor is told first.
    pub(super) fn rules(&self, setup: &SceneSetup, sheets: &[&Sheet]) -> String {
        self.filled(SceneTemplate::Rules, rules_values(setup, sheets))
    }

    /// Who an actor is.
    pub(super) fn character(&self, setup: &SceneSetup, role: &Role, sheet: &Sheet) -> String {
        self.filled(SceneTemplate::Character, character_values(setup, role, sheet))
    }

    /// What a model judge is always told.
    pub(super) fn judge(&self, setup: &SceneSetup) -> String {
        self.filled(SceneTemplate::Judge, judge_values(setup))
    }

    /// What the writer of world events is always told.
    pub(super) fn event_writer(&self, setup: &SceneSetup, sheets: &[&Sheet]) -> String {
        self.filled(SceneTemplate::EventWriter, event_writer_values(setup, sheets))
    }

    /// Templates are checked before a scene is cast; in a log that was edited by hand the built-in one stands
    /// in for one that fails all the same.
    fn filled(&self, template: SceneTemplate, values: Value) -> String {
        let own = Some(self.of(template)).filter(|source| *source != template.built_in());
        let filled =
            own.and_then(|source| prompt_template::fill(template.file(), source, values.clone()).ok());
        filled.unwrap_or_else(|| {
            let built_in = READY[template as usize].fill(values);
            built_in.expect("the built-in templates take every scene")
        })
    }
}

fn rules_values(setup: &SceneSetup, sheets: &[&Sheet]) -> Value {
    // Goals that were found in the prompt stand there already.
    let goals = if setup.config.goals.is_empty() { &[][..] } else { &setup.goals };
    scene_values(setup, goals, public_cast(setup, sheets))
}

fn judge_values(setup: &SceneSetup) -> Value {
    let sheet = |role: &Role| map([("name", plain(&role.display)), ("sheet", plain(role.sheet.trim()))]);
    scene_values(setup, &setup.goals, setup.cast.iter().map(sheet).collect())
}

fn event_writer_values(setup: &SceneSetup, sheets: &[&Sheet]) -> Value {
    scene_values(setup, &setup.goals, public_cast(setup, sheets))
}

fn scene_values(setup: &SceneSetup, goals: &[String], cast: Value) -> Value {
    let config = &setup.config;
    let goals = goals.iter().map(|goal| plain(goal)).collect();
    values(&config.prompt, config.setting.as_deref(), config.language.as_deref(), goals, cast)
}

/// What everyone knows of the cast. Sheets are not among it: no template can tell an actor what its character
/// cannot know.
fn public_cast(setup: &SceneSetup, sheets: &[&Sheet]) -> Value {
    let cast = setup.cast.iter().zip(sheets);
    cast.map(|(role, sheet)| map([("name", plain(&role.display)), ("about", plain(&about(sheet)))])).collect()
}

fn values(context: &str, setting: Option<&str>, language: Option<&str>, goals: Value, cast: Value) -> Value {
    map([
        ("scene_context", plain(context.trim())),
        ("setting", plain(setting.unwrap_or_default())),
        ("language", plain(language.unwrap_or_default())),
        ("goals", goals),
        ("cast", cast),
    ])
}

fn character_values(setup: &SceneSetup, role: &Role, sheet: &Sheet) -> Value {
    let remembered = setup.remembered.get(&role.name).cloned().unwrap_or_default();
    let display = |name: &Name| setup.cast.iter().find(|role| role.name == *name).map(|role| &*role.display);
    remembering_values(&role.display, &role.sheet, sheet.language.as_deref(), &remembered, display)
}

/// Remembered lines are printed as JSON strings, so that they cannot pass for instructions.
fn remembering_values<'a>(
    name: &str,
    sheet: &str,
    language: Option<&str>,
    remembered: &Remembered,
    display: impl Fn(&Name) -> Option<&'a str>,
) -> Value {
    let said = |memory: &Memory| {
        let by = memory.by.as_deref().unwrap_or_default();
        map([("by", plain(by)), ("text", Value::from(memory.text.as_str()))])
    };
    let stands = |(with, relationship): (&Name, &Relationship)| {
        Some(map([("name", plain(display(with)?)), ("tone", Value::from(relationship.tone.as_str()))]))
    };
    let mood = remembered.mood.as_deref();
    map([
        ("name", plain(name)),
        ("sheet", plain(sheet.trim())),
        ("language", plain(language.unwrap_or_default())),
        ("memories", remembered.memories.iter().map(said).collect()),
        ("mood", mood.map_or_else(|| plain(""), Value::from)),
        ("relationships", remembered.relationships.iter().filter_map(stands).collect()),
    ])
}

/// The description of a sheet, or else what follows the name in its heading, in a line.
fn about(sheet: &Sheet) -> String {
    let about = sheet.description.as_deref().or(sheet.title.as_deref()).unwrap_or_default();
    shortened(&one_line(about), LONGEST_ABOUT_CHARS).into_owned()
}

/// What an update says. Lines are one line each by now, and cannot pass for another.
pub(super) fn update_values(
    beat: u32,
    name: &str,
    remembers: bool,
    lines: Vec<String>,
    last_event: Option<&str>,
    notes: &[&str],
) -> Value {
    map([
        ("beat", Value::from(beat)),
        ("name", plain(name)),
        ("remembers", Value::from(remembers)),
        ("lines", lines.iter().map(|line| plain(line)).collect()),
        ("last_event", plain(last_event.unwrap_or_default())),
        ("notes", notes.iter().map(|note| plain(note)).collect()),
    ])
}

/// What there can be to say, much and little, so that a template can be tried.
fn samples(template: SceneTemplate) -> [Value; 2] {
    if template == SceneTemplate::Update {
        let lines = vec!["Alice [TONE: calm] \"Hello.\"".to_owned(), "[EVENT: It rains]".to_owned()];
        return [
            update_values(3, "Bob", false, lines, Some("[EVENT: It rains]"), &["Begin the scene."]),
            update_values(0, "Bob", true, Vec::new(), None, &[]),
        ];
    }
    if template == SceneTemplate::Character {
        let sheet = "# Alice - Photographer\n\n- Punctual";
        let (kind, by, text) = (MemoryKind::Fact, Some("Bob".to_owned()), "I live here.".to_owned());
        let between = Relationship { tone: "at odds".to_owned(), tension: 60, recent_beats: Vec::new() };
        let remembered = Remembered {
            memories: vec![Memory { kind, by, text, importance: 0.5 }],
            mood: Some("calm".to_owned()),
            relationships: Name::new("bob").ok().map(|bob| (bob, between)).into_iter().collect(),
        };
        let values = |language, remembered: &Remembered| {
            remembering_values("Alice", sheet, language, remembered, |_| Some("Bob"))
        };
        return [values(Some("French"), &remembered), values(None, &Remembered::default())];
    }
    let more = if template == SceneTemplate::Judge { "sheet" } else { "about" };
    let character = |name: &str, about: &str| map([("name", plain(name)), (more, plain(about))]);
    let cast = || Value::from(vec![character("Alice", "Photographer"), character("Bob", "")]);
    let goals = Value::from(vec![plain("Bob apologizes"), plain("Alice accepts")]);
    [
        values("Bob is late.", Some("A café"), Some("French"), goals, cast()),
        values("Bob is late.", None, None, Value::from(Vec::<Value>::new()), cast()),
    ]
}

#[cfg(test)]
mod tests;
