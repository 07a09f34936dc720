//! Finds aliases under which files use an import: `from users import Admin as Boss`,
//! `import { a as b }`, `const { a: b } = require("…")`, `use users::Admin as Boss`,
//! `export { a as b }`; and the name that `@JvmName` gives a function of Kotlin for Java.

use std::collections::BTreeSet;

use grounds_evidence::Relation;
use grounds_repo::labels::LabelledPlace;
use grounds_repo::relations;

use super::subject::ClaimSubject;
use crate::understand::QuestionTree;
use crate::understand::tree::KnownName;

/// An alias that an import, an export or an annotation gives to the name of a claim.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct OtherName {
    name: String,
    reach: Reach,
}

/// Where an alias can be used.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    /// In one file.
    File(String),
    /// Everywhere: a file re-exports it.
    Everywhere,
    /// In Java, on the class that Kotlin makes of a file.
    JavaClass(String),
    /// In Java, on a value of the type that has the member.
    JavaMember,
}

/// The sites that use a subject by an alias.
#[derive(Debug, Default)]
pub(super) struct RenamedUses {
    pub(super) own: Vec<LabelledPlace>,
    /// Sites of a re-exported alias that something else has as its name too.
    pub(super) open: Vec<LabelledPlace>,
}

/// Returns the sites that use a subject by an alias, found in one pass for all aliases.
pub(super) fn uses(subject: &ClaimSubject, tree: &QuestionTree<'_>) -> RenamedUses {
    // All aliases are followed: with a limit, calls were missing from lists and absences.
    let others = names(subject.known.places(), tree);
    let texts: Vec<&str> = others.iter().map(|other| other.name.as_str()).collect();
    let mut found = RenamedUses::default();
    for (other, known) in others.iter().zip(tree.know(&texts)) {
        let of_java = known.uses().filter(|place| place.language == "Java");
        match &other.reach {
            Reach::File(path) => {
                let is_here = |place: &&LabelledPlace| place.path.as_str() == path;
                found.own.extend(known.uses().filter(is_here).cloned());
            }
            Reach::JavaClass(class) => {
                of_java.for_each(|place| match is_of_class(place, class, tree) {
                    Some(true) => found.own.push(place.clone()),
                    Some(false) => {}
                    None => found.open.push(place.clone()),
                })
            }
            Reach::JavaMember => found.open.extend(of_java.cloned()),
            Reach::Everywhere if !known.is_defined() => found.own.extend(known.uses().cloned()),
            // Only files that import the alias can mean the re-exported one.
            Reach::Everywhere => found.open.extend(in_importers(&known)),
        }
    }
    found
}

/// Returns the uses of a name in the files that import it.
fn in_importers(known: &KnownName) -> Vec<LabelledPlace> {
    let imports = known.places().iter();
    let importers: BTreeSet<&str> = imports
        .filter(|place| place.relation == Relation::Imports)
        .map(|place| place.path.as_str())
        .collect();
    let is_there = |place: &&LabelledPlace| importers.contains(place.path.as_str());
    known.uses().filter(is_there).cloned().collect()
}

/// Reports whether some file uses a name by an alias.
pub(crate) fn is_renamed(name: &str, tree: &QuestionTree<'_>) -> bool {
    let last = crate::understand::tree::last_part(name);
    let known = tree.know(&[last]).remove(0);
    !names(known.places(), tree).is_empty()
}

/// Returns the aliases under which a name is re-exported.
pub(super) fn handed_on(subject: &ClaimSubject, tree: &QuestionTree<'_>) -> Vec<String> {
    let names = names(subject.known.places(), tree).into_iter();
    let is_handed_on = |other: &OtherName| other.reach == Reach::Everywhere;
    names.filter(is_handed_on).map(|other| other.name).collect()
}

fn names(places: &[LabelledPlace], tree: &QuestionTree<'_>) -> BTreeSet<OtherName> {
    let other = |place: &LabelledPlace| {
        let text = tree.text(place.path.as_str())?;
        let line = text.lines().nth(place.line.checked_sub(1)? as usize)?;
        let name = given(line, place.column.checked_sub(1)? as usize, &place.name)?;
        let is_handed_on = is_export(line) || is_listed(line) && is_in_export(&text, place.line);
        let reach = match is_handed_on {
            true => Reach::Everywhere,
            false => Reach::File(place.path.as_str().to_owned()),
        };
        Some(OtherName {
            name: name.to_owned(),
            reach,
        })
    };
    let is_brought = |place: &&LabelledPlace| {
        place.relation == Relation::Imports || place.relation == Relation::References
    };
    let all = places.iter().filter(is_brought).filter_map(other);
    let for_java = places.iter().filter_map(|place| for_java(place, tree));
    all.chain(for_java).collect()
}

/// Returns the name that an annotation gives a definition of Kotlin for Java.
fn for_java(place: &LabelledPlace, tree: &QuestionTree<'_>) -> Option<OtherName> {
    if place.language != "Kotlin" || place.relation != Relation::Defines {
        return None;
    }
    let text = tree.text(place.path.as_str())?;
    let lines: Vec<&str> = text.lines().take(place.line as usize).collect();
    let (line, above) = lines.split_last()?;
    let is_annotation = |line: &&&str| line.trim_start().starts_with('@');
    let annotations = above.iter().rev().take_while(is_annotation).copied();
    let head = line.get(..place.column.saturating_sub(1) as usize)?;
    let mut around = std::iter::once(head).chain(annotations);
    let name = around.find_map(|line| java_name(line, "JvmName"))?;
    let reach = match place.containers.is_empty() {
        true => Reach::JavaClass(class_of_file(place.path.stem(), &text)),
        false => Reach::JavaMember,
    };
    (name != place.name).then(|| OtherName {
        name: name.to_owned(),
        reach,
    })
}

/// Returns the name in an annotation of a line: `@JvmName("load")`, `@get:JvmName("size")`.
fn java_name<'l>(line: &'l str, annotation: &str) -> Option<&'l str> {
    let (before, rest) = line.split_once(annotation)?;
    let rest = rest.trim_start().strip_prefix('(')?;
    let rest = rest.trim_start().trim_start_matches("name = ");
    let name = rest.strip_prefix('"')?.split('"').next()?;
    (before.ends_with(['@', ':']) && !name.is_empty()).then_some(name)
}

/// Returns the class that Kotlin makes of a file for Java: that of `@file:JvmName("Shop")`, or
/// `ShopKt` for `Shop.kt`.
fn class_of_file(stem: &str, text: &str) -> String {
    let named = text
        .lines()
        .find_map(|line| java_name(line, "file:JvmName"));
    let mut letters = stem.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    let own = || format!("{}{}Kt", first.unwrap_or_default(), letters.as_str());
    named.map_or_else(own, str::to_owned)
}

/// Reports whether a use in Java is on a class; `None` if a static import may bring the name in.
fn is_of_class(place: &LabelledPlace, class: &str, tree: &QuestionTree<'_>) -> Option<bool> {
    let text = tree.text(place.path.as_str())?;
    let line = text.lines().nth(place.line.checked_sub(1)? as usize)?;
    let last = |text: &str| text.rsplit('.').next().map(str::to_owned);
    match relations::receiver(line, place.column).and_then(last) {
        Some(receiver) => Some(receiver == class),
        None => {
            let is_static = |line: &str| line.starts_with("import static") && line.contains(class);
            (!text.lines().any(is_static)).then_some(false)
        }
    }
}

/// Returns the alias that a line gives to an imported or exported name.
fn given<'l>(line: &'l str, column: usize, name: &str) -> Option<&'l str> {
    const STARTS: [&str; 6] = ["import ", "from ", "use ", "pub ", "export ", "} "];
    let after = line.get(column..)?.strip_prefix(name)?;
    let brings = STARTS
        .iter()
        .any(|start| line.trim_start().starts_with(start));
    let is_unpacked = ["require(", "import("]
        .iter()
        .any(|call| line.contains(call));
    let other = match after.trim_start().strip_prefix("as ") {
        // In a list over several lines, a line has only the names.
        Some(other) if brings || is_listed(line) => other,
        _ if is_unpacked => after.trim_start().strip_prefix(':')?,
        _ => return None,
    };
    let other = other.trim_start();
    let end = other.find(|letter: char| !(letter.is_alphanumeric() || "_$".contains(letter)));
    let other = &other[..end.unwrap_or(other.len())];
    (!other.is_empty() && other != "_" && other != name).then_some(other)
}

/// Reports whether a line re-exports names.
fn is_export(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("export ") || line.starts_with("pub use ")
}

/// Reports whether the list of a line belongs to an export: the nearest line above it that opens
/// one.
fn is_in_export(text: &str, line: u32) -> bool {
    let above: Vec<&str> = text.lines().take(line.saturating_sub(1) as usize).collect();
    let opens = above
        .iter()
        .rev()
        .find(|line| line.trim_end().ends_with('{'));
    opens.is_some_and(|line| is_export(line))
}

/// Reports whether a line has nothing but names: `    Admin as Boss,`.
fn is_listed(line: &str) -> bool {
    line.trim()
        .chars()
        .all(|letter| letter.is_alphanumeric() || "_$, {}".contains(letter))
}

#[cfg(test)]
mod tests {
    use super::{class_of_file, given, java_name};

    #[test]
    fn an_annotation_gives_a_name_for_java() {
        let of = |line| java_name(line, "JvmName");
        assert_eq!(of("@JvmName(\"load\")"), Some("load"));
        assert_eq!(of("@get:JvmName(\"size\") val count"), Some("size"));
        assert_eq!(of("@NotJvmName(\"load\")"), None);
        assert_eq!(of("// JvmName(\"load\")"), None);
        assert_eq!(class_of_file("shop", "package a"), "ShopKt");
        assert_eq!(class_of_file("shop", "@file:JvmName(\"Till\")"), "Till");
        assert_eq!(
            class_of_file("a", "@file:JvmMultifileClass @file:JvmName(\"B\")"),
            "B"
        );
    }

    #[test]
    fn a_line_gives_another_name() {
        let of =
            |line: &str| given(line, line.find("Admin").unwrap_or(0), "Admin").map(str::to_owned);
        let boss = Some("Boss".to_owned());
        assert_eq!(of("from .users import Admin as Boss"), boss);
        assert_eq!(of("from .users import (User, Admin as Boss)"), boss);
        assert_eq!(of("    Admin as Boss,"), boss);
        assert_eq!(of("import { Admin as Boss } from './users'"), boss);
        assert_eq!(of("const { Admin: Boss } = require('./users')"), boss);
        assert_eq!(of("pub use users::Admin as Boss;"), boss);
        assert_eq!(of("use a::{Admin as Boss, B};"), boss);
        assert_eq!(of("import a.Admin as Boss"), boss);
        assert_eq!(of("use crate::Admin as _;"), None);
        assert_eq!(of("except Admin as error:"), None);
        assert_eq!(of("let x = Admin as u8;"), None);
        assert_eq!(of("with Admin as boss:"), None);
    }
}
