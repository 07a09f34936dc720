use super::cases;
use super::set::RuleSet;
use super::*;

#[test]
fn every_built_in_file_is_read_and_has_cases() {
    let set = RuleSet::built_in();
    let names: std::collections::BTreeSet<&str> = set.rules().iter().map(|rule| rule.name.as_str()).collect();
    let files: std::collections::BTreeSet<&str> = built_in::FILES.iter().map(|(file, _)| file.trim_end_matches(".yml")).collect();
    assert_eq!(names, files, "a file that cannot be read is missing here; a rule is called as its file");
    for rule in set.rules() {
        let text = &rule.documentation;
        for (part, words) in [("what", &text.what), ("why", &text.why), ("instead", &text.instead), ("wrong-when", &text.wrong_when)] {
            assert!(words.split_whitespace().count() > 3, "{}: `{part}` says too little", rule.name);
        }
    }
}

#[test]
fn every_built_in_rule_holds_its_cases() {
    let set = RuleSet::built_in();
    let mut failed = Vec::new();
    for (file, text) in cases::built_in_cases() {
        let report = cases::check(&set, file, text).unwrap_or_else(|error| panic!("{error}"));
        assert!(report.passed.values().sum::<usize>() + report.failed.len() >= 4, "{file} has too few cases");
        failed.extend(report.failed);
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

fn fault(text: &str) -> (u32, u32, String) {
    let error = RuleSet::default().with_text("own.yml", text).expect_err("a fault");
    (error.line, error.column, error.reason)
}

#[test]
fn a_broken_rule_is_told_with_its_line_and_column() {
    let (line, _, reason) = fault("id: a\nlanguage: Pyton\nrule: {pattern: f()}\n");
    assert!(line == 2 && reason.contains("Pyton") && reason.contains("Python"), "{line} {reason}");
    let (line, column, reason) = fault("id: a\nlanguage: Python\nrule:\n  patern: f()\n");
    assert!((line, column) == (4, 3) && reason.contains("patern"), "{line}:{column} {reason}");
    let (line, _, reason) = fault("id: a\nlanguage: Python\nmessage: m\nrule:\n  kind: no_such_kind\n");
    assert!(line == 5 && reason.contains("no_such_kind"), "{line} {reason}");
    let (line, _, reason) = fault("id: a\nlanguage: Python\nrule: {pattern: f()}\n---\nid: b\nlanguage: Text\nrule: {regex: '(['}\n");
    assert!(line == 7 && reason.contains("unclosed"), "{line} {reason}");
    let (line, _, reason) = fault("id: a\nlanguage: Text\nrule: {regex: a}\nrules: 1\n");
    assert!(line == 4 && reason.contains("rules"), "{line} {reason}");
    let (line, _, reason) = fault("language: Python\nrule: {pattern: f()}\n");
    assert!(line == 1 && reason.contains("`id`"), "{line} {reason}");
    let (line, _, reason) = fault("id: a\nlanguage: Python\nseverity: loud\nrule: {pattern: f()}\n");
    assert!(line == 3 && reason.contains("loud"), "{line} {reason}");
    assert!(fault("id: a\nlanguage: Native\nrule: {pattern: f()}\n").2.contains("no grammar"));
    assert!(fault("# nothing\n").2.contains("no rule"));
}

#[test]
fn a_name_that_is_taken_is_refused() {
    let error =
        RuleSet::built_in().with_text("own.yml", "id: secret-in-text\nlanguage: Python\nrule: {pattern: f()}\n").expect_err("taken");
    assert!(error.reason.contains("taken by a built-in rule"), "{error}");
}

#[test]
fn an_unknown_name_is_told_with_the_nearest() {
    let mut set = RuleSet::built_in();
    let error = set.switch(&["secret-in-txt".to_owned()], false).expect_err("unknown");
    assert_eq!(error.to_string(), "find a rule `secret-in-txt` (is `secret-in-text` meant?)");
    assert!(matches!(set.silence("secret-in-text", &[], "  "), Err(SwitchError::NoReason(_))));
}
