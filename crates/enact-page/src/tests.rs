use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use super::*;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("files")
}

fn paths_below(folder: &Path, prefix: &str, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{prefix}{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() {
            paths_below(&entry.path(), &format!("{path}/"), found);
        } else {
            found.insert(path);
        }
    }
}

#[test]
fn every_file_is_embedded() {
    let mut there = BTreeSet::new();
    paths_below(&folder(), "", &mut there);
    there.retain(|path| !path.ends_with(".md") && !path.ends_with(".json") && !path.ends_with(".d.ts"));
    let embedded: BTreeSet<String> = embedded::FILES.iter().map(|(path, _)| (*path).to_owned()).collect();
    assert_eq!(embedded, there, "src/embedded.rs lists the files of files/");
    assert_eq!(embedded_files().len(), there.len(), "each is of a kind that is served");
}

#[test]
fn a_folder_is_served_as_the_embedded_files_are() {
    let from_disk = PageFiles::in_folder(folder());
    for (path, _) in embedded::FILES {
        let (disk, embedded) = (from_disk.get(path).unwrap(), PageFiles::embedded().get(path).unwrap());
        assert_eq!((disk.etag, disk.bytes), (embedded.etag, embedded.bytes), "{path}");
    }
}

#[test]
fn no_path_leads_out_of_the_folder() {
    let files = PageFiles::in_folder(folder());
    for path in [
        "../Cargo.toml",
        "lib/../../Cargo.toml",
        "/etc/passwd",
        "",
        "lib/",
        "lib//html.js",
        ".hidden",
        "README.md",
    ] {
        assert!(files.get(path).is_none(), "{path}");
        assert!(PageFiles::embedded().get(path).is_none(), "{path}");
    }
    assert!(files.get("lib/html.js").is_some());
}

#[test]
fn the_first_load_is_small() {
    let whole: usize =
        embedded_files().values().map(|file| file.gzip.as_ref().unwrap_or(&file.bytes).len()).sum();
    assert!(whole <= 150 * 1024, "the page is {whole} bytes compressed: the bar is 150 KB");
}

/// Signals and renderer are our own because nothing well-kept comes as a Cargo dependency: they stay small
/// enough to be read in a sitting.
#[test]
fn signals_and_renderer_stay_small() {
    let lines = ["lib/signal.js", "lib/html.js"].map(|path| {
        let file = PageFiles::embedded().get(path).unwrap();
        file.bytes.iter().filter(|byte| **byte == b'\n').count()
    });
    assert!(lines.iter().sum::<usize>() <= 300, "{lines:?}");
}

/// What is drawn is the text of values, never markup, and nothing is loaded from elsewhere.
#[test]
fn nothing_is_fetched_from_other_hosts() {
    for (path, bytes) in embedded::FILES {
        let text = String::from_utf8_lossy(bytes);
        for (number, line) in (1..).zip(text.lines()) {
            let addresses = line.matches("http://").count() + line.matches("https://").count();
            let namespaces = line.matches("http://www.w3.org/").count();
            assert_eq!(addresses, namespaces, "{path}:{number} names an address");
            assert!(!line.contains("eval(") && !line.contains("new Function"), "{path}:{number}");
        }
    }
}
