//! Turns of a process that a fleet worker started: it asks the worker over a socket that was made
//! for it alone, and the worker asks the ledger. If the worker is gone, does not answer in time or
//! sends anything else, the process gets no turn. This module defines the messages of both sides.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use grounds_http::turns::{Grant, NoTurn, TurnAnswer, Turns, Want, Went};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Bytes of one line of the socket.
pub(crate) const LINE_BYTES_MAX: u64 = 4 << 10;
/// Milliseconds that a response of the worker may take. A worker waits less than that for its
/// ledger.
const ANSWER_MS_MAX: u64 = 120_000;

/// A message of a process to its worker. Only `Want` gets a response.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum TurnMessage {
    /// It wants a turn.
    Want {
        key: String,
        apart_ms: u64,
        tokens_apart_ms: u64,
        is_local: bool,
    },
    /// A request went well.
    Well { key: String, has_failed: bool },
    /// A request failed.
    Badly { key: String },
    /// A server asks for a pause.
    Held { key: String, ms: u64 },
    /// The use of a request that had a turn: tokens, and billionths of a dollar.
    Used { tokens: u64, cost_nano: u64 },
    /// A request was not sent, since others had the turns.
    TooLate,
    /// A request was not sent, since requests fail again and again.
    Closed { ms: u64 },
    /// A request was not sent, since no turn could be had.
    Unknown { why: String },
}

/// A response of the worker.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum WorkerAnswer {
    /// The request may go.
    Go { key: String, has_failed: bool },
    /// The request may go after this time.
    In { ms: u64 },
    /// No request of any job may go for this time.
    Closed { ms: u64 },
    /// No turn can be had.
    Unknown { why: String },
}

/// The source of turns of this process; set once, from the command line.
static GIVEN: OnceLock<Arc<dyn Turns>> = OnceLock::new();

/// Sets the source of turns. If the socket cannot be used, no request gets a turn.
pub(crate) fn heed(socket: &Path) {
    let _ = GIVEN.set(Arc::new(OfWorker::at(socket)));
}

/// Returns the source of turns of this process; `None` if only its own pace counts.
#[cfg(feature = "model")]
pub(crate) fn given() -> Option<Arc<dyn Turns>> {
    GIVEN.get().cloned()
}

/// Writes a message as one line.
pub(crate) fn write(stream: &UnixStream, message: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    (&mut &*stream).write_all(&line)
}

/// Reads the message of a line.
pub(crate) fn read<T: DeserializeOwned>(line: &[u8]) -> io::Result<T> {
    Ok(serde_json::from_slice(line)?)
}

/// The worker at the other end of a socket.
#[derive(Debug)]
struct OfWorker {
    line: Mutex<io::Result<BufReader<UnixStream>>>,
}

impl OfWorker {
    fn at(socket: &Path) -> Self {
        let opened = UnixStream::connect(socket).and_then(|stream| {
            let within = Some(Duration::from_millis(ANSWER_MS_MAX));
            stream.set_read_timeout(within)?;
            stream.set_write_timeout(within)?;
            Ok(BufReader::new(stream))
        });
        // A connection that failed is kept as an error, which the first request reports.
        Self {
            line: Mutex::new(opened),
        }
    }

    /// Sends a message, and reads the response if there is one. After a failure the connection is
    /// dead: what comes later could be the response to something else.
    fn say(&self, said: &TurnMessage, is_answered: bool) -> Result<Option<WorkerAnswer>, String> {
        let mut line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        let stream = line
            .as_mut()
            .map_err(|error| format!("the worker cannot be asked ({error})"))?;
        let done = write(stream.get_ref(), said).and_then(|()| match is_answered {
            true => answer(stream).map(Some),
            false => Ok(None),
        });
        done.map_err(|error| {
            let why = format!("the worker does not answer ({})", error.kind());
            *line = Err(io::Error::new(error.kind(), "it did not answer before"));
            why
        })
    }
}

fn answer(stream: &mut BufReader<UnixStream>) -> io::Result<WorkerAnswer> {
    let mut line = Vec::new();
    stream.take(LINE_BYTES_MAX).read_until(b'\n', &mut line)?;
    read(&line)
}

impl Turns for OfWorker {
    fn ask(&self, want: &Want) -> TurnAnswer {
        // The worker ends no turn that is had alone for others.
        if want.is_alone {
            return TurnAnswer::Unknown("a worker gives no turns at hosts".to_owned());
        }
        let said = TurnMessage::Want {
            key: want.key.clone(),
            apart_ms: want.apart_ms,
            tokens_apart_ms: want.tokens_apart_ms,
            is_local: want.is_local,
        };
        match self.say(&said, true) {
            Ok(Some(WorkerAnswer::Go { key, has_failed })) => TurnAnswer::Go(Grant {
                key,
                number: 0,
                has_failed,
            }),
            Ok(Some(WorkerAnswer::In { ms })) => TurnAnswer::In(ms),
            Ok(Some(WorkerAnswer::Closed { ms })) => TurnAnswer::Closed(ms),
            Ok(Some(WorkerAnswer::Unknown { why })) | Err(why) => TurnAnswer::Unknown(why),
            Ok(None) => TurnAnswer::Unknown("the worker does not answer".to_owned()),
        }
    }

    fn went(&self, grant: &Grant, went: Went, _: Option<u64>) {
        // A worker that is gone cannot be told. The failed message ends the connection, so that the
        // next request gets no turn.
        let key = grant.key.clone();
        let said = match went {
            Went::Well => TurnMessage::Well {
                key,
                has_failed: grant.has_failed,
            },
            Went::Badly => TurnMessage::Badly { key },
            Went::Held(ms) => TurnMessage::Held { key, ms },
        };
        let _ = self.say(&said, false);
    }

    fn used(&self, tokens: u64, cost_nano: u64) {
        let _ = self.say(&TurnMessage::Used { tokens, cost_nano }, false);
    }

    fn gave_up(&self, _: &Want, why: &NoTurn) {
        let said = match why {
            NoTurn::TooLate => TurnMessage::TooLate,
            NoTurn::Closed(ms) => TurnMessage::Closed { ms: *ms },
            NoTurn::Unknown(why) => TurnMessage::Unknown { why: why.clone() },
            NoTurn::Stopped => return,
        };
        let _ = self.say(&said, false);
    }
}

#[cfg(test)]
mod tests;
