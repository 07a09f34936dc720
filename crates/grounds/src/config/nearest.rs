//! The most similar known key. Reads the parser's error about an unknown key, and returns it with
//! the key that was probably meant.

/// Changes of a letter up to which a key counts as near.
const CHANGES_MAX: usize = 3;

/// Returns the complaint, with the nearest key if it is about an unknown one and names the known
/// ones.
pub(crate) fn with_nearest(complaint: &str) -> String {
    match nearest(complaint) {
        Some(near) => format!("{complaint}; did you mean `{near}`?"),
        None => complaint.to_owned(),
    }
}

fn nearest(complaint: &str) -> Option<&str> {
    // `unknown field `runs`, expected one of `run`, `run_ms_max` at line 2 column 3`
    let (_, rest) = complaint
        .split_once("unknown field `")
        .or_else(|| complaint.split_once("unknown variant `"))?;
    let (unknown, rest) = rest.split_once('`')?;
    let (_, known) = rest.split_once("expected ")?;
    let known = known
        .split_once(" at line ")
        .map_or(known, |(known, _)| known);
    let known = known
        .trim_start_matches("one of ")
        .split([',', ' '])
        .map(|word| word.trim_matches('`'))
        .filter(|word| !word.is_empty());
    nearest_of(unknown, known)
}

/// Returns the nearest of some names; `None` if none is near.
pub(crate) fn nearest_of<'n>(
    unknown: &str,
    known: impl Iterator<Item = &'n str>,
) -> Option<&'n str> {
    let far = known.map(|known| (changes(unknown, known), known)).min()?;
    // For a word of two letters every short key is two changes away.
    (far.0 <= CHANGES_MAX && far.0 < unknown.len()).then_some(far.1)
}

/// Returns the nearest of some names; `None` if none is near.
pub(crate) fn among<'n>(wanted: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let far = names.map(|name| (changes(wanted, name), name)).min()?;
    // Among many names a near one is easily found by chance, so at most a third of the letters may
    // differ.
    (far.0 <= CHANGES_MAX && far.0 * 3 <= wanted.len()).then_some(far.1)
}

/// Counts the letters that have to change, come or go.
fn changes(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (place, letter) in one.chars().enumerate() {
        // The row above is overwritten, and of it the value to the left is still needed.
        let mut before = row[0];
        row[0] = place + 1;
        for (at, known) in other.iter().enumerate() {
            let replaced = before + usize::from(letter != *known);
            before = row[at + 1];
            row[at + 1] = replaced.min(before + 1).min(row[at] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_key_is_named_where_one_is_near() {
        for known in [
            "one of enabled, max_follow_up_tokens, allow_follow_up",
            "one of `max`, `enabled`",
            "enabled",
            "`max` or `enabled`",
        ] {
            let complaint =
                format!("unknown field `enabeld`, expected {known} at line 3, column 5");
            assert!(
                with_nearest(&complaint).ends_with("did you mean `enabled`?"),
                "{complaint}"
            );
        }
        let far = "unknown field `zzz`, expected one of enabled, max at line 3, column 5";
        assert_eq!(with_nearest(far), far);
        assert_eq!(with_nearest("line 3: no"), "line 3: no");
        assert_eq!(
            (
                changes("abc", "abc"),
                changes("abc", "acb"),
                changes("", "ab")
            ),
            (0, 2, 2)
        );
    }
}
