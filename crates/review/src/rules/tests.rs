use super::cases;
use super::set::RuleSet;
use super::*;

#[test]
fn every_built_in_file_is_read_and_has_cases() {
    let set = RuleSet::built_in();
    let names: std::collections::BTreeSet<&str> =
        set.rules().iter().map(|rule| rule.name.as_str()).collect();
    let files: std::collections::BTreeSet<&str> = built_in::FILES
        .iter()
        .map(|(file, _)| file.trim_end_matches(".yml"))
        .collect();
    assert_eq!(
        names, files,
        "a file that cannot be read is missing here; a rule is called as its file"
    );
    for rule in set.rules() {
        let text = &rule.documentation;
        for (part, words) in [
            ("what", &text.what),
            ("why", &text.why),
            ("instead", &text.instead),
            ("wrong-when", &text.wrong_when),
        ] {
            assert!(
                words.split_whitespace().count() > 3,
                "{}: `{part}` says too little",
                rule.name
            );
        }
    }
}

/// The heads are read without the patterns, and the patterns when they are needed.
#[test]
fn every_built_in_document_is_the_same_in_parts() {
    for (file, text) in built_in::FILES {
        let whole = documents::read_whole_heads(text);
        let parts = documents::read(file, text, documents::Trust::BuiltIn).expect(file);
        let heads: Vec<documents::Head> = parts.into_iter().map(|part| part.head).collect();
        assert_eq!(heads, whole, "{file}");
    }
    let set = RuleSet::built_in();
    for detector in set.rules().iter().flat_map(|rule| &rule.detectors) {
        if let rule::DetectorKind::Tree(tree) = &detector.kind {
            let read = tree.matcher().map(|_| ());
            assert_eq!(read, Ok(()), "{}", detector.id);
        }
    }
}

#[test]
fn every_built_in_rule_holds_its_cases() {
    let set = RuleSet::built_in();
    let mut failed = Vec::new();
    for (file, text) in cases::built_in_cases() {
        let report = cases::check(&set, file, text).unwrap_or_else(|error| panic!("{error}"));
        assert!(
            report.passed.values().sum::<usize>() + report.failed.len() >= 4,
            "{file} has too few cases"
        );
        failed.extend(report.failed);
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

fn fault(text: &str) -> (u32, u32, String) {
    let error = RuleSet::default()
        .with_text("own.yml", text)
        .expect_err("a fault");
    (error.line, error.column, error.reason)
}

#[test]
fn a_broken_rule_is_told_with_its_line_and_column() {
    let (line, _, reason) = fault("id: a\nlanguage: Pyton\nrule: {pattern: f()}\n");
    assert!(
        line == 2 && reason.contains("Pyton") && reason.contains("Python"),
        "{line} {reason}"
    );
    let (line, column, reason) = fault("id: a\nlanguage: Python\nrule:\n  patern: f()\n");
    assert!(
        (line, column) == (4, 3) && reason.contains("patern"),
        "{line}:{column} {reason}"
    );
    let (line, _, reason) =
        fault("id: a\nlanguage: Python\nmessage: m\nrule:\n  kind: no_such_kind\n");
    assert!(
        line == 5 && reason.contains("no_such_kind"),
        "{line} {reason}"
    );
    let (line, _, reason) = fault(
        "id: a\nlanguage: Python\nrule: {pattern: f()}\n---\nid: b\nlanguage: Text\nrule: {regex: '(['}\n",
    );
    assert!(line == 7 && reason.contains("unclosed"), "{line} {reason}");
    let (line, _, reason) = fault("id: a\nlanguage: Text\nrule: {regex: a}\nrules: 1\n");
    assert!(line == 4 && reason.contains("rules"), "{line} {reason}");
    let (line, _, reason) = fault("language: Python\nrule: {pattern: f()}\n");
    assert!(line == 1 && reason.contains("`id`"), "{line} {reason}");
    let (line, _, reason) =
        fault("id: a\nlanguage: Python\nseverity: loud\nrule: {pattern: f()}\n");
    assert!(line == 3 && reason.contains("loud"), "{line} {reason}");
    assert!(
        fault("id: a\nlanguage: Native\nrule: {pattern: f()}\n")
            .2
            .contains("no grammar")
    );
    assert!(fault("# nothing\n").2.contains("no rule"));
}

#[test]
fn a_name_that_is_taken_is_refused() {
    let error = RuleSet::built_in()
        .with_text(
            "own.yml",
            "id: secret-in-text\nlanguage: Python\nrule: {pattern: f()}\n",
        )
        .expect_err("taken");
    assert!(error.reason.contains("taken by a built-in rule"), "{error}");
}

#[test]
fn an_unknown_name_is_told_with_the_nearest() {
    let mut set = RuleSet::built_in();
    let error = set
        .switch(&["secret-in-txt".to_owned()], false)
        .expect_err("unknown");
    assert_eq!(
        error.to_string(),
        "find a rule `secret-in-txt` (is `secret-in-text` meant?)"
    );
    assert!(matches!(
        set.silence("secret-in-text", &[], "  "),
        Err(SwitchError::NoReason(_))
    ));
}

/// What stands between the marks of the page is made from the rules. `UPDATE_SUITE=1 cargo test`
/// writes it anew.
#[test]
fn the_page_of_the_rules_is_that_of_the_rules() {
    const MARKS: (&str, &str) = (
        "<!-- made from the rules -->\n",
        "<!-- end of what is made from the rules -->",
    );
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rules.md");
    let page = std::fs::read_to_string(&path).expect("the page");
    let (before, rest) = page.split_once(MARKS.0).expect("the first mark");
    let (_, after) = rest.split_once(MARKS.1).expect("the second mark");
    let made = format!(
        "{before}{}{}{}{after}",
        MARKS.0,
        page::render(&RuleSet::built_in()),
        MARKS.1
    );
    if std::env::var_os("UPDATE_SUITE").is_some() {
        std::fs::write(&path, &made).expect("the page can be written");
    }
    let published = std::fs::read_to_string(&path).expect("the page");
    assert!(
        made == published,
        "docs/rules.md is out of date: UPDATE_SUITE=1 cargo test -p grounds-review"
    );
}

/// Rules that hold whatever is judged.
mod laws {
    use proptest::prelude::*;

    use std::sync::LazyLock;

    use super::super::cases::testing::judge;
    use super::super::set::RuleSet;

    /// Made once: the matchers of a set are made at their first use.
    static RULES: LazyLock<RuleSet> = LazyLock::new(RuleSet::built_in);

    const LINES: [&str; 10] = [
        "x = 1",
        "requests.get(url, verify=False)",
        "breakpoint()",
        "def f():",
        "    os.system(f'rm {path}')",
        "# grounds-ignore: debug-leftover -- for the story",
        "",
        "try:",
        "    g(list[len(list)])",
        "\u{202e}é",
    ];

    fn text() -> impl Strategy<Value = String> {
        proptest::collection::vec(proptest::sample::select(&LINES[..]), 0..14)
            .prop_map(|lines| lines.join("\n"))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// What does not change is never told, and only added lines are pointed at.
        #[test]
        fn only_what_is_new_is_told(base in text(), head in text()) {
            let rules = &*RULES;
            prop_assert!(judge(rules, Some(&base), &base).0.findings.is_empty());
            let (report, added) = judge(rules, Some(&base), &head);
            for finding in &report.findings {
                if let crate::Anchor::Lines { start, end } = finding.anchor {
                    prop_assert!(added.iter().any(|line| (start..=end).contains(line)), "{finding:?} {added:?}");
                }
            }
            // Without a base, every line is new: a base never adds findings.
            let alone = judge(rules, None, &head).0;
            prop_assert!(report.findings.len() <= alone.findings.len() + alone.suppressed.len());
        }

        /// No text breaks a rule, and lines added before it do not change the findings.
        #[test]
        fn any_text_is_judged(head in "\\PC*", lines in 0_usize..4) {
            let rules = &*RULES;
            let moved = "\n".repeat(lines) + &head;
            let (first, second) = (judge(rules, None, &head).0, judge(rules, None, &moved).0);
            prop_assert!(first.not_judged.is_empty(), "{:?}", first.not_judged);
            let told = |report: &crate::RuleReport| report.findings.iter().map(crate::fingerprint::of).collect::<Vec<_>>();
            prop_assert_eq!(told(&first), told(&second));
        }
    }
}

#[test]
fn bounds_are_told_when_they_are_reached() {
    let mut rules = RuleSet::built_in();
    rules.limits.findings_in_file_max = 3;
    let many = "breakpoint()\n".repeat(9);
    let (report, _) = cases::testing::judge(&rules, None, &many);
    assert_eq!(report.findings.len(), 3);
    let open = &report.not_judged[0];
    assert!(
        open.reason.contains("9 places") && open.reason.contains("findings_in_file_max"),
        "{open:?}"
    );
    assert_eq!((report.judged.lines, report.judged.lines_judged), (9, 0));
    rules.limits.file_bytes_max = 20;
    let (report, _) = cases::testing::judge(&rules, None, &many);
    assert!(
        report.findings.is_empty() && report.not_judged[0].reason.contains("file_bytes_max"),
        "{:?}",
        report.not_judged
    );
    rules.limits = RuleLimits {
        findings_max: 2,
        ..RuleLimits::default()
    };
    let (report, _) = cases::testing::judge(&rules, None, &many);
    assert!(
        report.findings.len() == 2 && report.not_judged[0].reason.contains("findings_max"),
        "{:?}",
        report.not_judged
    );
}

/// One node is enough: the matcher looks through the tree, and through it again for each step of that.
#[test]
fn a_relation_in_relations_is_ended_by_its_time() {
    const RULE: &str = "id: deep\nlanguage: Python\nmessage: m\nrule:\n  kind: module\n  has: {stopBy: end, has: {stopBy: end, has: {stopBy: end, \
        inside: {stopBy: end, has: {stopBy: end, regex: ^never$}}}}}\n";
    let mut rules = RuleSet::default()
        .with_text("own.yml", RULE)
        .expect("a rule");
    rules.limits.file_ms_max = 2_000;
    let text = "f(a(b(c(d(e(g(h(1))))))))\n".repeat(3_000);
    let start = std::time::Instant::now();
    let (report, _) = cases::testing::judge(&rules, None, &text);
    let took = start.elapsed();
    assert!(took.as_secs() < 30, "{took:?}");
    assert!(report.findings.is_empty());
    assert!(
        report.not_judged[0].reason.contains("file_ms_max"),
        "{:?}",
        report.not_judged
    );
    assert_eq!(
        (report.judged.lines, report.judged.lines_judged),
        (3_000, 0)
    );
}

#[test]
fn a_suppression_is_told_with_its_reason_and_whether_the_change_brought_it() {
    let mut rules = RuleSet::built_in();
    let base = "# grounds-ignore: debug-leftover -- old\nx = 1\n";
    let head = "# grounds-ignore: debug-leftover -- old\nbreakpoint()\ny = 2\nbreakpoint() # grounds-ignore: debug-leftover\n";
    let (report, _) = cases::testing::judge(&rules, Some(base), head);
    let told: Vec<(&SuppressedBy, Option<&str>)> = report
        .suppressed
        .iter()
        .map(|one| (&one.by, one.reason.as_deref()))
        .collect();
    let expected = [(
        &SuppressedBy::Comment {
            line: 1,
            is_new: false,
        },
        Some("old"),
    )];
    assert_eq!(told, expected);
    assert_eq!(
        report
            .findings
            .iter()
            .map(|finding| finding.rule.as_deref())
            .collect::<Vec<_>>(),
        [Some("debug-leftover"), Some("suppression-without-reason")],
        "what the change itself silences stays"
    );
    assert_eq!(
        report.silenced_by_change.into_iter().collect::<Vec<_>>(),
        [("R1".to_owned(), String::new())]
    );
    rules
        .silence(
            "tls-check-disabled",
            &["src/**".to_owned()],
            "a test server",
        )
        .expect("a rule");
    let (report, _) = cases::testing::judge(&rules, None, "f(verify=False)\n");
    assert!(report.findings.is_empty() && report.suppressed[0].by == SuppressedBy::Configuration);
    assert_eq!(
        report.suppressed[0].reason.as_deref(),
        Some("a test server")
    );
}

#[test]
fn threads_do_not_change_what_is_told() {
    let files: Vec<(String, String)> = (0..40)
        .map(|index| {
            (
                format!("src/f{index}.py"),
                format!("x = {index}\nbreakpoint()\nrequests.get(u{index}, verify=False)\n"),
            )
        })
        .collect();
    let report = |threads| {
        let mut rules = RuleSet::built_in();
        rules.limits.threads_max = threads;
        cases::testing::judge_files(&rules, &files)
    };
    assert_eq!(report(1), report(8));
    assert_eq!(report(1).findings.len(), 80);
}

#[test]
fn a_base_that_cannot_be_read_is_told() {
    let rules = RuleSet::built_in();
    let report = cases::testing::judge_without_base(
        &rules,
        "breakpoint()\n",
        "x = 1\nbreakpoint()\ny = 2\nbreakpoint()\n",
    );
    assert!(
        report
            .not_judged
            .iter()
            .any(|open| open.reason.contains("the base: gone")),
        "{:?}",
        report.not_judged
    );
    assert!(
        !report.findings.is_empty(),
        "a finding that may be old is still reported"
    );
}
