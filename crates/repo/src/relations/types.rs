//! The type of an expression, as far as the text shows it.

use std::collections::BTreeSet;

use super::tree::{MemberId, TypeId};

/// The type of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ty {
    /// An instance of a type of the tree, with its type arguments.
    Instance(TypeId, Vec<Ty>),
    /// A type of the tree itself.
    Type(TypeId),
    /// A file as a module.
    File(usize),
    /// A package or namespace: a folder for Go, a name for others.
    Package(String),
    /// Functions of the tree, one of which is meant, and the receiver that they are called on;
    /// `None` without one.
    Functions(BTreeSet<MemberId>, Option<Box<Ty>>),
    /// A function outside of the tree that returns this.
    Gives(Box<Ty>),
    /// A value of a type outside of the tree, with its type arguments.
    External(String, Vec<Ty>),
    /// A type, function or module outside of the tree.
    Outside(String),
    /// A type parameter, and its bounds.
    Param(String, Box<Ty>),
    /// One of several.
    Union(Vec<Ty>),
    /// The text does not say.
    Unknown,
}

impl Ty {
    /// Returns one of several alternatives, flat and without repetition.
    pub(super) fn union(all: impl IntoIterator<Item = Self>) -> Self {
        let mut parts: Vec<Self> = Vec::new();
        for part in all.into_iter().flat_map(|ty| ty.parts()) {
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        match parts.len() {
            0 => Self::Unknown,
            1 => parts.remove(0),
            _ => Self::Union(parts),
        }
    }

    /// Returns the alternatives; a single type is its only one.
    pub(super) fn parts(&self) -> Vec<Self> {
        match self {
            Self::Union(parts) => parts.clone(),
            one => vec![one.clone()],
        }
    }

    /// Returns the type of the tree that it is, or is an instance of.
    pub(super) fn id(&self) -> Option<TypeId> {
        match self {
            Self::Instance(id, _) | Self::Type(id) => Some(*id),
            _ => None,
        }
    }

    /// Applies a function to each alternative.
    pub(super) fn map(&self, look: impl Fn(&Self) -> Self) -> Self {
        Self::union(self.parts().iter().map(look))
    }

    /// Replaces type parameters by their arguments.
    pub(super) fn with(&self, names: &[String], args: &[Self]) -> Self {
        match self {
            Self::Param(name, _) => names
                .iter()
                .position(|known| known == name)
                .and_then(|at| args.get(at))
                .cloned()
                .unwrap_or_else(|| self.clone()),
            Self::Instance(id, inner) => {
                Self::Instance(*id, inner.iter().map(|ty| ty.with(names, args)).collect())
            }
            Self::External(name, inner) => Self::External(
                name.clone(),
                inner.iter().map(|ty| ty.with(names, args)).collect(),
            ),
            Self::Union(parts) => Self::union(parts.iter().map(|ty| ty.with(names, args))),
            other => other.clone(),
        }
    }
}
