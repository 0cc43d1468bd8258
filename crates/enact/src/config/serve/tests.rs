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
        Err(problem) => {
            let said = format!("{problem} [{}]\n", problem.hint.as_deref().unwrap_or_default());
            assert!(!said.contains("hunter2"), "a secret was repeated: {said}");
            format!("{text}\n=> {said}")
        }
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
keep_audio = "30d"

[tokens.page]
variable = "PAGE_TOKEN"
scopes = ["read"]

[tokens.game]
variable = "GAME_TOKEN"
scopes = ["run", "read"]
"#,
    );
    expect![[r#"
        ServeConfig {
            bind: Some(
                127.0.0.1:9000,
            ),
            allow_origin: [
                "https://game.example",
            ],
            allow_host: [
                "enact.example",
            ],
            trust_proxy: [
                "10.0.0.0/8",
            ],
            max_runs: Some(
                500,
            ),
            max_waiting: Some(
                50,
            ),
            max_readers: Some(
                60,
            ),
            max_connections: Some(
                70,
            ),
            max_body_bytes: Some(
                4096,
            ),
            requests_per_second: Some(
                80,
            ),
            lease: Some(
                2.5s,
            ),
            budget_usd: Some(
                0.25,
            ),
            budget_tokens: Some(
                100000,
            ),
            artifacts: None,
            keep_audio: Some(
                2592000s,
            ),
            tokens: [
                TokenEntry {
                    name: "page",
                    variable: "PAGE_TOKEN",
                    scope: Read,
                },
                TokenEntry {
                    name: "game",
                    variable: "GAME_TOKEN",
                    scope: Run,
                },
            ],
            opening: Some(
                Place {
                    line: 3,
                    column: 8,
                },
            ),
        }
    "#]]
    .assert_eq(&format!("{:#?}\n", config.unwrap().serve));
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
            "[serve]\nkeep_audio = 30",
            "[serve]\nkeep_audio = \"0d\"",
            "[serve]\nkeep_audio = \"a month\"",
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
        expect![[r#"
            serve = 1
            => line 1, column 9: serve must be keys with values, found 1 []
            [serve]
            bind = "here"
            => line 2, column 8: serve.bind: expected an address and a port, such as 127.0.0.1:8000 []
            [serve]
            bind = 8000
            => line 2, column 8: serve.bind must be text, found 8000 [put it in quotes to make it text]
            [serve]
            port = 8000
            => line 2, column 1: unknown key 'port' [did you mean 'bind'?]
            [serve]
            max_run = 8
            => line 2, column 1: unknown key 'max_run' [did you mean 'max_runs'?]
            [serve]
            max_runs = 0
            => line 2, column 12: serve.max_runs must be a whole number from 1 to 100000, found 0 []
            [serve]
            lease_seconds = 0.1
            => line 2, column 17: serve.lease_seconds must be a number from 1 to 300, found 0.1 []
            [serve]
            budget = -1
            => line 2, column 10: serve.budget must be a number from 0.000001 to 1000000, found -1 []
            [serve]
            keep_audio = 30
            => line 2, column 14: serve.keep_audio must be text, found 30 [put it in quotes to make it text]
            [serve]
            keep_audio = "0d"
            => line 2, column 14: serve.keep_audio: expected a number and s, m, h, d or w, such as 30d []
            [serve]
            keep_audio = "a month"
            => line 2, column 14: serve.keep_audio: expected a number and s, m, h, d or w, such as 30d []
            [serve]
            allow_origin = "https://game.example"
            => line 2, column 16: serve.allow_origin must be a list, found "https://game.example" [put it in square brackets to make it a list]
            [serve]
            database = "postgres://enact:hunter2@db/enact"
            => line 2, column 1: a database may need a password, which is never written into this file [name it with --database, or in the environment variable ENACT_DATABASE]
            [server]

            => line 1, column 2: unknown key 'server' [did you mean 'serve'?]
            [tokens]
            page = "hunter2hunter2hunter2"
            => line 2, column 8: tokens.page must be keys with values [variable = "MY_TOKEN" names the environment variable that holds it, and scopes what it allows]
            [tokens.page]
            token = "hunter2hunter2hunter2"
            => line 2, column 1: 'token': tokens are never written into this file [put it into an environment variable and name that: variable = "MY_TOKEN"]
            [tokens.page]
            variable = "hunter2hunter2hunter2"
            scopes = ["read"]
            => line 2, column 12: tokens.page.variable must be the name of an environment variable, not a key [capital letters, digits and '_', for example "MY_KEY"]
            [tokens.page]
            scopes = ["read"]
            => line 1, column 9: tokens.page has no 'variable' [for example: variable = "MY_TOKEN"]
            [tokens.page]
            variable = "PAGE_TOKEN"
            => line 1, column 9: tokens.page has no 'scopes' [for example: scopes = ["read", "run"]]
            [tokens.page]
            variable = "PAGE_TOKEN"
            scopes = ["reed"]
            => line 3, column 11: tokens.page.scopes must be read, run, edit or admin [did you mean 'read'?]
            [tokens."a b"]
            variable = "PAGE_TOKEN"
            scopes = ["read"]
            => line 1, column 9: a token cannot be called 'a b' [use letters, digits, '-' and '_', at most 64]
        "#]],
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
    // The message about a key that is none lists all that there are.
    let known = |table: &str| {
        let hint = read(&format!("[{table}]\nxyzzy = 1\n")).unwrap_err().hint.unwrap();
        let keys = hint.strip_prefix("the keys are: ").unwrap().split(", ");
        keys.map(str::to_owned).collect::<BTreeSet<_>>()
    };
    let serve = page("serve.md");
    assert_eq!(documented(&serve, "key of `[serve]`"), known("serve"));
    assert_eq!(documented(&serve, "key of `[tokens.NAME]`"), known("tokens.page"));
    assert_eq!(documented(&page("models.md"), "key"), known("models.lead"));
}
