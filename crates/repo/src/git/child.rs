//! Runs a prepared git to its end or to a bound.
//!
//! Takes a command and its bounds, and returns its output as it arrives. Git starts no program
//! here, so there is only one process to end; it stays in the group of this process, so that an
//! interrupt key reaches both.

use std::io::Read as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::{GitError, Next, SILENT, StreamBounds, StreamEnd};

/// Bytes of a complaint that are kept.
const COMPLAINT_BYTES_MAX: u64 = 4 << 10;
/// Bytes that are read at once.
const CHUNK_BYTES: usize = 64 << 10;
/// Chunks that wait to be processed.
const CHUNKS_MAX: usize = 4;
/// Microseconds between two checks whether git has ended, once its output has: at first, and at
/// most.
const POLL_US: (u64, u64) = (50, 5_000);

/// Runs git to its end or to a bound, and passes on its output as it comes.
pub(super) fn pump(
    mut command: Command,
    shown: &dyn Fn() -> String,
    input: Option<Vec<u8>>,
    bounds: StreamBounds,
    on_chunk: &mut dyn FnMut(&[u8]) -> Next,
) -> Result<StreamEnd, GitError> {
    command
        .stdin(if input.is_some() {
            Stdio::piped()
        } else {
            Stdio::null()
        })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let not_run = |error: std::io::Error| GitError::NotRun(error.to_string());
    let mut child = command.spawn().map_err(not_run)?;
    feed(&mut child, input);
    let chunks = chunks_of(child.stdout.take());
    let complaint = complaint_of(child.stderr.take());
    let ended = receive(&chunks, bounds, on_chunk);
    let status = match ended {
        StreamEnd::Fully => wait(&mut child, bounds.deadline).map_err(not_run)?,
        StreamEnd::Stopped | StreamEnd::TimeUp | StreamEnd::TooMuch => None,
    };
    let Some(status) = status else {
        let _ = child.kill();
        let _ = child.wait();
        return Ok(match ended {
            StreamEnd::Fully => StreamEnd::TimeUp,
            ended => ended,
        });
    };
    if status.success() {
        return Ok(StreamEnd::Fully);
    }
    // The pipe closes when git ends. If something else has it open, the wait ends at the deadline.
    let left = bounds.deadline.saturating_duration_since(Instant::now());
    let complaint = complaint.recv_timeout(left).unwrap_or_default();
    Err(GitError::Failed {
        call: shown(),
        message: first_complaint(&complaint),
    })
}

/// Returns how git ended; `None` if the deadline came first.
fn wait(child: &mut Child, deadline: Instant) -> std::io::Result<Option<ExitStatus>> {
    let mut pause_us = POLL_US.0;
    loop {
        let status = child.try_wait()?;
        if status.is_some() || Instant::now() >= deadline {
            return Ok(status);
        }
        std::thread::sleep(Duration::from_micros(pause_us));
        pause_us = (pause_us * 2).min(POLL_US.1);
    }
}

fn first_complaint(complaint: &[u8]) -> String {
    String::from_utf8_lossy(complaint)
        .lines()
        .find(|line| !line.starts_with("hint:") && !line.starts_with("warning:"))
        .unwrap_or(SILENT)
        .to_owned()
}

fn feed(child: &mut Child, input: Option<Vec<u8>>) {
    if let (Some(input), Some(mut pipe)) = (input, child.stdin.take()) {
        // A thread writes, because git may stop reading until its own output is read.
        std::thread::spawn(move || std::io::Write::write_all(&mut pipe, &input));
    }
}

fn chunks_of(pipe: Option<impl std::io::Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (send, receive) = mpsc::sync_channel(CHUNKS_MAX);
    std::thread::spawn(move || {
        let Some(mut pipe) = pipe else { return };
        let mut chunk = vec![0; CHUNK_BYTES];
        while let Ok(bytes) = pipe.read(&mut chunk) {
            if bytes == 0 || send.send(chunk[..bytes].to_vec()).is_err() {
                return;
            }
        }
    });
    receive
}

fn receive(
    chunks: &Receiver<Vec<u8>>,
    bounds: StreamBounds,
    on_chunk: &mut dyn FnMut(&[u8]) -> Next,
) -> StreamEnd {
    let mut bytes = 0;
    loop {
        match chunks.recv_timeout(bounds.deadline.saturating_duration_since(Instant::now())) {
            Ok(chunk) => {
                bytes += chunk.len() as u64;
                if bytes > bounds.bytes_max {
                    return StreamEnd::TooMuch;
                }
                // A chunk that waits already is received at any time, so output that keeps coming
                // would put the end off.
                if Instant::now() >= bounds.deadline {
                    return StreamEnd::TimeUp;
                }
                if on_chunk(&chunk) == Next::Stop {
                    return StreamEnd::Stopped;
                }
            }
            // The reading thread hangs up at the end of the output. Whether git failed, only its
            // status shows.
            Err(RecvTimeoutError::Disconnected) => return StreamEnd::Fully,
            Err(RecvTimeoutError::Timeout) => return StreamEnd::TimeUp,
        }
    }
}

/// Returns the beginning of git's complaint. The rest is read and dropped, so that git never waits
/// for a reader.
fn complaint_of(pipe: Option<impl std::io::Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (send, receive) = mpsc::sync_channel(1);
    std::thread::spawn(move || {
        let Some(mut pipe) = pipe else { return };
        let mut bytes = Vec::new();
        let _ = pipe
            .by_ref()
            .take(COMPLAINT_BYTES_MAX)
            .read_to_end(&mut bytes);
        let _ = std::io::copy(&mut pipe, &mut std::io::sink());
        let _ = send.send(bytes);
    });
    receive
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_that_keeps_coming_ends_at_the_deadline() {
        let (send, chunks) = mpsc::sync_channel(CHUNKS_MAX);
        send.send(vec![b'a']).expect("there is room");
        let ended = receive(&chunks, StreamBounds::of(0, 10), &mut |_| Next::GoOn);
        assert_eq!(ended, StreamEnd::TimeUp);
    }
}
