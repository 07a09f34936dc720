//! Every language against pages that people can read.
//!
//! A page in `languages/` holds paragraphs: a heading, a fenced block of code
//! (its info string is the file name), a table of what stands where. A new
//! case is one paragraph. `name#2` means the second occurrence on the line. The relation is
//! `part_of_a_longer_name` if the language counts a byte beside the occurrence to the name.

use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;

use grounds_syntax::{Parser, languages};

#[test]
fn every_page_holds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/languages");
    let mut failures = String::new();
    let mut cases = 0;
    for entry in std::fs::read_dir(&folder)
        .expect("the folder of pages")
        .flatten()
    {
        let page = std::fs::read_to_string(entry.path()).expect("a readable page");
        let name = entry.file_name().to_string_lossy().into_owned();
        cases += check_page(&name, &page, &mut failures);
    }
    assert!(cases > 100, "only {cases} rows were checked");
    assert!(failures.is_empty(), "\n{failures}");
}

/// Every language of the registry has a page.
#[test]
fn every_language_has_a_page() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/languages");
    let pages: String = std::fs::read_dir(folder)
        .expect("pages")
        .flatten()
        .map(|e| std::fs::read_to_string(e.path()).expect("page"))
        .collect();
    for language in languages::ALL.iter() {
        let shown = language
            .extensions
            .iter()
            .map(|ending| format!(".{ending}\n"))
            .chain(
                language
                    .file_names
                    .iter()
                    .map(|name| format!("```{name}\n")),
            )
            .any(|mark| pages.contains(&mark));
        assert!(
            shown,
            "no page in tests/languages has a block for {}",
            language.name
        );
    }
}

fn check_page(page_name: &str, page: &str, failures: &mut String) -> usize {
    let (mut heading, mut code, mut file, mut in_code, mut cases) =
        ("", String::new(), "", false, 0);
    for line in page.lines() {
        match line.strip_prefix("```") {
            Some(_) if in_code => in_code = false,
            Some(name) => (in_code, file, code) = (true, name.trim(), String::new()),
            None if in_code => writeln!(code, "{line}").expect("a string"),
            None if line.starts_with("## ") => heading = line,
            None if line.starts_with('|')
                && !line.starts_with("|--")
                && !line.starts_with("| name") =>
            {
                cases += 1;
                if let Err(why) = check_row(file, &code, line) {
                    writeln!(failures, "{page_name} {heading}: {line}\n    {why}")
                        .expect("a string");
                }
            }
            None => {}
        }
    }
    cases
}

fn check_row(file: &str, code: &str, row: &str) -> Result<(), String> {
    let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
    let [name, line, relation, kind, container] = cells[..] else {
        return Err("a row has five cells".into());
    };
    let range = occurrence(
        code,
        name,
        line.parse().map_err(|_| "the line is a number")?,
    )?;
    let language = languages::of_file(file, code.as_bytes())
        .ok_or_else(|| format!("no language for {file}"))?;
    let parser = Parser::default();
    let parse = parser
        .parse(language, code.as_bytes(), &|| false)
        .map_err(|e| format!("{e:?}"))?;
    let label = parse.label(range.clone());
    let got = match label.is_part_of_a_longer_name {
        true => ("part_of_a_longer_name", "", String::new()),
        false => (
            label.relation.as_str(),
            label.kind.map_or("", |kind| kind.as_str()),
            label.containers.join("::"),
        ),
    };
    if got != (relation, kind, container.to_owned()) {
        return Err(format!("got {} | {} | {}", got.0, got.1, got.2));
    }
    let listed = parse.definitions(1_000).iter().any(|(at, _)| *at == range);
    if listed != (relation == "defines") {
        return Err(format!("in the list of definitions: {listed}"));
    }
    Ok(())
}

/// The bytes of the occurrence `name` (or `name#2`) on a line, counted from 1.
fn occurrence(code: &str, name: &str, line: usize) -> Result<Range<usize>, String> {
    let (name, nth) = name
        .split_once('#')
        .map_or((name, 1), |(name, nth)| (name, nth.parse().unwrap_or(1)));
    let start: usize = code
        .split_inclusive('\n')
        .take(line - 1)
        .map(str::len)
        .sum();
    let text = code[start..].lines().next().unwrap_or("");
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let whole = |at: &usize| {
        !is_word(text[..*at].chars().next_back())
            && !is_word(text[at + name.len()..].chars().next())
    };
    let at = text
        .match_indices(name)
        .map(|(at, _)| at)
        .filter(whole)
        .nth(nth - 1);
    at.map(|at| start + at..start + at + name.len())
        .ok_or_else(|| format!("`{name}` does not stand on line {line}: {text}"))
}
