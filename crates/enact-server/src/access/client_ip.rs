//! The address that a request comes from, also behind proxies.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::extract::ConnectInfo;
use axum::http::{Extensions, HeaderMap};
use enact_drama::Problem;
use ipnet::{IpNet, Ipv6Net};

const X_FORWARDED_FOR: &str = "x-forwarded-for";

/// The proxies in front of a server whose `X-Forwarded-For` is trusted.
#[derive(Debug, Clone, Default)]
pub(super) struct TrustedProxies(Vec<IpNet>);

impl TrustedProxies {
    pub(super) fn add(&mut self, text: &str) -> Result<(), Problem> {
        let address = || text.parse::<IpAddr>().map(IpNet::from);
        let network = text.parse::<IpNet>().or_else(|_| address()).map_err(|_| {
            Problem::config(format!("'{text}' is not an address of a proxy"))
                .hint("write it like 10.0.0.5, or like 172.16.0.0/12 for all addresses of a network")
        })?;
        self.0.push(network);
        Ok(())
    }

    fn trusts(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(&address))
    }

    /// The client's address. Each proxy adds the address it was called from at the end of `X-Forwarded-For`, so that the header
    /// is read from its end, and only as far as the proxies are trusted: everything before can be invented.
    pub(super) fn client_ip(&self, extensions: &Extensions, headers: &HeaderMap) -> IpAddr {
        let mut client = direct(extensions);
        let forwarded = headers.get_all(X_FORWARDED_FOR).iter().rev();
        let mut hops = forwarded.filter_map(|value| value.to_str().ok()).flat_map(|list| list.rsplit(','));
        while self.trusts(client) {
            match hops.next().map(|hop| hop.trim().parse::<IpAddr>()) {
                Some(Ok(hop)) => client = hop.to_canonical(),
                _ => break,
            }
        }
        client
    }

    /// Whether `X-Forwarded-For` came from a peer that is not trusted.
    pub(super) fn has_untrusted_forwarded_for(&self, extensions: &Extensions, headers: &HeaderMap) -> bool {
        headers.contains_key(X_FORWARDED_FOR) && !self.trusts(direct(extensions))
    }
}

/// The other end of the connection.
fn direct(extensions: &Extensions) -> IpAddr {
    let direct = extensions.get().map(|ConnectInfo(address): &ConnectInfo<SocketAddr>| address.ip());
    direct.unwrap_or(Ipv6Addr::UNSPECIFIED.into()).to_canonical()
}

/// What connections and requests are counted by: an IPv4 address, or the /64 of an IPv6 address, which one household or machine has
/// as a whole.
pub(crate) fn rate_limit_prefix(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Net::new_assert(address, 64).network().into(),
        v4 => v4,
    }
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderName, HeaderValue};

    use super::*;

    fn client_ip(direct: &str, forwarded: &[&str]) -> String {
        let mut proxies = TrustedProxies::default();
        proxies.add("10.0.0.0/8").unwrap();
        proxies.add("fd00::1").unwrap();
        let mut extensions = Extensions::new();
        extensions.insert(ConnectInfo(SocketAddr::new(direct.parse().unwrap(), 1)));
        let name = HeaderName::from_static("x-forwarded-for");
        let headers =
            forwarded.iter().map(|list| (name.clone(), HeaderValue::from_str(list).unwrap())).collect();
        proxies.client_ip(&extensions, &headers).to_string()
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
            assert_eq!(client_ip(direct, forwarded), expected, "{direct} {forwarded:?}");
        }
    }

    #[test]
    fn networks_are_addresses_with_a_length() {
        for bad in ["", "nginx", "10.0.0.0/33", "10.0.0.0/x", "::/129", "10.0.0.0/"] {
            assert!(TrustedProxies::default().add(bad).is_err(), "{bad:?}");
        }
        let mut everyone = TrustedProxies::default();
        everyone.add("0.0.0.0/0").unwrap();
        assert!(everyone.trusts("203.0.113.9".parse().unwrap()));
        assert!(!everyone.trusts("::1".parse().unwrap()));
    }

    #[test]
    fn a_prefix_is_one_address_or_one_network() {
        for (address, expected) in [
            ("192.0.2.1", "192.0.2.1"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
            ("::ffff:1.2.3.4", "1.2.3.4"),
        ] {
            assert_eq!(rate_limit_prefix(address.parse().unwrap()).to_string(), expected);
        }
    }
}
