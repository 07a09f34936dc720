//! The code of each error. Every variant is named, so that a new error is not forgotten: the
//! compiler asks for its code, and a test for its page.

use grounds_ask::QuestionError;
use grounds_eval::EvalError;
use grounds_repo::checkout::OpenError;
use grounds_repo::ci::access::AccessError;
use grounds_verify::batch::BatchError;
use grounds_verify::rounds::VerifyError;
use grounds_web::corpus::CorpusError;

use super::{ConfigFault, Error};
use crate::code::Code;

impl Error {
    /// Returns the code, which never changes and which `grounds explain` describes.
    pub const fn code(&self) -> Code {
        match self {
            Self::Open(error) => of_folder(error),
            Self::CodeClaim(_) => Code::ClaimUnreadable,
            Self::Question(QuestionError::Empty) => Code::QuestionEmpty,
            Self::Question(QuestionError::TooLong(_)) => Code::QuestionTooLong,
            Self::Ci(AccessError::Address { .. }) => Code::CiAddress,
            Self::Ci(AccessError::UnknownKind) => Code::CiKindUnknown,
            Self::CurrentDirectory(_) => Code::CurrentDirectory,
            Self::Config { fault, .. } => of_configuration(*fault),
            Self::Scip { .. } => Code::IndexMissing,
            #[cfg(feature = "model")]
            Self::Model(error) => of_model(error),
            Self::NotBuilt => Code::BuiltWithoutModels,
            Self::Text { .. } => Code::TextUnusable,
            Self::Claim { .. } => Code::ClaimUnusable,
            Self::NoSources => Code::NoSources,
            Self::Engine { is_usage: true, .. } => Code::SearchEngineUnusable,
            Self::Engine {
                is_usage: false, ..
            } => Code::SearchEngineFailed,
            Self::Corpus(error) => of_corpus(error),
            Self::Verify(error) => of_claim(error),
            Self::Decide(_) => Code::DecideInput,
            Self::Check(_) => Code::CheckBase,
            Self::Batch(error) => of_batch(error),
            Self::Unfinished { .. } => Code::BatchUnfinished,
            Self::Recording { .. } => Code::RecordingUnusable,
            Self::Write(_) => Code::OutputFailed,
            Self::Threads(_) => Code::ThreadsMissing,
            #[cfg(feature = "review")]
            Self::Rule(_) => Code::RuleBroken,
            #[cfg(feature = "review")]
            Self::RuleSetting(error) => of_rules(error),
            #[cfg(feature = "review")]
            Self::Review(error) => of_review(error),
            Self::Baseline { .. } => Code::BaselineUnusable,
            Self::Findings { .. } => Code::FindingsUnusable,
            Self::Analyzer(_) => Code::AnalyzerUnknown,
            Self::Post { .. } => Code::CommentsNotPosted,
            Self::FormatOfReview => Code::FormatOfReview,
            Self::NoReview => Code::BuiltWithoutReviews,
            Self::NoMcp => Code::BuiltWithoutServer,
            Self::NoLsp => Code::BuiltWithoutEditors,
            Self::Server { is_usage: true, .. } => Code::ServerUnusable,
            Self::Server {
                is_usage: false, ..
            } => Code::ServerFailed,
            #[cfg(feature = "store")]
            Self::Store(error) => of_store(error),
            #[cfg(feature = "fleet")]
            Self::Fleet(fault) => of_ledger(fault.kind),
            Self::FleetJobs { .. } => Code::FleetJobs,
            Self::FleetRun { .. } => Code::FleetRunUnknown,
            Self::NoFleet => Code::BuiltWithoutFleet,
            Self::Kept { .. } => Code::RunUnreadable,
            Self::Out { .. } => Code::FileNotWritten,
            Self::NotSure { .. } => Code::DropNotConfirmed,
            Self::FormatOfShow => Code::FormatOfShow,
            Self::Serve { .. } => Code::PageNotServed,
            Self::NoServe => Code::BuiltWithoutPages,
            Self::NoStore => Code::BuiltWithoutStore,
            Self::Hook { .. } => Code::HookNotPlaced,
            Self::Eval(error) => of_evaluation(error),
            Self::NothingToExplain { .. } => Code::NothingToExplain,
            Self::Exists { .. } => Code::ConfigExists,
            Self::NotWritten { .. } => Code::FileNotWritten,
        }
    }
}

#[cfg(feature = "fleet")]
const fn of_ledger(kind: grounds_fleet::FaultKind) -> Code {
    use grounds_fleet::FaultKind as Kind;
    match kind {
        Kind::Unreachable | Kind::Busy | Kind::Broken => Code::LedgerUnusable,
        Kind::Full => Code::LedgerFull,
        Kind::ReadOnly => Code::LedgerReadOnly,
        Kind::Denied => Code::LedgerDenied,
        Kind::Newer | Kind::Older => Code::LedgerVersion,
        Kind::Foreign => Code::LedgerForeign,
        Kind::Usage => Code::LedgerUsage,
    }
}

#[cfg(feature = "store")]
const fn of_store(error: &crate::store::StoreError) -> Code {
    use crate::store::StoreError;
    match error {
        StoreError::NoPlace => Code::StorePlace,
        StoreError::NoSuchRun(_) | StoreError::Ambiguous { .. } | StoreError::Empty => {
            Code::RunUnknown
        }
        StoreError::Newer { .. } => Code::StoreNewer,
        StoreError::TooLarge { .. } => Code::RunTooLarge,
        StoreError::Taken(_) => Code::RunNameTaken,
        StoreError::Folder { .. }
        | StoreError::Foreign { .. }
        | StoreError::Broken { .. }
        | StoreError::Refused { .. } => Code::StoreUnusable,
    }
}

const fn of_folder(error: &OpenError) -> Code {
    match error {
        OpenError::Missing(_) => Code::DirectoryMissing,
        OpenError::NotADirectory(_) => Code::NotADirectory,
        OpenError::Unreadable { .. } => Code::DirectoryUnreadable,
        OpenError::Bare(_) => Code::RepositoryBare,
    }
}

const fn of_configuration(fault: ConfigFault) -> Code {
    match fault {
        ConfigFault::Unreadable => Code::ConfigUnreadable,
        ConfigFault::Invalid => Code::ConfigInvalid,
        ConfigFault::Forbidden => Code::ConfigForbidden,
    }
}

const fn of_corpus(error: &CorpusError) -> Code {
    match error {
        CorpusError::Folder { .. } => Code::CorpusUnreadable,
        CorpusError::Empty { .. } => Code::CorpusEmpty,
        CorpusError::Index { .. } => Code::CorpusIndex,
    }
}

const fn of_claim(error: &VerifyError) -> Code {
    match error {
        VerifyError::Search { .. } => Code::SearchFailed,
        VerifyError::Pages { .. } => Code::PagesUnreadable,
        VerifyError::Judge { .. } => Code::JudgeFailed,
        VerifyError::Spent { .. } => Code::CapReached,
        VerifyError::Replay { .. } => Code::ReplayFailed,
        VerifyError::Time { .. } => Code::TimeBeforeJudging,
    }
}

const fn of_batch(error: &BatchError) -> Code {
    match error {
        BatchError::File { .. } => Code::BatchFile,
        BatchError::Line { .. } => Code::BatchLine,
        BatchError::Other { .. } => Code::BatchOther,
    }
}

const fn of_evaluation(error: &EvalError) -> Code {
    match error {
        EvalError::Suite { .. } => Code::SuiteUnreadable,
        EvalError::Job { .. } => Code::JobUnknown,
        EvalError::NoCase(_) => Code::CaseUnknown,
        EvalError::Peer { .. } => Code::PeerUnusable,
        EvalError::File { .. } => Code::EvaluationFile,
    }
}

/// Returns the code of an error of a model.
#[cfg(feature = "model")]
pub const fn of_model(error: &grounds_model::ModelError) -> Code {
    use grounds_model::ModelError as Model;
    use grounds_model::error::TransportBroken;
    match error {
        Model::Key { .. } => Code::ModelKey,
        Model::Settings(_) => Code::ModelSettings,
        Model::BadKey { .. } => Code::ModelKeyRejected,
        Model::Forbidden { .. } => Code::ModelForbidden,
        Model::OutOfCredit { .. } => Code::ModelNoCredit,
        Model::NoSuchModel { .. } => Code::ModelMissing,
        Model::BadRequest { .. } => Code::ModelRequestRefused,
        Model::TooLong { .. } => Code::ModelRequestTooLong,
        Model::RateLimited { .. } | Model::NoTurn { .. } => Code::ModelRateLimit,
        Model::Overloaded { .. } | Model::OutOfOrder { .. } => Code::ModelOutOfOrder,
        Model::StrangeStatus { .. }
        | Model::SentElsewhere { .. }
        | Model::NotJson { .. }
        | Model::WrongShape { .. } => Code::ModelWrongAddress,
        Model::Broken {
            broken: TransportBroken::TimeUp { .. },
            ..
        } => Code::ModelTime,
        Model::Broken {
            broken:
                TransportBroken::CutShort
                | TransportBroken::TooLarge { .. }
                | TransportBroken::NoSuchHost
                | TransportBroken::Unreachable(_)
                | TransportBroken::Tls(_)
                | TransportBroken::Proxy
                | TransportBroken::Malformed(_),
            ..
        } => Code::ModelUnreachable,
        Model::Empty { .. } | Model::Truncated { .. } => Code::ModelAnswerCut,
        Model::Declined { .. } | Model::Filtered { .. } => Code::ModelDeclined,
        Model::Unreadable { .. } => Code::ModelNotUnderstood,
        Model::OverBudget(_) => Code::ModelBudget,
        Model::DryRun => Code::ModelDryRun,
        Model::UnknownExchange { .. } | Model::Exchange { .. } => Code::ModelNotRecorded,
        Model::Cancelled => Code::ModelCancelled,
    }
}

#[cfg(feature = "review")]
const fn of_rules(error: &grounds_review::rules::SwitchError) -> Code {
    use grounds_review::rules::SwitchError;
    match error {
        SwitchError::Unknown { .. } => Code::RuleUnknown,
        SwitchError::NoReason(_) => Code::SuppressionWithoutReason,
        SwitchError::Paths { .. } => Code::SuppressionPaths,
    }
}

#[cfg(feature = "review")]
const fn of_review(error: &grounds_review::ReviewError) -> Code {
    use grounds_review::{DiffError, ReviewError};
    match error {
        ReviewError::Git(error) | ReviewError::Diff(DiffError::Git(error)) => of_git(error),
        ReviewError::Baseline(_) => Code::BaselineUnusable,
        ReviewError::Diff(DiffError::NotARepository(_)) => Code::RepositoryMissing,
        ReviewError::Diff(DiffError::UnknownRevision(_)) => Code::RevisionUnknown,
        ReviewError::Diff(DiffError::NoMergeBase { .. }) => Code::NoMergeBase,
        ReviewError::Diff(DiffError::Shallow(_)) => Code::CloneShallow,
        ReviewError::Diff(DiffError::Conflicted(_)) => Code::TreeInConflict,
        ReviewError::Diff(DiffError::IndexBusy(_)) => Code::GitIndexBusy,
        ReviewError::Diff(DiffError::RunsPrograms(_)) => Code::RepositoryRunsPrograms,
        ReviewError::Diff(DiffError::Nothing(_)) => Code::NothingToReview,
        ReviewError::Diff(DiffError::Unreadable { .. }) => Code::DiffUnreadable,
        ReviewError::Diff(DiffError::NotADiff { .. }) => Code::NotADiff,
        ReviewError::Diff(DiffError::TooMuch { .. }) => Code::DiffTooLarge,
    }
}

#[cfg(feature = "review")]
const fn of_git(error: &grounds_repo::git::GitError) -> Code {
    use grounds_repo::git::GitError;
    match error {
        GitError::NotRun(_) => Code::GitMissing,
        GitError::Failed { .. } | GitError::NoRepository(_) | GitError::Unseen(_) => {
            Code::GitFailed
        }
        GitError::TimeUp { .. } => Code::GitSlow,
        GitError::TooMuch { .. } => Code::GitTooMuch,
    }
}
