//! `grounds fleet work`: a worker. It ends when no job is left, if that was requested, or
//! gracefully at a signal.

use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use grounds_fleet::worker::{self, JobEvent, Pacer, Summary, WorkerPlan};
use signal_hook::consts::{SIGINT, SIGTERM};

use super::chosen::ChosenModel;
use super::jobs::{JobRunner, Paced};
use super::pace::LedgerTurns;
use super::traces::Traces;
use super::{open, repositories, say, settings, terms};
use crate::cli::{FleetWork, Global};
use crate::commands::job_count;
use crate::config::Config;
use crate::error::Error;
use crate::exit::Exit;
use crate::safe;

pub(super) fn run(arguments: &FleetWork, config: &Config, global: &Global) -> Result<Exit, Error> {
    let verify = terms::verify(&arguments.sources);
    let ledger = Arc::new(Mutex::new(open(&arguments.ledger, config)?));
    let fleet = settings(config);
    let name = name();
    let pacer = Pacer::new(Arc::clone(&ledger), &name, fleet.bounds().turn_outage_ms());
    let pages = LedgerTurns::new(&pacer);
    let prepared = terms::prepared(&verify, config, global, Some(pages.clone()))?;
    let chosen = ChosenModel::of(config, global)?;
    let terms = terms::terms(
        &arguments.sources,
        prepared.as_ref(),
        chosen.as_ref(),
        config,
    );
    let plan = WorkerPlan {
        terms: terms.hash(),
        name,
        threads: job_count(arguments.jobs),
        bounds: fleet.bounds(),
        until_empty: arguments.until_empty,
    };
    let jobs = JobRunner::new(
        prepared.as_ref(),
        chosen,
        Paced { pacer, pages },
        repositories(arguments.repositories.as_ref(), config)?,
        config,
        global,
    )
    .reusing(arguments.reuse.then(|| plan.terms.clone()));
    let stop = stopped()?;
    let told = Announcer::new(global);
    let traces = Traces::start(&plan.name);
    let summary = worker::run(
        &ledger,
        &plan,
        &stop,
        &|leased, hand| jobs.one(leased, hand),
        &|event| {
            told.happened(event);
            traces.happened(event);
        },
    );
    // The spans of a worker whose ledger failed are sent too, before its error ends the process.
    traces.end();
    ended(&summary?, stop.load(Ordering::Relaxed))
}

/// Prints how it ended, and returns the exit code.
fn ended(summary: &Summary, was_stopped: bool) -> Result<Exit, Error> {
    let Summary {
        done,
        failed,
        late,
        released,
        of_others,
    } = summary;
    let mut words =
        format!("{done} results, {failed} failed attempts, {late} too late, {released} returned");
    // Without this a worker of another version would end at once, with success and without a word.
    let is_refused = *of_others > 0 && !was_stopped;
    if is_refused {
        words = format!(
            "{words}\n{of_others} jobs wait for workers of another version, configuration or sources; \
             `grounds fleet status` says which"
        );
    }
    let exit = if is_refused {
        Exit::Insufficient
    } else {
        Exit::Answered
    };
    say(exit, &words)
}

/// Returns a flag that a signal sets. A second signal of the same kind ends the process at once.
fn stopped() -> Result<Arc<AtomicBool>, Error> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGTERM, SIGINT] {
        // The order matters: the first signal finds the flag unset and sets it, the second finds it
        // set and ends the process.
        signal_hook::flag::register_conditional_shutdown(signal, 1, Arc::clone(&stop))
            .and_then(|_| signal_hook::flag::register(signal, Arc::clone(&stop)))
            .map_err(Error::Threads)?;
    }
    Ok(stop)
}

/// Returns a name that no other worker has.
fn name() -> String {
    let host = std::env::var("HOSTNAME").unwrap_or_else(|_| "worker".to_owned());
    let host: String = host
        .chars()
        // The name becomes a value in the ledger, in metrics and in traces.
        .filter(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '.'))
        .take(60)
        .collect();
    let moment = jiff::Timestamp::now().as_millisecond();
    format!("{host}-{}-{moment}", std::process::id())
}

/// Reports the progress, if `--progress` is given.
struct Announcer {
    json: bool,
    last: Mutex<Summary>,
}

impl Announcer {
    fn new(global: &Global) -> Self {
        Self {
            json: global.progress,
            last: Mutex::default(),
        }
    }

    fn happened(&self, event: &JobEvent<'_>) {
        if let JobEvent::Counted(summary) = event {
            self.tell(summary);
        }
    }

    fn tell(&self, summary: &Summary) {
        let Ok(mut last) = self.last.lock() else {
            return;
        };
        if !self.json || *last == *summary {
            return;
        }
        *last = *summary;
        let object = serde_json::json!({
            "type": "fleet", "done": summary.done, "failed": summary.failed, "late": summary.late
        });
        let _ = writeln!(
            std::io::stderr().lock(),
            "{}",
            safe::for_json(&object.to_string())
        );
    }
}
