//! Members of types outside of the tree: wrappers that return their content.

use super::eval::At;
use super::tree::RelationIndex;
use super::types::Ty;

/// Wrappers whose content has its members reached through them.
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
    /// Returns what a member gives on a value of a type outside of the tree.
    pub(super) fn of_external(&self, at: &At<'_>, wrapper: &str, args: &[Ty], name: &str) -> Ty {
        let held = args.first().cloned().unwrap_or(Ty::Unknown);
        let gives = |ty: Ty| Ty::Gives(Box::new(ty));
        let same = || Ty::External(wrapper.to_owned(), args.to_vec());
        // A member of a literal gives something of the standard library again, and nothing of the
        // tree.
        if wrapper == "literal" {
            return same();
        }
        // The tree may add methods to the type: an extension, or an `impl` of a trait of the tree.
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
        // These give the wrapper again, and not a member of its content.
        if SEEN_THROUGH.contains(&wrapper) && !matches!(name, "clone" | "as_ref" | "as_mut") {
            return held.map(|held| match held {
                Ty::External(..) | Ty::Instance(..) | Ty::Param(..) => {
                    self.member_of(at, held, name)
                }
                _ => Ty::Unknown,
            });
        }
        match member_of_wrapper(wrapper, name) {
            Some(WrapperGives::Same) => gives(same()),
            Some(WrapperGives::Held) => gives(held),
            Some(WrapperGives::HeldIn(outer)) => gives(Ty::External(outer.to_owned(), vec![held])),
            None => Ty::Unknown,
        }
    }
}

/// The result of a member of a type of a standard library.
enum WrapperGives {
    /// The same type with the same content.
    Same,
    /// The content.
    Held,
    /// The content in another type.
    HeldIn(&'static str),
}

fn member_of_wrapper(wrapper: &str, name: &str) -> Option<WrapperGives> {
    // `iter` of a `Vec` counts as the `Vec` itself, so `next` and the like are among its members.
    Some(match (wrapper, name) {
        (
            _,
            "as_ref" | "as_mut" | "as_deref" | "as_deref_mut" | "clone" | "cloned" | "copied"
            | "ok_or" | "ok_or_else" | "map_err" | "or_else" | "iter" | "iter_mut" | "into_iter"
            | "rev" | "skip" | "peekable" | "chain" | "filter" | "context" | "with_context"
            | "catch" | "finally" | "ok" | "by_ref" | "inspect" | "or",
        ) => WrapperGives::Same,
        (
            "Option" | "Result",
            "unwrap" | "expect" | "unwrap_or" | "unwrap_or_default" | "unwrap_or_else" | "insert"
            | "get_or_insert_with",
        ) => WrapperGives::Held,
        ("Option", "take" | "replace") => WrapperGives::Same,
        ("Mutex" | "RwLock", "lock" | "read" | "write") => WrapperGives::HeldIn("Result"),
        ("RefCell" | "Cell", "borrow" | "borrow_mut" | "get" | "get_mut") => WrapperGives::Held,
        (
            "Vec" | "[]" | "VecDeque" | "Iter" | "Iterator" | "IntoIterator",
            "next" | "first" | "last" | "pop" | "peek" | "get" | "get_mut" | "first_mut"
            | "last_mut" | "find" | "nth" | "pop_front" | "pop_back",
        ) => WrapperGives::HeldIn("Option"),
        (_, "new" | "with_capacity" | "default") => WrapperGives::Same,
        _ => return None,
    })
}
