//! The cost of a case: the elapsed time, and if one case runs at a time also the processor time and
//! the peak memory. With several at a time, these belong to no single case and are not reported.

use std::time::Instant;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a case cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cost {
    /// Milliseconds by the clock.
    pub wall_ms: f64,
    /// Milliseconds of all processors; null if cases ran beside each other or the system does not tell.
    pub cpu_ms: Option<f64>,
    /// The most memory of the process while the case ran; null if cases ran beside each other or the system does not tell.
    pub memory_bytes: Option<u64>,
}

/// Measures from its start to [`CostMeter::stop`].
#[derive(Debug)]
pub struct CostMeter {
    start: Instant,
    cpu_ms: Option<f64>,
}

impl CostMeter {
    /// Starts to measure; `is_alone` says that no other case runs.
    pub fn start(is_alone: bool) -> Self {
        if is_alone {
            // Makes the system forget the peak. If that fails, the peak read below is the one of
            // the whole run.
            let _ = std::fs::write("/proc/self/clear_refs", "5");
        }
        Self {
            start: Instant::now(),
            cpu_ms: is_alone.then(cpu_ms).flatten(),
        }
    }

    /// Returns what was spent since the start.
    pub fn stop(&self) -> Cost {
        let wall_ms = tenths(self.start.elapsed().as_secs_f64() * 1e3);
        let spent_ms = self
            .cpu_ms
            .and_then(|before_ms| Some(tenths(cpu_ms()? - before_ms)));
        Cost {
            wall_ms,
            cpu_ms: spent_ms,
            memory_bytes: self.cpu_ms.and_then(|_| peak_bytes()),
        }
    }
}

fn tenths(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}

#[cfg(unix)]
#[expect(clippy::cast_precision_loss, reason = "milliseconds of a process fit")]
fn cpu_ms() -> Option<f64> {
    use rustix::time::{ClockId, clock_gettime};
    let spent = clock_gettime(ClockId::ProcessCPUTime);
    Some(spent.tv_sec as f64 * 1e3 + spent.tv_nsec as f64 / 1e6)
}

#[cfg(not(unix))]
fn cpu_ms() -> Option<f64> {
    None
}

fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
}
