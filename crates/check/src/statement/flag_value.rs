//! The default of a flag, if the code that declares it states one as a literal.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use regex::Regex;

use super::value::{agrees, is_literal, normal};
use super::{Arguments, at, contradicted, unknown};
use crate::code::{Code, is_source};
use crate::lookup::forms_of_flag;
use crate::verdict::{ClaimVerdict, Evidence};

/// Most bytes of a declaration after the name of its flag.
const DECLARATION_BYTES_MAX: usize = 600;

/// Reports whether a name is that of a long flag.
pub(super) fn is_flag(name: &str) -> bool {
    name.starts_with("--") && name.len() > 3
}

/// Returns the words of code by which a flag is found.
pub(super) fn words(said: &Arguments) -> Vec<String> {
    let name = said.get("a");
    if is_flag(name) {
        forms_of_flag(name)
    } else {
        Vec::new()
    }
}

pub(super) fn decide(flag: &str, value: &str, code: &Code<'_, '_>) -> ClaimVerdict {
    let found = defaults(flag, code);
    let fits = |found: &str| agrees(value, found);
    if let Some((_, place)) = found.iter().find(|(found, _)| fits(found) == Some(true)) {
        return ClaimVerdict::Holds(place.clone());
    }
    match found.first() {
        // Several commands may have a flag of this name, each with its own default.
        Some((only, place))
            if found.iter().all(|(value, _)| value == only) && fits(only) == Some(false) =>
        {
            contradicted(format!("`{flag}` is {only}"), [place.clone()])
        }
        Some(_) => unknown(format!("`{flag}` has several defaults here")),
        None => unknown(format!("no literal default of `{flag}` is read")),
    }
}

/// Returns the literal defaults of the declarations of a flag.
fn defaults(flag: &str, code: &Code<'_, '_>) -> Vec<(String, Evidence)> {
    let bare = flag.trim_start_matches('-');
    // Some parsers take the flag with its dashes, others without.
    let with = [flag, bare].map(|word| code.facts.paths_with(word).unwrap_or_default());
    let paths: BTreeSet<&String> = with.iter().flat_map(|all| all.iter()).collect();
    let sources = paths.into_iter().filter(|path| is_source(path));
    let quoted = ["\"", "'"].map(|mark| [flag, bare].map(|name| format!("{mark}{name}{mark}")));
    let mut found = Vec::new();
    for path in sources {
        let text = code.facts.text(path).unwrap_or_default();
        for name in quoted.as_flattened() {
            for (start, _) in text.match_indices(name.as_str()) {
                let value = default_in(declaration(&text[start + name.len()..]));
                let line = text[..start].matches('\n').count() + 1;
                let shown = text.lines().nth(line - 1).unwrap_or_default();
                found.extend(value.map(|value| (normal(&value), at(path, line, shown))));
            }
        }
    }
    found
}

/// Returns the rest of the call, attribute or tag that names a flag.
fn declaration(rest: &str) -> &str {
    let mut depth = 0_i32;
    for (at, letter) in rest.char_indices() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            // A backquote ends the tag of a field in Go.
            '`' => return &rest[..at],
            _ => {}
        }
        if depth < 0 || at >= DECLARATION_BYTES_MAX {
            return &rest[..at];
        }
    }
    rest
}

/// Returns the default in a declaration: `default="x"`, `default_value = "x"`, `default: 3`,
/// `default:"x"`.
fn default_in(declaration: &str) -> Option<String> {
    static DEFAULT: OnceLock<Regex> = OnceLock::new();
    let default = DEFAULT.get_or_init(|| {
        Regex::new(r#"\bdefault(?:_value(?:_t)?|Value)?["']?\s*[=:(]\s*("[^"]*"|'[^']*'|[\w.+-]+)"#)
            .expect("an expression")
    });
    let value = default.captures(declaration)?.get(1)?.as_str();
    is_literal(value).then(|| value.to_owned())
}
