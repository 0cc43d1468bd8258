//! What is compared: a model, and perhaps how much it is told each beat.

use std::{collections::BTreeSet, convert::Infallible, fmt, str::FromStr};

use enact_drama::{Problem, did_you_mean, model_card::Context};

use crate::config::{Config, Reference};

/// `lead`, or `window:lead`, or `thread:lead`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entrant {
    pub(crate) model: String,
    pub(crate) context: Option<Context>,
}

impl FromStr for Entrant {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Entrant, Infallible> {
        let (context, model) = match text.split_once(':') {
            Some(("window", model)) => (Some(Context::Window), model),
            Some(("thread", model)) => (Some(Context::Thread), model),
            _ => (None, text),
        };
        Ok(Entrant { model: model.to_owned(), context })
    }
}

impl fmt::Display for Entrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let context = match self.context {
            Some(Context::Window) => "window:",
            Some(Context::Thread) => "thread:",
            None => "",
        };
        write!(f, "{context}{}", self.model)
    }
}

/// Whether all entrants can be told apart, and are told what their names say.
pub(crate) fn check(entrants: &[Entrant], config: &Config) -> Result<(), Problem> {
    let mut names = BTreeSet::new();
    for entrant in entrants {
        if !names.insert(entrant.to_string()) {
            return Err(Problem::config(format!("--with {entrant} is given twice"))
                .hint("a entrant is played more often with --runs"));
        }
        let reference = config.refer(&entrant.model).map_err(|problem| misspelt(entrant, problem))?;
        if entrant.context.is_some() && !matches!(reference, Reference::Language(_)) {
            return Err(Problem::config(format!(
                "--with {entrant}: '{}' is no language model, and is told the same either way",
                entrant.model
            ))
            .hint(format!("--with {}", entrant.model)));
        }
    }
    Ok(())
}

/// What stands before a colon is taken for a provider, though it may have been meant for a context.
fn misspelt(entrant: &Entrant, problem: Problem) -> Problem {
    let Some((word, model)) = entrant.model.split_once(':') else { return problem };
    match did_you_mean(word, ["window", "thread"]) {
        Some(near) => problem.hint(format!("did you mean '{near}:{model}'?")),
        None => problem,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entrants_are_read_and_written_the_same() {
        for (text, model, context) in [
            ("lead", "lead", None),
            ("window:lead", "lead", Some(Context::Window)),
            ("thread:anthropic:claude-x", "anthropic:claude-x", Some(Context::Thread)),
            ("script:window:a.txt", "script:window:a.txt", None),
        ] {
            let Ok(entrant) = text.parse::<Entrant>();
            assert_eq!(entrant, Entrant { model: model.to_owned(), context });
            assert_eq!(entrant.to_string(), text);
        }
    }

    #[test]
    fn what_cannot_be_compared_is_refused() {
        let refused = |texts: &[&str]| {
            let entrants: Vec<Entrant> = texts.iter().filter_map(|text| text.parse().ok()).collect();
            check(&entrants, &Config::default()).err().map(|problem| problem.message)
        };
        assert_eq!(
            refused(&["improviser", "script:a.txt", "window:ollama:llama3.2", "ollama:llama3.2"]),
            None
        );
        for (texts, message) in [
            (&["improviser", "improviser"][..], "--with improviser is given twice"),
            (
                &["window:improviser"],
                "--with window:improviser: 'improviser' is no language model, and is told the same either way",
            ),
        ] {
            assert_eq!(refused(texts).as_deref(), Some(message));
        }
        let windows = check(&["windows:lead".parse().unwrap()], &Config::default()).unwrap_err();
        assert_eq!(windows.hint.as_deref(), Some("did you mean 'window:lead'?"));
        assert!(refused(&["leed"]).is_some_and(|message| message.contains("'leed'")));
    }
}
