//! Turns at a host: one request at a time, and a pause between two. Waits for the turn within a
//! bound.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Maximum number of hosts whose last request is remembered.
const HOSTS_MAX: usize = 10_000;

/// The state of each host that was asked.
#[derive(Debug, Default)]
pub(crate) struct Manners {
    hosts: Mutex<BTreeMap<String, Host>>,
    freed: Condvar,
}

#[derive(Clone, Copy, Debug)]
enum Host {
    Asked,
    FreeSince(Instant),
}

/// A turn. The pause begins when it is dropped.
#[derive(Debug)]
pub(crate) struct HostTurn<'m> {
    manners: &'m Manners,
    host: String,
}

impl Manners {
    /// Waits for the turn at a host; `None` if it did not come within the bound.
    pub(crate) fn turn(
        &self,
        host: &str,
        pause: Duration,
        within: Duration,
    ) -> Option<HostTurn<'_>> {
        let end = Instant::now() + within;
        let mut hosts = self.locked();
        loop {
            let now = Instant::now();
            let free_at = match hosts.get(host) {
                None => Some(now),
                Some(Host::FreeSince(last)) => Some(*last + pause),
                Some(Host::Asked) => None,
            };
            if free_at.is_some_and(|free_at| free_at <= now) {
                forget_some(&mut hosts);
                hosts.insert(host.to_owned(), Host::Asked);
                return Some(HostTurn {
                    manners: self,
                    host: host.to_owned(),
                });
            }
            // A pause that ends too late fails at once, without a wait in vain.
            if now >= end || free_at.is_some_and(|free_at| free_at > end) {
                return None;
            }
            let wait = free_at
                .unwrap_or(end)
                .saturating_duration_since(now)
                // A wait of nothing would spin until the pause is over.
                .max(Duration::from_millis(1));
            hosts = self
                .freed
                .wait_timeout(hosts, wait)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }

    fn locked(&self) -> MutexGuard<'_, BTreeMap<String, Host>> {
        self.hosts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Forgets the hosts that are not being asked, once there are too many.
fn forget_some(hosts: &mut BTreeMap<String, Host>) {
    if hosts.len() >= HOSTS_MAX {
        hosts.retain(|_, host| matches!(host, Host::Asked));
    }
}

impl Drop for HostTurn<'_> {
    fn drop(&mut self) {
        self.manners.locked().insert(
            std::mem::take(&mut self.host),
            Host::FreeSince(Instant::now()),
        );
        self.manners.freed.notify_all();
    }
}
