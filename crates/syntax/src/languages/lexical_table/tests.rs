use super::{Paragraph, TABLE};

#[test]
fn every_key_is_explained_in_the_head_of_the_table() {
    let (head, _) = TABLE.split_once("\n[").expect("a head");
    let explained: Vec<&str> = Paragraph(head).lines().map(|(key, _)| key).collect();
    for text in super::paragraphs() {
        for (key, _) in Paragraph(text).lines() {
            let is_kind = key.starts_with(|first: char| first.is_uppercase());
            assert!(is_kind || explained.contains(&key), "`{key}` in {text}");
        }
    }
}

#[test]
fn escapes_stand_for_what_a_line_cannot_hold() {
    assert_eq!(super::unescaped(r"\n=cut"), "\n=cut");
    assert_eq!(super::unescaped(r"#\s"), "# ");
    assert_eq!(super::unescaped(r"\0"), "\0");
}
