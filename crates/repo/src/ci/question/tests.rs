use super::*;

#[track_caller]
fn check(text: &str, about: About, asks: Asks, claimed: Option<&str>) {
    let question = CiQuestion::of_text(text);
    assert_eq!(
        (question.about, question.asks, question.claimed.as_deref()),
        (about, asks, claimed),
        "{text}"
    );
}

#[test]
fn the_words_say_which_runs_and_whether_or_why() {
    check("why did CI fail?", About::Unsaid, Asks::Why, None);
    check("did CI pass?", About::Unsaid, Asks::Whether, None);
    check(
        "did CI pass on this commit",
        About::ThisCommit,
        Asks::Whether,
        None,
    );
    check(
        "did CI pass on HEAD?",
        About::ThisCommit,
        Asks::Whether,
        None,
    );
    check(
        "did CI pass at HEAD~2?",
        About::Commit("HEAD~2".to_owned()),
        Asks::Whether,
        None,
    );
    check(
        "why did CI fail on 4f2a90c?",
        About::Commit("4f2a90c".to_owned()),
        Asks::Why,
        None,
    );
    check(
        "what failed in the last workflow run",
        About::Newest,
        Asks::Why,
        None,
    );
    check(
        "show the most recent ci run",
        About::Newest,
        Asks::Whether,
        None,
    );
    check(
        "is CI green on main?",
        About::Branch("main".to_owned()),
        Asks::Whether,
        None,
    );
    check(
        "why is ci red on branch feature/x-1?",
        About::Branch("feature/x-1".to_owned()),
        Asks::Why,
        None,
    );
    check(
        "did CI pass on the release-2 branch",
        About::Branch("release-2".to_owned()),
        Asks::Whether,
        None,
    );
    check(
        "did CI pass on this branch",
        About::Unsaid,
        Asks::Whether,
        None,
    );
    check(
        "why did the deploy workflow fail",
        About::Unsaid,
        Asks::Why,
        Some("deploy"),
    );
    check(
        "did .github/workflows/ci.yml pass?",
        About::Unsaid,
        Asks::Whether,
        Some("github/workflows/ci.yml"),
    );
    check("", About::Unsaid, Asks::Whether, None);
}

#[test]
fn a_workflow_of_a_common_name_must_be_named_plainly() {
    let names =
        |text: &str, name: &str, file: Option<&str>| CiQuestion::of_text(text).names(name, file);
    assert!(!names(
        "why did CI fail?",
        "CI",
        Some(".github/workflows/ci.yml")
    ));
    assert!(names("why did the CI workflow fail?", "CI", None));
    assert!(names("why did `CI` fail?", "CI", None));
    assert!(names(
        "why did ci.yml fail in CI?",
        "Checks",
        Some(".github/workflows/ci.yml")
    ));
    assert!(names("why did the release fail in CI", "Release", None));
    assert!(names("did Deploy Docs pass in CI?", "Deploy docs", None));
    assert!(!names("did Deploy pass in CI?", "Deploy docs", None));
    assert!(names(
        "did nightly pass in CI?",
        "Every night",
        Some(".github/workflows/nightly.yml")
    ));
    assert!(!names("did CI pass?", "", None));
}
