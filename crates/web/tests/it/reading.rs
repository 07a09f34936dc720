//! Pages of cases: what a document says, and what is read from it. Each case is a
//! paragraph in `tests/pages/*.md`; copy one to add one.

use std::path::Path;

use grounds_web::PageDate;
use grounds_web::read::{Material, Medium, ReadBounds, ReadError, Reading, read};

/// One case.
struct Case {
    name: String,
    medium: Medium,
    address: Option<String>,
    source: String,
    expected: String,
}

fn cases(page: &str) -> Vec<Case> {
    page.split("\n## ").skip(1).map(case).collect()
}

fn case(text: &str) -> Case {
    let name = text.lines().next().expect("a name").to_owned();
    let mut blocks = text
        .split("\n~~~")
        .skip(1)
        .step_by(2)
        .map(|block| block.split_once('\n').unwrap_or((block, "")));
    let (head, source) = blocks
        .next()
        .unwrap_or_else(|| panic!("{name} has no source"));
    let (_, expected) = blocks
        .next()
        .unwrap_or_else(|| panic!("{name} has no expectation"));
    let mut words = head.split_whitespace();
    let medium = match words.next() {
        Some("html") => Medium::Html,
        Some("markdown") => Medium::Markdown,
        Some("text") => Medium::Plain,
        other => panic!("{name}: what is {other:?}?"),
    };
    Case {
        name,
        medium,
        address: words.next().map(str::to_owned),
        source: source.to_owned(),
        expected: expected.trim().to_owned(),
    }
}

fn shown(date: PageDate) -> String {
    let at = date.at.to_string();
    let at = if date.is_day { &at[..10] } else { &at };
    format!("{at} by {:?}", date.source)
}

/// What was read of the page's own words about itself, one line each.
fn told(reading: &Result<Reading, ReadError>) -> String {
    let reading = match reading {
        Ok(reading) => reading,
        Err(error) => return format!("no page: {error}"),
    };
    let lines = [
        ("title", reading.title.clone()),
        ("byline", reading.byline.clone()),
        ("language", reading.language.clone()),
        ("canonical", reading.canonical.clone()),
        ("published", reading.published.map(shown)),
        ("modified", reading.modified.map(shown)),
    ];
    lines
        .into_iter()
        .filter_map(|(name, value)| Some(format!("{name}: {}", value?)))
        .collect::<Vec<_>>()
        .join("\n")
}

/// What is wrong with the text, by the lines of the expectation.
fn wrong_words(text: &str, line: &str) -> Option<String> {
    match line.split_once(": ") {
        Some(("has", words)) if !text.contains(words) => Some(format!("lacks {words:?}")),
        Some(("lacks", words)) if text.contains(words) => Some(format!("has {words:?}")),
        _ => None,
    }
}

fn failures(case: &Case) -> Vec<String> {
    let now = "2026-01-01T00:00:00Z".parse().expect("a moment");
    let address = case
        .address
        .as_deref()
        .map(|text| url::Url::parse(text).expect("an address"));
    let source = case.source.replace("{filler}", FILLER);
    let material = Material {
        bytes: source.as_bytes(),
        medium: case.medium,
        charset: None,
        address: address.as_ref(),
        path: None,
        now,
    };
    let reading = read(&material, &ReadBounds::default());
    let is_of_text = |line: &&str| line.starts_with("has: ") || line.starts_with("lacks: ");
    let expected: Vec<&str> = case
        .expected
        .lines()
        .filter(|line| !is_of_text(line))
        .collect();
    let mut failures = Vec::new();
    if told(&reading) != expected.join("\n") {
        failures.push(format!(
            "{}: expected\n{}\nbut it says\n{}\n",
            case.name,
            expected.join("\n"),
            told(&reading)
        ));
    }
    let text = reading.map(|reading| reading.text).unwrap_or_default();
    let wrong = case
        .expected
        .lines()
        .filter_map(|line| wrong_words(&text, line));
    failures.extend(wrong.map(|wrong| format!("{}: the text {wrong}:\n{text}\n", case.name)));
    failures
}

/// Sentences that make a page long enough to have a main part.
const FILLER: &str = "The harbour authority met on Thursday to go through the accounts of the year, and the members asked how the \
new crane had been paid for. The treasurer explained that half of the sum came from the reserve, and the other half from a loan that \
runs for ten years. A vote was taken after a short break, and the minutes will be sent to all who were present. The next meeting is \
to be held in the old customs house, which has been closed for a decade. Repairs of the roof are to begin in autumn, and the cost of \
them was put at a third of what had been feared. Members of the public may read the papers at the office on weekdays before noon.";

#[test]
fn pages_are_read_as_their_cases_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages");
    let mut count = 0;
    let mut failed = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the pages").flatten() {
        for case in cases(&std::fs::read_to_string(entry.path()).expect("a page")) {
            count += 1;
            failed.extend(failures(&case));
        }
    }
    assert!(count >= 40, "only {count} cases were found");
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
