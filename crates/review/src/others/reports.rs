//! Reports of analyzers in their own JSON, each format a row of data: see `reports.yml`.

use std::sync::OnceLock;

use serde::Deserialize;
use serde_json::Value;

use super::{Other, Others};
use crate::finding::Severity;

const ROWS: &str = include_str!("reports.yml");

/// The format of one analyzer's report.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct ReportForm {
    tool: String,
    #[serde(default)]
    marks: Vec<String>,
    list: String,
    inner: Option<String>,
    path: String,
    line: String,
    end: Option<String>,
    rule: String,
    /// The text that the analyzer's own pages write before the number of a rule.
    #[serde(default)]
    rule_before: String,
    message: String,
    severity: Option<String>,
    failures: Option<String>,
    /// The rules with which it reports that it could not read a file.
    #[serde(default)]
    unread: Vec<String>,
}

fn rows() -> &'static [ReportForm] {
    static READ: OnceLock<Vec<ReportForm>> = OnceLock::new();
    READ.get_or_init(|| serde_saphyr::from_str(ROWS).unwrap_or_default())
}

/// Reads a report that has the format of one of the rows; `None` if it has none of them.
pub(super) fn read(value: &Value) -> Option<Others> {
    rows().iter().find_map(|row| row.read(value))
}

/// Returns the message that a file could not be read, from a report of any format: analyzers report
/// that as a finding of a separate rule.
pub(super) fn unread(findings: &[Other]) -> Option<String> {
    let says_so = |row: &&ReportForm, other: &Other| {
        let is_its = row.tool.eq_ignore_ascii_case(&other.tool);
        is_its
            && other
                .rule
                .as_ref()
                .is_some_and(|rule| row.unread.contains(rule))
    };
    let other = findings
        .iter()
        .find(|other| rows().iter().any(|row| says_so(&row, other)))?;
    Some(format!(
        "{} could not read `{}`: {}",
        other.tool, other.path, other.message
    ))
}

impl ReportForm {
    fn read(&self, value: &Value) -> Option<Others> {
        let list = match value.pointer(&self.list)? {
            // Go writes an empty list as nothing.
            Value::Null if !self.marks.is_empty() => &[],
            list => list.as_array()?.as_slice(),
        };
        let is_marked = self.marks.iter().all(|mark| value.pointer(mark).is_some());
        // An empty list looks alike in all formats, so only the marks around it can show whose
        // report it is.
        let is_known = match list.first() {
            Some(first) => first.pointer(&self.path).is_some() && self.fits(first),
            None => !self.marks.is_empty(),
        };
        if !(is_marked && is_known) {
            return None;
        }
        let mut others = Others::default();
        for one in list {
            self.add_entry(one, &mut others);
        }
        others.failed = self.failure(value).or(others.failed);
        Some(others)
    }

    /// Returns the message about what the analyzer could not read.
    fn failure(&self, value: &Value) -> Option<String> {
        let failures = value.pointer(self.failures.as_ref()?)?.as_array()?;
        let failure = failures.first()?;
        let said = text(failure, "/reason").or_else(|| text(failure, "/message"));
        Some(format!(
            "{} could not look at all of it: {}",
            self.tool,
            said.unwrap_or_else(|| failure.to_string())
        ))
    }

    /// Adds the finding of one entry of the list, or the list of findings of a file.
    fn add_entry(&self, one: &Value, others: &mut Others) {
        let path = text(one, &self.path).unwrap_or_default();
        let Some(inner) = &self.inner else {
            return self.add(one, &path, others);
        };
        let Some(inner) = one.pointer(inner).and_then(Value::as_array) else {
            let why = format!("an entry of {} about `{path}` cannot be read", self.tool);
            others.failed = Some(why);
            return;
        };
        for inside in inner {
            self.add(inside, &path, others);
        }
    }

    /// Reports whether an entry has all fields of this format.
    fn fits(&self, one: &Value) -> bool {
        match &self.inner {
            Some(inner) => one.pointer(inner).is_some_and(Value::is_array),
            // All fields are needed, since a list of comments has some of these names too.
            None => [&self.line, &self.rule, &self.message]
                .into_iter()
                .chain(&self.end)
                .chain(&self.severity)
                .all(|at| one.pointer(at).is_some()),
        }
    }

    fn add(&self, one: &Value, path: &str, others: &mut Others) {
        let rule = text(one, &self.rule).map(|rule| format!("{}{rule}", self.rule_before));
        let start = number(one, &self.line);
        let end = self.end.as_ref().and_then(|end| number(one, end));
        // An analyzer that cannot read a file reports that in the list of findings, without a rule.
        if rule.is_none() && self.inner.is_some() {
            let said = text(one, &self.message).unwrap_or_default();
            others.failed = Some(format!("{} could not read `{path}`: {said}", self.tool));
        }
        others.findings.push(Other {
            tool: self.tool.clone(),
            is_of_analyzer: true,
            rule,
            path: path.to_owned(),
            lines: start.map(|start| (start, end.unwrap_or(start).max(start))),
            severity: self
                .severity
                .as_ref()
                .and_then(|at| text(one, at))
                .map_or(Severity::Minor, |word| severity(&word)),
            message: text(one, &self.message).unwrap_or_default(),
            quote: None,
        });
    }
}

/// Returns the text or the number at a place, as text.
fn text(value: &Value, at: &str) -> Option<String> {
    match value.pointer(at)? {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Returns a line: the first one if a range is written as text.
fn number(value: &Value, at: &str) -> Option<u32> {
    let text = text(value, at)?;
    let first = text.split('-').next()?;
    first.parse().ok().filter(|line| *line > 0)
}

/// Returns the severity that the word of an analyzer means.
pub(super) fn severity(word: &str) -> Severity {
    match word.to_ascii_lowercase().as_str() {
        "critical" => Severity::Critical,
        // `2` is the number of an error of eslint.
        "error" | "fatal" | "high" | "2" => Severity::Major,
        "info" | "note" | "style" | "low" | "help" | "ignore" => Severity::Info,
        _ => Severity::Minor,
    }
}
