//! Why a job has no report, in the words of the command line.

use serde::de::DeserializeOwned;

use crate::config::LspBounds;
use crate::exit::Exit;
use crate::mcp::child::{Ended, Output};
use crate::mcp::words;

/// The report of a job that ended with one of these codes.
///
/// # Errors
/// Why the job has no report; `None` if it was called off.
pub(super) fn report<T: DeserializeOwned>(
    ended: Ended,
    codes: &[Exit],
    bounds: &LspBounds,
) -> Result<T, Option<String>> {
    let output = match ended {
        Ended::Exited(output) => output,
        Ended::Cancelled => return Err(None),
        other => return Err(Some(words_of(&other, bounds))),
    };
    let is_of_report = codes.iter().any(|code| *code as i32 == output.code);
    if !is_of_report {
        return Err(Some(said(&output)));
    }
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

fn words_of(ended: &Ended, bounds: &LspBounds) -> String {
    match ended {
        Ended::TooLong => format!(
            "it took longer than {} milliseconds (`lsp.job_ms_max`)",
            bounds.job_ms_max
        ),
        Ended::TooMuch => format!(
            "its report has more than {} bytes (`lsp.output_bytes_max`)",
            bounds.output_bytes_max
        ),
        Ended::Busy => format!(
            "{} jobs wait already (`lsp.jobs_waiting_max`)",
            bounds.jobs_waiting_max
        ),
        Ended::Died { .. } => "it was ended by a signal".to_owned(),
        Ended::Broken(why) => why.clone(),
        Ended::Exited(_) | Ended::Cancelled => "it has no report".to_owned(),
    }
}
