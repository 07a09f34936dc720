//! Addresses of services: https, or http to this machine; no credentials in
//! them. A redirect and the next page are checked here before they are followed.

use std::fmt;

/// Bytes of an address.
const ADDRESS_BYTES_MAX: usize = 4 << 10;
/// Bytes of a host's name.
const HOST_BYTES_MAX: usize = 253;

/// An absolute address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The scheme of the host.
    pub scheme: Scheme,
    /// The host in lower case; an address of IPv6 in brackets.
    pub host: String,
    /// The port.
    pub port: u16,
    /// The path with a leading slash, and the query.
    pub path: String,
}

/// The scheme of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// Encrypted.
    Https,
    /// In clear text: only to this machine.
    Http,
}

/// Why a text is no address that may be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// It is no address at all.
    #[error("it is not an address: write https://HOST[:PORT][/PATH]")]
    Malformed,
    /// It contains a user name or a password.
    #[error("it holds a user name or a password, which belong into the variable for the token")]
    Credentials,
    /// It would send everything in clear text.
    #[error("only https is spoken to other machines")]
    ClearText,
}

impl Address {
    /// Reads an absolute address.
    ///
    /// # Errors
    /// [`AddressError`] when it is malformed, holds credentials or is not https.
    pub fn parse(text: &str) -> Result<Self, AddressError> {
        // An address goes into the first line of a request, which a blank or a line break would
        // end.
        if text.len() > ADDRESS_BYTES_MAX || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(AddressError::Malformed);
        }
        let (scheme, rest) = match (strip_word(text, "https://"), strip_word(text, "http://")) {
            (Some(rest), _) => (Scheme::Https, rest),
            (None, Some(rest)) => (Scheme::Http, rest),
            (None, None) => return Err(AddressError::Malformed),
        };
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at(end);
        if authority.contains('@') {
            return Err(AddressError::Credentials);
        }
        let (host, port) = host_and_port(authority, scheme).ok_or(AddressError::Malformed)?;
        // A fragment is never sent to a host.
        let path = path.split('#').next().unwrap_or_default();
        // `https://host?page=2` has a query and no path.
        let path = if path.starts_with('/') {
            path.to_owned()
        } else {
            format!("/{path}")
        };
        let address = Self {
            scheme,
            host,
            port,
            path,
        };
        if scheme == Scheme::Http && !address.is_this_machine() {
            Err(AddressError::ClearText)
        } else {
            Ok(address)
        }
    }

    /// Resolves an address in a response from here: an absolute address, or a path on the same
    /// host.
    ///
    /// # Errors
    /// As [`Address::parse`].
    pub fn join(&self, location: &str) -> Result<Self, AddressError> {
        // `//host/path` names another host, and is refused because it lacks a scheme.
        if !location.starts_with('/') || location.starts_with("//") {
            return Self::parse(location);
        }
        Self::parse(&format!("{}{location}", self.origin()))
    }

    /// Returns the address of something below this one.
    #[must_use]
    pub fn below(&self, path: &str) -> Self {
        Self {
            path: format!("{}{path}", self.path.trim_end_matches('/')),
            ..self.clone()
        }
    }

    /// Reports whether both have the same host, port and scheme.
    pub fn has_origin_of(&self, other: &Self) -> bool {
        (self.scheme, &self.host, self.port) == (other.scheme, &other.host, other.port)
    }

    /// Reports whether the host is the machine that the program runs on.
    pub fn is_this_machine(&self) -> bool {
        let is_v4 = self
            .host
            .parse::<std::net::Ipv4Addr>()
            .is_ok_and(|address| address.is_loopback());
        is_v4 || ["localhost", "[::1]"].contains(&self.host.as_str())
    }

    /// Returns scheme, host and port; the port is left out if it is the scheme's own.
    pub fn origin(&self) -> String {
        let (word, own) = match self.scheme {
            Scheme::Https => ("https", 443),
            Scheme::Http => ("http", 80),
        };
        if self.port == own {
            format!("{word}://{}", self.host)
        } else {
            format!("{word}://{}:{}", self.host, self.port)
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.origin(), self.path)
    }
}

fn strip_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let head = text.get(..word.len())?;
    head.eq_ignore_ascii_case(word).then(|| &text[word.len()..])
}

fn host_and_port(authority: &str, scheme: Scheme) -> Option<(String, u16)> {
    let own = match scheme {
        Scheme::Https => 443,
        Scheme::Http => 80,
    };
    // An address of IPv6 has colons too: `[::1]:8080`.
    let after_bracket = authority.find(']').map_or(0, |end| end + 1);
    let (host, port) = match authority[after_bracket..].split_once(':') {
        Some((_, digits)) => (
            &authority[..authority.len() - digits.len() - 1],
            digits.parse().ok().filter(|port| *port > 0)?,
        ),
        None => (authority, own),
    };
    let is_v6 = host
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
        .is_some_and(|inner| inner.parse::<std::net::Ipv6Addr>().is_ok());
    (is_v6 || is_host(host)).then(|| (host.to_ascii_lowercase(), port))
}

/// Reports whether a text is the name of a host: letters, digits, dots and hyphens.
pub fn is_host(text: &str) -> bool {
    let is_label = |label: &str| {
        !label.is_empty()
            && !label.starts_with('-')
            && label
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    text.len() <= HOST_BYTES_MAX && text.split('.').all(is_label)
}

/// Returns one part of a path or a value of a query with everything but letters, digits and `-._~`
/// percent-encoded.
pub fn encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}
