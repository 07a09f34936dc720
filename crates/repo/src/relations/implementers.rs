//! What implements an interface of Go: the types that have its methods, whether they name it or not.

use std::collections::BTreeSet;

use grounds_evidence::{Relation, SymbolKind, Target, TargetKind, Wanted};
use grounds_syntax::origins::{Family, TypeKind};

use super::read;
use super::tree::{Tree, TypeId};
use crate::checkout::Checkout;
use crate::labels::{Place, Places};
use crate::limits::Limits;
use crate::needles::Form;
use crate::path::RepoPath;
use crate::role;

/// The types that implement the interface that a target names; empty where it names none of Go.
pub fn implementers(
    checkout: &Checkout,
    target: &Target,
    labelled: &Places,
    limits: &Limits,
) -> Vec<Place> {
    let is_name = matches!(target.kind, TargetKind::Identifier | TargetKind::SymbolPath);
    if !is_name || target.wanted != Wanted::Implementations {
        return Vec::new();
    }
    let defined: Vec<&Place> = labelled
        .places
        .iter()
        .filter(|place| {
            matches!(place.relation, Relation::Defines | Relation::Declares)
                && place.language == "Go"
        })
        .collect();
    let standard = super::shapes::standard(&target.text);
    let is_go = || labelled.places.iter().any(|place| place.language == "Go");
    if defined.is_empty() && (standard.is_none() || !is_go()) {
        return Vec::new();
    }
    let families = BTreeSet::from([Family::Go]);
    let Some((tree, _)) = read::tree(checkout, target.needle(), &families, limits) else {
        return Vec::new();
    };
    let interfaces = interfaces(&tree, target.needle(), &defined);
    let mut places = Vec::new();
    for id in tree.types.values().flatten().copied() {
        let fits = match (interfaces.as_slice(), standard) {
            ([], Some(methods)) => tree.has_methods(id, methods),
            (own, _) => own
                .iter()
                .any(|interface| *interface != id && tree.fits(id, *interface)),
        };
        let is_class = tree.kind(id).kind == TypeKind::Class;
        if fits && is_class {
            places.extend(place(&tree, id));
        }
    }
    places.sort_by(crate::labels::rank);
    places
}

/// The interfaces of a name that are defined at some places.
fn interfaces(tree: &Tree, name: &str, defined: &[&Place]) -> Vec<TypeId> {
    let named = tree.types.get(name).into_iter().flatten().copied();
    named
        .filter(|id| {
            let (file, kind) = (&tree.files[id.0], tree.kind(*id));
            let line = file.position(kind.at).0;
            kind.kind == TypeKind::Interface
                && defined
                    .iter()
                    .any(|place| place.path.as_str() == file.path && place.line == line)
        })
        .collect()
}

fn place(tree: &Tree, id: TypeId) -> Option<Place> {
    let (file, kind) = (&tree.files[id.0], tree.kind(id));
    let path = RepoPath::relative(std::path::Path::new(&file.path))?;
    let (line, column) = file.position(kind.at);
    Some(Place {
        role: role::of(&path),
        relation: Relation::Inherits,
        kind: Some(SymbolKind::Struct),
        form: Form::Asked,
        name: kind.name.clone(),
        containers: vec![kind.name.clone()],
        line,
        column,
        line_end: line,
        language: "Go",
        test: None,
        path,
    })
}
