//! How long everything but the model takes on a large change in a large tree.
//!
//! `cargo run --release -p grounds-review --features measure --example speed -- TREE FOLDER [FILES CHANGED LINES
//! ENDINGS]`
//!
//! Makes in FOLDER (once) a repository of FILES files of TREE (20,000) that end in one of ENDINGS
//! (`c,h`), packs it, and commits a change of CHANGED files (300) and LINES added lines (20,000),
//! which are lines of other files of it, so that they use its names. Then takes the change,
//! resolves its context, runs the built-in rules, cuts and packs the calls, and prints the
//! milliseconds of each step and the most memory that was in use: everything of a review but its
//! model.

#![expect(clippy::print_stdout, reason = "an example prints what it measures")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use grounds_model::tokens::Tokenizer;
use grounds_review::diff::load;
use grounds_review::rules::{RuleSet, run_in_repository};
use grounds_review::{DiffLimits, DiffScope, PlanLimits, Sides, prepare_sides};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize, otherwise: usize| {
        arguments
            .get(place)
            .and_then(|text| text.parse().ok())
            .unwrap_or(otherwise)
    };
    let tree = PathBuf::from(arguments.first().expect("a tree of source files"));
    let folder = PathBuf::from(arguments.get(1).expect("a folder for the repository"));
    if !folder.join(".git").exists() {
        let endings = arguments.get(5).map_or("c,h", String::as_str);
        make(
            &tree,
            &folder,
            number(2, 20_000),
            number(3, 300),
            number(4, 20_000),
            &endings.split(',').collect::<Vec<_>>(),
        );
    }
    let rules = RuleSet::built_in();
    for round in 1..=3 {
        look(round, &folder, &rules);
    }
}

/// One review without its model; each step with its milliseconds of wall and of processor time.
fn look(round: u32, folder: &Path, rules: &RuleSet) {
    let limits = PlanLimits::default();
    let mut watch = Watch::start();
    let tokenizer = Tokenizer::for_model("gpt-4o");
    tokenizer.read_ahead();
    let change = load(
        folder,
        &DiffScope::Commit("HEAD".to_owned()),
        &DiffLimits::default(),
    )
    .expect("a change");
    watch.step("diff");
    let sides = Sides::of(&change, &limits)
        .expect("a repository")
        .with_chain();
    sides.read_ahead();
    let files = sides.tree().expect("a tree").files().len();
    sides.heads().expect("the changed files");
    sides.bases().expect("the base");
    watch.step("sides");
    sides.chain().expect("a chain");
    watch.step("chain");
    let ruled = run_in_repository(rules, &sides).expect("a report");
    watch.step("rules");
    let prepared = prepare_sides(sides, tokenizer, &limits).expect("a plan");
    watch.step("plan");
    let items: usize = prepared
        .plan
        .bundles
        .iter()
        .map(|bundle| bundle.items.len())
        .sum();
    println!(
        "round {round}: {} files, {} changed lines in a tree of {files}: {}; {} calls, {items} items, {} findings; bounds reached: {}; {}",
        change.diff.files.len(),
        change.diff.changed_lines(),
        watch.told(),
        prepared.plan.bundles.len(),
        ruled.findings.len(),
        prepared
            .bounds
            .iter()
            .map(|bound| bound.name)
            .collect::<Vec<_>>()
            .join(", "),
        most_memory(),
    );
}

/// Wall and processor time, step by step.
struct Watch {
    started: (Instant, u64),
    last: (Instant, u64),
    steps: Vec<String>,
}

impl Watch {
    fn start() -> Self {
        let now = (Instant::now(), processor_ms());
        Self {
            started: now,
            last: now,
            steps: Vec::new(),
        }
    }

    fn step(&mut self, name: &str) {
        self.steps.push(format!("{name} {}", since(self.last)));
        self.last = (Instant::now(), processor_ms());
    }

    fn told(&self) -> String {
        format!("{}; all {}", self.steps.join(", "), since(self.started))
    }
}

fn since((instant, processor): (Instant, u64)) -> String {
    format!(
        "{} ms (processor {} ms)",
        instant.elapsed().as_millis(),
        processor_ms() - processor
    )
}

/// Returns the processor time of this process and of its ended children, in milliseconds.
fn processor_ms() -> u64 {
    let status = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program is in brackets, and may contain blanks and brackets itself.
    let after = status.rsplit(')').next().unwrap_or_default();
    // The fields are in ticks of a hundredth of a second, as on every Linux.
    after
        .split_whitespace()
        .skip(11)
        .take(4)
        .filter_map(|ticks| ticks.parse::<u64>().ok())
        .sum::<u64>()
        * 10
}

fn most_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status
        .lines()
        .find(|line| line.starts_with("VmHWM"))
        .unwrap_or("memory not known")
        .to_owned()
}

fn git(folder: &Path, words: &[&str]) {
    let done = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args([
            "-c",
            "user.name=x",
            "-c",
            "user.email=x@localhost",
            "-c",
            "maintenance.auto=false",
        ])
        .args(words)
        .status();
    assert!(done.is_ok_and(|status| status.success()), "git {words:?}");
}

/// Makes a repository of some files of a tree, with a change of some of them on top.
fn make(
    tree: &Path,
    folder: &Path,
    files_max: usize,
    changed: usize,
    lines: usize,
    endings: &[&str],
) {
    let mut files = Vec::new();
    collect(tree, &mut files);
    files.retain(|file| {
        file.extension()
            .is_some_and(|ending| endings.iter().any(|wanted| ending == *wanted))
    });
    files.sort();
    // The files are taken evenly from the whole tree, and not only from its first folders.
    let step = files.len().div_ceil(files_max).max(1);
    let files: Vec<PathBuf> = (0..step)
        .flat_map(|start| files.iter().skip(start).step_by(step))
        .take(files_max)
        .cloned()
        .collect();
    std::fs::create_dir_all(folder).expect("a folder");
    git(folder, &["init", "--quiet"]);
    let place = |file: &Path| folder.join(file.strip_prefix(tree).expect("below the tree"));
    for file in &files {
        std::fs::create_dir_all(place(file).parent().expect("a parent")).expect("a folder");
        std::fs::copy(file, place(file)).expect("a copy");
    }
    git(folder, &["add", "--all"]);
    git(folder, &["commit", "--quiet", "-m", "tree"]);
    git(folder, &["gc", "--quiet"]);
    let sources: Vec<&PathBuf> = files
        .iter()
        .filter(|file| file.extension().is_none_or(|ending| ending != "h"))
        .collect();
    let every = (sources.len() / (changed * 2)).max(1);
    for pair in sources
        .iter()
        .step_by(every)
        .collect::<Vec<_>>()
        .chunks(2)
        .take(changed)
    {
        let [one, other] = pair else { continue };
        let added = body_of(
            &std::fs::read_to_string(other).unwrap_or_default(),
            closing(other),
            lines / changed,
        );
        let text = std::fs::read_to_string(one).unwrap_or_default();
        let middle = text.len() / 2;
        let cut = text
            .char_indices()
            .map(|(at, _)| at)
            .find(|at| *at >= middle && text[..*at].ends_with(closing(one)))
            .unwrap_or(text.len());
        std::fs::write(
            place(one),
            format!("{}\n{added}\n{}", &text[..cut], &text[cut..]),
        )
        .expect("written");
    }
    git(folder, &["add", "--all"]);
    git(folder, &["commit", "--quiet", "-m", "change"]);
}

/// Returns the text with which a whole function ends in a file.
fn closing(file: &Path) -> &'static str {
    match file.extension().and_then(|ending| ending.to_str()) {
        Some("rb") => "\n  end\n",
        Some("php" | "java" | "cs") => "\n    }\n",
        _ => "\n}\n",
    }
}

/// Returns at least this many lines of a text, from about its middle on, and again from its start
/// if it is short. They are whole functions, as a person adds them.
fn body_of(text: &str, closing: &str, lines: usize) -> String {
    let items: Vec<&str> = text.split_inclusive(closing).collect();
    let mut taken = String::new();
    for item in items.iter().cycle().skip(items.len() / 2).take(lines) {
        if taken.lines().count() >= lines {
            break;
        }
        taken.push_str(item);
    }
    taken
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let kind = path.symlink_metadata().map(|entry| entry.file_type());
        match kind {
            Ok(kind) if kind.is_dir() && path.file_name().is_some_and(|name| name != ".git") => {
                collect(&path, files)
            }
            Ok(kind) if kind.is_file() => files.push(path),
            _ => {}
        }
    }
}
