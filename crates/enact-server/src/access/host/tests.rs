use axum::http::HeaderValue;
use proptest::prelude::*;

use super::*;

fn hosts(allowed: &[&str]) -> Hosts {
    let mut hosts = Hosts::default();
    for text in allowed {
        hosts.add(text).unwrap();
    }
    hosts
}

fn status(allowed: &[&str], has_tokens: bool, target: &str, values: &[&str]) -> u16 {
    let mut headers = HeaderMap::new();
    for value in values {
        headers.append(header::HOST, HeaderValue::from_str(value).unwrap());
    }
    match hosts(allowed).check(&target.parse().unwrap(), &headers, has_tokens) {
        Ok(_) => 200,
        Err(error) => error.code.status().as_u16(),
    }
}

#[test]
fn only_names_of_this_machine_and_allowed_ones_are_answered() {
    for (host, alone, allowing, with_token, allowing_with_token) in [
        ("localhost", 200, 200, 200, 200),
        ("localhost:8000", 200, 200, 200, 200),
        ("LOCALHOST.:8000", 200, 200, 200, 200),
        ("127.0.0.1:1", 200, 200, 200, 200),
        ("127.9.9.9", 200, 200, 200, 200),
        ("[::1]:8000", 200, 200, 200, 200),
        ("[::ffff:127.0.0.1]", 200, 200, 200, 200),
        ("enact.example.com", 421, 200, 200, 200),
        ("Enact.Example.com:8443", 421, 200, 200, 200),
        ("evil.example", 421, 421, 200, 421),
        ("localhost.evil.example", 421, 421, 200, 421),
        ("127.0.0.1.evil.example", 421, 421, 200, 421),
        ("0.0.0.0:8000", 421, 421, 200, 200),
        ("10.0.0.7:8000", 421, 421, 200, 200),
        ("2130706433", 421, 421, 200, 421),
        ("", 400, 400, 400, 400),
        (":8000", 400, 400, 400, 400),
        (".", 400, 400, 400, 400),
        ("me@localhost", 400, 400, 400, 400),
        ("localhost:port", 400, 400, 400, 400),
        ("localhost:99999", 400, 400, 400, 400),
        ("localhost/path", 400, 400, 400, 400),
        ("localhost, evil.example", 400, 400, 400, 400),
    ] {
        let name = &["enact.example.com"];
        assert_eq!(status(&[], false, "/", &[host]), alone, "{host:?} alone");
        assert_eq!(status(name, false, "/", &[host]), allowing, "{host:?} with a name");
        assert_eq!(status(&[], true, "/", &[host]), with_token, "{host:?} with a token");
        assert_eq!(status(name, true, "/", &[host]), allowing_with_token, "{host:?} with both");
    }
}

#[test]
fn one_host_and_the_target_is_no_way_around_it() {
    assert_eq!(status(&[], false, "/", &[]), 400);
    assert_eq!(status(&[], false, "/", &["localhost", "localhost"]), 400);
    assert_eq!(status(&[], false, "http://localhost/", &["localhost"]), 200);
    assert_eq!(status(&[], false, "http://evil.example/", &["localhost"]), 421);
    assert_eq!(status(&[], false, "http://localhost/", &["evil.example"]), 421);
}

#[test]
fn an_allowed_host_may_name_its_port() {
    assert_eq!(status(&["a.example:8443"], false, "/", &["a.example:8443"]), 200);
    assert_eq!(status(&["a.example:8443"], false, "/", &["a.example"]), 421);
    for bad in ["", "*", "*.example.com", "http://a.example", "a.example/x", "a b", "a.example:x"] {
        assert!(Hosts::default().add(bad).is_err(), "{bad:?}");
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_not(text in "\\PC{0,40}") {
        if let Some(host) = Host::read(&text) {
            prop_assert!(!host.name.is_empty());
            prop_assert!(!host.name.contains(['@', '/', ' ']));
        }
    }

    #[test]
    fn no_name_that_only_looks_like_loopback_passes(prefix in "[a-z0-9.-]{0,12}", suffix in "[a-z0-9-]{1,12}") {
        let text = format!("{prefix}localhost.{suffix}");
        if let Some(host) = Host::read(&text) {
            prop_assert!(!host.is_loopback());
        }
    }
}
