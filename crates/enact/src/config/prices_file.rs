//! `prices.toml` beside `enact.toml`: what the project knows of prices and aliases that this program does
//! not.

use std::path::Path;

use enact_drama::Problem;
use enact_models::{
    PromptCache, Provider,
    prices::{PriceTable, current_claude},
};

use super::{Config, ModelEntry, read_text, source::TomlSource};

const FILE: &str = "prices.toml";

/// The table beside a configuration file; an empty one if there is none.
pub(super) fn load(config: &Path) -> Result<PriceTable, Problem> {
    let file = config.with_file_name(FILE);
    // One that is there and cannot be read is a problem, and not another price.
    if let Ok(false) = file.try_exists() {
        return Ok(PriceTable::default());
    }
    let table = read_text(&file).and_then(|text| TomlSource::parse(&text)?.read());
    table.map_err(|problem| problem.in_file(file.display()))
}

impl Config {
    /// With the project's prices, which hold for the models it has configured too.
    pub(super) fn with_prices(self, prices: PriceTable) -> Config {
        let config = Config { prices, ..self };
        let models = config.models.iter().cloned().map(|entry| config.with_price(entry)).collect();
        Config { models, ..config }
    }

    /// A model with the price that the project knows for it.
    pub(super) fn with_price(&self, mut entry: ModelEntry) -> ModelEntry {
        let settings = &mut entry.settings;
        settings.published = match settings.provider {
            // The command bills its calls at the prices of the API, and names models as that does.
            Provider::ClaudeCode => {
                let model = self.full_name(&settings.model).unwrap_or(&settings.model);
                self.prices.price(Provider::Anthropic, model, PromptCache::FiveMinutes)
            }
            provider => self.prices.price(provider, &settings.model, settings.cache),
        };
        entry
    }

    /// The model that one of Claude's aliases stands for: the project's word comes before this program's.
    pub(super) fn full_name<'a>(&'a self, alias: &str) -> Option<&'a str> {
        self.prices.alias(alias).or_else(|| current_claude(alias))
    }

    /// The day of the project's own prices, if it has any.
    pub(crate) fn price_date(&self) -> Option<String> {
        let has_any = self.prices != PriceTable::default();
        has_any.then(|| self.prices.date.clone().unwrap_or_else(|| "undated".to_owned()))
    }
}

#[cfg(test)]
mod tests;
