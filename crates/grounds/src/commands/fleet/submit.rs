//! `grounds fleet submit`: jobs of a file, or one job for each repository of a list.

use std::fmt::Write as _;
use std::io::{BufReader, Read};
use std::path::Path;

use grounds_fleet::bounds::{ATTEMPTS_MAX, BROKEN_SHOWN_MAX, JOBS_MAX};
use grounds_fleet::job::{self, AskJob, CheckJob, JobFile};
use grounds_fleet::ledger::{NewRun, Unit};
use grounds_fleet::{Job, Shard};

use super::chosen::ChosenModel;
use super::{jobs_error, open, repositories, say, settings, terms};
use crate::cli::{FleetSubmit, Global};
use crate::config::Config;
use crate::error::Error;
use crate::exit::Exit;
use crate::named;

/// Bytes of a list of repositories.
const LIST_BYTES_MAX: u64 = 64 << 20;
/// Millionths of a dollar in one.
const MICRO: f64 = 1e6;

pub(super) fn run(
    arguments: &FleetSubmit,
    config: &Config,
    global: &Global,
) -> Result<Exit, Error> {
    let shard: Shard = arguments
        .shard
        .parse()
        .map_err(|reason| jobs_error("--shard", reason))?;
    let jobs = match (&arguments.file, &arguments.repos) {
        (Some(file), _) => of_file(file, arguments.skip_broken)?,
        (None, Some(list)) => of_list(list, arguments, config)?,
        (None, None) => Vec::new(),
    };
    let verify = terms::verify(&arguments.sources);
    let prepared = terms::prepared(&verify, config, global, None)?;
    let has_claim = jobs.iter().any(|job| matches!(job, Job::Claim(_)));
    // Without sources every claim would be a dead letter, and the person is still at the terminal
    // here.
    if has_claim && prepared.is_none() {
        return Err(Error::NoSources);
    }
    let chosen = ChosenModel::of(config, global)?;
    let run = NewRun {
        name: arguments.run.clone(),
        terms: terms::terms(
            &arguments.sources,
            prepared.as_ref(),
            chosen.as_ref(),
            config,
        ),
        budgets: budgets(arguments, chosen.as_ref())?,
        attempts_max: arguments
            .attempts
            .or(settings(config).attempts_max)
            .unwrap_or(ATTEMPTS_MAX),
        shard,
    };
    let submitted = open(&arguments.ledger, config)?.submit(&run, &jobs)?;
    let mut words = format!(
        "run {}: {} jobs submitted, {} were there",
        submitted.run, submitted.new, submitted.known
    );
    if submitted.released > 0 {
        let _ = write!(
            words,
            ", {} go on with the higher budget",
            submitted.released
        );
    }
    say(Exit::Answered, &words)
}

/// Returns what the run may spend. It is an error if the share of one job has no bound: nothing
/// could be reserved for it, and the budget would not hold.
fn budgets(
    arguments: &FleetSubmit,
    chosen: Option<&ChosenModel>,
) -> Result<Vec<(Unit, Option<u64>)>, Error> {
    let budgets = vec![
        (Unit::Queries, arguments.max_queries),
        (Unit::Tokens, arguments.max_tokens),
        (
            Unit::MicroUsd,
            arguments.max_cost_usd.map(micro).transpose()?,
        ),
    ];
    let open = chosen.and_then(|chosen| chosen.unbounded(&budgets));
    let Some(unit) = open else {
        return Ok(budgets);
    };
    let (option, key) = match unit {
        Unit::MicroUsd => ("--max-cost-usd", "model.max_cost_usd"),
        // `unbounded` knows only what a model spends, and that is never a query.
        Unit::Tokens | Unit::Queries => ("--max-tokens", "model.max_tokens_total"),
    };
    Err(Error::FleetJobs {
        path: option.into(),
        reason: "what one job may spend on the model has no bound".to_owned(),
        advice: format!("set `{key}` in your own configuration: so much is reserved for each job"),
    })
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "checked to be within the bound"
)]
fn micro(dollars: f64) -> Result<u64, Error> {
    let micro = dollars * MICRO;
    let is_cap = micro.is_finite() && (0.0..=1e15).contains(&micro);
    is_cap
        .then_some(micro as u64)
        .ok_or_else(|| jobs_error("--max-cost-usd", "it must be a number from 0".to_owned()))
}

/// Reads the jobs of a file. If a line is broken, none counts, unless the person asks for the
/// others.
fn of_file(file: &Path, skips_broken: bool) -> Result<Vec<Job>, Error> {
    let shown = file.display().to_string();
    let wrong = |why: String| jobs_error(&shown, why);
    let source: Box<dyn Read> = match file.as_os_str() == "-" {
        true => Box::new(std::io::stdin()),
        false => Box::new(named::open(file).map_err(|error| wrong(error.to_string()))?),
    };
    let JobFile { jobs, broken } =
        job::read(BufReader::new(source)).map_err(|error| wrong(error.to_string()))?;
    // With `--skip-broken` too, a file of which every line is broken is an error, which lists the
    // lines.
    if broken.is_empty() || skips_broken && !jobs.is_empty() {
        if !broken.is_empty() {
            tell(&format!(
                "{} lines were skipped{}",
                broken.len(),
                listed(&broken)
            ));
        }
        return match jobs.is_empty() {
            true => Err(jobs_error(&shown, "it has no job".to_owned())),
            false => Ok(jobs),
        };
    }
    let (count, listed) = (broken.len(), listed(&broken));
    Err(jobs_error(
        &shown,
        format!("{count} of its lines cannot be used, and nothing was submitted{listed}"),
    ))
}

fn listed(broken: &[job::JobError]) -> String {
    let shown = broken.iter().take(BROKEN_SHOWN_MAX);
    let mut text: String = shown.map(|error| format!("\n  {error}")).collect();
    if broken.len() > BROKEN_SHOWN_MAX {
        let _ = write!(text, "\n  and {} more", broken.len() - BROKEN_SHOWN_MAX);
    }
    text
}

fn tell(words: &str) {
    use std::io::Write as _;
    let words = crate::safe::for_terminal(words).into_owned();
    let _ = writeln!(std::io::stderr().lock(), "warning: {words}");
}

/// Makes one job for each repository and each question or document, at the commit that is named or
/// checked out.
fn of_list(list: &Path, arguments: &FleetSubmit, config: &Config) -> Result<Vec<Job>, Error> {
    let shown = list.display().to_string();
    let text =
        named::read(list, LIST_BYTES_MAX).map_err(|error| jobs_error(&shown, error.to_string()))?;
    let below = repositories(arguments.repositories.as_ref(), config)?;
    let mut lines = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (name, commit) = match line.split_once(char::is_whitespace) {
            Some((name, commit)) => (name, commit.trim().to_owned()),
            None => (
                line,
                // The commit is fixed now: workers may have other commits checked out, or do the
                // job tomorrow.
                head(&below.join(line))
                    .map_err(|why| jobs_error(&shown, format!("`{line}`: {why}")))?,
            ),
        };
        lines.extend(of_repository(name, &commit, arguments));
    }
    if lines.len() > JOBS_MAX {
        return Err(jobs_error(
            &shown,
            format!("it makes more than {JOBS_MAX} jobs"),
        ));
    }
    // By the way of a file, so that the same is refused.
    let text = lines.iter().map(Job::line).collect::<Vec<_>>().join("\n");
    let JobFile { jobs, broken } =
        job::read(text.as_bytes()).map_err(|error| jobs_error(&shown, error.to_string()))?;
    match (broken.is_empty(), jobs.is_empty()) {
        (true, false) => Ok(jobs),
        (true, true) => Err(jobs_error(&shown, "it names no repository".to_owned())),
        (false, _) => Err(jobs_error(
            &shown,
            format!("nothing was submitted{}", listed(&broken)),
        )),
    }
}

fn of_repository(name: &str, commit: &str, arguments: &FleetSubmit) -> Vec<Job> {
    let (repository, commit) = (name.to_owned(), Some(commit.to_owned()));
    let ask = |question: &String| {
        Job::Ask(AskJob {
            // Without an id the ledger names a job by its content, so that many may come from one
            // list.
            id: String::new(),
            repository: repository.clone(),
            commit: commit.clone(),
            question: question.clone(),
        })
    };
    let check = |document: &String| {
        Job::Check(CheckJob {
            id: String::new(),
            repository: repository.clone(),
            commit: commit.clone(),
            documents: vec![document.clone()],
        })
    };
    let asked = arguments.question.iter().map(ask);
    asked.chain(arguments.check.iter().map(check)).collect()
}

/// Returns the commit that is checked out.
fn head(repository: &Path) -> Result<String, String> {
    let said = grounds_repo::git::call(repository, &["rev-parse", "HEAD"]);
    let said = said.map_err(|error| format!("its commit cannot be read: {error}"))?;
    Ok(String::from_utf8_lossy(&said).trim().to_owned())
}
