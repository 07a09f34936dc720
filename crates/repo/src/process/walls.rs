//! The walls around a run, as far as the system has them: what it may write to
//! and read (landlock), a network of its own with nothing in it, and a process
//! namespace that ends with its first process.
//!
//! What is missing on a machine is told, never passed over.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use super::{Ending, Environment, Order};
use crate::limits::Limits;

/// Milliseconds in which it must be clear whether a wall can be had.
const PROBE_MS_MAX: u64 = 5_000;
/// Entries of one folder that get a rule of their own.
#[cfg(target_os = "linux")]
const RULES_MAX: usize = 2_000;

/// Folders and files of a home that hold secrets; a run cannot read them.
#[cfg(target_os = "linux")]
const SECRET_NAMES: &[&str] = &[
    ".ssh",
    ".aws",
    ".azure",
    ".gnupg",
    ".kube",
    ".docker",
    ".config",
    ".netrc",
    ".git-credentials",
    ".gitconfig",
    ".npmrc",
    ".pypirc",
    ".password-store",
    ".mozilla",
    ".thunderbird",
    ".bash_history",
    ".zsh_history",
    ".history",
    "credentials",
    "credentials.toml",
    "settings.xml",
    "settings-security.xml",
    "gradle.properties",
];

/// Inside the namespaces: the own address must answer, tests use it; then the rights that were needed for it are given up.
const WITH_NETWORK: &str = "PATH=\"$PATH:/usr/sbin:/sbin\" ip link set lo up || exit 125\n";
const RUN_AS_ROOT: &str = "\"$@\"\nexit $?";
const RUN_AS_USER: &str =
    "setpriv --ambient-caps=-all --inh-caps=-all --bounding-set=-all \"$@\"\nexit $?";

/// What is around a run.
#[derive(Clone, Debug, Default)]
pub struct Walls {
    prefix: Vec<OsString>,
    /// Whether it has no network but its own.
    pub network_off: bool,
    /// Whether all of its processes end with the first.
    pub ends_whole: bool,
    /// Whether it can write to its private folder only, and not read known places of secrets.
    pub files_closed: bool,
    private: PathBuf,
    readable: Vec<PathBuf>,
}

impl Walls {
    /// The best walls that the system gives.
    pub fn raise(private: &Path, environment: &Environment, limits: &Limits) -> Self {
        let mut walls = Self {
            private: private.to_owned(),
            ..Self::default()
        };
        walls.close_files();
        for (prefix, network_off) in ladder() {
            let tried = Self {
                prefix,
                network_off,
                ends_whole: true,
                ..walls.clone()
            };
            if tried.holds(environment, limits) {
                return tried;
            }
        }
        walls
    }

    /// Whether a program runs behind these walls.
    fn holds(&self, environment: &Environment, limits: &Limits) -> bool {
        let deadline = Instant::now() + Duration::from_millis(PROBE_MS_MAX);
        let order = Order {
            words: &["true".into()],
            folder: &self.private,
            private: &self.private,
            environment,
            deadline,
        };
        super::run(&order, self, limits).is_ok_and(|ended| ended.ending == Ending::Exited(0))
    }

    pub(super) fn prefix(&self) -> &[OsString] {
        &self.prefix
    }

    /// What is missing of the walls, in words; empty where nothing is.
    pub fn missing(&self) -> Vec<&'static str> {
        let walls = [
            (
                self.files_closed,
                "the system has no landlock, so writes outside the private folder were not prevented",
            ),
            (self.network_off, "the network could not be switched off"),
            (
                self.ends_whole,
                "without a process namespace a process that hides could have got away",
            ),
        ];
        walls
            .into_iter()
            .filter(|(there, _)| !there)
            .map(|(_, words)| words)
            .collect()
    }
}

/// The namespaces to try, best first, and whether the network is off in them.
fn ladder() -> Vec<(Vec<OsString>, bool)> {
    let is_root = rustix::process::getuid().is_root();
    let user: &[&str] = if is_root {
        &[]
    } else {
        &["--user", "--map-current-user", "--keep-caps"]
    };
    let run = if is_root { RUN_AS_ROOT } else { RUN_AS_USER };
    let words = |network: &[&str], setup: &str| {
        let script = format!("{setup}{run}");
        let words = ["unshare"].iter().chain(user).chain(network).chain(&[
            "--pid",
            "--fork",
            "--kill-child",
            "--",
            "sh",
            "-c",
        ]);
        words
            .map(|word| OsString::from(*word))
            .chain([script.into(), "sh".into()])
            .collect()
    };
    vec![
        (words(&["--net"], WITH_NETWORK), true),
        (words(&[], ""), false),
    ]
}

#[cfg(target_os = "linux")]
mod landlocked {
    use landlock::{
        ABI, Access as _, AccessFs, PathBeneath, PathFd, Ruleset, RulesetAttr as _,
        RulesetCreatedAttr as _, RulesetError, RulesetStatus, Scope,
    };

    use super::{Child, Command, Path, PathBuf, RULES_MAX, SECRET_NAMES, Walls};

    /// The newest rights that are asked for; an older kernel gives fewer.
    const RIGHTS: ABI = ABI::V6;

    impl Walls {
        /// Finds out whether the kernel closes files at all, and what stays readable.
        pub(super) fn close_files(&mut self) {
            self.readable = readable();
            let closed =
                std::thread::scope(|scope| scope.spawn(|| self.close_for_this_thread()).join());
            self.files_closed = matches!(
                closed,
                Ok(Ok(
                    RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced
                ))
            );
        }

        /// Starts a program from a thread that is closed in; nothing opens it again.
        pub(in crate::process) fn spawn(&self, mut command: Command) -> std::io::Result<Child> {
            if !self.files_closed {
                return command.spawn();
            }
            let start = move || {
                self.close_for_this_thread()
                    .map_err(|error| std::io::Error::other(error.to_string()))?;
                command.spawn()
            };
            std::thread::scope(|scope| scope.spawn(start).join())
                .unwrap_or_else(|_| Err(std::io::Error::other("the thread of a run ended")))
        }

        fn close_for_this_thread(&self) -> Result<RulesetStatus, RulesetError> {
            let all = AccessFs::from_all(RIGHTS);
            let (read, write) = (
                AccessFs::from_read(RIGHTS),
                AccessFs::from_read(RIGHTS) | AccessFs::WriteFile | AccessFs::IoctlDev,
            );
            let mut rules = Ruleset::default()
                .handle_access(all)?
                .scope(Scope::from_all(RIGHTS))?
                .create()?;
            let own =
                [self.private.as_path(), Path::new("/dev/shm")].map(|path| (path.to_owned(), all));
            let devices = [
                "/dev/null",
                "/dev/zero",
                "/dev/full",
                "/dev/random",
                "/dev/urandom",
                "/dev/tty",
                "/dev/ptmx",
                "/dev/pts",
            ];
            let devices = devices.map(|path| (PathBuf::from(path), write));
            // A user's namespace is set up by writing there; for root the same would open the system's settings.
            let settings =
                (!rustix::process::getuid().is_root()).then(|| (PathBuf::from("/proc"), write));
            let readable = self.readable.iter().map(|path| (path.clone(), read));
            for (path, rights) in own
                .into_iter()
                .chain(devices)
                .chain(settings)
                .chain(readable)
            {
                let Ok(folder) = PathFd::new(&path) else {
                    continue;
                };
                let rights = if path.is_dir() {
                    rights
                } else {
                    rights & AccessFs::from_file(RIGHTS)
                };
                rules = rules.add_rule(PathBeneath::new(folder, rights))?;
            }
            Ok(rules.restrict_self()?.ruleset)
        }
    }

    /// Everything but the known places of secrets in the person's home.
    fn readable() -> Vec<PathBuf> {
        let home = std::env::var_os("HOME")
            .map(PathBuf::from)
            .and_then(|home| home.canonicalize().ok());
        let Some(home) = home.filter(|home| home.parent().is_some()) else {
            return vec![PathBuf::from("/")];
        };
        let mut open = Vec::new();
        for folder in home.ancestors().skip(1) {
            open.extend(
                entries(folder)
                    .into_iter()
                    .filter(|entry| !home.starts_with(entry)),
            );
        }
        let holds_secrets = |entry: &PathBuf| {
            let name = entry
                .file_name()
                .map(|name| name.to_string_lossy().into_owned())
                .unwrap_or_default();
            SECRET_NAMES.contains(&name.as_str())
        };
        let has_some_inside = |entry: &PathBuf| {
            SECRET_NAMES
                .iter()
                .any(|name| entry.join(name).symlink_metadata().is_ok())
        };
        for entry in entries(&home)
            .into_iter()
            .filter(|entry| !holds_secrets(entry))
        {
            match has_some_inside(&entry) {
                true => open.extend(
                    entries(&entry)
                        .into_iter()
                        .filter(|inner| !holds_secrets(inner)),
                ),
                false => open.push(entry),
            }
        }
        open
    }

    fn entries(folder: &Path) -> Vec<PathBuf> {
        let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
            .collect();
        entries.sort_unstable();
        entries.truncate(RULES_MAX);
        entries
    }
}

#[cfg(not(target_os = "linux"))]
impl Walls {
    fn close_files(&mut self) {}

    pub(super) fn spawn(&self, mut command: Command) -> std::io::Result<Child> {
        command.spawn()
    }
}
