//! How many connections come from one address.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
};

use crate::access::household;

/// Everyone who is connected, by address. Holds no more entries than there are connections.
#[derive(Debug, Clone)]
pub(super) struct Crowd {
    most: usize,
    members: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

impl Crowd {
    pub(super) fn new(most: usize) -> Crowd {
        Crowd { most, members: Arc::default() }
    }

    /// One more from this address, if it has not too many already. It counts until it is dropped.
    pub(super) fn join(&self, peer: IpAddr) -> Option<Member> {
        let peer = household(peer);
        let mut members = self.members.lock().unwrap_or_else(PoisonError::into_inner);
        let count = members.entry(peer).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(Member { peer, crowd: self.clone() })
    }
}

#[derive(Debug)]
pub(super) struct Member {
    peer: IpAddr,
    crowd: Crowd,
}

impl Drop for Member {
    fn drop(&mut self) {
        let mut members = self.crowd.members.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = members.get_mut(&self.peer) {
            *count -= 1;
            if *count == 0 {
                members.remove(&self.peer);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_so_many_and_no_more() {
        let crowd = Crowd::new(2);
        let [one, same_network, other] =
            ["2001:db8::1", "2001:db8::2", "192.0.2.1"].map(|text| text.parse().unwrap());
        let first = crowd.join(one).unwrap();
        let _second = crowd.join(same_network).unwrap();
        assert!(crowd.join(one).is_none());
        assert!(crowd.join(other).is_some());
        drop(first);
        assert!(crowd.join(one).is_some());
        assert_eq!(crowd.members.lock().unwrap().len(), 1, "whoever is gone leaves nothing");
    }
}
