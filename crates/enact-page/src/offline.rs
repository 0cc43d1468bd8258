//! A run as one HTML file: the page's own modules, the log and the sound, without a server or a network.
//!
//! Modules are `data:` addresses in an import map. Relative imports do not work inside those, so that each
//! import is rewritten to the name the map has for it. What was said is data: in a block of JSON in which no
//! `<` stands, so that nothing in it can end the block.

use std::collections::BTreeMap;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use sha2::{Digest, Sha256};

use crate::PageFiles;

/// More sound than this is left out, and the file says so: mail and chat take no larger files.
pub const MOST_SOUND_BYTES: usize = 50 * 1024 * 1024;

/// More than this of what happened is left out, and the file says so and shows the transcript: browsers read no larger
/// file in one piece without a pause.
pub const MOST_EVENT_BYTES: usize = 50 * 1024 * 1024;

/// Productions whose lines the file can let be heard, each as [`line_sound`].
pub const SPOKEN: &[&str] = &["scene"];

/// What the sound of a line is called among those of a run.
pub fn line_sound(seq: u64) -> String {
    format!("line/{seq}.wav")
}

/// The module that the file begins with.
const ENTRY: &str = "offline.js";
const STYLES: [&str; 4] = ["styles/base.css", "styles/parts.css", "styles/script.css", "styles/screens.css"];
/// What modules are called in the import map, before their path.
const PREFIX: &str = "enact/";

/// What a file is made of.
#[derive(Debug, Clone, Default)]
pub struct OfflineRun {
    pub name: String,
    pub production: String,
    /// The log, one JSON object a line; nothing where the page shows [`events`](OfflineRun::events).
    pub log: String,
    /// What clients were told, one JSON object a line: `{"at", "event", "data"}`.
    pub events: String,
    /// The transcript as text, for productions that the page has no replay for, and for those without
    /// JavaScript.
    pub transcript: String,
    /// What the run's report says of it for programs, as JSON.
    pub metadata: String,
    /// Recordings, by the path that the log has for them, or as [`line_sound`].
    pub sounds: Vec<(String, Vec<u8>)>,
    /// How many of its lines could not be spoken in time, or at all: the file says so.
    pub lines_without_sound: usize,
}

/// The whole file.
pub fn document(run: &OfflineRun) -> String {
    let files = PageFiles::embedded();
    let modules: BTreeMap<String, String> = modules(&files);
    let imports: Vec<String> = modules
        .iter()
        .map(|(path, text)| {
            format!("\"{PREFIX}{path}\":\"data:text/javascript;base64,{}\"", STANDARD.encode(text))
        })
        .collect();
    let import_map = format!("{{\"imports\":{{{}}}}}", imports.join(","));
    let start = format!("import \"{PREFIX}{ENTRY}\";");
    let style: String = STYLES.iter().map(|path| text_of(&files, path)).collect();
    let policy = format!(
        "default-src 'none'; script-src {} {} data:; style-src {}; img-src data: blob:; media-src data: blob:",
        hash(&import_map),
        hash(&start),
        hash(&style)
    );
    let data = data(run);
    let (title, transcript) = (escaped(&run.name), escaped(&run.transcript));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n<style>{style}</style>\n\
         <script type=\"importmap\">{import_map}</script>\n</head>\n<body>\n<main id=\"main\"></main>\n\
         <noscript><pre>{transcript}</pre></noscript>\n\
         <script type=\"application/json\" id=\"enact-run\">{data}</script>\n\
         <script type=\"module\">{start}</script>\n</body>\n</html>\n"
    )
}

/// The run as JSON in which no `<` stands.
fn data(run: &OfflineRun) -> String {
    let size: usize = run.sounds.iter().map(|(_, bytes)| bytes.len()).sum();
    let too_much = size > MOST_SOUND_BYTES;
    let sounds = if too_much { &[] } else { run.sounds.as_slice() };
    let sounds: Vec<String> = sounds
        .iter()
        .map(|(path, bytes)| {
            format!("{}:\"data:audio/wav;base64,{}\"", json_string(path), STANDARD.encode(bytes))
        })
        .collect();
    let is_too_long = run.events.len() > MOST_EVENT_BYTES;
    let events = if is_too_long { "" } else { run.events.as_str() };
    let json = format!(
        "{{\"name\":{},\"production\":{},\"soundLeftOut\":{too_much},\"eventsLeftOut\":{is_too_long},\"linesWithoutSound\":{},\"transcript\":{},\"metadata\":{},\"log\":[{}],\"events\":[{}],\"sounds\":{{{}}}}}",
        json_string(&run.name),
        json_string(&run.production),
        run.lines_without_sound,
        json_string(&run.transcript),
        if run.metadata.is_empty() { "null" } else { &run.metadata },
        joined(&run.log),
        joined(events),
        sounds.join(",")
    );
    // A `<` stands in JSON only inside of strings, where it may be written like this.
    json.replace('<', "\\u003c")
}

/// JSON objects, one a line, as the items of a list.
fn joined(lines: &str) -> String {
    let lines: Vec<&str> = lines.lines().filter(|line| !line.is_empty()).collect();
    lines.join(",")
}

/// The entry and all modules that it needs, with their imports rewritten.
fn modules(files: &PageFiles) -> BTreeMap<String, String> {
    let mut made = BTreeMap::new();
    let mut wanted = vec![ENTRY.to_owned()];
    while let Some(path) = wanted.pop() {
        if made.contains_key(&path) {
            continue;
        }
        let (text, imported) = rewritten(&path, &text_of(files, &path));
        wanted.extend(imported);
        made.insert(path, text);
    }
    made
}

fn text_of(files: &PageFiles, path: &str) -> String {
    let file = files.get(path);
    file.map(|file| String::from_utf8_lossy(&file.bytes).into_owned()).unwrap_or_default()
}

/// A module whose imports are the names of the map, and the paths that it imports. Imports stand on lines of
/// their own: `import … from "./x.js";`, `} from "../lib/x.js";` or `import "./x.js";`.
fn rewritten(path: &str, text: &str) -> (String, Vec<String>) {
    let mut imported = Vec::new();
    let lines: Vec<String> = text
        .lines()
        .map(|line| {
            let is_import =
                line.starts_with("import ") || line.starts_with("} from ") || line.starts_with("export ");
            let specifier =
                line.strip_suffix("\";").and_then(|rest| rest.rsplit_once('"')).map(|(_, name)| name);
            match specifier.filter(|name| is_import && name.starts_with('.')) {
                Some(name) => {
                    let resolved = resolve(path, name);
                    let line = line.replace(&format!("\"{name}\";"), &format!("\"{PREFIX}{resolved}\";"));
                    imported.push(resolved);
                    line
                }
                None => line.to_owned(),
            }
        })
        .collect();
    (lines.join("\n"), imported)
}

/// `screens/scene.js` and `../lib/html.js` are `lib/html.js`.
fn resolve(from: &str, name: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in name.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// What a policy calls an inline script or style by.
fn hash(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn json_string(text: &str) -> String {
    let mut json = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            c if u32::from(c) < 0x20 => json.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => json.push(c),
        }
    }
    json.push('"');
    json
}

#[cfg(test)]
mod tests {
    use super::*;

    const ATTACK: &str = "</script><script>alert(1)</script><!-- ]]> \"quoted\" \\ é";

    fn run() -> OfflineRun {
        let said = json_string(ATTACK);
        OfflineRun {
            name: ATTACK.to_owned(),
            production: "scene".to_owned(),
            log: format!("{{\"seq\":0,\"body\":{{\"text\":{said}}}}}\n"),
            events: format!("{{\"at\":0,\"event\":\"line\",\"data\":{said}}}\n{{\"at\":1}}\n"),
            transcript: ATTACK.to_owned(),
            metadata: format!("{{\"name\":{said}}}"),
            sounds: vec![("a/b.wav".to_owned(), vec![1, 2, 3])],
            lines_without_sound: 2,
        }
    }

    #[test]
    fn nothing_that_is_said_ends_a_script() {
        let file = document(&run());
        assert_eq!(file.matches("<script").count(), 3, "the import map, the data and the start");
        assert_eq!(file.matches("</script>").count(), 3);
        assert!(!file.contains("<script>alert"));
        let data = data(&run());
        assert!(!data.contains('<'));
        assert!(data.contains("\\u003c/script>"));
        assert!(data.contains("\"linesWithoutSound\":2"));
        assert!(data.contains("},{\"at\":1}],\"sounds\""));
        assert!(data.contains("\"a/b.wav\":\"data:audio/wav;base64,AQID\""));
    }

    #[test]
    fn too_much_sound_is_left_out_and_that_is_said() {
        let mut run = run();
        run.sounds = vec![("a.wav".to_owned(), vec![0; MOST_SOUND_BYTES + 1])];
        let data = data(&run);
        assert!(data.contains("\"soundLeftOut\":true"));
        assert!(!data.contains("a.wav"));
    }

    #[test]
    fn more_events_than_a_browser_reads_are_left_out_and_that_is_said() {
        let data = data(&OfflineRun { events: " ".repeat(MOST_EVENT_BYTES + 1), ..run() });
        assert!(data.contains("\"eventsLeftOut\":true"));
        assert!(data.len() < MOST_EVENT_BYTES);
    }

    #[test]
    fn every_module_is_found_and_no_relative_import_is_left() {
        let modules = modules(&PageFiles::embedded());
        assert!(modules.len() > 10, "{:?}", modules.keys());
        for (path, text) in &modules {
            assert!(!text.is_empty(), "{path} is imported and not there");
            for line in text.lines().filter(|line| line.starts_with("import ") || line.starts_with("} from "))
            {
                assert!(!line.contains("\"./") && !line.contains("\"../"), "{path}: {line}");
            }
        }
        assert!(!modules.contains_key("app.js"), "the server's page is not in it");
    }

    #[test]
    fn paths_are_resolved() {
        for (from, name, to) in [
            ("screens/scene.js", "../lib/html.js", "lib/html.js"),
            ("offline.js", "./lib/html.js", "lib/html.js"),
            ("components/a.js", "./b.js", "components/b.js"),
        ] {
            assert_eq!(resolve(from, name), to);
        }
    }
}
