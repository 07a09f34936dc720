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

/// The result of a review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The side that the change starts from.
    pub base: Revision,
    /// The side that was reviewed.
    pub head: Revision,
    /// The judge.
    pub judge: ReviewJudge,
    /// Every changed file, in the order of the diff, with the states of its lines.
    pub files: Vec<FileReport>,
    /// Every finding that was not dropped: file, line, severity, title.
    pub findings: Vec<Reported>,
    /// Every finding that was dropped, with why.
    pub dropped: Vec<Dropped>,
    /// Findings of rules that a person silenced, with the reason: shown apart, never as findings.
    pub suppressed: Vec<Suppressed>,
    /// How much the rules judged.
    pub rules_judged: RuleCoverage,
    /// The parts that the rules could not judge, which are never reported as clean.
    pub rules_not_judged: Vec<NotJudged>,
    /// Findings of the last review that are gone.
    pub resolved: Vec<Resolved>,
    /// The calls, with what they were shown.
    pub bundles: Vec<BundleReport>,
    /// Names of added lines that could be shown in no call: the evidence gap.
    pub gap: Vec<Unresolved>,
    /// The record of the one follow-up.
    pub follow_up: FollowUpRecord,
    /// The tokens and requests that were used.
    pub spend: Spend,
    /// The least that a finding needs to be shown and to block.
    pub gate: Gate,
    /// The settings of folders for their own files.
    pub folders: Folders,
    /// Bounds that were reached.
    pub bounds: Vec<BoundReached>,
    /// The failures. With one failure the review has failed, whatever it found.
    pub failures: Vec<Failure>,
    /// Further notes: masked secrets, files that were not sent.
    pub notes: Vec<String>,
    /// The owners of the files with findings.
    pub owners: Owners,
    /// The judgements that the next review may reuse; `None` if nothing is to be kept.
    pub carried: Option<Carried>,
}

/// The judge of the change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReviewJudge {
    /// Rules alone; no model judged.
    RulesOnly {
        /// The reason that no model was asked.
        why: String,
    },
    /// Rules and this model.
    RulesAndModel {
        /// `PROVIDER/MODEL`.
        model: String,
    },
}

/// A finding with its status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reported {
    /// The finding.
    pub finding: Finding,
    /// Rule or claim, normalised quote and enclosing symbol, hashed: the same when lines move.
    pub fingerprint: String,
    /// Its state compared with the last review.
    pub baseline: BaselineState,
    /// Its effect at the gate.
    pub standing: GateStanding,
    /// Notes on how it was changed: "the line was corrected from 12 to 14", "raised: nothing in the
    /// tree uses `x`".
    pub notes: Vec<String>,
}

/// The state of a finding compared with the last review.
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

/// The effect of a finding at the gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GateStanding {
    /// It is shown, and the gate blocks.
    Blocks,
    /// It is shown and blocks nothing: the last review had it, or someone dismissed it.
    Known,
    /// It is counted, and shown only with `--verbose`: its severity is below the gate.
    BelowSeverity,
    /// It is counted, and shown only with `--verbose`: its quality is below the gate.
    BelowQuality,
}

/// The least that a finding needs to be shown and to block.
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
    /// Its id in this review.
    pub id: String,
    /// The file that it named.
    pub path: String,
    /// The line that it claimed.
    pub line: Option<u32>,
    /// Its title.
    pub title: String,
    /// The reason that it was dropped.
    pub why: DropReason,
}

/// The reason that a finding was dropped.
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
        /// Its place: "src/x.rs:42".
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
        /// The place of the quote: "src/x.rs:42".
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
    /// Its title.
    pub title: String,
}

/// A changed file and how much of it was judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileReport {
    /// Its path, as in [`crate::ChangedFile::path`].
    pub path: String,
    /// What happened to it.
    pub change: FileChange,
    /// The reason that no line of it could be judged; `None` if it has lines.
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
    /// Number of added lines.
    pub added: u32,
    /// Number of removed lines.
    pub removed: u32,
    /// Their state.
    pub state: LineState,
}

/// The state of changed lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LineState {
    /// Rules and model judged them.
    Reviewed,
    /// The rules judged them, and no model was asked.
    RulesOnly,
    /// They did not fit into a call; only the rules judged them.
    Clipped,
    /// No model was asked about them, with the reason.
    Skipped(SkipReason),
    /// The call that showed them failed; only the rules judged them.
    Failed,
    /// Nobody judged them, with the reason.
    NotJudged(Unjudged),
}

/// The reason that nobody judged lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unjudged {
    /// A bound of the rules was reached: bytes of the file, or the time for it.
    Bound,
    /// The line is longer than the limit.
    LongLine,
    /// Its lines end with carriage returns alone, so that they are read as one line.
    LineEnds,
    /// The text is not available.
    NoText,
    /// Reading or judging it broke.
    Failure,
}

/// The reason that no model is asked about lines, or that a file has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SkipReason {
    /// A program wrote the file.
    Generated,
    /// It is a lock file.
    LockFile,
    /// It is code of others.
    Vendored,
    /// It is not text.
    Binary,
    /// It is text in an unsupported encoding, or source with bytes that are not text.
    Encoding,
    /// It is larger than the limit.
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
    /// Tokens that it used, retries and a repair included.
    pub tokens: u64,
}

/// The record of the one follow-up of a review.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FollowUpRecord {
    /// The reason that it was switched off, so that no prompt mentioned it and nothing was read for
    /// it; `None` if it was on.
    pub off: Option<&'static str>,
    /// Every request, with what was done with it.
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
    /// The reason that it gave.
    pub reason: String,
    /// What was done with it.
    pub fate: RequestFate,
}

/// What was done with a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestFate {
    /// It was answered.
    Taken,
    /// The request of another bundle took precedence.
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
    /// The last line that was shown: less than asked for if the limit truncated it.
    pub line_end_shown: u32,
    /// The reason that the model gave.
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
    /// The reason that its answer was not used, in which case every finding stays as it was; `None`
    /// if it was used.
    pub failed: Option<String>,
}

/// The tokens, requests and cost of a review.
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
    /// Requests whose usage the provider did not report: they count as much as was reserved for
    /// them.
    pub unsaid: u64,
    /// Cost in billionths of a dollar; `None` if no price is known.
    pub cost_nano: Option<u64>,
    /// The worst case that was known before the first request.
    pub worst_case: WorstCase,
}

/// The most that a review may use, known before it starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorstCase {
    /// Calls: one for each bundle, and one follow-up if it is allowed.
    pub calls: u64,
    /// Requests: calls with all attempts, simpler forms and repairs.
    pub requests: u64,
    /// Tokens that all calls may use, each with its repair. A request that would exceed them is not
    /// sent.
    pub tokens: u64,
    /// The cap on tokens, which holds for new attempts too; `None` without a cap.
    pub tokens_max: Option<u64>,
    /// Cost in billionths of a dollar for one attempt of every call; `None` if no price is known.
    pub cost_nano: Option<u64>,
}

/// A bound that was reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundReached {
    /// Its name in the configuration.
    pub name: &'static str,
    /// Its value, in the unit that its name ends with.
    pub value: u64,
    /// What was left out because of it.
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
    /// The answer as it was received, if there was one that could not be used; otherwise `None`.
    pub raw: Option<String>,
}

/// The end of a review.
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
    /// Returns how the review ends. A failure outweighs all findings.
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

    /// Returns the number of changed lines in each state, and in total.
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

/// The number of changed lines in each state.
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
