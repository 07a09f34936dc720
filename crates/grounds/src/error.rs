//! Errors, with what to do next. The kind decides the exit code.

mod code;

use std::path::PathBuf;

#[cfg(feature = "model")]
pub use code::of_model;

use crate::exit::Exit;

/// The kind of a fault in a configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfigFault {
    /// It cannot be read.
    Unreadable,
    /// It has a key or value that no configuration has.
    Invalid,
    /// It sets what a file in its place may not set.
    Forbidden,
}

/// An error that ends the program.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The folder cannot be read.
    #[error("cannot {0}")]
    Open(#[from] grounds_repo::checkout::OpenError),
    /// The question is empty or too long.
    #[error("cannot {0}")]
    Question(#[from] grounds_ask::QuestionError),
    /// A text is no claim.
    #[error("cannot read the claim: {0}")]
    CodeClaim(#[from] grounds_claims::ClaimError),
    /// The settings for services of CI cannot be used.
    #[error("cannot {0}")]
    Ci(#[from] grounds_repo::ci::access::AccessError),
    /// The current directory is gone or closed.
    #[error("cannot tell the current directory: {0}")]
    CurrentDirectory(std::io::Error),
    /// The configuration cannot be read.
    #[error("cannot read the configuration `{path}`: {reason}")]
    Config {
        /// The file.
        path: PathBuf,
        /// The kind of what is wrong.
        fault: ConfigFault,
        /// The fault, with line and column.
        reason: String,
        /// The advice.
        advice: String,
    },
    /// The named index was not found.
    #[error("cannot read the index `{path}`: {reason}")]
    Scip {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// The model cannot be used.
    #[cfg(feature = "model")]
    #[error("cannot {0}")]
    Model(#[from] grounds_model::ModelError),
    /// This program was built without models.
    #[error("cannot ask a model: this program was built without models")]
    NotBuilt,
    /// The text that is to be ranked cannot be used.
    #[error("cannot read the text `{path}`: {reason}")]
    Text {
        /// The file, or `-`.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// The claim or what goes with it cannot be used.
    #[error("cannot check the claim: {reason}")]
    Claim {
        /// The fault.
        reason: String,
        /// The advice.
        advice: String,
    },
    /// No source is given.
    #[error("cannot check the claim: no folder of documents and no search engine is given")]
    NoSources,
    /// The engine cannot be used.
    #[error("cannot use the search engine: {reason}")]
    Engine {
        /// The reason.
        reason: String,
        /// Whether it is a matter of what was given.
        is_usage: bool,
    },
    /// The folder of documents cannot be used.
    #[error("cannot check the claim: {0}")]
    Corpus(#[from] grounds_web::corpus::CorpusError),
    /// The claim could not be checked: nothing was shown about it.
    #[error("cannot {0}")]
    Verify(#[from] grounds_verify::rounds::VerifyError),
    /// Results of an earlier search cannot be read.
    #[error("cannot decide: {0}")]
    Decide(#[from] grounds_verify::wire::WireError),
    /// A text cannot be compared with an earlier revision.
    #[error("cannot {0}")]
    Check(#[from] grounds_check::BaseError),
    /// The batch cannot be run.
    #[error("cannot {0}")]
    Batch(#[from] grounds_verify::batch::BatchError),
    /// Some claims of a batch have no result.
    #[error("{open} of {claims} claims have no result{why}")]
    Unfinished {
        /// The number of claims without a result.
        open: usize,
        /// The number of all claims.
        claims: usize,
        /// The first reasons.
        why: String,
    },
    /// A recording cannot be used.
    #[error("cannot use the recording `{path}`: {reason}")]
    Recording {
        /// The folder.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// The output could not be written.
    #[error("cannot write the result: {0}")]
    Write(std::io::Error),
    /// The system gives no threads.
    #[error("cannot start the threads that a run needs: {0}")]
    Threads(std::io::Error),
    /// A file of rules is broken.
    #[cfg(feature = "review")]
    #[error("cannot {0}")]
    Rule(#[from] grounds_review::rules::RuleError),
    /// The configuration of the rules cannot be used.
    #[cfg(feature = "review")]
    #[error("cannot {0}")]
    RuleSetting(#[from] grounds_review::rules::SwitchError),
    /// There is nothing to review, or a side cannot be read.
    #[cfg(feature = "review")]
    #[error("cannot {0}")]
    Review(#[from] grounds_review::ReviewError),
    /// The findings of the last review cannot be read or written.
    #[error("cannot use the baseline `{path}`: {reason}")]
    Baseline {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// The report of another tool cannot be judged.
    #[error("cannot judge the findings `{path}`: {reason}")]
    Findings {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// An unknown name of an analyzer.
    #[error("cannot run the analyzers: {0}")]
    Analyzer(String),
    /// The comments of a review cannot be written.
    #[error("cannot comment on the change: {reason}")]
    Post {
        /// The reason.
        reason: String,
        /// The advice.
        advice: String,
    },
    /// A form that only findings about files have.
    #[error("cannot write this result in that form: only findings about files have it")]
    FormatOfReview,
    /// This program was built without reviews.
    #[error("cannot judge a change: this program was built without reviews")]
    NoReview,
    /// This program was built without the server.
    #[error("cannot serve: this program was built without `mcp`")]
    NoMcp,
    /// This program was built without the language server.
    #[error("cannot serve: this program was built without `lsp`")]
    NoLsp,
    /// The server cannot be started as it was asked to.
    #[error("cannot serve: {reason}")]
    Server {
        /// The reason.
        reason: String,
        /// The advice.
        advice: String,
        /// Whether it is a matter of what was given.
        is_usage: bool,
    },
    /// A hook cannot be put in its place or taken away.
    #[error("cannot {what} the hook `{path}`: {reason}")]
    Hook {
        /// The attempted action.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
        /// The advice.
        advice: String,
    },
    /// The store of runs cannot be used.
    #[cfg(feature = "store")]
    #[error("cannot {0}")]
    Store(#[from] crate::store::StoreError),
    /// A run that was kept cannot be read.
    #[error("cannot read what was kept of the run `{run}`: {reason}")]
    Kept {
        /// Its name.
        run: String,
        /// The reason.
        reason: String,
    },
    /// A file cannot be written.
    #[error("cannot write `{path}`: {reason}")]
    Out {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// Everything that is kept would be dropped, and that was said only once.
    #[error("cannot drop {runs} runs: it takes a second word")]
    NotSure {
        /// The number of kept runs.
        runs: u64,
    },
    /// A form that few commands have.
    #[error(
        "cannot write this result as HTML: only `grounds show`, `recheck`, `check` and `fleet results` do"
    )]
    FormatOfShow,
    /// The page cannot be served.
    #[error("cannot serve on 127.0.0.1:{port}: {reason}")]
    Serve {
        /// The port.
        port: u16,
        /// The reason.
        reason: String,
    },
    /// This program was built without a server.
    #[error("cannot serve: this program was built without a server")]
    NoServe,
    /// The ledger of a fleet cannot be used.
    #[cfg(feature = "fleet")]
    #[error("{0}")]
    Fleet(#[from] grounds_fleet::Fault),
    /// Jobs of a fleet cannot be used.
    #[error("cannot use the jobs of `{path}`: {reason}")]
    FleetJobs {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
        /// The advice.
        advice: String,
    },
    /// A run that the ledger does not have.
    #[error("cannot show results: the ledger has no run{}", named(.run.as_deref()))]
    FleetRun {
        /// The requested run; `None` for the last one.
        run: Option<String>,
    },
    /// This program was built without fleets.
    #[error("cannot work with a fleet: this program was built without `fleet`")]
    NoFleet,
    /// This program was built without a store of runs.
    #[error("cannot show what was kept: this program was built without a store of runs")]
    NoStore,
    /// The evaluation cannot be made.
    #[error("cannot {0}")]
    Eval(#[from] grounds_eval::EvalError),
    /// No page has this name.
    #[error("cannot explain `{name}`: nothing has this name{}", near(.nearest.as_deref()))]
    NothingToExplain {
        /// The requested name.
        name: String,
        /// The nearest name, where one is near.
        nearest: Option<String>,
    },
    /// A file exists already, and is not overwritten.
    #[error("cannot write `{path}`: it is there already")]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// A file that was asked for could not be written.
    #[error("cannot write `{path}`: {reason}")]
    NotWritten {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
}

impl Error {
    /// Returns the code that the program ends with.
    pub const fn exit(&self) -> Exit {
        self.code().exit()
    }

    /// Returns what to do next.
    pub fn advice(&self) -> String {
        use grounds_repo::checkout::OpenError as Open;
        match self {
            Self::Open(Open::Missing(_) | Open::NotADirectory(_)) => {
                "name a directory with --repo DIR, or leave it out to search the repository of the current directory".to_owned()
            }
            Self::Open(Open::Unreadable { .. }) => "check the permissions of the directory".to_owned(),
            Self::Open(Open::Bare(path)) => format!("make a work tree first: git -C '{}' worktree add ../tree", path.display()),
            Self::Question(grounds_ask::QuestionError::Empty) => {
                "ask something, for example: grounds ask \"where is main defined?\"".to_owned()
            }
            Self::CodeClaim(_) => "write it as `calls(_, \"Context.Next\")`: a predicate, its arguments, `_` for what is asked for".to_owned(),
            Self::Question(grounds_ask::QuestionError::TooLong(_)) => "ask about one thing by its name".to_owned(),
            Self::Ci(_) => "name the API of the service, for example --ci-url https://github.example.org/api/v3".to_owned(),
            Self::CurrentDirectory(_) => "name a directory with --repo DIR".to_owned(),
            Self::Config { advice, .. } => advice.clone(),
            Self::Scip { .. } => "name a file that an indexer wrote, or leave --scip out".to_owned(),
            Self::Eval(error) => error.advice().to_owned(),
            #[cfg(feature = "model")]
            Self::Model(error) => error.advice().to_owned(),
            Self::NotBuilt => "build it with the feature `model`".to_owned(),
            #[cfg(feature = "review")]
            Self::Rule(_) => "fix the file; `grounds rules test` reads all of them and runs their cases".to_owned(),
            #[cfg(feature = "review")]
            Self::RuleSetting(_) => "see `grounds rules list` for the names, and `rules` in `.grounds.yaml`".to_owned(),
            #[cfg(feature = "review")]
            Self::Review(error) => error.advice(),
            Self::Baseline { .. } => {
                "give `--baseline` a file that `--save-baseline` wrote, and `--save-baseline` \
                 a path in a folder that is there"
                    .to_owned()
            }
            Self::Findings { .. } => "name a file in SARIF, in the form of reviewdog, or with a list of comments, each with `path`, `line` and `message`".to_owned(),
            Self::Analyzer(_) => "fix `review.analyzers` at the base, or `--analyzer`".to_owned(),
            Self::Post { advice, .. } => advice.clone(),
            Self::Check(_) => "name a commit, branch or tag of this repository with --base, or leave it out".to_owned(),
            Self::FormatOfReview => "use pretty, json or markdown".to_owned(),
            Self::NoReview => "build it with the feature `review`".to_owned(),
            Self::NoMcp => "build it with the feature `mcp`".to_owned(),
            Self::NoLsp => "build it with the feature `lsp`".to_owned(),
            Self::Hook { advice, .. } | Self::Server { advice, .. } => advice.clone(),
            Self::Text { .. } => "name a file with words, for example an issue that was saved, or `-` for standard input".to_owned(),
            Self::Claim { advice, .. } => advice.clone(),
            Self::NoSources => "name a folder with --corpus DIR, or set SERPER_API_KEY, BRAVE_API_KEY or SEARXNG_URL".to_owned(),
            Self::Engine { is_usage: true, .. } => {
                "name serper, brave or searxng with --provider, and set its key; or use --corpus DIR".to_owned()
            }
            Self::Engine { is_usage: false, .. } => "check the key and the address of the engine, or use --corpus DIR".to_owned(),
            Self::Corpus(_) => "name a readable folder of text, Markdown, HTML or PDF with --corpus DIR".to_owned(),
            Self::Verify(error) => error.advice(),
            Self::Decide(_) => "see `grounds schema verify-decide-input` for what it may hold".to_owned(),
            Self::Batch(error) => error.advice().to_owned(),
            Self::Unfinished { .. } => "run the same command again: what is done is kept".to_owned(),
            Self::Recording { .. } => "record a run with `grounds verify CLAIM --record DIR`, and replay that folder".to_owned(),
            #[cfg(feature = "store")]
            Self::Store(error) => error.advice(),
            Self::Kept { .. } => "ask again; `grounds show RUN --format json` shows what is kept".to_owned(),
            Self::Out { .. } => "name a file in a folder that is there and can be written to".to_owned(),
            Self::NotSure { .. } => "say `grounds history --clear --yes`".to_owned(),
            Self::FormatOfShow => "use pretty, json or markdown; then `grounds show --last --format html`".to_owned(),
            Self::Serve { .. } => "name another port with --port, or leave it out".to_owned(),
            Self::NoServe => "build it with the feature `serve`".to_owned(),
            #[cfg(feature = "fleet")]
            Self::Fleet(fault) => fault.advice().to_owned(),
            Self::FleetJobs { advice, .. } => advice.clone(),
            Self::FleetRun { .. } => "name one that `grounds fleet status` lists".to_owned(),
            Self::NoFleet => "build it with the feature `fleet`".to_owned(),
            Self::NoStore => "build it with the feature `store`".to_owned(),
            Self::Write(_) => "check where standard output goes".to_owned(),
            Self::Threads(_) => {
                "raise the limit of processes (`ulimit -u`) or of memory (`ulimit -v`)".to_owned()
            }
            Self::NothingToExplain { .. } => "`grounds explain` lists every name".to_owned(),
            Self::Exists { .. } => "look at it, or write over it with --force".to_owned(),
            Self::NotWritten { .. } => "name a place that can be written".to_owned(),
        }
    }
}

/// Returns a name to put after a noun.
fn named(name: Option<&str>) -> String {
    name.map_or_else(String::new, |name| format!(" `{name}`"))
}

/// Returns the words for a similar name.
fn near(name: Option<&str>) -> String {
    name.map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}
