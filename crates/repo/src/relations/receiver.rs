//! The receiver that is written before a name.

/// The signs between a receiver and a member. A longer one comes before one that it ends with.
const JOINTS: [&str; 8] = ["?->", "?.", "!!.", "&.", "->", "::", ".", "#"];

/// Returns the text before the name in a column (bytes, counted from 1) and before its sign, on the
/// same line.
pub fn receiver(line: &str, column: u32) -> Option<&str> {
    let before = line.get(..column.saturating_sub(1) as usize)?;
    let before = JOINTS.iter().find_map(|joint| before.strip_suffix(joint))?;
    let trimmed = before.trim_end_matches(')');
    let start = trimmed
        .rfind(|letter: char| !(letter.is_alphanumeric() || "_.:$@".contains(letter)))
        .map_or(0, |at| {
            at + trimmed[at..].chars().next().map_or(1, char::len_utf8)
        });
    Some(&trimmed[start..])
}
