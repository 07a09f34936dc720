//! Reads documents on threads of their own, within time.
//!
//! A library that panics, recurses or does not end is an error of its document alone. This module
//! knows no medium and reads nothing itself.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use url::Url;

use super::{Material, Medium, ReadBounds, ReadError, Reading};

/// Bytes of the stack of a reading thread.
const STACK_BYTES: usize = 32 << 20;
/// How many times `read_ms_max` may pass on the clock while the thread waits for a processor. So
/// the wait for a thread that sleeps forever ends as well.
const WAITS_MAX: u32 = 10;
/// Minimum time between two checks of a thread, in milliseconds.
const LOOK_MS_MIN: u64 = 20;
/// Maximum number of threads that may read beyond their time, before no more are started.
const STRAYS_MAX: usize = 8;
/// Number of threads that nobody waits for any more. A thread cannot be ended from outside, so
/// their number is bounded.
static STRAYS: AtomicUsize = AtomicUsize::new(0);
thread_local! {
    /// Whether this thread is in a reader, whose panic is caught and reported as an error.
    static IN_READER: Cell<bool> = const { Cell::new(false) };
}
/// The states of a reading thread, as its caller sees it.
const WAITED_FOR: u8 = 0;
const LEFT: u8 = 1;
const ENDED: u8 = 2;

pub(super) type Reader = fn(&Material<'_>, &ReadBounds) -> Result<Reading, ReadError>;

/// Reads a document on a thread of its own, which may use a processor for `read_ms_max`.
pub(super) fn isolated(
    medium: &'static str,
    material: &Material<'_>,
    bounds: &ReadBounds,
    reader: Reader,
) -> Result<Reading, ReadError> {
    let broken = |why: String| ReadError::Broken { medium, why };
    if STRAYS.load(Ordering::SeqCst) >= STRAYS_MAX {
        return Err(broken(format!(
            "{STRAYS_MAX} documents of before are still being read, longer than `read_ms_max`"
        )));
    }
    let (begin, begun) = sync_channel(1);
    let (done, result) = sync_channel(1);
    let (owned, limits) = (Owned::of(material), *bounds);
    let state = Arc::new(AtomicU8::new(WAITED_FOR));
    let own_state = Arc::clone(&state);
    let work = move || {
        // By this the caller asks the system for the time of this thread.
        begin.send(own_task()).unwrap_or_default();
        let gave_up = || ReadError::Broken {
            medium,
            why: "the reader gave up on it".to_owned(),
        };
        let read = caught(|| reader(&owned.borrowed(), &limits));
        done.send(read.unwrap_or_else(|| Err(gave_up())))
            .unwrap_or_default();
        // Whichever of the two comes second takes the thread off the count again.
        if own_state.swap(ENDED, Ordering::SeqCst) == LEFT {
            STRAYS.fetch_sub(1, Ordering::SeqCst);
        }
    };
    silence();
    let thread = std::thread::Builder::new()
        .name("reading a document".to_owned())
        .stack_size(STACK_BYTES)
        .spawn(work);
    thread.map_err(|error| broken(format!("no thread could be started ({})", error.kind())))?;
    waited(&result, &begun, bounds.read_ms_max).unwrap_or_else(|| {
        // Counted before the state changes, so that the thread never subtracts what was not added.
        STRAYS.fetch_add(1, Ordering::SeqCst);
        if state.swap(LEFT, Ordering::SeqCst) == ENDED {
            STRAYS.fetch_sub(1, Ordering::SeqCst);
        }
        Err(broken(format!(
            "it took longer than `read_ms_max` ({} ms)",
            bounds.read_ms_max
        )))
    })
}

/// Returns what a reader returns; `None` if it panics.
fn caught<R>(read: impl FnOnce() -> R) -> Option<R> {
    IN_READER.set(true);
    let result = catch_unwind(AssertUnwindSafe(read));
    IN_READER.set(false);
    result.ok()
}

/// Returns the result of a thread; `None` once its time is over. The time for which it had a
/// processor counts, so that a busy machine changes no result; if the system does not report it,
/// the clock counts.
fn waited<R>(result: &Receiver<R>, begun: &Receiver<Option<PathBuf>>, ms_max: u64) -> Option<R> {
    let (start, most) = (Instant::now(), Duration::from_millis(ms_max));
    let mut task = None;
    let mut left = most;
    loop {
        match result.recv_timeout(left) {
            Ok(read) => return Some(read),
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) => {}
        }
        task = begun.try_recv().ok().flatten().or(task);
        let spent = task
            .as_deref()
            .map_or_else(|| Some(start.elapsed()), processor_time)
            .unwrap_or(most);
        if spent >= most || start.elapsed() >= most.saturating_mul(WAITS_MAX) {
            // The result may have come between the last wait and this check.
            return result.try_recv().ok();
        }
        left = (most - spent).max(Duration::from_millis(LOOK_MS_MIN));
    }
}

/// Returns the path under which the system reports on the calling thread.
fn own_task() -> Option<PathBuf> {
    Some(Path::new("/proc").join(std::fs::read_link("/proc/thread-self").ok()?))
}

/// Returns how long a thread had a processor, as Linux counts it: nanoseconds, the first number of
/// its `schedstat`.
fn processor_time(task: &Path) -> Option<Duration> {
    let told = std::fs::read_to_string(task.join("schedstat")).ok()?;
    told.split_whitespace()
        .next()?
        .parse()
        .ok()
        .map(Duration::from_nanos)
}

/// Silences the panics of readers, which the caller reports as errors; the default hook would print
/// them too. Every other panic is printed as before.
fn silence() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |told| {
            // While a thread ends it has no thread-locals: a panic then is not one of a reader.
            if !IN_READER.try_with(Cell::get).unwrap_or_default() {
                before(told);
            }
        }));
    });
}

/// A material for a thread that may outlive its caller.
struct Owned {
    bytes: Vec<u8>,
    medium: Medium,
    charset: Option<String>,
    address: Option<Url>,
    path: Option<String>,
    now: Timestamp,
}

impl Owned {
    fn of(material: &Material<'_>) -> Self {
        Self {
            bytes: material.bytes.to_vec(),
            medium: material.medium,
            charset: material.charset.map(str::to_owned),
            address: material.address.cloned(),
            path: material.path.map(str::to_owned),
            now: material.now,
        }
    }

    fn borrowed(&self) -> Material<'_> {
        Material {
            bytes: &self.bytes,
            medium: self.medium,
            charset: self.charset.as_deref(),
            address: self.address.as_ref(),
            path: self.path.as_deref(),
            now: self.now,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Instant, Material, Medium, ReadBounds, ReadError, Reading, isolated};

    const MS_MAX: u64 = 60;

    fn read(reader: super::Reader) -> Result<Reading, ReadError> {
        let bounds = ReadBounds {
            read_ms_max: MS_MAX,
            ..ReadBounds::default()
        };
        let now = jiff::Timestamp::UNIX_EPOCH;
        isolated(
            "HTML",
            &Material {
                bytes: b"",
                medium: Medium::Html,
                charset: None,
                address: None,
                path: None,
                now,
            },
            &bounds,
            reader,
        )
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_waits_longer_than_the_bound_without_a_processor_is_read() {
        let read = read(|_, _| {
            std::thread::sleep(std::time::Duration::from_millis(3 * MS_MAX));
            Ok(Reading::default())
        });
        assert_eq!(read, Ok(Reading::default()));
    }

    #[test]
    fn what_does_not_end_is_left() {
        let start = Instant::now();
        let read = read(|_, _| {
            let start = Instant::now();
            while start.elapsed().as_secs() < 5 {
                std::hint::spin_loop();
            }
            Ok(Reading::default())
        });
        assert!(
            read.expect_err("an error")
                .to_string()
                .contains("`read_ms_max` (60 ms)")
        );
        assert!(
            start.elapsed().as_secs() < 4,
            "left after {:?}",
            start.elapsed()
        );
    }

    #[test]
    fn what_rests_for_good_is_left_too() {
        let read = read(|_, _| {
            std::thread::sleep(std::time::Duration::from_secs(5));
            Ok(Reading::default())
        });
        assert!(
            read.expect_err("an error")
                .to_string()
                .contains("`read_ms_max`")
        );
    }
}
