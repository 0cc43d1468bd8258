//! `enact models`: the models that can play, what they cost, and where their keys come from.

mod call;
mod listing;
mod remote;

use std::{io::Write, process::ExitCode};

use enact_drama::model_card::Context;
use enact_models::prices;

use crate::{
    CliContext,
    args::ModelsArgs,
    local_servers,
    screen::{print_json, stdout},
};
use listing::{Listed, ModelListing};
use remote::{ListedOffer, ProviderOffer};

/// A model did not answer.
const CHECK_FAILED: u8 = 1;

/// What stands below a model's line is indented by so much.
const INDENT: &str = "    ";

pub(crate) async fn models(args: &ModelsArgs, context: &CliContext<'_>) -> anyhow::Result<ExitCode> {
    let config = context.config_here()?;
    let mut listing = ModelListing::of(&config, |variable| std::env::var(variable).ok());
    let local = async { local_servers::look(&config).await };
    let offers = async {
        match args.remote {
            true => remote::list(&config, &context.models(&config), |name| std::env::var(name).ok()).await,
            false => Vec::new(),
        }
    };
    (listing.local, listing.remote) = tokio::join!(local, offers);
    if args.check {
        call::check(&mut listing, &context.models(&config)).await;
    }
    let mut out = stdout();
    if args.json {
        print_json(&mut out, &listing)?;
    } else {
        table(&mut out, &listing)?;
        if args.remote && listing.remote.is_empty() {
            let none = "No provider can be asked: none is configured, and no key of one is set";
            writeln!(out, "\n{none} (ANTHROPIC_API_KEY and its like)")?;
        }
    }
    let failed = listing.models.iter().any(|model| model.check.as_ref().is_some_and(|check| !check.ok))
        || listing.remote.iter().any(|offer| offer.error.is_some());
    Ok(if failed { ExitCode::from(CHECK_FAILED) } else { ExitCode::SUCCESS })
}

fn table(out: &mut impl Write, listing: &ModelListing) -> std::io::Result<()> {
    match &listing.config {
        Some(file) => writeln!(out, "Config: {file}")?,
        None => writeln!(out, "Config: none (no enact.toml here or above, nor in ~/.config/enact)")?,
    }
    if let Some(otlp) = &listing.otlp {
        writeln!(out, "Traces: {otlp}")?;
    }
    if let Some(why) = &listing.otlp_unused {
        writeln!(out, "Traces: not sent: {why}")?;
    }
    writeln!(out, "Prices: USD per million tokens, as published on {}", prices::date())?;
    if let Some(date) = &listing.project_prices_of {
        writeln!(out, "        those in prices.toml ({date}) come first")?;
    }
    writeln!(out)?;
    let widest = |title: &str, cell: fn(&Listed) -> &str| {
        listing.models.iter().map(|model| cell(model).chars().count()).fold(title.len(), usize::max)
    };
    let name = widest("NAME", |model| &model.name);
    let provider = widest("PROVIDER", |model| model.provider);
    let kind = widest("MODEL", |model| &model.model);
    writeln!(out, "{:<name$}  {:<provider$}  {:<kind$}  CONTEXT  USED AS", "NAME", "PROVIDER", "MODEL")?;
    for model in &listing.models {
        let context = match model.context {
            Context::Thread => "thread",
            Context::Window => "window",
        };
        let line = format!(
            "{:<name$}  {:<provider$}  {:<kind$}  {context:<7}  {}",
            model.name,
            model.provider,
            model.model,
            model.used_as.join(", ")
        );
        writeln!(out, "{}", line.trim_end())?;
        details(out, model)?;
    }
    for hint in &listing.local {
        writeln!(out, "\n{}\n{INDENT}use it: {}", hint.found(), hint.usage())?;
    }
    listing.remote.iter().try_for_each(|offer| offered(out, offer))
}

/// What a provider offers, a line each.
fn offered(out: &mut impl Write, offer: &ProviderOffer) -> std::io::Result<()> {
    let address = offer.address.as_ref().map_or(String::new(), |address| format!(" ({address})"));
    let provider = offer.provider;
    if let Some(error) = &offer.error {
        return writeln!(out, "\n{provider}{address}: {error}");
    }
    let (count, s) = (offer.models.len(), if offer.models.len() == 1 { "" } else { "s" });
    writeln!(out, "\n{provider}{address} offers {count} model{s}")?;
    let widest = offer.models.iter().map(|model| model.model.chars().count()).max().unwrap_or_default();
    for ListedOffer { model, price } in &offer.models {
        let price = match price {
            Some(price) if price.is_free() => "free".to_owned(),
            Some(price) => format!("{} in, {} out", usd(price.input), usd(price.output)),
            None => String::new(),
        };
        writeln!(out, "{}", format!("{INDENT}{model:<widest$}  {price}").trim_end())?;
    }
    Ok(())
}

/// What does not fit on a line of eighty characters.
fn details(out: &mut impl Write, model: &Listed) -> std::io::Result<()> {
    if model.built_in {
        return Ok(());
    }
    match &model.price {
        Some(price) if price.is_free() => writeln!(out, "{INDENT}price  free")?,
        Some(price) => writeln!(
            out,
            "{INDENT}price  {} in, {} out, {} cache read, {} cache write",
            usd(price.input),
            usd(price.output),
            usd(price.cache_read),
            usd(price.cache_write)
        )?,
        None => writeln!(out, "{INDENT}price  unknown")?,
    }
    match &model.key {
        Some(key) if key.set => writeln!(out, "{INDENT}key    {}, set", key.variable)?,
        Some(key) if key.optional => {
            writeln!(out, "{INDENT}key    {}, not set, not needed at this address", key.variable)?
        }
        Some(key) => writeln!(out, "{INDENT}key    {}, not set", key.variable)?,
        None => writeln!(out, "{INDENT}key    none needed")?,
    }
    let Some(check) = &model.check else { return Ok(()) };
    match &check.error {
        None => {
            let cost = match check.usd {
                Some(0.0) => ", free".to_owned(),
                Some(usd) => format!(", ${usd:.6}"),
                None => ", cost unknown".to_owned(),
            };
            writeln!(out, "{INDENT}check  ok in {:.1} s{cost}", check.ms as f64 / 1000.0)
        }
        Some(error) => {
            writeln!(out, "{INDENT}check  failed: {error}")?;
            check.hint.iter().try_for_each(|hint| writeln!(out, "{INDENT}       hint: {hint}"))
        }
    }
}

/// Cents, and what is left beyond them: 3.00, 0.075.
fn usd(price: f64) -> String {
    let text = format!("{price:.3}");
    text.strip_suffix('0').unwrap_or(&text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_short_and_exact() {
        for (price, shown) in
            [(3.0, "3.00"), (0.3, "0.30"), (3.75, "3.75"), (0.075, "0.075"), (15.0, "15.00")]
        {
            assert_eq!(usd(price), shown);
        }
    }
}
