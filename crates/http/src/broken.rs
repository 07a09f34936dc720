//! The failures of an exchange in our own words: a library's message could quote an address, a
//! header or a key.

use std::io;

use ureq::{Error, Timeout};

/// Why there is no complete response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HttpBroken {
    /// No connection in time.
    ConnectTimeUp,
    /// No complete response in time.
    TimeUp,
    /// The connection ended in the middle, with a description.
    CutShort(String),
    /// The response has more bytes than the maximum.
    TooLarge(u64),
    /// The name of the host is not known.
    NoSuchHost,
    /// No server listens there, or the network does not reach it.
    Unreachable(String),
    /// Encryption could not be agreed.
    Tls(String),
    /// The proxy does not work.
    Proxy,
    /// The headers of the response are too large.
    Headers,
    /// The body cannot be unpacked.
    Packed,
    /// Bytes that are invalid for their layer: of encryption before the headers, of packing after
    /// them.
    Invalid(String),
    /// The response is not HTTP.
    NotHttp,
    /// Anything else.
    Unusable,
}

/// Returns the meaning of an error of the library.
pub fn of_library(error: &Error) -> HttpBroken {
    match error {
        // Apart from other timeouts: this one shows that the server was never reached.
        Error::Timeout(Timeout::Connect) => HttpBroken::ConnectTimeUp,
        Error::Timeout(_) => HttpBroken::TimeUp,
        Error::HostNotFound => HttpBroken::NoSuchHost,
        Error::ConnectionFailed => HttpBroken::Unreachable("no connection".to_owned()),
        Error::Io(error) => of_io(error),
        Error::Tls(_) | Error::Pem(_) | Error::TlsRequired => {
            HttpBroken::Tls("encryption could not be agreed".to_owned())
        }
        Error::Rustls(error) => HttpBroken::Tls(error.to_string()),
        Error::InvalidProxyUrl | Error::ConnectProxyFailed(_) => HttpBroken::Proxy,
        Error::LargeResponseHeader(..) => HttpBroken::Headers,
        Error::Decompress(..) => HttpBroken::Packed,
        Error::BodyExceedsLimit(bytes) => HttpBroken::TooLarge(*bytes),
        Error::BodyStalled => HttpBroken::CutShort("it was cut".to_owned()),
        Error::Protocol(_) | Error::Http(_) | Error::BadUri(_) => HttpBroken::NotHttp,
        _ => HttpBroken::Unusable,
    }
}

/// Returns the meaning of an error of a connection, or of reading a body.
pub fn of_io(error: &io::Error) -> HttpBroken {
    // The library wraps its own errors in I/O errors while a body is read.
    let inner = error
        .get_ref()
        .and_then(|inner| inner.downcast_ref::<Error>());
    if let Some(inner) = inner {
        return of_library(inner);
    }
    match error.kind() {
        io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => HttpBroken::TimeUp,
        kind @ (io::ErrorKind::UnexpectedEof
        | io::ErrorKind::ConnectionReset
        | io::ErrorKind::ConnectionAborted
        | io::ErrorKind::BrokenPipe) => HttpBroken::CutShort(kind.to_string()),
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => {
            HttpBroken::Invalid(error.to_string())
        }
        kind => HttpBroken::Unreachable(kind.to_string()),
    }
}
