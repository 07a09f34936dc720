//! Go's interfaces: a type implements one when its methods have the names and shapes of all of the interface's.

use std::collections::{BTreeMap, BTreeSet};

use grounds_syntax::origins::{Family, MemberKind, TypeKind};

use super::tree::{Tree, TypeId};
use super::types::Ty;

/// Embedded types that are followed one after the other.
const EMBEDDED_MAX: usize = 8;

impl Tree {
    /// Whether a type has every method of an interface of Go.
    pub(super) fn fits(&self, id: TypeId, interface: TypeId) -> bool {
        let is_go = |of: TypeId| self.files[of.0].family == Family::Go;
        if !is_go(id) || !is_go(interface) || self.kind(interface).kind != TypeKind::Interface {
            return false;
        }
        let (wanted, is_whole) = self.shapes(interface);
        let (has, _) = self.shapes(id);
        is_whole
            && !wanted.is_empty()
            && wanted
                .iter()
                .all(|(name, shape)| has.get(name) == Some(shape))
    }

    /// The methods of a type by name, embedded ones included, and whether all embedded types are known.
    fn shapes(&self, id: TypeId) -> (BTreeMap<&str, &str>, bool) {
        let mut shapes: BTreeMap<&str, &str> = BTreeMap::new();
        let (mut seen, mut level, mut is_whole) = (BTreeSet::from([id]), vec![id], true);
        for _ in 0..EMBEDDED_MAX {
            for of in &level {
                for member in self.members_of.get(of).into_iter().flatten() {
                    let member = self.member(*member);
                    if member.kind == MemberKind::Function {
                        shapes
                            .entry(member.name.as_str())
                            .or_insert(member.shape.as_str());
                    }
                }
            }
            let mut next = Vec::new();
            for base in level
                .iter()
                .flat_map(|of| self.bases.get(of).into_iter().flatten())
            {
                match base {
                    Ty::Instance(id, _) | Ty::Type(id) => {
                        if seen.insert(*id) {
                            next.push(*id);
                        }
                    }
                    _ => is_whole = false,
                }
            }
            level = next;
        }
        (shapes, is_whole)
    }
}
