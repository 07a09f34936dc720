//! Every changed line ends in one state.

use proptest::prelude::*;

use super::*;
use crate::bundle::{Bundle, BundlePart};
use crate::diff::{self, Revision};
use crate::report::SkipReason;

const PATCH: &str = "\
--- a/src/a.rs
+++ b/src/a.rs
@@ -1,4 +1,5 @@
 one
-two
+TWO
+more
 three
-four
+FOUR
@@ -20,2 +21,1 @@
-gone
 stays
";

fn diff() -> Diff {
    let files = diff::parse_patch(PATCH.as_bytes(), 1_000).expect("a patch");
    Diff {
        base: Revision::Unknown,
        head: Revision::Unknown,
        files,
    }
}

fn part(hunk: usize, lines: Range<usize>) -> BundlePart {
    BundlePart {
        file: 0,
        hunk,
        lines,
    }
}

/// Numbers of the added lines, added, removed and state of each run.
fn runs_of(plan: &Plan, failed: &[usize]) -> Vec<(Range<u32>, u32, u32, LineState)> {
    let files = files(
        &diff(),
        JudgedBy::ByModel { plan, failed },
        &Left::default(),
    );
    files[0]
        .lines
        .iter()
        .map(|run| (run.new_lines.clone(), run.added, run.removed, run.state))
        .collect()
}

fn bundle(parts: Vec<BundlePart>) -> Bundle {
    Bundle {
        parts,
        ..Bundle::default()
    }
}

#[test]
fn lines_are_told_by_what_showed_them() {
    let plan = Plan {
        bundles: vec![bundle(vec![part(0, 0..4)]), bundle(vec![part(0, 4..7)])],
        left_out: vec![(part(1, 0..2), LineState::Skipped(SkipReason::TooLarge))],
    };
    assert_eq!(
        runs_of(&plan, &[1]),
        [
            (2..4, 2, 1, LineState::Reviewed),
            (5..6, 1, 1, LineState::Failed),
            (0..0, 0, 1, LineState::Skipped(SkipReason::TooLarge)),
        ]
    );
}

#[test]
fn a_line_that_nobody_accounts_for_was_not_judged() {
    let plan = Plan {
        bundles: vec![bundle(vec![part(0, 0..2)])],
        left_out: Vec::new(),
    };
    let states: Vec<LineState> = runs_of(&plan, &[]).into_iter().map(|run| run.3).collect();
    assert_eq!(
        states,
        [LineState::Reviewed, LineState::Clipped, LineState::Clipped]
    );
}

#[test]
fn rules_alone_judge_all_lines() {
    let files = files(&diff(), JudgedBy::ByRules, &Left::default());
    assert!(
        files[0]
            .lines
            .iter()
            .all(|run| run.state == LineState::RulesOnly)
    );
}

proptest! {
    /// However the parts lie, the runs add up to the changed lines.
    #[test]
    fn every_changed_line_is_in_one_run(
        parts in proptest::collection::vec((0_usize..3, 0_usize..9, 0_usize..9), 0..8), failed in proptest::collection::vec(0_usize..8, 0..3),
    ) {
        let bundles = parts.into_iter().map(|(hunk, start, end)| bundle(vec![part(hunk, start..end)])).collect();
        let plan = Plan { bundles, left_out: Vec::new() };
        let runs = runs_of(&plan, &failed);
        let added: u32 = runs.iter().map(|run| run.1).sum();
        let removed: u32 = runs.iter().map(|run| run.2).sum();
        prop_assert_eq!((added, removed), (3, 3));
    }
}
