//! What kind of source an address is of.

use super::{ENTRIES, TABLE, Tiers, entry, is_satire};
use crate::history::SourceTier;

fn check(url: &str, expected: SourceTier) {
    assert_eq!(Tiers::default().of(url), expected, "{url}");
}

#[test]
fn the_table_knows_the_plain_cases() {
    check("https://www.reuters.com/world/x", SourceTier::Wire);
    check(
        "https://web.archive.org/web/2020/https://www.reuters.com/world/x",
        SourceTier::Wire,
    );
    check("https://www.sec.gov/filing", SourceTier::Primary);
    check("https://www.service.gov.uk/x", SourceTier::Primary);
    check("https://www.mofa.go.jp/x", SourceTier::Primary);
    check("https://pubmed.ncbi.nlm.nih.gov/1", SourceTier::Primary);
    check("https://ec.europa.eu/x", SourceTier::Primary);
    check("https://arstechnica.com/x", SourceTier::Trade);
    check("https://www.dailymail.co.uk/x", SourceTier::Other);
    check("https://someone.blogspot.com/x", SourceTier::Other);
    check("https://reuters.com.evil.example/x", SourceTier::Other);
    check("https://gov.evil.example/x", SourceTier::Other);
    check("corpus:a/b.md", SourceTier::Other);
    check("https://lists.debian.gov/x", SourceTier::Other);
    check("https://bugs.service.gov.uk/5", SourceTier::Other);
    check("https://wiki.sec.gov/x", SourceTier::Other);
    check("https://www.sec.gov/~jo/page", SourceTier::Other);
    check("https://www.sec.gov/news/5/comments", SourceTier::Other);
    check("https://www.reuters.com/forum/1", SourceTier::Other);
    check("https://www.sec.gov/wikileaks", SourceTier::Primary);
    assert!(is_satire("https://www.theonion.com/x") && !is_satire("https://www.reuters.com/x"));
}

#[test]
fn what_a_person_says_goes_before_the_table() {
    let tiers = Tiers::with([
        ("www.reuters.com".to_owned(), SourceTier::Other),
        ("docs.Example.org".to_owned(), SourceTier::Primary),
    ]);
    assert_eq!(tiers.of("https://www.reuters.com/x"), SourceTier::Other);
    assert_eq!(tiers.of("https://docs.example.org/x"), SourceTier::Primary);
    assert_eq!(
        tiers.of("https://v2.docs.example.org/x"),
        SourceTier::Primary
    );
    assert_eq!(tiers.of("https://example.org/x"), SourceTier::Other);
}

#[test]
fn every_part_says_where_it_is_from_and_every_line_is_read() {
    let heads = TABLE.lines().filter(|line| line.starts_with('[')).count();
    let parts: std::collections::BTreeSet<(&str, &str)> = ENTRIES
        .values()
        .map(|entry| (entry.source, entry.dated))
        .collect();
    assert!(heads >= parts.len() && parts.len() >= 5, "{parts:?}");
    let words = TABLE
        .lines()
        .filter(|line| !line.starts_with(['#', '[']))
        .flat_map(str::split_whitespace);
    assert!(words.into_iter().all(|domain| entry(domain).is_some()));
}
