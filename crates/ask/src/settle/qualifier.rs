//! Decides whether the text of a file means a name with its package or module, such as
//! `typing.Protocol`. It compares the path before the name, or else the import of the file.

use grounds_evidence::Relation;
use grounds_repo::labels::LabelledPlace;
use grounds_repo::relations::MemberVerdict as Verdict;

use super::import_lines::{ImportLine, import_lines};
use super::subject::ClaimSubject;
use super::{Desk, effects};
use crate::understand::tree::owners;
use crate::words::is_in;

/// Languages in which a dotted path before a name is that of its package or module.
const LANGUAGES: &str = "Java Kotlin Scala Python";

/// Returns the package or module that a question writes before a name; `None` if it writes neither,
/// or a type.
fn asked<'t>(text: &'t str, desk: &Desk<'_, '_>) -> Option<Vec<&'t str>> {
    let parts = owners(text);
    let is_package = |part: &&str| part.starts_with(|letter: char| letter.is_lowercase());
    let is_told = text.contains('.')
        && parts.iter().all(is_package)
        && !parts.iter().all(|part| desk.tree.is_project(part));
    (is_told && !parts.is_empty()).then_some(parts)
}

/// Divides places into those of the asked package, and those that the text does not decide. Places
/// of other packages are left out.
pub(super) fn divide(
    places: Vec<LabelledPlace>,
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> (Vec<LabelledPlace>, Vec<LabelledPlace>) {
    let Some(asked) = asked(&subject.text, desk) else {
        return (places, Vec::new());
    };
    let (mut own, mut open) = (Vec::new(), Vec::new());
    for place in places {
        match of_place(&place, &asked, subject, desk) {
            Verdict::ResolvedToIt => own.push(place),
            Verdict::ResolvedToAnother => {}
            Verdict::Open => open.push(place),
        }
    }
    (own, open)
}

/// Decides whether a place means the name of the asked package or module.
fn of_place(
    place: &LabelledPlace,
    asked: &[&str],
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> Verdict {
    // Other languages do not write packages in this form, so nothing can be compared.
    if !is_in(LANGUAGES, place.language) {
        return Verdict::ResolvedToIt;
    }
    let source = desk.tree.text(place.path.as_str()).unwrap_or_default();
    let lines = import_lines(&place.path, &source);
    let is_own = |path: &str| compared(path, asked, place.language, subject, desk);
    if place.relation == Relation::Imports {
        let line = lines.iter().find(|line| line.number == place.line);
        return line.map_or(Verdict::Open, |line| is_own(&imported_from(line, place)));
    }
    let (before, _) = effects::sides(place, desk);
    let written = &before[before.trim_end_matches(is_of_path).len()..];
    let written = written.trim_matches('.');
    if !written.is_empty() {
        return is_own(&unaliased(written, &lines));
    }
    let is_import =
        |other: &&LabelledPlace| other.path == place.path && other.relation == Relation::Imports;
    let mut imports = subject.known.places().iter().filter(is_import);
    if let Some(import) = imports.next() {
        let line = lines.iter().find(|line| line.number == import.line);
        return line.map_or(Verdict::Open, |line| is_own(&imported_from(line, import)));
    }
    without_import(place, asked, &source, &lines, subject)
}

/// Decides whether a name without an import is of the asked package or module: that of its file, or
/// one that is imported whole.
fn without_import(
    place: &LabelledPlace,
    asked: &[&str],
    source: &str,
    lines: &[ImportLine],
    subject: &ClaimSubject,
) -> Verdict {
    let is_asked = |path: &str| {
        let parts: Vec<&str> = path
            .trim_end_matches(';')
            .split('.')
            .map(str::trim)
            .collect();
        parts.ends_with(asked) || asked.ends_with(&parts)
    };
    let mut packages = source
        .lines()
        .filter_map(|line| line.trim().strip_prefix("package "));
    let is_python = place.language == "Python";
    if !is_python && packages.next().is_some_and(is_asked) {
        return Verdict::ResolvedToIt;
    }
    // `from shop.every import *` may bring the name in from anywhere.
    let is_whole = lines.iter().any(|line| line.text.contains('*'));
    match is_whole || is_python == subject.is_defined() || !is_python && asked[0] == "java" {
        true => Verdict::Open,
        false => Verdict::ResolvedToAnother,
    }
}

fn is_of_path(letter: char) -> bool {
    letter.is_alphanumeric() || "_.".contains(letter)
}

/// Returns the package or module that a line imports a name from: `typing` of
/// `from typing import Any, Protocol`.
fn imported_from(line: &ImportLine, place: &LabelledPlace) -> String {
    let text = line.text.trim();
    let from = text.strip_prefix("from ");
    if let Some((module, _)) = from.and_then(|rest| rest.split_once(" import")) {
        return module.trim().to_owned();
    }
    let Some(at) = find_word(text, &place.name) else {
        return String::new();
    };
    let before = &text[..at];
    let path = before[before.trim_end_matches(is_of_path).len()..].trim_end_matches('.');
    path.to_owned()
}

fn find_word(text: &str, word: &str) -> Option<usize> {
    let is_of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut all = text.match_indices(word).map(|(at, _)| at);
    all.find(|at| {
        !text[..*at].ends_with(is_of_name) && !text[at + word.len()..].starts_with(is_of_name)
    })
}

/// Returns a path with the alias of its module resolved: `aio.tasks` is `asyncio.tasks` after
/// `import asyncio as aio`.
fn unaliased(written: &str, lines: &[ImportLine]) -> String {
    let (first, rest) = match written.split_once('.') {
        Some((first, rest)) => (first, format!(".{rest}")),
        None => (written, String::new()),
    };
    let alias = format!(" as {first}");
    let module = lines.iter().find_map(|line| {
        let at = find_word(&line.text, alias.trim_start())?;
        let before = line.text[..at].trim_end();
        let path = &before[before.trim_end_matches(is_of_path).len()..];
        let from = line.text.trim().strip_prefix("from ");
        let from = from.and_then(|rest| rest.split_once(" import"));
        // After `from asyncio import tasks as aio`, `aio` is `asyncio.tasks`.
        Some(match from {
            Some((module, _)) => format!("{}.{path}", module.trim()),
            None => path.to_owned(),
        })
    });
    format!("{}{rest}", module.as_deref().unwrap_or(first))
}

/// Decides whether a path can be the asked one: it ends with it, or is its end.
fn compared(
    path: &str,
    asked: &[&str],
    language: &str,
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> Verdict {
    let is_relative = path.starts_with('.');
    let path: Vec<&str> = path.split('.').filter(|part| !part.is_empty()).collect();
    if path.is_empty() {
        return Verdict::Open;
    }
    if path.ends_with(asked) || asked.ends_with(&path) {
        return Verdict::ResolvedToIt;
    }
    // A Python package can re-export a name of one of its modules, or of another module of the
    // project.
    let is_near = path.starts_with(asked) || asked.starts_with(&path);
    let is_own = is_relative || desk.tree.is_project(path[0]) || desk.tree.has_folder(path[0]);
    match language == "Python" && (is_near || is_own && subject.is_defined()) {
        true => Verdict::Open,
        false => Verdict::ResolvedToAnother,
    }
}
