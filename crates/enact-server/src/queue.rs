//! How many runs may wait.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use enact_engine::{Store, log::Status, store::Listing};

use crate::error::{Code, Refusal};

/// How long a count of those who wait is good for. Counting asks the store, which has better things to do.
const GOOD_FOR: Duration = Duration::from_secs(1);

/// When it is worth asking again: runs take seconds to minutes.
const UNTIL_THERE_IS_ROOM: Duration = Duration::from_secs(5);

/// Knows about how many runs wait, so that there is an end to it. Other nodes fill the same queue, so this is no exact bound.
#[derive(Debug)]
pub(crate) struct Queue {
    most: usize,
    counted: Mutex<Option<Counted>>,
}

#[derive(Debug, Clone, Copy)]
struct Counted {
    at: Instant,
    waiting: usize,
}

impl Queue {
    pub(crate) fn new(most: usize) -> Queue {
        Queue { most, counted: Mutex::new(None) }
    }

    /// Lets one more run wait, or says that too many do.
    pub(crate) async fn enter(&self, store: &dyn Store) -> Result<(), Refusal> {
        let waiting = match self.known() {
            Some(waiting) => waiting,
            None => {
                let wanted =
                    Listing { statuses: vec![Status::Waiting], most: self.most, ..Listing::default() };
                let waiting = store.list(&wanted).await?.len();
                self.know(Counted { at: Instant::now(), waiting });
                waiting
            }
        };
        if waiting >= self.most {
            let message = format!("{waiting} runs wait to be played, which is as many as may");
            return Err(Refusal::new(Code::QueueFull, message).retry_after(UNTIL_THERE_IS_ROOM));
        }
        if let Some(counted) = self.counted.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            counted.waiting += 1;
        }
        Ok(())
    }

    fn known(&self) -> Option<usize> {
        let counted = *self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        counted.filter(|counted| counted.at.elapsed() < GOOD_FOR).map(|counted| counted.waiting)
    }

    fn know(&self, counted: Counted) {
        *self.counted.lock().unwrap_or_else(PoisonError::into_inner) = Some(counted);
    }
}
