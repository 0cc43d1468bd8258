//! The modules of the rules build on each other in one direction: no two of them, however far apart, need
//! each other.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// Which top-level modules each of them names.
type Graph = BTreeMap<String, BTreeSet<String>>;

#[test]
fn modules_do_not_need_each_other_in_a_circle() {
    let graph = graph(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    assert!(
        graph["scene"].contains("production") && graph["report"].contains("record"),
        "this reads no imports: {graph:?}"
    );
    let circles: Vec<String> = graph
        .iter()
        .flat_map(|(module, needs)| needs.iter().map(move |need| (module, need)))
        .filter(|(module, need)| reaches(&graph, need, module))
        .map(|(module, need)| format!("{module} -> {need}"))
        .collect();
    assert_eq!(circles, [""; 0], "these imports are part of a circle");
}

#[test]
fn what_is_shared_knows_no_production() {
    let graph = graph(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let productions = ["scene", "chorus", "episode", "field", "mind"];
    for (module, needs) in graph.iter().filter(|(module, _)| !productions.contains(&module.as_str())) {
        let known: Vec<&str> = productions.into_iter().filter(|name| needs.contains(*name)).collect();
        assert_eq!(known, [""; 0], "{module} knows a production");
    }
}

fn reaches(graph: &Graph, from: &str, to: &str) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![from];
    while let Some(module) = open.pop() {
        if module == to {
            return true;
        }
        if seen.insert(module) {
            open.extend(graph.get(module).into_iter().flatten().map(String::as_str));
        }
    }
    false
}

fn graph(src: &Path) -> Graph {
    let files = sources(src);
    let modules: BTreeSet<String> = files.iter().map(|file| module_of(src, file)).collect();
    let exported = exported(&fs::read_to_string(src.join("lib.rs")).unwrap());
    let mut graph = Graph::new();
    for file in &files {
        let module = module_of(src, file);
        let text = fs::read_to_string(file).unwrap();
        // Tests may look at anything.
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        for name in named(code) {
            let need = exported.get(&name).unwrap_or(&name);
            if *need != module && modules.contains(need) {
                graph.entry(module.clone()).or_default().insert(need.clone());
            }
        }
    }
    graph
}

/// All source files but `lib.rs` and tests.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        match path.is_dir() {
            _ if ["tests", "tests.rs", "lib.rs"].contains(&name.as_str()) => {}
            true => files.extend(sources(&path)),
            false => files.push(path),
        }
    }
    files
}

fn module_of(src: &Path, file: &Path) -> String {
    let first = file.strip_prefix(src).unwrap().components().next().unwrap();
    first.as_os_str().to_string_lossy().trim_end_matches(".rs").to_owned()
}

/// The names that `lib.rs` exports, by the module they come from.
fn exported(lib: &str) -> BTreeMap<String, String> {
    let uses = lib.lines().filter_map(|line| line.strip_prefix("pub use ")?.split_once("::"));
    let names = uses.flat_map(|(module, names)| {
        let names = names.trim_matches(|c: char| !c.is_alphanumeric()).split(", ");
        names.map(move |name| (name.to_owned(), module.to_owned()))
    });
    names.collect()
}

/// The first names of all paths that begin with `crate::`.
fn named(code: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (at, found) in code.match_indices("crate::") {
        let rest = &code[at + found.len()..];
        match rest.strip_prefix('{') {
            Some(group) => names.extend(first_names(group)),
            None => names.extend(first_name(rest)),
        }
    }
    names
}

/// The first name of each path in a group, up to its closing brace.
fn first_names(group: &str) -> Vec<String> {
    let (mut names, mut depth, mut at_start) = (Vec::new(), 0, true);
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => at_start = true,
            c if depth == 0 && at_start && !c.is_whitespace() => {
                names.extend(first_name(&group[at..]));
                at_start = false;
            }
            _ => {}
        }
    }
    names
}

fn first_name(path: &str) -> Option<String> {
    let name: String = path.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    (!name.is_empty()).then_some(name)
}
