//! A kernel limit on the number of processes of a run as root, by a control group.
//!
//! The system's limit for a user does not apply to root, and a program that starts processes
//! endlessly is faster than any polling.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::process::Pid;

/// The folder of control groups.
const GROUPS: &str = "/sys/fs/cgroup";
/// The beginning of the name of a run's group; the number of its first process follows.
const PREFIX: &str = "grounds-";
/// Milliseconds to wait for the group of an ended run.
const REMOVE_MS_MAX: u64 = 1_000;

/// A control group with one run in it; it is removed when this is dropped.
pub(super) struct ControlGroup {
    folder: PathBuf,
}

impl ControlGroup {
    /// Puts a process, and all that it will start, into a group of at most so many threads. `None`
    /// if this is not root or may make no group: containers often may not, and have a bound of
    /// their own.
    pub(super) fn around(pid: Pid, threads_max: u64) -> Option<Self> {
        if !rustix::process::getuid().is_root() {
            return None;
        }
        let own = std::fs::read_to_string("/proc/self/cgroup").ok()?;
        let outer = outer_of(&own)?;
        remove_left(&outer);
        let folder = outer.join(format!("{PREFIX}{}", pid.as_raw_nonzero()));
        std::fs::create_dir(&folder).ok()?;
        let group = Self { folder };
        group.write("pids.max", &threads_max.to_string())?;
        group.write("cgroup.procs", &pid.as_raw_nonzero().to_string())?;
        Some(group)
    }

    /// Whether the kernel bounds what this process runs: by the limit of the user, or by a group.
    #[cfg(test)]
    pub(super) fn can_bound() -> bool {
        let mut child = std::process::Command::new("sleep")
            .arg("9")
            .spawn()
            .expect("sleep starts");
        let is_bounded = super::running::pid_of(&child).is_some_and(|pid| {
            !rustix::process::getuid().is_root() || Self::around(pid, 9).is_some()
        });
        child.kill().and_then(|()| child.wait()).expect("it ends");
        is_bounded
    }

    fn write(&self, name: &str, text: &str) -> Option<()> {
        // A missing file belongs to a control that is off here, so it is not created.
        let file = std::fs::OpenOptions::new()
            .write(true)
            .open(self.folder.join(name));
        std::io::Write::write_all(&mut file.ok()?, text.as_bytes()).ok()
    }
}

impl Drop for ControlGroup {
    fn drop(&mut self) {
        let until = Instant::now() + Duration::from_millis(REMOVE_MS_MAX);
        // The kernel removes a group only after its last process is gone.
        while std::fs::remove_dir(&self.folder).is_err() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(super::running::POLL_MS));
        }
    }
}

/// Removes the groups of runs that were killed together with the program that made them: those of
/// no living process.
fn remove_left(outer: &Path) {
    for entry in std::fs::read_dir(outer).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let pid = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
        if pid.is_some_and(|pid| !Path::new("/proc").join(pid).exists()) {
            // A group that still has a process cannot be removed.
            let _ = std::fs::remove_dir(entry.path());
        }
    }
}

/// Returns the folder of this process's own group that counts processes: "8:pids:/a" of version 1,
/// "0::/a" of version 2.
fn outer_of(own: &str) -> Option<PathBuf> {
    let below = |folder: &str, path: &str| Path::new(folder).join(path.trim_start_matches('/'));
    own.lines().find_map(|line| {
        let (_, rest) = line.split_once(':')?;
        let (controls, path) = rest.split_once(':')?;
        let folder = match controls {
            "" => below(GROUPS, path),
            _ if controls.split(',').any(|name| name == "pids") => {
                below(&format!("{GROUPS}/{controls}"), path)
            }
            _ => return None,
        };
        folder.is_dir().then_some(folder)
    })
}
