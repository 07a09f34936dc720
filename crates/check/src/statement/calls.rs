//! `X` calls `Y`.

use super::{Arguments, Predicate, contradicted, no_words, unknown};
use crate::code::{Code, whole_words};
use crate::verdict::Verdict;

pub(super) const CALLS: Predicate = Predicate {
    name: "calls",
    frames: &[
        r"{a} (?:is an? (?:\w+ )?wrapper (?:around|over|that (?:delegates to|calls))|{not}(?:now |also |directly |simply |just |internally |only |always |still )*(?:calls?|invokes?|delegates? to|wraps?|forwards? to|constructs?|instantiates?|raises?|throws?|(?P<v>relies on|uses?|creates?|builds?|installs?|pushes|registers|writes|emits?|returns?)))(?: the| an?)?(?: [\w-]+){0,3} {b}",
    ],
    words: no_words,
    decide: |said, code| softened(said, decide(said.get("a"), said.get("b"), code)),
};

pub(super) const CALLED_BY: Predicate = Predicate {
    name: "called_by",
    frames: &[
        r"{a} is {not}(?:now |also |directly |internally |always |still )*(?:called|invoked|(?P<v>used|raised|thrown)|constructed|instantiated)(?: directly)? (?:by|from|in|inside|within)(?: the)?(?: (?:file|function|method|class|module))? {b}",
    ],
    words: no_words,
    decide: |said, code| softened(said, decide(said.get("b"), said.get("a"), code)),
};

/// A loose word ("uses") may be true by ways that the text does not show.
fn softened(said: &Arguments, verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Contradicted { instead, .. } if !said.get("v").is_empty() => unknown(instead),
        verdict => verdict,
    }
}

/// Whether the code of one name has the other.
fn decide(caller: &str, callee: &str, code: &Code<'_, '_>) -> Verdict {
    let Some((_, wanted)) = super::frame::symbol(callee) else {
        return unknown("what is called is no name");
    };
    if let Some(file) = path_of(caller, code) {
        return in_file(&file, wanted, code);
    }
    let Some((owner, name)) = super::frame::symbol(caller) else {
        return unknown("what calls is no name");
    };
    let Some(mut all) = code.definitions(name) else {
        return unknown(format!("too many files have `{name}`"));
    };
    if all
        .iter()
        .any(|one| owner.is_some_and(|owner| one.is_of(owner)))
    {
        all.retain(|one| owner.is_some_and(|owner| one.is_of(owner)));
    }
    if all.is_empty() {
        return unknown(format!("no `{name}` is defined here"));
    }
    let with = all.iter().find(|one| {
        whole_words(&one.text, wanted).any(|at| at.start > 0 && one.name != wanted)
            || (one.name == wanted && whole_words(&one.text, wanted).count() > 1)
    });
    if let Some(one) = with {
        return Verdict::Holds(one.line_with(wanted));
    }
    // A type may do it in parts of its own that stand elsewhere, a function through another one.
    if all.iter().any(|one| one.is_type()) || !code.is_known(wanted) {
        return unknown(format!("the text of `{name}` does not name `{wanted}`"));
    }
    if code.reaches(&all, wanted) {
        return unknown(format!(
            "`{name}` may reach `{wanted}` through another function"
        ));
    }
    contradicted(
        format!("`{name}` does not name `{wanted}`"),
        all.iter().map(|one| one.place()),
    )
}

fn path_of(text: &str, code: &Code<'_, '_>) -> Option<String> {
    let said = Arguments::of_one(text);
    let (path, _) = said.path("a")?;
    code.file_at(path)
}

fn in_file(file: &str, wanted: &str, code: &Code<'_, '_>) -> Verdict {
    match code.uses_in(file, wanted) {
        None => unknown(format!("`{file}` could not be read")),
        Some(uses) => match uses.first() {
            Some(one) => Verdict::Holds(one.place()),
            None if code.is_known(wanted) => contradicted(
                format!("`{file}` does not name `{wanted}`"),
                [super::at(file, 0, "")],
            ),
            None => unknown(format!("no `{wanted}` is known here")),
        },
    }
}
