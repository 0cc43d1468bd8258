//! Places for those who are attended to at once, of which no caller gets all.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::rate::Key;
use crate::limits::places;

/// So many at once, and of one caller half as many. Holds no more entries than there are places taken.
#[derive(Debug)]
pub(super) struct Places {
    room: Arc<Semaphore>,
    /// How many a caller may hold.
    share: usize,
    /// The same for an address, whose callers nobody knows.
    strangers_share: usize,
    held: Arc<Mutex<HashMap<Key, usize>>>,
}

/// Why there is no place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Full {
    /// All are taken.
    All,
    /// This caller has its share.
    Share,
}

impl Places {
    /// Where only one caller is known there is nobody whom it could keep out: it may hold all.
    pub(super) fn new(number: usize, callers: usize) -> Places {
        let half = (number / 2).max(1);
        let share = if callers > 1 { half } else { usize::MAX };
        Places { room: places(number), share, strangers_share: half, held: Arc::default() }
    }

    pub(super) fn take(&self, key: &Key) -> Result<Place, Full> {
        let share = match key {
            Key::Caller(_) => self.share,
            Key::Peer(_) => self.strangers_share,
        };
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if held.get(key).is_some_and(|count| *count >= share) {
            return Err(Full::Share);
        }
        let permit = self.room.clone().try_acquire_owned().map_err(|_| Full::All)?;
        *held.entry(key.clone()).or_default() += 1;
        Ok(Place { key: key.clone(), held: self.held.clone(), _permit: permit })
    }
}

/// One of the places, until it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    key: Key,
    held: Arc<Mutex<HashMap<Key, usize>>>,
    _permit: OwnedSemaphorePermit,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = held.get_mut(&self.key) {
            *count -= 1;
            if *count == 0 {
                held.remove(&self.key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    fn caller(name: &str) -> Key {
        Key::Caller(name.into())
    }

    #[test]
    fn nobody_gets_all_while_there_are_others() {
        let places = Places::new(5, 2);
        let mine = [(); 2].map(|()| places.take(&caller("me")).unwrap());
        assert_eq!(places.take(&caller("me")).unwrap_err(), Full::Share);
        let _yours = [(); 2].map(|()| places.take(&caller("you")).unwrap());
        let _theirs = places.take(&Key::Peer(Ipv4Addr::LOCALHOST.into())).unwrap();
        assert_eq!(places.take(&caller("they")).unwrap_err(), Full::All);
        drop(mine);
        places.take(&caller("they")).unwrap();
        assert_eq!(places.held.lock().unwrap().len(), 2, "whoever is gone leaves nothing");
    }

    #[test]
    fn whoever_is_alone_gets_all_and_leaves_half_to_strangers() {
        let places = Places::new(3, 1);
        let all = [(); 3].map(|()| places.take(&caller("me")).unwrap());
        assert_eq!(places.take(&caller("me")).unwrap_err(), Full::All);
        drop(all);
        let stranger = Key::Peer(Ipv4Addr::LOCALHOST.into());
        let _one = places.take(&stranger).unwrap();
        assert_eq!(places.take(&stranger).unwrap_err(), Full::Share);
    }
}
