//! The transport over standard input and output: one message a line. Given bytes of
//! anyone, it gives the SDK whole messages and answers everything else itself, with
//! the name of the request where it has one, so that no client waits for ever.
//! Every bound is held before memory is used.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ErrorCode};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::{Value, json};
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::safe;

/// Messages that wait to be written, beside those that are being sent.
const WRITES_WAITING_MAX: usize = 16;
/// Messages on their way out from which on none is read: a client that does not read is not served.
const UNSENT_MAX: usize = 64;
/// Milliseconds that calls under way have after the client has closed its side.
const LAST_MS: u64 = 1_000;
/// Milliseconds that the last messages have to be written.
const CLOSE_MS: u64 = 1_000;

/// A transport.
pub(super) struct Lines<R> {
    reader: R,
    line: Vec<u8>,
    bytes_max: usize,
    is_too_long: bool,
    has_begun: bool,
    replies: VecDeque<Vec<u8>>,
    out: Option<mpsc::Sender<Vec<u8>>>,
    writer: Option<JoinHandle<()>>,
    unsent: Arc<Unsent>,
    over: CancellationToken,
}

/// How many messages are on their way out.
#[derive(Default)]
struct Unsent {
    count: AtomicUsize,
    fewer: Notify,
}

impl<R: AsyncBufRead + Unpin + Send> Lines<R> {
    /// `over` is cancelled when the client has gone.
    pub(super) fn new(reader: R, writer: impl AsyncWrite + Unpin + Send + 'static, bytes_max: usize, over: CancellationToken) -> Self {
        let (out, waiting) = mpsc::channel(WRITES_WAITING_MAX);
        let writer = tokio::spawn(write(writer, waiting, over.clone()));
        Self {
            reader,
            line: Vec::new(),
            bytes_max,
            is_too_long: false,
            has_begun: false,
            replies: VecDeque::new(),
            out: Some(out),
            writer: Some(writer),
            unsent: Arc::default(),
            over,
        }
    }

    /// The next line; none at the end. Nothing is lost when this is dropped in the middle.
    async fn next_line(&mut self) -> Option<Line> {
        loop {
            let available = self.reader.fill_buf().await.ok().filter(|bytes| !bytes.is_empty())?;
            let end = available.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(available.len(), |end| end + 1);
            self.is_too_long |= self.line.len() + taken > self.bytes_max;
            if self.is_too_long {
                self.line.clear();
            } else {
                self.line.extend_from_slice(&available[..taken]);
            }
            self.reader.consume(taken);
            if end.is_some() {
                let line = std::mem::take(&mut self.line);
                return Some(if std::mem::take(&mut self.is_too_long) { Line::TooLong } else { Line::Whole(line) });
            }
        }
    }

    /// Sends the replies of this transport, one after the other, as fast as the client reads.
    async fn reply(&mut self) -> Option<()> {
        while !self.replies.is_empty() {
            let place = self.out.as_ref()?.reserve().await.ok()?;
            if let Some(reply) = self.replies.pop_front() {
                place.send(reply);
            }
        }
        Some(())
    }

    async fn next_message(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            self.reply().await?;
            self.unsent.wait_until_few().await;
            let read = match self.next_line().await? {
                Line::Whole(line) => message(&line),
                Line::TooLong => {
                    let why = format!("the message has more than {} bytes (`mcp.message_bytes_max`)", self.bytes_max);
                    Err(Some(refusal(&Value::Null, ErrorCode::INVALID_REQUEST, &why)))
                }
            };
            match read {
                Ok(message) if self.begins(&message) => return Some(message),
                Ok(_) | Err(None) => {}
                Err(Some(reply)) => self.replies.push_back(reply),
            }
        }
    }

    /// Before the first request nothing else means anything.
    fn begins(&mut self, message: &ClientJsonRpcMessage) -> bool {
        self.has_begun |= matches!(message, ClientJsonRpcMessage::Request(_));
        self.has_begun
    }

    /// The client has closed its side: what is under way has a moment to end.
    fn end(&self) {
        let over = self.over.clone();
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(LAST_MS)).await;
            over.cancel();
        });
    }
}

impl<R: AsyncBufRead + Unpin + Send> Transport<RoleServer> for Lines<R> {
    type Error = io::Error;

    fn send(&mut self, message: TxJsonRpcMessage<RoleServer>) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let line = serde_json::to_string(&message).map(|text| format!("{}\n", safe::for_json(&text)).into_bytes());
        let (out, unsent) = (self.out.clone(), Sending::of(&self.unsent));
        async move {
            let _unsent = unsent;
            let out = out.ok_or(io::ErrorKind::NotConnected)?;
            out.send(line?).await.map_err(|_| io::ErrorKind::BrokenPipe.into())
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        let over = self.over.clone();
        let received = tokio::select! {
            biased;
            () = over.cancelled() => None,
            message = self.next_message() => message,
        };
        if received.is_none() {
            self.end();
        }
        received
    }

    async fn close(&mut self) -> io::Result<()> {
        self.out = None;
        if let Some(writer) = self.writer.take() {
            let _ = tokio::time::timeout(Duration::from_millis(CLOSE_MS), writer).await;
        }
        Ok(())
    }
}

enum Line {
    Whole(Vec<u8>),
    TooLong,
}

/// Writes messages in order. A client that does not take them has gone.
async fn write(mut writer: impl AsyncWrite + Unpin, mut waiting: mpsc::Receiver<Vec<u8>>, over: CancellationToken) {
    while let Some(line) = waiting.recv().await {
        let written = async { writer.write_all(&line).await.and(writer.flush().await) };
        if written.await.is_err() {
            over.cancel();
            return;
        }
    }
}

impl Unsent {
    async fn wait_until_few(&self) {
        loop {
            let fewer = self.fewer.notified();
            if self.count.load(Ordering::Relaxed) < UNSENT_MAX {
                return;
            }
            fewer.await;
        }
    }
}

/// A message on its way out.
struct Sending(Arc<Unsent>);

impl Sending {
    fn of(unsent: &Arc<Unsent>) -> Self {
        unsent.count.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(unsent))
    }
}

impl Drop for Sending {
    fn drop(&mut self) {
        self.0.count.fetch_sub(1, Ordering::Relaxed);
        self.0.fewer.notify_waiters();
    }
}

/// A message, or what is answered to a line that is none; nothing to blank lines and to broken notifications.
fn message(line: &[u8]) -> Result<ClientJsonRpcMessage, Option<Vec<u8>>> {
    if line.trim_ascii().is_empty() {
        return Err(None);
    }
    let value: Value = serde_json::from_slice(line)
        .map_err(|error| Some(refusal(&Value::Null, ErrorCode::PARSE_ERROR, &format!("the line is no JSON: {error}"))))?;
    let Value::Object(object) = &value else {
        let why = "the line holds no JSON object; batches are not part of the protocol";
        return Err(Some(refusal(&Value::Null, ErrorCode::INVALID_REQUEST, why)));
    };
    let id = object.get("id").cloned();
    if id.as_ref().is_some_and(|id| !(id.is_string() || id.is_i64())) {
        return Err(Some(refusal(&Value::Null, ErrorCode::INVALID_REQUEST, "`id` is neither a string nor an integer")));
    }
    serde_json::from_value(value).map_err(|error| {
        let why = format!("the message is not one of the protocol: {error}");
        id.map(|id| refusal(&id, ErrorCode::INVALID_REQUEST, &why))
    })
}

fn refusal(id: &Value, code: ErrorCode, why: &str) -> Vec<u8> {
    let reply = json!({"jsonrpc": "2.0", "id": id, "error": {"code": code.0, "message": why}});
    format!("{}\n", safe::for_json(&reply.to_string())).into_bytes()
}
