//! A claim: a predicate with its arguments, where it holds, and for how many values.

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

/// The number of values that the claim holds for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quantifier {
    /// At least one.
    #[default]
    Some,
    /// The claim asks whether there is one at all.
    Any,
    /// No value.
    None,
    /// Some inside the scope, and no other outside of it.
    Only,
    /// Exactly this many.
    Exactly(u32),
    /// This many or more.
    AtLeast(u32),
    /// The claim asks how many there are.
    Count,
    /// The claim asks how many files have one.
    CountFiles,
}

/// Whether tests belong to the part of the tree that is meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tests {
    /// They count like everything else.
    #[default]
    Count,
    /// They are left out.
    Outside,
    /// Only tests are meant.
    Inside,
}

/// The part of the tree that is meant.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scope {
    /// Files, folders and types that must contain the places; an empty list means everything.
    pub inside: Vec<String>,
    /// Files, folders and types that must not contain the places.
    pub outside: Vec<String>,
    /// Whether tests belong to the part.
    pub tests: Tests,
}

/// A claim. With a hole it asks for the values that make it true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Its predicate.
    pub predicate: &'static Predicate,
    /// As many arguments as the predicate has.
    pub arguments: Vec<Argument>,
    /// The number of values that it holds for.
    pub quantifier: Quantifier,
    /// Whether it is negated.
    pub is_negated: bool,
    /// The part of the tree that is meant.
    pub scope: Scope,
    /// The kind of thing that is asked for; `None` if any kind will do.
    pub kind: Option<String>,
}

impl Claim {
    /// Makes a claim for at least one value, anywhere. Missing arguments become holes, and surplus
    /// ones are dropped.
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

    /// Returns the text of an argument, or `None` for a hole.
    pub fn text(&self, number: usize) -> Option<&str> {
        match self.arguments.get(number) {
            Some(Argument::Is(text)) => Some(text),
            Some(Argument::Hole) | None => None,
        }
    }

    /// Returns the number of the first hole, or `None` in a statement.
    pub fn hole(&self) -> Option<usize> {
        self.arguments
            .iter()
            .position(|argument| *argument == Argument::Hole)
    }

    /// Reports whether it is true or false: it has no hole, or is about its values as a whole.
    pub fn is_statement(&self) -> bool {
        match self.quantifier {
            Quantifier::Any
            | Quantifier::None
            | Quantifier::Only
            | Quantifier::Exactly(_)
            | Quantifier::AtLeast(_) => true,
            // A count is asked for, and no number is claimed that could be false.
            Quantifier::Count | Quantifier::CountFiles => false,
            // `calls(_, "x")` asks for the callers of `x`; its negation says that `x` has no
            // caller.
            Quantifier::Some => self.hole().is_none() || self.is_negated,
        }
    }
}

impl Quantifier {
    /// Reports whether a number of values fits a quantifier with a number; false for the others.
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
    /// Reports whether the whole tree is meant.
    pub fn is_everything(&self) -> bool {
        *self == Self::default()
    }
}

impl Argument {
    /// Makes an argument of a text.
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

/// Writes a text between quotation marks, with a backslash before each of those and before itself.
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
        // The order of the parts is that in which `text::parse` reads them.
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
            // Nothing is written for what a claim means without a word about tests.
            Tests::Count => Ok(()),
            Tests::Outside => f.write_str(" outside tests"),
            Tests::Inside => f.write_str(" in tests"),
        }
    }
}

#[cfg(test)]
mod tests;
