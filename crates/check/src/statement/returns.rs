//! Statements such as "`X` returns a `bool`", decided by the heads of functions for the languages'
//! own types.

use grounds_syntax::lists;

use super::{Arguments, Predicate, contradicted, no_words, unknown};
use crate::code::{Code, Definition, is_source, whole_words};
use crate::verdict::ClaimVerdict;

pub(super) const RETURNS: Predicate = Predicate {
    name: "returns",
    frames: &[
        r"{a} {not}returns? (?:an?|the|a plain|a single|plain) {b}(?:$|[.,;])",
        r"{a} has (?:the |a )?return type {b}(?:$|[.,;])",
    ],
    words: no_words,
    decide,
};

pub(super) const RETURNS_NOTHING: Predicate = Predicate {
    name: "returns_nothing",
    frames: &[
        r"{a} returns nothing(?:$|[.,;])",
        r"{a} of {b} returns nothing(?:$|[.,;])",
    ],
    words: no_words,
    decide: nothing,
};

/// Decides whether the heads of a function state no result.
fn nothing(said: &Arguments, code: &Code<'_, '_>) -> ClaimVerdict {
    let Some((owner, name)) = said.symbol("a") else {
        return unknown("it is no name");
    };
    let owner = owner.or_else(|| said.symbol("b").map(|(_, owner)| owner));
    let Some((all, results)) = results_of(name, owner, code) else {
        return unknown(format!("no head of `{name}` states its result"));
    };
    let is_none =
        |result: &String| matches!(result.as_str(), "" | "None" | "()" | "void" | "undefined");
    // A function that ends the program, waits or may fail is said to return nothing too.
    let may_be_none = |result: &String| {
        let words = [
            "None",
            "void",
            "()",
            "!",
            "never",
            "NoReturn",
            "undefined",
            "error",
            "Promise",
            "Result",
        ];
        words.iter().any(|word| result.contains(word))
    };
    match results.iter().position(is_none) {
        Some(at) => ClaimVerdict::Holds(all[at].place()),
        // `Option<T>` and `T | None` return nothing in some cases.
        None if results.iter().any(may_be_none) => unknown("the result may be none"),
        None => contradicted(format!("`{name}` returns {}", results[0]), [all[0].place()]),
    }
}

/// Types that languages have themselves, in groups that name the same.
const OWN: [&[&str]; 9] = [
    &["bool", "boolean", "Boolean"],
    &["str", "string", "String"],
    &[
        "int", "integer", "i32", "i64", "u32", "u64", "usize", "number",
    ],
    &["float", "f32", "f64", "float64", "double", "number"],
    &["bytes", "bytearray"],
    &[
        "dict",
        "map",
        "Mapping",
        "Dict",
        "TypedDict",
        "MutableMapping",
    ],
    &["list", "List", "Sequence", "Iterable", "array", "slice"],
    &["tuple", "Tuple", "NamedTuple"],
    &["error"],
];

fn decide(said: &Arguments, code: &Code<'_, '_>) -> ClaimVerdict {
    let stated = said.get("b");
    let Some(same) = OWN.iter().find(|words| words.contains(&stated)) else {
        return unknown("what has the type is not followed");
    };
    let Some((owner, name)) = said.symbol("a") else {
        return unknown("it is no name");
    };
    let Some((all, results)) = results_of(name, owner, code) else {
        return unknown(format!("no head of `{name}` states its result"));
    };
    let has = |result: &String| {
        same.iter()
            .any(|word| whole_words(result, word).next().is_some())
    };
    if let Some(at) = results.iter().position(has) {
        return ClaimVerdict::Holds(all[at].place());
    }
    // Any other type may be an alias of the stated one, so it contradicts nothing.
    if results.iter().all(|result| is_closed(result, code)) {
        let shown = if results[0].is_empty() {
            "nothing"
        } else {
            &results[0]
        };
        return contradicted(format!("`{name}` returns {shown}"), [all[0].place()]);
    }
    unknown(format!(
        "whether {} is a `{stated}` is not followed",
        results[0]
    ))
}

/// Reports whether a result is empty, or a type of the language itself.
fn is_closed(result: &str, code: &Code<'_, '_>) -> bool {
    let is_own = OWN.iter().any(|words| words.contains(&result));
    let is_made_here = || code.definitions(result).is_none_or(|all| !all.is_empty());
    // `error` of Go is an interface, which other types implement.
    result.is_empty() || result == "None" || (is_own && result != "error" && !is_made_here())
}

/// Returns the functions of a name with the results that their heads state, or `None` unless each
/// states one.
fn results_of(
    name: &str,
    owner: Option<&str>,
    code: &Code<'_, '_>,
) -> Option<(Vec<Definition>, Vec<String>)> {
    let mut all = code.definitions(name).unwrap_or_default();
    all.retain(|one| !one.is_type() && is_source(&one.path));
    all.retain(|one| owner.is_none_or(|owner| one.is_of(owner)));
    let results: Vec<String> = all.iter().map(result).collect::<Option<_>>()?;
    (!all.is_empty()).then_some((all, results))
}

/// Returns the result type of a function as its head states it, or `None` if the head does not.
fn result(one: &Definition) -> Option<String> {
    let after_arrow = || one.head.rsplit_once("->").map(|(_, after)| after);
    let written = match one.path.rsplit('.').next()? {
        "py" | "pyi" => after_arrow()?.trim().trim_end_matches(':'),
        // In Rust and Go, a head without a result type returns nothing; in Python and TypeScript it
        // only does not tell.
        "rs" => after_arrow().unwrap_or_default(),
        "go" => after_parameters(one)?,
        "ts" | "tsx" => after_parameters(one)?.trim().strip_prefix(':')?,
        _ => return None,
    };
    let written = written.trim().trim_end_matches('{').trim();
    // Python writes a type that is defined later as a string: `-> "Version"`.
    let is_text = written.starts_with(['"', '\'']);
    Some(
        if is_text {
            written.trim_matches(['"', '\''])
        } else {
            written
        }
        .to_owned(),
    )
}

/// Returns the text after the list of the parameters.
fn after_parameters(one: &Definition) -> Option<&str> {
    let list = lists::of_definition(&one.head, &one.name, one.language()?)?;
    one.head.get(list.end + 1..)
}
