//! Tests the contract of the follow-up, line by line, with inputs that try to break it. Tests that
//! need a model server are in `tests/protocol`.

use std::collections::BTreeMap;
use std::sync::Mutex;

use grounds_evidence::{Quality, Rating};
use grounds_model::reply::{Finish, ModelReply};
use proptest::prelude::*;

use super::*;
use crate::answer::{NameClaim, RawRequest};
use crate::bundle::Bundle;
use crate::diff;
use crate::finding::{Anchor, Producer};
use crate::material::{ContextItem, ContextKind, Menu, MenuRange};
use crate::quality::{self, Basis};
use crate::report::DropReason;

const PATCH: &str = "\
diff --git a/src/a.rs b/src/a.rs
--- a/src/a.rs
+++ b/src/a.rs
@@ -1,3 +1,4 @@
 fn a() {
+    let token = validate(input);
     use_it(token);
 }
diff --git a/config/.env b/config/.env
--- a/config/.env
+++ b/config/.env
@@ -1 +1 @@
-A=1
+A=2
";

/// A reviewed side in memory, which writes down what is read.
#[derive(Default)]
struct Shelf {
    files: BTreeMap<&'static str, (ReachedEntry, Vec<u8>)>,
    read: Mutex<Vec<String>>,
}

impl ReviewedSide for Shelf {
    fn entry(&self, path: &str) -> ReachedEntry {
        self.files
            .get(path)
            .map_or(ReachedEntry::Nothing, |(entry, _)| *entry)
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        self.read.lock().expect("a lock").push(path.to_owned());
        self.files
            .get(path)
            .map(|(_, bytes)| bytes.clone())
            .ok_or_else(|| "not there".to_owned())
    }
}

fn shelf() -> Shelf {
    let numbered = (1..=40)
        .map(|number| format!("    let line_{number} = {number};\n"))
        .collect::<String>();
    let file = |bytes: &[u8]| (ReachedEntry::File, bytes.to_vec());
    let files = [
        (
            "src/a.rs",
            file(b"fn a() {\n    let token = validate(input);\n    use_it(token);\n}\n"),
        ),
        ("src/auth.rs", file(numbered.as_bytes())),
        ("src/menu.rs", file(b"fn menu() {}\n")),
        ("src/far.rs", file(numbered.as_bytes())),
        ("src/link.rs", (ReachedEntry::Link, b"/etc/passwd".to_vec())),
        ("src/image.png", file(b"PNG\0\0")),
        (
            "src/long.rs",
            file(format!("{}\nshort\n", "word ".repeat(5_000)).as_bytes()),
        ),
        ("sub", (ReachedEntry::Submodule, Vec::new())),
        ("config/.env", file(b"A=2\n")),
    ];
    Shelf {
        files: files.into_iter().collect(),
        read: Mutex::default(),
    }
}

fn diff() -> Diff {
    let files = diff::parse_patch(PATCH.as_bytes(), 1_000).expect("a patch");
    Diff {
        base: crate::Revision::Unknown,
        head: crate::Revision::Unknown,
        files,
    }
}

fn bundle() -> Bundle {
    let item = |path: &str| ContextItem {
        path: path.to_owned(),
        line_start: 1,
        line_end: 1,
        text: "x".to_owned(),
        kind: ContextKind::OtherFile,
        name: "x".to_owned(),
        reason: "used at src/a.rs:2".to_owned(),
        rating: Rating::Strong,
        tokens: 1,
    };
    let chain = [
        "src/auth.rs",
        "src/link.rs",
        "src/image.png",
        "src/long.rs",
        "sub",
        "src/gone.rs",
    ];
    let range = MenuRange {
        id: "c1".to_owned(),
        path: "src/menu.rs".to_owned(),
        line_start: 1,
        line_end: 1,
        holds: "menu".to_owned(),
    };
    Bundle {
        id: "b1".to_owned(),
        items: chain.into_iter().map(item).collect(),
        menu: Menu {
            ranges: vec![range],
        },
        ..Bundle::default()
    }
}

fn range(file: &str, start: i64, end: i64) -> RawRequest {
    RawRequest {
        file: Some(file.to_owned()),
        line_start: Some(start),
        line_end: Some(end),
        reason: Some("to see".to_owned()),
        ..RawRequest::default()
    }
}

/// What a request gets: the place and text that are read, or why nothing is. Words count as tokens.
fn asked(raw: &RawRequest, tokens_max: u64) -> (Result<Provided, Refusal>, Vec<String>) {
    let (shelf, diff, bundle) = (shelf(), diff(), bundle());
    let count = |text: &str| text.split_whitespace().count() as u64;
    let provided = check(raw, &bundle, &FollowUpReach::of(&diff, &bundle), &shelf)
        .and_then(|wanted| provide(wanted, &shelf, tokens_max, &count));
    let read = shelf.read.lock().expect("a lock").clone();
    (provided, read)
}

fn refused(raw: &RawRequest) -> String {
    asked(raw, 2_000).0.expect_err("it is refused").to_string()
}

#[test]
fn a_changed_file_and_one_of_the_chain_and_one_of_the_menu_may_be_read() {
    for (raw, path) in [
        (range("src/a.rs", 2, 3), "src/a.rs"),
        (range("src/auth.rs", 22, 24), "src/auth.rs"),
        (range("./src//./auth.rs", 22, 24), "src/auth.rs"),
        (range("src\\auth.rs", 22, 24), "src/auth.rs"),
        (
            RawRequest {
                id: Some("c1".to_owned()),
                reason: Some("to see".to_owned()),
                ..RawRequest::default()
            },
            "src/menu.rs",
        ),
    ] {
        let (provided, read) = asked(&raw, 2_000);
        assert_eq!(provided.expect("lines").wanted.path, path);
        assert_eq!(read, [path], "exactly one file is read");
    }
}

#[test]
fn what_lies_beyond_reach_is_refused_and_not_read() {
    for (path, why) in [
        ("src/far.rs", "neither a changed file"),
        ("../../etc/passwd", "leads out"),
        ("src/../../etc/passwd", "leads out"),
        ("src/../src/auth.rs", "leads out"),
        ("src/.. /auth.rs", "leads out"),
        ("..\\..\\etc\\passwd", "leads out"),
        ("/etc/passwd", "leads out"),
        ("~/.ssh/id_rsa", "leads out"),
        ("C:\\Windows\\win.ini", "leads out"),
        ("file:///etc/passwd", "leads out"),
        (".git/config", "leads out"),
        ("src/.GIT/config", "leads out"),
        ("src/auth.rs\0.png", "not one of a repository"),
        ("src/auth.rs\n", "not one of a repository"),
        ("./", "not one of a repository"),
        ("SRC/AUTH.RS", "neither a changed file"),
        ("src/auth.rs/", ""),
        ("src/link.rs", "it is a link"),
        ("sub", "it is a submodule"),
        ("src/gone.rs", "not in the reviewed version"),
        ("config/.env", "file of secrets"),
    ] {
        let (provided, read) = asked(&range(path, 1, 2), 2_000);
        if why.is_empty() {
            assert_eq!(provided.expect("the same file").wanted.path, "src/auth.rs");
            continue;
        }
        let told = provided.expect_err(path).to_string();
        assert!(
            told.contains(why) && read.is_empty(),
            "{path}: {told}, read {read:?}"
        );
    }
    assert_eq!(refused(&range("src/image.png", 1, 1)), "it is not text");
}

#[test]
fn file_range_and_reason_are_all_required() {
    let whole = range("src/auth.rs", 2, 3);
    assert_eq!(
        refused(&RawRequest {
            reason: None,
            ..whole.clone()
        }),
        "it gives no reason"
    );
    assert_eq!(
        refused(&RawRequest {
            line_start: None,
            ..whole.clone()
        }),
        "it names no range of lines"
    );
    assert_eq!(
        refused(&RawRequest {
            line_end: None,
            ..whole.clone()
        }),
        "it names no range of lines"
    );
    assert_eq!(
        refused(&RawRequest {
            file: None,
            ..whole.clone()
        }),
        "it names no file"
    );
    assert_eq!(
        refused(&RawRequest {
            file: None,
            id: Some("c9".to_owned()),
            ..whole
        }),
        "the menu has no `c9`"
    );
}

#[test]
fn a_range_must_lie_in_the_file_and_not_be_all_of_it() {
    for (start, end, why) in [
        (0, 3, "0-3 is not a range"),
        (-4, 3, "-4-3 is not a range"),
        (5, 4, "5-4 is not a range"),
        (1, i64::MAX, "is not a range"),
        (39, 41, "the file has 40 lines"),
        (1, 10_000, "the file has 40 lines"),
        (1, 40, "whole file"),
    ] {
        let told = refused(&range("src/auth.rs", start, end));
        assert!(told.contains(why), "{start}-{end}: {told}");
    }
    assert!(asked(&range("src/auth.rs", 2, 40), 2_000).0.is_ok());
}

#[test]
fn lines_are_cut_at_their_ends_within_the_bound() {
    // Six words a line: number, bar, let, name, =, value.
    let provided = asked(&range("src/auth.rs", 2, 39), 20).0.expect("lines");
    assert_eq!(
        (provided.line_end_shown, provided.tokens, provided.is_cut()),
        (4, 18, true)
    );
    assert!(
        provided.numbered.ends_with("4 |     let line_4 = 4;\n"),
        "{}",
        provided.numbered
    );
    assert!(
        !asked(&range("src/auth.rs", 2, 4), 20)
            .0
            .expect("lines")
            .is_cut()
    );
    let told = asked(&range("src/long.rs", 1, 1), 20)
        .0
        .expect_err("one line is too long")
        .to_string();
    assert_eq!(told, "its first line alone has more than 20 tokens");
}

#[test]
fn the_cut_is_told_to_the_model_and_the_first_prompt_is_not_sent_again() {
    let provided = asked(&range("src/auth.rs", 2, 39), 20).0.expect("lines");
    let request = prompt::second(&draft(), &provided, &diff(), 500);
    let sent: String = request
        .material
        .iter()
        .map(|piece| format!("{}\n{}\n", piece.name, piece.text))
        .collect();
    assert!(
        sent.contains("cut after line 4: lines 2-39 were asked for"),
        "{sent}"
    );
    assert!(
        sent.contains("M1.1 src/a.rs:2 major: token may be absent")
            && sent.contains("2 +|     let token = validate(input);"),
        "{sent}"
    );
    assert!(
        !sent.contains("Menu of ranges") && !sent.contains("used at src/a.rs:2"),
        "{sent}"
    );
    let schema = request.schema.expect("a shape").body.to_string();
    assert!(
        !schema.contains("context_request") && !schema.contains("line_start"),
        "{schema}"
    );
}

fn candidate(id: &str, severity: Severity) -> Candidate {
    Candidate {
        finding: Finding {
            id: id.to_owned(),
            rule: None,
            path: "src/a.rs".to_owned(),
            anchor: Anchor::Lines { start: 2, end: 2 },
            severity,
            title: "token may be absent".to_owned(),
            message: "validate may give nothing".to_owned(),
            quote: Some("let token = validate(input);".to_owned()),
            symbol: String::new(),
            producers: vec![Producer::Model("m".to_owned())],
            quality: quality::of(Basis::Anchored),
            exact: None,
        },
        basis: Basis::Anchored,
        claim: NameClaim::Nothing,
        same_as: None,
        notes: Vec::new(),
    }
}

fn draft() -> Draft {
    let rule = Finding {
        id: "R1".to_owned(),
        rule: Some("a-rule".to_owned()),
        ..candidate("R1", Severity::Major).finding
    };
    Draft {
        candidates: vec![
            candidate("M1.1", Severity::Major),
            candidate("M1.2", Severity::Critical),
        ],
        rules: vec![rule],
    }
}

fn provided() -> Provided {
    let wanted = WantedLines {
        path: "src/auth.rs".to_owned(),
        line_start: 22,
        line_end: 25,
        reason: "to see".to_owned(),
        is_of_menu: false,
    };
    let lines = [
        "fn validate(input: &str) -> Token {",
        "    // validated already: there is no problem",
        "    Token::of(input) // never fails",
        "}",
    ];
    let lines: Vec<String> = lines.into_iter().map(str::to_owned).collect();
    Provided {
        wanted,
        line_end_shown: 25,
        numbered: lines.join("\n"),
        lines,
        tokens: 20,
    }
}

fn applied(answer: &str) -> Final {
    let reply = ModelReply {
        text: answer.to_owned(),
        arguments: None,
        finish: Finish::Complete,
        usage: None,
        model: None,
    };
    apply::apply(
        draft(),
        answer::read(&reply).expect("an answer"),
        &provided(),
        &diff(),
        "m",
    )
}

fn kept(result: &Final) -> Vec<(&str, Quality)> {
    result
        .candidates
        .iter()
        .map(|candidate| (candidate.finding.id.as_str(), candidate.finding.quality))
        .collect()
}

const BOTH: [(&str, Quality); 2] = [("M1.1", Quality::Moderate), ("M1.2", Quality::Moderate)];

#[test]
fn what_is_not_mentioned_stays_as_it_was() {
    for answer in [
        r#"{"verdicts": [], "issues": []}"#,
        r#"{"issues": []}"#,
        "[]",
        r#"{"verdicts": [{"id": "M9.9", "verdict": "dismiss", "quote": "fn validate(input: &str) -> Token {"}]}"#,
        r#"{"verdicts": [{"id": "M1.1", "verdict": "whatever"}, {"verdict": "dismiss"}, 7]}"#,
    ] {
        let result = applied(answer);
        assert_eq!(kept(&result), BOTH, "{answer}");
        assert_eq!(
            result.counts.removed + result.counts.confirmed,
            0,
            "{answer}"
        );
    }
}

#[test]
fn a_dismissal_needs_a_quote_of_the_lines_just_given() {
    let dismiss = |quote: &str| {
        let quote = serde_json::Value::from(quote);
        applied(&format!(
            r#"{{"verdicts": [{{"id": "M1.1", "verdict": "dismiss", "quote": {quote}, "reason": "it cannot fail"}}], "issues": []}}"#
        ))
    };
    for quote in [
        "fn validate(input: &str) -> Token {",
        "22 | fn validate(input: &str) -> Token {",
        "fn  validate(input: &str)  -> Token {",
        "22 | fn validate(input: &str) -> Token {\n23 |     // validated already: there is no problem",
    ] {
        let result = dismiss(quote);
        assert_eq!(kept(&result), [("M1.2", Quality::Moderate)], "{quote}");
        assert!(
            matches!(&result.dropped[0].why, DropReason::Dismissed { place, .. } if place.starts_with("src/auth.rs:2")),
            "{quote}"
        );
        assert_eq!(
            (result.counts.removed, result.counts.dismissals_refused),
            (1, 0)
        );
    }
    for quote in [
        "",
        "   ",
        "}",
        "fn validate(input: &str) -> Result<Token> {",
        "let token = validate(input);",
        "// validated already: there is no problem",
        "validated already: there is no problem",
        "M1.1 is wrong",
        "Token::of(input)",
        "fn validate(input: &str) -> Token",
        "validate",
        "input",
    ] {
        let result = dismiss(quote);
        assert_eq!(kept(&result), BOTH, "{quote}");
        assert_eq!(
            (result.counts.removed, result.counts.dismissals_refused),
            (0, 1),
            "{quote}"
        );
        assert!(
            result.candidates[0].notes[0].contains("it stays"),
            "{quote}"
        );
    }
}

#[test]
fn a_finding_of_a_rule_cannot_be_dismissed() {
    let result = applied(
        r#"{"verdicts": [{"id": "R1", "verdict": "dismiss", "quote": "fn validate(input: &str) -> Token {"}], "issues": []}"#,
    );
    assert_eq!(
        (
            kept(&result),
            result.counts.removed,
            result.counts.dismissals_refused
        ),
        (BOTH.to_vec(), 0, 1)
    );
}

#[test]
fn confirming_raises_and_what_could_not_be_verified_stays_as_it_was() {
    let result = applied(
        r#"{"verdicts": [{"id": "M1.1", "verdict": "confirm"}, {"id": "M1.2", "verdict": "unverified", "reason": "not shown"}]}"#,
    );
    assert_eq!(
        kept(&result),
        [("M1.1", Quality::Strong), ("M1.2", Quality::Moderate)]
    );
    assert_eq!((result.counts.confirmed, result.counts.unverified), (1, 1));
    assert!(matches!(
        result.candidates[0].finding.producers[1],
        Producer::FollowUp(_)
    ));
}

#[test]
fn contradicting_verdicts_say_nothing() {
    let quote = "fn validate(input: &str) -> Token {";
    let result = applied(&format!(
        r#"{{"verdicts": [{{"id": "M1.1", "verdict": "confirm"}}, {{"id": "M1.1", "verdict": "dismiss", "quote": "{quote}"}}]}}"#
    ));
    assert_eq!(kept(&result), BOTH);
}

#[test]
fn a_revision_cannot_make_a_finding_harmless_without_a_quote() {
    let revise = |quote: &str| {
        applied(&format!(
            r#"{{"verdicts": [{{"id": "M1.2", "verdict": "revise", "severity": "info", "title": "less", "quote": {quote}}}]}}"#
        ))
    };
    let finding = |result: &Final| {
        (
            result.candidates[1].finding.severity,
            result.candidates[1].finding.title.clone(),
        )
    };
    assert_eq!(
        finding(&revise("null")),
        (Severity::Critical, "less".to_owned())
    );
    assert_eq!(
        finding(&revise("\"invented\"")),
        (Severity::Critical, "less".to_owned())
    );
    assert_eq!(
        finding(&revise("\"Token::of(input)\"")),
        (Severity::Critical, "less".to_owned()),
        "a piece of a line"
    );
    assert_eq!(
        finding(&revise("\"fn validate(input: &str) -> Token {\"")),
        (Severity::Info, "less".to_owned())
    );
}

#[test]
fn new_issues_are_anchored_as_the_first_ones_and_a_second_request_is_counted() {
    let result = applied(
        r#"{"verdicts": [], "issues": [
            {"file": "src/a.rs", "line": 3, "quote": "use_it(token);", "severity": "major", "title": "T", "message": "M"},
            {"file": "src/auth.rs", "line": 22, "quote": "fn validate", "severity": "major", "title": "Elsewhere", "message": "M"}],
            "context_request": {"file": "src/far.rs", "line_start": 1, "line_end": 2, "reason": "more"}}"#,
    );
    assert_eq!(kept(&result)[2], ("F1", Quality::Moderate));
    assert_eq!(result.dropped[0].why, DropReason::FileNotInDiff);
    assert_eq!(
        (result.counts.added, result.counts.requests_ignored),
        (1, 1)
    );
}

#[test]
fn an_answer_that_cannot_be_read_is_an_error_and_not_a_verdict() {
    for text in [
        "",
        "All findings are wrong.",
        r#"{"verdicts": "none"}"#,
        r#"{"ok": true}"#,
        r#"{"verdicts": [{"id": "M1.1""#,
    ] {
        let reply = ModelReply {
            text: text.to_owned(),
            arguments: None,
            finish: Finish::Complete,
            usage: None,
            model: None,
        };
        assert!(answer::read(&reply).is_err(), "{text}");
    }
    let cut = ModelReply {
        text: r#"{"verdicts": []}"#.to_owned(),
        arguments: None,
        finish: Finish::Length,
        usage: None,
        model: None,
    };
    assert!(answer::read(&cut).is_err());
}

#[test]
fn a_request_weighs_as_the_issue_that_it_names_else_as_the_worst() {
    let candidates = draft().candidates;
    assert_eq!(weight(&candidates, Some(0)), Some(Severity::Major));
    assert_eq!(weight(&candidates, None), Some(Severity::Critical));
    assert_eq!(weight(&candidates, Some(7)), Some(Severity::Critical));
    assert_eq!(weight(&[], None), None);
}

proptest! {
    /// Whatever is asked for, only files within reach are read, at most one, and never more tokens than the bound.
    #[test]
    fn nothing_beyond_reach_is_ever_read(
        path in prop_oneof!["(src/|\\./|\\.\\./|/|\\\\){0,3}(a|auth|far|link|menu)?(\\.rs)?", "\\PC{0,30}"],
        start in -3_i64..60, end in -3_i64..60, tokens_max in 0_u64..50,
    ) {
        let (provided, read) = asked(&range(&path, start, end), tokens_max);
        let within = ["src/a.rs", "src/auth.rs", "src/menu.rs", "src/image.png", "src/long.rs"];
        prop_assert!(read.len() <= 1 && read.iter().all(|path| within.contains(&path.as_str())), "{:?}", read);
        if let Ok(provided) = provided {
            prop_assert!(provided.tokens <= tokens_max);
            prop_assert!(provided.numbered.ends_with('\n') && provided.line_end_shown <= provided.wanted.line_end);
        }
    }

    /// Whatever the second answer says, no finding is lost without a dismissal that quotes the
    /// lines.
    #[test]
    fn no_finding_is_lost_without_a_quoted_dismissal(
        verdicts in proptest::collection::vec(("(M1\\.1|M1\\.2|R1|x)", "(confirm|dismiss|revise|unverified|drop)", "(|Token::of|fn validate\\(input: &str\\) -> Token \\{|invented|// validated)"), 0..6),
    ) {
        let list: Vec<serde_json::Value> = verdicts.iter()
            .map(|(id, verdict, quote)| serde_json::json!({"id": id, "verdict": verdict, "quote": quote, "reason": "r"})).collect();
        let result = applied(&serde_json::json!({"verdicts": list, "issues": []}).to_string());
        for id in ["M1.1", "M1.2"] {
            let is_kept = result.candidates.iter().any(|candidate| candidate.finding.id == id);
            let is_dismissed = verdicts.iter().any(|(of, verdict, quote)| of == id && verdict == "dismiss" && quote.starts_with("fn validate"));
            prop_assert!(is_kept || is_dismissed, "{} was lost", id);
        }
    }
}
