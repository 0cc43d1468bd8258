//! The formats a run can be exported in.

use std::{fmt, str::FromStr};

use super::{
    Document,
    fountain::fountain,
    json::{json, metadata},
    markdown::markdown,
    txt::txt,
    webvtt::webvtt,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// The transcript.
    Txt,
    Md,
    Json,
    /// A screenplay.
    Fountain,
    /// Captions with estimated times.
    Vtt,
    /// What programs want to know about the run, without what was said.
    Metadata,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not an export format: use txt, md, json, fountain, vtt or metadata")]
pub struct UnknownFormat(pub String);

impl Format {
    pub const ALL: [Format; 6] =
        [Format::Txt, Format::Md, Format::Json, Format::Fountain, Format::Vtt, Format::Metadata];

    /// What it is called on the command line and on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Format::Txt => "txt",
            Format::Md => "md",
            Format::Json => "json",
            Format::Fountain => "fountain",
            Format::Vtt => "vtt",
            Format::Metadata => "metadata",
        }
    }

    /// The whole run in this format.
    pub fn render(self, document: &Document) -> String {
        match self {
            Format::Txt => txt(document),
            Format::Md => markdown(document),
            Format::Json => json(document),
            Format::Fountain => fountain(document),
            Format::Vtt => webvtt(document),
            Format::Metadata => metadata(document),
        }
    }

    /// What its files end in, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Metadata => "metadata.json",
            format => format.name(),
        }
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Format, UnknownFormat> {
        let known = Format::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(text));
        known.ok_or_else(|| UnknownFormat(text.to_owned()))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
