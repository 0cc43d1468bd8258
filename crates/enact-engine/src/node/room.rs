//! Room for runs that are played.

use std::sync::{Arc, atomic::Ordering::Relaxed};

use super::{Inner, lock};

/// A place for a run that a command may be about to wake. It is reserved before the command is posted: of hundreds of
/// commands that are under way to the store each would otherwise find the same place free.
#[derive(Debug)]
pub(super) struct Place {
    inner: Arc<Inner>,
}

impl Drop for Place {
    fn drop(&mut self) {
        let was_full = {
            let playing = lock(&self.inner.playing);
            let reserved = self.inner.reserved.fetch_sub(1, Relaxed);
            playing.len() + reserved >= self.inner.limits.runs
        };
        if was_full {
            // For want of this place something may wait in the queue.
            self.inner.claim.notify_one();
        }
        self.inner.rested.notify_waiters();
    }
}

impl Inner {
    /// How many more may be played.
    ///
    /// Those that are being claimed from the queue in this moment are not reserved, because most often there are none:
    /// together with commands that arrive just then there may be a few too many for once.
    pub(super) fn room(&self) -> usize {
        let taken = lock(&self.playing).len() + self.reserved.load(Relaxed);
        self.limits.runs.saturating_sub(taken)
    }

    /// Reserves a place, if there is room.
    pub(super) fn reserve(self: &Arc<Self>) -> Option<Place> {
        // The lock guards the count too: between looking and reserving no other may reserve.
        let playing = lock(&self.playing);
        let has_room = playing.len() + self.reserved.load(Relaxed) < self.limits.runs;
        has_room.then(|| {
            self.reserved.fetch_add(1, Relaxed);
            Place { inner: self.clone() }
        })
    }
}
