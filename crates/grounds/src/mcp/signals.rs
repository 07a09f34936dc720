//! The signals by which the system asks a program to end.

use std::io;

#[cfg(unix)]
use tokio::signal::unix as system;
#[cfg(windows)]
use tokio::signal::windows as system;

/// The signals that end the server.
#[cfg(unix)]
pub(crate) struct Signals(system::Signal, system::Signal);

/// The signals that end the server.
#[cfg(windows)]
pub(crate) struct Signals(system::CtrlC, system::CtrlBreak);

impl Signals {
    /// Begins to listen.
    ///
    /// # Errors
    /// What the system says.
    pub(crate) fn listen() -> io::Result<Self> {
        #[cfg(unix)]
        {
            use system::{SignalKind, signal};
            let terminate = signal(SignalKind::terminate())?;
            Ok(Self(terminate, signal(SignalKind::interrupt())?))
        }
        #[cfg(windows)]
        Ok(Self(system::ctrl_c()?, system::ctrl_break()?))
    }

    /// Waits for the first of them.
    pub(crate) async fn any(&mut self) {
        tokio::select! {
            _ = self.0.recv() => {}
            _ = self.1.recv() => {}
        }
    }
}
