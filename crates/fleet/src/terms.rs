//! The terms of jobs: program, configuration, policy, sources. From the parts, returns one hash.
//! Results under different terms are never mixed, and a worker with other terms learns which part
//! differs.

use std::collections::BTreeMap;

use crate::job::hash;

/// Terms: named parts, such as the version of the program and the hash of the documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms(BTreeMap<String, String>);

impl Terms {
    /// Returns terms with these parts.
    pub fn of<'p>(parts: impl IntoIterator<Item = (&'p str, String)>) -> Self {
        Self(
            parts
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
        )
    }

    /// Reads the text of [`Terms::text`]. Text that cannot be read gives no parts.
    pub fn read(text: &str) -> Self {
        Self(serde_json::from_str(text).unwrap_or_default())
    }

    /// Returns the terms as JSON.
    pub fn text(&self) -> String {
        // A map of strings can always be written.
        serde_json::to_string(&self.0).unwrap_or_default()
    }

    /// Returns the hash that names them.
    pub fn hash(&self) -> String {
        hash(&[&self.text()])
    }

    /// Returns the names of the parts in which other terms differ.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let names = self.0.keys().chain(other.0.keys());
        let mut names: Vec<String> = names
            .filter(|name| self.0.get(*name) != other.0.get(*name))
            .cloned()
            .collect();
        names.sort();
        names.dedup();
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_differ_in_named_parts() {
        let one = Terms::of([("version", "1".to_owned()), ("corpus", "a".to_owned())]);
        let other = Terms::of([("version", "2".to_owned()), ("corpus", "a".to_owned())]);
        assert_ne!(one.hash(), other.hash());
        assert_eq!(one.differences(&other), ["version"]);
        assert_eq!(Terms::read(&one.text()), one);
    }
}
