//! The configuration of a client.

use std::io::{self, Read as _};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use ureq::config::Config;
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};
use ureq::{Agent, Proxy};

/// Bytes of a file of certificates.
const CERTIFICATES_BYTES_MAX: u64 = 4 << 20;

/// What differs from client to client.
#[derive(Clone, Debug)]
pub struct ClientOptions<'a> {
    /// How requests name who asks.
    pub user_agent: &'a str,
    /// Bytes of all headers of an answer.
    pub headers_bytes_max: usize,
    /// Time to make a connection; `None` leaves it to the bound of the whole exchange.
    pub connect_within: Option<Duration>,
    /// Connections to one host that are kept open for the next request.
    pub idle_connections_max: usize,
    /// A file of certificates that are trusted instead of the common ones.
    pub certificates: Option<&'a Path>,
    /// The proxy on the way.
    pub proxy: Option<Proxy>,
}

/// Returns the configuration of a client that follows nothing, retries nothing, and gives each status as it is.
///
/// # Errors
/// When the file of certificates cannot be read or has no certificate.
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
