//! The types of Go that have the methods of an interface, even if they do not name it.

use std::collections::BTreeSet;

use grounds_syntax::origins::{LanguageFamily, TypeKind};

use super::heirs::is_at;
use super::shapes::{self, Shapes};
use super::tree::{RelationIndex, TypeId};
use super::{implementers, read};
use crate::checkout::Checkout;
use crate::labels::LabelledPlace;
use crate::limits::Limits;

/// A type that has methods of an interface.
#[derive(Clone, Debug)]
pub struct Satisfying {
    /// Where it is defined.
    pub place: LabelledPlace,
    /// The methods of the interface that it lacks, with their shapes.
    pub lacks: Vec<String>,
    /// Whether a lacking method may come from an embedded type that is not in the tree, or from a
    /// type argument of the interface.
    pub is_open: bool,
}

/// The types of a tree that have methods of an interface.
#[derive(Clone, Debug)]
pub struct Satisfied {
    /// Each type that has at least one of its methods by name.
    pub types: Vec<Satisfying>,
    /// The names of the interface's methods.
    pub methods: Vec<String>,
    /// Whether all of what the interface embeds is known.
    pub is_whole: bool,
    /// Bounds that were reached; if one was, types are missing.
    pub bounds: Vec<&'static str>,
}

/// Returns the types that have methods of the interfaces that are defined at some places, or else
/// of the interface of the standard library that a text names. `None` if there is no such
/// interface, or if it has no methods.
pub fn satisfied(
    checkout: &Checkout,
    text: &str,
    definitions: &[&LabelledPlace],
    limits: &Limits,
) -> Option<Satisfied> {
    let name = text.rsplit(['.', ':', '/']).next().unwrap_or(text);
    let (tree, bounds) = read::tree(
        checkout,
        name,
        &BTreeSet::from([LanguageFamily::Go]),
        limits,
    )?;
    let wanted = wanted(&tree, text, name, definitions);
    // Every type has all methods of an interface without methods, which shows nothing.
    if wanted.iter().all(|(shapes, ..)| shapes.is_empty()) {
        return None;
    }
    let mut types: Vec<Satisfying> = wanted
        .iter()
        .flat_map(|(shapes, _, is_generic)| having(&tree, shapes, *is_generic))
        .collect();
    // Several interfaces may have the name. A type is kept once, for the one of which it lacks the
    // fewest methods.
    types.sort_by(|one, other| {
        crate::labels::rank(&one.place, &other.place).then(one.lacks.len().cmp(&other.lacks.len()))
    });
    types.dedup_by(|one, other| one.place == other.place);
    let methods = wanted.iter().flat_map(|(shapes, ..)| shapes.keys());
    Some(Satisfied {
        types,
        methods: methods.map(|method| (*method).to_owned()).collect(),
        is_whole: wanted.iter().all(|(_, is_whole, _)| *is_whole),
        bounds,
    })
}

/// Methods of one interface, whether all of what it embeds is known, and whether it has type
/// parameters.
type InterfaceMethods<'t> = (Shapes<'t>, bool, bool);

fn wanted<'t>(
    tree: &'t RelationIndex,
    text: &str,
    name: &str,
    definitions: &[&LabelledPlace],
) -> Vec<InterfaceMethods<'t>> {
    let named = tree.types.get(name).into_iter().flatten().copied();
    let interfaces: Vec<InterfaceMethods<'t>> = named
        .filter(|id| tree.kind(*id).kind == TypeKind::Interface && is_at(tree, *id, definitions))
        .map(|id| {
            let (shapes, is_whole) = tree.shapes(id);
            (shapes, is_whole, !tree.kind(id).params.is_empty())
        })
        .collect();
    match shapes::standard(text) {
        // An interface of the tree hides the one of the library: its `Reader` is not `io.Reader`.
        Some(methods) if interfaces.is_empty() => {
            vec![(methods.iter().copied().collect(), true, false)]
        }
        _ => interfaces,
    }
}

/// Returns the types that have at least one of some methods.
fn having(tree: &RelationIndex, wanted: &Shapes<'_>, is_generic: bool) -> Vec<Satisfying> {
    let of = |id: TypeId| {
        let (has, is_whole) = tree.shapes(id);
        let lacks: Vec<String> = wanted
            .iter()
            .filter(|(name, shape)| has.get(*name) != Some(shape))
            .map(|(name, shape)| format!("{name}{shape}"))
            .collect();
        let named = wanted.keys().filter(|name| has.contains_key(*name)).count();
        // The unknown embedded type may have what is lacking, unless a method has another shape.
        let by_embedded = !is_whole && lacks.len() + named == wanted.len();
        let is_open = by_embedded || is_generic && named == wanted.len();
        (named > 0).then(|| {
            Some(Satisfying {
                place: implementers::place(tree, id)?,
                is_open: is_open && !lacks.is_empty(),
                lacks,
            })
        })?
    };
    let is_class = |id: &TypeId| {
        tree.files[id.0].family == LanguageFamily::Go && tree.kind(*id).kind == TypeKind::Class
    };
    let types = tree.types.values().flatten().copied();
    types.filter(is_class).filter_map(of).collect()
}
