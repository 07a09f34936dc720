//! A file or folder explained: the outline of a file, the measures of a folder.

use grounds_evidence::{EntryId, FileRole, ObservationSource, QuestionTarget};
use grounds_repo::area::{self, Area};
use grounds_repo::outline::{self, Outlined};
use grounds_repo::path::RepoPath;

use crate::answer::citation::on_one_line;
use crate::answer::definition::plural;
use crate::answer::{AnswerDesk, AnswerSection, PlaceForm, places};

/// Files that are named with their size.
const LARGEST_MAX: usize = 10;
/// Names under which a folder keeps its first page.
const FIRST_PAGES: &[&str] = &[
    "README.md",
    "README.rst",
    "README.txt",
    "README",
    "mod.rs",
    "lib.rs",
    "__init__.py",
    "index.ts",
    "index.js",
    "doc.go",
];

/// Returns one section for each file or folder with the name.
pub(super) fn of_target(
    desk: &mut AnswerDesk<'_, '_>,
    _number: usize,
    target: &QuestionTarget,
) -> Vec<AnswerSection> {
    let sources = places::areas(desk, target, desk.budget.citations_max);
    sources
        .iter()
        .filter_map(|source| of_path(desk, target, source))
        .collect()
}

fn of_path(
    desk: &AnswerDesk<'_, '_>,
    target: &QuestionTarget,
    source: &ObservationSource,
) -> Option<AnswerSection> {
    if area::is_folder(desk.bench.checkout, &source.path) {
        of_folder(desk, target, source)
    } else {
        of_file(desk, target, source)
    }
}

/// Lists the top-level definitions, with the members of types one level deeper.
fn of_file(
    desk: &AnswerDesk<'_, '_>,
    target: &QuestionTarget,
    source: &ObservationSource,
) -> Option<AnswerSection> {
    let path = RepoPath::of_shown(desk.bench.checkout.root(), &source.path)?;
    let outlined =
        outline::of_file(desk.bench.checkout, &path, desk.bench.limits).unwrap_or_default();
    let tops: Vec<&Outlined> = outlined
        .iter()
        .filter(|item| item.containers.len() <= 1)
        .collect();
    let evidence = places::evidence_at(desk.ledger, &target.text, source);
    let cite = |item: &&Outlined| cite_item(desk, &source.path, item, &evidence);
    let mut citations: Vec<_> = tops
        .iter()
        .take(desk.budget.citations_max)
        .map(cite)
        .collect();
    // A file without definitions is shown by its first lines, since an answer needs a citation.
    if citations.is_empty() {
        citations.push(places::cite(
            desk,
            target,
            source,
            &[],
            desk.budget.excerpt_lines_max,
        ));
    }
    let more = tops.len().saturating_sub(desk.budget.citations_max) as u64;
    let text = format!(
        "`{}` holds {} definitions, {} of them at the top or in a type:",
        on_one_line(&source.path),
        outlined.len(),
        tops.len()
    );
    let text = if outlined.is_empty() {
        format!("`{}` begins:", on_one_line(&source.path))
    } else {
        text
    };
    let shown = if outlined.is_empty() {
        PlaceForm::Excerpts
    } else {
        PlaceForm::ByFile
    };
    Some(AnswerSection {
        text,
        citations,
        more,
        shown,
        ..AnswerSection::default()
    })
}

fn cite_item(
    desk: &AnswerDesk<'_, '_>,
    path: &str,
    item: &Outlined,
    evidence: &[EntryId],
) -> crate::answer::AnswerCitation {
    let kind = item.kind.map_or("name", |kind| kind.as_str());
    let container = if item.containers.is_empty() {
        String::new()
    } else {
        format!(" in `{}`", item.containers.join("::"))
    };
    let whole = QuestionTarget {
        text: path.to_owned(),
        kind: grounds_evidence::TargetKind::Path,
        wanted: grounds_evidence::WantedRelation::Occurrence,
    };
    let source = ObservationSource {
        path: path.to_owned(),
        line_start: item.line,
        line_end: item.line,
    };
    let cited = places::cite(desk, &whole, &source, &[], 1);
    crate::answer::AnswerCitation {
        what: format!(
            "{kind}{container}, {}",
            of_lines(u64::from(item.line_end - item.line + 1))
        ),
        evidence: evidence.to_vec(),
        ..cited
    }
}

fn of_lines(count: u64) -> String {
    format!("{count} {}", plural("line", count))
}

fn of_folder(
    desk: &AnswerDesk<'_, '_>,
    target: &QuestionTarget,
    source: &ObservationSource,
) -> Option<AnswerSection> {
    let area = area::measure(desk.bench.checkout, &source.path, desk.bench.limits);
    let evidence = places::evidence_at(desk.ledger, &target.text, source);
    let root = desk.bench.checkout.root();
    let first_page = FIRST_PAGES
        .iter()
        .map(|name| format!("{}/{name}", source.path))
        .find(|path| root.join(path).is_file());
    // A folder without a first page is cited by its largest file.
    let shown = first_page.map_or_else(
        || area.files.first().map(|file| file.path.as_str().to_owned()),
        Some,
    )?;
    let cited = places::cite(
        desk,
        target,
        &ObservationSource::whole(shown),
        &[],
        desk.budget.excerpt_lines_max,
    );
    let citations = vec![crate::answer::AnswerCitation { evidence, ..cited }];
    let text = format!(
        "`{}` holds {}.\n{}",
        on_one_line(&source.path),
        size(&area),
        largest(&area)
    );
    Some(AnswerSection {
        text,
        citations,
        ..AnswerSection::default()
    })
}

/// Returns the size of an area: "12 files with 3400 lines (10 source, 2 test); lines by language:
/// Rust 3000, Markdown 400".
pub(super) fn size(area: &Area) -> String {
    let mut languages: Vec<(&str, u64)> = area
        .lines_by_language
        .iter()
        .map(|(name, lines)| (*name, *lines))
        .collect();
    languages.sort_by_key(|(name, lines)| (std::cmp::Reverse(*lines), *name));
    let languages: Vec<String> = languages
        .iter()
        .take(6)
        .map(|(name, lines)| format!("{name} {lines}"))
        .collect();
    let of_role = |role: FileRole| {
        (
            role,
            area.files.iter().filter(|file| file.role == role).count(),
        )
    };
    let roles = FileRole::ALL
        .into_iter()
        .map(of_role)
        .filter(|(_, count)| *count > 0);
    let roles: Vec<String> = roles
        .map(|(role, count)| format!("{count} {}", role.as_str()))
        .collect();
    let cut = if area.is_cut { "at least " } else { "" };
    format!(
        "{cut}{} {} with {} ({}); lines by language: {}",
        area.files.len(),
        plural("file", area.files.len() as u64),
        of_lines(area.lines()),
        roles.join(", "),
        languages.join(", ")
    )
}

/// Lists the largest files with their lines.
pub(super) fn largest(area: &Area) -> String {
    let line = |file: &area::Measured| {
        format!(
            "{:>7} lines  `{}`",
            file.lines,
            on_one_line(file.path.as_str())
        )
    };
    area.files
        .iter()
        .take(LARGEST_MAX)
        .map(line)
        .collect::<Vec<_>>()
        .join("\n")
}
