//! The workers of a server: children that stay after a question, each for the next one about its
//! tree.
//!
//! A worker answers one call at a time. Anything that breaks a call ends its worker, and a call
//! without a worker gets a child of its own.

use std::process::ExitStatus;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::child::{CallEnd, Output, listen_to};
use super::family::ProcessGroup;
use super::progress::ProgressReceiver;
use super::worker::{TreeId, WorkerAnswer, WorkerRequest};

/// Bytes of the line before an answer.
const HEAD_BYTES_MAX: u64 = 1 << 10;
/// Bytes of chance in a mark: nothing that a call says can be one.
const MARK_BYTES: usize = 16;

/// The workers that wait for a question, the one that waits longest first.
pub(super) struct Workers {
    waiting: Mutex<Vec<Worker>>,
    places: Arc<Semaphore>,
}

/// A child that stays. Its group is dropped before it, as long as nobody has waited for it.
pub(super) struct Worker {
    tree: TreeId,
    group: Option<ProcessGroup>,
    child: Child,
    to: ChildStdin,
    out: BufReader<ChildStdout>,
    err: BufReader<ChildStderr>,
    mark: String,
    _place: OwnedSemaphorePermit,
}

/// The end of a question to a worker.
pub(super) enum Asked {
    /// As a call ends.
    Ended(CallEnd),
    /// It had ended before the question reached it.
    Gone,
}

impl Workers {
    pub(super) fn new(most: usize) -> Self {
        Self {
            waiting: Mutex::default(),
            places: Arc::new(Semaphore::new(most)),
        }
    }

    /// Returns a worker for a tree: a waiting one, else a new one if there is room for it.
    pub(super) fn of(&self, tree: TreeId, start: impl FnOnce() -> Command) -> Option<Worker> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        // A worker that waited too long, or was killed, has ended meanwhile.
        while let Some(at) = waiting.iter().position(|worker| worker.tree == tree) {
            let worker = waiting.remove(at);
            if let Some(worker) = worker.if_alive() {
                return Some(worker);
            }
        }
        let place = self.place().or_else(|| {
            // The worker that waits longest gives way to a tree that is asked about now.
            (!waiting.is_empty()).then(|| drop(waiting.remove(0)));
            self.place()
        })?;
        Worker::start(tree, start(), place)
    }

    fn place(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.places).try_acquire_owned().ok()
    }

    fn keep(&self, worker: Worker) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.push(worker);
    }

    /// Asks a worker, and keeps it if it can answer more.
    pub(super) async fn ask(
        &self,
        mut worker: Worker,
        words: Vec<String>,
        input: String,
        progress: &ProgressReceiver,
        bytes_max: usize,
    ) -> Asked {
        let request = WorkerRequest {
            words,
            input,
            tree: worker.tree,
            mark: worker.mark.clone(),
        };
        match worker.answer(&request, progress, bytes_max).await {
            // The worker is dropped here, which ends its group: its pipes may hold a part of the
            // answer.
            Err(ended) => Asked::Ended(ended),
            Ok((Some((head, out)), said)) => {
                if !head.is_last {
                    self.keep(worker);
                }
                let code = head.code;
                Asked::Ended(CallEnd::Exited(Output { code, out, said }))
            }
            Ok((None, said)) => worker.ended(said).await,
        }
    }
}

impl Worker {
    fn start(tree: TreeId, mut command: Command, place: OwnedSemaphorePermit) -> Option<Self> {
        // A file name or a source line in a message must not look like the mark.
        let mut chance = [0; MARK_BYTES];
        getrandom::fill(&mut chance).ok()?;
        let mut child = command.spawn().ok()?;
        let group = ProcessGroup::of(&child);
        let (to, out, err) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        Some(Self {
            tree,
            group: Some(group),
            to: to?,
            out: BufReader::new(out?),
            err: BufReader::new(err?),
            child,
            mark: chance.iter().map(|byte| format!("{byte:02x}")).collect(),
            _place: place,
        })
    }

    /// Returns itself, or `None` if it has ended.
    fn if_alive(mut self) -> Option<Self> {
        match self.child.try_wait() {
            Ok(None) => Some(self),
            Ok(Some(_)) => {
                self.leave();
                None
            }
            Err(_) => None,
        }
    }

    /// Forgets the group: its number may be another's by now.
    fn leave(&mut self) {
        if let Some(group) = self.group.take() {
            group.leave();
        }
    }

    /// Returns its answer, which is missing if it has ended, and what it said.
    async fn answer(
        &mut self,
        request: &WorkerRequest,
        progress: &ProgressReceiver,
        bytes_max: usize,
    ) -> Result<(Option<(WorkerAnswer, Vec<u8>)>, String), CallEnd> {
        let mut line = serde_json::to_vec(request)
            .map_err(|error| CallEnd::Broken(format!("cannot ask the program: {error}")))?;
        line.push(b'\n');
        let Self {
            to, out, err, mark, ..
        } = self;
        let fed = async {
            // If the worker has ended, the read of its answer notices that.
            let _ = to.write_all(&line).await;
            let _ = to.flush().await;
            Ok(())
        };
        // Both pipes are read at once: a worker that fills one would wait before it writes to the
        // other.
        let told = listen_to(err, Some(mark.as_bytes()), progress);
        let (answer, said, ()) = tokio::try_join!(read(out, bytes_max), told, fed)?;
        Ok((answer, said))
    }

    /// Returns how it ended in the middle.
    async fn ended(mut self, said: String) -> Asked {
        let status = self.child.wait().await;
        let code = status.as_ref().ok().and_then(ExitStatus::code);
        if code.is_some() {
            self.leave();
        }
        // Of one that was killed, what it started is left, and ends with its group.
        match code {
            // It ended by itself between two calls: it was idle for too long, or its folder is
            // another one now.
            Some(0) => Asked::Gone,
            Some(code) => Asked::Ended(CallEnd::Exited(Output {
                code,
                out: Vec::new(),
                said,
            })),
            None => Asked::Ended(CallEnd::Died { said }),
        }
    }
}

/// Reads an answer; `None` if the worker has ended.
async fn read(
    out: &mut BufReader<ChildStdout>,
    bytes_max: usize,
) -> Result<Option<(WorkerAnswer, Vec<u8>)>, CallEnd> {
    let mut line = Vec::new();
    let _ = out.take(HEAD_BYTES_MAX).read_until(b'\n', &mut line).await;
    // A worker that has ended leaves an empty line, or the start of one.
    let Ok(head) = serde_json::from_slice::<WorkerAnswer>(&line) else {
        return Ok(None);
    };
    // Checked before memory for it is allocated.
    if head.bytes > bytes_max {
        return Err(CallEnd::TooMuch);
    }
    let mut bytes = vec![0; head.bytes];
    match out.read_exact(&mut bytes).await {
        Ok(_) => Ok(Some((head, bytes))),
        Err(_) => Ok(None),
    }
}
