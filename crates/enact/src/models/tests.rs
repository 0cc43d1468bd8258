use enact_models::Provider;
use expect_test::expect;

use super::*;

fn entry(name: &str, provider: Provider) -> ModelEntry {
    ModelEntry {
        name: name.to_owned(),
        settings: Settings::new(provider, "m"),
        key_variable: provider.key_variable().map(str::to_owned),
        key_optional: false,
    }
}

fn said(problem: &Problem) -> String {
    match &problem.hint {
        Some(hint) => format!("{problem}\n  hint: {hint}"),
        None => problem.to_string(),
    }
}

#[test]
fn keys_come_from_the_environment() {
    let lead = entry("lead", Provider::Anthropic);
    let variable = lead.key_variable.as_deref();
    let with =
        |value: Option<&str>| with_key(&lead, variable, "plays alice and bob", |_| value.map(str::to_owned));
    assert_eq!(
        with(Some(" sk-1\n")).unwrap().key,
        Some(ApiKey::new("sk-1").from_variable("ANTHROPIC_API_KEY"))
    );
    let missing = said(&with(None).unwrap_err());
    expect![[r#"
        the model 'lead', which plays alice and bob, needs a key: ANTHROPIC_API_KEY is not set
          hint: put the key into the environment variable ANTHROPIC_API_KEY, or choose another model"#]]
    .assert_eq(&missing);
    assert_eq!(said(&with(Some(" ")).unwrap_err()), missing);
    let quick = entry("quick", Provider::Ollama);
    assert_eq!(with_key(&quick, None, "", |_| panic!("no key is needed")).unwrap(), quick.settings);
}
