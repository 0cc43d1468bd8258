//! What a chorus has left: its facts, counted, and its files, opened.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use enact_drama::{
    Fact, Record, RunId,
    chorus::{ChorusEvent, SlotId, Turn, folder_of, manifest_of},
    record::read_facts,
};
use serde_json::Value;

/// What was said by whom, checked to be said once, and heard once at most.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Found {
    /// The file of everything that was said.
    pub(crate) said: BTreeMap<(u8, u8), String>,
    /// Those of them that can be heard, with their bytes.
    pub(crate) heard: BTreeMap<String, u64>,
    pub(crate) unheard: usize,
    pub(crate) failed: usize,
    pub(crate) resumed: usize,
    pub(crate) ended: Option<String>,
}

impl Found {
    pub(crate) fn of(records: &[Record]) -> Found {
        let facts: Vec<Fact<ChorusEvent>> = read_facts(records).unwrap();
        let mut found = Found::default();
        let mut done = BTreeSet::new();
        for (at, fact) in facts.iter().enumerate() {
            assert_eq!(fact.seq.0, at as u64, "no gap");
            assert_eq!(found.ended, None, "nothing comes after the end");
            found.take(&fact.event, &mut done);
        }
        found
    }

    fn take(&mut self, event: &ChorusEvent, done: &mut BTreeSet<Turn>) {
        let key = |turn: &Turn, slot: &SlotId| (turn.index(), slot.number());
        match event {
            ChorusEvent::SlotSpoke { turn, slot, speech, .. } => {
                assert!(!done.contains(turn), "it is not over yet");
                let path = speech.as_ref().map(|speech| speech.path.clone()).unwrap_or_default();
                assert_eq!(self.said.insert(key(turn, slot), path), None, "nobody says anything twice");
            }
            ChorusEvent::Voiced { turn, slot, spoken, .. } => {
                let path = self.said[&key(turn, slot)].clone();
                assert_eq!(self.heard.insert(path, spoken.bytes), None, "nothing is heard twice");
            }
            ChorusEvent::VoiceFailed { .. } => self.unheard += 1,
            ChorusEvent::SlotFailed { .. } => self.failed += 1,
            ChorusEvent::TurnDone { turn, .. } => assert!(done.insert(*turn), "a turn is over once"),
            ChorusEvent::Resumed {} => self.resumed += 1,
            ChorusEvent::Ended { reason } => self.ended = Some(reason.as_str().to_owned()),
            _ => {}
        }
    }

    /// Everything was said and heard: so many answers, as many comments, so many replies.
    pub(crate) fn is_whole(&self, slots: usize, replies: usize) -> bool {
        let turns: Vec<u8> = self.said.keys().map(|(turn, _)| *turn).collect();
        let count = |turn| turns.iter().filter(|of| **of == turn).count();
        (count(1), count(2), count(3)) == (slots, slots, replies)
            && self.heard.len() == self.said.len()
            && self.ended.as_deref() == Some("completed")
    }

    /// Opens every file that was announced, reads it to its end, and finds it in the list; and nothing beside.
    pub(crate) fn check_files(&self, artifacts: &Path, run: RunId) {
        let folder = folder_of(run);
        let mut there = files(&artifacts.join(&folder));
        assert!(there.remove("session.json"), "{there:?}");
        let announced: BTreeSet<String> = self
            .heard
            .keys()
            .map(|path| path.strip_prefix(&format!("{folder}/")).unwrap().to_owned())
            .collect();
        assert_eq!(there, announced);
        for (path, bytes) in &self.heard {
            let file = artifacts.join(path);
            assert_eq!(fs::metadata(&file).unwrap().len(), *bytes, "{path}");
            let mut reader = hound::WavReader::open(&file).unwrap();
            assert!(reader.samples::<i16>().all(|sample| sample.is_ok()), "{path}");
        }
        assert_eq!(listed(artifacts, run), self.heard.keys().cloned().collect());
    }
}

/// What the list of a run's files names; nothing where there is none yet.
pub(crate) fn listed(artifacts: &Path, run: RunId) -> BTreeSet<String> {
    let Ok(manifest) = fs::read(artifacts.join(manifest_of(run))) else { return BTreeSet::new() };
    let manifest: Value = serde_json::from_slice(&manifest).unwrap();
    assert_eq!(manifest["sessionId"], run.to_string());
    let turns = manifest["turns"].as_object().unwrap().values();
    let entries = turns.flat_map(|entries| entries.as_array().unwrap());
    entries.filter_map(|entry| entry["audioPath"].as_str().map(str::to_owned)).collect()
}

/// The files below a folder, by their paths in it.
pub(crate) fn files(folder: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).into_iter().flatten() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => {
                    found.insert(path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned());
                }
            }
        }
    }
    found
}
