//! Measures the time and the memory for a million hits. `million_hits [COUNT]` builds histories of
//! several shapes and decides them. The time is that of the decision alone: on the clock, and on a
//! processor, which a busy machine does not stretch.
#![expect(clippy::use_debug, reason = "a verdict is shown as it is")]

use std::io::Write as _;
use std::time::Instant;

use grounds_verify::{
    EvidenceHit, HitManner, HitPlace, JudgeName, SearchHistory, SearchQuery, SearchTask, Seeks,
    SourceTier, Stance, VisitedPage, decide_from_history,
};
use grounds_web::{DateSource, PageDate};
use jiff::Timestamp;

/// The text of a page beside the words that count.
#[derive(Clone, Copy)]
enum Beside {
    /// A number of words that no other page has.
    Own(usize),
    /// A number of sentences that all pages have, and as many words of its own.
    Template(usize),
}

impl Beside {
    fn text(self, page: usize) -> String {
        match self {
            Self::Own(words) => (0..words).map(|word| format!(" w{page}x{word}")).collect(),
            Self::Template(sentences) => (0..sentences)
                .map(|at| {
                    format!(" The s{at} of our office is open a{at} and b{at} for p{page}x{at}.")
                })
                .collect(),
        }
    }
}

/// The number of hits of a page, and the text beside them.
const SHAPES: [(&str, usize, Beside); 5] = [
    ("a page a hit, of its own publisher", 1, Beside::Own(0)),
    ("100 hits a page of 100 words", 100, Beside::Own(100)),
    (
        "1,000 hits a page of 2,000 words",
        1_000,
        Beside::Own(2_000),
    ),
    ("all hits in one page", usize::MAX, Beside::Own(100)),
    ("100 hits a page of one template", 100, Beside::Template(10)),
];

fn history(count: usize, hits_a_page: usize, beside: Beside) -> SearchHistory {
    let published = Some(PageDate {
        at: Timestamp::UNIX_EPOCH,
        is_day: true,
        source: DateSource::Meta,
    });
    let mut history = SearchHistory {
        as_of: Timestamp::UNIX_EPOCH,
        queries: vec![SearchQuery {
            text: String::new(),
            provider: String::new(),
            seeks: Seeks::Refutation,
            result_count: Some(1),
        }],
        pages: Vec::new(),
        hits: Vec::with_capacity(count),
    };
    let excerpt = "The bridge was opened.";
    for number in 0..count {
        let page = number / hits_a_page;
        let url = format!("https://www.publisher{page}.example/news/{page}");
        if number % hits_a_page == 0 {
            let body = beside.text(page);
            history.pages.push(VisitedPage {
                published,
                text: format!("{excerpt}{body}"),
                ..VisitedPage::of_address(&url)
            });
        }
        let stance = if page.is_multiple_of(3) {
            Stance::Refute
        } else {
            Stance::Support
        };
        history.hits.push(EvidenceHit {
            url: url.into(),
            title: None,
            published,
            stance,
            manner: HitManner::Statement,
            happened: None,
            tier: SourceTier::Trade,
            place: HitPlace::Page,
            excerpt: excerpt.into(),
            bytes: 0..excerpt.len(),
            judge: JudgeName::Lexical,
        });
    }
    history
}

/// Returns the maximum memory of the process so far, in MiB; `None` if the system does not report
/// it.
fn peak_mib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    line.split_whitespace()
        .nth(1)?
        .parse::<u64>()
        .ok()
        .map(|kib| kib / 1_024)
}

/// Returns the seconds for which this thread had a processor; `None` if the system does not report
/// it.
fn processor_seconds() -> Option<f64> {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(told.split_whitespace().next()?.parse::<f64>().ok()? / 1e9)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count = std::env::args()
        .nth(1)
        .map_or(Ok(1_000_000), |count| count.parse())?;
    let task = SearchTask {
        id: String::new(),
        claim: "The bridge was opened.".to_owned(),
        timeframe: None,
        context: None,
        language: None,
        origin: None,
    };
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "| {count} hits | seconds | on a processor | verdict | peak MiB before | after |\n|---|---|---|---|---|---|"
    )?;
    for (name, hits_a_page, beside) in SHAPES {
        let history = history(count, hits_a_page.min(count), beside);
        let before = peak_mib().unwrap_or_default();
        let (start, used) = (Instant::now(), processor_seconds());
        let decision = decide_from_history(&task, &history, 1, 1);
        let used = processor_seconds()
            .zip(used)
            .map_or(0.0, |(after, before)| after - before);
        writeln!(
            out,
            "| {name} | {:.2} | {used:.2} | {:?} | {before} | {} |",
            start.elapsed().as_secs_f64(),
            decision.verdict(),
            peak_mib().unwrap_or_default()
        )?;
    }
    Ok(())
}
