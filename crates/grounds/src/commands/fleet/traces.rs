//! Traces of a worker's jobs in OpenTelemetry. Only the environment of the worker says whether and
//! where they are sent, by the standard variables. No job waits for them, fails because of them, or
//! ends with another exit code.

#[cfg(not(feature = "telemetry"))]
mod absent;
#[cfg(feature = "telemetry")]
mod answer;
#[cfg(feature = "telemetry")]
mod attempt;
#[cfg(feature = "telemetry")]
mod client;
#[cfg(feature = "telemetry")]
mod sender;
#[cfg(feature = "telemetry")]
mod settings;
#[cfg(feature = "telemetry")]
mod spans;

use std::io::Write as _;

use crate::safe;

#[cfg(not(feature = "telemetry"))]
pub(super) use absent::Traces;
#[cfg(feature = "telemetry")]
pub(super) use spans::Traces;

/// The variables with the credentials for a collector: no job needs them.
pub(super) const SECRET_VARIABLES: [&str; 2] = [
    "OTEL_EXPORTER_OTLP_HEADERS",
    "OTEL_EXPORTER_OTLP_TRACES_HEADERS",
];
/// The variables with the address of a collector, the first that is set counts.
const ADDRESS_VARIABLES: [&str; 2] = [
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    "OTEL_EXPORTER_OTLP_ENDPOINT",
];

/// Returns the variable that names a collector, with its value; `None` if nothing is to be sent.
fn asked_by() -> Option<(&'static str, String)> {
    let is_off = variable("OTEL_SDK_DISABLED")
        .is_some_and(|text| text.eq_ignore_ascii_case("true"))
        || variable("OTEL_TRACES_EXPORTER").is_some_and(|text| text == "none");
    ADDRESS_VARIABLES
        .into_iter()
        .find_map(|name| variable(name).map(|text| (name, text)))
        .filter(|_| !is_off)
}

/// Returns the value of a variable that is set and not empty.
fn variable(name: &str) -> Option<String> {
    let text = std::env::var(name).ok()?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

fn warn(text: &str) {
    let _ = writeln!(
        std::io::stderr().lock(),
        "warning: {}",
        safe::for_line(text)
    );
}
