//! The types that extend or implement a type, decided by which type each head means.

use std::collections::BTreeSet;

use grounds_syntax::origins::{LanguageFamily, TypeRef};

use super::tree::{RelationIndex, TypeId};
use super::types::Ty;
use super::{MemberVerdict, read};
use crate::checkout::Checkout;
use crate::labels::LabelledPlace;
use crate::limits::Limits;

/// The heads that name a base.
#[derive(Debug)]
pub struct Heads {
    tree: RelationIndex,
    name: String,
    asked: BTreeSet<TypeId>,
    /// Bounds that were reached; if one was, types are missing.
    pub bounds: Vec<&'static str>,
}

/// Reads the files that separate the heirs of some types from those of other types with the same
/// name. `None` if no language of theirs is read, or none of them is a type.
pub fn heads(
    checkout: &Checkout,
    name: &str,
    definitions: &[&LabelledPlace],
    limits: &Limits,
) -> Option<Heads> {
    let families = definitions
        .iter()
        .filter_map(|place| LanguageFamily::of_language(place.language))
        .collect();
    let (tree, bounds) = read::tree(checkout, name, &families, limits)?;
    let named = tree.types.get(name).into_iter().flatten().copied();
    let asked: BTreeSet<TypeId> = named.filter(|id| is_at(&tree, *id, definitions)).collect();
    (!asked.is_empty()).then(|| Heads {
        tree,
        name: name.to_owned(),
        asked,
        bounds,
    })
}

/// Reports whether a type is defined at one of some places.
pub(super) fn is_at(tree: &RelationIndex, id: TypeId, places: &[&LabelledPlace]) -> bool {
    let file = &tree.files[id.0];
    let line = file.position(tree.kind(id).at).0;
    places
        .iter()
        .any(|place| place.path.as_str() == file.path && place.line == line)
}

impl Heads {
    /// Decides which type the name at a place means, in the head of another type.
    pub fn of(&self, place: &LabelledPlace) -> MemberVerdict {
        let Some(&number) = self.tree.by_path.get(place.path.as_str()) else {
            return MemberVerdict::Open;
        };
        let file = &self.tree.files[number];
        let lines = |at: usize| file.position(at).0;
        let of_types = file.origins.types.iter().enumerate().filter(|(_, kind)| {
            lines(kind.item.start) <= place.line && place.line <= lines(kind.item.end)
        });
        let of_types = of_types
            .filter(|(_, kind)| kind.bases.iter().any(|base| self.names(base)))
            // A type may be inside another, and the innermost head has the place.
            .min_by_key(|(_, kind)| kind.item.len())
            .map(|(of, _)| {
                self.tree
                    .bases
                    .get(&(number, of))
                    .cloned()
                    .unwrap_or_default()
            });
        // In Rust the base is named by an `impl`, which may be far from its type.
        let found = of_types.unwrap_or_else(|| {
            let impls = file.origins.impls.iter();
            impls
                .filter(|(_, base, at)| lines(*at) == place.line && self.names(base))
                .flat_map(|(_, base, at)| {
                    self.tree.refuel();
                    self.tree.instance(number, *at, base).parts()
                })
                .collect()
        });
        self.verdict(&found)
    }

    fn names(&self, base: &TypeRef) -> bool {
        base.path.last().is_some_and(|last| *last == self.name)
    }

    fn verdict(&self, bases: &[Ty]) -> MemberVerdict {
        let is_asked = |ty: &Ty| ty.id().is_some_and(|id| self.asked.contains(&id));
        let is_other = |ty: &Ty| match ty {
            Ty::External(name, _) | Ty::Outside(name) => *name == self.name,
            ty => ty
                .id()
                .is_some_and(|id| self.tree.kind(id).name == self.name),
        };
        match () {
            () if bases.iter().any(is_asked) => MemberVerdict::ResolvedToIt,
            () if bases.iter().any(is_other) => MemberVerdict::ResolvedToAnother,
            () => MemberVerdict::Open,
        }
    }
}
