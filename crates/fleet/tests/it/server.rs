//! A real server of PostgreSQL in a folder of its own, run by somebody who is not root.

use std::fs;
use std::io::Read as _;
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use grounds_fleet::{Ledger, LedgerPlace};

/// The user `nobody`, who runs the server where the tests are root.
const NOBODY: u32 = 65534;
/// Seconds that a server has to stop.
const STOP_S_MAX: u64 = 20;
/// Seconds that a start may take.
const START_S_MAX: u64 = 60;
pub(crate) const PASSWORD: &str = "hunter2";

/// A server that ends with the test.
pub(crate) struct Server {
    folder: tempfile::TempDir,
    programs: PathBuf,
    pub(crate) port: u16,
    process: Mutex<Option<Child>>,
    /// How far its clock is from that of this machine.
    skew: Option<&'static str>,
}

/// Where the programs of PostgreSQL are: the newest version. Without them a test says so, and fails
/// under CI.
fn programs() -> Option<PathBuf> {
    let mut found: Vec<(u32, PathBuf)> = fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let version = entry.file_name().to_str()?.parse().ok()?;
            Some((version, entry.path().join("bin")))
        })
        .filter(|(_, folder)| folder.join("initdb").is_file())
        .collect();
    found.sort();
    let there = found.pop().map(|(_, folder)| folder);
    assert!(
        there.is_some() || std::env::var_os("CI").is_none(),
        "PostgreSQL is needed here: install the package `postgresql`"
    );
    if there.is_none() {
        #[expect(clippy::print_stderr, reason = "a skipped test says why")]
        {
            eprintln!("skipped: there is no PostgreSQL below /usr/lib/postgresql");
        }
    }
    there
}

impl Server {
    /// The server that tests share while one of them needs it.
    pub(crate) fn shared() -> Option<Arc<Self>> {
        static SHARED: Mutex<Weak<Server>> = Mutex::new(Weak::new());
        let mut shared = SHARED
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(server) = shared.upgrade() {
            return Some(server);
        }
        let server = Arc::new(Self::start()?);
        *shared = Arc::downgrade(&server);
        Some(server)
    }

    /// A server of this test alone.
    pub(crate) fn start() -> Option<Self> {
        Self::made(None)
    }

    /// A server whose clock is so far from that of this machine.
    pub(crate) fn start_at(skew: &'static str) -> Option<Self> {
        let is_there = Command::new("faketime").arg("--version").output().is_ok();
        assert!(
            is_there || std::env::var_os("CI").is_none(),
            "`faketime` is needed here"
        );
        if !is_there {
            #[expect(clippy::print_stderr, reason = "a skipped test says why")]
            {
                eprintln!("skipped: there is no `faketime`");
            }
            return None;
        }
        Self::made(Some(skew))
    }

    fn made(skew: Option<&'static str>) -> Option<Self> {
        let programs = programs()?;
        let folder = tempfile::tempdir().expect("a folder");
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("rights");
        for name in ["data", "socket"] {
            fs::create_dir(folder.path().join(name)).expect("a folder");
            own(&folder.path().join(name));
        }
        fs::write(folder.path().join("password"), PASSWORD).expect("a file");
        let port = TcpListener::bind("127.0.0.1:0")
            .and_then(|listener| listener.local_addr())
            .expect("a port")
            .port();
        let server = Self {
            folder,
            programs,
            port,
            process: Mutex::new(None),
            skew,
        };
        let made = server
            .command("initdb")
            .args([
                "-U",
                "owner",
                "--auth=scram-sha-256",
                "-E",
                "UTF8",
                "--locale=C",
                "-D",
            ])
            .arg(server.data())
            .arg("--pwfile")
            .arg(server.folder.path().join("password"))
            .output()
            .expect("initdb starts");
        assert!(
            made.status.success(),
            "{}",
            String::from_utf8_lossy(&made.stderr)
        );
        let lines = format!(
            "port = {port}\nlisten_addresses = '127.0.0.1, 127.0.0.2'\nmax_connections = 60\n\
             unix_socket_directories = '{}'\n",
            server.folder.path().join("socket").display()
        );
        let config = server.data().join("postgresql.auto.conf");
        fs::write(&config, lines).expect("a file");
        own(&config);
        server.run();
        Some(server)
    }

    fn command(&self, program: &str) -> Command {
        let path = self.programs.join(program);
        let mut command = match self.skew.filter(|_| program == "postgres") {
            Some(skew) => {
                let mut command = Command::new("faketime");
                command.args(["-f", skew]).arg(path);
                command
            }
            None => Command::new(path),
        };
        command.current_dir(self.folder.path()).stdin(Stdio::null());
        if rustix::process::getuid().is_root() {
            command.uid(NOBODY).gid(NOBODY);
        }
        command
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Starts it again without a setting that keeps its own owner from changing it.
    pub(crate) fn restart_without(&self, setting: &str) {
        self.restart_with(setting, "");
    }

    /// Starts it again with these lines in the place of those of a setting.
    pub(crate) fn restart_with(&self, setting: &str, instead: &str) {
        self.kill();
        let config = self.data().join("postgresql.auto.conf");
        let text = fs::read_to_string(&config).expect("its settings");
        let lines = text.lines().filter(|line| !line.contains(setting));
        let kept: String = lines.map(|line| format!("{line}\n")).collect();
        fs::write(&config, kept + instead).expect("a file");
        self.run();
    }

    /// Starts the server, again where the one before was killed and its children still end.
    pub(crate) fn run(&self) {
        let start = Instant::now();
        let mut said = String::new();
        while start.elapsed() < Duration::from_secs(START_S_MAX) {
            let mut process = self
                .command("postgres")
                .arg("-D")
                .arg(self.data())
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .expect("the server starts");
            let mut err = process.stderr.take().expect("its log");
            loop {
                if process.try_wait().expect("a status").is_some() {
                    said.clear();
                    let _ = err.read_to_string(&mut said);
                    break;
                }
                if self.is_ready() {
                    // Its log is read to the end, so that it never waits for a reader.
                    std::thread::spawn(move || std::io::copy(&mut err, &mut std::io::sink()));
                    *self.process.lock().expect("no panic") = Some(process);
                    return;
                }
                assert!(
                    start.elapsed() < Duration::from_secs(START_S_MAX),
                    "no server"
                );
                std::thread::sleep(Duration::from_millis(20));
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        panic!("the server does not start: {said}");
    }

    fn is_ready(&self) -> bool {
        LedgerPlace::of(&self.address("postgres"), None, None)
            .open()
            .is_ok()
    }

    /// Kills the server without a word.
    pub(crate) fn kill(&self) {
        let mut process = self.process.lock().expect("no panic");
        if let Some(mut process) = process.take() {
            process.kill().expect("it is there");
            process.wait().expect("it ends");
        }
    }

    /// The address of a database, as the owner.
    pub(crate) fn address(&self, database: &str) -> String {
        self.address_as("owner", PASSWORD, self.port, database)
    }

    pub(crate) fn address_as(
        &self,
        user: &str,
        password: &str,
        port: u16,
        database: &str,
    ) -> String {
        format!("postgres://{user}:{password}@127.0.0.1:{port}/{database}")
    }

    /// Makes a database and returns its address.
    pub(crate) fn database(&self, name: &str) -> String {
        self.sql("postgres", &format!("CREATE DATABASE {name}"));
        self.address(name)
    }

    /// Runs SQL as the owner, outside of a transaction, and returns what it printed.
    pub(crate) fn sql(&self, database: &str, sql: &str) -> String {
        let done = Command::new(self.programs.join("psql"))
            .args(["-X", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", sql, "-d"])
            .arg(self.address(database))
            .output()
            .expect("psql starts");
        assert!(
            done.status.success(),
            "{sql}: {}",
            String::from_utf8_lossy(&done.stderr)
        );
        String::from_utf8_lossy(&done.stdout).trim().to_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let process = self.process.lock().map(|mut process| process.take());
        if let Ok(Some(mut process)) = process {
            // An immediate shutdown: the children end too. The server itself is asked as well, since what
            // sets its clock may not hand the signal on.
            let file = fs::read_to_string(self.data().join("postmaster.pid")).unwrap_or_default();
            let own = file.lines().next().and_then(|line| line.parse().ok());
            let started = i32::try_from(process.id()).ok();
            let signal = |signal| {
                for pid in [own, started].into_iter().flatten() {
                    let pid = rustix::process::Pid::from_raw(pid);
                    let _ = pid.map(|pid| rustix::process::kill_process(pid, signal));
                }
            };
            signal(rustix::process::Signal::QUIT);
            let start = Instant::now();
            while process.try_wait().is_ok_and(|ended| ended.is_none()) {
                if start.elapsed() > Duration::from_secs(STOP_S_MAX) {
                    signal(rustix::process::Signal::KILL);
                    break;
                }
                std::thread::sleep(Duration::from_millis(10));
            }
            let _ = process.wait();
        }
    }
}

pub(crate) fn own(path: &Path) {
    if rustix::process::getuid().is_root() {
        chown(path, Some(NOBODY), Some(NOBODY)).expect("another owner");
    }
}

/// A ledger with its tables in a database.
pub(crate) fn ledger(address: &str) -> Ledger {
    let place = LedgerPlace::of(address, None, None);
    Ledger::with_tables(place.open().expect("a database")).expect("tables")
}
