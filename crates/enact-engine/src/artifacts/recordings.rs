//! The recordings that a log names.

use std::{collections::BTreeSet, fs};

use enact_drama::Record;
use serde_json::Value;

use super::Artifacts;

/// What recordings are kept as.
const EXTENSION: &str = ".wav";

/// The recordings that a log names and that are in the folder of artifacts, by their paths. A path is known by
/// how it ends, whatever production has written it: one that names no file of the folder is passed over.
pub fn sounds(artifacts: &Artifacts, records: &[Record]) -> Vec<(String, Vec<u8>)> {
    let mut paths = BTreeSet::new();
    for record in records.iter().filter(|record| record.body.get().contains(EXTENSION)) {
        collect(&serde_json::from_str(record.body.get()).unwrap_or_default(), &mut paths);
    }
    let read = |path: String| {
        let bytes = fs::read(artifacts.find(&path).ok()?).ok()?;
        Some((path, bytes))
    };
    paths.into_iter().filter_map(read).collect()
}

fn collect(value: &Value, paths: &mut BTreeSet<String>) {
    match value {
        Value::String(text) if text.ends_with(EXTENSION) => {
            paths.insert(text.clone());
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, paths)),
        Value::Object(fields) => fields.values().for_each(|field| collect(field, paths)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use enact_drama::Seq;
    use serde_json::value::RawValue;

    use super::*;

    fn record(body: &str) -> Record {
        let body = RawValue::from_string(body.to_owned()).unwrap();
        Record { seq: Seq(0), at: 0, kind: "slot_spoke".to_owned(), v: 1, body }
    }

    #[test]
    fn recordings_are_found_and_what_is_said_of_others_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let artifacts = Artifacts::in_folder(folder.path().join("artifacts"));
        fs::create_dir_all(folder.path().join("artifacts/a")).unwrap();
        fs::write(folder.path().join("artifacts/a/one.wav"), b"sound").unwrap();
        fs::write(folder.path().join("secret.wav"), b"secret").unwrap();
        let records = [
            record(r#"{"speech": {"path": "a/one.wav"}, "text": "hello"}"#),
            record(r#"{"text": "../secret.wav"}"#),
            record(r#"{"list": ["a/none.wav", "a/one.wav"]}"#),
        ];
        assert_eq!(sounds(&artifacts, &records), [("a/one.wav".to_owned(), b"sound".to_vec())]);
    }
}
