//! The section `mcp` of the person's own configuration: the bounds of the server.
//! A file in the checkout may not have it: a repository does not choose how much of this machine a
//! server uses.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::from_one_to;

/// Bounds of `grounds mcp`. In the person's own configuration only.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct McpConfig {
    /// Calls that are worked on at one time; further ones wait.
    #[schemars(range(min = 1, max = 64))]
    #[serde(deserialize_with = "from_one_to::<_, _, 64>")]
    pub calls_max: Option<usize>,
    /// Calls that may wait; one more is refused and told.
    #[schemars(range(min = 1, max = 10_000))]
    #[serde(deserialize_with = "from_one_to::<_, _, 10_000>")]
    pub calls_waiting_max: Option<usize>,
    /// Milliseconds of one call, without its waiting.
    #[schemars(range(min = 1, max = 86_400_000))]
    #[serde(deserialize_with = "from_one_to::<_, _, 86_400_000>")]
    pub call_ms_max: Option<u64>,
    /// Bytes of the result of one call that are read; a longer one fails the call with a message.
    #[schemars(range(min = 1, max = 1_073_741_824))]
    #[serde(deserialize_with = "from_one_to::<_, _, 1_073_741_824>")]
    pub output_bytes_max: Option<usize>,
    /// Bytes of the text of a result; a longer one is cut, and says so.
    #[schemars(range(min = 200, max = 1_073_741_824))]
    #[serde(deserialize_with = "from_one_to::<_, _, 1_073_741_824>")]
    pub text_bytes_max: Option<usize>,
    /// Bytes of one message of a client; a longer one is refused.
    #[schemars(range(min = 1, max = 1_073_741_824))]
    #[serde(deserialize_with = "from_one_to::<_, _, 1_073_741_824>")]
    pub message_bytes_max: Option<usize>,
    /// Recent runs that are listed as resources.
    #[schemars(range(min = 1, max = 1000))]
    #[serde(deserialize_with = "from_one_to::<_, _, 1000>")]
    pub runs_listed_max: Option<usize>,
}

/// The bounds of a server.
#[derive(Clone, Copy, Debug)]
pub struct McpBounds {
    /// Calls that are worked on at one time.
    pub calls_max: usize,
    /// Calls that may wait.
    pub calls_waiting_max: usize,
    /// Milliseconds of one call, without its waiting.
    pub call_ms_max: u64,
    /// Bytes of the result of one call that are read.
    pub output_bytes_max: usize,
    /// Bytes of the text of a result.
    pub text_bytes_max: usize,
    /// Bytes of one message of a client.
    pub message_bytes_max: usize,
    /// Recent runs that are listed as resources.
    pub runs_listed_max: usize,
}

/// Bounds where nothing is said. A model reads the whole text: 8 KiB are about 2,000 tokens.
const USUAL: McpBounds = McpBounds {
    calls_max: 4,
    calls_waiting_max: 256,
    call_ms_max: 600_000,
    output_bytes_max: 16 << 20,
    text_bytes_max: 8 << 10,
    message_bytes_max: 8 << 20,
    runs_listed_max: 50,
};

impl McpConfig {
    /// The bounds where nothing is said, as a configuration.
    pub(super) const fn usual() -> Self {
        Self {
            calls_max: Some(USUAL.calls_max),
            calls_waiting_max: Some(USUAL.calls_waiting_max),
            call_ms_max: Some(USUAL.call_ms_max),
            output_bytes_max: Some(USUAL.output_bytes_max),
            text_bytes_max: Some(USUAL.text_bytes_max),
            message_bytes_max: Some(USUAL.message_bytes_max),
            runs_listed_max: Some(USUAL.runs_listed_max),
        }
    }

    /// The bounds with what the configuration sets.
    pub fn bounds(&self) -> McpBounds {
        McpBounds {
            calls_max: self.calls_max.unwrap_or(USUAL.calls_max),
            calls_waiting_max: self.calls_waiting_max.unwrap_or(USUAL.calls_waiting_max),
            call_ms_max: self.call_ms_max.unwrap_or(USUAL.call_ms_max),
            output_bytes_max: self.output_bytes_max.unwrap_or(USUAL.output_bytes_max),
            text_bytes_max: self.text_bytes_max.unwrap_or(USUAL.text_bytes_max),
            message_bytes_max: self.message_bytes_max.unwrap_or(USUAL.message_bytes_max),
            runs_listed_max: self.runs_listed_max.unwrap_or(USUAL.runs_listed_max),
        }
    }
}
