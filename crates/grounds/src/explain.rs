//! The meaning of every name that the program prints: errors, outcomes, refusals, levels, reasons
//! and exit codes. The pages are Markdown and part of the program; this module reads them and looks
//! names up.

use crate::config::nearest;

/// The pages, in the order in which they are listed.
const PAGES: [&str; 5] = [
    include_str!("explain/answers.md"),
    include_str!("explain/outcomes.md"),
    include_str!("explain/exits.md"),
    include_str!("explain/errors.md"),
    include_str!("explain/obstacles.md"),
];

/// The meaning of one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The name.
    pub name: &'static str,
    /// The kind of the name: the title of its part.
    pub kind: &'static str,
    /// The meaning.
    pub means: String,
    /// The reason for it.
    pub why: String,
    /// The advice.
    pub what_to_do: String,
    /// An example.
    pub example: String,
    /// Other words that it explains.
    pub also: Vec<String>,
}

/// Returns every name, in the order of the pages.
pub fn entries() -> Vec<Explanation> {
    PAGES.iter().flat_map(|page| of_page(page)).collect()
}

/// Returns the entry of a name in any spelling: `not_found`, `NotFound`, `exit 3` and `3` are known
/// too.
///
/// # Errors
/// The most similar name, if one is similar.
pub fn find(name: &str) -> Result<Explanation, Option<String>> {
    let (entries, wanted) = (entries(), plain(name));
    let is_named = |entry: &&Explanation| plain(entry.name) == wanted || is_exit(entry.name, name);
    let is_also = |entry: &&Explanation| entry.also.iter().any(|word| plain(word) == wanted);
    let mut all = entries.iter();
    // A word may be a name of its own and be explained on another page too: its own page counts.
    match all.find(is_named).or_else(|| entries.iter().find(is_also)) {
        Some(entry) => Ok(entry.clone()),
        None => Err(
            nearest::among(&name.to_lowercase(), entries.iter().map(|entry| entry.name))
                .map(str::to_owned),
        ),
    }
}

/// Returns a name without what differs between a message, JSON and a command line.
fn plain(name: &str) -> String {
    name.chars()
        .filter(|letter| letter.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

fn is_exit(entry: &str, name: &str) -> bool {
    entry
        .strip_prefix("exit-")
        .is_some_and(|number| number == name.trim())
}

fn of_page(page: &'static str) -> Vec<Explanation> {
    let (mut entries, mut kind) = (Vec::new(), "");
    for block in page.split("\n## ") {
        let (name, rest) = block.split_once('\n').unwrap_or((block, ""));
        if !name.starts_with("# ") {
            entries.push(entry(name, kind, rest));
        }
        // The heading of the next part is at the end of a block.
        if let Some(title) = block.lines().rev().find_map(|line| line.strip_prefix("# ")) {
            kind = title;
        }
    }
    entries
}

fn entry(name: &'static str, kind: &'static str, text: &str) -> Explanation {
    // The block of the last entry of a part ends with the heading of the next part.
    let text = text.split("\n# ").next().unwrap_or(text);
    let mut parts = text.split("\n- ");
    let means = one_line(parts.next().unwrap_or_default());
    let said: Vec<String> = parts.map(one_line).collect();
    let part = |word: &str| {
        said.iter()
            .find_map(|part| part.strip_prefix(word))
            .unwrap_or_default()
            .trim()
            .to_owned()
    };
    Explanation {
        name,
        kind,
        means,
        why: part("why:"),
        what_to_do: part("do:"),
        example: part("example:"),
        also: part("also:")
            .split(", ")
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect(),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use grounds_repo::obstacle::Obstacle;

    use super::*;
    use crate::code::Code;
    use crate::exit::Exit;

    #[test]
    fn every_code_has_a_page_and_every_page_of_errors_a_code() {
        let pages: BTreeSet<&str> = entries()
            .iter()
            .filter(|entry| entry.kind == "Errors")
            .map(|entry| entry.name)
            .collect();
        let codes: BTreeSet<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
        assert_eq!(codes, pages);
        assert_eq!(codes.len(), Code::ALL.len(), "two codes have one name");
    }

    #[test]
    fn every_obstacle_has_a_page_and_every_page_of_obstacles_is_one() {
        let pages: BTreeSet<&str> = entries()
            .iter()
            .filter(|entry| entry.kind == "Obstacles")
            .map(|entry| entry.name)
            .collect();
        let obstacles: BTreeSet<&str> = Obstacle::ALL
            .iter()
            .map(|obstacle| obstacle.as_str())
            .collect();
        assert_eq!(obstacles, pages);
    }

    #[test]
    fn every_page_says_all_that_a_page_says() {
        for entry in entries() {
            for part in [&entry.means, &entry.why, &entry.what_to_do, &entry.example] {
                assert!(
                    part.len() > 5 && !part.contains("- why:"),
                    "{}: `{part}`",
                    entry.name
                );
            }
            assert!(
                entry
                    .name
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'),
                "{}",
                entry.name
            );
        }
        let names: Vec<String> = entries().iter().map(|entry| plain(entry.name)).collect();
        assert_eq!(
            names.iter().collect::<BTreeSet<_>>().len(),
            names.len(),
            "two pages have one name"
        );
    }

    /// The words around an answer, in its last line and with `--verbose`.
    #[test]
    fn words_of_answers_have_pages() {
        let words = "understood, not understood, partly understood, partly decided, lead, leads, findings, \
            did you mean, agreement, search, reader, searched, scope, not read, confidence, FileSearch, FileContent, \
            Discovery, GitLog, Build, Test, CiWorkflow, Locate, Navigate, Explain, references, Complete, High, Medium, \
            Low, None, Weak, Moderate, Strong, Verified";
        for word in words.split(", ") {
            assert!(find(word.trim()).is_ok(), "{word}");
        }
    }

    #[test]
    fn exits_outcomes_and_reasons_have_pages() {
        use grounds_repo::scope::SkipReason as Skip;
        let exits = Exit::TABLE
            .iter()
            .map(|(exit, _)| format!("{}", *exit as u8));
        let outcomes = [
            "answered",
            "insufficient",
            "conflicting",
            "not_checkable",
            "failed",
            "not_found",
            "found_but_not_that",
            "cannot_tell",
        ];
        let skips = [
            Skip::Unreadable,
            Skip::TooLarge,
            Skip::Binary,
            Skip::BinaryNamedAsCode,
            Skip::LfsPointer,
            Skip::Submodule,
            Skip::TooDeep,
            Skip::Link,
            Skip::Special,
            Skip::TimeUp,
            Skip::HitFiles,
            Skip::ParseBytes,
            Skip::Unparsed,
            Skip::Changed,
            Skip::IgnoredBytes,
            Skip::Sparse,
            Skip::BinaryMatch,
            Skip::OtherForm,
            Skip::NoSuchPath,
            Skip::NothingToRead,
            Skip::Unlisted,
        ];
        let names = exits
            .chain(outcomes.map(str::to_owned))
            .chain(skips.map(|skip| skip.as_str().to_owned()));
        for name in names.chain(
            [
                "FoundButNotThat",
                "True",
                "Invalid",
                "Strong",
                "Complete",
                "exit 3",
            ]
            .map(str::to_owned),
        ) {
            assert!(find(&name).is_ok(), "{name}");
        }
    }

    #[test]
    fn the_nearest_name_is_told() {
        assert_eq!(
            find("not-fuond").err().flatten().as_deref(),
            Some("not-found")
        );
        assert_eq!(find("xyzzy-nothing-near").err(), Some(None));
    }
}
