//! The first line of a result: the claims that the question was understood as, and what was not understood.

use std::io::{self, Write};

use grounds_ask::Investigation;

use crate::safe;

/// Returns the lines; empty if the question was understood as its goal alone.
pub(super) fn lines(investigation: &Investigation) -> Vec<String> {
    let Some(understood) = &investigation.understood else {
        return Vec::new();
    };
    let mut lines = Vec::new();
    if !understood.claims.is_empty() {
        let claims: Vec<String> = understood.claims.iter().map(ToString::to_string).collect();
        lines.push(format!(
            "understood: {}",
            safe::for_line(&claims.join("; "))
        ));
    }
    if !understood.unread.is_empty() {
        let words = understood.unread.join(", ");
        lines.push(format!("not understood: {}", safe::for_line(&words)));
    }
    lines
}

/// Writes the lines, each on its own.
pub(super) fn write(investigation: &Investigation, out: &mut dyn Write) -> io::Result<()> {
    let lines = lines(investigation);
    lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    if lines.is_empty() {
        Ok(())
    } else {
        writeln!(out)
    }
}
