//! The shape of a word: whether it is written like a name in code, a path, a hash or a revision.

use grounds_evidence::name;
use grounds_syntax::languages;

use crate::words::is_in;

/// Endings of file names that belong to no language.
const FILE_ENDINGS: &str = "md txt toml json yaml yml rst cfg ini lock xml html css sql proto ipynb csv conf \
    env gradle properties \
    adoc";

/// Common names of branches, and names of git itself.
const BRANCHES: &str = "main master trunk develop head upstream origin";

/// Reports whether a text has only letters, digits, `_` and `-`, with the final marks that some
/// languages allow.
pub(crate) fn is_name(text: &str) -> bool {
    let body = text.trim_end_matches(['?', '!', '\'']);
    !body.is_empty()
        && body
            .chars()
            .all(|letter| letter.is_alphanumeric() || letter == '_' || letter == '-')
}

/// Reports whether a text is a file by its separators or its ending.
pub(crate) fn is_path(text: &str) -> bool {
    if text.contains(char::is_whitespace)
        || text.contains("::")
        || text.contains("://")
        || is_abbreviation(text)
    {
        return false;
    }
    let ending = text
        .rsplit_once('.')
        .map(|(stem, ending)| (stem, ending.to_lowercase()));
    let is_file = ending.is_some_and(|(stem, ending)| {
        !stem.is_empty()
            && (is_in(FILE_ENDINGS, &ending)
                || languages::of_name(&format!("x.{ending}")).is_some())
    });
    (text.contains('/') && text.len() > 1)
        || is_file
        || languages::of_name(text).is_some_and(|language| language.file_names.contains(&text))
}

/// Reports whether a text is a common name with a slash and no folder: `HTTP/3`, `TCP/IP`, `I/O`.
/// Both sides have only capitals and digits.
fn is_abbreviation(text: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty()
            && part.chars().all(|letter| {
                letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '.'
            })
    };
    text.contains('/')
        && text.chars().any(|letter| letter.is_ascii_uppercase())
        && text.split('/').all(is_part)
}

/// Reports whether a text is a name with its enclosing names: `Planner::next`.
pub(crate) fn is_symbol_path(text: &str) -> bool {
    let segments = name::path_segments(text);
    let separated = text.contains("::") || text.contains("->") || text.contains(['.', '#']);
    separated
        && segments.len() > 1
        && segments.iter().all(|segment| is_name(segment))
        && !text.ends_with(['.', ':', '#'])
}

/// Reports whether a text is the hash of a commit, full or abbreviated.
pub(crate) fn is_hash(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    (text.len() == 40 || (7..40).contains(&text.len()) && digits >= 3)
        && text
            .chars()
            .all(|letter| letter.is_ascii_hexdigit() && !letter.is_uppercase())
        // A number is no hash, and a word of the letters a to f ("defaced") has too few digits to
        // be one.
        && digits < text.len()
}

/// Reports whether a word in a sentence is written like a name in code.
pub(crate) fn is_code_like(text: &str) -> bool {
    let bare = text.trim_end_matches("()");
    let inner_capital =
        bare.chars().skip(1).any(char::is_uppercase) && bare.chars().any(char::is_lowercase);
    let is_written_so = bare.contains('_') || inner_capital || bare.len() < text.len();
    (is_name(bare) && is_written_so)
        // `v1.2` has the form of a symbol path.
        || ((is_path(bare) || is_symbol_path(bare)) && !is_revision(bare))
}

/// Reports whether a text is a version, hash or branch, which git can resolve.
pub(crate) fn is_revision(text: &str) -> bool {
    let base = text.split(['~', '^']).next().unwrap_or(text);
    is_version(base)
        || is_hash(base)
        || is_in(BRANCHES, base.to_lowercase().as_str())
        || (base.len() < text.len() && base == "HEAD")
}

/// Reports whether a text is a version: `v1.2`, `1.2.3-rc1`, `release-2.0`.
fn is_version(text: &str) -> bool {
    let from = text
        .find(|letter: char| letter.is_ascii_digit())
        .unwrap_or(text.len());
    let (before, number) = text.split_at(from);
    let main = number.split(['-', '+']).next().unwrap_or(number);
    let is_number = main.contains('.')
        && main.split('.').all(|part| {
            !part.is_empty() && part.chars().all(|letter| letter.is_ascii_alphanumeric())
        });
    let is_prefixed = before.eq_ignore_ascii_case("v")
        && !main.is_empty()
        && main.chars().all(|letter| letter.is_ascii_digit());
    let before = before.trim_end_matches(['-', '/', '_']).to_lowercase();
    (is_number && ["", "v", "release", "version", "rel", "tag"].contains(&before.as_str()))
        || is_prefixed
}
