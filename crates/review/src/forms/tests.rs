use super::*;
use crate::finding::{Anchor, Finding, Producer, Severity};
use crate::report::testing::report as report_of;
use crate::report::{BaselineState, BoundReached, Failure, LineState, Resolved, ReviewJudge};
use crate::rules::{NotJudged, RuleSet, Suppressed, SuppressedBy};

fn finding(severity: Severity, title: &str) -> Finding {
    Finding {
        id: "R1".to_owned(),
        rule: Some("error-ignored".to_owned()),
        path: "src/a b,c:d.py".to_owned(),
        anchor: Anchor::Lines { start: 2, end: 3 },
        severity,
        title: title.to_owned(),
        message: "why\n100% of it".to_owned(),
        quote: Some("except:\n    pass ``` x".to_owned()),
        symbol: "f".to_owned(),
        producers: vec![Producer::Rule("error-ignored".to_owned())],
        quality: crate::quality::of(crate::quality::Basis::Rule),
        exact: None,
    }
}

/// A report with something of everything.
fn full() -> Report {
    let mut full = report_of(vec![
        finding(
            Severity::Critical,
            "bad <script> @someone #1 [x](http://evil) `y`",
        ),
        Finding {
            anchor: Anchor::File,
            rule: None,
            producers: vec![Producer::Model("m".to_owned())],
            ..finding(Severity::Minor, "said")
        },
        finding(Severity::Info, "below"),
        finding(Severity::Major, "dismissed before"),
    ]);
    full.findings[2].standing = GateStanding::BelowSeverity;
    full.findings[3].standing = GateStanding::Known;
    full.findings[3].baseline = BaselineState::Dismissed {
        reason: "a fixed table".to_owned(),
    };
    let by = SuppressedBy::Comment {
        line: 1,
        is_new: true,
    };
    full.suppressed.push(Suppressed {
        finding: finding(Severity::Major, "silenced"),
        by,
        reason: Some("it is fine".to_owned()),
    });
    full.rules_not_judged.push(NotJudged {
        path: "big.py".to_owned(),
        rule: None,
        reason: "too large".to_owned(),
        lines: 7,
        open: crate::rules::Open::Bound,
    });
    full.resolved.push(Resolved {
        fingerprint: "f0".to_owned(),
        path: "src/a.py".to_owned(),
        title: "gone now".to_owned(),
    });
    full.bounds.push(BoundReached {
        name: "max_tokens_total",
        value: 9,
        cut: "2 hunks".to_owned(),
    });
    full
}

fn failed() -> Report {
    let mut failed = report_of(Vec::new());
    let what = "asking the model about b1: the time was up".to_owned();
    failed.failures.push(Failure {
        part: "b1".to_owned(),
        what,
        advice: "try again".to_owned(),
        raw: None,
    });
    failed.files[0].lines[0].state = LineState::Failed;
    failed.judge = ReviewJudge::RulesAndModel {
        model: "p/m".to_owned(),
    };
    failed
}

/// Every form of a report as text.
fn all_forms(report: &Report) -> [(&'static str, String); 4] {
    let rules = RuleSet::built_in();
    [
        (
            "sarif",
            sarif::render(report, &rules, "0.0.0", ShownScope::Gate).to_string(),
        ),
        ("markdown", markdown::render(report, ShownScope::Gate)),
        ("annotations", annotations::render(report, ShownScope::Gate)),
        (
            "rdjson",
            rdjson::render(report, ShownScope::Gate).to_string(),
        ),
    ]
}

#[test]
fn every_form_says_how_much_was_judged_and_what_is_open() {
    for (form, text) in all_forms(&full()) {
        for part in [
            "no model judged",
            "3 of 3 changed lines",
            "big.py",
            "too large",
            "max_tokens_total",
        ] {
            assert!(
                text.contains(part) || text.contains(&part.replace('_', "\\_")),
                "{form} lacks `{part}`:\n{text}"
            );
        }
    }
}

#[test]
fn no_form_tells_a_failure_as_clean() {
    for (form, text) in all_forms(&failed()) {
        assert!(
            text.contains("The review failed") && text.contains("the time was up"),
            "{form}:\n{text}"
        );
        assert!(!text.contains("Nothing at or above"), "{form}:\n{text}");
    }
    let log = sarif::render(&failed(), &RuleSet::default(), "0.0.0", ShownScope::Gate);
    assert_eq!(
        log["runs"][0]["invocations"][0]["executionSuccessful"],
        false
    );
}

#[test]
fn what_is_below_the_gate_is_shown_where_all_is_asked_for() {
    let rules = RuleSet::built_in();
    let results = |which| {
        let log = sarif::render(&full(), &rules, "0.0.0", which);
        log["runs"][0]["results"].as_array().map_or(0, Vec::len)
    };
    assert_eq!(results(ShownScope::All), results(ShownScope::Gate) + 1);
    assert!(!markdown::render(&full(), ShownScope::Gate).contains("— below"));
    assert!(markdown::render(&full(), ShownScope::All).contains("— below"));
}

#[test]
fn sarif_keeps_to_its_published_schema() {
    // The schema that the OASIS committee publishes, unchanged.
    let schema =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/sarif-2.1.0.json");
    let mut schema: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(schema).expect("the schema")).expect("JSON");
    // The pattern of a language has a bracket too many: no engine but that of a browser reads it,
    // and no log of ours has a language.
    for of in ["run", "toolComponent"] {
        let language = schema["definitions"][of]["properties"]["language"]
            .as_object_mut()
            .expect("a property");
        language.remove("pattern");
    }
    let validator = jsonschema::validator_for(&schema).expect("a valid schema");
    let empty = report_of(vec![Finding {
        title: String::new(),
        message: String::new(),
        ..finding(Severity::Info, "")
    }]);
    for report in [full(), failed(), empty, report_of(Vec::new())] {
        let log = sarif::render(&report, &RuleSet::built_in(), "0.0.0", ShownScope::All);
        let errors: Vec<String> = validator
            .iter_errors(&log)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{errors:#?}");
    }
    assert!(
        !validator.is_valid(&serde_json::json!({"version": "2.1.0", "runs": [{"tool": {}}]})),
        "the schema tells good from bad"
    );
}

#[test]
fn a_file_that_nobody_could_read_is_one_line() {
    let mut report = report_of(Vec::new());
    report.files[0].skipped = Some(crate::report::SkipReason::Binary);
    let path = report.files[0].path.clone();
    let open = |rule: Option<&str>, reason: &str| NotJudged {
        path: path.clone(),
        rule: rule.map(str::to_owned),
        reason: reason.to_owned(),
        lines: 0,
        open: crate::rules::Open::Kind,
    };
    report.rules_not_judged = vec![
        open(None, "it is not text"),
        open(None, "its text is missing"),
        open(Some("a-rule"), "it is not text"),
    ];
    let lines = words::open(&report);
    assert_eq!(
        lines[..3],
        [
            format!("Not judged: {path} by the rules: its text is missing (0 added lines)"),
            format!("Not judged: {path} by the rule `a-rule`: it is not text (0 added lines)"),
            format!("Not judged: {path}: it is not text"),
        ]
    );
}

#[test]
fn sarif_marks_what_is_suppressed_dismissed_and_gone() {
    let log = sarif::render(&full(), &RuleSet::built_in(), "0.0.0", ShownScope::Gate);
    let run = &log["runs"][0];
    let results = run["results"].as_array().expect("results");
    let with = |text: &str| {
        let has = |result: &&serde_json::Value| {
            result["message"]["text"]
                .as_str()
                .is_some_and(|message| message.starts_with(text))
        };
        results
            .iter()
            .find(has)
            .unwrap_or_else(|| panic!("no result `{text}`"))
    };
    assert_eq!(with("silenced")["suppressions"][0]["kind"], "inSource");
    assert_eq!(
        with("silenced")["suppressions"][0]["justification"],
        "it is fine"
    );
    assert_eq!(
        with("dismissed before")["suppressions"][0]["kind"],
        "external"
    );
    assert_eq!(with("gone now")["baselineState"], "absent");
    assert_eq!(with("Not judged: big.py")["kind"], "open");
    let bad = with("bad <script>");
    assert_eq!(
        bad["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
        "src/a%20b%2Cc%3Ad.py"
    );
    assert_eq!(
        bad["locations"][0]["physicalLocation"]["region"]["startLine"],
        2
    );
    assert_eq!(
        bad["partialFingerprints"]["groundsFinding/v1"],
        crate::fingerprint::of(&full().findings[0].finding)
    );
    let index = usize::try_from(bad["ruleIndex"].as_u64().expect("an index")).expect("small");
    assert_eq!(run["tool"]["driver"]["rules"][index]["id"], "error-ignored");
    assert!(
        with("said")["locations"][0]["physicalLocation"]["region"].is_null(),
        "no line is guessed"
    );
}

#[test]
fn nothing_of_the_repository_acts_in_a_comment() {
    let page = markdown::render(&full(), ShownScope::Gate);
    for acting in ["<script>", "@someone", "[x](", "http://"] {
        assert!(!page.contains(acting), "`{acting}` acts:\n{page}");
    }
    assert!(
        page.contains("````\nexcept:\n    pass ``` x\n````"),
        "the fence is longer than what it holds:\n{page}"
    );
    assert!(page.starts_with(markdown::MARK));
}

#[test]
fn a_comment_has_a_bound_and_tells_what_it_leaves_out() {
    let many = report_of(
        (0..400)
            .map(|index| {
                finding(
                    Severity::Major,
                    &format!("finding {index} {}", "x".repeat(300)),
                )
            })
            .collect(),
    );
    let page = markdown::render(&many, ShownScope::Gate);
    assert!(
        page.len() < 65_536 && page.contains("more did not fit"),
        "{} bytes",
        page.len()
    );
    let mut wordy = report_of(Vec::new());
    wordy.notes = (0..5_000)
        .map(|index| format!("note {index} {}", "y".repeat(80)))
        .collect();
    assert!(markdown::render(&wordy, ShownScope::Gate).len() < 65_536);
}

#[test]
fn an_annotation_is_one_line_that_nothing_in_it_can_end() {
    let text = annotations::render(&full(), ShownScope::Gate);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.iter().all(|line| line.starts_with("::")), "{text}");
    assert!(lines[0].starts_with("::error file=src/a b%2Cc%3Ad.py,line=2,endLine=3,title=error-ignored (critical%2C strong)::"), "{text}");
    assert!(lines[0].contains("why%0A100%25 of it"), "{text}");
    let hostile = report_of(vec![Finding {
        title: "a\n::set-output name=x::y\r\n::error::z".to_owned(),
        ..finding(Severity::Info, "")
    }]);
    assert!(
        annotations::render(&hostile, ShownScope::Gate)
            .lines()
            .all(|line| !line.starts_with("::set-output"))
    );
}

#[test]
fn rdjson_has_what_reviewdog_reads() {
    let result = rdjson::render(&full(), ShownScope::Gate);
    let first = &result["diagnostics"][0];
    assert_eq!(first["location"]["range"]["start"]["line"], 2);
    assert_eq!(
        (&first["severity"], &first["code"]["value"]),
        (&"ERROR".into(), &"error-ignored".into())
    );
    assert!(result["diagnostics"][1]["location"]["range"].is_null());
    let all = result["diagnostics"].as_array().expect("a list");
    assert!(
        all.iter()
            .all(|one| one["message"].is_string() && one["location"]["path"].is_string())
    );
    assert!(all.iter().all(|one| {
        ["ERROR", "WARNING", "INFO"].contains(&one["severity"].as_str().unwrap_or_default())
    }));
}
