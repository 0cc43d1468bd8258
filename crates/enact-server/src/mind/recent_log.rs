//! The newest lines about minds, for games that show them: each names the body it is about.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Mutex, PoisonError},
};

use enact_engine::{Clock, clock::SystemClock};
use serde::Serialize;

/// How many lines of an account are kept: as many as the server of the existing game keeps.
const KEPT: usize = 1_000;
/// How many accounts have lines at once, in about 10 MiB; past it those of the one that was quiet longest go.
const MOST_ACCOUNTS: usize = 64;

/// One line.
#[derive(Debug, Clone, Serialize)]
pub(super) struct RecentLine {
    /// In seconds since 1970.
    pub(super) timestamp: f64,
    pub(super) level: &'static str,
    pub(super) message: String,
}

/// The newest lines of each account, the last one last: a busy game must not push out what another asks for.
#[derive(Debug, Default)]
pub(super) struct RecentLog(Mutex<HashMap<String, VecDeque<RecentLine>>>);

impl RecentLog {
    pub(super) fn note(&self, account: &str, entity_id: &str, what: &str) {
        let timestamp = SystemClock.now_ms() as f64 / 1_000.0;
        let line = RecentLine { timestamp, level: "INFO", message: format!("[{entity_id}] {what}") };
        let mut accounts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if accounts.len() >= MOST_ACCOUNTS && !accounts.contains_key(account) {
            let last = |lines: &VecDeque<RecentLine>| lines.back().map_or(0.0, |line| line.timestamp);
            let quiet = accounts.iter().min_by(|(_, one), (_, other)| last(one).total_cmp(&last(other)));
            if let Some(quiet) = quiet.map(|(account, _)| account.clone()) {
                accounts.remove(&quiet);
            }
        }
        let lines = accounts.entry(account.to_owned()).or_default();
        if lines.len() == KEPT {
            lines.pop_front();
        }
        lines.push_back(line);
    }

    /// Those of an account, or of all, after a time, the newest first.
    pub(super) fn since(&self, account: Option<&str>, since: f64, limit: usize) -> Vec<RecentLine> {
        let accounts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let visible = accounts.iter().filter(|(of, _)| account.is_none_or(|account| *of == account));
        let newer =
            visible.flat_map(|(_, lines)| lines.iter().rev().take_while(|line| line.timestamp > since));
        let mut newer: Vec<&RecentLine> = newer.collect();
        newer.sort_by(|one, other| other.timestamp.total_cmp(&one.timestamp));
        newer.into_iter().take(limit).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_busy_account_pushes_out_nobody_else_s_lines() {
        let log = RecentLog::default();
        log.note("quiet", "npc_1", "waits");
        (0..2 * KEPT).for_each(|_| log.note("busy", "npc_2", "wanders"));
        let seen = |account| log.since(account, 0.0, usize::MAX);
        assert_eq!(seen(Some("quiet"))[0].message, "[npc_1] waits");
        assert_eq!((seen(Some("busy")).len(), seen(None).len()), (KEPT, KEPT + 1));
        assert!(seen(Some("nobody")).is_empty());
    }

    #[test]
    fn the_account_that_was_quiet_longest_goes_first() {
        let log = RecentLog::default();
        (0..MOST_ACCOUNTS + 10).for_each(|number| log.note(&format!("guest {number}"), "npc", "waits"));
        assert_eq!(log.since(None, 0.0, usize::MAX).len(), MOST_ACCOUNTS);
        assert_eq!(log.since(Some(&format!("guest {}", MOST_ACCOUNTS + 9)), 0.0, 9).len(), 1);
    }
}
