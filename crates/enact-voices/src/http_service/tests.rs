use super::*;

fn about(base_url: Option<&str>, key: Option<&str>) -> Result<HttpService, Problem> {
    HttpService::connect(ServiceConfig {
        name: "studio",
        base_url,
        default_url: "https://api.example.com",
        key: key.map(ApiKey::new),
        key_variable: "EXAMPLE_KEY",
        auth: AuthScheme::Header("x-key"),
    })
}

#[test]
fn addresses_are_the_operators() {
    for (base, whole) in [
        (None, "https://api.example.com/v1/speech/a%2Fb"),
        (Some("http://localhost:8880"), "http://localhost:8880/v1/speech/a%2Fb"),
        (Some("http://localhost:8880/v1/"), "http://localhost:8880/v1/speech/a%2Fb"),
        (
            Some("https://gateway.example/eleven/v1?x=y#z"),
            "https://gateway.example/eleven/v1/speech/a%2Fb?x=y",
        ),
    ] {
        assert_eq!(about(base, Some("k")).unwrap().at(&["speech", "a/b"]).as_str(), whole, "{base:?}");
    }
}

#[test]
fn what_cannot_work_is_a_problem_at_once() {
    for (base, key, expected) in [
        (None, None, "the voice 'studio' needs a key"),
        (Some("localhost:80"), None, "the base_url of the voice 'studio' begins with localhost:"),
        (
            Some("nowhere"),
            None,
            "the base_url of the voice 'studio' is not an address: relative URL without a base",
        ),
        (
            Some("https://me:pw@example.com"),
            None,
            "the base_url of the voice 'studio' contains a user name or password",
        ),
        (None, Some("a\nb"), "the key for the voice 'studio' cannot be sent as it is"),
    ] {
        let problem = about(base, key).unwrap_err();
        assert_eq!(problem.message, expected);
        assert!(problem.hint.is_some(), "{expected}");
    }
    assert!(about(Some("http://localhost"), None).is_ok());
}

#[test]
fn keys_are_not_shown() {
    let server = about(None, Some("very-secret")).unwrap();
    assert!(!format!("{server:?}").contains("very-secret"));
}
