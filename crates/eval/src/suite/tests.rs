//! Tests that suites are read and that errors name their line.

use super::*;
use crate::case::{CaseTree, Input};

fn of(text: &str) -> Result<Vec<Case>, EvalError> {
    of_source(&SuiteText {
        name: "s",
        path: None,
        text,
    })
}

#[track_caller]
fn check_fault(text: &str, saying: &[&str]) {
    let fault = of(text).expect_err("a fault").to_string();
    assert!(saying.iter().all(|words| fault.contains(words)), "{fault}");
}

#[test]
fn every_built_in_suite_can_be_read() {
    for (name, _) in BUILT_IN {
        assert!(!read(name).expect("a suite").is_empty(), "{name}");
    }
    assert_eq!(read("capacity-review").expect("a suite").len(), 50);
}

#[test]
fn cases_take_what_the_suite_says_unless_they_say_it_themselves() {
    let text = "files: {a.rs: 'fn a() {}'}\nclass: one\ncases:\n- {id: x, question: q, expect: {outcome: answered}}\n\
                - {id: y, text: t, class: two, repo: r, expect: {gold: [{file: a.rs, line: 3}]}}\n";
    let cases = of(text).expect("a suite");
    assert!(matches!(
        (&cases[0].place, &cases[0].input),
        (CaseTree::Inline(_), Input::Question(_))
    ));
    assert!(matches!(
        (&cases[1].place, &cases[1].input),
        (CaseTree::Repository { .. }, Input::Text(_))
    ));
    assert_eq!(
        (cases[0].class.as_str(), cases[1].class.as_str()),
        ("one", "two")
    );
    assert_eq!((cases[0].line, cases[1].line), (4, 5));
}

#[test]
fn json_lines_are_cases_too() {
    let cases = of("{\"id\": \"x\", \"question\": \"q\", \"expect\": {\"intent\": [\"Locate\", \"Explain\"]}}\n").expect("a suite");
    assert_eq!((cases.len(), cases[0].expect.intents.len()), (1, 2));
}

#[test]
fn a_fault_is_told_with_its_line() {
    check_fault(
        "cases:\n- {id: x, question: q, expect: {outcome: perhaps}}\n",
        &["line 2", "perhaps", "answered"],
    );
    check_fault(
        "cases:\n- {id: x, question: q, expect: {outcome: answered}, colour: red}\n",
        &["line 2", "colour"],
    );
    check_fault(
        "cases:\n- {id: x, expect: {outcome: answered}}\n",
        &["line 2", "question"],
    );
    check_fault(
        "cases:\n- {id: x, question: q}\n",
        &["line 2", "expects nothing"],
    );
    check_fault(
        "cases:\n- {id: x, question: q, expect: {outcome: answered, refusal: not_found}}\n",
        &["line 2", "refusal"],
    );
    let twice = "- {id: x, question: q, expect: {outcome: answered}}\n";
    check_fault(&format!("cases:\n{twice}{twice}"), &["line 3", "twice"]);
    check_fault("{\"id\": \"x\"\n", &["line 1"]);
    check_fault("cases: []\n", &["no cases"]);
}

#[test]
fn a_job_that_is_not_there_is_refused_by_name() {
    check_fault(
        "cases:\n- {id: x, job: dance, question: q, expect: {outcome: answered}}\n",
        &["`dance`", "`ask`"],
    );
}

#[test]
fn labelled_questions_and_prompts_of_others_are_read() {
    let row = "{\"repo\": \"r\", \"cls\": \"P1\", \"answerable\": true, \"question\": \"where is X defined?\", \"target\": \"X\", \
               \"gold\": [{\"file\": \"a.rs\", \"line\": 3, \"kind\": \"struct\"}], \"ref_files\": 1, \"id\": \"r-1\"}\n";
    let cases = of(row).expect("a suite");
    assert_eq!(
        (cases[0].expect.gold[0].line, cases[0].query.as_deref()),
        (Some(3), Some("X"))
    );
    let cases =
        of("# a head\nwhat is the last commit | A | CommitHistory | OK | here\n").expect("a suite");
    assert_eq!(
        (cases[0].expect.intents[0].as_str(), cases[0].line),
        ("Status", 2)
    );
    check_fault(
        "how are you | A | Unheard | OK | here\n",
        &["line 1", "Unheard"],
    );
    let cases = of("[{\"query\": \"a b\", \"relevant\": [\"a.go\", {\"path\": \"b.go\"}], \"category\": \"c\"}]").expect("a suite");
    assert_eq!(cases[0].expect.gold[1].file, "b.go");
}

#[test]
fn hostile_suites_are_faults_and_no_panics() {
    for text in [
        "",
        "\u{0}",
        "&a [*a]",
        "cases: *x",
        "- - - -",
        "{\"cls\": \"answerable\"}",
        "[{\"query\": 1, \"relevant\": 2}]",
    ] {
        assert!(of(text).is_err(), "{text:?}");
    }
    assert!(of(&"[".repeat(100_000)).is_err());
    let bomb = "a: &a [x, x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b, *b]\ncases: []\n";
    assert!(of(bomb).is_err());
}
