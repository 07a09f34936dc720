//! What a producer may report: the kind of match that it saw, and where.
//!
//! An observation has no quality. The match table gives it one.

use crate::class::{EvidenceClass, Family};
use crate::relation::Relation;

/// The kind of match that a producer saw. One list for all classes; each
/// variant belongs to one row of the match table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Match {
    /// Nothing was found.
    Nothing,

    /// grep: some words of the target occur, not the target.
    TokenOverlap,
    /// grep: the target occurs only inside other words, in this many places.
    Substring {
        /// The number of places.
        places: u64,
    },
    /// grep: the last part of a dotted name, in places that are not shown to belong to what is
    /// named before it.
    LastNameOnly,
    /// grep: the words of the target stand one after the other, as written.
    ExactPhrase,
    /// grep: the target as a whole name, in the spelling asked for or in another convention.
    ExactIdentifier,

    /// find: some words of a file's name.
    NameTokens,
    /// find: a part of a file's name.
    NamePart,
    /// find: the file's whole name, or the end of its path.
    NameExact,

    /// references: a type that extends or implements it by where its names come from, or by its
    /// methods.
    FitsInterface,
    /// references: uses of the name where the text does not show whose member they mean.
    OwnerOpen,
    /// references: the symbol is referred to, in this many places.
    SymbolReferences {
        /// The number of places.
        count: u64,
    },
    /// references: a parse shows where the symbol is introduced (defined, declared or bound: the
    /// relation says which).
    SymbolDefinition,
    /// references: a definition whose name, container and documentation line together hold every
    /// content word of the target.
    DescribedDefinition,

    /// references: a definition under the name that the code gives another name for.
    AliasedDefinition,
    /// references: a definition of another form of the name: its plural, its verb.
    StemmedDefinition,
    /// references: a file that implements what another declares names it.
    NamedInImplementation,
    /// references: a definition in the folder of the best lead shares a word with the name.
    DefinedBeside,

    /// emitters: a literal of the code is the message.
    MessageLiteral,
    /// emitters: the fixed parts of a literal make up the message, in its order, and are long
    /// enough to be unique.
    MessageFormat,
    /// emitters: a literal could make the message among much else, or only a test has it.
    MessageLoose,
    /// emitters: prose or a comment quotes the message; nothing prints that.
    MessageQuoted,

    /// frames: a place of a trace is in one file of the tree, which has what the trace says about
    /// it.
    FrameConfirmed,
    /// frames: the file of a trace has the function that the trace names, on other lines.
    FrameMoved,
    /// frames: a place of a trace is in several files, or the tree is not the one that failed.
    FrameUnconfirmed,

    /// index: a compiler's index resolves the place to the symbol.
    ResolvedSymbol,
    /// index: text and index contradict each other about the place.
    Disputed,
    /// hypotheses: a definition of a name that a model proposed; other forms of the question's
    /// words say what it is.
    HypothesisNear,
    /// hypotheses: such a definition, and its name, containers and first words of documentation
    /// hold every content word of the question.
    HypothesisMet,

    /// localise: files that share words with a text.
    RankedByWords,
    /// localise: files of which the first is one that a text points at by path, trace, name of a
    /// definition or message.
    RankedByName,

    /// read: a file that came first, for no better reason.
    ReadFirst,
    /// read: a ranked candidate that holds the target.
    ReadRanked,
    /// read: the span that the best search evidence points at; the text read contains the target.
    ReadTarget,
    /// read: the place that a hypothesis led to; the text read contains the question's own words.
    ReadHypothesis,
    /// read: the text read does not contain the target.
    ReadWithoutTarget,

    /// git: the state of the work tree only.
    StatusOnly,
    /// git: history, none of it matched to the question's terms.
    HistoryWithoutTerms,
    /// git: commits that match the question's terms, path or author.
    HistoryMatching,

    /// build: nothing was built.
    NothingBuilt,
    /// build: something was built, not the target.
    OtherBuilt,
    /// build: the target was built in this run.
    TargetBuilt,
    /// build: the build ran, and failed on the project's own account.
    BuildFailed,

    /// test: no test ran.
    NoTestRan,
    /// test: some tests passed.
    SomeTestsPassed,
    /// test: every relevant test ran and passed.
    AllRelevantTestsPassed,
    /// test: the tests ran, and some of them failed.
    TestsFailed,

    /// discovery: a scan with any output.
    ScanOutput,
    /// discovery: the type of the project is known.
    ProjectTypeKnown,
    /// discovery: type, source counts and presence of tests.
    FullMetadata,

    /// ci: an empty list of runs.
    NoRuns,
    /// ci: a list of runs.
    RunList,
    /// ci: runs of the matching workflow.
    MatchingRuns,
    /// ci: the log of the matching run.
    MatchingRunLog,
}

/// A place that supports an observation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObservationSource {
    /// The path in the repository with forward slashes, or another resource's name (a commit).
    pub path: String,
    /// The first line, counted from 1; 0 for the resource as a whole.
    pub line_start: u32,
    /// The last line.
    pub line_end: u32,
}

/// The report of one producer about one target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// The class of evidence that it belongs to.
    pub class: EvidenceClass,
    /// The producer.
    pub tool: &'static str,
    /// The producer's family.
    pub family: Family,
    /// The query of the producer.
    pub query: String,
    /// The target of the question that it is about; empty for the project as a whole.
    pub target: String,
    /// The kind of match.
    pub found: Match,
    /// The relation of the places to the target.
    pub relation: Relation,
    /// Number of matching places, counted before any limit truncated the list.
    pub match_count: u64,
    /// Number of them that matched exactly.
    pub exact_match_count: u64,
    /// Whether the words of the target were next to each other.
    pub phrase_match: bool,
    /// The places, best first. The list may be truncated, the count is not.
    pub sources: Vec<ObservationSource>,
}

impl Match {
    /// Reports whether a run of the project's own code failed. That answers "does it build?", and
    /// is never a baseline for a change.
    pub const fn is_a_failed_run(self) -> bool {
        matches!(self, Self::BuildFailed | Self::TestsFailed)
    }

    /// Reports whether a name that a model proposed led to it. It corroborates nothing, and nothing
    /// corroborates it.
    pub const fn is_through_a_hypothesis(self) -> bool {
        matches!(
            self,
            Self::HypothesisNear | Self::HypothesisMet | Self::ReadHypothesis
        )
    }

    /// Reports whether the target itself was seen, and not a part of it or something similar.
    pub const fn is_exact(self) -> bool {
        match self {
            Self::ExactPhrase
            | Self::ExactIdentifier
            | Self::NameExact
            | Self::SymbolDefinition
            | Self::DescribedDefinition => true,
            // Without a place, nothing was seen.
            Self::SymbolReferences { count } => count > 0,
            Self::ResolvedSymbol
            | Self::MessageLiteral
            | Self::MessageQuoted
            | Self::FrameConfirmed => true,
            // These are only close to the target: its alias, another form of it, or what is beside
            // it.
            Self::AliasedDefinition
            | Self::StemmedDefinition
            | Self::NamedInImplementation
            | Self::DefinedBeside => false,
            // A model proposed the name, and it is not that of the question.
            Self::HypothesisNear | Self::HypothesisMet | Self::ReadHypothesis => false,
            Self::MessageFormat
            | Self::MessageLoose
            | Self::FrameMoved
            | Self::FrameUnconfirmed => false,
            Self::Disputed | Self::OwnerOpen | Self::FitsInterface => false,
            Self::ReadTarget
            | Self::HistoryMatching
            | Self::TargetBuilt
            | Self::AllRelevantTestsPassed => true,
            Self::Nothing
            | Self::TokenOverlap
            | Self::LastNameOnly
            | Self::Substring { .. }
            | Self::NameTokens
            | Self::NamePart => false,
            Self::RankedByWords | Self::RankedByName => false,
            Self::ReadFirst
            | Self::ReadRanked
            | Self::ReadWithoutTarget
            | Self::StatusOnly
            | Self::HistoryWithoutTerms => false,
            Self::NothingBuilt
            | Self::OtherBuilt
            | Self::NoTestRan
            | Self::SomeTestsPassed
            | Self::ScanOutput => false,
            Self::ProjectTypeKnown | Self::NoRuns | Self::RunList => false,
            // A failure is as exact an observation as a success.
            Self::BuildFailed | Self::TestsFailed => true,
            Self::FullMetadata | Self::MatchingRuns | Self::MatchingRunLog => true,
        }
    }

    /// Returns the word for the match, as used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::TokenOverlap => "token_overlap",
            Self::LastNameOnly => "last_name_only",
            Self::Substring { .. } => "substring",
            Self::ExactPhrase => "exact_phrase",
            Self::ExactIdentifier => "exact_identifier",
            Self::NameTokens => "name_tokens",
            Self::NamePart => "name_part",
            Self::NameExact => "name_exact",
            Self::SymbolReferences { .. } => "symbol_references",
            Self::SymbolDefinition => "symbol_definition",
            Self::DescribedDefinition => "described_definition",
            Self::AliasedDefinition => "aliased_definition",
            Self::StemmedDefinition => "stemmed_definition",
            Self::NamedInImplementation => "named_in_implementation",
            Self::DefinedBeside => "defined_beside",
            Self::MessageLiteral => "message_literal",
            Self::MessageFormat => "message_format",
            Self::MessageLoose => "message_loose",
            Self::MessageQuoted => "message_quoted",
            Self::FrameConfirmed => "frame_confirmed",
            Self::FrameMoved => "frame_moved",
            Self::FrameUnconfirmed => "frame_unconfirmed",
            Self::ResolvedSymbol => "resolved_symbol",
            Self::Disputed => "disputed",
            Self::OwnerOpen => "owner_open",
            Self::FitsInterface => "fits_interface",
            Self::HypothesisNear => "hypothesis_near",
            Self::HypothesisMet => "hypothesis_met",
            Self::RankedByWords => "ranked_by_words",
            Self::RankedByName => "ranked_by_name",
            Self::ReadFirst => "read_first",
            Self::ReadRanked => "read_ranked",
            Self::ReadTarget => "read_target",
            Self::ReadHypothesis => "read_hypothesis",
            Self::ReadWithoutTarget => "read_without_target",
            Self::StatusOnly => "status_only",
            Self::HistoryWithoutTerms => "history_without_terms",
            Self::HistoryMatching => "history_matching",
            Self::NothingBuilt => "nothing_built",
            Self::OtherBuilt => "other_built",
            Self::TargetBuilt => "target_built",
            Self::BuildFailed => "build_failed",
            Self::NoTestRan => "no_test_ran",
            Self::SomeTestsPassed => "some_tests_passed",
            Self::AllRelevantTestsPassed => "all_relevant_tests_passed",
            Self::TestsFailed => "tests_failed",
            Self::ScanOutput => "scan_output",
            Self::ProjectTypeKnown => "project_type_known",
            Self::FullMetadata => "full_metadata",
            Self::NoRuns => "no_runs",
            Self::RunList => "run_list",
            Self::MatchingRuns => "matching_runs",
            Self::MatchingRunLog => "matching_run_log",
        }
    }
}

impl ObservationSource {
    /// Returns a source with some lines of a resource.
    pub fn lines(path: impl Into<String>, line_start: u32, line_end: u32) -> Self {
        Self {
            path: path.into(),
            line_start,
            line_end,
        }
    }

    /// Returns a source for a resource as a whole.
    pub fn whole(path: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            line_start: 0,
            line_end: 0,
        }
    }

    /// Reports whether two sources have a line of the same resource in common, or one of them is
    /// all of it.
    pub fn overlaps(&self, other: &Self) -> bool {
        // Line 0 means the resource as a whole, which overlaps with each of its lines.
        let whole = self.line_start == 0 || other.line_start == 0;
        self.path == other.path
            && (whole || (self.line_start <= other.line_end && other.line_start <= self.line_end))
    }
}
