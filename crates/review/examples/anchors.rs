//! Measures anchoring on real diffs: of every added line of the commits of a
//! repository a true anchor is made, its quote and its number are perturbed, and it is
//! counted whether the right line, none, or a wrong one comes out.
//!
//! `cargo run --release -p grounds-review --features measure --example anchors -- COMMITS REPOSITORY...`

use std::collections::HashMap;
use std::io::Write as _;
use std::path::Path;

use grounds_review::anchor::{self, AnchorPlace};
use grounds_review::diff::{self, DiffLimits, DiffScope};
use grounds_review::{ChangedFile, LineKind};

/// Maximum number of added lines of one file.
const FILE_LINES_MAX: usize = 200;

/// The results of anchoring.
#[derive(Clone, Copy, Default)]
struct Counts {
    right: u64,
    none: u64,
    wrong: u64,
}

/// One way to spoil an anchor: its name, and the quote and number that it makes of a true one.
type Perturbation = (&'static str, fn(&str, u32) -> (String, i64));

const PERTURBATIONS: [Perturbation; 9] = [
    ("as it is", |text, line| (text.to_owned(), i64::from(line))),
    ("white space at its ends gone", |text, line| {
        (text.trim().to_owned(), i64::from(line))
    }),
    ("white space doubled", |text, line| {
        (text.replace(' ', "  "), i64::from(line))
    }),
    ("tabs for blanks", |text, line| {
        (text.replace("    ", "\t"), i64::from(line))
    }),
    ("CRLF", |text, line| {
        (format!("{text}\r\n"), i64::from(line))
    }),
    ("number and mark of the prompt kept", |text, line| {
        (format!("{line} +| {text}"), i64::from(line))
    }),
    ("number off by 1", |text, line| {
        (text.to_owned(), i64::from(line) + 1)
    }),
    ("number off by -3", |text, line| {
        (text.to_owned(), i64::from(line) - 3)
    }),
    ("number off by 10", |text, line| {
        (text.to_owned(), i64::from(line) + 10)
    }),
];

fn main() {
    let mut words = std::env::args().skip(1);
    let commits: usize = words
        .next()
        .and_then(|word| word.parse().ok())
        .unwrap_or(50);
    let mut counts = vec![[Counts::default(); 2]; PERTURBATIONS.len()];
    let (mut diffs, mut lines) = (0_u64, 0_u64);
    for repository in words {
        for commit in log(Path::new(&repository), commits) {
            let Ok(change) = diff::load(
                Path::new(&repository),
                &DiffScope::Commit(commit),
                &DiffLimits::default(),
            ) else {
                continue;
            };
            diffs += 1;
            lines += change
                .diff
                .files
                .iter()
                .map(|file| measure(file, &mut counts))
                .sum::<u64>();
        }
    }
    let mut out = std::io::stdout().lock();
    let _ = writeln!(
        out,
        "{diffs} diffs, {lines} added lines, each in {} ways",
        PERTURBATIONS.len()
    );
    let _ = writeln!(
        out,
        "{:36} {:>24}   {:>24}",
        "", "quote stands once", "quote stands more often"
    );
    let _ = writeln!(
        out,
        "{:36} {:>8} {:>8} {:>6}   {:>8} {:>8} {:>6}",
        "", "right", "none", "wrong", "right", "none", "wrong"
    );
    for ((name, _), [once, often]) in PERTURBATIONS.iter().zip(&counts) {
        let _ = writeln!(
            out,
            "{name:36} {:>8} {:>8} {:>6}   {:>8} {:>8} {:>6}",
            once.right, once.none, once.wrong, often.right, often.none, often.wrong
        );
    }
}

fn log(repository: &Path, commits: usize) -> Vec<String> {
    let most = format!("-{commits}");
    let words = ["log", "--no-merges", "--format=%H", most.as_str()];
    let output = grounds_repo::git::call(repository, &words).unwrap_or_default();
    String::from_utf8_lossy(&output)
        .lines()
        .map(str::to_owned)
        .collect()
}

/// Counts for one file, and returns the number of lines that were used.
fn measure(file: &ChangedFile, counts: &mut [[Counts; 2]]) -> u64 {
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown = || {
        file.hunks
            .iter()
            .flat_map(|hunk| &hunk.lines)
            .filter(|line| line.kind != LineKind::Removed)
    };
    let mut places: HashMap<String, usize> = HashMap::new();
    shown().for_each(|line| *places.entry(plain(&line.text)).or_default() += 1);
    let added = shown().filter(|line| {
        line.kind == LineKind::Added
            && line
                .text
                .chars()
                .filter(|letter| letter.is_alphanumeric())
                .count()
                >= 4
    });
    let mut taken = 0;
    for line in added.take(FILE_LINES_MAX) {
        let Some(truth) = line.new_number else {
            continue;
        };
        taken += 1;
        // A line can also be a part of another one, and then its words occur more often.
        let words = plain(&line.text);
        let is_often = places[&words] > 1
            || shown()
                .filter(|other| plain(&other.text).contains(&words))
                .count()
                > 1;
        for ((_, perturb), counts) in PERTURBATIONS.iter().zip(counts.iter_mut()) {
            let (quote, claimed) = perturb(&line.text, truth);
            let count = &mut counts[usize::from(is_often)];
            match anchor::find(file, u32::try_from(claimed).ok(), Some(&quote)) {
                AnchorPlace::AtClaim { start, end } | AnchorPlace::Elsewhere { start, end }
                    if (start..=end).contains(&truth) =>
                {
                    count.right += 1
                }
                AnchorPlace::AtClaim { .. } | AnchorPlace::Elsewhere { .. } => count.wrong += 1,
                AnchorPlace::Ambiguous { .. } | AnchorPlace::Nowhere | AnchorPlace::NoQuote => {
                    count.none += 1
                }
            }
        }
    }
    taken
}
