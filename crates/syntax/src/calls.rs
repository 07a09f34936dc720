//! The calls in a range of a file.
//!
//! For the bytes of an item in a parsed file, returns the calls in it in the order of the text:
//! functions, methods, macros, constructors, commands. A function that is passed as a value is no
//! call. The meaning of a name is decided elsewhere.

use std::ops::Range;

use grounds_evidence::Relation;

use crate::label::{self, Sought};
use crate::lexical;
use crate::parse::{Parse, Said};

/// Most bytes of a receiver; of a longer one, the end is kept.
const RECEIVER_BYTES_MAX: usize = 120;
/// Marks between a receiver and the callee.
const JOINTS: [&str; 8] = ["?->", "?.", "!!.", "&.", "->", "::", ".", "\\"];

/// One call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxCall {
    /// The last name of the callee.
    pub name: String,
    /// The bytes of that name.
    pub range: Range<usize>,
    /// The text before the name and its dot or colons, on one line: `self.store`, `std::fs`. `None`
    /// if there is no receiver.
    pub receiver: Option<String>,
}

impl Parse<'_> {
    /// Returns the calls of the item in `range`, in the order of the text, `most` at most.
    pub fn calls_in(&self, range: Range<usize>, most: usize) -> Vec<SyntaxCall> {
        let within = range.start.min(self.source.len())..range.end.min(self.source.len());
        let called = match self.said() {
            Said::Tree(file) => {
                let sought = Sought {
                    within,
                    most,
                    is_wanted: |relation| relation == Relation::Calls,
                };
                label::called(file, &sought)
            }
            Said::Outline(_) => self.calls_by_lines(within, most),
        };
        called
            .into_iter()
            .map(|(name, start)| self.call(name, start))
            .collect()
    }

    fn calls_by_lines(&self, within: Range<usize>, most: usize) -> Vec<label::Called> {
        let names = lexical::names(self.source, within, self.language.lexicon.name_bytes);
        let called = names
            .into_iter()
            .filter(|name| self.label(name.clone()).relation == Relation::Calls);
        called
            .take(most)
            .map(|name| (name.clone(), lexical::path_start(self.source, name.start)))
            .collect()
    }

    fn call(&self, range: Range<usize>, start: usize) -> SyntaxCall {
        let text = |range: Range<usize>| {
            String::from_utf8_lossy(self.source.get(range).unwrap_or_default()).into_owned()
        };
        SyntaxCall {
            name: text(range.clone()),
            receiver: receiver(
                &text(start.min(range.start)..range.start),
                self.language.name,
            ),
            range,
        }
    }
}

/// Returns the receiver in the text before a name, without the joint.
fn receiver(before: &str, language: &str) -> Option<String> {
    let before = before.trim();
    // Only in Lua does a single colon call a method.
    let joints = JOINTS
        .iter()
        .copied()
        .chain((language == "Lua").then_some(":"));
    let joined = joints
        .into_iter()
        .find_map(|joint| before.strip_suffix(joint))?;
    let joined = joined
        .trim()
        .strip_prefix("new ")
        .unwrap_or(joined)
        .trim_start_matches('@');
    let line = joined.split_whitespace().collect::<Vec<&str>>().join(" ");
    let cut = line
        .char_indices()
        .map(|(at, _)| at)
        .find(|at| line.len() - at <= RECEIVER_BYTES_MAX)?;
    Some(if cut > 0 {
        format!("…{}", &line[cut..])
    } else {
        line
    })
}

#[cfg(test)]
mod tests;
