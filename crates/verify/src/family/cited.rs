//! Edge: the same primary source is cited. Several reports of one study are one
//! voice; the study itself keeps its own.

use std::ops::Range;

use super::{CountedPage, Groups, keyed};
use crate::address;
use crate::history::SourceTier;
use crate::trace::Tie;

/// Bytes around the words that count in which a citation belongs to them.
const AROUND_BYTES: usize = 300;
/// Marks of registers, and how a number of theirs begins.
const REGISTERS: [&str; 8] = [
    "doi.org/",
    "doi:",
    "arxiv:",
    "arxiv.org/abs/",
    "pmid:",
    "pmc",
    "nct",
    "isrctn",
];

pub(super) fn tie(sources: &[CountedPage<'_>], groups: &mut Groups) {
    let of_secondary = |source: &CountedPage<'_>| {
        if source.tier == SourceTier::Primary {
            Vec::new()
        } else {
            cited(source)
        }
    };
    groups.join_by_key(Tie::Cited, keyed(sources, of_secondary).into_iter());
}

/// What a page cites: addresses that it names as its sources, and numbers of registers near the words that count.
fn cited(source: &CountedPage<'_>) -> Vec<String> {
    let named = source
        .page
        .cites
        .iter()
        .filter(|address| has_path(address))
        .map(|address| plain(address));
    let near = numbers(&source.page.text)
        .into_iter()
        .filter(|(at, _)| source.spans.iter().any(|span| is_near(*at, span)));
    named.chain(near.map(|(_, number)| number)).collect()
}

const fn is_near(at: usize, span: &Range<usize>) -> bool {
    at.saturating_add(AROUND_BYTES) >= span.start && at <= span.end.saturating_add(AROUND_BYTES)
}

/// The front page of a site is no source of a statement.
fn has_path(address: &str) -> bool {
    plain(address).contains('/')
}

/// An address without scheme, `www.`, fragment and final stroke; a register's number as such.
fn plain(address: &str) -> String {
    let shown = address::unwrap(address);
    let shown = address::without_fragment(&shown).to_lowercase();
    if let Some((_, number)) = numbers(&shown).pop() {
        return number;
    }
    let shown = shown
        .split_once("://")
        .map_or(shown.as_str(), |(_, rest)| rest);
    shown
        .trim_start_matches("www.")
        .trim_end_matches('/')
        .to_owned()
}

/// The numbers of registers in a text with their places: `doi/10.1000/x`, `arxiv/2101.00001`, `nct/01234567`.
fn numbers(text: &str) -> Vec<(usize, String)> {
    if !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return Vec::new();
    }
    // Of ASCII only, so that places stay what they are.
    let lower = text.to_ascii_lowercase();
    let found = |register: &&str| {
        lower
            .match_indices(*register)
            .filter_map(|(at, mark)| number(&lower, at, mark))
            .collect::<Vec<_>>()
    };
    REGISTERS.iter().flat_map(found).collect()
}

fn number(lower: &str, at: usize, register: &str) -> Option<(usize, String)> {
    if lower[..at].ends_with(char::is_alphanumeric) {
        return None;
    }
    let name = register.split(['.', ':']).next().unwrap_or(register);
    let rest = lower[at + register.len()..].trim_start();
    let end = rest
        .find(|letter: char| !letter.is_ascii_alphanumeric() && !"./-_()".contains(letter))
        .unwrap_or(rest.len());
    let number = rest[..end].trim_end_matches(['.', ')', '(', '/', '-']);
    let digits = number.bytes().filter(u8::is_ascii_digit).count();
    let is_number = if name == "doi" {
        number.starts_with("10.") && number.contains('/')
    } else {
        digits >= 5
    };
    (is_number && number.starts_with(|letter: char| letter.is_ascii_digit()))
        .then(|| (at, format!("{name}/{number}")))
}
