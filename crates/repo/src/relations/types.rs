//! What an expression is, as far as the text says it.

use std::collections::BTreeSet;

use super::tree::{MemberId, TypeId};

/// What an expression is.
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
    /// Functions of the tree, one of which is meant; and on what they are called.
    Functions(BTreeSet<MemberId>, Option<Box<Ty>>),
    /// A function outside of the tree that gives this.
    Gives(Box<Ty>),
    /// A value of a type outside of the tree, with its type arguments.
    External(String, Vec<Ty>),
    /// A type, function or module outside of the tree.
    Outside(String),
    /// A type parameter, and what its bounds say.
    Param(String, Box<Ty>),
    /// One of several.
    Union(Vec<Ty>),
    /// The text does not say.
    Unknown,
}

impl Ty {
    /// One of several, flat and without doubles.
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

    /// The alternatives; a type alone is its only one.
    pub(super) fn parts(&self) -> Vec<Self> {
        match self {
            Self::Union(parts) => parts.clone(),
            one => vec![one.clone()],
        }
    }

    /// The type of the tree that it is, or is an instance of.
    pub(super) fn id(&self) -> Option<TypeId> {
        match self {
            Self::Instance(id, _) | Self::Type(id) => Some(*id),
            _ => None,
        }
    }

    /// The same for each alternative.
    pub(super) fn map(&self, look: impl Fn(&Self) -> Self) -> Self {
        Self::union(self.parts().iter().map(look))
    }

    /// With type parameters replaced by what they are here.
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
