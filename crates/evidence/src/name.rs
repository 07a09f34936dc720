//! Names in different conventions.
//!
//! `EvidenceStore`, `evidence_store`, `evidence-store`, `EVIDENCE_STORE` and the
//! phrase "evidence store" are one name: equal after splitting into words.

/// Maximum number of words of a name; further words are dropped.
const WORDS_MAX: usize = 32;

/// Returns the words of a name or phrase, in lower case and in order.
pub fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for part in name
        .split(|c: char| !c.is_alphanumeric())
        .filter(|part| !part.is_empty())
    {
        split_camel(part, &mut words);
    }
    words.truncate(WORDS_MAX);
    words
}

/// Splits at a change from lower to upper case, and before the last capital of
/// a run of capitals that a lower-case letter follows (`HTTPServer` → http server).
fn split_camel(part: &str, words: &mut Vec<String>) {
    let letters: Vec<char> = part.chars().collect();
    let mut start = 0;
    for at in 1..letters.len() {
        let (before, here) = (letters[at - 1], letters[at]);
        let next_is_lower = letters.get(at + 1).is_some_and(|next| next.is_lowercase());
        // In `HTTPServer`, the `S` begins a word since a small letter follows, and the `T` does
        // not.
        let starts_word = here.is_uppercase() && (!before.is_uppercase() || next_is_lower);
        if starts_word {
            words.push(lower(&letters[start..at]));
            start = at;
        }
    }
    words.push(lower(&letters[start..]));
}

fn lower(letters: &[char]) -> String {
    letters
        .iter()
        .flat_map(|letter| letter.to_lowercase())
        .collect()
}

/// Reports whether two names are the same in different conventions. Names without a word are never
/// equal.
pub fn same_name(one: &str, other: &str) -> bool {
    let words_of_one = words(one);
    !words_of_one.is_empty() && words_of_one == words(other)
}

/// Returns the spellings of a name in code, the given one first, without duplicates.
///
/// The underscores around a name stay: `_strip` is another name than `strip` in every convention.
pub fn spellings(name: &str) -> Vec<String> {
    let words = words(name);
    let capital: Vec<String> = words.iter().map(|word| capitalised(word)).collect();
    let screaming = words.join("_").to_uppercase();
    let camel = words
        .first()
        .into_iter()
        .cloned()
        .chain(capital.iter().skip(1).cloned())
        .collect::<String>();
    // Only the inside is spelt anew; the underscores are put around each spelling.
    let inside = name.trim_start_matches('_');
    let before = &name[..name.len() - inside.len()];
    let after = &inside[inside.trim_end_matches('_').len()..];
    let conventions = [
        words.join("_"),
        capital.concat(),
        camel,
        screaming,
        words.join("-"),
        capital.join("-"),
    ];
    // The given spelling comes first, since it may fit no convention, as `fooBAR_baz` does.
    let all = std::iter::once(name.to_owned())
        .chain(conventions.map(|inside| format!("{before}{inside}{after}")));
    let mut spellings: Vec<String> = Vec::new();
    for spelling in all {
        if !spelling.is_empty() && !spellings.contains(&spelling) {
            spellings.push(spelling);
        }
    }
    spellings
}

/// Returns the spellings of a phrase in prose.
pub fn phrase_spellings(phrase: &str) -> Vec<String> {
    // The question may have a line end or several spaces between the words.
    let folded = phrase.split_whitespace().collect::<Vec<_>>().join(" ");
    let title = folded
        .split(' ')
        .map(capitalised)
        .collect::<Vec<_>>()
        .join(" ");
    let mut spellings = vec![folded.clone()];
    for spelling in [
        folded.to_lowercase(),
        capitalised(&folded.to_lowercase()),
        title,
        folded.to_uppercase(),
    ] {
        if !spellings.contains(&spelling) {
            spellings.push(spelling);
        }
    }
    spellings
}

/// Returns the text with its first letter in upper case.
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

/// Returns the names in a symbol path: `a::b`, `a.b`, `a#b`, `a->b`.
pub fn path_segments(path: &str) -> Vec<&str> {
    path.split("::")
        .flat_map(|part| part.split("->"))
        .flat_map(|part| part.split(['.', '#']))
        .filter(|part| !part.is_empty())
        .collect()
}

/// Reads a place as tools and answers write it: `src/a.rs:12`, also with a column or a last line.
/// Returns the path, and the first and last line.
pub fn split_place(text: &str) -> Option<(&str, u32, u32)> {
    let (path, tail) = match text.split_once("#L") {
        // Links of forges have lines as `#L12-L14`.
        Some((path, tail)) => (path, tail),
        None => text.split_once(':')?,
    };
    let number = |text: &str| text.trim_start_matches('L').parse::<u32>().ok();
    let (first, rest) = tail
        .split_once([':', '-'])
        .map_or((tail, None), |(first, rest)| (first, Some(rest)));
    let first = number(first).filter(|line| *line > 0)?;
    let last = match rest {
        None => first,
        // `:12:5` is a line and a column.
        Some(column) if tail.contains(':') => number(column).map(|_| first)?,
        Some(last) => number(last).filter(|last| *last >= first)?,
    };
    (!path.is_empty()).then_some((path, first, last))
}

/// Returns how many single-letter edits (insert, delete, replace, swap of neighbours) turn one name
/// into the other, or `None` if there are more than `most`.
pub fn edit_distance(one: &str, other: &str, most: usize) -> Option<usize> {
    // Each letter of the difference in length is at least one edit.
    if one.chars().count().abs_diff(other.chars().count()) > most {
        return None;
    }
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for i in 1..=one.len() {
        let mut row = vec![i];
        for j in 1..=other.len() {
            let replaced = last[j - 1] + usize::from(one[i - 1] != other[j - 1]);
            let mut best = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            // Two swapped letters, as in `recieve`, are one edit and not two.
            if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                best = best.min(before_last[j - 2] + 1);
            }
            row.push(best);
        }
        // No later row can have a smaller minimum than this one.
        if row.iter().min().is_none_or(|&least| least > most) {
            return None;
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last.last().copied().filter(|&distance| distance <= most)
}

#[cfg(test)]
mod tests;
