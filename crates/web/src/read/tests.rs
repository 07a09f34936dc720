use jiff::Timestamp;
use proptest::prelude::*;

use super::{Material, Medium, ReadBounds, days, read};

fn now() -> Timestamp {
    "2026-01-01T00:00:00Z".parse().expect("a moment")
}

#[track_caller]
fn date(text: &str, expected: Option<&str>) {
    let shown = |day: days::Day| {
        if day.is_day {
            day.at.to_string()[..10].to_owned()
        } else {
            day.at.to_string()
        }
    };
    assert_eq!(
        days::parse(text, now()).map(shown).as_deref(),
        expected,
        "{text:?}"
    );
}

#[test]
fn dates_are_read_as_people_write_them() {
    date("2024-05-03", Some("2024-05-03"));
    date("2024/5/3", Some("2024-05-03"));
    date("20240503", Some("2024-05-03"));
    date("03.05.2024", Some("2024-05-03"));
    date("2024-05-03T10:15:00Z", Some("2024-05-03T10:15:00Z"));
    date("2024-05-03T10:15:00+02:00", Some("2024-05-03T08:15:00Z"));
    date("2024-05-03 10:15:00 +0200", Some("2024-05-03T08:15:00Z"));
    date("2024-05-03 10:15:00 UTC", Some("2024-05-03T10:15:00Z"));
    date(
        "2024-05-03T23:59:59.999-0800",
        Some("2024-05-04T07:59:59.999Z"),
    );
    date(
        "2024-05-03T10:15:00+02:00[Europe/Paris]",
        Some("2024-05-03T08:15:00Z"),
    );
    date(
        "Fri, 03 May 2024 10:15:00 GMT",
        Some("2024-05-03T10:15:00Z"),
    );
    date("May 3, 2024", Some("2024-05-03"));
    date("3 May 2024", Some("2024-05-03"));
    date("Friday, 3rd of May 2024 at 10:15", Some("2024-05-03"));
    date("Sept. 1, 2023", Some("2023-09-01"));
    date("  31 December 1999 ", Some("1999-12-31"));
}

#[test]
fn a_time_without_a_zone_is_a_day() {
    date("2024-05-03T10:15:00", Some("2024-05-03"));
    date("2024-05-03 10:15", Some("2024-05-03"));
}

#[test]
fn what_can_be_read_in_two_ways_is_no_date() {
    date("05/03/2024", None);
    date("13/05/2024", Some("2024-05-13"));
    date("05/13/2024", Some("2024-05-13"));
    date("04/04/2024", Some("2024-04-04"));
}

#[test]
fn what_cannot_be_is_no_date() {
    for text in [
        "",
        "soon",
        "2024",
        "2024-05",
        "2024-13-01",
        "2024-02-30",
        "99999999",
        "0001-01-01",
        "1970-01-01T00:00:00Z",
        "May 2024",
        "3 days ago",
        "yesterday",
        "1.2.3",
    ] {
        date(text, None);
    }
    date("2026-01-03", None);
    date("2099-01-01", None);
    date("2026-01-01T20:00:00Z", Some("2026-01-01T20:00:00Z"));
}

#[test]
fn a_leap_day_is_a_day_in_its_year_only() {
    date("2024-02-29", Some("2024-02-29"));
    date("2023-02-29", None);
}

fn reading(bytes: &[u8], medium: Medium) -> Result<super::Reading, super::ReadError> {
    let material = Material {
        bytes,
        medium,
        charset: None,
        address: None,
        path: None,
        now: now(),
    };
    read(&material, &ReadBounds::default())
}

#[test]
fn the_bound_that_a_page_passes_is_named() {
    let check = |html: String, bound: &str| {
        let why = reading(html.as_bytes(), Medium::Html).map_err(|error| error.to_string());
        assert!(
            why.as_ref().is_err_and(|why| why.contains(bound)),
            "{why:?}"
        );
    };
    check("<div>".repeat(6_000), "`depth_max` of 400");
    check(
        format!("<p {}>", "a ".repeat(6_000)),
        "`attributes_max` of 5000",
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        for medium in [Medium::Html, Medium::Markdown, Medium::Plain, Medium::Pdf] {
            if let Err(super::ReadError::Broken { why, .. }) = reading(&bytes, medium) {
                prop_assert!(!why.contains("gave up"), "{}", why);
            }
        }
    }

    #[test]
    fn no_text_makes_a_date_panic(text in "\\PC{0,40}") {
        days::parse(&text, now());
    }

    #[test]
    fn pieces_of_html_in_any_order_are_read(pieces in proptest::collection::vec(prop::sample::select(vec![
        "<div>", "</div>", "<table>", "<tr>", "<p>word ", "<script>", "</script>", "<svg><foreignObject>", "<time datetime='2024-05-03'>",
        "<b><i>", "</b>", "<article>", "<template>", "<!--", "-->", "<select>", "&amp;", "<math>", "<title>t</title>", "<meta property='article:published_time' content='2024-05-03'>",
    ]), 0..60)) {
        let html = pieces.concat();
        if let Err(super::ReadError::Broken { why, .. }) = reading(html.as_bytes(), Medium::Html) {
            prop_assert!(false, "{}: {}", html, why);
        }
    }
}
