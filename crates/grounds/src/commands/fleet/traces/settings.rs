//! Settings of the environment that the libraries of OpenTelemetry ignore silently, or leave to the
//! program that brings the HTTP client.

use std::path::PathBuf;
use std::time::Duration;

use grounds_http::Network;
use opentelemetry_otlp::OTEL_EXPORTER_OTLP_TIMEOUT_DEFAULT;

use super::variable;

/// The address to which spans are sent, and the way.
#[derive(Debug)]
pub(super) struct TraceSettings {
    /// The host of the collector.
    pub(super) host: String,
    /// The time of one request.
    pub(super) within: Duration,
    /// The proxy and the certificates of the person.
    pub(super) network: Network,
    /// Warnings about settings that are ignored.
    pub(super) ignored: Vec<String>,
}

impl TraceSettings {
    /// Reads the settings for the collector at an address.
    ///
    /// # Errors
    /// Words for an address that cannot be used; they do not repeat it, since it may have a password.
    pub(super) fn of(address: &str) -> Result<Self, String> {
        let host =
            host(address).ok_or("it is not an address that starts with http:// or https://")?;
        // By the specification of OpenTelemetry, the variable for traces counts before the one for
        // all signals.
        let of_traces = |name: &str| {
            variable(&format!("OTEL_EXPORTER_OTLP_TRACES_{name}"))
                .or_else(|| variable(&format!("OTEL_EXPORTER_OTLP_{name}")))
        };
        let mut network = Network::from_environment(&|name| variable(name));
        // It names the certificates of the collector alone, so that it counts before
        // `SSL_CERT_FILE`.
        if let Some(file) = of_traces("CERTIFICATE") {
            network.certificates = Some(PathBuf::from(file));
        }
        // Without a warning a person would wait for spans at a collector that understands gRPC
        // only.
        let unkept = |name: &str, only: &str| {
            of_traces(name)
                .filter(|value| !value.eq_ignore_ascii_case(only))
                .map(|_| format!("OTEL_EXPORTER_OTLP_{name} is ignored: it can only be `{only}`"))
        };
        let no_number = of_traces("TIMEOUT")
            .filter(|text| text.parse::<u64>().is_err())
            .map(|_| {
                "OTEL_EXPORTER_OTLP_TIMEOUT is ignored: it is no number of milliseconds".to_owned()
            });
        Ok(Self {
            host,
            within: of_traces("TIMEOUT")
                .and_then(|text| text.parse().ok())
                .map_or(OTEL_EXPORTER_OTLP_TIMEOUT_DEFAULT, Duration::from_millis),
            network,
            ignored: [
                unkept("PROTOCOL", "http/protobuf"),
                unkept("COMPRESSION", "none"),
                no_number,
            ]
            .into_iter()
            .flatten()
            .collect(),
        })
    }

    /// Reports whether the collector is on this machine.
    pub(super) fn is_local(&self) -> bool {
        self.host == "localhost"
            || self
                .host
                .parse::<std::net::IpAddr>()
                .is_ok_and(|address| address.is_loopback())
    }
}

fn host(address: &str) -> Option<String> {
    let uri: ureq::http::Uri = address.parse().ok()?;
    let is_web = matches!(uri.scheme_str(), Some("http" | "https"));
    let host = uri.host().filter(|host| is_web && !host.is_empty())?;
    // The host of `http://[::1]:4318` is `[::1]`, which is no address to the parser of addresses.
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    Some(bare.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::host;

    #[test]
    fn an_address_has_a_scheme_and_a_host() {
        let cases = [
            ("http://localhost:4318", Some("localhost")),
            (
                "https://someone:secret@Example.org/v1/traces",
                Some("example.org"),
            ),
            ("http://[::1]:4318", Some("::1")),
            ("localhost:4318", None),
            ("example.org", None),
            ("grpc://example.org", None),
            ("http://", None),
            ("no address at all", None),
        ];
        for (address, expected) in cases {
            assert_eq!(host(address).as_deref(), expected, "{address}");
        }
    }
}
