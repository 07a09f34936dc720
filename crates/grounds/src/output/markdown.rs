//! Markdown, for notes and pull requests.

use std::io::{self, Write};

use grounds_ask::Investigation;

use super::pretty::{scope, verdict};
use super::ranking;
use crate::safe;

pub(super) fn write(investigation: &Investigation, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "**{}**\n", escape(&safe::for_line(&investigation.question.text)))?;
    match &investigation.answer {
        Some(answer) => {
            writeln!(out, "{}\n", safe::for_terminal(&answer.markdown()))?;
            for citation in answer.citations() {
                let Some(excerpt) = &citation.excerpt else { continue };
                let fence = fence_for(&excerpt.text);
                writeln!(
                    out,
                    "`{}:{}`\n{fence}\n{}\n{fence}\n",
                    safe::for_line(&citation.path),
                    excerpt.line_start,
                    safe::for_lines(&excerpt.text)
                )?;
            }
        }
        None if investigation.is_ranking => ranking::markdown(investigation, out)?,
        None => refusal(investigation, out)?,
    }
    writeln!(out, "{}. Scope: {}.", escape(&safe::for_line(&investigation.confidence.explanation)), escape(&scope(investigation)))?;
    for sentence in super::index::sentences(investigation) {
        writeln!(out, "\nIndex: {}.", escape(&safe::for_line(&sentence)))?;
    }
    Ok(())
}

fn refusal(investigation: &Investigation, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}\n", verdict(investigation))?;
    for (_, near) in &investigation.leads.did_you_mean {
        writeln!(out, "- did you mean `{}` (`{}:{}`)?", safe::for_line(&near.name), safe::for_line(near.path.as_str()), near.line)?;
    }
    for lead in &investigation.leads.places {
        writeln!(out, "- `{}:{}` {}", safe::for_line(&lead.path), lead.line_start, safe::for_line(&lead.why))?;
    }
    writeln!(out)
}

/// A fence longer than any run of backticks in the text.
fn fence_for(text: &str) -> String {
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    "`".repeat(longest.max(2) + 1)
}

fn escape(text: &str) -> String {
    text.replace('*', "\\*").replace('<', "&lt;")
}
