//! Decides which definition a use means, by exact name and scope, or why none can be shown.
//!
//! The file itself comes first, then its imports and neighbours, then the rest of the repository if
//! the name is rare. Similar names never count.

use grounds_evidence::{FileRole, Rating};

use super::resolve::{ChangeNames, DefinitionSite, is_test};
use super::seen::{SeenFile, Use};

/// Number of definitions up to which a name is clear without an import.
pub(super) const DEFINITIONS_MAX: usize = 4;
/// Maximum number of definitions of one name that are shown.
const SHOWN_MAX: usize = 4;
/// Maximum number of definitions of one name that a follow-up may ask for.
const NEAR_MAX: usize = 2;

/// The meaning of a use.
#[derive(Clone, Debug)]
pub(super) enum Choice<'k> {
    /// These definitions, the best first, with how certain each is.
    Sites(Vec<(&'k DefinitionSite, Rating)>),
    /// Its definition is in the diff already.
    Visible,
    /// It is open: the reason, where the definition may be, and whether the repository was searched
    /// and has none.
    Unclear(String, Vec<&'k DefinitionSite>, bool),
}

/// Chooses among the definitions of a name. `is_visible` reports whether the diff shows a line of a
/// file.
pub(super) fn choose<'k>(
    seen: &SeenFile,
    used: &Use,
    known: &'k ChangeNames,
    is_visible: &dyn Fn(&str, u32) -> bool,
) -> Choice<'k> {
    let key = (seen.family, used.name.clone());
    let places = known.places.get(&key).copied();
    let all: Vec<&DefinitionSite> = known.sites.get(&key).into_iter().flatten().collect();
    let sites = worth(&all, is_test(&seen.path));
    if sites.is_empty() {
        return Choice::Unclear(absent(places), Vec::new(), places.is_some());
    }
    let those = |is_one: &dyn Fn(&DefinitionSite) -> bool| -> Vec<&DefinitionSite> {
        sites.iter().copied().filter(|site| is_one(site)).collect()
    };
    let own = those(&|site| site.path == seen.path);
    // A definition in the file itself hides those of the same name elsewhere.
    if !own.is_empty() && means_own(used, &own) {
        return shown(by_receiver(&own, used), Rating::Strong, is_visible);
    }
    let near = those(&|site| known.near.has(seen, site.file));
    let decided = by_receiver(&near, used);
    if !decided.is_empty() && decided.len() <= DEFINITIONS_MAX {
        // The receiver `store` in `store.get()` is matched by name alone, which is less certain
        // than an import of `get`.
        let rating = if used.receiver.is_none() || seen.import_text.contains(&used.name) {
            Rating::Strong
        } else {
            Rating::Moderate
        };
        return shown(decided, rating, is_visible);
    }
    let named = by_receiver(&sites, used);
    // A rare name means one of its few definitions even without an import.
    if named.len() <= DEFINITIONS_MAX {
        return shown(sorted(named, seen, known), Rating::Moderate, is_visible);
    }
    let count = named.len();
    let why = format!("defined at {count} places or more, and no import says which");
    let mut nearest = sorted(named, seen, known);
    nearest.truncate(NEAR_MAX);
    Choice::Unclear(why, nearest, false)
}

/// Keeps definitions rather than declarations, and code of the project rather than of its tests, if
/// there are both.
fn worth<'k>(sites: &[&'k DefinitionSite], is_for_test: bool) -> Vec<&'k DefinitionSite> {
    let mut sites = sites.to_vec();
    let is_project = |site: &&DefinitionSite| {
        matches!(
            site.role,
            FileRole::Source | FileRole::Header | FileRole::Build
        )
    };
    if !is_for_test && sites.iter().any(is_project) {
        sites.retain(is_project);
    }
    if sites.iter().any(|site| !site.definition.is_declared) {
        sites.retain(|site| !site.definition.is_declared);
    }
    sites
}

fn absent(places: Option<u32>) -> String {
    match places {
        None => "not looked for: the change uses more names than `names_max`".to_owned(),
        Some(0) => "no file of this repository defines it; it may come from outside".to_owned(),
        Some(_) => "no definition was found where it could be one".to_owned(),
    }
}

/// Reports whether a use can mean a definition of its own file. A member of another object does
/// only if that object names the container, or if there is just one definition.
fn means_own(used: &Use, own: &[&DefinitionSite]) -> bool {
    match used.receiver.as_deref() {
        None | Some("self" | "this" | "Self" | "super" | "cls" | "static" | "") => true,
        Some(receiver) => own.iter().any(|site| names(site, receiver)) || own.len() == 1,
    }
}

/// Reports whether a receiver names the item around a definition, or its file or folder.
fn names(site: &DefinitionSite, receiver: &str) -> bool {
    let mut path = site.path.rsplit('/');
    let stem = path
        .next()
        .and_then(|name| name.split('.').next())
        .unwrap_or_default();
    let folder = path.next().unwrap_or_default();
    // `userStore` and `user_store` are usual names for a value of the type `UserStore`.
    let likes = |name: &str| {
        name.eq_ignore_ascii_case(receiver)
            || name
                .replace('_', "")
                .eq_ignore_ascii_case(&receiver.replace('_', ""))
    };
    site.definition
        .containers
        .last()
        .is_some_and(|container| likes(container))
        || likes(stem)
        || likes(folder)
}

/// Returns the definitions that the receiver, or the type around the use, points at; all of them if
/// neither does.
fn by_receiver<'k>(sites: &[&'k DefinitionSite], used: &Use) -> Vec<&'k DefinitionSite> {
    let pointed: Vec<&DefinitionSite> = match used.receiver.as_deref() {
        Some("self" | "this" | "Self" | "cls" | "static") => sites
            .iter()
            .copied()
            .filter(|site| {
                site.definition
                    .containers
                    .last()
                    .is_some_and(|last| used.containers.contains(last))
            })
            .collect(),
        Some(receiver) if !receiver.is_empty() => sites
            .iter()
            .copied()
            .filter(|site| names(site, receiver))
            .collect(),
        Some(_) | None => Vec::new(),
    };
    if pointed.is_empty() {
        sites.to_vec()
    } else {
        pointed
    }
}

/// Sorts definitions, the nearest first.
fn sorted<'k>(
    mut sites: Vec<&'k DefinitionSite>,
    seen: &SeenFile,
    known: &ChangeNames,
) -> Vec<&'k DefinitionSite> {
    sites.sort_by_cached_key(|site| {
        (
            site.role,
            known.near.distance(seen, site.file, &site.path),
            &site.path,
            site.definition.line,
        )
    });
    sites
}

fn shown<'k>(
    sites: Vec<&'k DefinitionSite>,
    rating: Rating,
    is_visible: &dyn Fn(&str, u32) -> bool,
) -> Choice<'k> {
    let rating = if sites.len() > 1 {
        rating.min(Rating::Moderate)
    } else {
        rating
    };
    if sites
        .iter()
        .any(|site| is_visible(&site.path, site.definition.line))
    {
        return Choice::Visible;
    }
    Choice::Sites(
        sites
            .into_iter()
            .take(SHOWN_MAX)
            .map(|site| (site, rating))
            .collect(),
    )
}
