//! Reports of analyzers in their own JSON, each format a row of data: see `reports.yml`.

use std::sync::OnceLock;

use serde::Deserialize;
use serde_json::Value;

use super::{Other, Others};
use crate::finding::Severity;

const ROWS: &str = include_str!("reports.yml");

/// The form of one analyzer's report.
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
    /// What the analyzer's own pages write before the number of a rule.
    #[serde(default)]
    rule_before: String,
    message: String,
    severity: Option<String>,
    failures: Option<String>,
    /// The rules by which it says that it could not read a file.
    #[serde(default)]
    unread: Vec<String>,
}

fn rows() -> &'static [ReportForm] {
    static READ: OnceLock<Vec<ReportForm>> = OnceLock::new();
    READ.get_or_init(|| serde_saphyr::from_str(ROWS).unwrap_or_default())
}

/// Reads a report whose form is one of the rows; `None` if it is of no row.
pub(super) fn read(value: &Value) -> Option<Others> {
    rows().iter().find_map(|row| row.read(value))
}

/// What says that a file could not be read, in a report of whichever form: analyzers tell it as a
/// finding of a rule of its own.
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

    /// What the analyzer says it could not look at, told.
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

    /// Adds what one entry of the list says: of a file one finding, or a list of them.
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

    /// Whether an entry has what every entry of this form has.
    fn fits(&self, one: &Value) -> bool {
        match &self.inner {
            Some(inner) => one.pointer(inner).is_some_and(Value::is_array),
            // All of them: a list of anyone's comments has some of these names too.
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
        // An analyzer that cannot read a file says so where others say what they found.
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

/// The words or the number at a place, as text.
fn text(value: &Value, at: &str) -> Option<String> {
    match value.pointer(at)? {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// A line; of a range that is written as words the first.
fn number(value: &Value, at: &str) -> Option<u32> {
    let text = text(value, at)?;
    let first = text.split('-').next()?;
    first.parse().ok().filter(|line| *line > 0)
}

/// How much harm the word of an analyzer means.
pub(super) fn severity(word: &str) -> Severity {
    match word.to_ascii_lowercase().as_str() {
        "critical" => Severity::Critical,
        "error" | "fatal" | "high" | "2" => Severity::Major,
        "info" | "note" | "style" | "low" | "help" | "ignore" => Severity::Info,
        _ => Severity::Minor,
    }
}
