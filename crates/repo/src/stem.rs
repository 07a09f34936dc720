//! The stem of an English word in code: `routing`, `routes` and `routed` are one word. Only endings
//! are removed; the comparison of stems does the rest.
//!
//! This is our own code because maintained stemmers bring serde or tables for twenty languages.

/// Minimum number of letters of a stem.
const LETTERS_MIN: usize = 3;

/// Endings with their replacements; the longest that fits is used.
const ENDINGS: &[(&str, &str)] = &[
    ("izations", "iz"),
    ("ization", "iz"),
    ("isation", "is"),
    ("ations", "at"),
    ("ation", "at"),
    ("ators", "at"),
    ("ator", "at"),
    ("ating", "at"),
    ("ated", "at"),
    ("ates", "at"),
    ("ate", "at"),
    ("ative", "at"),
    ("izers", "iz"),
    ("izer", "iz"),
    ("izing", "iz"),
    ("ized", "iz"),
    ("izes", "iz"),
    ("ize", "iz"),
    ("iness", "i"),
    ("ness", ""),
    ("fulness", "ful"),
    ("ments", ""),
    ("ment", ""),
    ("ively", "iv"),
    ("ions", ""),
    ("ion", ""),
    ("ings", ""),
    ("ing", ""),
    ("edly", ""),
    ("ied", "i"),
    ("ies", "i"),
    ("ed", ""),
    ("ers", ""),
    ("er", ""),
    ("ors", ""),
    ("or", ""),
    ("ably", "abl"),
    ("able", "abl"),
    ("ibility", "ibl"),
    ("ibly", "ibl"),
    ("ible", "ibl"),
    ("ability", "abl"),
    ("ically", "ic"),
    ("ally", "al"),
    ("ily", "i"),
    ("ly", ""),
    ("sses", "ss"),
    ("es", ""),
    ("ss", "ss"),
    ("us", "us"),
    ("is", "is"),
    ("s", ""),
    ("e", ""),
    ("y", "i"),
];

/// Returns the stem of a lower-case word.
pub fn stem_of(lower: &str) -> String {
    // The endings are English, and a name with digits such as `utf8` is no English word.
    if !lower.is_ascii()
        || lower.len() <= LETTERS_MIN
        || lower.bytes().any(|byte| byte.is_ascii_digit())
    {
        return lower
            .strip_suffix('s')
            .filter(|_| lower.len() > 3)
            .unwrap_or(lower)
            .to_owned();
    }
    let fits = |ending: &&(&str, &str)| lower.strip_suffix(ending.0).is_some_and(is_enough);
    let (ending, instead) = ENDINGS
        .iter()
        .filter(fits)
        .max_by_key(|(ending, _)| ending.len())
        .copied()
        .unwrap_or_default();
    let mut stem = format!("{}{instead}", lower.strip_suffix(ending).unwrap_or(lower));
    undouble(&mut stem);
    stem
}

/// Reports whether the rest is still a word: long enough, with a vowel.
fn is_enough(rest: &str) -> bool {
    rest.len() >= LETTERS_MIN
        && rest
            .bytes()
            .any(|letter| matches!(letter, b'a' | b'e' | b'i' | b'o' | b'u' | b'y'))
}

/// Removes a doubled last letter: `runn` → `run`; `ll`, `ss`, `zz`, `ee` and `oo` stay.
fn undouble(stem: &mut String) {
    let letters = stem.as_bytes();
    let count = letters.len();
    let doubled = count > LETTERS_MIN && letters[count - 1] == letters[count - 2];
    if doubled && !matches!(letters[count - 1], b'l' | b's' | b'z' | b'e' | b'o') {
        stem.pop();
    }
}

#[cfg(test)]
mod tests;
