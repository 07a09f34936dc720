//! The version of a package that the project uses, as its manifests give it: in the section and the
//! file, and for the purpose, that a question names.

use grounds_claims::{Claim, Tests};
use grounds_evidence::ConfidenceLevel;

use super::manifest::{is_aside, is_manifest, key, own_manifest};
use super::values::ancestors;
use super::{Desk, SettleResult, Settled, SettledSpot, Unsettled, workflow};
use crate::understand::{QuestionTree, singular};
use crate::words::is_in;

/// Limit on the lines of an answer.
const LINES_MAX: usize = 6;
/// Limit on the lines of a package's block in which its version is searched.
const BLOCK_LINES_MAX: usize = 60;

/// Words for workflows, and for files of `make` and of containers.
const OF_CI: &str = "ci workflow workflows pipeline pipelines github actions";
const OF_MAKE: &str = "make makefile tooling tools tool docker dockerfile container";

/// Go's mark for a module that only other modules need.
const INDIRECT: &str = "// indirect";

/// The purpose of a dependency.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Use,
    Development,
    Build,
    Unknown,
}

/// A line that gives a version of a package.
struct VersionLine {
    spot: SettledSpot,
    /// Its path, its section, the lines that enclose it, itself and its block, in lower case.
    around: String,
    purpose: Purpose,
}

/// Decides which version of a package is used.
pub(super) fn settle(package: &str, claim: &Claim, desk: &Desk<'_, '_>) -> SettleResult {
    let said: Vec<&str> = claim
        .kind
        .as_deref()
        .unwrap_or_default()
        .split_whitespace()
        .collect();
    // Words beside the package may mean tests or examples, whose manifests are left out otherwise.
    let mut found = search(package, !said.is_empty(), desk);
    found.retain(|line| is_inside(line, claim, desk));
    let all: Vec<SettledSpot> = found.iter().map(|line| line.spot.clone()).collect();
    keep_said(&mut found, &said, claim, desk);
    if found.is_empty() && !all.is_empty() {
        let said = said.join(" ");
        let why = format!("`{package}` has no version in a manifest that is of “{said}”");
        return Err(Unsettled::unknown(why).with(&all));
    }
    let mut spots: Vec<SettledSpot> = found.into_iter().map(|line| line.spot).collect();
    spots.sort();
    spots.dedup();
    if spots.is_empty()
        && let Some(settled) = pinned(package, &said, claim, desk)
    {
        return Ok(settled);
    }
    if spots.is_empty() || spots.len() > LINES_MAX {
        let why = format!("no single line of a manifest gives the version of `{package}`");
        return Err(Unsettled::unknown(why).with(&spots));
    }
    Ok(desk.told(
        &format!("The version of `{package}` is given here:"),
        &spots,
        2,
    ))
}

/// Returns the version of a tool that no manifest lists, where workflows or build files pin it;
/// `None` if they pin several versions, or none for the purpose that is named.
fn pinned(package: &str, said: &[&str], claim: &Claim, desk: &Desk<'_, '_>) -> Option<Settled> {
    let mut pins = workflow::pins(&package.to_lowercase(), desk.tree);
    let is_said = |list: &str| said.iter().any(|word| is_in(list, word));
    if !said
        .iter()
        .all(|word| is_in(OF_CI, word) || is_in(OF_MAKE, word))
    {
        return None;
    }
    let inside = &claim.scope.inside;
    let is_meant = |path: &str| {
        let mut files = inside.iter().flat_map(|text| desk.tree.files_of(text));
        inside.is_empty() || files.any(|file| file.as_str() == path)
    };
    pins.retain(|pin| is_meant(&pin.spot.path));
    pins.retain(|pin| match pin.is_of_ci {
        true => !is_said(OF_MAKE),
        false => !is_said(OF_CI),
    });
    let first = pins.first()?.value.clone();
    let is_one = pins.len() <= LINES_MAX && pins.iter().all(|pin| pin.value == first);
    let spots: Vec<SettledSpot> = pins.into_iter().map(|pin| pin.spot).collect();
    let text = format!("No manifest lists `{package}`. Its version is pinned to `{first}` here:");
    let because = "workflows and build files were read by their lines";
    let settled = Settled::told(None, desk.section(text, &spots, 1));
    is_one.then(|| settled.at(ConfidenceLevel::Medium, because))
}

/// Reports whether a line is in one of the files that a claim names.
fn is_inside(line: &VersionLine, claim: &Claim, desk: &Desk<'_, '_>) -> bool {
    let inside = &claim.scope.inside;
    let mut files = inside.iter().flat_map(|text| desk.tree.files_of(text));
    inside.is_empty() || files.any(|file| file.as_str() == line.spot.path)
}

/// Keeps the lines that fit the words beside a package. Indirect dependencies count only if they
/// are asked for.
fn keep_said(found: &mut Vec<VersionLine>, said: &[&str], claim: &Claim, desk: &Desk<'_, '_>) {
    let is_direct = |line: &VersionLine| !line.around.contains(INDIRECT);
    let asks_indirect = said.iter().any(|word| is_in("indirect transitive", word));
    if !asks_indirect && found.iter().any(is_direct) {
        found.retain(is_direct);
    }
    found.retain(|line| said.iter().all(|word| fits(word, line, desk)));
    // Tests also use the run-time dependencies, so these stay if there are no others.
    let is_of_tests = |line: &VersionLine| line.purpose == Purpose::Development;
    if claim.scope.tests == Tests::Inside && found.iter().any(is_of_tests) {
        found.retain(is_of_tests);
    }
}

/// Reports whether a manifest has a package with this name.
pub(crate) fn lists(word: &str, tree: &QuestionTree<'_>) -> bool {
    let lower = word.to_lowercase();
    let tag = format!("<artifactid>{lower}</artifactid>");
    let has = |line: &str| {
        let line = line.trim().to_lowercase();
        gives(&line, &lower) || line.contains(&tag) || table_of(&line) == Some(&lower)
    };
    let mut paths = tree
        .files
        .iter()
        .map(|file| file.as_str())
        .filter(|path| is_manifest(path));
    paths.any(|path| tree.text(path).is_some_and(|text| text.lines().any(has)))
        || !workflow::pins(&lower, tree).is_empty()
}

/// Returns the lines that give a version; only those with the package as their key, if there are
/// some.
fn search(package: &str, is_wide: bool, desk: &Desk<'_, '_>) -> Vec<VersionLine> {
    let lower = package.to_lowercase();
    let mut found = Vec::new();
    for path in desk.every_manifest_path() {
        let Some(text) = desk
            .tree
            .text(&path)
            .filter(|_| is_wide || !is_aside(&path))
        else {
            continue;
        };
        let lines: Vec<&str> = text.lines().collect();
        found.extend((0..lines.len()).flat_map(|at| at_line(&path, &lines, at, &lower)));
    }
    let is_key = |line: &VersionLine| {
        line.around
            .lines()
            .last()
            .is_some_and(|line| key(line) == lower)
    };
    if found.iter().any(is_key) {
        // A quoted name may be in another package's text; a key is the dependency itself. Maven and
        // tables have no such key.
        found.retain(|line| {
            is_key(line) || line.around.contains("artifactid") || table_in(&line.around, &lower)
        });
    }
    found
}

/// Returns the version line for a package at a line, and the property that the version refers to.
fn at_line(path: &str, lines: &[&str], at: usize, package: &str) -> Vec<VersionLine> {
    let version = match gives(&lines[at].trim().to_lowercase(), package) {
        true => Some(at),
        false => version_in_block(lines, at, package),
    };
    let Some(version) = version else {
        return Vec::new();
    };
    let mut found = vec![version_line(path, lines, (at, version))];
    // A property does not say its purpose; the block that refers to it does.
    found.extend(property(lines, version).map(|given| VersionLine {
        spot: SettledSpot::line(path, u32::try_from(given + 1).unwrap_or(0), "manifest"),
        ..version_line(path, lines, (at, version))
    }));
    found
}

/// Reports whether a line gives a version of a package: after its name as a key, or beside it in
/// quotes.
fn gives(line: &str, package: &str) -> bool {
    let is_digit = |letter: char| letter.is_ascii_digit();
    let found = key(line);
    let is_key = found
        .strip_prefix(package)
        .is_some_and(|rest| ["", "-version", ".version", "_version", "version"].contains(&rest));
    // In Go a major version is a part of the path: `mapstructure/v2 v2.4.0`.
    let is_module = [" v", "/v"]
        .iter()
        .any(|joint| line.contains(&format!("/{package}{joint}")));
    // The whole path of a module of Go is written without quotes.
    let is_path = package.contains('/')
        && line
            .trim_start_matches("require ")
            .starts_with(&format!("{package} v"));
    let names_it =
        is_path || quotes(line, package) || is_module || line.contains(&format!(":{package}:"));
    // The name itself may have a digit (`jinja2`), and so may a product beside it (`NIOHTTP2`).
    let rest = line.replace(package, "");
    let begins = |part: &str| {
        part.trim_start_matches(['^', '~', '=', '>', '<', 'v', ' '])
            .starts_with(is_digit)
    };
    is_key && rest.contains(is_digit)
        || names_it && rest.split(['"', '\'', '@', ' ', ':', ',']).any(begins)
}

/// Reports whether a line quotes a package: by its name, with its version bound, or with its
/// publisher.
fn quotes(line: &str, package: &str) -> bool {
    let is_one = |quoted: &str| {
        // `@types/node` is another package than `node`.
        let is_scoped = quoted.starts_with('@');
        let last = quoted.split_once('/').filter(|_| !is_scoped);
        let last = last.map_or(quoted, |(_, last)| last);
        [quoted, last].iter().any(|name| {
            let rest = name.strip_prefix(package);
            let ends = ['=', '<', '>', '~', '!', '[', ' ', ';', '@'];
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(ends))
        })
    };
    line.split(['"', '\'']).skip(1).step_by(2).any(is_one)
}

/// Returns the package of a table of its own: `[dependencies.clap]`.
fn table_of(line: &str) -> Option<&str> {
    let table = line.strip_prefix('[')?.strip_suffix(']')?;
    let (section, package) = table.rsplit_once('.')?;
    section.ends_with("dependencies").then_some(package)
}

fn table_in(around: &str, package: &str) -> bool {
    around.lines().any(|line| table_of(line) == Some(package))
}

/// Returns the line of the version in the block of a package: below `<artifactId>`, or in a table
/// of its own.
fn version_in_block(lines: &[&str], at: usize, package: &str) -> Option<usize> {
    let line = lines[at].trim().to_lowercase();
    let is_maven = line.contains(&format!("<artifactid>{package}</artifactid>"));
    let is_table = table_of(&line) == Some(package);
    if !is_maven && !is_table {
        return None;
    }
    let after = (at + 1..lines.len()).take(BLOCK_LINES_MAX);
    let ends = |at: &usize| {
        let line = lines[*at].trim();
        line.starts_with("</dependency>")
            || line.starts_with("</plugin>")
            || is_table && line.starts_with('[')
    };
    let is_version = |at: &usize| {
        let line = lines[*at].trim();
        line.starts_with("<version>") || is_table && key(line) == "version"
    };
    after.take_while(|at| !ends(at)).find(is_version)
}

/// Returns the line of the Maven property that a version refers to.
fn property(lines: &[&str], at: usize) -> Option<usize> {
    let (_, rest) = lines[at].split_once("${")?;
    let open = format!("<{}>", rest.split_once('}')?.0);
    lines.iter().position(|line| line.contains(&open))
}

/// Returns a version line with the text around it and around the name of its package.
fn version_line(path: &str, lines: &[&str], (name, version): (usize, usize)) -> VersionLine {
    let block = lines[name..].iter().take(BLOCK_LINES_MAX);
    let is_block = lines[name].contains("<artifactId>");
    let block: Vec<&str> = block
        .take_while(|line| is_block && !line.contains("</dependency>"))
        .copied()
        .collect();
    let above = ancestors(lines, name);
    let around = [&[path], above.as_slice(), &block, &[lines[name].trim()]].concat();
    let around = around.join("\n").to_lowercase();
    VersionLine {
        spot: SettledSpot::line(path, u32::try_from(version + 1).unwrap_or(0), "manifest"),
        purpose: purpose(&around, path),
        around,
    }
}

/// Returns the purpose of a dependency, by its section, its block and its file. A property alone
/// says nothing about its purpose.
fn purpose(around: &str, path: &str) -> Purpose {
    const DEVELOPMENT: [&str; 9] = [
        "dev-dependencies",
        "devdependencies",
        "require-dev",
        "dependency-groups",
        "<scope>test",
        "testimplementation",
        "development_dependency",
        "[dev",
        "optional-dependencies",
    ];
    let name = path.to_lowercase();
    let is_of_work = ["test", "benchmark", "docs", "example", "sample"]
        .iter()
        .any(|part| name.contains(part));
    match () {
        () if around.contains("build-dependencies") => Purpose::Build,
        () if is_property(around) => Purpose::Unknown,
        () if is_of_work || DEVELOPMENT.iter().any(|mark| around.contains(mark)) => {
            Purpose::Development
        }
        () => Purpose::Use,
    }
}

/// Reports whether the last line of a text is a property of Maven.
fn is_property(around: &str) -> bool {
    let line = around.lines().last().unwrap_or_default();
    line.starts_with('<') && key(line).ends_with("version") && around.contains("<properties>")
}

/// Words for run-time dependencies, which every user of the project needs.
const OF_USE: &str =
    "runtime production prod shipped ships ship compile library main binary app application";
/// Words for other kinds of dependencies, with the words of their sections.
const OF_SECTIONS: &[(&str, &str)] = &[
    ("extra extras", "optional"),
    ("group groups", "group"),
    ("peer peers", "peer"),
];
const SYSTEMS: &str = "windows linux macos unix darwin pypy cpython";

/// Reports whether a word of a question is true of a line.
fn fits(word: &str, line: &VersionLine, desk: &Desk<'_, '_>) -> bool {
    let has = |part: &str| line.around.contains(part);
    let key = OF_SECTIONS
        .iter()
        .find(|(words, _)| is_in(words, word))
        .map(|(_, key)| *key);
    let stem = singular(word);
    let in_path = || {
        let mut parts = line.spot.path.split(['/', '.', '-']);
        parts.any(|part| part.len() > 3 && stem.starts_with(&part.to_lowercase()))
    };
    match () {
        // Locked versions are in lock files, which are not read.
        () if is_in("lock locked lockfile lockfiles", word) => false,
        () if is_in(OF_USE, word) => line.purpose == Purpose::Use,
        () if is_in("root parent", word) => !line.spot.path.contains('/'),
        () if is_in("dev development devdependencies", word) => {
            line.purpose == Purpose::Development
        }
        // Tests also use the run-time dependencies.
        () if is_in("test tests testing", word) => line.purpose != Purpose::Build,
        () if word == "build" => line.purpose == Purpose::Build,
        () if word == "direct" => !has(INDIRECT),
        () if is_in("indirect transitive", word) => has(INDIRECT),
        () if is_in(SYSTEMS, word) => has(word) && !has("not("),
        () if desk.tree.is_project(word) => match own_manifest(word, desk) {
            Some(own) => own == line.spot.path,
            None => desk.manifest_paths().len() < 2,
        },
        () => has(key.unwrap_or(&stem)) || in_path(),
    }
}
