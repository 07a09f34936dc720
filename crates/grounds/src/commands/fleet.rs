//! `grounds fleet`: jobs for many workers over one ledger. Opens the ledger and dispatches the
//! subcommand.

mod child;
mod chosen;
mod claim;
mod jobs;
#[cfg(unix)]
mod line;
mod look;
mod pace;
mod results;
mod submit;
mod tend;
mod terms;
mod traces;
mod trees;
mod work;

#[cfg(feature = "serve")]
pub(super) use look::report;

use std::path::PathBuf;

use grounds_fleet::{Job, Ledger, LedgerPlace, schema};

use super::print;
use crate::cli::{FleetCommand, FleetLedger, Global, SchemaOf};
use crate::config::{self, Config, FleetConfig};
use crate::error::Error;
use crate::exit::Exit;
use crate::output::fleet::{ResultLine, StatusReport};
use crate::safe;

/// The variable that names the ledger; no job needs it.
const LEDGER_VARIABLE: &str = "GROUNDS_FLEET_LEDGER";
/// The name of the ledger of this machine, beside the store of runs.
const FILE_NAME: &str = "fleet.sqlite3";

pub(super) fn run(command: &FleetCommand, global: &Global) -> Result<Exit, Error> {
    // A fleet is about many repositories, so that the configuration of the folder that one is in
    // does not count.
    let config = config::read_own(global.config.as_deref())?;
    if !matches!(command, FleetCommand::Results(_)) {
        check_format(global)?;
    }
    match command {
        FleetCommand::Submit(arguments) => submit::run(arguments, &config, global),
        FleetCommand::Work(arguments) => work::run(arguments, &config, global),
        FleetCommand::Status(arguments) => look::status(arguments, &config, global),
        FleetCommand::Results(arguments) => results::run(arguments, &config, global),
        FleetCommand::Metrics(ledger) => look::metrics(ledger, &config),
        FleetCommand::Cancel(arguments) => tend::cancel(arguments, &config),
        FleetCommand::Retry(arguments) => tend::retry(arguments, &config),
        FleetCommand::Merge(arguments) => tend::merge(arguments, &config),
        FleetCommand::Migrate(arguments) => tend::migrate(arguments, &config),
        FleetCommand::Prune(arguments) => tend::prune(arguments, &config),
    }
}

/// Returns the schema of a job, of a line of results, or else of a status.
pub(super) fn schema_of(of: SchemaOf) -> schemars::Schema {
    match of {
        SchemaOf::FleetJob => schemars::schema_for!(Job),
        SchemaOf::FleetResult => schemars::schema_for!(ResultLine),
        _ => schemars::schema_for!(StatusReport),
    }
}

/// Refuses formats of findings and pages: only results have them.
fn check_format(global: &Global) -> Result<(), Error> {
    use crate::cli::Format;
    match global.format {
        Format::Html => Err(Error::FormatOfShow),
        format if format.is_of_findings() => Err(Error::FormatOfReview),
        _ => Ok(()),
    }
}

/// Returns where the ledger is, by the command line, the environment or the configuration; else a
/// file of this machine.
fn place(given: &FleetLedger, config: &Config) -> Result<LedgerPlace, Error> {
    let fleet = settings(config);
    let named = given
        .ledger
        .clone()
        .or_else(|| std::env::var(LEDGER_VARIABLE).ok())
        .filter(|text| !text.trim().is_empty())
        .or_else(|| fleet.ledger.clone());
    match named {
        Some(text) => Ok(LedgerPlace::of(
            &text,
            fleet.password_file,
            fleet.certificates,
        )),
        None => Ok(LedgerPlace::File(
            crate::store::file()?.with_file_name(FILE_NAME),
        )),
    }
}

/// Returns where the ledger is if the command line names none.
#[cfg(feature = "serve")]
pub(super) fn own_place(config: &Config) -> Result<LedgerPlace, Error> {
    place(&FleetLedger::default(), config)
}

fn settings(config: &Config) -> FleetConfig {
    config.fleet.clone().unwrap_or_default()
}

/// Opens the ledger. A file gets its tables where it has none; a server gets them by `grounds fleet
/// migrate`.
fn open(given: &FleetLedger, config: &Config) -> Result<Ledger, Error> {
    let place = place(given, config)?;
    let mut database = place.open()?;
    // A file is this person's own; the tables of a server belong to its administrator.
    if place.file().is_some() {
        schema::migrate(database.as_mut(), schema::VERSION)?;
    }
    Ok(Ledger::of(database)?)
}

/// Returns the folder that contains the repositories.
fn repositories(given: Option<&PathBuf>, config: &Config) -> Result<PathBuf, Error> {
    let named = given.cloned().or_else(|| settings(config).repositories);
    let folder = match named {
        Some(folder) => folder,
        None => std::env::current_dir().map_err(Error::CurrentDirectory)?,
    };
    folder
        .canonicalize()
        .map_err(|error| jobs_error(&folder.display().to_string(), error.to_string()))
}

fn jobs_error(path: &str, reason: String) -> Error {
    Error::FleetJobs {
        path: PathBuf::from(path),
        reason,
        advice: "name a file with one JSON object a line; `grounds schema fleet-job` says which"
            .to_owned(),
    }
}

/// Prints one line of words.
fn say(exit: Exit, words: &str) -> Result<Exit, Error> {
    print(exit, &mut |out| {
        writeln!(out, "{}", safe::for_terminal(words))
    })
}
