//! The output of a program: its head and its tail within a bound; the rest is counted.

use std::collections::VecDeque;
use std::io::Read;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::limits::Limits;

/// Bytes that are read at once.
const CHUNK_BYTES: usize = 64 << 10;
/// Milliseconds to wait for a pipe after its program has ended: a process that escaped may still
/// have it open.
const PIPE_MS_MAX: u64 = 2_000;

/// The output of a program.
#[derive(Clone, Debug, Default)]
pub struct Captured {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    /// Bytes between head and tail that were dropped.
    pub dropped_bytes: u64,
}

/// A thread that reads a pipe.
pub(super) struct PipeReader {
    captured: Arc<Mutex<Captured>>,
    done: Receiver<()>,
}

impl PipeReader {
    pub(super) fn start(pipe: Option<impl Read + Send + 'static>, limits: &Limits) -> Self {
        let (sender, done) = channel();
        // `finish` may stop waiting while the thread still reads, so the two share what was read.
        let captured = Arc::new(Mutex::new(Captured::default()));
        let (shared, most) = (Arc::clone(&captured), limits.run_output_bytes_max);
        std::thread::spawn(move || {
            let mut chunk = vec![0; CHUNK_BYTES];
            let mut pipe = pipe;
            while let Some(read) = pipe
                .as_mut()
                .and_then(|pipe| pipe.read(&mut chunk).ok())
                .filter(|read| *read > 0)
            {
                let Ok(mut captured) = shared.lock() else {
                    break;
                };
                captured.take(&chunk[..read], most);
            }
            let _ = sender.send(());
        });
        Self { captured, done }
    }

    pub(super) fn finish(self) -> Captured {
        let _ = self.done.recv_timeout(Duration::from_millis(PIPE_MS_MAX));
        self.captured
            .lock()
            .map(|captured| captured.clone())
            .unwrap_or_default()
    }
}

impl Captured {
    /// Returns a text as if a program had printed it.
    pub fn of(text: &str) -> Self {
        Self {
            head: text.as_bytes().to_vec(),
            ..Self::default()
        }
    }

    fn take(&mut self, bytes: &[u8], most: usize) {
        let (head, rest) =
            bytes.split_at(bytes.len().min((most / 2).saturating_sub(self.head.len())));
        self.head.extend_from_slice(head);
        self.tail.extend(rest);
        let over = self.tail.len().saturating_sub(most / 2);
        self.tail.drain(..over);
        self.dropped_bytes += over as u64;
    }

    /// Returns the whole output, or `None` if some of it was dropped.
    pub fn whole(&self) -> Option<String> {
        (self.dropped_bytes == 0).then(|| self.text())
    }

    /// Returns what was kept, with a note of what was dropped.
    pub fn text(&self) -> String {
        let tail: Vec<u8> = self.tail.iter().copied().collect();
        // A letter may begin in the head and end in the tail, so the two are decoded as one text if
        // nothing between them was dropped.
        if self.dropped_bytes == 0 {
            let whole = [self.head.as_slice(), &tail].concat();
            return String::from_utf8_lossy(&whole).into_owned();
        }
        format!(
            "{}\n[{} bytes dropped]\n{}",
            String::from_utf8_lossy(&self.head),
            self.dropped_bytes,
            String::from_utf8_lossy(&tail)
        )
    }
}
