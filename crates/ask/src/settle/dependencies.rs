//! What the project depends on, as its manifests list it.

use grounds_claims::{Claim, Quantifier};
use grounds_evidence::ConfidenceLevel;

use super::{Decision, Desk, Settled, Spot, Unsettled, counted};

/// One dependency of a manifest.
struct Dependency {
    name: String,
    is_dev: bool,
    spot: Spot,
}

/// Decides whether the project depends on a package, or lists all.
pub(super) fn settle(claim: &Claim, desk: &Desk<'_, '_>) -> Decision {
    let mut all: Vec<Dependency> = Vec::new();
    for (path, text) in desk.manifests() {
        all.extend(of_manifest(&path, &text));
    }
    match claim.kind.as_deref() {
        Some("dev") => all.retain(|dependency| dependency.is_dev),
        Some("runtime") => all.retain(|dependency| !dependency.is_dev),
        _ => {}
    }
    let top = all
        .iter()
        .map(|one| one.spot.path.matches('/').count())
        .min()
        .unwrap_or(0);
    let Some(wanted) = claim.text(0) else {
        all.retain(|one| one.spot.path.matches('/').count() == top);
        return listed(claim, &all, desk);
    };
    if all.is_empty() {
        return Err(Unsettled::unknown(
            "no manifest that lists dependencies was read",
        ));
    }
    let same = |name: &str| {
        let plain = |text: &str| text.to_lowercase().replace('_', "-");
        let (name, wanted) = (plain(name), plain(wanted));
        name == wanted || name.rsplit(['/', ':']).any(|part| part == wanted)
    };
    let found: Vec<Spot> = all
        .iter()
        .filter(|one| same(&one.name))
        .map(|one| one.spot.clone())
        .collect();
    let (holds, told, spots) = if found.is_empty() {
        let mut manifests: Vec<Spot> = all.iter().map(|one| one.spot.clone()).collect();
        manifests.dedup_by(|one, other| one.path == other.path);
        (
            false,
            format!("no manifest lists `{wanted}` as a dependency."),
            manifests,
        )
    } else {
        (
            true,
            format!("`{wanted}` is listed as a dependency:"),
            found,
        )
    };
    let holds = holds != claim.is_negated;
    let word = if holds { "Yes" } else { "No" };
    Ok(Settled {
        holds: Some(holds),
        sections: vec![desk.section(format!("{word}: {told}"), &spots, 1)],
        level: ConfidenceLevel::High,
        because: String::new(),
    })
}

fn listed(claim: &Claim, all: &[Dependency], desk: &Desk<'_, '_>) -> Decision {
    if all.is_empty() {
        return Err(Unsettled::unknown(
            "no manifest that lists dependencies was read",
        ));
    }
    let of = |is_dev: bool| {
        let names = all
            .iter()
            .filter(|one| one.is_dev == is_dev)
            .map(|one| format!("`{}`", one.name));
        names.collect::<Vec<_>>()
    };
    let (run, dev) = (of(false), of(true));
    let mut told = format!("{}: {}.", counted(run.len(), "dependency"), run.join(", "));
    if !dev.is_empty() {
        told.push_str(&format!(
            " For development {}: {}.",
            dev.len(),
            dev.join(", ")
        ));
    }
    let spots: Vec<Spot> = all.iter().map(|one| one.spot.clone()).collect();
    let is_counted =
        claim.quantifier == Quantifier::Count && claim.kind.is_none() && !dev.is_empty();
    Ok(Settled {
        holds: None,
        sections: vec![desk.section(told, &spots, 1)],
        level: if is_counted {
            ConfidenceLevel::Medium
        } else {
            ConfidenceLevel::High
        },
        because: if is_counted {
            "those for development are told apart".to_owned()
        } else {
            String::new()
        },
    })
}

/// The dependencies of one manifest, by its own form.
fn of_manifest(path: &str, text: &str) -> Vec<Dependency> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let mut section = String::new();
    let mut found = Vec::new();
    for (number, line) in (1_u32..).zip(text.lines()) {
        let trimmed = line.trim();
        section = section_after(&section, trimmed, name);
        let Some(package) = package_in(trimmed, &section, name) else {
            continue;
        };
        let is_dev = ["dev", "test", "build"]
            .iter()
            .any(|word| section.to_lowercase().contains(word))
            || trimmed.contains("development_dependency")
            || trimmed.starts_with("testImplementation");
        found.push(Dependency {
            name: package,
            is_dev,
            spot: Spot::line(path, number, "dependency"),
        });
    }
    found
}

/// The section of a manifest in which what follows a line stands.
fn section_after(section: &str, line: &str, manifest: &str) -> String {
    let opens = match manifest {
        "package.json" | "composer.json" => line
            .ends_with('{')
            .then(|| line.split('"').nth(1).unwrap_or_default()),
        "go.mod" => line.strip_suffix(" ("),
        "pyproject.toml" => {
            let array = line
                .strip_suffix('[')
                .map(|key| key.trim_end_matches([' ', '=']));
            array.or_else(|| {
                line.strip_prefix('[')
                    .and_then(|rest| rest.strip_suffix(']'))
            })
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

/// The package that a line of a manifest lists.
fn package_in(line: &str, section: &str, manifest: &str) -> Option<String> {
    let of_key = || {
        line.split('=').next().map(|key| {
            key.trim()
                .trim_matches('"')
                .split('.')
                .next()
                .unwrap_or_default()
                .to_owned()
        })
    };
    let quoted = || line.split(['"', '\'']).nth(1).map(str::to_owned);
    let word = |text: &str| {
        let end =
            text.find(|letter: char| !(letter.is_alphanumeric() || "-_./:@".contains(letter)));
        text[..end.unwrap_or(text.len())].to_owned()
    };
    let package = match manifest {
        "Cargo.toml" => {
            let is_list = section.ends_with("dependencies");
            (is_list && line.contains('=') && !line.starts_with('#'))
                .then(of_key)
                .flatten()
        }
        "package.json" => {
            let is_list = section.to_lowercase().ends_with("dependencies") && line.contains("\":");
            is_list
                .then(quoted)
                .flatten()
                .filter(|_| !line.ends_with('{'))
        }
        "composer.json" => {
            let is_list = ["require", "require-dev"].contains(&section) && line.contains("\":");
            is_list
                .then(quoted)
                .flatten()
                .filter(|name| name != "php" && !name.starts_with("ext-") && !line.ends_with('{'))
        }
        "pyproject.toml" => {
            let is_array = section.ends_with("dependencies")
                || section.contains("optional-dependencies")
                || section.contains("dependency-groups");
            let in_array = line.starts_with(['"', '\'']);
            match () {
                () if is_array && in_array => quoted().map(|text| word(&text)),
                () if section.ends_with(".dependencies") && line.contains('=') => {
                    of_key().filter(|name| name != "python")
                }
                () => None,
            }
        }
        "go.mod" => {
            let rest = line
                .strip_prefix("require ")
                .or((section == "require").then_some(line))?;
            rest.contains(" v")
                .then(|| word(rest))
                .filter(|_| !line.contains("// indirect"))
        }
        "Gemfile" => line.strip_prefix("gem ").and_then(|_| quoted()),
        "build.gradle" | "build.gradle.kts" => {
            let verbs = [
                "implementation",
                "api",
                "compileOnly",
                "runtimeOnly",
                "testImplementation",
            ];
            verbs.iter().any(|verb| line.starts_with(verb)).then(|| {
                quoted().unwrap_or_else(|| word(line.split(['(', ' ']).nth(1).unwrap_or_default()))
            })
        }
        other if other.ends_with(".gemspec") => line.contains("dependency").then(quoted).flatten(),
        other if other.ends_with(".csproj") => {
            line.contains("<PackageReference").then(quoted).flatten()
        }
        _ => None,
    };
    package.filter(|package| !package.is_empty())
}
