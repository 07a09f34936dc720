//! The section `mcp` of the person's own configuration: the bounds of the server.
//! A file in the checkout may not have it: a repository does not choose how much of this machine a
//! server uses.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{from_one_to, from_zero_to};

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
    #[schemars(range(min = 1, max = 1_073_741_824))]
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
    /// Processes that stay after a question, each to answer further ones about its tree; 0 starts one for each call.
    #[schemars(range(min = 0, max = 16))]
    #[serde(deserialize_with = "from_zero_to::<_, _, 16>")]
    pub workers_max: Option<usize>,
    /// Milliseconds that such a process waits for the next question before it ends.
    #[schemars(range(min = 1, max = 86_400_000))]
    #[serde(deserialize_with = "from_one_to::<_, _, 86_400_000>")]
    pub worker_idle_ms_max: Option<u64>,
    /// Bytes of memory of such a process; one that holds more after an answer ends.
    #[schemars(range(min = 1, max = 1_099_511_627_776_u64))]
    #[serde(deserialize_with = "from_one_to::<_, _, 1_099_511_627_776>")]
    pub worker_memory_bytes_max: Option<u64>,
    /// Bytes of texts of its tree that such a process keeps; it reads the others at each question.
    #[schemars(range(min = 1, max = 1_099_511_627_776_u64))]
    #[serde(deserialize_with = "from_one_to::<_, _, 1_099_511_627_776>")]
    pub kept_bytes_max: Option<u64>,
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
    /// Processes that stay after a question.
    pub workers_max: usize,
    /// Milliseconds that such a process waits for the next question.
    pub worker_idle_ms_max: u64,
    /// Bytes of memory of such a process.
    pub worker_memory_bytes_max: u64,
    /// Bytes of texts that such a process keeps.
    pub kept_bytes_max: u64,
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
    workers_max: 2,
    worker_idle_ms_max: 600_000,
    worker_memory_bytes_max: 1 << 30,
    kept_bytes_max: 256 << 20,
};

impl McpConfig {
    /// Returns the default bounds, as a configuration.
    pub(super) const fn usual() -> Self {
        Self {
            calls_max: Some(USUAL.calls_max),
            calls_waiting_max: Some(USUAL.calls_waiting_max),
            call_ms_max: Some(USUAL.call_ms_max),
            output_bytes_max: Some(USUAL.output_bytes_max),
            text_bytes_max: Some(USUAL.text_bytes_max),
            message_bytes_max: Some(USUAL.message_bytes_max),
            runs_listed_max: Some(USUAL.runs_listed_max),
            workers_max: Some(USUAL.workers_max),
            worker_idle_ms_max: Some(USUAL.worker_idle_ms_max),
            worker_memory_bytes_max: Some(USUAL.worker_memory_bytes_max),
            kept_bytes_max: Some(USUAL.kept_bytes_max),
        }
    }

    /// Returns the default bounds with the values of the configuration.
    pub fn bounds(&self) -> McpBounds {
        McpBounds {
            calls_max: self.calls_max.unwrap_or(USUAL.calls_max),
            calls_waiting_max: self.calls_waiting_max.unwrap_or(USUAL.calls_waiting_max),
            call_ms_max: self.call_ms_max.unwrap_or(USUAL.call_ms_max),
            output_bytes_max: self.output_bytes_max.unwrap_or(USUAL.output_bytes_max),
            text_bytes_max: self.text_bytes_max.unwrap_or(USUAL.text_bytes_max),
            message_bytes_max: self.message_bytes_max.unwrap_or(USUAL.message_bytes_max),
            runs_listed_max: self.runs_listed_max.unwrap_or(USUAL.runs_listed_max),
            workers_max: self.workers_max.unwrap_or(USUAL.workers_max),
            worker_idle_ms_max: self.worker_idle_ms_max.unwrap_or(USUAL.worker_idle_ms_max),
            worker_memory_bytes_max: (self.worker_memory_bytes_max)
                .unwrap_or(USUAL.worker_memory_bytes_max),
            kept_bytes_max: self.kept_bytes_max.unwrap_or(USUAL.kept_bytes_max),
        }
    }
}
