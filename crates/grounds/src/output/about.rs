//! The program and its components, for people and as JSON. A test writes the notices of the
//! components from the crates that are linked; they are a part of the program.

use std::io::{self, Write};

use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;

/// The licence of the program, and licences and notices of everything that is linked into it.
pub const NOTICES: &str = include_str!("../../THIRD-PARTY.md");

/// What the program is.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AboutReport {
    /// `grounds.about/1`.
    pub schema: &'static str,
    /// Its version.
    pub version: &'static str,
    /// Its licence, as SPDX says it.
    pub licence: &'static str,
    /// Where its source is.
    pub repository: &'static str,
    /// The system that it was built for.
    pub target: String,
    /// The parts that it was built with.
    pub features: Vec<&'static str>,
    /// What it is made of.
    pub components: Vec<Component>,
}

/// A library that is linked into the program.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Component {
    /// Its name.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
    /// Its licence, as SPDX says it.
    pub licence: &'static str,
}

impl Default for AboutReport {
    fn default() -> Self {
        Self::new()
    }
}

impl AboutReport {
    /// Returns the report of this program.
    pub fn new() -> Self {
        let features = [
            ("ci", cfg!(feature = "ci")),
            ("fleet", cfg!(feature = "fleet")),
            ("gguf", cfg!(feature = "gguf")),
            ("lsp", cfg!(feature = "lsp")),
            ("mcp", cfg!(feature = "mcp")),
            ("model", cfg!(feature = "model")),
            ("review", cfg!(feature = "review")),
            ("serve", cfg!(feature = "serve")),
            ("store", cfg!(feature = "store")),
            ("telemetry", cfg!(feature = "telemetry")),
            ("web", cfg!(feature = "web")),
        ];
        Self {
            schema: "grounds.about/1",
            version: env!("CARGO_PKG_VERSION"),
            licence: env!("CARGO_PKG_LICENSE"),
            repository: env!("CARGO_PKG_REPOSITORY"),
            target: format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS),
            features: features
                .into_iter()
                .filter(|(_, is_in)| *is_in)
                .map(|(name, _)| name)
                .collect(),
            components: components(),
        }
    }

    /// Returns the published schema.
    pub fn schema() -> Schema {
        schema_for!(Self)
    }

    /// Prints one JSON object.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn json(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", serde_json::to_string_pretty(self)?)
    }

    /// Prints some lines.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn lines(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "grounds {} ({})", self.version, self.target)?;
        writeln!(out, "licence:   {}", self.licence)?;
        writeln!(out, "source:    {}", self.repository)?;
        writeln!(out, "features:  {}", self.features.join(", "))?;
        writeln!(
            out,
            "made of:   {} libraries; `grounds about --licences` has their notices",
            self.components.len()
        )
    }
}

/// Returns the rows of the table in the notices.
fn components() -> Vec<Component> {
    let rows = NOTICES
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let of_row = |row: &'static str| {
        let mut cells = row.split(" | ");
        Some(Component {
            name: cells.next()?,
            version: cells.next()?,
            licence: cells.next()?,
        })
    };
    rows.filter_map(of_row)
        // The head of the table and the line below it have no version.
        .filter(|component| {
            component
                .version
                .starts_with(|letter: char| letter.is_ascii_digit())
        })
        .collect()
}
