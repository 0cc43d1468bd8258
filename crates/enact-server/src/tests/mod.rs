//! The seam between the server and its productions holds.

pub(crate) mod server;

use std::{fs, path::Path};

/// Each has a folder, and only files in it may name its module, here or in the rules.
const PRODUCTIONS: [&str; 5] = ["scene", "chorus", "episode", "field", "mind"];

/// Files that know both: what the crate gives to others, and what unit tests are made with.
const MEETING_PLACES: [&str; 3] = ["lib.rs", "tests/mod.rs", "tests/server.rs"];

#[test]
fn no_file_knows_a_production_but_its_own() {
    let mut found = Vec::new();
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    visit(&src, &mut found);
    assert!(found.len() > 40, "{found:?}");
    for path in found {
        if MEETING_PLACES.iter().any(|place| path == src.join(place)) {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        for production in PRODUCTIONS {
            if path.components().any(|part| part.as_os_str() == production) {
                continue;
            }
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            let named: Vec<&str> = code.filter(|line| line.contains(&format!("{production}::"))).collect();
            assert!(named.is_empty(), "{} names {production}s: {named:?}", path.display());
        }
    }
}

fn visit(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            visit(&path, found);
        } else {
            found.push(path);
        }
    }
}
