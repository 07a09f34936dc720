use super::*;

#[track_caller]
fn check(text: &str, about: RunsAbout, asks: Asks, claimed: Option<&str>) {
    let question = CiQuestion::of_text(text);
    assert_eq!(
        (question.about, question.asks, question.claimed.as_deref()),
        (about, asks, claimed),
        "{text}"
    );
}

#[test]
fn the_words_say_which_runs_and_whether_or_why() {
    check("why did CI fail?", RunsAbout::Unsaid, Asks::Why, None);
    check("did CI pass?", RunsAbout::Unsaid, Asks::Whether, None);
    check(
        "did CI pass on this commit",
        RunsAbout::ThisCommit,
        Asks::Whether,
        None,
    );
    check(
        "did CI pass on HEAD?",
        RunsAbout::ThisCommit,
        Asks::Whether,
        None,
    );
    check(
        "did CI pass at HEAD~2?",
        RunsAbout::Commit("HEAD~2".to_owned()),
        Asks::Whether,
        None,
    );
    check(
        "why did CI fail on 4f2a90c?",
        RunsAbout::Commit("4f2a90c".to_owned()),
        Asks::Why,
        None,
    );
    check(
        "what failed in the last workflow run",
        RunsAbout::Newest,
        Asks::Why,
        None,
    );
    check(
        "show the most recent ci run",
        RunsAbout::Newest,
        Asks::Whether,
        None,
    );
    check(
        "is CI green on main?",
        RunsAbout::Branch("main".to_owned()),
        Asks::Whether,
        None,
    );
    check(
        "why is ci red on branch feature/x-1?",
        RunsAbout::Branch("feature/x-1".to_owned()),
        Asks::Why,
        None,
    );
    check(
        "did CI pass on the release-2 branch",
        RunsAbout::Branch("release-2".to_owned()),
        Asks::Whether,
        None,
    );
    check(
        "did CI pass on this branch",
        RunsAbout::Unsaid,
        Asks::Whether,
        None,
    );
    check(
        "why did the deploy workflow fail",
        RunsAbout::Unsaid,
        Asks::Why,
        Some("deploy"),
    );
    check(
        "did .github/workflows/ci.yml pass?",
        RunsAbout::Unsaid,
        Asks::Whether,
        Some("github/workflows/ci.yml"),
    );
    check("", RunsAbout::Unsaid, Asks::Whether, None);
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
