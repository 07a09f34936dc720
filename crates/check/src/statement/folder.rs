//! A folder, or a package, as the place of a definition: `src/net`, `org.demo.net`.
//!
//! Takes the place as it is written, and returns a verdict if the tree has such a folder. A folder
//! is named from the top, or by the end of its path. A package is the path of its folder with dots.

use super::{contradicted, unknown};
use crate::code::{Code, Definition};
use crate::verdict::ClaimVerdict;

/// Decides whether a folder has a definition in it, or returns `None` if no folder is named so.
pub(super) fn decide(
    owner: Option<&str>,
    name: &str,
    written: &str,
    code: &Code<'_, '_>,
) -> Option<ClaimVerdict> {
    let place = Place::of(written, code)?;
    let Some(mut all) = code.definitions(name) else {
        return Some(unknown(format!("too many files have `{name}`")));
    };
    all.retain(|one| owner.is_none_or(|owner| one.is_of(owner)));
    let Some(first) = all.first() else {
        return Some(unknown(format!("no `{name}` is defined here")));
    };
    if let Some(one) = all.iter().find(|one| place.has(one)) {
        return Some(ClaimVerdict::Holds(one.place()));
    }
    let is_one = written.contains(['/', '.']) && place.folders.len() == 1;
    let is_sure = is_one && !all.iter().any(|one| place.is_above(one));
    Some(match is_sure {
        true => contradicted(
            format!("`{name}` is defined at {}:{}", first.path, first.line),
            all.iter().map(Definition::place),
        ),
        false => unknown(format!("`{written}` may be another place")),
    })
}

/// A place that is a folder of the tree.
struct Place {
    folders: Vec<String>,
    /// Whether it is written as a package, with dots.
    is_package: bool,
}

impl Place {
    fn of(written: &str, code: &Code<'_, '_>) -> Option<Self> {
        let bare = written.trim_start_matches("./").trim_end_matches('/');
        let is_package = !bare.contains('/') && bare.contains('.');
        let path = match is_package {
            true => bare.replace('.', "/"),
            false => bare.to_owned(),
        };
        let end = format!("/{path}");
        let all = &code.facts.folders;
        let from_top = all.contains(&path);
        // One word is a folder only from the top: it may be any other thing.
        let is_end = |folder: &&String| path.contains('/') && folder.ends_with(&end);
        let folders: Vec<String> = match from_top && !is_package {
            true => vec![path],
            false => all
                .iter()
                .filter(|folder| **folder == path || is_end(folder))
                .cloned()
                .collect(),
        };
        let is_place = !folders.is_empty() && !code.facts.files.contains(bare);
        is_place.then_some(Self {
            folders,
            is_package,
        })
    }

    /// Reports whether a definition is in the place. A package of several folders has the files of
    /// all of them, but of several folders with the same end any could be meant.
    fn has(&self, one: &Definition) -> bool {
        if !self.is_package {
            return matches!(self.folders.as_slice(), [only] if is_below(&one.path, only));
        }
        // A module of Python is a file of its package; elsewhere a folder below is another package.
        let is_module = one.path.ends_with(".py") || one.path.ends_with(".pyi");
        self.folders.iter().any(|folder| {
            is_below(&one.path, folder)
                && (is_module || !one.path[folder.len() + 1..].contains('/'))
        })
    }

    /// Reports whether one of the folders is somewhere above a definition.
    fn is_above(&self, one: &Definition) -> bool {
        self.folders
            .iter()
            .any(|folder| is_below(&one.path, folder))
    }
}

fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder)
        .is_some_and(|rest| rest.starts_with('/'))
}
