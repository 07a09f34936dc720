#[cfg(target_arch = "x86_64")]
mod escapes;

use std::time::Duration;

use super::running::MARK;
use super::*;
use crate::limits::Limits;

struct Place {
    _folder: tempfile::TempDir,
    room: Room,
    environment: Environment,
    walls: Walls,
    limits: Limits,
}

impl Place {
    fn new(change: impl FnOnce(&mut Limits)) -> Self {
        let mut limits = Limits {
            run_ms_max: 90_000,
            ..Limits::default()
        };
        change(&mut limits);
        let folder = tempfile::tempdir().expect("a folder");
        let room = Room::make(folder.path()).expect("a room");
        let (home, temporary) = (room.work().join("home"), room.work().join("tmp"));
        let environment = Environment::private(&home, &temporary, Path::new("/nowhere"));
        // Bounds and ends hold without a sandbox too; what a sandbox keeps is in `escapes`.
        let raised = Walls::raise(&room, &environment, &[], &limits);
        let walls = raised.or_else(|_| Walls::without()).expect("walls");
        Self {
            _folder: folder,
            room,
            environment,
            walls,
            limits,
        }
    }

    fn run(&self, script: &str) -> ProgramEnd {
        let words = ["sh", "-c", script].map(OsString::from);
        let deadline = Instant::now() + Duration::from_millis(self.limits.run_ms_max);
        let order = Order {
            words: &words,
            folder: self.room.work(),
            room: &self.room,
            environment: &self.environment,
            deadline,
        };
        run(&order, &self.walls, &self.limits).expect("sh starts")
    }

    // A run that did this would itself be over the bound until it had done it.
    fn empty(&self) {
        for entry in std::fs::read_dir(self.room.work()).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|it| it == "bin") {
                std::fs::remove_file(path).expect("a file goes");
            }
        }
    }

    fn has_no_process_left(&self) -> bool {
        let mark = format!("{MARK}={}", self.room.work().display());
        let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let environments =
            entries.filter_map(|entry| std::fs::read(entry.path().join("environ")).ok());
        !environments.into_iter().any(|text| {
            String::from_utf8_lossy(&text)
                .split('\0')
                .any(|variable| variable == mark)
        })
    }
}

#[test]
fn a_program_says_how_it_ended() {
    let room = Place::new(|_| {});
    let ended = room.run("echo out; echo err >&2; exit 7");
    assert_eq!(
        (ended.ending, ended.out.text(), ended.err.text()),
        (Ending::Exited(7), "out\n".into(), "err\n".into())
    );
    assert_eq!(room.run("kill -KILL $$").ending, Ending::Exited(137));
    assert_eq!(room.run("cat; echo closed").out.text(), "closed\n");
}

#[test]
fn a_program_that_hangs_and_ignores_signals_is_ended() {
    let room = Place::new(|limits| limits.run_ms_max = 300);
    let start = Instant::now();
    let ended = room.run("trap '' TERM INT HUP; while :; do sleep 1; done");
    assert_eq!(ended.ending, Ending::Bound("run_ms_max"));
    assert!(start.elapsed() < Duration::from_secs(10) && room.has_no_process_left());
}

#[test]
fn a_daemon_does_not_outlive_its_run() {
    let room = Place::new(|_| {});
    let ended = room.run(
        "setsid sh -c 'sleep 1000 & sleep 1000' </dev/null >/dev/null 2>&1 & sleep 0.3; echo done",
    );
    assert_eq!(
        (ended.ending, ended.out.text()),
        (Ending::Exited(0), "done\n".into())
    );
    assert!(room.has_no_process_left());
}

#[test]
fn a_daemon_that_holds_the_output_does_not_hold_the_run() {
    let room = Place::new(|_| {});
    let start = Instant::now();
    let ended = room.run("setsid sleep 1000 & echo done");
    assert!(
        ended.out.text().contains("done")
            && start.elapsed() < Duration::from_secs(10)
            && room.has_no_process_left()
    );
}

#[test]
fn a_fork_bomb_stops_at_the_bound() {
    #[cfg(target_os = "linux")]
    if !group::ControlGroup::can_bound() {
        println!(
            "skipped: root may not make control groups here, and a bomb of root has no other bound"
        );
        return;
    }
    let room = Place::new(|limits| limits.run_processes_max = 60);
    let ended = room.run("bomb() { bomb | bomb & sleep 100; }; bomb");
    assert_eq!(ended.ending, Ending::Bound("run_processes_max"));
    assert!(room.has_no_process_left());
}

#[test]
fn gigabytes_on_disk_and_in_the_output_stop_at_the_bound() {
    let room = Place::new(|limits| {
        limits.run_disk_bytes_max = 8 << 20;
        limits.run_output_bytes_max = 1 << 20;
    });
    let ended = room.run("i=0; while :; do i=$((i+1)); head -c 4000000 /dev/zero > $i.bin || exit 3; sleep 0.05; done");
    assert_eq!(ended.ending, Ending::Bound("run_disk_bytes_max"));
    room.empty();
    let ended = room.run("head -c 100000000 /dev/zero > one.bin; sleep 9");
    assert_eq!(ended.ending, Ending::Bound("run_disk_bytes_max"));
    room.empty();
    let ended = room.run("echo first; head -c 300000000 /dev/zero; echo last");
    assert_eq!(ended.ending, Ending::Exited(0));
    assert!(ended.out.whole().is_none() && ended.out.dropped_bytes > 250_000_000);
    assert!(ended.out.text().starts_with("first") && ended.out.text().ends_with("last\n"));
}

#[test]
fn memory_stops_at_the_bound() {
    let room = Place::new(|limits| limits.run_memory_bytes_max = 64 << 20);
    let ended = room.run("x=$(head -c 200000000 /dev/zero | tr '\\0' a); echo ${#x}");
    assert_eq!(ended.ending, Ending::Bound("run_memory_bytes_max"));
}

#[test]
fn a_run_has_no_secret_and_no_home() {
    let room = Place::new(|_| {});
    let said = room.run("env; echo $HOME").out.text();
    assert!(
        !said.contains("TOKEN") && !said.contains("SECRET"),
        "{said}"
    );
    assert!(
        said.ends_with(&format!("{}\n", room.room.work().join("home").display())),
        "{said}"
    );
    let mut environment = Environment::default();
    [
        "GITHUB_TOKEN",
        "AWS_SECRET_ACCESS_KEY",
        "SSH_AUTH_SOCK",
        "NPM_TOKEN",
    ]
    .iter()
    .for_each(|name| environment.set(name, "x"));
    assert_eq!(environment.variables().count(), 0);
}

/// A limit of the system would look like a fault of the code: a file with holes is small, and so is memory nobody uses.
#[test]
fn what_is_not_used_is_not_counted() {
    let room = Place::new(|limits| {
        limits.run_disk_bytes_max = 8 << 20;
        limits.run_memory_bytes_max = 256 << 20;
    });
    let ended = room.run("truncate -s 10G holes && sleep 1 && stat -c %s holes");
    assert_eq!(ended.out.text(), "10737418240\n", "{}", ended.err.text());
}

#[test]
fn a_private_folder_goes_away_with_whoever_made_it() {
    let folder = tempfile::tempdir().expect("a folder").keep();
    std::fs::write(folder.join("file"), "x").expect("a file");
    let sweeper = Sweeper::over(&folder);
    assert!(folder.exists());
    drop(sweeper);
    assert!(!folder.exists());
}
