//! Members that the tree gives to types outside of it: extensions of Kotlin and C#. They are also
//! members of every type below.

use std::collections::BTreeSet;

use grounds_syntax::origins::{MemberKind, MemberOwner};

use super::eval::At;
use super::judge::{MemberJudge, decided, open};
use super::tree::{MemberId, RelationIndex, TypeId};
use super::types::Ty;
use super::{Decided, MemberVerdict};

/// What everything is.
const TOPS: [&str; 3] = ["Any", "Object", "object"];

/// Types that have no type below them, with those above them.
const FINAL: [(&str, &str); 5] = [
    ("String", "CharSequence Comparable Serializable"),
    ("Int Long Short Byte Float Double", "Number Comparable"),
    ("Boolean Char", "Comparable"),
    (
        "string",
        "IEnumerable IComparable IEquatable IConvertible ICloneable",
    ),
    (
        "bool char byte int uint long ulong short ushort float double decimal",
        "IComparable IEquatable IConvertible IFormattable",
    ),
];

/// Returns the types above a type that has no type below it; `None` for another type.
fn above_final(name: &str) -> Option<&'static str> {
    let is_it = |names: &str| names.split(' ').any(|known| known == name);
    let known = FINAL.iter().find(|(names, _)| is_it(names));
    known.map(|(_, above)| *above)
}

/// Returns the types outside of the tree whose extensions are among some members.
pub(super) fn extended<'t>(tree: &'t RelationIndex, members: &BTreeSet<MemberId>) -> Vec<&'t str> {
    let is_extended = |known: &[MemberId]| {
        let mut known = known.iter().filter(|id| members.contains(id));
        known.any(|id| tree.is_extension(id.0))
    };
    let outside = tree.members_outside.iter();
    let outside = outside.filter(|(_, known)| is_extended(known));
    let names = outside.map(|(name, _)| name.as_str());
    let of_all = is_extended(&tree.given_to_all).then_some(TOPS[0]);
    names.chain(of_all).collect()
}

impl RelationIndex {
    /// Reports whether members that a file gives to other types are extensions.
    pub(super) fn is_extension(&self, file: usize) -> bool {
        let path = &self.files[file].path;
        [".kt", ".kts", ".cs"].iter().any(|end| path.ends_with(end))
    }

    /// Returns the names of the types outside of the tree that a type has above it.
    fn outside_above(&self, id: TypeId) -> BTreeSet<&str> {
        let mut names = BTreeSet::new();
        let mut seen = BTreeSet::from([id]);
        let mut rest = vec![id];
        while let Some(of) = rest.pop() {
            for base in self.bases.get(&of).into_iter().flatten() {
                match base {
                    Ty::External(name, _) => {
                        names.insert(name.as_str());
                    }
                    base => rest.extend(base.id().filter(|id| seen.insert(*id))),
                }
            }
        }
        names
    }
}

fn from_above() -> Decided {
    decided(
        MemberVerdict::ResolvedToIt,
        "an extension of a type above it",
    )
}

impl MemberJudge<'_> {
    /// Decides a member on a value of a type outside of the tree that the tree does not extend
    /// itself; `None` if the asked members are no extensions of a type above it.
    pub(super) fn on_value_below(&self, file: usize, name: &str) -> Option<Decided> {
        if self.extended.is_empty() || !self.tree.is_extension(file) {
            return None;
        }
        if self.extended.iter().any(|extended| TOPS.contains(extended)) {
            return Some(from_above());
        }
        match above_final(name) {
            Some(above) => {
                let mut above = above.split(' ');
                above
                    .any(|one| self.extended.contains(&one))
                    .then(from_above)
            }
            None => self.may_be_below(name),
        }
    }

    /// Decides a member on a value of a type of the tree that has none of the name; `None` if the
    /// asked members are no extensions of a type above it.
    pub(super) fn on_type_below(&self, file: usize, id: TypeId) -> Option<Decided> {
        if self.extended.is_empty() || !self.tree.is_extension(file) {
            return None;
        }
        let above = self.tree.outside_above(id);
        let is_above = |extended: &&str| TOPS.contains(extended) || above.contains(extended);
        match () {
            () if self.extended.iter().any(is_above) => Some(from_above()),
            () if above.is_empty() => None,
            () => self.may_be_below(&self.tree.kind(id).name),
        }
    }

    /// Decides a name without a receiver in the body of an extension: what it extends may have it
    /// by another extension. `None` if it does not.
    pub(super) fn in_extension(&self, at: &At<'_>) -> Option<Decided> {
        let (tree, origins) = (self.tree, &self.tree.files[at.file].origins);
        if self.extended.is_empty() || !tree.is_extension(at.file) {
            return None;
        }
        let around = origins
            .members
            .iter()
            .filter(|member| member.kind == MemberKind::Function && member.item.contains(&at.at));
        let inner = around.min_by_key(|member| member.item.len())?;
        let MemberOwner::Named(extended, _) = &inner.owner else {
            return None;
        };
        let found = self.on(at, &tree.instance(at.file, inner.at, extended), true);
        (found.verdict != MemberVerdict::ResolvedToAnother).then_some(found)
    }

    /// Leaves open whether a type is below one that the tree extends. Nothing is below `String`.
    fn may_be_below(&self, name: &str) -> Option<Decided> {
        let mut wide = self
            .extended
            .iter()
            .filter(|extended| above_final(extended).is_none());
        let extended = wide.next()?;
        let reason = format!("`{name}` may be a type below `{extended}`");
        Some(open(reason))
    }
}
