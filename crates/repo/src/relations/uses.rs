//! The uses of a member that a question names with its owner, separated by owner.

use grounds_evidence::{QuestionTarget, Relation, SymbolKind, TargetKind, WantedRelation, name};

use super::plain::says_enough;
use super::{Decided, MemberVerdict, Relations, decide, wording};
use crate::checkout::Checkout;
use crate::labels::{LabelledPlace, Places};
use crate::limits::Limits;

/// The uses of a member's name, by owner.
#[derive(Clone, Debug, Default)]
pub struct Uses {
    /// Those of the asked member.
    pub own: Vec<LabelledPlace>,
    /// Those that the text does not decide, with the reason.
    pub open: Vec<(LabelledPlace, String)>,
    /// How many are of another member, or of nothing of the tree.
    pub others: u64,
    /// Bounds that were reached.
    pub bounds: Vec<&'static str>,
}

/// Separates the uses of a target by owner. Returns `None` if it asks for no uses, if it is not
/// defined, if no language of its definitions is read, or if it names no owner and its name says
/// enough.
pub fn uses(
    checkout: &Checkout,
    target: &QuestionTarget,
    labelled: &Places,
    limits: &Limits,
    label: &dyn Fn(&QuestionTarget) -> Places,
) -> Option<Uses> {
    if !matches!(target.wanted, WantedRelation::Calls | WantedRelation::Uses) {
        return None;
    }
    let definitions = of_owner(labelled.defined(), target.qualifiers().last().copied());
    let is_bare = target.qualifiers().is_empty();
    if is_bare && says_enough(checkout, target, &labelled.places, &definitions, limits) {
        return None;
    }
    // The last name alone is searched, so that no use is left out because of the way in which it is
    // written.
    let by_name = || {
        label(&QuestionTarget {
            text: target.needle().to_owned(),
            kind: TargetKind::Identifier,
            wanted: WantedRelation::Uses,
        })
    };
    if let Some(owner) = target.qualifiers().last()
        && wording::is_all_there_is(&definitions)
    {
        let names = (target.needle(), *owner);
        let uses = wording::told_apart(checkout, names, by_name(), &definitions, limits);
        return Some(uses);
    }
    let relations = decide(checkout, target.needle(), &definitions, limits)?;
    let by_name = by_name();
    Some(told_apart(by_name, &relations, &definitions))
}

/// Separates the uses among the places of a name by owner.
fn told_apart(by_name: Places, relations: &Relations, definitions: &[&LabelledPlace]) -> Uses {
    let mut uses = Uses {
        bounds: relations.bounds.clone(),
        ..Uses::default()
    };
    let is_use =
        |place: &LabelledPlace| matches!(place.relation, Relation::Calls | Relation::References);
    // To read a property is to call the code that computes it.
    let has_code = |place: &&LabelledPlace| {
        matches!(
            place.kind,
            Some(SymbolKind::Function | SymbolKind::Method | SymbolKind::Property)
        )
    };
    let is_property = relations.is_read && definitions.iter().all(has_code);
    for mut place in by_name.places.into_iter().filter(is_use) {
        if is_property {
            place.relation = Relation::Calls;
        }
        let Decided { verdict, reason } = relations.of(&place);
        match verdict {
            MemberVerdict::ResolvedToIt => uses.own.push(place),
            MemberVerdict::Open => uses.open.push((place, reason)),
            MemberVerdict::ResolvedToAnother => uses.others += 1,
        }
    }
    uses
}

/// Returns the definitions that belong to an owner: those inside something with its name, else
/// those in a file or folder with its name (`silence.ErrNotFound` of Go's package). If no
/// definition does, all are returned.
fn of_owner<'p>(
    definitions: Vec<&'p LabelledPlace>,
    owner: Option<&str>,
) -> Vec<&'p LabelledPlace> {
    let Some(owner) = owner else {
        return definitions;
    };
    let is_inside = |place: &&LabelledPlace| {
        let containers = place.containers.iter();
        let mut names = containers.flat_map(|container| name::path_segments(container));
        names.any(|known| known == owner)
    };
    let is_of_module = |place: &&LabelledPlace| {
        let folder = place.path.as_str().rsplit('/').nth(1);
        place.containers.is_empty() && (folder == Some(owner) || place.path.stem() == owner)
    };
    for belongs in [
        &is_inside as &dyn Fn(&&LabelledPlace) -> bool,
        &is_of_module,
    ] {
        let own: Vec<&LabelledPlace> = definitions
            .iter()
            .copied()
            .filter(|one| belongs(one))
            .collect();
        if !own.is_empty() {
            return own;
        }
    }
    definitions
}

impl Uses {
    /// Returns the places of the target, with these uses instead of those that were chosen by their
    /// wording.
    pub fn instead_of(&self, labelled: Places) -> Places {
        let is_use = |place: &LabelledPlace| {
            matches!(
                place.relation,
                Relation::Calls | Relation::References | Relation::Unlabelled
            )
        };
        let mut places: Vec<LabelledPlace> = labelled
            .places
            .into_iter()
            .filter(|place| !is_use(place))
            .chain(self.own.iter().cloned())
            .collect();
        // An open use is only a place where the name occurs.
        places.extend(self.open.iter().map(|(place, _)| LabelledPlace {
            relation: Relation::Unlabelled,
            ..place.clone()
        }));
        places.sort_by(crate::labels::rank);
        Places { places, ..labelled }
    }
}
