//! What is left of a message without its values.

use super::message_fragments;

#[track_caller]
fn check(message: &str, expected: &[&str]) {
    assert_eq!(message_fragments(message), expected, "{message}");
}

#[test]
fn values_are_cut_out_and_the_longest_literal_comes_first() {
    check(
        "failed to open foo.txt: no such file",
        &["failed to open", "no such file"],
    );
    check(
        "cannot find value `x` in this scope",
        &["cannot find value", "in this scope"],
    );
    check(
        "index out of bounds: the len is 3 but the index is 7",
        &["index out of bounds", "but the index is", "the len is"],
    );
    check(
        "Cannot read properties of undefined (reading 'map')",
        &["Cannot read properties of undefined (reading"],
    );
    check(
        "heap-use-after-free on address 0x602000000010 at pc 0x4f2a1c",
        &["heap-use-after-free on address", "at pc"],
    );
    check(
        "connection to db-1.example.org:5432 refused",
        &["connection to"],
    );
    check(
        "couldn't parse the config file",
        &["couldn't parse the config file"],
    );
    check(
        "unknown field retry_policy, expected one of the following",
        &["expected one of the following", "unknown field"],
    );
}

#[test]
fn a_message_of_values_alone_has_no_literal() {
    check("'user_id'", &[]);
    check("", &[]);
    check("0xdeadbeef 42 ''", &[]);
}

#[test]
fn a_huge_or_odd_message_is_bounded() {
    assert!(message_fragments(&"words and words ".repeat(10_000)).len() <= super::FRAGMENTS_MAX);
    assert!(message_fragments(&"ä'".repeat(5_000)).len() <= super::FRAGMENTS_MAX);
    assert!(message_fragments(&"<".repeat(100_000)).len() <= super::FRAGMENTS_MAX);
}
