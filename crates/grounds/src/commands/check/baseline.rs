//! The baseline of `grounds check`: claims that did not hold before are known and not reported
//! again.

use std::collections::BTreeSet;
use std::path::Path;

use grounds_check::{CheckRun, Checked, CheckedDocument, ClaimVerdict};
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::named;

/// Bytes of a baseline that are read.
const BASELINE_BYTES_MAX: usize = 16 << 20;
/// The name and version of the form.
const SCHEMA: &str = "grounds.check-baseline/1";

/// The claims that did not hold when it was written.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Baseline {
    schema: String,
    known: BTreeSet<KnownClaim>,
}

/// A claim that does not hold, whatever line it has moved to.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KnownClaim {
    document: String,
    kind: String,
    claim: String,
}

/// Removes the accusations that a baseline knows.
///
/// # Errors
/// [`Error::Baseline`] when it cannot be read.
pub(super) fn apply(
    path: &Path,
    documents: &[CheckedDocument],
    report: &mut CheckRun,
) -> Result<(), Error> {
    let failed = |reason: String| Error::Baseline {
        path: path.to_owned(),
        reason,
    };
    let (text, is_cut) = super::text::read_any(path, BASELINE_BYTES_MAX)?;
    let baseline: Baseline =
        serde_json::from_str(&text).map_err(|error| failed(error.to_string()))?;
    // With a part of the list, known claims would be reported as new.
    if is_cut || baseline.schema != SCHEMA {
        return Err(failed(format!("it is not a complete `{SCHEMA}`")));
    }
    for checked in report
        .checked
        .iter_mut()
        .filter(|checked| checked.verdict.accuses())
    {
        if baseline.known.contains(&known(checked, documents)) {
            // `NoClaim` is in no count, so that a known claim changes neither the summary nor the
            // exit code.
            checked.verdict = ClaimVerdict::NoClaim("known from the baseline");
        }
    }
    Ok(())
}

/// Returns the baseline of the claims that do not hold.
pub(super) fn of(documents: &[CheckedDocument], report: &CheckRun) -> Baseline {
    let accused = report
        .checked
        .iter()
        .filter(|checked| checked.verdict.accuses());
    Baseline {
        schema: SCHEMA.to_owned(),
        known: accused.map(|checked| known(checked, documents)).collect(),
    }
}

/// Writes a baseline.
///
/// # Errors
/// [`Error::Baseline`] when it cannot be written.
pub(super) fn save(path: &Path, baseline: &Baseline) -> Result<(), Error> {
    let written = serde_json::to_string_pretty(baseline).map_err(|error| error.to_string());
    written
        .and_then(|text| named::write(path, &(text + "\n")).map_err(|error| error.to_string()))
        .map_err(|reason| Error::Baseline {
            path: path.to_owned(),
            reason,
        })
}

fn known(checked: &Checked, documents: &[CheckedDocument]) -> KnownClaim {
    let owners = checked.claim.owners.join(".");
    KnownClaim {
        document: documents[checked.document].name.clone(),
        kind: checked.claim.kind.as_str().to_owned(),
        claim: format!("{owners}|{}", checked.claim.name)
            .trim_start_matches('|')
            .to_owned(),
    }
}
