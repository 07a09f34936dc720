use super::*;
use serde_json::json;

fn schema() -> Schema {
    let body = json!({"type": "object", "required": ["a"], "additionalProperties": false, "properties": {"a": {"type": "integer"}}});
    Schema {
        name: "answer".to_owned(),
        body,
    }
}

#[track_caller]
fn reads(text: &str, number: i64) {
    assert_eq!(read(text, &schema()), Ok(json!({"a": number})), "{text}");
}

#[track_caller]
fn is_unreadable(text: &str, why: &str) {
    assert_eq!(read(text, &schema()), Err(why.to_owned()), "{text}");
}

#[test]
fn a_value_is_found_in_what_stands_around_it() {
    reads("{\"a\": 1}", 1);
    reads(
        "Sure! Here it is:\n```json\n{\"a\": 2}\n```\nHope it's right.",
        2,
    );
    reads("<think>maybe {\"a\": 9}? no</think>\n{\"a\": 3}", 3);
    reads("maybe {\"a\": 9}? no</think>{\"a\": 3}", 3);
    reads("<think>a <think>b</think> c</think>{\"a\": 3}", 3);
    reads("{\"a\": 1}\nNo, wait:\n{\"a\": 4}", 4);
    reads("{\"a\": 5} and as always { is a brace", 5);
    reads("a set {x} and [1, 2], then {\"a\": 6}, then {y}", 6);
    reads("{\"name\": \"answer\", \"arguments\": {\"a\": 7}}", 7);
    reads(
        "<tool_call>\n{\"name\": \"answer\", \"arguments\": \"{\\\"a\\\": 7}\"}\n</tool_call>",
        7,
    );
    reads(
        "{\"type\": \"function\", \"function\": {\"name\": \"answer\", \"parameters\": {\"a\": 8}}}",
        8,
    );
}

#[test]
fn an_answer_between_two_thoughts_is_not_hidden() {
    let text = "<think>x</think> {\"a\": 1} </think> {\"a\": 2}";
    assert_eq!(pieces(text).map(|pieces| pieces.len()), Some(2));
}

#[test]
fn what_cannot_be_read_is_told_and_not_guessed() {
    is_unreadable("", "it holds no JSON");
    is_unreadable("I cannot say.", "it holds no JSON");
    is_unreadable("{\"a\": 1", "it ends in the middle of a value");
    is_unreadable("<think>{\"a\": 1}", "it stops while it still thinks");
    is_unreadable("{\"a\": 1, \"a\": 2}", "a key occurs twice in one object");
    is_unreadable("{\"a\": NaN}", "it is not JSON");
    is_unreadable(
        "{\"a\": \"one\"}",
        "`a` of the answer must be of type \"integer\"",
    );
    is_unreadable(
        "{\"name\": \"other\", \"arguments\": {\"a\": 7}}",
        "the answer lacks `a`",
    );
}

#[test]
fn hostile_text_takes_no_time() {
    let start = std::time::Instant::now();
    for text in [
        "{".repeat(1 << 20),
        "[".repeat(1 << 20),
        "{\"".repeat(1 << 19),
        "{}".repeat(1 << 19),
        "<think>".repeat(1 << 17),
    ] {
        assert!(read(&text, &schema()).is_err());
    }
    assert!(start.elapsed().as_secs() < 20);
}

#[test]
fn a_piece_of_a_letter_is_never_cut() {
    assert!(read("é{é}é[ü]", &schema()).is_err());
}
