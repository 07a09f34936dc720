//! Measures the ranking for issue texts and questions over labelled cases:
//! `cargo run --release -p grounds --features measure --example localise -- CASES.jsonl REPOSITORIES [ROWS.jsonl]`.
//!
//! A line is `{"repo", "problem_statement", "gold_files", "category"}`, and either
//! `"base_commit"` (then `REPOSITORIES/OWNER__NAME` is a git repository, whose commit
//! is laid out in a folder for the time of the run) or `"root"` (then
//! `REPOSITORIES/NAME/ROOT` is the tree). Prints the share of cases with all gold
//! files in the first 1, 3, 5 and 10, and NDCG@10, by category. With a third
//! argument, writes the features of the candidates of every case, for a fit.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use grounds_ask::localise::{self, clues, features};
use grounds_repo::checkout::Checkout;
use grounds_repo::limits::Limits;
use grounds_repo::survey::Progress;
use serde_json::{Value, json};

/// The first so many files that are looked at.
const FIRST: [usize; 4] = [1, 3, 5, 10];

/// What came of the cases of one category.
#[derive(Default)]
struct Figures {
    cases: u32,
    all_in_first: [u32; 4],
    gain: f64,
    milliseconds: u128,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (Some(cases), Some(repositories)) = (arguments.first(), arguments.get(1)) else {
        return say("usage: localise CASES.jsonl REPOSITORIES [ROWS.jsonl]");
    };
    let mut rows = arguments
        .get(2)
        .and_then(|path| std::fs::File::create(path).ok())
        .map(std::io::BufWriter::new);
    let text = std::fs::read_to_string(cases).unwrap_or_default();
    let folder = std::env::temp_dir().join(format!("localise-{}", std::process::id()));
    let mut categories: BTreeMap<String, Figures> = BTreeMap::new();
    for case in text
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
    {
        match tree(&case, Path::new(repositories), &folder)
            .and_then(|root| Checkout::open(&root).map_err(|error| error.to_string()))
        {
            Ok(checkout) => measure(&case, &checkout, &mut categories, &mut rows),
            Err(error) => say(&format!("skipped {}: {error}", word(&case, "instance_id"))),
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    say("category | cases | all gold in 1 | 3 | 5 | 10 | NDCG@10 | ms");
    categories
        .iter()
        .for_each(|(category, figures)| say(&figures.row(category)));
}

impl Figures {
    fn row(&self, category: &str) -> String {
        let of = f64::from(self.cases.max(1));
        let shares = self
            .all_in_first
            .map(|count| format!("{:.1}", 100.0 * f64::from(count) / of))
            .join(" | ");
        let mean = self.milliseconds / u128::from(self.cases.max(1));
        format!(
            "{category} | {} | {shares} | {:.3} | {mean}",
            self.cases,
            self.gain / of
        )
    }

    fn count(&mut self, ranks: &[Option<usize>], milliseconds: u128) {
        self.cases += 1;
        for (count, first) in self.all_in_first.iter_mut().zip(FIRST) {
            *count += u32::from(
                !ranks.is_empty()
                    && ranks
                        .iter()
                        .all(|rank| rank.is_some_and(|rank| rank < first)),
            );
        }
        let gain =
            |rank: usize| 1.0 / f64::from(u32::try_from(rank + 2).unwrap_or(u32::MAX)).log2();
        let ideal: f64 = (0..ranks.len().min(10)).map(gain).sum();
        let found: f64 = ranks
            .iter()
            .flatten()
            .filter(|rank| **rank < 10)
            .map(|rank| gain(*rank))
            .sum();
        self.gain += if ideal > 0.0 { found / ideal } else { 0.0 };
        self.milliseconds += milliseconds;
    }
}

fn word<'v>(case: &'v Value, key: &str) -> &'v str {
    case[key].as_str().unwrap_or_default()
}

/// The tree of a case; a commit is laid out in a folder of its repository, where only what differs is written.
fn tree(case: &Value, repositories: &Path, folder: &Path) -> Result<PathBuf, String> {
    let repository = repositories.join(word(case, "repo").replace('/', "__"));
    let commit = word(case, "base_commit");
    if commit.is_empty() {
        return Ok(repository.join(word(case, "root")));
    }
    let git = if repository.join(".git").exists() {
        repository.join(".git")
    } else {
        repository
    };
    let place = folder.join(word(case, "repo").replace('/', "__"));
    std::fs::create_dir_all(&place).map_err(|error| error.to_string())?;
    let run = |words: &[&str]| {
        let mut command = Command::new("git");
        command
            .env("GIT_INDEX_FILE", place.with_extension("index"))
            .arg("--git-dir")
            .arg(&git)
            .arg("--work-tree")
            .arg(&place);
        command
            .args(words)
            .status()
            .is_ok_and(|status| status.success())
    };
    if !run(&["read-tree", "--reset", commit]) {
        return Err(format!("no commit {commit}"));
    }
    // A clone may lack a large file; the others are laid out all the same.
    run(&["checkout-index", "--all", "--force", "--quiet", "--index"]);
    run(&["clean", "-fdxq"]);
    Ok(place)
}

type Rows = Option<std::io::BufWriter<std::fs::File>>;

fn measure(
    case: &Value,
    checkout: &Checkout,
    categories: &mut BTreeMap<String, Figures>,
    rows: &mut Rows,
) {
    let start = Instant::now();
    let clues = clues::read(word(case, "problem_statement"));
    let ranked = localise::rank_with(checkout, &clues, &Limits::default(), &Progress::default());
    let elapsed = start.elapsed().as_millis();
    let order = ranked.order();
    let gold: Vec<&str> = case["gold_files"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let root = word(case, "root");
    let is_gold =
        |number: usize, gold: &str| is_same(&below(root, ranked.path(number).as_str()), gold);
    let ranks: Vec<Option<usize>> = gold
        .iter()
        .map(|gold| order.iter().position(|&number| is_gold(number, gold)))
        .collect();
    for category in [word(case, "category"), "all"] {
        categories
            .entry(category.to_owned())
            .or_default()
            .count(&ranks, elapsed);
    }
    if let Some(out) = rows {
        let row = |&number: &usize| {
            let features =
                ranked.features[number].map(|feature| (f64::from(feature) * 1e4).round() / 1e4);
            json!([
                ranked.path(number).as_str(),
                gold.iter().any(|gold| is_gold(number, gold)),
                features.to_vec()
            ])
        };
        let files: Vec<Value> = order.iter().map(row).collect();
        let line = json!({
            "instance_id": case["instance_id"], "repo": case["repo"], "category": case["category"], "gold": gold, "ranks": ranks,
            "short": clues.is_short, "features": features::NAMES.to_vec(), "files": files,
        });
        let _ = writeln!(out, "{line}");
    }
}

fn below(root: &str, path: &str) -> String {
    if root.is_empty() || root == "." {
        path.to_owned()
    } else {
        format!("{root}/{path}")
    }
}

/// Whether two paths are one, where the labels may leave out the first folders.
fn is_same(path: &str, gold: &str) -> bool {
    path == gold || path.ends_with(&format!("/{gold}"))
}

#[expect(clippy::print_stdout, reason = "an evaluation prints its figures")]
fn say(line: &str) {
    println!("{line}");
}
