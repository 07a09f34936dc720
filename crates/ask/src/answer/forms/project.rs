//! The project as a whole: what its manifests and its README say about it.

use grounds_evidence::{EntryId, ObservationSource, QuestionTarget, TargetKind, WantedRelation};
use grounds_repo::tools::{self, Project};

use crate::answer::{AnswerDesk, AnswerSection, places};

/// Names under which a project keeps its first page.
const FIRST_PAGES: &[&str] = &[
    "README.md",
    "README.rst",
    "README.txt",
    "README",
    "readme.md",
    "Readme.md",
    "README.markdown",
];
/// Languages that are named.
const LANGUAGES_MAX: usize = 6;

/// Describes the project: its type, its languages and its files by role, with its first page and
/// its manifests.
pub(super) fn describe(desk: &AnswerDesk<'_, '_>) -> AnswerSection {
    let project = tools::project(desk.bench.checkout, desk.bench.limits);
    let first_page = FIRST_PAGES
        .iter()
        .find(|name| desk.bench.checkout.root().join(name).is_file())
        .map(|name| ObservationSource::whole(*name));
    let sources = first_page.into_iter().chain(
        project
            .manifests
            .iter()
            .map(|path| ObservationSource::whole(path.as_str())),
    );
    let target = QuestionTarget {
        text: ".".to_owned(),
        kind: TargetKind::Path,
        wanted: WantedRelation::Occurrence,
    };
    let mut citations: Vec<_> = sources
        .take(desk.budget.citations_max)
        .map(|source| places::cite(desk, &target, &source, &[], desk.budget.excerpt_lines_max))
        .collect();
    // An overview rests on all that was seen, and not on one entry.
    let everything: Vec<EntryId> = (0..desk.ledger.entries().len()).map(EntryId).collect();
    citations
        .iter_mut()
        .for_each(|citation| citation.evidence.clone_from(&everything));
    AnswerSection {
        text: sentences(&project),
        citations,
        ..AnswerSection::default()
    }
}

fn sentences(project: &Project) -> String {
    let mut languages: Vec<(&str, u64)> = project
        .languages
        .iter()
        .map(|(name, count)| (*name, *count))
        .collect();
    languages.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), *name));
    let languages: Vec<String> = languages
        .iter()
        .take(LANGUAGES_MAX)
        .map(|(name, count)| format!("{name} ({count} files)"))
        .collect();
    let roles: Vec<String> = project
        .roles
        .iter()
        .map(|(role, count)| format!("{} {count}", role.as_str()))
        .collect();
    let types = project.types.join(", ");
    format!(
        "The project is of type {types}, written in {}. Files by role: {}.",
        languages.join(", "),
        roles.join(", ")
    )
}
