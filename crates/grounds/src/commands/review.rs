//! `grounds review`.

mod meter;

use std::io::{self, Read as _, Write};
use std::path::{Path, PathBuf};

use grounds_evidence::Quality;
use grounds_model::Client;
use grounds_review::baseline::Baseline;
use grounds_review::event::Event;
use grounds_review::options::{Agent, Options};
use grounds_review::report::{Ending, Gate};
use grounds_review::{PlanLimits, Reviewer, Revision, RuleSet, Scope, Setup, Severity};

use crate::cli::{Format, Global, Review, ReviewFormat, SeverityLevel};
use crate::config::{self, Config, QualityName, ReviewConfig, SeverityName, StoreConfig};
use crate::ended::{Ended, JobKind, Look, Report};
use crate::error::Error;
use crate::exit::Exit;
use crate::output::{Style, review};
use crate::rules;
use meter::Meter;

/// Bytes of a file of known findings that are read; 100,000 findings have room.
const BASELINE_BYTES_MAX: u64 = 64 << 20;

/// Digits of a commit's hash that are shown.
const COMMIT_DIGITS: usize = 12;

/// Reviews, and gives back how it ended.
pub(super) fn ended(arguments: &Review, global: &Global) -> Result<Ended, Error> {
    let folder = folder(global)?;
    let top = folder
        .ancestors()
        .find(|folder| folder.join(".git").exists())
        .unwrap_or(&folder)
        .to_owned();
    let config = configuration(global, &top)?;
    let rules = rules::of_project(&top, &config.rules)?;
    let (options, limits) = (options(arguments, &config.review), limits(&config.review));
    let client = client(arguments, global, &config)?;
    let baseline = baseline(arguments.baseline.as_deref())?;
    let scope = scope(arguments);
    let reviewer = match &client {
        Some(client) if arguments.model.dry_run => Reviewer::DryRun(client),
        Some(client) => Reviewer::Model(client),
        None if global.no_model => Reviewer::Nobody("--no-model"),
        None => Reviewer::Nobody("no model is chosen; see docs/models.md"),
    };
    let setup = Setup {
        folder: &folder,
        scope: &scope,
        rules: &rules,
        limits: &limits,
        options: &options,
        reviewer,
        baseline: &baseline,
    };
    let meter = Meter::start(global);
    let report = grounds_review::run(&setup, &|event| meter.tell(&event));
    if let Err(error) = &report {
        meter.tell(&Event::Error {
            part: "the review".to_owned(),
            what: format!("cannot {error}"),
        });
    }
    drop(meter);
    let report = report?;
    if let Some(path) = &arguments.save_baseline {
        save(path, &report)?;
    }
    Ok(Ended {
        store: config.store,
        ..end(report, rules, &scope, top)
    })
}

fn end(report: grounds_review::Report, rules: RuleSet, scope: &Scope, top: PathBuf) -> Ended {
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
        tree: None,
        documents: None,
        needs: Vec::new(),
        store: StoreConfig::default(),
        report: Box::new(Reviewed { report, rules, top }),
    }
}

/// Which change was asked for.
fn words(scope: &Scope, head: &Revision) -> String {
    match scope {
        Scope::Base(base) => format!("since {base}"),
        Scope::Staged => "what is staged".to_owned(),
        Scope::Commit(commit) => format!("commit {commit}"),
        Scope::DiffFile(file) => format!("the diff {}", file.display()),
        Scope::WorkingTree => "the working tree".to_owned(),
        Scope::Between(base, head) => format!("from {base} to {head}"),
        Scope::Nearest => match head {
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
    fn write(&self, format: Format, look: Look, out: &mut dyn Write) -> io::Result<()> {
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

/// The configuration; of a `.cora.yaml` its section `review`, where the repository has no file of ours and none is named.
fn configuration(global: &Global, top: &Path) -> Result<Config, Error> {
    let mut config = config::read(global.config.as_deref(), top)?;
    if global.config.is_none()
        && let Some(cora) = config::read_cora(top)?
    {
        config.review = cora.over(config.review);
    }
    Ok(config)
}

fn scope(arguments: &Review) -> Scope {
    match (
        &arguments.base,
        arguments.staged,
        &arguments.commit,
        &arguments.diff_file,
    ) {
        (Some(base), ..) => Scope::Base(base.clone()),
        (None, true, ..) => Scope::Staged,
        (None, false, Some(commit), _) => Scope::Commit(commit.clone()),
        (None, false, None, Some(file)) => Scope::DiffFile(file.clone()),
        (None, false, None, None) => Scope::Nearest,
    }
}

/// The model that the person chose; none where none is, or where none is wanted.
fn client(arguments: &Review, global: &Global, config: &Config) -> Result<Option<Client>, Error> {
    if global.no_model {
        return Ok(None);
    }
    let chosen = config.model.clone().unwrap_or_default();
    Ok(crate::model::settings(&arguments.model, &chosen)?.map(Client::of))
}

fn options(arguments: &Review, config: &ReviewConfig) -> Options {
    let (usual, agent) = (Options::default(), &config.agent);
    let quality = arguments
        .min_quality
        .map(Quality::from)
        .or_else(|| config.min_quality.map(quality_of));
    let severity = arguments
        .severity
        .map(level_of)
        .or_else(|| config.severity.map(severity_of));
    Options {
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
        ..usual
    }
}

const fn quality_of(name: QualityName) -> Quality {
    match name {
        QualityName::Weak => Quality::Weak,
        QualityName::Moderate => Quality::Moderate,
        QualityName::Strong => Quality::Strong,
        QualityName::Verified => Quality::Verified,
    }
}

const fn severity_of(name: SeverityName) -> Severity {
    match name {
        SeverityName::Info => Severity::Info,
        SeverityName::Minor => Severity::Minor,
        SeverityName::Major => Severity::Major,
        SeverityName::Critical => Severity::Critical,
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

fn baseline(path: Option<&Path>) -> Result<Baseline, Error> {
    let Some(path) = path else {
        return Ok(Baseline::default());
    };
    let wrong = |reason: String| Error::Baseline {
        path: path.to_owned(),
        reason,
    };
    let file = std::fs::File::open(path).map_err(|error| wrong(error.to_string()))?;
    let mut text = String::new();
    file.take(BASELINE_BYTES_MAX + 1)
        .read_to_string(&mut text)
        .map_err(|error| wrong(error.to_string()))?;
    if text.len() as u64 > BASELINE_BYTES_MAX {
        return Err(wrong(format!(
            "it has more than {BASELINE_BYTES_MAX} bytes, the most that is read"
        )));
    }
    Baseline::read(&path.display().to_string(), &text).map_err(|error| wrong(error.reason))
}

fn save(path: &Path, report: &grounds_review::Report) -> Result<(), Error> {
    let wrong = |error: std::io::Error| Error::Baseline {
        path: path.to_owned(),
        reason: error.to_string(),
    };
    let mut file = std::fs::File::create(path).map_err(wrong)?;
    file.write_all(Baseline::of(report).render().as_bytes())
        .map_err(wrong)
}
