//! A review from its beginning to its report: diff, rules, context and bundles, the model if one
//! was chosen, gates, merge, states of lines, baseline, gate. The parent of all other modules; it
//! decides only the order.

use std::path::Path;

use grounds_evidence::Quality;
use grounds_model::ModelClient;
use grounds_model::tokens::Tokenizer;
use grounds_repo::git::GitError;

use crate::assemble::{self, JudgedBy};
use crate::baseline::{self, Baseline, BaselineError, Dismissals};
use crate::canary;
use crate::candidate::Candidate;
use crate::carried::{self, Carried};
use crate::coverage::{self, Left};
use crate::diff::{self, Change, ChangedFile, DiffError, DiffLimits, DiffScope};
use crate::event::ReviewEvent;
use crate::follow_up::{ReachedEntry, ReviewedSide};
use crate::gates;
use crate::judge::{self, JudgedCase, Judgement};
use crate::merge::{self, Merged};
use crate::names::{self, Names};
use crate::options::PromptOptions;
use crate::others::{self, Others};
use crate::owners::{self, Owners};
use crate::plan::{self, PlanLimits, Prepared};
use crate::report::{
    Dropped, Ending, Failure, FollowUpRecord, GateStanding, Report, ReviewJudge, Spend,
};
use crate::rules::{self, Blobs, NotJudged, Open, RuleReport, RuleSet, Side, Unread};
use crate::settings::{self, SettingsSide};
use crate::sides::Sides;
use crate::tree::Content;
use crate::veil::Veil;

/// What to review and how: the input of [`run`].
#[derive(Clone, Copy)]
pub struct Setup<'s> {
    /// A folder of the repository.
    pub folder: &'s Path,
    /// The change to review.
    pub scope: &'s DiffScope,
    /// The rules.
    pub rules: &'s RuleSet,
    /// The sizes of the calls to the model.
    pub limits: &'s PlanLimits,
    /// The settings of the prompts.
    pub options: &'s PromptOptions,
    /// The judge in addition to the rules.
    pub reviewer: Reviewer<'s>,
    /// The last review.
    pub baseline: &'s Baseline,
    /// Reports of other tools, whose findings are judged as well.
    pub others: &'s [Others],
    /// Earlier judgements of a model. If `None`, the model is asked about every file, and nothing
    /// is kept for the next review.
    pub carried: Option<&'s Carried>,
}

/// The judge in addition to the rules.
#[derive(Clone, Copy)]
pub enum Reviewer<'s> {
    /// No model, with the reason.
    Nobody(&'s str),
    /// This model.
    Model(&'s ModelClient),
    /// A dry run: the requests to this model are counted and not sent.
    DryRun(&'s ModelClient),
}

/// The reason that a review could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReviewError {
    /// The diff could not be loaded.
    #[error(transparent)]
    Diff(#[from] DiffError),
    /// A side could not be read.
    #[error("read the reviewed side: {0}")]
    Git(#[from] GitError),
    /// The dismissals could not be read.
    #[error(transparent)]
    Baseline(#[from] BaselineError),
}

/// Reviews a change.
///
/// # Errors
/// Returns [`ReviewError`] if nothing could be judged at all. Later failures are in the report.
pub fn run(setup: &Setup<'_>, tell: &(dyn Fn(ReviewEvent) + Sync)) -> Result<Report, ReviewError> {
    let change = load(setup.folder, setup.scope, &setup.limits.diff, tell)?;
    let settings = SettingsSide::of(&change, &setup.limits.diff);
    judge_change(setup, &change, &settings, tell)
}

/// Loads the change to review, which is the first step, and reports it as an event.
///
/// # Errors
/// [`ReviewError::Diff`].
pub fn load(
    folder: &Path,
    scope: &DiffScope,
    limits: &DiffLimits,
    tell: &(dyn Fn(ReviewEvent) + Sync),
) -> Result<Change, ReviewError> {
    tell(ReviewEvent::Started);
    let change = diff::load(folder, scope, limits)?;
    tell(ReviewEvent::DiffParsed {
        files: change.diff.files.len(),
        changed_lines: change.diff.changed_lines(),
    });
    Ok(change)
}

/// Reviews a change that is already loaded, with the settings of the given side.
///
/// # Errors
/// As [`run`].
pub fn judge_change(
    setup: &Setup<'_>,
    change: &Change,
    settings: &SettingsSide<'_>,
    tell: &(dyn Fn(ReviewEvent) + Sync),
) -> Result<Report, ReviewError> {
    if let Reviewer::Model(client) | Reviewer::DryRun(client) = setup.reviewer {
        // The vocabulary of the tokenizer is read in the background, while git and the rules run.
        tokenizer_of(client).read_ahead();
    }
    let sides = sides(setup, change);
    let ruled = run_rules(setup, change, sides.as_ref())?;
    tell(ReviewEvent::RulesComplete {
        findings: ruled.findings.len(),
    });
    let dismissals = dismissals(settings)?;
    let mut veil = veil(change, sides.as_ref(), &ruled)?;
    let heads = sides.as_ref().map(Sides::heads).transpose()?;
    let left = Left::of(
        change,
        heads,
        &ruled.not_judged,
        setup.rules.limits.line_bytes_max,
    );
    let mut report = match setup.reviewer {
        Reviewer::Nobody(why) => {
            by_rules(setup, change, sides.as_ref(), ruled, &left, why.to_owned())
        }
        Reviewer::Model(client) => by_model(
            setup,
            change,
            (sides, &mut veil),
            (ruled, &left),
            client,
            tell,
        )?,
        Reviewer::DryRun(client) => counted(
            setup,
            change,
            (sides, &mut veil),
            (ruled, &left),
            client,
            tell,
        )?,
    };
    tell_others(&mut report, setup, change);
    if setup.options.require_coverage {
        let is_from_file = matches!(setup.scope, DiffScope::DiffFile(_));
        report
            .failures
            .extend(coverage::shortfall(&report, is_from_file));
    }
    // Notes are added before the report is masked below, since a note can quote a secret as well.
    report.notes.extend(veil.note());
    report.notes.extend(notes(change, settings));
    baseline::apply(&mut report, setup.baseline, &dismissals);
    // A dismissed finding does not block, so the gate decides after the baseline is applied.
    assemble::stand(&mut report);
    report.owners = owners_of(&report, change, setup.limits);
    // Masking is last: it has to see every text that the steps above wrote into the report.
    veil.cover(&mut report);
    tell(ReviewEvent::Complete {
        findings: shown(&report),
        ending: word(report.ending()),
    });
    Ok(report)
}

/// Returns the owners of the files with findings, by the owners file of the base.
fn owners_of(report: &Report, change: &Change, limits: &PlanLimits) -> Owners {
    let findings = report.findings.iter().map(|reported| &reported.finding);
    owners::of(change, findings, &limits.diff, limits.owners)
}

/// Returns the secrets to mask. The base is searched only if text of it can get into the output or
/// into a prompt.
fn veil(change: &Change, sides: Option<&Sides<'_>>, ruled: &RuleReport) -> Result<Veil, GitError> {
    // Without a finding and without a model, no text of the base is shown, and it need not be read.
    let needs_base = !ruled.findings.is_empty() || !ruled.suppressed.is_empty();
    let heads = sides.map(Sides::heads).transpose()?;
    let bases = sides
        .filter(|sides| needs_base || sides.needs_chain())
        .map(Sides::bases)
        .transpose()?;
    Ok(Veil::of(change, heads, bases))
}

/// Returns the word for the end of a review.
pub const fn word(ending: Ending) -> &'static str {
    match ending {
        Ending::Passes => "passes",
        Ending::Blocks => "blocks",
        Ending::Failed => "failed",
    }
}

fn shown(report: &Report) -> usize {
    report
        .findings
        .iter()
        .filter(|reported| {
            matches!(
                reported.standing,
                GateStanding::Blocks | GateStanding::Known
            )
        })
        .count()
}

/// The sides of a diff file that applies to no tree: they have no text.
struct NoText;

impl Blobs for NoText {
    fn read(&self, _file: &ChangedFile, _side: Side) -> Result<Option<Vec<u8>>, Unread> {
        Ok(None)
    }
}

impl ReviewedSide for NoText {
    fn entry(&self, _path: &str) -> ReachedEntry {
        ReachedEntry::Nothing
    }

    fn read(&self, _path: &str) -> Result<Vec<u8>, String> {
        Err("the diff came as a file, without a repository".to_owned())
    }
}

/// Returns both sides, which rules and plan share, or `None` if the change has no sides. The whole
/// context chain is resolved only if a model is asked.
fn sides<'c>(setup: &Setup<'c>, change: &'c Change) -> Option<Sides<'c>> {
    let sides = Sides::of(change, setup.limits)?;
    Some(match setup.reviewer {
        Reviewer::Nobody(_) => sides,
        Reviewer::Model(_) | Reviewer::DryRun(_) => sides.with_chain(),
    })
}

fn run_rules(
    setup: &Setup<'_>,
    change: &Change,
    sides: Option<&Sides<'_>>,
) -> Result<RuleReport, GitError> {
    match sides {
        Some(sides) => rules::run_in_repository(setup.rules, sides),
        None => Ok(rules::run(setup.rules, &change.diff, &NoText)),
    }
}

/// Returns the dismissals at the base, since a change must not dismiss its own findings.
fn dismissals(settings: &SettingsSide<'_>) -> Result<Dismissals, ReviewError> {
    let file = settings.file(Dismissals::PATH)?;
    let Some(Content::Bytes(bytes)) = file.map(|file| file.content) else {
        return Ok(Dismissals::default());
    };
    Ok(Dismissals::read(
        Dismissals::PATH,
        &String::from_utf8_lossy(&bytes),
    )?)
}

fn notes(change: &Change, settings: &SettingsSide<'_>) -> Vec<String> {
    let mut notes = Vec::new();
    notes.extend(match change.untracked {
        Some(0) => None,
        Some(1) => Some("1 untracked file is not part of this review".to_owned()),
        Some(count) => Some(format!(
            "{count} untracked files are not part of this review"
        )),
        None => {
            Some("untracked files are not part of this review, and could not be counted".to_owned())
        }
    });
    notes.extend(change.without_sides.clone());
    if !change.declared_binary.is_empty() {
        notes.push(format!(
            "declared binary by an attribute and compared as text: {}",
            change.declared_binary.join(", ")
        ));
    }
    notes.extend(settings::note(change, settings));
    notes
}

/// Returns a report that has the results of the rules and nothing else.
fn base_report(
    setup: &Setup<'_>,
    change: &Change,
    ruled: RuleReport,
    judge: ReviewJudge,
) -> (Report, RuleReport) {
    let report = Report {
        base: change.diff.base.clone(),
        head: change.diff.head.clone(),
        judge,
        files: Vec::new(),
        findings: Vec::new(),
        dropped: Vec::new(),
        suppressed: ruled.suppressed.clone(),
        rules_judged: ruled.judged,
        rules_not_judged: ruled.not_judged.clone(),
        resolved: Vec::new(),
        bundles: Vec::new(),
        gap: Vec::new(),
        follow_up: FollowUpRecord {
            off: setup.options.agent.off(),
            ..FollowUpRecord::default()
        },
        spend: Spend::default(),
        gate: setup.options.gate,
        folders: setup.rules.folders.clone(),
        bounds: Vec::new(),
        failures: failures_of_rules(setup, change, &ruled),
        notes: Vec::new(),
        owners: Owners::NotAsked,
        carried: None,
    };
    (report, ruled)
}

/// Returns a failure for each part that the rules could not judge: because something broke, or
/// because there was no text and no model judges either.
fn failures_of_rules(setup: &Setup<'_>, change: &Change, ruled: &RuleReport) -> Vec<Failure> {
    let why = |left: &NotJudged| match (left.open, &change.without_sides) {
        (Open::NoText, Some(why)) => format!("; {why}"),
        (Open::NoText | Open::Failure | Open::Kind | Open::Bound, _) => String::new(),
    };
    // A diff file without its tree can still be judged by a model, from its lines alone. A bound or
    // a file that is not text is a state of its lines, and no failure.
    let is_by_model = matches!(setup.reviewer, Reviewer::Model(_));
    let failed = |left: &&NotJudged| match left.open {
        Open::Failure => true,
        Open::NoText => !is_by_model,
        Open::Kind | Open::Bound => false,
    };
    let failure = |left: &NotJudged| {
        Failure {
        part: "the rules".to_owned(),
        what: format!("cannot judge `{}`: {}{}", left.path, left.reason, why(left)),
        advice: match left.open {
            Open::NoText => "review it in the repository that it was made from (`--repo DIR`), or choose a model".to_owned(),
            Open::Failure | Open::Kind | Open::Bound => "check the file, and `git fsck`; `grounds rules test` checks the rules".to_owned(),
        },
        raw: None,
    }
    };
    ruled
        .not_judged
        .iter()
        .filter(failed)
        .map(failure)
        .collect()
}

/// Returns the findings of other tools about the change, and those that were dropped.
fn of_others(setup: &Setup<'_>, change: &Change) -> (Vec<Candidate>, Vec<Dropped>) {
    let (mut kept, mut dropped) = (Vec::new(), Vec::new());
    for (number, report) in setup.others.iter().enumerate() {
        let (candidates, gone) =
            others::candidates(report, number, &change.diff, &setup.rules.measured);
        kept.extend(candidates);
        dropped.extend(gone);
    }
    (kept, dropped)
}

/// Notes how many findings of each tool were judged, and fails if a report is incomplete.
fn tell_others(report: &mut Report, setup: &Setup<'_>, change: &Change) {
    for (number, other) in setup.others.iter().enumerate() {
        // Counted again for each report, since findings do not say which report they are from.
        let (kept, _) = others::candidates(other, number, &change.diff, &setup.rules.measured);
        let mut tools: Vec<&str> = other
            .findings
            .iter()
            .map(|finding| finding.tool.as_str())
            .collect();
        tools.sort_unstable();
        tools.dedup();
        report.notes.push(format!(
            "`{}`: {} of {} findings of {} are about the change",
            other.name,
            kept.len(),
            other.findings.len(),
            if tools.is_empty() {
                "other tools".to_owned()
            } else {
                tools.join(", ")
            }
        ));
        report
            .failures
            .extend(other.failed.iter().map(|why| Failure {
                part: other.name.clone(),
                what: format!("cannot take its silence for one: {why}"),
                advice: "run the tool again, and give its whole report".to_owned(),
                raw: None,
            }));
    }
}

fn by_rules(
    setup: &Setup<'_>,
    change: &Change,
    sides: Option<&Sides<'_>>,
    ruled: RuleReport,
    left: &Left,
    why: String,
) -> Report {
    let (mut report, ruled) = base_report(setup, change, ruled, ReviewJudge::RulesOnly { why });
    let (others, fallen) = of_others(setup, change);
    // The tree is listed and searched only if a finding of another tool makes a claim about a name.
    let found = sides
        .filter(|_| !gates::names(&others).is_empty())
        .and_then(|sides| sides.tree().ok())
        .map(|tree| names::look(tree, &gates::names(&others)));
    let (others, refuted) = gates::check(others, found.as_ref(), &change.diff);
    let (mut merged, joined) = merge::merge(&ruled.findings, others);
    tell_unmerged(&mut merged, &ruled, setup.rules);
    report.dropped = fallen.into_iter().chain(refuted).chain(joined).collect();
    report.files = assemble::files(&change.diff, JudgedBy::ByRules, left);
    report.findings = assemble::findings(
        merged,
        &std::collections::BTreeMap::new(),
        setup.options.gate,
    );
    report
}

/// Adds notes to merged findings: why a finding is shown although a comment of this change silences
/// it, and why a weak rule is not trusted by itself.
fn tell_unmerged(merged: &mut [Merged], ruled: &RuleReport, rules: &RuleSet) {
    for merged in merged {
        let rule = merged.finding.rule.as_ref();
        if let Some(rule) = rule.filter(|_| merged.finding.quality == Quality::Weak) {
            merged.notes.push(rules.measured.told(rule));
        }
        if let Some(reason) = ruled.silenced_by_change.get(&merged.finding.id) {
            merged.notes.push(format!(
                "a comment of this change silences it ({}): that counts once it is merged",
                if reason.is_empty() {
                    "no reason is given"
                } else {
                    reason
                }
            ));
        }
    }
}

/// Prepares context and bundles, and reports them as an event.
fn prepared(
    setup: &Setup<'_>,
    change: &Change,
    sides: Option<Sides<'_>>,
    client: &ModelClient,
    tell: &(dyn Fn(ReviewEvent) + Sync),
) -> Result<Prepared, GitError> {
    let tokenizer = tokenizer_of(client);
    let prepared = match sides {
        Some(sides) => plan::prepare_sides(sides, tokenizer, setup.limits)?,
        None => plan::prepare(change, tokenizer, setup.limits)?,
    };
    let bundles = &prepared.plan.bundles;
    let items = || bundles.iter().flat_map(|bundle| &bundle.items);
    tell(ReviewEvent::ContextResolved {
        bundles: bundles.len(),
        items: items().count(),
        tokens: items().map(|item| item.tokens).sum(),
        unresolved: bundles.iter().map(|bundle| bundle.unresolved.len()).sum(),
    });
    Ok(prepared)
}

pub(crate) fn tokenizer_of(client: &ModelClient) -> Tokenizer {
    Tokenizer::for_model(&client.settings().endpoint.model)
}

/// Returns the name of a model with its provider.
pub(crate) fn model_name(client: &ModelClient) -> String {
    format!(
        "{}/{}",
        client.settings().provider.card().name,
        client.settings().endpoint.model
    )
}

fn by_model(
    setup: &Setup<'_>,
    change: &Change,
    (sides, veil): (Option<Sides<'_>>, &mut Veil),
    (ruled, left): (RuleReport, &Left),
    client: &ModelClient,
    tell: &(dyn Fn(ReviewEvent) + Sync),
) -> Result<Report, ReviewError> {
    let (prepared, before) = ready(setup, change, (sides, veil), &ruled, client, tell)?;
    let case = case(setup, change, &ruled, &prepared, veil);
    let worst_case = judge::worst_case(&case, client);
    // What is announced is a bound: new attempts that would pass it are not made.
    let client = &client.within(worst_case.tokens);
    let (mut judgement, canary) = asked(&case, client, tell);
    judgement.candidates.extend(before.candidates.clone());
    // A model that missed the planted defects has judged nothing that the next review could reuse.
    let is_heard = canary.as_ref().is_none_or(canary::Canary::is_heard);
    let kept = before.kept(setup, &case, is_heard.then_some(&judgement));
    let model = model_name(client);
    let (mut report, ruled) =
        base_report(setup, change, ruled, ReviewJudge::RulesAndModel { model });
    let judged = JudgedBy::ByModel {
        plan: &prepared.plan,
        failed: &judgement.failed,
    };
    report.files = assemble::files(&change.diff, judged, left);
    report.spend = Spend {
        worst_case,
        ..spend(&judgement, client)
    };
    tell_of(&mut report, &prepared, &judgement);
    settle(&mut report, setup, change, &ruled, &prepared, judgement);
    tell_canary(&mut report, canary.as_ref(), client);
    report.notes.extend(before.note);
    report.carried = kept;
    Ok(report)
}

impl Before {
    /// Returns the judgements that the next review may reuse; `None` if the setup keeps nothing.
    fn kept(
        &self,
        setup: &Setup<'_>,
        case: &JudgedCase<'_>,
        judgement: Option<&Judgement>,
    ) -> Option<Carried> {
        let known = setup.carried?;
        Some(carried::keep(case, &self.keys, known, judgement))
    }
}

/// Reports whether the model found the planted defects. If it did not, the lines count as judged by
/// the rules alone.
fn tell_canary(report: &mut Report, canary: Option<&canary::Canary>, client: &ModelClient) {
    let Some(canary) = canary else { return };
    report.notes.push(canary.told(&model_name(client)));
    if !canary.is_heard() {
        assemble::unhear(&mut report.files);
    }
}

/// Asks the model about the change, after the canary if that is on.
fn asked(
    case: &JudgedCase<'_>,
    client: &ModelClient,
    tell: &(dyn Fn(ReviewEvent) + Sync),
) -> (Judgement, Option<canary::Canary>) {
    let canary = case
        .options
        .canary
        .then(|| canary::ask(client, case.options.answer_tokens_max));
    (judge::judge(case, client, tell), canary)
}

/// Prepares the calls that are still to make, without secrets, and the earlier judgements of the
/// other files.
fn ready(
    setup: &Setup<'_>,
    change: &Change,
    (sides, veil): (Option<Sides<'_>>, &mut Veil),
    ruled: &RuleReport,
    client: &ModelClient,
    tell: &(dyn Fn(ReviewEvent) + Sync),
) -> Result<(Prepared, Before), GitError> {
    let mut prepared = prepared(setup, change, sides, client, tell)?;
    // The order matters: a key is made from the masked request, so the secrets of context files
    // have to be known before. Taking judged files out divides the rest into calls again, so names
    // are removed from the calls last.
    veil.add_context(&prepared);
    let before = judged_before(setup, change, ruled, &mut prepared, veil, client);
    veil.leave_out(&mut prepared.plan);
    Ok((prepared, before))
}

/// The files that an earlier review judged and that have not changed since.
#[derive(Default)]
struct Before {
    keys: carried::Keys,
    candidates: Vec<Candidate>,
    note: Option<String>,
}

/// Removes files that were judged before from the plan, and returns their findings.
fn judged_before(
    setup: &Setup<'_>,
    change: &Change,
    ruled: &RuleReport,
    prepared: &mut Prepared,
    veil: &Veil,
    client: &ModelClient,
) -> Before {
    let Some(known) = setup.carried else {
        return Before::default();
    };
    let case = case(setup, change, ruled, prepared, veil);
    let keys = carried::keys(&case, prepared, client, setup.limits);
    let judged = carried::known(known, &keys);
    let candidates = carried::candidates(known, &keys, &judged);
    let note = (!judged.is_empty()).then(|| {
        format!(
            "{} of {} files are as this model judged them in an earlier review, in their lines and in their context: \
             it was not asked about them again, and what it found in them then ({}) counts as before",
            judged.len(),
            keys.len(),
            crate::forms::counted(candidates.len(), "finding"),
        )
    });
    let tokenizer = tokenizer_of(client);
    prepared.leave_out(&judged, &change.diff, tokenizer, setup.limits);
    Before {
        keys,
        candidates,
        note,
    }
}

fn case<'c>(
    setup: &Setup<'c>,
    change: &'c Change,
    ruled: &'c RuleReport,
    prepared: &'c Prepared,
    veil: &'c Veil,
) -> JudgedCase<'c> {
    let source: &dyn ReviewedSide = prepared.tree.as_ref().map_or(&NoText, |tree| tree);
    JudgedCase {
        diff: &change.diff,
        plan: &prepared.plan,
        rules: &ruled.findings,
        source,
        options: setup.options,
        veil,
    }
}

/// Checks the candidates against the tree, and merges them with the findings of the rules.
fn settle(
    report: &mut Report,
    setup: &Setup<'_>,
    change: &Change,
    ruled: &RuleReport,
    prepared: &Prepared,
    mut judgement: Judgement,
) {
    let (others, outside) = of_others(setup, change);
    judgement.candidates.extend(others);
    judgement.dropped.extend(outside);
    let asked = gates::names(&judgement.candidates);
    let found: Option<Names> = prepared
        .tree
        .as_ref()
        .filter(|_| !asked.is_empty())
        .map(|tree| names::look(tree, &asked));
    let (kept, fallen) = gates::check(judgement.candidates, found.as_ref(), &change.diff);
    let (mut merged, joined) = merge::merge(&ruled.findings, kept);
    tell_unmerged(&mut merged, ruled, setup.rules);
    report.findings = assemble::findings(merged, &prepared.heads, setup.options.gate);
    report.dropped = judgement
        .dropped
        .into_iter()
        .chain(fallen)
        .chain(joined)
        .collect();
    report.bundles = judgement.bundles;
    report.follow_up = judgement.follow_up;
    report.failures.extend(judgement.failures);
    report.bounds.extend(judgement.bounds);
}

fn tell_of(report: &mut Report, prepared: &Prepared, judgement: &Judgement) {
    report.gap = prepared
        .plan
        .bundles
        .iter()
        .flat_map(|bundle| bundle.unresolved.iter().cloned())
        .collect();
    report.bounds.extend(prepared.bounds.iter().cloned());
    if prepared.unread > 0 {
        report.notes.push(format!(
            "{} files of the reviewed side could not be read for context",
            prepared.unread
        ));
    }
    if !judgement.held_back.is_empty() {
        report.notes.push(format!(
            "not sent, since their names are those of secrets: {}",
            judgement.held_back.join(", ")
        ));
    }
    if !judgement.told.masked.is_empty() {
        let rules: Vec<String> = judgement
            .told
            .masked
            .iter()
            .map(|(rule, count)| format!("{count} {rule}"))
            .collect();
        report
            .notes
            .push(format!("masked before it was sent: {}", rules.join(", ")));
    }
}

fn spend(judgement: &Judgement, client: &ModelClient) -> Spend {
    let (spent, told) = (&judgement.spent, &judgement.told);
    // A price is not known for every model. A cost of 0 is believed only of a model on this
    // machine.
    let is_priced = spent.cost_nano > 0 || client.settings().endpoint.base.is_local();
    Spend {
        requests: spent.requests,
        prompt_tokens: spent.prompt_tokens,
        output_tokens: spent.output_tokens,
        extra_tokens: judgement
            .follow_up
            .taken
            .as_ref()
            .map_or(0, |taken| taken.extra_tokens),
        from_cache: told.from_cache,
        from_replay: told.from_replay,
        new_attempts: told.new_attempts,
        repairs: told.repairs,
        unsaid: spent.unsaid,
        cost_nano: is_priced.then_some(spent.cost_nano),
        ..Spend::default()
    }
}

/// Makes the report of a dry run: the requests are counted and not sent.
fn counted(
    setup: &Setup<'_>,
    change: &Change,
    (sides, veil): (Option<Sides<'_>>, &mut Veil),
    (ruled, left): (RuleReport, &Left),
    client: &ModelClient,
    tell: &(dyn Fn(ReviewEvent) + Sync),
) -> Result<Report, ReviewError> {
    let (prepared, before) = ready(setup, change, (sides, veil), &ruled, client, tell)?;
    let case = case(setup, change, &ruled, &prepared, veil);
    let (worst_case, bundles) = (
        judge::worst_case(&case, client),
        judge::planned(&case, client),
    );
    // The plan used up the sides, so claims of other tools about names are not checked in a dry
    // run.
    let mut report = by_rules(
        setup,
        change,
        None,
        ruled,
        left,
        format!("this is a dry run; {} would be asked", model_name(client)),
    );
    report.spend.worst_case = worst_case;
    report.bundles = bundles;
    report.gap = prepared
        .plan
        .bundles
        .into_iter()
        .flat_map(|bundle| bundle.unresolved)
        .collect();
    report.bounds = prepared.bounds;
    report.notes.extend(before.note);
    Ok(report)
}

impl ReviewError {
    /// Returns what to do next.
    pub fn advice(&self) -> String {
        match self {
            Self::Diff(error) => error.advice(),
            Self::Git(_) => "check that git works here: `git status`".to_owned(),
            Self::Baseline(_) => "fix the file, or remove the entry".to_owned(),
        }
    }
}
