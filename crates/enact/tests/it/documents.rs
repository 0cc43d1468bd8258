//! The documents say what is there.

#[cfg(unix)]
mod commands;

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use enact_drama::{
    chorus::{ChorusEvent, Template},
    episode::EpisodeEvent,
    field::FieldEvent,
    mind::MindEvent,
    production::Report,
    scene::SceneEvent,
    voice::VoiceProfile,
};
use serde::de::DeserializeOwned;

use crate::{project::Project, server::Server};

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

#[test]
fn the_architecture_names_every_crate_and_no_other() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let named: BTreeSet<&str> = text
        .split("crates/")
        .skip(1)
        .map(|rest| rest.split(|c: char| !(c.is_alphanumeric() || c == '-')).next().unwrap())
        .collect();
    let entries = fs::read_dir(root().join("crates")).unwrap();
    let there: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(named, there.iter().map(String::as_str).collect());
}

#[test]
fn every_path_the_architecture_names_exists() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let quoted = text.split('`').skip(1).step_by(2);
    for path in quoted.filter(|quoted| quoted.starts_with("enact") && quoted.contains("/src")) {
        for production in ["scene", "chorus"] {
            let path = path.replace("<name>", production);
            assert!(root().join("crates").join(&path).exists(), "{path}");
        }
    }
}

#[test]
fn the_page_on_serving_names_every_route_and_every_error() {
    let page = fs::read_to_string(root().join("docs/serve.md")).unwrap();
    let document = openapi();
    for path in document["paths"].as_object().unwrap().keys() {
        // Those that differ in their last word share a line.
        let last = path.rsplit_once('/').unwrap().1;
        assert!(page.contains(&format!(" {path}`")) || page.contains(&format!("`/{last}`")), "{path}");
    }
    // The document lists them too, with those that only one production has.
    let described = document["info"]["description"].as_str().unwrap();
    let listed: Vec<(&str, &str)> = described
        .lines()
        .filter_map(|line| {
            let mut cells = line.strip_prefix("| ")?.split(" | ");
            Some((cells.next()?, cells.next()?)).filter(|(_, code)| code.starts_with('`'))
        })
        .collect();
    assert!(listed.len() > enact_server::error::ErrorCode::ALL.len(), "{listed:?}");
    for (status, code) in listed {
        let row = page.lines().find(|line| line.starts_with(&format!("| {status} |")));
        assert!(row.expect("a row for each status").contains(code), "{code}");
    }
}

/// What a server of this binary says of itself.
fn openapi() -> serde_json::Value {
    let server = Server::start(Project::empty().command(&["serve", "--bind", "127.0.0.1:0"]));
    server.get("/v1/openapi.json").json()
}

#[test]
fn the_page_on_serving_says_what_each_route_needs() {
    let page = fs::read_to_string(root().join("docs/serve.md")).unwrap();
    let document = openapi();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let request = format!("| `{} {path}`", method.to_uppercase());
            let Some(row) = page.lines().find(|line| line.starts_with(&request)) else { continue };
            let said = row.trim_end_matches('|').rsplit('|').next().unwrap().trim();
            let needed = operation["security"][0]["token"][0].as_str().unwrap_or_default();
            assert_eq!(said, needed, "{row}");
        }
    }
}

#[test]
fn the_page_on_events_names_every_kind() {
    let page = fs::read_to_string(root().join("docs/events.md")).unwrap();
    let parts: Vec<&str> = page.split("\n## The events of a").collect();
    let kinds = [
        kinds_of::<SceneEvent>(),
        kinds_of::<ChorusEvent>(),
        kinds_of::<EpisodeEvent>(),
        kinds_of::<FieldEvent>(),
        kinds_of::<MindEvent>(),
    ];
    assert_eq!(parts.len(), kinds.len());
    for (page, kinds) in parts.into_iter().zip(kinds) {
        assert!(kinds.len() > 10, "{kinds:?}");
        for kind in kinds {
            assert!(page.contains(&format!("\n| `{kind}` |")), "{kind}");
        }
    }
}

#[test]
fn the_page_on_choruses_names_every_template_and_variable() {
    let page = fs::read_to_string(root().join("docs/chorus.md")).unwrap();
    for template in Template::ALL {
        assert!(page.contains(&format!("| `{}` |", template.file())), "{}", template.file());
        for variable in template.variables() {
            assert!(page.contains(&format!("`{variable}`")), "{variable}");
        }
    }
    let voices = fs::read_to_string(root().join("docs/voices.md")).unwrap();
    for profile in VoiceProfile::ALL {
        assert!(voices.contains(&format!("`{}`", profile.as_str())), "{profile:?}");
    }
}

/// All kinds of events, taken from serde's error for an unknown one.
fn kinds_of<T: DeserializeOwned + std::fmt::Debug>() -> Vec<String> {
    let unknown = serde_json::from_str::<T>(r#"{"kind": "sung", "body": {}}"#).unwrap_err().to_string();
    let (_, known) = unknown.split_once("expected one of ").unwrap();
    known.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Pages whose lines fit on a screen; those with wide tables cannot.
const NARROW: [&str; 7] = [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "docs/cli.md",
    "docs/scenes.md",
    "docs/writing.md",
    "docs/performance.md",
];

#[test]
fn the_readme_is_short_and_lines_fit_on_a_screen() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    assert!(readme.lines().count() <= 150, "{} lines", readme.lines().count());
    for page in NARROW {
        let text = fs::read_to_string(root().join(page)).unwrap();
        for (number, line) in (1..).zip(text.lines()) {
            assert!(line.chars().count() <= 120, "{page}:{number}");
        }
    }
}

#[test]
fn every_link_leads_somewhere() {
    let mut pages: Vec<PathBuf> = Vec::new();
    for folder in [root().to_owned(), root().join("docs")] {
        let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        pages.extend(files.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    }
    let mut links = 0;
    for page in &pages {
        let text = fs::read_to_string(page).unwrap();
        for target in text.split("](").skip(1).map(|rest| rest.split(')').next().unwrap()) {
            if target.starts_with("http") {
                continue;
            }
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let file = if file.is_empty() { page.clone() } else { page.parent().unwrap().join(file) };
            assert!(file.exists(), "{}: {target}", page.display());
            assert!(heading.is_empty() || has_heading(&file, heading), "{}: {target}", page.display());
            links += 1;
        }
    }
    assert!(links > 30, "{links} links");
}

/// Whether a page has a heading that links name so.
fn has_heading(page: &Path, link: &str) -> bool {
    let text = fs::read_to_string(page).unwrap();
    let mut headings = text.lines().filter(|line| line.starts_with('#'));
    headings.any(|heading| {
        let title = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
        kept.map(|c| if c == ' ' { '-' } else { c }).eq(link.chars())
    })
}

/// A log of each release must show the same transcript for ever.
#[test]
fn old_logs_show_what_they_always_showed() {
    let mut logs = 0;
    for entry in fs::read_dir(root().join("tests/logs")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "jsonl") {
            let expected = fs::read_to_string(path.with_extension("txt")).unwrap();
            assert_eq!(show(&fs::read_to_string(&path).unwrap()), expected, "{}", path.display());
            logs += 1;
        }
    }
    assert!(logs > 0);
}

fn show(log: &str) -> String {
    let records: Vec<enact_drama::Record> =
        log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let facts: Vec<_> = records.iter().map(|record| record.fact().unwrap()).collect();
    enact_drama::scene::report::transcript(&enact_drama::scene::report::SceneReport::of(&facts).unwrap())
}
