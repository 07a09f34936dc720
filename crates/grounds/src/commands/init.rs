//! `grounds init`: writes a configuration with every key, commented out, and its schema beside it,
//! so that an editor needs no network.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::print;
use crate::cli::{Global, Init};
use crate::config::template::{self, ConfigOwner};
use crate::config::{self, keys};
use crate::error::Error;
use crate::exit::Exit;
use crate::safe;

/// The name of the schema: in the folder of the rules for a repository, else beside the
/// configuration.
const SCHEMA_NAME: &str = "config.schema.json";
/// The folder of a repository for what belongs to this program.
const FOLDER: &str = ".grounds";

pub(super) fn run(arguments: &Init, global: &Global) -> Result<Exit, Error> {
    let (owner, path, schema) = match arguments.user {
        true => own()?,
        false => of_repository(super::ask::open(global)?.root()),
    };
    if path.symlink_metadata().is_ok() && !arguments.force {
        return Err(Error::Exists { path });
    }
    let text = template::text(owner, &schema.to_string_lossy());
    let beside = path.parent().unwrap_or(Path::new(".")).join(&schema);
    let shown = serde_json::to_string_pretty(&keys::schema())
        .map_err(|error| Error::Write(error.into()))?;
    // The schema comes first: an editor reports an error if a configuration names a missing one.
    write(&beside, &format!("{shown}\n"))?;
    write(&path, &text)?;
    print(Exit::Answered, &mut |out| {
        writeln!(out, "wrote {}", safe::for_line(&path.display().to_string()))?;
        writeln!(
            out,
            "wrote {} (its schema, for editors)",
            safe::for_line(&beside.display().to_string())
        )?;
        writeln!(
            out,
            "Nothing in it is in force yet: remove the `#` before what you want to set. `grounds config show` tells what counts."
        )
    })
}

/// The owner of the configuration, its file, and the schema as seen from it.
type ConfigTarget = (ConfigOwner, PathBuf, PathBuf);

fn of_repository(root: &Path) -> ConfigTarget {
    (
        ConfigOwner::Repository,
        root.join(config::FILE_NAME),
        Path::new(FOLDER).join(SCHEMA_NAME),
    )
}

fn own() -> Result<ConfigTarget, Error> {
    let wrong = || Error::NotWritten {
        path: config::OWN_FILE_NAME.into(),
        reason: "neither XDG_CONFIG_HOME nor HOME names a folder".to_owned(),
    };
    Ok((
        ConfigOwner::Person,
        config::own_file().ok_or_else(wrong)?,
        SCHEMA_NAME.into(),
    ))
}

/// Writes a file completely or not at all. It replaces an existing file, and does not follow a
/// link.
fn write(path: &Path, text: &str) -> Result<(), Error> {
    let wrong = |error: std::io::Error| Error::NotWritten {
        path: path.to_owned(),
        reason: error.to_string(),
    };
    let folder = path.parent().unwrap_or(Path::new("."));
    // A repository may have `.grounds` as a link to a folder outside of it.
    if folder.is_symlink() {
        return Err(Error::NotWritten {
            path: path.to_owned(),
            reason: "its folder is a link".to_owned(),
        });
    }
    std::fs::create_dir_all(folder).map_err(wrong)?;
    // The rename replaces a link at the path itself, and does not write through it.
    let new = path.with_extension(format!("new-{}", std::process::id()));
    let written = std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&new)
        .and_then(|mut file| file.write_all(text.as_bytes()));
    written
        .and_then(|()| std::fs::rename(&new, path))
        .map_err(|error| {
            let _ = std::fs::remove_file(&new);
            wrong(error)
        })
}
