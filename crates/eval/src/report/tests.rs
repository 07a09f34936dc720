//! Hostile text stays text in every form of the report.

use std::sync::Arc;

use super::*;
use crate::checkouts::Checkouts;
use crate::journal::EarlierRun;
use crate::runner::{self, EvalOptions};
use crate::suite::{self, SuiteText};

const SUITE: &str = "files: {\"<img src=x onerror=alert(1)>.rs\": \"pub struct Alpha; // </script><script>alert(2)</script>\\e[31m\\u202e\\n\"}\n\
    cases:\n- {id: \"<b>one\", question: 'where is Alpha defined?', expect: {outcome: answered}}\n\
    - {id: two, question: '</script><script>alert(3)</script> \"quoted\"', expect: {outcome: insufficient}}\n";

fn report() -> EvalReport {
    let cases = suite::of_source(&SuiteText {
        name: "s",
        path: None,
        text: SUITE,
    })
    .expect("a suite");
    let cases: Vec<Arc<crate::Case>> = cases.into_iter().map(Arc::new).collect();
    let options = EvalOptions {
        jobs: 1,
        case_ms_max: 20_000,
        model: None,
    };
    let results = runner::run(
        &cases,
        &Arc::new(Checkouts::default()),
        options,
        None,
        &EarlierRun::default(),
        &|_| (),
    )
    .expect("a run");
    EvalReport::of(results, 1, Vec::new(), Some(Vec::new()))
}

#[test]
fn nothing_of_a_case_becomes_markup() {
    let page = report().html();
    let data = page
        .split("id=\"data\">")
        .nth(1)
        .and_then(|rest| rest.split("</script>").next())
        .expect("the data");
    assert!(
        !page.contains("<img") && !page.contains("<b>one") && !page.contains("<script>alert"),
        "markup of a case"
    );
    assert!(
        !page.contains('\u{1b}') && !page.contains('\u{202e}'),
        "hidden characters"
    );
    let data: serde_json::Value = serde_json::from_str(data).expect("JSON");
    assert_eq!(data[0]["name"], "s/<b>one");
    assert_eq!(
        page.matches("<script").count(),
        2,
        "the script and its data"
    );
}

#[test]
fn the_page_asks_for_nothing() {
    let page = report().html();
    for word in ["http:", "https:", "src=\"", "@import", "url("] {
        assert!(!page.contains(word), "{word}");
    }
}

#[test]
fn every_form_tells_the_same_counts() {
    let report = report();
    let right = report.count(Verdict::Right);
    assert!(
        report.table().contains(&format!("{right}/2")),
        "{}",
        report.table()
    );
    let json: serde_json::Value =
        serde_json::from_str(&report.json().expect("JSON")).expect("JSON");
    assert_eq!(json["figures"][0]["right"]["hits"], right);
    assert!(explain::of(&report.cases[0]).contains("verdict:"));
}
