//! Ways out of the sandbox, as data (`escapes/cases.md`, `escapes/secrets.md`): none works, as root and as a plain user,
//! and each wall is the one that keeps something.

use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::{UnixDatagram, UnixListener};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::limits::Limits;
use crate::process::sandbox::{Sandbox, Wall};
use crate::process::{Ending, Environment, Order, ProgramEnd, Room, Walls, run};

const CASES: &str = include_str!("escapes/cases.md");
const SECRETS: &str = include_str!("escapes/secrets.md");
/// The text that a script prints after an escape, and that every secret contains.
const MARK: &str = "ESCAPED";
/// Set in the process that does the same as a plain user.
const AS_USER: &str = "GROUNDS_TEST_AS_USER";
/// Milliseconds of one script.
const SCRIPT_MS_MAX: u64 = 20_000;

struct EscapeCase {
    wall: Option<Wall>,
    script: &'static str,
}

fn cases() -> Vec<EscapeCase> {
    let case = |line: &'static str| {
        let mut parts = line.strip_prefix("- ")?.splitn(3, " | ");
        let (_class, wall, script) = (parts.next()?, parts.next()?, parts.next()?);
        let wall = Wall::ALL
            .into_iter()
            .find(|known| format!("{known:?}") == wall);
        Some(EscapeCase { wall, script })
    };
    CASES.lines().filter_map(case).collect()
}

fn secrets() -> impl Iterator<Item = &'static str> {
    SECRETS.lines().filter_map(|line| line.strip_prefix("- "))
}

/// A person's machine in small: a home with secrets and toolchains, a folder, servers, a process; and a run beside it.
struct EscapeTarget {
    top: tempfile::TempDir,
    room: Room,
    environment: Environment,
    variables: Vec<(&'static str, String)>,
    outer: Child,
    segment: Option<String>,
    markers: Vec<PathBuf>,
    _servers: (std::net::TcpListener, Vec<UnixListener>, UnixDatagram),
    /// Open for every program that is started, as a shell leaves some.
    _inherited: std::os::fd::OwnedFd,
}

/// Where nothing of the sandbox lies: folders for temporary files are replaced in it.
fn elsewhere() -> PathBuf {
    if let Some(folder) = std::env::var_os(AS_USER) {
        return PathBuf::from(folder);
    }
    let program = std::env::current_exe().expect("a program");
    // Not beside the program: cargo names that folder as one of libraries, and those are shown.
    let beside = program.ancestors().nth(3).expect("a folder").to_owned();
    match beside.starts_with("/tmp") || beside.starts_with("/var/tmp") {
        true => PathBuf::from("/srv"),
        false => beside,
    }
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
    std::fs::write(path, text).expect("a file");
}

impl EscapeTarget {
    fn new(has_home: bool) -> Self {
        let top = tempfile::Builder::new()
            .prefix("grounds-escapes-")
            .tempdir_in(elsewhere())
            .expect("a folder");
        let (out, home) = (top.path().join("out"), top.path().join("home"));
        write(&out.join("victim"), "kept");
        for name in secrets() {
            write(&home.join(name), MARK);
        }
        write(&home.join("notes/passwords.txt"), MARK);
        // A home that looks like the folder of a toolchain.
        write(&home.join("lib/own"), "own");
        for name in [
            ".cargo/bin/tool",
            ".local/bin/tool",
            ".docker/bin/tool",
            "bin/tool",
            ".cargo/registry/known",
        ] {
            write(&home.join(name), "tool");
        }
        std::fs::create_dir_all(top.path().join("run")).expect("a folder");
        let room = Room::make(&top.path().join("run")).expect("a room");
        let work = room.work().to_owned();
        let mut environment =
            Environment::private(&work.join("home"), &work.join("tmp"), Path::new("/nowhere"))
                .with_home(has_home.then(|| home.clone()));
        let programs =
            [".cargo/bin", ".local/bin", ".docker/bin", "bin"].map(|name| home.join(name));
        let programs = programs
            .into_iter()
            .chain(["/usr/bin", "/bin"].map(PathBuf::from));
        environment.set("PATH", std::env::join_paths(programs).expect("a path"));
        let tcp = std::net::TcpListener::bind("127.0.0.1:0").expect("a server");
        let port = tcp.local_addr().expect("an address").port();
        let socket = |path: PathBuf| UnixListener::bind(path).expect("a socket");
        let temporary = PathBuf::from(format!("/tmp/grounds-socket-{port}"));
        let name = <std::os::unix::net::SocketAddr as std::os::linux::net::SocketAddrExt>::from_abstract_name(
            format!("grounds-socket-{port}"),
        );
        let hidden = UnixListener::bind_addr(&name.expect("a name")).expect("a socket");
        let unix = vec![
            socket(out.join("socket")),
            socket(temporary.clone()),
            hidden,
        ];
        let datagrams = UnixDatagram::bind(out.join("datagrams")).expect("a socket");
        let marker = |folder: &str| PathBuf::from(format!("{folder}/grounds-marker-{port}"));
        let markers = vec![marker("/tmp"), marker("/dev/shm"), temporary];
        markers[..2].iter().for_each(|marker| write(marker, MARK));
        let outer = Command::new("cat")
            .args(["-", "grounds-secret-word"])
            .stdin(Stdio::piped())
            .spawn()
            .expect("a process");
        let victim = std::fs::File::open(out.join("victim")).expect("a file");
        let inherited = rustix::io::dup(&victim).expect("another");
        let segment = segment();
        let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        let variables = vec![
            ("OUT", out.display().to_string()),
            ("REAL", home.display().to_string()),
            ("PORT", port.to_string()),
            ("OUTER", outer.id().to_string()),
            ("SEGMENT", segment.clone().unwrap_or_default()),
            ("NAME", name.trim().to_owned()),
        ];
        Self {
            top,
            room,
            environment,
            variables,
            outer,
            segment,
            markers,
            _servers: (tcp, unix, datagrams),
            _inherited: inherited,
        }
    }

    fn sandbox(&self, without: Option<Wall>) -> Walls {
        let walls: Vec<Wall> = Wall::ALL
            .into_iter()
            .filter(|wall| Some(*wall) != without)
            .collect();
        let sandbox = Sandbox::with(&walls, &self.room, &self.environment, &[]);
        Walls::Sandbox(Box::new(sandbox.expect("bubblewrap is installed")))
    }

    fn run(&self, script: &str, walls: &Walls, limits: &Limits) -> ProgramEnd {
        let tree = self.room.work().join("tree");
        let _ = std::fs::create_dir_all(&tree);
        let mut environment = self.environment.clone();
        for (name, value) in &self.variables {
            environment.set(name, value);
        }
        let words = ["sh", "-c", script].map(std::ffi::OsString::from);
        let order = Order {
            words: &words,
            folder: &tree,
            room: &self.room,
            environment: &environment,
            deadline: Instant::now() + Duration::from_millis(limits.run_ms_max),
        };
        run(&order, walls, limits).expect("it starts")
    }

    /// What is outside, as far as a script could change it.
    fn outside(&self) -> String {
        let mut seen = Vec::new();
        let mut folders = vec![self.top.path().join("out"), self.top.path().join("home")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
                let kind = entry.path().symlink_metadata().expect("an entry");
                let times = (kind.modified().ok(), kind.permissions().mode());
                seen.push(format!("{:?} {} {times:?}", entry.path(), kind.len()));
                if kind.is_dir() {
                    folders.push(entry.path());
                }
            }
        }
        let marked = self
            .markers
            .iter()
            .map(|marker| format!("{:?}", std::fs::read(marker).ok()));
        seen.extend(marked);
        seen.sort();
        seen.join("\n")
    }

    fn has_got_out(&self, script: &str, walls: &Walls) -> bool {
        let limits = Limits {
            run_ms_max: SCRIPT_MS_MAX,
            ..Limits::default()
        };
        // What a script says of its own failure may quote it.
        self.run(script, walls, &limits).out.text().contains(MARK)
    }
}

impl ProgramEnd {
    fn said_both(&self) -> String {
        format!("{}{}", self.out.text(), self.err.text())
    }
}

impl Drop for EscapeTarget {
    fn drop(&mut self) {
        let _ = self.outer.kill();
        let _ = self.outer.wait();
        for marker in &self.markers {
            let _ = std::fs::remove_file(marker);
        }
        if let Some(segment) = &self.segment {
            let _ = Command::new("ipcrm").args(["-m", segment]).status();
        }
    }
}

/// A piece of memory that all processes of a namespace of messages can see.
fn segment() -> Option<String> {
    let made = Command::new("ipcmk")
        .args(["-M", "4096", "-p", "0666"])
        .output()
        .ok()?;
    let said = String::from_utf8_lossy(&made.stdout).into_owned();
    said.trim().rsplit(' ').next().map(str::to_owned)
}

/// Whether there is bubblewrap here; under CI it must be.
fn has_bubblewrap() -> bool {
    let there = Command::new("bwrap").arg("--version").output().is_ok();
    assert!(
        there || std::env::var_os("CI").is_none(),
        "bwrap is needed here"
    );
    there
}

/// The same test in a process of its own as a plain user, where this one is root.
fn also_as_a_plain_user(test: &str) {
    if !rustix::process::getuid().is_root() || std::env::var_os(AS_USER).is_some() {
        return;
    }
    let folder = tempfile::Builder::new()
        .prefix("grounds-user-")
        .tempdir_in("/srv")
        .or_else(|_| tempfile::tempdir_in("/"))
        .expect("a folder");
    let user = rustix::process::Uid::from_raw(65_534);
    let group = rustix::process::Gid::from_raw(65_534);
    rustix::fs::chown(folder.path(), Some(user), Some(group)).expect("given away");
    let program = folder.path().join("tests");
    std::fs::copy(std::env::current_exe().expect("a program"), &program).expect("a copy");
    let done = Command::new("setpriv")
        .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
        .arg(&program)
        .args(["--exact", test, "--nocapture", "--test-threads=1"])
        .current_dir(folder.path())
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("TMPDIR", folder.path())
        .env("HOME", folder.path())
        .env(AS_USER, folder.path())
        .output()
        .expect("it starts");
    let said = [done.stdout, done.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    assert!(
        done.status.success() && said.contains("1 passed"),
        "as a plain user: {said}"
    );
}

#[test]
fn no_script_gets_out() {
    if !has_bubblewrap() {
        return;
    }
    let place = EscapeTarget::new(true);
    let (walls, before) = (place.sandbox(None), place.outside());
    assert!(cases().len() >= 120);
    let mut out = Vec::new();
    for case in cases() {
        let got_out = place.has_got_out(case.script, &walls);
        if got_out || place.outside() != before {
            out.push(case.script);
        }
    }
    assert!(out.is_empty(), "{}", out.join("\n"));
    drop(place);
    also_as_a_plain_user("process::tests::escapes::no_script_gets_out");
}

#[test]
fn each_wall_keeps_something_in() {
    if !has_bubblewrap() {
        return;
    }
    let place = EscapeTarget::new(true);
    let mut kept = Vec::new();
    let mut needless = Vec::new();
    for case in cases() {
        let Some(wall) = case.wall else { continue };
        let without = place.sandbox(Some(wall));
        if place.has_got_out(case.script, &without) {
            kept.push(wall);
        } else {
            needless.push(format!("{wall:?}: {}", case.script));
        }
    }
    assert!(needless.is_empty(), "{}", needless.join("\n"));
    // What this one keeps is a process that outlives the program: `a_run_ends_with_the_program`.
    let idle: Vec<Wall> = Wall::ALL
        .into_iter()
        .filter(|wall| *wall != Wall::Parent && !kept.contains(wall))
        .collect();
    assert!(idle.is_empty(), "{idle:?}");
    drop(place);
    also_as_a_plain_user("process::tests::escapes::each_wall_keeps_something_in");
}

#[test]
fn no_secret_can_be_read_with_a_home_and_without_one() {
    if !has_bubblewrap() {
        return;
    }
    assert!(secrets().count() >= 70);
    for has_home in [true, false] {
        let place = EscapeTarget::new(has_home);
        let home = place.top.path().join("home");
        let all: String = secrets()
            .map(|name| format!("cat '{}'\n", home.join(name).display()))
            .collect();
        let walls = place.sandbox(None);
        let everything = format!("{all}\ngrep -rl ESCAP[E]D {} 2>/dev/null", home.display());
        let limits = Limits {
            run_ms_max: SCRIPT_MS_MAX,
            ..Limits::default()
        };
        let ended = place.run(&everything, &walls, &limits);
        assert_eq!(ended.out.text(), "", "with a home: {has_home}");
        // A run that sees nothing at all would show nothing.
        let tool = place.run(&format!("cat {}/bin/tool", home.display()), &walls, &limits);
        assert_eq!(tool.out.text(), "tool");
        let open = place.run(&all, &place.sandbox(Some(Wall::Files)), &limits);
        let read = open.out.text().matches(MARK).count();
        assert_eq!(
            read,
            secrets().count(),
            "they are there: {}",
            open.err.text()
        );
    }
    also_as_a_plain_user(
        "process::tests::escapes::no_secret_can_be_read_with_a_home_and_without_one",
    );
}

/// Whether the first process of a sandbox ends when the program that holds it is killed.
fn ends_with_its_parent(place: &EscapeTarget, walls: &Walls) -> bool {
    let tree = place.room.work().join("tree");
    let own = place.room.temporary().expect("folders");
    let mut gate = Command::new("sh")
        .args(["-c", crate::process::running::GATE, "sh"])
        .args([place.room.filter(), place.room.first()])
        .args(walls.words(&place.room, own.path(), &tree))
        .args(["sleep", "60"])
        .env("PATH", "/usr/bin:/bin")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        // The gate ends its whole group.
        .process_group(0)
        .spawn()
        .expect("it starts");
    std::io::Write::write_all(gate.stdin.as_mut().expect("a pipe"), b"go\n").expect("it waits");
    let wait = |is_so: &dyn Fn() -> bool| {
        let until = Instant::now() + Duration::from_secs(5);
        while !is_so() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(20));
        }
        is_so()
    };
    let first = || {
        let said = std::fs::read(place.room.first()).ok()?;
        serde_json::from_slice::<serde_json::Value>(&said).ok()?["child-pid"].as_i64()
    };
    assert!(wait(&|| first().is_some()), "it says which is the first");
    std::thread::sleep(Duration::from_millis(300));
    let first = first().expect("a process");
    let holder = std::fs::read_to_string(format!("/proc/{first}/stat")).expect("it is there");
    let holder = holder
        .rsplit_once(") ")
        .and_then(|(_, rest)| rest.split(' ').nth(1))
        .expect("a parent")
        .to_owned();
    let kill = |pid: &str| Command::new("kill").args(["-KILL", pid]).status().is_ok();
    assert!(kill(&holder));
    let stat = format!("/proc/{first}/stat");
    let ended = wait(&|| std::fs::read_to_string(&stat).map_or(true, |text| text.contains(") Z")));
    kill(&first.to_string());
    let _ = (gate.kill(), gate.wait());
    ended
}

#[test]
fn a_run_ends_with_the_program() {
    if !has_bubblewrap() {
        return;
    }
    let place = EscapeTarget::new(true);
    assert!(ends_with_its_parent(&place, &place.sandbox(None)));
    assert!(!ends_with_its_parent(
        &place,
        &place.sandbox(Some(Wall::Parent))
    ));
}

/// What fills the machine, and the bound that ends it.
#[test]
fn what_fills_the_machine_is_ended_by_a_bound_of_its_name() {
    if !has_bubblewrap() {
        return;
    }
    let place = EscapeTarget::new(true);
    let walls = place.sandbox(None);
    let fill = "head -c 40000000 /dev/zero";
    let cases = [
        ("run_disk_bytes_max", format!("{fill} > big; sleep 9")),
        ("run_disk_bytes_max", format!("{fill} > /dev/shm/big; sleep 9")),
        ("run_disk_bytes_max", format!("{fill} > /tmp/big; sleep 9")),
        ("run_disk_bytes_max", format!("{fill} > /var/tmp/big; sleep 9")),
        ("run_disk_bytes_max", format!("exec 7> gone; rm gone; {fill} >&7; sleep 9")),
        ("run_disk_bytes_max", format!("exec 7> gone; rm gone; {fill} >&7; exec python3 -c \"import ctypes, time; ctypes.CDLL(None).prctl(4, 0); time.sleep(9)\"")),
        ("run_disk_bytes_max", "python3 -c \"import mmap, os, time; f = open('gone', 'w+b'); os.unlink('gone'); f.truncate(40000000); m = mmap.mmap(f.fileno(), 40000000); f.close(); m.write(b'x' * 40000000); time.sleep(9)\"".to_owned()),
        ("run_disk_bytes_max", format!("i=0; while [ $i -lt 200 ]; do i=$((i+1)); mkdir {0} && cd {0}; done; {fill} > big; sleep 9", "a".repeat(100))),
        ("run_disk_bytes_max", "i=0; while :; do i=$((i+1)); head -c 1000000 /dev/zero > f$i; done".to_owned()),
        ("run_memory_bytes_max", "python3 -c \"import time; x = b'x' * 400000000; time.sleep(9)\"".to_owned()),
        ("run_memory_bytes_max", "for i in 1 2 3 4 5 6; do python3 -c \"import time; x = b'x' * 60000000; time.sleep(9)\" & done; wait".to_owned()),
        ("run_memory_bytes_max", "python3 -c \"import os, time; f = os.memfd_create('x'); [os.write(f, b'x' * 1000000) for i in range(400)]; time.sleep(9)\"".to_owned()),
        ("run_processes_max", "i=0; while [ $i -lt 60 ]; do i=$((i+1)); sleep 9 & done; wait".to_owned()),
        ("run_processes_max", "i=0; while [ $i -lt 60 ]; do i=$((i+1)); setsid sleep 9 & done; wait".to_owned()),
        ("run_processes_max", "python3 -c \"import threading, time; [threading.Thread(target=time.sleep, args=(9,), daemon=True).start() for i in range(700)]; time.sleep(9)\"".to_owned()),
        ("run_ms_max", "sleep 60".to_owned()),
        ("run_ms_max", "trap '' TERM INT HUP; setsid sleep 60 & sleep 60".to_owned()),
    ];
    let bomb = (
        "run_processes_max",
        "bomb() { bomb | bomb & sleep 9; }; bomb".to_owned(),
    );
    // A bomb of root needs a control group, which not every machine gives; the plain user's always has a bound.
    let bomb = crate::process::group::ControlGroup::can_bound().then_some(bomb);
    for (bound, script) in cases.into_iter().chain(bomb) {
        // On a busy machine what fills it takes seconds: its time must not end it first.
        let ends_by_time = bound == "run_ms_max" || script.contains("prctl");
        let script = script
            .replace("sleep 9", "sleep 29")
            .replace("sleep(9)", "sleep(29)")
            .replace("(9,)", "(29,)");
        let limits = Limits {
            run_disk_bytes_max: 20_000_000,
            run_memory_bytes_max: 250_000_000,
            run_processes_max: 40,
            run_ms_max: if ends_by_time { 6_000 } else { 30_000 },
            ..Limits::default()
        };
        let ended = place.run(&script, &walls, &limits);
        // A process may hide its open files from a watcher of the same person: then its time ends it.
        let hides = script.contains("prctl") && ended.ending == Ending::Bound("run_ms_max");
        assert!(
            hides || ended.ending == Ending::Bound(bound),
            "{bound} and not {:?}: {script} {}",
            ended.ending,
            ended.said_both()
        );
        let left = Command::new("sh")
            .args([
                "-c",
                "chmod -R u+rwx \"$1\"; cd \"$1\" && rm -rf tree tmp && mkdir tree tmp",
                "sh",
            ])
            .arg(place.room.work())
            .status();
        assert!(left.is_ok_and(|status| status.success()));
    }
    drop(place);
    also_as_a_plain_user(
        "process::tests::escapes::what_fills_the_machine_is_ended_by_a_bound_of_its_name",
    );
}
