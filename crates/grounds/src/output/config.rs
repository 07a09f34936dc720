//! The effective configuration, for people and as JSON.

use std::io::{self, Write};

use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;
use serde_json::Value;

use crate::cli::Format;
use crate::safe;

/// What counts, and where it comes from.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ConfigReport {
    /// `grounds.config/1`.
    pub schema: &'static str,
    /// Whether every file can be used.
    pub usable: bool,
    /// The files that are looked for, the weakest first.
    pub files: Vec<FileEntry>,
    /// Every value; empty for a check.
    pub values: Vec<ValueEntry>,
    /// Environment variables in effect; empty for a check.
    pub variables: Vec<VariableEntry>,
}

/// A file of the configuration.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FileEntry {
    /// Where it is, or would be.
    pub path: String,
    /// Whose it is.
    pub role: &'static str,
    /// Whether it is there and can be used.
    pub state: FileState,
    /// What is wrong with it.
    pub error: Option<String>,
    /// The code of that error.
    pub code: Option<&'static str>,
}

/// Whether a file is there and can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FileState {
    /// It is there and was read.
    Read,
    /// It is not there.
    Absent,
    /// It cannot be used.
    Broken,
}

/// One value.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ValueEntry {
    /// The key, as `ask.threads`.
    pub key: String,
    /// What counts; null if nothing is set and the program decides by itself.
    pub value: Value,
    /// Where it comes from; several for lists, the strongest first.
    pub origins: Vec<ValueOrigin>,
    /// What else is to be known of it.
    pub note: Option<String>,
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum ValueOrigin {
    /// Nobody set it.
    Default,
    /// A file.
    File {
        /// The file.
        path: String,
        /// The line of the value.
        line: Option<u32>,
    },
    /// A variable of the environment.
    Variable {
        /// Its name.
        name: String,
    },
    /// An option of the command line.
    Option {
        /// The option.
        name: String,
    },
}

/// A variable of the environment.
#[derive(Debug, Serialize, JsonSchema)]
pub struct VariableEntry {
    /// Its name.
    pub name: &'static str,
    /// What it is for.
    pub about: &'static str,
    /// Whether it is set.
    pub is_set: bool,
    /// Its value, where it can hold no secret.
    pub value: Option<String>,
}

impl ValueEntry {
    /// Reports whether nobody set it.
    pub fn is_default(&self) -> bool {
        self.origins == [ValueOrigin::Default]
    }

    fn origin(&self) -> String {
        let said: Vec<String> = self.origins.iter().map(ValueOrigin::said).collect();
        let note = self
            .note
            .as_ref()
            .map(|note| format!(" ({note})"))
            .unwrap_or_default();
        format!("{}{note}", said.join(", "))
    }
}

impl ValueOrigin {
    fn said(&self) -> String {
        match self {
            Self::Default => "default".to_owned(),
            Self::File {
                path,
                line: Some(line),
            } => format!("{}:{line}", safe::for_line(path)),
            Self::File { path, line: None } => safe::for_line(path),
            Self::Variable { name } => format!("the variable {name}"),
            Self::Option { name } => format!("the option {name}"),
        }
    }
}

impl ConfigReport {
    /// Returns the published schema.
    pub fn schema() -> Schema {
        schema_for!(Self)
    }

    /// Prints everything.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn print(&self, format: Format, out: &mut dyn Write) -> io::Result<()> {
        if format == Format::Json {
            return writeln!(
                out,
                "{}",
                safe::for_json(&serde_json::to_string_pretty(self)?)
            );
        }
        self.files(out)?;
        writeln!(out)?;
        let shown: Vec<(String, String)> = self
            .values
            .iter()
            .map(|value| (value.key.clone(), safe::for_line(&value.value.to_string())))
            .collect();
        let width = |of: &dyn Fn(&(String, String)) -> usize| {
            // One long list must not push all other rows out of the screen.
            shown.iter().map(of).max().unwrap_or(0).min(40)
        };
        let (keys, values) = (
            width(&|(key, _)| key.len()),
            width(&|(_, value)| value.len()),
        );
        for ((key, value), entry) in shown.iter().zip(&self.values) {
            writeln!(out, "{key:keys$}  {value:values$}  {}", entry.origin())?;
        }
        self.environment(out)
    }

    /// Prints the files.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn files(&self, out: &mut dyn Write) -> io::Result<()> {
        for file in &self.files {
            let state = match file.state {
                FileState::Read => "read",
                FileState::Absent => "not there",
                FileState::Broken => "cannot be used",
            };
            writeln!(
                out,
                "{}  {}, {state}",
                safe::for_line(&file.path),
                file.role
            )?;
            if let (Some(error), Some(code)) = (&file.error, file.code) {
                writeln!(
                    out,
                    "  {}\n  more: grounds explain {code}",
                    safe::for_terminal(error)
                )?;
            }
        }
        Ok(())
    }

    fn environment(&self, out: &mut dyn Write) -> io::Result<()> {
        let set: Vec<&VariableEntry> = self
            .variables
            .iter()
            .filter(|variable| variable.is_set)
            .collect();
        if set.is_empty() {
            return Ok(());
        }
        writeln!(out, "\nvariables that are set:")?;
        for variable in set {
            let value = variable
                .value
                .as_deref()
                .map_or_else(|| "(not shown)".to_owned(), safe::for_line);
            writeln!(out, "{}  {value}  {}", variable.name, variable.about)?;
        }
        Ok(())
    }
}
