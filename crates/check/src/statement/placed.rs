//! Names with their place beside them: `X` (`src/a.py`, lines 3-9), `X` (line 12), `X` in
//! `src/a.py`.

use std::sync::OnceLock;

use regex::{Captures, Regex};

use super::{Arguments, Predicate, contradicted, folder, no_words, unknown};
use crate::code::{Code, Definition, Use, is_source};
use crate::extract::NumberedSentence;
use crate::verdict::ClaimVerdict;

pub(super) const PLACED: Predicate = Predicate {
    name: "placed",
    frames: &[],
    words: no_words,
    decide,
};

/// Number of lines by which a stated place may miss its name: attributes, comments, blank lines.
const LINES_NEAR: u32 = 3;

/// A name, and the words that may come between it and its place.
const NAME: &str = concat!(
    r"(?P<a>«\d+»)(?:\(\))?(?: (?:[\w-]+ ){0,2}(?:methods?|functions?|class|struct|",
    r"type|trait|interface|enum|attribute|property|constant|variable|helper|macro|",
    r"decorator|fixture|constructor|exception|descriptor|test))?",
);
/// Lines: `line 3`, `lines 3-9`, `lines 3 to 9`.
const LINES: &str = r"(?:lines?|L) ?(?P<n>\d+)(?: ?(?:[-–—]|to|through|and) ?(?P<m>\d+))?";
/// Words of sentences about a change, or about something that is not so here.
const OF_A_CHANGE: &str = concat!(
    r"(?i)\b(add|added|adding|create|creating|move|moves|moved|moving|copy|",
    r"rename[sd]?|extract(?:ed)?|should|would|could|must|similar|instead|unlike|",
    r"remove[sd]?|delete[sd]?|dropp?(?:ed)?|not|no|never|without|missing|used to|",
    r"previously|formerly|example|todo)\b",
);

/// Returns the names of a sentence with their places.
pub(super) fn read(sentence: &NumberedSentence) -> Vec<Arguments> {
    static OTHER: OnceLock<Regex> = OnceLock::new();
    static FORMS: OnceLock<Vec<Regex>> = OnceLock::new();
    let other = OTHER.get_or_init(|| Regex::new(OF_A_CHANGE).expect("an expression"));
    let forms = FORMS.get_or_init(|| forms().iter().map(|form| compiled(form)).collect());
    if other.is_match(&sentence.words) || sentence.words.ends_with('?') {
        return Vec::new();
    }
    let all = forms
        .iter()
        .flat_map(|form| form.captures_iter(&sentence.words));
    let mut found: Vec<Arguments> = Vec::new();
    for arguments in all.filter_map(|captures| of(&captures, sentence)) {
        // The first form that fits is the most exact one.
        if found.iter().all(|one| one.get("a") != arguments.get("a")) {
            found.push(arguments);
        }
    }
    found
}

/// Returns a name and its place, or `None` if it has none.
fn of(captures: &Captures<'_>, sentence: &NumberedSentence) -> Option<Arguments> {
    let mut arguments = Arguments::default();
    for (key, place) in [("a", "a"), ("b", "b"), ("n", "n"), ("v", "m")] {
        if let Some(part) = captures.name(place) {
            arguments.set(key, part.as_str(), &sentence.names);
        }
    }
    let before = captures
        .get(0)
        .map_or("", |all| &sentence.words[..all.start()]);
    // Lines without a file belong to the subject of the sentence, which may be another name.
    let is_its_own = captures.name("b").is_some() || is_subject_after(before);
    let has_place = arguments.path("b").is_some() || !arguments.get("n").is_empty();
    // A file with lines is a place itself: "`src/a.py` (lines 3-9)".
    (is_its_own && has_place && arguments.path("a").is_none()).then_some(arguments)
}

/// Reports whether the words before a name leave it the subject of its sentence.
fn is_subject_after(before: &str) -> bool {
    let before = before.rsplit_once(": ").map_or(before, |(_, after)| after);
    let opens = [
        "The", "In", "Inside", "Within", "At", "See", "Both", "This", "From", "A", "An",
    ];
    let mut words = before.split_whitespace();
    let is_open = words.next().is_none_or(|first| opens.contains(&first));
    is_open && !before.contains('«') && words.filter(|word| *word != "the").count() <= 1
}

fn forms() -> [String; 3] {
    let verb = "(?:(?:defined|located|found|implemented|declared|see) )?";
    [
        format!(
            r"{NAME} ?\({verb}(?:in |at )?(?P<b>«\d+»)(?:[,:]? ?(?:at |on |around )?{LINES})?\)"
        ),
        format!(r"{NAME} ?\((?:at |on )?{LINES}(?:(?: in| of|,) (?:the )?(?P<b>«\d+»))?\)"),
        format!(r"{NAME},? {verb}(?:in|at|inside) (?P<b>«\d+»)(?:,? (?:\(|at |on )?{LINES})?"),
    ]
}

fn compiled(form: &str) -> Regex {
    Regex::new(form).expect("a form is an expression")
}

fn decide(said: &Arguments, code: &Code<'_, '_>) -> ClaimVerdict {
    let Some((_, name)) = said.symbol("a") else {
        return unknown("what has a place is no name");
    };
    let (path, _) = said.path("b").unwrap_or(("", None));
    let of_folder = || folder::decide(None, name, said.get("b"), code);
    let is_file = code.file_at(path).is_some();
    let verdict = (!is_file).then(of_folder).flatten();
    verdict.unwrap_or_else(|| at_place(name, said, code))
}

/// Decides a file, or lines of one, as the place of a name.
fn at_place(name: &str, said: &Arguments, code: &Code<'_, '_>) -> ClaimVerdict {
    let (Some(defined), Some(uses)) = (code.definitions(name), code.uses(name)) else {
        return unknown(format!("too many files have `{name}`"));
    };
    let own: Vec<&Definition> = defined.iter().filter(|one| is_source(&one.path)).collect();
    let Some(shown) = own.first() else {
        return unknown(format!("no `{name}` is defined here"));
    };
    let (path, line) = said.path("b").unwrap_or(("", None));
    let file = code.file_at(path);
    if file.is_none() && !path.is_empty() {
        return unknown(format!("there is no `{path}` here"));
    }
    let is_there = |path: &str| file.as_deref().is_none_or(|file| file == path);
    // Documents name places of uses too, so any occurrence counts and not only a definition.
    let here: Vec<&Use> = uses.iter().filter(|one| is_there(&one.path)).collect();
    let defined_here: Vec<&Definition> = defined.iter().filter(|one| is_there(&one.path)).collect();
    match (here.first(), lines(said, line)) {
        (None, _) => nowhere(name, path, file.as_deref(), shown, code),
        (Some(first), None) => ClaimVerdict::Holds(first.place()),
        (Some(_), Some(lines)) => at_lines(lines, &here, &defined_here),
    }
}

/// Decides a place whose file does not have the name, which is defined elsewhere.
fn nowhere(
    name: &str,
    path: &str,
    file: Option<&str>,
    shown: &Definition,
    code: &Code<'_, '_>,
) -> ClaimVerdict {
    if file.and_then(|file| code.facts.text(file)).is_none() {
        return unknown(format!("`{path}` could not be read"));
    }
    contradicted(
        format!(
            "`{path}` does not name `{name}`, which is in {}",
            shown.path
        ),
        [shown.place()],
    )
}

/// Decides whether lines have a name, or are a part of what it defines.
fn at_lines(lines: (u32, u32), here: &[&Use], defined: &[&Definition]) -> ClaimVerdict {
    let near = lines.0.saturating_sub(LINES_NEAR)..=lines.1 + LINES_NEAR;
    if let Some(one) = here.iter().find(|one| near.contains(&one.line)) {
        return ClaimVerdict::Holds(one.place());
    }
    let spans =
        // A line after the end of a definition is one of the next.
        |one: &&&Definition| one.line_first <= *near.end() && lines.0 <= one.line_last;
    match (defined.iter().find(spans), defined.first()) {
        (Some(one), _) => ClaimVerdict::Holds(one.place()),
        (None, Some(one)) => contradicted(
            format!("`{}` is at {}:{}", one.name, one.path, one.line),
            defined.iter().map(|one| one.place()),
        ),
        (None, None) => unknown("the file names it at other lines"),
    }
}

/// Returns the first and the last line that are stated.
fn lines(said: &Arguments, of_path: Option<u32>) -> Option<(u32, u32)> {
    let number = |place| {
        let number = said.number(place)?;
        u32::try_from(number).ok()
    };
    let first = number("n").or(of_path)?;
    Some((first, number("v").unwrap_or(first).max(first)))
}
