//! A worker: this program as a child that answers several questions about one tree, one after the
//! other. It reuses what it has read before as long as that is still true (`grounds_repo::kept`).
//!
//! A request is a line of JSON on standard input. Its answer is a line of JSON and the number of
//! bytes that it names on standard output. The request's mark follows as a line on standard error,
//! after everything that the call wrote there.

use std::cell::RefCell;
use std::ffi::OsString;
use std::io::{self, BufRead as _, Write as _};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use grounds_repo::kept;
use serde::{Deserialize, Serialize};

use crate::config::McpBounds;
use crate::exit::Exit;
use crate::threads;

/// Questions that one worker answers before it ends.
const CALLS_MAX: u32 = 10_000;

/// Answers a command line with what it reads instead of standard input.
pub(crate) type Answer<'a> = &'a dyn Fn(&[OsString], Vec<u8>, &RefCell<Vec<u8>>) -> Exit;

/// A question to a worker.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct WorkerRequest {
    /// The command line, with the name of the program.
    pub(super) words: Vec<String>,
    /// The text for its standard input.
    pub(super) input: String,
    /// The folder that the worker must be in: its device and its number.
    pub(super) tree: TreeId,
    /// The line that marks the end of what the call said on standard error.
    pub(super) mark: String,
}

/// The line before the bytes of an answer.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct WorkerAnswer {
    pub(super) code: i32,
    pub(super) bytes: usize,
    /// Whether the worker ends after it.
    pub(super) is_last: bool,
}

/// A folder, whatever its path is.
pub(super) type TreeId = (u64, u64);

/// Returns the identity of a folder.
#[cfg(unix)]
pub(super) fn id_of(folder: &std::fs::Metadata) -> Option<TreeId> {
    use std::os::unix::fs::MetadataExt as _;
    Some((folder.dev(), folder.ino()))
}

/// Returns `None`: Windows has no workers.
#[cfg(windows)]
pub(super) const fn id_of(_: &std::fs::Metadata) -> Option<TreeId> {
    None
}

/// Answers until the server has gone, no question comes for a while, or a bound is reached.
///
/// # Errors
/// Where the server cannot be answered.
pub(crate) fn work(bounds: &McpBounds, answer: Answer<'_>) -> io::Result<()> {
    kept::keep(bounds.kept_bytes_max);
    let requests = requests();
    let idle = Duration::from_millis(bounds.worker_idle_ms_max);
    for _ in 0..CALLS_MAX {
        let Ok(request) = requests.recv_timeout(idle) else {
            return Ok(());
        };
        // Except on Linux a child starts by the path of its folder, where another folder may be by
        // then.
        let here = std::fs::metadata(".").ok().and_then(|here| id_of(&here));
        if here != Some(request.tree) {
            return Ok(());
        }
        if one(request, bounds, answer)? {
            return Ok(());
        }
    }
    Ok(())
}

/// Answers one, and says whether it was the last.
fn one(request: WorkerRequest, bounds: &McpBounds, answer: Answer<'_>) -> io::Result<bool> {
    kept::begin_call();
    let (words, out) = (request.words, RefCell::new(Vec::new()));
    let words: Vec<OsString> = words.into_iter().map(OsString::from).collect();
    let exit = answer(&words, request.input.into_bytes(), &out);
    let out = out.into_inner();
    // Looked at after each call, since only a new process begins with an empty memory.
    let is_last = threads::held_bytes().is_some_and(|held| held > bounds.worker_memory_bytes_max);
    let head = WorkerAnswer {
        code: exit as i32,
        bytes: out.len(),
        is_last,
    };
    let mut stderr = io::stderr().lock();
    if kept::was_full() {
        let event = serde_json::json!({"type": "bound_reached", "bound": "mcp.kept_bytes_max"});
        writeln!(stderr, "{event}")?;
    }
    writeln!(stderr, "{}", request.mark)?;
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{}", serde_json::to_string(&head)?)?;
    stdout.write_all(&out)?;
    stdout.flush()?;
    Ok(is_last)
}

/// Returns the requests of the server. They end when it closes its side.
fn requests() -> Receiver<WorkerRequest> {
    let (sender, requests) = channel();
    std::thread::spawn(move || {
        // A read of standard input cannot be given a time limit, so it has a thread of its own.
        for line in io::stdin().lock().lines() {
            let request = line.and_then(|line| Ok(serde_json::from_str(&line)?));
            let sent: io::Result<bool> = request.map(|request| sender.send(request).is_ok());
            if !sent.unwrap_or(false) {
                return;
            }
        }
    });
    requests
}
