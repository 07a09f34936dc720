//! The results of a fleet: its status, and one line for each job. One serde type contains each;
//! each format is one function.

pub mod sarif;

use std::collections::BTreeMap;
use std::io::{self, Write};

use grounds_fleet::Job;
use grounds_fleet::answers::FleetAnswer;
use grounds_fleet::ledger::{Dead, Going, KeptResult, RunInfo, RunStatus};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::output::store::moment;
use crate::safe;

/// The name and version of the schema of a status.
const STATUS_SCHEMA: &str = "grounds.fleet-status/1";
/// The name and version of the schema of a line of results.
const RESULT_SCHEMA: &str = "grounds.fleet-result/1";

/// How a fleet is.
#[derive(Debug, Serialize, JsonSchema)]
pub struct StatusReport {
    /// `grounds.fleet-status/1`.
    pub schema: &'static str,
    /// The ledger, without a password.
    pub ledger: String,
    /// Its runs, the oldest first.
    pub runs: Vec<RunReport>,
    /// Workers that hold a job.
    pub workers: u64,
    /// Milliseconds that the job that waits longest has been ready.
    pub oldest_ready_ms: u64,
    /// Attempts that failed, by reason.
    pub failures: BTreeMap<String, u64>,
}

/// How one run is.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RunReport {
    /// Its name.
    pub name: String,
    /// When it was submitted.
    pub submitted: String,
    /// The hash of its terms.
    pub terms: String,
    /// The parts of its terms: what a worker must have in common with whoever submitted it.
    pub parts: BTreeMap<String, String>,
    /// The hash of all jobs of its file.
    pub source: String,
    /// Which share of the jobs this is, as `1/1`.
    pub shard: String,
    /// Its jobs by state: queued, leased, done, held, dead, cancelled.
    pub jobs: BTreeMap<String, u64>,
    /// Its jobs that ended or wait without a result, by reason.
    pub reasons: BTreeMap<String, u64>,
    /// Milliseconds that the one of its jobs that waits longest has been ready.
    pub oldest_ready_ms: u64,
    /// Workers that hold one of its jobs.
    pub workers: u64,
    /// Attempts of its jobs that failed, by reason.
    pub failures: BTreeMap<String, u64>,
    /// What it may spend, and what is spent or reserved.
    pub budgets: Vec<BudgetReport>,
    /// One answer for each question over all repositories.
    pub answers: Vec<AnswerReport>,
}

/// A budget of a run.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BudgetReport {
    /// `queries`, `tokens` or `micro_usd`.
    pub unit: String,
    /// What may be spent, or null if there is no limit.
    pub most: Option<u64>,
    /// What is spent or reserved.
    pub used: u64,
}

/// One answer over many repositories.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AnswerReport {
    /// `ask` or `check`.
    pub kind: String,
    /// The question, or the documents.
    pub topic: String,
    /// `found`, `not_found` or `cannot_tell`; `not_found` only if every repository answered so.
    pub overall: &'static str,
    /// Repositories that were asked.
    pub repositories: u64,
    /// Those that have it: an answer, or a document that is contradicted.
    pub found: u64,
    /// Those that do not have it.
    pub not_found: u64,
    /// Those with another result, by its word.
    pub open: BTreeMap<String, u64>,
    /// Those without a result, by state and reason.
    pub missing: BTreeMap<String, u64>,
}

/// One job with its result, or with why it has none.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ResultLine {
    /// `grounds.fleet-result/1`.
    pub schema: &'static str,
    /// The name of the job in the ledger: a hash of run, terms and what it asks.
    pub id: String,
    /// The job as it was submitted.
    pub job: Job,
    /// `done`, or what it is without a result: queued, leased, held, dead, cancelled.
    pub state: String,
    /// How it ended in one word, or null without a result.
    pub verdict: Option<String>,
    /// The hash of the report, or null without a result.
    pub hash: Option<String>,
    /// When the result was written, or null without one.
    pub done: Option<String>,
    /// Milliseconds that it took, or null without a result.
    pub took_ms: Option<u64>,
    /// The report of the job, in the form of its command, or null without a result.
    pub report: Option<Value>,
    /// Why there is no result, as a name, or null if there is one or if nothing failed yet.
    pub reason: Option<String>,
    /// What each failed attempt left, where there is no result.
    pub attempts: Vec<AttemptLine>,
}

/// A failed attempt.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AttemptLine {
    /// The worker.
    pub worker: String,
    /// Why, as a name.
    pub reason: String,
    /// What was said.
    pub detail: String,
}

impl ResultLine {
    /// Returns the line of a result.
    pub fn of(kept: KeptResult) -> Self {
        Self {
            schema: RESULT_SCHEMA,
            id: kept.id,
            job: kept.job,
            state: "done".to_owned(),
            verdict: Some(kept.verdict),
            hash: Some(kept.hash),
            done: Some(moment(kept.done_ms)),
            took_ms: Some(kept.took_ms),
            report: serde_json::from_str(&kept.report).ok(),
            reason: None,
            attempts: Vec::new(),
        }
    }

    /// Returns the line of a job without a result.
    pub fn without(dead: Dead) -> Self {
        let attempt = |(worker, reason, detail): (String, String, String)| AttemptLine {
            worker,
            reason,
            detail,
        };
        Self {
            schema: RESULT_SCHEMA,
            id: dead.id,
            job: dead.job,
            state: dead.state,
            verdict: None,
            hash: None,
            done: None,
            took_ms: None,
            report: None,
            reason: Some(dead.reason).filter(|reason| !reason.is_empty()),
            attempts: dead.attempts.into_iter().map(attempt).collect(),
        }
    }

    /// Returns its verdict, else its state and reason.
    pub fn word(&self) -> String {
        match (&self.verdict, &self.reason) {
            (Some(verdict), _) => verdict.clone(),
            (None, Some(reason)) => format!("{}: {reason}", self.state),
            (None, None) => self.state.clone(),
        }
    }

    /// Returns its subject: the repository, if it has one, and the question.
    pub fn about(&self) -> String {
        let (repository, topic) = (self.job.repository(), self.job.topic());
        match repository.is_empty() {
            true => topic,
            false => format!("{repository}: {topic}"),
        }
    }
}

impl StatusReport {
    /// Returns the report of a status with the answers of each run.
    pub fn of(
        ledger: &str,
        status: &RunStatus,
        answers: &BTreeMap<String, Vec<FleetAnswer>>,
    ) -> Self {
        let run = |run: &RunInfo| {
            let answers = answers.get(&run.name).map_or(&[][..], Vec::as_slice);
            RunReport::of(run, status, answers)
        };
        Self {
            schema: STATUS_SCHEMA,
            ledger: ledger.to_owned(),
            runs: status.runs.iter().map(run).collect(),
            workers: status.workers,
            oldest_ready_ms: status.oldest_ready_ms,
            failures: status.failures.iter().cloned().collect(),
        }
    }

    /// Writes the report for people.
    ///
    /// # Errors
    /// What the writer says.
    pub fn write_pretty(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "{}: {} workers hold a job",
            safe::for_line(&self.ledger),
            self.workers
        )?;
        if self.runs.is_empty() {
            writeln!(out, "no jobs; submit some with `grounds fleet submit`")?;
        }
        self.runs.iter().try_for_each(|run| run.write(out))
    }
}

fn answer(answer: &FleetAnswer) -> AnswerReport {
    AnswerReport {
        kind: answer.kind.clone(),
        topic: answer.topic.clone(),
        overall: answer.overall.word(),
        repositories: answer.repositories,
        found: answer.found,
        not_found: answer.not_found,
        open: answer.open.clone(),
        missing: answer.missing.clone(),
    }
}

impl RunReport {
    fn of(run: &RunInfo, status: &RunStatus, answers: &[FleetAnswer]) -> Self {
        let (mut jobs, mut reasons) = (BTreeMap::new(), BTreeMap::new());
        // There is one count for each state and reason.
        for count in status.counts.iter().filter(|count| count.run == run.name) {
            *jobs.entry(count.state.clone()).or_default() += count.jobs;
            if !count.reason.is_empty() {
                *reasons.entry(count.reason.clone()).or_default() += count.jobs;
            }
        }
        let budgets = status.budgets.iter();
        let budgets = budgets.filter(|budget| budget.run == run.name);
        let Going {
            oldest_ready_ms,
            workers,
            failures,
            // A run without ready or leased jobs and without failed attempts has no entry.
        } = status.going.get(&run.name).cloned().unwrap_or_default();
        Self {
            name: run.name.clone(),
            submitted: moment(run.created_ms),
            terms: run.terms.clone(),
            parts: serde_json::from_str(&run.parts).unwrap_or_default(),
            source: run.source.clone(),
            shard: format!("{}/{}", run.shard, run.shards),
            jobs,
            reasons,
            oldest_ready_ms,
            workers,
            failures,
            budgets: budgets
                .map(|budget| BudgetReport {
                    unit: budget.unit.clone(),
                    most: budget.most,
                    used: budget.used,
                })
                .collect(),
            answers: answers.iter().map(answer).collect(),
        }
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let shard = match self.shard.as_str() {
            "1/1" => String::new(),
            shard => format!(", share {shard}"),
        };
        writeln!(
            out,
            "\nrun {} ({}{shard})",
            safe::for_line(&self.name),
            self.submitted
        )?;
        writeln!(out, "  jobs: {}", counted(&self.jobs))?;
        if !self.reasons.is_empty() {
            writeln!(out, "  reasons: {}", counted(&self.reasons))?;
        }
        for budget in &self.budgets {
            match budget.most {
                Some(most) => writeln!(out, "  {}: {} of {most}", budget.unit, budget.used)?,
                // Without a limit the use is counted all the same.
                None if budget.used > 0 => writeln!(out, "  {}: {}", budget.unit, budget.used)?,
                None => {}
            }
        }
        for answer in &self.answers {
            writeln!(
                out,
                "  {} {}: {} ({} found, {} not found of {} repositories)",
                answer.kind,
                safe::for_line(&answer.topic),
                answer.overall,
                answer.found,
                answer.not_found,
                answer.repositories
            )?;
            let others: BTreeMap<String, u64> = answer
                .open
                .iter()
                .chain(&answer.missing)
                .map(|(word, count)| (word.clone(), *count))
                .collect();
            if !others.is_empty() {
                writeln!(out, "    no answer from: {}", counted(&others))?;
            }
        }
        Ok(())
    }
}

fn counted(counts: &BTreeMap<String, u64>) -> String {
    let counted: Vec<String> = counts
        .iter()
        .map(|(word, count)| format!("{count} {}", safe::for_line(word)))
        .collect();
    counted.join(", ")
}
