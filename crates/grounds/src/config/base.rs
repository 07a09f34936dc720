//! The configuration that a change is judged by. The version of the repository's file at the base
//! of the change counts: the author of a change does not decide how it is judged.

use std::path::{Path, PathBuf};

use grounds_repo::text::read_regular;
use grounds_review::SettingsSide;
use grounds_review::settings::SettingsFile;
use grounds_review::tree::Content;
use serde::Deserialize;

use super::{
    CONFIG_BYTES_MAX, CORA_FILE_NAME, Config, ConfigRole, FILE_NAME, ReviewConfig, forbidden,
    layers, nearest, of_text, places, read_one,
};
use crate::error::{ConfigFault, Error};

/// The advice about a file of the base that cannot be read.
const ADVICE: &str = "fix it in place, or name another with --config FILE";

/// Reads the configuration that a change is judged by, over the person's own. A named file counts
/// instead of the repository's.
///
/// # Errors
/// [`Error::Config`] when a file that counts cannot be used.
pub fn read(
    named: Option<&Path>,
    top: &Path,
    settings: &SettingsSide<'_>,
) -> Result<Config, Error> {
    if let Some(path) = named {
        // A workflow may name a file of the repository: the change could edit it as well as the
        // default one.
        return match changed_below(path, top, settings) {
            Some(below) => over_own(named, top, config_of(settings, &below)?.unwrap_or_default()),
            None => Ok(layers(named, top)?
                .into_iter()
                .fold(Config::default(), |below, layer| layer.config.over(below))),
        };
    }
    let config = match config_of(settings, FILE_NAME)? {
        Some(config) => config,
        // `.cora.yaml` counts only if the repository has no file of our own.
        None => Config {
            review: cora(settings)?,
            ..Config::default()
        },
    };
    over_own(named, top, config)
}

/// Fills unset fields of a configuration from the person's own.
fn over_own(named: Option<&Path>, top: &Path, config: Config) -> Result<Config, Error> {
    let own = places(named, top)
        .into_iter()
        .find(|place| place.role == ConfigRole::Own && place.path.symlink_metadata().is_ok())
        .map(|place| read_one(place, top))
        .transpose()?;
    Ok(config.over(own.map(|layer| layer.config).unwrap_or_default()))
}

/// Returns the path below the top of a file that the change itself edits; `None` for any other,
/// which is the person's.
pub fn changed_below(path: &Path, top: &Path, settings: &SettingsSide<'_>) -> Option<String> {
    let full = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let below = full
        .strip_prefix(top.canonicalize().ok()?)
        .ok()?
        .to_str()?
        .to_owned();
    settings.is_changed(&below).then_some(below)
}

fn config_of(settings: &SettingsSide<'_>, path: &str) -> Result<Option<Config>, Error> {
    let Some((shown, text)) = text(settings, path)? else {
        return Ok(None);
    };
    let config = of_text(&shown, &text)?;
    match forbidden(&config) {
        Some((reason, advice)) => Err(Error::Config {
            path: shown,
            fault: ConfigFault::Forbidden,
            reason,
            advice: advice.to_owned(),
        }),
        None => Ok(Some(config)),
    }
}

fn cora(settings: &SettingsSide<'_>) -> Result<ReviewConfig, Error> {
    match text(settings, CORA_FILE_NAME)? {
        Some((shown, text)) => cora_of_text(&shown, &text),
        None => Ok(ReviewConfig::default()),
    }
}

/// Reads the section `review` of a `.cora.yaml`, which has the same keys. Its other sections belong
/// to another tool and are ignored.
fn cora_of_text(path: &Path, text: &str) -> Result<ReviewConfig, Error> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Cora {
        review: ReviewConfig,
    }
    // To the parser an empty file is a null and no mapping.
    if text.trim().is_empty() {
        return Ok(ReviewConfig::default());
    }
    let cora: Cora = serde_saphyr::from_str(text).map_err(|error| {
        let reason = nearest::with_nearest(&error.without_snippet().to_string());
        Error::Config {
            path: path.to_owned(),
            fault: ConfigFault::Invalid,
            reason,
            advice: "see `grounds schema config`, section `review`".to_owned(),
        }
    })?;
    Ok(cora.review)
}

/// Returns the text of a file of the base, with its name for errors; `None` if the base does not
/// have it.
///
/// # Errors
/// [`Error::Config`] when it exists and cannot be read.
pub fn text(settings: &SettingsSide<'_>, path: &str) -> Result<Option<(PathBuf, String)>, Error> {
    let file = settings.file(path).map_err(|error| Error::Config {
        path: shown(settings, path),
        fault: ConfigFault::Unreadable,
        reason: error.to_string(),
        advice: ADVICE.to_owned(),
    })?;
    text_of(settings, path, file)
}

fn shown(settings: &SettingsSide<'_>, path: &str) -> PathBuf {
    PathBuf::from(format!("{path} (at {})", settings.name()))
}

/// Returns the text of a file of the base that was requested already, with its name for errors.
pub(super) fn text_of(
    settings: &SettingsSide<'_>,
    path: &str,
    file: Option<SettingsFile>,
) -> Result<Option<(PathBuf, String)>, Error> {
    let shown = shown(settings, path);
    let wrong = |reason: String| Error::Config {
        path: shown.clone(),
        fault: ConfigFault::Unreadable,
        reason,
        advice: ADVICE.to_owned(),
    };
    match file {
        None => Ok(None),
        Some(SettingsFile {
            content: Content::Bytes(bytes),
            ..
        }) if bytes.len() as u64 <= CONFIG_BYTES_MAX => String::from_utf8(bytes)
            .map(|text| Some((shown.clone(), text)))
            .map_err(|error| wrong(error.to_string())),
        Some(SettingsFile {
            content: Content::Missing,
            ..
        }) => Err(wrong("it is not a regular file".to_owned())),
        Some(_) => Err(wrong(format!("it has more than {CONFIG_BYTES_MAX} bytes"))),
    }
}

/// Reports whether the file on disk differs from the one that counts, so that the person can be
/// warned.
pub fn differs_on_disk(top: &Path, settings: &SettingsSide<'_>, path: &str) -> bool {
    let place = top.join(path);
    if place.symlink_metadata().is_err() {
        return false;
    }
    // A pipe in its place would keep a review waiting.
    let on_disk = read_regular(&place, CONFIG_BYTES_MAX).ok();
    let at_base = text(settings, path)
        .ok()
        .flatten()
        .map(|(_, text)| text.into_bytes());
    on_disk != at_base
}
