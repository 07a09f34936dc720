//! `grounds review`.

mod carry;
mod fix;
mod hunks;
mod meter;
mod post;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use grounds_evidence::Quality;
use grounds_model::ModelClient;
use grounds_repo::git::{self, TreeState};
use grounds_review::analyzers;
use grounds_review::baseline::Baseline;
use grounds_review::diff;
use grounds_review::event::ReviewEvent;
use grounds_review::folders::Folders;
use grounds_review::options::{Agent, PromptOptions};
use grounds_review::others::Others;
use grounds_review::owners::OwnersLimits;
use grounds_review::report::{Ending, Gate};
use grounds_review::tree::Content;
use grounds_review::{
    Change, DiffScope, FileChange, PlanLimits, ReviewError, Reviewer, Revision, RuleSet,
    SettingsSide, Setup, Severity,
};

use crate::cli::{Format, Global, Review, ReviewFormat, SeverityLevel};
use crate::config::folders::FolderConfigs;
use crate::config::{self, CORA_FILE_NAME, Config, FILE_NAME, ReviewConfig, StoreConfig, base};
use crate::ended::{Beside, Ended, JobKind, PageLook, Report};
use crate::error::Error;
use crate::exit::Exit;
use crate::named;
use crate::output::{Style, review};
use crate::rules;
use meter::ReviewMeter;

/// Bytes of a file of known findings that are read; 100,000 findings have room.
const BASELINE_BYTES_MAX: u64 = 64 << 20;

/// Digits of a commit's hash that are shown.
const COMMIT_DIGITS: usize = 12;

/// Reviews a change, and returns how it ended.
pub(super) fn ended(arguments: &Review, global: &Global) -> Result<Ended, Error> {
    let folder = folder(global)?;
    let top = folder
        .ancestors()
        .find(|folder| folder.join(".git").exists())
        .unwrap_or(&folder)
        .to_owned();
    let scope = scope(arguments);
    let meter = ReviewMeter::start(global);
    // While another process writes the index, HEAD may still be the one of before.
    let waited = diff::wait_for(&top, &scope, &PlanLimits::default().diff);
    told(waited.map_err(ReviewError::from), &meter)?;
    // If there is no repository, the first call says so. One private folder serves all calls of
    // git: a new one for each call took a sixth of the time of a hook.
    let _kept = git::hold(&top).ok();
    let change = told(load(&folder, &scope, &meter), &meter)?;
    let usual = PlanLimits::default();
    // Everything that decides how the change is judged is read from its base: a change must not
    // lower its own bar.
    let settings = SettingsSide::of(&change, &usual.diff);
    let config = base::read(global.config.as_deref(), &top, &settings)?;
    let rules = rules::of_base(
        &settings,
        &config.rules,
        folders(arguments, global, &settings)?,
    )?;
    let options = options(arguments, &config.review, global.format);
    let limits = limits(&config.review);
    let client = client(arguments, global, &config)?;
    let mut others = others(&arguments.findings)?;
    if !arguments.rules_only {
        others.extend(analyzed(arguments, &config.review, &change, &settings)?);
    }
    let baseline = baseline(arguments.baseline.as_deref(), &top, &settings)?;
    let reviewer = match &client {
        Some(client) if arguments.model.dry_run => Reviewer::DryRun(client),
        Some(client) => Reviewer::Model(client),
        None if arguments.rules_only => Reviewer::Nobody("--rules-only"),
        None if global.no_model => Reviewer::Nobody("--no-model"),
        None => Reviewer::Nobody("no model is chosen; see docs/models.md"),
    };
    // A review that cannot be posted fails here, before a model is asked and paid for.
    let posting = post::open(arguments, &change)?;
    let before = carry::read(arguments, posting.as_ref(), &top, &settings)?;
    let setup = Setup {
        folder: &folder,
        scope: &scope,
        rules: &rules,
        limits: &limits,
        options: &options,
        reviewer,
        baseline: &baseline,
        others: &others,
        carried: before.carried.as_ref(),
    };
    let judged =
        grounds_review::judge_change(&setup, &change, &settings, &|event| meter.tell(&event));
    let mut report = told(judged, &meter)?;
    drop(meter);
    report.notes.extend(notes(global, &top, &settings));
    report.notes.extend(governed(&report.folders, &settings));
    report.notes.extend(before.note);
    // The summary comment carries them, so they are needed before it is written.
    let carried = carry::keep(arguments, posting.as_ref(), report.carried.as_ref())?;
    if let Some(posting) = &posting {
        let posted = posting.post(arguments, &report, &change, carried.as_deref())?;
        report.notes.extend(posted);
    }
    if arguments.fix {
        report.notes.extend(fix::write(&report, &top));
    }
    if let Some(path) = &arguments.save_baseline {
        save(path, &report)?;
    }
    Ok(Ended {
        store: config.store,
        beside: Beside::Hunks(hunks::around(&report.findings, &change.diff)),
        ..end(report, rules, &scope, top)
    })
}

/// Reads what folders of the base set for their own files. If a configuration is named, it counts
/// instead of theirs too.
fn folders(
    arguments: &Review,
    global: &Global,
    settings: &SettingsSide<'_>,
) -> Result<FolderConfigs, Error> {
    if global.config.is_some() {
        return Ok(FolderConfigs::default());
    }
    let mut read = config::folders::read(settings)?;
    let (quality, severity) = (arguments.min_quality, arguments.severity);
    // A gate on the command line is for the whole review.
    read.folders
        .without_bars(quality.is_some(), severity.is_some());
    Ok(read)
}

fn load(folder: &Path, scope: &DiffScope, meter: &ReviewMeter) -> Result<Change, ReviewError> {
    let limits = PlanLimits::default().diff;
    grounds_review::load(folder, scope, &limits, &|event| meter.tell(&event))
}

/// Passes on the result of a step, and reports its failure as an event.
fn told<T>(step: Result<T, ReviewError>, meter: &ReviewMeter) -> Result<T, ReviewError> {
    step.inspect_err(|error| {
        meter.tell(&ReviewEvent::Error {
            part: "the review".to_owned(),
            what: format!("cannot {error}"),
        });
    })
}

/// Returns notes about settings on disk that do not count, since the base has others.
fn notes(global: &Global, top: &Path, settings: &SettingsSide<'_>) -> Vec<String> {
    let is_left = |path: &&str| {
        // A file that the change edits differs on purpose, and the diff shows it.
        !settings.is_changed(path)
            && global.config.is_none()
            && base::differs_on_disk(top, settings, path)
    };
    let on_disk = [FILE_NAME, CORA_FILE_NAME].into_iter();
    on_disk
        .filter(is_left)
        .map(|path| {
            format!(
                "`{path}` on disk does not count: this review is judged by the settings of {}; `--config {path}` names it",
                settings.name()
            )
        })
        .collect()
}

/// Returns a note with the folders whose own configuration counted; `None` if no folder has one.
fn governed(folders: &Folders, settings: &SettingsSide<'_>) -> Option<String> {
    let files = folders
        .all()
        .iter()
        .map(|folder| format!("`{}{FILE_NAME}`", folder.path));
    let files: Vec<String> = files.collect();
    (!files.is_empty()).then(|| {
        format!(
            "files below a folder with a configuration of its own are judged by it, as it is at {}: {}",
            settings.name(),
            files.join(", ")
        )
    })
}

fn end(report: grounds_review::Report, rules: RuleSet, scope: &DiffScope, top: PathBuf) -> Ended {
    let exit = match report.ending() {
        Ending::Passes => Exit::Answered,
        Ending::Blocks => Exit::Blocked,
        Ending::Failed => Exit::Failed,
    };
    Ended {
        exit,
        kind: JobKind::Review,
        words: words(scope, &report.head),
        verdict: grounds_review::run::word(report.ending()),
        root: top.clone(),
        tree: state(&report, &top),
        documents: None,
        beside: Beside::Hunks(Vec::new()),
        store: StoreConfig::default(),
        report: Box::new(Reviewed { report, rules, top }),
    }
}

/// Returns the state of the tree if the judged change is in no commit: no file has to be read to
/// see that it differs.
fn state(report: &grounds_review::Report, top: &Path) -> Option<TreeState> {
    let is_uncommitted = matches!(report.head, Revision::Index | Revision::WorkingTree);
    let mut files = report.files.iter();
    (is_uncommitted && files.any(|file| file.change != FileChange::Submodule))
        .then(|| git::differing_state(top))
}

/// Returns the name of the change that was asked for.
fn words(scope: &DiffScope, head: &Revision) -> String {
    match scope {
        DiffScope::Base(base) => format!("since {base}"),
        DiffScope::Staged => "what is staged".to_owned(),
        DiffScope::Commit(commit) => format!("commit {commit}"),
        DiffScope::DiffFile(file) => format!("the diff {}", file.display()),
        DiffScope::WorkingTree => "the working tree".to_owned(),
        DiffScope::Uncommitted => "what is not committed".to_owned(),
        DiffScope::Between(base, head) => format!("from {base} to {head}"),
        DiffScope::Nearest => match head {
            Revision::Commit(hash) => {
                format!("commit {}", hash.get(..COMMIT_DIGITS).unwrap_or(hash))
            }
            Revision::Index => "what is staged".to_owned(),
            Revision::WorkingTree => "the working tree".to_owned(),
            Revision::Applied(_) | Revision::Unknown => "the nearest change".to_owned(),
        },
    }
}

/// A review with what is needed to show it.
struct Reviewed {
    report: grounds_review::Report,
    rules: RuleSet,
    top: PathBuf,
}

impl Report for Reviewed {
    fn write(&self, format: Format, look: PageLook, out: &mut dyn Write) -> io::Result<()> {
        let style = Style {
            colour: look.colour,
            verbose: look.verbose,
            root: &self.top,
        };
        review::print(
            &self.report,
            &self.rules,
            ReviewFormat::from(format),
            &style,
            out,
        )
    }
}

fn folder(global: &Global) -> Result<PathBuf, Error> {
    let folder = match &global.repo {
        Some(folder) => folder.clone(),
        None => std::env::current_dir().map_err(Error::CurrentDirectory)?,
    };
    Ok(folder.canonicalize().unwrap_or(folder))
}

fn scope(arguments: &Review) -> DiffScope {
    // The options exclude each other on the command line (group `scope`).
    match (
        &arguments.base,
        arguments.staged,
        &arguments.commit,
        &arguments.diff_file,
    ) {
        (Some(base), ..) => DiffScope::Base(base.clone()),
        (None, true, ..) => DiffScope::Staged,
        (None, false, None, None) if arguments.uncommitted => DiffScope::Uncommitted,
        (None, false, Some(commit), _) => DiffScope::Commit(commit.clone()),
        (None, false, None, Some(file)) => DiffScope::DiffFile(file.clone()),
        (None, false, None, None) => DiffScope::Nearest,
    }
}

/// Returns the model that the person chose; `None` if no model is chosen, or none is wanted.
fn client(
    arguments: &Review,
    global: &Global,
    config: &Config,
) -> Result<Option<ModelClient>, Error> {
    if global.no_model || arguments.rules_only {
        return Ok(None);
    }
    let chosen = config.model.clone().unwrap_or_default();
    Ok(crate::model::settings(&arguments.model, &chosen)?.map(ModelClient::of))
}

/// Reports whether a program reads the report, so that nobody sees its last line: silence about a
/// line must not pass there.
const fn is_for_ci(arguments: &Review, format: Format) -> bool {
    match format {
        Format::Sarif | Format::Annotations | Format::Rdjson => true,
        Format::Pretty | Format::Json | Format::Markdown | Format::Html => arguments.post.is_some(),
    }
}

fn options(arguments: &Review, config: &ReviewConfig, format: Format) -> PromptOptions {
    let (usual, agent) = (PromptOptions::default(), &config.agent);
    let quality = arguments
        .min_quality
        .map(Quality::from)
        .or_else(|| config.min_quality.map(Quality::from));
    let severity = arguments
        .severity
        .map(level_of)
        .or_else(|| config.severity.map(Severity::from));
    PromptOptions {
        agent: Agent {
            enabled: agent.enabled.unwrap_or(usual.agent.enabled) && !arguments.no_agent,
            allow_follow_up: agent.allow_follow_up.unwrap_or(usual.agent.allow_follow_up),
            max_follow_up_tokens: agent
                .max_follow_up_tokens
                .unwrap_or(usual.agent.max_follow_up_tokens),
        },
        answer_tokens_max: config.answer_tokens_max.unwrap_or(usual.answer_tokens_max),
        parallel_max: config.parallel_max.unwrap_or(usual.parallel_max),
        gate: Gate {
            min_quality: quality.unwrap_or(usual.gate.min_quality),
            severity: severity.unwrap_or(usual.gate.severity),
        },
        require_coverage: arguments
            .require_coverage
            .or(config.require_coverage)
            .unwrap_or(is_for_ci(arguments, format)),
        canary: arguments.canary || config.canary.unwrap_or(usual.canary),
    }
}

fn limits(config: &ReviewConfig) -> PlanLimits {
    let usual = PlanLimits::default();
    PlanLimits {
        diff_tokens_max: config.diff_tokens_max.unwrap_or(usual.diff_tokens_max),
        context_tokens_max: config
            .context_tokens_max
            .unwrap_or(usual.context_tokens_max),
        bundles_max: config.bundles_max.unwrap_or(usual.bundles_max),
        owners: OwnersLimits {
            owners_bytes_max: (config.owners_bytes_max).unwrap_or(usual.owners.owners_bytes_max),
            owners_rules_max: (config.owners_rules_max).unwrap_or(usual.owners.owners_rules_max),
        },
        ..usual
    }
}

const fn level_of(level: SeverityLevel) -> Severity {
    match level {
        SeverityLevel::Info => Severity::Info,
        SeverityLevel::Minor => Severity::Minor,
        SeverityLevel::Major => Severity::Major,
        SeverityLevel::Critical => Severity::Critical,
    }
}

/// Reads the findings of the last review. For a file that the change itself edits, the version at
/// the base counts.
fn baseline(
    path: Option<&Path>,
    top: &Path,
    settings: &SettingsSide<'_>,
) -> Result<Baseline, Error> {
    let Some(path) = path else {
        return Ok(Baseline::default());
    };
    let wrong = |reason: String| Error::Baseline {
        path: path.to_owned(),
        reason,
    };
    // A change that adds its own findings to the list of known ones would pass its gate.
    if let Some(below) = base::changed_below(path, top, settings) {
        let file = settings
            .file(&below)
            .map_err(|error| wrong(error.to_string()))?;
        return match file.map(|file| file.content) {
            // The change itself brings the file: at its base nothing was known.
            None => Ok(Baseline::default()),
            Some(Content::Bytes(bytes)) => Baseline::read(&below, &String::from_utf8_lossy(&bytes))
                .map_err(|error| wrong(error.reason)),
            Some(Content::TooLarge(_) | Content::Missing) => {
                Err(wrong("it cannot be read at the base".to_owned()))
            }
        };
    }
    let text = named::read(path, BASELINE_BYTES_MAX).map_err(|error| wrong(error.to_string()))?;
    Baseline::read(&path.display().to_string(), &text).map_err(|error| wrong(error.reason))
}

/// Returns the reports of other tools.
fn others(paths: &[PathBuf]) -> Result<Vec<Others>, Error> {
    let read = |path: &PathBuf| {
        let wrong = |reason: String| Error::Findings {
            path: path.clone(),
            reason,
        };
        let text =
            named::read(path, BASELINE_BYTES_MAX).map_err(|error| wrong(error.to_string()))?;
        grounds_review::others::read(&path.display().to_string(), &text).map_err(wrong)
    };
    paths.iter().map(read).collect()
}

/// Returns the reports of the analyzers that the settings of the base or the person name.
fn analyzed(
    arguments: &Review,
    config: &ReviewConfig,
    change: &Change,
    settings: &SettingsSide<'_>,
) -> Result<Vec<Others>, Error> {
    let named = config.analyzers.iter().flatten().chain(&arguments.analyzer);
    let wanted: Vec<String> = named.cloned().collect();
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let limits = PlanLimits::default().diff;
    analyzers::run(&wanted, change, settings, &limits).map_err(Error::Analyzer)
}

fn save(path: &Path, report: &grounds_review::Report) -> Result<(), Error> {
    let wrong = |error: std::io::Error| Error::Baseline {
        path: path.to_owned(),
        reason: error.to_string(),
    };
    named::write(path, &Baseline::of(report).render()).map_err(wrong)
}
