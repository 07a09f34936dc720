//! `grounds fleet results`: every job of a run, in the order of its file, with its result or the
//! reason why it has none.

use std::io::Write;

use grounds_fleet::Ledger;

use super::super::print;
use super::{look, open};
use crate::cli::{FleetResults, Format, Global};
use crate::config::Config;
use crate::error::Error;
use crate::exit::Exit;
use crate::output::fleet::{ResultLine, StatusReport, sarif};
use crate::output::html;
use crate::safe;

pub(super) fn run(
    arguments: &FleetResults,
    config: &Config,
    global: &Global,
) -> Result<Exit, Error> {
    let mut ledger = open(&arguments.ledger, config)?;
    let run = match &arguments.run {
        Some(run) => run.clone(),
        None => last(&mut ledger)?,
    };
    let (_, status) = look::report(&mut ledger, Some(&run))?;
    match global.format {
        // SARIF and HTML are one document each, for which all results must be known.
        Format::Sarif => {
            let lines = all(&mut ledger, &run)?;
            print(exit(&status), &mut |out| {
                let text = serde_json::to_string_pretty(&sarif::log(&lines))?;
                writeln!(out, "{}", safe::for_json(&text))
            })
        }
        Format::Html => {
            let lines = all(&mut ledger, &run)?;
            print(exit(&status), &mut |out| {
                writeln!(out, "{}", html::of_fleet(&status.runs[0], &lines))
            })
        }
        // One line for each job can be written as it is read.
        Format::Json => streamed(&mut ledger, &run, &status, &|line, out| {
            let text = serde_json::to_string(line)?;
            writeln!(out, "{}", safe::for_json(&text))
        }),
        Format::Pretty | Format::Markdown | Format::Annotations | Format::Rdjson => {
            streamed(&mut ledger, &run, &status, &|line, out| {
                writeln!(
                    out,
                    "{}: {}",
                    safe::for_line(&line.about()),
                    safe::for_line(&line.word())
                )
            })
        }
    }
}

fn last(ledger: &mut Ledger) -> Result<String, Error> {
    let status = ledger.status(None)?;
    let last = status.runs.last().map(|run| run.name.clone());
    last.ok_or(Error::FleetRun { run: None })
}

/// Returns the exit code: whether every job has a result.
fn exit(status: &StatusReport) -> Exit {
    let mut jobs = status.runs.iter().flat_map(|run| &run.jobs);
    if jobs.all(|(state, _)| state == "done") {
        Exit::Answered
    } else {
        Exit::Insufficient
    }
}

type Write1<'w> = dyn Fn(&ResultLine, &mut dyn Write) -> std::io::Result<()> + 'w;

/// Writes page by page, so that a million results need no memory for all of them.
fn streamed(
    ledger: &mut Ledger,
    run: &str,
    status: &StatusReport,
    write: &Write1<'_>,
) -> Result<Exit, Error> {
    // A ledger that fails in the middle must not look like an output that could not be written.
    let mut fault = None;
    let printed = print(exit(status), &mut |out| {
        let mut broken = None;
        let walked = each(ledger, run, &mut |line| match write(&line, out) {
            Ok(()) => true,
            Err(error) => {
                broken = Some(error);
                false
            }
        });
        fault = walked.err();
        broken.map_or(Ok(()), Err)
    });
    match fault {
        Some(fault) => Err(fault),
        None => printed,
    }
}

fn all(ledger: &mut Ledger, run: &str) -> Result<Vec<ResultLine>, Error> {
    let mut lines = Vec::new();
    each(ledger, run, &mut |line| {
        lines.push(line);
        true
    })?;
    Ok(lines)
}

/// Walks over all jobs of a run: first those with a result, then those without.
fn each(
    ledger: &mut Ledger,
    run: &str,
    take: &mut dyn FnMut(ResultLine) -> bool,
) -> Result<(), Error> {
    // A page begins after the last place of the one before it, and places are counted from 0.
    let mut after = -1;
    loop {
        let page = ledger.results(run, after)?;
        let Some(last) = page.last() else { break };
        after = last.place;
        if !page.into_iter().map(ResultLine::of).all(&mut *take) {
            return Ok(());
        }
    }
    after = -1;
    loop {
        let page = ledger.without_result(run, after)?;
        let Some(last) = page.last() else {
            return Ok(());
        };
        after = last.place;
        if !page.into_iter().map(ResultLine::without).all(&mut *take) {
            return Ok(());
        }
    }
}
