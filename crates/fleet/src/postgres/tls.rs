//! The connection to the server: encrypted and with its certificate checked, unless it is on this
//! machine or the address says otherwise.

use std::str::FromStr as _;
use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::database::{Fault, FaultKind, Result};
use crate::place::Server;

/// The name by which clients identify themselves to the server.
const NAME: &str = "grounds fleet";

/// Reads the address, with the password of its file.
pub(super) fn config(server: &Server, shown: &str) -> Result<Config> {
    // The library's message repeats parts of a wrong address, which may be a password.
    let mut config = Config::from_str(server.address()).map_err(|_| Fault {
        kind: FaultKind::Usage,
        ledger: shown.to_owned(),
        why: "the address cannot be read; write postgres://USER@HOST:PORT/DATABASE".to_owned(),
    })?;
    if let Some(password) = server.password()? {
        config.password(password);
    }
    config.application_name(NAME);
    let is_near = config.get_hosts().iter().all(|host| match host {
        Host::Tcp(name) => matches!(name.as_str(), "localhost" | "127.0.0.1" | "::1"),
        #[cfg(unix)]
        Host::Unix(_) => true,
    });
    // The library's default encrypts only if the server offers it. For a remote server that is not
    // enough, and on this machine, nobody can check the certificate that a distribution makes.
    if config.get_ssl_mode() == SslMode::Prefer {
        config.ssl_mode(match is_near && !server.has_certificates() {
            true => SslMode::Disable,
            false => SslMode::Require,
        });
    }
    Ok(config)
}

/// Returns the connector that encrypts.
pub(super) fn connector(server: &Server, shown: &str) -> Result<MakeRustlsConnect> {
    let wrong = |why: String| Fault {
        kind: FaultKind::Usage,
        ledger: shown.to_owned(),
        why: format!("the certificates cannot be used: {why}"),
    };
    let mut roots = RootCertStore::empty();
    // Certificates that are named replace the common ones, so that no other authority is trusted.
    match server.certificates()? {
        Some(text) => {
            for certificate in CertificateDer::pem_slice_iter(text.as_bytes()) {
                let certificate = certificate.map_err(|error| wrong(error.to_string()))?;
                roots
                    .add(certificate)
                    .map_err(|error| wrong(error.to_string()))?;
            }
            if roots.is_empty() {
                return Err(wrong("the file has none".to_owned()));
            }
        }
        None => roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned()),
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| wrong(error.to_string()))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}
