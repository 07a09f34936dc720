//! The address of a provider: https, or http to this machine, without credentials in it.

use std::fmt;

use ureq::http::Uri;

/// Maximum number of bytes of an address.
const ADDRESS_BYTES_MAX: usize = 2 << 10;

/// A checked base address of a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseUrl {
    origin: String,
    host: String,
    path: String,
    query: Option<String>,
    is_local: bool,
}

/// Why a text is no address of a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// It is no address.
    #[error("it is not an address: write https://HOST[:PORT][/PATH]")]
    Malformed,
    /// It contains a user name or a password.
    #[error("it holds a user name or a password; a key has its own place")]
    Credentials,
    /// It would send everything in clear text.
    #[error("only https is spoken to other machines")]
    ClearText,
}

impl BaseUrl {
    /// Parses an address.
    ///
    /// # Errors
    /// [`AddressError`] if it is malformed, contains credentials or is not https.
    pub fn parse(text: &str) -> Result<Self, AddressError> {
        if text.len() > ADDRESS_BYTES_MAX
            || !text.bytes().all(|byte| byte.is_ascii_graphic())
            || text.contains('#')
        {
            return Err(AddressError::Malformed);
        }
        let uri: Uri = text.parse().map_err(|_| AddressError::Malformed)?;
        let authority = uri.authority().ok_or(AddressError::Malformed)?;
        // A password in the address would be written to recordings and messages, which never
        // contain the key.
        if authority.as_str().contains('@') {
            return Err(AddressError::Credentials);
        }
        let host = authority.host().to_ascii_lowercase();
        let is_local = is_this_machine(&host);
        match uri.scheme_str().map(str::to_ascii_lowercase).as_deref() {
            Some("https") => {}
            Some("http") if is_local => {}
            Some("http") => return Err(AddressError::ClearText),
            Some(_) | None => return Err(AddressError::Malformed),
        }
        let origin = format!(
            "{}://{}",
            uri.scheme_str().unwrap_or("https"),
            authority.as_str()
        )
        .to_ascii_lowercase();
        let path = uri.path().trim_end_matches('/').to_owned();
        Ok(Self {
            origin,
            host,
            path,
            query: uri.query().map(str::to_owned),
            is_local,
        })
    }

    /// Returns the address of a path below this one; a query stays at the end.
    pub fn below(&self, path: &str) -> String {
        let query = self
            .query
            .as_ref()
            .map(|query| format!("?{query}"))
            .unwrap_or_default();
        format!("{}{}{path}{query}", self.origin, self.path)
    }

    /// Returns the path, without a slash at its end.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns the host in lower case.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Reports whether the host is the machine on which the program runs.
    pub fn is_local(&self) -> bool {
        self.is_local
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.below(""))
    }
}

fn is_this_machine(host: &str) -> bool {
    let is_v4 = host
        .parse::<std::net::Ipv4Addr>()
        .is_ok_and(|address| address.is_loopback());
    is_v4 || ["localhost", "[::1]"].contains(&host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_https_leaves_the_machine() {
        assert_eq!(
            BaseUrl::parse("http://example.org/v1"),
            Err(AddressError::ClearText)
        );
        assert_eq!(
            BaseUrl::parse("http://127.0.0.1.example.org"),
            Err(AddressError::ClearText)
        );
        assert_eq!(
            BaseUrl::parse("http://localhost.example.org:80"),
            Err(AddressError::ClearText)
        );
        assert_eq!(
            BaseUrl::parse("https://me:word@example.org"),
            Err(AddressError::Credentials)
        );
        assert_eq!(
            BaseUrl::parse("http://localhost@example.org"),
            Err(AddressError::Credentials)
        );
        for text in [
            "",
            "example.org",
            "ftp://example.org",
            "file:///etc/passwd",
            "https://",
            "https://a b",
            "https://x/#y",
            "/v1",
        ] {
            assert_eq!(BaseUrl::parse(text), Err(AddressError::Malformed), "{text}");
        }
        for text in [
            "http://127.0.0.1:8080",
            "http://[::1]:1",
            "http://LocalHost/v1",
            "https://example.org/v1/",
        ] {
            assert!(BaseUrl::parse(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn what_is_below_keeps_the_query() {
        let base =
            BaseUrl::parse("https://NAME.example.org/openai/?api-version=1").expect("an address");
        assert_eq!(
            base.below("/chat"),
            "https://name.example.org/openai/chat?api-version=1"
        );
        assert!(!base.is_local());
    }
}
