//! Decides what may be reached: addresses of http and https on common ports, without a name and
//! password, whose host is not on this machine or in a private network. The IP address of the host
//! is checked when it is dialled ([`Dialer`]), so that a name that changes its IP address between
//! two look-ups gains nothing.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;
use url::{Host, Url};

/// Maximum number of bytes of an address.
const ADDRESS_BYTES_MAX: usize = 2048;
/// The ports of the web; others belong to services that serve no pages.
const PORTS: [u16; 4] = [80, 443, 8080, 8443];

/// What may be reached in addition to the public web.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reach {
    /// Nothing.
    #[default]
    Public,
    /// This machine too, on any port: for tests only.
    Loopback,
}

/// An address that may be requested: checked and normalised.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WebAddress(Url);

/// Why an address may not be requested.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// It is not an address.
    #[error("it is not an address")]
    Malformed,
    /// It is longer than the address of any page.
    #[error("it is longer than {ADDRESS_BYTES_MAX} bytes")]
    Long,
    /// Its scheme is another.
    #[error("only http and https are fetched, and it is `{0}`")]
    Scheme(String),
    /// It has a name or a password in it.
    #[error("it has a user name or a password in it")]
    UserInfo,
    /// Its port is not used for the web.
    #[error("port {0} is not a web port (80, 443, 8080, 8443)")]
    Port(u16),
    /// Its host is an IP address that may not be reached, or a name that only a private network
    /// has.
    #[error("its host is {0}")]
    Host(&'static str),
}

impl WebAddress {
    /// Checks an address.
    ///
    /// # Errors
    /// [`AddressError`].
    pub fn parse(text: &str, reach: Reach) -> Result<Self, AddressError> {
        if text.len() > ADDRESS_BYTES_MAX {
            return Err(AddressError::Long);
        }
        Self::of(
            Url::parse(text.trim()).map_err(|_| AddressError::Malformed)?,
            reach,
        )
    }

    /// Resolves a redirect against this address, and checks it like any other address.
    ///
    /// # Errors
    /// [`AddressError`].
    pub fn join(&self, location: &str, reach: Reach) -> Result<Self, AddressError> {
        if location.len() > ADDRESS_BYTES_MAX {
            return Err(AddressError::Long);
        }
        Self::of(
            self.0
                .join(location.trim())
                .map_err(|_| AddressError::Malformed)?,
            reach,
        )
    }

    fn of(mut url: Url, reach: Reach) -> Result<Self, AddressError> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(AddressError::Scheme(
                url.scheme().chars().take(20).collect(),
            ));
        }
        // `https://reuters.com@evil.example/` looks like an address of another host.
        if !url.username().is_empty() || url.password().is_some() {
            return Err(AddressError::UserInfo);
        }
        let is_allowed_by_name = check_host(&url, reach)?;
        let port = url.port_or_known_default().ok_or(AddressError::Malformed)?;
        if !PORTS.contains(&port) && !is_allowed_by_name {
            return Err(AddressError::Port(port));
        }
        // A fragment is not sent: addresses that differ only in it have the same page.
        url.set_fragment(None);
        Ok(Self(url))
    }

    /// Returns the address as a URL.
    #[must_use]
    pub const fn url(&self) -> &Url {
        &self.0
    }

    /// Returns the address as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Returns scheme, host and port, which together have one `robots.txt`.
    #[must_use]
    pub fn origin(&self) -> String {
        self.0.origin().ascii_serialization()
    }

    /// Returns the host.
    #[must_use]
    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }
}

/// Reports whether any port may be requested there, or why the host may not be reached at all.
fn check_host(url: &Url, reach: Reach) -> Result<bool, AddressError> {
    let number = match url.host().ok_or(AddressError::Malformed)? {
        Host::Ipv4(number) => IpAddr::V4(number),
        Host::Ipv6(number) => IpAddr::V6(number),
        Host::Domain(name) => return check_name(name, reach),
    };
    refused(number, reach).map_or(
        Ok(reach == Reach::Loopback && number.is_loopback()),
        |why| Err(AddressError::Host(why)),
    )
}

/// Checks for names that no public host has. The IP addresses of other names are checked when they
/// are dialled.
fn check_name(name: &str, reach: Reach) -> Result<bool, AddressError> {
    // `localhost.` is the same name.
    let name = name.trim_end_matches('.');
    let ends = |ending: &str| {
        name == ending
            || name
                .strip_suffix(ending)
                .is_some_and(|rest| rest.ends_with('.'))
    };
    match (ends("localhost"), reach) {
        (true, Reach::Loopback) => Ok(true),
        (true, Reach::Public) => Err(AddressError::Host("this machine")),
        (false, _)
            if [
                "local",
                "internal",
                "intranet",
                "lan",
                "home.arpa",
                "onion",
                "test",
                "invalid",
            ]
            .into_iter()
            .any(ends) =>
        {
            Err(AddressError::Host("a name of private networks"))
        }
        // A name of one label is resolved within the local domain.
        (false, _) if !name.contains('.') => Err(AddressError::Host("a name without a domain")),
        (false, _) => Ok(false),
    }
}

/// Returns why an IP address may not be reached; `None` if it may.
#[must_use]
pub fn refused(number: IpAddr, reach: Reach) -> Option<&'static str> {
    if reach == Reach::Loopback && number.is_loopback() {
        return None;
    }
    match number {
        IpAddr::V4(number) => refused_v4(number),
        IpAddr::V6(number) => refused_v6(number),
    }
}

fn refused_v4(number: Ipv4Addr) -> Option<&'static str> {
    let [first, second, third, _] = number.octets();
    match (first, second, third) {
        // Linux connects `0.0.0.0` to this machine.
        (0, ..) => Some("an unspecified number"),
        (127, ..) => Some("this machine"),
        (10, ..) | (172, 16..=31, _) | (192, 168, _) => Some("in a private network"),
        (169, 254, _) => Some("a number of one link only"),
        (100, 64..=127, _) => Some("behind the address translation of a carrier"),
        (192, 0, 0) | (192, 31, 196) | (192, 52, 193) | (192, 175, 48) => {
            Some("a number with a special purpose")
        }
        (192, 0, 2) | (198, 51, 100) | (203, 0, 113) => Some("a number for documentation"),
        (192, 88, 99) => Some("a relay of 6to4"),
        (198, 18 | 19, _) => Some("a number for measurements"),
        (224..=239, ..) => Some("a number for many receivers"),
        (240..=255, ..) => Some("a reserved number"),
        _ => None,
    }
}

/// Allows only the block of the public Internet, without the parts of it that have another meaning.
fn refused_v6(number: Ipv6Addr) -> Option<&'static str> {
    let segments = number.segments();
    let low = || v4_of(segments[6], segments[7]);
    match segments {
        [0, 0, 0, 0, 0, 0, 0, 0] => Some("an unspecified number"),
        [0, 0, 0, 0, 0, 0, 0, 1] => Some("this machine"),
        // IPv4 in the form of IPv6: mapped, compatible, translated. A system dials the inner IPv4
        // address.
        [0, 0, 0, 0, 0, 0 | 0xffff, ..] => {
            Some(refused_v4(low()).unwrap_or("an IPv4 number written as IPv6"))
        }
        [0, 0, 0, 0, 0xffff, 0, ..] => Some("an IPv4 number written as IPv6"),
        [0x64, 0xff9b, ..] => Some("behind a translation of numbers (NAT64)"),
        [0x100, ..] => Some("a number that is thrown away"),
        [0x2001, 0, ..] => Some("in a tunnel (Teredo)"),
        [0x2001, 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => Some("a number for documentation"),
        [0x2001, 1..=0x1ff, ..] => Some("a number with a special purpose"),
        [0x2002, ..] => Some("in a tunnel (6to4)"),
        [0x5f00, ..] => Some("a number with a special purpose"),
        [0xfc00..=0xfdff, ..] => Some("in a private network"),
        [0xfe80..=0xfeff, ..] => Some("a number of one link only"),
        [0xff00..=0xffff, ..] => Some("a number for many receivers"),
        [0x2000..=0x3fff, ..] => None,
        _ => Some("no number of the public Internet"),
    }
}

fn v4_of(high: u16, low: u16) -> Ipv4Addr {
    Ipv4Addr::from((u32::from(high) << 16) | u32::from(low))
}

/// Resolves names to IP addresses: as the system does, or by the script of a test.
pub trait Lookup: Send + Sync + std::fmt::Debug + 'static {
    /// Returns the IP addresses of a host now; each call may return others.
    ///
    /// # Errors
    /// The errors of the client.
    fn numbers(
        &self,
        uri: &ureq::http::Uri,
        config: &ureq::config::Config,
        within: NextTimeout,
    ) -> Result<Vec<SocketAddr>, ureq::Error>;
}

/// Resolves names as the system does.
#[derive(Debug, Default)]
pub struct SystemLookup(DefaultResolver);

impl Lookup for SystemLookup {
    fn numbers(
        &self,
        uri: &ureq::http::Uri,
        config: &ureq::config::Config,
        within: NextTimeout,
    ) -> Result<Vec<SocketAddr>, ureq::Error> {
        self.0
            .resolve(uri, config, within)
            .map(|found| found.iter().copied().collect())
    }
}

/// Gives the client the IP addresses to dial, and only those that may be reached. Exactly these are
/// dialled: there is no second look-up.
#[derive(Debug)]
pub struct Dialer<L> {
    lookup: L,
    reach: Reach,
}

impl<L> Dialer<L> {
    /// Creates a dialer over a look-up.
    pub const fn new(lookup: L, reach: Reach) -> Self {
        Self { lookup, reach }
    }
}

/// Why nothing was dialled. It passes through the client as an I/O error.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("its host is {0}")]
pub struct NotDialled(pub &'static str);

impl<L: Lookup> Resolver for Dialer<L> {
    fn resolve(
        &self,
        uri: &ureq::http::Uri,
        config: &ureq::config::Config,
        within: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let found = self.lookup.numbers(uri, config, within)?;
        let mut allowed = self.empty();
        // One IP address that may not be reached refuses them all: a name with both kinds is made
        // to lead inwards.
        if let Some(why) = found
            .iter()
            .find_map(|address| refused(address.ip(), self.reach))
        {
            return Err(ureq::Error::Io(std::io::Error::new(
                std::io::ErrorKind::PermissionDenied,
                NotDialled(why),
            )));
        }
        found
            .into_iter()
            .take(DIALLED_MAX)
            .for_each(|address| allowed.push(address));
        if allowed.is_empty() {
            Err(ureq::Error::HostNotFound)
        } else {
            Ok(allowed)
        }
    }
}

/// Maximum number of IP addresses of one host that are tried.
const DIALLED_MAX: usize = 8;

#[cfg(test)]
mod tests;
