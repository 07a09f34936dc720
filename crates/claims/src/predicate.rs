//! A predicate: data about how its claims are written, asked and refuted.

use grounds_evidence::Intent;

/// The type of one argument of a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argued {
    /// A name in code, with what it belongs to: `Context.Next`.
    Name,
    /// A file, a folder, or `path:line`.
    Path,
    /// Words or a literal.
    Text,
}

/// One predicate.
#[derive(Debug)]
pub struct Predicate {
    /// Its name in the text form.
    pub name: &'static str,
    /// One sentence: when it holds.
    pub about: &'static str,
    /// The types of its arguments, in order.
    pub arguments: &'static [Argued],
    /// The intent whose row of the requirements table its evidence must meet.
    pub intent: Intent,
    /// Verbs whose subject is the first argument and whose object is the second, in their base
    /// forms. One of several words ("kick off") means the same as the first verb of the list.
    pub verbs: &'static [&'static str],
    /// Nouns, each with the number of the argument whose values it names: a caller is the first
    /// argument of `calls`. One of several words means the same as the first noun with its number.
    pub nouns: &'static [(&'static str, usize)],
    /// Three claims in the text form.
    pub examples: [&'static str; 3],
}

impl PartialEq for Predicate {
    fn eq(&self, other: &Self) -> bool {
        // Each predicate is one static value, and the name identifies it.
        self.name == other.name
    }
}

impl Eq for Predicate {}
