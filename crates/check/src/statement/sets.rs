//! `X` passes or sets `name=value`; a file says `name = value`.

use super::value::{agrees, is_literal};
use super::{Arguments, Predicate, at, contradicted, no_words, unknown};
use crate::code::{Code, whole_words};
use crate::verdict::{ClaimVerdict, Evidence};

pub(super) const SETS: Predicate = Predicate {
    name: "sets",
    frames: &[
        concat!(
            r"{a} (?:passes|sets|uses|gives|assigns|claims|says|contains|declares|specifies|",
            r"states|defines|has|initiali[sz]es|resets)(?: [\w-]+){0,3}? {b}",
        ),
        r"{a} sets {b} to {v}(?:$|[ .,;])",
        r"{a} [^«]{1,40}(?:«\d+»(?:\(\))? )?(?:with|and) {b} set to {v}(?:$|[ .,;])",
        r"{a} calls «\d+»(?:\(\))? with {b}",
    ],
    words: no_words,
    decide,
};

/// Returns a name and the literal value that it is given.
fn given(text: &str) -> Option<(&str, &str)> {
    let (name, value) = text.split_once('=').or_else(|| text.split_once(": "))?;
    let (name, value) = (name.trim(), value.trim());
    let last = name.rsplit(['.', ' ', '>', '$']).next()?.trim();
    let is_name = !last.is_empty()
        && !name.contains(['(', '"', '<', '!'])
        && last
            .chars()
            .all(|letter| letter.is_alphanumeric() || "_-".contains(letter));
    (is_name && is_literal(value) && !value.starts_with('=')).then_some((last, value))
}

fn decide(said: &Arguments, code: &Code<'_, '_>) -> ClaimVerdict {
    let apart = said.symbol("b").map(|(_, name)| (name, said.get("v")));
    let apart = apart.filter(|(_, value)| !value.is_empty());
    let Some((name, value)) = apart.or_else(|| given(said.get("b"))) else {
        return unknown("it is no name with a literal value");
    };
    // "`app.toml` says `depth = 3`" is about a file, "`build` passes `strict=True`" about a
    // function.
    let places = match said.path("a").and_then(|(path, _)| code.file_at(path)) {
        Some(file) => code.facts.text(&file).map(|text| vec![(file, 1, text)]),
        None => of_symbol(said, code),
    };
    let Some(places) = places.filter(|places| !places.is_empty()) else {
        return unknown(format!("no `{}` is read here", said.get("a")));
    };
    compared((name, value), &places)
}

/// Compares a value with those that some texts give a name.
fn compared((name, stated): (&str, &str), places: &[(String, u32, String)]) -> ClaimVerdict {
    let mut others: Vec<(String, Evidence)> = Vec::new();
    for (path, first, text) in places {
        for (number, line) in text.lines().enumerate() {
            for found in values(line, name) {
                let place = at(path, number + *first as usize, line);
                if agrees(stated, &found) == Some(true) {
                    return ClaimVerdict::Holds(place);
                }
                others.push((found, place));
            }
        }
    }
    let is_other =
        |(found, _): &(String, Evidence)| is_literal(found) && agrees(stated, found) == Some(false);
    // One other value is enough only if nothing else there gives the name a value.
    match others.first() {
        Some((found, place)) if others.iter().all(is_other) => {
            contradicted(format!("`{name}` is {found} there"), [place.clone()])
        }
        _ => unknown(format!("what gives `{name}` its value is not read")),
    }
}

/// Returns the texts of the definitions of a name.
fn of_symbol(said: &Arguments, code: &Code<'_, '_>) -> Option<Vec<(String, u32, String)>> {
    let (owner, name) = said.symbol("a")?;
    let mut all = code.definitions(name)?;
    all.retain(|one| owner.is_none_or(|owner| one.is_of(owner)));
    let texts = all
        .into_iter()
        .filter(|one| !one.is_type())
        .map(|one| (one.path, one.line_first, one.text));
    Some(texts.collect())
}

/// Returns the values that a line gives a name: `name = value`, `name=value`, `name: value`.
fn values(line: &str, name: &str) -> Vec<String> {
    let found = whole_words(line, name).filter_map(|at| {
        let rest = line[at.end..].trim_start_matches(['"', '\'']).trim_start();
        let rest = rest.strip_prefix(['=', ':'])?;
        let rest = rest.strip_prefix('=').unwrap_or(rest).trim_start();
        let quote = rest.chars().next().filter(|first| "\"'".contains(*first));
        let value = match quote {
            Some(quote) => rest[1..].split(quote).next().unwrap_or_default().to_owned(),
            None => rest.split([',', ')', ';', ' ', '}']).next()?.to_owned(),
        };
        Some(quote.map_or_else(|| value.clone(), |quote| format!("{quote}{value}{quote}")))
    });
    found.filter(|value| !value.is_empty()).collect()
}
