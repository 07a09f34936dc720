//! The reasons why a job has no report, in the words of the command line.

use serde::de::DeserializeOwned;

use crate::config::LspBounds;
use crate::exit::Exit;
use crate::mcp::child::{CallEnd, Output};
use crate::mcp::words;

/// Returns the report of a job that ended with one of these codes.
///
/// # Errors
/// Why the job has no report; `None` if it was cancelled.
pub(super) fn report<T: DeserializeOwned>(
    ended: CallEnd,
    codes: &[Exit],
    bounds: &LspBounds,
) -> Result<T, Option<String>> {
    let output = match ended {
        CallEnd::Exited(output) => output,
        CallEnd::Cancelled => return Err(None),
        other => return Err(Some(words_of(&other, bounds))),
    };
    let is_of_report = codes.iter().any(|code| *code as i32 == output.code);
    if !is_of_report {
        return Err(Some(said(&output)));
    }
    // A review that failed in part has a report; one that failed as a whole has only an error.
    let unreadable = |error| match output.code == Exit::Failed as i32 {
        true => Some(said(&output)),
        false => Some(format!("its report cannot be read: {error}")),
    };
    serde_json::from_slice(&output.out).map_err(unreadable)
}

fn said(output: &Output) -> String {
    let (what, advice) = words::error_of(&output.said);
    format!("{what}; try: {advice}")
}

fn words_of(ended: &CallEnd, bounds: &LspBounds) -> String {
    match ended {
        CallEnd::TooLong => format!(
            "it took longer than {} milliseconds (`lsp.job_ms_max`)",
            bounds.job_ms_max
        ),
        CallEnd::TooMuch => format!(
            "its report has more than {} bytes (`lsp.output_bytes_max`)",
            bounds.output_bytes_max
        ),
        CallEnd::Busy => format!(
            "{} jobs wait already (`lsp.jobs_waiting_max`)",
            bounds.jobs_waiting_max
        ),
        CallEnd::Died { .. } => "it was ended by a signal".to_owned(),
        CallEnd::Broken(why) => why.clone(),
        CallEnd::Exited(_) | CallEnd::Cancelled => "it has no report".to_owned(),
    }
}
