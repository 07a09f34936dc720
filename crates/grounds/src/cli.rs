//! The command line.

mod check;
mod fleet;
mod groups;
mod history;
mod hook;
mod lsp;
mod mcp;
mod review;
mod rules;
mod terminal;
mod verbs;

use std::path::PathBuf;

pub use check::Check;
pub use fleet::{
    Fleet, FleetCancel, FleetCommand, FleetLedger, FleetMerge, FleetMigrate, FleetPrune,
    FleetResults, FleetRetry, FleetSources, FleetStatus, FleetSubmit, FleetWork,
};
pub use groups::command;
pub use history::{History, JobName, Recheck, Serve, Show, WhichRun};
pub use hook::{Hook, HookAgent, HookClient, HookCommand, HookInstall, HookStop};
pub use lsp::Lsp;
pub use mcp::{ClientName, Mcp};
pub use review::{ForgeName, Review, ReviewFormat, SeverityLevel};
pub use rules::{RulesArgs, RulesCommand};
pub use terminal::{
    About, Completions, ConfigArguments, ConfigCommand, ConfigShow, Explain, Init, Man, Shell,
};

pub use verbs::{NamedArgs, Verb};

use clap::builder::styling::{AnsiColor, Styles};
use clap::{Args, Parser, Subcommand, ValueEnum};
use grounds_evidence::Quality;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold());

const EXAMPLES: &str = "\
Examples:
  grounds ask \"where is EvidenceStore defined?\"
  grounds ask \"who calls Planner::next in the tests?\" --repo ../other
  grounds ask --run \"does it build and do the tests pass?\"
  grounds ask \"search for \\\"connection reset\\\"\" --format json
  grounds ask --from issue.md

Exit codes:
  0  answered
  1  failed: a tool or a file broke; absence was not shown
  2  usage or configuration error
  3  insufficient: not found, found but not that, or cannot tell
  4  conflicting evidence
  5  not checkable: the question names nothing to look for
  6  a question of yes or no was answered with no";

const VERIFY_EXAMPLES: &str = "\
Examples:
  grounds verify \"The default timeout is 30 seconds\" --corpus docs
  grounds verify \"Bitcoin closed above $100,000\" --from 2024-12-01 --to 2024-12-31 --provider brave
  grounds verify --batch claims.jsonl --out results.jsonl --corpus docs --jobs 4
  grounds verify \"The default timeout is 30 seconds\" --corpus docs --record run && grounds verify --replay run

Exit codes:
  0  True
  1  failed: a provider, a page or a judge broke; nothing was shown about the claim
  2  usage or configuration error
  3  Invalid: too little independent evidence, or its time has not ended
  4  Invalid: the evidence contradicts itself
  5  Invalid: nothing in it can be checked
  6  False";

const EVAL_EXAMPLES: &str = "\
Examples:
  grounds eval --list
  grounds eval false-positives --format json
  grounds eval false-positives --results results.jsonl --html report.html
  grounds eval show false-positives/evidence-gating

Exit codes:
  0  no case failed; with a snapshot, each result is as in it
  1  a case failed: something broke
  2  usage or configuration error
  7  a result differs from the snapshot";

const DOCTOR_EXAMPLES: &str = "\
Examples:
  grounds doctor
  grounds doctor --format json
  grounds doctor model --model ollama/qwen2.5-coder:1.5b
  grounds doctor model --model openai/gpt-x --dry-run

Exit codes:
  0  what the jobs need at least is there
  1  a model that was chosen cannot be used
  2  usage or configuration error
  3  something that every job needs is missing; no model was found";

const SCHEMA_EXAMPLES: &str = "\
Examples:
  grounds schema ask
  grounds schema config > config.schema.json";

/// Answers that carry their evidence. No grounds, no answer.
#[derive(Debug, Parser)]
#[command(name = "grounds", version, styles = STYLES, after_long_help = EXAMPLES, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,

    /// Options that every command knows.
    #[command(flatten)]
    pub global: Global,
}

/// Options that every command knows.
#[derive(Debug, Args)]
pub struct Global {
    /// Search exactly this directory [default: the repository of the current directory].
    #[arg(long, global = true, value_name = "DIR")]
    pub repo: Option<PathBuf>,

    /// Read this configuration instead of `.grounds.yaml`.
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// How results are printed.
    #[arg(long, global = true, value_enum, default_value_t = Format::Pretty)]
    pub format: Format,

    /// No colour, whatever the terminal can do (also: the variable NO_COLOR).
    #[arg(long, global = true)]
    pub no_color: bool,

    /// Progress as one JSON object a line on standard error.
    #[arg(long, global = true)]
    pub progress: bool,

    /// No progress on standard error.
    #[arg(long, short, global = true, conflicts_with = "verbose")]
    pub quiet: bool,

    /// Every step and every piece of evidence.
    #[arg(long, short, global = true)]
    pub verbose: bool,

    /// Use no model, whatever is configured.
    #[arg(long, global = true)]
    pub no_model: bool,

    /// Print a long result as it is, also at a terminal (the pager: GROUNDS_PAGER, PAGER, else less).
    #[arg(long, global = true)]
    pub no_pager: bool,

    /// End when the process with this number ends, which started this one.
    #[arg(long, global = true, hide = true, value_name = "PID")]
    pub with_parent: Option<u32>,

    /// Ask at this socket for the turns of requests to models.
    #[cfg(all(unix, feature = "fleet"))]
    #[arg(
        long,
        global = true,
        hide = true,
        value_name = "SOCKET",
        requires = "with_parent"
    )]
    pub turns_at: Option<PathBuf>,

    /// Keep nothing of this run for `grounds history`.
    #[arg(long, global = true)]
    pub no_store: bool,

    /// Keep this run under this name.
    #[cfg(feature = "store")]
    #[arg(long, global = true, hide = true, value_name = "ID", value_parser = crate::store::checked_name, conflicts_with = "no_store")]
    pub run_id: Option<String>,
}

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people, with excerpts.
    Pretty,
    /// One JSON object; its schema is `schemas/ask.json`.
    #[value(alias = "jsonl")]
    Json,
    /// Markdown.
    Markdown,
    /// SARIF 2.1.0, of `grounds review` and `grounds check` only.
    Sarif,
    /// Commands of a GitHub workflow, of `grounds review` and `grounds check` only.
    Annotations,
    /// The form that reviewdog reads, of `grounds review` and `grounds check` only.
    Rdjson,
    /// One page of HTML that loads nothing, of `show`, `recheck`, `check` and `fleet`.
    Html,
}

impl Format {
    /// Reports whether only findings about files can be written in this format.
    pub const fn is_of_findings(self) -> bool {
        match self {
            Self::Pretty | Self::Json | Self::Markdown | Self::Html => false,
            Self::Sarif | Self::Annotations | Self::Rdjson => true,
        }
    }

    /// Returns the format of a command that has neither findings nor pages: Markdown instead of
    /// theirs.
    pub const fn as_text(self) -> TextFormat {
        match self {
            Self::Pretty => TextFormat::Pretty,
            Self::Json => TextFormat::Json,
            Self::Markdown | Self::Sarif | Self::Annotations | Self::Rdjson | Self::Html => {
                TextFormat::Markdown
            }
        }
    }
}

/// The formats that every command has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextFormat {
    /// For people, with excerpts.
    Pretty,
    /// One JSON object.
    Json,
    /// Markdown.
    Markdown,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Answer a question about a codebase with cited evidence, or refuse and say why.
    #[command(after_long_help = EXAMPLES)]
    Ask(Ask),
    /// Verbs instead of a question.
    #[command(flatten)]
    Verb(Verb),
    /// Check a claim against sources: True, False, or Invalid with a reason, and a proof that
    /// quotes.
    #[command(after_long_help = VERIFY_EXAMPLES)]
    Verify(Box<Verify>),
    /// Review a change by rules and, if you choose one, a model. Findings carry their evidence.
    #[command(after_long_help = review::EXAMPLES)]
    Review(Box<Review>),
    /// Check what a text says about the code: report only what is wrong, with what is right
    /// instead.
    #[command(after_long_help = check::EXAMPLES)]
    Check(Check),
    /// Run labelled cases, and report how often a passed gate is a right answer.
    #[command(after_long_help = EVAL_EXAMPLES)]
    Eval(Eval),
    /// List, explain and test the rules that judge a change.
    #[command(after_long_help = rules::EXAMPLES)]
    Rules(RulesArgs),
    /// Review staged changes before each commit, by rules alone: no model, no network.
    #[command(after_long_help = hook::EXAMPLES)]
    Hook(Hook),
    /// Run jobs with many workers over one ledger: submit, work, look, collect.
    #[command(after_long_help = fleet::EXAMPLES)]
    Fleet(Box<Fleet>),
    /// List the kept runs, the newest first.
    #[command(after_long_help = history::EXAMPLES)]
    History(History),
    /// Show a kept run: for people, as JSON, as Markdown, or as an HTML page.
    #[command(after_long_help = history::SHOW_EXAMPLES)]
    Show(Show),
    /// Check whether the citations of a run are still true: in today's tree, documents and pages.
    #[command(after_long_help = history::RECHECK_EXAMPLES)]
    Recheck(Recheck),
    /// Show the kept runs, and those of a fleet, in a browser on this machine.
    #[command(after_long_help = history::SERVE_EXAMPLES)]
    Serve(Serve),
    /// Check external tools, and show what is unavailable without each.
    #[command(after_long_help = DOCTOR_EXAMPLES)]
    Doctor(Doctor),
    /// Explain a name that the program printed: an error, an outcome, a level, an exit code.
    #[command(after_long_help = terminal::EXPLAIN_EXAMPLES)]
    Explain(Explain),
    /// Write a configuration with every key and its default value, commented out.
    #[command(after_long_help = terminal::INIT_EXAMPLES)]
    Init(Init),
    /// Show the configuration and where each value comes from, or check it.
    #[command(after_long_help = terminal::CONFIG_EXAMPLES)]
    Config(ConfigArguments),
    /// Print completions for a shell.
    #[command(after_long_help = terminal::COMPLETIONS_EXAMPLES)]
    Completions(Completions),
    /// Print a manual page, or write them all.
    #[command(after_long_help = terminal::MAN_EXAMPLES)]
    Man(Man),
    /// Print the version, the licence, and the components of the program.
    #[command(after_long_help = terminal::ABOUT_EXAMPLES)]
    About(About),
    /// Serve ask, check, verify, review and show to programs, as a server of the Model Context
    /// Protocol.
    #[command(after_long_help = mcp::EXAMPLES)]
    Mcp(Mcp),
    /// Serve editors with findings, fixes and callers, as a server of the Language Server Protocol.
    #[command(after_long_help = lsp::EXAMPLES)]
    Lsp(Lsp),
    /// Print the JSON schema of a result.
    #[command(after_long_help = SCHEMA_EXAMPLES)]
    Schema {
        /// Which result.
        #[arg(value_enum)]
        of: SchemaOf,
    },
}

/// A result that has a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SchemaOf {
    /// The result of `grounds ask --format json`.
    Ask,
    /// The result of `grounds check --format json`.
    Check,
    /// The configuration `.grounds.yaml`.
    Config,
    /// The result of `grounds eval --format json`.
    Eval,
    /// The result of `grounds doctor --format json`.
    Doctor,
    /// One job of `grounds fleet submit`.
    #[cfg(feature = "fleet")]
    FleetJob,
    /// One line of `grounds fleet results --format json`.
    #[cfg(feature = "fleet")]
    FleetResult,
    /// The result of `grounds fleet status --format json`.
    #[cfg(feature = "fleet")]
    FleetStatus,
    /// The result of `grounds explain --format json`.
    Explain,
    /// The result of `grounds config show --format json` and of `grounds config check --format json`.
    ConfigShow,
    /// The result of `grounds about --format json`.
    About,
    /// The result of `grounds history --format json`.
    #[cfg(feature = "store")]
    History,
    /// The result of `grounds recheck --format json`.
    #[cfg(feature = "store")]
    Recheck,
    /// The result of `grounds verify --format json`.
    Verify,
    /// The input of `grounds verify decide`.
    VerifyDecideInput,
    /// The output of `grounds verify decide`.
    VerifyDecide,
    /// The result of `grounds review --format json`.
    #[cfg(feature = "review")]
    Review,
    /// The result of `grounds rules … --format json`.
    #[cfg(feature = "review")]
    Rules,
    /// The structured result of a tool of `grounds mcp`.
    #[cfg(feature = "mcp")]
    Mcp,
}

/// Arguments of `grounds ask`.
#[derive(Debug, Args)]
pub struct Ask {
    /// The question, in quotation marks or as several words.
    #[arg(required_unless_present_any = ["from", "claim", "each"], value_name = "QUESTION")]
    pub question: Vec<String>,

    /// A claim instead of a question, such as `calls(_, "Context.Next")`: `_` is asked for, and
    /// `count`, `any`, `none`, `only`, `in "src"` and `outside tests` qualify it. May be given
    /// several times; `-` reads claims from standard input, one per line, as text or as JSON.
    #[arg(long, value_name = "CLAIM", conflicts_with_all = ["question", "from"])]
    pub claim: Vec<String>,

    /// A file of questions and claims instead of a question, one per line; `-` is standard input.
    /// Each is answered separately over one list of the tree; a refusal does not affect the others.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["question", "claim", "from", "scorecard"])]
    pub each: Option<PathBuf>,

    /// A text about the code instead of a question: an issue, a report, a log; `-` is standard
    /// input. Ranks the files, functions and lines that it points at. A ranking is not a proof, so
    /// the outcome is insufficient and the exit code is 3.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["question", "accept", "scip", "run", "run_without_sandbox", "ci_url"])]
    pub from: Option<PathBuf>,

    /// The quality that every required class of evidence must reach, instead of that of the table.
    #[arg(long, value_enum, value_name = "LEVEL")]
    pub accept: Option<Accept>,

    /// Also print the scorecard: a second set of numbers, which decides nothing.
    #[arg(long)]
    pub scorecard: bool,

    /// Also ask this SCIP index of a compiler, instead of `index.scip` at the top of the
    /// repository.
    #[arg(long, value_name = "FILE")]
    pub scip: Option<PathBuf>,

    /// Allow code of the repository to run: its build and its tests, in a private copy, within
    /// bounds and without a network. Without this option it never runs.
    #[arg(long)]
    pub run: bool,

    /// Allow code of the repository to run even if this machine has no sandbox: it can then read,
    /// write and send whatever you can.
    #[arg(long)]
    pub run_without_sandbox: bool,

    /// Run no code of the repository, whatever is configured. The MCP server sets this for its
    /// callers.
    #[arg(long, hide = true, conflicts_with_all = ["run", "run_without_sandbox"])]
    pub no_run: bool,

    /// Ask this CI service, whatever git's remote says: the address of its API
    /// (`https://HOST/api/v3` of GitHub Enterprise, `https://HOST/api/v4` of GitLab).
    #[arg(long, value_name = "URL")]
    pub ci_url: Option<String>,

    /// Do not use the network: questions about CI are refused.
    #[arg(long)]
    pub offline: bool,

    /// Do not use kept parses of earlier runs, and keep none.
    #[arg(long)]
    pub no_cache: bool,

    /// The model that may put the answer into sentences; without one, no model is asked.
    #[command(flatten)]
    pub model: ModelOptions,
}

/// Arguments of `grounds verify`.
#[derive(Clone, Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Verify {
    /// A subcommand, instead of checking a claim.
    #[command(subcommand)]
    pub command: Option<VerifyCommand>,

    /// The claim: one statement, in quotation marks or as several words.
    #[arg(required_unless_present_any = ["batch", "replay"], value_name = "CLAIM")]
    pub claim: Vec<String>,

    /// The first day or moment in which it must have happened (2024-12-01, or 2024-12-01T00:00:00Z).
    #[arg(long, value_name = "DATE")]
    pub from: Option<String>,

    /// The last one.
    #[arg(long, value_name = "DATE")]
    pub to: Option<String>,

    /// The day or moment for which it is decided: later pages do not count [default: now].
    #[arg(long, value_name = "DATE")]
    pub as_of: Option<String>,

    /// Background that a reader needs beside the claim; it goes into queries and is never evidence.
    #[arg(long, value_name = "TEXT")]
    pub context: Option<String>,

    /// The address that the claim comes from. Neither it nor its family counts.
    #[arg(long, value_name = "URL")]
    pub origin: Option<String>,

    /// The language of the claim, as in `en` or `de`.
    #[arg(long, value_name = "TAG")]
    pub language: Option<String>,

    /// Search this folder of text, Markdown, HTML and PDF, and nothing else.
    #[arg(long, value_name = "DIR", conflicts_with = "provider")]
    pub corpus: Option<PathBuf>,

    /// The publisher of documents in the folder that do not name one: each subfolder is a publisher
    /// of its own, or all documents have the same one.
    #[arg(long, value_enum, value_name = "HANDS", default_value_t = CorpusHands::EachFolder)]
    pub corpus_hands: CorpusHands,

    /// The kind of source of documents in the folder that do not name one [default:
    /// `verify.corpus_tier`, else primary: naming a folder vouches for it].
    #[arg(long, value_enum, value_name = "TIER")]
    pub corpus_tier: Option<TierName>,

    /// How much evidence is enough: independent sources, or one with first-hand knowledge, such as
    /// the documentation of a project about that project. The result says which it was.
    /// `verify.accept_min` forbids less.
    #[arg(long, value_enum, value_name = "LEVEL", default_value_t = AcceptClaim::Verified)]
    pub accept: AcceptClaim,

    /// Decide even if this bound left something unread; may be given several times. Without it,
    /// unread pages withhold True and False [default: `verify.accept_bounds`].
    #[arg(long = "accept-bound", value_enum, value_name = "NAME")]
    pub accept_bounds: Vec<BoundName>,

    /// Use nothing from earlier runs, and keep nothing: no index of the folder, no pages.
    #[arg(long)]
    pub no_cache: bool,

    /// The search engine: serper, brave or searxng [default: `verify.provider`, else the one whose key is set].
    #[arg(long, value_name = "NAME")]
    pub provider: Option<String>,

    /// Rounds of search [default: `verify.attempts_max`, else 3].
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=20))]
    pub max_attempts: Option<u32>,

    /// The rule that decides.
    #[arg(long, value_enum, value_name = "RULE", default_value_t = PolicyName::SpecV1)]
    pub policy: PolicyName,

    /// The maximum share of wrong verdicts of calibrated_v2, in percent: the lower, the more claims
    /// end as Invalid [default: `verify.wrong_max_percent`, else 20].
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u32).range(1..=50))]
    pub wrong_max_percent: Option<u32>,

    /// Also ask an entailment model at this address (docs/verify.md describes its interface).
    #[arg(long, value_name = "URL")]
    pub entailment_url: Option<String>,

    /// Check every claim of this file: one JSON object per line.
    #[arg(long, value_name = "FILE", requires = "out", conflicts_with_all = ["claim", "from", "to", "context", "origin", "language", "record", "replay"])]
    pub batch: Option<PathBuf>,

    /// Write the results to this file, one per line; claims that it already has are not checked
    /// again.
    #[arg(long, value_name = "FILE", requires = "batch")]
    pub out: Option<PathBuf>,

    /// Number of claims of a batch that are checked in parallel [default: the number of cores].
    #[arg(long, value_name = "NUMBER", requires = "batch", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub jobs: Option<u16>,

    /// Maximum number of queries that all claims of a batch may send together, including earlier
    /// runs.
    #[arg(long, value_name = "NUMBER", requires = "batch")]
    pub max_queries: Option<u64>,

    /// Maximum number of pages that all claims of a batch may fetch together, including earlier
    /// runs.
    #[arg(long, value_name = "NUMBER", requires = "batch")]
    pub max_pages: Option<u64>,

    /// The model that judges and words the proof; without one, no model is asked. `--record` and
    /// `--replay` also cover queries and pages: a replay needs no claim and no network.
    #[command(flatten)]
    pub model: ModelOptions,
}

/// Other commands for claims.
#[derive(Clone, Debug, Subcommand)]
pub enum VerifyCommand {
    /// Decide from given findings: one JSON object in, the decision with its trace out.
    Decide(Decide),
}

/// Arguments of `grounds verify decide`.
#[derive(Clone, Debug, Args)]
pub struct Decide {
    /// The file with the object [default: standard input]. Its schema is that of `grounds schema verify-decide-input`.
    #[arg(value_name = "FILE")]
    pub input: Option<PathBuf>,
}

/// The publishers of the documents of a folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum CorpusHands {
    /// Each subfolder is a publisher of its own.
    #[default]
    EachFolder,
    /// All are of one hand, as the documentation of one project is.
    One,
}

/// A bound that may leave something unread.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    ValueEnum,
    serde::Deserialize,
    serde::Serialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[value(rename_all = "snake_case")]
pub enum BoundName {
    /// A document of the folder is larger.
    CorpusFileBytesMax,
    /// The folder has more documents.
    CorpusFilesMax,
    /// The documents have more bytes together.
    CorpusBytesMax,
    /// The folder is deeper.
    CorpusDepthMax,
    /// A document is there and cannot be read.
    CorpusUnreadable,
    /// The end of a page was not judged.
    JudgedBytesMax,
    /// The time was over before every page was judged.
    TotalMsMax,
}

impl BoundName {
    /// Returns the name in the configuration and in results.
    pub fn name(self) -> String {
        name_of(&self)
    }
}

/// The judges, which say what a page says about a claim.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    ValueEnum,
    serde::Deserialize,
    serde::Serialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[value(rename_all = "snake_case")]
pub enum JudgeKind {
    /// The words of a sentence are compared with those of the claim.
    Words,
    /// An entailment model behind an address.
    Entailment,
    /// A language model.
    Model,
}

impl JudgeKind {
    /// Returns the name in the configuration.
    pub fn name(self) -> String {
        name_of(&self)
    }
}

fn name_of(value: &impl ValueEnum) -> String {
    let value = value.to_possible_value();
    value.map_or_else(String::new, |value| value.get_name().to_owned())
}

/// What is enough for a verdict about a claim.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    ValueEnum,
    serde::Deserialize,
    serde::Serialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum AcceptClaim {
    /// One source that knows first hand, and nothing against it.
    Strong,
    /// Two sources that are independent of each other.
    #[default]
    Verified,
}

/// What kind of source something is.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    ValueEnum,
    serde::Deserialize,
    serde::Serialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum TierName {
    /// Who knows first hand.
    Primary,
    /// A news agency or a paper of record.
    Wire,
    /// A specialised publication.
    Trade,
    /// Everything else.
    Other,
}

impl From<TierName> for grounds_verify::SourceTier {
    fn from(tier: TierName) -> Self {
        match tier {
            TierName::Primary => Self::Primary,
            TierName::Wire => Self::Wire,
            TierName::Trade => Self::Trade,
            TierName::Other => Self::Other,
        }
    }
}

/// A rule that decides.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, serde::Deserialize, serde::Serialize,
)]
#[serde(rename_all = "snake_case")]
pub enum PolicyName {
    /// Weights, a threshold and a margin.
    #[default]
    #[value(name = "spec_v1")]
    SpecV1,
    /// Log-likelihood ratios that were fitted on judged pages.
    #[value(name = "calibrated_v2")]
    CalibratedV2,
}

impl From<PolicyName> for grounds_verify::Policy {
    fn from(policy: PolicyName) -> Self {
        match policy {
            PolicyName::SpecV1 => Self::SpecV1,
            PolicyName::CalibratedV2 => Self::CalibratedV2,
        }
    }
}

/// A level that a person may set as the bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Accept {
    /// Imprecise evidence is enough.
    Weak,
    /// Plausible evidence is enough.
    Moderate,
    /// Precise evidence is needed.
    Strong,
    /// Corroborated evidence is needed.
    Verified,
}

impl From<Accept> for Quality {
    fn from(accept: Accept) -> Self {
        match accept {
            Accept::Weak => Self::Weak,
            Accept::Moderate => Self::Moderate,
            Accept::Strong => Self::Strong,
            Accept::Verified => Self::Verified,
        }
    }
}

/// Arguments of `grounds eval`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Eval {
    /// Something else than a run.
    #[command(subcommand)]
    pub command: Option<EvalCommand>,

    /// A run.
    #[command(flatten)]
    pub run: EvalRun,
}

/// What else can be done with cases.
#[derive(Debug, Subcommand)]
pub enum EvalCommand {
    /// Run one case and explain it, from the question to the verdict.
    Show(EvalShow),
}

/// Arguments of `grounds eval show`.
#[derive(Debug, Args)]
pub struct EvalShow {
    /// The case, as SUITE/ID or ID.
    pub case: String,

    /// Look for it in these suites instead of the built-in ones.
    #[arg(long = "suite", value_name = "SUITE")]
    pub suites: Vec<String>,

    /// The folder that the repositories of the cases lie in.
    #[arg(long, value_name = "DIR")]
    pub repos: Option<PathBuf>,
}

/// Arguments of a run of `grounds eval`.
#[derive(Debug, Args)]
pub struct EvalRun {
    /// Names of built-in suites, or files [default: all built-in suites].
    #[arg(value_name = "SUITE")]
    pub suites: Vec<String>,

    /// Name the built-in suites.
    #[arg(long)]
    pub list: bool,

    /// The folder that the repositories of the cases lie in.
    #[arg(long, value_name = "DIR")]
    pub repos: Option<PathBuf>,

    /// Cases that run in parallel; with 1, processor time and memory are reported too [default: the number of cores].
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub jobs: Option<u16>,

    /// Time limit in milliseconds for a case that sets none itself.
    #[arg(long, value_name = "MS", default_value_t = 120_000, value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    pub case_ms: u64,

    /// Write every result to this file as soon as it is available.
    #[arg(long, value_name = "FILE")]
    pub results: Option<PathBuf>,

    /// Continue with the results in the file.
    #[arg(long, requires = "results")]
    pub resume: bool,

    /// Compare with this snapshot; differences are reported and end with exit code 7.
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,

    /// Accept the differences into the snapshot.
    #[arg(long, requires = "baseline")]
    pub accept: bool,

    /// Write the report as one HTML page.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Run the same cases with another tool: ripgrep, ctags or probe.
    #[arg(long = "peer", value_name = "NAME")]
    pub peers: Vec<String>,

    /// The model that judges changes in addition to the rules.
    #[command(flatten)]
    pub model: ModelOptions,
}

/// Arguments of `grounds doctor`.
#[derive(Debug, Args)]
pub struct Doctor {
    /// What to look at [default: everything, without a request to a model].
    #[arg(value_enum)]
    pub subject: Option<DoctorSubject>,

    /// Which model.
    #[command(flatten)]
    pub model: ModelOptions,
}

/// What `grounds doctor` can look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DoctorSubject {
    /// Language models: the one that is chosen, else the servers of this machine.
    Model,
}

/// The model to ask, and how.
#[derive(Clone, Debug, Default, Args)]
pub struct ModelOptions {
    /// The model: openai/NAME (any compatible server), anthropic/NAME, gemini/NAME, ollama/NAME,
    /// gguf/FILE (if built with that feature) [default: the variable GROUNDS_MODEL, then
    /// `model.use` of your own configuration].
    #[arg(long, value_name = "PROVIDER/MODEL")]
    pub model: Option<String>,

    /// The base address of the provider: https, or http to this machine. A key for another address
    /// is not sent there; GROUNDS_MODEL_KEY is.
    #[arg(long, value_name = "URL", hide_short_help = true)]
    pub model_url: Option<String>,

    /// Answer from recorded exchanges, and send nothing.
    #[arg(
        long,
        value_name = "DIR",
        conflicts_with = "record",
        hide_short_help = true
    )]
    pub replay: Option<PathBuf>,

    /// Record every exchange, without the key.
    #[arg(long, value_name = "DIR", hide_short_help = true)]
    pub record: Option<PathBuf>,

    /// Print what would be sent, its tokens and its cost, and send nothing.
    #[arg(long, hide_short_help = true)]
    pub dry_run: bool,
}
