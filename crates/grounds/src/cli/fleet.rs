//! Arguments of `grounds fleet`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{AcceptClaim, CorpusHands, PolicyName};

/// Examples and exit codes.
pub(super) const EXAMPLES: &str = "\
Examples:
  grounds fleet submit jobs.jsonl --corpus docs
  grounds fleet work --until-empty --corpus docs
  grounds fleet status
  grounds fleet results --format jsonl > results.jsonl
  grounds fleet metrics

Exit codes:
  0  done; for `results`: every job has one
  1  failed: the ledger or the work broke; what is done is kept
  2  usage or configuration error
  3  some jobs have no result: they wait, failed, or need workers of other terms";

const SUBMIT_EXAMPLES: &str = "\
Examples:
  grounds fleet submit jobs.jsonl --corpus docs
  grounds fleet submit --repos repositories.txt --question \"who calls Client.Do?\"
  grounds fleet submit jobs.jsonl --corpus docs --shard 2/8 --ledger share-2.sqlite3";

const WORK_EXAMPLES: &str = "\
Examples:
  grounds fleet work --until-empty --corpus docs --jobs 2
  grounds fleet work --until-empty --repositories mirrors";

const RESULTS_EXAMPLES: &str = "\
Examples:
  grounds fleet results --format jsonl > results.jsonl
  grounds fleet results --format html > results.html
  grounds fleet results --format sarif > results.sarif";

/// Arguments of `grounds fleet`.
#[derive(Clone, Debug, Args)]
pub struct Fleet {
    /// What to do.
    #[command(subcommand)]
    pub command: FleetCommand,
}

/// What can be done with a fleet.
#[derive(Clone, Debug, Subcommand)]
pub enum FleetCommand {
    /// Put jobs into the ledger: all of a file, or none.
    #[command(after_long_help = SUBMIT_EXAMPLES)]
    Submit(FleetSubmit),
    /// Work on jobs until no job is left, or until a signal says to end.
    #[command(after_long_help = WORK_EXAMPLES)]
    Work(FleetWork),
    /// How many jobs wait, run, are done or failed, by reason, and what was spent.
    Status(FleetStatus),
    /// Every job of a run with its result, or with why it has none.
    #[command(after_long_help = RESULTS_EXAMPLES)]
    Results(FleetResults),
    /// Call off every job of a run that has not ended.
    Cancel(FleetCancel),
    /// Have dead letters tried again.
    Retry(FleetRetry),
    /// Bring the ledgers of shares together in one.
    Merge(FleetMerge),
    /// What the fleet does, as text for Prometheus.
    Metrics(FleetLedger),
    /// Make the tables, or bring them to another version.
    Migrate(FleetMigrate),
    /// Drop runs that ended some days ago.
    Prune(FleetPrune),
}

/// Which ledger.
#[derive(Clone, Debug, Default, Args)]
pub struct FleetLedger {
    /// The ledger: a file, or postgres://USER@HOST/DATABASE [default: the variable
    /// GROUNDS_FLEET_LEDGER, then `fleet.ledger` of your own configuration, then a file of this
    /// machine].
    #[arg(long, value_name = "FILE|URL")]
    pub ledger: Option<String>,
}

/// What the results rest on; workers with other values get none of the jobs.
#[derive(Clone, Debug, Default, Args)]
pub struct FleetSources {
    /// The folder of documents that claims are checked against.
    #[arg(long, value_name = "DIR", conflicts_with = "provider")]
    pub corpus: Option<PathBuf>,

    /// Who stands behind documents of the folder that do not say where they come from.
    #[arg(long, value_enum, value_name = "HANDS", default_value_t = CorpusHands::EachFolder)]
    pub corpus_hands: CorpusHands,

    /// What is enough for a claim.
    #[arg(long, value_enum, value_name = "LEVEL", default_value_t = AcceptClaim::Verified)]
    pub accept: AcceptClaim,

    /// Which rule decides claims.
    #[arg(long, value_enum, value_name = "RULE", default_value_t = PolicyName::SpecV1)]
    pub policy: PolicyName,

    /// The search engine for claims: serper, brave or searxng.
    #[arg(long, value_name = "NAME")]
    pub provider: Option<String>,
}

/// Arguments of `grounds fleet submit`.
#[derive(Clone, Debug, Args)]
#[command(group = clap::ArgGroup::new("asked").multiple(true).args(["question", "check"]))]
pub struct FleetSubmit {
    /// Jobs, one JSON object a line, or `-` for standard input; `grounds schema fleet-job` says
    /// which.
    #[arg(value_name = "FILE", required_unless_present = "repos")]
    pub file: Option<PathBuf>,

    /// Names of repositories below --repositories, one a line, with the commit behind a blank where
    /// one is meant [default of the commit: the one that is checked out].
    #[arg(long, value_name = "FILE", conflicts_with = "file", requires = "asked")]
    pub repos: Option<PathBuf>,

    /// Ask this about each repository; may be given several times.
    #[arg(long, value_name = "QUESTION", requires = "repos")]
    pub question: Vec<String>,

    /// Check this document of each repository; may be given several times.
    #[arg(long, value_name = "PATH", requires = "repos")]
    pub check: Vec<String>,

    /// The folder that repositories lie in [default: `fleet.repositories`, else the working
    /// directory].
    #[arg(long, value_name = "DIR")]
    pub repositories: Option<PathBuf>,

    /// The name of the run [default: made of the jobs and the terms, so that the same file is the
    /// same run].
    #[arg(long, value_name = "NAME")]
    pub run: Option<String>,

    /// Only the jobs of this share, as 2/8; each share in a ledger of its own.
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    pub shard: String,

    /// Submit the other lines although some are broken; these are named.
    #[arg(long)]
    pub skip_broken: bool,

    /// Paid queries that all jobs of the run may send together.
    #[arg(long, value_name = "NUMBER")]
    pub max_queries: Option<u64>,

    /// Tokens of models that they may use together.
    #[arg(long, value_name = "NUMBER")]
    pub max_tokens: Option<u64>,

    /// Dollars that models may cost together, with at most six decimals.
    #[arg(long, value_name = "USD")]
    pub max_cost_usd: Option<f64>,

    /// Attempts of one job before it is a dead letter [default: `fleet.attempts_max`, else 5].
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub attempts: Option<u32>,

    /// What the results rest on.
    #[command(flatten)]
    pub sources: FleetSources,

    /// Which ledger.
    #[command(flatten)]
    pub ledger: FleetLedger,
}

/// Arguments of `grounds fleet work`.
#[derive(Clone, Debug, Args)]
pub struct FleetWork {
    /// Jobs at one time [default: the number of cores].
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub jobs: Option<u16>,

    /// End when no job of these terms is left.
    #[arg(long)]
    pub until_empty: bool,

    /// Take the result that another run has of the same job about a commit, under the same terms,
    /// in place of doing it again.
    #[arg(long)]
    pub reuse: bool,

    /// The folder that repositories lie in [default: `fleet.repositories`, else the working
    /// directory].
    #[arg(long, value_name = "DIR")]
    pub repositories: Option<PathBuf>,

    /// What the results rest on.
    #[command(flatten)]
    pub sources: FleetSources,

    /// Which ledger.
    #[command(flatten)]
    pub ledger: FleetLedger,
}

/// Arguments of `grounds fleet status`.
#[derive(Clone, Debug, Args)]
pub struct FleetStatus {
    /// Only this run.
    #[arg(long, value_name = "NAME")]
    pub run: Option<String>,

    /// Show it again every second until every job has ended.
    #[arg(long)]
    pub watch: bool,

    /// Which ledger.
    #[command(flatten)]
    pub ledger: FleetLedger,
}

/// Arguments of `grounds fleet results`.
#[derive(Clone, Debug, Args)]
pub struct FleetResults {
    /// Of this run [default: the one that was submitted last].
    #[arg(long, value_name = "NAME")]
    pub run: Option<String>,

    /// Which ledger.
    #[command(flatten)]
    pub ledger: FleetLedger,
}

/// Arguments of `grounds fleet cancel`.
#[derive(Clone, Debug, Args)]
pub struct FleetCancel {
    /// The run.
    #[arg(value_name = "RUN")]
    pub run: String,

    /// Which ledger.
    #[command(flatten)]
    pub ledger: FleetLedger,
}

/// Arguments of `grounds fleet retry`.
#[derive(Clone, Debug, Args)]
pub struct FleetRetry {
    /// The run.
    #[arg(value_name = "RUN")]
    pub run: String,

    /// Only those that failed for this reason. `query_unknown` sends paid queries again of which
    /// nobody knows whether they were sent.
    #[arg(long, value_name = "NAME")]
    pub reason: Option<String>,

    /// Which ledger.
    #[command(flatten)]
    pub ledger: FleetLedger,
}

/// Arguments of `grounds fleet merge`.
#[derive(Clone, Debug, Args)]
pub struct FleetMerge {
    /// The ledgers of the shares.
    #[arg(value_name = "FILE", required = true)]
    pub parts: Vec<PathBuf>,

    /// Which ledger they are brought together in.
    #[command(flatten)]
    pub ledger: FleetLedger,
}

/// Arguments of `grounds fleet migrate`.
#[derive(Clone, Debug, Args)]
pub struct FleetMigrate {
    /// The version of the tables; an earlier one takes back what later ones made, 0 drops them all
    /// [default: this program's].
    #[arg(long, value_name = "VERSION")]
    pub to: Option<usize>,

    /// Make the roles too: grounds_fleet_worker, grounds_fleet_submitter, grounds_fleet_reader.
    #[arg(long)]
    pub roles: bool,

    /// Which ledger.
    #[command(flatten)]
    pub ledger: FleetLedger,
}

/// Arguments of `grounds fleet prune`.
#[derive(Clone, Debug, Args)]
pub struct FleetPrune {
    /// Days since the last job of a run ended.
    #[arg(long, value_name = "DAYS")]
    pub days: u32,

    /// Which ledger.
    #[command(flatten)]
    pub ledger: FleetLedger,
}
