//! `grounds eval`.

use std::path::Path;
use std::sync::Arc;

use grounds_eval::checkouts::Checkouts;
use grounds_eval::journal::{EarlierRun, Journal};
use grounds_eval::report::explain;
use grounds_eval::runner::{self, EvalEvent, EvalOptions};
use grounds_eval::snapshot::{self, SnapshotChange, SnapshotLine};
use grounds_eval::verdict::Verdict;
use grounds_eval::{Case, CaseResult, EvalError, EvalReport, ModelSettings, peers, suite};
use indicatif::{ProgressBar, ProgressDrawTarget};

use super::print;
use crate::cli::{Eval, EvalCommand, EvalRun, EvalShow, Format, Global, TextFormat};
use crate::error::Error;
use crate::exit::Exit;
use crate::safe;

/// Milliseconds of a case that is shown.
const SHOW_MS_MAX: u64 = 600_000;

pub(super) fn run(arguments: &Eval, global: &Global) -> Result<Exit, Error> {
    match &arguments.command {
        Some(EvalCommand::Show(show)) => explained(show, global),
        None if arguments.run.list => listed(),
        None => evaluated(&arguments.run, global),
    }
}

fn listed() -> Result<Exit, Error> {
    let cases =
        |name: &str| suite::read(name).map(|cases| format!("{name}: {} cases", cases.len()));
    let lines = suite::BUILT_IN
        .iter()
        .map(|(name, _)| cases(name))
        .collect::<Result<Vec<_>, _>>()?;
    print(Exit::Answered, &mut |out| {
        writeln!(out, "{}", lines.join("\n"))
    })
}

fn explained(arguments: &EvalShow, global: &Global) -> Result<Exit, Error> {
    let cases = read(&arguments.suites)?;
    let is_meant = |case: &&Arc<Case>| case.name() == arguments.case || case.id == arguments.case;
    let case = cases
        .iter()
        .find(is_meant)
        .ok_or_else(|| EvalError::NoCase(arguments.case.clone()))?;
    let checkouts = Arc::new(Checkouts::new(global.repo.clone(), arguments.repos.clone()));
    let options = EvalOptions {
        jobs: 1,
        case_ms_max: SHOW_MS_MAX,
        model: None,
    };
    let results = runner::run(
        &[Arc::clone(case)],
        &checkouts,
        options,
        None,
        &EarlierRun::default(),
        &|_| (),
    )?;
    let text: String = results.iter().map(explain::of).collect();
    let json =
        || serde_json::to_string_pretty(&results).map_err(|error| Error::Write(error.into()));
    let text = if global.format == Format::Json {
        safe::for_json(&json()?).into_owned()
    } else {
        safe::for_terminal(&text).into_owned()
    };
    print(exit_of(&results), &mut |out| {
        writeln!(out, "{}", text.trim_end())
    })
}

fn evaluated(arguments: &EvalRun, global: &Global) -> Result<Exit, Error> {
    let cases = read(&arguments.suites)?;
    let peers = arguments.peers.iter().map(|name| peers::of(name));
    let peers = peers.collect::<Result<Vec<_>, _>>()?;
    let before = arguments.baseline.as_deref();
    // The snapshot and the peers are read first: a wrong path should not cost a whole run.
    let before = before.map(snapshot::read).transpose()?;
    let (journal, known) = journal(arguments)?;
    let checkouts = Arc::new(Checkouts::new(global.repo.clone(), arguments.repos.clone()));
    let jobs = crate::commands::job_count(arguments.jobs);
    let options = EvalOptions {
        jobs,
        case_ms_max: arguments.case_ms,
        model: model(arguments, global)?,
    };
    let meter = EvalMeter::start(global, cases.len());
    let results = runner::run(
        &cases,
        &checkouts,
        options,
        journal.as_ref(),
        &known,
        &|event| meter.tell(&event),
    )?;
    let compare = |peer: &&dyn peers::Peer| {
        peers::compare(*peer, &cases, &results, &checkouts, &|number| {
            meter.say(&format!("{}: case {}", peer.name(), number + 1))
        })
    };
    let compared = peers.iter().map(compare).collect();
    drop(meter);
    let kept = snapshot::of(&results);
    let changes = before
        .as_deref()
        .map(|before| snapshot::changes(before, &kept));
    let report = EvalReport::of(results, jobs, compared, changes);
    finish(arguments, global, &report, before.as_deref(), &kept)
}

/// Returns the model of the command line. No other is asked by an evaluation, whose figures must
/// not depend on the configuration.
#[cfg(feature = "model")]
fn model(arguments: &EvalRun, global: &Global) -> Result<Option<Arc<ModelSettings>>, Error> {
    if global.no_model || arguments.model.model.is_none() {
        return Ok(None);
    }
    Ok(
        crate::model::settings(&arguments.model, &crate::config::ModelConfig::default())?
            .map(Arc::new),
    )
}

#[cfg(not(feature = "model"))]
fn model(arguments: &EvalRun, _global: &Global) -> Result<Option<Arc<ModelSettings>>, Error> {
    if arguments.model.model.is_some() {
        Err(Error::NotBuilt)
    } else {
        Ok(None)
    }
}

/// Writes the requested files and the report, and returns the exit code.
fn finish(
    arguments: &EvalRun,
    global: &Global,
    report: &EvalReport,
    before: Option<&[SnapshotLine]>,
    kept: &[SnapshotLine],
) -> Result<Exit, Error> {
    if let Some(path) = &arguments.html {
        std::fs::write(path, report.html()).map_err(|error| EvalError::file(path, error))?;
    }
    if let (Some(path), Some(before), true) = (&arguments.baseline, before, arguments.accept) {
        snapshot::write(path, before, kept)?;
    }
    let has_changed = report
        .changes
        .as_deref()
        .is_some_and(|changes: &[SnapshotChange]| !changes.is_empty());
    // With `--accept` the difference is what the person wants to write.
    let exit = if has_changed && !arguments.accept {
        Exit::Blocked
    } else {
        exit_of(&report.cases)
    };
    let text = match global.format.as_text() {
        TextFormat::Json => {
            safe::for_json(&report.json().map_err(|error| Error::Write(error.into()))?).into_owned()
        }
        TextFormat::Pretty => safe::for_terminal(&report.table()).into_owned(),
        // Backquotes in a question of a case would end the block.
        TextFormat::Markdown => {
            format!(
                "```text\n{}```",
                safe::for_terminal(&report.table()).replace("```", "'''")
            )
        }
    };
    print(exit, &mut |out| writeln!(out, "{}", text.trim_end()))
}

/// Returns the exit code. An evaluation is a measurement: wrong answers are a result, a case that
/// broke is a failure.
fn exit_of(results: &[CaseResult]) -> Exit {
    if results
        .iter()
        .any(|result| result.verdict == Verdict::Failed)
    {
        Exit::Failed
    } else {
        Exit::Answered
    }
}

fn read(names: &[String]) -> Result<Vec<Arc<Case>>, EvalError> {
    let built_in = || {
        suite::BUILT_IN
            .iter()
            .map(|(name, _)| (*name).to_owned())
            .collect()
    };
    let names = if names.is_empty() {
        built_in()
    } else {
        names.to_vec()
    };
    let cases = names
        .iter()
        .map(|name| suite::read(name))
        .collect::<Result<Vec<_>, _>>()?;
    Ok(cases.into_iter().flatten().map(Arc::new).collect())
}

fn journal(arguments: &EvalRun) -> Result<(Option<Journal>, EarlierRun), EvalError> {
    let of = |path: &Path| match arguments.resume {
        true => Journal::resume(path).map(|(journal, known)| (Some(journal), known)),
        false => Journal::create(path).map(|journal| (Some(journal), EarlierRun::default())),
    };
    arguments
        .results
        .as_deref()
        .map_or_else(|| Ok((None, EarlierRun::default())), of)
}

/// The progress of a run: a bar for people, or one JSON object per line with `--progress`.
struct EvalMeter {
    bar: ProgressBar,
    json: bool,
}

impl EvalMeter {
    fn start(global: &Global, cases: usize) -> Self {
        let target = if global.quiet || global.progress {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr()
        };
        Self {
            bar: ProgressBar::with_draw_target(Some(cases as u64), target),
            json: global.progress,
        }
    }

    fn tell(&self, event: &EvalEvent<'_>) {
        match event {
            EvalEvent::Began { case } => self.say(&case.name()),
            EvalEvent::Ended { result, done, of } => {
                self.bar.set_position(*done as u64);
                let (case, verdict, ms) =
                    (result.name(), result.verdict.as_str(), result.cost.wall_ms);
                self.write(&serde_json::json!({"type": "case", "case": case, "verdict": verdict, "ms": ms, "done": done, "of": of}));
            }
        }
    }

    fn say(&self, doing: &str) {
        self.bar.set_message(safe::for_line(doing));
        self.bar.tick();
    }

    fn write(&self, object: &serde_json::Value) {
        if self.json {
            use std::io::Write as _;
            let _ = writeln!(
                std::io::stderr().lock(),
                "{}",
                safe::for_json(&object.to_string())
            );
        }
    }
}

impl Drop for EvalMeter {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
