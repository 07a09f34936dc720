//! A change that edits the settings that judge it.

use super::{ChangePlace, ChangedSides, Native};
use crate::rules::report::Unread;
use crate::settings::is_at_or_below;

/// Files that decide how changes are judged, and folders of such files.
const SETTINGS: &[&str] = &[
    ".grounds.yaml",
    ".cora.yaml",
    ".grounds/dismissed.yml",
    ".grounds/baseline.json",
    crate::measured::PATH,
];
/// The configuration of a folder below the top.
const OF_FOLDER: &str = "/.grounds.yaml";
const FOLDERS: &[&str] = &[".grounds/rules/"];

/// See `built_in/review-settings-changed.yml`.
#[derive(Debug)]
pub(super) struct SettingsChanged;

impl Native for SettingsChanged {
    fn name(&self) -> &'static str {
        "review-settings-changed"
    }

    fn is_about_changes(&self) -> bool {
        true
    }

    fn on_change(&self, change: &ChangedSides<'_>) -> Result<Vec<ChangePlace>, Unread> {
        let is_setting = |path: &str| {
            SETTINGS.contains(&path)
                || path.ends_with(OF_FOLDER)
                || FOLDERS.iter().any(|folder| path.starts_with(folder))
                || change.packs.iter().any(|pack| is_at_or_below(pack, path))
        };
        let old = change.file.path_old.as_deref().unwrap_or(&change.file.path);
        if !is_setting(&change.file.path) && !is_setting(old) {
            return Ok(Vec::new());
        }
        let line = change.lines.added.first().map(|line| (*line, *line));
        let quote = change
            .head
            .zip(line)
            .map(|(head, (line, _))| head.line(line).trim().to_owned())
            .unwrap_or_default();
        Ok(vec![ChangePlace {
            lines: line,
            quote,
            message: String::new(),
            symbol: String::new(),
            severity: None,
        }])
    }
}
