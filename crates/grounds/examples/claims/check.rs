//! Claims checked over one folder, as the command line checks them with one accepted source.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use grounds_verify::judges::Judge;
use grounds_verify::judges::lexical::Lexical;
use grounds_verify::rounds::{self, Limits, LookupMeans, Verification};
use grounds_verify::spending::Spending;
use grounds_verify::{DecisionRules, SearchTask, SourceTier, Undated, Verdict, proof};
use grounds_web::Page;
use grounds_web::corpus::{Corpus, CorpusOptions, Hands};
use jiff::Timestamp;

/// Claims that are checked at one time.
const THREADS: usize = 2;

/// What came of one claim.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    /// True, False, Invalid or failed.
    pub(crate) verdict: &'static str,
    /// The first source's address.
    pub(crate) url: String,
    /// The first source's words.
    pub(crate) quote: String,
}

/// A folder that claims are checked over.
pub(crate) struct Checker {
    corpus: Corpus,
    rules: DecisionRules,
}

impl Checker {
    /// A folder of one hand, whose word is accepted.
    pub(crate) fn open(folder: &Path) -> Self {
        let usual = DecisionRules::default();
        let rules = DecisionRules {
            threshold_milli: usual.weights.primary_milli.into(),
            families_min: 1,
            undated: Undated::Counts,
            ..usual
        };
        Self::with(folder, Hands::One, rules)
    }

    /// A folder of several hands, of which two must agree.
    pub(crate) fn of_several(folder: &Path) -> Self {
        let rules = DecisionRules {
            undated: Undated::Counts,
            ..DecisionRules::default()
        };
        Self::with(folder, Hands::EachFolder, rules)
    }

    fn with(folder: &Path, hands: Hands, rules: DecisionRules) -> Self {
        let options = CorpusOptions {
            hands,
            ..CorpusOptions::new(Timestamp::now())
        };
        let corpus = Corpus::open(folder, &options).expect("a folder of documents");
        Self { corpus, rules }
    }

    /// Checks claims by a few threads, in their order.
    pub(crate) fn all(&self, claims: &[&str]) -> Vec<Told> {
        let next = AtomicUsize::new(0);
        let found: Mutex<Vec<(usize, Told)>> = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| {
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some(claim) = claims.get(at) else { return };
                        let told = self.one(claim);
                        found.lock().expect("a lock").push((at, told));
                    }
                });
            }
        });
        let mut found = found.into_inner().expect("a lock");
        found.sort_by_key(|(at, _)| *at);
        found.into_iter().map(|(_, told)| told).collect()
    }

    /// Looks one claim up with these judges; none where that failed.
    pub(crate) fn look(&self, claim: &str, judges: &[&dyn Judge]) -> Option<Verification> {
        let task = SearchTask {
            id: "claim".to_owned(),
            claim: claim.to_owned(),
            timeframe: None,
            context: None,
            language: Some("en".to_owned()),
            origin: None,
        };
        let means = LookupMeans {
            provider: &self.corpus,
            fetch: &self.corpus,
            judges,
            tier: &|_: &Page| SourceTier::Primary,
            spending: &Spending::default(),
            unread: &[],
        };
        let limits = Limits {
            parallel_max: 1,
            ..Limits::default()
        };
        let now = Timestamp::now();
        rounds::verify(task, now, &means, &limits, &self.rules, &|_| ()).ok()
    }

    /// Checks one claim.
    pub(crate) fn one(&self, claim: &str) -> Told {
        let Some(mut verification) = self.look(claim, &[&Lexical::default()]) else {
            return Told {
                verdict: "failed",
                url: String::new(),
                quote: String::new(),
            };
        };
        proof::write(&mut verification, None);
        let source = verification.result.sources.first();
        let verdict = match verification.result.outcome {
            Verdict::True => "True",
            Verdict::False => "False",
            Verdict::Invalid(_) => "Invalid",
        };
        Told {
            verdict,
            url: source.map(|source| source.url.clone()).unwrap_or_default(),
            quote: source
                .map(|source| source.excerpt.clone())
                .unwrap_or_default(),
        }
    }
}
