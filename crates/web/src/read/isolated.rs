//! Reading on a thread of its own, within time.
//!
//! Given a reader and a document, gives what it read: a library that panics, recurses or does not
//! end is an error of this document alone. It knows no medium and reads nothing itself.

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

/// Bytes of the stack of a thread that reads.
const STACK_BYTES: usize = 32 << 20;
/// How many times `read_ms_max` the clock may show where the thread was kept waiting for a
/// processor: one that rests for good ends too.
const WAITS_MAX: u32 = 10;
/// Milliseconds between two looks at a thread whose time cannot be up before.
const LOOK_MS_MIN: u64 = 20;
/// Threads that may read longer than their bound, before no more are started.
const STRAYS_MAX: usize = 8;
/// Threads that nobody waits for any more: a thread cannot be ended from outside, so their number
/// is bounded.
static STRAYS: AtomicUsize = AtomicUsize::new(0);
thread_local! {
    /// Whether this thread is in a reader, whose panic is caught and told as an error.
    static IN_READER: Cell<bool> = const { Cell::new(false) };
}
/// What a reading thread is to its caller.
const WAITED_FOR: u8 = 0;
const LEFT: u8 = 1;
const ENDED: u8 = 2;

pub(super) type Reader = fn(&Material<'_>, &ReadBounds) -> Result<Reading, ReadError>;

/// Reads a document on a thread of its own, which may take `read_ms_max` of a processor.
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
        begin.send(own_task()).unwrap_or_default();
        let gave_up = || ReadError::Broken {
            medium,
            why: "the reader gave up on it".to_owned(),
        };
        let read = caught(|| reader(&owned.borrowed(), &limits));
        done.send(read.unwrap_or_else(|| Err(gave_up())))
            .unwrap_or_default();
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

/// What a reader gives; `None` if it panics.
fn caught<R>(read: impl FnOnce() -> R) -> Option<R> {
    IN_READER.set(true);
    let result = catch_unwind(AssertUnwindSafe(read));
    IN_READER.set(false);
    result.ok()
}

/// The result of a thread; none once it had its time. What counts is the time that it had a
/// processor, so that a busy machine changes no result; where the system does not tell, the clock.
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
            return result.try_recv().ok();
        }
        left = (most - spent).max(Duration::from_millis(LOOK_MS_MIN));
    }
}

/// Where the system tells of the thread that asks.
fn own_task() -> Option<PathBuf> {
    Some(Path::new("/proc").join(std::fs::read_link("/proc/thread-self").ok()?))
}

/// How long a thread had a processor, as Linux counts it: nanoseconds, the first number of its
/// `schedstat`.
fn processor_time(task: &Path) -> Option<Duration> {
    let told = std::fs::read_to_string(task.join("schedstat")).ok()?;
    told.split_whitespace()
        .next()?
        .parse()
        .ok()
        .map(Duration::from_nanos)
}

/// A panic of a reader is an error that its caller tells: the default hook would print it too. One
/// before or after the reader ends the process, and is printed.
fn silence() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |told| {
            // No thread-local is left while a thread ends: what panics then is not a reader.
            if !IN_READER.try_with(Cell::get).unwrap_or_default() {
                before(told);
            }
        }));
    });
}

/// A material that can be handed to a thread which may outlive its caller.
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
