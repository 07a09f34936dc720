//! The rules of a run, from the configuration: the built-in ones, those of the project, which are
//! on, what is silenced, and their bounds.

use std::path::{Component, Path};

use grounds_review::measured::{self, Measured};
use grounds_review::rules::RuleError;
use grounds_review::settings::{SettingsFile, is_at_or_below};
use grounds_review::tree::Content;
use grounds_review::{RuleSet, SettingsSide};

use crate::config::RulesConfig;
use crate::config::folders::FolderConfigs;
use crate::error::Error;

/// The folder of a project's rules below its top.
pub const FOLDER: &str = ".grounds/rules";

/// Returns the rules of a project.
///
/// # Errors
/// A broken rule file, with line and column; a name that no rule has.
pub fn of_project(top: &Path, config: &RulesConfig) -> Result<RuleSet, Error> {
    let mut set = RuleSet::built_in().with_folder(&top.join(FOLDER))?;
    for pack in packs(config)? {
        let place = top.join(pack);
        // A link would lead to what the repository does not have.
        set = match place.symlink_metadata() {
            Ok(kind) if kind.is_dir() => set.with_folder(&place)?,
            Ok(kind) if kind.is_file() => set.with_file(&place)?,
            Ok(_) => Err(no_pack(pack, "it is neither a folder nor a regular file"))?,
            Err(error) => Err(no_pack(pack, &error.to_string()))?,
        };
    }
    configured(set, config)
}

/// Returns the places of packs, each a path below the top.
fn packs(config: &RulesConfig) -> Result<Vec<&str>, RuleError> {
    let below = |pack: &String| {
        // Neither `/etc` nor `..` is a part of the repository.
        let is_below = |part: Component<'_>| matches!(part, Component::Normal(_));
        !pack.is_empty() && Path::new(pack).components().all(is_below)
    };
    match config.extends.iter().find(|pack| !below(pack)) {
        Some(pack) => Err(no_pack(
            pack,
            "a pack is a folder or a file of the repository, named from its top",
        )),
        None => Ok(config
            .extends
            .iter()
            .map(|pack| pack.trim_end_matches('/'))
            .collect()),
    }
}

fn no_pack(pack: &str, reason: &str) -> RuleError {
    RuleError {
        path: format!("{pack} (in `rules.extends`)"),
        line: 1,
        column: 1,
        reason: reason.to_owned(),
    }
}

/// Returns the rules that a change is judged by: those of its base.
///
/// # Errors
/// As [`of_project`].
pub fn of_base(
    settings: &SettingsSide<'_>,
    config: &RulesConfig,
    folders: FolderConfigs,
) -> Result<RuleSet, Error> {
    let packs = packs(config)?;
    let texts = texts_at_base(settings, &packs)?;
    let set = configured(RuleSet::built_in().with_texts(&texts)?, config)?;
    let mut set = set.with_folders(folders.folders)?;
    set.measured = measured_at_base(settings)?;
    set.packs = packs.into_iter().map(str::to_owned).collect();
    for (folder, silenced) in &folders.suppress {
        // A folder speaks for its own files only.
        set.silence_below(folder, &silenced.rule, &silenced.files, &silenced.reason)?;
    }
    Ok(set)
}

/// Returns what became of earlier findings, as the base has it.
fn measured_at_base(settings: &SettingsSide<'_>) -> Result<Measured, RuleError> {
    let unread = |reason: String| RuleError {
        path: format!("{} (at {})", measured::PATH, settings.name()),
        line: 1,
        column: 1,
        reason,
    };
    let file = settings
        .file(measured::PATH)
        .map_err(|error| unread(error.to_string()))?;
    match file.map(|file| file.content) {
        None => Ok(Measured::default()),
        Some(Content::Bytes(bytes)) => {
            Measured::read(&String::from_utf8_lossy(&bytes)).map_err(unread)
        }
        Some(Content::TooLarge(_) | Content::Missing) => {
            Err(unread("it is too large or not a regular file".to_owned()))
        }
    }
}

/// Returns the files of the project's rules and of packs at the base, each with its path.
fn texts_at_base(
    settings: &SettingsSide<'_>,
    packs: &[&str],
) -> Result<Vec<(String, String)>, RuleError> {
    let unread = |path: &str, reason: String| RuleError {
        path: format!("{path} (at {})", settings.name()),
        line: 1,
        column: 1,
        reason,
    };
    let files = settings.files(&[&[FOLDER], packs].concat());
    let files = files.map_err(|error| unread(FOLDER, error.to_string()))?;
    let missing = |pack: &&&str| !files.iter().any(|file| is_at_or_below(pack, &file.path));
    // Silence would be a gate with fewer rules; a first commit has no base that could have the
    // pack.
    if let Some(pack) = packs.iter().find(missing).filter(|_| settings.has_side()) {
        let reason = "`rules.extends` names it, and it is not there".to_owned();
        return Err(unread(pack, reason));
    }
    let text = |SettingsFile { path, content }: SettingsFile| match content {
        Content::Bytes(bytes) => String::from_utf8(bytes)
            .map_err(|error| unread(&path, error.to_string()))
            .map(|text| (path, text)),
        Content::TooLarge(bytes) => Err(unread(&path, format!("it has {bytes} bytes"))),
        Content::Missing => Err(unread(&path, "it is not a regular file".to_owned())),
    };
    files.into_iter().map(text).collect()
}

fn configured(mut set: RuleSet, config: &RulesConfig) -> Result<RuleSet, Error> {
    set.switch(&config.on, true)?;
    // After `on`: a rule that is in both lists is off.
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
    limits.documents_max = config.documents_max.unwrap_or(limits.documents_max);
    limits.documents_bytes_max = config
        .documents_bytes_max
        .unwrap_or(limits.documents_bytes_max);
    limits.stated_names_max = config.stated_names_max.unwrap_or(limits.stated_names_max);
    limits.mentions_bytes_max = config
        .mentions_bytes_max
        .unwrap_or(limits.mentions_bytes_max);
    limits.stated_files_max = config.stated_files_max.unwrap_or(limits.stated_files_max);
    limits.stated_bytes_max = config.stated_bytes_max.unwrap_or(limits.stated_bytes_max);
    limits.threads_max = config.threads_max.unwrap_or(limits.threads_max);
    Ok(set)
}
