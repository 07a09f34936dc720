//! The tier of a publisher: by a table that ships with the program, each part with its source and
//! its date, or by what a person configures, which takes precedence.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::address;
use crate::history::SourceTier;

const TABLE: &str = include_str!("tiers/table.txt");

/// Labels before a country, below which only offices of a state can register: `gov.uk`, `go.jp`,
/// `gouv.fr`.
const STATE: [&str; 8] = ["gov", "gob", "gouv", "gub", "go", "govt", "mil", "gc"];

/// The entry of a publisher in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TierEntry {
    /// The tier of the publisher.
    pub tier: SourceTier,
    /// Whether what it says is satire.
    pub is_satire: bool,
    /// The source of the entry.
    pub source: &'static str,
    /// The date of that source.
    pub dated: &'static str,
}

/// The tiers of publishers: the table that ships with the program, and what a person configured.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tiers {
    own: HashMap<String, SourceTier>,
}

impl Tiers {
    /// Creates the table with a person's own entries, which take precedence. A domain without a
    /// tier of its own takes that of its publisher.
    pub fn with(own: impl IntoIterator<Item = (String, SourceTier)>) -> Self {
        Self {
            own: own
                .into_iter()
                .map(|(domain, tier)| {
                    (domain.trim_start_matches("www.").to_ascii_lowercase(), tier)
                })
                .collect(),
        }
    }

    /// Returns the tier of an address. Archive, AMP and cache addresses count as the address that
    /// they show.
    pub fn of(&self, url: &str) -> SourceTier {
        let shown = address::unwrap(url);
        // A person who names a host knows who writes there, so this goes before the check for
        // users' pages.
        let own = address::host(&shown).and_then(|host| self.own_of(&host));
        own.unwrap_or_else(|| {
            if is_written_by_users(&shown) {
                return SourceTier::Other;
            }
            entry(&address::publisher(url)).map_or(SourceTier::Other, |entry| entry.tier)
        })
    }

    /// Returns the tier that a person configured for a host, or for the nearest domain above it.
    fn own_of(&self, host: &str) -> Option<SourceTier> {
        let above = std::iter::successors(Some(host), |host| {
            host.split_once('.').map(|(_, above)| above)
        });
        above
            .into_iter()
            .find_map(|domain| self.own.get(domain).copied())
    }
}

/// Labels of a host below its domain where anyone can write.
const HOSTS: [&str; 33] = [
    "petition",
    "petitions",
    "paste",
    "pastebin",
    "gist",
    "student",
    "students",
    "personal",
    "homepages",
    "social",
    "mastodon",
    "feedback",
    "ideas",
    "lists",
    "list",
    "bugs",
    "bug",
    "bugzilla",
    "issues",
    "wiki",
    "discuss",
    "discourse",
    "forum",
    "forums",
    "community",
    "users",
    "user",
    "people",
    "home",
    "groups",
    "comments",
    "chat",
    "answers",
];

/// Folders and pages where anyone can write.
const FOLDERS: [&str; 23] = [
    "viewtopic.php",
    "viewforum.php",
    "showthread.php",
    "guestbook",
    "petition",
    "petitions",
    "comment",
    "comments",
    "forum",
    "forums",
    "wiki",
    "discuss",
    "discussion",
    "discussions",
    "users",
    "user",
    "profile",
    "talk",
    "thread",
    "threads",
    "mailman",
    "pipermail",
    "bugs",
];

/// Reports whether anyone can write at an address, whoever owns the domain: a list, a tracker, a
/// wiki, a forum, a personal page, comments.
pub fn is_written_by_users(url: &str) -> bool {
    let host = address::host(url).unwrap_or_default();
    let labels: Vec<&str> = host.split('.').collect();
    // The last two labels are left out: `wiki.example` as a domain of its own says nothing about
    // its writers.
    let below = &labels[..labels.len().saturating_sub(2)];
    let path = url.split_once("://").map_or("", |(_, rest)| rest);
    let path = path.split_once('/').map_or("", |(_, path)| path);
    let is_users = |part: &str| {
        let part = part.to_ascii_lowercase();
        // `index.php?title=User:Ann` is a page of MediaWiki with another address.
        let part = part.strip_prefix("title=").unwrap_or(&part);
        part.starts_with(['~', '@'])
            || ["user:", "talk:", "user_talk:"]
                .iter()
                .any(|space| part.starts_with(space))
            || FOLDERS.contains(&part)
    };
    let path = path.split('#').next().unwrap_or_default();
    below.iter().any(|label| HOSTS.contains(label)) || path.split(['/', '?', '&']).any(is_users)
}

/// Reports whether the site at an address is satire.
pub fn is_satire(url: &str) -> bool {
    entry(&address::publisher(url)).is_some_and(|entry| entry.is_satire)
}

/// Returns the entry of a publisher in the shipped table, by its registrable domain.
pub fn entry(publisher: &str) -> Option<TierEntry> {
    ENTRIES
        .get(publisher)
        .copied()
        .or_else(|| is_of_a_state(publisher).then_some(STATE_ENTRY))
}

const STATE_ENTRY: TierEntry = TierEntry {
    tier: SourceTier::Primary,
    is_satire: false,
    source: "a public suffix that only offices of a state can have",
    dated: "2026-11",
};

fn is_of_a_state(publisher: &str) -> bool {
    let above = std::iter::successors(Some(publisher), |host| {
        host.split_once('.').map(|(_, above)| above)
    });
    above.into_iter().any(is_state_suffix)
}

/// Reports whether a suffix is `gov`, `mil`, or such a word below a country. It must also be a
/// public suffix, else anyone could own it.
fn is_state_suffix(suffix: &str) -> bool {
    let is_word = match suffix.split_once('.') {
        Some((first, country)) => STATE.contains(&first) && country.len() == 2,
        None => ["gov", "mil"].contains(&suffix),
    };
    is_word && psl::domain_str(suffix).is_none()
}

static ENTRIES: LazyLock<HashMap<&'static str, TierEntry>> = LazyLock::new(|| {
    let mut entries = HashMap::new();
    let mut of = None;
    for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
        match line
            .strip_prefix('[')
            .and_then(|line| line.strip_suffix(']'))
        {
            Some(head) => of = head_entry(head),
            None => line
                .split_whitespace()
                // Below a head that cannot be parsed `of` is `None`, and the domains have no entry.
                .zip(of.into_iter().cycle())
                .for_each(|(domain, entry)| {
                    entries.entry(domain).or_insert(entry);
                }),
        }
    }
    entries
});

/// Parses the head of a part: `tier | source | date`.
fn head_entry(head: &'static str) -> Option<TierEntry> {
    let mut parts = head.split('|').map(str::trim);
    let (name, source, dated) = (parts.next()?, parts.next()?, parts.next()?);
    let tier = match name {
        "primary" => SourceTier::Primary,
        "wire" => SourceTier::Wire,
        "trade" => SourceTier::Trade,
        "other" | "satire" => SourceTier::Other,
        _ => return None,
    };
    Some(TierEntry {
        tier,
        is_satire: name == "satire",
        source,
        dated,
    })
}

#[cfg(test)]
mod tests;
