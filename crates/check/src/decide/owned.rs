//! A name that a text has below the project's own package, where no code of the tree has it.
//!
//! Given a name that a text has below the project's own package, returns the file which shows that
//! the package is here and lacks it. Returns `None` if the package may bring the name in a way that
//! its text does not show, or if it is not this tree's. A name alone never accuses: it may be
//! anybody's.

use super::file;
use crate::claim::TextClaim;
use crate::facts::Facts;
use crate::mention::MentionContext;
use crate::verdict::ClaimVerdict;

/// Shortest name, in letters, that is looked for.
const LETTERS_MIN: usize = 4;

/// Returns the verdict on a name that the package of its owners lacks.
pub(super) fn lacking(claim: &TextClaim, facts: &Facts<'_>) -> Option<ClaimVerdict> {
    let is_shown =
        !matches!(claim.context, MentionContext::Prose) && claim.name.len() >= LETTERS_MIN;
    let owners: Vec<&str> = claim.owners.iter().map(String::as_str).collect();
    let of_owners = match owners.as_slice() {
        _ if !is_shown => None,
        // Python and Go have one owner before a name, while PHP writes the whole namespace:
        // `Thing\Parts\Name`.
        [package] => of_python(package, claim, facts).or_else(|| of_go(package, claim, facts)),
        [root, folders @ ..] if !folders.is_empty() => of_php(root, folders, claim, facts),
        _ => None,
    };
    let home = of_owners?;
    Some(ClaimVerdict::Contradicted {
        instead: format!(
            "no code here has `{}`, and `{home}` is its owner",
            claim.name
        ),
        closest: None,
        evidence: vec![file(&home)],
    })
}

/// Reports whether an example is of a language, or names none.
fn is_of(claim: &TextClaim, languages: &[&str]) -> bool {
    match &claim.context {
        MentionContext::Fence(language) => {
            language.is_empty() || languages.contains(&language.as_str())
        }
        MentionContext::Span => true,
        MentionContext::Link | MentionContext::Prose => false,
    }
}

/// Returns the first file of a package of Python that brings its names one by one.
fn of_python(package: &str, claim: &TextClaim, facts: &Facts<'_>) -> Option<String> {
    let homes = ["", "src/"].map(|folder| format!("{folder}{package}/__init__.py"));
    let home = homes.into_iter().find(|home| facts.files.contains(home))?;
    let text = facts.text(&home)?;
    // Such a file may bring names that its text does not spell out.
    let is_open = [
        "__getattr__",
        "import *",
        "globals()",
        "lazy",
        "setattr",
        "__path__",
    ]
    .iter()
    .any(|mark| text.contains(mark));
    (!is_open && is_of(claim, &["python", "py", "pycon"])).then_some(home)
}

/// Returns the manifest of a module of Go whose package at the top has the name of the owner.
fn of_go(package: &str, claim: &TextClaim, facts: &Facts<'_>) -> Option<String> {
    // A small letter makes a name private to its package, so a document may mean a variable.
    let is_exported = claim
        .name
        .starts_with(|first: char| first.is_ascii_uppercase());
    let manifest = facts.text("go.mod").filter(|_| is_exported)?;
    let module = manifest
        .lines()
        .find_map(|line| line.strip_prefix("module "))?;
    // `example.com/thing/v2` is a later major version of `thing`.
    let last = module.trim().rsplit('/').find(|part| !is_major(part))?;
    let is_at_top = facts
        .files
        .iter()
        .any(|path| !path.contains('/') && path.ends_with(".go"));
    // A module path without a slash may be one of the standard library, whose package is another
    // one.
    let is_own = last == package && module.contains('/') && is_at_top;
    (is_own && is_of(claim, &["go", "golang"])).then(|| "go.mod".to_owned())
}

/// Reports whether a part of a module's path is its major version: `v2`.
fn is_major(part: &str) -> bool {
    let number = part.strip_prefix('v').unwrap_or_default();
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the folder with the types of a namespace of PHP, one in each file, as the manifest says.
fn of_php(root: &str, folders: &[&str], claim: &TextClaim, facts: &Facts<'_>) -> Option<String> {
    let is_type = claim
        .name
        .starts_with(|first: char| first.is_ascii_uppercase());
    let manifest = facts.text("composer.json").filter(|_| is_type)?;
    // JSON writes the one backslash after the namespace as two.
    let mark = format!("\"{root}\\\\\":");
    let (_, rest) = manifest.split_once("\"psr-4\"")?.1.split_once(&mark)?;
    let home = rest.trim_start().strip_prefix('"')?.split('"').next()?;
    let folder = format!("{}/{}", home.trim_end_matches('/'), folders.join("/"));
    let folder = folder.trim_start_matches("./").trim_start_matches('/');
    let is_here = facts.folders.contains(folder);
    (is_here && is_of(claim, &["php"])).then(|| folder.to_owned())
}
