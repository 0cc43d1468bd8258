//! What may know what.

use std::{fs, path::Path};

/// The library's entry has short-cuts: scenes are cast, played and written to files by it, and sessions are
/// talked with. Everything else plays any production.
const SHORT_CUTS: [&str; 5] =
    ["lib.rs", "stage/scene.rs", "stage/session.rs", "project_files.rs", "outputs.rs"];

const PRODUCTIONS: [&str; 5] = ["scene::", "chorus::", "episode::", "field::", "mind::"];

#[test]
fn only_the_short_cuts_of_the_library_know_a_production() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut knowing, mut looked_at, mut folders) = (Vec::new(), 0, vec![source.clone()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let own = path.strip_prefix(&source).unwrap().to_str().unwrap().to_owned();
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            let is_import = |line: &&str| {
                let line = line.trim_start();
                // A stage keeps what its scenes are cast with.
                let are_options = own == "stage.rs" && line.starts_with("scene_options: scene::SceneOptions");
                !line.starts_with("//")
                    && !are_options
                    // Fields of spans.
                    && !line.starts_with("use tracing::")
                    && PRODUCTIONS.iter().any(|module| line.contains(module))
            };
            looked_at += 1;
            if !SHORT_CUTS.contains(&own.as_str()) && !own.contains("tests") {
                knowing.extend(code.lines().filter(is_import).map(|line| format!("{own}: {}", line.trim())));
            }
        }
    }
    assert!(looked_at > 30, "{looked_at} files");
    assert!(knowing.is_empty(), "{knowing:#?}");
}
