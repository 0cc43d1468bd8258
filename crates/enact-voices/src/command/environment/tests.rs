use super::*;

#[test]
fn complaints_repeat_no_secret() {
    let variables = [
        ("STUDIO", "named-secret"),
        ("OPENAI_API_KEY", "sk-12345678"),
        ("LONGER_API_KEY", "sk-12345678-more"),
        ("HF_TOKEN", "hf_12345678"),
        ("ENACT_DATABASE", "postgres://me:pw@host/db"),
        ("TINY_KEY", "no"),
        ("HOME", "/home/me"),
    ];
    let variables = variables.map(|(name, value)| (OsString::from(name), OsString::from(value)));
    let said = "no: sk-12345678, sk-12345678-more, named-secret, 'hf_12345678', postgres://me:pw@host/db in /home/me";
    assert_eq!(
        redact_variables(said.to_owned(), variables.into_iter(), &["STUDIO".to_owned()]),
        "no: …, …, …, '…', … in /home/me"
    );
}

#[test]
fn keys_are_private_and_nothing_else() {
    let named = ["STUDIO_KEY".to_owned()];
    for (name, expected) in [
        ("PATH", false),
        ("HOME", false),
        ("LANG", false),
        ("API_KEY_FOLDER", false),
        ("OTEL_SERVICE_NAME", false),
        ("STUDIO_KEY", true),
        ("OPENAI_API_KEY", true),
        ("ENACT_TOKEN", true),
        ("ENACT_DATABASE", true),
        ("OTEL_EXPORTER_OTLP_HEADERS", true),
    ] {
        assert_eq!(is_private(name.as_ref(), &named), expected, "{name}");
    }
}
