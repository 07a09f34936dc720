//! `grounds config`: the effective configuration and its sources, and whether the files are valid.

use serde_json::Value;

use super::print;
use crate::cli::{ConfigArguments, ConfigCommand, ConfigShow, Global, ModelOptions, TextFormat};
use crate::config::keys::{self, ConfigKey};
use crate::config::{self, Config, ConfigFile, ConfigRole, Layer};
use crate::error::Error;
use crate::exit::Exit;
use crate::output::config::{
    ConfigReport, FileEntry, FileState, ValueEntry, ValueOrigin, VariableEntry,
};

/// Values that are never shown: a command may hold what it prints.
const SECRET: [&str; 2] = ["model.key_command", "fleet.ledger"];
/// Keys that belong to the model of their file, and do not go with another one that a variable or
/// an option names.
const OF_THE_MODEL: [&str; 4] = [
    "model.base_url",
    "model.key_command",
    "model.key_variable",
    "model.keyring_account",
];

pub(super) fn run(arguments: &ConfigArguments, global: &Global) -> Result<Exit, Error> {
    match &arguments.command {
        ConfigCommand::Show(arguments) => show(arguments, global),
        ConfigCommand::Check => check(global),
    }
}

fn show(arguments: &ConfigShow, global: &Global) -> Result<Exit, Error> {
    let checkout = super::ask::open(global)?;
    let named = global.config.as_deref();
    let layers = config::layers(named, checkout.root())?;
    let files = config::places(named, checkout.root())
        .iter()
        .map(|place| file(place, &layers))
        .collect();
    let is_wanted = |path: &str| {
        arguments
            .key
            .as_deref()
            .is_none_or(|wanted| is_below(path, wanted))
    };
    let values: Vec<ValueEntry> = values(&layers, &arguments.model, global)
        .into_iter()
        .filter(|value| is_wanted(&value.key) && !(arguments.changed && value.is_default()))
        .collect();
    // A wrong name would otherwise look like a key that nobody has set.
    if let Some(wanted) = arguments.key.as_deref().filter(|wanted| !is_known(wanted)) {
        return Err(unknown(wanted));
    }
    let report = ConfigReport {
        schema: "grounds.config/1",
        usable: true,
        files,
        values,
        variables: variables(),
    };
    print(Exit::Answered, &mut |out| report.print(global.format, out))
}

fn is_below(path: &str, wanted: &str) -> bool {
    path.strip_prefix(wanted)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn is_known(wanted: &str) -> bool {
    keys::sections().iter().any(|section| {
        is_below(section.path, wanted) || section.keys.iter().any(|key| is_below(&key.path, wanted))
    })
}

fn unknown(wanted: &str) -> Error {
    let known: Vec<String> = keys::sections()
        .into_iter()
        .flat_map(|section| section.keys)
        .map(|key| key.path)
        .collect();
    let nearest =
        config::nearest::among(wanted, known.iter().map(String::as_str)).map(str::to_owned);
    Error::NothingToExplain {
        name: wanted.to_owned(),
        nearest,
    }
}

fn file(place: &ConfigFile, layers: &[Layer]) -> FileEntry {
    let is_read = layers.iter().any(|layer| layer.path == place.path);
    let state = if is_read {
        FileState::Read
    } else {
        FileState::Absent
    };
    FileEntry {
        path: place.path.display().to_string(),
        role: role(place.role),
        state,
        error: None,
        code: None,
    }
}

const fn role(role: ConfigRole) -> &'static str {
    match role {
        ConfigRole::Own => "your own",
        ConfigRole::Repository => "the repository's",
        ConfigRole::Named => "named with --config",
    }
}

fn values(layers: &[Layer], options: &ModelOptions, global: &Global) -> Vec<ValueEntry> {
    // The weakest layer comes first, so that each one goes over those before it.
    let whole = layers
        .iter()
        .cloned()
        .fold(Config::default(), |below, layer| layer.config.over(below));
    let whole = serde_json::to_value(&whole).unwrap_or_default();
    let keys = keys::sections()
        .into_iter()
        .flat_map(|section| section.keys);
    let chosen = chosen_model(options, &whole);
    keys.map(|key| {
        let mut entry = value(&key, &whole, layers);
        if let Some((name, origin)) = chosen.as_ref() {
            overrule(&mut entry, name, origin);
        }
        if global.no_model && entry.key == "model.use" && !entry.value.is_null() {
            entry.note = Some("not asked: --no-model".to_owned());
        }
        // Comes last: what overrules a value above may be a secret as well.
        hide(&mut entry);
        entry
    })
    .collect()
}

fn value(key: &ConfigKey, whole: &Value, layers: &[Layer]) -> ValueEntry {
    let said = keys::at(whole, &key.path).clone();
    let is_said = !said.is_null() && !is_empty(&said);
    let mut from: Vec<(bool, ValueOrigin)> = layers
        .iter()
        .rev()
        .filter(|_| is_said)
        .filter_map(|layer| origin(layer, &key.path, &said))
        .collect();
    // A list has parts of every file; of a single value the strongest file counts. Of some keys
    // the stricter value counts, whichever file has it.
    if !said.is_array() && !said.is_object() {
        from.sort_by_key(|(has_value, _)| !has_value);
        from.truncate(1);
    }
    let origins: Vec<ValueOrigin> = from.into_iter().map(|(_, origin)| origin).collect();
    let value = if is_said { said } else { key.usual.clone() };
    let origins = if origins.is_empty() {
        vec![ValueOrigin::Default]
    } else {
        origins
    };
    ValueEntry {
        key: key.path.clone(),
        value,
        origins,
        note: None,
    }
}

fn is_empty(value: &Value) -> bool {
    value.as_array().is_some_and(Vec::is_empty)
        || value.as_object().is_some_and(serde_json::Map::is_empty)
}

/// Returns where a file sets a key, and whether to the value that counts; `None` if it does not.
fn origin(layer: &Layer, path: &str, whole: &Value) -> Option<(bool, ValueOrigin)> {
    let config = serde_json::to_value(&layer.config).unwrap_or_default();
    let said = keys::at(&config, path);
    if said.is_null() || is_empty(said) {
        return None;
    }
    let origin = ValueOrigin::File {
        path: layer.path.display().to_string(),
        line: layer.lines.get(path).copied(),
    };
    Some((said == whole, origin))
}

/// Returns the model that the command line or the environment names, and which of the two does.
fn chosen_model(options: &ModelOptions, whole: &Value) -> Option<(String, ValueOrigin)> {
    let option = options.model.clone().map(|model| {
        (
            model,
            ValueOrigin::Option {
                name: "--model".to_owned(),
            },
        )
    });
    let variable = || {
        let model = std::env::var("GROUNDS_MODEL")
            .ok()
            .filter(|model| !model.trim().is_empty());
        model.map(|model| {
            (
                model,
                ValueOrigin::Variable {
                    name: "GROUNDS_MODEL".to_owned(),
                },
            )
        })
    };
    option
        .or_else(variable)
        // The same model as in the file keeps the file's address and key, so nothing is overruled.
        .filter(|(model, _)| keys::at(whole, "model.use").as_str() != Some(model))
}

fn overrule(entry: &mut ValueEntry, model: &str, origin: &ValueOrigin) {
    if entry.key == "model.use" {
        entry.value = Value::String(model.to_owned());
        entry.origins = vec![origin.clone()];
    } else if OF_THE_MODEL.contains(&entry.key.as_str()) && !entry.value.is_null() {
        entry.note = Some("not used: it belongs to the model of its file".to_owned());
    }
}

/// Hides a key, which must never be shown, whatever contains it.
fn hide(entry: &mut ValueEntry) {
    let holds_a_name = entry
        .value
        .as_str()
        // `https://name:password@host` may be the value of any address.
        .is_some_and(|text| text.contains("://") && text.contains('@'));
    if (SECRET.contains(&entry.key.as_str()) && !entry.value.is_null()) || holds_a_name {
        entry.value = Value::String("(set, not shown)".to_owned());
    }
}

/// Returns the environment variables that count beside the files.
fn variables() -> Vec<VariableEntry> {
    super::doctor::variables::ALL
        .iter()
        .map(super::doctor::variables::Variable::entry)
        .collect()
}

/// Checks every file, also after one that is broken.
fn check(global: &Global) -> Result<Exit, Error> {
    let checkout = super::ask::open(global)?;
    let places = config::places(global.config.as_deref(), checkout.root());
    let mut files: Vec<FileEntry> = places
        .into_iter()
        .map(|place| checked(place, checkout.root()))
        .collect();
    // Files that are right by themselves may be wrong together; the strongest one that was read is
    // named then.
    if files.iter().all(|file| file.error.is_none())
        && let Err(error) = whole(global, checkout.root())
        && let Some(last) = files
            .iter_mut()
            .rev()
            .find(|file| file.state == FileState::Read)
    {
        (last.state, last.error, last.code) = (
            FileState::Broken,
            Some(error.to_string()),
            Some(error.code().as_str()),
        );
    }
    let usable = files.iter().all(|file| file.error.is_none());
    let report = ConfigReport {
        schema: "grounds.config/1",
        usable,
        files,
        values: Vec::new(),
        variables: Vec::new(),
    };
    let exit = if usable { Exit::Answered } else { Exit::Usage };
    print(exit, &mut |out| match global.format.as_text() {
        TextFormat::Json => report.print(global.format, out),
        TextFormat::Pretty | TextFormat::Markdown => report.files(out),
    })
}

fn checked(place: ConfigFile, root: &std::path::Path) -> FileEntry {
    let (path, role) = (place.path.display().to_string(), role(place.role));
    // A file that is named must exist; the others may be missing.
    if place.role != ConfigRole::Named && place.path.symlink_metadata().is_err() {
        return FileEntry {
            path,
            role,
            state: FileState::Absent,
            error: None,
            code: None,
        };
    }
    match config::read_one(place, root) {
        Ok(_) => FileEntry {
            path,
            role,
            state: FileState::Read,
            error: None,
            code: None,
        },
        Err(error) => FileEntry {
            path,
            role,
            state: FileState::Broken,
            error: Some(error.to_string()),
            code: Some(error.code().as_str()),
        },
    }
}

/// Checks what only shows if all files are taken together: names of rules, settings of a model.
fn whole(global: &Global, root: &std::path::Path) -> Result<(), Error> {
    let config = config::read(global.config.as_deref(), root)?;
    #[cfg(feature = "review")]
    crate::rules::of_project(root, &config.rules)?;
    #[cfg(feature = "model")]
    crate::model::settings(
        &ModelOptions::default(),
        &config.model.clone().unwrap_or_default(),
    )?;
    // A program without both features reads nothing else of it.
    let _ = config;
    Ok(())
}
