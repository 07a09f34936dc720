use super::*;
use crate::finding::{Anchor, Producer, Severity};
use crate::report::testing::report;

fn finding(path: &str, quote: &str, line: u32) -> Finding {
    Finding {
        id: "R1".to_owned(),
        rule: Some("a-rule".to_owned()),
        path: path.to_owned(),
        anchor: Anchor::Lines {
            start: line,
            end: line,
        },
        severity: Severity::Major,
        title: "it is wrong".to_owned(),
        message: String::new(),
        quote: Some(quote.to_owned()),
        symbol: "f".to_owned(),
        producers: vec![Producer::Rule("a-rule".to_owned())],
        quality: crate::quality::of(crate::quality::Basis::Rule),
        exact: None,
    }
}

#[test]
fn a_fingerprint_keeps_through_lines_and_white_space_and_tells_all_else_apart() {
    let of = crate::fingerprint::of;
    let first = finding("a.py", "f( x )", 3);
    assert_eq!(of(&first), of(&finding("a.py", "  f(  x\t)", 90)));
    assert_ne!(of(&first), of(&finding("a.py", "f( y )", 3)));
    assert_ne!(
        of(&first),
        of(&Finding {
            symbol: "g".to_owned(),
            ..first.clone()
        })
    );
    assert_ne!(
        of(&first),
        of(&Finding {
            rule: Some("other".to_owned()),
            ..first.clone()
        })
    );
    assert_ne!(
        of(&first),
        of(&Finding {
            rule: None,
            ..first.clone()
        })
    );
    // Where one part ends and the next begins is a part of it.
    let joined = Finding {
        rule: Some("a-rulef".to_owned()),
        symbol: String::new(),
        ..first.clone()
    };
    assert_ne!(of(&first), of(&joined));
}

fn states(report: &Report) -> Vec<&BaselineState> {
    report
        .findings
        .iter()
        .map(|reported| &reported.baseline)
        .collect()
}

#[test]
fn findings_are_new_unchanged_dismissed_or_resolved() {
    let last = report(vec![
        finding("a.py", "one", 1),
        finding("a.py", "one", 5),
        finding("a.py", "two", 2),
    ]);
    let baseline =
        Baseline::read("b.json", &Baseline::of(&last).render()).expect("what was written");
    assert_eq!(baseline, Baseline::of(&last));
    let mut now = report(vec![
        finding("a.py", "one", 9),
        finding("b.py", "three", 4),
        finding("a.py", "one", 11),
        finding("a.py", "one", 12),
    ]);
    let text = Dismissals::entry(&finding("b.py", "three", 4), "a \"table\" of ours: # fixed");
    let dismissals = Dismissals::read("d.yml", &text).expect("what was written");
    apply(&mut now, &baseline, &dismissals);
    let dismissed = BaselineState::Dismissed {
        reason: "a \"table\" of ours: # fixed".to_owned(),
    };
    assert_eq!(
        states(&now),
        [
            &BaselineState::Unchanged,
            &dismissed,
            &BaselineState::Unchanged,
            &BaselineState::New
        ]
    );
    assert_eq!(
        now.resolved
            .iter()
            .map(|gone| gone.title.as_str())
            .collect::<Vec<_>>(),
        ["it is wrong"]
    );
}

#[test]
fn what_was_not_judged_is_not_resolved() {
    let baseline = Baseline::of(&report(vec![finding("a.py", "one", 1)]));
    let open = |path: &str| crate::rules::NotJudged {
        path: path.to_owned(),
        rule: None,
        reason: "too large".to_owned(),
        lines: 3,
        open: crate::rules::Open::Bound,
    };
    let mut now = report(Vec::new());
    now.rules_not_judged.push(open("a.py"));
    apply(&mut now, &baseline, &Dismissals::default());
    assert!(now.resolved.is_empty());
    let mut now = report(Vec::new());
    now.files
        .iter_mut()
        .flat_map(|file| &mut file.lines)
        .for_each(|lines| lines.state = LineState::Clipped);
    apply(&mut now, &baseline, &Dismissals::default());
    assert!(now.resolved.is_empty());
    // A file that is no longer in the change is resolved only where the change starts from the same
    // commit.
    let mut now = report(Vec::new());
    now.files.clear();
    apply(&mut now, &baseline, &Dismissals::default());
    assert_eq!(now.resolved.len(), 1);
    now.base = Revision::Commit("2".repeat(40));
    apply(&mut now, &baseline, &Dismissals::default());
    assert!(now.resolved.is_empty());
}

#[test]
fn a_file_of_renamed_code_keeps_its_findings() {
    let baseline = Baseline::of(&report(vec![finding("old.py", "one", 1)]));
    let mut now = report(vec![finding("new.py", "one", 1)]);
    apply(&mut now, &baseline, &Dismissals::default());
    assert_eq!(states(&now), [&BaselineState::Unchanged]);
}

#[test]
fn broken_files_are_told() {
    assert!(
        Baseline::read("b.json", "{")
            .expect_err("broken")
            .to_string()
            .contains("line 1 column")
    );
    let other = Baseline::read(
        "b.json",
        r#"{"schema": "grounds.baseline/9", "base": null, "findings": []}"#,
    );
    assert!(
        other
            .expect_err("another schema")
            .reason
            .contains("grounds.baseline/9")
    );
    let without = Dismissals::read(
        "d.yml",
        "- {fingerprint: a, path: b, finding: c, reason: ' '}\n",
    )
    .expect_err("no reason");
    assert!(without.reason.contains("gives no reason"), "{without}");
    let unknown = Dismissals::read(
        "d.yml",
        "- {fingerprint: a, path: b, finding: c, because: d}\n",
    )
    .expect_err("an unknown key");
    assert!(
        unknown.reason.contains("because") && unknown.reason.contains("line 1"),
        "{unknown}"
    );
    assert_eq!(
        Dismissals::read("d.yml", "# none yet\n").expect("an empty file"),
        Dismissals::default()
    );
}

#[test]
fn a_change_that_edits_what_is_dismissed_is_told() {
    let mut now = report(Vec::new());
    now.files[0].path = Dismissals::PATH.to_owned();
    apply(&mut now, &Baseline::default(), &Dismissals::default());
    assert!(now.notes[0].contains("edits what is dismissed"));
}
