//! The public part of a change: definitions whose own syntax says so, compared between both sides.

use std::collections::BTreeMap;

use grounds_evidence::FileRole;
use grounds_repo::labels::parse_is_late;
use grounds_repo::path::file_name;
use grounds_syntax::{Parser, languages};

use super::{FileStatus, Touched};

/// Most definitions of one side that are compared.
const DEFINITIONS_MAX: usize = 20_000;

/// The first difference of a file's public definitions: its line in the tree and what differs.
pub(super) enum Difference {
    /// A public definition is new, gone, or has another head.
    Found(u32, String),
    /// No public definition differs.
    None,
    /// The file's language does not say what is public, or a side could not be read.
    Unknown,
}

/// Compares both sides of a file.
pub(super) fn difference(file: &Touched) -> Difference {
    if !matches!(file.role(), FileRole::Source | FileRole::Header) {
        return Difference::None;
    }
    // A new or removed file has no definitions on one side. On the others, a text that is not here
    // could not be read.
    let read = |text: &Option<String>, path: &str, lacks: FileStatus| match text {
        Some(text) => heads(path, text),
        None => (file.status == lacks).then(BTreeMap::new),
    };
    let earlier = file.path_before.as_ref().unwrap_or(&file.path);
    let (Some(before), Some(after)) = (
        read(&file.before, earlier, FileStatus::Added),
        read(&file.after, &file.path, FileStatus::Removed),
    ) else {
        return Difference::Unknown;
    };
    let lost = before.iter().find(|(name, _)| !after.contains_key(*name));
    if let Some((name, _)) = lost {
        // The tree has no line of what is gone, so the file as a whole is shown.
        return Difference::Found(0, format!("public `{name}` is removed"));
    }
    let other = after
        .iter()
        .find_map(|(name, (line, head))| match before.get(name) {
            None => Some((*line, format!("public `{name}` is new"))),
            Some((_, known)) if known != head => {
                Some((*line, format!("public `{name}` has another signature")))
            }
            Some(_) => None,
        });
    other.map_or(Difference::None, |(line, words)| {
        Difference::Found(line, words)
    })
}

/// Returns the public definitions of a text with their lines and heads, or `None` if the language
/// does not say what is public.
fn heads(path: &str, text: &str) -> Option<BTreeMap<String, (u32, String)>> {
    let name = file_name(path);
    let source = text.as_bytes();
    let language = languages::of_file(name, source)?;
    let parser = Parser::default();
    let parse = parser.parse(language, source, &parse_is_late()).ok()?;
    let mut found = BTreeMap::new();
    let mut tells = false;
    for (place, _) in parse.definitions(DEFINITIONS_MAX) {
        let label = parse.label(place.clone());
        let Some(is_public) = parse.is_public(&place, &label) else {
            continue;
        };
        tells = true;
        if !is_public {
            continue;
        }
        let mut named = label.containers.clone();
        named.push(text[place.clone()].to_owned());
        let head = text
            .get(parse.signature(&place, &label))
            .unwrap_or_default();
        // A head that is only wrapped in another way is the same.
        let head = head.split_whitespace().collect::<Vec<_>>().join(" ");
        let line = text[..place.start].matches('\n').count() + 1;
        found.insert(
            named.join("."),
            (u32::try_from(line).unwrap_or(u32::MAX), head),
        );
    }
    // In a language without a mark for what is public, no definition would tell, and nothing could
    // be said.
    (tells || text.trim().is_empty()).then_some(found)
}
