//! The result of `grounds review --format json`. Its schema is `schemas/review.json`.

use grounds_review::folders::FolderSettings;
use grounds_review::report::{
    self, BaselineState, GateStanding, LineState, RequestFate, ReviewJudge, SkipReason, Unjudged,
};
use grounds_review::rules::SuppressedBy;
use grounds_review::{Anchor, FileChange, Producer, Report, Revision, run};
use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;

use super::pretty::drop_words;
use super::severity;

/// A review of a change.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ReviewReport {
    /// `grounds.review/1`.
    schema: &'static str,
    /// `passes`: nothing at or above the gate. `blocks`: something is. `failed`: a part failed, so that nothing is said of the whole.
    outcome: &'static str,
    /// What the change starts from.
    base: Side,
    /// What was reviewed.
    head: Side,
    /// Model used in addition to the rules, or null if only rules ran.
    model: Option<String>,
    /// Why no model judged, or null if one did.
    no_model: Option<String>,
    /// How many of the changed lines were judged.
    coverage: Coverage,
    /// The changed files with the states of their lines.
    files: Vec<File>,
    /// What a finding must have to be shown and to block.
    gate: Gate,
    /// All findings that were not dropped, those below the gate too.
    findings: Vec<Finding>,
    /// Findings that were dropped, each with its reason.
    dropped: Vec<Dropped>,
    /// Findings of rules that a person silenced.
    suppressed: Vec<Suppressed>,
    /// Findings of the last review that are gone.
    resolved: Vec<Resolved>,
    /// What the rules looked at, and what they could not judge.
    rules: Rules,
    /// The calls of the model.
    calls: Vec<Call>,
    /// Names of added lines that the model could not be shown.
    gap: Vec<Gap>,
    /// The one follow-up.
    follow_up: FollowUp,
    /// What was used.
    spend: Spend,
    /// Bounds that were reached.
    bounds: Vec<Bound>,
    /// What failed.
    failures: Vec<Failure>,
    /// What else there is to tell.
    notes: Vec<String>,
    /// Who owns the files of the findings, by the base.
    owners: super::owners::Owners,
}

/// A side of a review.
#[derive(Debug, Serialize, JsonSchema)]
struct Side {
    /// `commit`, `index`, `working_tree`, `applied` (a tree that a diff from a file makes, or was made from) or `unknown`.
    kind: &'static str,
    /// The hash of a commit.
    commit: Option<String>,
}

/// Changed lines by their state.
#[derive(Debug, Serialize, JsonSchema)]
struct Coverage {
    /// All of them.
    changed: u64,
    /// Judged by rules and model.
    reviewed: u64,
    /// Judged by rules alone.
    rules_only: u64,
    /// Did not fit into a call.
    clipped: u64,
    /// No model was asked about them.
    skipped: u64,
    /// Their call failed.
    failed: u64,
    /// Nobody judged them.
    not_judged: u64,
}

/// A changed file.
#[derive(Debug, Serialize, JsonSchema)]
struct File {
    /// Its path.
    path: String,
    /// What happened to it.
    change: &'static str,
    /// Why no line of it could be judged, where it has none.
    skipped: Option<&'static str>,
    /// Its changed lines; each is in exactly one of these.
    lines: Vec<Lines>,
}

/// Neighbouring changed lines in one state.
#[derive(Debug, Serialize, JsonSchema)]
struct Lines {
    /// The hunk, from 0.
    hunk: usize,
    /// The first added line at the reviewed side; null if lines only went.
    line_start: Option<u32>,
    /// The last added line.
    line_end: Option<u32>,
    /// How many were added.
    added: u32,
    /// How many were removed.
    removed: u32,
    /// `reviewed`, `rules_only`, `clipped`, `skipped`, `failed` or `not_judged`.
    state: &'static str,
    /// Why they were skipped or not judged.
    why: Option<&'static str>,
}

/// What a finding must have to be shown and to block.
#[derive(Debug, Serialize, JsonSchema)]
struct Gate {
    /// The quality.
    min_quality: &'static str,
    /// The severity.
    severity: &'static str,
    /// Folders with a gate of their own, the deepest first; the nearest to a file counts.
    folders: Vec<FolderGate>,
}

/// The gate of a folder.
#[derive(Debug, Serialize, JsonSchema)]
struct FolderGate {
    /// The folder, with a `/` at the end.
    folder: String,
    /// The quality, or null if the folder does not say.
    min_quality: Option<&'static str>,
    /// The severity, or null if the folder does not say.
    severity: Option<&'static str>,
}

/// A finding.
#[derive(Debug, Serialize, JsonSchema)]
struct Finding {
    /// Its name in this review.
    id: String,
    /// The rule that found it.
    rule: Option<String>,
    /// The file.
    path: String,
    /// The first line at the reviewed side; null if it belongs to the file and to no line.
    line_start: Option<u32>,
    /// The last line.
    line_end: Option<u32>,
    /// The first column of the first line, from 1 and in letters; null if its producer named none.
    column_start: Option<u32>,
    /// The first column behind it, in the last line.
    column_end: Option<u32>,
    /// What the rule would write instead; null if it has no fix.
    fix: Option<Fix>,
    /// `info`, `minor`, `major` or `critical`.
    severity: &'static str,
    /// `Weak`, `Moderate`, `Strong` or `Verified`: what it stands on.
    quality: &'static str,
    /// What is wrong.
    title: String,
    /// Why, and what to do.
    message: String,
    /// The words of the file that it is about.
    quote: Option<String>,
    /// The items around it, outermost first.
    symbol: String,
    /// Who found it.
    producers: Vec<ProducedBy>,
    /// The same when lines move.
    fingerprint: String,
    /// `new`, `unchanged` or `dismissed`.
    baseline: &'static str,
    /// The reason of a dismissal.
    dismissed: Option<String>,
    /// `blocks`, `known`, `below_severity` or `below_quality`.
    standing: &'static str,
    /// What happened to it on its way.
    notes: Vec<String>,
}

/// An edit, from its first column to the one behind its last.
#[derive(Debug, Serialize, JsonSchema)]
struct Fix {
    /// The first line of what goes.
    line_start: u32,
    /// Its first column.
    column_start: u32,
    /// The last line of what goes.
    line_end: u32,
    /// The first column behind it.
    column_end: u32,
    /// What comes in its place.
    text: String,
}

/// Who found something.
#[derive(Debug, Serialize, JsonSchema)]
struct ProducedBy {
    /// `rule`, `model`, `follow_up` or `tool`.
    kind: &'static str,
    /// The rule, the model or the tool.
    name: String,
}

/// A finding that was dropped.
#[derive(Debug, Serialize, JsonSchema)]
struct Dropped {
    /// Its name in this review.
    id: String,
    /// The file that it named.
    path: String,
    /// The line that it claimed.
    line: Option<u32>,
    /// What it said.
    title: String,
    /// `file_not_in_diff`, `line_not_in_diff`, `name_exists`, `same_as`, `dismissed` or `unreadable`.
    kind: &'static str,
    /// The same in words, with the proof.
    why: String,
}

/// A finding of a rule that a person silenced.
#[derive(Debug, Serialize, JsonSchema)]
struct Suppressed {
    /// The rule.
    rule: Option<String>,
    /// The file.
    path: String,
    /// The line.
    line_start: Option<u32>,
    /// What it says.
    title: String,
    /// `comment` or `configuration`.
    by: &'static str,
    /// Whether the comment came with this change.
    is_new: bool,
    /// The reason that was given.
    reason: Option<String>,
}

/// A finding that is gone.
#[derive(Debug, Serialize, JsonSchema)]
struct Resolved {
    /// Its fingerprint.
    fingerprint: String,
    /// Its file.
    path: String,
    /// What it said.
    title: String,
}

/// What the rules looked at.
#[derive(Debug, Serialize, JsonSchema)]
struct Rules {
    /// The rules that were on.
    rules: usize,
    /// Changed files.
    files: usize,
    /// Those that every rule looked at.
    files_judged: usize,
    /// Added lines.
    lines: usize,
    /// Those in files that were judged.
    lines_judged: usize,
    /// What could not be judged.
    not_judged: Vec<NotJudged>,
}

/// What the rules could not judge.
#[derive(Debug, Serialize, JsonSchema)]
struct NotJudged {
    /// The file.
    path: String,
    /// The rule; null if no rule could.
    rule: Option<String>,
    /// Why.
    reason: String,
    /// The added lines that this leaves open.
    lines: usize,
}

/// A call of the model.
#[derive(Debug, Serialize, JsonSchema)]
struct Call {
    /// Its name.
    id: String,
    /// The files that it showed.
    paths: Vec<String>,
    /// The context beside the lines.
    context: Vec<Context>,
    /// Tokens of its prompt by our count.
    prompt_tokens: u64,
    /// The prompt as it would be sent; null if this was no dry run.
    prompt: Option<String>,
    /// Whether a cache or a replay answered.
    was_stored: bool,
    /// Findings of its answer.
    findings: usize,
    /// Tokens that were billed.
    tokens: u64,
}

/// A piece of context.
#[derive(Debug, Serialize, JsonSchema)]
struct Context {
    /// The file.
    path: String,
    /// Its first line.
    line_start: u32,
    /// Its last line.
    line_end: u32,
    /// The name that it is about.
    name: String,
    /// Why it was shown.
    reason: String,
    /// Its tokens.
    tokens: u64,
}

/// A name that could not be shown.
#[derive(Debug, Serialize, JsonSchema)]
struct Gap {
    /// The name.
    name: String,
    /// Where it is used.
    used_at: String,
    /// Why it was not shown.
    why: String,
}

/// The one follow-up.
#[derive(Debug, Serialize, JsonSchema)]
struct FollowUp {
    /// Whether the model could ask.
    allowed: bool,
    /// Why it could not.
    off: Option<&'static str>,
    /// What was asked, and what became of it.
    requests: Vec<Request>,
    /// The one that was made.
    taken: Option<FollowUpJson>,
}

/// A request for more lines.
#[derive(Debug, Serialize, JsonSchema)]
struct Request {
    /// The call that asked.
    call: String,
    /// What it asked for.
    asked: String,
    /// Why it asked.
    reason: String,
    /// `taken`, `passed_over` or `refused`.
    fate: &'static str,
    /// Why it was refused.
    why: Option<String>,
}

/// The follow-up that was made.
#[derive(Debug, Serialize, JsonSchema)]
struct FollowUpJson {
    /// The file.
    path: String,
    /// The first line that was read.
    line_start: u32,
    /// The last line that was asked for.
    line_end: u32,
    /// The last line that was shown.
    line_end_shown: u32,
    /// Why it was asked for.
    reason: String,
    /// Findings confirmed.
    confirmed: u32,
    /// Findings dismissed with a quote.
    removed: u32,
    /// Findings that could not be verified.
    unverified: u32,
    /// Findings revised.
    revised: u32,
    /// Findings added.
    added: u32,
    /// Dismissals that did not count.
    dismissals_refused: u32,
    /// Further requests, which are never answered.
    requests_ignored: u32,
    /// Tokens that were billed for it.
    extra_tokens: u64,
    /// Why its answer was not used.
    failed: Option<String>,
}

/// What was used.
#[derive(Debug, Serialize, JsonSchema)]
struct Spend {
    /// Requests that were sent.
    requests: u64,
    /// Tokens of prompts.
    prompt_tokens: u64,
    /// Tokens of answers.
    output_tokens: u64,
    /// Those of them that the follow-up cost.
    extra_tokens: u64,
    /// Calls that a cache answered.
    from_cache: u64,
    /// Calls that a replay answered.
    from_replay: u64,
    /// Attempts after a first one.
    new_attempts: u64,
    /// Answers that were repaired.
    repairs: u64,
    /// Requests whose use the provider did not say; they count as reserved.
    unsaid: u64,
    /// Billionths of a dollar, where a price is known.
    cost_nano_usd: Option<u64>,
    /// The most that it could have used, known before the first request.
    worst_case: WorstCase,
}

/// The most that a review may use.
#[derive(Debug, Serialize, JsonSchema)]
struct WorstCase {
    /// Calls.
    calls: u64,
    /// Requests with all attempts, simpler forms and repairs.
    requests: u64,
    /// Tokens of all calls, each with its repair; what would pass them is not sent.
    tokens: u64,
    /// The cap that nothing passes.
    tokens_max: Option<u64>,
    /// Billionths of a dollar for one attempt of every call.
    cost_nano_usd: Option<u64>,
}

/// A bound that was reached.
#[derive(Debug, Serialize, JsonSchema)]
struct Bound {
    /// Its name.
    name: &'static str,
    /// Its value.
    value: u64,
    /// What it cut.
    cut: String,
}

/// Something that failed.
#[derive(Debug, Serialize, JsonSchema)]
struct Failure {
    /// The part.
    part: String,
    /// What was tried, and why it failed.
    what: String,
    /// What to do next.
    advice: String,
    /// The answer as it came.
    raw: Option<String>,
}

impl ReviewReport {
    /// Returns the schema of a report.
    pub fn schema() -> Schema {
        schema_for!(Self)
    }

    /// Returns the form of a report that leaves the program.
    pub fn of(report: &Report) -> Self {
        let (model, no_model) = match &report.judge {
            ReviewJudge::RulesOnly { why } => (None, Some(why.clone())),
            ReviewJudge::RulesAndModel { model } => (Some(model.clone()), None),
        };
        Self {
            schema: "grounds.review/1",
            outcome: run::word(report.ending()),
            base: side(&report.base),
            head: side(&report.head),
            model,
            no_model,
            coverage: coverage(report),
            files: report.files.iter().map(file).collect(),
            gate: gate(report),
            findings: report.findings.iter().map(finding).collect(),
            dropped: report.dropped.iter().map(dropped).collect(),
            suppressed: report.suppressed.iter().map(suppressed).collect(),
            resolved: report.resolved.iter().map(resolved).collect(),
            rules: rules(report),
            calls: report.bundles.iter().map(call).collect(),
            gap: report.gap.iter().map(gap).collect(),
            follow_up: follow_up(&report.follow_up),
            spend: spend(&report.spend),
            bounds: report
                .bounds
                .iter()
                .map(|bound| Bound {
                    name: bound.name,
                    value: bound.value,
                    cut: bound.cut.clone(),
                })
                .collect(),
            failures: report.failures.iter().map(failure).collect(),
            notes: report.notes.clone(),
            owners: super::owners::of(&report.owners),
        }
    }
}

fn gate(report: &Report) -> Gate {
    let has_gate =
        |folder: &&FolderSettings| folder.min_quality.is_some() || folder.severity.is_some();
    let folder = |folder: &FolderSettings| FolderGate {
        folder: folder.path.clone(),
        min_quality: folder.min_quality.map(grounds_evidence::Quality::as_str),
        severity: folder.severity.map(severity),
    };
    let folders = report.folders.all().iter();
    Gate {
        min_quality: report.gate.min_quality.as_str(),
        severity: severity(report.gate.severity),
        folders: folders.filter(has_gate).map(folder).collect(),
    }
}

fn side(revision: &Revision) -> Side {
    match revision {
        Revision::Commit(hash) => Side {
            kind: "commit",
            commit: Some(hash.clone()),
        },
        Revision::Applied(_) => Side {
            kind: "applied",
            commit: None,
        },
        Revision::Index => Side {
            kind: "index",
            commit: None,
        },
        Revision::WorkingTree => Side {
            kind: "working_tree",
            commit: None,
        },
        Revision::Unknown => Side {
            kind: "unknown",
            commit: None,
        },
    }
}

fn coverage(report: &Report) -> Coverage {
    // Taken apart by name: a state of lines that is added must not be missing in the report.
    let report::Coverage {
        changed,
        reviewed,
        rules_only,
        clipped,
        skipped,
        failed,
        not_judged,
    } = report.coverage();
    Coverage {
        changed,
        reviewed,
        rules_only,
        clipped,
        skipped,
        failed,
        not_judged,
    }
}

fn file(file: &report::FileReport) -> File {
    let change = match file.change {
        FileChange::Added => "added",
        FileChange::Modified => "modified",
        FileChange::Renamed => "renamed",
        FileChange::Deleted => "deleted",
        FileChange::ModeOnly => "mode_only",
        FileChange::Binary => "binary",
        FileChange::Submodule => "submodule",
    };
    File {
        path: file.path.clone(),
        change,
        skipped: file.skipped.map(skip),
        lines: file.lines.iter().map(lines).collect(),
    }
}

fn lines(lines: &report::LineReport) -> Lines {
    let (state, why) = match lines.state {
        LineState::Reviewed => ("reviewed", None),
        LineState::RulesOnly => ("rules_only", None),
        LineState::Clipped => ("clipped", None),
        LineState::Skipped(reason) => ("skipped", Some(skip(reason))),
        LineState::Failed => ("failed", None),
        LineState::NotJudged(why) => ("not_judged", Some(unjudged(why))),
    };
    // Lines that were only removed have no place at the reviewed side.
    let first = (!lines.new_lines.is_empty()).then_some(lines.new_lines.start);
    let last = first.map(|_| lines.new_lines.end.saturating_sub(1));
    Lines {
        hunk: lines.hunk,
        line_start: first,
        line_end: last,
        added: lines.added,
        removed: lines.removed,
        state,
        why,
    }
}

const fn unjudged(why: Unjudged) -> &'static str {
    match why {
        Unjudged::Bound => "bound",
        Unjudged::LongLine => "long_line",
        Unjudged::LineEnds => "line_ends",
        Unjudged::NoText => "no_text",
        Unjudged::Failure => "failure",
    }
}

const fn skip(reason: SkipReason) -> &'static str {
    match reason {
        SkipReason::Generated => "generated",
        SkipReason::LockFile => "lock_file",
        SkipReason::Vendored => "vendored",
        SkipReason::Binary => "binary",
        SkipReason::Encoding => "encoding",
        SkipReason::TooLarge => "too_large",
        SkipReason::Secret => "secret",
        SkipReason::Submodule => "submodule",
        SkipReason::ModeOnly => "mode_only",
        SkipReason::RenamedOnly => "renamed_only",
        SkipReason::Deleted => "deleted",
        SkipReason::Excluded => "excluded",
    }
}

const fn lines_of(anchor: Anchor) -> (Option<u32>, Option<u32>) {
    match anchor {
        Anchor::Lines { start, end } => (Some(start), Some(end)),
        Anchor::File => (None, None),
    }
}

fn finding(reported: &report::Reported) -> Finding {
    let finding = &reported.finding;
    let (line_start, line_end) = lines_of(finding.anchor);
    let exact = finding.exact.as_ref();
    let (baseline, dismissed) = match &reported.baseline {
        BaselineState::New => ("new", None),
        BaselineState::Unchanged => ("unchanged", None),
        BaselineState::Dismissed { reason } => ("dismissed", Some(reason.clone())),
    };
    Finding {
        id: finding.id.clone(),
        rule: finding.rule.clone(),
        path: finding.path.clone(),
        line_start,
        line_end,
        column_start: exact.map(|exact| exact.column_start),
        column_end: exact.map(|exact| exact.column_end),
        fix: exact.and_then(|exact| exact.fix.as_ref()).map(fix),
        severity: severity(finding.severity),
        quality: finding.quality.as_str(),
        title: finding.title.clone(),
        message: finding.message.clone(),
        quote: finding.quote.clone(),
        symbol: finding.symbol.clone(),
        producers: finding.producers.iter().map(producer).collect(),
        fingerprint: reported.fingerprint.clone(),
        baseline,
        dismissed,
        standing: match reported.standing {
            GateStanding::Blocks => "blocks",
            GateStanding::Known => "known",
            GateStanding::BelowSeverity => "below_severity",
            GateStanding::BelowQuality => "below_quality",
        },
        notes: reported.notes.clone(),
    }
}

fn fix(fix: &grounds_review::finding::Fix) -> Fix {
    Fix {
        line_start: fix.line_start,
        column_start: fix.column_start,
        line_end: fix.line_end,
        column_end: fix.column_end,
        text: fix.text.clone(),
    }
}

fn producer(producer: &Producer) -> ProducedBy {
    match producer {
        Producer::Rule(name) => ProducedBy {
            kind: "rule",
            name: name.clone(),
        },
        Producer::Model(name) => ProducedBy {
            kind: "model",
            name: name.clone(),
        },
        Producer::Tool(name) => ProducedBy {
            kind: "tool",
            name: name.clone(),
        },
        Producer::FollowUp(name) => ProducedBy {
            kind: "follow_up",
            name: name.clone(),
        },
    }
}

fn dropped(dropped: &report::Dropped) -> Dropped {
    let kind = match &dropped.why {
        report::DropReason::FileNotInDiff => "file_not_in_diff",
        report::DropReason::LineNotInDiff => "line_not_in_diff",
        report::DropReason::NameExists { .. } => "name_exists",
        report::DropReason::SameAs { .. } => "same_as",
        report::DropReason::Dismissed { .. } => "dismissed",
        report::DropReason::Unreadable { .. } => "unreadable",
    };
    Dropped {
        id: dropped.id.clone(),
        path: dropped.path.clone(),
        line: dropped.line,
        title: dropped.title.clone(),
        kind,
        why: drop_words(&dropped.why),
    }
}

fn suppressed(suppressed: &grounds_review::rules::Suppressed) -> Suppressed {
    let (by, is_new) = match suppressed.by {
        SuppressedBy::Comment { is_new, .. } => ("comment", is_new),
        SuppressedBy::Configuration => ("configuration", false),
    };
    let finding = &suppressed.finding;
    Suppressed {
        rule: finding.rule.clone(),
        path: finding.path.clone(),
        line_start: lines_of(finding.anchor).0,
        title: finding.title.clone(),
        by,
        is_new,
        reason: suppressed.reason.clone(),
    }
}

fn resolved(resolved: &report::Resolved) -> Resolved {
    Resolved {
        fingerprint: resolved.fingerprint.clone(),
        path: resolved.path.clone(),
        title: resolved.title.clone(),
    }
}

fn rules(report: &Report) -> Rules {
    let judged = report.rules_judged;
    let open = |open: &grounds_review::rules::NotJudged| NotJudged {
        path: open.path.clone(),
        rule: open.rule.clone(),
        reason: open.reason.clone(),
        lines: open.lines,
    };
    Rules {
        rules: judged.rules,
        files: judged.files,
        files_judged: judged.files_judged,
        lines: judged.lines,
        lines_judged: judged.lines_judged,
        not_judged: report.rules_not_judged.iter().map(open).collect(),
    }
}

fn call(bundle: &report::BundleReport) -> Call {
    let context = |item: &grounds_review::ContextItem| Context {
        path: item.path.clone(),
        line_start: item.line_start,
        line_end: item.line_end,
        name: item.name.clone(),
        reason: item.reason.clone(),
        tokens: item.tokens,
    };
    Call {
        id: bundle.id.clone(),
        paths: bundle.paths.clone(),
        context: bundle.items.iter().map(context).collect(),
        prompt_tokens: bundle.prompt_tokens,
        prompt: bundle.prompt.clone(),
        was_stored: bundle.was_stored,
        findings: bundle.findings,
        tokens: bundle.tokens,
    }
}

fn gap(name: &grounds_review::Unresolved) -> Gap {
    Gap {
        name: name.name.clone(),
        used_at: name.used_at.clone(),
        why: name.why.clone(),
    }
}

fn follow_up(record: &report::FollowUpRecord) -> FollowUp {
    let taken = |taken: &report::FollowUpTaken| FollowUpJson {
        path: taken.path.clone(),
        line_start: taken.line_start,
        line_end: taken.line_end,
        line_end_shown: taken.line_end_shown,
        reason: taken.reason.clone(),
        confirmed: taken.confirmed,
        removed: taken.removed,
        unverified: taken.unverified,
        revised: taken.revised,
        added: taken.added,
        dismissals_refused: taken.dismissals_refused,
        requests_ignored: taken.requests_ignored,
        extra_tokens: taken.extra_tokens,
        failed: taken.failed.clone(),
    };
    FollowUp {
        allowed: record.off.is_none(),
        off: record.off,
        requests: record.requests.iter().map(request).collect(),
        taken: record.taken.as_ref().map(taken),
    }
}

fn request(request: &report::RequestRecord) -> Request {
    let (fate, why) = match &request.fate {
        RequestFate::Taken => ("taken", None),
        RequestFate::PassedOver => ("passed_over", None),
        RequestFate::Refused { why } => ("refused", Some(why.clone())),
    };
    Request {
        call: request.bundle.clone(),
        asked: request.asked.clone(),
        reason: request.reason.clone(),
        fate,
        why,
    }
}

fn spend(spend: &report::Spend) -> Spend {
    let worst = spend.worst_case;
    Spend {
        requests: spend.requests,
        prompt_tokens: spend.prompt_tokens,
        output_tokens: spend.output_tokens,
        extra_tokens: spend.extra_tokens,
        from_cache: spend.from_cache,
        from_replay: spend.from_replay,
        new_attempts: spend.new_attempts,
        repairs: spend.repairs,
        unsaid: spend.unsaid,
        cost_nano_usd: spend.cost_nano,
        worst_case: WorstCase {
            calls: worst.calls,
            requests: worst.requests,
            tokens: worst.tokens,
            tokens_max: worst.tokens_max,
            cost_nano_usd: worst.cost_nano,
        },
    }
}

fn failure(failure: &report::Failure) -> Failure {
    Failure {
        part: failure.part.clone(),
        what: failure.what.clone(),
        advice: failure.advice.clone(),
        raw: failure.raw.clone(),
    }
}
