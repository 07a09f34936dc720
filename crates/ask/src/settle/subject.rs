//! Resolves the name that a claim is about: its definitions in the tree, those of namesakes, and
//! its occurrences.

use std::rc::Rc;

use grounds_evidence::Relation;
use grounds_repo::labels::LabelledPlace;

use super::{Desk, SettledSpot, Unsettled, go_package, hierarchy, sites};
use crate::understand::tree::{KnownName, last_part, owners};
use crate::words::is_in;

/// A name of a claim.
pub(crate) struct ClaimSubject {
    /// The name as the question writes it.
    pub(crate) text: String,
    /// Its last name, as the tree spells it.
    pub(crate) name: String,
    /// The name of its required owner; `None` if the question does not give one.
    pub(crate) owner: Option<String>,
    /// Its definitions.
    pub(crate) definitions: Vec<LabelledPlace>,
    /// Definitions of other things with the same name.
    pub(crate) namesakes: Vec<LabelledPlace>,
    /// Everything that the tree says of the name.
    pub(crate) known: Rc<KnownName>,
}

/// Returns the first outer owner of a name that the tree does not have: `Zorblatt` of
/// `Zorblatt.Brush.stroke`.
fn absent_outer<'t>(text: &'t str, desk: &Desk<'_, '_>) -> Option<&'t str> {
    const OF_LANGUAGES: &str = "crate self super std this global java";
    let all = owners(text);
    let outer = all.split_last().map_or(&[][..], |(_, outer)| outer);
    outer.iter().copied().find(|name| {
        !is_in(OF_LANGUAGES, name)
            && !desk.tree.is_project(name)
            && desk
                .tree
                .know(&[*name])
                .iter()
                .all(|known| known.is_absent())
    })
}

/// Finds what a name of a claim means in the tree.
///
/// # Errors
/// [`Unsettled`] if the tree has no such name, or not in the owner that the question gives.
pub(crate) fn resolve(text: &str, desk: &Desk<'_, '_>) -> Result<ClaimSubject, Unsettled> {
    // Marks of languages are no part of a name: `@Override`, `*Pool`, `&str`.
    let text = text.trim_start_matches(['@', '*', '&']);
    let (name, known) = spelled(last_part(text), desk);
    let absent = match known.is_absent() {
        true => Some(text),
        false => absent_outer(text, desk),
    };
    if let Some(absent) = absent {
        let why = format!("`{absent}` occurs nowhere in the tree");
        return Err(Unsettled::absent(why, &[]));
    }
    let all: Vec<LabelledPlace> = known.definitions().cloned().collect();
    // Packages are read before owners: `fields.Email` names a type in a package, and no member of a
    // type.
    let (all, of_other_packages) = match go_package::divide(text, all, desk) {
        Ok(divided) => divided,
        Err(all) => (all, Vec::new()),
    };
    // The project itself contains every name, so `depot.run` of the project `depot` has no owner.
    let is_owner = |owner: &&str| !desk.tree.is_project(owner) || desk.tree.defines(owner);
    let owner = owners(text).last().copied().filter(is_owner);
    let (definitions, mut namesakes) = match owner {
        Some(owner) => of_named_owner(owner, text, all, &known, desk),
        None => (all, Vec::new()),
    };
    namesakes.extend(of_other_packages);
    let subject = ClaimSubject {
        text: text.to_owned(),
        name,
        owner: owner.map(str::to_owned),
        definitions,
        namesakes,
        known,
    };
    let checked = subject.checked(desk);
    // Names of Ruby may end in a mark that the question leaves out (`save!`).
    checked.or_else(|unsettled| marked(text, desk).ok_or(unsettled))
}

/// Divides definitions into those of an owner, and the others. Where no definition belongs to it,
/// those that are assigned to it do, and else those in its file or folder.
fn of_named_owner(
    owner: &str,
    text: &str,
    all: Vec<LabelledPlace>,
    known: &KnownName,
    desk: &Desk<'_, '_>,
) -> (Vec<LabelledPlace>, Vec<LabelledPlace>) {
    let (definitions, others) = of_owner(owner, all, desk);
    if !definitions.is_empty() {
        return (definitions, others);
    }
    // A declaration says more than the name of a file: `test/app.render.js` is no `app`.
    let declared = declared_in(owner, text, known, desk);
    // A type owns its members only: a file with its name may define other things.
    if !declared.is_empty() || desk.tree.defines(owner) && is_type(owner, desk) {
        return (declared, others);
    }
    others
        .into_iter()
        .partition(|place| is_of_module(place, owner))
}

/// Returns a name with a mark at its end, if the tree defines one.
fn marked(text: &str, desk: &Desk<'_, '_>) -> Option<ClaimSubject> {
    let marks = ["!", "?"].iter().filter(|_| !text.ends_with(['?', '!']));
    let mut marked = marks.map(|mark| format!("{text}{mark}"));
    marked.find_map(|marked| {
        let is_defined = desk.tree.defines(&marked);
        is_defined.then(|| resolve(&marked, desk).ok()).flatten()
    })
}

/// Returns a name as the tree spells it, and what is known of it. The mark at the end of a Ruby
/// name may be taken for that of the sentence.
fn spelled(name: &str, desk: &Desk<'_, '_>) -> (String, Rc<KnownName>) {
    let known = desk.tree.know(&[name]).remove(0);
    if known.is_absent() && known.occurs() {
        for mark in ["?", "!"] {
            let marked = format!("{name}{mark}");
            let other = desk.tree.know(&[marked.as_str()]).remove(0);
            if !other.is_absent() {
                return (marked, other);
            }
        }
    }
    (name.to_owned(), known)
}

/// Returns the declarations of a name in an owner without a definition of it. In
/// `app.use = function use() {}` the function's own name is the stronger definition, and does not
/// give the owner.
fn declared_in(
    owner: &str,
    text: &str,
    known: &KnownName,
    desk: &Desk<'_, '_>,
) -> Vec<LabelledPlace> {
    let is_declared = |place: &&LabelledPlace| {
        place.relation == Relation::Declares
            && (belongs(place, owner) || is_of_module(place, owner))
    };
    let declared: Vec<LabelledPlace> = known.places().iter().filter(is_declared).cloned().collect();
    if !declared.is_empty() {
        return declared;
    }
    let whole = desk.tree.know(&[text]).remove(0);
    whole
        .definitions()
        .filter(|place| belongs(place, owner))
        .cloned()
        .collect()
}

/// Divides definitions into those that belong to an owner, and the others. The first kind that
/// there is belongs to it: its own, those indented in it, inherited ones.
fn of_owner(
    owner: &str,
    all: Vec<LabelledPlace>,
    desk: &Desk<'_, '_>,
) -> (Vec<LabelledPlace>, Vec<LabelledPlace>) {
    let (own, mut others): (Vec<LabelledPlace>, Vec<LabelledPlace>) =
        all.into_iter().partition(|place| belongs(place, owner));
    if !own.is_empty() {
        let (own, inner) = nearest(own, owner);
        others.extend(inner);
        return (own, others);
    }
    let (inside, others): (Vec<LabelledPlace>, Vec<LabelledPlace>) = others
        .into_iter()
        .partition(|place| is_indented_in(place, owner, desk));
    if !inside.is_empty() {
        return (inside, others);
    }
    let bases = hierarchy::all_bases(owner, desk);
    let (inherited, others): (Vec<LabelledPlace>, Vec<LabelledPlace>) = others
        .into_iter()
        .partition(|place| bases.iter().any(|base| belongs(place, base)));
    (inherited, others)
}

/// Reports whether a place is in the file or folder with the name of an owner: `utils.clone` in
/// `lib/utils/clone.js`.
fn is_of_module(place: &LabelledPlace, owner: &str) -> bool {
    let lower = owner.to_lowercase();
    let path = place.path.as_str().to_lowercase();
    place.path.stem().to_lowercase() == lower || path.split('/').any(|part| part == lower)
}

/// Reports whether a place and all lines before it are indented further than the head of an owner
/// in its file. This serves places whose owner the grammar did not see because of a syntax error
/// above them.
fn is_indented_in(place: &LabelledPlace, owner: &str, desk: &Desk<'_, '_>) -> bool {
    let known = desk.tree.know(&[owner]);
    // `Options.new(…) do … def f … end` of Ruby defines methods in a block, which is no container.
    let is_beside = |head: &LabelledPlace| {
        let is_class =
            head.language == "Ruby" && head.kind == Some(grounds_evidence::SymbolKind::Class);
        is_class && head.containers == place.containers
    };
    if !place.containers.is_empty() && !known[0].definitions().any(is_beside) {
        return false;
    }
    let is_before = |head: &&LabelledPlace| head.path == place.path && head.line < place.line;
    let mut heads = known[0].definitions().filter(is_before);
    let Some(head) = heads.next().filter(|_| heads.next().is_none()) else {
        return false;
    };
    let text = desk.tree.text(place.path.as_str()).unwrap_or_default();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let from = head.line.saturating_sub(1) as usize;
    let mut lines = text
        .lines()
        .skip(from)
        .take((place.line - head.line + 1) as usize);
    let outer = lines.next().map_or(0, indent);
    // The brace below a head and the lines of a preprocessor are indented less.
    let is_between = |line: &str| {
        let trimmed = line.trim();
        trimmed.is_empty() || trimmed == "{" || trimmed.starts_with('#')
    };
    lines.all(|line| is_between(line) || indent(line) > outer)
}

fn is_type(owner: &str, desk: &Desk<'_, '_>) -> bool {
    use grounds_evidence::SymbolKind as K;
    let known = desk.tree.know(&[owner]);
    known[0].definitions().any(|place| {
        matches!(
            place.kind,
            Some(K::Class | K::Struct | K::Enum | K::Trait | K::Interface | K::Object | K::Union)
        )
    })
}

pub(super) fn belongs(place: &LabelledPlace, owner: &str) -> bool {
    let mut containers = place.containers.iter();
    containers.any(|container| is_called(container, owner))
}

/// Divides places into those directly in an owner, and those deeper in it, if there are direct
/// ones: `Rack::Request`, and not `Rack::Auth::Request`.
pub(super) fn nearest(
    places: Vec<LabelledPlace>,
    owner: &str,
) -> (Vec<LabelledPlace>, Vec<LabelledPlace>) {
    let is_right_in = |place: &LabelledPlace| {
        let last = place.containers.last();
        last.is_some_and(|container| is_called(container, owner))
    };
    match places.iter().any(is_right_in) {
        true => places.into_iter().partition(is_right_in),
        false => (places, Vec::new()),
    }
}

fn is_called(container: &str, owner: &str) -> bool {
    container == owner
        || container.rsplit(['.', ':', '\\']).next() == Some(owner)
        // A container may be written with its arguments: `Codec<T>`, `Cache[K]` of Go.
        || container.split(['<', '[']).next() == Some(owner)
}

impl ClaimSubject {
    fn checked(self, desk: &Desk<'_, '_>) -> Result<Self, Unsettled> {
        let Some(owner) = self.owner.clone() else {
            return Ok(self);
        };
        if !self.definitions.is_empty() {
            return Ok(self);
        }
        let near: Vec<SettledSpot> = self
            .namesakes
            .iter()
            .take(4)
            .map(|place| {
                SettledSpot::line(
                    place.path.as_str(),
                    place.line,
                    format!("`{}` is defined here", qualified(place)),
                )
            })
            .collect();
        // `process.exit` is of the platform if the tree defines no `process`, whatever else has the
        // name `exit`.
        let is_foreign = !desk.tree.defines(&owner)
            && self.known.places().iter().any(|place| {
                let receiver = sites::receiver_of(place, desk);
                receiver.is_some_and(|receiver| receiver == owner)
            });
        if !is_foreign && (desk.tree.defines(&owner) || !self.namesakes.is_empty()) {
            return Err(Unsettled::absent(
                format!("`{}` has no `{}` in the tree", owner, self.name),
                &near,
            ));
        }
        // A name of a library is identified by the owner that is written before it.
        let written = self.known.places().iter().any(|place| {
            matches!(
                place.relation,
                Relation::Inherits | Relation::References | Relation::Calls | Relation::Imports
            )
        });
        if written && !desk.tree.know(&[owner.as_str()])[0].is_absent() {
            return Ok(self);
        }
        Err(Unsettled::absent(
            format!("`{owner}` occurs nowhere in the tree"),
            &near,
        ))
    }

    /// Reports whether it is defined in the tree.
    pub(crate) fn is_defined(&self) -> bool {
        !self.definitions.is_empty()
    }

    /// Reports whether other things have the same name, so that a use by name may mean one of them.
    pub(crate) fn is_shared(&self) -> bool {
        if self.owner.is_some() {
            return !self.namesakes.is_empty();
        }
        // Several definitions in one owner are overloads of one thing.
        let mut owners: Vec<Option<&String>> = self
            .definitions
            .iter()
            .map(|place| place.containers.last())
            .collect();
        owners.sort_unstable();
        owners.dedup();
        owners.len() > 1
    }

    /// Returns its definitions as spots.
    pub(crate) fn spots(&self) -> Vec<SettledSpot> {
        self.definitions.iter().map(definition_spot).collect()
    }
}

/// Returns the name of a definition, qualified by its innermost container.
pub(crate) fn qualified(place: &LabelledPlace) -> String {
    match place.containers.last() {
        Some(owner) => format!("{owner}.{}", place.name),
        None => place.name.clone(),
    }
}

pub(crate) fn definition_spot(place: &LabelledPlace) -> SettledSpot {
    let kind = place.kind.map_or("definition", |kind| kind.as_str());
    let what = match place.containers.last() {
        Some(owner) => format!("{kind} in `{owner}`"),
        None => kind.to_owned(),
    };
    SettledSpot {
        path: place.path.as_str().to_owned(),
        line: place.line,
        line_end: place.line_end.max(place.line),
        what,
    }
}
