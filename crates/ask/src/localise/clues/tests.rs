use super::*;

#[test]
fn a_report_has_parts_names_and_messages() {
    let clues = read(
        "HTTPAdapter drops retries\n\nCalling `send_all` fails:\n```\nadapter.max_retries = 3\n```\nValueError: bad value for retry count 17 in pool\n",
    );
    let name = |text: &str| {
        clues
            .names
            .iter()
            .find(|name| name.text == text)
            .expect("a name")
    };
    assert!(name("HTTPAdapter").is_code && name("send_all").is_code && name("max_retries").is_code);
    assert!(!name("drops").is_code);
    assert!(
        clues
            .literals
            .contains(&"bad value for retry count".to_owned()),
        "{:?}",
        clues.literals
    );
    assert!(!clues.is_short);
    assert!(read("session management").is_short);
}

#[test]
fn hostile_texts_are_bounded() {
    let frames = "  File \"/etc/../../x.py\", line 3, in f\n".repeat(100_000);
    let clues = read(&frames);
    assert!(
        clues.bounds.contains(&"text_bytes_max") && clues.bounds.contains(&"text_mentions_max")
    );
    let words: String = (0..100_000)
        .map(|number| format!("word{number}x "))
        .collect();
    assert!(read(&words).bounds.contains(&"text_terms_max"));
    assert!(read("").stems.is_empty());
    read("\u{0}\u{1b}[31m\u{fffd}é`'\"``` ``` \\ :: .. // #L");
}
