//! Markdown, for notes and pull requests.

use std::io::{self, Write};

use grounds_ask::Investigation;
use grounds_ask::answer::AnswerCitation;

use super::pretty::{is_found, is_partly_decided, scope, verdict};
use super::ranking;
use crate::safe;

pub(super) fn write(investigation: &Investigation, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "**{}**\n",
        escape(&safe::for_line(&investigation.question.text))
    )?;
    super::understood::write(investigation, out)?;
    match &investigation.answer {
        Some(answer) => {
            writeln!(out, "{}\n", safe::for_terminal(&answer.markdown()))?;
            excerpts(answer.citations(), out)?;
        }
        None if investigation.is_ranking => ranking::markdown(investigation, out)?,
        None => refusal(investigation, out)?,
    }
    super::hypotheses::pretty(investigation, out)?;
    super::prose::pretty(investigation, out)?;
    writeln!(
        out,
        "{}. Scope: {}.",
        escape(&safe::for_line(&investigation.confidence.explanation)),
        escape(&scope(investigation))
    )?;
    for sentence in super::index::sentences(investigation) {
        writeln!(out, "\nIndex: {}.", escape(&safe::for_line(&sentence)))?;
    }
    Ok(())
}

fn refusal(investigation: &Investigation, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}\n", verdict(investigation))?;
    if let Some(says) = &investigation.says {
        writeln!(out, "{}\n", safe::for_terminal(says))?;
    }
    for step in investigation
        .steps
        .iter()
        .filter(|_| !investigation.findings.is_empty())
    {
        let Some(error) = &step.error else { continue };
        writeln!(
            out,
            "- {}: {}",
            step.tool,
            safe::for_line(&error.to_string())
        )?;
    }
    findings(investigation, out)?;
    for (_, near) in &investigation.leads.did_you_mean {
        writeln!(
            out,
            "- did you mean `{}` (`{}:{}`)?",
            safe::for_line(&near.name),
            safe::for_line(near.path.as_str()),
            near.line
        )?;
    }
    for lead in investigation
        .leads
        .places
        .iter()
        // The findings above show this place already.
        .filter(|lead| !is_found(investigation, lead))
    {
        writeln!(
            out,
            "- `{}:{}` {}",
            safe::for_line(&lead.path),
            lead.line_start,
            safe::for_line(&lead.why)
        )?;
    }
    writeln!(out)
}

/// Writes what was found, which is no answer to the whole.
fn findings(investigation: &Investigation, out: &mut dyn Write) -> io::Result<()> {
    if investigation.findings.is_empty() {
        return Ok(());
    }
    let heading = match is_partly_decided(investigation) {
        true => "Decided",
        false => "Findings, not an answer",
    };
    writeln!(out, "\n**{heading}**\n")?;
    for section in &investigation.findings {
        writeln!(out, "{}", safe::for_terminal(&section.markdown()))?;
    }
    excerpts(
        investigation
            .findings
            .iter()
            .flat_map(|section| &section.citations),
        out,
    )
}

fn excerpts<'c>(
    citations: impl Iterator<Item = &'c AnswerCitation>,
    out: &mut dyn Write,
) -> io::Result<()> {
    for citation in citations {
        // A commit, for example, is cited as a whole.
        let Some(excerpt) = citation.excerpt() else {
            continue;
        };
        let fence = fence_for(&excerpt.text);
        let (path, text) = (
            safe::for_line(&citation.path),
            safe::for_lines(&excerpt.text),
        );
        writeln!(
            out,
            "`{path}:{}`\n{fence}\n{text}\n{fence}\n",
            excerpt.line_start
        )?;
    }
    Ok(())
}

/// Returns a fence longer than any run of backticks in the text.
fn fence_for(text: &str) -> String {
    let longest = text
        .split(|letter| letter != '`')
        .map(str::len)
        .max()
        .unwrap_or(0);
    "`".repeat(longest.max(2) + 1)
}

fn escape(text: &str) -> String {
    // A question may have `<` and `*`, as in `Vec<T>` and `*mut T`, which Markdown would take for
    // markup.
    text.replace('*', "\\*").replace('<', "&lt;")
}
