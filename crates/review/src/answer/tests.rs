//! Answers as models write them, and what is read.

use super::*;

fn reply(text: &str) -> ModelReply {
    ModelReply {
        text: text.to_owned(),
        arguments: None,
        finish: Finish::Complete,
        usage: None,
        model: None,
    }
}

fn titles(text: &str) -> Result<Vec<String>, String> {
    read(&reply(text), MayAsk::Once)
        .map(|answer| answer.issues.into_iter().map(|issue| issue.title).collect())
}

const ONE: &str = r#"{"file": "a.rs", "line": 3, "quote": "x()", "severity": "major", "title": "T", "message": "M"}"#;

#[test]
fn an_answer_is_found_in_what_models_put_around_it() {
    let object = format!(r#"{{"issues": [{ONE}], "context_request": null}}"#);
    for text in [
        object.clone(),
        format!("```json\n{object}\n```"),
        format!("Here is the review.\n{object}\nLet me know."),
        format!("<think>maybe {{\"issues\": []}}</think>{object}"),
        format!("[{ONE}]"),
        format!("```\n[{ONE}]\n```"),
        format!("The issues: [{ONE}] as of line [3]"),
        format!("[{object}]"),
        format!(r#"{{"findings": [{ONE}]}}"#),
    ] {
        assert_eq!(titles(&text), Ok(vec!["T".to_owned()]), "{text}");
    }
}

#[test]
fn no_issues_must_be_said() {
    for text in [
        r#"{"issues": []}"#,
        r#"{"issues": [], "context_request": null}"#,
        "[]",
        "```json\n[]\n```",
    ] {
        assert_eq!(titles(text), Ok(Vec::new()), "{text}");
    }
    for text in [
        "",
        "No problems found.",
        "The list `items[]` is fine.",
        "LGTM {}",
        r#"{"issues": null}"#,
        r#"{"issues": "none"}"#,
        r#"{"verdict": "approved"}"#,
        r#"{"issues": ["a", 3]}"#,
        r#"{"issues": [{}]}"#,
        r#"{"issues": [{"file": "a.rs"#,
        r#"{"issues": [{"file": "a.rs", "line": 3, "title": "T", "message": "M"}, {"fi"#,
    ] {
        assert!(titles(text).is_err(), "{text}");
    }
}

#[test]
fn an_answer_that_was_cut_is_none_even_where_its_beginning_is_a_value() {
    let cut = ModelReply {
        finish: Finish::Length,
        ..reply(&format!("[{ONE}]"))
    };
    assert!(read(&cut, MayAsk::Once).is_err());
    let cut = ModelReply {
        arguments: Some(json!({"issues": []})),
        ..cut
    };
    assert!(read(&cut, MayAsk::Once).is_err());
}

#[test]
fn what_cannot_be_read_beside_what_can_is_told() {
    let answer = read(
        &reply(&format!(r#"{{"issues": [{ONE}, {{"file": "b.rs"}}, 7]}}"#)),
        MayAsk::Once,
    )
    .expect("an answer");
    assert_eq!((answer.issues.len(), answer.unreadable.len()), (1, 2));
    assert!(answer.unreadable[0].said.contains("b.rs"));
}

#[test]
fn fields_are_read_in_their_common_forms() {
    let of = |text: &str| issue(&serde_json::from_str(text).expect("JSON")).expect("an issue");
    let read = of(
        r#"{"path": "a.rs", "start_line": "L12-14", "level": "HIGH", "description": "It fails. Mend it.", "code": " x ", "missing_name": "foo"}"#,
    );
    assert_eq!(
        (read.path.as_deref(), read.line, read.severity),
        (Some("a.rs"), Some(12), Severity::Major)
    );
    assert_eq!(
        (read.title.as_str(), read.quote.as_deref(), read.claim),
        (
            "It fails",
            Some(" x "),
            NameClaim::Missing("foo".to_owned())
        )
    );
    let read = of(
        r#"{"title": "a\nb", "line": 0, "severity": "spicy", "quote": " ", "unused_name": "null"}"#,
    );
    assert_eq!(
        (
            read.title.as_str(),
            read.message.as_str(),
            read.line,
            read.severity
        ),
        ("a b", "a\nb", None, Severity::Minor)
    );
    assert_eq!((read.quote, read.claim), (None, NameClaim::Nothing));
}

#[test]
fn a_request_is_read_only_where_one_may_be_made() {
    let text = r#"{"issues": [], "context_request": {"file": "a.rs", "line_start": "3", "line_end": 9, "reason": "look", "issue": null}}"#;
    let asked = read(&reply(text), MayAsk::Once)
        .expect("an answer")
        .request
        .expect("a request");
    assert_eq!(
        (asked.line_start, asked.line_end, asked.issue),
        (Some(3), Some(9), None)
    );
    assert_eq!(
        read(&reply(text), MayAsk::No).expect("an answer").request,
        None
    );
    for nothing in ["null", "{}", r#"{"id": null, "file": null}"#, "\"later\""] {
        let text = format!(r#"{{"issues": [], "context_request": {nothing}}}"#);
        assert_eq!(
            read(&reply(&text), MayAsk::Once)
                .expect("an answer")
                .request,
            None,
            "{nothing}"
        );
    }
}

#[test]
fn the_shapes_are_strict_and_the_one_without_a_follow_up_does_not_mention_it() {
    for may_ask in [MayAsk::Once, MayAsk::No] {
        assert!(
            grounds_model::shape::is_strict(&shape(may_ask)),
            "{may_ask:?}"
        );
    }
    assert!(!shape(MayAsk::No).to_string().contains("request"));
}

#[test]
fn more_issues_than_the_bound_are_counted() {
    let many = vec![ONE; ISSUES_MAX + 3].join(",");
    let answer = read(&reply(&format!("[{many}]")), MayAsk::Once).expect("an answer");
    assert_eq!((answer.issues.len(), answer.past_bound), (ISSUES_MAX, 3));
}
