//! How far a comparison is, on a terminal. Into a pipe nothing is said: results go to standard output, and this not.

use std::time::Duration;

use enact_drama::{Fact, scene::SceneEvent};
use enact_engine::run_loop::Observer;
use indicatif::{ProgressBar, ProgressStyle};

/// A bar over all runs, and who is playing which beat. It hides itself where standard error is no terminal.
pub(super) fn bar(runs: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:24.dim} run {pos} of {len} {msg:.dim}");
    let bar = ProgressBar::new(runs as u64);
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

/// Tells the bar about one run.
pub(super) struct Beats {
    pub(super) bar: ProgressBar,
    pub(super) contender: String,
}

impl Observer<SceneEvent> for Beats {
    fn on_facts(&mut self, facts: &[Fact<SceneEvent>]) -> Duration {
        let opened = facts.iter().rev().find_map(|fact| match fact.event {
            SceneEvent::BeatOpened { beat, .. } => Some(beat),
            _ => None,
        });
        if let Some(beat) = opened {
            self.bar.set_message(format!("· {} · beat {}", self.contender, beat + 1));
        }
        Duration::ZERO
    }
}
