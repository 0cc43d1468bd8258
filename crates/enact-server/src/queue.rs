//! How many runs may wait.

use std::time::{Duration, Instant};

use enact_engine::Store;
use tokio::sync::Mutex;

use crate::error::{ApiError, Code};

/// How long a count of those who wait is good for. Counting asks the store, which has better things to do.
const GOOD_FOR: Duration = Duration::from_secs(1);

/// When it is worth asking again: runs take seconds to minutes.
const UNTIL_THERE_IS_ROOM: Duration = Duration::from_secs(5);

/// Knows about how many runs wait, so that there is an end to it. Other nodes fill the same queue, so this is no exact bound.
#[derive(Debug)]
pub(crate) struct Queue {
    most: usize,
    /// Held while somebody counts: whoever comes meanwhile waits for the same count.
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
    pub(crate) async fn enter(&self, store: &dyn Store) -> Result<(), ApiError> {
        let mut counted = self.counted.lock().await;
        let known = counted.take().filter(|counted| counted.at.elapsed() < GOOD_FOR);
        let now = match known {
            Some(known) => counted.insert(known),
            None => {
                let waiting = store.waiting(self.most).await?;
                counted.insert(Counted { at: Instant::now(), waiting })
            }
        };
        if now.waiting >= self.most {
            let message = format!("{} runs wait to be played, which is as many as may", now.waiting);
            return Err(ApiError::new(Code::QueueFull, message).retry_after(UNTIL_THERE_IS_ROOM));
        }
        now.waiting += 1;
        Ok(())
    }
}
