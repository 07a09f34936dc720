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

/// Commands for a fleet.
#[derive(Clone, Debug, Subcommand)]
pub enum FleetCommand {
    /// Add the jobs of a file to the ledger: all or none.
    #[command(after_long_help = SUBMIT_EXAMPLES)]
    Submit(FleetSubmit),
    /// Work on jobs until no job is left, or until a signal.
    #[command(after_long_help = WORK_EXAMPLES)]
    Work(FleetWork),
    /// Show how many jobs wait, run, are done or failed, by reason, and what was spent.
    Status(FleetStatus),
    /// List every job of a run with its result, or the reason why it has none.
    #[command(after_long_help = RESULTS_EXAMPLES)]
    Results(FleetResults),
    /// Cancel every job of a run that has not ended.
    Cancel(FleetCancel),
    /// Retry dead letters.
    Retry(FleetRetry),
    /// Merge the ledgers of shares into one.
    Merge(FleetMerge),
    /// Print the metrics of the fleet for Prometheus.
    Metrics(FleetLedger),
    /// Create the tables, or migrate them to another version.
    Migrate(FleetMigrate),
    /// Delete runs that ended some days ago.
    Prune(FleetPrune),
}

/// The ledger.
#[derive(Clone, Debug, Default, Args)]
pub struct FleetLedger {
    /// The ledger: a file, or postgres://USER@HOST/DATABASE [default: the variable
    /// GROUNDS_FLEET_LEDGER, then `fleet.ledger` of your own configuration, then a file of this
    /// machine].
    #[arg(long, value_name = "FILE|URL")]
    pub ledger: Option<String>,
}

/// What the results depend on; workers with other values get none of the jobs.
#[derive(Clone, Debug, Default, Args)]
pub struct FleetSources {
    /// The folder of documents that claims are checked against.
    #[arg(long, value_name = "DIR", conflicts_with = "provider")]
    pub corpus: Option<PathBuf>,

    /// The publisher of documents in the folder that do not name one.
    #[arg(long, value_enum, value_name = "HANDS", default_value_t = CorpusHands::EachFolder)]
    pub corpus_hands: CorpusHands,

    /// How much evidence is enough for a claim.
    #[arg(long, value_enum, value_name = "LEVEL", default_value_t = AcceptClaim::Verified)]
    pub accept: AcceptClaim,

    /// The rule that decides claims.
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
    /// Jobs, one JSON object per line, or `-` for standard input; `grounds schema fleet-job` prints
    /// the schema.
    #[arg(value_name = "FILE", required_unless_present = "repos")]
    pub file: Option<PathBuf>,

    /// Names of repositories below --repositories, one per line, each optionally with a blank and a
    /// commit [default of the commit: the one that is checked out].
    #[arg(long, value_name = "FILE", conflicts_with = "file", requires = "asked")]
    pub repos: Option<PathBuf>,

    /// Ask this about each repository; may be given several times.
    #[arg(long, value_name = "QUESTION", requires = "repos")]
    pub question: Vec<String>,

    /// Check this document of each repository; may be given several times.
    #[arg(long, value_name = "PATH", requires = "repos")]
    pub check: Vec<String>,

    /// The folder that contains the repositories [default: `fleet.repositories`, else the working
    /// directory].
    #[arg(long, value_name = "DIR")]
    pub repositories: Option<PathBuf>,

    /// The name of the run [default: made from the jobs and the terms, so that the same file is the
    /// same run].
    #[arg(long, value_name = "NAME")]
    pub run: Option<String>,

    /// Only the jobs of this share, such as 2/8; each share has a ledger of its own.
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    pub shard: String,

    /// Submit the valid lines even if some are invalid; the invalid ones are reported.
    #[arg(long)]
    pub skip_broken: bool,

    /// Maximum number of paid queries that all jobs of the run may send together.
    #[arg(long, value_name = "NUMBER")]
    pub max_queries: Option<u64>,

    /// Maximum number of model tokens that they may use together.
    #[arg(long, value_name = "NUMBER")]
    pub max_tokens: Option<u64>,

    /// Maximum cost of models in dollars that they may cause together, with at most six decimals.
    #[arg(long, value_name = "USD")]
    pub max_cost_usd: Option<f64>,

    /// Maximum number of attempts for one job before it is a dead letter [default:
    /// `fleet.attempts_max`, else 5].
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub attempts: Option<u32>,

    /// What the results depend on.
    #[command(flatten)]
    pub sources: FleetSources,

    /// The ledger.
    #[command(flatten)]
    pub ledger: FleetLedger,
}

/// Arguments of `grounds fleet work`.
#[derive(Clone, Debug, Args)]
pub struct FleetWork {
    /// Number of jobs at one time [default: the number of cores].
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub jobs: Option<u16>,

    /// End when no job of these terms is left.
    #[arg(long)]
    pub until_empty: bool,

    /// Reuse the result that another run has for the same job about a commit, under the same terms,
    /// instead of doing it again.
    #[arg(long)]
    pub reuse: bool,

    /// The folder that contains the repositories [default: `fleet.repositories`, else the working
    /// directory].
    #[arg(long, value_name = "DIR")]
    pub repositories: Option<PathBuf>,

    /// What the results depend on.
    #[command(flatten)]
    pub sources: FleetSources,

    /// The ledger.
    #[command(flatten)]
    pub ledger: FleetLedger,
}

/// Arguments of `grounds fleet status`.
#[derive(Clone, Debug, Args)]
pub struct FleetStatus {
    /// Only this run.
    #[arg(long, value_name = "NAME")]
    pub run: Option<String>,

    /// Refresh every second until every job has ended.
    #[arg(long)]
    pub watch: bool,

    /// The ledger.
    #[command(flatten)]
    pub ledger: FleetLedger,
}

/// Arguments of `grounds fleet results`.
#[derive(Clone, Debug, Args)]
pub struct FleetResults {
    /// The run [default: the one that was submitted last].
    #[arg(long, value_name = "NAME")]
    pub run: Option<String>,

    /// The ledger.
    #[command(flatten)]
    pub ledger: FleetLedger,
}

/// Arguments of `grounds fleet cancel`.
#[derive(Clone, Debug, Args)]
pub struct FleetCancel {
    /// The run.
    #[arg(value_name = "RUN")]
    pub run: String,

    /// The ledger.
    #[command(flatten)]
    pub ledger: FleetLedger,
}

/// Arguments of `grounds fleet retry`.
#[derive(Clone, Debug, Args)]
pub struct FleetRetry {
    /// The run.
    #[arg(value_name = "RUN")]
    pub run: String,

    /// Only those that failed for this reason. `query_unknown` may send paid queries twice, because
    /// it is unknown whether they were sent.
    #[arg(long, value_name = "NAME")]
    pub reason: Option<String>,

    /// The ledger.
    #[command(flatten)]
    pub ledger: FleetLedger,
}

/// Arguments of `grounds fleet merge`.
#[derive(Clone, Debug, Args)]
pub struct FleetMerge {
    /// The ledgers of the shares.
    #[arg(value_name = "FILE", required = true)]
    pub parts: Vec<PathBuf>,

    /// The ledger to merge them into.
    #[command(flatten)]
    pub ledger: FleetLedger,
}

/// Arguments of `grounds fleet migrate`.
#[derive(Clone, Debug, Args)]
pub struct FleetMigrate {
    /// The version of the tables; an earlier one removes what later ones added, 0 drops them all
    /// [default: this program's].
    #[arg(long, value_name = "VERSION")]
    pub to: Option<usize>,

    /// Also create the roles: grounds_fleet_worker, grounds_fleet_submitter, grounds_fleet_reader.
    #[arg(long)]
    pub roles: bool,

    /// The ledger.
    #[command(flatten)]
    pub ledger: FleetLedger,
}

/// Arguments of `grounds fleet prune`.
#[derive(Clone, Debug, Args)]
pub struct FleetPrune {
    /// Days since the last job of a run ended.
    #[arg(long, value_name = "DAYS")]
    pub days: u32,

    /// The ledger.
    #[command(flatten)]
    pub ledger: FleetLedger,
}
