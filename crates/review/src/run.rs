//! A review from its beginning to its report: diff, rules, context and bundles,
//! the model where one was chosen, gates, merge, states of lines, baseline, gate. The
//! parent of all other modules; it decides the order and nothing else.

use std::path::Path;

use grounds_model::Client;
use grounds_model::tokens::Tokenizer;
use grounds_repo::git::GitError;

use crate::assemble::{self, Judged};
use crate::baseline::{self, Baseline, BaselineError, Dismissals};
use crate::diff::{self, Change, ChangedFile, DiffError, Revision, Scope};
use crate::event::Event;
use crate::follow_up::{Entry, Source};
use crate::gates;
use crate::judge::{self, Case, Judgement};
use crate::merge;
use crate::names::{self, Names};
use crate::options::Options;
use crate::plan::{self, PlanLimits, Prepared};
use crate::report::{Ending, Failure, FollowUpRecord, Judge, Report, Spend, Standing};
use crate::rules::{
    self, Blobs, ChainCallers, GitBlobs, NotJudged, Open, RuleReport, RuleSet, Side, Unread,
};
use crate::sides::Sides;
use crate::tree::{Content, Tree};

/// What a person asks for.
#[derive(Clone, Copy)]
pub struct Setup<'s> {
    /// A folder of the repository.
    pub folder: &'s Path,
    /// What is reviewed.
    pub scope: &'s Scope,
    /// The rules.
    pub rules: &'s RuleSet,
    /// How large calls are.
    pub limits: &'s PlanLimits,
    /// How the model is asked.
    pub options: &'s Options,
    /// Who judges beside the rules.
    pub reviewer: Reviewer<'s>,
    /// The last review.
    pub baseline: &'s Baseline,
}

/// Who judges beside the rules.
#[derive(Clone, Copy)]
pub enum Reviewer<'s> {
    /// Nobody, and why.
    Nobody(&'s str),
    /// This model.
    Model(&'s Client),
    /// This model would: what would be sent is counted and not sent.
    DryRun(&'s Client),
}

/// Why there is no review.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReviewError {
    /// There is no diff.
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
/// [`ReviewError`] where nothing could be judged at all. What failed later stands in the report.
pub fn run(setup: &Setup<'_>, tell: &(dyn Fn(Event) + Sync)) -> Result<Report, ReviewError> {
    tell(Event::Started);
    if let Reviewer::Model(client) | Reviewer::DryRun(client) = setup.reviewer {
        tokenizer_of(client).read_ahead();
    }
    let change = diff::load(setup.folder, setup.scope, &setup.limits.diff)?;
    tell(Event::DiffParsed {
        files: change.diff.files.len(),
        changed_lines: change.diff.changed_lines(),
    });
    let sides = sides(setup, &change);
    let ruled = run_rules(setup, &change, sides.as_ref())?;
    tell(Event::RulesComplete {
        findings: ruled.findings.len(),
    });
    let dismissals = dismissals(&change, setup.limits)?;
    let mut report = match setup.reviewer {
        Reviewer::Nobody(why) => by_rules(setup, &change, ruled, why.to_owned()),
        Reviewer::Model(client) => by_model(setup, &change, sides, ruled, client, tell)?,
        Reviewer::DryRun(client) => counted(setup, &change, sides, ruled, client, tell)?,
    };
    report.notes.extend(notes(&change));
    baseline::apply(&mut report, setup.baseline, &dismissals);
    assemble::stand(&mut report);
    tell(Event::Complete {
        findings: shown(&report),
        ending: word(report.ending()),
    });
    Ok(report)
}

/// The word for how a review ended.
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
        .filter(|reported| matches!(reported.standing, Standing::Blocks | Standing::Known))
        .count()
}

/// No text is there of a diff that came as a file.
struct NoText;

impl Blobs for NoText {
    fn read(&self, _file: &ChangedFile, _side: Side) -> Result<Option<Vec<u8>>, Unread> {
        Ok(None)
    }
}

impl Source for NoText {
    fn entry(&self, _path: &str) -> Entry {
        Entry::Nothing
    }

    fn read(&self, _path: &str) -> Result<Vec<u8>, String> {
        Err("the diff came as a file, without a repository".to_owned())
    }
}

/// Both sides, read once for rules and plan; a model is asked with the whole chain.
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
        Some(sides) => Ok(rules::run_with_callers(
            setup.rules,
            &change.diff,
            &GitBlobs::new(sides)?,
            &ChainCallers::new(sides),
        )),
        None => Ok(rules::run(setup.rules, &change.diff, &NoText)),
    }
}

/// What was dismissed before this change: what is reviewed must not dismiss its own findings.
fn dismissals(change: &Change, limits: &PlanLimits) -> Result<Dismissals, ReviewError> {
    let Some(top) = &change.top else {
        return Ok(Dismissals::default());
    };
    let side = match (&change.diff.base, &change.diff.head) {
        (base, Revision::Commit(_) | Revision::Applied(_)) => base,
        // What is not committed yet is the person's own.
        (_, head @ (Revision::Index | Revision::WorkingTree | Revision::Unknown)) => head,
    };
    let content = Tree::read_at(top, side, Dismissals::PATH, &limits.diff)?;
    let Some(Content::Bytes(bytes)) = content else {
        return Ok(Dismissals::default());
    };
    Ok(Dismissals::read(
        Dismissals::PATH,
        &String::from_utf8_lossy(&bytes),
    )?)
}

fn notes(change: &Change) -> Vec<String> {
    const OWN_FILES: [&str; 4] = [
        ".grounds.yaml",
        ".cora.yaml",
        ".grounds/",
        ".github/workflows/",
    ];
    let mut notes = Vec::new();
    notes.extend(match change.untracked {
        Some(0) => None,
        Some(1) => Some("1 file that git does not know yet is no part of this review".to_owned()),
        Some(count) => Some(format!(
            "{count} files that git does not know yet are no part of this review"
        )),
        None => Some(
            "files that git does not know yet are no part of this review, and could not be counted"
                .to_owned(),
        ),
    });
    notes.extend(change.without_sides.clone());
    if !change.declared_binary.is_empty() {
        notes.push(format!(
            "declared binary by an attribute and compared as text: {}",
            change.declared_binary.join(", ")
        ));
    }
    let own = change
        .diff
        .files
        .iter()
        .map(|file| file.path.as_str())
        .filter(|path| OWN_FILES.iter().any(|own| path.starts_with(own)));
    let own: Vec<&str> = own.collect();
    if !own.is_empty() {
        notes.push(format!(
            "this change touches what decides how it is reviewed: {}",
            own.join(", ")
        ));
    }
    notes
}

/// A report with what the rules say and nothing else.
fn base_report(
    setup: &Setup<'_>,
    change: &Change,
    ruled: RuleReport,
    judge: Judge,
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
        bounds: Vec::new(),
        failures: failures_of_rules(setup, change, &ruled),
        notes: Vec::new(),
    };
    (report, ruled)
}

/// What the rules could not judge because something broke, or because there was no text and no model judges either.
fn failures_of_rules(setup: &Setup<'_>, change: &Change, ruled: &RuleReport) -> Vec<Failure> {
    let why = |left: &NotJudged| match (left.open, &change.without_sides) {
        (Open::NoText, Some(why)) => format!("; {why}"),
        (Open::NoText | Open::Failure | Open::Kind | Open::Bound, _) => String::new(),
    };
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

fn by_rules(setup: &Setup<'_>, change: &Change, ruled: RuleReport, why: String) -> Report {
    let (mut report, ruled) = base_report(setup, change, ruled, Judge::RulesOnly { why });
    let (merged, _) = merge::merge(&ruled.findings, Vec::new());
    report.files = assemble::files(&change.diff, Judged::ByRules);
    report.findings = assemble::findings(
        merged,
        &std::collections::BTreeMap::new(),
        setup.options.gate,
    );
    report
}

/// Context and bundles, told.
fn prepared(
    setup: &Setup<'_>,
    change: &Change,
    sides: Option<Sides<'_>>,
    client: &Client,
    tell: &(dyn Fn(Event) + Sync),
) -> Result<Prepared, GitError> {
    let tokenizer = tokenizer_of(client);
    let prepared = match sides {
        Some(sides) => plan::prepare_sides(sides, tokenizer, setup.limits)?,
        None => plan::prepare(change, tokenizer, setup.limits)?,
    };
    let bundles = &prepared.plan.bundles;
    let items = || bundles.iter().flat_map(|bundle| &bundle.items);
    tell(Event::ContextResolved {
        bundles: bundles.len(),
        items: items().count(),
        tokens: items().map(|item| item.tokens).sum(),
        unresolved: bundles.iter().map(|bundle| bundle.unresolved.len()).sum(),
    });
    Ok(prepared)
}

fn tokenizer_of(client: &Client) -> Tokenizer {
    Tokenizer::for_model(&client.settings().endpoint.model)
}

/// The name of a model with its provider.
fn model_name(client: &Client) -> String {
    format!(
        "{}/{}",
        client.settings().provider.card().name,
        client.settings().endpoint.model
    )
}

fn by_model(
    setup: &Setup<'_>,
    change: &Change,
    sides: Option<Sides<'_>>,
    ruled: RuleReport,
    client: &Client,
    tell: &(dyn Fn(Event) + Sync),
) -> Result<Report, ReviewError> {
    let prepared = prepared(setup, change, sides, client, tell)?;
    let case = case(setup, change, &ruled, &prepared);
    let worst_case = judge::worst_case(&case, client);
    let judgement = judge::judge(&case, client, tell);
    let (mut report, ruled) = base_report(
        setup,
        change,
        ruled,
        Judge::RulesAndModel {
            model: model_name(client),
        },
    );
    report.files = assemble::files(
        &change.diff,
        Judged::ByModel {
            plan: &prepared.plan,
            failed: &judgement.failed,
        },
    );
    report.spend = Spend {
        worst_case,
        ..spend(&judgement, client)
    };
    tell_of(&mut report, &prepared, &judgement);
    settle(&mut report, setup, change, &ruled, &prepared, judgement);
    Ok(report)
}

fn case<'c>(
    setup: &Setup<'c>,
    change: &'c Change,
    ruled: &'c RuleReport,
    prepared: &'c Prepared,
) -> Case<'c> {
    let source: &dyn Source = prepared.tree.as_ref().map_or(&NoText, |tree| tree);
    Case {
        diff: &change.diff,
        plan: &prepared.plan,
        rules: &ruled.findings,
        source,
        options: setup.options,
    }
}

/// Gates and merge.
fn settle(
    report: &mut Report,
    setup: &Setup<'_>,
    change: &Change,
    ruled: &RuleReport,
    prepared: &Prepared,
    judgement: Judgement,
) {
    let asked = gates::names(&judgement.candidates);
    let found: Option<Names> = prepared
        .tree
        .as_ref()
        .filter(|_| !asked.is_empty())
        .map(|tree| names::look(tree, &asked));
    let (kept, fallen) = gates::check(judgement.candidates, found.as_ref(), &change.diff);
    let (merged, joined) = merge::merge(&ruled.findings, kept);
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

fn spend(judgement: &Judgement, client: &Client) -> Spend {
    let (spent, told) = (&judgement.spent, &judgement.told);
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

/// A dry run: what would be sent, counted.
fn counted(
    setup: &Setup<'_>,
    change: &Change,
    sides: Option<Sides<'_>>,
    ruled: RuleReport,
    client: &Client,
    tell: &(dyn Fn(Event) + Sync),
) -> Result<Report, ReviewError> {
    let prepared = prepared(setup, change, sides, client, tell)?;
    let case = case(setup, change, &ruled, &prepared);
    let (worst_case, bundles) = (
        judge::worst_case(&case, client),
        judge::planned(&case, client),
    );
    let mut report = by_rules(
        setup,
        change,
        ruled,
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
    Ok(report)
}

impl ReviewError {
    /// What to do next.
    pub fn advice(&self) -> String {
        match self {
            Self::Diff(error) => error.advice(),
            Self::Git(_) => "check that git works here: `git status`".to_owned(),
            Self::Baseline(_) => "mend the file, or remove the entry".to_owned(),
        }
    }
}
