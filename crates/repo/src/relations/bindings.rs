//! The bindings of a local name that reach a place.

use std::ops::Range;

use grounds_syntax::origins::{Binding, LanguageFamily, Origin};

use super::tree::{RelationFile, TypeId};

impl RelationFile {
    /// Returns the bindings of a name that reach a byte: the last one that is surely passed, and
    /// those after it that may be.
    pub(super) fn bindings_at(&self, name: &str, at: usize) -> Vec<&Binding> {
        let sees = |range: &Range<usize>| range.start <= at && at < range.end.max(range.start + 1);
        let mut seen: Vec<&Binding> = self
            .origins
            .bindings
            .iter()
            .filter(|binding| binding.name == name && sees(&binding.scope))
            .collect();
        // The innermost scope hides the others; a narrower one (`isinstance`) hides its function's.
        seen.sort_by_key(|binding| (binding.scope.len(), binding.at));
        let Some(inner) = seen.first().map(|binding| binding.scope.clone()) else {
            return Vec::new();
        };
        let is_param = |binding: &&Binding| matches!(binding.is, Origin::Bounds(_));
        let has_before = seen
            .iter()
            .any(|binding| binding.scope == inner && (binding.at <= at || is_param(binding)));
        // In languages with blocks, a later binding is not visible yet. In Python a name is local
        // in its whole function.
        if !has_before && self.family != LanguageFamily::Python {
            let outer: Vec<&Binding> = seen
                .into_iter()
                .filter(|binding| binding.scope != inner && binding.at <= at)
                .collect();
            let Some(next) = outer.first().map(|binding| binding.scope.clone()) else {
                return Vec::new();
            };
            return reaching(outer, &next, at);
        }
        reaching(seen, &inner, at)
    }

    /// Returns the innermost type whose item contains a byte.
    pub(super) fn type_around(&self, number: usize, at: usize) -> Option<TypeId> {
        let around = self
            .origins
            .types
            .iter()
            .enumerate()
            .filter(|(_, kind)| kind.item.contains(&at));
        around
            .min_by_key(|(_, kind)| kind.item.len())
            .map(|(of, _)| (number, of))
    }
}

fn reaching<'b>(seen: Vec<&'b Binding>, scope: &Range<usize>, at: usize) -> Vec<&'b Binding> {
    let mut of_scope: Vec<&Binding> = seen
        .into_iter()
        .filter(|binding| binding.scope == *scope)
        .collect();
    of_scope.sort_by_key(|binding| binding.at);
    let annotated: Vec<&Binding> = of_scope
        .iter()
        .copied()
        .filter(|binding| matches!(binding.is, Origin::Type(_)) && binding.at <= at)
        .collect();
    let passed = of_scope
        .iter()
        .rposition(|binding| binding.at <= at && binding.block.contains(&at));
    let Some(passed) = passed else {
        return match annotated.as_slice() {
            [one] => vec![*one],
            _ => of_scope,
        };
    };
    // Later bindings may have been passed too: in a branch that was left, or in an earlier round of
    // a loop.
    of_scope[passed..]
        .iter()
        .copied()
        .filter(|binding| binding.at <= at)
        .collect()
}
