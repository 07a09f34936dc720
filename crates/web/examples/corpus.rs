//! Measures a folder of documents. Given a folder, and optionally one for kept indexes, prints what
//! was read and left out, the time of opening it, the time of queries made of its own titles, and
//! how often the document itself comes first.
//!
//!     cargo run --release -p grounds-web --features measure --example corpus -- FOLDER [CACHE]

#![expect(
    clippy::print_stdout,
    clippy::use_debug,
    reason = "an example that prints what it measured"
)]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use grounds_web::corpus::{Corpus, CorpusOptions};
use grounds_web::{Fetch, SearchProvider};

/// Maximum number of queries that are timed.
const QUERIES_MAX: usize = 500;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1).map(PathBuf::from);
    let folder = arguments.next().ok_or("give a folder of documents")?;
    let cache = arguments.next();
    let options = CorpusOptions {
        cache,
        ..CorpusOptions::new(jiff::Timestamp::now())
    };
    let start = Instant::now();
    let corpus = Corpus::open(&folder, &options)?;
    let scope = corpus.scope();
    println!(
        "{} documents, {:.1} MB, opened in {:.2} s",
        scope.files,
        scope.bytes as f64 / 1e6,
        start.elapsed().as_secs_f64()
    );
    scope.skipped.iter().for_each(|skipped| {
        println!(
            "  left out {}: {} (as {:?})",
            skipped.count,
            skipped.why,
            skipped.examples.first()
        )
    });
    let seeds = corpus.search("the of and to in is for with on a", 1000)?;
    let every = (seeds.len() / QUERIES_MAX).max(1);
    let (mut times, mut first_count, mut ten_count) = (Vec::new(), 0_usize, 0_usize);
    for seed in seeds.iter().step_by(every) {
        let query = if seed.title.contains(' ') {
            seed.title.clone()
        } else {
            seed.snippet.chars().take(80).collect()
        };
        let start = Instant::now();
        let found = corpus.search(&query, 10)?;
        times.push(start.elapsed());
        first_count += usize::from(found.first().is_some_and(|result| result.url == seed.url));
        ten_count += usize::from(found.iter().any(|result| result.url == seed.url));
    }
    times.sort();
    let at = |share: f64| {
        times
            .get(((times.len() as f64 - 1.0) * share) as usize)
            .copied()
            .unwrap_or(Duration::ZERO)
    };
    println!(
        "{} queries of titles: median {:?}, 95th {:?}; itself first {first_count}, in ten {ten_count}",
        times.len(),
        at(0.5),
        at(0.95)
    );
    let start = Instant::now();
    let pages = seeds
        .iter()
        .take(200)
        .filter(|seed| corpus.fetch(&seed.url).is_ok())
        .count();
    println!(
        "{pages} pages read again in {:.2} s",
        start.elapsed().as_secs_f64()
    );
    Ok(())
}
