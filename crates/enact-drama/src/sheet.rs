//! Character sheets: markdown, with optional front matter.

use std::collections::BTreeMap;

use serde_json::Value;

/// A character's sheet, read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sheet {
    /// What the character is called on stage: front matter `name`, else the first heading up to " - ", else the
    /// file's name.
    pub display: String,
    pub description: Option<String>,
    pub model: Option<String>,
    pub tools: Option<Value>,
    pub voice: Option<String>,
    pub language: Option<String>,
    /// Front matter keys that mean nothing here, kept for those to whom they do.
    pub other: BTreeMap<String, Value>,
    /// What follows the display name in the first heading: "Senior Project Manager".
    pub title: Option<String>,
    pub sections: Vec<Section>,
    /// The markdown below the front matter.
    pub body: String,
}

/// One heading and what stands below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    pub heading: String,
    /// Bullet points and paragraphs, one each, without their markers.
    pub points: Vec<String>,
}

impl Sheet {
    /// The points below a heading, whatever its case.
    pub fn section(&self, heading: &str) -> &[String] {
        self.sections.iter().find(|s| s.heading.eq_ignore_ascii_case(heading)).map_or(&[], |s| &s.points)
    }
}
impl Sheet { pub fn read(name: &str, text: &str) -> Result<Sheet, crate::Problem> { Ok(Sheet{display:name.to_owned(), body:text.to_owned(), ..Sheet::default()}) } }
