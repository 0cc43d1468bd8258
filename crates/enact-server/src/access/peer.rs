//! From which address a request comes.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::extract::ConnectInfo;
use axum::http::{Extensions, HeaderMap};
use enact_drama::Problem;

const X_FORWARDED_FOR: &str = "x-forwarded-for";

/// The proxies in front of a server, whose word on who called them counts.
#[derive(Debug, Clone, Default)]
pub(super) struct Proxies(Vec<Network>);

/// An address, or all that begin with the same bits.
#[derive(Debug, Clone, Copy)]
struct Network {
    address: IpAddr,
    bits: u8,
}

impl Proxies {
    pub(super) fn add(&mut self, text: &str) -> Result<(), Problem> {
        let network = Network::read(text).ok_or_else(|| {
            Problem::config(format!("'{text}' is not an address of a proxy"))
                .hint("write it like 10.0.0.5, or like 172.16.0.0/12 for all addresses of a network")
        })?;
        self.0.push(network);
        Ok(())
    }

    fn trusts(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.holds(address))
    }

    /// Whoever called. What `X-Forwarded-For` says counts only as far as those who wrote it are trusted: each proxy adds the
    /// address it was called from at the end, and everything before the first stranger can be invented.
    pub(super) fn peer(&self, extensions: &Extensions, headers: &HeaderMap) -> IpAddr {
        let mut peer = direct(extensions);
        let forwarded = headers.get_all(X_FORWARDED_FOR).iter().rev();
        let mut hops = forwarded.filter_map(|value| value.to_str().ok()).flat_map(|list| list.rsplit(','));
        while self.trusts(peer) {
            match hops.next().map(|hop| hop.trim().parse::<IpAddr>()) {
                Some(Ok(hop)) => peer = hop.to_canonical(),
                _ => break,
            }
        }
        peer
    }

    /// Whether somebody says for whom they call whose word does not count.
    pub(super) fn ignores(&self, extensions: &Extensions, headers: &HeaderMap) -> bool {
        headers.contains_key(X_FORWARDED_FOR) && !self.trusts(direct(extensions))
    }
}

/// The other end of the connection.
fn direct(extensions: &Extensions) -> IpAddr {
    let direct = extensions.get().map(|ConnectInfo(address): &ConnectInfo<SocketAddr>| address.ip());
    direct.unwrap_or(Ipv6Addr::UNSPECIFIED.into()).to_canonical()
}

impl Network {
    fn read(text: &str) -> Option<Network> {
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits.parse().ok()?)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().ok()?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.unwrap_or(most);
        (bits <= most).then_some(Network { address, bits })
    }

    fn holds(self, other: IpAddr) -> bool {
        let differing = match (self.address, other) {
            (IpAddr::V4(one), IpAddr::V4(two)) => (one.to_bits() ^ two.to_bits()).leading_zeros(),
            (IpAddr::V6(one), IpAddr::V6(two)) => (one.to_bits() ^ two.to_bits()).leading_zeros(),
            _ => return false,
        };
        differing >= u32::from(self.bits)
    }
}

/// One household or machine: whoever has one IPv6 address has the 2⁶⁴ beside it.
pub(crate) fn household(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)).into(),
        v4 => v4,
    }
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderName, HeaderValue};

    use super::*;

    fn peer(direct: &str, forwarded: &[&str]) -> String {
        let mut proxies = Proxies::default();
        proxies.add("10.0.0.0/8").unwrap();
        proxies.add("fd00::1").unwrap();
        let mut extensions = Extensions::new();
        extensions.insert(ConnectInfo(SocketAddr::new(direct.parse().unwrap(), 1)));
        let name = HeaderName::from_static("x-forwarded-for");
        let headers =
            forwarded.iter().map(|list| (name.clone(), HeaderValue::from_str(list).unwrap())).collect();
        proxies.peer(&extensions, &headers).to_string()
    }

    #[test]
    fn only_a_trusted_proxy_s_word_counts() {
        for (direct, forwarded, expected) in [
            ("192.0.2.1", &[][..], "192.0.2.1"),
            ("192.0.2.1", &["1.1.1.1"], "192.0.2.1"),
            ("10.1.2.3", &["1.1.1.1"], "1.1.1.1"),
            ("::ffff:10.1.2.3", &["1.1.1.1"], "1.1.1.1"),
            ("10.1.2.3", &["9.9.9.9, 1.1.1.1"], "1.1.1.1"),
            ("10.1.2.3", &["9.9.9.9", "1.1.1.1,10.0.0.2"], "1.1.1.1"),
            ("10.1.2.3", &["10.0.0.2"], "10.0.0.2"),
            ("10.1.2.3", &["unknown"], "10.1.2.3"),
            ("10.1.2.3", &[], "10.1.2.3"),
            ("fd00::1", &["2001:db8::7"], "2001:db8::7"),
            ("fd00::2", &["2001:db8::7"], "fd00::2"),
        ] {
            assert_eq!(peer(direct, forwarded), expected, "{direct} {forwarded:?}");
        }
    }

    #[test]
    fn networks_are_addresses_with_a_length() {
        for bad in ["", "nginx", "10.0.0.0/33", "10.0.0.0/x", "::/129", "10.0.0.0/"] {
            assert!(Proxies::default().add(bad).is_err(), "{bad:?}");
        }
        let everyone = Network::read("0.0.0.0/0").unwrap();
        assert!(everyone.holds("203.0.113.9".parse().unwrap()));
        assert!(!everyone.holds("::1".parse().unwrap()));
    }

    #[test]
    fn a_household_is_one_address_or_one_network() {
        for (address, expected) in [
            ("192.0.2.1", "192.0.2.1"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
            ("::ffff:1.2.3.4", "1.2.3.4"),
        ] {
            assert_eq!(household(address.parse().unwrap()).to_string(), expected);
        }
    }
}
