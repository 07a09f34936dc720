//! The meanings of names, for people and as JSON.

use std::io::{self, Write};

use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;

use crate::cli::{Format, TextFormat};
use crate::explain::Explanation;
use crate::terminal;

/// The names that were asked for.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ExplainReport {
    /// `grounds.explain/1`.
    pub schema: &'static str,
    /// Each name with what it means.
    pub entries: Vec<ExplainEntry>,
}

/// What one name means.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ExplainEntry {
    /// The name.
    pub name: &'static str,
    /// What kind of name it is.
    pub kind: &'static str,
    /// The exit code of an error.
    pub exit: Option<u8>,
    /// What it means.
    pub means: String,
    /// Why it is so.
    pub why: String,
    /// What to do.
    pub what_to_do: String,
    /// An example.
    pub example: String,
}

impl ExplainReport {
    /// Returns the report of some names.
    pub fn of(entries: &[Explanation]) -> Self {
        Self {
            schema: "grounds.explain/1",
            entries: entries.iter().map(ExplainEntry::of).collect(),
        }
    }

    /// Returns the published schema.
    pub fn schema() -> Schema {
        schema_for!(Self)
    }

    /// Prints one line a name.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn list(&self, format: Format, out: &mut dyn Write) -> io::Result<()> {
        if format == Format::Json {
            return self.json(out);
        }
        let width = self
            .entries
            .iter()
            .map(|entry| entry.name.len())
            .max()
            .unwrap_or(0);
        // On a narrow terminal, long lines are better than one word a line.
        let columns = terminal::columns().saturating_sub(width + 4).max(20);
        for entries in self.entries.chunk_by(|one, other| one.kind == other.kind) {
            writeln!(out, "{}", entries[0].kind)?;
            for entry in entries {
                for (number, line) in terminal::wrapped(&entry.means, columns).iter().enumerate() {
                    writeln!(
                        out,
                        "  {:width$}  {line}",
                        if number == 0 { entry.name } else { "" }
                    )?;
                }
            }
            writeln!(out)?;
        }
        writeln!(out, "`grounds explain NAME` says why, and what to do.")
    }

    /// Prints everything about each name.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn explain(&self, format: Format, out: &mut dyn Write) -> io::Result<()> {
        match format.as_text() {
            TextFormat::Json => self.json(out),
            TextFormat::Pretty | TextFormat::Markdown => self
                .entries
                .iter()
                .try_for_each(|entry| entry.print(format == Format::Markdown, out)),
        }
    }

    fn json(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", serde_json::to_string_pretty(self)?)
    }
}

impl ExplainEntry {
    fn of(entry: &Explanation) -> Self {
        // Only errors end the program with a code of their own.
        let code = crate::code::Code::ALL
            .iter()
            .find(|code| code.as_str() == entry.name);
        let Explanation {
            name,
            kind,
            means,
            why,
            what_to_do,
            example,
            also: _,
        } = entry.clone();
        Self {
            name,
            kind,
            exit: code.map(|code| code.exit() as u8),
            means,
            why,
            what_to_do,
            example,
        }
    }

    fn print(&self, is_markdown: bool, out: &mut dyn Write) -> io::Result<()> {
        let ends = self
            .exit
            .map(|exit| format!(", ends with {exit}"))
            .unwrap_or_default();
        let mark = if is_markdown { "## " } else { "" };
        writeln!(
            out,
            "{mark}{} ({}{ends})\n",
            self.name,
            self.kind.to_lowercase()
        )?;
        let columns = terminal::columns();
        terminal::wrapped(&self.means, columns)
            .iter()
            .try_for_each(|line| writeln!(out, "{line}"))?;
        let parts = [
            ("why: ", &self.why),
            ("do: ", &self.what_to_do),
            ("for example: ", &self.example),
        ];
        for (title, text) in parts {
            writeln!(out)?;
            terminal::wrapped(&format!("{title}{text}"), columns)
                .iter()
                .try_for_each(|line| writeln!(out, "{line}"))?;
        }
        Ok(())
    }
}
