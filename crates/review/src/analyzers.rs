//! Analyzers that a review runs itself. The settings of the base choose them; they get the changed
//! files of the reviewed version and their own settings of the base, in the sandbox. Returns their
//! reports; an analyzer that did not run to its end becomes a failed report.

mod room;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use globset::{GlobBuilder, GlobMatcher};
use serde::Deserialize;

use crate::diff::{Change, DiffLimits, skip};
use crate::others::{self, Others};
use crate::settings::SettingsSide;
use crate::tree::{self, Content};

const KNOWN: &str = include_str!("analyzers.yml");
/// The name for all analyzers that the base configures and that are installed.
pub const AUTO: &str = "auto";

/// An analyzer that can be run.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Analyzer {
    /// Its name.
    pub name: String,
    /// The program and its arguments before the files.
    words: Vec<String>,
    /// Patterns of the files that it gets.
    files: Vec<String>,
    /// Files that configure it, each with words that the file then contains.
    settings: BTreeMap<String, String>,
    /// The arguments that pass such a file to it, if it does not find the file by itself.
    #[serde(default)]
    options: BTreeMap<String, String>,
    /// Whether it reports nothing without such a file.
    #[serde(default)]
    needs_settings: bool,
    /// Exit codes of a complete run.
    ends: Vec<i32>,
}

/// A file for the room of a run: its path and its bytes.
type RoomFile = (String, Vec<u8>);

/// Returns all known analyzers.
pub fn known() -> &'static [Analyzer] {
    static READ: OnceLock<Vec<Analyzer>> = OnceLock::new();
    READ.get_or_init(|| serde_saphyr::from_str(KNOWN).unwrap_or_default())
}

/// Returns the names that a setting may have, for a message.
pub fn names() -> String {
    let names = known().iter().map(|analyzer| analyzer.name.as_str());
    names.chain([AUTO]).collect::<Vec<_>>().join(", ")
}

/// Runs the analyzers of these names; `auto` is each that the base configures and that is installed.
///
/// # Errors
/// Returns an error for a name that is not an analyzer.
pub fn run(
    wanted: &[String],
    change: &Change,
    settings: &SettingsSide<'_>,
    limits: &DiffLimits,
) -> Result<Vec<Others>, String> {
    let mut reports = Vec::new();
    for name in wanted {
        if name != AUTO && !known().iter().any(|analyzer| analyzer.name == *name) {
            return Err(format!(
                "there is no analyzer `{name}`; known are {}",
                names()
            ));
        }
    }
    let is_auto = wanted.iter().any(|name| name == AUTO);
    for analyzer in known() {
        let is_named = wanted.contains(&analyzer.name);
        if !(is_named || is_auto) {
            continue;
        }
        let report = match analyzer.material(change, settings, limits) {
            // Without a file to judge, even a named analyzer is not run, and need not be installed.
            Ok(AnalyzerInput { files, .. }) if files.is_empty() => continue,
            // `auto` means only what the base configures. A named analyzer has to run, or the
            // review fails.
            Ok(material) if !is_named && !material.is_configured => continue,
            Ok(_) if !is_named && !room::is_installed(&analyzer.words[0], change) => continue,
            Ok(material) => analyzer.report(&material, change),
            Err(why) => Err(why),
        };
        reports.push(report.unwrap_or_else(|why| Others {
            failed: Some(why),
            ..Others::default()
        }));
        if let Some(report) = reports.last_mut() {
            analyzer.name.clone_into(&mut report.name);
        }
    }
    Ok(reports)
}

/// The input of an analyzer.
struct AnalyzerInput {
    /// The changed files that it knows.
    files: Vec<RoomFile>,
    /// Its settings.
    settings: Vec<RoomFile>,
    is_configured: bool,
}

impl Analyzer {
    fn material(
        &self,
        change: &Change,
        settings: &SettingsSide<'_>,
        limits: &DiffLimits,
    ) -> Result<AnalyzerInput, String> {
        let Some(top) = &change.top else {
            return Err("only the diff of the reviewed files is available".to_owned());
        };
        let (heads, _) =
            tree::read_sides(top, &change.diff, limits).map_err(|error| error.to_string())?;
        let is_its = self.chooser();
        let mut files = Vec::new();
        for (path, content) in heads {
            let is_known = is_its(&path);
            match content {
                Content::Bytes(bytes) if is_known => files.push((path, bytes)),
                Content::TooLarge(_) if is_known => {
                    return Err(format!("`{path}` has more bytes than are read"));
                }
                Content::Bytes(_) | Content::TooLarge(_) | Content::Missing => {}
            }
        }
        let (mut own, mut is_configured) = (Vec::new(), false);
        for (path, mark) in &self.settings {
            let file = settings.file(path).map_err(|error| error.to_string())?;
            let bytes = match file.map(|file| file.content) {
                Some(Content::Bytes(bytes)) => bytes,
                Some(Content::TooLarge(_)) => {
                    return Err(format!(
                        "its settings `{path}` have more bytes than are read"
                    ));
                }
                Some(Content::Missing) | None => continue,
            };
            // A file such as `pyproject.toml` is shared by many tools, and counts only if it
            // configures this one.
            if String::from_utf8_lossy(&bytes).contains(mark.as_str()) {
                is_configured = true;
                own.push((path.clone(), bytes));
            }
        }
        Ok(AnalyzerInput {
            files,
            settings: own,
            is_configured,
        })
    }

    /// Returns a test of whether it gets the file of a path. Files of others are left out, as our
    /// own rules do.
    fn chooser(&self) -> impl Fn(&str) -> bool {
        let globs = self.files.iter();
        let patterns: Vec<GlobMatcher> = globs.filter_map(|glob| matcher(glob)).collect();
        let is_named = move |path: &str| patterns.iter().any(|pattern| pattern.is_match(path));
        move |path| is_named(path) && !skip::is_of_others(path)
    }

    /// Runs it, and reads its report.
    fn report(&self, material: &AnalyzerInput, change: &Change) -> Result<Others, String> {
        if self.needs_settings && !material.is_configured {
            let files: Vec<&str> = self.settings.keys().map(String::as_str).collect();
            return Err(format!(
                "it needs settings, and the base has none ({})",
                files.join(", ")
            ));
        }
        let said = room::run(self, material, change)?;
        if !self.ends.contains(&said.code) {
            return Err(format!(
                "it ended with code {}: {}",
                said.code,
                said.complaint.lines().last().unwrap_or_default()
            ));
        }
        let report = others::read(&self.name, &said.out)
            .map_err(|why| format!("its report cannot be read: {why}"))?;
        // The exit code says that it found something, so a report without findings was not
        // understood.
        if said.code != 0 && report.findings.is_empty() && report.failed.is_none() {
            return Err(format!(
                "it ended with code {} and its report shows no finding",
                said.code
            ));
        }
        Ok(report)
    }
}

/// Compiles a pattern of paths.
fn matcher(glob: &str) -> Option<GlobMatcher> {
    let built = GlobBuilder::new(glob).literal_separator(true).build();
    Some(built.ok()?.compile_matcher())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_can_be_read() {
        assert!(known().len() >= 8);
        for analyzer in known() {
            assert!(!analyzer.words.is_empty() && !analyzer.ends.is_empty());
            assert!(analyzer.files.iter().all(|glob| matcher(glob).is_some()));
        }
    }
}
