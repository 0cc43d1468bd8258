use super::*;

#[test]
fn a_proxy_is_used_except_where_it_is_not() {
    let direct = ["intern.example".to_owned(), ".lan".to_owned(), "10.0.0.7".to_owned()];
    let proxy = ProxySettings::parse("http://proxy.example:3128/", &direct).unwrap();
    for (host, used) in [
        ("api.anthropic.com", true),
        ("intern.example", false),
        ("models.intern.example", false),
        ("notintern.example", true),
        ("BOX.LAN", false),
        ("10.0.0.7", false),
        ("10.0.0.8", true),
        ("localhost", false),
        ("127.0.0.1", false),
        ("[::1]", false),
    ] {
        assert_eq!(proxy.is_used_for(host), used, "{host}");
    }
    assert!(!ProxySettings::parse("http://p:1", &["*".to_owned()]).unwrap().is_used_for("api.openai.com"));
}

#[test]
fn passwords_are_taken_and_not_shown() {
    let proxy = ProxySettings::parse("http://me:p%40ss-word@proxy.example:3128", &[]).unwrap();
    assert_eq!(proxy.origin(), "http://proxy.example:3128");
    assert_eq!(proxy.login, Some(("me".to_owned(), ApiKey::new("p@ss-word"))));
    assert!(!format!("{proxy:?} {}", proxy.hint()).contains("ss-word"));
    for wrong in ["", "proxy", "ftp://x:hunter2@h", "socks5://h:1", "hunter2"] {
        let problem = ProxySettings::parse(wrong, &[]).unwrap_err();
        assert!(!format!("{problem:?}").contains("hunter2"), "{problem:?}");
    }
}
