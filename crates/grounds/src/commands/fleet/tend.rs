//! `grounds fleet cancel`, `retry`, `merge`, `migrate` and `prune`.

use grounds_fleet::database::Database;
use grounds_fleet::{LedgerPlace, merge as shares, schema};

use super::{open, place, say};
use crate::cli::{FleetCancel, FleetMerge, FleetMigrate, FleetPrune, FleetRetry};
use crate::config::Config;
use crate::error::Error;
use crate::exit::Exit;

pub(super) fn cancel(arguments: &FleetCancel, config: &Config) -> Result<Exit, Error> {
    let jobs = open(&arguments.ledger, config)?.cancel(&arguments.run)?;
    say(
        Exit::Answered,
        &format!("{jobs} jobs of run {} are called off", arguments.run),
    )
}

pub(super) fn retry(arguments: &FleetRetry, config: &Config) -> Result<Exit, Error> {
    let mut ledger = open(&arguments.ledger, config)?;
    let jobs = ledger.retry(&arguments.run, arguments.reason.as_deref())?;
    say(
        Exit::Answered,
        &format!("{jobs} jobs of run {} are tried again", arguments.run),
    )
}

pub(super) fn merge(arguments: &FleetMerge, config: &Config) -> Result<Exit, Error> {
    let place = place(&arguments.ledger, config)?;
    let mut into = place.open()?;
    if place.file().is_some() {
        schema::migrate(into.as_mut(), schema::VERSION)?;
    }
    let mut parts: Vec<Box<dyn Database>> = Vec::new();
    for part in &arguments.parts {
        // Opening a ledger that does not exist would make an empty one.
        if !part.is_file() {
            return Err(super::jobs_error(
                &part.display().to_string(),
                "there is no such share".to_owned(),
            ));
        }
        let mut part = LedgerPlace::File(part.clone()).open()?;
        schema::migrate(part.as_mut(), schema::VERSION)?;
        parts.push(part);
    }
    let merged = shares::merge(into.as_mut(), &mut parts)?;
    let words = format!(
        "run {}: {} jobs and {} results are new here, of {} jobs",
        merged.run, merged.jobs, merged.results, merged.jobs_of_file
    );
    if merged.missing.is_empty() {
        return say(Exit::Answered, &words);
    }
    let missing: Vec<String> = merged.missing.iter().map(ToString::to_string).collect();
    say(
        Exit::Insufficient,
        &format!("{words}\nshares that are missing: {}", missing.join(", ")),
    )
}

pub(super) fn migrate(arguments: &FleetMigrate, config: &Config) -> Result<Exit, Error> {
    let mut database = place(&arguments.ledger, config)?.open()?;
    let to = arguments.to.unwrap_or(schema::VERSION);
    let before = schema::migrate(database.as_mut(), to)?;
    if arguments.roles {
        schema::make_roles(database.as_mut())?;
    }
    say(
        Exit::Answered,
        &format!("the tables are of version {to}, before of version {before}"),
    )
}

pub(super) fn prune(arguments: &FleetPrune, config: &Config) -> Result<Exit, Error> {
    let pruned = open(&arguments.ledger, config)?.prune(arguments.days)?;
    let words = format!(
        "{} runs and {} answers of engines are dropped",
        pruned.runs, pruned.exchanges
    );
    say(Exit::Answered, &words)
}
