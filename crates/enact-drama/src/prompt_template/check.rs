//! Whether a template can be filled in: found out before anything is played.

use minijinja::{Environment, Error, ErrorKind, Value};

use super::{LONGEST_PROMPT_BYTES, fill, language::keeps_to_it};
use crate::{Problem, did_you_mean};

/// Fills in the template of this file with sample values. What is wrong is said with the file and the line.
pub(crate) fn check(
    file: &str,
    variables: &[&str],
    source: &str,
    samples: impl IntoIterator<Item = Value>,
) -> Result<(), Problem> {
    keeps_to_it(source).map_err(|refused| {
        placed(Problem::config(refused.why), source, refused.at).in_file(file).hint(refused.hint)
    })?;
    known_variables(file, variables, source)?;
    samples.into_iter().try_for_each(|sample| {
        let text = fill(file, source, sample).map_err(|error| problem(file, source, &error))?;
        if text.trim().is_empty() {
            return Err(Problem::config("this template says nothing").in_file(file));
        }
        Ok(())
    })
}

/// Also finds variables in parts that are not reached with made-up values.
fn known_variables(file: &str, variables: &[&str], source: &str) -> Result<(), Problem> {
    let environment = Environment::new();
    let ready =
        environment.template_from_named_str(file, source).map_err(|error| problem(file, source, &error))?;
    let mut unknown: Vec<String> = ready
        .undeclared_variables(false)
        .into_iter()
        .filter(|name| !variables.contains(&name.as_str()))
        // Functions of the template language count as variables too.
        .filter(|name| !environment.globals().any(|(global, _)| global == name))
        .collect();
    unknown.sort();
    let Some(name) = unknown.first() else { return Ok(()) };
    let at = words(source).find(|(_, word)| word == name).map_or(0, |(at, _)| at);
    let problem =
        placed(Problem::config(format!("there is no variable '{name}' in this template")), source, at)
            .in_file(file);
    Err(match did_you_mean(name, variables.iter().copied()) {
        Some(known) => problem.hint(format!("did you mean '{known}'?")),
        None => problem.hint(format!("it may use {}", variables.join(", "))),
    })
}

/// The words of a text, and where they begin.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let between = |c: char| !c.is_alphanumeric() && c != '_';
    text.split(between).scan(0, move |at, word| {
        let begins = *at;
        // What stands between two words is one character, of any width.
        let gap = text[begins + word.len()..].chars().next().map_or(0, char::len_utf8);
        *at = begins + word.len() + gap;
        Some((begins, word))
    })
}

fn placed(problem: Problem, source: &str, at: usize) -> Problem {
    let before = source.get(..at).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    problem.at(line, column)
}

fn problem(file: &str, source: &str, error: &Error) -> Problem {
    let what = error.range().and_then(|range| source.get(range)).unwrap_or_default().trim();
    let message = match (error.kind(), error.detail()) {
        (ErrorKind::UndefinedError, _) => format!("there is no '{what}' here"),
        (ErrorKind::OutOfFuel, _) => "this template does not come to an end".to_owned(),
        (ErrorKind::WriteFailure, _) => {
            format!("this template says more than {LONGEST_PROMPT_BYTES} bytes")
        }
        (ErrorKind::SyntaxError, Some(detail)) => detail.to_owned(),
        (kind, Some(detail)) => format!("{kind}: {detail}"),
        (kind, None) => kind.to_string(),
    };
    let problem = Problem::config(message).in_file(file);
    match error.range() {
        Some(range) => placed(problem, source, range.start),
        None => problem.at(error.line().unwrap_or(1), 1),
    }
}
