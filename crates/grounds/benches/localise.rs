//! `grounds ask --from` beside `rg -c` with the words of the same text on the
//! same tree, in turn, in one run: medians of wall and CPU time, and peak memory.
//!
//! `cargo bench -p grounds --bench localise -- DIR [TEXT]`

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use grounds_ask::localise::clues;
use nix::sys::resource::{UsageWho, getrusage};

/// Counted runs of each command.
const RUNS: usize = 3;

/// What is ranked where no text is named.
const TEXT: &str = "\
Use after free when a network device is unregistered while its queue is flushed

A timer fires after `free_netdev` and `dev_queue_xmit` reads the freed transmit queue:

    BUG: KASAN: use-after-free in __dev_queue_xmit+0x1a3/0x2c0 net/core/dev.c:4210
    netdev_run_todo net/core/dev.c:10400
    unregister_netdevice_queue

The device waits for references to be dropped, \"unregister_netdevice: waiting for\", and the
watchdog timer of the scheduler is not cancelled before the memory is given back.
";

/// What one run of a command took.
#[derive(Clone, Copy)]
struct Cost {
    wall: Duration,
    cpu: Duration,
}

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| word != "--bench")
        .collect();
    let Some(folder) = arguments.first() else {
        return say("usage: cargo bench -p grounds --bench localise -- DIR [TEXT]");
    };
    let folder = std::fs::canonicalize(folder).unwrap_or_else(|_| PathBuf::from(folder));
    let own = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(own.path(), TEXT).expect("the text is written");
    let text = arguments
        .get(1)
        .map_or_else(|| own.path().to_owned(), PathBuf::from);
    compare(&folder, &text);
}

fn compare(folder: &Path, text: &Path) {
    cost(&mut ask(folder, text));
    let peak = getrusage(UsageWho::RUSAGE_CHILDREN).map_or(0, |usage| usage.max_rss()) / 1024;
    if Command::new("rg")
        .arg("--version")
        .stdout(Stdio::null())
        .status()
        .is_err()
    {
        say("skipped: `rg` is not installed, so there is nothing to compare with");
        return say(&format!("peak memory of ask --from: {peak} MiB"));
    }
    let clues = clues::read(&std::fs::read_to_string(text).unwrap_or_default());
    let runs: Vec<(Cost, Cost)> = (0..RUNS)
        .map(|_| {
            (
                cost(&mut ripgrep(folder, &clues.stems)),
                cost(&mut ask(folder, text)),
            )
        })
        .collect();
    let ratio = |part: fn(&Cost) -> Duration| {
        median(
            runs.iter()
                .map(|(rg, ask)| part(ask).as_secs_f64() / part(rg).as_secs_f64()),
        )
    };
    say(&format!(
        "{} words of a text over {}",
        clues.stems.len(),
        folder.display()
    ));
    for (what, pick) in [
        ("rg -c -i", (|run| run.0) as fn(&(Cost, Cost)) -> Cost),
        ("ask --from", |run| run.1),
    ] {
        let wall = median(
            runs.iter()
                .map(|run| pick(run).wall.as_secs_f64() * 1_000.0),
        );
        let cpu = median(runs.iter().map(|run| pick(run).cpu.as_secs_f64() * 1_000.0));
        say(&format!("  {what:10} wall {wall:7.0} ms  CPU {cpu:7.0} ms"));
    }
    say(&format!(
        "  ratio wall {:.2}, CPU {:.2}; peak memory of ask --from: {peak} MiB",
        ratio(|cost| cost.wall),
        ratio(|cost| cost.cpu)
    ));
}

fn ask(folder: &Path, text: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_grounds"));
    command
        .args(["ask", "--from"])
        .arg(text)
        .arg("--repo")
        .arg(folder);
    command.env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"));
    command
}

fn ripgrep(folder: &Path, stems: &[String]) -> Command {
    let mut command = Command::new("rg");
    command
        .args(["-c", "-i"])
        .args(stems.iter().flat_map(|stem| ["-e", stem.as_str()]))
        .arg(folder);
    command
}

fn cost(command: &mut Command) -> Cost {
    let before = children_cpu();
    let start = Instant::now();
    let status = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let wall = start.elapsed();
    assert!(status.is_ok(), "{command:?} does not run");
    Cost {
        wall,
        cpu: children_cpu().saturating_sub(before),
    }
}

fn children_cpu() -> Duration {
    let time = |value: nix::sys::time::TimeVal| {
        Duration::from_micros(
            u64::try_from(value.tv_sec() * 1_000_000 + value.tv_usec()).unwrap_or(0),
        )
    };
    getrusage(UsageWho::RUSAGE_CHILDREN).map_or(Duration::ZERO, |usage| {
        time(usage.user_time()) + time(usage.system_time())
    })
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

#[expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
fn say(line: &str) {
    println!("{line}");
}
