//! Reads the package that a question writes before a Go name: `zapcore.Core` is the `Core` of one
//! folder, which is used there by its name alone, and elsewhere with the package before it.

use std::collections::BTreeSet;

use grounds_repo::labels::LabelledPlace;
use grounds_repo::path::RepoPath;

use super::import_lines::import_lines;
use super::subject::ClaimSubject;
use super::{Desk, SettledSpot, sites};
use crate::understand::tree::{last_part, owners};

/// Returns the package that the file of a place declares.
pub(super) fn of_place(place: &LabelledPlace, desk: &Desk<'_, '_>) -> Option<String> {
    let text = desk.tree.text(place.path.as_str())?;
    let mut lines = text.lines();
    let name = lines.find_map(|line| line.strip_prefix("package "))?;
    Some(name.split_whitespace().next()?.to_owned())
}

/// Returns the folder of a place.
pub(super) fn folder(place: &LabelledPlace) -> &str {
    let path = place.path.as_str();
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Reports whether a name is written with a package of the tree before it.
pub(crate) fn is_named(text: &str, desk: &Desk<'_, '_>) -> bool {
    // Most names have no package, and looking a name up costs a pass.
    if owners(text).is_empty() || !text.contains('.') {
        return false;
    }
    let known = desk.tree.know(&[last_part(text)]).remove(0);
    let definitions: Vec<LabelledPlace> = known.definitions().cloned().collect();
    divide(text, definitions, desk).is_ok()
}

/// Divides definitions into those of the package that a question writes, and the others.
///
/// # Errors
/// The definitions, if the question writes no Go package that has one of them.
pub(super) fn divide(
    text: &str,
    definitions: Vec<LabelledPlace>,
    desk: &Desk<'_, '_>,
) -> Result<(Vec<LabelledPlace>, Vec<LabelledPlace>), Vec<LabelledPlace>> {
    let all = owners(text);
    // Go writes `pkg.Name` or `pkg.Type.Name`, and nothing deeper.
    let (Some(package), true) = (all.first(), text.contains('.') && all.len() < 3) else {
        return Err(definitions);
    };
    let is_of_type = all.len() == 2;
    let is_own = |place: &LabelledPlace| {
        let owner = place.containers.last();
        let fits = match is_of_type {
            true => owner.is_some_and(|owner| owner == all[1]),
            false => owner.is_none(),
        };
        place.language == "Go" && fits && of_place(place, desk).as_deref() == Some(package)
    };
    match definitions.iter().any(is_own) {
        true => Ok(definitions.into_iter().partition(is_own)),
        false => Err(definitions),
    }
}

/// Returns the uses of a name that a question writes with its package alone; `None` for other
/// names.
pub(super) fn uses(
    all: &[LabelledPlace],
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> Option<Vec<LabelledPlace>> {
    let owners = owners(&subject.text);
    let package = owners.first().filter(|_| owners.len() == 1)?;
    divide(&subject.text, subject.definitions.clone(), desk).ok()?;
    let folders: BTreeSet<&str> = subject.definitions.iter().map(folder).collect();
    let is_own = |place: &&LabelledPlace| {
        let names = imported_as(place, package, &folders, desk);
        let is_inside =
            || folders.contains(folder(place)) && of_place(place, desk).as_deref() == Some(package);
        place.language == "Go"
            && match sites::receiver_of(place, desk) {
                Some(receiver) => names.contains(&receiver),
                // A bare name is written in the package itself, or after `import . "pkg"`.
                None => names.contains(".") || is_inside(),
            }
    };
    Some(all.iter().filter(is_own).cloned().collect())
}

/// Returns the names by which the file of a place imports a package; `.` if its names need no
/// package before them.
fn imported_as(
    place: &LabelledPlace,
    package: &str,
    folders: &BTreeSet<&str>,
    desk: &Desk<'_, '_>,
) -> BTreeSet<String> {
    let source = desk.tree.text(place.path.as_str()).unwrap_or_default();
    let lines = import_lines(&place.path, &source);
    let name = |text: &str| {
        let (before, rest) = text.split_once('"')?;
        let path = rest.split('"').next()?;
        let mut all = folders.iter();
        let is_own = all.any(|folder| match import_path(folder, desk) {
            Some(own) => path == own,
            // Without modules, the import path depends on where the tree is under `GOPATH`, which
            // is unknown.
            None => {
                let last = if folder.is_empty() { package } else { folder };
                path == last || path.ends_with(&format!("/{last}"))
            }
        });
        let alias = before
            .trim()
            .rsplit([' ', '(', '\t'])
            .next()
            .unwrap_or_default();
        let has_alias = !alias.is_empty() && alias != "import";
        is_own.then(|| if has_alias { alias } else { package }.to_owned())
    };
    lines.iter().filter_map(|line| name(&line.text)).collect()
}

/// Returns the import path of the Go package in the one folder that a path with a slash means.
pub(super) fn imported_path(text: &str, desk: &Desk<'_, '_>) -> Option<String> {
    let folders = desk.tree.folders_of(text);
    let folder = folders
        .first()
        .filter(|_| folders.len() == 1 && text.contains('/'))?;
    let is_in_it = |file: &&RepoPath| {
        let (above, name) = file.as_str().rsplit_once('/').unwrap_or_default();
        above == folder && name.ends_with(".go")
    };
    desk.tree.files.iter().find(is_in_it)?;
    import_path(folder, desk)
}

/// Returns the lines that import the package with a path.
pub(super) fn importers(path: &str, desk: &Desk<'_, '_>) -> Vec<SettledSpot> {
    let quoted = format!("\"{path}\"");
    let mut found = Vec::new();
    let is_go = |file: &&RepoPath| file.as_str().ends_with(".go");
    for file in desk.tree.files.iter().filter(is_go) {
        let source = desk.tree.text(file.as_str()).unwrap_or_default();
        let lines = import_lines(file, &source).into_iter();
        let lines = lines.filter(|line| line.text.contains(&quoted));
        found.extend(lines.map(|line| SettledSpot::line(file.as_str(), line.number, "import")));
    }
    found
}

/// Returns the import path of the package in a folder, by the nearest `go.mod` above it.
fn import_path(folder: &str, desk: &Desk<'_, '_>) -> Option<String> {
    let module = |above: &str| {
        let path = format!("{above}/go.mod");
        let text = desk.tree.text(path.trim_start_matches('/'))?;
        let name = text.lines().find_map(|line| line.strip_prefix("module "))?;
        let name = name.split_whitespace().next()?.trim_matches('"');
        let rest = folder[above.len()..].trim_start_matches('/');
        Some(format!("{name}/{rest}").trim_end_matches('/').to_owned())
    };
    let mut above = folder;
    loop {
        if let Some(path) = module(above) {
            return Some(path);
        }
        above = match above.rsplit_once('/') {
            Some((parent, _)) => parent,
            None if above.is_empty() => return None,
            // The root of the tree, whose `go.mod` is the last one to read.
            None => "",
        };
    }
}
