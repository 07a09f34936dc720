//! Watches the processes of a run: how many they are, and how much memory and disk they use. Finds
//! those that have left their group.
//!
//! Reads `/proc`; on systems without it, only the limits of the system apply.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags};
use rustix::io::Errno;
use rustix::process::{Pid, Signal};

use super::Ending;
use crate::limits::Limits;

/// Milliseconds between two checks of the processes.
const LOOK_MS: u64 = 50;
/// Milliseconds between two checks of the disk, at least. The free bytes may call for one sooner.
const DISK_LOOK_MS: u32 = 500;
/// How much longer the pause between two checks of the disk is than such a check.
const DISK_PAUSE_FACTOR: u32 = 10;
/// Entries of the private folder after which one check adds no further folder to those that it
/// reads.
const ENTRIES_MAX: usize = 2_000_000;
/// Rounds in which processes that keep coming are ended.
const ROUNDS_MAX: usize = 50;
/// Bytes that stay free on the disk, whatever the bound.
const FREE_BYTES_MIN: u64 = 256 << 20;
/// Bytes that may vanish from the disk during a run without being found in its files: others write
/// too.
const UNFOUND_BYTES_MAX: u64 = 4 << 30;

/// The state of one process.
#[derive(Clone, Copy, Debug)]
struct ProcessState {
    pid: u32,
    parent: u32,
    group: u32,
    threads: u64,
    resident_bytes: u64,
}

/// Checks a run from time to time.
pub(super) struct RunWatch<'w> {
    work: &'w Path,
    processes_at: Instant,
    disk_at: Instant,
    /// Free bytes of the disk at the start, and when it was last looked at closely.
    free_at_start: u64,
    free_at_look: u64,
    /// Bytes that were found at that check.
    found: u64,
    /// Processes that the system had ended for want of memory before the run.
    ended_for_memory: u64,
    /// Processes that the system had started in all before the last check.
    started: u64,
}

impl<'w> RunWatch<'w> {
    pub(super) fn new(work: &'w Path) -> Self {
        let (now, free) = (Instant::now(), free_bytes(work));
        Self {
            work,
            processes_at: now,
            disk_at: now + Duration::from_millis(u64::from(DISK_LOOK_MS)),
            free_at_start: free,
            free_at_look: free,
            found: 0,
            ended_for_memory: count("/proc/vmstat", "oom_kill "),
            started: started(),
        }
    }

    /// Returns the bound that the run has passed, if any.
    pub(super) fn passed_bound(&mut self, first: u32, limits: &Limits) -> Option<&'static str> {
        let now = Instant::now();
        if now < self.processes_at {
            return None;
        }
        self.processes_at = now + Duration::from_millis(LOOK_MS);
        // `explained` asks how many were started after this check.
        self.started = started();
        let family = family_of(first, &processes());
        let threads: u64 = family.iter().map(|seen| seen.threads).sum();
        let resident_bytes: u64 = family.iter().map(|seen| seen.resident_bytes).sum();
        let threads_max = limits.run_processes_max as u64 * super::running::THREADS_PER_PROCESS;
        if family.len() > limits.run_processes_max || threads > threads_max {
            return Some("run_processes_max");
        }
        if resident_bytes > limits.run_memory_bytes_max {
            return Some("run_memory_bytes_max");
        }
        self.passed_bound_of_files(&family, limits)
    }

    /// Returns the bound that files have passed. The free bytes of the disk are asked at each
    /// check. The files are counted less often, and at once if the free bytes say that it could be
    /// too much.
    fn passed_bound_of_files(
        &mut self,
        family: &[ProcessState],
        limits: &Limits,
    ) -> Option<&'static str> {
        let bytes_max = limits.run_disk_bytes_max;
        let (now, free) = (Instant::now(), free_bytes(self.work));
        let could_be = self
            // At most this much: what was found last, and all that the disk lost since.
            .found
            .saturating_add(self.free_at_look.saturating_sub(free));
        if now < self.disk_at && could_be <= bytes_max {
            return None;
        }
        let unlinked = unlinked(self.work, family);
        self.found = disk_bytes(self.work).saturating_add(unlinked.of_disk);
        self.free_at_look = free;
        self.disk_at = Instant::now()
            + (now.elapsed() * DISK_PAUSE_FACTOR)
                .max(Duration::from_millis(u64::from(DISK_LOOK_MS)));
        let gone = self.free_at_start.saturating_sub(free);
        let unfound = gone.saturating_sub(self.found);
        // A full disk that has lost nothing since the start was full before the run.
        let is_full = free < FREE_BYTES_MIN && gone > 0;
        if self.found > bytes_max || is_full || unfound > bytes_max.max(UNFOUND_BYTES_MAX) {
            return Some("run_disk_bytes_max");
        }
        (unlinked.of_memory > limits.run_memory_bytes_max).then_some("run_memory_bytes_max")
    }

    /// Returns how a run ended, in the light of what happened to the machine meanwhile. A program
    /// that failed for lack of memory or disk shows nothing about its code.
    pub(super) fn explained(&self, ending: Ending, limits: &Limits) -> Ending {
        let has_failed = matches!(ending, Ending::Exited(code) if code != 0);
        // Only a program that multiplies reaches the limit of the system in the pause between two
        // checks, and fails by it.
        let started = started().saturating_sub(self.started);
        match () {
            () if has_failed && started > limits.run_processes_max as u64 => {
                Ending::Bound("run_processes_max")
            }
            () if has_failed && count("/proc/vmstat", "oom_kill ") > self.ended_for_memory => {
                Ending::Bound("the memory of the machine")
            }
            () if has_failed && is_full(self.work) && !was_full(self.free_at_start) => {
                Ending::Bound("the room on the disk")
            }
            () => ending,
        }
    }
}

fn is_full(folder: &Path) -> bool {
    was_full(free_bytes(folder))
}

const fn was_full(free_bytes: u64) -> bool {
    free_bytes < FREE_BYTES_MIN / 16
}

/// Returns the bytes of the disk that a person may still write, or the maximum if the system does
/// not say.
fn free_bytes(folder: &Path) -> u64 {
    rustix::fs::statvfs(folder).map_or(u64::MAX, |disk| disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// Returns how many processes the system has started since it booted.
fn started() -> u64 {
    count("/proc/stat", "processes ")
}

/// Returns a count that the system keeps in a file, by the text before it; 0 if it keeps none.
fn count(file: &str, name: &str) -> u64 {
    let counts = std::fs::read_to_string(file).unwrap_or_default();
    let count = counts.lines().find_map(|line| line.strip_prefix(name));
    count.and_then(|count| count.parse().ok()).unwrap_or(0)
}

/// Returns a process, all that descend from it, and all of its group.
fn family_of(first: u32, all: &[ProcessState]) -> Vec<ProcessState> {
    let parents: BTreeMap<u32, &ProcessState> = all.iter().map(|seen| (seen.pid, seen)).collect();
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
                // Parents that name each other in a circle: the list changed while it was read.
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

fn processes() -> Vec<ProcessState> {
    pids().filter_map(seen_of).collect()
}

/// Reads the state of a process. Field 4 is the parent, 5 the group, 20 the threads, 24 the
/// resident pages. The name before them may contain anything.
fn seen_of(pid: u32) -> Option<ProcessState> {
    let stat = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
    let stat = String::from_utf8_lossy(&stat);
    // The name of a process may contain `) `, so the last one ends it.
    let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
    let field = |number: usize| {
        fields
            .get(number - 3)
            .and_then(|field| field.parse::<u64>().ok())
    };
    Some(ProcessState {
        pid,
        parent: u32::try_from(field(4)?).ok()?,
        group: u32::try_from(field(5)?).ok()?,
        threads: field(20)?,
        resident_bytes: field(24)?.saturating_mul(rustix::param::page_size() as u64),
    })
}

/// Returns the number of threads that the person has already: the system's limit counts them too.
pub(super) fn threads_of_user() -> u64 {
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

/// Returns the bytes that a folder takes on disk; links are not followed. Each folder is opened
/// from its parent, because a path can be longer than the system accepts.
fn disk_bytes(folder: &Path) -> u64 {
    let Ok(top) = open_folder(rustix::fs::CWD, folder) else {
        return 0;
    };
    let (mut bytes, mut entries) = (0_u64, 0_usize);
    // The folders that wait, each with its open parent. Few are open at one time.
    let mut waiting: Vec<(Rc<OwnedFd>, OsString)> = Vec::new();
    let mut at = Some(Rc::new(top));
    while let Some(folder) = at {
        for entry in Dir::read_from(&*folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            if matches!(name.to_bytes(), b"." | b"..") {
                continue;
            }
            let Ok(stat) = rustix::fs::statat(&*folder, name, AtFlags::SYMLINK_NOFOLLOW) else {
                continue;
            };
            // A file with holes takes less than its length. Blocks are counted in units of 512
            // bytes.
            let blocks = u64::try_from(stat.st_blocks).unwrap_or(0);
            bytes = bytes.saturating_add(blocks.saturating_mul(512));
            entries += 1;
            if FileType::from_raw_mode(stat.st_mode).is_dir() && entries < ENTRIES_MAX {
                let name = OsStr::from_bytes(name.to_bytes()).to_owned();
                waiting.push((Rc::clone(&folder), name));
            }
        }
        at = match next_folder(&mut waiting) {
            Ok(next) => next,
            Err(_) => return u64::MAX,
        };
    }
    bytes
}

/// Returns the next folder that can still be opened.
///
/// # Errors
/// If so many are open that none can be: then nobody knows how much is in them.
fn next_folder(
    waiting: &mut Vec<(Rc<OwnedFd>, OsString)>,
) -> rustix::io::Result<Option<Rc<OwnedFd>>> {
    while let Some((outer, name)) = waiting.pop() {
        match open_folder(&*outer, Path::new(&name)) {
            Ok(folder) => return Ok(Some(Rc::new(folder))),
            Err(error @ (Errno::MFILE | Errno::NFILE)) => return Err(error),
            Err(_) => {}
        }
    }
    Ok(None)
}

fn open_folder(outer: impl std::os::fd::AsFd, name: &Path) -> rustix::io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    rustix::fs::openat(outer, name, flags, Mode::empty())
}

/// Bytes of files without a name.
#[derive(Clone, Copy, Debug, Default)]
struct Unlinked {
    /// Of the disk that a folder is on.
    of_disk: u64,
    /// Of all others, which have their files in memory.
    of_memory: u64,
}

/// Returns the bytes of files that have no name any more and that a process still keeps open or
/// mapped.
fn unlinked(folder: &Path, family: &[ProcessState]) -> Unlinked {
    let Ok(disk) = std::fs::metadata(folder).map(|folder| folder.dev()) else {
        return Unlinked::default();
    };
    let mut files: BTreeMap<(bool, u64), u64> = BTreeMap::new();
    for seen in family {
        let held = std::fs::read_dir(format!("/proc/{}/fd", seen.pid));
        let open = held
            .into_iter()
            .flatten()
            .flatten()
            .filter_map(|entry| std::fs::metadata(entry.path()).ok())
            .filter(|file| file.nlink() == 0)
            .map(|file| {
                let bytes = file.blocks().saturating_mul(512);
                ((file.dev() == disk, file.ino()), bytes)
            });
        let maps = std::fs::read(format!("/proc/{}/maps", seen.pid)).unwrap_or_default();
        let maps = String::from_utf8_lossy(&maps);
        let mapped = maps
            .lines()
            .filter_map(|line| mapped_file(line, disk))
            .map(|(file, bytes)| ((true, file), bytes));
        for (file, bytes) in open.chain(mapped) {
            // A file that is both open and mapped counts once.
            let known = files.entry(file).or_default();
            *known = bytes.max(*known);
        }
    }
    let sum = |is_of_disk: bool| {
        let of = files.iter().filter(|((is, _), _)| *is == is_of_disk);
        of.fold(0_u64, |sum, (_, bytes)| sum.saturating_add(*bytes))
    };
    Unlinked {
        of_disk: sum(true),
        of_memory: sum(false),
    }
}

/// Parses a mapped file of a disk without a name: "7f00-7f10 rw-s 00000000 fe:00 1234 /x
/// (deleted)".
fn mapped_file(line: &str, disk: u64) -> Option<(u64, u64)> {
    let line = line.strip_suffix(" (deleted)")?;
    let mut fields = line.split_ascii_whitespace();
    let hexadecimal = |text: &str| u64::from_str_radix(text, 16).ok();
    let (start, end) = fields.next()?.split_once('-')?;
    let bytes = hexadecimal(end)?.saturating_sub(hexadecimal(start)?);
    let offset = hexadecimal(fields.nth(1)?)?;
    let (major, minor) = fields.next()?.split_once(':')?;
    let is_of_disk = hexadecimal(major)? == u64::from(rustix::fs::major(disk))
        && hexadecimal(minor)? == u64::from(rustix::fs::minor(disk));
    let file = fields.next()?.parse().ok()?;
    // The file is at least as long as the end of the part that is mapped.
    is_of_disk.then_some((file, offset.saturating_add(bytes)))
}

/// Waits until the first process of a sandbox is gone, and with it all others. Its number is in the
/// file that the sandbox wrote.
pub(super) fn await_first(file: &Path, most: Duration) {
    let until = Instant::now() + most;
    // bubblewrap writes `{ "child-pid": 123 }`, and newer versions more fields.
    let pid = std::fs::read(file)
        .ok()
        .and_then(|text| serde_json::from_slice::<serde_json::Value>(&text).ok())
        .and_then(|said| said["child-pid"].as_u64());
    let Some(pid) = pid else { return };
    let is_there = || {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        stat.rsplit_once(") ")
            // A process in the state `Z` or `X` has ended already.
            .is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']))
    };
    while is_there() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(1));
    }
    let _ = std::fs::remove_file(file);
}

/// Ends every process whose environment says that it belongs to a run, in rounds until no such
/// process is left, or the bound on rounds is reached.
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
    // A process that was started after the list was read is found in the next round.
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
