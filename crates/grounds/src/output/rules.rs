//! The output of `grounds rules`.

use std::io::{self, Write};

use grounds_review::rules::{Rule, RuleOrigin};
use schemars::JsonSchema;
use serde::Serialize;

use super::review::severity;
use crate::cli::{Format, TextFormat};
use crate::safe;

/// A list of rules, or the cases of rules.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RulesReport {
    /// `grounds.rules/1`.
    pub schema: &'static str,
    /// The rules.
    pub rules: Vec<RuleEntry>,
    /// Cases that failed, of a test.
    pub failed: Vec<FailedEntry>,
}

/// One rule.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RuleEntry {
    /// Its name.
    pub id: String,
    /// `info`, `minor`, `major` or `critical`.
    pub severity: &'static str,
    /// Whether it is on.
    pub on: bool,
    /// The languages that it knows; `Text` for lines of any file.
    pub languages: Vec<&'static str>,
    /// In which files it looks.
    pub reach: &'static str,
    /// `built-in`, or the file that contains it.
    pub origin: String,
    /// What it finds.
    pub what: String,
    /// Why that is wrong.
    pub why: String,
    /// What to do instead.
    pub instead: String,
    /// When it is wrong to complain.
    pub wrong_when: String,
    /// A text that it complains about, where its cases have one.
    pub example: Option<String>,
    /// Its cases that passed, of a test.
    pub cases_passed: Option<usize>,
}

/// A case that failed.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FailedEntry {
    /// The rule, or the part of it.
    pub rule: String,
    /// Which case.
    pub case: String,
    /// What came instead.
    pub why: String,
}

impl RuleEntry {
    /// Returns the entry of a rule.
    pub fn of(rule: &Rule) -> Self {
        let text = &rule.documentation;
        Self {
            id: rule.name.clone(),
            severity: severity(rule.severity),
            on: rule.is_on,
            languages: rule.languages(),
            reach: rule.reach.word(),
            origin: match &rule.origin {
                RuleOrigin::BuiltIn => "built-in".to_owned(),
                RuleOrigin::File(file) => file.clone(),
            },
            what: text.what.clone(),
            why: text.why.clone(),
            instead: text.instead.clone(),
            wrong_when: text.wrong_when.clone(),
            example: grounds_review::rules::cases::example(&rule.name),
            // Only `grounds rules test` runs the cases.
            cases_passed: None,
        }
    }
}

impl RulesReport {
    /// Returns a report of these rules.
    pub const fn new(rules: Vec<RuleEntry>, failed: Vec<FailedEntry>) -> Self {
        Self {
            schema: "grounds.rules/1",
            rules,
            failed,
        }
    }

    fn json(&self, out: &mut dyn Write) -> io::Result<()> {
        let text = serde_json::to_string_pretty(self).map_err(io::Error::other)?;
        writeln!(out, "{}", safe::for_json(&text))
    }

    /// Prints the list.
    ///
    /// # Errors
    /// Those of the output.
    pub fn list(&self, format: Format, out: &mut dyn Write) -> io::Result<()> {
        match format.as_text() {
            TextFormat::Json => self.json(out),
            TextFormat::Markdown => {
                writeln!(
                    out,
                    "| rule | severity | on | languages | what it finds |\n|---|---|---|---|---|"
                )?;
                self.rules.iter().try_for_each(|rule| {
                    let (on, languages) = (
                        if rule.on { "yes" } else { "no" },
                        rule.languages.join(", "),
                    );
                    writeln!(
                        out,
                        "| {} | {} | {on} | {languages} | {} |",
                        cell(&rule.id),
                        rule.severity,
                        cell(&rule.what)
                    )
                })
            }
            TextFormat::Pretty => {
                let width = self
                    .rules
                    .iter()
                    .map(|rule| rule.id.len())
                    .max()
                    .unwrap_or(0);
                self.rules.iter().try_for_each(|rule| {
                    let off = if rule.on { "" } else { " (off)" };
                    let (id, what) = (safe::for_line(&rule.id), safe::for_line(&rule.what));
                    writeln!(
                        out,
                        "{id:width$}  {:8}  {what}{off} [{}]",
                        rule.severity,
                        rule.languages.join(", ")
                    )
                })
            }
        }
    }

    /// Prints all that is known of each rule.
    ///
    /// # Errors
    /// Those of the output.
    pub fn explain(&self, format: Format, out: &mut dyn Write) -> io::Result<()> {
        match format.as_text() {
            TextFormat::Json => self.json(out),
            TextFormat::Markdown | TextFormat::Pretty => self
                .rules
                .iter()
                .try_for_each(|rule| explained(rule, format, out)),
        }
    }

    /// Prints the results of the cases.
    ///
    /// # Errors
    /// Those of the output.
    pub fn test(&self, format: Format, out: &mut dyn Write) -> io::Result<()> {
        if format == Format::Json {
            return self.json(out);
        }
        for rule in &self.rules {
            match rule.cases_passed {
                Some(passed) => {
                    writeln!(out, "{}: {passed} cases passed", safe::for_line(&rule.id))?
                }
                None => writeln!(out, "{}: has no cases", safe::for_line(&rule.id))?,
            }
        }
        for failed in &self.failed {
            let (rule, case, why) = (
                safe::for_line(&failed.rule),
                safe::for_line(&failed.case),
                safe::for_line(&failed.why),
            );
            writeln!(out, "FAILED {rule}, {case}: {why}")?;
        }
        let passed: usize = self.rules.iter().filter_map(|rule| rule.cases_passed).sum();
        writeln!(out, "{passed} passed, {} failed", self.failed.len())
    }
}

fn cell(text: &str) -> String {
    safe::for_line(text).replace('|', "\\|")
}

fn explained(rule: &RuleEntry, format: Format, out: &mut dyn Write) -> io::Result<()> {
    let id = safe::for_line(&rule.id);
    let state = if rule.on { "on" } else { "off" };
    let head = if format == Format::Markdown {
        format!("## {id}\n")
    } else {
        id
    };
    writeln!(out, "{head}\n{}\n", safe::for_terminal(&rule.what))?;
    let facts = [
        ("severity", rule.severity.to_owned()),
        ("state", state.to_owned()),
        ("languages", rule.languages.join(", ")),
        ("looks in", rule.reach.to_owned()),
        ("from", rule.origin.clone()),
        ("why", rule.why.clone()),
        ("instead", rule.instead.clone()),
        ("when it is wrong", rule.wrong_when.clone()),
    ];
    for (name, text) in facts.iter().filter(|(_, text)| !text.is_empty()) {
        let lead = if format == Format::Markdown {
            "- "
        } else {
            "  "
        };
        writeln!(out, "{lead}{name}: {}", safe::for_terminal(text))?;
    }
    if let Some(example) = &rule.example {
        let shown = safe::for_lines(example.trim_end());
        match format.as_text() {
            // Four backquotes, since an example may be Markdown with a block of its own.
            TextFormat::Markdown => writeln!(out, "\n````\n{shown}\n````\n")?,
            TextFormat::Pretty | TextFormat::Json => {
                writeln!(out, "  example:")?;
                shown
                    .lines()
                    .try_for_each(|line| writeln!(out, "    {line}"))?;
            }
        }
    }
    Ok(())
}
