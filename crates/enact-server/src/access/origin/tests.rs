use proptest::prelude::*;

use super::*;

fn passes(method: &Method, host: &str, headers: &[(&'static str, &str)]) -> bool {
    let mut origins = Origins::default();
    for origin in ["https://game.example.com", "http://LOCALHOST:5173", "tauri://localhost"] {
        origins.add(origin).unwrap();
    }
    let map = headers
        .iter()
        .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_str(value).unwrap()))
        .collect();
    origins.check(method, &Host::read(host).unwrap(), &map).is_ok()
}

#[test]
fn own_pages_and_allowed_ones_pass() {
    for (host, origin, expected) in [
        ("localhost:8000", "http://localhost:8000", true),
        ("localhost:8000", "https://localhost:8000", true),
        ("localhost", "http://localhost", true),
        ("localhost:80", "http://localhost", true),
        ("enact.example.com", "https://enact.example.com", true),
        ("localhost:8000", "https://game.example.com", true),
        ("localhost:8000", "https://game.example.com:443", true),
        ("localhost:8000", "http://localhost:5173", true),
        ("localhost:8000", "tauri://localhost", true),
        ("localhost:8000", "http://localhost:3000", false),
        ("localhost:8000", "http://localhost", false),
        ("localhost:8000", "http://127.0.0.1:8000", false),
        ("localhost:8000", "http://game.example.com", false),
        ("localhost:8000", "https://game.example.com.evil.example", false),
        ("localhost:8000", "https://game.example.com/", false),
        ("localhost:8000", "ftp://localhost:8000", false),
        ("localhost:8000", "null", false),
        ("localhost:8000", "*", false),
        ("localhost:8000", "", false),
        ("localhost:8000", "localhost:8000", false),
        ("localhost:8000", "http://me@localhost:8000", false),
    ] {
        assert_eq!(passes(&Method::POST, host, &[("origin", origin)]), expected, "{origin} at {host}");
    }
}

#[test]
fn embedding_is_refused_and_following_a_link_is_not() {
    let link = [("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "document")];
    let frame = [("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "iframe")];
    let image = [("sec-fetch-mode", "no-cors"), ("sec-fetch-dest", "image")];
    for (site, how, method, expected) in [
        ("none", link, Method::GET, true),
        ("same-origin", image, Method::GET, true),
        ("cross-site", link, Method::GET, true),
        ("cross-site", link, Method::POST, false),
        ("cross-site", frame, Method::GET, false),
        ("cross-site", image, Method::GET, false),
        ("same-site", image, Method::GET, false),
    ] {
        let headers = [&[("sec-fetch-site", site)], &how[..]].concat();
        assert_eq!(passes(&method, "localhost:8000", &headers), expected, "{site} {how:?} {method}");
    }
    assert!(passes(&Method::POST, "localhost:8000", &[]), "not a browser");
}

#[test]
fn nothing_vague_can_be_allowed() {
    for bad in [
        "*",
        "null",
        "",
        "localhost",
        "http://",
        "https://*.example.com",
        "https://a.example/",
        "https://a/b",
    ] {
        assert!(Origins::default().add(bad).is_err(), "{bad:?}");
    }
    assert!(Origins::default().cors().is_none());
}

proptest! {
    /// Texts near the good ones: pieces of them, in any order.
    #[test]
    fn nothing_else_passes(pieces in proptest::collection::vec(
        prop_oneof![
            Just("http://"), Just("https://"), Just("localhost"), Just(":8000"), Just(":443"), Just("game.example.com"),
            Just("."), Just("@"), Just("/"), Just("\\"), Just("#"), Just("?"), Just("[::1]"), Just("evil"), Just("%2e"),
        ],
        0..6,
    )) {
        let origin = pieces.concat();
        let good = [
            "http://localhost:8000", "https://localhost:8000",
            "https://game.example.com", "https://game.example.com:443",
        ];
        let passes = passes(&Method::POST, "localhost:8000", &[("origin", &origin)]);
        prop_assert_eq!(passes, good.contains(&origin.as_str()), "{}", origin);
    }
}
