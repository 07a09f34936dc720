//! One job as a child process of this program, with bounds on its time and its output. On Unix it
//! is a process group of its own, and whatever ends the job ends the group; on other systems only
//! its first process is ended. Returns the output without judging it.

use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::ScopedJoinHandle;
use std::time::{Duration, Instant};

/// Milliseconds between two checks of a child.
const LOOK_MS: u64 = 5;
/// Bytes of what a job said on standard error that are kept: the last ones.
const SAID_BYTES_MAX: usize = 4 << 10;

/// The bounds of one job.
#[derive(Clone, Copy, Debug)]
pub(super) struct JobBounds {
    pub(super) ms_max: u64,
    pub(super) bytes_max: usize,
}

/// The end of a job.
#[derive(Debug)]
pub(super) enum ChildEnd {
    /// By itself, with a code.
    Exited {
        code: i32,
        out: Vec<u8>,
        said: String,
    },
    /// By a signal that this program did not send.
    Died { said: String },
    /// It reached its time limit.
    TooLong { ms_max: u64 },
    /// Its output reached the limit.
    TooMuch { bytes_max: usize },
    /// It was cancelled, or its lease was lost.
    Off,
    /// It could not be started or listened to.
    Broken(String),
}

/// Runs this program with these words, in a folder.
pub(super) fn run(
    words: &[OsString],
    folder: &Path,
    bounds: JobBounds,
    is_off: &dyn Fn() -> bool,
) -> ChildEnd {
    let mut child = match command(words, folder).spawn() {
        Ok(child) => child,
        Err(error) => return ChildEnd::Broken(format!("cannot start the program: {error}")),
    };
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let has_too_much = AtomicBool::new(false);
    let (ended, out, said) = std::thread::scope(|scope| {
        let out = scope.spawn(|| read(out, bounds.bytes_max, &has_too_much));
        let said = scope.spawn(|| last_of(err));
        let ended = wait(&mut child, bounds, is_off, &has_too_much);
        // The pipes close with the last process of the group.
        kill(&mut child);
        let _ = child.wait();
        (ended, joined(out), joined(said))
    });
    match ended {
        ChildEnd::Exited { code, .. } if out.len() <= bounds.bytes_max => ChildEnd::Exited {
            code,
            out,
            said: String::from_utf8_lossy(&said).into_owned(),
        },
        ChildEnd::Exited { .. } => ChildEnd::TooMuch {
            bytes_max: bounds.bytes_max,
        },
        ChildEnd::Died { .. } => ChildEnd::Died {
            said: String::from_utf8_lossy(&said).into_owned(),
        },
        other => other,
    }
}

fn command(words: &[OsString], folder: &Path) -> Command {
    let mut command = Command::new(program());
    command
        .args(words)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        // A job reads a repository of strangers; what it starts must not find the way to the
        // ledger.
        .env_remove(super::LEDGER_VARIABLE);
    for name in super::traces::SECRET_VARIABLES {
        command.env_remove(name);
    }
    set_apart(&mut command);
    command
}

#[cfg(unix)]
fn set_apart(command: &mut Command) {
    use std::os::unix::process::CommandExt as _;
    command.arg0("grounds").process_group(0);
}

#[cfg(not(unix))]
fn set_apart(_: &mut Command) {}

/// Returns the path of this program, even if its file was replaced since.
fn program() -> PathBuf {
    let own = PathBuf::from("/proc/self/exe");
    if own.symlink_metadata().is_ok() {
        own
    } else {
        std::env::current_exe().unwrap_or_else(|_| "grounds".into())
    }
}

fn wait(
    child: &mut Child,
    bounds: JobBounds,
    is_off: &dyn Fn() -> bool,
    has_too_much: &AtomicBool,
) -> ChildEnd {
    let end = Instant::now() + Duration::from_millis(bounds.ms_max);
    loop {
        // Comes before the limits: a job that has ended keeps its result even if its time is up
        // now.
        match child.try_wait() {
            Ok(Some(status)) => {
                return match status.code() {
                    // The caller adds the output, which is complete only when all processes of the
                    // group have ended.
                    Some(code) => ChildEnd::Exited {
                        code,
                        out: Vec::new(),
                        said: String::new(),
                    },
                    None => ChildEnd::Died {
                        said: String::new(),
                    },
                };
            }
            Ok(None) => {}
            Err(error) => return ChildEnd::Broken(format!("cannot wait for the program: {error}")),
        }
        if is_off() {
            return ChildEnd::Off;
        }
        if has_too_much.load(Ordering::Relaxed) {
            return ChildEnd::TooMuch {
                bytes_max: bounds.bytes_max,
            };
        }
        if Instant::now() >= end {
            return ChildEnd::TooLong {
                ms_max: bounds.ms_max,
            };
        }
        std::thread::sleep(Duration::from_millis(LOOK_MS));
    }
}

#[cfg(unix)]
fn kill(child: &mut Child) {
    use rustix::process::{Pid, Signal};
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    if let Some(pid) = pid {
        let _ = rustix::process::kill_process_group(pid, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill(child: &mut Child) {
    let _ = child.kill();
}

fn read(pipe: Option<impl Read>, bytes_max: usize, has_too_much: &AtomicBool) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(pipe) = pipe {
        // One byte more than allowed shows that there is more.
        let _ = pipe.take(bytes_max as u64 + 1).read_to_end(&mut bytes);
    }
    has_too_much.store(bytes.len() > bytes_max, Ordering::Relaxed);
    bytes
}

/// Returns the last bytes of what was written to standard error.
fn last_of(pipe: Option<impl Read>) -> Vec<u8> {
    let (mut said, mut piece) = (Vec::new(), [0; 4096]);
    let Some(mut pipe) = pipe else {
        return said;
    };
    // Read to the end of the pipe, since a job waits while it is full; only the last bytes are
    // kept.
    while let Ok(count @ 1..) = pipe.read(&mut piece) {
        said.extend_from_slice(&piece[..count]);
        said.drain(..said.len().saturating_sub(SAID_BYTES_MAX));
    }
    said
}

fn joined(thread: ScopedJoinHandle<'_, Vec<u8>>) -> Vec<u8> {
    thread.join().unwrap_or_default()
}
