//! What is looked for of a message.

use super::Message;

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let message = Message::of(text);
    let pieces: Vec<&str> = (0..message.pieces.len())
        .map(|number| message.piece(number))
        .collect();
    assert_eq!(pieces, expected, "{text}");
}

#[test]
fn pairs_of_words_without_values() {
    check(
        "failed to open foo.txt: no such file",
        &["failed to", "such file", "to open", "no such", "failed"],
    );
    check(
        "unknown command \"serve\" for \"app\"",
        &["unknown command", "unknown", "command"],
    );
    check("'user_id'", &["user_id"]);
    check("", &[]);
}

#[test]
fn a_text_with_too_few_pieces_cannot_be_where_it_comes_from() {
    let message = Message::of("could not parse the quantum header");
    let bit = |text: &str| {
        (0..message.pieces.len())
            .find(|&number| message.piece(number) == text)
            .map_or(0, |number| 1_u16 << number)
    };
    assert!(message.could_come_from(bit("could not") | bit("not parse")));
    assert!(!message.could_come_from(0));
}

#[test]
fn what_is_hostile_is_bounded() {
    for text in [
        "ä\" ".repeat(5_000),
        "\"".repeat(9_999),
        "a ".repeat(9_999),
        "“".repeat(999),
        "'’'".repeat(400),
    ] {
        let message = Message::of(&text);
        assert!(
            message.text.len() <= super::MESSAGE_BYTES_MAX
                && message.pieces.len() <= super::PIECES_MAX
        );
    }
}
