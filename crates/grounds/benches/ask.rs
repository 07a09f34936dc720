//! `grounds ask` (where a name is defined, who calls it) and its one pass beside
//! `rg -w` on the same tree, in turn, in one run: medians of wall and CPU time,
//! ratios run by run, and how far the runs of one command lie apart.
//!
//! `cargo bench -p grounds --bench ask -- DIR NAME [NAME ...]`

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use grounds_evidence::{QuestionTarget, TargetKind, WantedRelation};
use grounds_repo::{checkout::Checkout, limits::Limits, needles::Needles, survey};
use nix::sys::resource::{UsageWho, getrusage};

/// The first argument with which this program runs only the pass.
const ONLY_THE_PASS: &str = "--only-the-pass";
/// Counted runs of each command.
const RUNS: usize = 7;

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
    if let [mark, folder, name] = arguments.as_slice()
        && mark == ONLY_THE_PASS
    {
        return one_pass(Path::new(folder), name);
    }
    let Some((folder, names)) = arguments
        .split_first()
        .filter(|(_, names)| !names.is_empty())
    else {
        return say("usage: cargo bench -p grounds --bench ask -- DIR NAME [NAME ...]");
    };
    let folder = std::fs::canonicalize(folder).unwrap_or_else(|_| Path::new(folder).to_owned());
    start_up();
    for name in names {
        beside_ripgrep(&folder, name);
    }
}

/// From start to end without a tree worth searching: everything besides the search.
fn start_up() {
    let tree = tempfile::tempdir().expect("a folder");
    let mut version = Command::new(env!("CARGO_BIN_EXE_grounds"));
    version.arg("--version");
    tell_start("--version", &mut version);
    tell_start("an empty tree", &mut locate(tree.path(), "alpha"));
    std::fs::write(tree.path().join("a.rs"), "fn alpha() {}\n").expect("a file");
    tell_start("one file", &mut locate(tree.path(), "alpha"));
}

fn tell_start(what: &str, command: &mut Command) {
    let costs: Vec<Cost> = (0..=RUNS).map(|_| cost(command)).skip(1).collect();
    let (wall, cpu) = (
        median(&costs, |cost| cost.wall),
        median(&costs, |cost| cost.cpu),
    );
    say(&format!(
        "start to end, {what}: {wall:.1} ms wall, {cpu:.1} ms CPU"
    ));
}

fn beside_ripgrep(folder: &Path, name: &str) {
    cost(&mut locate(folder, name));
    let peak_of_locate = peak_mebibytes();
    cost(&mut navigate(folder, name));
    let peak = peak_mebibytes();
    let has_ripgrep = Command::new("rg")
        .arg("--version")
        .stdout(Stdio::null())
        .status()
        .is_ok();
    if !has_ripgrep {
        return say("skipped: `rg` is not installed, so there is nothing to compare with");
    }
    cost(&mut ripgrep(folder, name));
    let commands: [fn(&Path, &str) -> Command; 4] = [ripgrep, pass, locate, navigate];
    let runs: Vec<[Cost; 4]> = (0..RUNS)
        .map(|_| commands.map(|command| cost(&mut command(folder, name))))
        .collect();
    say(&format!("{name} in {}", folder.display()));
    for (number, what) in ["rg -w", "one pass", "where is it defined", "who calls it"]
        .into_iter()
        .enumerate()
    {
        let ratio = |part: fn(&Cost) -> Duration| {
            median_of(runs.iter().map(|run| {
                part(&run[number]).as_secs_f64() / part(&run[0]).as_secs_f64().max(f64::EPSILON)
            }))
        };
        let costs: Vec<Cost> = runs.iter().map(|run| run[number]).collect();
        let (wall, cpu) = (
            median(&costs, |cost| cost.wall),
            median(&costs, |cost| cost.cpu),
        );
        let (fewest, most) = spread(&costs);
        say(&format!(
            "  {what:19} wall {wall:7.0} ms ({:.2} x)  CPU {cpu:7.0} ms ({:.2} x), from {fewest:.0} to {most:.0}",
            ratio(|cost| cost.wall),
            ratio(|cost| cost.cpu)
        ));
    }
    say(&format!(
        "  peak memory: {peak_of_locate} MiB where it is defined, {peak} MiB at most"
    ));
}

/// The most memory that any command so far has had.
fn peak_mebibytes() -> i64 {
    getrusage(UsageWho::RUSAGE_CHILDREN).map_or(0, |usage| usage.max_rss()) / 1024
}

/// The least and the most CPU time in milliseconds.
fn spread(costs: &[Cost]) -> (f64, f64) {
    let all = costs.iter().map(|cost| cost.cpu.as_secs_f64() * 1_000.0);
    all.fold((f64::MAX, 0.0), |(fewest, most), one| {
        (one.min(fewest), one.max(most))
    })
}

fn locate(folder: &Path, name: &str) -> Command {
    ask(folder, &format!("where is {name} defined?"))
}

fn navigate(folder: &Path, name: &str) -> Command {
    ask(folder, &format!("who calls {name}?"))
}

fn ask(folder: &Path, question: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_grounds"));
    // What it costs to keep a run is a part of what a question costs.
    command
        .args(["ask", question, "--repo"])
        .arg(folder)
        .env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"));
    command
}

/// The pass alone is this program again, so that it is measured as a process too.
fn pass(folder: &Path, name: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.arg(ONLY_THE_PASS).arg(folder).arg(name);
    command
}

fn one_pass(folder: &Path, name: &str) {
    let checkout = Checkout::open(folder).expect("a folder");
    let targets = [QuestionTarget {
        text: name.to_owned(),
        kind: TargetKind::Identifier,
        wanted: WantedRelation::Definition,
    }];
    let (needles, limits) = (Needles::of_targets(&targets), Limits::default());
    let seen = survey::survey(
        &checkout,
        &targets,
        &needles,
        survey::SurveyedPart::Visible,
        &limits,
        &survey::Progress::default(),
    );
    say(&format!("{} files", seen.files.len()));
}

fn ripgrep(folder: &Path, name: &str) -> Command {
    let mut command = Command::new("rg");
    command.args(["-w", name]).arg(folder);
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

fn median(costs: &[Cost], part: fn(&Cost) -> Duration) -> f64 {
    median_of(costs.iter().map(|cost| part(cost).as_secs_f64() * 1_000.0))
}

fn median_of(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

#[expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
fn say(line: &str) {
    println!("{line}");
}
