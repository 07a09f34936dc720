use grounds_evidence::WantedRelation;

use super::*;
use crate::toolchains::ToolchainFailure;

fn target(text: &str) -> QuestionTarget {
    let kind = if text.contains('/') {
        TargetKind::Path
    } else {
        TargetKind::Identifier
    };
    QuestionTarget {
        text: text.to_owned(),
        kind,
        wanted: WantedRelation::Occurrence,
    }
}

#[track_caller]
fn check(part: (&str, &str), asked: &str, expected: bool) {
    assert_eq!(
        BuiltPart::new(part.0, part.1).is_meant_by(&target(asked)),
        expected,
        "{part:?} {asked}"
    );
}

#[test]
fn names_are_compared_word_by_word() {
    check(("tests::adds", "src/lib.rs"), "adds", true);
    check(("tests::adds_more", "src/lib.rs"), "adds", false);
    check(("example.org/t TestAdd/small", ""), "TestAdd", true);
    check(("tests/test_app.py::test_f[1-2]", ""), "test_f", true);
    check(("tests.test_app::test_f", ""), "tests::test_app", true);
    check(("f", "tests/test_app.py"), "test_app", true);
    check(("f", ""), "", false);
}

#[test]
fn paths_are_compared_folder_by_folder() {
    check(("f", "crates/x/src/lib.rs"), "crates/x", true);
    check(("f", "crates/xy/src/lib.rs"), "crates/x", false);
    check(("x", "crates/x/"), "crates/x/src/parser.rs", true);
    check(("x", "crates/x/"), "crates/y/src/parser.rs", false);
    check(("x", "/"), "src/parser.rs", true);
    check(("f", "./a/b.c"), "a/b.c", true);
    check(("f", ""), "a/b.c", false);
}

fn report() -> TestReport {
    let mut report = TestReport::default();
    report.pass(BuiltPart::new("t::one", "t.rs"));
    report.pass(BuiltPart::new("t::two", "t.rs"));
    report.fail(ToolchainFailure::new("t::three", None, "no"));
    report
}

#[test]
fn a_question_about_one_test_is_about_that_one() {
    let narrowed = |asked: &str| {
        let mut narrowed = report();
        narrowed.narrow(&[target(asked)]);
        (narrowed.passed, narrowed.failed, narrowed.failures.len())
    };
    assert_eq!(narrowed("one"), (1, 0, 0));
    assert_eq!(narrowed("three"), (0, 1, 1));
    assert_eq!(narrowed("nothing"), (0, 0, 0));
    let mut both = report();
    both.narrow(&[target("one"), target("nothing")]);
    assert_eq!(
        (both.passed, both.failed),
        (0, 0),
        "half of what was asked for is another thing"
    );
    let mut crashed = report();
    crashed.fail(ToolchainFailure::new("", None, "the runner ended with 1"));
    crashed.narrow(&[target("one")]);
    assert_eq!((crashed.passed, crashed.failed), (1, 1));
}

#[test]
fn what_was_not_built_is_not_the_target() {
    let mut built = BuildReport {
        built: 1,
        is_target: true,
        parts: vec![BuiltPart::new("x", "crates/x/")],
        ..BuildReport::default()
    };
    built.narrow(&[target("x"), target("crates/x/src/a.rs")]);
    assert!(built.is_target);
    built.narrow(&[target("crates/y")]);
    assert!(!built.is_target);
}
