//! Addresses of services, as operators write them.

use enact_drama::Problem;
use reqwest::Url;

/// Checks the `base_url` of a service, such as `the model 'm'`. The result has no fragment and no slash at the end of
/// its path; a query stays, since some gateways want `?api-version=`.
///
/// Errors do not repeat the address, which may contain a password.
pub fn base_url(service: &str, address: &str) -> Result<Url, Problem> {
    let bad = |what: &str| Problem::config(format!("the base_url of {service} {what}"));
    let mut url = parse_url(address).map_err(|(what, hint)| bad(&what).hint(hint))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(bad("contains a user name or password").hint("name an environment variable as 'key_env'"));
    }
    url.set_fragment(None);
    let path = url.path().trim_end_matches('/').to_owned();
    url.set_path(&path);
    Ok(url)
}

/// An address that begins with `http:` or `https:`, or else what is wrong with it and a hint. Neither repeats the
/// address.
pub fn parse_url(address: &str) -> Result<Url, (String, &'static str)> {
    let url = Url::parse(address.trim()).map_err(|error| {
        (format!("is not an address: {error}"), "write it like \"https://example.com/v1\"")
    })?;
    match url.scheme() {
        "http" | "https" => Ok(url),
        other => Err((format!("begins with {other}:"), "only http:// and https:// are spoken")),
    }
}

#[cfg(test)]
mod tests {
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
}
