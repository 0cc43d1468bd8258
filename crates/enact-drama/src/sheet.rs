//! Character sheets: markdown, with optional front matter.

mod display;
mod markdown;

pub use display::is_reserved as is_reserved_name;

use std::collections::BTreeMap;

use serde_json::Value;

use crate::{Code, Place, Problem, front_matter, located::LocatedMap};

/// A sheet goes into every request of its actor. This is some 60 000 tokens: no character needs more.
pub const LARGEST_SHEET_BYTES: usize = 256 * 1024;

/// What sheets written for Claude Code call its models.
pub const CLAUDE_MODEL_ALIASES: [&str; 4] = ["fable", "haiku", "opus", "sonnet"];

/// What such a sheet writes for no model in particular.
pub const INHERIT: &str = "inherit";

/// A character's sheet, read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sheet {
    /// What the character is called on stage: front matter `name`, else the first heading up to " - ", else
    /// the file's name. Safe as a speaker's label: one short line without brackets, quotes or colons.
    pub display: String,
    pub description: Option<String>,
    pub model: Option<String>,
    /// Where the model is written, for the error if there is no such model.
    pub model_place: Option<Place>,
    pub tools: Option<Value>,
    pub voice: Option<String>,
    pub language: Option<String>,
    /// Front matter keys that mean nothing here, kept for those to whom they do.
    pub other: BTreeMap<String, Value>,
    /// What follows the display name in the first heading: "Senior Project Manager".
    pub title: Option<String>,
    /// Every heading, in order. What stands above the first has an empty one.
    pub sections: Vec<Section>,
    /// The markdown below the front matter.
    pub body: String,
}

/// One heading and what stands below it, up to the next heading of any level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    pub heading: String,
    /// Bullet points and paragraphs, one each, without their markers.
    pub points: Vec<String>,
}

impl Sheet {
    /// Reads the sheet of the character called `name` in the cast.
    pub fn read(name: &str, text: &str) -> Result<Sheet, Problem> {
        if text.len() > LARGEST_SHEET_BYTES {
            let reason = format!("{name}.md is larger than {} KiB", LARGEST_SHEET_BYTES / 1024);
            return Err(Problem::character(name, &reason));
        }
        read(name, text).map_err(|problem| match problem.code {
            Code::CharacterLoadError => problem,
            Code::InvalidConfig | Code::BeatNotPlayed | Code::AskNotOpen | Code::SessionBusy => {
                let blamed = Problem::character(name, &problem.message);
                Problem { place: problem.place, hint: problem.hint, ..blamed }
            }
        })
    }

    /// The text of a sheet with another voice in its front matter, which stays as it was otherwise. Refused where
    /// that would be no sheet, or another one.
    pub fn with_voice(name: &str, text: &str, voice: &str) -> Result<String, Problem> {
        let voice = voice.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let voiced = match front_matter::split(text)? {
            None => format!("---\nvoice: {voice}\n---\n{text}"),
            Some((matter, _)) => {
                let opened = text.find('\n').map_or(text.len(), |end| end + 1);
                let (fence, rest) = (&text[..opened], &text[opened + matter.len()..]);
                let kept: String =
                    lines_without(&front_matter::read(text)?.matter, "voice", matter).collect();
                format!("{fence}voice: {voice}\n{kept}{rest}")
            }
        };
        let (before, after) = (Sheet::read(name, text)?, Sheet::read(name, &voiced)?);
        let of_before = Sheet { voice: Some(voice), model_place: after.model_place, ..before };
        if after != of_before {
            return Err(Problem::character(
                name,
                &format!("the front matter of {name}.md cannot be given a voice"),
            )
            .hint("write one 'key: value' on each line of it"));
        }
        Ok(voiced)
    }

    /// The points below a heading, whatever its case.
    pub fn section(&self, heading: &str) -> &[String] {
        self.sections.iter().find(|s| s.heading.eq_ignore_ascii_case(heading)).map_or(&[], |s| &s.points)
    }
}

/// The lines of front matter but those of a key, which are all up to the next one.
fn lines_without<'a>(keys: &LocatedMap, key: &str, matter: &'a str) -> impl Iterator<Item = &'a str> {
    let places = || keys.0.iter().map(|(key, _)| key.place.line);
    let from = keys.0.iter().find(|(one, _)| one.text == key).map(|(one, _)| one.place.line);
    let until = from.and_then(|from| places().filter(|line| *line > from).min());
    // The line of the fence is the first.
    matter.split_inclusive('\n').zip(2..).filter_map(move |(line, number)| {
        let is_of_key = from.is_some_and(|from| number >= from) && until.is_none_or(|until| number < until);
        (!is_of_key).then_some(line)
    })
}

fn read(name: &str, text: &str) -> Result<Sheet, Problem> {
    let document = front_matter::read(text)?;
    let mut sheet = Sheet { body: document.body.to_owned(), ..Sheet::default() };
    let mut given_name = None;
    for (key, value) in document.matter.0 {
        match key.text.as_str() {
            "name" => given_name = value.text("name")?,
            "description" => sheet.description = value.text("description")?,
            "model" => {
                sheet.model_place = Some(value.place);
                sheet.model = value.text("model")?;
            }
            "tools" => sheet.tools = Some(value.into_json()).filter(|tools| !tools.is_null()),
            "voice" => sheet.voice = value.text("voice")?,
            "language" => sheet.language = value.text("language")?,
            _ => {
                sheet.other.insert(key.text, value.into_json());
            }
        }
    }
    if document.body.trim().is_empty() {
        return Err(Problem::character(name, &format!("{name}.md is empty"))
            .hint("describe the character in it: personality, way of speaking, background"));
    }
    let outline = markdown::read(document.body);
    let heading = title_heading(&outline, name);
    sheet.display = display::choose(name, given_name.as_deref(), heading.as_ref());
    if display::is_reserved(&sheet.display) {
        let reason =
            format!("nobody can be called {} on stage: the moderator's lines begin with it", sheet.display);
        return Err(Problem::character(name, &reason)
            .hint("give the character another 'name:' in the front matter of its sheet"));
    }
    sheet.title = heading.and_then(|heading| heading.title);
    sheet.sections = outline.sections;
    Ok(sheet)
}

/// The first heading, if it is about who this is: the only one of the top level, or one with the file's name
/// in it. A sheet that starts with "## Personality" is not about someone called Personality.
fn title_heading(outline: &markdown::Outline, name: &str) -> Option<display::Heading> {
    let (level, text) = outline.first.as_ref()?;
    display::Heading::of(text).filter(|heading| {
        (*level == 1 && outline.top_headings == 1)
            || heading.name.split(' ').any(|word| word.eq_ignore_ascii_case(name))
    })
}

#[cfg(test)]
mod tests;
