//! Tests that an issue becomes a candidate, or is dropped with a reason.

use grounds_evidence::Quality;

use super::*;
use crate::diff::{self, Revision};
use crate::finding::Severity;

const PATCH: &str = "\
diff --git a/src/a.rs b/src/b.rs
similarity index 90%
rename from src/a.rs
rename to src/b.rs
--- a/src/a.rs
+++ b/src/b.rs
@@ -1,2 +1,2 @@
 one();
-two();
+let second = two(input);
diff --git a/src/gone.rs b/src/gone.rs
deleted file mode 100644
--- a/src/gone.rs
+++ /dev/null
@@ -1 +0,0 @@
-fn gone() {}
";

fn of(
    path: Option<&str>,
    line: Option<u32>,
    quote: Option<&str>,
    only_path: Option<&str>,
) -> Result<(String, Anchor, Quality), DropReason> {
    let files = diff::parse_patch(PATCH.as_bytes(), 1_000).expect("a patch");
    let diff = Diff {
        base: Revision::Unknown,
        head: Revision::Unknown,
        files,
    };
    let issue = Issue {
        path: path.map(str::to_owned),
        line,
        quote: quote.map(str::to_owned),
        severity: Severity::Major,
        title: "T".to_owned(),
        message: "M".to_owned(),
        claim: NameClaim::Nothing,
        same_as: None,
    };
    let made = of_issue(
        issue,
        "M1.1".to_owned(),
        Producer::Model("m".to_owned()),
        &diff,
        only_path,
    );
    made.map(|candidate| {
        (
            candidate.finding.path,
            candidate.finding.anchor,
            candidate.finding.quality,
        )
    })
    .map_err(|dropped| dropped.why)
}

const SECOND: Anchor = Anchor::Lines { start: 2, end: 2 };

#[test]
fn a_quote_that_stands_gives_the_line_and_the_quality() {
    let quote = Some("let second = two(input);");
    for path in ["src/b.rs", "./src/b.rs", "`src/b.rs`", "src/a.rs"] {
        assert_eq!(
            of(Some(path), Some(2), quote, None),
            Ok(("src/b.rs".to_owned(), SECOND, Quality::Moderate)),
            "{path}"
        );
    }
    assert_eq!(
        of(None, None, quote, Some("src/b.rs")),
        Ok(("src/b.rs".to_owned(), SECOND, Quality::Moderate))
    );
    assert_eq!(
        of(Some("src/b.rs"), Some(900), quote, None),
        Ok(("src/b.rs".to_owned(), SECOND, Quality::Moderate))
    );
}

#[test]
fn without_words_that_stand_there_is_no_line() {
    let weak = Ok(("src/b.rs".to_owned(), Anchor::File, Quality::Weak));
    assert_eq!(of(Some("src/b.rs"), Some(2), None, None), weak);
    assert_eq!(
        of(Some("src/b.rs"), Some(2), Some("let third = 3;"), None),
        weak
    );
    assert_eq!(
        of(Some("src/b.rs"), None, Some("two();"), None),
        weak,
        "a removed line has no place at the reviewed side"
    );
}

#[test]
fn what_is_not_in_the_diff_is_dropped() {
    assert_eq!(
        of(
            Some("src/c.rs"),
            Some(2),
            Some("let second = two(input);"),
            None
        ),
        Err(DropReason::FileNotInDiff)
    );
    assert_eq!(
        of(None, Some(2), None, None),
        Err(DropReason::FileNotInDiff)
    );
    assert_eq!(
        of(Some("src/b.rs"), Some(40), Some("nowhere();"), None),
        Err(DropReason::LineNotInDiff)
    );
    assert_eq!(
        of(Some("src/b.rs"), Some(40), None, None),
        Err(DropReason::LineNotInDiff)
    );
}

#[test]
fn a_deleted_file_has_no_lines_and_may_be_spoken_of() {
    let about = Ok(("src/gone.rs".to_owned(), Anchor::File, Quality::Weak));
    assert_eq!(
        of(Some("src/gone.rs"), Some(1), Some("fn gone() {}"), None),
        about
    );
}
