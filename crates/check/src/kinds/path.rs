//! Claims of paths in code spans, code lines and prose: a file or folder exists, and with a line,
//! the file has it.

use super::{claim_of, shape};
use crate::claim::{TextClaim, ThingKind};
use crate::mention::{Mention, MentionContext};

pub(super) fn claims(mention: &Mention) -> Vec<TextClaim> {
    match &mention.context {
        MentionContext::Link => Vec::new(),
        MentionContext::Span | MentionContext::Prose
            if !mention.text.contains(char::is_whitespace) =>
        {
            claim(mention, &mention.text, 0).into_iter().collect()
        }
        MentionContext::Span | MentionContext::Fence(_) | MentionContext::Prose => {
            // In code, `app.config` is a member as often as a file, so a slash or a line is needed.
            words(&mention.text)
                .filter(|(at, _)| !is_in_address(&mention.text, *at))
                .map(|(at, word)| without_brackets(&mention.text, at, word))
                .filter(|(_, word)| word.contains('/') || word.contains(':'))
                .filter_map(|(at, word)| claim(mention, word, at))
                .collect()
        }
    }
}

/// Returns the words of a line with their places, without quotes and brackets around them.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |letter: char| letter.is_alphanumeric() || "_-./+@~:*{}<>$%".contains(letter);
    line.split(move |letter: char| !is_part(letter))
        .filter(|word| !word.is_empty())
        .map(move |word| (word.as_ptr() as usize - line.as_ptr() as usize, word))
}

/// Reports whether a place of a line is inside of a web address: `https://…?f=src/a.rs;hb=HEAD`.
fn is_in_address(line: &str, at: usize) -> bool {
    let start = line[..at].rfind(char::is_whitespace).unwrap_or(0);
    line[start..at].contains("://")
}

/// Returns `<a/b.hpp>` of an include line without its brackets, which mark a placeholder elsewhere.
fn without_brackets<'w>(line: &str, at: usize, word: &'w str) -> (usize, &'w str) {
    let inner = word
        .strip_prefix('<')
        .and_then(|word| word.strip_suffix('>'));
    match inner {
        Some(inner) if line.contains("#include") => (at + 1, inner),
        _ => (at, word),
    }
}

fn claim(mention: &Mention, word: &str, at: usize) -> Option<TextClaim> {
    let word = word.trim_end_matches(['.', ',', ':']);
    let (path, line) = with_line(word);
    // Paths of a machine, and those that leave the folder, are not of this tree.
    let is_absolute = path.starts_with('/') || path.starts_with('~') || path.starts_with("../");
    if is_absolute
        || !shape::is_path(path)
        || shape::is_placeholder(path)
        || is_something_else(path)
    {
        return None;
    }
    // With a line behind it, a word is a file whatever its name: `scripts/run:12`.
    if line.is_none() && !is_file_or_known_folder(path) {
        return None;
    }
    let kind = if line.is_some() {
        ThingKind::Line
    } else {
        ThingKind::Path
    };
    let mut claim = claim_of(mention, kind, path, at);
    claim.name = path
        .strip_prefix("./")
        .unwrap_or(path)
        .trim_end_matches('/')
        .to_owned();
    claim.detail = line.map(str::to_owned);
    claim.end = (mention.start + at + word.len()).min(mention.end.max(claim.start));
    Some(claim)
}

/// Splits `src/a.rs:40` and `src/a.rs:40-60` into the path and the first line.
fn with_line(word: &str) -> (&str, Option<&str>) {
    let Some((path, rest)) = word.split_once(':') else {
        return (word, None);
    };
    let line = rest
        .trim_start_matches('L')
        .split(['-', '–', ':'])
        .next()
        .unwrap_or_default();
    let is_line = !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit());
    (path, is_line.then_some(line))
}

/// Reports whether a path is that of a file, or surely of a folder (`src/net`). `and/or` is
/// neither, so a path needs a file's ending, a slash at its end or three parts.
fn is_file_or_known_folder(path: &str) -> bool {
    let last = path
        .trim_end_matches('/')
        .rsplit('/')
        .next()
        .unwrap_or(path);
    shape::has_known_ending(last)
        || path.ends_with('/')
        || path.matches('/').count() > 1
        || path.starts_with("./")
        || path.starts_with('.')
}

/// Reports whether a text is a media type, a registry name, a web address or a version.
fn is_something_else(path: &str) -> bool {
    let first = path.split('/').next().unwrap_or(path);
    let types = [
        "application",
        "text",
        "image",
        "audio",
        "video",
        "multipart",
        "font",
        "github.com",
        "http",
        "https",
        "www",
        "origin",
        "refs",
        "node_modules",
        "dist",
        "build",
        "target",
        "vendor",
        "usr",
        "etc",
        "var",
        "tmp",
        "home",
        "opt",
        "bin",
        "dev",
        "proc",
    ];
    path.contains('@')
        || types.contains(&first)
        // `example.com/a` begins with a host; `a.rs/b` and `.github/b` do not.
        || (first.contains('.')
            && !first.starts_with('.')
            && path.contains('/')
            && !shape::has_known_ending(first))
}
