//! Markdown, for notes and pull requests: the proof, and below it its sources by
//! number.

use std::io::{self, Write};

use super::ShownVerdict;
use crate::safe;

pub(super) fn write(shown: &ShownVerdict<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "> {}\n", escaped(&shown.verification.task.claim))?;
    writeln!(out, "{}", safe::for_terminal(&shown.proof.markdown()))?;
    for (number, source) in shown.proof.sources.iter().enumerate() {
        let date = source
            .pub_date
            .as_deref()
            .map(|date| format!(", {date}"))
            .unwrap_or_default();
        let title = source
            .title
            .as_deref()
            .map(|title| format!("{} ", escaped(title)))
            .unwrap_or_default();
        writeln!(
            out,
            "\n{}. {title}`{}`{date}",
            number + 1,
            // A backquote would end the code around the address.
            safe::for_line(&source.url).replace('`', "%60")
        )?;
    }
    let failures = shown.verification.failures.len();
    if failures > 0 {
        writeln!(out, "\n{failures} queries or pages failed on the way.")?;
    }
    Ok(())
}

/// Escapes text of others, so that Markdown takes it for nothing but text.
fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len() + 8);
    for letter in safe::for_line(text).chars() {
        if "\\`*_[]<>#|~!&".contains(letter) {
            shown.push('\\');
        }
        shown.push(letter);
    }
    // A bare address would become a link.
    shown.replace("://", ":\\//").replace("www.", "www\\.")
}
