//! The configuration of a client.

use std::io::{self, Read as _};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use ureq::config::Config;
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};
use ureq::{Agent, Proxy};

/// Maximum number of bytes of a file of certificates.
const CERTIFICATES_BYTES_MAX: u64 = 4 << 20;

/// The options in which clients differ.
#[derive(Clone, Debug)]
pub struct ClientOptions<'a> {
    /// The user agent of requests.
    pub user_agent: &'a str,
    /// Maximum number of bytes of all headers of a response.
    pub headers_bytes_max: usize,
    /// Timeout of connecting; `None` leaves it to the timeout of the whole exchange.
    pub connect_within: Option<Duration>,
    /// Maximum number of connections to one host that are kept open for the next request.
    pub idle_connections_max: usize,
    /// A file of certificates that are trusted instead of the default ones; `None` for the default.
    pub certificates: Option<&'a Path>,
    /// The proxy; `None` uses no proxy, whatever the environment names.
    pub proxy: Option<Proxy>,
}

/// Returns the configuration of a client that follows no redirects, retries nothing, and returns
/// each status as it is.
///
/// # Errors
/// If the file of certificates cannot be read or contains no certificate.
pub fn config(options: ClientOptions<'_>) -> io::Result<Config> {
    let roots = options
        .certificates
        .map(certificates)
        .transpose()?
        .unwrap_or(RootCerts::WebPki);
    Ok(Agent::config_builder()
        .proxy(options.proxy)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .http_status_as_error(false)
        .max_response_header_size(options.headers_bytes_max)
        .timeout_connect(options.connect_within)
        .max_idle_connections_per_host(options.idle_connections_max)
        .user_agent(options.user_agent)
        .tls_config(TlsConfig::builder().root_certs(roots).build())
        .build())
}

fn certificates(path: &Path) -> io::Result<RootCerts> {
    let mut bytes = Vec::new();
    std::fs::File::open(path)?
        .take(CERTIFICATES_BYTES_MAX)
        .read_to_end(&mut bytes)?;
    let of_item = |item| match item {
        Ok(PemItem::Certificate(certificate)) => Some(certificate),
        Ok(_) | Err(_) => None,
    };
    let certificates: Vec<Certificate<'static>> = parse_pem(&bytes).filter_map(of_item).collect();
    if certificates.is_empty() {
        let why = "it holds no certificate";
        return Err(io::Error::new(io::ErrorKind::InvalidData, why));
    }
    Ok(RootCerts::Specific(Arc::new(certificates)))
}
