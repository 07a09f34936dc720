//! Lines of a changed file and the lines that they were.

use super::*;

fn hunks(headers: &[&str]) -> Vec<HunkHeader> {
    headers
        .iter()
        .filter_map(|header| HunkHeader::of(header))
        .collect()
}

#[test]
fn lines_below_a_change_move_with_it() {
    let added = hunks(&["@@ -4,0 +5,2 @@ fn f()"]);
    assert_eq!(
        [3, 4, 7, 8].map(|line| old_line(&added, line, PatchSide::First)),
        [3, 4, 5, 6]
    );
    let removed = hunks(&["@@ -4,2 +3,0 @@"]);
    assert_eq!(
        [3, 4, 5].map(|line| old_line(&removed, line, PatchSide::First)),
        [3, 6, 7]
    );
    let both = hunks(&["@@ -1 +1,2 @@", "@@ -10,3 +11 @@"]);
    assert_eq!(
        [3, 10, 12].map(|line| old_line(&both, line, PatchSide::First)),
        [2, 9, 13]
    );
}

#[test]
fn a_changed_line_stands_for_what_it_replaced() {
    let changed = hunks(&["@@ -10,3 +10,5 @@"]);
    assert_eq!(
        (
            old_line(&changed, 11, PatchSide::First),
            old_line(&changed, 12, PatchSide::Last)
        ),
        (10, 12)
    );
    let new = hunks(&["@@ -4,0 +5,2 @@"]);
    assert!(
        old_line(&new, 5, PatchSide::First) > old_line(&new, 6, PatchSide::Last),
        "lines that are all new were none"
    );
}

#[test]
fn only_the_lines_that_name_a_commit_are_read() {
    let line = "82f4d276bdd8f89226fadaa287586ed996c1ca81 4 2 3";
    assert!(group_of(line).is_some_and(|group| group.line == 2 && group.lines == 3));
    for line in [
        "author 82f4d276bdd8f89226fadaa287586ed996c1ca81 4 2 3",
        "summary x",
        "boundary",
        "",
        "82f4d276 4 2 3",
    ] {
        assert!(group_of(line).is_none(), "{line}");
    }
}
