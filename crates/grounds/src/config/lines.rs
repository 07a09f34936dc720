//! The line of each key of a configuration. Takes the text, and returns the line of every value by
//! its path, such as `ask.threads`; for a list, that of each entry.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::Spanned;

/// The parts of a value.
enum Node {
    Leaf,
    Map(Vec<(String, Spanned<Node>)>),
    List(Vec<Spanned<Node>>),
}

/// Returns the lines of all values; an empty map if the text cannot be read.
pub(super) fn of(text: &str) -> BTreeMap<String, u32> {
    let mut lines = BTreeMap::new();
    if let Ok(node) = serde_saphyr::from_str::<Spanned<Node>>(text) {
        collect(&node, "", &mut lines);
    }
    lines
}

fn collect(node: &Spanned<Node>, path: &str, lines: &mut BTreeMap<String, u32>) {
    if !path.is_empty() {
        lines.insert(
            path.to_owned(),
            // For an alias (`*name`) this is the line of its use.
            u32::try_from(node.referenced.line()).unwrap_or(u32::MAX),
        );
    }
    match &node.value {
        Node::Leaf => {}
        Node::Map(entries) => {
            for (key, value) in entries {
                collect(
                    value,
                    &if path.is_empty() {
                        key.clone()
                    } else {
                        format!("{path}.{key}")
                    },
                    lines,
                );
            }
        }
        Node::List(entries) => {
            for (number, value) in entries.iter().enumerate() {
                collect(value, &format!("{path}[{number}]"), lines);
            }
        }
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        source.deserialize_any(ConfigLineReader)
    }
}

struct ConfigLineReader;

impl<'de> Visitor<'de> for ConfigLineReader {
    type Value = Node;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Node::Map(entries))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Node, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = list.next_element()? {
            entries.push(entry);
        }
        Ok(Node::List(entries))
    }

    fn visit_some<D: Deserializer<'de>>(self, source: D) -> Result<Node, D::Error> {
        Node::deserialize(source)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, source: D) -> Result<Node, D::Error> {
        Node::deserialize(source)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Node, E> {
        Ok(Node::Leaf)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Node, E> {
        Ok(Node::Leaf)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Node, E> {
        Ok(Node::Leaf)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Node, E> {
        Ok(Node::Leaf)
    }

    fn visit_str<E>(self, _: &str) -> Result<Node, E> {
        Ok(Node::Leaf)
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Leaf)
    }

    fn visit_none<E>(self) -> Result<Node, E> {
        Ok(Node::Leaf)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_has_its_line() {
        let lines = of(
            "# first\nask:\n  threads: 3\n  run: ~\nrules: {on: [a,\n  b]}\nverify:\n  tiers:\n    example.org: trade\n",
        );
        let expected = [
            ("ask", 3),
            ("ask.run", 4),
            ("ask.threads", 3),
            ("rules", 5),
            ("rules.on", 5),
            ("rules.on[0]", 5),
            ("rules.on[1]", 6),
            ("verify", 8),
            ("verify.tiers", 9),
            ("verify.tiers.example.org", 9),
        ];
        assert_eq!(
            lines
                .iter()
                .map(|(path, line)| (path.as_str(), *line))
                .collect::<Vec<_>>(),
            expected
        );
        assert!(of("a: [").is_empty());
    }
}
