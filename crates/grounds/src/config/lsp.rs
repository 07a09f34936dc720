//! The section `lsp` of the person's own configuration: the bounds of the language server.
//! A file in the checkout may not have it, for the reason of the section `mcp`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::from_one_to;

/// Bounds of `grounds lsp`. In the person's own configuration only.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LspConfig {
    /// Jobs that run at one time; further ones wait.
    #[schemars(range(min = 1, max = 64))]
    #[serde(deserialize_with = "from_one_to::<_, _, 64>")]
    pub jobs_max: Option<usize>,
    /// Jobs that may wait; one more fails, and the editor shows it.
    #[schemars(range(min = 1, max = 10_000))]
    #[serde(deserialize_with = "from_one_to::<_, _, 10_000>")]
    pub jobs_waiting_max: Option<usize>,
    /// Milliseconds of one job, without its waiting.
    #[schemars(range(min = 1, max = 86_400_000))]
    #[serde(deserialize_with = "from_one_to::<_, _, 86_400_000>")]
    pub job_ms_max: Option<u64>,
    /// Milliseconds of the search for the functions of one document.
    #[schemars(range(min = 1, max = 86_400_000))]
    #[serde(deserialize_with = "from_one_to::<_, _, 86_400_000>")]
    pub parse_ms_max: Option<u64>,
    /// Bytes of the report of one job; a longer one fails the job.
    #[schemars(range(min = 1, max = 1_073_741_824))]
    #[serde(deserialize_with = "from_one_to::<_, _, 1_073_741_824>")]
    pub output_bytes_max: Option<usize>,
    /// Bytes of one message of the editor; a longer one is skipped, and the editor shows it.
    #[schemars(range(min = 1, max = 1_073_741_824))]
    #[serde(deserialize_with = "from_one_to::<_, _, 1_073_741_824>")]
    pub message_bytes_max: Option<usize>,
    /// Open documents; one more is not checked, and the editor shows it.
    #[schemars(range(min = 1, max = 100_000))]
    #[serde(deserialize_with = "from_one_to::<_, _, 100_000>")]
    pub documents_max: Option<usize>,
    /// Bytes of all open documents together.
    #[schemars(range(min = 1, max = 1_073_741_824))]
    #[serde(deserialize_with = "from_one_to::<_, _, 1_073_741_824>")]
    pub documents_bytes_max: Option<usize>,
    /// Findings that are shown in one document; the number of the others is shown.
    #[schemars(range(min = 1, max = 100_000))]
    #[serde(deserialize_with = "from_one_to::<_, _, 100_000>")]
    pub diagnostics_max: Option<usize>,
    /// Functions of one document that have a lens; the number of the others is logged.
    #[schemars(range(min = 1, max = 20_000))]
    #[serde(deserialize_with = "from_one_to::<_, _, 20_000>")]
    pub lenses_max: Option<usize>,
}

/// The bounds of a language server.
#[derive(Clone, Copy, Debug)]
pub struct LspBounds {
    /// Jobs that run at one time.
    pub jobs_max: usize,
    /// Jobs that may wait.
    pub jobs_waiting_max: usize,
    /// Milliseconds of one job.
    pub job_ms_max: u64,
    /// Milliseconds of the search for the functions of one document.
    pub parse_ms_max: u64,
    /// Bytes of the report of one job.
    pub output_bytes_max: usize,
    /// Bytes of one message of the editor.
    pub message_bytes_max: usize,
    /// Open documents.
    pub documents_max: usize,
    /// Bytes of all open documents together.
    pub documents_bytes_max: usize,
    /// Findings that are shown in one document.
    pub diagnostics_max: usize,
    /// Functions of one document that have a lens.
    pub lenses_max: usize,
}

const DEFAULT: LspBounds = LspBounds {
    jobs_max: 2,
    jobs_waiting_max: 256,
    job_ms_max: 120_000,
    parse_ms_max: 2_000,
    output_bytes_max: 16 << 20,
    message_bytes_max: 32 << 20,
    documents_max: 1_000,
    documents_bytes_max: 256 << 20,
    diagnostics_max: 500,
    lenses_max: 500,
};

impl LspConfig {
    /// Returns the default bounds, as a configuration.
    pub(super) const fn usual() -> Self {
        Self {
            jobs_max: Some(DEFAULT.jobs_max),
            jobs_waiting_max: Some(DEFAULT.jobs_waiting_max),
            job_ms_max: Some(DEFAULT.job_ms_max),
            parse_ms_max: Some(DEFAULT.parse_ms_max),
            output_bytes_max: Some(DEFAULT.output_bytes_max),
            message_bytes_max: Some(DEFAULT.message_bytes_max),
            documents_max: Some(DEFAULT.documents_max),
            documents_bytes_max: Some(DEFAULT.documents_bytes_max),
            diagnostics_max: Some(DEFAULT.diagnostics_max),
            lenses_max: Some(DEFAULT.lenses_max),
        }
    }

    /// Returns the default bounds with the values of the configuration.
    pub fn bounds(&self) -> LspBounds {
        LspBounds {
            jobs_max: self.jobs_max.unwrap_or(DEFAULT.jobs_max),
            jobs_waiting_max: self.jobs_waiting_max.unwrap_or(DEFAULT.jobs_waiting_max),
            job_ms_max: self.job_ms_max.unwrap_or(DEFAULT.job_ms_max),
            parse_ms_max: self.parse_ms_max.unwrap_or(DEFAULT.parse_ms_max),
            output_bytes_max: self.output_bytes_max.unwrap_or(DEFAULT.output_bytes_max),
            message_bytes_max: self.message_bytes_max.unwrap_or(DEFAULT.message_bytes_max),
            documents_max: self.documents_max.unwrap_or(DEFAULT.documents_max),
            documents_bytes_max: self
                .documents_bytes_max
                .unwrap_or(DEFAULT.documents_bytes_max),
            diagnostics_max: self.diagnostics_max.unwrap_or(DEFAULT.diagnostics_max),
            lenses_max: self.lenses_max.unwrap_or(DEFAULT.lenses_max),
        }
    }
}
