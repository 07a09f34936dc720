//! The kind of a dependency (runtime, dev, peer, optional, direct), as its manifest lists it.
//!
//! Takes the words of a sentence and a line of a manifest. Returns `None` if the manifest does not
//! tell.

use grounds_repo::path::file_name;

use crate::code::Code;
use crate::verdict::Evidence;

/// The words before "dependency" that are decided, as alternatives of an expression.
pub(super) const WORDS: &str = concat!(
    "direct|indirect|transitive|optional|required|runtime|production|dev|development|build|peer|",
    "hard|only",
);

/// The part of a manifest that has a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Runtime,
    Dev,
    Build,
    Peer,
    Optional,
    /// Named for another package, as `// indirect` says.
    Indirect,
}

/// Reports whether the dependency of a line is of every kind that is said, or `None` if its
/// manifest does not tell.
pub(super) fn fits(words: &str, line: &Evidence, code: &Code<'_, '_>) -> Option<bool> {
    let section = section(line, code)?;
    let all: Vec<Option<bool>> = words
        .split_whitespace()
        .map(|word| is_of(word, section))
        .collect();
    match all.contains(&Some(false)) {
        true => Some(false),
        false => (!all.contains(&None)).then_some(true),
    }
}

/// Reports whether a line is in a manifest whose lists are read, but in none of them: a keyword, a
/// script.
pub(super) fn is_beside(line: &Evidence, code: &Code<'_, '_>) -> bool {
    let Evidence::Place { path, .. } = line else {
        return false;
    };
    let is_read = ["package.json", "composer.json", "Cargo.toml"].contains(&file_name(path));
    is_read && section(line, code).is_none()
}

fn is_of(word: &str, section: Section) -> Option<bool> {
    use Section as S;
    let is = |wanted: Section| Some(section == wanted);
    match word {
        "direct" => Some(section != S::Indirect),
        "indirect" | "transitive" => is(S::Indirect),
        "runtime" | "production" => match section {
            S::Runtime => Some(true),
            S::Dev | S::Build => Some(false),
            S::Peer | S::Optional | S::Indirect => None,
        },
        "required" | "hard" => (section == S::Runtime).then_some(true),
        "dev" | "development" => is(S::Dev),
        "build" => is(S::Build),
        // What is a peer is often in the list for development as well.
        "peer" if section == S::Dev => None,
        "peer" => is(S::Peer),
        "optional" if section == S::Peer => None,
        "optional" => is(S::Optional),
        _ => None,
    }
}

fn section(line: &Evidence, code: &Code<'_, '_>) -> Option<Section> {
    let Evidence::Place { path, line, text } = line else {
        return None;
    };
    let number = usize::try_from((*line)?).ok()?;
    let whole = code.facts.text(path)?;
    let above: Vec<&str> = whole.lines().take(number).collect();
    match file_name(path) {
        "package.json" | "composer.json" => of_json(&above),
        "Cargo.toml" => of_cargo(&above, text),
        "go.mod" => Some(match text.contains("// indirect") {
            true => Section::Indirect,
            false => Section::Runtime,
        }),
        "Gemfile" => None,
        name if name.ends_with(".gemspec") => Some(match text.contains("development") {
            true => Section::Dev,
            false => Section::Runtime,
        }),
        _ => None,
    }
}

/// Returns the object of a manifest in JSON that has the last of some lines.
fn of_json(above: &[&str]) -> Option<Section> {
    let (last, before) = above.split_last()?;
    // A manifest on one line has the list before the package; of two lists, either may have it.
    let is_several = last.matches("ependencies\"").count() > 1;
    let on_line = last.rsplit_once('{').map(|(before, _)| before);
    let mut above = before.iter().rev().copied();
    let opening = match on_line {
        Some(before) => (!is_several).then_some(before)?,
        None => {
            let line = above.find(|line| line.contains(['{', '}']))?;
            line.rsplit_once('{')?.0
        }
    };
    let key = opening.trim_end_matches([' ', ':']).strip_suffix('"')?;
    let key = key.rsplit('"').next()?;
    match key {
        "dependencies" | "require" => Some(Section::Runtime),
        "devDependencies" | "require-dev" => Some(Section::Dev),
        "peerDependencies" => Some(Section::Peer),
        "optionalDependencies" => Some(Section::Optional),
        _ => None,
    }
}

/// Returns the table of a manifest in TOML that has the last of some lines.
fn of_cargo(above: &[&str], text: &str) -> Option<Section> {
    let header = above.iter().rev().map(|line| line.trim());
    let header = header.into_iter().find(|line| line.starts_with('['))?;
    let table = header.trim_matches(['[', ']']);
    // `[dependencies.thing]` has what is optional on a line of its own.
    let last = table.rsplit('.').next().unwrap_or(table);
    match last {
        "dependencies" if text.contains("optional = true") => Some(Section::Optional),
        "dependencies" if table != "workspace.dependencies" => Some(Section::Runtime),
        "dev-dependencies" => Some(Section::Dev),
        "build-dependencies" => Some(Section::Build),
        _ => None,
    }
}
