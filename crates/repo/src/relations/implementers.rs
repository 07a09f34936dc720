//! The implementations of an interface of Go: the types that have its methods, even if they do not
//! name it. For a type that is named with its package or owner: what extends it. For a member: what
//! overrides it.

use std::collections::BTreeSet;

use grounds_evidence::{QuestionTarget, Relation, SymbolKind, TargetKind, WantedRelation};
use grounds_syntax::languages;
use grounds_syntax::origins::{LanguageFamily, TypeKind};

use super::heirs::is_at;
use super::read;
use super::satisfied::satisfied;
use super::tree::{MemberId, RelationIndex, TypeId};
use super::types::Ty;
use crate::checkout::Checkout;
use crate::labels::{LabelledPlace, Places};
use crate::limits::Limits;
use crate::needles::OccurrenceForm;
use crate::path::RepoPath;
use crate::path::file_name;
use crate::role;

/// Returns the types that implement the interface that a target names; empty if it names no
/// interface of Go.
pub fn implementers(
    checkout: &Checkout,
    target: &QuestionTarget,
    labelled: &Places,
    limits: &Limits,
) -> Vec<LabelledPlace> {
    let is_name = matches!(target.kind, TargetKind::Identifier | TargetKind::SymbolPath);
    if !is_name || target.wanted != WantedRelation::Implementations {
        return Vec::new();
    }
    if target.kind == TargetKind::SymbolPath {
        let heirs = heirs(checkout, target, labelled, limits);
        if !heirs.is_empty() {
            return heirs;
        }
    }
    let mut defined = labelled.defined();
    defined.retain(|place| place.language == "Go");
    // Without a definition here, the name may be an interface of Go's library: `io.Reader`.
    if defined.is_empty() && !labelled.places.iter().any(|place| place.language == "Go") {
        return Vec::new();
    }
    let satisfied = satisfied(checkout, &target.text, &defined, limits);
    // An interface that embeds an unknown one may want more methods than are known.
    let satisfied = satisfied.filter(|satisfied| satisfied.is_whole);
    let types = satisfied.map_or_else(Vec::new, |satisfied| satisfied.types);
    types
        .into_iter()
        .filter(|one| one.lacks.is_empty())
        .map(|one| one.place)
        .collect()
}

/// Returns what extends a type that is defined at some places, or overrides a member that is.
fn heirs(
    checkout: &Checkout,
    target: &QuestionTarget,
    labelled: &Places,
    limits: &Limits,
) -> Vec<LabelledPlace> {
    let defined = labelled.defined();
    let families = defined.iter().map(|place| place.language);
    let families = families.filter_map(LanguageFamily::of_language).collect();
    let name = target.needle();
    let Some((tree, _)) = read::tree(checkout, name, &families, limits) else {
        return Vec::new();
    };
    let named = tree.types.get(name).into_iter().flatten().copied();
    let bases: Vec<TypeId> = named.filter(|id| is_at(&tree, *id, &defined)).collect();
    let members = tree.members_at(name, &defined);
    let owner = |member: &MemberId| tree.owner_of.get(member).copied();
    let owners: BTreeSet<TypeId> = members.iter().filter_map(owner).collect();
    let mut places = Vec::new();
    for id in tree.types.values().flatten().copied() {
        let of = tree.bases.get(&id).into_iter().flatten();
        if of.filter_map(Ty::id).any(|base| bases.contains(&base)) {
            places.extend(place(&tree, id));
        }
        // `is_a` holds for the type itself, whose member is the one that is overridden.
        let is_below = |owner: &TypeId| *owner != id && tree.is_a(id, *owner);
        if owners.iter().any(is_below) {
            places.extend(places_of_members(&tree, id, name));
        }
    }
    places.sort_by(crate::labels::rank);
    places
}

/// Returns the places of a type's own members of a name.
fn places_of_members(tree: &RelationIndex, id: TypeId, name: &str) -> Vec<LabelledPlace> {
    let at_member = |member: MemberId| {
        let (line, column) = tree.files[member.0].position(tree.member(member).at);
        Some(LabelledPlace {
            kind: Some(SymbolKind::Method),
            line,
            column,
            line_end: line,
            ..place(tree, id)?
        })
    };
    let members = tree.own_members(id, name).into_iter();
    members.filter_map(at_member).collect()
}

/// Returns the kind of a type in the words of its language.
const fn symbol_of(kind: &TypeKind, family: LanguageFamily) -> SymbolKind {
    match (kind, family) {
        (TypeKind::Class, LanguageFamily::Rust | LanguageFamily::Go) => SymbolKind::Struct,
        (TypeKind::Class, _) => SymbolKind::Class,
        (TypeKind::Interface, LanguageFamily::Rust) => SymbolKind::Trait,
        (TypeKind::Interface, _) => SymbolKind::Interface,
        (TypeKind::Module, _) => SymbolKind::Module,
        (TypeKind::Alias(_), _) => SymbolKind::TypeAlias,
    }
}

pub(super) fn place(tree: &RelationIndex, id: TypeId) -> Option<LabelledPlace> {
    let (file, kind) = (&tree.files[id.0], tree.kind(id));
    let path = RepoPath::relative(std::path::Path::new(&file.path))?;
    let (line, column) = file.position(kind.at);
    Some(LabelledPlace {
        role: role::of(&path),
        relation: Relation::Inherits,
        kind: Some(symbol_of(&kind.kind, file.family)),
        form: OccurrenceForm::Asked,
        name: kind.name.clone(),
        containers: vec![kind.name.clone()],
        line,
        column,
        line_end: line,
        language: languages::of_name(file_name(&file.path)).map_or("", |language| language.name),
        test: None,
        path,
    })
}
