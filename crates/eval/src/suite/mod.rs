//! Suites: files of cases. [`FORMATS`] lists the formats, one file and one line each; the first
//! format that recognizes a file reads it.

mod builtin;
mod intent_prompts;
mod locate_abstain;
mod native;
mod semble;

use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::Path;

use crate::case::Case;
use crate::error::EvalError;

pub use builtin::BUILT_IN;

/// Most bytes of a suite.
const SUITE_BYTES_MAX: u64 = 64 << 20;
/// Most cases of a suite.
const CASES_MAX: usize = 100_000;

/// A text that may be a suite.
#[derive(Clone, Copy, Debug)]
pub struct SuiteText<'s> {
    /// The name of the suite.
    pub name: &'s str,
    /// The file, or `None` for a built-in suite.
    pub path: Option<&'s Path>,
    /// Its content.
    pub text: &'s str,
}

/// A format of cases.
#[derive(Clone, Copy)]
pub struct SuiteFormat {
    /// Its name, for messages and the documentation.
    pub name: &'static str,
    /// Returns whether a text is written in it.
    pub knows: fn(&SuiteText<'_>) -> bool,
    /// Reads the cases.
    pub read: fn(&SuiteText<'_>) -> Result<Vec<Case>, EvalError>,
}

/// Every format, special ones before general ones.
pub const FORMATS: &[SuiteFormat] = &[
    locate_abstain::FORMAT,
    intent_prompts::FORMAT,
    semble::FORMAT,
    // These lines are recognized by their first brace alone, so the special formats come before
    // them.
    native::JSON_LINES,
    native::YAML,
];

/// Returns the cases of a suite: a built-in one by its name, or those of a file.
///
/// # Errors
/// [`EvalError::Suite`] with the line of the fault.
pub fn read(name: &str) -> Result<Vec<Case>, EvalError> {
    // A built-in suite wins over a file of its name.
    if let Some((_, text)) = BUILT_IN.iter().find(|(known, _)| *known == name) {
        return of_source(&SuiteText {
            name,
            path: None,
            text,
        });
    }
    let path = Path::new(name);
    let text = read_bounded(path).map_err(|reason| fault(name, &reason))?;
    // The name is a part of every case's name, so it is without folders and without an ending.
    let stem = path.file_stem().map_or_else(
        || name.to_owned(),
        |stem| stem.to_string_lossy().into_owned(),
    );
    of_source(&SuiteText {
        name: &stem,
        path: Some(path),
        text: &text,
    })
}

/// Returns the cases of a text, checked.
///
/// # Errors
/// As [`read`].
pub fn of_source(source: &SuiteText<'_>) -> Result<Vec<Case>, EvalError> {
    let format = FORMATS.iter().find(|format| (format.knows)(source));
    let format = format.ok_or_else(|| fault(source.name, "it is in none of the known formats"))?;
    let cases = (format.read)(source)?;
    check(source, &cases)?;
    Ok(cases)
}

fn check(source: &SuiteText<'_>, cases: &[Case]) -> Result<(), EvalError> {
    if cases.is_empty() {
        return Err(fault(source.name, "it has no cases"));
    }
    if cases.len() > CASES_MAX {
        return Err(fault(
            source.name,
            &format!("it has more than {CASES_MAX} cases"),
        ));
    }
    // Journals and snapshots know a case by its name alone.
    let mut known = BTreeSet::new();
    match cases.iter().find(|case| !known.insert(&case.id)) {
        Some(again) => Err(fault(
            source.name,
            &format!("line {}: the name `{}` occurs twice", again.line, again.id),
        )),
        None => Ok(()),
    }
}

fn read_bounded(path: &Path) -> Result<String, String> {
    let mut text = String::new();
    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    // A pipe or a device would keep its reader waiting.
    if !file.metadata().is_ok_and(|kind| kind.is_file()) {
        return Err("it is not a file".to_owned());
    }
    // One byte more than allowed tells a text that is too long from one that just fits.
    file.take(SUITE_BYTES_MAX + 1)
        .read_to_string(&mut text)
        .map_err(|error| error.to_string())?;
    if text.len() as u64 > SUITE_BYTES_MAX {
        Err(format!("it has more than {SUITE_BYTES_MAX} bytes"))
    } else {
        Ok(text)
    }
}

fn fault(suite: &str, reason: &str) -> EvalError {
    EvalError::Suite {
        suite: suite.to_owned(),
        reason: reason.to_owned(),
    }
}

impl std::fmt::Debug for SuiteFormat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

#[cfg(test)]
mod tests;
