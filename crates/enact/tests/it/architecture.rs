//! What may know what.

use std::{fs, path::Path};

/// The registration, which has to.
const REGISTRATION: &str = "lib.rs";

const PRODUCTIONS: [&str; 5] = ["scene", "chorus", "episode", "field", "mind"];

/// A new production is a folder of its own, so that nothing else may be built for one in particular: neither what
/// all share, nor another production.
#[test]
fn only_a_production_s_own_folder_knows_it() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut knowing = Vec::new();
    let mut looked_at = 0;
    let mut folders = vec![source.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            let own = path.strip_prefix(&source).unwrap().to_path_buf();
            if own == Path::new(REGISTRATION) {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            looked_at += 1;
            let text = fs::read_to_string(&path).unwrap();
            // Tests play what there is.
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            let others = PRODUCTIONS.iter().filter(|production| !own.starts_with(production));
            let others: Vec<String> = others.map(|production| format!("{production}::")).collect();
            // Its name stands in every import of a production, however it is nested.
            for (number, line) in code.lines().enumerate() {
                let names = others.iter().any(|module| imports(line, module));
                if names && !EXCEPTIONS.contains(&own.to_str().unwrap()) {
                    knowing.push(format!("{}:{}: {}", own.display(), number + 1, line.trim()));
                }
            }
        }
    }
    assert!(looked_at > 60, "{looked_at} files");
    assert!(knowing.is_empty(), "{knowing:#?}");
}

/// The file `enact.toml` has one reader, and `[chorus]` is a part of it.
const EXCEPTIONS: [&str; 3] = ["config/mod.rs", "config/chorus.rs", "config/chorus/tests.rs"];

fn imports(line: &str, module: &str) -> bool {
    let is_comment = line.trim_start().starts_with("//");
    let before = |at: usize| line[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric() && c != '_');
    !is_comment && line.match_indices(module).any(|(at, _)| before(at))
}
