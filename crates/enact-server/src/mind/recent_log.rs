//! The newest lines about minds, for games that show them: each names the body it is about.

use std::{
    collections::VecDeque,
    sync::{Mutex, PoisonError},
};

use enact_engine::{Clock, clock::SystemClock};
use serde::Serialize;

/// As the server of the existing game keeps.
const KEPT: usize = 1_000;

/// One line.
#[derive(Debug, Clone, Serialize)]
pub(super) struct RecentLine {
    /// Whose mind it is about.
    #[serde(skip)]
    account: String,
    /// In seconds since 1970.
    pub(super) timestamp: f64,
    pub(super) level: &'static str,
    pub(super) message: String,
}

/// The newest lines, the last one last.
#[derive(Debug, Default)]
pub(super) struct RecentLog(Mutex<VecDeque<RecentLine>>);

impl RecentLog {
    pub(super) fn note(&self, account: &str, entity_id: &str, what: &str) {
        let timestamp = SystemClock.now_ms() as f64 / 1_000.0;
        let (account, message) = (account.to_owned(), format!("[{entity_id}] {what}"));
        let line = RecentLine { account, timestamp, level: "INFO", message };
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == KEPT {
            lines.pop_front();
        }
        lines.push_back(line);
    }

    /// Those of an account, or of all, after a time, the newest first.
    pub(super) fn since(&self, account: Option<&str>, since: f64, limit: usize) -> Vec<RecentLine> {
        let lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let newer = lines.iter().rev().take_while(|line| line.timestamp > since);
        let visible = newer.filter(|line| account.is_none_or(|account| line.account == account));
        visible.take(limit).cloned().collect()
    }
}
