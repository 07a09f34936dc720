//! One claim a line of `cases.md`, with what is read from it.

use super::{ClaimKind, read};

fn shown(claim: &str) -> String {
    let reading = read(claim);
    let kind = ClaimKind::ALL
        .iter()
        .find(|(kind, _)| *kind == reading.kind)
        .expect("a kind")
        .1;
    match (reading.refused, reading.parts) {
        (Some(why), Some([one, other])) => format!("{why:?}: {one} / {other}"),
        (Some(why), None) => format!("{why:?}{}", if reading.is_polar { ", polar" } else { "" }),
        (None, _) => kind.to_owned(),
    }
}

#[test]
fn cases() {
    let page = include_str!("cases.md");
    let rows = page.lines().filter_map(|line| {
        line.strip_prefix("| ")?
            .strip_suffix(" |")?
            .split_once(" | ")
    });
    let rows: Vec<(&str, &str)> = rows.filter(|(claim, _)| *claim != "claim").collect();
    let wrong: Vec<String> = rows
        .iter()
        .filter(|(claim, expected)| shown(claim) != *expected)
        .map(|(claim, expected)| format!("{claim}: {} and not {expected}", shown(claim)))
        .collect();
    assert!(
        wrong.is_empty() && rows.len() >= 50,
        "{} rows, wrong: {wrong:#?}",
        rows.len()
    );
}

proptest::proptest! {
    #[test]
    fn no_words_break_it(claim in ".{0,200}") {
        let _ = read(&claim);
    }
}
