//! Answers what one field of a manifest says: "which edition?", "what is the base image?"

use grounds_claims::Claim;
use grounds_evidence::ConfidenceLevel;

use super::{Desk, SettleResult, Settled, SettledSpot, Unsettled};

/// The kind of a claim about a field of a manifest.
pub(crate) const KIND: &str = "field of a manifest";

/// A field of manifests that questions ask for.
pub(crate) struct ManifestField {
    /// The phrases that ask for it, in singular; the first one is its name.
    pub(crate) phrases: &'static [&'static str],
    /// Its keys.
    keys: &'static [&'static str],
    /// The only manifest that has it; empty for any.
    file: &'static str,
}

/// The fields that people ask for. To add one, add a line.
pub(crate) const FIELDS: &[ManifestField] = &[
    field(&["edition"], &["edition"]),
    field(&["module path", "module name", "go module"], &["module"]),
    field(
        &["build backend", "build back-end", "build-backend"],
        &["build-backend"],
    ),
    field(
        &["entry point", "main entry", "main file", "entry file"],
        &["main", "mainClass"],
    ),
    field(&["base image", "image"], &["FROM"]),
    field(
        &["target framework", "framework"],
        &["TargetFramework", "TargetFrameworks"],
    ),
    field(&["language version", "c# version"], &["LangVersion"]),
    field_in("global.json", &["sdk version", "sdk"], &["version"]),
    field(&["package manager"], &["packageManager"]),
    field(
        &["homepage", "home page", "website"],
        &[
            "homepage",
            "Homepage",
            "homepage_uri",
            "PackageProjectUrl",
            "url",
        ],
    ),
    field(
        &["repository url", "source url"],
        &[
            "repository",
            "Repository",
            "RepositoryUrl",
            "source_code_uri",
        ],
    ),
    field(
        &[
            "package name",
            "crate name",
            "gem name",
            "module name",
            "npm name",
            "distribution name",
        ],
        &["name", "PackageId"],
    ),
    field(&["group id", "groupid"], &["groupId", "group"]),
    field(&["artifact id", "artifactid"], &["artifactId"]),
    field(&["resolver"], &["resolver"]),
    field(
        &["workspace member", "workspace"],
        &["members", "workspaces", "packages"],
    ),
];

const fn field(phrases: &'static [&'static str], keys: &'static [&'static str]) -> ManifestField {
    ManifestField {
        phrases,
        keys,
        file: "",
    }
}

const fn field_in(
    file: &'static str,
    phrases: &'static [&'static str],
    keys: &'static [&'static str],
) -> ManifestField {
    ManifestField {
        phrases,
        keys,
        file,
    }
}

impl ManifestField {
    /// Returns its name in claims.
    pub(crate) const fn name(&self) -> &'static str {
        self.phrases[0]
    }
}

/// Reports whether a claim is about a field of a manifest, or a list of a workflow.
pub(crate) fn is_one(claim: &Claim) -> bool {
    [KIND, super::workflow::KIND, super::workflow::SETTING]
        .contains(&claim.kind.as_deref().unwrap_or_default())
}

/// Decides what a field says: in the manifest that the claim names, else in the topmost ones that
/// have it.
pub(super) fn settle(claim: &Claim, desk: &Desk<'_, '_>) -> SettleResult {
    let name = claim.text(0).unwrap_or_default();
    let Some(field) = FIELDS.iter().find(|field| field.name() == name) else {
        return Err(Unsettled::unknown(format!(
            "`{name}` is no field of a manifest"
        )));
    };
    let mut spots: Vec<SettledSpot> = files(claim, desk)
        .iter()
        .flat_map(|(path, text)| lines(field, path, text))
        .collect();
    // A manifest further down belongs to a part of the project.
    let depth = |spot: &SettledSpot| spot.path.matches('/').count();
    let top = spots.iter().map(depth).min().unwrap_or(0);
    spots.retain(|spot| depth(spot) == top);
    if spots.is_empty() {
        return Err(Unsettled::unknown(format!(
            "no manifest has a field for the {name}"
        )));
    }
    let told = format!("The {name} is given here:");
    let settled = Settled::told(None, desk.section(told, &spots, 6));
    Ok(match spots.len() {
        1 => settled,
        _ => settled.at(
            ConfidenceLevel::Medium,
            "several lines of manifests fit".to_owned(),
        ),
    })
}

/// Returns the manifests, and the files that container images are built from.
fn files(claim: &Claim, desk: &Desk<'_, '_>) -> Vec<(String, String)> {
    // `Dockerfile.dev` is such a file too.
    let is_image = |path: &str| {
        path.rsplit('/')
            .next()
            .is_some_and(|name| name.starts_with("Dockerfile"))
    };
    let images = desk
        .tree
        .files
        .iter()
        .map(|file| file.as_str())
        .filter(|path| is_image(path));
    let images = images.filter_map(|path| desk.tree.text(path).map(|text| (path.to_owned(), text)));
    let mut files = desk.manifests();
    files.extend(images.take(super::manifest::MANIFESTS_MAX));
    for asked in &claim.scope.inside {
        let paths = desk.tree.files_of(asked);
        files.retain(|(path, _)| paths.iter().any(|one| one.as_str() == path));
    }
    files
}

/// Returns the lines of a manifest that give a field for the project itself.
fn lines(field: &ManifestField, path: &str, text: &str) -> Vec<SettledSpot> {
    let name = path.rsplit('/').next().unwrap_or(path);
    if !field.file.is_empty() && field.file != name {
        return Vec::new();
    }
    let is_own = |number: usize, line: &str| {
        let key = super::manifest::key(line);
        let last = key.rsplit('.').next().unwrap_or(key);
        // `s.homepage` of a gemspec has the object before the key.
        let is_dotted = key.contains('.') && name.ends_with("spec");
        let is_key = field.keys.contains(&key) || is_dotted && field.keys.contains(&last);
        // The build system and the workspace have sections of their own, outside of that of the
        // project.
        let is_of_build = key == "build-backend" || key == "members";
        is_key
            && (is_of_build
                || !field.file.is_empty()
                || super::manifest::is_of_project(name, number, text))
    };
    let all: Vec<&str> = text.lines().collect();
    let of_line = |(number, line): (usize, &&str)| {
        is_own(number, line.trim()).then(|| {
            let spot = SettledSpot::line(path, u32::try_from(number + 1).unwrap_or(0), "manifest");
            SettledSpot {
                line_end: spot.line + lines_of_list(&all[number..]),
                ..spot
            }
        })
    };
    all.iter().enumerate().filter_map(of_line).collect()
}

/// Limit on the lines of a list.
const LIST_MAX: u32 = 40;

/// Returns how many further lines a value has that opens a bracket and does not close it.
fn lines_of_list(lines: &[&str]) -> u32 {
    let opened = |line: &str| line.matches(['[', '{']).count() as i64;
    let closed = |line: &str| line.matches([']', '}']).count() as i64;
    let mut depth = 0;
    for (number, line) in (0..LIST_MAX).zip(lines) {
        depth += opened(line) - closed(line);
        if depth <= 0 {
            return number;
        }
    }
    0
}
