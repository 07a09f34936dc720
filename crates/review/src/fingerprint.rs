//! The identity of a finding across reviews: rule or claim, normalised quote and enclosing symbol,
//! hashed. The line is not part of it, so that it stays the same when lines move.

use crate::finding::Finding;

/// Hexadecimal digits of a fingerprint.
const DIGITS: usize = 32;

/// Returns the fingerprint of a finding. Its title replaces a missing quote.
pub fn of(finding: &Finding) -> String {
    let claim = finding
        .rule
        .as_deref()
        .map_or_else(|| normalised(&finding.title.to_lowercase()), str::to_owned);
    let quote = normalised(finding.quote.as_deref().unwrap_or(&finding.title));
    let mut hasher = blake3::Hasher::new();
    let kind = if finding.rule.is_some() {
        "rule"
    } else {
        "claim"
    };
    for part in [kind, &claim, &quote, &finding.symbol] {
        // With its length before each part, `ab` and `c` do not hash like `a` and `bc`.
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().to_hex()[..DIGITS].to_owned()
}

/// Returns a text with every run of white space as one space, and without white space at its ends.
pub fn normalised(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
