//! The connection to a job in its own process: it asks for turns over a socket that only its first
//! connection reaches, before the job has read any file. Text of a repository reaches neither the
//! socket nor the ledger, and a job gets turns only for the key of its model.

use std::io::{self, BufRead as _, BufReader, Read as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use grounds_http::turns::{Grant, NoTurn, TurnAnswer, Turns as _, Want, Went};

use super::pace::LedgerTurns;
use crate::turns::{LINE_BYTES_MAX, TurnMessage, WorkerAnswer, read, write};

/// Milliseconds between two checks whether the job is over.
const LOOK_MS: u64 = 10;
/// Messages of one job.
const MESSAGES_MAX: usize = 100_000;

/// The use of the requests of one job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Used {
    pub(super) tokens: u64,
    pub(super) cost_nano: u64,
}

/// A socket for one job.
pub(super) struct Socket {
    listener: UnixListener,
    folder: tempfile::TempDir,
}

impl Socket {
    /// Makes a socket in a folder for this person alone.
    pub(super) fn open() -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("grounds-").tempdir()?;
        let listener = UnixListener::bind(path(folder.path()))?;
        // A job that ends without a connection must not leave this thread waiting for one.
        listener.set_nonblocking(true)?;
        Ok(Self { listener, folder })
    }

    /// Returns its path.
    pub(super) fn path(&self) -> PathBuf {
        path(self.folder.path())
    }

    /// Runs a job that has turns at one key, with any key of an account. Returns what its requests
    /// used too; `None` if the job did not report the use of each.
    pub(super) fn during<T>(
        self,
        turns: &LedgerTurns,
        at: &str,
        run: impl FnOnce() -> T,
    ) -> (T, Option<Used>) {
        let is_over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let served = scope.spawn(|| self.serve(turns, at, &is_over));
            let done = run();
            is_over.store(true, Ordering::Relaxed);
            let why = match served.join() {
                Ok(Ok(used)) => return (done, used),
                Ok(Err(error)) => error.to_string(),
                Err(_) => "its thread panicked".to_owned(),
            };
            // A job that asked for no turns, or broke the rules of the line, may have asked its
            // model without them.
            turns.refuse("no_turns", format!("the job and its worker: {why}"));
            (done, None)
        })
    }

    fn serve(
        self,
        turns: &LedgerTurns,
        at: &str,
        is_over: &AtomicBool,
    ) -> io::Result<Option<Used>> {
        let stream = loop {
            match self.listener.accept() {
                Ok((stream, _)) => break stream,
                Err(error) if error.kind() != io::ErrorKind::WouldBlock => return Err(error),
                Err(_) if is_over.load(Ordering::Relaxed) => {
                    return Err(io::Error::other("it did not ask for a line"));
                }
                Err(_) => std::thread::sleep(Duration::from_millis(LOOK_MS)),
            }
        };
        // Whatever the job starts later finds no socket.
        drop(self);
        stream.set_nonblocking(false)?;
        stream.set_read_timeout(Some(Duration::from_millis(LOOK_MS)))?;
        stream.set_write_timeout(Some(Duration::from_secs(1)))?;
        let mut line = QuestionJob {
            turns,
            at,
            open_turns: 0,
            untold: 0,
            used: Used::default(),
        };
        line.listen(&stream, is_over)?;
        Ok((line.untold == 0).then_some(line.used))
    }
}

fn path(folder: &Path) -> PathBuf {
    folder.join("turns")
}

/// One job that asks.
struct QuestionJob<'l> {
    turns: &'l LedgerTurns,
    at: &'l str,
    /// Turns that were given and whose end was not reported.
    open_turns: usize,
    /// Turns that were given and whose use was not reported.
    untold: usize,
    used: Used,
}

impl QuestionJob<'_> {
    fn listen(&mut self, stream: &UnixStream, is_over: &AtomicBool) -> io::Result<()> {
        let (mut reader, mut line) = (BufReader::new(stream), Vec::new());
        for _ in 0..MESSAGES_MAX {
            line.clear();
            while line.last() != Some(&b'\n') {
                let left = LINE_BYTES_MAX - line.len() as u64;
                match (&mut reader).take(left).read_until(b'\n', &mut line) {
                    // Its end of the line is closed.
                    Ok(0) if line.is_empty() => return Ok(()),
                    Ok(0) => return Err(io::Error::other("a message is torn or too long")),
                    Ok(_) => {}
                    Err(error) if !is_timeout(&error) => return Err(error),
                    // The job has ended; a process that it left behind may still hold the other end
                    // open.
                    Err(_) if is_over.load(Ordering::Relaxed) => return Ok(()),
                    Err(_) => {}
                }
            }
            self.heard(stream, read(&line)?)?;
        }
        Err(io::Error::other(format!(
            "more than {MESSAGES_MAX} messages"
        )))
    }

    fn heard(&mut self, stream: &UnixStream, said: TurnMessage) -> io::Result<()> {
        // For the last three messages: `gave_up` only looks whether a turn was for a page, and this
        // is not.
        let want = Want::default();
        match said {
            TurnMessage::Want {
                key,
                apart_ms,
                tokens_apart_ms,
                is_local,
            } => {
                let want = Want {
                    // The job reads files of strangers, so that its word for the key is not enough.
                    key: self.own(key)?,
                    apart_ms,
                    tokens_apart_ms,
                    is_alone: false,
                    is_local,
                };
                return write(stream, &self.answer(&want));
            }
            TurnMessage::Well { key, has_failed } => self.went(key, has_failed, Went::Well)?,
            TurnMessage::Badly { key } => self.went(key, true, Went::Badly)?,
            TurnMessage::Held { key, ms } => self.went(key, true, Went::Held(ms))?,
            TurnMessage::Used { tokens, cost_nano } => {
                self.untold = self.untold.saturating_sub(1);
                self.used.tokens = self.used.tokens.saturating_add(tokens);
                self.used.cost_nano = self.used.cost_nano.saturating_add(cost_nano);
            }
            TurnMessage::TooLate => self.turns.gave_up(&want, &NoTurn::TooLate),
            TurnMessage::Closed { ms } => self.turns.gave_up(&want, &NoTurn::Closed(ms)),
            TurnMessage::Unknown { why } => self.turns.gave_up(&want, &NoTurn::Unknown(why)),
        }
        Ok(())
    }

    fn answer(&mut self, want: &Want) -> WorkerAnswer {
        match self.turns.ask(want) {
            TurnAnswer::Go(Grant {
                key, has_failed, ..
            }) => {
                self.open_turns += 1;
                self.untold += 1;
                WorkerAnswer::Go { key, has_failed }
            }
            TurnAnswer::In(ms) => WorkerAnswer::In { ms },
            TurnAnswer::Closed(ms) => WorkerAnswer::Closed { ms },
            TurnAnswer::Unknown(why) => WorkerAnswer::Unknown {
                // The line to the job has a bound.
                why: why.chars().take(400).collect(),
            },
        }
    }

    /// Notes the outcome of a request that had a turn.
    fn went(&mut self, key: String, has_failed: bool, went: Went) -> io::Result<()> {
        let grant = Grant {
            key: self.own(key)?,
            number: 0,
            has_failed,
        };
        self.open_turns = self
            .open_turns
            // A job that reports more outcomes than it had turns could open a model that is closed
            // for all.
            .checked_sub(1)
            .ok_or_else(|| io::Error::other("it tells of a request that had no turn"))?;
        self.turns.went(&grant, went, None);
        Ok(())
    }

    /// Returns the key if it is one of the job's own model, or an error.
    fn own(&self, key: String) -> io::Result<String> {
        let rest = key.strip_prefix(self.at);
        // The rest is the hash of a key and, for a model of this machine, `@` and its name.
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-._@ ".contains(&byte);
        let is_own = rest.is_some_and(|rest| {
            rest.starts_with(' ') && rest.len() <= 100 && rest.bytes().all(is_name)
        });
        is_own
            .then_some(key)
            .ok_or_else(|| io::Error::other("it asks for turns at another key"))
    }
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
    )
}

#[cfg(test)]
mod tests;
