//! The shape of a word: whether it is written as code writes names, paths, hashes
//! and revisions.

use grounds_evidence::name;
use grounds_syntax::languages;

use crate::words::is_in;

/// Endings of file names that are no language's.
const FILE_ENDINGS: &str = "md txt toml json yaml yml rst cfg ini lock xml html css sql proto ipynb csv conf \
    env gradle properties \
    adoc";

/// Names that a branch often has, and git's own.
const BRANCHES: &str = "main master trunk develop head upstream origin";

/// Letters, digits, `_` and `-`, with the marks that some languages allow at the end.
pub(crate) fn is_name(text: &str) -> bool {
    let body = text.trim_end_matches(['?', '!', '\'']);
    !body.is_empty()
        && body
            .chars()
            .all(|letter| letter.is_alphanumeric() || letter == '_' || letter == '-')
}

/// A file, by its separators or its ending.
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

/// `HTTP/3`, `TCP/IP`, `I/O`: capitals and numbers on both sides of a stroke are what people call something, and no folder.
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

/// Whether a text is a name with its enclosing names: `Planner::next`.
pub(crate) fn is_symbol_path(text: &str) -> bool {
    let segments = name::path_segments(text);
    let separated = text.contains("::") || text.contains("->") || text.contains(['.', '#']);
    separated
        && segments.len() > 1
        && segments.iter().all(|segment| is_name(segment))
        && !text.ends_with(['.', ':', '#'])
}

/// The hash of a commit, whole or shortened.
pub(crate) fn is_hash(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    (text.len() == 40 || (7..40).contains(&text.len()) && digits >= 3)
        && text
            .chars()
            .all(|letter| letter.is_ascii_hexdigit() && !letter.is_uppercase())
        && digits < text.len()
}

/// Whether a word in a sentence is written as code writes names.
pub(crate) fn is_code_like(text: &str) -> bool {
    let bare = text.trim_end_matches("()");
    let inner_capital =
        bare.chars().skip(1).any(char::is_uppercase) && bare.chars().any(char::is_lowercase);
    let is_written_so = bare.contains('_') || inner_capital || bare.len() < text.len();
    (is_name(bare) && is_written_so)
        || ((is_path(bare) || is_symbol_path(bare)) && !is_revision(bare))
}

/// A version, hash or branch: what git can resolve.
pub(crate) fn is_revision(text: &str) -> bool {
    let base = text.split(['~', '^']).next().unwrap_or(text);
    is_version(base)
        || is_hash(base)
        || is_in(BRANCHES, base.to_lowercase().as_str())
        || (base.len() < text.len() && base == "HEAD")
}

/// `v1.2`, `1.2.3-rc1`, `release-2.0`.
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
