use super::*;

struct Room {
    folder: tempfile::TempDir,
    environment: Environment,
    walls: Walls,
    limits: Limits,
}

impl Room {
    fn new(change: impl FnOnce(&mut Limits)) -> Self {
        let mut limits = Limits {
            run_ms_max: 90_000,
            ..Limits::default()
        };
        change(&mut limits);
        let folder = tempfile::tempdir().expect("a folder");
        let environment = Environment::private(folder.path(), folder.path(), Path::new("/nowhere"));
        let walls = Walls::raise(folder.path(), &environment, &limits);
        Self {
            folder,
            environment,
            walls,
            limits,
        }
    }

    fn run(&self, script: &str) -> Ended {
        let words = ["sh", "-c", script].map(OsString::from);
        let deadline = Instant::now() + Duration::from_millis(self.limits.run_ms_max);
        let order = Order {
            words: &words,
            folder: self.folder.path(),
            private: self.folder.path(),
            environment: &self.environment,
            deadline,
        };
        run(&order, &self.walls, &self.limits).expect("sh starts")
    }

    fn has_no_process_left(&self) -> bool {
        let mark = format!("{MARK}={}", self.folder.path().display());
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
    let room = Room::new(|_| {});
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
    let room = Room::new(|limits| limits.run_ms_max = 300);
    let start = Instant::now();
    let ended = room.run("trap '' TERM INT HUP; while :; do sleep 1; done");
    assert_eq!(ended.ending, Ending::Bound("run_ms_max"));
    assert!(start.elapsed() < Duration::from_secs(10) && room.has_no_process_left());
}

#[test]
fn a_daemon_does_not_outlive_its_run() {
    let room = Room::new(|_| {});
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
    let room = Room::new(|_| {});
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
    let room = Room::new(|limits| limits.run_processes_max = 60);
    let ended = room.run("bomb() { bomb | bomb & sleep 100; }; bomb");
    assert_eq!(ended.ending, Ending::Bound("run_processes_max"));
    assert!(room.has_no_process_left());
}

#[test]
fn gigabytes_on_disk_and_in_the_output_stop_at_the_bound() {
    let room = Room::new(|limits| {
        limits.run_disk_bytes_max = 8 << 20;
        limits.run_output_bytes_max = 1 << 20;
    });
    let ended = room.run("i=0; while :; do i=$((i+1)); head -c 4000000 /dev/zero > $i.bin || exit 3; sleep 0.05; done");
    assert_eq!(ended.ending, Ending::Bound("run_disk_bytes_max"));
    for file in std::fs::read_dir(room.folder.path())
        .expect("the folder")
        .flatten()
    {
        std::fs::remove_file(file.path()).expect("removed");
    }
    assert_ne!(
        room.run("head -c 100000000 /dev/zero > one.bin").ending,
        Ending::Exited(0)
    );
    assert!(
        std::fs::metadata(room.folder.path().join("one.bin"))
            .is_ok_and(|file| file.len() <= 8 << 20)
    );
    std::fs::remove_file(room.folder.path().join("one.bin")).expect("removed");
    let ended = room.run("echo first; head -c 300000000 /dev/zero; echo last");
    assert!(ended.out.whole().is_none() && ended.out.dropped_bytes > 250_000_000);
    assert!(ended.out.text().starts_with("first") && ended.out.text().ends_with("last\n"));
}

#[test]
fn memory_stops_at_the_bound() {
    let room = Room::new(|limits| limits.run_memory_bytes_max = 64 << 20);
    let ended = room.run("x=$(head -c 200000000 /dev/zero | tr '\\0' a); echo ${#x}");
    assert!(!ended.out.text().contains("200000000"), "{ended:?}");
}

#[test]
fn a_run_has_no_secret_and_no_home() {
    let room = Room::new(|_| {});
    let said = room.run("env; echo $HOME").out.text();
    assert!(
        !said.contains("TOKEN") && !said.contains("SECRET"),
        "{said}"
    );
    assert!(
        said.ends_with(&format!("{}\n", room.folder.path().display())),
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

#[test]
fn a_run_writes_to_its_own_folder_only_and_has_no_network() {
    let room = Room::new(|_| {});
    let elsewhere = tempfile::tempdir().expect("a folder");
    let file = elsewhere.path().join("touched");
    let ended =
        room.run(&format!("echo x > own; cat own; echo x > {0} || echo refused; kill -0 1 2>/dev/null; ls /sys/class/net", file.display()));
    assert!(ended.out.text().starts_with("x\n"), "{ended:?}");
    assert_eq!(file.exists(), !room.walls.files_closed);
    assert_eq!(
        room.walls.missing().is_empty(),
        room.walls.files_closed && room.walls.network_off && room.walls.ends_whole
    );
    if room.walls.network_off {
        let said = room.run("cat /proc/net/dev").out.text();
        assert!(said.contains("lo:") && said.lines().count() == 3, "{said}");
    }
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
