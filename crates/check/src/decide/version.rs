//! Decides a minimum version by the manifest.

use super::path::folders_around;
use crate::claim::TextClaim;
use crate::document::CheckedDocument;
use crate::facts::Facts;
use crate::kinds::Minimum;
use crate::verdict::{ClaimVerdict, Evidence};

/// Manifests, each with the texts that precede a minimum version in it.
const MINIMA: &[(&str, &str, &[&str])] = &[
    (
        "Python",
        "pyproject.toml",
        &["requires-python", "\npython ="],
    ),
    ("Python", "setup.py", &["python_requires"]),
    ("Python", "setup.cfg", &["python_requires"]),
    ("Node.js", "package.json", &["\"node\":"]),
    ("Rust", "Cargo.toml", &["rust-version"]),
    ("Go", "go.mod", &["\ngo "]),
    ("PHP", "composer.json", &["\"php\":"]),
];

pub(super) fn version(
    claim: &TextClaim,
    document: &CheckedDocument,
    facts: &Facts<'_>,
) -> ClaimVerdict {
    let language = claim.owners.first().map_or("", String::as_str);
    let Some(stated) = Minimum::parse(&claim.name) else {
        return ClaimVerdict::Unknown("the version could not be read".to_owned());
    };
    if is_of_another(document) {
        return ClaimVerdict::Unknown("the version may be that of a part or a plugin".to_owned());
    }
    // A language may have several manifests, as Python has. The first that states a minimum
    // decides.
    for (_, path, marks) in MINIMA.iter().filter(|(of, ..)| *of == language) {
        if is_of_part(document, path, facts) {
            return ClaimVerdict::Unknown(
                "a part of the tree has a manifest of its own".to_owned(),
            );
        }
        let Some((least, line, text)) = facts.text(path).and_then(|text| minimum(&text, marks))
        else {
            continue;
        };
        let evidence = Evidence::Place {
            path: (*path).to_owned(),
            line: Some(line),
            text,
        };
        return against(claim, &stated, &least, evidence);
    }
    ClaimVerdict::Unknown("no manifest states a minimum".to_owned())
}

/// Returns the verdict on a stated version, against the least one of a manifest.
fn against(
    claim: &TextClaim,
    stated: &Minimum,
    least: &Minimum,
    evidence: Evidence,
) -> ClaimVerdict {
    // `3.8` fits `3.8.1`: only the parts that both have are compared.
    let width = stated.0.len().min(least.0.len());
    let (said, asked) = (&stated.0[..width], &least.0[..width]);
    // A higher version may be for what is made with the project: "building wheels for Python 3.8+".
    let is_least = claim.states_least() && said > asked && claim.requires();
    if said >= asked && !is_least {
        return ClaimVerdict::Holds(evidence);
    }
    // An older version that is only mentioned may be that of what the project works on: "formatting
    // Python 2 code".
    let is_supported = claim.around.to_ascii_lowercase().contains("support");
    if is_supported && !claim.states_least() && !claim.requires() {
        return ClaimVerdict::Unknown("it is not said to be the least".to_owned());
    }
    let written: Vec<String> = least.0.iter().map(u64::to_string).collect();
    let written = written.join(".");
    let language = claim.owners.first().map_or("", String::as_str);
    ClaimVerdict::Contradicted {
        instead: format!("{language} {written} is the minimum"),
        closest: Some(written),
        evidence: vec![evidence],
    }
}

/// Reports whether a document below the top is the first page of a part, or one about a plugin.
fn is_of_another(document: &CheckedDocument) -> bool {
    const PARTS: [&str; 7] = [
        "plugin",
        "extension",
        "addon",
        "integration",
        "package",
        "contrib",
        "third-party",
    ];
    let lower = document.name.to_ascii_lowercase();
    let Some((folders, name)) = lower.rsplit_once('/') else {
        return false;
    };
    let is_part = |folder: &str| PARTS.contains(&folder.trim_end_matches('s'));
    let is_hidden = folders.starts_with('.');
    !is_hidden && name.starts_with("readme") || folders.split('/').any(is_part)
}

/// Reports whether a folder around a document, below the top, has a manifest of its own.
fn is_of_part(document: &CheckedDocument, manifest: &str, facts: &Facts<'_>) -> bool {
    let mut folders = folders_around(document).into_iter().skip(1);
    folders.any(|folder| facts.files.contains(&format!("{folder}/{manifest}")))
}

fn minimum(text: &str, marks: &[&str]) -> Option<(Minimum, u32, String)> {
    let at = marks
        .iter()
        .find_map(|mark| text.find(mark).map(|at| at + mark.len()))?;
    let rest = text[at..].lines().next().unwrap_or_default();
    let from = rest.find(|letter: char| letter.is_ascii_digit())?;
    // `<4` is an upper limit.
    if rest[..from].contains('<') {
        return None;
    }
    let line = text[..at].lines().count();
    Some((
        Minimum::parse(&rest[from..])?,
        u32::try_from(line).unwrap_or(u32::MAX),
        rest.trim().to_owned(),
    ))
}
