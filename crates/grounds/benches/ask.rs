//! `grounds ask` and its one pass beside `rg` on the same tree, in turn, in one
//! run: medians of wall and CPU time, and ratios run by run.
//!
//! `cargo bench -p grounds --bench ask -- DIR NAME [NAME ...]`

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use grounds_evidence::{Target, TargetKind, Wanted};
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
    let arguments: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    if let [mark, folder, name] = arguments.as_slice()
        && mark == ONLY_THE_PASS
    {
        return one_pass(Path::new(folder), name);
    }
    let Some((folder, names)) = arguments.split_first().filter(|(_, names)| !names.is_empty()) else {
        return say("usage: cargo bench -p grounds --bench ask -- DIR NAME [NAME ...]");
    };
    let folder = std::fs::canonicalize(folder).unwrap_or_else(|_| Path::new(folder).to_owned());
    start_up();
    for name in names {
        beside_ripgrep(&folder, name);
    }
}

/// From start to end on a tree of one file: everything besides the search.
fn start_up() {
    let tree = tempfile::tempdir().expect("a folder");
    std::fs::write(tree.path().join("a.rs"), "fn alpha() {}\n").expect("a file");
    let costs: Vec<Cost> = (0..=RUNS).map(|_| cost(&mut ask(tree.path(), "alpha"))).skip(1).collect();
    say(&format!(
        "start to end on one file: {:.1} ms wall, {:.1} ms CPU",
        median(&costs, |cost| cost.wall),
        median(&costs, |cost| cost.cpu)
    ));
}

fn beside_ripgrep(folder: &Path, name: &str) {
    cost(&mut ask(folder, name));
    let peak = getrusage(UsageWho::RUSAGE_CHILDREN).map_or(0, |usage| usage.max_rss()) / 1024;
    let has_ripgrep = Command::new("rg").arg("--version").stdout(Stdio::null()).status().is_ok();
    if !has_ripgrep {
        return say("skipped: `rg` is not installed, so there is nothing to compare with");
    }
    cost(&mut ripgrep(folder, name));
    let runs: Vec<(Cost, Cost, Cost)> =
        (0..RUNS).map(|_| (cost(&mut ripgrep(folder, name)), cost(&mut pass(folder, name)), cost(&mut ask(folder, name)))).collect();
    let of = |pick: fn(&(Cost, Cost, Cost)) -> Cost| runs.iter().map(pick).collect::<Vec<Cost>>();
    let (rg, pass, ask) = (of(|run| run.0), of(|run| run.1), of(|run| run.2));
    say(&format!("{name} in {}", folder.display()));
    for (what, costs) in [("rg -w", &rg), ("one pass", &pass), ("ask", &ask)] {
        let ratio = |part: fn(&Cost) -> Duration| {
            median_of(costs.iter().zip(&rg).map(|(one, other)| part(one).as_secs_f64() / part(other).as_secs_f64()))
        };
        let (wall, cpu) = (median(costs, |cost| cost.wall), median(costs, |cost| cost.cpu));
        say(&format!(
            "  {what:9} wall {wall:7.0} ms ({:.2} x)  CPU {cpu:7.0} ms ({:.2} x)",
            ratio(|cost| cost.wall),
            ratio(|cost| cost.cpu)
        ));
    }
    say(&format!("  peak memory of ask: {peak} MiB"));
}

fn ask(folder: &Path, name: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_grounds"));
    command.args(["ask", &format!("where is {name} defined?"), "--repo"]).arg(folder);
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
    let targets = [Target { text: name.to_owned(), kind: TargetKind::Identifier, wanted: Wanted::Definition }];
    let (needles, limits) = (Needles::of_targets(&targets), Limits::default());
    let seen = survey::survey(&checkout, &targets, &needles, survey::Part::Visible, &limits, &survey::Progress::default());
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
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    let wall = start.elapsed();
    assert!(status.is_ok(), "{command:?} does not run");
    Cost { wall, cpu: children_cpu().saturating_sub(before) }
}

fn children_cpu() -> Duration {
    let time =
        |value: nix::sys::time::TimeVal| Duration::from_micros(u64::try_from(value.tv_sec() * 1_000_000 + value.tv_usec()).unwrap_or(0));
    getrusage(UsageWho::RUSAGE_CHILDREN).map_or(Duration::ZERO, |usage| time(usage.user_time()) + time(usage.system_time()))
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
