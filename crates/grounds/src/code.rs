//! The codes of all errors, in one table: the name that a message shows, and its exit code.
//! `explain/errors.md` says what each means; a test keeps the two equal.

use crate::exit::Exit;

macro_rules! codes {
    ($($variant:ident = $name:literal, $exit:ident;)*) => {
        /// The kind of an error, by a name that stays the same.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $(
                #[doc = concat!("`", $name, "`.")]
                $variant,
            )*
        }

        impl Code {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// Returns the name, as messages and JSON have it.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// Returns the exit code of the program.
            pub const fn exit(self) -> Exit {
                match self {
                    $(Self::$variant => Exit::$exit,)*
                }
            }
        }
    };
}

codes! {
    // The command line.
    ArgumentUnknown = "argument-unknown", Usage;
    ArgumentMissing = "argument-missing", Usage;
    ArgumentConflict = "argument-conflict", Usage;
    ArgumentNoText = "argument-no-text", Usage;
    ValueInvalid = "value-invalid", Usage;
    CommandUnknown = "command-unknown", Usage;
    CommandMissing = "command-missing", Usage;
    FormatOfReview = "format-of-review", Usage;
    CheckBase = "check-base", Usage;
    BuiltWithoutModels = "built-without-models", Usage;
    BuiltWithoutReviews = "built-without-reviews", Usage;
    BuiltWithoutServer = "built-without-server", Usage;
    BuiltWithoutEditors = "built-without-editors", Usage;
    BuiltWithoutFleet = "built-without-fleet", Usage;
    BuiltWithoutStore = "built-without-store", Usage;
    BuiltWithoutPages = "built-without-pages", Usage;
    FormatOfShow = "format-of-show", Usage;
    // The store of runs.
    StoreUnusable = "store-unusable", Failed;
    StoreNewer = "store-newer", Failed;
    StorePlace = "store-place", Usage;
    RunTooLarge = "run-too-large", Failed;
    RunNameTaken = "run-name-taken", Failed;
    RunUnknown = "run-unknown", Usage;
    RunUnreadable = "run-unreadable", Failed;
    DropNotConfirmed = "drop-not-confirmed", Usage;
    PageNotServed = "page-not-served", Failed;
    // A fleet.
    FleetJobs = "fleet-jobs", Usage;
    FleetRunUnknown = "fleet-run-unknown", Usage;
    LedgerUnusable = "ledger-unusable", Failed;
    LedgerFull = "ledger-full", Failed;
    LedgerReadOnly = "ledger-read-only", Failed;
    LedgerDenied = "ledger-denied", Failed;
    LedgerVersion = "ledger-version", Usage;
    LedgerForeign = "ledger-foreign", Usage;
    LedgerUsage = "ledger-usage", Usage;
    // The servers of the Model Context Protocol and of the Language Server Protocol.
    ServerUnusable = "server-unusable", Usage;
    ServerFailed = "server-failed", Failed;
    NothingToExplain = "nothing-to-explain", Usage;
    OutputFailed = "output-failed", Failed;
    ThreadsMissing = "threads-missing", Failed;
    // The folder.
    DirectoryMissing = "directory-missing", Usage;
    NotADirectory = "not-a-directory", Usage;
    DirectoryUnreadable = "directory-unreadable", Usage;
    RepositoryBare = "repository-bare", Usage;
    CurrentDirectory = "current-directory", Usage;
    // The configuration.
    ConfigUnreadable = "config-unreadable", Usage;
    ConfigInvalid = "config-invalid", Usage;
    ConfigForbidden = "config-forbidden", Usage;
    ConfigExists = "config-exists", Usage;
    FileNotWritten = "file-not-written", Failed;
    // A question.
    ClaimUnreadable = "claim-unreadable", Usage;
    QuestionEmpty = "question-empty", Usage;
    QuestionTooLong = "question-too-long", Usage;
    TextUnusable = "text-unusable", Usage;
    IndexMissing = "index-missing", Usage;
    CiAddress = "ci-address", Usage;
    CiKindUnknown = "ci-kind-unknown", Usage;
    // A claim.
    ClaimUnusable = "claim-unusable", Usage;
    NoSources = "no-sources", Usage;
    SearchEngineUnusable = "search-engine-unusable", Usage;
    SearchEngineFailed = "search-engine-failed", Failed;
    CorpusUnreadable = "corpus-unreadable", Usage;
    CorpusEmpty = "corpus-empty", Usage;
    CorpusIndex = "corpus-index", Usage;
    SearchFailed = "search-failed", Failed;
    PagesUnreadable = "pages-unreadable", Failed;
    JudgeFailed = "judge-failed", Failed;
    CapReached = "cap-reached", Failed;
    ReplayFailed = "replay-failed", Failed;
    TimeBeforeJudging = "time-before-judging", Failed;
    DecideInput = "decide-input", Usage;
    BatchFile = "batch-file", Usage;
    BatchLine = "batch-line", Usage;
    BatchOther = "batch-other", Usage;
    BatchUnfinished = "batch-unfinished", Failed;
    RecordingUnusable = "recording-unusable", Usage;
    // A model.
    ModelSettings = "model-settings", Usage;
    ModelKey = "model-key", Failed;
    ModelKeyRejected = "model-key-rejected", Failed;
    ModelForbidden = "model-forbidden", Failed;
    ModelNoCredit = "model-no-credit", Failed;
    ModelMissing = "model-missing", Failed;
    ModelRequestRefused = "model-request-refused", Failed;
    ModelRequestTooLong = "model-request-too-long", Failed;
    ModelRateLimit = "model-rate-limit", Failed;
    ModelOutOfOrder = "model-out-of-order", Failed;
    ModelWrongAddress = "model-wrong-address", Failed;
    ModelUnreachable = "model-unreachable", Failed;
    ModelTime = "model-time", Failed;
    ModelNotUnderstood = "model-not-understood", Failed;
    ModelAnswerCut = "model-answer-cut", Failed;
    ModelDeclined = "model-declined", Failed;
    ModelBudget = "model-budget", Failed;
    ModelDryRun = "model-dry-run", Failed;
    ModelNotRecorded = "model-not-recorded", Failed;
    ModelCancelled = "model-cancelled", Failed;
    // A change.
    RepositoryMissing = "repository-missing", Usage;
    RevisionUnknown = "revision-unknown", Usage;
    NoMergeBase = "no-merge-base", Usage;
    CloneShallow = "clone-shallow", Usage;
    TreeInConflict = "tree-in-conflict", Usage;
    GitIndexBusy = "git-index-busy", Usage;
    RepositoryRunsPrograms = "repository-runs-programs", Usage;
    NothingToReview = "nothing-to-review", Usage;
    DiffUnreadable = "diff-unreadable", Usage;
    NotADiff = "not-a-diff", Usage;
    DiffTooLarge = "diff-too-large", Usage;
    GitMissing = "git-missing", Failed;
    GitFailed = "git-failed", Failed;
    GitSlow = "git-slow", Failed;
    GitTooMuch = "git-too-much", Failed;
    BaselineUnusable = "baseline-unusable", Usage;
    FindingsUnusable = "findings-unusable", Usage;
    AnalyzerUnknown = "analyzer-unknown", Usage;
    CommentsNotPosted = "comments-not-posted", Failed;
    RuleBroken = "rule-broken", Usage;
    RuleUnknown = "rule-unknown", Usage;
    SuppressionWithoutReason = "suppression-without-reason", Usage;
    SuppressionPaths = "suppression-paths", Usage;
    HookNotPlaced = "hook-not-placed", Usage;
    // An evaluation.
    SuiteUnreadable = "suite-unreadable", Usage;
    JobUnknown = "job-unknown", Usage;
    CaseUnknown = "case-unknown", Usage;
    PeerUnusable = "peer-unusable", Usage;
    EvaluationFile = "evaluation-file", Usage;
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
