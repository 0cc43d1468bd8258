//! What time it is. Waiting is tokio's business, so that tests can pause it.

use std::{
    fmt::Debug,
    time::{SystemTime, UNIX_EPOCH},
};

use uuid::{NoContext, Timestamp, Uuid};

/// Tells UTC milliseconds.
pub trait Clock: Debug + Send + Sync {
    fn now_ms(&self) -> i64;
}

/// An id that no other thing has, and that is greater than those made before. On a machine whose clock stands
/// before 1970 (no battery, no network yet) it is only unique: [`Uuid::now_v7`] would panic.
pub fn unique_id() -> Uuid {
    id_at(SystemTime::now())
}

fn id_at(now: SystemTime) -> Uuid {
    match now.duration_since(UNIX_EPOCH) {
        Ok(_) => Uuid::now_v7(),
        Err(_) => Uuid::new_v7(Timestamp::from_unix(NoContext, 0, 0)),
    }
}

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now_ms(&self) -> i64 {
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_millis() as i64)
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, time::Duration};

    use super::*;

    #[test]
    fn ids_are_made_whatever_the_clock_says() {
        for now in [UNIX_EPOCH - Duration::from_secs(3600), UNIX_EPOCH, SystemTime::now()] {
            let ids: BTreeSet<Uuid> = (0..1_000).map(|_| id_at(now)).collect();
            assert_eq!(ids.len(), 1_000);
            assert!(ids.iter().all(|id| id.get_version_num() == 7));
        }
    }

    #[test]
    fn later_ids_are_greater() {
        let ids: Vec<Uuid> = (0..1_000).map(|_| unique_id()).collect();
        assert!(ids.is_sorted());
    }
}
