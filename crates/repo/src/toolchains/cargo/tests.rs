use super::*;

const GOOD: &str = "\nrunning 2 tests\ntest a ... ok\ntest b ... ignored\n\ntest result: ok. 1 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n";

#[test]
fn a_summary_counts_where_everything_agrees() {
    assert_eq!(
        counts(GOOD, Summaries::One),
        Some(SummaryCounts {
            passed: 1,
            failed: 0,
            ignored: 1,
            announced: 2
        })
    );
    assert_eq!(
        counts(&GOOD.repeat(2), Summaries::Some).map(|counts| counts.passed),
        Some(2)
    );
}

#[test]
fn a_summary_that_contradicts_itself_counts_nothing() {
    for lie in [
        "",
        "all tests passed",
        "test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n",
        "running 1 test\ntest result: ok. 5 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n",
        "running 5 tests\ntest result: ok. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out\n",
        "running 5 tests\ntest result: fine. 5 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n",
        "running 5 tests\ntest result: ok. 5 passed; 0 failed; 0 ignored; 0 measured; 9 filtered out\n",
        "running 5 tests\ntest result: ok. -5 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n",
        "running 5 tests\ntest result: ok.\n",
    ] {
        assert_eq!(counts(lie, Summaries::One), None, "{lie}");
    }
    assert_eq!(
        counts(&GOOD.repeat(2), Summaries::One),
        None,
        "one executable has one summary"
    );
}

#[test]
fn failed_tests_are_told_with_what_they_said() {
    let text = "failures:\n\n---- tests::adds stdout ----\nthread 'tests::adds' panicked at src/lib.rs:7:9:\nassertion failed\n\n\nfailures:\n    tests::adds\n";
    let failed: Vec<(&str, String)> = failed_tests(text).collect();
    assert_eq!(failed.len(), 1);
    assert!(
        failed[0].0 == "tests::adds"
            && failed[0].1.contains("src/lib.rs:7:9")
            && !failed[0].1.contains("failures:")
    );
}
