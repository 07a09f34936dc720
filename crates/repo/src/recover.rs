//! What is tried if a name was not found as asked: the real name behind an alias, the file that
//! implements a declaration, other forms of the word.
//!
//! Takes the bench and the number of a target; each way returns observations. A find under a
//! changed name is reported with that name (`query`) and rated by the table; finding nothing is not
//! evidence.

mod beside;

use std::collections::BTreeSet;

use grounds_evidence::{
    EvidenceClass, Family, Match, Observation, ObservationSource, QuestionTarget, Relation,
    TargetKind, WantedRelation, name,
};

use crate::bench::Bench;
use crate::enquiry::Enquiry;
use crate::excerpt;
use crate::labels::LabelledPlace;
use crate::needles::{OccurrenceForm, TARGETS_MAX};
use crate::path::RepoPath;
use crate::path::file_name;
use crate::role;
use crate::stem::stem_of;

/// Occurrences that are checked for an alias.
const ALIASES_MAX: usize = 40;
/// Lines around an alias that belong to its statement.
const STATEMENT_LINES: u32 = 30;
/// Definitions that one way returns.
const FOUND_MAX: usize = 5;
/// Minimum number of letters of a word whose other forms are searched.
const STEM_LETTERS_MIN: usize = 4;

/// One way to recover, by its name.
pub type RecoveryWay = (
    &'static str,
    fn(&mut Bench<'_>, usize) -> Option<Vec<Observation>>,
);

/// All ways, in the order in which they are tried. A way returns `None` if it has nothing to try.
pub const WAYS: &[RecoveryWay] = &[
    ("aliases", aliases),
    ("implementation", implementation),
    ("stems", stems),
    ("beside", beside::look),
];

/// Finds the definition behind an alias: `pub use a::Real as Name`, `from a import Real as Name`,
/// `export { Real as Name }`.
fn aliases(bench: &mut Bench<'_>, number: usize) -> Option<Vec<Observation>> {
    let target = bench.targets()[number].clone();
    let places = bench.places(number);
    let found: Vec<Alias> = places
        .places
        .iter()
        .take(ALIASES_MAX)
        .filter_map(|place| alias(bench, &target, place))
        .collect();
    let mut known = BTreeSet::new();
    let aliases: Vec<Alias> = found
        .into_iter()
        .filter(|alias| known.insert((alias.real.clone(), alias.path.clone())))
        .take(TARGETS_MAX)
        .collect();
    if aliases.is_empty() {
        return None;
    }
    let names: BTreeSet<&str> = aliases.iter().map(|alias| alias.real.as_str()).collect();
    let defined = definitions(
        bench,
        &names.into_iter().map(str::to_owned).collect::<Vec<_>>(),
    );
    let is_meant = |(name, place): &(String, LabelledPlace)| {
        aliases
            .iter()
            .any(|alias| alias.real == *name && alias.leads_to(&place.path))
    };
    Some(observed(
        &target,
        defined.into_iter().filter(is_meant),
        Match::AliasedDefinition,
    ))
}

/// A name that a statement gives to another one.
struct Alias {
    real: String,
    path: RepoPath,
    words: Vec<String>,
}

impl Alias {
    /// Reports whether the statement names the file or a folder of a definition, or is in the same
    /// file. Otherwise another thing of the same name may be meant.
    fn leads_to(&self, path: &RepoPath) -> bool {
        let mut parts: Vec<&str> = path
            .as_str()
            .split('/')
            .map(|part| part.split('.').next().unwrap_or(part))
            .collect();
        let file = parts.pop().unwrap_or_default();
        // A module in such a file has the name of the folder.
        let module = if matches!(file, "mod" | "lib" | "index" | "__init__" | "main") {
            parts.last().copied().unwrap_or_default()
        } else {
            file
        };
        *path == self.path || (!module.is_empty() && self.words.iter().any(|word| word == module))
    }
}

fn alias(bench: &Bench<'_>, target: &QuestionTarget, place: &LabelledPlace) -> Option<Alias> {
    let bytes_max = bench.limits.parse_file_bytes_max;
    let first = place.line.saturating_sub(STATEMENT_LINES).max(1);
    let last = place.line + STATEMENT_LINES;
    let (path, most) = (place.path.as_str(), 2 * STATEMENT_LINES + 1);
    let lines = excerpt::read(bench.checkout, path, first, last, most, bytes_max)?;
    let lines: Vec<&str> = lines.text.lines().collect();
    let at = usize::try_from(place.line - first).ok()?;
    let line = lines.get(at)?;
    let before = line.get(..usize::try_from(place.column).ok()?.saturating_sub(1))?;
    let before = before.strip_suffix(" as ")?;
    let real = before
        .rsplit(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
        .next()?
        .to_owned();
    let is_name = !real.is_empty() && real != target.needle();
    // Outside of an import `as` is a cast: `size as u32`.
    let statement = import_around(&lines, at)?;
    let words = statement
        .split(|letter: char| !(letter.is_alphanumeric() || letter == '_' || letter == '-'))
        .filter(|word| !word.is_empty());
    is_name.then(|| Alias {
        real,
        path: place.path.clone(),
        words: words.map(str::to_owned).collect(),
    })
}

/// Returns the import statement around a line, on one line.
fn import_around(lines: &[&str], at: usize) -> Option<String> {
    let starts = |line: &str| {
        let words = ["use ", "pub ", "import ", "from ", "export "];
        words.iter().any(|word| line.trim_start().starts_with(word))
    };
    // A statement over several lines goes on after a comma: `use shop::{` `Real as Name,` `};`.
    let ends = |line: &str| line.contains([';', ')', '}']) && !line.trim_end().ends_with(',');
    let start = (0..=at).rev().find(|&index| starts(lines[index]))?;
    let end = (at..lines.len()).find(|&index| ends(lines[index]));
    Some(lines[start..=end.unwrap_or(at)].join(" "))
}

/// Finds the file that implements what a header or a stub declares, if it names it too: by macro or
/// by assignment.
fn implementation(bench: &mut Bench<'_>, number: usize) -> Option<Vec<Observation>> {
    let target = bench.targets()[number].clone();
    let places = bench.places(number);
    let declared: Vec<&LabelledPlace> = places
        .places
        .iter()
        .filter(|place| place.relation == Relation::Declares)
        .collect();
    if declared.is_empty() {
        return None;
    }
    let survey = bench.survey();
    let implements = |path: &RepoPath| {
        declared
            .iter()
            .any(|place| is_implementation(place.path.as_str(), path.as_str()))
    };
    let files = survey.files.iter().filter(|file| {
        file.exact.get(number).is_some_and(|count| *count > 0) && implements(&file.path)
    });
    let is_of_target =
        |form: OccurrenceForm| matches!(form, OccurrenceForm::Asked | OccurrenceForm::Convention);
    let source = |path: &RepoPath, line| ObservationSource::lines(path.as_str(), line, line);
    let hits = files.flat_map(|file| {
        let of_it = file
            .hits
            .iter()
            .filter(|hit| usize::from(hit.target) == number && is_of_target(hit.form));
        of_it
            .map(|hit| source(&file.path, hit.line))
            .collect::<Vec<_>>()
    });
    let sources = hits.take(FOUND_MAX).collect();
    let (needle, found) = (target.needle(), Match::NamedInImplementation);
    let named = Observation {
        // That the file has the name does not show that it defines it.
        relation: Relation::Declares,
        ..observation(&target, needle, found, sources)
    };
    Some(Vec::from_iter((named.match_count > 0).then_some(named)))
}

/// Reports whether one file implements the other: `a.h` → `a.c`, `a.pyi` → `a.py`, `a.d.ts` →
/// `a.ts`, in any folder.
fn is_implementation(declaring: &str, path: &str) -> bool {
    let file = |path: &str| file_name(path).to_owned();
    let (declaring, implementing) = (file(declaring), file(path));
    let pairs: &[(&[&str], &[&str])] = &[
        (
            &[".h", ".hpp", ".hh", ".hxx"],
            &[".c", ".cc", ".cpp", ".cxx", ".m", ".mm"],
        ),
        (&[".pyi"], &[".py"]),
        (&[".d.ts"], &[".ts", ".js", ".mjs"]),
    ];
    let stem = |file: &str, endings: &[&str]| {
        endings
            .iter()
            .find_map(|ending| file.strip_suffix(ending))
            .map(str::to_owned)
    };
    pairs.iter().any(|(heads, bodies)| {
        let head = stem(&declaring, heads);
        head.is_some() && head == stem(&implementing, bodies)
    })
}

/// Finds definitions of other forms of the last word: `routes` → `route`, `tokenizing` →
/// `tokenizer`. These are leads, never the answer.
fn stems(bench: &mut Bench<'_>, number: usize) -> Option<Vec<Observation>> {
    let target = bench.targets()[number].clone();
    let names = forms(target.needle());
    (!names.is_empty()).then(|| {
        observed(
            &target,
            definitions(bench, &names).into_iter(),
            Match::StemmedDefinition,
        )
    })
}

/// Returns a name with other endings of its last word.
fn forms(needle: &str) -> Vec<String> {
    let words = name::words(needle);
    let Some(last) = words.last().filter(|last| {
        last.len() >= STEM_LETTERS_MIN && needle.to_lowercase().ends_with(last.as_str())
    }) else {
        return Vec::new();
    };
    let stem = stem_of(last);
    // In some scripts a small letter has other bytes than its capital.
    let Some((head, tail)) = needle
        .len()
        .checked_sub(last.len())
        .and_then(|at| needle.split_at_checked(at))
    else {
        return Vec::new();
    };
    let is_capital = tail.starts_with(char::is_uppercase);
    let spelled = |word: String| {
        format!(
            "{head}{}",
            if is_capital {
                name::capitalised(&word)
            } else {
                word
            }
        )
    };
    let endings = ["", "e", "s", "er", "ing", "ed", "ion", "es"];
    let variants = endings
        .iter()
        .map(|ending| format!("{stem}{ending}"))
        .filter(|word| word != last && word.len() >= STEM_LETTERS_MIN);
    variants.map(spelled).take(TARGETS_MAX).collect()
}

/// Returns the definitions of some names, each with its name.
fn definitions(bench: &Bench<'_>, names: &[String]) -> Vec<(String, LabelledPlace)> {
    let target = |text: &String| QuestionTarget {
        text: text.clone(),
        kind: TargetKind::Identifier,
        wanted: WantedRelation::Definition,
    };
    let enquiry = Enquiry {
        targets: names.iter().map(target).collect(),
        within: bench.enquiry.within.clone(),
        ..Enquiry::default()
    };
    let mut other = Bench::new(
        bench.checkout,
        bench.limits,
        &enquiry,
        bench.means,
        bench.progress,
    );
    let mut found = Vec::new();
    for (number, text) in names.iter().enumerate() {
        let places = other.places(number);
        // An exact spelling is required: a convention would find other things again.
        let defined = places.places.iter().filter(|place| {
            place.relation == Relation::Defines && place.form == OccurrenceForm::Asked
        });
        let is_code = |place: &&LabelledPlace| role::is_code(place.role, &place.path);
        found.extend(
            defined
                .filter(is_code)
                .take(FOUND_MAX)
                .map(|place| (text.clone(), place.clone())),
        );
    }
    found
}

/// Returns one observation for each name.
fn observed(
    target: &QuestionTarget,
    found: impl Iterator<Item = (String, LabelledPlace)>,
    seen: Match,
) -> Vec<Observation> {
    let mut observations: Vec<Observation> = Vec::new();
    for (name, place) in found {
        let source = place.source();
        match observations.iter_mut().find(|known| known.query == name) {
            Some(known) => {
                known.match_count += 1;
                known.sources.push(source);
            }
            None => observations.push(observation(target, &name, seen, vec![source])),
        }
    }
    observations
}

fn observation(
    target: &QuestionTarget,
    query: &str,
    found: Match,
    sources: Vec<ObservationSource>,
) -> Observation {
    Observation {
        class: EvidenceClass::FileSearch,
        tool: "references",
        family: Family::Search,
        query: query.to_owned(),
        target: target.text.clone(),
        found,
        relation: Relation::Defines,
        match_count: sources.len() as u64,
        exact_match_count: 0,
        phrase_match: false,
        sources,
    }
}

#[cfg(test)]
mod tests;
