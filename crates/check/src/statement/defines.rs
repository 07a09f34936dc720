//! `X` is defined in `path`, or at `path:line`.

use super::{Arguments, Predicate, contradicted, folder, no_words, unknown};
use crate::code::{Code, Definition, is_source};
use crate::kinds::has_known_ending;
use crate::verdict::{ClaimVerdict, Evidence};

pub(super) const DEFINES: Predicate = Predicate {
    name: "defines",
    frames: &[
        r"{a}(?: \w+)? (?:is|are|was|gets) (?:(?:now|currently|actually|all|both) )?(?:defined|declared|implemented|located|found|placed|introduced|created|kept) (?:in|at|inside|on|within|under)(?: the)?(?: file| module)? {b}",
        r"{a} is (?:a|an|the)(?: \w+){0,2} (?:function|class|method|struct|type|trait|constant|helper|macro|interface|enum) (?:of|in|from|inside) {file}",
        r"{a}(?: \w+)? (?:lives?|sits?|resides?|stands?|is|are) (?:in|at|inside|on|within|under)(?: the)?(?: file| module)? {b}",
        r"{a}(?: \w+)? (?:is|are) (?:(?:defined|declared|implemented|located|found) )?(?:at|on|in) line {n} of(?: the file)? {b}",
        r"{a}(?: \w+)? can be found (?:in|at|inside|under) {b}",
        r"^{b} (?:defines|declares|implements|contains)(?: the| a| an)?(?: (?:function|method|class|struct|type|constant|trait|interface|enum|macro|helper))? {a}",
        r"(?:definition|implementation|declaration) of {a} (?:is|lives|sits|can be found) (?:in|at) {b}",
    ],
    words: no_words,
    decide,
};

/// Returns why a stated place can contain no definitions, or `None` if it may.
fn holds_no_definition(path: &str) -> Option<&'static str> {
    let is_of_settings = || SETTINGS.iter().any(|ending| path.ends_with(ending));
    match () {
        () if path.contains("->") => Some("a member of a structure holds no definition"),
        () if is_of_settings() => Some("a file of settings has keys, not definitions"),
        () => None,
    }
}

/// Endings of files that define no names.
const SETTINGS: [&str; 6] = [".toml", ".yaml", ".yml", ".json", ".ini", ".cfg"];

fn decide(said: &Arguments, code: &Code<'_, '_>) -> ClaimVerdict {
    let place = said.path("b");
    match place.and_then(|(path, _)| holds_no_definition(path)) {
        Some(reason) => unknown(reason),
        None => at_place(said, code),
    }
}

/// Decides whether the file defines the name, at the line if one is stated.
fn at_place(said: &Arguments, code: &Code<'_, '_>) -> ClaimVerdict {
    let Some((owner, name)) = said.symbol("a") else {
        return unknown("it is no name and a file");
    };
    if let Some(verdict) = folder::decide(owner, name, said.get("b"), code) {
        return verdict;
    }
    let Some((path, line)) = said.path("b") else {
        return unknown("it is no name and a file");
    };
    let line = line.or_else(|| said.number("n").and_then(|line| u32::try_from(line).ok()));
    let Some(file) = code.file_at(path) else {
        return elsewhere(name, path, code);
    };
    let here: Vec<Definition> = code
        .definitions_in(&file, name)
        .into_iter()
        .filter(|one| owner.is_none_or(|owner| one.is_of(owner)))
        .collect();
    match (here.as_slice(), line) {
        ([], _) => absent(name, &file, code),
        ([one, ..], None) => ClaimVerdict::Holds(one.place()),
        (all, Some(line)) => match all.iter().find(|one| one.begins_at(line)) {
            Some(one) => ClaimVerdict::Holds(one.place()),
            None => at_other_line(said, path, all),
        },
    }
}

/// Returns the verdict on a line at which none of some definitions begins.
fn at_other_line(said: &Arguments, path: &str, all: &[Definition]) -> ClaimVerdict {
    let first = &all[0];
    ClaimVerdict::Contradicted {
        instead: format!("`{}` is at {}:{}", first.name, first.path, first.line),
        // A repair replaces `path:line`, so there must be one right line, and the text must write
        // it there and not as "on line 3".
        closest: (all.len() == 1)
            .then(|| format!("{path}:{}", first.line))
            .filter(|_| path.len() > 1 && said.get("b").contains(':')),
        evidence: all.iter().take(3).map(Definition::place).collect(),
    }
}

/// Decides a file in which no definition is read: the name is elsewhere, or not in the file at all.
fn absent(name: &str, file: &str, code: &Code<'_, '_>) -> ClaimVerdict {
    let Some(uses) = code.uses_in(file, name) else {
        return unknown(format!("`{file}` could not be read"));
    };
    // A declaration, or a place without a label, may define it in a way that the grammar does not
    // show.
    if let Some(one) = uses.iter().find(|one| one.could_define()) {
        return ClaimVerdict::Holds(one.place());
    }
    match code.definitions(name) {
        Some(others) if !others.is_empty() => moved(name, &others),
        Some(_) if uses.is_empty() => contradicted(
            format!("`{file}` has no `{name}`"),
            [Evidence::Place {
                path: file.to_owned(),
                line: None,
                text: String::new(),
            }],
        ),
        _ => unknown(format!(
            "`{file}` uses `{name}`, and no definition is read anywhere"
        )),
    }
}

/// Decides a file that is missing.
fn elsewhere(name: &str, path: &str, code: &Code<'_, '_>) -> ClaimVerdict {
    // `pkg.part.c` may be a module and no file of C.
    let module = format!("{}.", path.replace('.', "/"));
    if code.facts.files.iter().any(|file| file.contains(&module)) {
        return unknown(format!("`{path}` may be a module"));
    }
    // `org.demo.net` may be a package or a namespace that no folder is named after.
    if !path.contains('/') && !has_known_ending(path) {
        return unknown(format!("`{path}` may be a package"));
    }
    match code.definitions(name) {
        Some(others) if !others.is_empty() => moved(name, &others),
        _ => unknown(format!(
            "there is no `{path}` here, and no definition of `{name}`"
        )),
    }
}

fn moved(name: &str, others: &[Definition]) -> ClaimVerdict {
    let mut shown: Vec<&Definition> = others.iter().collect();
    shown.sort_by_key(|one| !is_source(&one.path));
    contradicted(
        format!("`{name}` is defined at {}:{}", shown[0].path, shown[0].line),
        shown.into_iter().map(Definition::place),
    )
}
