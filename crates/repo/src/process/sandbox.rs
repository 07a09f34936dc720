//! The sandbox of a run, by bubblewrap: its own namespaces for processes, network, messages, names
//! and users, a view of the files in which only programs and toolchains can be read, and a filter
//! of the kernel's calls.
//!
//! Takes the folder of a run. Returns the words to put before a command, or why this machine has no
//! sandbox.

mod filter;
mod places;

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::{Ending, Environment, Order, Room, Walls};
use crate::limits::Limits;
use places::SandboxPlace;

/// Milliseconds in which it must be clear whether there is a sandbox.
const PROBE_MS_MAX: u64 = 10_000;
/// Letters of bubblewrap's message about a sandbox that it cannot make.
const REASON_LETTERS_MAX: usize = 300;

/// One wall of the sandbox. Every run has all of them; tests leave one out, to show that it is
/// needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Wall {
    /// No network but a loopback of its own.
    Network,
    /// No process outside is seen, and all end with the first.
    Processes,
    /// No shared memory or queue of other processes.
    Messages,
    /// The name of the machine is another.
    Names,
    /// No terminal.
    Session,
    /// All of it ends with this program.
    Parent,
    /// Only programs and toolchains can be read.
    Files,
    /// No device but those without a memory.
    Devices,
    /// A `/tmp` of its own.
    Temporary,
    /// A `/dev/shm` of its own, in the folder whose size is watched.
    Memory,
    /// Nothing can be added outside its own folder.
    Fixed,
    /// The kernel refuses calls that lead around the others.
    Calls,
}

impl Wall {
    /// All of them.
    pub(super) const ALL: [Self; 12] = [
        Self::Network,
        Self::Processes,
        Self::Messages,
        Self::Names,
        Self::Session,
        Self::Parent,
        Self::Files,
        Self::Devices,
        Self::Temporary,
        Self::Memory,
        Self::Fixed,
        Self::Calls,
    ];
}

/// The walls around a run.
#[derive(Clone, Debug)]
pub struct Sandbox {
    program: PathBuf,
    walls: BTreeSet<Wall>,
    readable: Vec<SandboxPlace>,
    /// Folders that are shown elsewhere than they are: where they are, and where a run sees them.
    brought: Vec<(PathBuf, PathBuf)>,
}

impl Sandbox {
    /// Returns the sandbox of a room, after a trial.
    ///
    /// # Errors
    /// Returns why this machine has no sandbox.
    pub(super) fn raise(
        room: &Room,
        environment: &Environment,
        brought: &[(PathBuf, PathBuf)],
        limits: &Limits,
    ) -> Result<Self, String> {
        let sandbox = Self::with(&Wall::ALL, room, environment, brought)?;
        sandbox.try_out(room, environment, limits)?;
        Ok(sandbox)
    }

    /// Returns the sandbox with these walls.
    pub(super) fn with(
        walls: &[Wall],
        room: &Room,
        environment: &Environment,
        brought: &[(PathBuf, PathBuf)],
    ) -> Result<Self, String> {
        let Some(program) = environment.find("bwrap") else {
            return Err("bubblewrap (`bwrap`) is not installed".to_owned());
        };
        let Some(filter) = filter::bytes() else {
            return Err("the calls of this machine's kernel are not known here".to_owned());
        };
        // The gate opens this file as descriptor 4, from which bubblewrap reads it.
        std::fs::write(room.filter(), filter)
            .map_err(|error| format!("its filter of calls cannot be written: {error}"))?;
        Ok(Self {
            program,
            walls: walls.iter().copied().collect(),
            readable: places::readable(environment),
            brought: brought.to_vec(),
        })
    }

    /// Runs a program that does nothing.
    fn try_out(
        &self,
        room: &Room,
        environment: &Environment,
        limits: &Limits,
    ) -> Result<(), String> {
        // bubblewrap may be installed where the system refuses user namespaces, which only a start
        // shows.
        let order = Order {
            words: &["true".into()],
            folder: room.work(),
            room,
            environment,
            deadline: Instant::now() + Duration::from_millis(PROBE_MS_MAX),
        };
        let walls = Walls::Sandbox(Box::new(self.clone()));
        match super::running::run(&order, &walls, limits) {
            Ok(ended) if ended.ending == Ending::Exited(0) => Ok(()),
            Ok(ended) => {
                let said = ended.err.text();
                let said = said.lines().next().unwrap_or("it said nothing");
                let said: String = said.chars().take(REASON_LETTERS_MAX).collect();
                Err(format!("bubblewrap cannot make one here: {said}"))
            }
            Err(error) => Err(format!("bubblewrap cannot be started: {error}")),
        }
    }

    /// Returns the words to put before a command that is run in a folder.
    pub(super) fn words(&self, room: &Room, own: &Path, folder: &Path) -> Vec<OsString> {
        let mut words = CommandLine(vec![self.program.clone().into()]);
        self.add_namespaces(&mut words);
        // The order matters: a mount covers what was mounted below its path before.
        if !self.has(Wall::Files) {
            words.add(&["--ro-bind", "/", "/"]);
        }
        self.add_own(&mut words, own);
        if self.has(Wall::Files) {
            self.readable.iter().for_each(|place| words.show(place));
        }
        words.add(&[
            "--bind".as_ref(),
            room.work().as_os_str(),
            room.work().as_os_str(),
        ]);
        for (from, to) in &self.brought {
            words.add(&["--ro-bind".as_ref(), from.as_os_str(), to.as_os_str()]);
        }
        // This comes last, because the mounts above need their mount points to be made.
        if self.has(Wall::Fixed) {
            words.add(&[
                "--remount-ro",
                "/dev",
                "--remount-ro",
                "/proc",
                "--remount-ro",
                "/",
            ]);
        }
        words.add(&["--chdir".as_ref(), folder.as_os_str(), "--".as_ref()]);
        words.0
    }

    fn has(&self, wall: Wall) -> bool {
        self.walls.contains(&wall)
    }

    fn add_namespaces(&self, words: &mut CommandLine) {
        words.add(&[
            // bubblewrap writes the number of its first process to descriptor 5, for `await_first`.
            "--unshare-user-try",
            "--unshare-cgroup-try",
            "--info-fd",
            "5",
        ]);
        // As root, bubblewrap keeps all capabilities by default.
        if rustix::process::getuid().is_root() {
            words.add(&["--cap-drop", "ALL"]);
        }
        let walls: [(Wall, &[&str]); 7] = [
            (Wall::Network, &["--unshare-net"]),
            (Wall::Processes, &["--unshare-pid"]),
            (Wall::Messages, &["--unshare-ipc"]),
            // A name for which every machine has an address.
            (Wall::Names, &["--unshare-uts", "--hostname", "localhost"]),
            (Wall::Session, &["--new-session"]),
            (Wall::Parent, &["--die-with-parent"]),
            (Wall::Calls, &["--seccomp", "4"]),
        ];
        for (wall, flags) in walls {
            if self.has(wall) {
                words.add(flags);
            }
        }
    }

    /// Adds devices, processes and places for temporary files, all of the run's own.
    fn add_own(&self, words: &mut CommandLine, folders: &Path) {
        if self.has(Wall::Devices) {
            words.add(&["--dev", "/dev"]);
        } else {
            words.add(&["--dev-bind", "/dev", "/dev"]);
        }
        words.add(&["--proc", "/proc"]);
        let mut own = |wall, folder: &str, at: &str| {
            // These are folders of the run, and no file systems in memory, so that its bound of
            // disk counts what is written there.
            let from = if self.has(wall) {
                folders.join(folder)
            } else {
                PathBuf::from(at)
            };
            words.add(&["--bind".as_ref(), from.as_os_str(), at.as_ref()]);
        };
        own(Wall::Memory, "shm", "/dev/shm");
        own(Wall::Temporary, "tmp", "/tmp");
        own(Wall::Temporary, "tmp", "/var/tmp");
        if self.has(Wall::Files) {
            words.add(&["--dir", "/run"]);
        }
    }
}

/// A command line under construction.
struct CommandLine(Vec<OsString>);

impl CommandLine {
    fn add(&mut self, words: &[impl AsRef<OsStr>]) {
        self.0
            .extend(words.iter().map(|word| word.as_ref().to_owned()));
    }

    fn show(&mut self, place: &SandboxPlace) {
        match place {
            SandboxPlace::Read(path) => {
                self.add(&["--ro-bind-try".as_ref(), path.as_os_str(), path.as_os_str()]);
            }
            SandboxPlace::Link(path, aim) => {
                self.add(&["--symlink".as_ref(), aim.as_os_str(), path.as_os_str()]);
            }
        }
    }
}
