//! Perturbed anchors: the result is the right line, or no line if the words do not identify one.

use proptest::prelude::*;

use super::*;
use crate::diff::{ChangedLine, FileChange, Hunk, LineEnding};

fn file(lines: &[&str]) -> ChangedFile {
    let line = |(place, text): (usize, &&str)| {
        let removed = text.starts_with('-');
        let number = u32::try_from(place).expect("few lines") + 1;
        ChangedLine {
            kind: if removed {
                LineKind::Removed
            } else {
                LineKind::Added
            },
            old_number: removed.then_some(number),
            new_number: (!removed).then_some(number),
            text: (*text).to_owned(),
            ending: LineEnding::Lf,
        }
    };
    let lines = lines.iter().enumerate().map(line).collect();
    ChangedFile {
        path: "a.rs".to_owned(),
        path_old: None,
        change: FileChange::Added,
        blob_old: None,
        blob_new: None,
        mode_old: None,
        mode_new: None,
        hunks: vec![Hunk {
            old_start: 1,
            new_start: 1,
            lines,
        }],
    }
}

fn check(lines: &[&str], claimed: u32, quote: &str, expected: AnchorPlace) {
    assert_eq!(
        find(&file(lines), Some(claimed), Some(quote)),
        expected,
        "{claimed} {quote:?}"
    );
}

const LINES: [&str; 6] = [
    "fn one() {",
    "    let x = 1;",
    "    call(x)?;",
    "}",
    "fn two() {",
    "    let max = 1;",
];

#[test]
fn words_anchor_at_the_claim_or_at_their_only_place() {
    check(
        &LINES,
        2,
        "let x = 1;",
        AnchorPlace::AtClaim { start: 2, end: 2 },
    );
    check(
        &LINES,
        2,
        "  let x =   1;\r",
        AnchorPlace::AtClaim { start: 2, end: 2 },
    );
    check(
        &LINES,
        9,
        "call(x)?",
        AnchorPlace::Elsewhere { start: 3, end: 3 },
    );
    check(
        &LINES,
        1,
        "call(x)?;\n}\n",
        AnchorPlace::Elsewhere { start: 3, end: 4 },
    );
    check(
        &LINES,
        4,
        "    3 +| call(x)?;\n    4 +| }",
        AnchorPlace::AtClaim { start: 3, end: 4 },
    );
    check(&LINES, 2, "let y = 1;", AnchorPlace::Nowhere);
    check(
        &LINES,
        2,
        "x = 1;",
        AnchorPlace::AtClaim { start: 2, end: 2 },
    );
    assert_eq!(find(&file(&LINES), Some(2), None), AnchorPlace::NoQuote);
    assert_eq!(
        find(&file(&LINES), Some(2), Some(" \n ")),
        AnchorPlace::NoQuote
    );
}

#[test]
fn a_piece_of_a_word_is_no_quote_of_it() {
    check(&LINES, 6, "ax = 1", AnchorPlace::Nowhere);
    check(&LINES, 2, "wo() {", AnchorPlace::Nowhere);
}

#[test]
fn removed_lines_are_not_of_the_reviewed_side() {
    check(
        &["keep();", "-gone();", "stay();"],
        2,
        "gone();",
        AnchorPlace::Nowhere,
    );
    check(
        &["keep();", "-gone();", "stay();"],
        3,
        "      -| gone();\n    3 +| stay();",
        AnchorPlace::AtClaim { start: 3, end: 3 },
    );
}

#[test]
fn the_same_words_near_each_other_tell_no_line() {
    let mut lines = vec!["return Err(error);", "a();", "return Err(error);"];
    for claimed in 1..=4 {
        check(
            &lines,
            claimed,
            "return Err(error);",
            AnchorPlace::Ambiguous { places: 2 },
        );
    }
    lines.splice(1..2, ["b();"; 20]);
    check(
        &lines,
        1,
        "return Err(error);",
        AnchorPlace::AtClaim { start: 1, end: 1 },
    );
    check(
        &lines,
        2,
        "return Err(error);",
        AnchorPlace::Ambiguous { places: 2 },
    );
}

#[test]
fn a_lone_bracket_corrects_no_number() {
    check(&LINES, 4, "}", AnchorPlace::AtClaim { start: 4, end: 4 });
    check(&LINES, 2, "}", AnchorPlace::Ambiguous { places: 1 });
}

#[test]
fn a_masked_secret_is_found_as_the_model_saw_it() {
    let token = ["ghp", "_", &"a1B2c3D4e5F6".repeat(3)].concat();
    let (line, seen) = (
        format!("let token = \"{token}\";"),
        format!("let token = \"ghp_{}\";", "*".repeat(36)),
    );
    check(
        &["a();", &line],
        2,
        &seen,
        AnchorPlace::AtClaim { start: 2, end: 2 },
    );
}

proptest! {
    /// Whatever the lines are, a true quote with a number that is off by at most the bound anchors at the true line or at none.
    #[test]
    fn a_perturbed_anchor_is_right_or_none(
        texts in proptest::collection::vec("[ab]{1,2} = [xy];", 1..60), place in 0_usize..60, off in -10_i64..=10, blanks in 0_usize..4,
    ) {
        let place = place % texts.len();
        let lines: Vec<&str> = texts.iter().map(String::as_str).collect();
        let truth = u32::try_from(place).expect("few") + 1;
        let claimed = u32::try_from(i64::from(truth) + off).ok();
        let quote = format!("{}{}\r\n", " ".repeat(blanks), lines[place]);
        match find(&file(&lines), claimed, Some(&quote)) {
            AnchorPlace::AtClaim { start, end } | AnchorPlace::Elsewhere { start, end } => prop_assert_eq!((start, end), (truth, truth)),
            AnchorPlace::Ambiguous { .. } => prop_assert!(lines.iter().filter(|line| line.contains(lines[place])).count() > 1 || letters(&[quote]) < CORRECTING_LETTERS_MIN),
            AnchorPlace::Nowhere | AnchorPlace::NoQuote => prop_assert!(false, "the words stand there"),
        }
    }

    #[test]
    fn hostile_quotes_do_not_panic(quote in "\\PC{0,40}", line in "\\PC{0,40}", claimed in any::<u32>()) {
        find(&file(&[&line, "x"]), Some(claimed), Some(&quote));
        find(&file(&[]), Some(claimed), Some(&quote));
    }
}
