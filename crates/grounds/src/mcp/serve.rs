//! A server from its start to its end, over standard input and output or over HTTP.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;
use tokio::io::BufReader;
use tokio::runtime::{Builder, Runtime};
use tokio_util::sync::CancellationToken;

use super::McpSettings;
use super::child::Runner;
use super::family;
use super::handler::Handler;
use super::http::{self, Door};
use super::lines::LineTransport;
use super::signals::Signals;

/// Milliseconds that everything has to end after it was told to.
const END_MS: u64 = 3_000;

/// The end of a session.
#[derive(Debug, PartialEq, Eq)]
pub enum McpEnd {
    /// The client has ended it, or a signal.
    Ended,
    /// It broke.
    Broken(String),
}

/// Serves one client over standard input and output, until it goes away.
///
/// # Errors
/// Where no runtime can be made.
pub fn stdio(settings: McpSettings) -> io::Result<McpEnd> {
    let runtime = runtime()?;
    let served = runtime.block_on(until_signal(|over| over_lines(settings, over)));
    // A thread may wait for standard input forever.
    runtime.shutdown_background();
    served
}

/// Serves clients that know the token over HTTP on this machine, until a signal.
///
/// # Errors
/// Where the address cannot be listened on.
pub fn http(
    settings: McpSettings,
    address: SocketAddr,
    token: String,
    on_listening: &dyn Fn(SocketAddr),
) -> io::Result<McpEnd> {
    let runtime = runtime()?;
    let served = runtime.block_on(until_signal(|over| async move {
        let handler = handler(settings.clone(), &over);
        let door = Door::new(
            handler,
            token,
            settings.bounds.message_bytes_max,
            over.clone(),
        );
        http::listen(address, &door, &over, on_listening)
            .await
            .map(|()| McpEnd::Ended)
    }));
    runtime.shutdown_background();
    served
}

fn runtime() -> io::Result<Runtime> {
    family::begin()?;
    // The work is done by children; the server only passes bytes on.
    Builder::new_current_thread().enable_all().build()
}

fn handler(settings: McpSettings, over: &CancellationToken) -> Handler {
    let runner = Runner::new(settings.clone(), over.clone());
    Handler::new(Arc::new(runner), Arc::new(settings))
}

/// Serves until it ends by itself, or until a signal. Then running calls are ended, and their
/// processes get a moment to exit.
async fn until_signal<F: Future<Output = io::Result<McpEnd>>>(
    serve: impl FnOnce(CancellationToken) -> F,
) -> io::Result<McpEnd> {
    let over = CancellationToken::new();
    // Before anything is served: a signal that nobody listens for ends the process at once, and
    // leaves running calls behind.
    let mut signals = Signals::listen()?;
    let served = serve(over.clone());
    tokio::pin!(served);
    tokio::select! {
        ended = &mut served => return ended,
        () = signals.any() => {}
    }
    over.cancel();
    tokio::time::timeout(Duration::from_millis(END_MS), served)
        .await
        .unwrap_or(Ok(McpEnd::Ended))
}

async fn over_lines(settings: McpSettings, over: CancellationToken) -> io::Result<McpEnd> {
    let handler = handler(settings.clone(), &over);
    let lines = LineTransport::new(
        BufReader::new(tokio::io::stdin()),
        tokio::io::stdout(),
        &settings.bounds,
        over.clone(),
    );
    let service = match handler.serve(lines).await {
        Ok(service) => service,
        // A client that goes before it has begun, as when it only looks whether the server starts,
        // is no fault.
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => {
            return Ok(McpEnd::Ended);
        }
        Err(error) => return Ok(McpEnd::Broken(error.to_string())),
    };
    let ended = service.waiting().await;
    over.cancel();
    Ok(ended.map_or_else(|error| McpEnd::Broken(error.to_string()), |_| McpEnd::Ended))
}
