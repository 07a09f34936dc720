//! The version of a package that the project uses, as its manifests give it: in the section and the
//! file, and for the purpose, that a question names.

use grounds_claims::{Claim, Tests};

use super::manifest::{is_aside, is_manifest, key, own_manifest};
use super::values::ancestors;
use super::{Desk, SettleResult, SettledSpot, Unsettled};
use crate::understand::{QuestionTree, singular};
use crate::words::is_in;

/// Lines that are still an answer.
const LINES_MAX: usize = 6;
/// Lines after the name of a package, in a block of its own, in which its version is.
const BLOCK_LINES_MAX: usize = 60;

/// What Go writes beside a module that only others need.
const INDIRECT: &str = "// indirect";

/// What a dependency is for.
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
    /// Its path, its section, what encloses it, itself and its block, in small letters.
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

/// Whether a line is in one of the files that a claim names.
fn is_inside(line: &VersionLine, claim: &Claim, desk: &Desk<'_, '_>) -> bool {
    let inside = &claim.scope.inside;
    let mut files = inside.iter().flat_map(|text| desk.tree.files_of(text));
    inside.is_empty() || files.any(|file| file.as_str() == line.spot.path)
}

/// Keeps the lines that the words beside a package choose. What others bring along must be asked for.
fn keep_said(found: &mut Vec<VersionLine>, said: &[&str], claim: &Claim, desk: &Desk<'_, '_>) {
    let is_direct = |line: &VersionLine| !line.around.contains(INDIRECT);
    let asks_indirect = said.iter().any(|word| is_in("indirect transitive", word));
    if !asks_indirect && found.iter().any(is_direct) {
        found.retain(is_direct);
    }
    found.retain(|line| said.iter().all(|word| fits(word, line, desk)));
    // Tests use what everybody needs, too.
    let is_of_tests = |line: &VersionLine| line.purpose == Purpose::Development;
    if claim.scope.tests == Tests::Inside && found.iter().any(is_of_tests) {
        found.retain(is_of_tests);
    }
}

/// Whether a word is the name of a package in some manifest.
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
}

/// The lines that give a version: by a key alone where some do.
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
        found.retain(|line| {
            is_key(line) || line.around.contains("artifactid") || table_in(&line.around, &lower)
        });
    }
    found
}

/// What the name of a package at a line gives: its version, and the property that this refers to.
fn at_line(path: &str, lines: &[&str], at: usize, package: &str) -> Vec<VersionLine> {
    let version = match gives(&lines[at].trim().to_lowercase(), package) {
        true => Some(at),
        false => version_in_block(lines, at, package),
    };
    let Some(version) = version else {
        return Vec::new();
    };
    let mut found = vec![version_line(path, lines, (at, version))];
    // What a property is for says the block that refers to it.
    found.extend(property(lines, version).map(|given| VersionLine {
        spot: SettledSpot::line(path, u32::try_from(given + 1).unwrap_or(0), "manifest"),
        ..version_line(path, lines, (at, version))
    }));
    found
}

/// Whether a line gives a version of a package: behind its name as a key, or beside it in quotes.
fn gives(line: &str, package: &str) -> bool {
    let is_digit = |letter: char| letter.is_ascii_digit();
    let found = key(line);
    let is_key = found
        .strip_prefix(package)
        .is_some_and(|rest| ["", "-version", ".version", "_version", "version"].contains(&rest));
    // A major version is a part of the path in Go: `mapstructure/v2 v2.4.0`.
    let is_module = [" v", "/v"]
        .iter()
        .any(|joint| line.contains(&format!("/{package}{joint}")));
    let names_it = quotes(line, package) || is_module || line.contains(&format!(":{package}:"));
    // The name may have a digit of its own: `jinja2`, and beside it a product: `NIOHTTP2`.
    let rest = line.replace(package, "");
    let begins = |part: &str| {
        part.trim_start_matches(['^', '~', '=', '>', '<', 'v', ' '])
            .starts_with(is_digit)
    };
    is_key && rest.contains(is_digit)
        || names_it && rest.split(['"', '\'', '@', ' ', ':', ',']).any(begins)
}

/// Whether a line quotes a package: by its name, with what its version has to be, or with who publishes it.
fn quotes(line: &str, package: &str) -> bool {
    let is_one = |quoted: &str| {
        // `@types/node` is another package than `node`.
        let is_scoped = quoted.starts_with('@');
        let last = quoted.split_once('/').filter(|_| !is_scoped);
        let last = last.map_or(quoted, |(_, last)| last);
        [quoted, last].iter().any(|name| {
            let rest = name.strip_prefix(package);
            let ends = ['=', '<', '>', '~', '!', '[', ' ', ';'];
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(ends))
        })
    };
    line.split(['"', '\'']).skip(1).step_by(2).any(is_one)
}

/// The package of a table of its own: `[dependencies.clap]`.
fn table_of(line: &str) -> Option<&str> {
    let table = line.strip_prefix('[')?.strip_suffix(']')?;
    let (section, package) = table.rsplit_once('.')?;
    section.ends_with("dependencies").then_some(package)
}

fn table_in(around: &str, package: &str) -> bool {
    around.lines().any(|line| table_of(line) == Some(package))
}

/// Where the version is in the block of a package: below `<artifactId>`, or in a table of its own.
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

/// Where a property of Maven is given that a version refers to.
fn property(lines: &[&str], at: usize) -> Option<usize> {
    let (_, rest) = lines[at].split_once("${")?;
    let open = format!("<{}>", rest.split_once('}')?.0);
    lines.iter().position(|line| line.contains(&open))
}

/// A line that gives a version, with what is around it and around the name of its package.
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

/// What a dependency is for, by its section, its block and its file.
/// A property alone says of nothing what it is for.
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

/// Whether the last line of a text is a property of Maven.
fn is_property(around: &str) -> bool {
    let line = around.lines().last().unwrap_or_default();
    line.starts_with('<') && key(line).ends_with("version") && around.contains("<properties>")
}

/// Words for what everybody who uses the project needs.
const OF_USE: &str =
    "runtime production prod shipped ships ship compile library main binary app application";
/// Words for who works on it, with what their sections are called.
const OF_SECTIONS: &[(&str, &str)] = &[
    ("extra extras", "optional"),
    ("group groups", "group"),
    ("peer peers", "peer"),
];
const SYSTEMS: &str = "windows linux macos unix darwin pypy cpython";

/// Whether a word of a question is so of a line.
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
        // What is locked is in files that are not read.
        () if is_in("lock locked lockfile lockfiles", word) => false,
        () if is_in(OF_USE, word) => line.purpose == Purpose::Use,
        () if word == "root" => !line.spot.path.contains('/'),
        () if is_in("dev development devdependencies", word) => {
            line.purpose == Purpose::Development
        }
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
