//! One job of a fleet: a claim runs in this process, so that all claims share the open documents.
//! Everything else runs as a child process of this program, which contains any harm from a
//! repository.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use grounds_fleet::Job;
use grounds_fleet::ledger::{Leased, Next};
use grounds_fleet::worker::{Hand, Pacer, WorkerDone};
use serde_json::Value;

use super::super::verify::Prepared;
use super::child::{self, ChildEnd};
use super::chosen::ChosenModel;
use super::claim;
use super::pace::LedgerTurns;
use super::trees::{FleetTree, Trees};
use crate::cli::Global;
use crate::config::Config;

/// The runner of jobs.
pub(super) struct JobRunner<'j> {
    prepared: Option<&'j Prepared<'j>>,
    trees: Trees,
    config: &'j Config,
    global: &'j Global,
    chosen: Option<ChosenModel>,
    reused: Option<String>,
    paced: Paced,
}

/// The sources of turns of a worker.
pub(super) struct Paced {
    /// To the models of each job.
    pub(super) pacer: Pacer,
    /// To the pages of all claims.
    pub(super) pages: std::sync::Arc<LedgerTurns>,
}

impl<'j> JobRunner<'j> {
    pub(super) const fn new(
        prepared: Option<&'j Prepared<'j>>,
        chosen: Option<ChosenModel>,
        paced: Paced,
        repositories: PathBuf,
        config: &'j Config,
        global: &'j Global,
    ) -> Self {
        Self {
            prepared,
            trees: Trees::new(repositories),
            config,
            global,
            chosen,
            reused: None,
            paced,
        }
    }

    /// Takes results of other runs under these terms.
    #[must_use]
    pub(super) fn reusing(mut self, terms: Option<String>) -> Self {
        self.reused = terms;
        self
    }

    /// Does one job.
    pub(super) fn one(&self, leased: &Leased, hand: &Hand<'_>) -> WorkerDone {
        match (&leased.job, self.prepared) {
            (Job::Claim(job), Some(prepared)) => {
                let means = claim::ClaimMeans {
                    prepared,
                    hand,
                    config: self.config,
                    chosen: self.chosen.as_ref(),
                    paced: &self.paced,
                };
                claim::one(job, leased, &means)
            }
            (Job::Claim(_), None) => {
                // The sources are a part of the terms, so that no other worker under these terms
                // has any.
                failed("no_sources", "this worker has no sources", Next::Never)
            }
            // A known result costs nothing, so it comes before the reservation.
            (job, _) if let Some(done) = self.known(job, hand) => done,
            (job, _) => match self.chosen.as_ref().map(|chosen| chosen.reserve(hand)) {
                None | Some(Ok(())) => self.by_child(job, hand),
                Some(Err(done)) => *done,
            },
        }
    }

    /// Returns the result that another run has of a job about a commit, if results are reused.
    fn known(&self, job: &Job, hand: &Hand<'_>) -> Option<WorkerDone> {
        // The checked out tree may change from one run to the next; a commit does not.
        let terms = self.reused.as_ref().filter(|_| job.is_of_a_commit())?;
        match hand.known(job, terms) {
            Ok(known) => known.map(|known| WorkerDone::Result {
                verdict: known.verdict,
                report: known.report,
                used: Vec::new(),
            }),
            Err(fault) => Some(failed("ledger", &fault.to_string(), Next::Retry)),
        }
    }

    fn by_child(&self, job: &Job, hand: &Hand<'_>) -> WorkerDone {
        let commit = match job {
            Job::Ask(job) => job.commit.as_deref(),
            Job::Check(job) => job.commit.as_deref(),
            Job::Review(job) => Some(job.head.as_str()),
            Job::Claim(_) | Job::Eval(_) => None,
        };
        let tree = match job {
            // An evaluation checks out its own repositories.
            Job::Eval(_) => Ok(None),
            _ => self.trees.at(job.repository(), commit).map(Some),
        };
        let tree = match tree {
            Ok(tree) => tree,
            Err((reason, why)) => return failed(reason, &why, Next::Never),
        };
        let folder = tree.as_ref().map(FleetTree::path);
        let words = self.words(job, folder.as_deref());
        let folder = folder.unwrap_or_else(|| self.trees.below().to_owned());
        let bounds = child::JobBounds {
            ms_max: hand.bounds().job_ms_max,
            bytes_max: super::settings(self.config).output_bytes_max(),
        };
        let run = |more: &[OsString]| {
            let words = [more, &words].concat();
            done(job, child::run(&words, &folder, bounds, &|| hand.is_off()))
        };
        match &self.chosen {
            Some(chosen) => self.in_turns(&chosen.turns_at, run),
            None => run(&[]),
        }
    }

    /// Runs a job that may ask a model, with a line for its turns.
    #[cfg(unix)]
    fn in_turns(&self, at: &str, run: impl FnOnce(&[OsString]) -> WorkerDone) -> WorkerDone {
        let turns = LedgerTurns::new(&self.paced.pacer);
        let socket = match super::line::Socket::open() {
            Ok(socket) => socket,
            Err(error) => return failed("no_turns", &error.to_string(), Next::Retry),
        };
        let words = ["--turns-at".into(), socket.path().into()];
        let (done, used) = socket.during(&turns, at, || run(&words));
        match (done, turns.refused()) {
            // A result without the job's model is not the one that was asked for.
            (WorkerDone::Result { .. }, Some(refused)) => refused,
            (
                WorkerDone::Result {
                    verdict, report, ..
                },
                None,
            ) => WorkerDone::Result {
                verdict,
                report,
                used: used.map_or_else(Vec::new, |used| {
                    super::chosen::amounts(used.tokens, used.cost_nano)
                }),
            },
            (failed, _) => failed,
        }
    }

    /// Refuses the job: without a connection for turns a model would not be asked at the common
    /// pace.
    #[cfg(not(unix))]
    fn in_turns(&self, _: &str, _: impl FnOnce(&[OsString]) -> WorkerDone) -> WorkerDone {
        let Self { paced: _, .. } = self;
        let why = "jobs about repositories that may ask a model need Unix; work with --no-model";
        failed("no_turns", why, Next::Never)
    }

    /// Returns the command line of a job.
    fn words(&self, job: &Job, folder: Option<&Path>) -> Vec<OsString> {
        let mut words: Vec<OsString> =
            // `--progress` makes an error a line of JSON with its code, which `error` reads.
            ["--format", "json", "--progress", "--no-color", "--no-store"]
                .map(OsString::from)
                .to_vec();
        words.extend([
            "--with-parent".into(),
            std::process::id().to_string().into(),
        ]);
        if let Some(folder) = folder {
            words.extend(["--repo".into(), folder.into()]);
        }
        if let Some(config) = &self.global.config {
            // The child starts in the folder of its repository, where a relative path would name
            // another file.
            let whole = config.canonicalize().unwrap_or_else(|_| config.clone());
            words.extend(["--config".into(), whole.into()]);
        }
        if self.global.no_model {
            words.push("--no-model".into());
        }
        words.extend(self.own_words(job));
        words
    }

    /// Returns the words of a command line that only this job has.
    fn own_words(&self, job: &Job) -> Vec<OsString> {
        // The texts of a job follow `--`: a question may begin with a dash.
        match job {
            Job::Ask(job) => vec![
                "ask".into(),
                // The configuration of a person may allow code to run; a job of a fleet never does.
                "--no-run".into(),
                "--".into(),
                (&job.question).into(),
            ],
            Job::Check(job) => {
                let documents = job.documents.iter().map(OsString::from);
                ["check".into(), "--".into()]
                    .into_iter()
                    .chain(documents)
                    .collect()
            }
            // The tree is at the head of the change already, so that only the base is named.
            Job::Review(job) => vec!["review".into(), "--base".into(), (&job.base).into()],
            Job::Eval(job) => vec![
                "eval".into(),
                "show".into(),
                "--repos".into(),
                self.trees.below().into(),
                "--".into(),
                (&job.case).into(),
            ],
            Job::Claim(_) => Vec::new(),
        }
    }
}

pub(super) fn failed(reason: &str, detail: &str, next: Next) -> WorkerDone {
    WorkerDone::Failed {
        reason: reason.to_owned(),
        detail: detail.to_owned(),
        next,
    }
}

/// Returns the result of a child, or a failure with its reason.
fn done(job: &Job, ended: ChildEnd) -> WorkerDone {
    match ended {
        ChildEnd::Exited { code, out, said } => exited(job, code, &out, &said),
        ChildEnd::Died { said } => failed("died", &said, Next::Retry),
        ChildEnd::TooLong { ms_max } => failed(
            "timeout",
            &format!("more than {ms_max} ms (`fleet.job_ms_max`)"),
            Next::Retry,
        ),
        ChildEnd::TooMuch { bytes_max } => failed(
            "too_much",
            &format!("its report has more than {bytes_max} bytes (`fleet.output_bytes_max`)"),
            // The report would be as large the next time.
            Next::Never,
        ),
        ChildEnd::Off => failed("called_off", "", Next::Release),
        ChildEnd::Broken(why) => failed("broken", &why, Next::Retry),
    }
}

fn exited(job: &Job, code: i32, out: &[u8], said: &str) -> WorkerDone {
    let report = serde_json::from_slice::<Value>(out).ok();
    let report = match job {
        // A list of one case.
        Job::Eval(_) => report.and_then(|list| list.get(0).cloned()),
        Job::Ask(_) | Job::Check(_) | Job::Review(_) | Job::Claim(_) => report,
    };
    // Codes from 3 on are results: insufficient, conflicting, False, blocked.
    let is_result = !matches!(code, 1 | 2);
    match report.filter(|_| is_result) {
        Some(report) => WorkerDone::Result {
            verdict: verdict(job, code, &report),
            report: report.to_string(),
            used: Vec::new(),
        },
        None => {
            // A wrong command line is as wrong the next time.
            let next = if code == 2 { Next::Never } else { Next::Retry };
            let (reason, why) =
                error(said).unwrap_or_else(|| (format!("exit_{code}"), said.to_owned()));
            failed(&reason, &why, next)
        }
    }
}

/// Returns the name and the message of the error that a child reported.
fn error(said: &str) -> Option<(String, String)> {
    let mut objects = said
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    // The error comes last, after the lines of the progress.
    let error = objects.rfind(|object| object["type"] == "error")?;
    Some((
        error["code"].as_str()?.replace('-', "_"),
        error["message"].as_str()?.to_owned(),
    ))
}

/// Returns how a job ended, in one word: that of its report if it has one.
fn verdict(job: &Job, code: i32, report: &Value) -> String {
    let word = |key: &str| report[key].as_str().map(str::to_owned);
    let by_code = || match code {
        0 => "good".to_owned(),
        7 => "blocked".to_owned(),
        code => format!("exit_{code}"),
    };
    match job {
        // A refusal says more than its outcome, which is `insufficient` for each kind of refusal.
        Job::Ask(_) => word("refusal")
            .or_else(|| word("outcome"))
            .unwrap_or_else(by_code),
        Job::Check(_) => match code {
            0 => "holds".to_owned(),
            6 => "contradicted".to_owned(),
            _ => "undecided".to_owned(),
        },
        Job::Eval(_) => word("verdict").unwrap_or_else(by_code),
        Job::Review(_) | Job::Claim(_) => by_code(),
    }
}
