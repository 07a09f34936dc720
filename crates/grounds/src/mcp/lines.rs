//! The transport over standard input and output: one message per line. Takes untrusted bytes,
//! passes whole messages to the SDK and answers everything else itself, with the name of the
//! request if it has one, so that no client waits forever. Every bound is checked before memory is
//! allocated.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ClientNotification, ErrorCode, JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::{Value, json};
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::config::McpBounds;
use crate::safe;

/// Messages that wait to be written, beside those that are being sent.
const WRITES_WAITING_MAX: usize = 16;
/// Number of messages on their way out from which on none is read: a client that does not read is
/// not served.
const UNSENT_MAX: usize = 64;
/// Requests that may be under way at one time beside the calls that run and wait; with more, none
/// is read.
const REQUESTS_MAX: usize = 64;
/// Milliseconds that calls under way have after the client has closed its side.
const LAST_MS: u64 = 1_000;
/// Milliseconds that the last messages have to be written.
const CLOSE_MS: u64 = 1_000;

/// A transport.
pub(super) struct LineTransport<R> {
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

/// The number of messages on their way out, and the requests that are under way.
#[derive(Default)]
struct Unsent {
    count: AtomicUsize,
    /// Requests under way, with their number by name: a client may use a name again and again.
    requests: Mutex<HashMap<RequestId, usize>>,
    requests_max: usize,
    fewer: Notify,
}

impl<R: AsyncBufRead + Unpin + Send> LineTransport<R> {
    /// Returns the transport of one client. `over` is cancelled when the client has gone.
    pub(super) fn new(
        reader: R,
        writer: impl AsyncWrite + Unpin + Send + 'static,
        bounds: &McpBounds,
        over: CancellationToken,
    ) -> Self {
        // The runner has the bounds of calls; this one must not be met before them.
        let requests_max = bounds
            .calls_max
            .saturating_add(bounds.calls_waiting_max)
            .saturating_add(REQUESTS_MAX);
        let (out, waiting) = mpsc::channel(WRITES_WAITING_MAX);
        // A single task writes, so that no message is written into another.
        let writer = tokio::spawn(write(writer, waiting, over.clone()));
        Self {
            reader,
            line: Vec::new(),
            bytes_max: bounds.message_bytes_max,
            is_too_long: false,
            has_begun: false,
            replies: VecDeque::new(),
            out: Some(out),
            writer: Some(writer),
            unsent: Arc::new(Unsent {
                requests_max,
                ..Unsent::default()
            }),
            over,
        }
    }

    /// Reads the next line; `None` at the end. Nothing is lost if this future is dropped before it
    /// ends.
    async fn next_line(&mut self) -> Option<TransportLine> {
        loop {
            let available = self
                .reader
                .fill_buf()
                .await
                .ok()
                .filter(|bytes| !bytes.is_empty())?;
            let end = available.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(available.len(), |end| end + 1);
            // The rest of a line that is too long is read and dropped, so that the next line is
            // understood.
            self.is_too_long |= self.line.len() + taken > self.bytes_max;
            if self.is_too_long {
                self.line.clear();
            } else {
                self.line.extend_from_slice(&available[..taken]);
            }
            self.reader.consume(taken);
            if end.is_some() {
                let line = std::mem::take(&mut self.line);
                return Some(if std::mem::take(&mut self.is_too_long) {
                    TransportLine::TooLong
                } else {
                    TransportLine::Whole(line)
                });
            }
        }
    }

    /// Sends the replies of this transport, one after the other, as fast as the client reads.
    async fn reply(&mut self) -> Option<()> {
        while !self.replies.is_empty() {
            // The place comes first: a reply that was taken from the queue would be lost if this is
            // dropped while it waits.
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
            // 20,000 requests of a client that reads no response took 190 MB in a second.
            self.unsent.wait_until_few().await;
            let read = match self.next_line().await? {
                TransportLine::Whole(line) => message(&line),
                TransportLine::TooLong => {
                    let why = format!(
                        "the message has more than {} bytes (`mcp.message_bytes_max`)",
                        self.bytes_max
                    );
                    Err(Some(refusal(
                        &Value::Null,
                        ErrorCode::INVALID_REQUEST,
                        &why,
                    )))
                }
            };
            match read {
                Ok(message) if self.begins(&message) => {
                    self.unsent.note(&message);
                    return Some(message);
                }
                Ok(_) | Err(None) => {}
                Err(Some(reply)) => self.replies.push_back(reply),
            }
        }
    }

    /// Reports whether the session has begun: before the first request no other message means
    /// anything.
    fn begins(&mut self, message: &ClientJsonRpcMessage) -> bool {
        self.has_begun |= matches!(message, ClientJsonRpcMessage::Request(_));
        self.has_begun
    }

    /// Ends the session a moment after the client has closed its side, so that running calls can
    /// finish.
    fn end(&self) {
        let over = self.over.clone();
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(LAST_MS)).await;
            over.cancel();
        });
    }
}

impl<R: AsyncBufRead + Unpin + Send> Transport<RoleServer> for LineTransport<R> {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let line = serde_json::to_string(&message)
            .map(|text| format!("{}\n", safe::for_json(&text)).into_bytes());
        let answered = match &message {
            JsonRpcMessage::Response(response) => Some(response.id.clone()),
            JsonRpcMessage::Error(error) => error.id.clone(),
            JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => None,
        };
        let (out, unsent) = (self.out.clone(), Sending::of(&self.unsent, answered));
        async move {
            // It counts as on its way until the writer has taken it, also if the SDK drops this
            // future.
            let _unsent = unsent;
            let out = out.ok_or(io::ErrorKind::NotConnected)?;
            out.send(line?)
                .await
                .map_err(|_| io::ErrorKind::BrokenPipe.into())
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        let over = self.over.clone();
        let received = tokio::select! {
            biased;
            () = over.cancelled() => None,
            message = self.next_message() => message,
        };
        // A client that pipes a request into the server closes the pipe at once, and still wants
        // the response.
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

enum TransportLine {
    Whole(Vec<u8>),
    TooLong,
}

/// Writes messages in order. A client that does not take them has gone.
async fn write(
    mut writer: impl AsyncWrite + Unpin,
    mut waiting: mpsc::Receiver<Vec<u8>>,
    over: CancellationToken,
) {
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
            // It is created before the look at the counts, so that no change in between is missed.
            let fewer = self.fewer.notified();
            if self.count.load(Ordering::Relaxed) < UNSENT_MAX
                && self.requests().values().sum::<usize>() < self.requests_max
            {
                return;
            }
            fewer.await;
        }
    }

    fn requests(&self) -> MutexGuard<'_, HashMap<RequestId, usize>> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a request as under way. The server does not wait for a cancelled one.
    fn note(&self, message: &ClientJsonRpcMessage) {
        match message {
            JsonRpcMessage::Request(request) => {
                *self.requests().entry(request.id.clone()).or_default() += 1
            }
            JsonRpcMessage::Notification(told) => {
                if let ClientNotification::CancelledNotification(cancelled) = &told.notification {
                    // By the protocol a cancelled request gets no response that could end its
                    // count.
                    self.over(cancelled.params.request_id.as_ref());
                }
            }
            JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => {}
        }
    }

    /// Counts a request as ended.
    fn over(&self, id: Option<&RequestId>) {
        let mut requests = self.requests();
        if let Some(id) = id
            && let Some(count) = requests.get_mut(id)
        {
            *count -= 1;
            if *count == 0 {
                requests.remove(id);
            }
        }
    }
}

/// A message on its way out.
struct Sending {
    unsent: Arc<Unsent>,
    answered: Option<RequestId>,
}

impl Sending {
    fn of(unsent: &Arc<Unsent>, answered: Option<RequestId>) -> Self {
        unsent.count.fetch_add(1, Ordering::Relaxed);
        Self {
            unsent: Arc::clone(unsent),
            answered,
        }
    }
}

impl Drop for Sending {
    fn drop(&mut self) {
        self.unsent.count.fetch_sub(1, Ordering::Relaxed);
        self.unsent.over(self.answered.as_ref());
        self.unsent.fewer.notify_waiters();
    }
}

/// Parses a message, or returns the reply to a line that is not a message. Blank lines and broken
/// notifications get no reply.
fn message(line: &[u8]) -> Result<ClientJsonRpcMessage, Option<Vec<u8>>> {
    if line.trim_ascii().is_empty() {
        return Err(None);
    }
    // The line is read as any JSON first, so that a refusal can name the request that it is about.
    let value: Value = serde_json::from_slice(line).map_err(|error| {
        Some(refusal(
            &Value::Null,
            ErrorCode::PARSE_ERROR,
            &format!("the line is not JSON: {error}"),
        ))
    })?;
    let Value::Object(object) = &value else {
        let why = "the line holds no JSON object; batches are not part of the protocol";
        return Err(Some(refusal(&Value::Null, ErrorCode::INVALID_REQUEST, why)));
    };
    let id = object.get("id").cloned();
    if id
        .as_ref()
        .is_some_and(|id| !(id.is_string() || id.is_i64()))
    {
        return Err(Some(refusal(
            &Value::Null,
            ErrorCode::INVALID_REQUEST,
            "`id` is neither a string nor an integer",
        )));
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
