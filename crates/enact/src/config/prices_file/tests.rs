use std::fs;

use enact_drama::usage::Price;

use crate::config::{Config, Reference};

/// Prices change without a release.
#[test]
fn a_project_may_know_newer_prices_and_aliases() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("enact.toml");
    let lead = "default = \"lead\"\n[models.lead]\nprovider = \"anthropic\"\nmodel = \"claude-opus-9\"\n";
    fs::write(&file, lead).unwrap();
    let price = |name: &str| {
        let config = Config::load(Some(&file), folder.path()).unwrap();
        match config.refer(name).unwrap() {
            Reference::Language(entry) => {
                (entry.settings.model.clone(), enact_models::card(&entry.settings).price)
            }
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(price("lead"), ("claude-opus-9".to_owned(), None));

    let rows = "date = \"2027-02-01\"\n[aliases]\nsonnet = \"claude-sonnet-9\"\n\
                epic = \"claude-epic-1\"\n[anthropic]\n\
                \"claude-opus-9\" = { input = 3, output = 9 }\n\"claude-sonnet-9\" = { input = 1, output = 4 }\n";
    fs::write(folder.path().join("prices.toml"), rows).unwrap();
    let uncached = |(model, price): (String, Option<Price>)| (model, price.unwrap().uncached);
    assert_eq!(uncached(price("lead")), ("claude-opus-9".to_owned(), 3_000));
    assert_eq!(uncached(price("sonnet")), ("claude-sonnet-9".to_owned(), 1_000));
    assert_eq!(uncached(price("anthropic:claude-sonnet-9-20270131")).1, 1_000);
    assert_eq!(Config::load(Some(&file), folder.path()).unwrap().price_date().unwrap(), "2027-02-01");

    // A name that this program does not know.
    assert_eq!(price("epic"), ("claude-epic-1".to_owned(), None));
    let config = Config::load(Some(&file), folder.path()).unwrap();
    // What Claude Code does not bill, because it broke off, is charged at these.
    for name in ["claude-code:sonnet", "claude-code:claude-sonnet-9"] {
        let Reference::Language(entry) = config.refer(name).unwrap() else { panic!("{name}") };
        assert_eq!(entry.settings.published.map(|price| price.uncached), Some(1_000), "{name}");
    }

    fs::write(folder.path().join("prices.toml"), "[anthropic]\n\"x\" = { input = -3, output = 9 }\n")
        .unwrap();
    let problem = Config::load(Some(&file), folder.path()).unwrap_err();
    assert!(problem.file.as_deref().is_some_and(|file| file.ends_with("prices.toml")), "{problem:?}");
    assert_eq!(problem.place.map(|place| place.line), Some(2), "{problem:?}");
}

/// A table that is there and cannot be read must not be passed over: a budget would be kept at other prices.
#[cfg(unix)]
#[test]
fn prices_that_cannot_be_read_are_a_problem() {
    let folder = tempfile::tempdir().unwrap();
    let (file, prices) = (folder.path().join("enact.toml"), folder.path().join("prices.toml"));
    fs::write(&file, "").unwrap();
    // A link to itself cannot be followed, also by root.
    std::os::unix::fs::symlink(&prices, &prices).unwrap();
    let problem = Config::load(Some(&file), folder.path()).unwrap_err();
    assert!(problem.file.as_deref().is_some_and(|file| file.ends_with("prices.toml")), "{problem:?}");
}
