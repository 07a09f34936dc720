//! Which words are dates, and what they mean.

use super::*;

#[track_caller]
fn check(text: &str, since: Option<&str>, until: Option<&str>) {
    assert_eq!(
        (
            date(text, End::Since).as_deref(),
            date(text, End::Until).as_deref()
        ),
        (since, until),
        "{text}"
    );
}

#[test]
fn days_months_and_years_have_a_first_and_a_last_day() {
    check(
        "2021-04-02",
        Some("2021-04-02 00:00:00 +0000"),
        Some("2021-04-03 00:00:00 +0000"),
    );
    check(
        "2021-12-31",
        Some("2021-12-31 00:00:00 +0000"),
        Some("2022-01-01 00:00:00 +0000"),
    );
    check(
        "2020-02-28",
        Some("2020-02-28 00:00:00 +0000"),
        Some("2020-02-29 00:00:00 +0000"),
    );
    check(
        "2021",
        Some("2021-01-01 00:00:00 +0000"),
        Some("2022-01-01 00:00:00 +0000"),
    );
    check(
        "2021-12",
        Some("2021-12-01 00:00:00 +0000"),
        Some("2022-01-01 00:00:00 +0000"),
    );
    check(
        "March 2021",
        Some("2021-03-01 00:00:00 +0000"),
        Some("2021-04-01 00:00:00 +0000"),
    );
    check(
        "2nd of April 2021",
        Some("2021-04-02 00:00:00 +0000"),
        Some("2021-04-03 00:00:00 +0000"),
    );
    check(
        "april 2, 2021",
        Some("2021-04-02 00:00:00 +0000"),
        Some("2021-04-03 00:00:00 +0000"),
    );
}

#[test]
fn days_that_count_from_today_are_left_to_git() {
    for text in [
        "yesterday",
        "last week",
        "2 weeks ago",
        "three days ago",
        "last monday",
    ] {
        check(text, Some(text), Some(text));
    }
    check("today", Some("midnight"), Some("midnight"));
    check("monday", Some("last monday"), Some("last monday"));
}

#[test]
fn words_that_are_no_date_do_not_reach_git() {
    for text in [
        "the refactoring",
        "v9.9",
        "12",
        "2021-13-01",
        "2021-04-02-05",
        "ago",
        "two",
        "--all",
        "last",
        "--since=2021",
        "0000-01-01",
    ] {
        check(text, None, None);
    }
}

#[test]
fn revisions_are_names_and_nothing_else() {
    for name in ["v1.2", "main~3", "feature/x", "HEAD^", "3fce3b5b"] {
        assert!(could_be_a_revision(name), "{name}");
    }
    for name in [
        "--all",
        "a..b",
        "HEAD@{1.day.ago}",
        ":/fix",
        "HEAD^{/fix}",
        "a b",
        "main:src",
        "--output=x",
    ] {
        assert!(!could_be_a_revision(name), "{name}");
    }
}

#[test]
fn seconds_are_days() {
    for (seconds, day) in [
        (0, "1970-01-01"),
        (1_617_321_600, "2021-04-02"),
        (951_782_400, "2000-02-29"),
        (-1, "1969-12-31"),
    ] {
        assert_eq!(day_of(seconds), day);
    }
}

#[test]
fn the_kind_of_a_version_is_what_stands_before_its_number() {
    let kinds = [
        ("v1.2", Some("v")),
        ("1.2.3", Some("")),
        ("ignore-0.4.33", Some("ignore-")),
        ("grep-pcre2-0.1.0", Some("grep-pcre2-")),
    ];
    for (tag, kind) in kinds.into_iter().chain([
        ("nightly", None),
        ("", None),
        ("é1.0", Some("é")),
        ("v12", None),
    ]) {
        assert_eq!(kind_of(tag), kind, "{tag}");
    }
}
