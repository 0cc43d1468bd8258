//! Front matter: the YAML between two `---` lines at the top of a markdown file.

use crate::{
    Problem,
    located::{Located, LocatedMap, Value, read_yaml},
};

const FENCE: &str = "---";

/// A markdown file in its two parts.
#[derive(Debug)]
pub(crate) struct FrontMatter<'a> {
    /// Empty when there is no front matter: a file without any and one with nothing in it mean the same.
    pub(crate) matter: LocatedMap,
    pub(crate) body: &'a str,
}

/// Reads the front matter of a markdown file, if it has any, and leaves the rest as it is.
///
/// Only a fence on the very first line opens front matter; further down it is a rule across the page.
pub(crate) fn read(text: &str) -> Result<FrontMatter<'_>, Problem> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let Some((yaml, body)) = split(text)? else {
        return Ok(FrontMatter { matter: LocatedMap::default(), body: text });
    };
    let Located { place, value } = read_yaml(yaml, 2)?;
    match value {
        Value::Null => Ok(FrontMatter { matter: LocatedMap::default(), body }),
        Value::Group(matter) => Ok(FrontMatter { matter, body }),
        _ => Err(Problem::config("the front matter must be keys with values")
            .at(place.line, place.column)
            .hint("write one 'key: value' on each line")),
    }
}

/// The YAML, which begins on line 2, and the body.
pub(crate) fn split(text: &str) -> Result<Option<(&str, &str)>, Problem> {
    let is_fence = |line: &str| line.trim_end() == FENCE;
    let mut lines = text.split_inclusive('\n');
    let Some(first) = lines.next().filter(|line| is_fence(line)) else {
        return Ok(None);
    };
    let mut end = first.len();
    for line in lines {
        if is_fence(line) {
            return Ok(Some((&text[first.len()..end], &text[end + line.len()..])));
        }
        end += line.len();
    }
    Err(Problem::config("the front matter that begins here does not end")
        .at(1, 1)
        .hint("close it with a line '---' below the last key"))
}

#[cfg(test)]
mod tests;
