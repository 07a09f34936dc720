//! `grounds history`: lists the kept runs, or deletes all of them.

use super::print;
use super::show::{open, present};
use crate::cli::{Global, History};
use crate::error::Error;
use crate::exit::Exit;
use crate::output::store::HistoryReport;
use crate::store::{Extent, RunQuery, Store};

pub(super) fn run(arguments: &History, global: &Global) -> Result<Exit, Error> {
    if arguments.clear {
        return clear(arguments.yes, global);
    }
    let words = arguments
        .words
        .iter()
        .flat_map(|words| words.split_whitespace())
        .map(str::to_owned)
        .collect();
    let query = RunQuery {
        kind: arguments.kind.map(Into::into),
        words,
        runs_max: arguments.limit,
        skipped: 0,
    };
    let report = match present(global)? {
        Ok(store) => of_store(&store, &query)?,
        // A person who keeps no runs must not get a store by listing them.
        Err(bounds) => HistoryReport::of(&[], 0, None, Extent::default(), bounds),
    };
    let exit = if report.is_empty() {
        Exit::Insufficient
    } else {
        Exit::Answered
    };
    print(exit, &mut |out| report.print(global.format, out))
}

fn of_store(store: &Store, query: &RunQuery) -> Result<HistoryReport, Error> {
    let heads = store.list(query)?;
    Ok(HistoryReport::of(
        &heads,
        store.count(query)?,
        Some(store.file()),
        store.extent()?,
        store.bounds(),
    ))
}

/// Deletes everything, if the person confirmed it with `--yes`.
fn clear(is_sure: bool, global: &Global) -> Result<Exit, Error> {
    let mut store = open(global)?;
    if !is_sure {
        return Err(Error::NotSure {
            runs: store.extent()?.runs,
        });
    }
    let runs = store.clear()?;
    print(Exit::Answered, &mut |out| {
        writeln!(out, "{runs} runs dropped")
    })
}
