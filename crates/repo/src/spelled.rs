//! Names that a file writes with other bytes than the question: in another Unicode normal form, or
//! with escapes that the language reads as letters.
//!
//! Rust compares identifiers in NFC, Python in NFKC; Java, JavaScript, C and C# read `\u0054` as
//! `T`. A search for bytes misses all of these, so before a name is reported absent, files that
//! could write it so are read once more.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use grounds_evidence::{QuestionTarget, TargetKind};
use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfkc_quick};

use crate::checkout::Checkout;
use crate::kept;
use crate::limits::Limits;
use crate::listing::{self, ListedFile};
use crate::needles::is_whole;
use crate::path::RepoPath;
use crate::text;

/// Endings of files whose language reads escapes in names as letters.
const WITH_ESCAPES: &[&str] = &[
    "java", "js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "cs", "c", "h", "cc", "cpp",
    "cxx", "hpp", "kt", "scala", "groovy", "vue", "svelte",
];
/// Maximum number of files that are reported; one is enough for doubt.
const FILES_MAX: usize = 3;

/// Returns visible files that write a target in another form.
pub fn look(checkout: &Checkout, targets: &[QuestionTarget], limits: &Limits) -> Vec<RepoPath> {
    let is_name = |target: &&QuestionTarget| {
        matches!(
            target.kind,
            TargetKind::Identifier | TargetKind::SymbolPath | TargetKind::Quoted
        )
    };
    let names: Vec<SpelledName> = (targets.iter().filter(is_name))
        .map(|target| SpelledName {
            asked: target.needle().to_owned(),
            composed: target.needle().nfkc().collect(),
        })
        .collect();
    if names.is_empty() {
        return Vec::new();
    }
    let deadline = Instant::now() + Duration::from_millis(limits.pass_ms_max);
    let see = |found: &mut BTreeSet<RepoPath>, entry: &ListedFile| {
        if entry.is_file() && writes(&entry.path, &names, limits) {
            found.extend(RepoPath::below(checkout.root(), &entry.path));
        }
        match Instant::now() < deadline {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    };
    let found = listing::of(checkout, limits).each(limits, BTreeSet::new, see);
    // All files come before the bound, so that every run reports the same ones.
    let all: BTreeSet<RepoPath> = found.into_iter().flatten().collect();
    all.into_iter().take(FILES_MAX).collect()
}

/// A name as it was requested, and in the form that is compared.
struct SpelledName {
    asked: String,
    composed: String,
}

fn writes(path: &Path, names: &[SpelledName], limits: &Limits) -> bool {
    let most = limits.parse_file_bytes_max;
    if let Some(kept) = kept::text(path, most) {
        return has_other_form(path, &text::decoded(kept.to_vec()), names);
    }
    text::read_whole(path, most).is_ok_and(|bytes| has_other_form(path, &bytes, names))
}

fn has_other_form(path: &Path, bytes: &[u8], names: &[SpelledName]) -> bool {
    let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
    let reads_escapes =
        ending.is_some_and(|ending| WITH_ESCAPES.iter().any(|known| ending == *known));
    let has_escapes = reads_escapes && memchr::memmem::find(bytes, b"\\u").is_some();
    if !has_escapes && bytes.is_ascii() {
        return false;
    }
    let text = composed(bytes, has_escapes);
    // Whatever the bytes say too was found by the search.
    let more = |name: &SpelledName| count(&text, &name.composed) > count(bytes, &name.asked);
    names.iter().any(more)
}

/// Returns a text in the form that is compared. Nothing composes across a newline, and few lines
/// need it.
fn composed(bytes: &[u8], has_escapes: bool) -> Vec<u8> {
    let mut composed = Vec::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let is_escaped = has_escapes && memchr::memmem::find(line, b"\\u").is_some();
        if !is_escaped && line.is_ascii() {
            composed.extend_from_slice(line);
            continue;
        }
        let text = String::from_utf8_lossy(line);
        let text = if is_escaped {
            Cow::Owned(without_escapes(&text))
        } else {
            text
        };
        match is_nfkc_quick(text.chars()) {
            IsNormalized::Yes => composed.extend_from_slice(text.as_bytes()),
            IsNormalized::No | IsNormalized::Maybe => {
                composed.extend_from_slice(text.nfkc().collect::<String>().as_bytes());
            }
        }
    }
    composed
}

/// Counts how often a text contains a name as a whole word.
fn count(text: &[u8], name: &str) -> usize {
    memchr::memmem::find_iter(text, name)
        .filter(|start| is_whole(text, *start, start + name.len()))
        .count()
}

/// Returns a text with the letters that `\u0054` and `\u{54}` mean.
fn without_escapes(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("\\u") {
        plain.push_str(&rest[..at]);
        // Java allows several `u`: `\uu0054`.
        let after = rest[at + 1..].trim_start_matches('u');
        match letter(after) {
            Some((letter, length)) => {
                plain.push(letter);
                rest = &after[length..];
            }
            None => {
                plain.push('\\');
                rest = &rest[at + 1..];
            }
        }
    }
    plain.push_str(rest);
    plain
}

/// Returns the letter that the digits at the start of a text mean, and how many bytes they take.
fn letter(text: &str) -> Option<(char, usize)> {
    let (digits, length) = match text.strip_prefix('{') {
        Some(inside) => inside
            .split_once('}')
            .map(|(digits, _)| (digits, digits.len() + 2))?,
        None => (text.get(..4)?, 4),
    };
    let is_number = digits.len() <= 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let number = u32::from_str_radix(digits, 16).ok().filter(|_| is_number)?;
    Some((char::from_u32(number)?, length))
}

#[cfg(test)]
mod tests {
    use super::without_escapes;

    #[test]
    fn escapes_are_letters() {
        let cases = [
            ("\\u0054x", "Tx"),
            ("\\uu0054x", "Tx"),
            ("a\\u{61}b", "aab"),
            ("\\u00", "\\u00"),
            ("\\u{110000}", "\\u{110000}"),
            ("\\ud800", "\\ud800"),
            ("\\u+054", "\\u+054"),
            ("\\u{", "\\u{"),
            ("\\uñññ", "\\uñññ"),
        ];
        for (text, plain) in cases {
            assert_eq!(without_escapes(text), plain, "{text}");
        }
    }
}
