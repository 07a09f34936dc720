//! Other forms of a name, and which file implements which.

use super::{forms, is_implementation};

#[test]
fn only_the_last_word_changes_its_form() {
    assert!(forms("parse_routes").contains(&"parse_route".to_owned()));
    assert!(
        forms("Tokenizing")
            .iter()
            .all(|form| form.starts_with("Token"))
    );
    assert!(
        forms("xqkz_2024_nonexistent_class")
            .iter()
            .all(|form| form.starts_with("xqkz_2024_nonexistent_"))
    );
    for odd in [
        "ẞẞẞẞ",
        "İİİİİ",
        "aİstanbul",
        "ÅÅÅÅs",
        "éclairs",
        "日本語日本",
        "ﬃﬃﬃﬃ",
    ] {
        let _ = forms(odd);
    }
    assert!(forms("ab").is_empty() && forms("").is_empty() && forms("_").is_empty());
}

#[test]
fn headers_and_stubs_have_implementations() {
    assert!(
        is_implementation("include/a.h", "src/a.c")
            && is_implementation("a.pyi", "a.py")
            && is_implementation("x/a.d.ts", "x/a.ts")
    );
    assert!(
        !is_implementation("a.h", "b.c")
            && !is_implementation("a.c", "a.h")
            && !is_implementation("a.ts", "a.ts")
    );
}
