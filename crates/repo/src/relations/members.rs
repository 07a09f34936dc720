//! Members of what lies outside of the tree: wrappers that give back what they hold.

use super::eval::At;
use super::tree::RelationIndex;
use super::types::Ty;

/// Wrappers through which a member of what they hold is reached.
pub(super) const SEEN_THROUGH: [&str; 14] = [
    "Box",
    "Rc",
    "Arc",
    "Ref",
    "RefMut",
    "MutexGuard",
    "RwLockReadGuard",
    "RwLockWriteGuard",
    "Pin",
    "Cow",
    "ManuallyDrop",
    "Readonly",
    "Required",
    "Partial",
];

impl RelationIndex {
    /// A member of a value of a type outside of the tree.
    pub(super) fn of_external(&self, at: &At<'_>, wrapper: &str, args: &[Ty], name: &str) -> Ty {
        let held = args.first().cloned().unwrap_or(Ty::Unknown);
        let gives = |ty: Ty| Ty::Gives(Box::new(ty));
        let same = || Ty::External(wrapper.to_owned(), args.to_vec());
        if wrapper == "literal" {
            return same();
        }
        if let Some(members) = self.members_outside.get(wrapper) {
            let of_name: Vec<_> = members
                .iter()
                .copied()
                .filter(|id| self.member(*id).name == name)
                .collect();
            if !of_name.is_empty() {
                return Ty::Functions(of_name.into_iter().collect(), None);
            }
        }
        if SEEN_THROUGH.contains(&wrapper) && !matches!(name, "clone" | "as_ref" | "as_mut") {
            return held.map(|held| match held {
                Ty::External(..) | Ty::Instance(..) | Ty::Param(..) => {
                    self.member_of(at, held, name)
                }
                _ => Ty::Unknown,
            });
        }
        match (wrapper, name) {
            (
                _,
                "as_ref" | "as_mut" | "as_deref" | "as_deref_mut" | "clone" | "cloned" | "copied"
                | "ok_or" | "ok_or_else" | "map_err" | "or_else" | "iter" | "iter_mut"
                | "into_iter" | "rev" | "skip" | "peekable" | "chain" | "filter" | "context"
                | "with_context" | "catch" | "finally" | "ok" | "by_ref" | "inspect" | "or",
            ) => gives(same()),
            (
                "Option" | "Result",
                "unwrap" | "expect" | "unwrap_or" | "unwrap_or_default" | "unwrap_or_else"
                | "insert" | "get_or_insert_with",
            ) => gives(held),
            ("Option", "take" | "replace") => gives(same()),
            ("Mutex" | "RwLock", "lock" | "read" | "write") => {
                gives(Ty::External("Result".to_owned(), vec![held]))
            }
            ("RefCell" | "Cell", "borrow" | "borrow_mut" | "get" | "get_mut") => gives(held),
            (
                "Vec" | "[]" | "VecDeque" | "Iter" | "Iterator" | "IntoIterator",
                "next" | "first" | "last" | "pop" | "peek" | "get" | "get_mut" | "first_mut"
                | "last_mut" | "find" | "nth" | "pop_front" | "pop_back",
            ) => gives(Ty::External("Option".to_owned(), vec![held])),
            (_, "new" | "with_capacity" | "default") => gives(same()),
            _ => Ty::Unknown,
        }
    }
}
