//! What a word for parts means in a language: properties, attributes, and who may use a part.

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
/// Languages in which an attribute is no field: it stands before a definition.
const WITH_ATTRIBUTES: &str = "C# PHP Rust";
/// Lines of decorators above a method.
const DECORATORS_MAX: usize = 8;

/// A word for a kind of parts, as the language of a type has it.
pub(super) fn in_language<'k>(kind: &'k str, place: &LabelledPlace) -> Result<&'k str, Unsettled> {
    match kind {
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

/// Whether a member is a property, as its language says it.
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

/// `@property`, `@functools.cached_property`, `@reify` above a method.
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

/// What stands before a name on its line.
fn before(part: &PartOfDefinition, desk: &Desk<'_, '_>) -> String {
    let text = desk.tree.text(part.path.as_str()).unwrap_or_default();
    let line = text.lines().nth(part.line.saturating_sub(1) as usize);
    let line = line.unwrap_or_default();
    let before = line.split(part.name.as_str()).next();
    before.unwrap_or_default().to_owned()
}

/// The methods that a type has outside of its own braces: in its file, and of Go in its folder.
pub(super) fn outside(place: &LabelledPlace, desk: &Desk<'_, '_>) -> Vec<PartOfDefinition> {
    let folder = |path: &str| {
        path.rsplit_once('/')
            .map_or(String::new(), |(folder, _)| folder.to_owned())
    };
    let own = folder(place.path.as_str());
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

/// Whether the special methods of Python are left out: by their names they are for the language.
pub(super) fn leaves_special(adjective: Option<&str>, place: &LabelledPlace) -> bool {
    place.language == "Python" && adjective.and_then(visibility).is_some()
}

/// Whether more may use a part than its own type, and not everyone.
pub(super) fn is_between(part: &PartOfDefinition, desk: &Desk<'_, '_>) -> bool {
    let head = format!("{} {}", before(part, desk), part.head);
    let says = |word: &str| imports::has_word(&head, word);
    let is_of_package = part.path.as_str().ends_with(".java") && !says("private");
    is_of_package || says("protected") || says("internal") || head.contains("pub(")
}

/// Whether a name of Python is exported, where an `__all__` of its module or of a package around it says so.
///
/// # Errors
/// [`Unsettled`] where that is not a plain list, or where the language says who can link a name and not who may use it.
pub(super) fn exported(
    claim: &Claim,
    own: &[&LabelledPlace],
    wants: bool,
    desk: &Desk<'_, '_>,
) -> Result<Option<Settled>, Unsettled> {
    let word = claim.kind.as_deref().unwrap_or_default();
    let spots: Vec<SettledSpot> = own.iter().map(|place| definition_spot(place)).collect();
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
    // A list that has the name is cited before one that does not.
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

/// Whether all definitions are functions of C that other files can link.
fn can_be_linked(own: &[&LabelledPlace], desk: &Desk<'_, '_>) -> bool {
    let is_of_c =
        |place: &&LabelledPlace| place.language == "C" && place.kind == Some(SymbolKind::Function);
    !own.is_empty() && own.iter().all(is_of_c) && !is_static(own, desk)
}

/// The files around a definition that have an `__all__`, and whether it lists the name.
///
/// # Errors
/// [`Unsettled`] where an `__all__` is no plain list, or a file cannot be read.
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

/// The file of a definition, and `__init__.py` of the packages around it.
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

/// Whether the plain list `__all__` of a text has a name; `None` if the text has no such list.
fn listed(text: &str, name: &str) -> Option<bool> {
    let mut all = text.match_indices("__all__");
    let (at, _) = all.next()?;
    // What is added to it further down is not read.
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
