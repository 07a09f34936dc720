//! The rules of a run, as the configuration wants them: the built-in ones, those of
//! the project, what is on, what is silenced, and their bounds.

use std::path::Path;

use grounds_review::rules::RuleError;
use grounds_review::settings::SettingsFile;
use grounds_review::tree::Content;
use grounds_review::{RuleSet, Settings};

use crate::config::RulesConfig;
use crate::config::folders::FolderConfigs;
use crate::error::Error;

/// Where the rules of a project lie below its top.
pub const FOLDER: &str = ".grounds/rules";

/// The rules of a project.
///
/// # Errors
/// A broken rule file, with line and column; a name that no rule has.
pub fn of_project(top: &Path, config: &RulesConfig) -> Result<RuleSet, Error> {
    configured(RuleSet::built_in().with_folder(&top.join(FOLDER))?, config)
}

/// The rules that a change is judged by: those of its base.
///
/// # Errors
/// As [`of_project`].
pub fn of_base(
    settings: &Settings<'_>,
    config: &RulesConfig,
    folders: FolderConfigs,
) -> Result<RuleSet, Error> {
    let unread = |path: &str, reason: String| RuleError {
        path: format!("{path} (at {})", settings.name()),
        line: 1,
        column: 1,
        reason,
    };
    let files = settings
        .folder(FOLDER)
        .map_err(|error| unread(FOLDER, error.to_string()))?;
    let mut texts = Vec::new();
    for SettingsFile { path, content } in files {
        match content {
            Content::Bytes(bytes) => {
                let text = String::from_utf8(bytes);
                texts.push((
                    path.clone(),
                    text.map_err(|error| unread(&path, error.to_string()))?,
                ));
            }
            Content::TooLarge(bytes) => Err(unread(&path, format!("it has {bytes} bytes")))?,
            Content::Missing => Err(unread(&path, "it is not a regular file".to_owned()))?,
        }
    }
    let set = configured(RuleSet::built_in().with_texts(&texts)?, config)?;
    let mut set = set.with_folders(folders.folders)?;
    for (folder, silenced) in &folders.suppress {
        set.silence_below(folder, &silenced.rule, &silenced.files, &silenced.reason)?;
    }
    Ok(set)
}

fn configured(mut set: RuleSet, config: &RulesConfig) -> Result<RuleSet, Error> {
    set.switch(&config.on, true)?;
    set.switch(&config.off, false)?;
    for suppress in &config.suppress {
        set.silence(&suppress.rule, &suppress.files, &suppress.reason)?;
    }
    let limits = &mut set.limits;
    limits.file_bytes_max = config.file_bytes_max.unwrap_or(limits.file_bytes_max);
    limits.file_ms_max = config.file_ms_max.unwrap_or(limits.file_ms_max);
    limits.line_bytes_max = config.line_bytes_max.unwrap_or(limits.line_bytes_max);
    limits.findings_in_file_max = config
        .findings_in_file_max
        .unwrap_or(limits.findings_in_file_max);
    limits.findings_max = config.findings_max.unwrap_or(limits.findings_max);
    limits.threads_max = config.threads_max.unwrap_or(limits.threads_max);
    Ok(set)
}
