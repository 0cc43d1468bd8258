//! The `fallback` of models: which are asked, and in which order, where one has failed for good.

use enact_drama::Problem;

use super::{Config, HUMAN, source::TomlSource};

impl Config {
    /// Replaces what each model says of its fallbacks by all that are asked after it: a fallback is
    /// followed by its own. Only once all models are known can be said whether these are any.
    pub(super) fn resolve_fallbacks(mut self, source: &TomlSource<'_>) -> Result<Config, Problem> {
        let mut chains = Vec::with_capacity(self.models.len());
        for entry in &self.models {
            let mut chain = Vec::new();
            self.follow(source, &mut vec![&entry.name], &mut chain)?;
            chains.push(chain);
        }
        for (entry, chain) in self.models.iter_mut().zip(chains) {
            entry.settings.fallback = chain;
        }
        Ok(self)
    }

    /// Adds the fallbacks of the last model of a path, each followed by its own.
    fn follow<'a>(
        &'a self,
        source: &TomlSource<'_>,
        path: &mut Vec<&'a str>,
        chain: &mut Vec<String>,
    ) -> Result<(), Problem> {
        let Some(entry) = path.last().and_then(|name| self.get(name)) else { return Ok(()) };
        let (whose, key) = (entry.name.as_str(), format!("models.{}.fallback", entry.name));
        let here = |problem: Problem| source.at(&["models", whose, "fallback"], problem);
        for name in &entry.settings.fallback {
            self.check_model(&key, name).map_err(here)?;
            if name == HUMAN {
                let problem = Problem::config(format!("{key}: a person cannot stand in for a model"));
                return Err(here(problem.hint("people play characters: --model CHARACTER=human")));
            }
            if let Some(at) = path.iter().position(|known| known == name) {
                return Err(here(circle(&key, whose, &path[at..])));
            }
            if chain.contains(name) {
                continue;
            }
            chain.push(name.clone());
            path.push(name);
            self.follow(source, path, chain)?;
            path.pop();
        }
        Ok(())
    }
}

fn circle(key: &str, whose: &str, path: &[&str]) -> Problem {
    let hint = "a fallback is followed by its own fallbacks; name each model once on the way";
    match path {
        [_] => Problem::config(format!("{key}: '{whose}' cannot be its own fallback")),
        path => {
            let circle: Vec<&str> = path.iter().chain(path.first()).copied().collect();
            Problem::config(format!("{key} leads in a circle: {}", circle.join(", then "))).hint(hint)
        }
    }
}

#[cfg(test)]
mod tests;
