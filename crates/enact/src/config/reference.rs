//! What the name of a model stands for.

pub(crate) use enact_drama::sheet::INHERIT;
use enact_drama::{Problem, did_you_mean, sheet::Sheet};
use enact_models::{Provider, Settings, prices::aliases};

use super::{Config, ModelEntry};
use crate::demos::Demo;

pub(crate) const IMPROVISER: &str = "improviser";

/// A person, who answers with commands.
pub(crate) const HUMAN: &str = "human";

/// Names that no configured model may take, because they mean something wherever a model is named.
pub(super) const RESERVED: [&str; 6] = [IMPROVISER, HUMAN, "script", "recorded", INHERIT, NONE];

/// On the command line: no judge, no writer of events.
pub(crate) const NONE: &str = "none";

/// How names of models begin that people write without their provider.
const FAMILIES: [(&str, Provider); 3] =
    [("claude-", Provider::Anthropic), ("gpt-", Provider::OpenAi), ("gemini-", Provider::Gemini)];

/// What answers to a name.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Reference {
    Improviser,
    Human,
    /// A file with the answers.
    Script(String),
    /// The run that is given again.
    Recorded(String),
    /// The performance of a scene that comes with the program.
    Demo(&'static Demo),
    Language(Box<ModelEntry>),
}

impl Config {
    /// Finds out what a name stands for: a built-in player, a configured model, one of Claude's own names for
    /// its models where the default is one of them, or `provider:model`.
    pub(crate) fn refer(&self, name: &str) -> Result<Reference, Problem> {
        if let Some(found) = self.refer_plainly(name)? {
            return Ok(found);
        }
        if let Some(claude) = self.claude(name) {
            return Ok(Reference::Language(Box::new(claude)));
        }
        Err(self.unknown(name))
    }

    /// Whether a sheet's wish for one of Claude's models has to be passed over: there is no such model here,
    /// and the default is of another family.
    pub(crate) fn passes_over(&self, wish: &str) -> bool {
        self.is_claudes_own(wish) && self.refer(wish).is_err()
    }

    /// The model that a sheet asks for, if there is one here. Sheets written for Claude Code may name one of
    /// Claude's, or none in particular.
    pub(crate) fn model_of_sheet<'a>(&self, sheet: &'a Sheet) -> Result<Option<&'a str>, Problem> {
        let asked = sheet.model.as_deref().filter(|model| *model != INHERIT && !self.passes_over(model));
        asked.map(|asked| self.check_requested(asked, "--model ")).transpose()
    }

    /// A model that a file asks for. Scripts and recordings read other files, so that only the command line may
    /// name them, behind this flag.
    pub(crate) fn check_requested<'a>(&self, model: &'a str, flag: &str) -> Result<&'a str, Problem> {
        match self.refer(model)? {
            Reference::Script(_) | Reference::Recorded(_) | Reference::Demo(_) => {
                Err(Problem::config("scripts and recordings are only for the command line")
                    .hint(format!("{flag}{}", model.escape_debug())))
            }
            _ => Ok(model),
        }
    }

    /// Whether this is what sheets written for Claude Code call a model.
    pub(crate) fn is_claudes_own(&self, name: &str) -> bool {
        self.full_name(name).is_some()
    }

    fn refer_plainly(&self, name: &str) -> Result<Option<Reference>, Problem> {
        if name == IMPROVISER {
            return Ok(Some(Reference::Improviser));
        }
        if name == HUMAN {
            return Ok(Some(Reference::Human));
        }
        if let Some(entry) = self.get(name) {
            return Ok(Some(Reference::Language(Box::new(entry.clone()))));
        }
        match name.split_once(':') {
            None => Ok(None),
            Some(("script", file)) => Ok(Some(Reference::Script(file.to_owned()))),
            Some(("demo", name)) => Ok(Some(Reference::Demo(Demo::named(name)?))),
            Some(("recorded", run)) => Ok(Some(Reference::Recorded(run.to_owned()))),
            Some((provider, model)) => {
                let entry = self.with_price(on_the_spot(name, provider, model)?);
                Ok(Some(Reference::Language(Box::new(entry))))
            }
        }
    }

    /// The default model's settings with another model of the same family.
    fn claude(&self, alias: &str) -> Option<ModelEntry> {
        if !self.is_claudes_own(alias) {
            return None;
        }
        let default = self.default.as_deref()?;
        let Ok(Some(Reference::Language(mut entry))) = self.refer_plainly(default) else { return None };
        if !matches!(entry.settings.provider, Provider::Anthropic | Provider::ClaudeCode) {
            return None;
        }
        entry.settings.fallback.retain(|name| name != alias);
        // A default of that family is what is meant, of whatever generation.
        if entry.settings.model.contains(alias) {
            return Some(ModelEntry { name: alias.to_owned(), ..*entry });
        }
        entry.settings.model = match entry.settings.provider {
            Provider::Anthropic => self.full_name(alias)?.to_owned(),
            Provider::ClaudeCode => alias.to_owned(),
            _ => return None,
        };
        // What the operator says about the price is about another model.
        entry.settings.price = None;
        Some(self.with_price(ModelEntry { name: alias.to_owned(), ..*entry }))
    }

    fn unknown(&self, name: &str) -> Problem {
        if name.trim().is_empty() {
            return Problem::config("no model is named")
                .hint("'improviser', a model of enact.toml, or 'PROVIDER:MODEL'");
        }
        let problem = Problem::config(format!("unknown model '{}'", name.escape_debug()));
        let configured = self.models.iter().map(|entry| entry.name.as_str());
        let known: Vec<&str> = [IMPROVISER, HUMAN].into_iter().chain(configured).collect();
        if Provider::named(name).is_some() {
            return problem.hint(format!("say which of its models: '{name}:MODEL'"));
        }
        let claudes: Vec<&str> = aliases().filter(|claude| *claude != name).collect();
        if let Some((_, provider)) = FAMILIES.iter().find(|(family, _)| name.starts_with(family)) {
            return problem.hint(format!("did you mean '{}:{}'?", provider.as_str(), name.escape_debug()));
        }
        if let Some(near) = did_you_mean(name, known.iter().copied().chain(claudes)) {
            return problem.hint(format!("did you mean '{near}'?"));
        }
        match &self.file {
            _ if !self.models.is_empty() => problem.hint(format!("there are: {}", known.join(", "))),
            Some(_) => problem.hint("no models are configured: add [models.NAME] to enact.toml, or write 'PROVIDER:MODEL'"),
            None => problem.hint(
                "use 'improviser', 'script:FILE', 'recorded:RUN' or 'PROVIDER:MODEL', or name models in enact.toml",
            ),
        }
    }
}

/// A model that needs no configuration: `anthropic:claude-sonnet-5-5`, `ollama:llama3.2`.
fn on_the_spot(name: &str, provider: &str, model: &str) -> Result<ModelEntry, Problem> {
    let Some(known) = Provider::named(provider) else {
        let names: Vec<&str> = Provider::all().map(Provider::as_str).collect();
        let problem = Problem::config(format!("unknown provider in '{}'", name.escape_debug()));
        return Err(match did_you_mean(provider, names.iter().copied().chain(["script", "recorded"])) {
            Some(near) => problem.hint(format!("did you mean '{near}:{}'?", model.escape_debug())),
            None => problem.hint(format!("the providers are: {}", names.join(", "))),
        });
    };
    if model.trim().is_empty() || model.contains(char::is_control) {
        return Err(Problem::config(format!("'{}' does not say which model", name.escape_debug()))
            .hint(format!("write '{provider}:MODEL'")));
    }
    if known == Provider::OpenAiCompatible {
        return Err(Problem::config(format!("'{}' does not say where its server is", name.escape_debug()))
            .hint("configure it in enact.toml, with its base_url"));
    }
    let key_variable = known.key_variable().map(str::to_owned);
    let settings = Settings::new(known, model);
    Ok(ModelEntry { name: name.to_owned(), settings, key_variable, key_optional: false })
}
