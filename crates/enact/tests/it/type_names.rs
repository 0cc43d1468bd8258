//! One type name, one meaning, in the whole workspace.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

/// Names whose meaning is that of the module they stand in.
const EXCEPTIONS: [&str; 1] = ["Error"];

/// Folders that do the same for another database: what has the same name there has the same meaning.
const SIBLINGS: [&str; 2] = ["enact-store/src/sqlite/", "enact-store/src/postgres/"];

/// Crates that only tests use may name their types as those they stand for.
const NOT_LOOKED_AT: [&str; 2] = ["enact-testkit", "enact-toy"];

#[test]
fn a_type_name_has_one_meaning() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut defined: BTreeMap<String, Vec<String>> = BTreeMap::new();
    collect(crates, crates, &mut defined);
    assert!(defined.len() > 500, "{} types were found", defined.len());
    let several: Vec<_> = defined
        .iter()
        .filter(|(name, _)| !EXCEPTIONS.contains(&name.as_str()))
        .filter(|(_, files)| files.len() > 1 && !are_siblings(files))
        .collect();
    assert!(several.is_empty(), "{several:#?}");
    let unused: Vec<_> = EXCEPTIONS.iter().filter(|name| defined[**name].len() < 2).collect();
    assert!(unused.is_empty(), "no exceptions any more: {unused:?}");
}

/// Whether all of them stand in siblings, one in each.
fn are_siblings(files: &[String]) -> bool {
    let places = files.iter().map(|file| SIBLINGS.iter().position(|sibling| file.starts_with(sibling)));
    let different: Option<BTreeSet<usize>> = places.collect();
    different.is_some_and(|different| different.len() == files.len())
}

fn collect(crates: &Path, folder: &Path, defined: &mut BTreeMap<String, Vec<String>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let file = path.strip_prefix(crates).unwrap().to_str().unwrap();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() {
            if !NOT_LOOKED_AT.contains(&name) && !["tests", "benches", "target"].contains(&name) {
                collect(crates, &path, defined);
            }
        } else if name.ends_with(".rs") && !name.contains("test") {
            let text = fs::read_to_string(&path).unwrap();
            let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
            for name in text.lines().filter_map(type_name) {
                defined.entry(name.to_owned()).or_default().push(file.to_owned());
            }
        }
    }
}

/// The name of the type that a line defines. Types within functions and associated types have the meaning of
/// what they stand in.
fn type_name(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("pub ").unwrap_or(line);
    let rest =
        rest.strip_prefix("pub(").and_then(|rest| rest.split_once(") ")).map_or(rest, |(_, rest)| rest);
    let (kind, rest) = rest.split_once(' ')?;
    let name = rest.split(|c: char| !c.is_alphanumeric()).next()?;
    (["struct", "enum", "trait", "type"].contains(&kind) && !name.is_empty()).then_some(name)
}

#[test]
fn types_are_found_by_the_line_that_defines_them() {
    for (line, expected) in [
        ("pub struct Reply {", Some("Reply")),
        ("pub(crate) enum Act {", Some("Act")),
        ("pub(in crate::scene) struct Beat;", Some("Beat")),
        ("type Job<'a> = Box<dyn Fn()>;", Some("Job")),
        ("trait Model: Send {", Some("Model")),
        ("    type Event = SceneEvent;", None),
        ("impl Reply {", None),
        ("// struct of nothing", None),
    ] {
        assert_eq!(type_name(line), expected, "{line}");
    }
}
