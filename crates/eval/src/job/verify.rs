//! `verify`: checks a claim against the documents of the tree, with the judge of words alone, for a
//! day that the case names.

use std::path::Path;

use grounds_verify::judges::Judge;
use grounds_verify::judges::lexical::Lexical;
use grounds_verify::rounds::{self, Limits, LookupMeans, Verification};
use grounds_verify::spending::{Caps, Spending};
use grounds_verify::{
    CitedSource, DecisionRules, InvalidReason, SearchTask, SourceTier, Timeframe, Undated, Verdict,
    proof,
};
use grounds_web::Page;
use grounds_web::corpus::{Corpus, CorpusOptions, SCHEME};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};

use super::{CaseJob, Terms, TreeOf};
use crate::case::{Case, CaseClaim, Input};
use crate::observed::{Observed, Spot};

/// `grounds verify --corpus`.
pub(super) struct Verify;

impl CaseJob for Verify {
    fn name(&self) -> &'static str {
        "verify"
    }

    fn takes(&self, input: &Input) -> bool {
        matches!(input, Input::Claim(_))
    }

    fn run(&self, case: &Case, tree: TreeOf<'_>, terms: &Terms) -> Result<Observed, String> {
        let Input::Claim(claim) = &case.input else {
            return Err("`verify` needs `claim`".to_owned());
        };
        let as_of = day(&claim.as_of)?.1;
        let task = SearchTask {
            id: case.name(),
            timeframe: timeframe(claim)?,
            ..task(claim)
        };
        let tree = tree()?;
        let mut seen = check(task, as_of, tree.checkout.root(), terms)?;
        proof::write(&mut seen, None);
        Ok(observed(&seen))
    }
}

fn task(claim: &CaseClaim) -> SearchTask {
    SearchTask {
        id: String::new(),
        claim: claim.text.clone(),
        timeframe: None,
        context: None,
        language: None,
        origin: None,
    }
}

fn timeframe(claim: &CaseClaim) -> Result<Option<Timeframe>, String> {
    let start = claim
        .from
        .as_deref()
        .map(day)
        .transpose()?
        .map(|(first, _)| first);
    let end = claim
        .to
        .as_deref()
        .map(day)
        .transpose()?
        .map(|(_, last)| last);
    Ok((start.is_some() || end.is_some()).then_some(Timeframe { start, end }))
}

/// Returns the first and the last second of a day.
fn day(text: &str) -> Result<(Timestamp, Timestamp), String> {
    let moments = |day: Date| {
        let first = day.to_zoned(TimeZone::UTC)?;
        // The next day begins one second after the last second of this one.
        let last = day
            .checked_add(1.day())?
            .to_zoned(TimeZone::UTC)?
            .checked_sub(1.second())?;
        Ok((first.timestamp(), last.timestamp()))
    };
    text.parse()
        .and_then(moments)
        .map_err(|error: jiff::Error| format!("`{text}` is not a day: {error}"))
}

fn check(
    task: SearchTask,
    as_of: Timestamp,
    folder: &Path,
    terms: &Terms,
) -> Result<Verification, String> {
    let corpus =
        Corpus::open(folder, &CorpusOptions::new(as_of)).map_err(|error| error.to_string())?;
    let judges: [&dyn Judge; 1] = [&Lexical::default()];
    let spending = Spending::new(Caps::default(), 0, 0);
    let means = LookupMeans {
        provider: &corpus,
        fetch: &corpus,
        judges: &judges,
        tier: &tier,
        spending: &spending,
        unread: &[],
    };
    let defaults = Limits::default();
    let limits = Limits {
        parallel_max: terms.threads,
        total_ms_max: defaults.total_ms_max.min(terms.case_ms_max),
        ..defaults
    };
    // Documents of one's own folder seldom have dates, and so count like dated ones.
    let rules = DecisionRules {
        undated: Undated::Counts,
        ..DecisionRules::default()
    };
    rounds::verify(task, as_of, &means, &limits, &rules, &|_| ()).map_err(|error| error.to_string())
}

/// Returns the tier of a source. As on the command line, the person who names a folder vouches for
/// it.
const fn tier(_page: &Page) -> SourceTier {
    SourceTier::Primary
}

fn observed(seen: &Verification) -> Observed {
    let (outcome, verdict) = match seen.result.outcome {
        Verdict::True => ("answered", Some("True")),
        Verdict::False => ("answered", Some("False")),
        Verdict::Invalid(InvalidReason::Insufficient) => ("insufficient", None),
        Verdict::Invalid(InvalidReason::Conflicting) => ("conflicting", None),
        // The reason why it is not checkable is not a part of what suites can expect.
        Verdict::Invalid(InvalidReason::NotCheckable(_)) => ("not_checkable", None),
        Verdict::Invalid(InvalidReason::NotMatured) => ("not_matured", None),
        Verdict::Invalid(InvalidReason::NotRead) => ("not_read", None),
    };
    Observed {
        outcome: outcome.to_owned(),
        verdict: verdict.map(str::to_owned),
        targets: vec![seen.task.claim.clone()],
        answer: Some(seen.result.proof.clone()),
        cited: seen.result.sources.iter().map(spot).collect(),
        files: seen.history.pages.len() as u64,
        bounds: seen
            .reached
            .iter()
            .map(|bound| bound.name().to_owned())
            .collect(),
        ..Observed::default()
    }
}

fn spot(source: &CitedSource) -> Spot {
    let path = source
        .url
        .strip_prefix(SCHEME)
        .unwrap_or(&source.url)
        .to_owned();
    Spot {
        path,
        line_start: 0,
        line_end: 0,
        what: source.title.clone().unwrap_or_default(),
        text: source.excerpt.clone(),
    }
}
