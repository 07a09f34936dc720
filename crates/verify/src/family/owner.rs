//! Edge: the same owner, by a table that ships with the program.

use std::sync::LazyLock;

use hashbrown::HashMap;

use super::{CountedPage, Groups, speaking};
use crate::trace::Tie;

const TABLE: &str = include_str!("owners.txt");

pub(super) fn tie(sources: &[CountedPage<'_>], groups: &mut Groups) {
    groups.join_by_key(
        Tie::Owner,
        speaking(sources).filter_map(|(place, source)| Some((*OWNERS.get(source.voice())?, place))),
    );
}

/// Reports whether two publishers have the same owner.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    OWNERS
        .get(one)
        .is_some_and(|owner| OWNERS.get(other) == Some(owner))
}

/// The owner of each domain that has one in the table.
static OWNERS: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let lines = TABLE
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(':'));
    lines
        .flat_map(|(owner, domains)| {
            domains
                .split_whitespace()
                .map(move |domain| (domain, owner))
        })
        .collect()
});

#[cfg(test)]
mod tests {
    use super::{OWNERS, TABLE, is_same};

    #[test]
    fn every_domain_of_the_table_is_a_registrable_one_and_has_one_owner() {
        let domains = TABLE
            .lines()
            .filter(|line| !line.starts_with('#'))
            .filter_map(|line| line.split_once(':'));
        let domains: Vec<&str> = domains
            .flat_map(|(_, domains)| domains.split_whitespace())
            .collect();
        for domain in &domains {
            assert_eq!(psl::domain_str(domain), Some(*domain));
        }
        let twice: Vec<&&str> = domains
            .iter()
            .filter(|domain| domains.iter().filter(|other| other == domain).count() > 1)
            .collect();
        assert!(
            twice.is_empty() && OWNERS.len() == domains.len(),
            "{twice:?}"
        );
        assert!(
            is_same("wsj.com", "nypost.com")
                && !is_same("wsj.com", "nytimes.com")
                && !is_same("a.example", "a.example")
        );
    }
}
