//! Holds the parse of parts of a file against the parse of the whole:
//! `cargo run --release -p grounds-syntax --features measure --example parts -- DIR [NAMES A FILE]`.
//!
//! Asks both for what stands at every definition and at a sample of the other
//! names of every file, prints where they differ, and how much was parsed.
#![expect(
    clippy::print_stdout,
    clippy::use_debug,
    reason = "printing is what this example is for"
)]

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use grounds_syntax::{Label, Language, Parser, languages};

/// Names of one file that are looked at, unless an argument says how many.
const NAMES: usize = 40;

/// The languages whose files are parsed in parts.
const CUT: [&str; 9] = [
    "Rust",
    "C",
    "C++",
    "Go",
    "Java",
    "Python",
    "JavaScript",
    "TypeScript",
    "TSX",
];

/// What was seen of one language.
#[derive(Default)]
struct Counts {
    files: u64,
    labels: u64,
    differ: u64,
    differ_in_clean: u64,
    whole: Duration,
    parts: Duration,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = arguments.first().map_or(".", String::as_str);
    let names = arguments
        .get(1)
        .and_then(|count| count.parse().ok())
        .unwrap_or(NAMES);
    let mut counts: BTreeMap<&str, Counts> = BTreeMap::new();
    let mut paths = Vec::new();
    list(Path::new(folder), &mut paths);
    for path in paths {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let Some(language) = languages::of_name(&name).filter(|known| CUT.contains(&known.name))
        else {
            continue;
        };
        let Ok(source) = std::fs::read(&path) else {
            continue;
        };
        compare(
            &path,
            language,
            &source,
            names,
            counts.entry(language.name).or_default(),
        );
    }
    for (language, seen) in counts {
        let Counts {
            files,
            labels,
            differ,
            differ_in_clean,
            whole,
            parts,
        } = seen;
        println!(
            "{language}: {files} files, {labels} labels, {differ} differ, {differ_in_clean} of them where the whole has no error; whole {whole:?}, parts {parts:?}"
        );
    }
}

fn list(folder: &Path, paths: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    entries.sort();
    for path in entries
        .into_iter()
        .filter(|path| !path.is_symlink() && !path.ends_with(".git"))
    {
        if path.is_dir() {
            list(&path, paths)
        } else {
            paths.push(path)
        }
    }
}

fn compare(
    path: &Path,
    language: &'static Language,
    source: &[u8],
    names: usize,
    counts: &mut Counts,
) {
    let parser = Parser::default();
    let start = Instant::now();
    let Ok(whole) = parser.parse(language, source, &|| false) else {
        return;
    };
    let whole_took = start.elapsed();
    let mut ranges: Vec<Range<usize>> = sample(
        whole
            .definitions(5_000)
            .into_iter()
            .map(|(range, _)| range)
            .collect(),
        names,
    );
    ranges.extend(sample(words(source), names));
    counts.files += 1;
    counts.whole += whole_took;
    for (index, range) in ranges.iter().enumerate() {
        let start = Instant::now();
        let Ok(parts) =
            parser.parse_around(language, source, std::slice::from_ref(range), &|| false)
        else {
            continue;
        };
        counts.parts += if index == 0 {
            start.elapsed()
        } else {
            Duration::ZERO
        };
        let (one, other) = (whole.label(range.clone()), parts.label(range.clone()));
        counts.labels += 1;
        if shown(&one) != shown(&other) {
            counts.differ += 1;
            counts.differ_in_clean += u64::from(!whole.has_error());
            let line = memchr::memchr_iter(b'\n', &source[..range.start]).count() + 1;
            let name = String::from_utf8_lossy(&source[range.clone()]);
            println!(
                "{}:{line}: {name}: whole {} | parts {}{}",
                path.display(),
                shown(&one),
                shown(&other),
                if whole.has_error() { "" } else { " | no error" }
            );
        }
    }
}

fn shown(label: &Label) -> String {
    format!(
        "{} {:?} {:?} {:?}",
        label.relation.as_str(),
        label.kind.map(|kind| kind.as_str()),
        label.containers,
        label.item
    )
}

fn words(source: &[u8]) -> Vec<Range<usize>> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let mut at = 0;
    let mut words = Vec::new();
    for part in source.split(|byte| !is_word(byte)) {
        if part.len() > 2 && part[0].is_ascii_alphabetic() {
            words.push(at..at + part.len());
        }
        at += part.len() + 1;
    }
    words
}

/// Evenly over the text.
fn sample(all: Vec<Range<usize>>, most: usize) -> Vec<Range<usize>> {
    let step = all.len().div_ceil(most.max(1)).max(1);
    all.into_iter().step_by(step).collect()
}
