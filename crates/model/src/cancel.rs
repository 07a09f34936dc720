//! A signal to stop, shared by many threads. Whatever waits checks it often.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Maximum time of one wait before the signal is checked again.
pub(crate) const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// Whether the work is to stop. Clones are about the same work.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Stops the work.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Reports whether it is to stop.
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
