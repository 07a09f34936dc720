//! Edge: the same primary source is cited. Several reports of one study are one voice; the study
//! itself keeps its own voice.

use std::ops::Range;

use super::{CountedPage, Groups, keyed};
use crate::address;
use crate::history::SourceTier;
use crate::trace::Tie;

/// Bytes around a hit within which a citation belongs to it.
const AROUND_BYTES: usize = 300;
/// Prefixes of the numbers of registers of studies.
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
        // The study itself stays independent of the reports about it.
        if source.tier == SourceTier::Primary {
            Vec::new()
        } else {
            cited(source)
        }
    };
    groups.join_by_key(Tie::Cited, keyed(sources, of_secondary).into_iter());
}

/// Returns what a page cites: the addresses that it names as its sources, and numbers of registers
/// near its hits.
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

/// Reports whether an address has a path: the front page of a site is no source of a statement.
fn has_path(address: &str) -> bool {
    plain(address).contains('/')
}

/// Returns an address without scheme, `www.`, fragment and final slash. If it contains the number
/// of a register, only that is returned.
fn plain(address: &str) -> String {
    let shown = address::unwrap(address);
    let shown = address::without_fragment(&shown).to_lowercase();
    // `https://doi.org/10.1000/x` and `doi:10.1000/x` are one source.
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

/// Returns the numbers of registers in a text with their places: `doi/10.1000/x`,
/// `arxiv/2101.00001`, `nct/01234567`.
fn numbers(text: &str) -> Vec<(usize, String)> {
    if !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return Vec::new();
    }
    // Only ASCII is lowered, so that byte positions stay valid.
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
    // `nct` and `pmc` are also parts of longer words.
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
    // A DOI is `10.`, the number of a registrant, a slash and any name.
    let is_number = if name == "doi" {
        number.starts_with("10.") && number.contains('/')
    } else {
        digits >= 5
    };
    (is_number && number.starts_with(|letter: char| letter.is_ascii_digit()))
        .then(|| (at, format!("{name}/{number}")))
}
