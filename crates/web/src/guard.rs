//! What may be reached: addresses of http and https on common ports, without a
//! name and password, whose host is not on this machine or in a private network.
//! The host is judged by its numbers when it is dialled ([`Dialer`]), so that a
//! name that changes its numbers between two look-ups gains nothing.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;
use url::{Host, Url};

/// Bytes of an address.
const ADDRESS_BYTES_MAX: usize = 2048;
/// The ports of the web; others belong to services that are no pages.
const PORTS: [u16; 4] = [80, 443, 8080, 8443];

/// What may be reached beside the public web.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reach {
    /// Nothing.
    #[default]
    Public,
    /// This machine too, on any port: for tests only.
    Loopback,
}

/// An address that may be asked: checked, and written in one way.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WebAddress(Url);

/// Why an address may not be asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// It is not an address.
    #[error("it is not an address")]
    Malformed,
    /// It is longer than any page's.
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
    /// Its host is a number that may not be reached, or a name that only a private network has.
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

    /// The address that a redirect leads to, checked like any other.
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
        if !url.username().is_empty() || url.password().is_some() {
            return Err(AddressError::UserInfo);
        }
        let is_allowed_by_name = check_host(&url, reach)?;
        let port = url.port_or_known_default().ok_or(AddressError::Malformed)?;
        if !PORTS.contains(&port) && !is_allowed_by_name {
            return Err(AddressError::Port(port));
        }
        url.set_fragment(None);
        Ok(Self(url))
    }

    /// The address as a URL.
    #[must_use]
    pub const fn url(&self) -> &Url {
        &self.0
    }

    /// The address as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Scheme, host and port: what has one `robots.txt`.
    #[must_use]
    pub fn origin(&self) -> String {
        self.0.origin().ascii_serialization()
    }

    /// The host, for manners.
    #[must_use]
    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }
}

/// Whether any port may be asked there, or why the host may not be reached at all.
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

/// Names that no public host has. The numbers behind other names are judged when they are dialled.
fn check_name(name: &str, reach: Reach) -> Result<bool, AddressError> {
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
        (false, _) if !name.contains('.') => Err(AddressError::Host("a name without a domain")),
        (false, _) => Ok(false),
    }
}

/// Why a number may not be reached; `None` if it may.
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

/// Only the block of the public Internet is reached, without what in it stands for something else.
fn refused_v6(number: Ipv6Addr) -> Option<&'static str> {
    let segments = number.segments();
    let low = || v4_of(segments[6], segments[7]);
    match segments {
        [0, 0, 0, 0, 0, 0, 0, 0] => Some("an unspecified number"),
        [0, 0, 0, 0, 0, 0, 0, 1] => Some("this machine"),
        // IPv4 in the clothes of IPv6: mapped, compatible, translated. A system dials the inner
        // number.
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

/// How names become numbers: the system's way, or a script of a test.
pub trait Lookup: Send + Sync + std::fmt::Debug + 'static {
    /// The numbers of a host now; each call may give others.
    ///
    /// # Errors
    /// Those of the client.
    fn numbers(
        &self,
        uri: &ureq::http::Uri,
        config: &ureq::config::Config,
        within: NextTimeout,
    ) -> Result<Vec<SocketAddr>, ureq::Error>;
}

/// The system's look-up.
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

/// Gives the client the numbers to dial, and only those that may be reached. What it gives is
/// what is dialled: there is no second look-up.
#[derive(Debug)]
pub struct Dialer<L> {
    lookup: L,
    reach: Reach,
}

impl<L> Dialer<L> {
    /// A dialer over a look-up.
    pub const fn new(lookup: L, reach: Reach) -> Self {
        Self { lookup, reach }
    }
}

/// Why nothing was dialled. It goes through the client as an error of input and output.
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
        // One number that may not be reached spoils all: a name that has both is made to lead
        // inwards.
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

/// Numbers of one host that are tried.
const DIALLED_MAX: usize = 8;

#[cfg(test)]
mod tests;
