//! Tests that every difference is reported.

use super::*;

fn kept(case: &str, level: &str) -> SnapshotLine {
    SnapshotLine {
        case: case.to_owned(),
        verdict: "right".to_owned(),
        ended: "answered".to_owned(),
        intent: "Locate".to_owned(),
        level: level.to_owned(),
        band: "strong".to_owned(),
        places: vec!["a.rs:1".to_owned()],
    }
}

#[test]
fn a_change_names_the_case_and_what_differs() {
    let before = [
        kept("s/a", "High"),
        kept("s/b", "High"),
        kept("other/c", "High"),
    ];
    let now = [kept("s/a", "Low"), kept("s/d", "High")];
    let told: Vec<(String, String)> = changes(&before, &now)
        .into_iter()
        .map(|change| (change.case, change.field))
        .collect();
    let told: Vec<(&str, &str)> = told
        .iter()
        .map(|(case, field)| (case.as_str(), field.as_str()))
        .collect();
    assert_eq!(told, [("s/a", "level"), ("s/d", "case"), ("s/b", "case")]);
    assert!(changes(&before, &before).is_empty());
}

#[test]
fn what_is_written_is_what_is_read_and_other_suites_stay() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("snapshot.jsonl");
    write(
        &path,
        &[kept("s/a", "High"), kept("other/c", "High")],
        &[kept("s/a", "Low")],
    )
    .expect("written");
    assert_eq!(
        read(&path).expect("read"),
        [kept("s/a", "Low"), kept("other/c", "High")]
    );
    assert!(parse("{}\n").expect_err("a fault").starts_with("line 1:"));
}
