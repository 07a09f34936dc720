//! `X` calls `Y`.

use super::{Arguments, Predicate, contradicted, no_words, unknown};
use crate::code::{Code, Definition, whole_words};
use crate::verdict::ClaimVerdict;

pub(super) const CALLS: Predicate = Predicate {
    name: "calls",
    frames: &[concat!(
        r"{a} (?:is an? (?:\w+ )?wrapper (?:around|over|that (?:delegates to|calls))|{not}",
        r"(?:now |also |(?P<n>directly) |simply |just |internally |only |always |still )*",
        r"(?:calls?|invokes?|delegates? to|wraps?|forwards? to|constructs?|instantiates?|raises?|throws?",
        r"|(?P<v>relies on|uses?|creates?|builds?|installs?|pushes|registers|writes|emits?|returns?",
        r"|goes through|hands over to|falls back to|runs|executes|triggers|applies|leverages|employs",
        r"|utili[sz]es|relies upon|depends on|produces|constructs)))",
        r"(?: the| an?)?(?: [\w-]+){0,3} {b}",
    )],
    words: no_words,
    decide: |said, code| softened(said, decide(said, "a", "b", code)),
};

pub(super) const CALLED_BY: Predicate = Predicate {
    name: "called_by",
    frames: &[concat!(
        r"{a} is {not}(?:now |also |directly |internally |always |still )*",
        r"(?:called|invoked|run|executed|triggered|(?P<v>used|raised|thrown)|constructed|instantiated)",
        r" (?:(?P<n>directly) )?(?:as part of|by|from|in|inside|within)",
        r"(?: the)?(?: (?:file|function|method|class|module))? {b}",
    )],
    words: no_words,
    decide: |said, code| softened(said, decide(said, "b", "a", code)),
};

/// Verbs of what a function returns or raises, with the words of code on the lines that do it.
const OUTCOMES: [(&str, &[&str]); 3] = [
    ("return", &["return", "=>"]),
    ("raise", &["raise", "throw", "panic", "abort"]),
    ("throw", &["throw", "raise"]),
];

/// Reports whether the text of a definition has a word anywhere but as its own name.
fn is_in_text(one: &Definition, wanted: &str) -> bool {
    let own = one.name == wanted;
    let mut places = whole_words(&one.text, wanted).skip(usize::from(own));
    places.any(|at| own || at.start > 0)
}

/// Most files of one name that are read.
const FILES_MAX: usize = 8;

/// Returns the verdict, but no contradiction of a loose word such as "uses", which may be true in
/// ways that the text does not show.
fn softened(said: &Arguments, verdict: ClaimVerdict) -> ClaimVerdict {
    match verdict {
        ClaimVerdict::Contradicted { instead, .. } if !said.get("v").is_empty() => unknown(instead),
        verdict => verdict,
    }
}

/// Decides whether the code of the name in one place has that in the other.
fn decide(said: &Arguments, caller: &str, callee: &str, code: &Code<'_, '_>) -> ClaimVerdict {
    let (caller, callee) = (said.get(caller), said.get(callee));
    let Some((_, wanted)) = super::frame::symbol(callee) else {
        return unknown("what is called is no name");
    };
    if caller == callee {
        return unknown("one name is said to call itself");
    }
    // "`app.py` calls `make`" names a file as the caller.
    let files = paths_of(caller, code);
    if !files.is_empty() && files.len() <= FILES_MAX {
        return in_files(&files, wanted, code);
    }
    let Some((owner, name)) = super::frame::symbol(caller) else {
        return unknown("what calls is no name");
    };
    let Some(mut all) = code.definitions(name) else {
        return unknown(format!("too many files have `{name}`"));
    };
    // If the stated owner has such a function, those of other owners do not count.
    if all
        .iter()
        .any(|one| owner.is_some_and(|owner| one.is_of(owner)))
    {
        all.retain(|one| owner.is_some_and(|owner| one.is_of(owner)));
    }
    if all.is_empty() {
        return unknown(format!("no `{name}` is defined here"));
    }
    if let Some(verdict) = in_text(&all, (name, wanted), &said.matched) {
        return verdict;
    }
    let is_direct = !said.get("n").is_empty();
    by_others(&all, name, wanted, is_direct, code)
}

/// Decides by the texts of functions, or returns `None` if none has the wanted name.
fn in_text(
    all: &[Definition],
    (name, wanted): (&str, &str),
    matched: &str,
) -> Option<ClaimVerdict> {
    let outcome = OUTCOMES.iter().find(|(verb, _)| matched.contains(verb));
    let words = outcome.map_or(&[][..], |(_, words)| words);
    if let Some(place) = all.iter().find_map(|one| one.line_of_code(wanted, words)) {
        return Some(ClaimVerdict::Holds(place));
    }
    if all
        .iter()
        .any(|one| one.line_of_code(wanted, &[]).is_some())
    {
        return Some(unknown(format!(
            "`{name}` names `{wanted}` where it may not be its result"
        )));
    }
    let is_named = all.iter().any(|one| is_in_text(one, wanted));
    is_named.then(|| unknown(format!("only a comment of `{name}` names `{wanted}`")))
}

/// Decides a call from the code around functions that do not name what they are said to call.
fn by_others(
    all: &[Definition],
    name: &str,
    wanted: &str,
    is_direct: bool,
    code: &Code<'_, '_>,
) -> ClaimVerdict {
    // A type may do it in parts of its own that are elsewhere, and a function through another one.
    if all.iter().any(|one| one.is_type()) || !code.is_known(wanted) {
        return unknown(format!("the text of `{name}` does not name `{wanted}`"));
    }
    if code.facts.paths_with(wanted).is_none() {
        return unknown(format!("too many files have `{wanted}`"));
    }
    // A decorator runs with the function that it decorates.
    if all
        .iter()
        .any(|one| whole_words(&one.about, wanted).next().is_some())
    {
        return unknown(format!("`{wanted}` is named right above `{name}`"));
    }
    if let Some(way) = code.way_to(all, wanted).filter(|_| !is_direct) {
        return unknown(format!("`{name}` may reach `{wanted}` through `{way}`"));
    }
    contradicted(
        format!("`{name}` does not name `{wanted}`"),
        all.iter().map(|one| one.place()),
    )
}

/// Returns the files that a path names, or none if the text is no path.
fn paths_of<'f>(text: &str, code: &'f Code<'_, '_>) -> Vec<&'f str> {
    let said = Arguments::of_one(text);
    let Some((path, _)) = said.path("a") else {
        return Vec::new();
    };
    let end = format!("/{path}");
    let all = code.facts.files.iter().map(String::as_str);
    all.filter(|file| *file == path || file.ends_with(&end))
        .collect()
}

/// Decides for all files of one name: one that names the callee is enough.
fn in_files(files: &[&str], wanted: &str, code: &Code<'_, '_>) -> ClaimVerdict {
    let mut all: Vec<ClaimVerdict> = files
        .iter()
        .map(|file| in_file(file, wanted, code))
        .collect();
    let holds = all
        .iter()
        .position(|one| matches!(one, ClaimVerdict::Holds(_)));
    let open = || all.iter().position(|one| !one.accuses());
    let at = holds.or_else(open).unwrap_or(0);
    all.swap_remove(at)
}

fn in_file(file: &str, wanted: &str, code: &Code<'_, '_>) -> ClaimVerdict {
    match code.uses_in(file, wanted) {
        None => unknown(format!("`{file}` could not be read")),
        Some(uses) => match uses.first() {
            Some(one) => ClaimVerdict::Holds(one.place()),
            None if code.is_known(wanted) => contradicted(
                format!("`{file}` does not name `{wanted}`"),
                [super::at(file, 0, "")],
            ),
            None => unknown(format!("no `{wanted}` is known here")),
        },
    }
}
