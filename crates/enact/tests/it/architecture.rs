//! What may know what.

use std::{fs, path::Path};

/// The registration, which has to.
const REGISTRATION: &str = "lib.rs";

/// A new production is a folder of its own, so that nothing else may be built for one in particular.
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
            if ["scene", "chorus", "episode", "field", "mind", REGISTRATION]
                .iter()
                .any(|known| own == Path::new(known))
            {
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
            // Its name stands in every import of a production, however it is nested.
            for (number, line) in code.lines().enumerate() {
                let names = ["scene::", "chorus::", "episode::", "field::", "mind::"]
                    .iter()
                    .any(|module| imports(line, module));
                if names && !EXCEPTIONS.contains(&own.to_str().unwrap()) {
                    knowing.push(format!("{}:{}: {}", own.display(), number + 1, line.trim()));
                }
            }
        }
    }
    assert!(looked_at > 30, "{looked_at} files");
    assert!(knowing.is_empty(), "{knowing:#?}");
}

/// The file `enact.toml` has one reader, and `[chorus]` is a part of it.
const EXCEPTIONS: [&str; 3] = ["config/mod.rs", "config/chorus.rs", "config/chorus/tests.rs"];

fn imports(line: &str, module: &str) -> bool {
    let is_comment = line.trim_start().starts_with("//");
    let before = |at: usize| line[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric() && c != '_');
    !is_comment && line.match_indices(module).any(|(at, _)| before(at))
}
