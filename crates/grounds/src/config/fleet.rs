//! The section `fleet` of the person's own configuration: the ledger and the bounds of workers. A
//! file in the checkout may not have it: a repository does not choose where jobs come from and
//! where results go.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::from_one_to;

/// The ledger and the bounds of `grounds fleet`. In the person's own configuration only.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct FleetConfig {
    /// The ledger: a file, or postgres://USER@HOST/DATABASE. Without it a file of this machine.
    pub ledger: Option<String>,
    /// A file whose first line is the password for the server; read for each connection.
    pub password_file: Option<PathBuf>,
    /// A file of certificates that are trusted for the server instead of the common ones.
    pub certificates: Option<PathBuf>,
    /// The folder that repositories lie in.
    pub repositories: Option<PathBuf>,
    /// Milliseconds after which a lease without a heartbeat runs out.
    #[schemars(range(min = 1, max = 86_400_000))]
    #[serde(deserialize_with = "from_one_to::<_, _, 86_400_000>")]
    pub lease_ms: Option<u64>,
    /// Milliseconds that one job about a repository may take.
    #[schemars(range(min = 1, max = 86_400_000))]
    #[serde(deserialize_with = "from_one_to::<_, _, 86_400_000>")]
    pub job_ms_max: Option<u64>,
    /// Milliseconds that a worker waits for a ledger that does not answer before it ends.
    #[schemars(range(min = 1, max = 86_400_000))]
    #[serde(deserialize_with = "from_one_to::<_, _, 86_400_000>")]
    pub outage_ms_max: Option<u64>,
    /// Milliseconds that a worker that is asked to end waits for jobs that run.
    #[schemars(range(min = 1, max = 86_400_000))]
    #[serde(deserialize_with = "from_one_to::<_, _, 86_400_000>")]
    pub drain_ms_max: Option<u64>,
    /// Milliseconds before the first retry of a job; each further one doubles it.
    #[schemars(range(min = 1, max = 86_400_000))]
    #[serde(deserialize_with = "from_one_to::<_, _, 86_400_000>")]
    pub retry_ms: Option<u64>,
    /// Attempts of one job before it is a dead letter.
    #[schemars(range(min = 1, max = 1000))]
    #[serde(deserialize_with = "from_one_to::<_, _, 1000>")]
    pub attempts_max: Option<u32>,
    /// Jobs that a worker holds for each of its threads.
    #[schemars(range(min = 1, max = 1000))]
    #[serde(deserialize_with = "from_one_to::<_, _, 1000>")]
    pub prefetch: Option<usize>,
    /// Bytes of the report of one job; a longer one fails the job.
    #[schemars(range(min = 1, max = 16_777_216))]
    #[serde(deserialize_with = "from_one_to::<_, _, 16_777_216>")]
    pub output_bytes_max: Option<usize>,
    /// Milliseconds between two paid queries to one engine, over all workers.
    pub query_apart_ms: Option<u64>,
}

/// Bytes of the report of one job where nothing is said.
#[cfg(feature = "fleet")]
const OUTPUT_BYTES_MAX: usize = 8 << 20;

#[cfg(feature = "fleet")]
impl FleetConfig {
    /// Returns the default values, as a configuration.
    pub(super) fn usual() -> Self {
        let usual = grounds_fleet::bounds::FleetBounds::default();
        Self {
            lease_ms: Some(usual.lease_ms),
            job_ms_max: Some(usual.job_ms_max),
            outage_ms_max: Some(usual.outage_ms_max),
            drain_ms_max: Some(usual.drain_ms_max),
            retry_ms: Some(usual.retry_ms),
            attempts_max: Some(grounds_fleet::bounds::ATTEMPTS_MAX),
            prefetch: Some(usual.prefetch),
            output_bytes_max: Some(OUTPUT_BYTES_MAX),
            query_apart_ms: Some(0),
            ..Self::default()
        }
    }

    /// Returns the bounds of a worker.
    pub fn bounds(&self) -> grounds_fleet::bounds::FleetBounds {
        let usual = grounds_fleet::bounds::FleetBounds::default();
        grounds_fleet::bounds::FleetBounds {
            lease_ms: self.lease_ms.unwrap_or(usual.lease_ms),
            job_ms_max: self.job_ms_max.unwrap_or(usual.job_ms_max),
            outage_ms_max: self.outage_ms_max.unwrap_or(usual.outage_ms_max),
            drain_ms_max: self.drain_ms_max.unwrap_or(usual.drain_ms_max),
            retry_ms: self.retry_ms.unwrap_or(usual.retry_ms),
            prefetch: self.prefetch.unwrap_or(usual.prefetch),
            ..usual
        }
    }

    /// Returns the bytes that the report of one job may have.
    pub fn output_bytes_max(&self) -> usize {
        self.output_bytes_max.unwrap_or(OUTPUT_BYTES_MAX)
    }
}

#[cfg(not(feature = "fleet"))]
impl FleetConfig {
    /// Returns the default values, as a configuration.
    pub(super) fn usual() -> Self {
        Self::default()
    }
}
