//! A version is the minimum of a language; the package is at a version.

use super::{Arguments, Predicate, at, contradicted, dependency, no_words, unknown};
use crate::code::Code;
use crate::verdict::{ClaimVerdict, Evidence};

pub(super) const TOOLCHAIN: Predicate = Predicate {
    name: "minimum",
    frames: &[
        r"(?P<v>python|node|node\.js|go|rust|php|ruby|java) {n} is (?:the|our) (?:minimum|oldest|lowest)",
        r"(?:«\d+» )?(?:declares|sets|states|lists|has) (?P<v>python|node|node\.js|go|rust|php|ruby|java) {n} as (?:the|its) (?:minimum|oldest|lowest)",
        r"(?:minimum|oldest|lowest)(?: supported)? (?P<v>python|node|node\.js|go|rust|php|ruby|java)(?: version)? (?:is|remains) {n}",
        concat!(
            r"(?:package|project|library|crate|module|gem|code) (?:only )?",
            r"(?:supports|needs|requires|runs on|works with)",
            r" (?P<v>python|node|node\.js|go|rust|php|ruby|java) {n}",
            r"(?:\+| (?:and|or) (?:newer|later|above|up|higher|greater))",
        ),
        r"(?:crate|package|project|workspace) (?:uses|is on|targets) (?:the )?(?:rust )?{n} (?P<v>edition)",
        r"(?P<v>minimum supported rust version|msrv) is {n}",
        r"^the (?P<v>package|crate|gem|library|project)(?:'s)? (?:version )?(?:is|is at|is now at)(?: version)? {n}",
    ],
    words: no_words,
    decide,
};

/// Texts before the number in manifests, by the word of the statement.
const MARKS: &[(&str, &[&str])] = &[
    (
        "python",
        &["requires-python", "python_requires", "python ="],
    ),
    ("node", &["\"node\":"]),
    ("node.js", &["\"node\":"]),
    ("go", &["go "]),
    ("rust", &["rust-version"]),
    ("msrv", &["rust-version"]),
    ("minimum supported rust version", &["rust-version"]),
    ("edition", &["edition"]),
    ("php", &["\"php\":"]),
    ("ruby", &["required_ruby_version"]),
    (
        "java",
        &[
            "sourceCompatibility",
            "<maven.compiler.source>",
            "<release>",
        ],
    ),
    ("package", &["\"version\":", "version =", "version="]),
    ("crate", &["version ="]),
    ("gem", &["version"]),
    ("library", &["\"version\":", "version ="]),
    ("project", &["\"version\":", "version ="]),
];

fn decide(said: &Arguments, code: &Code<'_, '_>) -> ClaimVerdict {
    let word = said.get("v").to_ascii_lowercase();
    let marks = MARKS
        .iter()
        .find(|(of, _)| *of == word)
        .map_or(&[][..], |(_, marks)| marks);
    let stated = said.get("n").trim_start_matches('v').trim_end_matches('.');
    let mut other = None;
    for (path, text) in dependency::manifests(code) {
        // The manifest of a part states what the part needs.
        if path.contains('/') {
            continue;
        }
        let lines = text.lines().enumerate();
        for (number, line) in lines.filter(|(_, line)| begins_with(line, marks)) {
            let Some(version) = first_number(line) else {
                continue;
            };
            let place = at(&path, number + 1, line);
            if same(&version, stated) {
                return ClaimVerdict::Holds(place);
            }
            other.get_or_insert((version, place));
        }
    }
    match other {
        Some((version, place)) => contradicted(
            format!("{} is {version}", said.get("v")),
            [place] as [Evidence; 1],
        ),
        None => unknown("no manifest at the top states it"),
    }
}

fn begins_with(line: &str, marks: &[&str]) -> bool {
    let line = line.trim_start();
    marks
        .iter()
        .any(|mark| line.starts_with(mark) || line.contains(&format!(".{mark}")))
}

/// Returns the first number of a line with its dots.
fn first_number(line: &str) -> Option<String> {
    let from = line.find(|letter: char| letter.is_ascii_digit())?;
    let number: String = line[from..]
        .chars()
        .take_while(|letter| letter.is_ascii_digit() || *letter == '.')
        .collect();
    Some(number.trim_end_matches('.').to_owned())
}

/// Reports whether two versions are equal as far as both go.
fn same(one: &str, other: &str) -> bool {
    one.split('.')
        .zip(other.split('.'))
        .all(|(one, other)| one == other)
}
