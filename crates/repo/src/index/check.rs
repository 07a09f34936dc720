//! Compares the documents of an index with the files that are on disk now.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use grounds_evidence::{MentionPlace, QuestionTarget, Relation, WantedRelation, name};
use grounds_syntax::Label;
use memchr::memmem::Finder;

use super::position::IndexLines;
use super::scip::{FORWARD_DEFINITION, IMPORT, ScipDocument, ScipOccurrence};
use super::symbol::{Suffix, descriptors, is_identifier};
use super::wire::Malformed;
use super::{Consulted, Dispute, Indexed, Question};
use crate::labels::{self, LabelledPlace};
use crate::needles::OccurrenceForm;
use crate::path::RepoPath;
use crate::role;
use crate::text;

/// Places of one target that are kept.
const PLACES_MAX: usize = 50_000;
/// Lines below the name of a type in which it may still name what it extends or implements.
const HEADER_LINES_MAX: u32 = 8;
/// Maximum number of disputes of one target that are reported.
const DISPUTES_MAX: usize = 50;

/// What is collected while the index is read.
pub(super) struct Checks<'q> {
    question: &'q Question<'q>,
    /// The spellings of all targets.
    spellings: Vec<Finder<'static>>,
    /// Files in which the syntax sees a definition.
    asked: BTreeSet<&'q str>,
    seen: BTreeSet<String>,
    parsed_bytes: u64,
    told: Consulted,
    /// Symbols of the targets that the index defines.
    defined: BTreeSet<String>,
    /// Definitions by the syntax at which the index sees a use: the answer, the place, the symbol.
    uses: Vec<(usize, Dispute, String)>,
}

/// An occurrence of a target's symbol.
struct SymbolOccurrence<'a> {
    answer: usize,
    occurrence: ScipOccurrence<'a>,
    form: OccurrenceForm,
    containers: Vec<String>,
    /// Whether it is a parameter, which is no name for others.
    is_local: bool,
    is_implementor: bool,
}

/// How a symbol names a target.
struct SymbolName {
    form: OccurrenceForm,
    containers: Vec<String>,
    is_local: bool,
}

impl<'q> Checks<'q> {
    pub(super) fn new(question: &'q Question<'q>) -> Self {
        let spellings = question
            .targets
            .iter()
            .flat_map(|(_, target, _)| name::spellings(target.needle()));
        let asked = question
            .targets
            .iter()
            .flat_map(|(_, _, places)| places)
            .map(|place| place.path.as_str())
            .collect();
        let answers = question
            .targets
            .iter()
            .map(|(number, ..)| Indexed {
                number: *number,
                ..Indexed::default()
            })
            .collect();
        Self {
            question,
            spellings: spellings
                .map(|spelling| Finder::new(&spelling).into_owned())
                .collect(),
            asked,
            seen: BTreeSet::new(),
            parsed_bytes: 0,
            told: Consulted {
                answers,
                ..Consulted::default()
            },
            defined: BTreeSet::new(),
            uses: Vec::new(),
        }
    }

    /// Checks one document.
    pub(super) fn visit(&mut self, document: ScipDocument<'_>) -> Result<(), Malformed> {
        let is_asked = self.asked.contains(document.path);
        // Symbols contain the names, so a search of the undecoded bytes dismisses most documents.
        if !is_asked && !document.holds(&self.spellings) {
            return Ok(());
        }
        let found = self.found_in(document)?;
        // A file that the syntax asks about is compared even if the index has nothing of the target
        // there.
        if found.is_empty() && !is_asked {
            return Ok(());
        }
        let Some((path, text)) = self.file(document.path) else {
            self.told.unusable.tell(document.path.to_owned());
            return Ok(());
        };
        if !self.question.within.holds(&path, role::of(&path)) {
            return Ok(());
        }
        let lines = IndexLines::of(&text);
        if is_stale(document, &text, &lines)? {
            self.told.stale.tell(document.path.to_owned());
            return Ok(());
        }
        self.seen.insert(document.path.to_owned());
        self.keep(document, &path, &text, &lines, found);
        if is_asked {
            self.compare(document, &text, &lines)
        } else {
            Ok(())
        }
    }

    /// Returns the file of a document if it is in the checkout and is reached by no link.
    fn file(&self, path: &str) -> Option<(RepoPath, Vec<u8>)> {
        let root = self.question.checkout.root();
        let path =
            RepoPath::relative(std::path::Path::new(path)).filter(|_| !path.starts_with('/'))?;
        let file = root.join(path.as_path());
        let is_itself = file.canonicalize().is_ok_and(|real| real == file);
        let text = text::read_whole(&file, self.question.limits.parse_file_bytes_max)
            .ok()
            .filter(|_| is_itself)?;
        Some((path, text))
    }

    fn found_in<'a>(
        &mut self,
        document: ScipDocument<'a>,
    ) -> Result<Vec<SymbolOccurrence<'a>>, Malformed> {
        let question = self.question;
        let targets = || {
            question
                .targets
                .iter()
                .enumerate()
                .map(|(answer, (_, target, _))| (answer, *target))
        };
        // The index says of an implementing symbol what it implements, so these symbols are
        // collected before their occurrences are looked for.
        let mut implementors: BTreeMap<&str, Vec<(usize, OccurrenceForm)>> = BTreeMap::new();
        for information in document.information() {
            let information = information?;
            let named = |(answer, target), symbol: &str| {
                Some((answer, named(symbol, target, document.path)?.form))
            };
            for symbol in &information.implements {
                let of = implementors.entry(information.symbol).or_default();
                of.extend(targets().filter_map(|one| named(one, symbol)));
            }
        }
        let mut found = Vec::new();
        for occurrence in document.occurrences() {
            let occurrence = occurrence?;
            for (answer, target) in targets() {
                let Some(name) = named(occurrence.symbol, target, document.path) else {
                    continue;
                };
                if occurrence.is_definition() {
                    self.defined.insert(occurrence.symbol.to_owned());
                }
                found.push(SymbolOccurrence {
                    answer,
                    occurrence,
                    form: name.form,
                    containers: name.containers,
                    is_local: name.is_local,
                    is_implementor: false,
                });
            }
            let of = implementors.get(occurrence.symbol).into_iter().flatten();
            let of = of.filter(|_| occurrence.is_definition());
            found.extend(of.map(|&(answer, form)| SymbolOccurrence {
                answer,
                occurrence,
                form,
                containers: Vec::new(),
                is_local: false,
                is_implementor: true,
            }));
        }
        Ok(found)
    }

    /// Turns occurrences into places: those where the name is written, labelled by the syntax of
    /// the file.
    fn keep(
        &mut self,
        document: ScipDocument<'_>,
        path: &RepoPath,
        text: &[u8],
        lines: &IndexLines<'_>,
        found: Vec<SymbolOccurrence<'_>>,
    ) {
        let question = self.question;
        let (standing, mut unnamed) = by_spelling(question, document, text, lines, found);
        let ranges: Vec<Range<usize>> = standing.iter().map(|(_, range)| range.clone()).collect();
        let (labels, language) = self.label(path, text, &ranges);
        let mut labels = labels.into_iter().map(Some).chain(std::iter::repeat(None));
        for (found, range) in standing {
            let label = labels.next().flatten();
            // An implementor's definition does not spell the target; the use in its head is the
            // place to show.
            let names_it = |implementor: &SymbolOccurrence<'_>| {
                is_header_of(implementor, &found, label.as_ref())
            };
            let of_implementor = unnamed.iter().any(names_it);
            unnamed.retain(|implementor| !names_it(implementor));
            let found = SymbolOccurrence {
                is_implementor: found.is_implementor || of_implementor,
                ..found
            };
            let answer = &mut self.told.answers[found.answer];
            match place(path, text, lines, &found, range, label, language) {
                Ok(place) if answer.places.len() < PLACES_MAX => answer.places.push(place),
                Ok(_) => self.told.bounds.push("index_places_max"),
                Err(dispute) => answer.disputes.push(dispute),
            }
        }
        self.tell_unnamed(path, &unnamed);
    }

    fn tell_unnamed(&mut self, path: &RepoPath, unnamed: &[SymbolOccurrence<'_>]) {
        for found in unnamed {
            // A use of `Self` is no news to "where is it defined?".
            if self.question.targets[found.answer].1.wanted == WantedRelation::Definition {
                continue;
            }
            let line = found.occurrence.span.line_start.saturating_add(1);
            let unnamed = &mut self.told.answers[found.answer].unnamed;
            unnamed.tell(format!("{}:{line}", path.as_str()));
        }
    }

    /// Returns the labels of some ranges, until the bytes that may be parsed are used up.
    fn label(
        &mut self,
        path: &RepoPath,
        text: &[u8],
        ranges: &[Range<usize>],
    ) -> (Vec<Label>, &'static str) {
        if ranges.is_empty() {
            return (Vec::new(), "");
        }
        self.parsed_bytes = self.parsed_bytes.saturating_add(text.len() as u64);
        if self.parsed_bytes > self.question.limits.parse_bytes_max {
            self.told.bounds.push("parse_bytes_max");
            return (Vec::new(), "");
        }
        labels::label_ranges(path, text, ranges).unwrap_or_default()
    }

    /// Compares the definitions that the syntax sees in a file with what the index says of the same
    /// bytes.
    fn compare(
        &mut self,
        document: ScipDocument<'_>,
        text: &[u8],
        lines: &IndexLines<'_>,
    ) -> Result<(), Malformed> {
        let question = self.question;
        let at = by_place(document, lines)?;
        for (answer, (_, target, places)) in question.targets.iter().enumerate() {
            for place in places
                .iter()
                .filter(|place| place.path.as_str() == document.path)
            {
                let here = at
                    .get(&(place.line, place.column))
                    .map_or(&[][..], Vec::as_slice);
                let here = || {
                    here.iter()
                        .filter(|occurrence| covers_name(occurrence, document, text, lines, target))
                };
                let is_introduced =
                    here().any(|seen| seen.is_definition() || seen.roles & FORWARD_DEFINITION != 0);
                match here().next() {
                    None => self.told.answers[answer]
                        .unknown
                        .tell(format!("{}:{}", document.path, place.line)),
                    Some(_) if is_introduced => {}
                    Some(used) => {
                        let (path, line) = (document.path.to_owned(), place.line);
                        let dispute = Dispute {
                            path,
                            line,
                            text: "defined here",
                            index: format!("a use of {}", shown(used.symbol)),
                        };
                        // A later document may define the symbol elsewhere, so `finish` decides
                        // whether this is a dispute.
                        self.uses.push((answer, dispute, used.symbol.to_owned()));
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns what was collected, best first.
    pub(super) fn finish(mut self) -> Consulted {
        for (answer, dispute, symbol) in std::mem::take(&mut self.uses) {
            let (_, target, _) = self.question.targets[answer];
            // A use of the target's own symbol disproves a definition only if the index knows one
            // elsewhere.
            let is_of_another = named(&symbol, target, &dispute.path).is_none();
            if is_of_another || self.defined.contains(&symbol) {
                self.told.answers[answer].disputes.push(dispute);
            }
        }
        for (indexed, (_, _, places)) in self.told.answers.iter_mut().zip(&self.question.targets) {
            for place in places
                .iter()
                .filter(|place| !self.seen.contains(place.path.as_str()))
            {
                indexed
                    .not_indexed
                    .tell(format!("{}:{}", place.path.as_str(), place.line));
            }
            settle(indexed);
        }
        self.told
    }
}

/// Splits occurrences into those whose name is written there, with its range, and those whose name
/// is not.
fn by_spelling<'a>(
    question: &Question<'_>,
    document: ScipDocument<'_>,
    text: &[u8],
    lines: &IndexLines<'_>,
    found: Vec<SymbolOccurrence<'a>>,
) -> (
    Vec<(SymbolOccurrence<'a>, Range<usize>)>,
    Vec<SymbolOccurrence<'a>>,
) {
    let (mut standing, mut unnamed) = (Vec::new(), Vec::new());
    for found in found {
        let (_, target, _) = question.targets[found.answer];
        let mut ranges = lines.ranges(found.occurrence.span, document.encoding);
        // A use may be written otherwise: as `Self`, or under the name of an alias.
        match ranges.find(|range| spells(&text[range.clone()], target)) {
            Some(range) => standing.push((found, range)),
            None => unnamed.push(found),
        }
    }
    (standing, unnamed)
}

/// Returns the occurrences of a document by line and column, each once.
fn by_place<'a>(
    document: ScipDocument<'a>,
    lines: &IndexLines<'_>,
) -> Result<BTreeMap<(u32, u32), Vec<ScipOccurrence<'a>>>, Malformed> {
    let mut at: BTreeMap<_, Vec<ScipOccurrence<'a>>> = BTreeMap::new();
    for occurrence in document.occurrences() {
        let occurrence = occurrence?;
        // If the index does not say its encoding, several readings of a range may begin at one
        // place.
        let is_other = |last: &ScipOccurrence<'a>| {
            last.symbol != occurrence.symbol || last.span != occurrence.span
        };
        for range in lines.ranges(occurrence.span, document.encoding) {
            let known = at.entry(lines.place(range.start)).or_default();
            if known.last().is_none_or(is_other) {
                known.push(occurrence);
            }
        }
    }
    Ok(at)
}

/// Keeps only the requested spelling if it occurs, sorts the places, and drops repeated ones.
fn settle(indexed: &mut Indexed) {
    if indexed
        .places
        .iter()
        .any(|place| place.form == OccurrenceForm::Asked)
    {
        indexed
            .places
            .retain(|place| place.form == OccurrenceForm::Asked);
    }
    indexed.places.sort_by(labels::rank);
    indexed.places.dedup_by(|one, other| {
        one.path == other.path && (one.line, one.column) == (other.line, other.column)
    });
    indexed.disputes.sort();
    indexed.disputes.dedup();
    indexed.disputes.truncate(DISPUTES_MAX);
}

/// Returns how a symbol names the target: by its last name, inside what the target's path names.
/// `None` if it does not.
fn named(symbol: &str, target: &QuestionTarget, path: &str) -> Option<SymbolName> {
    let mut names = descriptors(symbol)?;
    let last = names.pop().filter(|last| last.suffix != Suffix::Meta)?;
    let form = match () {
        () if last.name == target.needle() => OccurrenceForm::Asked,
        () if name::same_name(&last.name, target.needle()) => OccurrenceForm::Convention,
        () => return None,
    };
    let containers: Vec<String> = names
        .into_iter()
        .filter(|name| name.suffix != Suffix::Namespace)
        .map(|name| name.name)
        .collect();
    // A module is known by its file only, so the folders of the path count as containers too.
    let is_inside = |qualifier: &&str| {
        let folders = path
            .split('/')
            .map(|part| part.split('.').next().unwrap_or(part));
        let descriptors = descriptors(symbol).unwrap_or_default();
        let around = descriptors
            .iter()
            .flat_map(|container| name::path_segments(&container.name));
        around
            .chain(folders)
            .any(|known| known == *qualifier || name::same_name(known, qualifier))
    };
    let is_local = matches!(last.suffix, Suffix::Parameter | Suffix::TypeParameter);
    target
        .qualifiers()
        .last()
        .is_none_or(is_inside)
        .then_some(SymbolName {
            form,
            containers,
            is_local,
        })
}

/// Reports whether some bytes are the target's name.
fn spells(text: &[u8], target: &QuestionTarget) -> bool {
    let text = String::from_utf8_lossy(text);
    // Rust writes `r#type` for a name that is a keyword.
    let text = text.strip_prefix("r#").unwrap_or(&text);
    text == target.needle() || (is_identifier(text) && name::same_name(text, target.needle()))
}

fn covers_name(
    occurrence: &ScipOccurrence<'_>,
    document: ScipDocument<'_>,
    text: &[u8],
    lines: &IndexLines<'_>,
    target: &QuestionTarget,
) -> bool {
    lines
        .ranges(occurrence.span, document.encoding)
        .any(|range| spells(&text[range], target))
}

/// Reports whether a use of the target is where an implementor names it: by its syntax or, if the
/// syntax does not say, because it is in the head.
fn is_header_of(
    implementor: &SymbolOccurrence<'_>,
    used: &SymbolOccurrence<'_>,
    label: Option<&Label>,
) -> bool {
    let lines_below = used
        .occurrence
        .span
        .line_start
        .checked_sub(implementor.occurrence.span.line_start);
    let is_near = lines_below.is_some_and(|lines| lines <= HEADER_LINES_MAX);
    let is_possible = label.is_none_or(|label| label.relation == Relation::Inherits)
        && !used.occurrence.is_definition();
    implementor.is_implementor && implementor.answer == used.answer && is_near && is_possible
}

/// Returns a place, or the contradiction between the text and the index.
fn place(
    path: &RepoPath,
    text: &[u8],
    lines: &IndexLines<'_>,
    found: &SymbolOccurrence<'_>,
    range: Range<usize>,
    label: Option<Label>,
    language: &'static str,
) -> Result<LabelledPlace, Dispute> {
    let (line, column) = lines.place(range.start);
    let relation = relation(found, label.as_ref());
    let mut relations = label.iter().map(|label| label.relation);
    // A definition cannot be in a comment, so the index is of another text here.
    if relation == Relation::Defines && relations.any(is_comment) {
        let index = format!("the definition of {}", shown(found.occurrence.symbol));
        return Err(Dispute {
            path: path.as_str().to_owned(),
            line,
            text: "a comment",
            index,
        });
    }
    let introducing = label.as_ref().filter(|label| label.relation.introduces());
    let item = introducing.map(|label| lines.place(label.item.end.max(1) - 1).0);
    let enclosing = found
        // SCIP counts lines from 0.
        .occurrence
        .enclosing_end
        .map(|end| end.saturating_add(1));
    let line_end = enclosing
        .or(item)
        .filter(|end| relation.introduces() && *end >= line)
        .unwrap_or(line);
    // The index may claim a line past the end of the file.
    let last_line = lines.place(text.len().saturating_sub(1)).0;
    Ok(LabelledPlace {
        path: path.clone(),
        role: role::of(path),
        relation,
        kind: introducing.and_then(|label| label.kind),
        form: found.form,
        name: String::from_utf8_lossy(&text[range]).into_owned(),
        containers: label.map_or_else(|| found.containers.clone(), |label| label.containers),
        line,
        column,
        line_end: line_end.min(last_line.max(line)),
        language,
        test: None,
    })
}

/// Returns the relation of an occurrence to the target. The roles of the index decide; which kind
/// of use it is, the syntax says.
fn relation(found: &SymbolOccurrence<'_>, label: Option<&Label>) -> Relation {
    let roles = found.occurrence.roles;
    let by_syntax = label.map(|label| label.relation);
    match by_syntax {
        _ if found.is_implementor => Relation::Inherits,
        _ if found.occurrence.is_definition() && found.is_local => Relation::Binds,
        _ if found.occurrence.is_definition() => Relation::Defines,
        _ if roles & FORWARD_DEFINITION != 0 => Relation::Declares,
        _ if roles & IMPORT != 0 => Relation::Imports,
        Some(use_of @ (Relation::Calls | Relation::Inherits | Relation::Imports)) => use_of,
        Some(mention @ Relation::Mentions(_)) => mention,
        Some(Relation::References | Relation::Defines | Relation::Declares | Relation::Binds)
        | None => Relation::References,
        Some(Relation::NamedByFile | Relation::Unlabelled) => Relation::References,
    }
}

const fn is_comment(relation: Relation) -> bool {
    matches!(
        relation,
        Relation::Mentions(MentionPlace::Comment | MentionPlace::Doc)
    )
}

/// Returns a symbol as a person reads it: its names without package and version.
fn shown(symbol: &str) -> String {
    let names: Vec<String> = descriptors(symbol)
        .unwrap_or_default()
        .into_iter()
        .map(|name| name.name)
        .collect();
    if names.is_empty() {
        "a local name".to_owned()
    } else {
        format!("`{}`", names.join("::"))
    }
}

/// Reports whether a document no longer fits its file: a definition is elsewhere, or most uses are.
/// In the indexes of three indexers over fresh trees, every definition was where the index said; a
/// use may have another name.
fn is_stale(
    document: ScipDocument<'_>,
    text: &[u8],
    lines: &IndexLines<'_>,
) -> Result<bool, Malformed> {
    let (mut standing, mut elsewhere) = (0_u64, 0_u64);
    for occurrence in document.occurrences() {
        let occurrence = occurrence?;
        let Some(name) = written_name(occurrence) else {
            continue;
        };
        let mut ranges = lines.ranges(occurrence.span, document.encoding).peekable();
        let is_outside = ranges.peek().is_none();
        let stands = ranges.any(|range| without_marks(&text[range]) == name);
        if is_outside || (!stands && occurrence.is_definition()) {
            return Ok(true);
        }
        standing += u64::from(stands);
        elsewhere += u64::from(!stands);
    }
    Ok(elsewhere > standing)
}

/// Returns the name that an occurrence should have in the text. `None` for modules, symbols without
/// a name of their own, and empty ranges.
fn written_name(occurrence: ScipOccurrence<'_>) -> Option<String> {
    let span = occurrence.span;
    let is_empty = (span.line_start, span.character_start) == (span.line_end, span.character_end);
    let last = descriptors(occurrence.symbol)?.pop()?;
    let has_name =
        !matches!(last.suffix, Suffix::Meta | Suffix::Namespace) && is_identifier(&last.name);
    (has_name && !is_empty).then_some(last.name)
}

/// Returns a name without the marks that languages write around it.
fn without_marks(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    text.strip_prefix("r#")
        .unwrap_or(&text)
        .trim_matches(['"', '\'', '`', '@', '#'])
        .to_owned()
}
