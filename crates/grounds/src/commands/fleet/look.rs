//! `grounds fleet status` and `grounds fleet metrics`.

use std::collections::BTreeMap;
use std::time::Duration;

use grounds_fleet::ledger::RunStatus;
use grounds_fleet::{Ledger, answers, metrics as text};

use super::super::print;
use super::open;
use crate::cli::{FleetLedger, FleetStatus, Global, TextFormat};
use crate::config::Config;
use crate::error::Error;
use crate::exit::Exit;
use crate::output::fleet::StatusReport;
use crate::safe;

/// Milliseconds between two reports of `--watch`.
const WATCH_MS: u64 = 1_000;

pub(super) fn status(
    arguments: &FleetStatus,
    config: &Config,
    global: &Global,
) -> Result<Exit, Error> {
    let mut ledger = open(&arguments.ledger, config)?;
    loop {
        let (status, report) = report(&mut ledger, arguments.run.as_deref())?;
        let exit = write(&report, global)?;
        if !arguments.watch || !is_going_on(&status) {
            return Ok(exit);
        }
        std::thread::sleep(Duration::from_millis(WATCH_MS));
    }
}

/// Returns the status with one answer for each question of each run.
pub(in crate::commands) fn report(
    ledger: &mut Ledger,
    run: Option<&str>,
) -> Result<(RunStatus, StatusReport), Error> {
    let status = ledger.status(run)?;
    if let (Some(name), true) = (run, status.runs.is_empty()) {
        return Err(Error::FleetRun {
            run: Some(name.to_owned()),
        });
    }
    let mut of_runs = BTreeMap::new();
    for run in &status.runs {
        of_runs.insert(run.name.clone(), answers::of(&ledger.groups(&run.name)?));
    }
    let report = StatusReport::of(ledger.shown(), &status, &of_runs);
    Ok((status, report))
}

fn is_going_on(status: &RunStatus) -> bool {
    let mut counts = status.counts.iter();
    counts.any(|count| matches!(count.state.as_str(), "queued" | "leased"))
}

fn write(report: &StatusReport, global: &Global) -> Result<Exit, Error> {
    print(Exit::Answered, &mut |out| match global.format.as_text() {
        TextFormat::Json => {
            let text = serde_json::to_string_pretty(report)?;
            writeln!(out, "{}", safe::for_json(&text))
        }
        TextFormat::Pretty | TextFormat::Markdown => report.write_pretty(out),
    })
}

pub(super) fn metrics(given: &FleetLedger, config: &Config) -> Result<Exit, Error> {
    let status = open(given, config)?.status(None)?;
    print(Exit::Answered, &mut |out| {
        write!(out, "{}", safe::for_terminal(&text::text(&status)))
    })
}
