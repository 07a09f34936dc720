//! The public part of an area by its own syntax: counted by kind, types first.

use grounds_evidence::{FileRole, SymbolKind};
use grounds_repo::detail::{self, PartOfDefinition};

use super::ReviewParts;
use crate::answer::{AnswerCitation, AnswerDesk, AnswerSection, PlaceForm, definition};

/// Limit on the files of an area that are parsed.
const FILES_MAX: usize = 400;
/// Limit on the lines of an area that are parsed; files past it are left out.
const LINES_MAX: u64 = 400_000;
/// Public definitions that are cited.
const CITED_MAX: usize = 15;

/// The public interface of an area.
pub(super) struct Interface {
    /// The public definitions, in the order of files and text.
    pub(super) parts: Vec<PartOfDefinition>,
    /// Whether files were left out at a bound.
    pub(super) is_cut: bool,
}

pub(super) fn of_area(desk: &AnswerDesk<'_, '_>, reviewed: &ReviewParts) -> Interface {
    let is_own = |role: FileRole| matches!(role, FileRole::Source | FileRole::Header);
    let mut files: Vec<_> = reviewed
        .area
        .files
        .iter()
        .filter(|file| is_own(file.role))
        .collect();
    let (count, mut lines) = (files.len(), 0);
    files.retain(|file| {
        let fits = lines + file.lines <= LINES_MAX;
        lines += if fits { file.lines } else { 0 };
        fits
    });
    files.truncate(FILES_MAX);
    let is_cut = files.len() < count;
    files.sort_by(|one, other| one.path.cmp(&other.path));
    let parts = files
        .iter()
        .flat_map(|file| detail::public_of(desk.bench.checkout, &file.path, desk.bench.limits))
        .collect();
    Interface { parts, is_cut }
}

/// Lists the public definitions in the order of the files, or returns `None` if there is no public
/// definition.
pub(super) fn section(
    desk: &AnswerDesk<'_, '_>,
    reviewed: &ReviewParts,
    interface: &Interface,
) -> Option<AnswerSection> {
    let Interface { parts, is_cut } = interface;
    if parts.is_empty() {
        return None;
    }
    let mut cited: Vec<&PartOfDefinition> = parts.iter().collect();
    cited.sort_by_key(|part| {
        (
            rank(part.kind),
            std::cmp::Reverse(part.line_end - part.line),
        )
    });
    // The limit keeps the types and the largest functions; then the order is that of the files
    // again.
    cited.truncate(CITED_MAX);
    cited.sort_by_key(|part| (&part.path, part.line));
    let citations: Vec<AnswerCitation> = cited
        .iter()
        .map(|part| definition::cite_part(desk, part, &reviewed.evidence))
        .collect();
    let more = (parts.len() - citations.len()) as u64;
    let cut = if *is_cut {
        " (files of the area were left out, a bound was reached)"
    } else {
        ""
    };
    let text = format!(
        "{} are public by their syntax{cut}; the largest:",
        definition::kinds(parts)
    );
    Some(AnswerSection {
        title: "Public interface".to_owned(),
        text,
        citations,
        more,
        shown: PlaceForm::ByFile,
    })
}

const fn rank(kind: SymbolKind) -> u8 {
    use SymbolKind as K;
    match kind {
        K::Class | K::Struct | K::Union | K::Enum | K::Interface | K::Trait | K::Object => 0,
        K::Function | K::Macro => 1,
        K::Method | K::Constructor => 2,
        K::TypeAlias | K::Constant | K::Variable | K::Property | K::Event | K::Table => 3,
        K::Variant
        | K::Module
        | K::Namespace
        | K::Field
        | K::Parameter
        | K::TypeParameter
        | K::Label
        | K::Target => 4,
    }
}
