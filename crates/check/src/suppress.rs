//! Suppressions in texts: `grounds-ignore: check -- REASON` in a comment on the line of a claim or
//! on the line before it. One without a reason silences nothing.

use std::sync::LazyLock;

use regex::Regex;

use crate::claim::TextClaim;
use crate::document::CheckedDocument;

static COMMENT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"grounds-ignore\s*:\s*(?<kinds>[a-z_]+(?:\s*,\s*[a-z_]+)*)\s+--\s*[^\s>-]")
        .expect("a valid expression")
});

/// Reports whether a text silences a claim: by the word `check`, or by the claim's kind.
pub(crate) fn silences(document: &CheckedDocument, claim: &TextClaim) -> bool {
    let line = document.line_of(claim.start);
    let names = |line: u32| {
        let text = document.line(line);
        let Some(found) = COMMENT
            .captures(text)
            .filter(|_| text.contains("grounds-ignore"))
        else {
            return false;
        };
        found["kinds"]
            .split(',')
            .map(str::trim)
            .any(|kind| kind == "check" || kind == claim.kind.as_str())
    };
    names(line) || (line > 1 && names(line - 1))
}
