//! The result of `grounds check` in its formats. One serde type contains it; each format is one
//! function.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use grounds_check::{CheckRun, Checked, CheckedDocument, ClaimVerdict, Evidence, repair};
use serde_json::json;

use crate::cli::Format;
use crate::safe;

/// The name and version of the schema.
const SCHEMA: &str = "grounds.check/1";

/// What does not hold in the texts, with what holds instead.
#[derive(Debug, serde::Serialize, schemars::JsonSchema)]
pub struct CheckReport {
    /// `grounds.check/1`.
    pub schema: &'static str,
    /// The texts that were checked.
    pub documents: Vec<String>,
    /// How many claims came out how.
    pub counts: Counts,
    /// Claims: what does not hold, or every claim with `--all`.
    pub claims: Vec<ClaimEntry>,
    /// Files of the tree that were read.
    pub files_searched: u64,
    /// Limits that were reached and parts that could not be read, in words.
    pub limits: Vec<String>,
}

/// How many claims came out how.
#[derive(Debug, Default, serde::Serialize, schemars::JsonSchema)]
pub struct Counts {
    /// Claims about this tree that were looked up.
    pub claims: usize,
    /// The tree shows them.
    pub holds: usize,
    /// The tree says otherwise.
    pub contradicted: usize,
    /// They were true once; the history shows it.
    pub gone: usize,
    /// Of the claims that are contradicted or gone, those that are notes: they do not fail the run.
    pub notes: usize,
    /// Not seen here. They may belong to somebody else and accuse nobody.
    pub not_found: usize,
    /// Not decided.
    pub unknown: usize,
    /// Of the claims, those that an earlier run decided on what is the same today.
    pub standing: usize,
}

/// One claim with its verdict.
#[derive(Debug, serde::Serialize, schemars::JsonSchema)]
pub struct ClaimEntry {
    /// The text that makes it.
    pub document: String,
    /// Its line, 1-based.
    pub line: u32,
    /// Its column, 1-based, in bytes.
    pub column: u32,
    /// The piece of the text that makes it.
    pub text: String,
    /// What kind of thing it names: link, path, line, symbol, flag, variable, script, version, statement.
    pub kind: &'static str,
    /// `holds`, `contradicted`, `gone`, `not_found`, `unknown` or `no_claim`.
    pub verdict: &'static str,
    /// Whether it does not hold by a kind of evidence that is wrong too often to fail a run.
    pub is_note: bool,
    /// Why, in words.
    pub message: String,
    /// What to write instead, or null if nothing is close.
    pub suggestion: Option<String>,
    /// What `--fix` writes in place of the text, or null if a person has to decide.
    pub fix: Option<String>,
    /// When an earlier run with `--standing` last saw it hold, or null if none did or if it holds.
    pub held: Option<String>,
    /// What shows it.
    pub evidence: Vec<EvidenceEntry>,
    /// Its first byte in the text.
    #[serde(skip)]
    #[cfg_attr(
        not(feature = "store"),
        expect(dead_code, reason = "only a page marks the text")
    )]
    pub(super) start: usize,
    /// The byte after its last one.
    #[serde(skip)]
    #[cfg_attr(
        not(feature = "store"),
        expect(dead_code, reason = "only a page marks the text")
    )]
    pub(super) end: usize,
}

/// A place or a commit that shows a verdict.
#[derive(Debug, serde::Serialize, schemars::JsonSchema)]
pub struct EvidenceEntry {
    /// The file.
    pub path: String,
    /// The line, 1-based, or null for the file as a whole or for a commit.
    pub line: Option<u32>,
    /// The commit, or null for a place of the tree.
    pub commit: Option<String>,
    /// The date of the commit, or null.
    pub date: Option<String>,
    /// The line that is there, or that the commit removed; may be empty.
    pub text: String,
}

impl CheckReport {
    /// Returns the report of a run: every claim if `all`, else only what does not hold.
    pub fn of(documents: &[CheckedDocument], report: &CheckRun, all: bool) -> Self {
        let mut counts = Counts::default();
        for checked in &report.checked {
            counts.add(&checked.verdict);
            counts.standing += usize::from(checked.stands);
            counts.notes += usize::from(checked.is_note);
        }
        // With `--standing`, a claim that held and is no longer decided is reported too.
        let has_ended = |checked: &Checked| checked.verdict.accuses() || checked.held.is_some();
        let shown = |checked: &&Checked| all || has_ended(checked);
        let entry = |checked: &Checked| entry(&documents[checked.document], checked);
        Self {
            schema: SCHEMA,
            documents: documents
                .iter()
                .map(|document| document.name.clone())
                .collect(),
            claims: report.checked.iter().filter(shown).map(entry).collect(),
            files_searched: report.scope.files_searched,
            limits: report.limits(documents),
            counts,
        }
    }

    /// Returns the schema of the report.
    pub fn schema() -> schemars::Schema {
        schemars::schema_for!(Self)
    }

    /// Writes it in a format.
    ///
    /// # Errors
    /// What the writer says.
    pub fn write(&self, format: Format, colour: bool, out: &mut dyn Write) -> io::Result<()> {
        match format {
            Format::Pretty | Format::Html => self.pretty(colour, out),
            Format::Markdown => self.markdown(out),
            Format::Json => {
                let text = serde_json::to_string_pretty(self)?;
                writeln!(out, "{}", safe::for_json(&text))
            }
            Format::Sarif => writeln!(out, "{}", safe::for_json(&self.sarif().to_string())),
            Format::Rdjson => writeln!(out, "{}", safe::for_json(&self.rdjson().to_string())),
            Format::Annotations => self.annotations(out),
        }
    }

    fn pretty(&self, colour: bool, out: &mut dyn Write) -> io::Result<()> {
        let style = |style: Style| if colour { style } else { Style::new() };
        let (red, dim) = (
            style(AnsiColor::Red.on_default().bold()),
            style(Style::new().dimmed()),
        );
        for claim in &self.claims {
            let place = format!("{}:{}:{}", claim.document, claim.line, claim.column);
            // A note does not fail the run, so it does not look like an error.
            let mark = if matches!(claim.verdict, "contradicted" | "gone") && !claim.is_note {
                red
            } else {
                dim
            };
            writeln!(
                out,
                "{}: {}{mark}{}{mark:#} `{}`: {}",
                safe::for_line(&place),
                if claim.is_note { "note: " } else { "" },
                claim.verdict.replace('_', " "),
                safe::for_line(&claim.text),
                safe::for_line(&claim.message),
            )?;
            for evidence in &claim.evidence {
                writeln!(out, "  {dim}{}{dim:#}", safe::for_line(&evidence.words()))?;
            }
            if let Some(suggestion) = &claim.suggestion {
                writeln!(out, "  try `{}`", safe::for_line(suggestion))?;
            }
        }
        writeln!(out, "{}", self.summary())?;
        for limit in &self.limits {
            writeln!(out, "{dim}{}{dim:#}", safe::for_line(limit))?;
        }
        Ok(())
    }

    /// Returns the counts in one line.
    pub(super) fn summary(&self) -> String {
        let counts = &self.counts;
        if counts.claims == 0 {
            return "nothing to check: the text makes no claim about the code".to_owned();
        }
        let accused = counts.contradicted + counts.gone;
        let head = if accused == 0 {
            "nothing is contradicted".to_owned()
        } else {
            let notes = match counts.notes {
                0 => String::new(),
                notes => format!(" ({notes} of them notes, which do not fail the run)"),
            };
            format!("{accused} of {} claims do not hold{notes}", counts.claims)
        };
        format!(
            "{head}: {} hold, {} were not seen here, {} could not be decided; {} files searched{}",
            counts.holds,
            counts.not_found,
            counts.unknown,
            self.files_searched,
            match counts.standing {
                0 => String::new(),
                standing => format!(
                    "; {standing} still hold, since the files that showed them did not change"
                ),
            }
        )
    }

    fn markdown(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "### grounds check\n\n{}.\n", self.summary())?;
        if !self.claims.is_empty() {
            writeln!(
                out,
                "| where | claim | verdict | what holds |\n|---|---|---|---|"
            )?;
        }
        // A backquote would end the code that surrounds the claim.
        let cell = |text: &str| safe::for_line(text).replace('|', "\\|").replace('`', "'");
        for claim in &self.claims {
            let instead = claim
                .suggestion
                .as_ref()
                .map_or_else(String::new, |suggestion| {
                    format!("; try `{}`", cell(suggestion))
                });
            writeln!(
                out,
                "| {}:{} | `{}` | {}{} | {}{instead} |",
                cell(&claim.document),
                claim.line,
                cell(&claim.text),
                if claim.is_note { "note: " } else { "" },
                claim.verdict.replace('_', " "),
                cell(&claim.message),
            )?;
        }
        self.limits
            .iter()
            .try_for_each(|limit| writeln!(out, "\n{}", safe::for_line(limit)))
    }

    /// Writes commands of a GitHub workflow, one for each finding.
    fn annotations(&self, out: &mut dyn Write) -> io::Result<()> {
        // A line break in the text would begin another command, and a document of strangers could
        // have one.
        let data = |text: &str| {
            text.replace('%', "%25")
                .replace('\r', "%0D")
                .replace('\n', "%0A")
        };
        let value = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
        for claim in self.accused() {
            writeln!(
                out,
                "::{} file={},line={},col={},title=grounds check::{}",
                if claim.is_note { "notice" } else { "error" },
                value(&claim.document),
                claim.line,
                claim.column,
                data(&safe::for_terminal(&claim.sentence())),
            )?;
        }
        writeln!(
            out,
            "::notice title=grounds check::{}",
            data(&self.summary())
        )
    }

    fn accused(&self) -> impl Iterator<Item = &ClaimEntry> {
        self.claims
            .iter()
            .filter(|claim| matches!(claim.verdict, "contradicted" | "gone"))
    }

    fn sarif(&self) -> serde_json::Value {
        let results: Vec<_> = self
            .accused()
            .map(|claim| {
                json!({
                    "ruleId": format!("{}-{}", claim.kind, claim.verdict),
                    "level": if claim.is_note { "note" } else { "error" },
                    "message": {"text": claim.sentence()},
                    "locations": [{"physicalLocation": {
                        // Below the top of the repository: only the reader of the log knows where
                        // that is.
                        "artifactLocation": {"uri": safe::for_link(&claim.document), "uriBaseId": "SRCROOT"},
                        "region": {"startLine": claim.line},
                    }}],
                })
            })
            .collect();
        // In SARIF each rule that a result names is in this list once.
        let mut rules: Vec<String> = self
            .accused()
            .map(|claim| format!("{}-{}", claim.kind, claim.verdict))
            .collect();
        rules.sort_unstable();
        rules.dedup();
        let rules: Vec<_> = rules
            .into_iter()
            .map(|id| {
                json!({"id": id, "shortDescription": {"text": "A text says something that the code does not show."}})
            })
            .collect();
        json!({
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [{
                "tool": {"driver": {
                    "name": "grounds", "version": env!("CARGO_PKG_VERSION"),
                    "informationUri": "https://github.com/grounds-dev/grounds", "rules": rules,
                }},
                "originalUriBaseIds": {"SRCROOT": {"description": {"text": "the top of the repository"}}},
                "results": results,
            }],
        })
    }

    fn rdjson(&self) -> serde_json::Value {
        let diagnostics: Vec<_> = self
            .accused()
            .map(|claim| {
                // reviewdog counts columns in bytes of UTF-8, as a claim does.
                let start = json!({"line": claim.line, "column": claim.column});
                let (line, column) = end_of(claim.line, claim.column, &claim.text);
                let end = json!({"line": line, "column": column});
                let range = json!({"start": start, "end": end});
                let suggestions: Vec<_> = claim
                    .suggestion
                    .iter()
                    .map(|text| json!({"range": range, "text": text}))
                    .collect();
                json!({
                    "message": claim.sentence(), "severity": if claim.is_note { "INFO" } else { "ERROR" },
                    "location": {"path": claim.document, "range": range},
                    "code": {"value": format!("{}-{}", claim.kind, claim.verdict)},
                    "suggestions": suggestions,
                })
            })
            .collect();
        json!({"source": {"name": "grounds check"}, "diagnostics": diagnostics})
    }
}

/// Returns the line and the column after a text that begins at a place and may have several lines.
fn end_of(line: u32, column: u32, text: &str) -> (u32, u32) {
    let number = |count: usize| u32::try_from(count).unwrap_or(0);
    match text.rsplit_once('\n') {
        None => (line, column + number(text.len())),
        Some((before, last)) => (
            line + 1 + number(before.matches('\n').count()),
            1 + number(last.len()),
        ),
    }
}

impl Counts {
    fn add(&mut self, verdict: &ClaimVerdict) {
        let count = match verdict {
            ClaimVerdict::Holds(_) => &mut self.holds,
            ClaimVerdict::Contradicted { .. } => &mut self.contradicted,
            ClaimVerdict::Gone { .. } => &mut self.gone,
            ClaimVerdict::NotFound => &mut self.not_found,
            ClaimVerdict::Unknown(_) => &mut self.unknown,
            ClaimVerdict::NoClaim(_) => return,
        };
        *count += 1;
        self.claims += 1;
    }
}

impl ClaimEntry {
    /// Returns the finding as one sentence.
    fn sentence(&self) -> String {
        let instead = self
            .suggestion
            .as_ref()
            .map_or_else(String::new, |suggestion| format!("; try `{suggestion}`"));
        format!("`{}`: {}{instead}", self.text, self.message)
    }
}

impl EvidenceEntry {
    pub(super) fn words(&self) -> String {
        let place = match (&self.commit, self.line) {
            (Some(commit), _) => {
                let short = &commit[..commit.len().min(10)];
                format!(
                    "{short} of {}, {}",
                    self.date.as_deref().unwrap_or("?"),
                    self.path
                )
            }
            (None, Some(line)) => format!("{}:{line}", self.path),
            (None, None) => self.path.clone(),
        };
        if self.text.is_empty() {
            place
        } else {
            format!("{place}: {}", self.text)
        }
    }
}

fn entry(document: &CheckedDocument, checked: &Checked) -> ClaimEntry {
    let claim = &checked.claim;
    let (message, suggestion, evidence) = match &checked.verdict {
        ClaimVerdict::Holds(evidence) => ("it is here".to_owned(), None, vec![evidence]),
        ClaimVerdict::Contradicted {
            instead,
            closest,
            evidence,
        } => (instead.clone(), closest.clone(), evidence.iter().collect()),
        ClaimVerdict::Gone { closest, evidence } => (
            "it was here and was removed".to_owned(),
            closest.clone(),
            vec![evidence],
        ),
        ClaimVerdict::NotFound => (
            "not seen in this tree or in what was read of its history".to_owned(),
            None,
            Vec::new(),
        ),
        ClaimVerdict::Unknown(reason) => (reason.clone(), None, Vec::new()),
        ClaimVerdict::NoClaim(reason) => ((*reason).to_owned(), None, Vec::new()),
    };
    let message = match &checked.held {
        // "Not seen here" would leave open whether it ever was.
        Some(seen) if checked.verdict == ClaimVerdict::NotFound => {
            format!("not here any more; it held on {seen}")
        }
        Some(seen) => format!("{message}; it held on {seen}"),
        None => message,
    };
    ClaimEntry {
        document: document.name.clone(),
        line: document.line_of(claim.start),
        column: document.column_of(claim.start),
        text: document
            .text
            .get(claim.start..claim.end)
            .unwrap_or(&claim.name)
            .to_owned(),
        kind: claim.kind.as_str(),
        verdict: checked.verdict.as_str(),
        is_note: checked.is_note,
        message,
        suggestion,
        fix: repair(document, checked).map(ToOwned::to_owned),
        held: checked.held.clone(),
        evidence: evidence.into_iter().map(evidence_entry).collect(),
        start: claim.start,
        end: claim.end,
    }
}

fn evidence_entry(evidence: &Evidence) -> EvidenceEntry {
    match evidence {
        Evidence::Place { path, line, text } => EvidenceEntry {
            path: path.clone(),
            line: *line,
            commit: None,
            date: None,
            text: text.clone(),
        },
        Evidence::Commit {
            hash,
            date,
            path,
            text,
        } => EvidenceEntry {
            path: path.clone(),
            line: None,
            commit: Some(hash.clone()),
            date: Some(date.clone()),
            text: text.clone(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::end_of;

    #[test]
    fn a_text_of_several_lines_ends_on_its_last_one() {
        assert_eq!(end_of(3, 5, "one"), (3, 8));
        assert_eq!(end_of(3, 5, "one\ntwo"), (4, 4));
        assert_eq!(end_of(3, 5, "one\n\nthree"), (5, 6));
    }
}
