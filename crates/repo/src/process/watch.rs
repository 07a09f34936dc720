//! Watches the processes of a run: how many, how much memory, how much disk;
//! and finds those that have left their group.
//!
//! Reads `/proc`; where there is none, only the limits of the system hold.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

use crate::limits::Limits;

/// Milliseconds between two looks at the processes.
const LOOK_MS: u64 = 50;
/// Milliseconds between two looks at the disk, at least.
const DISK_LOOK_MS: u32 = 500;
/// How much longer the disk is left alone than a look at it took.
const DISK_PAUSE_FACTOR: u32 = 10;
/// Entries of the private folder that one look counts.
const ENTRIES_MAX: usize = 2_000_000;
/// Rounds in which processes that keep coming are ended.
const ROUNDS_MAX: usize = 50;
/// Bytes of one page of memory, as the kernel counts it.
const PAGE_BYTES: u64 = 4_096;

/// What is known of one process.
#[derive(Clone, Copy, Debug)]
struct Seen {
    pid: u32,
    parent: u32,
    group: u32,
    threads: u64,
    resident_bytes: u64,
}

/// A look at a run now and then.
pub(super) struct Watch<'w> {
    first: u32,
    private: &'w Path,
    processes_at: Instant,
    disk_at: Instant,
}

impl<'w> Watch<'w> {
    pub(super) fn new(first: u32, private: &'w Path) -> Self {
        let now = Instant::now();
        Self {
            first,
            private,
            processes_at: now,
            disk_at: now + Duration::from_millis(u64::from(DISK_LOOK_MS)),
        }
    }

    /// The bound that the run has passed, if any.
    pub(super) fn passed_bound(&mut self, limits: &Limits) -> Option<&'static str> {
        let now = Instant::now();
        if now >= self.processes_at {
            self.processes_at = now + Duration::from_millis(LOOK_MS);
            let family = family_of(self.first, &processes());
            if family.len() > limits.run_processes_max {
                return Some("run_processes_max");
            }
            if family.iter().map(|seen| seen.resident_bytes).sum::<u64>()
                > limits.run_memory_bytes_max
            {
                return Some("run_memory_bytes_max");
            }
        }
        if now >= self.disk_at {
            let bytes = disk_bytes(self.private);
            self.disk_at = Instant::now()
                + (now.elapsed() * DISK_PAUSE_FACTOR)
                    .max(Duration::from_millis(u64::from(DISK_LOOK_MS)));
            return (bytes > limits.run_disk_bytes_max).then_some("run_disk_bytes_max");
        }
        None
    }
}

/// A process, all that descend from it, and all of its group.
fn family_of(first: u32, all: &[Seen]) -> Vec<Seen> {
    let parents: BTreeMap<u32, &Seen> = all.iter().map(|seen| (seen.pid, seen)).collect();
    let mut known: BTreeMap<u32, bool> = BTreeMap::from([(first, true)]);
    for seen in all {
        let (mut at, mut way) = (seen.pid, Vec::new());
        let belongs = loop {
            let Some(next) = parents.get(&at) else {
                break false;
            };
            match known.get(&at) {
                Some(belongs) => break *belongs,
                None if next.group == first => break true,
                // Parents that name each other in a circle: two looks at a changing list.
                None if way.len() > all.len() => break false,
                None => way.push(at),
            }
            at = next.parent;
        };
        known.extend(way.into_iter().chain([seen.pid]).map(|pid| (pid, belongs)));
    }
    all.iter()
        .filter(|seen| known.get(&seen.pid).is_some_and(|belongs| *belongs))
        .copied()
        .collect()
}

fn pids() -> impl Iterator<Item = u32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| {
        entry
            .file_name()
            .to_str()
            .and_then(|name| name.parse().ok())
    })
}

fn processes() -> Vec<Seen> {
    pids().filter_map(seen_of).collect()
}

/// Field 4 is the parent, 5 the group, 20 the threads, 24 the resident pages; the name before them may hold anything.
fn seen_of(pid: u32) -> Option<Seen> {
    let stat = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
    let stat = String::from_utf8_lossy(&stat);
    let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
    let field = |number: usize| {
        fields
            .get(number - 3)
            .and_then(|field| field.parse::<u64>().ok())
    };
    Some(Seen {
        pid,
        parent: u32::try_from(field(4)?).ok()?,
        group: u32::try_from(field(5)?).ok()?,
        threads: field(20)?,
        resident_bytes: field(24)? * PAGE_BYTES,
    })
}

/// Threads that the person has already: the system's limit counts them too.
pub(super) fn threads_of_user() -> u64 {
    use std::os::unix::fs::MetadataExt as _;
    let user = rustix::process::getuid().as_raw();
    let is_own = |pid: &u32| {
        std::fs::metadata(format!("/proc/{pid}")).is_ok_and(|entry| entry.uid() == user)
    };
    pids()
        .filter(is_own)
        .filter_map(seen_of)
        .map(|seen| seen.threads)
        .sum()
}

/// Bytes that a folder takes on disk; links are not followed.
fn disk_bytes(folder: &Path) -> u64 {
    use std::os::unix::fs::MetadataExt as _;
    let (mut bytes, mut entries, mut folders) = (0_u64, 0_usize, vec![PathBuf::from(folder)]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let Ok(kind) = entry.path().symlink_metadata() else {
                continue;
            };
            bytes = bytes.saturating_add(kind.blocks().saturating_mul(512));
            entries += 1;
            if kind.is_dir() && entries < ENTRIES_MAX {
                folders.push(entry.path());
            }
        }
    }
    bytes
}

/// Ends every process whose environment says that it belongs to a run, until there is none.
pub(super) fn end_marked(name: &str, private: &Path) {
    let mark = [
        OsString::from(format!("{name}=")).as_bytes(),
        private.as_os_str().as_bytes(),
    ]
    .concat();
    let is_marked = |pid: &u32| {
        let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment
            .split(|byte| *byte == 0)
            .any(|variable| variable == mark)
    };
    for _ in 0..ROUNDS_MAX {
        let left: Vec<u32> = pids().filter(is_marked).collect();
        if left.is_empty() {
            return;
        }
        for pid in left
            .into_iter()
            .filter_map(|pid| i32::try_from(pid).ok().and_then(Pid::from_raw))
        {
            let _ = rustix::process::kill_process(pid, Signal::KILL);
        }
    }
}
