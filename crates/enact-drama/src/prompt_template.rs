//! Prompts as templates, filled in: what a project may change of what models are told.
//!
//! What people and models have said is data. A production hands it over as a plain value, and it is printed
//! as a JSON string, so that it cannot pass for instructions; it is never read as a template itself. A
//! template cannot have it otherwise: what would switch that off is refused. Words of the operator or the
//! author ([`plain`]) stand as they are.

use std::{collections::BTreeMap, io, sync::LazyLock};

use minijinja::{
    AutoEscape, Environment, ErrorKind, Output, State, Template, UndefinedBehavior, escape_formatter,
};

use self::language::keeps_to_it;
use crate::text::escaped_json;

mod check;
mod filters;
mod language;

pub(crate) use check::check;
pub(crate) use minijinja::{Error, Value};

/// A template has a handful of loops over a handful of things. This ends those that do not end by themselves.
const FUEL: u64 = 100_000;
/// More than the sheets of the largest cast and the longest prompt of a scene, which a judge is told together.
const LONGEST_PROMPT_BYTES: usize = 4 * 1024 * 1024;

/// Fills in the template of this file with these values.
pub(crate) fn fill(file: &str, source: &str, values: Value) -> Result<String, Error> {
    ReadyTemplate::read(file, source)?.fill(values)
}

/// A template that is filled in several times, with [`fill`](ReadyTemplate::fill).
pub(crate) struct ReadyTemplate<'a>(Template<'a, 'a>);

impl<'a> ReadyTemplate<'a> {
    /// Reads the template of this file.
    pub(crate) fn read(file: &'a str, source: &'a str) -> Result<ReadyTemplate<'a>, Error> {
        keeps_to_it(source).map_err(|refused| Error::new(ErrorKind::SyntaxError, refused.why))?;
        let environment: &'a Environment<'static> = &ENVIRONMENT;
        environment.template_from_named_str(file, source).map(ReadyTemplate)
    }

    pub(crate) fn fill(&self, values: Value) -> Result<String, Error> {
        let mut page = Page::default();
        self.0.render_captured_to(values, &mut page)?;
        String::from_utf8(page.0)
            .map_err(|_| Error::new(ErrorKind::InvalidOperation, "the text is not UTF-8"))
    }
}

/// Values by their names.
pub(crate) fn map(entries: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    Value::from(entries.into_iter().collect::<BTreeMap<_, _>>())
}

/// The operator's or the author's words, which stand as they are.
pub(crate) fn plain(text: &str) -> Value {
    Value::from_safe_string(text.to_owned())
}

/// What templates can do.
static ENVIRONMENT: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::Json);
    environment.set_formatter(print);
    environment.set_fuel(Some(FUEL));
    environment.set_debug(true);
    filters::add_to(&mut environment);
    environment
});

/// Prints what was said as JSON in which nothing reads as a line break or acts unseen; JSON itself lets U+2028
/// and marks of direction stand as they are.
fn print(out: &mut Output, state: &mut State, value: &Value) -> Result<(), Error> {
    if value.is_safe() || value.is_undefined() {
        return escape_formatter(out, state, value);
    }
    let json = serde_json::to_string(value).map_err(|error| {
        Error::new(ErrorKind::BadSerialization, "this cannot be printed as JSON").with_source(error)
    })?;
    out.write_str(&escaped_json(&json)).map_err(Error::from)
}

/// Where a prompt is written. It has an end.
#[derive(Default)]
struct Page(Vec<u8>);

impl io::Write for Page {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > LONGEST_PROMPT_BYTES {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
