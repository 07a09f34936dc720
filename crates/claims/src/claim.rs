//! A claim: a predicate with its arguments, where it holds, and for how many.

use std::fmt;

use crate::predicate::Predicate;

/// One argument of a claim.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Argument {
    /// What is asked for.
    Hole,
    /// A name, a path, or words.
    Is(String),
}

/// For how many values the claim holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quantifier {
    /// For at least one.
    #[default]
    Some,
    /// Whether there is one at all is asked.
    Any,
    /// For none.
    None,
    /// For some inside the scope, and for none outside of it.
    Only,
    /// For exactly so many.
    Exactly(u32),
    /// For so many or more.
    AtLeast(u32),
    /// How many there are is asked for.
    Count,
    /// How many files hold one is asked for.
    CountFiles,
}

/// Whether tests belong to the part of the tree that is meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tests {
    /// They count as everything else.
    #[default]
    Count,
    /// They are left out.
    Outside,
    /// Nothing else is meant.
    Inside,
}

/// The part of the tree that is meant.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scope {
    /// Files, folders and types that must contain the places; an empty list means everything.
    pub inside: Vec<String>,
    /// Files, folders and types that places must not lie in.
    pub outside: Vec<String>,
    /// Whether tests belong to it.
    pub tests: Tests,
}

/// A claim. With a hole it asks for the values that make it true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Its predicate.
    pub predicate: &'static Predicate,
    /// As many arguments as the predicate has.
    pub arguments: Vec<Argument>,
    /// For how many.
    pub quantifier: Quantifier,
    /// Whether it says that this is not so.
    pub is_negated: bool,
    /// Where.
    pub scope: Scope,
    /// What kind of thing is asked for; `None` where any will do.
    pub kind: Option<String>,
}

impl Claim {
    /// A claim for at least one value, anywhere. Missing arguments are holes, and those past the predicate's are dropped.
    pub fn new(predicate: &'static Predicate, arguments: Vec<Argument>) -> Self {
        let mut arguments = arguments;
        arguments.resize(predicate.arguments.len(), Argument::Hole);
        Self {
            predicate,
            arguments,
            quantifier: Quantifier::Some,
            is_negated: false,
            scope: Scope::default(),
            kind: None,
        }
    }

    /// The words of an argument; none of a hole.
    pub fn text(&self, number: usize) -> Option<&str> {
        match self.arguments.get(number) {
            Some(Argument::Is(text)) => Some(text),
            Some(Argument::Hole) | None => None,
        }
    }

    /// The number of the first hole; none in a statement.
    pub fn hole(&self) -> Option<usize> {
        self.arguments
            .iter()
            .position(|argument| *argument == Argument::Hole)
    }

    /// Whether it is decided by true or false: it has no hole, or speaks of its values as a whole.
    pub fn is_statement(&self) -> bool {
        match self.quantifier {
            Quantifier::Any
            | Quantifier::None
            | Quantifier::Only
            | Quantifier::Exactly(_)
            | Quantifier::AtLeast(_) => true,
            Quantifier::Count | Quantifier::CountFiles => false,
            Quantifier::Some => self.hole().is_none() || self.is_negated,
        }
    }
}

impl Quantifier {
    /// Whether a number of values fits a quantifier with a number; false for the others.
    pub fn holds_for(self, count: usize) -> bool {
        match self {
            Self::Exactly(number) => count == number as usize,
            Self::AtLeast(number) => count >= number as usize,
            Self::Some | Self::Any | Self::None | Self::Only | Self::Count | Self::CountFiles => {
                false
            }
        }
    }
}

impl Scope {
    /// Whether the whole tree is meant.
    pub fn is_everything(&self) -> bool {
        *self == Self::default()
    }
}

impl Argument {
    /// An argument with words.
    pub fn is(text: impl Into<String>) -> Self {
        Self::Is(text.into())
    }
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hole => f.write_str("_"),
            Self::Is(text) => quoted(f, text),
        }
    }
}

/// A text between quotation marks, with backslashes before those and before itself.
fn quoted(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_str("\"")?;
    for letter in text.chars() {
        match letter {
            '"' | '\\' => write!(f, "\\{letter}")?,
            '\n' => f.write_str("\\n")?,
            _ => write!(f, "{letter}")?,
        }
    }
    f.write_str("\"")
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_negated {
            f.write_str("not ")?;
        }
        match self.quantifier {
            Quantifier::Some => {}
            Quantifier::Any => f.write_str("any ")?,
            Quantifier::None => f.write_str("none ")?,
            Quantifier::Only => f.write_str("only ")?,
            Quantifier::Exactly(count) => write!(f, "exactly {count} ")?,
            Quantifier::AtLeast(count) => write!(f, "atleast {count} ")?,
            Quantifier::Count => f.write_str("count ")?,
            Quantifier::CountFiles => f.write_str("count files ")?,
        }
        write!(f, "{}(", self.predicate.name)?;
        for (number, argument) in self.arguments.iter().enumerate() {
            let comma = if number > 0 { ", " } else { "" };
            write!(f, "{comma}{argument}")?;
        }
        f.write_str(")")?;
        if let Some(kind) = &self.kind {
            f.write_str(" as ")?;
            quoted(f, kind)?;
        }
        for place in &self.scope.inside {
            f.write_str(" in ")?;
            quoted(f, place)?;
        }
        for place in &self.scope.outside {
            f.write_str(" outside ")?;
            quoted(f, place)?;
        }
        match self.scope.tests {
            Tests::Count => Ok(()),
            Tests::Outside => f.write_str(" outside tests"),
            Tests::Inside => f.write_str(" in tests"),
        }
    }
}

#[cfg(test)]
mod tests;
