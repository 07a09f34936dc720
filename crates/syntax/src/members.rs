//! The members directly in a type or module: its outline, one level deep.

use std::ops::Range;

use grounds_evidence::{Relation, SymbolKind};

use crate::label::{self, Label, Sought};
use crate::parse::{Parse, Said};

/// Most introductions of one range that are read, nested ones included.
const LOOKED_AT_MAX: usize = 20_000;

/// A definition or declaration directly inside another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// The bytes of the name.
    pub range: Range<usize>,
    /// The kind of thing that it is.
    pub kind: SymbolKind,
    /// Whether it is defined here, or only declared.
    pub relation: Relation,
    /// The bytes of the whole member.
    pub item: Range<usize>,
    /// The line of the name, counted from 1.
    pub line: u32,
    /// The last line of the item.
    pub line_end: u32,
}

impl Parse<'_> {
    /// Returns the definitions and declarations directly inside `range`, in the order of the text,
    /// `most` at most.
    ///
    /// The whole file gives its outermost definitions. A field that a constructor sets (`self.x =
    /// …`) is a member of the type around it.
    pub fn members(&self, range: Range<usize>, most: usize) -> Vec<Member> {
        let within = range.start.min(self.source.len())..range.end.min(self.source.len());
        let mut inside = self.introduced(within.clone());
        inside.retain(|(_, label)| is_inside(&label.item, &within, self.source.len()));
        // An outer item comes before those inside of it, so that `around` is known when they are
        // reached.
        inside.sort_by_key(|(name, label)| {
            (
                label.item.start,
                std::cmp::Reverse(label.item.end),
                name.start,
            )
        });
        let mut lines = MemberLineCounter {
            source: self.source,
            at: 0,
            line: 1,
        };
        let mut members: Vec<Member> = Vec::new();
        let mut around: Option<(Range<usize>, SymbolKind)> = None;
        for (name, label) in inside {
            let Some(kind) = label.kind else { continue };
            let is_nested = around.as_ref().is_some_and(|(outer, _)| {
                outer.start <= label.item.start
                    && label.item.end <= outer.end
                    && *outer != label.item
            });
            let holder = around.as_ref().map(|(_, kind)| *kind);
            if is_nested
                && !(is_of_outer(kind, holder) && (kind != SymbolKind::Field || self.sets_fields()))
            {
                continue;
            }
            if !is_nested {
                around = Some((label.item.clone(), kind));
            }
            if members.len() >= most {
                break;
            }
            members.push(self.member(name, &label, kind, &mut lines));
        }
        members
    }

    /// Reports whether a method gives its type fields by setting them. In other languages, fields
    /// in a method are of a type in it.
    fn sets_fields(&self) -> bool {
        let languages = ["Python", "Ruby", "JavaScript", "TypeScript", "TSX", "PHP"];
        languages.contains(&self.language.name)
    }

    fn introduced(&self, within: Range<usize>) -> Vec<(Range<usize>, Label)> {
        match self.said() {
            Said::Tree(file) => {
                let is_wanted =
                    |relation| matches!(relation, Relation::Defines | Relation::Declares);
                let sought = Sought {
                    within,
                    most: LOOKED_AT_MAX,
                    is_wanted,
                };
                label::introduced(file, &sought)
            }
            Said::Outline(outline) => outline.definitions(LOOKED_AT_MAX),
        }
    }

    fn member(
        &self,
        name: Range<usize>,
        label: &Label,
        kind: SymbolKind,
        lines: &mut MemberLineCounter<'_>,
    ) -> Member {
        let line = lines.of(name.start);
        // The counter is not asked for the last line, because it would have to go back for a name
        // in the item.
        let below = memchr::memchr_iter(
            b'\n',
            self.source
                .get(name.start..label.item.end)
                .unwrap_or_default(),
        )
        .count();
        Member {
            name: String::from_utf8_lossy(self.source.get(name.clone()).unwrap_or_default())
                .into_owned(),
            range: name,
            kind,
            relation: label.relation,
            item: label.item.clone(),
            line,
            line_end: line.saturating_add(u32::try_from(below).unwrap_or(u32::MAX)),
        }
    }
}

/// Reports whether something inside of another member is a member as well: a field that a method
/// sets, and in TypeScript a variant beside one without a value, for which the grammar has no node
/// but that of all variants.
fn is_of_outer(kind: SymbolKind, holder: Option<SymbolKind>) -> bool {
    match holder {
        Some(SymbolKind::Method | SymbolKind::Constructor) => kind == SymbolKind::Field,
        Some(SymbolKind::Variant) => kind == SymbolKind::Variant,
        _ => false,
    }
}

/// Reports whether an item is inside of the range and smaller than it. A whole file may consist of
/// one item only.
fn is_inside(item: &Range<usize>, within: &Range<usize>, length: usize) -> bool {
    let is_whole_file = within.start == 0 && within.end == length;
    within.start <= item.start && item.end <= within.end && (item != within || is_whole_file)
}

/// Counts lines forwards, and from the start again if it has to go back.
struct MemberLineCounter<'s> {
    source: &'s [u8],
    at: usize,
    line: u32,
}

impl MemberLineCounter<'_> {
    fn of(&mut self, at: usize) -> u32 {
        if at < self.at {
            (self.at, self.line) = (0, 1);
        }
        let passed =
            memchr::memchr_iter(b'\n', self.source.get(self.at..at).unwrap_or_default()).count();
        self.line = self
            .line
            .saturating_add(u32::try_from(passed).unwrap_or(u32::MAX));
        self.at = at;
        self.line
    }
}

#[cfg(test)]
mod tests;
