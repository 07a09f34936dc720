//! Results of other runs: of the same job, under the same terms.

use super::Ledger;
use crate::database::Result;
use crate::job::Job;

/// A result of an earlier run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownResult {
    /// The verdict, in one word.
    pub verdict: String,
    /// The report, as JSON on one line.
    pub report: String,
}

impl Ledger {
    /// Returns the newest result of a job under these terms, of any run, or `None` if no run has
    /// one.
    ///
    /// # Errors
    /// [`crate::Fault`] from the engine.
    pub fn known(&mut self, job: &Job, terms: &str) -> Result<Option<KnownResult>> {
        let rows = self.within(&mut |session| {
            session.query(
                "SELECT results.verdict, results.report FROM fleet_jobs AS jobs
                 JOIN fleet_results AS results ON results.job = jobs.id
                 WHERE jobs.content = $1 AND jobs.terms = $2 AND jobs.state = 'done'
                 ORDER BY results.done_ms DESC LIMIT 1",
                &[(&job.content()).into(), terms.into()],
            )
        })?;
        Ok(rows.first().map(|row| KnownResult {
            verdict: row[0].text().to_owned(),
            report: row[1].text().to_owned(),
        }))
    }
}
