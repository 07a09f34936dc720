//! The configuration of a folder: a `.grounds.yaml` below the top, as it is at the base of a change.
//! It has the keys that can be about the files of one folder, and no others.

use grounds_review::SettingsSide;
use grounds_review::folders::{FolderSettings, Folders};
use grounds_review::settings::SettingsFile;
use serde::Deserialize;

use super::{FILE_NAME, QualityName, SeverityName, SuppressConfig, base, nearest};
use crate::error::{ConfigFault, Error};

/// Files that git is asked for at once: their names have room on one command line.
const FILES_AT_ONCE: usize = 500;

/// The keys that a folder may set.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct FolderConfig {
    rules: SaidOfRules,
    review: SaidOfReview,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct SaidOfRules {
    on: Vec<String>,
    off: Vec<String>,
    suppress: Vec<SuppressConfig>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct SaidOfReview {
    min_quality: Option<QualityName>,
    severity: Option<SeverityName>,
}

/// The configurations of the folders around changed files.
#[derive(Default)]
pub struct FolderConfigs {
    /// Rules and gates.
    pub folders: Folders,
    /// Suppressions, each with its folder.
    pub suppress: Vec<(String, SuppressConfig)>,
}

/// Reads the configurations of the folders around changed files.
///
/// # Errors
/// [`Error::Config`] when one of them cannot be used.
pub fn read(settings: &SettingsSide<'_>) -> Result<FolderConfigs, Error> {
    let folders: Vec<String> = settings.folders().into_iter().collect();
    let (mut read, mut suppress) = (Vec::new(), Vec::new());
    for folders in folders.chunks(FILES_AT_ONCE) {
        let paths: Vec<String> = folders
            .iter()
            .map(|path| format!("{path}{FILE_NAME}"))
            .collect();
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        let files = settings.files(&paths);
        for file in files.map_err(|error| unread(settings, FILE_NAME, error.to_string()))? {
            // A folder of this name has files of its own, so it is not one of these.
            let Some(folder) = file.path.strip_suffix(FILE_NAME) else {
                continue;
            };
            let (said, folder) = (said(&file, settings)?, folder.to_owned());
            let below = |silenced| (folder.clone(), silenced);
            suppress.extend(said.rules.suppress.into_iter().map(below));
            read.push(FolderSettings {
                path: folder,
                on: said.rules.on,
                off: said.rules.off,
                min_quality: said.review.min_quality.map(Into::into),
                severity: said.review.severity.map(Into::into),
            });
        }
    }
    Ok(FolderConfigs {
        folders: Folders::new(read),
        suppress,
    })
}

fn said(file: &SettingsFile, settings: &SettingsSide<'_>) -> Result<FolderConfig, Error> {
    let Some((path, text)) = base::text_of(settings, &file.path, Some(file.clone()))? else {
        return Ok(FolderConfig::default());
    };
    // To the parser an empty file is a null and no mapping.
    if text.trim().is_empty() {
        return Ok(FolderConfig::default());
    }
    serde_saphyr::from_str(&text).map_err(|error| Error::Config {
        path,
        fault: ConfigFault::Invalid,
        reason: nearest::with_nearest(&error.without_snippet().to_string()),
        advice: "a folder may set `rules.on`, `rules.off`, `rules.suppress`, `review.min_quality` and `review.severity`"
            .to_owned(),
    })
}

fn unread(settings: &SettingsSide<'_>, path: &str, reason: String) -> Error {
    Error::Config {
        path: format!("{path} (at {})", settings.name()).into(),
        fault: ConfigFault::Unreadable,
        reason,
        advice: "name a configuration with --config FILE; then no folder's counts".to_owned(),
    }
}
