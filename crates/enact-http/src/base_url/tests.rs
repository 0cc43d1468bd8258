use super::*;

#[test]
fn addresses_are_taken_with_and_without_a_slash() {
    for (address, expected) in [
        ("https://h/v1", "https://h/v1"),
        (" http://127.0.0.1:9/v1// ", "http://127.0.0.1:9/v1"),
        ("http://h:8080", "http://h:8080/"),
        ("https://h/v1/?api-version=1#x", "https://h/v1?api-version=1"),
    ] {
        assert_eq!(base_url("the model 'm'", address).unwrap().as_str(), expected);
    }
}

#[test]
fn bad_addresses_are_refused_and_not_repeated() {
    for (address, message, hint) in [
        ("ftp://sk-secret/v1", "begins with ftp:", "only http:// and https:// are spoken"),
        ("file:///sk-secret", "begins with file:", "only http:// and https:// are spoken"),
        ("localhost:80", "begins with localhost:", "only http:// and https:// are spoken"),
        (
            "sk-secret",
            "is not an address: relative URL without a base",
            "write it like \"https://example.com/v1\"",
        ),
        (
            "https://me:sk-secret@h/v1",
            "contains a user name or password",
            "name an environment variable as 'key_env'",
        ),
    ] {
        let problem = base_url("the model 'm'", address).unwrap_err();
        assert_eq!(problem.message, format!("the base_url of the model 'm' {message}"));
        assert_eq!(problem.hint.as_deref(), Some(hint));
        assert!(!format!("{problem:?}").contains("sk-secret"));
    }
}
