//! The match table: from the kind of match to a rating. The only place where a
//! rating is made.
//!
//! Two tables, applied one after the other: what the match is worth by itself
//! ([`ROWS`]), and what its relation to the target is worth for this question
//! ([`RELATION_ROWS`]). The lower of the two counts: relation decides before
//! wording does, so the exact identifier in a comment is worth nothing to "where
//! is it defined?". Sources: 002, Part I "Quality per Evidence Class" and Part IV
//! (producers); the relation table is evidence.md's.

use std::fmt::Write as _;

use crate::class::EvidenceClass;
use crate::goal::WantedRelation;
use crate::level::Rating;
use crate::observation::{Match, Observation};
use crate::relation::{MentionPlace, Relation};

/// Number of places up to which a substring is Moderate.
pub const SUBSTRING_PLACES_MAX: u64 = 10;
/// Number of references up to which the use of a symbol is Moderate; with more it is Strong.
pub const REFERENCES_FEW_MAX: u64 = 5;

/// One row of the match table.
#[derive(Clone, Copy, Debug)]
pub struct MatchRow {
    /// The class of evidence.
    pub class: EvidenceClass,
    /// The method that acquired it.
    pub method: &'static str,
    /// The match in words.
    pub seen: &'static str,
    /// A match that this row rates.
    pub example: Match,
    /// Its rating.
    pub rating: Rating,
}

macro_rules! rows {
    ($($class:ident, $method:literal, $rating:ident: $seen:literal = $example:expr;)*) => {
        &[$(MatchRow { class: EvidenceClass::$class, method: $method, seen: $seen, example: $example, rating: Rating::$rating }),*]
    };
}

/// Every row, in the order of the document. A test compares them with [`rate_match`].
pub const ROWS: &[MatchRow] = rows! {
    FileSearch, "text (grep)", None: "the last part of a dotted name, and not what is named before it" = Match::LastNameOnly;
    FileSearch, "text (grep)", Weak: "token overlap" = Match::TokenOverlap;
    FileSearch, "text (grep)", Weak: "substring in more than 10 places" = Match::Substring { places: 11 };
    FileSearch, "text (grep)", Moderate: "substring in 1-10 places" = Match::Substring { places: 10 };
    FileSearch, "text (grep)", Strong: "the exact phrase" = Match::ExactPhrase;
    FileSearch, "text (grep)", Strong: "the exact identifier" = Match::ExactIdentifier;
    FileSearch, "names (find)", Weak: "some tokens of the name" = Match::NameTokens;
    FileSearch, "names (find)", Moderate: "part of the file name" = Match::NamePart;
    FileSearch, "names (find)", Strong: "the exact file name or path suffix" = Match::NameExact;
    FileSearch, "symbols (references)", None: "uses of the name of which the text does not say whose they are" = Match::OwnerOpen;
    FileSearch, "symbols (references)", Moderate: "1-5 references" = Match::SymbolReferences { count: 5 };
    FileSearch, "symbols (references)", Strong: "more than 5 references" = Match::SymbolReferences { count: 6 };
    FileSearch, "symbols (references)", Strong: "a definition of the symbol" = Match::SymbolDefinition;
    FileSearch, "symbols (references)", Strong: "a definition whose name, container and doc line hold all content words" = Match::DescribedDefinition;
    FileSearch, "symbols (references)", Moderate: "a definition of another form of the name" = Match::StemmedDefinition;
    FileSearch, "symbols (references)", Weak: "a definition in the folder of the best lead that shares a word" = Match::DefinedBeside;
    FileSearch, "symbols (references)", Moderate: "a file that implements what another declares names it" = Match::NamedInImplementation;
    FileSearch, "symbols (references)", Strong: "a definition of what the code gives the name to" = Match::AliasedDefinition;
    FileSearch, "symbols (references)", Strong: "a type that is one by its bases or its methods" = Match::FitsInterface;
    FileSearch, "messages (emitters)", Weak: "prose or a comment quotes the message" = Match::MessageQuoted;
    FileSearch, "messages (emitters)", Moderate: "a literal that could make the message among much else, or one of a test" = Match::MessageLoose;
    FileSearch, "messages (emitters)", Strong: "a literal whose fixed parts make up the message, long enough to be unique" = Match::MessageFormat;
    FileSearch, "messages (emitters)", Strong: "a literal that is the message" = Match::MessageLiteral;
    FileSearch, "traces (frames)", Moderate: "a place of the trace in several files, or not as the trace says" = Match::FrameUnconfirmed;
    FileSearch, "traces (frames)", Strong: "the function that the trace names, on other lines of its file" = Match::FrameMoved;
    FileSearch, "traces (frames)", Strong: "a place of the trace, with what the trace says of it" = Match::FrameConfirmed;
    FileSearch, "symbols (index)", None: "text and index say what cannot both be" = Match::Disputed;
    FileSearch, "symbols (index)", Strong: "a place that a compiler's index resolves to the symbol" = Match::ResolvedSymbol;
    FileSearch, "names of a model (hypotheses)", Moderate: "a definition of it, of which other forms of the question's words say what it is" = Match::HypothesisNear;
    FileSearch, "names of a model (hypotheses)", Strong: "a definition of it whose name, container and first words of documentation hold all content words of the question" = Match::HypothesisMet;
    FileSearch, "ranking (localise)", Weak: "files that share words with a text" = Match::RankedByWords;
    FileSearch, "ranking (localise)", Moderate: "files that a text points at by path, trace, definition or message" = Match::RankedByName;
    FileContent, "read", None: "the text read does not contain the target" = Match::ReadWithoutTarget;
    FileContent, "read", Weak: "a file picked only because it came first" = Match::ReadFirst;
    FileContent, "read", Moderate: "a ranked candidate that holds the target" = Match::ReadRanked;
    FileContent, "read", Moderate: "the place of a name of a model, if it contains all content words of the question" = Match::ReadHypothesis;
    FileContent, "read", Strong: "the span that the best search evidence points at, if it contains the target" = Match::ReadTarget;
    GitLog, "git", Weak: "`git status` for a history question" = Match::StatusOnly;
    GitLog, "git", Moderate: "history without the query's terms" = Match::HistoryWithoutTerms;
    GitLog, "git", Strong: "history with commits that match the terms, path or author" = Match::HistoryMatching;
    Build, "build", Weak: "nothing was built (a no-op)" = Match::NothingBuilt;
    Build, "build", Moderate: "something was built, not the target" = Match::OtherBuilt;
    Build, "build", Strong: "the target was built in this run" = Match::TargetBuilt;
    Build, "build", Strong: "the build ran and failed" = Match::BuildFailed;
    Test, "test", Weak: "0 tests ran" = Match::NoTestRan;
    Test, "test", Moderate: "some tests passed" = Match::SomeTestsPassed;
    Test, "test", Strong: "every relevant test ran and passed" = Match::AllRelevantTestsPassed;
    Test, "test", Strong: "the tests ran and some failed" = Match::TestsFailed;
    Discovery, "discovery", Weak: "a scan with any output" = Match::ScanOutput;
    Discovery, "discovery", Moderate: "the project type is right" = Match::ProjectTypeKnown;
    Discovery, "discovery", Strong: "type, source counts and test presence" = Match::FullMetadata;
    CiWorkflow, "ci", Weak: "an empty list `[]`" = Match::NoRuns;
    CiWorkflow, "ci", Moderate: "a list of runs" = Match::RunList;
    CiWorkflow, "ci", Strong: "runs of the matching workflow" = Match::MatchingRuns;
    CiWorkflow, "ci", Strong: "the log of the matching run" = Match::MatchingRunLog;
};

/// Returns the rating of an observation for a question that wants `wanted`.
pub fn rate(observation: &Observation, wanted: WantedRelation) -> Rating {
    let by_match = rate_match(observation.found);
    match observation.class {
        EvidenceClass::FileSearch | EvidenceClass::FileContent => {
            // An exact match in the wrong relation answers nothing, and the right relation does not
            // make a vague match exact.
            by_match.min(rate_relation(observation.relation, wanted))
        }
        EvidenceClass::GitLog
        | EvidenceClass::Build
        | EvidenceClass::Test
        | EvidenceClass::Discovery
        // A commit, a build or a run is no occurrence of a name, so it has no relation to rate.
        | EvidenceClass::CiWorkflow => by_match,
    }
}

/// Returns the rating of a match by itself.
pub const fn rate_match(found: Match) -> Rating {
    match found {
        Match::Nothing | Match::ReadWithoutTarget | Match::Disputed | Match::OwnerOpen => {
            Rating::None
        }
        // Another thing with the same last name shows nothing about the one that was asked for.
        Match::LastNameOnly => Rating::None,
        // No places are no match, whatever was searched.
        Match::Substring { places: 0 } | Match::SymbolReferences { count: 0 } => Rating::None,
        Match::Substring {
            places: 1..=SUBSTRING_PLACES_MAX,
        } => Rating::Moderate,
        Match::SymbolReferences {
            count: 1..=REFERENCES_FEW_MAX,
        } => Rating::Moderate,
        Match::TokenOverlap | Match::Substring { .. } | Match::NameTokens | Match::ReadFirst => {
            Rating::Weak
        }
        Match::RankedByWords => Rating::Weak,
        Match::RankedByName => Rating::Moderate,
        // A hypothesis is only a lead until the text that was read contains the question's own
        // words.
        Match::HypothesisNear | Match::ReadHypothesis => Rating::Moderate,
        Match::HypothesisMet => Rating::Strong,
        Match::MessageQuoted | Match::DefinedBeside => Rating::Weak,
        Match::StemmedDefinition | Match::NamedInImplementation => Rating::Moderate,
        Match::MessageLoose | Match::FrameUnconfirmed => Rating::Moderate,
        Match::AliasedDefinition | Match::MessageFormat | Match::MessageLiteral => Rating::Strong,
        Match::FrameMoved | Match::FrameConfirmed => Rating::Strong,
        Match::StatusOnly
        | Match::NothingBuilt
        | Match::NoTestRan
        | Match::ScanOutput
        | Match::NoRuns => Rating::Weak,
        Match::NamePart | Match::ReadRanked | Match::HistoryWithoutTerms => Rating::Moderate,
        Match::OtherBuilt | Match::SomeTestsPassed | Match::ProjectTypeKnown | Match::RunList => {
            Rating::Moderate
        }
        Match::ExactPhrase | Match::ExactIdentifier | Match::NameExact => Rating::Strong,
        Match::SymbolReferences { .. } | Match::SymbolDefinition | Match::DescribedDefinition => {
            Rating::Strong
        }
        Match::ResolvedSymbol | Match::FitsInterface => Rating::Strong,
        Match::ReadTarget | Match::HistoryMatching | Match::TargetBuilt => Rating::Strong,
        // A failure is as definite as a success; `corroborate` decides what it cannot do.
        Match::BuildFailed | Match::TestsFailed => Rating::Strong,
        Match::AllRelevantTestsPassed
        | Match::FullMetadata
        | Match::MatchingRuns
        | Match::MatchingRunLog => Rating::Strong,
    }
}

/// The relations as the second table groups them.
pub const RELATION_ROWS: &[Relation] = &[
    Relation::Defines,
    Relation::Declares,
    Relation::Binds,
    Relation::Calls,
    Relation::Inherits,
    Relation::References,
    Relation::Imports,
    Relation::Mentions(MentionPlace::Doc),
    Relation::Mentions(MentionPlace::Comment),
    Relation::Mentions(MentionPlace::String),
    Relation::Mentions(MentionPlace::Prose),
    Relation::Mentions(MentionPlace::Data),
    Relation::NamedByFile,
    Relation::Unlabelled,
];

/// Returns the highest rating that a hit in this relation can have for a question that wants
/// `wanted`.
///
/// A declaration or a local binding is half of a definition: it shows that the name exists and of
/// what kind it is, not where it is introduced for others.
pub const fn rate_relation(relation: Relation, wanted: WantedRelation) -> Rating {
    match (wanted, relation) {
        // A question for every occurrence of a text is answered by any of them, also by one in a
        // comment.
        (WantedRelation::Occurrence, _) => Rating::Strong,
        (WantedRelation::Definition, Relation::Defines) => Rating::Strong,
        (
            WantedRelation::Definition,
            Relation::Declares | Relation::Binds | Relation::NamedByFile,
        ) => Rating::Moderate,
        (
            WantedRelation::Definition,
            Relation::Calls | Relation::Inherits | Relation::References | Relation::Imports,
        ) => Rating::None,
        // A comment that names something does not define it, however exact the name is.
        (WantedRelation::Definition, Relation::Mentions(_) | Relation::Unlabelled) => Rating::None,
        (
            WantedRelation::Uses,
            Relation::Calls | Relation::Inherits | Relation::References | Relation::Imports,
        ) => Rating::Strong,
        (WantedRelation::Calls, Relation::Calls)
        | (WantedRelation::Implementations, Relation::Inherits) => Rating::Strong,
        (WantedRelation::Imports, Relation::Imports) => Rating::Strong,
        // A function that is passed on may be called where it arrives, and one that is imported may
        // be called afterwards.
        (WantedRelation::Calls, Relation::References) => Rating::Moderate,
        (WantedRelation::Calls, Relation::Imports) => Rating::Weak,
        (
            WantedRelation::Implementations | WantedRelation::Imports,
            Relation::Calls | Relation::References,
        ) => Rating::None,
        (WantedRelation::Calls | WantedRelation::Imports, Relation::Inherits)
        | (WantedRelation::Implementations, Relation::Imports) => Rating::None,
        (
            WantedRelation::Uses | WantedRelation::Calls | WantedRelation::Imports,
            Relation::Mentions(_),
        ) => Rating::Weak,
        (WantedRelation::Implementations, Relation::Mentions(_)) => Rating::None,
        (
            WantedRelation::Uses
            | WantedRelation::Calls
            | WantedRelation::Implementations
            | WantedRelation::Imports,
            Relation::Defines
            | Relation::Declares
            | Relation::Binds
            | Relation::NamedByFile
            | Relation::Unlabelled,
        ) => Rating::None,
    }
}

/// Returns the match table as Markdown, one line per method, as the documentation shows it.
pub fn markdown() -> String {
    let mut page =
        String::from("| class | None | Weak | Moderate | Strong |\n|---|---|---|---|---|\n");
    let mut methods: Vec<(EvidenceClass, &str)> =
        ROWS.iter().map(|row| (row.class, row.method)).collect();
    // The rows of one method follow each other, so that neighbours are all there is to compare.
    methods.dedup();
    for (class, method) in methods {
        let cell = |rating| {
            let seen: Vec<&str> = ROWS
                .iter()
                .filter(|row| row.class == class && row.method == method && row.rating == rating)
                .map(|row| row.seen)
                .collect();
            if seen.is_empty() {
                "-".to_owned()
            } else {
                seen.join("; ")
            }
        };
        let cells: Vec<String> = Rating::ALL.into_iter().map(cell).collect();
        writeln!(page, "| {class}, {method} | {} |", cells.join(" | "))
            .expect("a string takes all text");
    }
    page
}

/// Returns the relation table as Markdown.
pub fn relation_markdown() -> String {
    let mut page = String::from("| relation of the hit |");
    for wanted in WantedRelation::ALL {
        write!(page, " wants {} |", wanted.as_str()).expect("a string takes all text");
    }
    page.push_str("\n|---|---|---|---|---|---|---|\n");
    for &relation in RELATION_ROWS {
        let cells: Vec<&str> = WantedRelation::ALL
            .into_iter()
            .map(|wanted| rate_relation(relation, wanted).as_str())
            .collect();
        writeln!(page, "| {relation} | {} |", cells.join(" | ")).expect("a string takes all text");
    }
    page
}

#[cfg(test)]
mod tests;
