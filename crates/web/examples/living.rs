//! Measures the cost of opening a folder of documents again after a change. Given a folder that may
//! be written to and an empty one for kept indexes, opens it as it is, then after a file was added,
//! changed and removed. Prints the time of each, the time of a query after it, and the bytes that
//! are kept.
//!
//!     cargo run --release -p grounds-web --features measure --example living -- FOLDER CACHE

#![expect(
    clippy::print_stdout,
    clippy::use_debug,
    reason = "an example that prints what it measured"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use grounds_web::SearchProvider as _;
use grounds_web::corpus::{Corpus, CorpusOptions};

/// Maximum number of queries that are compared at the end.
const QUERIES_MAX: usize = 300;
/// Number of times that each change is made.
const ROUNDS: usize = 5;
/// Time between a change and the opening of the folder, after which the times of the file show the
/// change.
const PAUSE: Duration = Duration::from_millis(2_100);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1).map(PathBuf::from);
    let folder = arguments.next().ok_or("give a folder of documents")?;
    let cache = arguments.next().ok_or("give a folder for indexes")?;
    let options = CorpusOptions {
        cache: Some(cache.clone()),
        ..CorpusOptions::new(jiff::Timestamp::now())
    };
    let file = folder.join("grounds-living.md");
    let text =
        |round: usize| format!("# Round {round}\n\nThe heron of round {round} stands still.\n");
    opened("as it is", &folder, &options, &cache)?;
    opened("nothing changed", &folder, &options, &cache)?;
    for round in 0..ROUNDS {
        fs::write(&file, text(round))?;
        std::thread::sleep(PAUSE);
        opened("one added", &folder, &options, &cache)?;
        fs::write(&file, text(round + 1))?;
        std::thread::sleep(PAUSE);
        opened("one changed", &folder, &options, &cache)?;
        fs::remove_file(&file)?;
        opened("one removed", &folder, &options, &cache)?;
        opened("nothing changed", &folder, &options, &cache)?;
    }
    compared(&folder, &options)
}

/// Counts the queries for which the kept index and one made anew in memory return the same.
fn compared(folder: &Path, options: &CorpusOptions) -> Result<(), Box<dyn std::error::Error>> {
    let kept = Corpus::open(folder, options)?;
    let made = CorpusOptions {
        cache: None,
        ..options.clone()
    };
    let made = Corpus::open(folder, &made)?;
    let seeds = made.search("md txt rst html the of and to in", QUERIES_MAX)?;
    let (mut same, mut clock) = (0_usize, Duration::ZERO);
    for seed in &seeds {
        let query = format!("{} {}", seed.title, seed.snippet);
        let start = Instant::now();
        let found = kept.search(&query, 10)?;
        clock += start.elapsed();
        same += usize::from(found == made.search(&query, 10)?);
    }
    println!(
        "{same} of {} queries find the same as in an index made anew; {:?} for a query",
        seeds.len(),
        clock
            .checked_div(u32::try_from(seeds.len())?)
            .unwrap_or_default()
    );
    Ok(())
}

fn opened(
    what: &str,
    folder: &Path,
    options: &CorpusOptions,
    cache: &Path,
) -> Result<(), Box<dyn std::error::Error>> {
    let (clock, processor) = (Instant::now(), processor_ms());
    let corpus = Corpus::open(folder, options)?;
    let (open, open_processor) = (clock.elapsed(), processor_ms() - processor);
    let clock = Instant::now();
    let found = corpus
        .search("the heron of a round stands still", 10)?
        .len();
    println!(
        "{what:16} {:>6} ms, of processors {open_processor:>6} ms; {:?}; query {:?} ({found} found); \
         {} documents; {:.1} MB kept",
        open.as_millis(),
        corpus.origin(),
        clock.elapsed(),
        corpus.documents_count(),
        bytes_below(cache) as f64 / 1e6
    );
    Ok(())
}

/// Returns the milliseconds of processors that this process used, as Linux counts them; 0 on other
/// systems.
fn processor_ms() -> u64 {
    let told = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = told.rsplit(')').next().unwrap_or_default();
    let ticks = fields.split_whitespace().skip(11).take(2);
    ticks
        .filter_map(|ticks| ticks.parse::<u64>().ok())
        .sum::<u64>()
        * 10
}

/// Returns the bytes on the disk below a folder; a file of two names is counted once.
fn bytes_below(folder: &Path) -> u64 {
    let mut seen = std::collections::BTreeSet::new();
    let (mut folders, mut bytes) = (vec![folder.to_owned()], 0);
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).into_iter().flatten().flatten() {
            match entry.metadata() {
                Ok(data) if data.is_dir() => folders.push(entry.path()),
                Ok(data) if seen.insert(number(&data, &entry.path())) => bytes += data.len(),
                Ok(_) | Err(_) => {}
            }
        }
    }
    bytes
}

/// Returns what identifies a file, whatever its names.
#[cfg(unix)]
fn number(data: &fs::Metadata, _: &Path) -> String {
    std::os::unix::fs::MetadataExt::ino(data).to_string()
}

/// Returns what identifies a file, whatever its names.
#[cfg(not(unix))]
fn number(_: &fs::Metadata, path: &Path) -> String {
    path.display().to_string()
}
