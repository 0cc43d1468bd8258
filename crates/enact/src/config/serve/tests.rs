use std::{collections::BTreeSet, path::Path};

use expect_test::{Expect, expect};

use super::*;
use crate::config::read;

fn read(text: &str) -> Result<Config, Problem> {
    read::read(Path::new("enact.toml"), text)
}

fn check(files: &[&str], expected: Expect) {
    let outcomes = files.iter().map(|text| match read(text) {
        Ok(config) => format!("{text}\n=> {:?}\n", config.serve),
        Err(problem) => format!("{text}\n=> {problem} [{}]\n", problem.hint.as_deref().unwrap_or_default()),
    });
    expected.assert_eq(&outcomes.collect::<String>());
}

#[test]
fn every_key_is_read() {
    let config = read(
        r#"
[serve]
bind = "localhost:9000"
allow_origin = ["https://game.example"]
allow_host = ["enact.example"]
trust_proxy = ["10.0.0.0/8"]
max_runs = 500
max_waiting = 50
max_readers = 60
max_connections = 70
max_body_bytes = 4096
requests_per_second = 80
lease_seconds = 2.5
budget = 0.25
budget_tokens = 100000

[tokens.page]
variable = "PAGE_TOKEN"
scopes = ["read"]

[tokens.game]
variable = "GAME_TOKEN"
scopes = ["run", "read"]
"#,
    );
    expect![[r#""#]].assert_eq(&format!("{:#?}\n", config.unwrap().serve));
}

#[test]
fn what_makes_no_sense_is_refused() {
    check(
        &[
            "serve = 1",
            "[serve]\nbind = \"here\"",
            "[serve]\nbind = 8000",
            "[serve]\nport = 8000",
            "[serve]\nmax_run = 8",
            "[serve]\nmax_runs = 0",
            "[serve]\nlease_seconds = 0.1",
            "[serve]\nbudget = -1",
            "[serve]\nallow_origin = \"https://game.example\"",
            "[serve]\ndatabase = \"postgres://enact:hunter2@db/enact\"",
            "[server]\n",
            "[tokens]\npage = \"hunter2hunter2hunter2\"",
            "[tokens.page]\ntoken = \"hunter2hunter2hunter2\"",
            "[tokens.page]\nvariable = \"hunter2hunter2hunter2\"\nscopes = [\"read\"]",
            "[tokens.page]\nscopes = [\"read\"]",
            "[tokens.page]\nvariable = \"PAGE_TOKEN\"",
            "[tokens.page]\nvariable = \"PAGE_TOKEN\"\nscopes = [\"reed\"]",
            "[tokens.\"a b\"]\nvariable = \"PAGE_TOKEN\"\nscopes = [\"read\"]",
        ],
        expect![[r#""#]],
    );
}

#[test]
fn a_file_that_was_only_found_lets_nobody_in() {
    for (text, opens) in [
        ("[serve]\nmax_runs = 5\nbudget = 0.1\n", false),
        ("[serve]\nbind = \"0.0.0.0:80\"\n", true),
        ("[serve]\nallow_origin = [\"https://evil.example\"]\n", true),
        ("[serve]\nallow_host = [\"evil.example\"]\n", true),
        ("[serve]\ntrust_proxy = [\"0.0.0.0/0\"]\n", true),
        ("[tokens.page]\nvariable = \"HOME\"\nscopes = [\"admin\"]\n", true),
    ] {
        let found = read(text).unwrap();
        assert_eq!(found.serving().is_err(), opens, "{text}");
        let named = Config { trusted: true, ..found };
        assert!(named.serving().is_ok(), "{text}");
    }
}

/// The first column of a table whose first cell says so much.
fn documented(page: &str, head: &str) -> BTreeSet<String> {
    let table = page.lines().skip_while(|line| !line.starts_with(&format!("| {head} |"))).skip(2);
    let rows = table.take_while(|line| line.starts_with('|'));
    rows.map(|row| row.split('`').nth(1).unwrap().to_owned()).collect()
}

#[test]
fn the_documents_name_every_key_and_no_other() {
    let page = |name: &str| {
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name)).unwrap()
    };
    let known = |keys: &[&str]| keys.iter().map(|key| (*key).to_owned()).collect::<BTreeSet<_>>();
    let serve = page("serve.md");
    assert_eq!(documented(&serve, "key of `[serve]`"), known(&KEYS));
    assert_eq!(documented(&serve, "key of `[tokens.NAME]`"), known(&TOKEN_KEYS));
    assert_eq!(documented(&page("models.md"), "key"), known(&model::KEYS));
}
