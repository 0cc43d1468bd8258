//! A stand-in with a folder for its notes, and questions to put to it.

use std::{
    fs,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use enact_drama::request::{Message, MessageRole, Request};
use enact_models::{Provider, Settings, claude_code::ClaudeCode};
use enact_testkit::{PATIENCE, until};

/// Checked in rather than written by the tests: a file that has just been written cannot always be run at
/// once.
const STAND_IN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/claude_code/stand-in");

pub(crate) struct Stage {
    behaviour: String,
    notes: PathBuf,
}

impl Stage {
    pub(crate) fn new(behaviour: impl Into<String>) -> Stage {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("claude-code-{}-{number}", std::process::id());
        let notes = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&notes).unwrap();
        Stage { behaviour: behaviour.into(), notes }
    }

    pub(crate) fn model(&self) -> ClaudeCode {
        self.model_with(|_| {})
    }

    pub(crate) fn model_with(&self, change: impl FnOnce(&mut Settings)) -> ClaudeCode {
        let model = format!("{}@{}", self.behaviour, self.notes.display());
        let mut settings = Settings::new(Provider::ClaudeCode, model);
        change(&mut settings);
        ClaudeCode::at(&settings, STAND_IN).unwrap()
    }

    /// What the stand-in has noted.
    pub(crate) fn note(&self, name: &str) -> String {
        fs::read_to_string(self.notes.join(name)).unwrap()
    }

    /// The folder of the call, in which the stand-in has an empty one to work in.
    pub(crate) fn folder(&self) -> PathBuf {
        let empty = PathBuf::from(self.note("folder").trim());
        assert!(empty.ends_with("empty"), "{empty:?}");
        empty.parent().unwrap().to_owned()
    }

    /// Leaves something for the stand-in to find.
    pub(crate) fn put_note(&self, name: &str) {
        fs::write(self.notes.join(name), "").unwrap();
    }

    /// A process that the stand-in has noted, once it has.
    #[cfg(target_os = "linux")]
    pub(crate) async fn process(&self, name: &str) -> u32 {
        until(async || self.notes.join(name).exists()).await;
        self.note(name).trim().parse().unwrap()
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.notes);
    }
}

pub(crate) fn ask(question: &str) -> Request {
    request(&[(MessageRole::User, question)])
}

pub(crate) fn request(thread: &[(MessageRole, &str)]) -> Request {
    Request {
        system: vec![Arc::from("The rules.\n"), Arc::from("You are Alice.\n")],
        thread: thread.iter().map(|(role, text)| Message { role: *role, text: Arc::from(*text) }).collect(),
        max_tokens: 1_000,
        timeout_ms: PATIENCE.as_millis() as u64,
        ..Request::default()
    }
}
