//! The answer: text with citations. It cannot be built without one.

use grounds_evidence::{EntryId, EvidenceClass, Intent, Ledger, Rating, Relation, Source, Target, TargetKind};
use grounds_repo::bench::Bench;
use grounds_repo::checkout::Checkout;
use grounds_repo::excerpt::{self, Excerpt};
use grounds_repo::labels::Place;
use grounds_repo::tools;

use crate::budget::Budget;
use crate::question::Question;

/// Lines of a citation after the first few, so that many definitions stay readable.
const LATER_LINES_MAX: u32 = 3;
/// Citations that are shown at full length.
const FULL_CITATIONS: usize = 3;

/// A place that the answer rests on, with its text word for word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Citation {
    /// The file, or a commit.
    pub path: String,
    /// The lines; none for a resource as a whole.
    pub excerpt: Option<Excerpt>,
    /// The entries of the ledger that point here.
    pub evidence: Vec<EntryId>,
    /// What the place is: "struct", "method in `Planner`".
    pub what: String,
    /// The language of the file, for display.
    pub language: &'static str,
}

/// An answer with at least one citation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Markdown.
    pub text: String,
    citations: Vec<Citation>,
}

impl Answer {
    /// An answer; none where it has nothing to rest on.
    pub fn new(text: String, citations: Vec<Citation>) -> Option<Self> {
        (!citations.is_empty()).then_some(Self { text, citations })
    }

    /// What the answer rests on, best first.
    pub fn citations(&self) -> &[Citation] {
        &self.citations
    }
}

impl Citation {
    /// Whether the text still stands in the file, byte for byte.
    pub fn still_stands(&self, checkout: &Checkout, file_bytes_max: u64) -> bool {
        self.excerpt.as_ref().is_none_or(|excerpt| excerpt::still_stands(checkout, &self.path, excerpt, file_bytes_max))
    }
}

/// Writes the answer to a question whose gap is closed; none where nothing can be cited, which is a defect and told as a failure.
pub(crate) fn write(
    question: &Question,
    ledger: &Ledger,
    bench: &mut Bench<'_>,
    hidden: Option<&mut Bench<'_>>,
    budget: &Budget,
) -> Option<Answer> {
    match question.goal.intent {
        Intent::Status => of_history(ledger, bench),
        Intent::Locate
        | Intent::Navigate
        | Intent::Explain
        | Intent::Compare
        | Intent::Review
        | Intent::Diagnose
        | Intent::Modify
        | Intent::Execute
        | Intent::Chat => of_places(question, ledger, bench, hidden, budget),
    }
}

fn of_history(ledger: &Ledger, bench: &Bench<'_>) -> Option<Answer> {
    let commits = tools::log(bench.checkout.git_top()?, bench.targets).ok()?;
    let evidence: Vec<EntryId> = ledger.about(EvidenceClass::GitLog, "").map(|(id, _)| id).collect();
    let line = |commit: &tools::Commit| {
        format!("- `{}` {} — {}, {}", &commit.hash[..12.min(commit.hash.len())], commit.subject, commit.author, commit.date)
    };
    let text = format!("The newest commits:\n{}", commits.iter().map(line).collect::<Vec<_>>().join("\n"));
    let cite = |commit: tools::Commit| Citation {
        path: commit.hash,
        excerpt: None,
        evidence: evidence.clone(),
        what: "commit".to_owned(),
        language: "",
    };
    Answer::new(text, commits.into_iter().map(cite).collect())
}

fn of_places(
    question: &Question,
    ledger: &Ledger,
    bench: &mut Bench<'_>,
    mut hidden: Option<&mut Bench<'_>>,
    budget: &Budget,
) -> Option<Answer> {
    let (mut text, mut citations) = (String::new(), Vec::new());
    for (number, target) in question.goal.targets.iter().enumerate() {
        let mut places = known_places(bench, number);
        if let Some(hidden) = hidden.as_deref_mut() {
            places.extend(known_places(hidden, number));
        }
        let cited = cite_target(ledger, bench, target, &places, budget);
        let paragraph = match target.text.as_str() {
            "." => describe_project(bench),
            _ => describe(ledger, target, &cited),
        };
        text.push_str(&paragraph);
        citations.extend(cited);
    }
    Answer::new(text.trim_end().to_owned(), citations)
}

fn known_places(bench: &mut Bench<'_>, number: usize) -> Vec<Place> {
    let mut places = bench.places(number).places.clone();
    if bench.targets[number].kind == TargetKind::Phrase {
        places.extend(bench.described(number).places.iter().cloned());
    }
    places
}

/// The places that the reader confirmed, in the order in which the search ranked them.
fn confirmed<'l>(ledger: &'l Ledger, target: &'l Target) -> impl Iterator<Item = &'l Source> {
    let read = ledger.about(EvidenceClass::FileContent, &target.text).filter(|(_, entry)| entry.rating() > Rating::None);
    read.flat_map(|(_, entry)| &entry.observation.sources)
}

fn cite_target(ledger: &Ledger, bench: &Bench<'_>, target: &Target, places: &[Place], budget: &Budget) -> Vec<Citation> {
    let sources: Vec<Source> = if target.text == "." { project_files(bench) } else { confirmed(ledger, target).cloned().collect() };
    let lines = |index: usize| if index < FULL_CITATIONS { budget.excerpt_lines_max } else { LATER_LINES_MAX };
    let cite = |(index, source): (usize, &Source)| {
        let place = places.iter().find(|place| place.path.as_str() == source.path && place.line == source.line_start);
        let (first, last) = if source.line_start == 0 { (1, lines(index)) } else { (source.line_start, source.line_end) };
        let excerpt = excerpt::read(bench.checkout, &source.path, first, last, lines(index), budget.limits.file_bytes_max);
        let evidence = ledger.entries().iter().enumerate().filter(|(_, entry)| {
            (entry.observation.target == target.text || target.text == ".")
                && entry.observation.sources.iter().any(|seen| seen.overlaps(source))
        });
        Citation {
            path: source.path.clone(),
            excerpt,
            evidence: evidence.map(|(id, _)| EntryId(id)).collect(),
            what: place.map_or_else(String::new, what),
            language: place.map_or("", |place| place.language),
        }
    };
    sources.iter().enumerate().take(budget.citations_max).map(cite).collect()
}

/// "struct", "method in `Planner`".
fn what(place: &Place) -> String {
    let kind = place.kind.map_or_else(|| place.relation.as_str().replace('_', " "), |kind| kind.as_str().to_owned());
    let kind = match place.relation {
        Relation::Declares => format!("declaration of a {kind}"),
        Relation::Binds => format!("local {kind}"),
        _ => kind,
    };
    if place.containers.is_empty() { kind } else { format!("{kind} in `{}`", place.containers.join("::")) }
}

/// One paragraph and a list: what the target is to its places.
fn describe(ledger: &Ledger, target: &Target, cited: &[Citation]) -> String {
    let best = ledger.about(EvidenceClass::FileSearch, &target.text).max_by_key(|(id, entry)| (entry.rating(), std::cmp::Reverse(*id)));
    let Some((_, best)) = best else { return String::new() };
    let verb = match best.observation.relation {
        Relation::Defines => "is defined in",
        Relation::Declares => "is declared in",
        Relation::Binds => "is a local name in",
        Relation::References => "is used in",
        Relation::Imports => "is imported in",
        Relation::NamedByFile => "is the name of",
        Relation::Mentions(_) | Relation::Unlabelled => "occurs in",
    };
    let count = best.observation.match_count.max(cited.len() as u64);
    let places = if count == 1 { String::new() } else { format!(" {count} places") };
    let more = count.saturating_sub(cited.len() as u64);
    let tail = if more > 0 { format!("- and {more} more\n") } else { String::new() };
    let list: String = cited.iter().map(line_of).collect();
    format!("`{}` {verb}{places}:\n{list}{tail}\n", target.text)
}

fn line_of(citation: &Citation) -> String {
    let line = citation.excerpt.as_ref().map_or_else(String::new, |excerpt| format!(":{}", excerpt.line_start));
    let what = if citation.what.is_empty() { String::new() } else { format!(" — {}", citation.what) };
    format!("- `{}{line}`{what}\n", citation.path)
}

/// The files that say most of a project: its manifests and its first page.
fn project_files(bench: &Bench<'_>) -> Vec<Source> {
    let project = tools::project(bench.checkout, bench.limits);
    let is_file = |name: &&&str| bench.checkout.root().join(name).is_file();
    let first_pages = ["README.md", "README.rst", "README.txt", "README", "readme.md", "Readme.md", "README.markdown"];
    let first_page = first_pages.iter().find(is_file).map(|name| Source::whole(*name));
    first_page.into_iter().chain(project.manifests.iter().map(|path| Source::whole(path.as_str()))).collect()
}

fn describe_project(bench: &Bench<'_>) -> String {
    let project = tools::project(bench.checkout, bench.limits);
    let mut languages: Vec<(&str, u64)> = project.languages.iter().map(|(name, count)| (*name, *count)).collect();
    languages.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), *name));
    let languages: Vec<String> = languages.iter().take(6).map(|(name, count)| format!("{name} ({count} files)")).collect();
    let roles: Vec<String> = project.roles.iter().map(|(role, count)| format!("{} {count}", role.as_str())).collect();
    format!(
        "The project is of type {}, written in {}. Files by role: {}.\n\n",
        project.types.join(", "),
        languages.join(", "),
        roles.join(", ")
    )
}
