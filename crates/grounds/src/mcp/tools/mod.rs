//! The tools: one file each, and one line in [`ALL`]. A tool turns the arguments of a caller into a
//! command line, and the report of that command into a short text. An agent chooses a tool by its
//! description.

mod ask;
mod check;
mod review;
mod show;
mod verify;

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::Value;

use super::McpSettings;
use super::arguments::Wrong;
use super::places::AllowedPlaces;
use super::report::ToolKind;
use super::said::ResultText;

/// A tool.
pub(super) struct McpTool {
    pub(super) name: &'static str,
    pub(super) kind: ToolKind,
    title: &'static str,
    description: &'static str,
    /// Whether it may ask services or models beyond this machine.
    is_open: bool,
    /// Whether its result is kept as a run of its own.
    pub(super) is_kept: bool,
    input: fn() -> JsonObject,
    /// The call that the arguments ask for.
    pub(super) call: fn(JsonObject, &Context<'_>) -> Result<ProgramCall, Wrong>,
    /// The report in a few words.
    pub(super) said: fn(&Value) -> ResultText,
}

/// The inputs of a call beside its arguments.
pub(super) struct Context<'c> {
    pub(super) places: &'c AllowedPlaces,
    pub(super) settings: &'c McpSettings,
}

/// One call of the program.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct ProgramCall {
    /// The folder that it is about.
    pub(crate) folder: Option<PathBuf>,
    /// The folder of documents that it starts in, where it reads one; else it starts in `folder`.
    pub(crate) corpus: Option<PathBuf>,
    /// Words after the options that every command knows.
    pub(crate) words: Vec<OsString>,
    /// The text for its standard input.
    pub(crate) input: Option<String>,
    /// The run that it shows, or `last`.
    pub(crate) run: Option<String>,
    /// Whether its result is Markdown and no report.
    pub(crate) is_markdown: bool,
}

impl ProgramCall {
    pub(crate) fn of(command: &str) -> Self {
        Self {
            words: vec![command.into()],
            ..Self::default()
        }
    }

    /// Reports whether the call only asks about a tree, and runs nothing in it.
    pub(crate) fn is_question(&self) -> bool {
        let first = self.words.first();
        first.is_some_and(|word| word == "ask")
            && self.corpus.is_none()
            && !self.words.iter().any(|word| word == "--run")
    }

    fn flag(&mut self, name: &str, is_set: bool) {
        if is_set {
            self.words.push(format!("--{name}").into());
        }
    }

    /// Adds an option with its value in one word, so that no value is taken for an option.
    fn option(&mut self, name: &str, value: Option<impl Into<OsString>>) {
        if let Some(value) = value {
            let mut word = OsString::from(format!("--{name}="));
            word.push(value.into());
            self.words.push(word);
        }
    }

    /// Adds a word that is no option, whatever it begins with.
    pub(crate) fn last(&mut self, word: String) {
        self.words.extend(["--".into(), word.into()]);
    }
}

/// Returns the call that reads a run.
pub(super) fn run_of(name: &str, is_markdown: bool) -> Result<ProgramCall, Wrong> {
    show::run(name, is_markdown)
}

/// Every tool, in the order in which they are listed.
pub(super) const ALL: [&McpTool; 5] = [
    &ask::CARD,
    &check::CARD,
    &verify::CARD,
    &review::CARD,
    &show::CARD,
];

/// Returns the tool of a name.
pub(super) fn named(name: &str) -> Option<&'static McpTool> {
    ALL.into_iter().find(|card| card.name == name)
}

impl McpTool {
    /// Returns the tool as a server with these settings offers it.
    pub(super) fn offered(&self, settings: &McpSettings) -> Tool {
        let mut input = (self.input)();
        if !settings.may_run
            && let Some(Value::Object(properties)) = input.get_mut("properties")
        {
            // An agent that sees the argument would try it.
            properties.remove("run_code");
        }
        let annotations = ToolAnnotations::with_title(self.title)
            .read_only(true)
            .destructive(false)
            .idempotent(true)
            .open_world(self.is_open && !settings.is_offline);
        Tool::new(self.name, self.description, Arc::new(input))
            .with_title(self.title)
            .with_annotations(annotations)
    }
}

/// Returns a value of JSON as the word that it is written as.
fn word(value: &impl serde::Serialize) -> Option<String> {
    match serde_json::to_value(value) {
        Ok(Value::String(word)) => Some(word),
        _ => None,
    }
}
