//! `grounds verify --batch`: many claims, with a bar, a cap, and results that
//! survive a kill.

use std::io::{IsTerminal as _, Write as _};
use std::path::Path;
use std::sync::Mutex;

use grounds_verify::batch::{self, BatchClaim, BatchDone, Summary};
use grounds_verify::rounds::VerifyError;
use grounds_verify::spending::{Caps, Spending};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use jiff::Timestamp;

use super::helpers::Helpers;
use super::recording::Recorded;
use super::sources::Sources;
use super::{check, last_moment, rules, said, timeframe};
use crate::cli::{Global, Verify};
use crate::config::Config;
use crate::error::Error;
use crate::exit::Exit;
use crate::named;
use crate::output::verify::{ShownVerdict, line};
use crate::safe;

pub(super) fn run(
    claims_file: &Path,
    arguments: &Verify,
    config: &Config,
    global: &Global,
) -> Result<Exit, Error> {
    let Some(out) = &arguments.out else {
        return Err(super::wrong(
            "there is no place for the results",
            "name a file with --out FILE",
        ));
    };
    let claims = batch::read(claims_file)?;
    let as_of = moment(arguments, out)?;
    super::is_allowed(arguments, config)?;
    let mut plan = Recorded::of(arguments, config, as_of);
    // Threads go to claims here, not to the pages of one.
    plan.set_parallel(1);
    // A wrong date in line 900 is reported before anything is spent on the lines above it.
    for claim in &claims {
        of_claim(&plan, claim)?;
    }
    let sources = Sources::open(&mut plan, arguments, config, None)?;
    sources.tell(global);
    let helpers = Helpers::of(&mut plan, arguments, config, global)?;
    helpers.tell(global);
    let spending = spending(arguments, out)?;
    let jobs = crate::commands::job_count(arguments.jobs);
    let bar = Bar::start(global);
    let hash = |claim: &BatchClaim| {
        let plan = of_claim(&plan, claim).ok()?;
        Some(plan.hash(sources.fingerprint.as_deref()))
    };
    let work = |claim: &BatchClaim| {
        let done = one(claim, &plan, &sources, &helpers, &spending, hash(claim));
        // A run that is killed must not lose the count of what it paid for.
        note_spent(out, &spending);
        done
    };
    let summary = batch::run(&claims, out, jobs, &hash, &work, &|so_far| bar.tell(so_far))?;
    drop(bar);
    // With a cap the count stays: further runs into the same file go on from it.
    if summary.known + summary.done == summary.claims && arguments.max_queries.is_none() {
        let _ = std::fs::remove_file(spent_file(out));
    }
    finish(&summary, global)
}

/// Returns what may still be spent, after what the runs before this one spent.
fn spending(arguments: &Verify, out: &Path) -> Result<Spending, Error> {
    let (queries, pages) = spent_before(out)?;
    let caps = Caps {
        queries_max: arguments.max_queries,
        pages_max: arguments.max_pages,
    };
    Ok(Spending::new(caps, queries, pages))
}

/// Returns the moment for which a run decides. A run that continues another one decides for the
/// moment of that one.
fn moment(arguments: &Verify, out: &Path) -> Result<Timestamp, Error> {
    let before = batch::first_result(out)?;
    let earlier = before
        .as_ref()
        .and_then(|result| result["as_of"].as_str()?.parse::<Timestamp>().ok());
    let given = arguments.as_of.as_deref().map(last_moment).transpose()?;
    match (given, earlier) {
        // Results for two moments in one file could not be told from each other.
        (Some(given), Some(earlier)) if given != earlier => Err(batch::BatchError::Other {
            path: out.display().to_string(),
            why: format!("its results are as of {earlier}, not {given}"),
        }
        .into()),
        _ => Ok(given.or(earlier).unwrap_or_else(Timestamp::now)),
    }
}

/// Returns the plan with a claim of the batch.
pub(super) fn of_claim(plan: &Recorded, claim: &BatchClaim) -> Result<Recorded, Error> {
    let mut plan = plan.clone();
    // Without its name nobody could find the claim among the lines of the file.
    let named = |error: Error| match error {
        Error::Claim { reason, advice } => Error::Claim {
            reason: format!("in `{}` {reason}", claim.id),
            advice,
        },
        other => other,
    };
    let given = timeframe(claim.from.as_deref(), claim.to.as_deref()).map_err(named)?;
    plan.id.clone_from(&claim.id);
    plan.claim = claim.claim.trim().to_owned();
    plan.context.clone_from(&claim.context);
    plan.origin.clone_from(&claim.origin);
    plan.language.clone_from(&claim.language);
    let within = given.or(said(&plan, plan.as_of()?));
    plan.set_timeframe(within);
    Ok(plan)
}

fn one(
    claim: &BatchClaim,
    plan: &Recorded,
    sources: &Sources,
    helpers: &Helpers,
    spending: &Spending,
    hash: Option<String>,
) -> BatchDone {
    let checked = of_claim(plan, claim).and_then(|plan| {
        Ok((
            check(
                &plan.task()?,
                &plan,
                &sources.asked(),
                helpers,
                spending,
                &|_| (),
            )?,
            plan,
        ))
    });
    match checked {
        Ok(((verification, proof), plan)) => {
            let rules = rules(&plan);
            let shown = ShownVerdict {
                verification: &verification,
                proof: &proof,
                rules: &rules,
                notes: &[],
                colour: false,
                verbose: false,
            };
            // The result contains the claim unchanged, so that a later run recognizes it.
            line(&shown, &claim.claim, hash).map_or_else(
                |error| BatchDone::Failed(error.to_string()),
                BatchDone::Result,
            )
        }
        // Every further claim would meet the same cap, so the batch stops.
        Err(Error::Verify(VerifyError::Spent { cap, .. })) => BatchDone::Stop(cap.to_string()),
        Err(Error::Verify(VerifyError::Judge {
            first,
            is_spent: true,
            ..
        })) => BatchDone::Stop(first),
        Err(error) => BatchDone::Failed(format!("{error}; try: {}", error.advice())),
    }
}

/// Returns the file beside the results with what all runs used, failed claims and lost results
/// included.
fn spent_file(out: &Path) -> std::path::PathBuf {
    let mut name = out.file_name().unwrap_or_default().to_owned();
    name.push(".spent");
    out.with_file_name(name)
}

/// Writes down what was used. If it cannot be written, the results still tell most of it.
fn note_spent(out: &Path, spending: &Spending) {
    // The numbers are read under the lock too, so that an older count never overwrites a newer one.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _held = ONE_AT_A_TIME.lock();
    let (queries, pages) = spending.used();
    let text = serde_json::json!({"queries": queries, "pages": pages}).to_string();
    let _ = std::fs::write(spent_file(out), text);
}

/// Bytes of the note of what was spent: two numbers.
const SPENT_BYTES_MAX: u64 = 4 << 10;

/// Returns the queries and pages that all runs used so far.
fn spent_before(out: &Path) -> Result<(u64, u64), Error> {
    use std::io::BufRead as _;
    let noted = named::read(&spent_file(out), SPENT_BYTES_MAX)
        .ok()
        .and_then(|text| serde_json::from_str::<serde_json::Value>(&text).ok())
        .unwrap_or_default();
    let noted = |name: &str| noted[name].as_u64().unwrap_or(0);
    let Ok(file) = named::open(out) else {
        return Ok((noted("queries"), noted("pages")));
    };
    let mut spent = (0, 0);
    for line in std::io::BufReader::new(file).split(b'\n') {
        let line = line.map_err(Error::Write)?;
        // A torn line is cut off later.
        let Ok(result) = serde_json::from_slice::<serde_json::Value>(&line) else {
            continue;
        };
        spent.0 += result["debug"]["total_queries"].as_u64().unwrap_or(0);
        spent.1 += result["debug"]["total_pages_visited"].as_u64().unwrap_or(0);
    }
    // The note counts failed claims, which have no result; the results remain if the note was lost.
    Ok((spent.0.max(noted("queries")), spent.1.max(noted("pages"))))
}

fn finish(summary: &Summary, global: &Global) -> Result<Exit, Error> {
    let open = summary.claims - summary.known - summary.done;
    if open > 0 {
        let mut why: Vec<String> = summary.stopped.iter().cloned().collect();
        why.extend(summary.failures.iter().cloned());
        let why: String = why.iter().map(|why| format!("\n  {why}")).collect();
        // An error although there are results: who reads them must not take a part for the whole.
        return Err(Error::Unfinished {
            open,
            claims: summary.claims,
            why,
        });
    }
    if !global.quiet {
        let _ = writeln!(
            std::io::stderr().lock(),
            "{} claims: {} done now, {} before",
            summary.claims,
            summary.done,
            summary.known
        );
    }
    Ok(Exit::Answered)
}

/// The progress of a batch.
struct Bar {
    bar: ProgressBar,
    json: bool,
}

impl Bar {
    fn start(global: &Global) -> Self {
        let is_shown = !global.quiet && !global.progress && std::io::stderr().is_terminal();
        let target = if is_shown {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(Some(0), target);
        if let Ok(style) =
            ProgressStyle::with_template("{bar:30} {pos}/{len} claims, {per_sec}, {eta} left {msg}")
        {
            bar.set_style(style);
        }
        Self {
            bar,
            json: global.progress,
        }
    }

    fn tell(&self, summary: &Summary) {
        let done = summary.known + summary.done;
        self.bar.set_length(summary.claims as u64);
        self.bar.set_position(done as u64);
        if summary.failed > 0 {
            self.bar.set_message(format!("({} failed)", summary.failed));
        }
        if self.json {
            let object = serde_json::json!({"type": "claims", "done": done, "of": summary.claims, "failed": summary.failed});
            let _ = writeln!(
                std::io::stderr().lock(),
                "{}",
                safe::for_json(&object.to_string())
            );
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
