//! Decides what a word for parts means in a language: properties, attributes, and who may use a
//! part.

use grounds_claims::{Claim, Quantifier};
use grounds_evidence::SymbolKind;
use grounds_repo::detail::{self, PartOfDefinition};
use grounds_repo::labels::LabelledPlace;

use super::super::subject::definition_spot;
use super::super::{Desk, Settled, SettledSpot, Unsettled, imports, sites, verdict};
use super::visibility;
use crate::words::is_in;

/// Languages in which a class declares properties.
const WITH_PROPERTIES: &str = "Python C# Kotlin Swift PHP TypeScript JavaScript";
/// Languages in which an attribute is no field, but precedes a definition.
const WITH_ATTRIBUTES: &str = "C# PHP Rust";
/// Lines of decorators above a method.
const DECORATORS_MAX: usize = 8;

/// Returns a word for a kind of parts as the language of a type uses it.
pub(super) fn in_language<'k>(kind: &'k str, place: &LabelledPlace) -> Result<&'k str, Unsettled> {
    match kind {
        // A language without properties calls the same thing a field.
        "property" if !is_in(WITH_PROPERTIES, place.language) => Ok("field"),
        "attribute" if is_in(WITH_ATTRIBUTES, place.language) => {
            let why = format!(
                "an attribute of {} is no field, and those of `{}` were not read",
                place.language, place.name
            );
            Err(Unsettled::unknown(why).with(&[definition_spot(place)]))
        }
        "attribute" => Ok("field"),
        kind => Ok(kind),
    }
}

/// Reports whether a member is a property in its language.
pub(super) fn is_property(
    part: &PartOfDefinition,
    place: &LabelledPlace,
    desk: &Desk<'_, '_>,
) -> bool {
    use SymbolKind as K;
    let is_declared = matches!(part.kind, K::Field | K::Property | K::Variable);
    match place.language {
        "Python" => is_decorated(part, desk),
        "C#" => part.kind == K::Property,
        "TypeScript" | "JavaScript" => {
            let is_getter = part.kind == K::Method && imports::has_word(&before(part, desk), "get");
            (is_declared || is_getter) && part.is_public != Some(false)
        }
        _ => is_declared,
    }
}

/// Reports whether a decorator makes a method a property: `@property`,
/// `@functools.cached_property`, `@reify`.
fn is_decorated(part: &PartOfDefinition, desk: &Desk<'_, '_>) -> bool {
    let text = desk.tree.text(part.path.as_str()).unwrap_or_default();
    let line = part.line.saturating_sub(1) as usize;
    let above: Vec<&str> = text.lines().take(line).collect();
    let near = above
        .iter()
        .rev()
        .take(DECORATORS_MAX)
        .map(|line| line.trim());
    let mut decorators = near.take_while(|line| line.starts_with('@') || line.starts_with('#'));
    decorators.any(|line| {
        let name = line.split(['(', ' ', '[']).next().unwrap_or_default();
        let last = name.rsplit(['.', '@']).next().unwrap_or_default();
        last.ends_with("property") || last == "reify"
    })
}

/// Returns the text before a name on its line.
fn before(part: &PartOfDefinition, desk: &Desk<'_, '_>) -> String {
    let text = desk.tree.text(part.path.as_str()).unwrap_or_default();
    let line = text.lines().nth(part.line.saturating_sub(1) as usize);
    let line = line.unwrap_or_default();
    let before = line.split(part.name.as_str()).next();
    before.unwrap_or_default().to_owned()
}

/// Returns the methods of a type outside of its own braces: in its file, and for Go also in its
/// folder.
pub(super) fn outside(place: &LabelledPlace, desk: &Desk<'_, '_>) -> Vec<PartOfDefinition> {
    let folder = |path: &str| {
        path.rsplit_once('/')
            .map_or(String::new(), |(folder, _)| folder.to_owned())
    };
    let own = folder(place.path.as_str());
    // Go allows the methods of a type in any file of its package, which is its folder.
    let of_package = desk.tree.files.iter().filter(|file| {
        let path = file.as_str();
        let is_go = path.ends_with(".go") && !path.ends_with("_test.go");
        place.language == "Go" && is_go && **file != place.path && folder(path) == own
    });
    let mut parts = detail::methods_outside(
        desk.tree.checkout,
        &place.path,
        &place.name,
        Some((place.line, place.line_end)),
        &desk.tree.limits,
    );
    for file in of_package {
        let (checkout, limits) = (desk.tree.checkout, &desk.tree.limits);
        parts.extend(detail::methods_outside(
            checkout,
            file,
            &place.name,
            None,
            limits,
        ));
    }
    parts
}

/// Reports whether the special methods of Python (`__init__`) are left out: the language calls
/// them, whatever their visibility.
pub(super) fn leaves_special(adjective: Option<&str>, place: &LabelledPlace) -> bool {
    place.language == "Python" && adjective.and_then(visibility).is_some()
}

/// Reports whether a part allows more users than its own type, and not everyone.
pub(super) fn is_between(part: &PartOfDefinition, desk: &Desk<'_, '_>) -> bool {
    let head = format!("{} {}", before(part, desk), part.head);
    let says = |word: &str| imports::has_word(&head, word);
    let is_of_package = part.path.as_str().ends_with(".java") && !says("private");
    is_of_package || says("protected") || says("internal") || head.contains("pub(")
}

/// Decides whether a Python name is exported, if an `__all__` of its module or of a package around
/// it says so.
///
/// # Errors
/// [`Unsettled`] if `__all__` is no plain list, or if the language says who can link a name and not
/// who may use it.
pub(super) fn exported(
    claim: &Claim,
    own: &[&LabelledPlace],
    wants: bool,
    desk: &Desk<'_, '_>,
) -> Result<Option<Settled>, Unsettled> {
    let word = claim.kind.as_deref().unwrap_or_default();
    let spots: Vec<SettledSpot> = own.iter().map(|place| definition_spot(place)).collect();
    // C has no word for public, and headers decide who may call a function.
    if word == "public" && can_be_linked(own, desk) {
        let why =
            "a function of C that is not static can be linked; whether it is public is not said";
        return Err(Unsettled::unknown(why).with(&spots));
    }
    let [place] = own else {
        return Ok(None);
    };
    if !is_in("exported unexported", word) || place.language != "Python" {
        return Ok(None);
    }
    if !place.containers.is_empty() {
        return Ok(None);
    }
    let lists = export_lists(place, &spots, desk)?;
    // A list with the name is cited before one without it.
    let exporting = lists.iter().find(|(_, is_listed)| *is_listed);
    let Some((file, is_exported)) = exporting.or(lists.first()) else {
        return Ok(None);
    };
    let holds = (*is_exported == wants) == (claim.quantifier == Quantifier::Any);
    let told = match is_exported {
        true => format!("`{}` is in `__all__` of `{file}`:", place.name),
        false => format!("no `__all__` lists `{}`, and `{file}` has one:", place.name),
    };
    let section = desk.section(format!("{}{told}", verdict(Some(holds))), &spots, 3);
    Ok(Some(Settled::told(Some(holds), section)))
}

/// Reports whether all definitions are C functions that other files can link.
fn can_be_linked(own: &[&LabelledPlace], desk: &Desk<'_, '_>) -> bool {
    let is_of_c =
        |place: &&LabelledPlace| place.language == "C" && place.kind == Some(SymbolKind::Function);
    !own.is_empty() && own.iter().all(is_of_c) && !is_static(own, desk)
}

/// Returns the files around a definition that have an `__all__`, and whether it lists the name.
///
/// # Errors
/// [`Unsettled`] if an `__all__` is no plain list, or if a file cannot be read.
fn export_lists(
    place: &LabelledPlace,
    spots: &[SettledSpot],
    desk: &Desk<'_, '_>,
) -> Result<Vec<(String, bool)>, Unsettled> {
    let mut lists = Vec::new();
    for file in around(place, desk) {
        let Some(text) = desk.tree.text(&file) else {
            let why = format!("`{file}` could not be read, and may have an `__all__`");
            return Err(Unsettled::unknown(why).with(spots));
        };
        match listed(&text, &place.name) {
            None if text.contains("__all__") => {
                let why = format!("`__all__` of `{file}` is no plain list");
                return Err(Unsettled::unknown(why).with(spots));
            }
            None => {}
            Some(is_listed) => lists.push((file, is_listed)),
        }
    }
    Ok(lists)
}

fn is_static(own: &[&LabelledPlace], desk: &Desk<'_, '_>) -> bool {
    own.iter().any(|place| {
        let detail = detail::of_place(desk.tree.checkout, place, &desk.tree.limits);
        detail.is_none_or(|detail| detail.is_public == Some(false)) || sites::is_test(place)
    })
}

/// Returns the file of a definition, and `__init__.py` of the packages around it.
fn around(place: &LabelledPlace, desk: &Desk<'_, '_>) -> Vec<String> {
    let mut files = vec![place.path.as_str().to_owned()];
    let mut folder = place.path.as_str();
    while let Some((outer, _)) = folder.rsplit_once('/') {
        folder = outer;
        let file = format!("{folder}/__init__.py");
        if desk.tree.files.iter().any(|other| other.as_str() == file) && !files.contains(&file) {
            files.push(file);
        }
    }
    files
}

/// Returns whether the plain list `__all__` of a text has a name; `None` if the text has no such
/// list.
fn listed(text: &str, name: &str) -> Option<bool> {
    let mut all = text.match_indices("__all__");
    let (at, _) = all.next()?;
    // `__all__ += [...]` further down is not read.
    if all.next().is_some() {
        return None;
    }
    let rest = text[at + "__all__".len()..]
        .trim_start()
        .strip_prefix('=')?
        .trim_start();
    let end = match rest.chars().next()? {
        '[' => rest.find(']')?,
        '(' => rest.find(')')?,
        _ => return None,
    };
    let quoted = |mark: char| rest[..end].contains(&format!("{mark}{name}{mark}"));
    Some(quoted('"') || quoted('\''))
}
