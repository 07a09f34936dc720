//! The result of a review: findings with their status, what was dropped and why, the state of every
//! changed line, the gap, the follow-up, what was spent, which bounds were reached, and what
//! failed. Output formats read only this; none of them says "clean" if a part was not judged.

use std::ops::Range;

use crate::carried::Carried;
use crate::diff::{FileChange, Revision};
use crate::finding::{Finding, Severity};
use crate::folders::Folders;
use crate::material::{ContextItem, Unresolved};
use crate::owners::Owners;
use crate::rules::{NotJudged, RuleCoverage, Suppressed};
use grounds_evidence::Quality;

/// What came of a review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The side that the change starts from.
    pub base: Revision,
    /// The side that was reviewed.
    pub head: Revision,
    /// Who judged.
    pub judge: ReviewJudge,
    /// Every changed file, in the order of the diff, with the states of its lines.
    pub files: Vec<FileReport>,
    /// Every finding that was not dropped: file, line, severity, title.
    pub findings: Vec<Reported>,
    /// Every finding that was dropped, with why.
    pub dropped: Vec<Dropped>,
    /// Findings of rules that a person silenced, with the reason: shown apart, never as findings.
    pub suppressed: Vec<Suppressed>,
    /// How much the rules looked at.
    pub rules_judged: RuleCoverage,
    /// What the rules could not judge: never told as clean.
    pub rules_not_judged: Vec<NotJudged>,
    /// Findings of the last review that are gone.
    pub resolved: Vec<Resolved>,
    /// The calls, with what they were shown.
    pub bundles: Vec<BundleReport>,
    /// Names of added lines that no call could be shown: the evidence gap.
    pub gap: Vec<Unresolved>,
    /// What became of the one follow-up.
    pub follow_up: FollowUpRecord,
    /// What was used.
    pub spend: Spend,
    /// What may be shown and blocks.
    pub gate: Gate,
    /// What folders say of their own files.
    pub folders: Folders,
    /// Bounds that were reached.
    pub bounds: Vec<BoundReached>,
    /// What failed. With one failure the review has failed, whatever it found.
    pub failures: Vec<Failure>,
    /// What else there is to tell: masked secrets, files that were not sent.
    pub notes: Vec<String>,
    /// Who owns the files of the findings.
    pub owners: Owners,
    /// What the next review may build on, where that was wanted.
    pub carried: Option<Carried>,
}

/// Who judged the change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReviewJudge {
    /// Rules alone; no model judged, and why.
    RulesOnly {
        /// Why no model was asked.
        why: String,
    },
    /// Rules and this model.
    RulesAndModel {
        /// `PROVIDER/MODEL`.
        model: String,
    },
}

/// A finding with all that is said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reported {
    /// The finding.
    pub finding: Finding,
    /// Rule or claim, normalised quote and enclosing symbol, hashed: the same when lines move.
    pub fingerprint: String,
    /// What it is to the last review.
    pub baseline: BaselineState,
    /// What it does at the gate.
    pub standing: GateStanding,
    /// What happened to it on its way: "the line was corrected from 12 to 14", "raised: `x` stands
    /// nowhere in the tree".
    pub notes: Vec<String>,
}

/// What a finding is to the merge base and the last review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BaselineState {
    /// It was not there.
    New,
    /// It was there.
    Unchanged,
    /// Someone dismissed it.
    Dismissed {
        /// The reason that was given.
        reason: String,
    },
}

/// What a finding does at the gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GateStanding {
    /// It is shown, and the gate blocks.
    Blocks,
    /// It is shown and blocks nothing: the last review had it, or someone dismissed it.
    Known,
    /// It is counted, and shown where all is asked for: its severity is below the gate.
    BelowSeverity,
    /// It is counted, and shown where all is asked for: its quality is below the gate.
    BelowQuality,
}

/// The least that a finding must have to be shown and to block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gate {
    /// The quality.
    pub min_quality: Quality,
    /// The severity.
    pub severity: Severity,
}

impl Default for Gate {
    fn default() -> Self {
        Self {
            min_quality: Quality::Moderate,
            severity: Severity::Minor,
        }
    }
}

/// A finding that is not reported as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// Its name in this review, where it had one.
    pub id: String,
    /// The file that it named.
    pub path: String,
    /// The line that it claimed.
    pub line: Option<u32>,
    /// What it said.
    pub title: String,
    /// Why it is dropped.
    pub why: DropReason,
}

/// Why a finding was dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DropReason {
    /// Its file is not in the diff.
    FileNotInDiff,
    /// Its line is neither an added line nor one of the context of a hunk, and its quote occurs at
    /// no place or at several.
    LineNotInDiff,
    /// It says that a name is missing or unused, and the tree has it.
    NameExists {
        /// The name.
        name: String,
        /// Where it stands: "src/x.rs:42".
        place: String,
    },
    /// It says the same as another one, which stays.
    SameAs {
        /// The name of the one that stays.
        id: String,
    },
    /// The follow-up dismissed it with a quote from the text that it was given.
    Dismissed {
        /// The quote.
        quote: String,
        /// Where it stands: "src/x.rs:42".
        place: String,
        /// The reason that was given.
        reason: String,
    },
    /// It could not be read.
    Unreadable {
        /// What it lacks.
        why: String,
    },
}

/// A finding of the last review that is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// Its fingerprint.
    pub fingerprint: String,
    /// The file that it was in.
    pub path: String,
    /// What it said.
    pub title: String,
}

/// A changed file and how much of it was judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileReport {
    /// Its path, as in [`crate::ChangedFile::path`].
    pub path: String,
    /// What happened to it.
    pub change: FileChange,
    /// Why no line of it could be judged, where it has none.
    pub skipped: Option<SkipReason>,
    /// Its changed lines, each in exactly one of these.
    pub lines: Vec<LineReport>,
}

/// Neighbouring changed lines of one hunk in one state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineReport {
    /// The place of the hunk in its file, from 0.
    pub hunk: usize,
    /// The numbers of the added lines at the reviewed side, end excluded; empty if only lines
    /// went.
    pub new_lines: Range<u32>,
    /// How many lines were added.
    pub added: u32,
    /// How many lines were removed.
    pub removed: u32,
    /// What became of them.
    pub state: LineState,
}

/// What became of changed lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LineState {
    /// Rules and model judged them.
    Reviewed,
    /// The rules judged them, and no model was asked.
    RulesOnly,
    /// They did not fit into a call; only the rules judged them.
    Clipped,
    /// No model was asked about them; why.
    Skipped(SkipReason),
    /// The call that showed them failed; only the rules judged them.
    Failed,
    /// Nobody judged them; why.
    NotJudged(Unjudged),
}

/// Why nobody judged lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unjudged {
    /// A bound of the rules was reached: bytes of the file, or the time for it.
    Bound,
    /// The line is longer than what is read of one.
    LongLine,
    /// Its lines end with carriage returns alone, so that no line of it is one.
    LineEnds,
    /// The text is not there.
    NoText,
    /// Reading or judging it broke.
    Failure,
}

/// Why no model is asked about lines, or a file has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SkipReason {
    /// A program wrote the file.
    Generated,
    /// It is a lock file.
    LockFile,
    /// It is code of others.
    Vendored,
    /// It is no text.
    Binary,
    /// It is text in an encoding that is not read, or source with bytes that are no text.
    Encoding,
    /// It is larger than its bound.
    TooLarge,
    /// Its name is that of a file of secrets.
    Secret,
    /// It is a submodule.
    Submodule,
    /// Only its mode changed.
    ModeOnly,
    /// Only its name changed.
    RenamedOnly,
    /// It was deleted: nothing of it is in the reviewed version.
    Deleted,
    /// The configuration excludes it.
    Excluded,
}

/// One call and what it was shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BundleReport {
    /// Its name: `b1`.
    pub id: String,
    /// The files that it showed lines of.
    pub paths: Vec<String>,
    /// The context beside the lines.
    pub items: Vec<ContextItem>,
    /// Tokens of its prompt by our count, on the safe side.
    pub prompt_tokens: u64,
    /// The prompt as it would be sent; `None` if this was no dry run.
    pub prompt: Option<String>,
    /// Whether a cache or a replay answered it.
    pub was_stored: bool,
    /// Findings that its answer had.
    pub findings: usize,
    /// What it used, retries and a repair included.
    pub tokens: u64,
}

/// What became of the one follow-up of a review.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FollowUpRecord {
    /// Why it was switched off, where it was: then no prompt mentioned it and nothing was read for
    /// it.
    pub off: Option<&'static str>,
    /// Every request that came, with what became of it.
    pub requests: Vec<RequestRecord>,
    /// The one that was answered.
    pub taken: Option<FollowUpTaken>,
}

/// One request of a bundle for more context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestRecord {
    /// The bundle that asked.
    pub bundle: String,
    /// What it asked for: an id of the menu, or `file:start-end`.
    pub asked: String,
    /// Why it asked.
    pub reason: String,
    /// What became of it.
    pub fate: RequestFate,
}

/// What became of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestFate {
    /// It was answered.
    Taken,
    /// Another bundle's request went before it.
    PassedOver,
    /// It was refused.
    Refused {
        /// Why.
        why: String,
    },
}

/// The follow-up that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FollowUpTaken {
    /// The file.
    pub path: String,
    /// The first line that was read.
    pub line_start: u32,
    /// The last line that was asked for.
    pub line_end: u32,
    /// The last line that was shown: less than asked for where the bound cut it.
    pub line_end_shown: u32,
    /// Why it was asked for.
    pub reason: String,
    /// Findings that it confirmed.
    pub confirmed: u32,
    /// Findings that it dismissed with a quote.
    pub removed: u32,
    /// Findings that it could not verify: they stay, at lower quality.
    pub unverified: u32,
    /// Findings that it revised.
    pub revised: u32,
    /// Findings that it added.
    pub added: u32,
    /// Dismissals that did not count: of a finding of a rule, or with a quote that is not in the
    /// text.
    pub dismissals_refused: u32,
    /// Requests in the second answer, which are never answered.
    pub requests_ignored: u32,
    /// Tokens that were billed for it, prompt and answer, retries and a repair included.
    pub extra_tokens: u64,
    /// Why its answer was not used, where it was not: then every finding stays as it was.
    pub failed: Option<String>,
}

/// What a review used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spend {
    /// Requests that were sent, new attempts included.
    pub requests: u64,
    /// Tokens of prompts.
    pub prompt_tokens: u64,
    /// Tokens of answers.
    pub output_tokens: u64,
    /// Tokens of the follow-up, a part of the two before.
    pub extra_tokens: u64,
    /// Calls that a cache answered.
    pub from_cache: u64,
    /// Calls that a replay answered.
    pub from_replay: u64,
    /// Attempts after a first one.
    pub new_attempts: u64,
    /// Answers that were repaired.
    pub repairs: u64,
    /// Requests whose use the provider did not say: they count as much as was reserved for them.
    pub unsaid: u64,
    /// Billionths of a dollar, where a price is known.
    pub cost_nano: Option<u64>,
    /// The worst case that was known before the first request.
    pub worst_case: WorstCase,
}

/// The most that a review may use, known before it starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorstCase {
    /// Calls: one a bundle, and one follow-up where it is allowed.
    pub calls: u64,
    /// Requests: calls with all attempts, simpler forms and repairs.
    pub requests: u64,
    /// Tokens that all calls may use, each with its repair: what would pass them is not sent.
    pub tokens: u64,
    /// The cap that nothing passes, whatever the attempts.
    pub tokens_max: Option<u64>,
    /// Billionths of a dollar for one attempt of every call, where a price is known.
    pub cost_nano: Option<u64>,
}

/// A bound that was reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundReached {
    /// Its name in the configuration.
    pub name: &'static str,
    /// Its value, in the unit that its name ends with.
    pub value: u64,
    /// What it cut.
    pub cut: String,
}

/// Something that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The part of the review: a bundle, the follow-up, the rules.
    pub part: String,
    /// What was tried, on what, and why it failed.
    pub what: String,
    /// What to do next.
    pub advice: String,
    /// The answer as it came, where there was one that could not be used.
    pub raw: Option<String>,
}

/// How a review ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ending {
    /// Nothing at or above the gate.
    Passes,
    /// The gate blocks.
    Blocks,
    /// Something failed; the findings so far are reported all the same.
    Failed,
}

impl Report {
    /// How the review ends: a failure weighs more than all that was found.
    pub fn ending(&self) -> Ending {
        let blocks = self
            .findings
            .iter()
            .any(|reported| reported.standing == GateStanding::Blocks);
        match (self.failures.is_empty(), blocks) {
            (false, _) => Ending::Failed,
            (true, true) => Ending::Blocks,
            (true, false) => Ending::Passes,
        }
    }

    /// The changed lines in each state, and all of them.
    pub fn coverage(&self) -> Coverage {
        let mut coverage = Coverage::default();
        for lines in self.files.iter().flat_map(|file| &file.lines) {
            let count = u64::from(lines.added) + u64::from(lines.removed);
            coverage.changed += count;
            *match lines.state {
                LineState::Reviewed => &mut coverage.reviewed,
                LineState::RulesOnly => &mut coverage.rules_only,
                LineState::Clipped => &mut coverage.clipped,
                LineState::Skipped(_) => &mut coverage.skipped,
                LineState::Failed => &mut coverage.failed,
                LineState::NotJudged(_) => &mut coverage.not_judged,
            } += count;
        }
        coverage
    }
}

/// How many changed lines are in which state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// All changed lines.
    pub changed: u64,
    /// Judged by rules and model.
    pub reviewed: u64,
    /// Judged by rules, with no model asked.
    pub rules_only: u64,
    /// Did not fit.
    pub clipped: u64,
    /// No model was asked about them.
    pub skipped: u64,
    /// Their call failed.
    pub failed: u64,
    /// Nobody judged them.
    pub not_judged: u64,
}

#[cfg(test)]
pub(crate) mod testing;
