//! Decides what the project depends on, as its manifests list it.

use grounds_claims::{Claim, Quantifier};
use grounds_evidence::ConfidenceLevel;

use super::manifest::{MANIFESTS_MAX, is_manifest, own_manifest};
use super::{Desk, SettleResult, Settled, SettledSpot, Unsettled, counted};
use crate::words::is_in;

/// One dependency of a manifest.
struct Dependency {
    name: String,
    is_dev: bool,
    /// Whether only a build of the project needs it.
    is_build: bool,
    spot: SettledSpot,
}

/// Decides whether the project depends on a package, or lists all.
pub(super) fn settle(claim: &Claim, desk: &Desk<'_, '_>) -> SettleResult {
    let manifests = desk.manifests();
    let of_one = |(path, text): &(String, String)| of_manifest(path, text);
    let mut all: Vec<Dependency> = manifests.iter().flat_map(of_one).collect();
    // A Ruby library lists its dependencies for users in its gemspec, and those for contributors in
    // a Gemfile.
    let has_gemspec = manifests.iter().any(|(path, _)| path.ends_with(".gemspec"));
    for one in all
        .iter_mut()
        .filter(|one| one.spot.path.ends_with("Gemfile"))
    {
        one.is_dev |= has_gemspec;
    }
    keep_kind(&mut all, claim.kind.as_deref());
    if all.is_empty() {
        return Err(Unsettled::unknown(
            "no manifest that lists dependencies was read",
        ));
    }
    let Some(wanted) = claim.text(0) else {
        let depth = |one: &Dependency| one.spot.path.matches('/').count();
        let top = all.iter().map(depth).min().unwrap_or(0);
        // Manifests of nested packages list dependencies of their own.
        all.retain(|one| depth(one) == top);
        return Ok(of_packages(claim, all, desk));
    };
    if all.iter().any(|one| is_same(&one.name, wanted)) {
        return Ok(whether(claim, wanted, &all, desk));
    }
    if !is_read_whole(wanted, &manifests, desk) {
        return Err(Unsettled::unknown(format!(
            "no manifest was seen to list `{wanted}`, and not all that they say is read"
        )));
    }
    Ok(whether(claim, wanted, &all, desk))
}

/// Keeps the dependencies for one purpose.
fn keep_kind(all: &mut Vec<Dependency>, kind: Option<&str>) {
    match kind {
        Some("dev") => all.retain(|one| one.is_dev && !one.is_build),
        Some("build") => all.retain(|one| one.is_build),
        Some("runtime") => all.retain(|one| !one.is_dev),
        _ => {}
    }
}

/// Lists the dependencies of the package with the name of the project. If several packages have
/// lists and none has that name, lists all of them, at Medium.
fn of_packages(claim: &Claim, mut all: Vec<Dependency>, desk: &Desk<'_, '_>) -> Settled {
    let first = all
        .first()
        .map(|one| one.spot.path.clone())
        .unwrap_or_default();
    let is_one = |one: &Dependency| one.spot.path == first;
    if !first.contains('/') || all.iter().all(is_one) {
        return listed(claim, &all, desk);
    }
    let projects = desk.tree.projects.iter();
    let own = projects.filter_map(|name| own_manifest(name, desk)).next();
    if let Some(own) = own.filter(|own| all.iter().any(|one| one.spot.path == *own)) {
        all.retain(|one| one.spot.path == own);
        return listed(claim, &all, desk);
    }
    let listed = listed(claim, &all, desk);
    listed.at(ConfidenceLevel::Medium, "several packages list their own")
}

/// Reports whether every manifest was read, and none even mentions the package.
fn is_read_whole(wanted: &str, manifests: &[(String, String)], desk: &Desk<'_, '_>) -> bool {
    let paths = desk.manifest_paths();
    // A manifest may list the package in a form that is not parsed.
    let names = |text: &str| plain(text).contains(&plain(wanted));
    let is_other = |path: &&str| is_manifest(path) && !paths.iter().any(|one| one == path);
    let files = desk.tree.files.iter().map(|file| file.as_str());
    let others: Vec<&str> = files.filter(is_other).take(MANIFESTS_MAX).collect();
    let mut texts = others.iter().map(|path| desk.tree.text(path));
    // Manifests outside of the read ones, such as those of tests, may list the package too.
    let is_named = others.len() == MANIFESTS_MAX
        || manifests.iter().any(|(_, text)| names(text))
        || texts.any(|text| text.is_none_or(|text| names(&text)));
    let mut skipped = desk.tree.missing().skipped.keys();
    let is_whole = !skipped.any(|reason| reason.could_matter());
    is_whole && !is_named && paths.len() == manifests.len() && paths.len() < MANIFESTS_MAX
}

fn plain(text: &str) -> String {
    text.to_lowercase().replace('_', "-")
}

/// Reports whether two names are of one package.
fn is_same(name: &str, wanted: &str) -> bool {
    let (name, wanted) = (plain(name), plain(wanted));
    name == wanted || name.rsplit(['/', ':']).any(|part| part == wanted)
}

/// Answers whether a package is among the dependencies.
fn whether(claim: &Claim, wanted: &str, all: &[Dependency], desk: &Desk<'_, '_>) -> Settled {
    let found: Vec<&Dependency> = all
        .iter()
        .filter(|one| is_same(&one.name, wanted))
        .collect();
    let mut spots: Vec<SettledSpot> = found.iter().map(|one| one.spot.clone()).collect();
    let is_listed = !spots.is_empty();
    let for_whom = match found.iter().all(|one| one.is_dev) {
        true => " for development alone",
        false => "",
    };
    let told = if is_listed {
        format!("`{wanted}` is listed as a dependency{for_whom}:")
    } else {
        spots = all.iter().map(|one| one.spot.clone()).collect();
        spots.dedup_by(|one, other| one.path == other.path);
        format!("no manifest lists `{wanted}` as a dependency.")
    };
    let holds = is_listed != claim.is_negated;
    let word = if holds { "Yes" } else { "No" };
    Settled::told(
        Some(holds),
        desk.section(format!("{word}: {told}"), &spots, 1),
    )
}

fn listed(claim: &Claim, all: &[Dependency], desk: &Desk<'_, '_>) -> Settled {
    let names = |is_one: &dyn Fn(&Dependency) -> bool| -> Vec<String> {
        let some = all.iter().filter(|one| is_one(one));
        some.map(|one| format!("`{}`", one.name)).collect()
    };
    let run = names(&|one| !one.is_dev);
    let dev = names(&|one| one.is_dev && !one.is_build);
    let build = names(&|one| one.is_build);
    let mut told = Vec::new();
    if !run.is_empty() {
        told.push(format!(
            "{}: {}.",
            counted(run.len(), "dependency"),
            run.join(", ")
        ));
    }
    for (what, names) in [("For development", &dev), ("For the build", &build)] {
        if !names.is_empty() {
            told.push(format!("{what} {}: {}.", names.len(), names.join(", ")));
        }
    }
    let spots: Vec<SettledSpot> = all.iter().map(|one| one.spot.clone()).collect();
    let has_others = !dev.is_empty() || !build.is_empty();
    // "How many dependencies?" may include those for development or not.
    let is_open = claim.quantifier == Quantifier::Count && claim.kind.is_none() && has_others;
    let settled = Settled::told(None, desk.section(told.join(" "), &spots, 1));
    match is_open {
        true => settled.at(
            ConfidenceLevel::Medium,
            "development dependencies are listed separately",
        ),
        false => settled,
    }
}

/// Returns the dependencies of one manifest, by its own form.
fn of_manifest(path: &str, text: &str) -> Vec<Dependency> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let mut section = String::new();
    let mut found = Vec::new();
    for (number, line) in (1_u32..).zip(text.lines()) {
        let trimmed = line.trim();
        section = section_after(&section, trimmed, name);
        // A workspace offers these to its packages, and none of them has to use one.
        let is_shared = section == "workspace.dependencies";
        let is_entry = !is_shared && !trimmed.starts_with('[');
        let package = match trimmed.starts_with('[') && name == "Cargo.toml" {
            true => table_of(&section),
            false => package_in(trimmed, &section, name).filter(|_| is_entry),
        };
        let Some(package) = package else {
            continue;
        };
        let is_dev = is_of_development(&section)
            || trimmed.contains("development_dependency")
            || trimmed.starts_with("testImplementation");
        found.push(Dependency {
            name: package,
            is_dev,
            is_build: section.contains("build-dependencies"),
            spot: SettledSpot::line(path, number, "dependency"),
        });
    }
    found
}

/// Returns the package of a table of its own: `[dependencies.clap]`.
fn table_of(section: &str) -> Option<String> {
    let (table, package) = section.rsplit_once('.')?;
    table.ends_with("dependencies").then(|| package.to_owned())
}

/// Reports whether a section lists dependencies for contributors only.
fn is_of_development(section: &str) -> bool {
    let section = section.to_lowercase();
    let words = ["dev", "test", "build", "dependency-groups", "docs", "lint"];
    words.iter().any(|word| section.contains(word))
}

/// Returns the section of the lines after a line. In `pyproject.toml` an array has its key after
/// that of its table: `dependency-groups/test`.
fn section_after(section: &str, line: &str, manifest: &str) -> String {
    let opens = match manifest {
        "package.json" | "composer.json" => line
            .ends_with('{')
            .then(|| line.split('"').nth(1).unwrap_or_default()),
        "go.mod" => line.strip_suffix(" ("),
        "pyproject.toml" => {
            let (table, is_array) = match section.split_once('/') {
                Some((table, _)) => (table, true),
                None => (section, false),
            };
            // `dev = [` begins an array in `[project.optional-dependencies]`.
            if let Some(key) = line.strip_suffix('[') {
                return format!("{table}/{}", key.trim_end_matches([' ', '=']));
            }
            if is_array && matches!(line, "]" | "],") {
                return table.to_owned();
            }
            line.strip_prefix('[')
                .and_then(|rest| rest.strip_suffix(']'))
        }
        _ => line
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']')),
    };
    let closes = matches!(line, "}" | "}," | ")" | "]" | "],");
    match opens {
        Some(name) => name.trim_matches(['[', ']', '"']).to_owned(),
        None if closes => String::new(),
        None => section.to_owned(),
    }
}

/// Returns the package that a line of a manifest lists.
fn package_in(line: &str, section: &str, manifest: &str) -> Option<String> {
    let package = match manifest {
        "Cargo.toml" => {
            let is_list = section.ends_with("dependencies") && !line.starts_with('#');
            key_of(line).filter(|_| is_list)
        }
        "package.json" | "composer.json" => in_json(line, section),
        "pyproject.toml" => in_pyproject(line, section),
        "go.mod" => {
            let rest = line
                .strip_prefix("require ")
                .or((section == "require").then_some(line))?;
            // An indirect module is needed by another one, and not by the project.
            let is_direct = rest.contains(" v") && !line.contains("// indirect");
            is_direct.then(|| word_of(rest))
        }
        "Gemfile" => line.strip_prefix("gem ").and_then(|_| quoted(line)),
        "build.gradle" | "build.gradle.kts" => in_gradle(line),
        other if other.ends_with(".gemspec") => {
            quoted(line).filter(|_| line.contains("dependency"))
        }
        other if other.ends_with(".csproj") => {
            quoted(line).filter(|_| line.contains("<PackageReference"))
        }
        _ => None,
    };
    package.filter(|package| !package.is_empty())
}

/// Returns the key before `=`, without quotation marks and what comes after its first dot.
fn key_of(line: &str) -> Option<String> {
    let (key, _) = line.split_once('=')?;
    let key = key.trim().trim_matches('"');
    Some(key.split('.').next().unwrap_or_default().to_owned())
}

/// Returns the first text between quotation marks.
fn quoted(line: &str) -> Option<String> {
    line.split(['"', '\'']).nth(1).map(str::to_owned)
}

/// Returns the letters of a package's name that a text begins with.
fn word_of(text: &str) -> String {
    let is_part = |letter: char| letter.is_alphanumeric() || "-_./:@".contains(letter);
    text.chars().take_while(|letter| is_part(*letter)).collect()
}

fn in_json(line: &str, section: &str) -> Option<String> {
    let lower = section.to_lowercase();
    let is_list = lower.ends_with("dependencies") || is_in("require require-dev", section);
    let is_entry = line.contains("\":") && !line.ends_with('{');
    // PHP and its extensions are listed like packages, and are not packages.
    quoted(line).filter(|name| is_list && is_entry && name != "php" && !name.starts_with("ext-"))
}

fn in_pyproject(line: &str, section: &str) -> Option<String> {
    // Only users who ask for an extra need its dependencies.
    let is_extra = section.contains("optional-dependencies") && !is_of_development(section);
    let is_array = section.starts_with("dependency-groups/")
        || section.contains("dependencies") && section.contains('/') && !is_extra;
    if is_array && line.starts_with(['"', '\'']) {
        return quoted(line).map(|text| word_of(&text));
    }
    let is_table = section.ends_with(".dependencies");
    key_of(line).filter(|name| is_table && name != "python")
}

fn in_gradle(line: &str) -> Option<String> {
    let verbs = [
        "implementation",
        "api",
        "compileOnly",
        "runtimeOnly",
        "testImplementation",
    ];
    let verb = verbs.iter().find(|verb| line.starts_with(**verb))?;
    let of_catalog = || word_of(line[verb.len()..].trim_start_matches(['(', ' ']));
    Some(quoted(line).unwrap_or_else(of_catalog))
}
